"""Products and decompositions of matrices."""

import jax
import jax.numpy as jnp
from jax import lax

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
    x, y = promote(x, y)
    return jnp.outer(x, y)


def vecdot(x, y, *, axis):
    x, y = promote(x, y)
    return jnp.sum(jnp.conj(x) * y, axis)


def inner(x, y):
    return jnp.inner(*promote(x, y))


def addbmm(x, a, b, beta, alpha):
    """beta x + alpha times the sum of the products of a batch"""
    return (beta * x + alpha * jnp.sum(jnp.matmul(a, b), 0)).astype(x.dtype)


def addr(x, a, b, beta, alpha):
    """beta x + alpha times the outer product"""
    return beta * x + alpha * jnp.outer(a, b)


def addmm(x, a, b, beta, alpha):
    """beta x + alpha a b"""
    return beta * x + alpha * jnp.matmul(a, b)


def trace(x, *, offset, axis1, axis2):
    return jnp.trace(x, offset, axis1, axis2)


def cross(x, y, *, axis):
    x, y = promote(x, y)
    return jnp.cross(x, y, axis=axis)


def kron(x, y):
    return jnp.kron(*promote(x, y))


def inv(x):
    return jnp.linalg.inv(x)


def inv_adjoint(x):
    return jnp.swapaxes(jnp.linalg.inv(x), -1, -2).conj()


def pinv(x, rtol, atol, *, hermitian):
    """The Moore-Penrose inverse: singular values up to max(atol, rtol * the largest) count as 0."""
    if rtol is None and atol is None:
        return jnp.linalg.pinv(x, hermitian=hermitian)
    u, s, vh = jnp.linalg.svd(x, full_matrices=False, hermitian=hermitian)
    relative = 0 if rtol is None else rtol
    cut = jnp.maximum(0 if atol is None else atol, relative * jnp.max(s, -1, keepdims=True))
    inverse = jnp.where(s > cut, 1 / jnp.where(s > cut, s, 1), 0)
    return jnp.matmul(jnp.swapaxes(vh, -1, -2).conj(), inverse[..., None] * jnp.swapaxes(u, -1, -2).conj())


def logdet(x):
    sign, value = jnp.linalg.slogdet(x)
    return jnp.where(sign < 0, jnp.nan, value)


def matrix_exp(x):
    return jax.scipy.linalg.expm(x)


def cholesky_inverse(x, *, upper):
    eye = jnp.eye(x.shape[-1], dtype=x.dtype)
    return jax.scipy.linalg.cho_solve((x, not upper), eye)


def cholesky_solve(b, factor, *, upper):
    return jax.scipy.linalg.cho_solve((factor, not upper), b)


def solve_adjoint(a, b):
    return jnp.linalg.solve(jnp.swapaxes(a, -1, -2).conj(), b)


def solve_triangular(a, b, *, transposed, lower, unit):
    return jax.scipy.linalg.solve_triangular(a, b, trans=transposed, lower=lower, unit_diagonal=unit)


def lstsq(a, b):
    return jnp.linalg.lstsq(a, b)[0]


def lu_solve(b, lu, pivots):
    # pivots count from 1
    return jax.scipy.linalg.lu_solve((lu, pivots - 1), b)


def lu_unpack(lu, pivots):
    rows, cols = lu.shape[-2:]
    n = min(rows, cols)
    lower = jnp.tril(lu[..., :n], -1) + jnp.eye(rows, n, dtype=lu.dtype)
    order = lax.linalg.lu_pivots_to_permutation(pivots - 1, rows)
    return jnp.swapaxes(jnp.eye(rows, dtype=lu.dtype)[order], -1, -2), lower, jnp.triu(lu[..., :n, :])


def eig(x):
    return tuple(jnp.linalg.eig(x))


def eigvals(x):
    return jnp.linalg.eigvals(x)


def geqrf(x):
    vectors, tau = jnp.linalg.qr(x, mode="raw")
    return jnp.swapaxes(vectors, -1, -2), tau


def orgqr(x, tau):
    return lax.linalg.householder_product(x, tau)


def ormqr(x, tau, other, *, left, transposed):
    n = x.shape[-2]
    wide = jnp.pad(x, [(0, 0)] * (x.ndim - 1) + [(0, n - x.shape[-1])])
    q = lax.linalg.householder_product(wide, jnp.pad(tau, [(0, 0)] * (tau.ndim - 1) + [(0, n - tau.shape[-1])]))
    q = jnp.swapaxes(q, -1, -2).conj() if transposed else q
    return jnp.matmul(q, other) if left else jnp.matmul(other, q)


def cond(x, *, p):
    return jnp.linalg.cond(x, p)


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
