"""Losses and clipping."""

import jax.numpy as jnp

from sporax._kernels.reduce import norm, safe_sqrt


def clip_by_global_norm(*xs_and_norm):
    """Scale all by clip / max(clip, ||all||): the norm is at most `clip` afterwards."""
    *xs, clip = xs_and_norm
    total = safe_sqrt(sum(jnp.sum(jnp.square(x.astype(jnp.float32))) for x in xs))
    scale = clip / jnp.maximum(total, clip)
    return tuple((x * scale).astype(x.dtype) for x in xs)


def clip_by_norm(*xs_and_norm, p):
    """Scale all by min(1, max_norm / (||all||_p + 1e-6)); the last result is the norm."""
    *xs, limit = xs_and_norm
    parts = jnp.stack([norm(x, p=p, axis=None, keepdims=False, dtype=jnp.dtype("float32")) for x in xs])
    total = norm(parts, p=p, axis=None, keepdims=False, dtype=None)
    scale = jnp.minimum(limit / (total + 1e-6), 1.0)
    return (*[(x * scale).astype(x.dtype) for x in xs], total)


