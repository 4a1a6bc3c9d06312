"""User functions in converted form: malt's syntax transformations with Sporax's operators.

Each code object is converted once; the result is a factory that is given new globals, closure cells and defaults for each function object, so a
converted function sees the same variables as the original. Converted code keeps the file name and line numbers of the original, so
tracebacks and messages point at the user's source.
"""

import ast
import functools
import threading
import types
from typing import Any

from sporax._core.control import source
from sporax._core.control.desugar import After, Before, Unsupported
from sporax._core.control.errors import ConversionError, is_user_file
from sporax._core.control.operators import namespace
from sporax._core.errors import TracedValueError

_lock = threading.RLock()
_factories: dict = {}
_MAX_FACTORIES = 4096


def convert(function):
    """`function` with control flow on tensors turned into operations; what is not the user's Python is returned as it is."""
    if isinstance(function, types.FunctionType):
        return _convert_function(function)
    if isinstance(function, types.MethodType):
        new = convert(function.__func__)
        return function if new is function.__func__ else types.MethodType(new, function.__self__)
    if isinstance(function, functools.partial):
        return functools.partial(convert(function.func), *function.args, **function.keywords)
    if isinstance(function, type) or hasattr(function, "construct"):
        return function
    called = next((vars(cls)["__call__"] for cls in type(function).__mro__ if "__call__" in vars(cls)), None)
    if isinstance(called, types.FunctionType):
        new = _convert_function(called)
        return function if new is called else types.MethodType(new, function)
    return function


def _convert_function(function):
    code = function.__code__
    if getattr(function, "_sporax_converted", False) or not is_user_file(code.co_filename):
        return function
    factory = _factories.get(code)
    if factory is None:
        with _lock:
            factory = _factories.get(code)
            if factory is None:
                if len(_factories) >= _MAX_FACTORIES:
                    _factories.clear()
                factory = _factories[code] = _make_factory(function)
    return factory(function)


def _make_factory(function):
    try:
        return _Factory(function)
    except Unsupported as error:
        reason = str(error)
    except RecursionError:
        raise
    except Exception as error:  # malt's own errors have many classes
        reason = f"{type(error).__name__}: {error}"
    return functools.partial(_unconverted, reason=reason)


def _unconverted(function, reason):
    """The function as it is, with an error that says why it was not converted if that matters."""
    code = function.__code__

    @functools.wraps(function)
    def plain(*args, **kwargs):
        try:
            return function(*args, **kwargs)
        except TracedValueError as error:
            place = f"{code.co_filename}:{code.co_firstlineno}"
            raise ConversionError(f"{place}: '{function.__qualname__}' cannot be converted, because of {reason}. {error}") from error

    plain._sporax_converted = True
    return plain


class _Factory:
    """Makes converted functions of one code object."""

    def __init__(self, function):
        code = function.__code__
        name, tree = _transform(function)
        outer = ast.parse("def outer():\n  def inner(ag__):\n    return None\n  return inner").body[0]
        outer.body[:0] = [ast.parse(f"{v} = None").body[0] for v in code.co_freevars]
        inner = outer.body[-2]
        inner.body = [tree, ast.Return(ast.Name(name, ast.Load()))]
        module = ast.Module([outer], [])
        _locate(module, code.co_firstlineno)
        made: dict = {}
        exec(compile(module, code.co_filename, "exec", dont_inherit=True, flags=code.co_flags & _FUTURES), made)
        self.code, self.free = made["outer"]().__code__, code.co_freevars

    def __call__(self, function):
        cells = dict(zip(self.free, function.__closure__ or (), strict=True))
        inner = types.FunctionType(self.code, function.__globals__, closure=tuple(cells[v] for v in self.code.co_freevars))
        new = inner(namespace())
        new.__defaults__, new.__kwdefaults__ = function.__defaults__, function.__kwdefaults__
        functools.update_wrapper(new, function)
        del new.__wrapped__
        new._sporax_converted = True
        return new


_FUTURES = __import__("__future__").annotations.compiler_flag


def _transform(function):
    """Name and definition of the converted function."""
    from malt.converters import (
        break_statements,
        call_trees,
        conditional_expressions,
        continue_statements,
        control_flow,
        functions,
        logical_expressions,
        return_statements,
        variables,
    )
    from malt.core import converter
    from malt.pyct import anno, cfg, inspect_utils, naming, origin_info, qual_names, transformer
    from malt.pyct.static_analysis import activity, reaching_definitions

    code = function.__code__
    node = source.find(function)
    owner = function.__qualname__.split(".")[-2:-1]
    node: Any = Before(owner[0] if owner and owner[0] != "<locals>" else None).visit(node)
    for n in ast.walk(node):
        if hasattr(n, "lineno"):
            location = origin_info.Location(code.co_filename, n.lineno, n.col_offset)
            anno.setanno(n, anno.Basic.ORIGIN, origin_info.OriginInfo(location, code.co_name, "", None))
            anno.setanno(n, "lineno", n.lineno)
    for i, _ in enumerate(node.args.defaults):
        node.args.defaults[i] = ast.Constant(None)
    node.args.kw_defaults = [None if d is None else ast.Constant(None) for d in node.args.kw_defaults]
    for arg in ast.walk(node.args):
        if isinstance(arg, ast.arg):
            arg.annotation = None
    if isinstance(node, ast.FunctionDef):
        node.returns = None
    globals_and_cells = inspect_utils.getnamespace(function)
    namer = naming.Namer(globals_and_cells)
    name = namer.new_symbol("ag__" + ("function" if isinstance(node, ast.Lambda) else node.name), ())
    info = transformer.EntityInfo(name=name, source_code="", source_file=code.co_filename, future_features=(), namespace=globals_and_cells)
    ctx = transformer.Context(info, namer, converter.ProgramContext(converter.STANDARD_OPTIONS))
    graphs = cfg.build(node)
    node = activity.resolve(qual_names.resolve(node), ctx, None)
    node = reaching_definitions.resolve(node, ctx, graphs)
    anno.dup(node, {anno.Static.DEFINITIONS: anno.Static.ORIG_DEFINITIONS})
    for step in (functions, break_statements, continue_statements, return_statements, call_trees, control_flow):
        node = step.transform(node, ctx)
    node = After().visit(node)
    for step in (conditional_expressions, logical_expressions, variables):
        node = step.transform(node, ctx)
    if isinstance(node, ast.Lambda):
        return name, ast.Assign([ast.Name(name, ast.Store())], node)
    node.name = name
    return name, node


def _locate(tree, line):
    """Give each node the line it came from, generated ones that of their surroundings."""
    from malt.pyct import anno

    stack = [(tree, line)]
    while stack:
        node, line = stack.pop()
        origin = anno.getanno(node, anno.Basic.ORIGIN, default=None)
        if origin is not None:
            line = origin.loc.lineno
        if isinstance(node, ast.stmt | ast.expr | ast.arg | ast.keyword | ast.alias | ast.ExceptHandler):
            node.lineno = node.end_lineno = line
            node.col_offset = node.end_col_offset = 0
        for child in ast.iter_child_nodes(node):
            stack.append((child, line))
