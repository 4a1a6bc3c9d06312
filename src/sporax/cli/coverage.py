"""`sporax coverage`: which MindSpore names a program uses, found without running it."""

import ast
import collections
import json
import pathlib
import sys


class Uses(ast.NodeVisitor):
    """Dotted MindSpore names in a source file -> lines.

    Imports bind names to dotted paths; attribute chains on such names extend the paths.
    """

    def __init__(self):
        self.bound, self.lines = {}, collections.defaultdict(list)

    def visit_Import(self, node):
        for a in node.names:
            if a.name == "mindspore" or a.name.startswith("mindspore."):
                self.bound[a.asname or "mindspore"] = a.name if a.asname else "mindspore"
                self.lines[a.name].append(node.lineno)

    def visit_ImportFrom(self, node):
        if node.level or not node.module or node.module.split(".")[0] != "mindspore":
            return
        for a in node.names:
            if a.name == "*":
                self.lines[node.module].append(node.lineno)
                continue
            path = f"{node.module}.{a.name}"
            self.bound[a.asname or a.name] = path
            self.lines[path].append(node.lineno)

    def visit_Attribute(self, node):
        chain, inner = [node.attr], node.value
        while isinstance(inner, ast.Attribute):
            chain.append(inner.attr)
            inner = inner.value
        if isinstance(inner, ast.Name) and inner.id in self.bound:
            self.lines[".".join([self.bound[inner.id], *reversed(chain)])].append(node.lineno)
        else:
            self.generic_visit(node)


def uses(source):
    """Dotted MindSpore names in a text of Python, with the lines where they stand."""
    visitor = Uses()
    visitor.visit(ast.parse(source))
    return visitor.lines


def is_present(path):
    """Whether a dotted MindSpore name exists here (attributes of objects other than modules and classes are not looked into)."""
    import importlib
    import types

    import sporax
    from sporax._names.spellings import MOVED

    obj, at = sporax, ""
    for part in path.split(".")[1:]:
        if not isinstance(obj, types.ModuleType | type):
            return True
        if isinstance(obj, types.ModuleType) and (at, part) in MOVED:
            return True
        at = f"{at}.{part}" if at else part
        try:
            obj = getattr(obj, part)
        except AttributeError:
            try:
                obj = importlib.import_module(f"sporax.{at}")
            except ImportError:
                return False
    return True


def report(paths, as_json=False):
    """Print the names used and the ones missing; returns 1 if any is missing."""
    files = []
    for p in map(pathlib.Path, paths):
        if not p.exists():
            print(f"sporax coverage: there is no file {str(p)!r}", file=sys.stderr)
            return 2
        files += sorted(p.rglob("*.py")) if p.is_dir() else [p]
    found: dict = {}
    for f in files:
        try:
            lines = uses(f.read_text())
        except SyntaxError as error:
            print(f"sporax coverage: {f}:{error.lineno}: {error.msg}", file=sys.stderr)
            return 2
        for name, at in lines.items():
            found.setdefault(name, []).extend(f"{f}:{n}" for n in at)
    present = {name: is_present(name) for name in sorted(found)}
    lacking = [name for name, ok in present.items() if not ok]
    if as_json:
        print(json.dumps({"used": found, "missing": lacking}, indent=1))
    else:
        for name, ok in present.items():
            print(f"{'ok     ' if ok else 'MISSING'}  {name}  ({len(found[name])}x, first {found[name][0]})")
        print(f"{len(present)} MindSpore names used, {len(lacking)} missing")
    return 1 if lacking else 0
