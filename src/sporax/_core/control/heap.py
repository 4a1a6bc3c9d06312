"""Changes of objects inside a branch or loop body: attributes, items, and methods that change a container.

Each is logged before it happens, so that a piece can be put back and what it changed becomes a slot.
"""

import collections

from sporax._core.control import numbers
from sporax._core.control.errors import cannot
from sporax._core.control.pieces import AttributeSlot, ContainerSlot, ObjectSlot, in_piece, note_change
from sporax._core.state import local
from sporax._core.tensor import Tensor

_CONTAINERS = (list, dict, set, collections.deque, bytearray)
_CHANGING = frozenset(
    "append extend insert pop popitem popleft remove clear update add discard setdefault sort reverse appendleft extendleft rotate "
    "move_to_end subtract __setitem__ __delitem__ difference_update intersection_update symmetric_difference_update".split()
)


def _log_container(container):
    if isinstance(container, _CONTAINERS) and in_piece():
        note_change(ContainerSlot(container), container)


def set_item(target, index, value):
    """`target[index] = value`."""
    _log_container(target)
    if not isinstance(target, (Tensor, *_CONTAINERS)) and in_piece() and id(target) not in local.state.scope.made:
        import numpy as np

        if isinstance(target, np.ndarray):
            raise cannot("a NumPy array is changed inside an `if` or loop on a tensor: use a Tensor.")
    target[index] = value


def del_item(target, index):
    """`del target[index]`."""
    _log_container(target)
    del target[index]


def set_attr(obj, name, value):
    """`obj.name = value`."""
    _log_attribute(obj, name)
    setattr(obj, name, value)


def del_attr(obj, name):
    """`del obj.name`."""
    _log_attribute(obj, name)
    delattr(obj, name)


def _log_attribute(obj, name):
    if not in_piece() or isinstance(obj, Tensor):
        return
    if hasattr(obj, "_restore_attribute"):
        # Cells log by themselves, except those made in this trace
        if obj.__dict__.get("_born") is local.state.scope.root:
            note_change(AttributeSlot(obj, name), obj)
    else:
        if isinstance(getattr(type(obj), name, None), property):
            return
        note_change(ObjectSlot(obj, name), obj)


def inplace(symbol, x, y):
    """`x += y` as an expression: the new x."""
    _log_container(x)
    return numbers.inplace(symbol, x, y)


def log_method(f):
    """Before a call: log the container that the bound method `f` will change."""
    receiver = getattr(f, "__self__", None)
    if receiver is not None and isinstance(receiver, _CONTAINERS) and f.__name__ in _CHANGING:
        _log_container(receiver)
