"""Gathers, masks, and ops whose result has as many elements as the data says."""

import numpy as np

from sporax._core.dispatch import apply
from sporax._core.tensor import Tensor
from sporax._kernels import array as K
from sporax.ops._args import axis_of
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
def _gather_method(self, *args, **kwargs):
    """`x.gather(input_indices, axis, batch_dims=0)`: slices (see `ops.gather`); `x.gather(dim, index)`: elements (see `ops.gather_elements`)."""
    if kwargs.keys() & {"dim", "index"} or (args and isinstance(args[0], int)):
        return gather_elements(self, *args, **kwargs)
    return gather(self, *args, **kwargs)


@op(method=True, primitive=prim("GatherNd"))
def gather_nd(input_x, indices):
    """Elements or slices at coordinates in the last axis of `indices`.

    Examples:
        >>> print(ops.gather_nd(Tensor([[1, 2], [3, 4]]), Tensor([[0, 1], [1, 0]])))
        [2 3]
    """
    return apply(K.gather_nd, (input_x, indices))


@method("index_select")
def _index_select_method(self, *args, **kwargs):
    """See `ops.index_select`; the axis may also be called `dim`."""
    return index_select(self, *args, **{{"dim": "axis"}.get(k, k): v for k, v in kwargs.items()})


@op(mint=True)
def index_select(input, axis, index):
    """Slices along an axis at a 1-d tensor of indices.

    Examples:
        >>> print(ops.index_select(Tensor([[1, 2], [3, 4]]), 1, Tensor([1])))
        [[2]
         [4]]
    """
    return apply(K.gather, (input, index), axis=axis_of("index_select", axis, input.ndim), batch_dims=0)


@op(primitive=prim("SparseGatherV2"))
def sparse_gather(input_params, input_indices, axis):
    """See `gather`."""
    return gather(input_params, input_indices, axis)


@op(primitive=prim("EmbeddingLookup"))
def embedding_lookup(input_params, input_indices, offset):
    """Rows at indices - offset; indices out of range give zeros."""
    return gather(input_params, input_indices - offset, 0)


@method("choose")
def _choose(self, choices, mode="clip"):
    """Each element is an index into `choices` (tensors that broadcast); `mode` "clip", "wrap" or "raise" says what those out of range mean."""
    from sporax.ops.array import broadcast_to, stack

    shape = np.broadcast_shapes(self.shape, *[c.shape for c in choices])
    table = stack([broadcast_to(c, shape) for c in choices])
    n = len(choices)
    index = broadcast_to(self, shape)
    if mode == "raise":
        a = index.asnumpy()
        if ((a < 0) | (a >= n)).any():
            raise ValueError(f"For 'choose', each index should be in [0, {n}), but got {a[(a < 0) | (a >= n)][0]}.")
    elif mode in ("clip", "wrap"):
        index = index.clip(0, n - 1) if mode == "clip" else index % n
    else:
        raise ValueError(f"For 'choose', 'mode' should be 'clip', 'wrap' or 'raise', but got {mode!r}.")
    return gather_elements(table, 0, index.expand_dims(0)).squeeze(0)


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
