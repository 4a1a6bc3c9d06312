"""Blocks of the last axes moved to the batch or the channels, and back; sequences reversed."""

import jax.numpy as jnp
from jax import lax


def space_to_batch(x, *, block, paddings):
    k = len(block)
    x = jnp.pad(x, [(0, 0)] * (x.ndim - k) + list(paddings))
    lead, sizes = x.shape[:-k], x.shape[-k:]
    x = x.reshape(*lead, *[d for n, b in zip(sizes, block) for d in (n // b, b)])
    m = len(lead)
    order = [m + 2 * i + 1 for i in range(k)] + list(range(m)) + [m + 2 * i for i in range(k)]
    x = x.transpose(order)
    return x.reshape(-1, *x.shape[k + 1 :])


def batch_to_space(x, *, block, crops):
    k = len(block)
    lead, sizes = x.shape[1:-k], x.shape[-k:]
    x = x.reshape(*block, -1, *lead, *sizes)
    m = 1 + len(lead)
    order = list(range(k, k + m)) + [a for i in range(k) for a in (k + m + i, i)]
    x = x.transpose(order)
    x = x.reshape(*x.shape[:m], *[n * b for n, b in zip(sizes, block)])
    return x[(..., *[slice(lo, x.shape[m + i] - hi) for i, (lo, hi) in enumerate(crops)])]


def space_to_depth(x, *, block):
    n, c, h, w = x.shape
    x = x.reshape(n, c, h // block, block, w // block, block)
    return x.transpose(0, 3, 5, 1, 2, 4).reshape(n, c * block * block, h // block, w // block)


def depth_to_space(x, *, block):
    n, c, h, w = x.shape
    x = x.reshape(n, block, block, c // block**2, h, w)
    return x.transpose(0, 3, 4, 1, 5, 2).reshape(n, c // block**2, h * block, w * block)


def reverse_sequence(x, lengths, *, seq, batch):
    at = lax.broadcasted_iota(lengths.dtype, x.shape, seq)
    shape = [1] * x.ndim
    shape[batch] = x.shape[batch]
    n = lengths.reshape(shape)
    return jnp.take_along_axis(x, jnp.where(at < n, n - 1 - at, at), seq)


def sequence_mask(lengths, *, maxlen):
    return jnp.arange(maxlen) < lengths[..., None]
