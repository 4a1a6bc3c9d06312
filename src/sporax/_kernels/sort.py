"""Sorting, ranks, histograms."""

import jax.numpy as jnp
from jax import lax


def sort(x, *, axis, descending):
    i = jnp.argsort(x, axis, descending=descending, stable=True)
    return jnp.take_along_axis(x, i, axis), i.astype(jnp.int32)


def argsort(x, *, axis, descending):
    return jnp.argsort(x, axis, descending=descending, stable=True).astype(jnp.int32)


def kth(x, *, k, axis, keepdims):
    """The value of rank `k` (from 0) along an axis, and its index."""
    i = lax.index_in_dim(jnp.argsort(x, axis, stable=True), k, axis, keepdims=True)
    v = jnp.take_along_axis(x, i, axis)
    return (v, i) if keepdims else (jnp.squeeze(v, axis), jnp.squeeze(i, axis))


def topk(x, *, k, axis, largest, index_dtype):
    x = jnp.moveaxis(x, axis, -1)
    if largest:
        _, i = lax.top_k(x, k)
    else:
        i = jnp.argsort(x, -1, stable=True)[..., :k]
    v = jnp.take_along_axis(x, i, -1)
    return jnp.moveaxis(v, -1, axis), jnp.moveaxis(i, -1, axis).astype(index_dtype)


def nanmedian(x, *, axis, keepdims):
    """The lower of the two middle values of those that are not nan, and its index."""
    count = jnp.sum(~jnp.isnan(x), axis, keepdims=True)
    i = jnp.take_along_axis(jnp.argsort(x, axis, stable=True), jnp.maximum(count - 1, 0) // 2, axis)
    v = jnp.take_along_axis(x, i, axis)
    return (v, i) if keepdims else (jnp.squeeze(v, axis), jnp.squeeze(i, axis))


def quantile(x, q, *, axis, keepdims):
    return jnp.quantile(x, jnp.asarray(q, x.dtype), axis, keepdims=keepdims)


def nanquantile(x, q, *, axis, keepdims):
    return jnp.nanquantile(x, jnp.asarray(q, x.dtype), axis, keepdims=keepdims)


def bincount(x, weights, *, length):
    return jnp.bincount(x, weights, length=length).astype(jnp.float32 if weights is None else weights.dtype)


def histogram(x, low, high, *, bins):
    """How many elements lie in each of `bins` equal parts of [low, high]; where both are equal, of the range of the data."""
    low, high = jnp.asarray(low, jnp.float64), jnp.asarray(high, jnp.float64)
    wide, same = x.reshape(-1).astype(jnp.float64), low == high
    if x.size:
        low, high = jnp.where(same, wide.min(), low), jnp.where(same, wide.max(), high)
    low, high = jnp.where(low == high, low - 1, low), jnp.where(low == high, high + 1, high)
    place = jnp.clip(jnp.floor((wide - low) / (high - low) * bins), 0, bins - 1).astype(jnp.int32)
    inside = (wide >= low) & (wide <= high)
    return jnp.zeros(bins, x.dtype).at[place].add(inside.astype(x.dtype))


def histogram_fixed_width(x, ends, *, bins, dtype):
    """As `histogram`, but what lies outside belongs to the first or last part."""
    place = jnp.clip(jnp.floor((x.reshape(-1) - ends[0]) / (ends[1] - ends[0]) * bins), 0, bins - 1).astype(jnp.int32)
    return jnp.zeros(bins, dtype).at[place].add(jnp.ones((), dtype))


def in_top_k(scores, target, *, k):
    own = jnp.take_along_axis(scores, target[:, None], 1)
    return (jnp.sum(scores > own, 1) < k) & jnp.isfinite(own[:, 0])


def searchsorted(sequence, values, sorter, *, right, dtype):
    if sorter is not None:
        sequence = jnp.take_along_axis(sequence, sorter, -1)
    if sequence.ndim == 1:
        return jnp.searchsorted(sequence, values, side="right" if right else "left").astype(dtype)
    compare = (sequence[..., None, :] <= values[..., :, None]) if right else (sequence[..., None, :] < values[..., :, None])
    return jnp.sum(compare, -1).astype(dtype)


def unique_with_pad(x, pad):
    """Distinct elements of a 1-d array in order of appearance, padded to its length; for each element the place of its value."""
    n = x.shape[0]
    first = jnp.argmax(x[:, None] == x[None, :], 1)
    is_new = first == jnp.arange(n)
    place = jnp.cumsum(is_new) - 1
    index_dtype = jnp.int64 if x.dtype == jnp.int64 else jnp.int32
    values = jnp.full(n, pad, x.dtype).at[jnp.where(is_new, place, n)].set(x, mode="drop")
    return values, place[first].astype(index_dtype)
