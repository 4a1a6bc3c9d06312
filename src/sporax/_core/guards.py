"""What a compiled function took from Python: globals, closure variables and attributes of plain objects.

A trace sees such a value once. So that it is not frozen, everything of this kind that the function's code names is collected when it is
compiled, and compared (about 50 ns each) at every call; a change means a new trace. Attributes of Cells are not among them: Cells
count their changes themselves.
"""

import types

import numpy as np

from sporax._core.tensor import Tensor

_PLAIN = (bool, int, float, complex, str, bytes, type(None))
_MAX_CONTAINER = 64
_MISSING = object()


class Guards:
    """Values that must still be the same for a trace to be valid."""

    __slots__ = ("cells", "containers", "names", "networks")

    def __init__(self):
        self.names, self.cells, self.containers = [], [], []
        # Cells of networks that the code names, whether it calls them or only reads their attributes
        self.networks = []

    def any(self):
        """Whether there is anything to compare."""
        return bool(self.names or self.cells or self.containers)

    def hold(self):
        """Whether nothing has changed."""
        for where, key, value in self.names:
            now = where.get(key, _MISSING)
            if now is not value and (now.__class__ is not value.__class__ or isinstance(value, Tensor) or now != value):
                return False
        for cell, value in self.cells:
            now = _contents(cell)
            if now is not value and (now.__class__ is not value.__class__ or isinstance(value, Tensor) or now != value):
                return False
        for container, snapshot in self.containers:
            if _snapshot(container) != snapshot:
                return False
        return True


def _contents(cell):
    try:
        return cell.cell_contents
    except ValueError:
        return _MISSING


def _snapshot(container):
    if isinstance(container, dict):
        return {k: (type(v), v) for k, v in container.items() if isinstance(v, _PLAIN)} if len(container) <= _MAX_CONTAINER else None
    if isinstance(container, list):
        return [(type(v), v) for v in container if isinstance(v, _PLAIN)] if len(container) <= _MAX_CONTAINER else None
    return container.tobytes() if container.nbytes <= 4096 else None


def collect(function, cells=(), arguments=()):
    """The guards of a function, its plain objects among the arguments (a method's receiver), and the Cells called while it was traced."""
    guards, seen = Guards(), set()
    _visit(function, guards, seen)
    for x in arguments:
        if hasattr(x, "_trace_fingerprint"):
            guards.networks.append(x)
        elif not isinstance(x, type) and _is_user_code(type(x)) and not hasattr(x, "construct"):
            _visit_instance(x, guards, seen, plain=True)
    for cell in cells:
        _visit_instance(cell, guards, seen, plain=False)
    return guards


def _is_user_code(function):
    module = getattr(function, "__module__", None) or ""
    return module.split(".")[0] not in ("sporax", "jax", "numpy", "scipy", "builtins", "functools", "malt")


def _visit(thing, guards, seen):
    if id(thing) in seen:
        return
    if isinstance(thing, types.MethodType):
        seen.add(id(thing))
        _visit(thing.__func__, guards, seen)
        if hasattr(thing.__self__, "_trace_fingerprint"):
            guards.networks.append(thing.__self__)
        elif not hasattr(thing.__self__, "construct"):
            _visit_instance(thing.__self__, guards, seen, plain=True)
    elif isinstance(thing, types.FunctionType):
        seen.add(id(thing))
        inner = getattr(thing, "__wrapped__", None)
        if inner is not None:
            _visit(inner, guards, seen)
        if _is_user_code(thing):
            _visit_code(thing.__code__, thing, guards, seen)
    elif hasattr(thing, "func") and hasattr(thing, "keywords"):  # functools.partial
        seen.add(id(thing))
        _visit(thing.func, guards, seen)


def _visit_code(code, function, guards, seen):
    names = set(code.co_names)
    for const in code.co_consts:
        if isinstance(const, types.CodeType):
            _visit_code(const, function, guards, seen)
    scope = function.__globals__
    for name in code.co_names:
        if name in scope:
            _guard(scope, name, scope[name], names, guards, seen)
    for cell in function.__closure__ or ():
        value = _contents(cell)
        if isinstance(value, (*_PLAIN, Tensor)):
            guards.cells.append((cell, value))
        else:
            _guard(None, None, value, names, guards, seen)
    for default in function.__defaults__ or ():
        _guard(None, None, default, names, guards, seen)


def _guard(where, key, value, names, guards, seen):
    if isinstance(value, (*_PLAIN, Tensor)):
        if where is not None:
            guards.names.append((where, key, value))
    elif isinstance(value, dict | list | np.ndarray):
        if id(value) not in seen:
            seen.add(id(value))
            guards.containers.append((value, _snapshot(value)))
            if where is not None:
                guards.names.append((where, key, value)) if not isinstance(value, np.ndarray) else None
    elif hasattr(value, "_trace_fingerprint") and not isinstance(value, type):
        guards.networks.append(value)
    elif isinstance(value, types.FunctionType | types.MethodType) or hasattr(value, "keywords"):
        _visit(value, guards, seen)
    elif not isinstance(value, type | types.ModuleType) and _is_user_code(type(value)) and not hasattr(value, "construct"):
        _visit_instance(value, guards, seen, plain=True, names=names)


def _visit_instance(obj, guards, seen, plain, names=None):
    """Methods of the object's class, and, for plain objects, the attributes that code names."""
    if id(obj) in seen:
        return
    seen.add(id(obj))
    used = set(names or ())
    for cls in type(obj).__mro__:
        if not _is_user_code(cls):
            continue
        for member in vars(cls).values():
            if isinstance(member, types.FunctionType):
                used |= set(member.__code__.co_names)
                if member.__name__ != "__init__":  # the object is there already: what made it is not traced
                    _visit(member, guards, seen)
    attributes = getattr(obj, "__dict__", {})
    for name in used & set(attributes):
        value = attributes[name]
        if plain or isinstance(value, dict | list | np.ndarray):
            _guard(attributes if plain else None, name, value, used, guards, seen)
