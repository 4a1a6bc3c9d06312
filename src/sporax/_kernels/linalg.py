"""Products and decompositions of matrices."""

import jax.numpy as jnp

from sporax._kernels.promote import promote


def matmul(x, y):
    x, y = promote(x, y)
    return jnp.matmul(x, y)


def matmul_transposed(x, y, *, transpose_a, transpose_b):
    if transpose_a:
        x = jnp.swapaxes(x, -1, -2)
    if transpose_b:
        y = jnp.swapaxes(y, -1, -2)
    return jnp.matmul(x, y)


def dense(x, weight, bias):
    """x weight^T + bias"""
    out = jnp.matmul(x, weight.T)
    return out if bias is None else out + bias


def tensordot(x, y, *, axes):
    return jnp.tensordot(x, y, axes)


def einsum(*operands, equation):
    return jnp.einsum(equation, *operands)


def dot(x, y):
    return jnp.dot(x, y)


def outer(x, y):
    return jnp.outer(*promote(x, y))


def addmm(x, a, b, beta, alpha):
    """beta x + alpha a b"""
    return beta * x + alpha * jnp.matmul(a, b)


def trace(x, *, offset, axis1, axis2):
    return jnp.trace(x, offset, axis1, axis2)


def cross(x, y, *, axis):
    return jnp.cross(*promote(x, y), axis=axis)


def kron(x, y):
    return jnp.kron(*promote(x, y))


def inv(x):
    return jnp.linalg.inv(x)


def pinv(x):
    return jnp.linalg.pinv(x)


def det(x):
    return jnp.linalg.det(x)


def slogdet(x):
    return tuple(jnp.linalg.slogdet(x))


def cholesky(x, *, upper):
    c = jnp.linalg.cholesky(x)
    return jnp.swapaxes(c, -1, -2).conj() if upper else c


def qr(x, *, mode):
    return tuple(jnp.linalg.qr(x, mode))


def svd(x, *, full_matrices):
    return tuple(jnp.linalg.svd(x, full_matrices))


def singular_values(x):
    return jnp.linalg.svd(x, compute_uv=False)


def eigh(x, *, upper):
    return tuple(jnp.linalg.eigh(x, UPLO="U" if upper else "L"))


def solve(a, b):
    return jnp.linalg.solve(a, b)


def matrix_norm(x, *, ord, axis, keepdims):
    return jnp.linalg.norm(x, ord, axis, keepdims)


def matrix_power(x, *, n):
    return jnp.linalg.matrix_power(x, n)


def cdist(x, y, *, p):
    d = jnp.abs(x[..., :, None, :] - y[..., None, :, :])
    from sporax._kernels.vector_norm import norm

    return norm(d, p=p, axis=(-1,), keepdims=False, dtype=None)
