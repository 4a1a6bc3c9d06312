"""Sorting, ranks, searching, histograms, distinct elements."""

from typing import Any

import numpy as np

from sporax._core import dtype as mstype
from sporax._core.dispatch import apply
from sporax._core.dtype import to_jax_dtype
from sporax._core.tensor import Tensor
from sporax._kernels import sort as K
from sporax.ops._args import axes_of, axis_of, need_tensor
from sporax.ops._table import method, op, prim

_INT64, _INT32 = np.dtype(np.int64), np.dtype(np.int32)


@op(mint=True, primitive=prim("Sort", axis=-1, descending=False, call=lambda self, x: sort(x, self.axis, self.descending)))
def sort(input_x, axis=-1, descending=False):
    """`(values, indices)` in order along one axis; equal elements keep their order, indices are int32.

    Examples:
        >>> print(ops.sort(Tensor([3.0, 1.0, 2.0]))[0])
        [1. 2. 3.]
    """
    need_tensor("sort", "input_x", input_x)
    return apply(K.sort, (input_x,), axis=axis_of("sort", axis, input_x.ndim), descending=bool(descending))


@op(mint=True)
def argsort(input, axis=-1, descending=False):
    """Indices (int32) that sort along one axis; equal elements keep their order.

    Examples:
        >>> print(ops.argsort(Tensor([3.0, 1.0, 2.0])))
        [1 2 0]
    """
    need_tensor("argsort", "input", input)
    return apply(K.argsort, (input,), axis=axis_of("argsort", axis, input.ndim), descending=bool(descending))


def _sort_method(name, function):
    def f(self, axis=-1, descending=False, stable=True, *, dim=None):
        return function(self, axis if dim is None else dim, descending)

    f.__name__, f.__doc__ = name, f"See `ops.{name}`; the axis may also be called `dim`. The sort is stable for either value of `stable`."
    method(name)(f)


_sort_method("sort", sort)
_sort_method("argsort", argsort)


@op(method=True)
def msort(input):
    """Sorted along the first axis.

    Examples:
        >>> print(ops.msort(Tensor([3.0, 1.0])))
        [1. 3.]
    """
    return sort(input, 0)[0]


def _topk_primitive(self, x, k):
    return topk(x, int(k), None, True, self.sorted)


@op(method=True, mint=True, primitive=prim("TopK", sorted=True, call=_topk_primitive))
def topk(input, k, dim=None, largest=True, sorted=True):
    """`(values, indices)` of the `k` largest (or smallest) along `dim` (default the last), in order; indices are int32.

    Args:
        sorted: the result is always in order, so both values give the same. Default: True.

    Raises:
        ValueError: `k` is not in [1, size of the axis].

    Examples:
        >>> print(ops.topk(Tensor([1.0, 5.0, 3.0]), 2)[0])
        [5. 3.]
    """
    axis = axis_of("topk", -1 if dim is None else dim, need_tensor("topk", "input", input).ndim)
    if not 0 < k <= input.shape[axis]:
        raise ValueError(f"For 'topk', 'k' should be in [1, {input.shape[axis]}], the size of axis {axis}, but got {k}.")
    return apply(K.topk, (input,), k=int(k), axis=axis, largest=bool(largest), index_dtype=_INT32)


@op(method=True)
def top_k(input_x, k, sorted=True):
    """`topk` along the last axis."""
    return topk(input_x, k, sorted=sorted)


@op(method=True, mint=True, primitive=prim("Median", global_median=False, axis=0, keep_dims=False, call=lambda self, x: _median_primitive(self, x)))
def median(input, axis=-1, keepdims=False, *, dim=None, keepdim=None):
    """`(values, indices)`: the lower of the two middle values along one axis.

    Examples:
        >>> print(ops.median(Tensor([3.0, 1.0, 2.0]))[0])
        2.0
    """
    axis = axis_of("median", axis if dim is None else dim, need_tensor("median", "input", input).ndim)
    return _kth("median", input, (input.shape[axis] - 1) // 2 if input.ndim else 0, axis, keepdims if keepdim is None else keepdim)


def _median_primitive(self, x) -> Any:
    return median(x.reshape(-1), 0) if self.global_median else median(x, self.axis, self.keep_dims)


def _kth(name, x, k, axis, keepdims):
    if not x.ndim:
        return x, Tensor(0)
    if not x.shape[axis]:
        raise ValueError(f"For '{name}', axis {axis} should not be empty, but the shape is {x.shape}.")
    return apply(K.kth, (x,), k=k, axis=axis, keepdims=bool(keepdims))


@op(method=True, mint=True)
def nanmedian(input, axis=-1, keepdims=False):
    """`(values, indices)`: the lower of the two middle values along one axis, among those that are not nan.

    Examples:
        >>> print(ops.nanmedian(Tensor([3.0, 1.0, float("nan")]))[0])
        1.0
    """
    return apply(K.nanmedian, (input,), axis=axis_of("nanmedian", axis, input.ndim), keepdims=bool(keepdims))


@method("kthvalue")
def _kthvalue(self, k, dim=-1, keepdim=False):
    """`(values, indices)`: the `k`-th smallest (from 1) along one axis."""
    axis = axis_of("kthvalue", dim, self.ndim)
    n = self.shape[axis] if self.ndim else 1
    if not 1 <= k <= n:
        raise ValueError(f"For 'kthvalue', 'k' should be in [1, {n}], the size of axis {axis}, but got {k}.")
    return _kth("kthvalue", self, k - 1, axis, keepdim)


def _quantile(name, kernel, what):
    def f(input, q, axis=None, keepdims=False):
        axes = axes_of(name, axis, input.ndim)
        return apply(kernel, (input, Tensor(q) if isinstance(q, list | tuple) else q), axis=axes[0] if axes else None, keepdims=bool(keepdims))

    f.__name__ = f.__qualname__ = name
    f.__module__ = __name__
    f.__doc__ = f"""The q-quantiles along an axis (all elements if None){what}, linearly interpolated. `q` is a number or a 1-d tensor.

    Examples:
        >>> print(ops.{name}(Tensor([1.0, 2.0, 3.0]), 0.5))
        2.0
    """
    return op(method=True, mint=True)(f)


quantile = _quantile("quantile", K.quantile, "")
nanquantile = _quantile("nanquantile", K.nanquantile, ", nan left out")


@op(method=True, mint=True, primitive=prim("SearchSorted", dtype=mstype.int64, right=False, call=lambda self, s, v: _search_primitive(self, s, v)))
def searchsorted(sorted_sequence, values, *, out_int32=False, right=False, side=None, sorter=None):
    """Where `values` would go into a sequence that is sorted along its last axis.

    Args:
        out_int32: int32 instead of int64. Default: False.
        right: behind equal elements instead of before them. Default: False.
        side: "left" or "right", the same in words. Default: None.
        sorter (Tensor): indices that sort the sequence, if it isn't. Default: None.

    Raises:
        ValueError: another `side`, or one that contradicts `right`.

    Examples:
        >>> print(ops.searchsorted(Tensor([1.0, 3.0, 5.0]), Tensor([2.0, 5.0])))
        [1 2]
    """
    if side not in (None, "left", "right") or (side == "left" and right):
        raise ValueError(f"For 'searchsorted', 'side' should be 'left' or 'right' and agree with 'right', but got {side!r} and right={right}.")
    return apply(K.searchsorted, (sorted_sequence, values, sorter), right=bool(right) or side == "right", dtype=_INT32 if out_int32 else _INT64)


def _search_primitive(self, sequence, values) -> Any:
    return searchsorted(sequence, values, right=self.right, out_int32=to_jax_dtype(self.dtype) == _INT32)


@op(mint=True, primitive=prim("Bucketize", boundaries=prim.required, call=lambda self, x: bucketize(x, list(self.boundaries), right=True)))
def bucketize(input, boundaries, *, right=False):
    """The number (int32) of the bucket of each element, between the sorted `boundaries` (a list of numbers).

    Args:
        right: an element equal to a boundary belongs to the bucket behind it. Default: False.

    Examples:
        >>> print(ops.bucketize(Tensor([0.0, 1.0, 2.0]), [1.0, 3.0]))
        [0 0 1]
    """
    edges = boundaries if isinstance(boundaries, Tensor) else Tensor(np.asarray(boundaries, np.float32))
    return apply(K.searchsorted, (edges, input, None), right=bool(right), dtype=_INT32)


@op(method=True, primitive=prim("Histogram", bins=100, min=0.0, max=0.0))
def histc(input, bins=100, min=0.0, max=0.0):
    """How many elements lie in each of `bins` equal parts of [min, max], in the dtype of the input; the range of the data where both are equal.

    Examples:
        >>> print(ops.histc(Tensor([1.0, 2.0, 1.0]), 4, 0.0, 3.0))
        [0. 2. 1. 0.]
    """
    if bins <= 0 or min > max:
        raise ValueError(f"For 'histc', 'bins' should be positive and 'min' at most 'max', but got bins={bins}, min={min}, max={max}.")
    return apply(K.histogram, (input, float(min), float(max)), bins=int(bins))


def _fixed_width_primitive(self, x, ends):
    return apply(K.histogram_fixed_width, (x, ends), bins=int(self.nbins), dtype=to_jax_dtype(self.dtype))


@op(primitive=prim("HistogramFixedWidth", nbins=prim.required, dtype=mstype.int32, call=_fixed_width_primitive))
def histogram_fixed_width(x, ends, nbins, dtype=mstype.int32):
    """How many elements lie in each of `nbins` equal parts of the range `ends`; what lies outside counts to the first or last."""
    return apply(K.histogram_fixed_width, (x, ends), bins=int(nbins), dtype=to_jax_dtype(dtype))


@op(method=True, mint=True)
def bincount(input, weights=None, minlength=0):
    """How often each non-negative int occurs (float32), or the sum of its weights. Looks at the largest one.

    Examples:
        >>> print(ops.bincount(Tensor([0, 1, 1, 3])))
        [1. 2. 0. 1.]
    """
    length = max(int(minlength), int(input.asnumpy().max(initial=-1)) + 1)
    return apply(K.bincount, (input, weights), length=length)


@op(primitive=prim("InTopK", k=prim.required))
def intopk(x1, x2, k):
    """For each row of `x1`, whether the element at index `x2` is among its `k` largest.

    Examples:
        >>> print(ops.intopk(Tensor([[1.0, 3.0, 2.0]]), Tensor([2], ms.int32), 2))
        [ True]
    """
    return apply(K.in_top_k, (x1, x2), k=int(k))


# As many elements as the data says ----------------------------------------------------------------------------------------


@op(primitive=prim("Unique"))
def unique(input):
    """`(values, indices)`: the distinct elements in order of appearance, and for each element where its value is in them.

    Looks at the elements: inside a compiled function use `unique_with_pad`.

    Examples:
        >>> values, indices = ops.unique(Tensor([2, 1, 2]))
        >>> print(values, indices)
        [2 1] [0 1 0]
    """
    a = input.asnumpy().reshape(-1)
    _, first, inverse = np.unique(a, return_index=True, return_inverse=True)
    order = np.argsort(first)
    index_dtype = np.int64 if a.dtype == np.int64 else np.int32
    return input.reshape(-1)[Tensor(first[order])], Tensor(np.argsort(order)[inverse].reshape(input.shape).astype(index_dtype))


@method("unique")
def _unique_method(self, sorted=True, return_inverse=False, return_counts=False, dim=None):
    """The distinct elements (or slices along `dim`) in order, with `return_inverse` and `return_counts` a tuple with indices and counts (int64).

    The result is in order for either value of `sorted`.
    """
    a = self.asnumpy()
    axis = None if dim is None else axis_of("unique", dim, self.ndim)
    values, inverse, counts = np.unique(a, return_inverse=True, return_counts=True, axis=axis)
    out = [Tensor(values)]
    if return_inverse:
        out.append(Tensor(inverse.reshape(a.shape if axis is None else -1).astype(np.int64)))
    if return_counts:
        out.append(Tensor(counts.astype(np.int64)))
    return out[0] if len(out) == 1 else tuple(out)


@op(method=True, mint=True)
def unique_consecutive(input, return_inverse=False, return_counts=False, dim=None):
    """The elements (or slices along `dim`) without those equal to the one before, with indices and counts if asked for. Looks at the elements.

    Examples:
        >>> print(ops.unique_consecutive(Tensor([1, 1, 2, 1])))
        [1 2 1]
    """
    a = input.asnumpy()
    if dim is None:
        rows = a.reshape(-1, 1)
    else:
        axis = axis_of("unique_consecutive", dim, input.ndim)
        rows = np.moveaxis(a, axis, 0).reshape(a.shape[axis], -1)
    starts = np.concatenate([np.ones(min(len(rows), 1), bool), (rows[1:] != rows[:-1]).any(1)])
    first = np.flatnonzero(starts)
    values = input.reshape(-1)[Tensor(first)] if dim is None else input.index_select(dim, Tensor(first))
    out = [values]
    if return_inverse:
        out.append(Tensor((np.cumsum(starts) - 1).reshape(a.shape if dim is None else -1).astype(np.int64)))
    if return_counts:
        out.append(Tensor(np.diff(np.append(first, len(rows))).astype(np.int64)))
    return out[0] if len(out) == 1 else tuple(out)


@op(primitive=prim("UniqueWithPad"))
def unique_with_pad(x, pad_num):
    """`(values, indices)` as `unique`, the values filled up with `pad_num` to the length of `x`.

    Examples:
        >>> print(ops.unique_with_pad(Tensor([1, 1, 2]), -1)[0])
        [ 1  2 -1]
    """
    return apply(K.unique_with_pad, (x, pad_num))
