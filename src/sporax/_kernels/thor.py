"""THOR: factors of layers and their damped inverses (Chen et al., 2021)."""

import jax
import jax.numpy as jnp

from sporax._kernels.conv import unfold


def input_factor_dense(x):
    """E[a a'] of the inputs (..., in)."""
    rows = x.reshape(-1, x.shape[-1]).astype(jnp.float32)
    return rows.T @ rows / rows.shape[0]


def input_factor_conv(x, *, kernel, stride, padding, dilation):
    """E[a a'] over positions, of the patches averaged over the batch."""
    mean = unfold(x.astype(jnp.float32), kernel=kernel, stride=stride, padding=padding, dilation=dilation).mean(0)
    return mean @ mean.T / mean.shape[1]


def output_factor_dense(g):
    """E[g g'] of the gradients (..., out) of the output."""
    rows = g.reshape(-1, g.shape[-1]).astype(jnp.float32)
    return rows.T @ rows / rows.shape[0]


def output_factor_conv(g):
    """E[g g'] over positions, of the gradients (N, out, H, W) averaged over the batch."""
    mean = g.astype(jnp.float32).mean(0).reshape(g.shape[1], -1)
    return mean @ mean.T / mean.shape[1]


def damped_inverse(matrix, old, step, damping, scale, positions, *, frequency):
    """The inverse of scale * matrix + sqrt(damping / positions), over sqrt(positions), at every `frequency`-th step; `old` at others."""

    def new():
        n = matrix.shape[0]
        eye = jnp.eye(n, dtype=matrix.dtype)
        factor = jax.scipy.linalg.cho_factor(matrix * scale + jnp.sqrt(damping / positions) * eye)
        return (jax.scipy.linalg.cho_solve(factor, eye) / jnp.sqrt(jnp.asarray(positions, matrix.dtype))).astype(old.dtype)

    return jax.lax.cond(step.reshape(()) % frequency == 0, new, lambda: old)


def between(gradient, left, right):
    """left, gradient as a matrix (out, ...), right."""
    return (left @ gradient.reshape(gradient.shape[0], -1).astype(left.dtype) @ right).reshape(gradient.shape).astype(gradient.dtype)


def diagonal(gradient, damping, batch_size):
    """The gradient over its own squares."""
    return (gradient / (gradient * gradient / batch_size + jnp.sqrt(damping))).astype(gradient.dtype)
