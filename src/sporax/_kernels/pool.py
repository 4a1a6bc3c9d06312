"""Pooling over the last axes of (N, C, *space)."""

import math

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax


def _dims(x, values):
    return (1,) * (x.ndim - len(values)) + tuple(values)


def _pads(x, pairs):
    return ((0, 0),) * (x.ndim - len(pairs)) + tuple(pairs)


def _lowest(dtype):
    # a NumPy scalar: only with a concrete start does JAX recognize the maximum, and know its derivative
    return np.array(-np.inf if jnp.issubdtype(dtype, jnp.floating) else jnp.iinfo(dtype).min, dtype)


def _window_sum(x, kernel, stride, padding):
    return lax.reduce_window(x, np.zeros((), x.dtype), lax.add, _dims(x, kernel), _dims(x, stride), _pads(x, padding))


def max_pool(x, *, kernel, stride, padding, dilation):
    """Maxima of windows; `padding` pairs for each spatial axis.

    Windows that tile the input are a reshape and a maximum: the gradient of `reduce_window` (select-and-scatter) is slow on CPU, 2.6 ms against
    0.4 ms for 64 x 6 x 28 x 28 with 2 x 2 windows.
    """
    n = len(kernel)
    space = x.shape[x.ndim - n :]
    tiles = kernel == stride and not any(lo or hi for lo, hi in padding) and all(d == 1 for d in dilation)
    if tiles and all(s >= k for s, k in zip(space, kernel)):
        lead = x.shape[: x.ndim - n]
        fit = [s // k for s, k in zip(space, kernel)]
        x = x[(..., *tuple(slice(0, f * k) for f, k in zip(fit, kernel)))]
        x = x.reshape(*lead, *[d for f, k in zip(fit, kernel) for d in (f, k)])
        return _first_max(x, tuple(len(lead) + 2 * i + 1 for i in range(n)))
    return lax.reduce_window(x, _lowest(x.dtype), lax.max, _dims(x, kernel), _dims(x, stride), _pads(x, padding), window_dilation=_dims(x, dilation))


def _first_max(x, axes):
    """The maximum over axes whose gradient goes to the first of equal elements."""
    x = jnp.moveaxis(x, axes, range(x.ndim - len(axes), x.ndim))
    flat = x.reshape(*x.shape[: x.ndim - len(axes)], -1)

    @jax.custom_vjp
    def f(a):
        return jnp.max(a, -1)

    def forward(a):
        m = jnp.max(a, -1, keepdims=True)
        hit = a == m
        return m[..., 0], hit & (jnp.cumsum(hit, -1, dtype=jnp.int32) == 1)

    def backward(first, ct):
        return (jnp.where(first, ct[..., None], jnp.zeros((), ct.dtype)),)

    f.defvjp(forward, backward)
    return f(flat)


def max_pool_with_index(x, *, kernel, stride, padding, dilation):
    """Maxima and their positions in the flattened space of the input."""
    n = len(kernel)
    space = x.shape[x.ndim - n :]
    padded = lax.pad(x, _lowest(x.dtype), [(lo, hi, 0) for lo, hi in _pads(x, padding)])
    index = np.arange(math.prod(space)).reshape(space)
    index = np.pad(index, padding)
    size = [(d - k_d * (k - 1) - 1) // s + 1 for d, k, s, k_d in zip(padded.shape[x.ndim - n :], kernel, stride, dilation)]
    grids = np.meshgrid(*[np.arange(o) * s for o, s in zip(size, stride)], indexing="ij")
    offsets = np.meshgrid(*[np.arange(k) * d for k, d in zip(kernel, dilation)], indexing="ij")
    where = tuple(g[..., None] + o.reshape(-1) for g, o in zip(grids, offsets))
    windows = padded[(..., *where)]
    best = jnp.argmax(windows, -1)
    values = jnp.take_along_axis(windows, best[..., None], -1)[..., 0]
    places = jnp.asarray(index[where])
    places = jnp.take_along_axis(jnp.broadcast_to(places, windows.shape), best[..., None], -1)[..., 0]
    return values, places


def avg_pool(x, *, kernel, stride, padding, count_include_pad, divisor, ceil_extra=()):
    """Means of windows. `ceil_extra`: how much of the high padding only rounds the size up and never counts."""
    total = _window_sum(x, kernel, stride, padding)
    if divisor is not None:
        return total / divisor
    extra = ceil_extra or (0,) * len(kernel)
    if not any(lo or hi for lo, hi in padding):
        return total / math.prod(kernel)
    space = x.shape[x.ndim - len(kernel) :]
    if count_include_pad:
        ones = np.ones([s + lo + hi - e for s, (lo, hi), e in zip(space, padding, extra)], np.float32)
        pads = [(0, e) for e in extra]
    else:
        ones, pads = np.ones(space, np.float32), padding
    count = lax.reduce_window(jnp.asarray(ones), np.float32(0), lax.add, kernel, stride, pads)
    return total / count.astype(x.dtype)


def _edges(size, out):
    return [(i * size // out, -(-(i + 1) * size // out)) for i in range(out)]


def adaptive_avg_pool(x, *, output):
    """Means of windows chosen so that the result has the sizes `output` (None keeps a size)."""
    for axis, out in enumerate(output, x.ndim - len(output)):
        if out is None or out == x.shape[axis]:
            continue
        size = x.shape[axis]
        weight = np.zeros((size, out), np.float32)
        for j, (lo, hi) in enumerate(_edges(size, out)):
            weight[lo:hi, j] = 1 / (hi - lo)
        x = jnp.moveaxis(jnp.tensordot(x, jnp.asarray(weight, x.dtype), ((axis,), (0,))), -1, axis)
    return x


def adaptive_max_pool(x, *, output):
    for axis, out in enumerate(output, x.ndim - len(output)):
        if out is None or out == x.shape[axis]:
            continue
        parts = [jnp.max(lax.slice_in_dim(x, lo, hi, axis=axis), axis, keepdims=True) for lo, hi in _edges(x.shape[axis], out)]
        x = jnp.concatenate(parts, axis)
    return x


def lp_pool(x, *, p, kernel, stride, padding):
    total = _window_sum(jnp.power(jnp.abs(x), p), kernel, stride, padding)
    return jnp.power(total, 1 / p)
