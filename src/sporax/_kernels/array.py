"""Shapes, joins, gathers and scatters."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from sporax._kernels.promote import cast, promote


def reshape(x, *, shape):
    return jnp.reshape(x, shape)


def transpose(x, *, axes):
    return jnp.transpose(x, axes)


def moveaxis(x, *, source, destination):
    return jnp.moveaxis(x, source, destination)


def expand_dims(x, *, axes):
    return jnp.expand_dims(x, axes)


def squeeze(x, *, axes):
    return jnp.squeeze(x, axes)


def broadcast_to(x, *, shape):
    return jnp.broadcast_to(x, shape)


def tile(x, *, reps):
    return jnp.tile(x, reps)


def repeat_interleave(x, *, repeats, axis):
    total = None if isinstance(repeats, int) else sum(repeats)
    return jnp.repeat(x, repeats if isinstance(repeats, int) else np.array(repeats), axis, total_repeat_length=total)


def concat(*xs, axis):
    return jnp.concatenate(promote(*xs), axis)


def stack(*xs, axis):
    return jnp.stack(promote(*xs), axis)


def split(x, *, sections, axis):
    """Pieces along `axis` whose sizes are `sections`."""
    return tuple(jnp.split(x, np.cumsum(sections)[:-1].tolist(), axis))


def unstack(x, *, axis):
    return tuple(lax.index_in_dim(x, i, axis, keepdims=False) for i in range(x.shape[axis]))


def flip(x, *, axes):
    return jnp.flip(x, axes)


def roll(x, *, shifts, axes):
    return jnp.roll(x, shifts, axes)


def rot90(x, *, k, axes):
    return jnp.rot90(x, k, axes)


def pad_constant(x, value, *, widths):
    """Pad (or, with negative widths, crop) each axis by (before, after)."""
    return lax.pad(x, cast(value, x.dtype), [(lo, hi, 0) for lo, hi in widths])


def pad_mode(x, *, widths, mode):
    return jnp.pad(x, widths, mode)


def slice_static(x, *, begin, end, strides):
    return lax.slice(x, begin, end, strides)


def strided(x, *, index):
    """Basic indexing with (start, stop, step) triples, ints, None and Ellipsis, all static."""
    return x[tuple(slice(*i) if isinstance(i, tuple) else i for i in index)]


def full(value, *, shape, dtype):
    return jnp.full(shape, value, dtype)


def full_like(x, value, *, dtype):
    return jnp.full(x.shape, value, x.dtype if dtype is None else dtype)


def arange(start, stop, step, *, length, dtype):
    """`length` values from `start` by `step`; start and step may be traced."""
    return (jnp.arange(length, dtype=dtype) * cast(step, dtype) + cast(start, dtype)).astype(dtype)


def linspace(start, stop, *, num, dtype):
    return jnp.linspace(start, stop, num, dtype=dtype)


def eye(*, n, m, dtype):
    return jnp.eye(n, m, dtype=dtype)


def tril(x, *, k):
    return jnp.tril(x, k)


def triu(x, *, k):
    return jnp.triu(x, k)


def diag(x, *, k):
    return jnp.diag(x, k)


def diagonal(x, *, offset, axis1, axis2):
    return jnp.diagonal(x, offset, axis1, axis2)


def diag_embed(x, *, offset, axis1, axis2):
    n = x.shape[-1] + abs(offset)
    rows = np.arange(x.shape[-1]) + max(-offset, 0)
    out = jnp.zeros((*x.shape[:-1], n, n), x.dtype).at[..., rows, np.arange(x.shape[-1]) + max(offset, 0)].set(x)
    return jnp.moveaxis(out, (-2, -1), (axis1, axis2))


def meshgrid(*xs, indexing):
    return tuple(jnp.meshgrid(*xs, indexing=indexing))


def one_hot(indices, on, off, *, depth, axis, dtype):
    """Indices outside [0, depth) give rows of `off`."""
    hot = jnp.expand_dims(indices, axis) == _iota(depth, axis, indices.ndim + 1, indices.dtype)
    return jnp.where(hot, cast(on, dtype), cast(off, dtype))


def _iota(n, axis, ndim, dtype):
    shape = [1] * ndim
    shape[axis] = n
    return jnp.arange(n, dtype=dtype).reshape(shape)


# Gathers ----------------------------------------------------------------------------------------------------------------


def gather(x, indices, *, axis, batch_dims):
    """Slices of `x` along `axis`; an index out of range gives zeros, as on MindSpore's CPU."""
    lead = axis % x.ndim
    inside = (indices >= 0) & (indices < x.shape[axis])
    out = _take(x, jnp.where(inside, indices, 0), lead, batch_dims)
    batch, own = indices.shape[:batch_dims], indices.shape[batch_dims:]
    mask = inside.reshape(*batch, *(1,) * (lead - batch_dims), *own, *(1,) * (x.ndim - 1 - lead))
    return jnp.where(mask, out, jnp.zeros((), x.dtype))


def _take(x, indices, axis, batch_dims):
    if batch_dims:
        return jax.vmap(lambda a, i: _take(a, i, axis - 1, batch_dims - 1))(x, indices)
    return jnp.take(x, indices, axis, mode="clip")


def take_along(x, indices, *, axis):
    indices = jnp.where(indices < 0, indices + x.shape[axis], indices)
    # as torch's gather, `indices` may be smaller than `x` along the other axes
    window = tuple(slice(None) if a == axis % x.ndim else slice(0, n) for a, n in enumerate(indices.shape))
    return jnp.take_along_axis(x[window], indices, axis)


def gather_nd(x, indices):
    return x[tuple(jnp.moveaxis(indices, -1, 0))]


def masked_fill(x, mask, value):
    return jnp.where(mask.astype(bool), cast(value, x.dtype), x)


# Scatters ---------------------------------------------------------------------------------------------------------------


def _scatter(at, how, updates):
    return getattr(at, how)(updates)


def scatter_along(x, indices, updates, *, axis, how):
    """x[..., indices[i], ...] = (or +=, ...) updates[i], elementwise along `axis`."""
    updates = jnp.broadcast_to(cast(updates, x.dtype), indices.shape)
    index = [lax.broadcasted_iota(indices.dtype, indices.shape, a) for a in range(x.ndim)]
    index[axis % x.ndim] = jnp.where(indices < 0, indices + x.shape[axis], indices)
    return _scatter(x.at[tuple(index)], how, updates)


def scatter_nd(x, indices, updates, *, how):
    """x[indices[i]] = (or +=, ...) updates[i], where the last axis of `indices` holds coordinates."""
    return _scatter(x.at[tuple(jnp.moveaxis(indices, -1, 0))], how, updates.astype(x.dtype))


def scatter_rows(x, indices, updates, *, how):
    return _scatter(x.at[indices], how, updates.astype(x.dtype))


def index_add(x, indices, source, alpha, *, axis):
    axis %= x.ndim
    index = (slice(None),) * axis + (indices,)
    return x.at[index].add((cast(alpha, x.dtype) * source).astype(x.dtype))


def index_fill(x, indices, value, *, axis):
    return x.at[(slice(None),) * (axis % x.ndim) + (indices,)].set(cast(value, x.dtype))


def zeros_scatter_nd(indices, updates, *, shape):
    return jnp.zeros(shape, updates.dtype).at[tuple(jnp.moveaxis(indices, -1, 0))].add(updates)


def index_set(x, indices, source, *, axis):
    return x.at[(slice(None),) * (axis % x.ndim) + (indices,)].set(source.astype(x.dtype))


def index_put(x, values, *indices, accumulate):
    place = x.at[indices]
    values = values.astype(x.dtype)
    return place.add(values) if accumulate else place.set(values)


def masked_scatter(x, mask, source):
    shape = jnp.broadcast_shapes(x.shape, mask.shape)
    x, mask = jnp.broadcast_to(x, shape), jnp.broadcast_to(mask, shape)
    rank = jnp.cumsum(mask.reshape(-1)).reshape(shape) - 1
    return jnp.where(mask, source.reshape(-1)[jnp.maximum(rank, 0)].astype(x.dtype), x)


def segment(x, ids, *, num, how):
    ids = jnp.where(ids < 0, num, ids)  # negative ids are dropped, as those that are too large
    if how == "sum":
        return jnp.zeros((num, *x.shape[ids.ndim :]), x.dtype).at[ids].add(x)
    if how == "prod":
        return _segment_prod(x, ids, num) if jnp.issubdtype(x.dtype, jnp.floating) else _segment_products(x, ids, num)
    lowest = jnp.finfo(x.dtype) if jnp.issubdtype(x.dtype, jnp.floating) else jnp.iinfo(x.dtype)
    start = lowest.min if how == "max" else lowest.max
    return _scatter(jnp.full((num, *x.shape[ids.ndim :]), start, x.dtype).at[ids], how, x)


def _segment_products(x, ids, num):
    return jnp.ones((num, *x.shape[ids.ndim :]), x.dtype).at[ids].mul(x)


@partial(jax.custom_jvp, nondiff_argnums=(2,))
def _segment_prod(x, ids, num):
    return _segment_products(x, ids, num)


@_segment_prod.defjvp
def _segment_prod_jvp(num, primals, tangents):
    # each element's share is the product of the others of its segment, also where one of them is 0
    (x, ids), (t, _) = primals, tangents
    zero = x == 0
    nonzero = jnp.where(zero, 1, x)
    product = _segment_products(nonzero, ids, num)
    zeros = jnp.zeros((num, *x.shape[ids.ndim :]), jnp.int32).at[ids].add(zero.astype(jnp.int32))
    others = jnp.where(zero, jnp.where(zeros[ids] == 1, product[ids], 0), jnp.where(zeros[ids] == 0, product[ids] / nonzero, 0))
    return jnp.where(zeros > 0, 0, product), jnp.zeros_like(product).at[ids].add(others * t)


def unravel_index(indices, *, shape):
    return jnp.stack(jnp.unravel_index(indices, shape), -1 if not indices.ndim else 0).astype(indices.dtype)
