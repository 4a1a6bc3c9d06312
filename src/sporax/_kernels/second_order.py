"""Second-order optimizers: rules for one parameter (see `optim`), and Kronecker factors of layers."""

import jax
import jax.numpy as jnp

from sporax._kernels.conv import unfold


def descend(p, g, lr):
    """One step against a direction."""
    return p - lr * g


def sophia(p, g, m, h, lr, beta, gamma, eps, decay):
    """Liu et al., 2024, algorithm 3: the momentum divided by the curvature, each element at most 1."""
    m = beta * m + (1 - beta) * g
    if decay is not None:
        p = p - lr * decay * p
    return p - lr * jnp.clip(m / jnp.maximum(gamma * h, eps), -1, 1), m, h


def sophia_curvature(h, g, count, beta):
    """The Gauss-Newton-Bartlett estimate of `count` samples in a moving average."""
    return beta * h + (1 - beta) * count * g * g


def sample_cotangent(logits, uniform):
    """The gradient in the logits (N, C) of the mean cross entropy at labels drawn from their own distribution."""
    gumbel = -jnp.log(-jnp.log(jnp.clip(uniform, 1e-20, 1 - 1e-7)))
    labels = jax.nn.one_hot(jnp.argmax(logits.astype(gumbel.dtype) + gumbel, -1), logits.shape[-1], dtype=logits.dtype)
    return (jax.nn.softmax(logits, -1) - labels) / (logits.size // logits.shape[-1])


def _moment(rows, divisor):
    return rows.T @ rows / divisor


def _with_one(rows, bias):
    return jnp.concatenate([rows, jnp.ones((rows.shape[0], 1), rows.dtype)], 1) if bias else rows


def input_factor_dense(x, *, bias):
    """E[sum over positions of a a'] of the inputs x (N, ..., in), with a one for the bias (Martens and Grosse, 2015)."""
    return _moment(_with_one(x.reshape(-1, x.shape[-1]), bias), x.shape[0])


def input_factor_conv(x, *, bias, kernel, stride, padding, dilation):
    """The same of the patches of x (N, C, H, W) that a kernel sees (Grosse and Martens, 2016)."""
    patches = unfold(x, kernel=kernel, stride=stride, padding=padding, dilation=dilation)
    return _moment(_with_one(jnp.swapaxes(patches, 1, 2).reshape(-1, patches.shape[1]), bias), x.shape[0])


def output_factor(g, *, axis):
    """E[g g'], also over positions, of the gradients g of the mean loss in a layer's output; `axis` is that of its channels."""
    size = g.shape[axis]
    rows = jnp.moveaxis(g, axis, -1).reshape(-1, size) * g.shape[0]
    return _moment(rows, rows.shape[0])


def averaged(old, new, step, decay):
    """A moving average that starts as the plain mean."""
    t = step.reshape(()).astype(old.dtype)
    weight = jnp.minimum(1 - 1 / (t + 1), decay)
    return (weight * old + (1 - weight) * new).astype(old.dtype)


def kronecker_direction(gradient, bias, a, g, damping):
    """The gradient (out, ...) and that of the bias (or None), times the inverses of both damped factors; returns as many."""
    rows = gradient.reshape(gradient.shape[0], -1)
    if bias is not None:
        rows = jnp.concatenate([rows, bias[:, None]], 1)
    # the split of the damping that makes the error of the product small (Martens and Grosse, 2015, section 6.3)
    ratio = (jnp.trace(a) / a.shape[0]) / jnp.maximum(jnp.trace(g) / g.shape[0], 1e-30)
    pi = jnp.where(ratio > 0, jnp.sqrt(ratio), 1.0)
    root = jnp.sqrt(jnp.asarray(damping, a.dtype))
    left = jax.scipy.linalg.cho_factor(g + root / pi * jnp.eye(g.shape[0], dtype=g.dtype))
    right = jax.scipy.linalg.cho_factor(a + root * pi * jnp.eye(a.shape[0], dtype=a.dtype))
    out = jax.scipy.linalg.cho_solve(left, rows.astype(a.dtype))
    out = jax.scipy.linalg.cho_solve(right, out.T).T.astype(gradient.dtype)
    if bias is None:
        return (out.reshape(gradient.shape),)
    return out[:, :-1].reshape(gradient.shape), out[:, -1].astype(bias.dtype)
