"""Methods that change a tensor in place, made from the ops that compute the new value."""

import math

import numpy as np

from sporax._core import scope
from sporax._core.dispatch import apply
from sporax._core.dtype import to_jax_dtype
from sporax._core.parameter import Parameter
from sporax._core.tensor import Tensor
from sporax._kernels import array as K
from sporax.ops import binary, creation, diagonals, linalg, scatter, selection, unary
from sporax.ops._args import axis_of
from sporax.ops._table import method
from sporax.ops.slicing import pad as ops_pad


def _in_place(name, function, doc):
    def f(self, *args, **kwargs):
        new = function(self, *args, **kwargs)
        if new.dtype is not self.dtype:
            new = new.astype(self.dtype)
        scope.assign(self, new.broadcast_to(self.shape) if new.shape != self.shape else new)
        return self

    f.__name__, f.__doc__ = name, doc + " In place; returns the tensor."
    return method(name)(f)


def _filled_at(x, dim, index, value):
    return scatter.index_fill(x, dim, index, value)


def _copied_at(x, dim, index, tensor):
    return apply(K.index_set, (x, index, tensor), axis=axis_of("index_copy_", dim, x.ndim))


def _put(x, index, source, accumulate=False):
    return scatter.index_put(x.reshape(-1), [index.reshape(-1)], source.reshape(-1), accumulate).reshape(x.shape)


def _scattered(x, dim, index, src=None, *, value=None, reduce="none"):
    return scatter.scatter(x, dim, index, value if src is None else src, reduce)


def install_in_place():
    """The methods whose names end with an underscore, made from their ops."""
    _in_place("zero_", creation.zeros_like, "Zeros.")
    _in_place("fill_", lambda x, value: creation.full_like(x, value), "A constant.")
    _in_place("copy_", lambda x, src, non_blocking=False: src if isinstance(src, Tensor) else Tensor(src), "The elements of another tensor.")
    _in_place("clamp_", binary.clamp, "Clipped to bounds.")
    _in_place("masked_fill_", selection.masked_fill, "A constant where a mask holds.")
    _in_place("masked_scatter_", scatter.masked_scatter, "Elements of another tensor, in order, where a mask holds.")
    _in_place("scatter_", _scattered, "Elements written (or added) at indices.")
    _in_place("scatter_add_", lambda x, dim, index, src: scatter.scatter(x, dim, index, src, "add"), "Elements added at indices.")
    _in_place("index_add_", scatter.index_added, "Slices added.")
    _in_place("index_fill_", _filled_at, "Slices filled with a constant.")
    _in_place("index_copy_", _copied_at, "Slices written.")
    _in_place("index_put_", scatter.index_put, "Elements written (or added) at indices.")
    _in_place("put_", _put, "Elements written (or added) at indices of the flattened tensor.")
    _in_place("fill_diagonal_", diagonals.fill_diagonal, "A constant on the diagonal.")
    _in_place("addmm_", linalg.addmm, "beta x + alpha a b.")
    for name in ("add", "sub", "mul", "div", "floor_divide", "remainder"):
        _in_place(name + "_", getattr(binary, name), f"`{name}` with another operand.")
    for name in ("exp", "log", "sigmoid", "tanh", "floor", "sign", "erfinv"):
        _in_place(name + "_", getattr(unary, name), f"`{name}` of each element.")


@method("fill")
def _fill(self, value):
    """A tensor of the same shape and dtype filled with a value."""
    return apply(K.full_like, (self, value), dtype=to_jax_dtype(self.dtype))


@method("clone", "copy")
def _clone(self):
    """A tensor with the same value."""
    return Tensor(self)


@method("itemset")
def _itemset(self, *args):
    """`x.itemset(value)`, `x.itemset(index, value)`: a copy with one element written, at an int of the flattened tensor or a tuple of ints."""
    if not 1 <= len(args) <= 2:
        raise TypeError(f"For 'itemset', a value, or an index and a value, are needed, but got {args}.")
    *index, value = args
    if not index:
        if self.size != 1:
            raise ValueError(f"For 'itemset', an index is needed for a tensor of shape {self.shape}.")
        at = (0,) * self.ndim
    elif isinstance(index[0], int):
        at = tuple(int(i) for i in np.unravel_index(index[0], self.shape))
    else:
        at = tuple(index[0])
    copy = Tensor(self)
    copy[at] = value
    return copy


@method("set_dtype")
def _set_dtype(self, dtype):
    """Convert the tensor in place; returns the dtype."""
    scope.assign(self, self.astype(dtype))
    return self.dtype


@method("resize")
def _resize(self, *new_shape):
    """The elements, in order, in another shape: what is too much is left out, what is missing is 0."""
    shape = tuple(new_shape[0]) if len(new_shape) == 1 and not isinstance(new_shape[0], int) else new_shape
    n, flat = math.prod(shape), self.reshape(-1)
    return (flat[:n] if n <= self.size else ops_pad(flat, (0, n - self.size))).reshape(shape)


@method("requires_grad_")
def _requires_grad(self, requires_grad=True):
    """Say whether a Parameter is to be trained; returns it. Other tensors stay as they are: `mindspore.grad(fn, grad_position)` says which of them
    are differentiated.
    """
    if isinstance(self, Parameter):
        self.requires_grad = bool(requires_grad)
    return self
