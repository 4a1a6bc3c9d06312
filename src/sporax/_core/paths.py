"""Where a tensor is found again: attributes of Cells, and places in tuples, lists and dicts that are attributes.

A Cell may put another tensor in such a place between two calls (a cache, the state of a recurrent network). A compiled program therefore
keeps the path, not the tensor, and reads it anew at each call.
"""

from sporax._core.tensor import Tensor

_MAX_DEPTH = 4
_MAX_ITEMS = 256


def paths_of(cells):
    """The path (dictionary, key, *keys inside) of each tensor in the attributes of Cells, by the tensor's id."""
    found = {}
    for cell in cells:
        own = cell.__dict__
        for name, value in own.items():
            if value.__class__ is Tensor:
                found[id(value)] = (own, name)
            elif value.__class__ in (tuple, list, dict):
                _enter(value, (own, name), found, _MAX_DEPTH)
    return found


def _enter(container, path, found, depth):
    if len(container) > _MAX_ITEMS:
        return
    for key, value in container.items() if container.__class__ is dict else enumerate(container):
        if value.__class__ is Tensor:
            found[id(value)] = (*path, key)
        elif depth > 1 and value.__class__ in (tuple, list, dict):
            _enter(value, (*path, key), found, depth - 1)


def follow(path):
    """What is at a path now, or None."""
    where, *keys = path
    try:
        for key in keys:
            where = where[key]
    except (KeyError, IndexError, TypeError):
        return None
    return where


def identity(path):
    """A hashable name of a path."""
    return (id(path[0]), *path[1:])


def description(value, depth=_MAX_DEPTH):
    """What a trace may have seen of an attribute, for comparison; None for objects that are only compared by identity."""
    cls = value.__class__
    if cls in PLAIN:
        return (cls, value if value or cls is not float else repr(value))  # 0.0 == -0.0
    if cls is Tensor:
        return value._value.aval
    if cls in (tuple, list, dict) and depth and len(value) <= _MAX_ITEMS:
        items = [description(x, depth - 1) for x in (value.values() if cls is dict else value)]
        return None if None in items else (cls, tuple(value) if cls is dict else None, tuple(items))
    return None


PLAIN = frozenset((bool, int, float, complex, str, bytes, type(None)))
