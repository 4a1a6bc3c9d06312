"""Norms of vectors and matrices, covariance."""

import jax.numpy as jnp
import numpy as np

from sporax._kernels import math as elementwise
from sporax._kernels.promote import promote_inexact


def norm(x, *, p, axis, keepdims, dtype):
    """The vector p-norm over `axis` (all if None)."""
    if dtype is not None:
        x = x.astype(dtype)
    (x,) = promote_inexact(x)
    a = elementwise.abs(x)
    if p == np.inf:
        return jnp.max(a, axis, keepdims=keepdims)
    if p == -np.inf:
        return jnp.min(a, axis, keepdims=keepdims)
    if p == 0:
        return jnp.sum((a != 0).astype(a.dtype), axis, keepdims=keepdims)
    if p == 1:
        return jnp.sum(a, axis, keepdims=keepdims)
    if p == 2:
        return safe_sqrt(jnp.sum(jnp.square(a), axis, keepdims=keepdims))
    return jnp.power(jnp.sum(jnp.power(a, p), axis, keepdims=keepdims), 1 / p)


def safe_sqrt(x):
    """The root whose derivative at 0 is 0 instead of infinite: norms of zero vectors have no direction."""
    zero = x == 0
    return jnp.where(zero, jnp.zeros_like(x), jnp.sqrt(jnp.where(zero, jnp.ones_like(x), x)))


def frobenius_norm(x, *, axis, keepdims):
    return safe_sqrt(jnp.sum(jnp.square(jnp.abs(x)), axis, keepdims=keepdims))


def matrix_norm(x, *, ord, axis, keepdims, dtype):
    """Norms of matrices in two axes: 1 and -1 (columns), inf and -inf (rows), 2 and -2 and "nuc" (singular values)."""
    if dtype is not None:
        x = x.astype(dtype)
    (x,) = promote_inexact(x)
    x = jnp.moveaxis(x, axis, (-2, -1))
    if ord in (1, -1, np.inf, -np.inf):
        lines = jnp.sum(elementwise.abs(x), -2 if ord in (1, -1) else -1)
        out = jnp.max(lines, -1) if ord > 0 else jnp.min(lines, -1)
    else:
        s = jnp.linalg.svd(x, compute_uv=False)
        out = jnp.sum(s, -1) if ord == "nuc" else jnp.max(s, -1) if ord == 2 else jnp.min(s, -1)
    return jnp.expand_dims(out, sorted(axis)) if keepdims else out


def renorm(x, maxnorm, *, p, axis):
    """Slices along `axis` whose p-norm is larger than `maxnorm` scaled down to it."""
    others = tuple(i for i in range(x.ndim) if i != axis)
    size = norm(x, p=p, axis=others, keepdims=True, dtype=None)
    return x * jnp.where(size > maxnorm, maxnorm / jnp.maximum(size, 1e-30), 1).astype(x.dtype)


def covariance(x, fweights, aweights, *, correction):
    return jnp.cov(x, ddof=correction, fweights=fweights, aweights=aweights)
