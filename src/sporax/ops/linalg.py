"""Matrix products and decompositions."""

from sporax._core.dispatch import apply
from sporax._core.tensor import Tensor
from sporax._kernels import linalg as K
from sporax.ops._args import axis_of, need_tensor
from sporax.ops._table import op, prim


@op(method=("matmul", "__matmul__"), mint=True)
def matmul(input, other):
    """The matrix product; 1-d operands are vectors, leading axes broadcast.

    Raises:
        ValueError: the inner sizes differ.
        TypeError: an operand is not a Tensor.

    Examples:
        >>> print(ops.matmul(Tensor([[1.0, 2.0]]), Tensor([[3.0], [4.0]])))
        [[11.]]
    """
    return _product("matmul", input, other)


def _product(name, a, b):
    need_tensor(name, "input", a)
    need_tensor(name, "other", b)
    if not a.ndim or not b.ndim:
        raise ValueError(f"For '{name}', operands should have at least one axis, but got shapes {a.shape} and {b.shape}.")
    inner = b.shape[-2] if b.ndim > 1 else b.shape[0]
    if a.shape[-1] != inner:
        raise ValueError(
            f"For '{name}', the last size of the first operand should be that of the rows of the second, but got shapes {a.shape} and {b.shape}."
        )
    return apply(K.matmul, (a, b))


Tensor.__rmatmul__ = lambda self, other: matmul(other if isinstance(other, Tensor) else Tensor(other), self)


@op(method=True, mint=True)
def bmm(input_x, mat2):
    """The product of two batches of matrices."""
    return _product("bmm", input_x, mat2)


@op(method=True, mint=True)
def mm(input, mat2):
    """The product of two matrices."""
    return _product("mm", input, mat2)


@op(mint=True)
def mv(mat, vec):
    """The product of a matrix and a vector."""
    return _product("mv", mat, vec)


def _transposing(self, x, y):
    inner = y.shape[-1 if self.transpose_b else -2]
    if x.ndim < 2 or y.ndim < 2 or x.shape[-2 if self.transpose_a else -1] != inner:
        raise ValueError(
            f"For '{self.name}' with transpose_a={self.transpose_a}, transpose_b={self.transpose_b}, shapes {x.shape} and {y.shape} do not fit."
        )
    return apply(K.matmul_transposed, (x, y), transpose_a=bool(self.transpose_a), transpose_b=bool(self.transpose_b))


@op(
    mint="nn.functional.linear",
    primitive=(
        prim("MatMul", transpose_a=False, transpose_b=False, call=_transposing),
        prim("BatchMatMul", transpose_a=False, transpose_b=False, call=_transposing),
    ),
)
def dense(input, weight, bias=None):
    """input weight^T + bias.

    Args:
        input (Tensor): (*, in_channels).
        weight (Tensor): (out_channels, in_channels).
        bias (Tensor): (out_channels,). Default: None.

    Raises:
        ValueError: the numbers of input channels differ.

    Examples:
        >>> print(ops.dense(Tensor([[1.0, 2.0]]), Tensor([[3.0, 4.0]]), Tensor([0.5])))
        [[11.5]]
    """
    need_tensor("dense", "input", input)
    if not input.ndim or input.shape[-1] != weight.shape[-1]:
        raise ValueError(
            f"For 'dense', the last size of the input should be {weight.shape[-1]}, the in_channels of the weight "
            f"{weight.shape}, but got shape {input.shape}."
        )
    return apply(K.dense, (input, weight, bias))


@op()
def tensor_dot(x1, x2, axes):
    """Contraction over the last `axes` axes of `x1` and first of `x2`, or over a pair of lists of axes."""
    static = axes if isinstance(axes, int) else tuple(tuple(a) if isinstance(a, tuple | list) else (a,) for a in axes)
    return apply(K.tensordot, (x1, x2), axes=static)


@op(mint=True, primitive=prim("Einsum", equation=prim.required, call=lambda self, xs: einsum(self.equation, *xs)))
def einsum(equation, *operands):
    """A sum of products in Einstein's notation.

    Examples:
        >>> print(ops.einsum("ij,j->i", Tensor([[1.0, 2.0]]), Tensor([3.0, 4.0])))
        [11.]
    """
    if len(operands) == 1 and isinstance(operands[0], tuple | list):
        operands = tuple(operands[0])
    return apply(K.einsum, operands, equation=equation)


@op(method=True, mint=True)
def dot(input, other):
    """The sum product over the last axis of `input` and the last but one of `other`."""
    return apply(K.dot, (input, other))


@op(method=True, mint=True, aliases=("ger",))
def outer(input, vec2):
    """The outer product of two vectors."""
    return apply(K.outer, (input, vec2))


def _scaled(name):
    def f(input, a, b, *, beta=1, alpha=1):
        return apply(K.addmm, (input, a, b, beta, alpha))

    f.__name__ = f.__qualname__ = name
    f.__module__, f.__doc__ = __name__, "beta input + alpha (a matmul b)."
    return op(method=True, mint=True)(f)


addmm, baddbmm, addmv = _scaled("addmm"), _scaled("baddbmm"), _scaled("addmv")


@op(method=True, mint=True)
def trace(input, offset=0, axis1=0, axis2=1):
    """The sum of a diagonal."""
    return apply(K.trace, (input,), offset=int(offset), axis1=int(axis1), axis2=int(axis2))


@op(method=True, mint=True)
def cross(input, other, dim=None):
    """The cross product along an axis of size 3 (default: the first such)."""
    axis = next((i for i, d in enumerate(input.shape) if d == 3), None) if dim is None else axis_of("cross", dim, input.ndim)
    if axis is None or input.shape[axis] != 3:
        raise ValueError(f"For 'cross', an axis of size 3 is needed, but got shape {input.shape}.")
    return apply(K.cross, (input, other), axis=axis)


@op()
def kron(input, other):
    """The Kronecker product."""
    return apply(K.kron, (input, other))


@op(
    method=("inverse", "inv"), mint=True, aliases=("matrix_inverse",), primitive=prim("MatrixInverse", adjoint=False, call=lambda self, x: inverse(x))
)
def inverse(input):
    """The inverse of square matrices.

    Examples:
        >>> print(ops.inverse(Tensor([[2.0]])))
        [[0.5]]
    """
    return apply(K.inv, (input,))


@op()
def pinv(x, *, atol=None, rtol=None, hermitian=False):
    """The Moore-Penrose inverse, with the default cut-off for small singular values.

    Raises:
        ValueError: `atol`, `rtol` or `hermitian` is given.
    """
    if atol is not None or rtol is not None or hermitian:
        raise ValueError("For 'pinv', 'atol', 'rtol' and 'hermitian' should have their defaults: the cut-off follows the dtype.")
    return apply(K.pinv, (x,))


@op(method=("det",), aliases=("matrix_determinant",), primitive=prim("MatrixDeterminant"))
def det(input):
    """The determinant of square matrices."""
    return apply(K.det, (input,))


@op(method=True, primitive=prim("LogMatrixDeterminant"))
def slogdet(input):
    """`(sign, log |determinant|)` of square matrices."""
    return apply(K.slogdet, (input,))


@op(method=True, primitive=prim("Cholesky", upper=False))
def cholesky(input_x, upper=False):
    """The Cholesky factor of positive definite matrices, lower unless `upper`."""
    return apply(K.cholesky, (input_x,), upper=bool(upper))


@op(method=True, mint=True)
def qr(input, mode="reduced"):
    """`(Q, R)` of matrices; `mode` "reduced" or "complete"."""
    return apply(K.qr, (input,), mode=mode)


@op(method=True)
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


@op(method=True)
def matrix_power(input, n):
    """Square matrices multiplied `n` times (negative: of the inverse)."""
    return apply(K.matrix_power, (input,), n=int(n))


@op(method=False)
def cdist(x1, x2, p=2.0):
    """p-norm distances between each row of `x1` and each of `x2`."""
    return apply(K.cdist, (x1, x2), p=float(p))
