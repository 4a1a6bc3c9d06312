"""Inverses, determinants and decompositions of matrices."""

from sporax._core.dispatch import apply
from sporax._kernels import linalg as K
from sporax.ops._args import need_tensor
from sporax.ops._table import method, op, prim


def _inverse_primitive(self, x):
    return apply(K.inv_adjoint, (_square("MatrixInverse", x),)) if self.adjoint else inverse(x)


def _square(name, x):
    need_tensor(name, "input", x)
    if x.ndim < 2 or x.shape[-1] != x.shape[-2]:
        raise ValueError(f"For '{name}', square matrices are needed, but got shape {x.shape}.")
    return x


@op(method=True, mint=True, aliases=("matrix_inverse",), primitive=prim("MatrixInverse", adjoint=False, call=_inverse_primitive))
def inverse(input):
    """The inverse of square matrices.

    Examples:
        >>> print(ops.inverse(Tensor([[2.0]])))
        [[0.5]]
    """
    return apply(K.inv, (_square("inverse", input),))


@op(mint="linalg.pinv")
def pinv(x, *, atol=None, rtol=None, hermitian=False):
    """The Moore-Penrose inverse of matrices.

    Args:
        atol, rtol: singular values up to max(atol, rtol times the largest) count as 0. Default: both None, a cut-off that follows the dtype.
        hermitian: whether the matrices are Hermitian. Default: False.

    Examples:
        >>> print(ops.pinv(Tensor([[2.0, 0.0]])))
        [[0.5]
         [0. ]]
    """
    return apply(K.pinv, (need_tensor("pinv", "x", x), rtol, atol), hermitian=bool(hermitian))


@op(method=("det", "matrix_determinant"), mint=True, aliases=("matrix_determinant",), primitive=prim("MatrixDeterminant"))
def det(input):
    """The determinant of square matrices."""
    return apply(K.det, (_square("det", input),))


@op(method=("slogdet", "log_matrix_determinant"), aliases=("log_matrix_determinant",), primitive=prim("LogMatrixDeterminant"))
def slogdet(input):
    """`(sign, log |determinant|)` of square matrices."""
    return apply(K.slogdet, (_square("slogdet", input),))


@op(method=True, primitive=prim("Cholesky", upper=False))
def cholesky(input_x, upper=False):
    """The Cholesky factor of positive definite matrices, lower unless `upper`."""
    return apply(K.cholesky, (input_x,), upper=bool(upper))


@op(
    method=True,
    mint=True,
    primitive=prim("Qr", full_matrices=False, call=lambda self, x: qr(x, "complete" if self.full_matrices else "reduced")),
)
def qr(input, mode="reduced"):
    """`(Q, R)` of matrices; `mode` "reduced" or "complete"."""
    if mode not in ("reduced", "complete"):
        raise ValueError(f"For 'qr', 'mode' should be 'reduced' or 'complete', but got {mode!r}.")
    return apply(K.qr, (input,), mode=mode)


@op(method=True, primitive=prim("Svd", full_matrices=False, compute_uv=True))
def svd(input, full_matrices=False, compute_uv=True):
    """`(s, u, v)` with input = u diag(s) v^T; only s unless `compute_uv`."""
    if not compute_uv:
        return apply(K.singular_values, (input,))
    u, s, vh = apply(K.svd, (input,), full_matrices=bool(full_matrices))
    return s, u, vh.swapaxes(-1, -2).conj()


@op()
def solve(a, b):
    """x with a x = b."""
    return apply(K.solve, (a, b))


@op(method=True, primitive=prim("MatrixPower", n=prim.required))
def matrix_power(input, n):
    """Square matrices multiplied `n` times (negative: of the inverse)."""
    return apply(K.matrix_power, (input,), n=int(n))


@method("inv")
def _inv_method(self):
    """Elementwise 1 / x. (The inverse of matrices is `inverse`.)"""
    return self.reciprocal()


@op(method=True)
def logdet(input):
    """The logarithm of the determinant of matrices; nan where it is negative.

    Examples:
        >>> print(ops.logdet(Tensor([[1.0, 0.0], [0.0, 1.0]])))
        0.0
    """
    return apply(K.logdet, (_square("logdet", input),))


@op(primitive=prim("MatrixExp"))
def matrix_exp(input):
    """The exponential of square matrices."""
    return apply(K.matrix_exp, (_square("matrix_exp", input),))


@op(primitive=prim("MatrixSolve", adjoint=False))
def matrix_solve(matrix, rhs, adjoint=False):
    """x with matrix x = rhs, or with its conjugate transpose.

    Examples:
        >>> print(ops.matrix_solve(Tensor([[2.0]]), Tensor([[4.0]])))
        [[2.]]
    """
    return apply(K.solve_adjoint if adjoint else K.solve, (_square("matrix_solve", matrix), rhs))


@op(method=True, primitive=prim("CholeskyInverse", upper=False))
def cholesky_inverse(input_x, upper=False):
    """The inverse of the matrix whose Cholesky factor is given (lower unless `upper`)."""
    return apply(K.cholesky_inverse, (_square("cholesky_inverse", input_x),), upper=bool(upper))


@op(method=True, primitive=prim("CholeskySolve", upper=False))
def cholesky_solve(input, input2, upper=False):
    """x with A x = input, where `input2` is the Cholesky factor of A (lower unless `upper`)."""
    return apply(K.cholesky_solve, (input, _square("cholesky_solve", input2)), upper=bool(upper))


@op(method=True)
def lstsq(input, A):
    """The x with the smallest |input x - A|: least squares for each column of `A`."""
    return apply(K.lstsq, (input, A.reshape(-1, 1) if A.ndim == 1 else A))


@op(primitive=prim("LuSolve"))
def lu_solve(b, LU_data, LU_pivots):
    """x with A x = b from the LU decomposition of A: both factors in one matrix, and pivots that count from 1."""
    return apply(K.lu_solve, (b, _square("lu_solve", LU_data), LU_pivots))


method("lu_solve")(lu_solve)


@op(primitive=prim("LuUnpack", unpack_data=True, unpack_pivots=True))
def lu_unpack(LU_data, LU_pivots, unpack_data=True, unpack_pivots=True):
    """`(P, L, U)` with A = P L U from both factors in one matrix and pivots that count from 1; what is not unpacked is None."""
    p, low, up = apply(K.lu_unpack, (LU_data, LU_pivots))
    return (p if unpack_pivots else None), (low if unpack_data else None), (up if unpack_data else None)


@op(primitive=prim("Eig", compute_v=False, call=lambda self, x: eig(x) if self.compute_v else (eigvals(x), None)))
def eig(A):
    """`(eigenvalues, eigenvectors)` of square matrices, complex; the vectors are columns."""
    return apply(K.eig, (_square("eig", A),))


@op(method=True)
def eigvals(A):
    """The eigenvalues of square matrices, complex."""
    return apply(K.eigvals, (_square("eigvals", A),))


@op(method=True, primitive=prim("Geqrf"))
def geqrf(input):
    """`(Householder vectors with R above them, their factors)` of the QR decomposition of matrices."""
    return apply(K.geqrf, (input,))


@op(method=True, primitive=prim("Orgqr"))
def orgqr(input, input2):
    """The matrix Q from the result of `geqrf`."""
    return apply(K.orgqr, (input, input2))


@op(method=True, primitive=prim("Ormqr", left=True, transpose=False))
def ormqr(input, tau, other, left=True, transpose=False):
    """Q other (or other Q unless `left`), with Q (or its transpose) from the result of `geqrf`."""
    return apply(K.ormqr, (input, tau, other), left=bool(left), transposed=bool(transpose))


@op(mint="linalg.cond")
def cond(A, p=None):
    """The condition number of matrices, for `p` None, 2, -2, 1, -1, inf, -inf, "fro" or "nuc".

    Examples:
        >>> print(ops.cond(Tensor([[2.0, 0.0], [0.0, 1.0]])))
        2.0
    """
    return apply(K.cond, (A,), p=p)


@method("adjoint")
def _adjoint(self):
    """The tensor conjugated, with its last two axes swapped."""
    return self.swapaxes(-1, -2).conj()
