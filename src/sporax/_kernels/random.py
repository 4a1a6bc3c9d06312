"""Random kernels: the key (uint32[2]) comes first."""

import jax
import jax.numpy as jnp
from jax import random


def _key(key):
    return random.wrap_key_data(key)


def uniform(key, low, high, *, shape, dtype):
    low, high = jnp.asarray(low, dtype), jnp.asarray(high, dtype)
    return random.uniform(_key(key), shape, dtype) * (high - low) + low


def normal(key, mean, std, *, shape, dtype):
    return random.normal(_key(key), shape, dtype) * jnp.asarray(std, dtype) + jnp.asarray(mean, dtype)


def randint(key, low, high, *, shape, dtype):
    return random.randint(_key(key), shape, low, high, jnp.int64).astype(dtype)


def permutation(key, *, n, dtype):
    return random.permutation(_key(key), n).astype(dtype)


def bernoulli(key, p, *, shape, dtype):
    return random.bernoulli(_key(key), p, shape).astype(dtype)


def truncated_normal(key, *, shape, dtype):
    return random.truncated_normal(_key(key), -2.0, 2.0, shape, dtype)


def gamma(key, alpha, beta, *, shape, dtype):
    return random.gamma(_key(key), alpha, shape, dtype) / beta


def poisson(key, rate, *, shape, dtype):
    return random.poisson(_key(key), rate, shape, jnp.int64).astype(dtype)


def exponential(key, *, shape, dtype):
    return random.exponential(_key(key), shape, dtype)


def categorical(key, logits, *, count, replacement):
    """Indices drawn from rows of unnormalized log-probabilities."""
    logits = jnp.atleast_1d(logits)
    shape = (*logits.shape[:-1], count)
    if replacement:
        flat = random.categorical(_key(key), logits[..., None, :], axis=-1, shape=shape)
        return flat.astype(jnp.int64)
    # Gumbel top-k: the k largest perturbed logits are a sample without replacement
    return jax.lax.top_k(logits + random.gumbel(_key(key), logits.shape, logits.dtype), count)[1].astype(jnp.int64)


def dropout(x, key, p, *, axes=None):
    """Zero elements with probability `p` and scale the rest by 1 / (1 - p); one draw per index of `axes` if given.

    Random bits of 8 or 16 bits would be faster on CPU but limit `p` to their resolution.
    """
    shape = x.shape if axes is None else tuple(n if i in axes else 1 for i, n in enumerate(x.shape))
    keep = random.bernoulli(_key(key), 1 - p, shape)
    scale = jnp.where(jnp.asarray(p) < 1, 1 / jnp.maximum(1 - jnp.asarray(p), 1e-30), 0).astype(x.dtype)
    return x * (keep.astype(x.dtype) * scale), jnp.broadcast_to(keep, x.shape)
