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


def laplace(key, mean, scale, *, shape, dtype):
    return random.laplace(_key(key), shape, dtype) * jnp.asarray(scale, dtype) + jnp.asarray(mean, dtype)


def cauchy(key, median, sigma, *, shape, dtype):
    return random.cauchy(_key(key), shape, dtype) * jnp.asarray(sigma, dtype) + jnp.asarray(median, dtype)


def gumbel(key, *, shape, dtype):
    return random.gumbel(_key(key), shape, dtype)


def gumbel_softmax(x, noise, tau, *, hard, axis):
    """softmax((x + noise) / tau); `hard` rounds to one-hot in the value, not in the gradient."""
    soft = jax.nn.softmax((x + noise) / tau, axis)
    if not hard:
        return soft
    one = jax.nn.one_hot(jnp.argmax(soft, axis), soft.shape[axis], axis=axis, dtype=soft.dtype)
    return one + soft - jax.lax.stop_gradient(soft)


def choose_places(key, mask, *, count):
    """Coordinates of `count` random elements where `mask` holds (zeros if there are fewer), and which of them are real."""
    flat = mask.reshape(-1)
    score = jnp.where(flat, random.uniform(_key(key), flat.shape) + 1, 0)
    n = min(count, flat.shape[0])
    found, at = jax.lax.top_k(score, n)
    real = found > 0
    places = jnp.stack(jnp.unravel_index(jnp.where(real, at, 0), mask.shape), -1).astype(jnp.int32)
    return jnp.pad(places, ((0, count - n), (0, 0))), jnp.pad(real, (0, count - n))


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
