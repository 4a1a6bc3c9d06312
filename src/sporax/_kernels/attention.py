"""Scaled dot-product attention."""

import jax
import jax.numpy as jnp

from sporax._kernels.random import dropout


def attention(q, k, v, mask, key, p, *, scale):
    """softmax(q k^T scale + mask) v with dropout of probability `p` (if `key`); returns the output and the weights.

    `mask`: bool (True: may not be attended to) or floating (added to the scores).
    """
    scores = jnp.matmul(q, jnp.swapaxes(k, -1, -2)) * scale
    if mask is not None:
        scores = jnp.where(mask, jnp.finfo(scores.dtype).min, scores) if mask.dtype == jnp.bool_ else scores + mask.astype(scores.dtype)
    weights = jax.nn.softmax(scores, -1)
    if key is not None:
        weights, _ = dropout(weights, key, p)
    return jnp.matmul(weights, v), weights
