"""The syntax tree of a function, found in its source file by position."""

import ast
import copy
import linecache

from sporax._core.control.desugar import Unsupported

_files: dict = {}


def _tree(code, scope):
    lines = linecache.getlines(code.co_filename, scope)
    if not lines:
        raise Unsupported("its source is not available")
    text = "".join(lines)
    known = _files.get(code.co_filename)
    if known is None or known[0] != text:
        try:
            known = _files[code.co_filename] = (text, ast.parse(text))
        except SyntaxError as error:
            raise Unsupported(f"its source cannot be parsed ({error})") from error
    return known[1]


def find(function):
    """A copy of the FunctionDef or Lambda node of a function, with line numbers of its file."""
    code = function.__code__
    tree = _tree(code, function.__globals__)
    if code.co_name == "<lambda>":
        found = _lambda(code, tree)
    else:
        functions = [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)]
        found = [n for n in functions if n.name == code.co_name and _first(n) == code.co_firstlineno]
    found = [n for n in found if _arguments(n) == code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]]
    if len(found) != 1:
        raise Unsupported("its source has changed" if not found else "there are several such lambdas on its line")
    return copy.deepcopy(found[0])


def _first(node):
    return min([node.lineno, *[d.lineno for d in node.decorator_list]])


def _arguments(node):
    a = node.args
    return tuple(x.arg for x in (*a.posonlyargs, *a.args, *a.kwonlyargs))


def _lambda(code, tree):
    """Lambdas whose body holds the positions of the code's instructions."""
    spans = [p for p in code.co_positions() if None not in p and (p[2], p[3]) != (0, 0)]
    candidates = []
    for n in ast.walk(tree):
        if isinstance(n, ast.Lambda) and n.lineno <= code.co_firstlineno <= (n.end_lineno or n.lineno):
            b = n.body
            start, end = (b.lineno, b.col_offset), (b.end_lineno, b.end_col_offset)
            if all(start <= (p[0], p[2]) and (p[1], p[3]) <= end for p in spans):
                candidates.append(n)
    if not candidates or not spans:
        return candidates
    # the innermost is the one whose whole body is among the positions
    exact = [n for n in candidates if (n.body.lineno, n.body.end_lineno, n.body.col_offset, n.body.end_col_offset) in spans]
    return exact or candidates
