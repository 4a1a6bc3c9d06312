"""Reductions and scans whose arguments or defaults are PyTorch's."""

from sporax import ops
from sporax._core.tensor import Tensor
from sporax.ops.sort import sort as ordered
from sporax.ops.vector_norm import matrix_norm, vector_norm


def mean(input, dim=None, keepdim=False, *, dtype=None):
    """The mean over axes (all if None)."""
    return ops.mean(input, dim, keepdim, dtype=dtype)


def prod(input, dim=None, keepdim=False, *, dtype=None):
    """The product over an axis (all if None)."""
    return ops.prod(input, dim, keepdim, dtype)


def all(input, dim=None, keepdim=False):
    """Whether all elements are true, over an axis (all if None)."""
    return ops.all(input, dim, keepdim)


def any(input, dim=None, keepdim=False):
    """Whether an element is true, over an axis (all if None)."""
    return ops.any(input, dim, keepdim)


def max(input, dim=None, keepdim=False, *, other=None):
    """The largest element; with `dim` the largest along it, `(values, indices)`; with a Tensor the larger of each two elements.

    Examples:
        >>> ms.mint.max(Tensor([1.0, 3.0, 2.0])).item()
        3.0
    """
    return _extreme(ops.max, ops.maximum, input, dim, keepdim, other)


def min(input, dim=None, keepdim=False, *, other=None):
    """The smallest element; with `dim` the smallest along it, `(values, indices)`; with a Tensor the smaller of each two elements."""
    return _extreme(ops.min, ops.minimum, input, dim, keepdim, other)


def _extreme(reduce, elementwise, input, dim, keepdim, other):
    other = dim if isinstance(dim, Tensor) else other
    if other is not None:
        return elementwise(input, other)
    return reduce(input)[0] if dim is None else reduce(input, dim, keepdim)


def amax(input, dim=(), keepdim=False):
    """The largest element over axes (all if empty)."""
    return ops.amax(input, None if dim == () else dim, keepdim)


def amin(input, dim=(), keepdim=False):
    """The smallest element over axes (all if empty)."""
    return ops.amin(input, None if dim == () else dim, keepdim)


def argmin(input, dim=None, keepdim=False):
    """The index of the smallest element along an axis, or in the flattened Tensor."""
    return ops.argmin(input, dim, keepdim)


def count_nonzero(input, dim=None):
    """The number of elements other than 0 over axes (all if None)."""
    return ops.count_nonzero(input, () if dim is None else dim, dtype=_int64())


def var(input, dim=None, *, correction=1, keepdim=False):
    """The variance over axes: squared deviations summed, divided by n - `correction`.

    Examples:
        >>> ms.mint.var(Tensor([1.0, 3.0])).item()
        2.0
    """
    return ops.var(input, dim, correction, keepdim)


def std(input, dim=None, *, correction=1, keepdim=False):
    """The root of `var`."""
    return ops.std(input, dim, correction, keepdim)


def var_mean(input, dim=None, *, correction=1, keepdim=False):
    """`(var, mean)`."""
    return ops.var_mean(input, dim, correction, keepdim)


def std_mean(input, dim=None, *, correction=1, keepdim=False):
    """`(std, mean)`."""
    return ops.std_mean(input, dim, correction, keepdim)


def median(input, dim=None, keepdim=False):
    """The lower of the two middle elements; with `dim` those along it, `(values, indices)`.

    Examples:
        >>> ms.mint.median(Tensor([[4.0, 1.0], [3.0, 2.0]])).item()
        2.0
    """
    return ops.median(input.reshape(-1))[0] if dim is None else ops.median(input, dim, keepdim)


def kthvalue(input, k, dim=-1, keepdim=False):
    """The k-th smallest elements along an axis, `(values, indices)`; `k` counts from 1.

    Raises:
        ValueError: `k` is not between 1 and the size of the axis.

    Examples:
        >>> [x.item() for x in ms.mint.kthvalue(Tensor([4.0, 1.0, 3.0]), 2)]
        [3.0, 2]
    """
    size = input.shape[dim] if input.ndim else 1
    if not 1 <= k <= size:
        raise ValueError(f"For 'kthvalue', 'k' should be between 1 and {size}, the size of axis {dim}, but got {k}.")
    values, indices = sort(input, dim=dim)
    picked = [ops.narrow(x, dim, k - 1, 1) for x in (values, indices)]
    return tuple(picked if keepdim else [x.squeeze(dim) for x in picked])


def norm(input, p="fro", dim=None, keepdim=False, *, dtype=None):
    """The norm of vectors along axes (of all elements if None); "fro" is the 2-norm, "nuc" the sum of a matrix's singular values."""
    if p == "nuc":
        return matrix_norm(input, "nuc", (-2, -1) if dim is None else dim, keepdim, dtype=dtype)
    return vector_norm(input, 2 if p in ("fro", None) else p, dim, keepdim, dtype=dtype)  # pyright: ignore


def cumsum(input, dim, dtype=None):
    """The sums of the elements up to each one, along an axis."""
    return ops.cumsum(input, dim, dtype)


def cummax(input, dim):
    """The largest of the elements up to each one, `(values, indices)`."""
    return ops.cummax(input, dim)


def cummin(input, dim):
    """The smallest of the elements up to each one, `(values, indices)`."""
    return ops.cummin(input, dim)


def diff(input, n=1, dim=-1, prepend=None, append=None):
    """Differences of neighbours along an axis, `n` times."""
    return ops.diff(input, n, dim, prepend, append)


def sort(input, *, dim=-1, descending=False, stable=False):
    """`(values, indices)` in order along an axis; equal elements keep their order, `stable` or not. Indices are int64."""
    values, indices = ordered(input, dim, descending)
    return values, indices.astype(_int64())


def argsort(input, dim=-1, descending=False, stable=False):
    """The indices that sort a Tensor along an axis; see `sort`."""
    return sort(input, dim=dim, descending=descending)[1]


def _int64():
    from sporax._core.dtype import int64

    return int64
