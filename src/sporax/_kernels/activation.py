"""Activation functions. Negative slopes and similar numbers come as positional scalars, so that varying them does not compile anew."""

import jax
import jax.numpy as jnp

from sporax._kernels.promote import cast


def relu(x):
    # derivative 0 at 0, as MindSpore's
    return jnp.where(x > 0, x, jnp.zeros_like(x))


def relu6(x):
    return jax.nn.relu6(x)


def leaky_relu(x, alpha):
    # the slope at 0 is the mean of both sides', as MindSpore's, which computes max(x, alpha x)
    a = cast(alpha, x.dtype)
    return jnp.where(x > 0, 1, jnp.where(x < 0, a, (1 + a) / 2)).astype(x.dtype) * x


def elu(x, alpha):
    safe = jnp.where(x > 0, jnp.zeros_like(x), x)
    return jnp.where(x > 0, x, cast(alpha, x.dtype) * jnp.expm1(safe))


def celu(x, alpha):
    a = cast(alpha, x.dtype)
    safe = jnp.where(x > 0, jnp.zeros_like(x), x)
    return jnp.maximum(x, 0) + jnp.minimum(a * jnp.expm1(safe / a), 0)


def selu(x):
    return jax.nn.selu(x)


def gelu(x, *, approximate):
    return jax.nn.gelu(x, approximate=approximate)


def fast_gelu(x):
    """x / (1 + exp(-1.702 |x|)) exp(0.851 (x - |x|))"""
    a = jnp.abs(x)
    return x / (1 + jnp.exp(-1.702 * a)) * jnp.exp(0.851 * (x - a))


def silu(x):
    return jax.nn.silu(x)


def mish(x):
    return x * jnp.tanh(jax.nn.softplus(x))


def hardswish(x):
    # (2 x + 3) / 6 is the slope on the closed interval, as MindSpore's
    return jnp.where(x < -3, jnp.zeros_like(x), jnp.where(x > 3, x, x * (x + 3) / 6))


def hardsigmoid(x):
    # the slope at both ends is 0, as MindSpore's
    return jnp.where(x <= -3, jnp.zeros_like(x), jnp.where(x >= 3, jnp.ones_like(x), x / 6 + 0.5))


def hardtanh(x, low, high):
    return jnp.clip(x, cast(low, x.dtype), cast(high, x.dtype))


def softplus(x, beta, threshold):
    b = cast(beta, x.dtype)
    return jnp.where(x * b > threshold, x, jax.nn.softplus(x * b) / b)


def softsign(x):
    return x / (1 + jnp.abs(x))


def softmax(x, *, axis):
    return jax.nn.softmax(x, axis)


def log_softmax(x, *, axis):
    return jax.nn.log_softmax(x, axis)


def logsigmoid(x):
    return jax.nn.log_sigmoid(x)


def prelu(x, weight):
    if weight.size > 1:
        weight = weight.reshape((1, -1) + (1,) * (x.ndim - 2)) if x.ndim > 1 else weight
    return jnp.where(x > 0, x, weight.astype(x.dtype) * x)


def rrelu(x, slopes):
    return jnp.where(x >= 0, x, slopes.astype(x.dtype) * x)


def glu(x, *, axis):
    a, b = jnp.split(x, 2, axis)
    return a * jax.nn.sigmoid(b)


def soft_shrink(x, lambd):
    lam = cast(lambd, x.dtype)
    return jnp.where(x > lam, x - lam, jnp.where(x < -lam, x + lam, jnp.zeros_like(x)))


def hard_shrink(x, lambd):
    lam = cast(lambd, x.dtype)
    return jnp.where((x > lam) | (x < -lam), x, jnp.zeros_like(x))


def tanhshrink(x):
    return x - jnp.tanh(x)


def threshold(x, limit, value):
    return jnp.where(x > limit, x, cast(value, x.dtype))
