"""Normalization."""

import jax.numpy as jnp
from jax import lax


def _per_channel(v, x):
    return v.reshape((1, -1) + (1,) * (x.ndim - 2)).astype(x.dtype)


def batch_norm_train(x, gamma, beta, mean, variance, momentum, eps):
    """Normalize over all axes but the channels; returns y and the new moving statistics (m moving + (1 - m) batch; unbiased variance)."""
    axes = (0, *range(2, x.ndim))
    wide = x.astype(jnp.promote_types(x.dtype, jnp.float32))
    m = jnp.mean(wide, axes)
    v = jnp.mean(jnp.square(wide - _per_channel(m, wide)), axes)
    n = x.size // max(x.shape[1], 1)
    y = (wide - _per_channel(m, wide)) * _per_channel(lax.rsqrt(v + eps), wide)
    y = y * _per_channel(gamma, wide) + _per_channel(beta, wide)
    unbiased = v * (n / max(n - 1, 1))
    m, unbiased = lax.stop_gradient(m), lax.stop_gradient(unbiased)
    keep = jnp.asarray(momentum, mean.dtype)
    return y.astype(x.dtype), keep * mean + (1 - keep) * m.astype(mean.dtype), keep * variance + (1 - keep) * unbiased.astype(variance.dtype)


def batch_norm_infer(x, gamma, beta, mean, variance, eps):
    scale = gamma * lax.rsqrt(variance + eps)
    return x * _per_channel(scale, x) + _per_channel(beta - mean * scale, x)


def layer_norm(x, gamma, beta, eps, *, axis, params_axis):
    """Normalize over the axes from `axis` on."""
    axes = tuple(range(axis, x.ndim))
    wide = x.astype(jnp.promote_types(x.dtype, jnp.float32))
    m = jnp.mean(wide, axes, keepdims=True)
    v = jnp.mean(jnp.square(wide - m), axes, keepdims=True)
    y = (wide - m) * lax.rsqrt(v + eps)
    if gamma is not None:
        y = y * gamma
    if beta is not None:
        y = y + beta
    return y.astype(x.dtype)


def layer_norm_stats(x, gamma, beta, eps, *, axis, params_axis):
    """`layer_norm`, with mean and variance."""
    axes = tuple(range(axis, x.ndim))
    m = jnp.mean(x, axes, keepdims=True)
    v = jnp.mean(jnp.square(x - m), axes, keepdims=True)
    return layer_norm(x, gamma, beta, eps, axis=axis, params_axis=params_axis), m, v


def group_norm(x, gamma, beta, eps, *, groups):
    wide = x.astype(jnp.promote_types(x.dtype, jnp.float32)).reshape(x.shape[0], groups, -1)
    m = jnp.mean(wide, -1, keepdims=True)
    v = jnp.mean(jnp.square(wide - m), -1, keepdims=True)
    y = ((wide - m) * lax.rsqrt(v + eps)).reshape(x.shape)
    if gamma is not None:
        y = y * _per_channel(gamma, y)
    if beta is not None:
        y = y + _per_channel(beta, y)
    return y.astype(x.dtype)


def rms_norm(x, gamma, eps):
    wide = x.astype(jnp.promote_types(x.dtype, jnp.float32))
    r = lax.rsqrt(jnp.mean(jnp.square(wide), -1, keepdims=True) + eps)
    return (wide * r * gamma).astype(x.dtype), r


def lrn(x, bias, alpha, beta, *, radius):
    """x / (bias + alpha s)**beta, where s sums x**2 over channels (axis 1) at most `radius` away."""
    wide = x.astype(jnp.promote_types(x.dtype, jnp.float32))
    squares = jnp.square(wide)
    sums = jnp.cumsum(jnp.pad(squares, [(0, 0), (radius + 1, radius)] + [(0, 0)] * (x.ndim - 2)), 1)
    near = sums[:, 2 * radius + 1 :] - sums[:, : x.shape[1]]
    return (wide * jnp.power(bias + alpha * near, -beta)).astype(x.dtype)
