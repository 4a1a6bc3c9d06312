"""Reductions and scans. `axis` is None or a tuple of ints unless said otherwise."""

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


def _ordered(x):
    if kind(x.dtype) == 3:
        raise TypeError("complex numbers have no order")
    return x


def argmax(x, *, axis, keepdims=False, dtype=_INT64):
    x = _ordered(x)
    return jnp.argmax(x, axis, keepdims=keepdims).astype(dtype)


def argmin(x, *, axis, keepdims=False, dtype=_INT64):
    x = _ordered(x)
    return jnp.argmin(x, axis, keepdims=keepdims).astype(dtype)


def max_with_index(x, *, axis, keepdims, index_dtype):
    """Values and indices along one axis; ties: the first, which alone receives the gradient."""
    i = jnp.argmax(_ordered(x), axis, keepdims=True)
    v = jnp.take_along_axis(x, i, axis)
    i = i.astype(index_dtype)
    return (v, i) if keepdims else (jnp.squeeze(v, axis), jnp.squeeze(i, axis))


def min_with_index(x, *, axis, keepdims, index_dtype):
    i = jnp.argmin(_ordered(x), axis, keepdims=True)
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


def nansum(x, *, axis, keepdims, dtype):
    x = _accumulator(jnp.where(jnp.isnan(x), jnp.zeros((), x.dtype), x), dtype)
    return jnp.sum(x, axis, keepdims=keepdims, dtype=x.dtype)


def nanmean(x, *, axis, keepdims, dtype):
    return jnp.nanmean(x if dtype is None else x.astype(dtype), axis, keepdims=keepdims)


def logcumsumexp(x, *, axis, reverse=False, exclusive=False):
    if exclusive:
        edge = [(0, 0)] * x.ndim
        edge[axis] = (0, 1) if reverse else (1, 0)
        x = jnp.pad(x, edge, constant_values=-jnp.inf)
        n = x.shape[axis]
        x = lax.slice_in_dim(x, 1, n, axis=axis) if reverse else lax.slice_in_dim(x, 0, n - 1, axis=axis)
    return lax.cumlogsumexp(x, axis, reverse)


def diff(x, *, n, axis):
    return jnp.diff(x, n, axis)


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
    n = lax.broadcasted_iota(jnp.int32, x.shape, axis)
    return v, lax.cummax(jnp.where(x == v, n, 0), axis)


def count_nonzero(x, *, axis, keepdims, dtype):
    return jnp.sum((x != 0).astype(dtype), axis, keepdims=keepdims, dtype=dtype)


def all_finite(*xs):
    """One flag for all arrays."""
    flags = [jnp.all(jnp.isfinite(x)) for x in xs if jnp.issubdtype(x.dtype, jnp.inexact)]
    return jnp.all(jnp.stack(flags)) if flags else jnp.array(True)
