"""Gathers, scatters, and ops whose result has as many elements as the data says."""

import numpy as np

from sporax._core import scope
from sporax._core.dispatch import apply
from sporax._core.dtype import to_jax_dtype
from sporax._core.tensor import Tensor
from sporax._kernels import array as K
from sporax.ops._args import axis_of, ints
from sporax.ops._table import method, op, prim


@op(primitive=(prim("Gather", batch_dims=0), prim("GatherV2", batch_dims=0)))
def gather(input_params, input_indices, axis, batch_dims=0):
    """Slices of a tensor along an axis, at indices of any shape; an index out of range gives zeros.

    Args:
        input_params (Tensor): where from.
        input_indices (Tensor): integers.
        axis: the axis.
        batch_dims: leading axes that both tensors share. Default: 0.

    Examples:
        >>> print(ops.gather(Tensor([10.0, 20.0, 30.0]), Tensor([2, 0]), 0))
        [30. 10.]
    """
    if not isinstance(input_indices, Tensor):
        input_indices = Tensor(input_indices)
    return apply(K.gather, (input_params, input_indices), axis=axis_of("gather", axis, input_params.ndim), batch_dims=int(batch_dims))


@op(method=("gather_elements",), aliases=("gather_d",), primitive=(prim("GatherD"),))
def gather_elements(input, dim, index):
    """out[i][j] = input[index[i][j]][j] (for dim 0): an element for each index, along one axis.

    Examples:
        >>> print(ops.gather_elements(Tensor([[1, 2], [3, 4]]), 1, Tensor([[0, 0], [1, 0]])))
        [[1 1]
         [4 3]]
    """
    return apply(K.take_along, (input, index), axis=axis_of("gather_elements", dim, input.ndim))


@method("gather")
def _gather_method(self, input_indices, axis=None, batch_dims=0):
    """Slices along an axis (see `ops.gather`); called as `x.gather(dim, index)` it picks elements (see `ops.gather_elements`)."""
    if isinstance(input_indices, int):
        return gather_elements(self, input_indices, axis)
    return gather(self, input_indices, axis, batch_dims)


@op(method=True, primitive=prim("GatherNd"))
def gather_nd(input_x, indices):
    """Elements or slices at coordinates in the last axis of `indices`.

    Examples:
        >>> print(ops.gather_nd(Tensor([[1, 2], [3, 4]]), Tensor([[0, 1], [1, 0]])))
        [2 3]
    """
    return apply(K.gather_nd, (input_x, indices))


@op(method=True, mint=True)
def index_select(input, axis, index):
    """Slices along an axis at a 1-d tensor of indices.

    Examples:
        >>> print(ops.index_select(Tensor([[1, 2], [3, 4]]), 1, Tensor([1])))
        [[2]
         [4]]
    """
    return apply(K.gather, (input, index), axis=axis_of("index_select", axis, input.ndim), batch_dims=0)


@method("take")
def _take(self, indices, axis=None, mode="clip"):
    """Slices along an axis (of the flattened tensor if None); `mode` "clip", "wrap" or "raise" says what indices out of range mean."""
    x = self.reshape(-1) if axis is None else self
    axis = 0 if axis is None else axis
    indices = indices if isinstance(indices, Tensor) else Tensor(indices)
    n = x.shape[axis]
    if mode == "raise":
        a = indices.asnumpy()
        if ((a < -n) | (a >= n)).any():
            raise IndexError(f"index out of bounds for an axis of size {n}")
        indices = indices % n
    elif mode in ("clip", "wrap"):
        indices = indices.clip(0, n - 1) if mode == "clip" else indices % n
    else:
        raise ValueError(f"For 'take', 'mode' should be 'clip', 'wrap' or 'raise', but got {mode!r}.")
    return gather(x, indices, axis)


@op(method=True, mint=True, primitive=prim("MaskedFill"))
def masked_fill(input_x, mask, value):
    """`value` where `mask` holds, else the tensor.

    Examples:
        >>> print(ops.masked_fill(Tensor([1.0, 2.0]), Tensor([True, False]), 0.0))
        [0. 2.]
    """
    return apply(K.masked_fill, (input_x, mask, value))


@op(method=True, mint=True, primitive=prim("MaskedSelect"))
def masked_select(input, mask):
    """The elements where `mask` (which broadcasts) holds, as a 1-d tensor. Looks at the mask: inside a compiled function use `where`.

    Examples:
        >>> print(ops.masked_select(Tensor([1, 2, 3]), Tensor([True, False, True])))
        [1 3]
    """
    shape = np.broadcast_shapes(input.shape, mask.shape)
    return input.broadcast_to(shape)[mask.broadcast_to(shape)]


@op(method=True, mint=True, primitive=prim("NonZero"))
def nonzero(input, *, as_tuple=False):
    """Coordinates of the elements that are not zero: an int64 tensor of shape (count, ndim), or a tuple with one tensor for each axis.

    Examples:
        >>> print(ops.nonzero(Tensor([0, 3, 4])))
        [[1]
         [2]]
    """
    found = np.nonzero(input.asnumpy())
    return tuple(Tensor(i) for i in found) if as_tuple else Tensor(np.stack(found, -1).astype(np.int64))


@op(method=True, mint=True)
def argwhere(input):
    """Coordinates of the elements that are not zero; see `nonzero`."""
    return nonzero(input)


@op(method=True, mint=True)
def scatter(input, axis, index, src, reduce="none"):
    """A copy with `src` written (or added) elementwise at `index` along an axis.

    Args:
        reduce: "none" or "add". Default: "none".

    Examples:
        >>> print(ops.scatter(Tensor([1.0, 2.0, 3.0]), 0, Tensor([2]), Tensor([9.0])))
        [1. 2. 9.]
    """
    if reduce not in ("none", "add"):
        raise ValueError(f"For 'scatter', 'reduce' should be 'none' or 'add', but got {reduce!r}.")
    return apply(K.scatter_along, (input, index, src), axis=axis_of("scatter", axis, input.ndim), how="set" if reduce == "none" else "add")


@op()
def tensor_scatter_elements(input_x, indices, updates, axis=0, reduction="none"):
    """A copy with `updates` written (or added) elementwise at `indices` along an axis."""
    return scatter(input_x, axis, indices, updates, reduction)


@op(mint=True)
def scatter_add(input, dim, index, src):
    """A copy with `src` added elementwise at `index` along an axis."""
    return scatter(input, dim, index, src, "add")


def _tensor_scatter(name, primitive, how, verb):
    def f(input_x, indices, updates):
        return apply(K.scatter_nd, (input_x, indices, updates), how=how)

    f.__name__ = f.__qualname__ = name
    f.__module__, f.__doc__ = __name__, f"A copy in which `updates` are {verb} at coordinates in the last axis of `indices`."
    return op(primitive=prim(primitive))(f)


tensor_scatter_update = _tensor_scatter("tensor_scatter_update", "TensorScatterUpdate", "set", "written")
tensor_scatter_add = _tensor_scatter("tensor_scatter_add", "TensorScatterAdd", "add", "added")
tensor_scatter_sub = _tensor_scatter("tensor_scatter_sub", "TensorScatterSub", "subtract", "subtracted")
tensor_scatter_max = _tensor_scatter("tensor_scatter_max", "TensorScatterMax", "max", "maximized")
tensor_scatter_min = _tensor_scatter("tensor_scatter_min", "TensorScatterMin", "min", "minimized")
tensor_scatter_mul = _tensor_scatter("tensor_scatter_mul", "TensorScatterMul", "mul", "multiplied")
tensor_scatter_div = _tensor_scatter("tensor_scatter_div", "TensorScatterDiv", "divide", "divided")


def _scatter_in_place(name, primitive, kernel, how, verb):
    def f(input_x, indices, updates):
        scope.assign(input_x, apply(kernel, (input_x, indices, updates), how=how))
        return input_x

    f.__name__ = f.__qualname__ = name
    f.__module__, f.__doc__ = __name__, f"Update a Parameter in place: `updates` are {verb} at `indices`; returns it."
    return op(primitive=prim(primitive, use_locking=False, call=lambda self, *args: f(*args)))(f)


scatter_update = _scatter_in_place("scatter_update", "ScatterUpdate", K.scatter_rows, "set", "written")
scatter_add_ = _scatter_in_place("scatter_add_rows", "ScatterAdd", K.scatter_rows, "add", "added")
scatter_nd_update = _scatter_in_place("scatter_nd_update", "ScatterNdUpdate", K.scatter_nd, "set", "written")
scatter_nd_add = _scatter_in_place("scatter_nd_add", "ScatterNdAdd", K.scatter_nd, "add", "added")


@op(primitive=prim("ScatterNd"))
def scatter_nd(indices, updates, shape):
    """Zeros of `shape` with `updates` added at coordinates in the last axis of `indices`.

    Examples:
        >>> print(ops.scatter_nd(Tensor([[0], [2]]), Tensor([1.0, 3.0]), (3,)))
        [1. 0. 3.]
    """
    return apply(K.zeros_scatter_nd, (indices, updates), shape=ints("scatter_nd", "shape", shape))


@op(method=False)
def index_add(x, indices, y, axis, use_lock=True, check_index_bound=True):
    """Add `y` in place to slices of a Parameter along an axis; returns it."""
    scope.assign(x, apply(K.index_add, (x, indices, y, 1), axis=axis_of("index_add", axis, x.ndim)))
    return x


@method("index_add")
def _index_add_method(self, dim, index, source, *, alpha=1):
    """A copy with alpha `source` added to slices along an axis."""
    return apply(K.index_add, (self, index, source, alpha), axis=axis_of("index_add", dim, self.ndim))


@op(method=True)
def index_fill(x, axis, index, value):
    """A copy with slices along an axis filled with a value."""
    index = index if isinstance(index, Tensor) else Tensor(index)
    return apply(K.index_fill, (x, index, value), axis=axis_of("index_fill", axis, x.ndim))


def _segment(name, primitive, how, verb):
    def f(input_x, segment_ids, num_segments):
        return apply(K.segment, (input_x, segment_ids), num=int(num_segments), how=how)

    f.__name__ = f.__qualname__ = name
    f.__module__, f.__doc__ = __name__, f"The {verb} of the slices with the same segment id, for each of `num_segments` ids."
    return op(primitive=prim(primitive))(f)


unsorted_segment_sum = _segment("unsorted_segment_sum", "UnsortedSegmentSum", "sum", "sum")
unsorted_segment_max = _segment("unsorted_segment_max", "UnsortedSegmentMax", "max", "maximum")
unsorted_segment_min = _segment("unsorted_segment_min", "UnsortedSegmentMin", "min", "minimum")
unsorted_segment_prod = _segment("unsorted_segment_prod", "UnsortedSegmentProd", "prod", "product")


# In-place methods ---------------------------------------------------------------------------------------------------------


def _in_place(name, function, doc):
    def f(self, *args, **kwargs):
        new = function(self, *args, **kwargs)
        if new.dtype is not self.dtype:
            new = new.astype(self.dtype)
        scope.assign(self, new.broadcast_to(self.shape) if new.shape != self.shape else new)
        return self

    f.__name__, f.__doc__ = name, doc + " In place; returns the tensor."
    return method(name)(f)


def install_in_place():
    """The methods whose names end with an underscore, made from their ops."""
    from sporax.ops import binary, creation, unary

    _in_place("zero_", creation.zeros_like, "Zeros.")
    _in_place("fill_", lambda x, value: creation.full_like(x, value), "A constant.")
    _in_place("copy_", lambda x, src: src, "The elements of another tensor.")
    _in_place("clamp_", binary.clamp, "Clipped to bounds.")
    _in_place("masked_fill_", masked_fill, "A constant where a mask holds.")
    _in_place("scatter_", scatter, "Elements written at indices.")
    _in_place("scatter_add_", lambda x, dim, index, src: scatter(x, dim, index, src, "add"), "Elements added at indices.")
    _in_place("index_add_", lambda x, dim, index, source, *, alpha=1: _index_add_method(x, dim, index, source, alpha=alpha), "Slices added.")
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
