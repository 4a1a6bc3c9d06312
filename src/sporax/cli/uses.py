"""Which MindSpore names a source file uses, found without running it.

Imports bind names to dotted paths, and attribute chains on such names extend the paths: `nn.layer.Dense` is `mindspore.nn.layer.Dense` after `from
mindspore import nn`. Where a variable is made by calling a class (`net = nn.Dense(...)`, `self.conv = ...`), or `self` belongs to a class made from
one, its methods count, too.
"""

import ast
import builtins
import collections
import dataclasses

from sporax._names import genuine

_ROOTS = ("mindspore", "sporax")
_CAUGHT = {"ImportError", "ModuleNotFoundError", "AttributeError", "Exception", "BaseException"}
# What an object of any class may be asked for without being a tensor.
_COMMON = {name for kind in (str, bytes, list, dict, set, tuple, int, float, complex, object) for name in dir(kind)}


@dataclasses.dataclass
class Use:
    """One use of a name. `guarded`: the program goes on without it (`try: ... except ImportError`). `guess`: the receiver's class is not known."""

    line: int
    guarded: bool = False
    guess: bool = False


def find(source, filename="<source>"):
    """Uses by dotted name, such as `mindspore.nn.Dense` or `mindspore.Tensor.asnumpy`.

    Args:
        source: text or bytes of Python.
        filename: for error messages.

    Raises:
        SyntaxError: it is not Python 3.

    Examples:
        >>> from sporax.cli.uses import find
        >>> sorted(find("from mindspore import nn as n; net = n.Dense(2, 3); net.trainable_params()"))
        ['mindspore.nn', 'mindspore.nn.Cell.trainable_params', 'mindspore.nn.Dense']
    """
    visitor = _Visitor()
    visitor.visit(ast.parse(source, filename))
    return visitor.finish()


class _Visitor(ast.NodeVisitor):
    def __init__(self):
        self.found: dict = collections.defaultdict(list)
        self.bound: dict = {}  # variable -> dotted path that it stands for
        self.made: dict = {}  # variable or "self.x" -> dotted path of the class that made it
        self.stars: list = []  # modules imported with *
        self.names: dict = {}  # names that are read, with a line each
        self.assigned: set = set()
        self.unknown: list = []  # (method, line) called on something of unknown class
        self.cells: list = []  # (base class, own names) of the classes around
        self.guarded = False

    def use(self, path, node):
        self.found[path].append(Use(node.lineno, self.guarded))

    # what names stand for

    def visit_Import(self, node):
        for a in node.names:
            root = a.name.partition(".")[0]
            if root in _ROOTS:
                path = "mindspore" + a.name.removeprefix(root)
                self.bound[a.asname or root] = path if a.asname else "mindspore"
                self.use(path, node)

    def visit_ImportFrom(self, node):
        root = (node.module or "").partition(".")[0]
        if node.level or root not in _ROOTS:
            self.assigned.update(a.asname or a.name for a in node.names)
            return
        module = "mindspore" + (node.module or "").removeprefix(root)
        for a in node.names:
            if a.name == "*":
                self.stars.append(module)
                self.use(module, node)
            else:
                self.bound[a.asname or a.name] = f"{module}.{a.name}"
                self.use(f"{module}.{a.name}", node)

    def visit_Assign(self, node):
        self.generic_visit(node)
        value = node.value
        made = self.path(value.func) if isinstance(value, ast.Call) else None
        same = self.path(value)
        for target in node.targets:
            key = _key(target)
            if key is None:
                continue
            self.made.pop(key, None)
            if made is not None:
                self.made[key] = made
            if same is not None:
                self.bound[key] = same
            elif key in self.bound:
                del self.bound[key]

    def visit_ClassDef(self, node):
        bases = [path for b in node.bases if (path := self.path(b))]
        own = {n.name for n in node.body if isinstance(n, ast.FunctionDef)} | {
            t.attr for n in ast.walk(node) for t in _targets(n) if isinstance(t, ast.Attribute)
        }
        self.cells.append((bases[0] if bases else None, own))
        self.generic_visit(node)
        self.cells.pop()
        self.assigned.add(node.name)

    def visit_Try(self, node):
        caught = {n for h in node.handlers for n in ([x.id for x in ast.walk(h.type) if isinstance(x, ast.Name)] if h.type else ["Exception"])}
        before, self.guarded = self.guarded, self.guarded or bool(caught & _CAUGHT)
        for n in node.body:
            self.visit(n)
        self.guarded = before
        for n in (*node.handlers, *node.orelse, *node.finalbody):
            self.visit(n)

    # uses

    def path(self, node):
        """The dotted path that an expression stands for, or None."""
        key = _key(node)
        if key in self.bound:
            return self.bound[key]
        if isinstance(node, ast.Attribute) and (inner := self.path(node.value)):
            return f"{inner}.{node.attr}"
        return None

    def visit_Attribute(self, node):
        path = self.path(node)
        if path is not None:
            self.use(path, node)
            return
        key = _key(node.value)
        if key in self.made:
            self.member(self.made[key], node)
        elif key == "self" and self.cells and self.cells[-1][0] and node.attr not in self.cells[-1][1]:
            self.member(self.cells[-1][0], node)
        elif isinstance(node.value, ast.Call) and (made := self.path(node.value.func)):
            self.member(made, node)
        else:
            self.unknown.append((node.attr, node.lineno))
        self.generic_visit(node)

    def member(self, cls, node):
        """An attribute of an instance of a MindSpore class: it counts if MindSpore documents it."""
        owner = next((c for c in _owners(cls) if node.attr in genuine.owners().get(c, ())), None)
        if owner is not None:
            self.use(f"{owner}.{node.attr}", node)

    def visit_Name(self, node):
        if isinstance(node.ctx, ast.Load):
            self.names.setdefault(node.id, node.lineno)
        else:
            self.assigned.add(node.id)

    def visit_FunctionDef(self, node):
        self.assigned.add(node.name)
        self.generic_visit(node)

    def visit_arg(self, node):
        self.assigned.add(node.arg)

    def finish(self):
        for name, line in self.names.items():
            module = next((m for m in self.stars if name in genuine.owners().get(m, ())), None)
            if module is not None and name not in self.assigned and name not in self.bound and not hasattr(builtins, name):
                self.found[f"{module}.{name}"].append(Use(line))
        if self.found:
            for name, line in self.unknown:
                if name in genuine.owners()["mindspore.Tensor"] and name not in _COMMON:
                    self.found[f"mindspore.Tensor.{name}"].append(Use(line, guess=True))
        return dict(self.found)


def _key(node):
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self":
        return f"self.{node.attr}"
    return None


def _targets(node):
    if isinstance(node, ast.Assign):
        return node.targets
    return [node.target] if isinstance(node, ast.AnnAssign | ast.AugAssign) else []


def _owners(cls):
    """The documented classes whose members an instance of `cls` has."""
    yield cls
    if cls.startswith("mindspore.nn."):
        yield from ("mindspore.nn.Optimizer", "mindspore.nn.Cell")
    elif cls.startswith("mindspore.dataset."):
        yield "mindspore.dataset.Dataset"
    elif cls in ("mindspore.Parameter", "mindspore.tensor"):
        yield "mindspore.Tensor"
    elif cls.startswith("mindspore.ops.") and cls.rpartition(".")[2][0].islower():
        yield "mindspore.Tensor"
