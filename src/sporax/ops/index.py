"""Indexing: any Python index becomes a plan (see `_kernels.index`)."""

import weakref

import numpy as np

from sporax._core import scope
from sporax._core.dispatch import apply, is_tracing
from sporax._core.tensor import Tensor
from sporax._kernels import index as K
from sporax.ops._table import method

_BOOLS = (bool, np.bool_)


def _as_index_tensor(i):
    """A list, tuple or array as an index tensor; lists may hold Tensors."""
    if isinstance(i, Tensor):
        return i
    try:
        t = Tensor(
            np.asarray([int(x) if isinstance(x, Tensor) and not x.ndim and x.dtype.np_dtype.kind in "iu" else x for x in i])
            if isinstance(i, list | tuple)
            else i
        )
    except (TypeError, ValueError):
        raise IndexError(f"For Tensor indexing, a list should hold ints or bools only, but got {i!r}.") from None
    return t.astype(np.int64) if t.size == 0 and not isinstance(i, np.ndarray) else t


def _checked(t, given, shape, axis):
    """An index tensor made from Python numbers, whose range can be checked."""
    if t.dtype.np_dtype.kind in "iu" and t.size and axis < len(shape):
        low, high, n = int(np.min(np.asarray(t))), int(np.max(np.asarray(t))), shape[axis]
        if low < -n or high >= n:
            raise IndexError(f"index {low if low < -n else high} is out of bounds for axis {axis} of size {n}")
    return t


def plan_of(shape, index):
    """The plan of an index into `shape`, its positional parts, and a mask if the index is (or contains) a bool mask to be looked at.

    Raises:
        IndexError: too many indices, an int out of range, or something that is no index.
    """
    if isinstance(index, list) and any(isinstance(i, list | tuple | slice) or i is None or i is Ellipsis for i in index):
        index = tuple(index)  # a list that holds more than numbers is meant as a tuple
    items = list(index) if isinstance(index, tuple) else [index]
    expanded = []
    for i in items:
        if isinstance(i, list | tuple | np.ndarray | range):
            i = _checked(_as_index_tensor(list(i) if isinstance(i, range) else i), i, shape, _axes_used(expanded, items, len(shape)))
        if isinstance(i, Tensor) and i.dtype.np_dtype.kind == "b":
            if not i.ndim:
                expanded.append(bool(i))
                continue
            at = _axes_used(expanded, items, len(shape))
            if i.shape != tuple(shape[at : at + i.ndim]):
                raise IndexError(f"a mask of shape {i.shape} does not fit axes {at} to {at + i.ndim - 1} of a tensor of shape {tuple(shape)}")
            expanded += _nonzero_of(i)
        else:
            expanded.append(i)
    used = sum(1 for i in expanded if i is not None and i is not Ellipsis and not isinstance(i, _BOOLS))
    if used > len(shape):
        raise IndexError(f"too many indices for a tensor of shape {tuple(shape)}: {used} were given")
    if sum(1 for i in expanded if i is Ellipsis) > 1:
        raise IndexError("an index can only have a single ellipsis ('...')")
    plan, parts, axis = [], [], 0
    for position, i in enumerate(expanded):
        if i is Ellipsis:
            rest = len(shape) - axis - sum(1 for j in expanded[position + 1 :] if j is not None and not isinstance(j, _BOOLS))
            plan += ["all"] * rest
            axis += rest
        elif i is None:
            plan.append("new")
        elif isinstance(i, _BOOLS):
            plan.append("new")
        elif isinstance(i, slice):
            _add_slice(plan, parts, i, shape[axis])
            axis += 1
        elif isinstance(i, Tensor):
            kind = i.dtype.np_dtype.kind
            if kind not in "iub":
                raise IndexError(f"Tensors used as indices should be of an integer or bool dtype, but got {i.dtype}.")
            plan.append("array")
            parts.append(i)
            axis += 1
        elif hasattr(i, "__index__"):
            n, k = shape[axis], i.__index__()
            if not -n <= k < n:
                raise IndexError(f"index {k} is out of bounds for axis {axis} of size {n}")
            plan.append("int")
            parts.append(k % n)
            axis += 1
        else:
            raise IndexError(
                f"For Tensor indexing, an index should be an int, slice, None, Ellipsis, bool, list, or Tensor, but got {i!r} "
                f"of type {type(i).__name__}."
            )
    return tuple(plan), parts


def _axes_used(before, items, ndim):
    """The axis at which the next part of an index stands."""
    count = sum(1 for i in before if i is not None and i is not Ellipsis and not isinstance(i, _BOOLS))
    if any(i is Ellipsis for i in before):
        total = sum(i.ndim if isinstance(i, Tensor) and i.dtype.np_dtype.kind == "b" else 1 for i in items if i is not None and i is not Ellipsis)
        count += ndim - total
    return count


def _add_slice(plan, parts, s, n):
    start, stop, step = (int(v) if isinstance(v, Tensor) else v for v in (s.start, s.stop, s.step))
    start, stop, step = slice(start, stop, step).indices(n)
    length = len(range(start, stop, step))
    if (start, length, step) == (0, n, 1):
        plan.append("all")
    else:
        plan.append(("slice", length, step))
        # an empty slice may start behind the end
        parts.append(start if length else 0)


def _nonzero_of(mask):
    return [Tensor(i) for i in np.nonzero(mask.asnumpy())]


@method("__getitem__")
def getitem(self, index):
    """`x[index]`: ints, slices (any step), None, Ellipsis, bools, lists, tensors, bool masks, and tuples of these."""
    if index is Ellipsis:
        return self
    if not self.ndim and not (index is None or isinstance(index, tuple | bool | Tensor)):
        raise TypeError(f"Cannot index a scalar tensor with {index!r}.")
    if isinstance(index, Tensor) and not index.ndim and index.dtype.np_dtype.kind == "b":
        index = bool(index)
    if isinstance(index, bool) or (isinstance(index, tuple) and any(i is False for i in index)):
        return _with_bools(self, index)
    plan, parts = plan_of(self.shape, index)
    out = apply(K.getitem, (self, *parts), plan=plan)
    if "array" not in plan:
        # x[1][2] = 5 writes to x
        out.__dict__["_part_of"] = (weakref.ref(self), index)
    return out


def _with_bools(x, index):
    items = index if isinstance(index, tuple) else (index,)
    out = getitem(x, tuple(None if isinstance(i, bool) else i for i in items))
    if all(i is not False for i in items):
        return out
    # a False selects nothing along the axis it makes
    axis = 0
    for i in items:
        if isinstance(i, bool):
            return getitem(out, (slice(None),) * axis + (slice(0, 0),))
        axis += not hasattr(i, "__index__")
    return out


@method("__setitem__")
def setitem(self, index, value):
    """`x[index] = value`: writes in place; the value is converted to the tensor's dtype and broadcast."""
    whole, at = _whole_of(self)
    if whole is not None:
        # what the part is now, should the whole have been written since
        scope.assign(self, getitem(whole, at))
        _setitem(self, index, value)
        setitem(whole, at, self.value())
    else:
        _setitem(self, index, value)


def _setitem(self, index, value):
    if not isinstance(value, Tensor):
        value = value if isinstance(value, bool | int | float | complex) else Tensor(value)
    if index is True or index is Ellipsis or (isinstance(index, tuple) and index == ()):
        index = (Ellipsis,)
    if index is False:
        return
    if isinstance(index, list | np.ndarray):
        index = _as_index_tensor(index)
    if isinstance(index, Tensor) and index.dtype.np_dtype.kind == "b":
        new = _set_by_mask(self, index, value)
    else:
        if not self.ndim and index != (Ellipsis,) and index is not None:
            raise TypeError(f"Cannot assign to {index!r} of a scalar tensor.")
        plan, parts = plan_of(self.shape, index)
        new = apply(K.setitem, (self, value, *parts), plan=plan)
    scope.assign(self, new)


def _whole_of(part):
    """The tensor that a part was taken from, and the index, if it is still there and the part still its own."""
    base, index = part.__dict__.get("_part_of", (None, None))
    whole = None if base is None else base()
    return whole, index


def _set_by_mask(x, mask, value):
    if mask.shape != x.shape[: mask.ndim]:
        raise IndexError(f"A mask of shape {mask.shape} does not fit a tensor of shape {x.shape}.")
    if not isinstance(value, Tensor) or value.ndim <= x.ndim - mask.ndim:
        return apply(K.set_masked, (x, value, mask))
    if is_tracing():
        mask.asnumpy()  # raises, and says that the number of selected elements is needed
    plan, parts = plan_of(x.shape, tuple(_nonzero_of(mask)))
    return apply(K.setitem, (x, value, *parts), plan=plan)


@method("__contains__")
def contains(self, item):
    """Whether any element equals `item`."""
    return bool((self == item).any())
