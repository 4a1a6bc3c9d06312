"""Reductions, scans and sorting. `axis` is None or a tuple of ints unless said otherwise."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from sporax._kernels.promote import kind, promote_inexact

_INT64 = np.dtype(np.int64)
_TO_INT64 = tuple(np.dtype(t) for t in (np.bool_, np.int8, np.int16, np.int32, np.int64, np.uint8))


def _accumulator(x, dtype):
    if dtype is not None:
        return x.astype(dtype)
    return x.astype(jnp.int64) if x.dtype in _TO_INT64 else x


def sum(x, *, axis=None, keepdims=False, dtype=None):
    x = _accumulator(x, dtype)
    return jnp.sum(x, axis, keepdims=keepdims, dtype=x.dtype)


def sum_keep_dtype(x, *, axis=None, keepdims=False):
    """The sum in the dtype of the input: the reductions of MindSpore 1.x."""
    return jnp.any(x, axis, keepdims=keepdims) if x.dtype == jnp.bool_ else jnp.sum(x, axis, keepdims=keepdims, dtype=x.dtype)


def mean(x, *, axis=None, keepdims=False, dtype=None):
    if dtype is not None:
        x = x.astype(dtype)
    if kind(x.dtype) < 2:
        n = np.prod([x.shape[a] for a in (axis if axis is not None else range(x.ndim))], dtype=np.int64)
        return (jnp.sum(x, axis, keepdims=keepdims, dtype=jnp.int64) // max(int(n), 1)).astype(x.dtype)
    return jnp.mean(x, axis, keepdims=keepdims)


def prod(x, *, axis=None, keepdims=False, dtype=None):
    x = _accumulator(x, dtype)
    return jnp.prod(x, axis, keepdims=keepdims, dtype=x.dtype)


def prod_keep_dtype(x, *, axis=None, keepdims=False):
    return jnp.prod(x, axis, keepdims=keepdims, dtype=x.dtype)


def amax(x, *, axis=None, keepdims=False):
    return jnp.max(x, axis, keepdims=keepdims)


def amin(x, *, axis=None, keepdims=False):
    return jnp.min(x, axis, keepdims=keepdims)


def all(x, *, axis=None, keepdims=False):
    return jnp.all(x, axis, keepdims=keepdims)


def any(x, *, axis=None, keepdims=False):
    return jnp.any(x, axis, keepdims=keepdims)


def argmax(x, *, axis, keepdims=False, dtype=_INT64):
    return jnp.argmax(x, axis, keepdims=keepdims).astype(dtype)


def argmin(x, *, axis, keepdims=False, dtype=_INT64):
    return jnp.argmin(x, axis, keepdims=keepdims).astype(dtype)


def max_with_index(x, *, axis, keepdims, index_dtype):
    """Values and indices along one axis; ties: the first, which alone receives the gradient."""
    i = jnp.argmax(x, axis, keepdims=True)
    v = jnp.take_along_axis(x, i, axis)
    i = i.astype(index_dtype)
    return (v, i) if keepdims else (jnp.squeeze(v, axis), jnp.squeeze(i, axis))


def min_with_index(x, *, axis, keepdims, index_dtype):
    i = jnp.argmin(x, axis, keepdims=True)
    v = jnp.take_along_axis(x, i, axis)
    i = i.astype(index_dtype)
    return (v, i) if keepdims else (jnp.squeeze(v, axis), jnp.squeeze(i, axis))


def var(x, *, axis, ddof, keepdims):
    (x,) = promote_inexact(x)
    return jnp.var(x, axis, ddof=ddof, keepdims=keepdims)


def std(x, *, axis, ddof, keepdims):
    (x,) = promote_inexact(x)
    return jnp.std(x, axis, ddof=ddof, keepdims=keepdims)


def logsumexp(x, *, axis, keepdims):
    (x,) = promote_inexact(x)
    return jax.scipy.special.logsumexp(x, axis, keepdims=keepdims)


def norm(x, *, p, axis, keepdims, dtype):
    """The vector p-norm over `axis` (all if None)."""
    if dtype is not None:
        x = x.astype(dtype)
    (x,) = promote_inexact(x)
    a = jnp.abs(x)
    if p == np.inf:
        return jnp.max(a, axis, keepdims=keepdims)
    if p == -np.inf:
        return jnp.min(a, axis, keepdims=keepdims)
    if p == 0:
        return jnp.sum((a != 0).astype(a.dtype), axis, keepdims=keepdims)
    if p == 1:
        return jnp.sum(a, axis, keepdims=keepdims)
    if p == 2:
        return safe_sqrt(jnp.sum(jnp.square(a), axis, keepdims=keepdims))
    return jnp.power(jnp.sum(jnp.power(a, p), axis, keepdims=keepdims), 1 / p)


def safe_sqrt(x):
    """The root whose derivative at 0 is 0 instead of infinite: norms of zero vectors have no direction."""
    zero = x == 0
    return jnp.where(zero, jnp.zeros_like(x), jnp.sqrt(jnp.where(zero, jnp.ones_like(x), x)))


def frobenius_norm(x, *, axis, keepdims):
    return safe_sqrt(jnp.sum(jnp.square(jnp.abs(x)), axis, keepdims=keepdims))


def cumsum(x, *, axis, reverse=False, exclusive=False, dtype=None):
    if dtype is not None:
        x = x.astype(dtype)
    out = lax.cumsum(x, axis % max(x.ndim, 1), reverse) if x.ndim else x
    return out - x if exclusive else out


def cumprod(x, *, axis, reverse=False, exclusive=False, dtype=None):
    if dtype is not None:
        x = x.astype(dtype)
    if exclusive:
        n = x.shape[axis]
        one = jnp.ones_like(lax.slice_in_dim(x, 0, 1, axis=axis))
        rest = lax.slice_in_dim(x, 1, n, axis=axis) if reverse else lax.slice_in_dim(x, 0, n - 1, axis=axis)
        x = jnp.concatenate((rest, one) if reverse else (one, rest), axis)
    return lax.cumprod(x, axis % x.ndim, reverse)


def cummax(x, *, axis):
    axis %= x.ndim
    v = lax.cummax(x, axis)
    n = lax.broadcasted_iota(jnp.int64, x.shape, axis)
    return v, lax.cummax(jnp.where(x == v, n, 0), axis)


def cummin(x, *, axis):
    axis %= x.ndim
    v = lax.cummin(x, axis)
    n = lax.broadcasted_iota(jnp.int64, x.shape, axis)
    return v, lax.cummax(jnp.where(x == v, n, 0), axis)


def sort(x, *, axis, descending):
    i = jnp.argsort(x, axis, descending=descending, stable=True)
    return jnp.take_along_axis(x, i, axis), i


def argsort(x, *, axis, descending):
    return jnp.argsort(x, axis, descending=descending, stable=True)


def topk(x, *, k, axis, largest, index_dtype):
    x = jnp.moveaxis(x, axis, -1)
    if largest:
        _, i = lax.top_k(x, k)
    else:
        i = jnp.argsort(x, -1, stable=True)[..., :k]
    v = jnp.take_along_axis(x, i, -1)
    return jnp.moveaxis(v, -1, axis), jnp.moveaxis(i, -1, axis).astype(index_dtype)


def median(x, *, axis, keepdims):
    """The lower of the two middle values, and its index."""
    i = jnp.argsort(x, axis, stable=True)
    i = lax.index_in_dim(i, (x.shape[axis] - 1) // 2, axis, keepdims=True)
    v = jnp.take_along_axis(x, i, axis)
    return (v, i) if keepdims else (jnp.squeeze(v, axis), jnp.squeeze(i, axis))


def quantile(x, q, *, axis, keepdims):
    return jnp.quantile(x, jnp.asarray(q, x.dtype), axis, keepdims=keepdims)


def count_nonzero(x, *, axis, keepdims, dtype):
    return jnp.sum((x != 0).astype(dtype), axis, keepdims=keepdims, dtype=dtype)


def bincount(x, weights, *, length):
    return jnp.bincount(x, weights, length=length)


def searchsorted(sequence, values, *, right, dtype):
    if sequence.ndim == 1:
        return jnp.searchsorted(sequence, values, side="right" if right else "left").astype(dtype)
    compare = (sequence[..., None, :] <= values[..., :, None]) if right else (sequence[..., None, :] < values[..., :, None])
    return jnp.sum(compare, -1).astype(dtype)
