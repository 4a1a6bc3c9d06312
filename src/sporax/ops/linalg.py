"""Matrix products."""

from sporax._core.dispatch import apply
from sporax._core.tensor import Tensor
from sporax._kernels import linalg as K
from sporax.ops._args import axis_of, need_tensor
from sporax.ops._table import method, op, prim


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


def _fit(name, a, b, a_axes, b_axes):
    """Raise unless both have so many axes and the inner sizes agree."""
    need_tensor(name, "the first operand", a)
    need_tensor(name, "the second operand", b)
    if a.ndim != a_axes or b.ndim != b_axes or a.shape[-1] != b.shape[-2 if b_axes > 1 else 0] or (a_axes == b_axes == 3 and len(a) != len(b)):
        raise ValueError(
            f"For '{name}', operands with {a_axes} and {b_axes} axes and fitting sizes are needed, but got shapes {a.shape} and {b.shape}."
        )


@op(method=True, mint=True)
def bmm(input_x, mat2):
    """The product of two batches of matrices: (B, n, k) and (B, k, m); more leading axes are allowed.

    Raises:
        ValueError: the shapes do not fit.
    """
    need_tensor("bmm", "input_x", input_x)
    need_tensor("bmm", "mat2", mat2)
    if input_x.ndim < 2 or input_x.shape[:-2] != mat2.shape[:-2]:
        raise ValueError(f"For 'bmm', two batches of matrices are needed, but got shapes {input_x.shape} and {mat2.shape}.")
    return _product("bmm", input_x, mat2)


@op(method=True, mint=True)
def mm(input, mat2):
    """The product of two matrices.

    Raises:
        ValueError: an operand is no matrix, or the inner sizes differ.
    """
    _fit("mm", input, mat2, 2, 2)
    return apply(K.matmul, (input, mat2))


@op(method=True, mint=True)
def mv(mat, vec):
    """The product of a matrix and a vector.

    Raises:
        ValueError: the sizes differ.
    """
    return _product("mv", mat, vec.reshape(-1) if vec.shape[1:] == (1,) else vec)


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
        prim("Dense"),
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


@op(method=True, mint=True, aliases=("ger",), primitive=prim("Ger"))
def outer(input, vec2):
    """The outer product of two vectors.

    Raises:
        ValueError: an operand is no vector.
    """
    if input.ndim != 1 or vec2.ndim != 1:
        raise ValueError(f"For 'outer', two vectors are needed, but got shapes {input.shape} and {vec2.shape}.")
    return apply(K.outer, (input, vec2))


method("ger")(outer)


@op(method=True, mint=True)
def inner(input, other):
    """The sum product over the last axes of both; the product if one is a number.

    Examples:
        >>> print(ops.inner(Tensor([1.0, 2.0]), Tensor([3.0, 4.0])))
        11.0
    """
    if input.ndim and other.ndim and input.shape[-1] != other.shape[-1]:
        raise ValueError(f"For 'inner', the last sizes should be equal, but got shapes {input.shape} and {other.shape}.")
    return apply(K.inner, (input, other))


@op(mint="linalg.vecdot")
def vecdot(x, y, *, axis=-1):
    """The sum of conj(x) y over an axis, with broadcasting.

    Examples:
        >>> print(ops.vecdot(Tensor([1.0, 2.0]), Tensor([3.0, 4.0])))
        11.0
    """
    return apply(K.vecdot, (x, y), axis=int(axis))


@op()
def batch_dot(x1, x2, axes=None):
    """For each element of a batch, the contraction of an axis of `x1` with one of `x2`.

    Args:
        axes: an int, or a pair of them, none of them the batch; default: the last axis of `x1` and the last but one of `x2` (the last of a 2-d one).

    Raises:
        ValueError: the batches or the sizes of the axes differ.

    Examples:
        >>> print(ops.batch_dot(Tensor([[1.0, 2.0]]), Tensor([[3.0, 4.0]]), 1))
        [[11.]]
    """
    if axes is None:
        axes = (x1.ndim - 1, x2.ndim - 2 if x2.ndim > 2 else x2.ndim - 1)
    a, b = (axes, axes) if isinstance(axes, int) else tuple(axes)
    a, b = axis_of("batch_dot", a, x1.ndim), axis_of("batch_dot", b, x2.ndim)
    if x1.shape[0] != x2.shape[0] or x1.shape[a] != x2.shape[b] or not a or not b:
        raise ValueError(f"For 'batch_dot', equal batches and equal sizes of axes {a} and {b} are needed, but got {x1.shape} and {x2.shape}.")
    letters = "bcdefghijklmnop"
    first = "a" + letters[: x1.ndim - 1]
    second = "a" + letters[x1.ndim - 1 : x1.ndim + x2.ndim - 2]
    second = second[:b] + first[a] + second[b + 1 :]
    rest = (first + second[1:]).replace(first[a], "")
    out = apply(K.einsum, (x1, x2), equation=f"{first},{second}->{rest}")
    return out.reshape(-1, 1) if out.ndim == 1 else out


@op(method=True, mint=True)
def addmm(input, mat1, mat2, *, beta=1, alpha=1):
    """beta input + alpha (mat1 @ mat2).

    Examples:
        >>> print(ops.addmm(Tensor([[1.0]]), Tensor([[2.0]]), Tensor([[3.0]]), beta=0.5))
        [[6.5]]
    """
    _fit("addmm", mat1, mat2, 2, 2)
    return apply(K.addmm, (input, mat1, mat2, beta, alpha))


@op(method=True, mint=True)
def addmv(input, mat, vec, *, beta=1, alpha=1):
    """beta input + alpha (mat @ vec) for a matrix and a vector."""
    _fit("addmv", mat, vec, 2, 1)
    return apply(K.addmm, (input, mat, vec, beta, alpha))


@op(mint=True)
def baddbmm(input, batch1, batch2, beta=1, alpha=1):
    """beta input + alpha (batch1 @ batch2) for batches of matrices."""
    _fit("baddbmm", batch1, batch2, 3, 3)
    return apply(K.addmm, (input, batch1, batch2, beta, alpha))


@method("baddbmm")
def _baddbmm_method(self, batch1, batch2, *, beta=1, alpha=1):
    """See `ops.baddbmm`."""
    return baddbmm(self, batch1, batch2, beta, alpha)


@op(method=True, mint=True)
def addbmm(input, batch1, batch2, *, beta=1, alpha=1):
    """beta input + alpha times the sum over the batch of batch1 @ batch2."""
    _fit("addbmm", batch1, batch2, 3, 3)
    return apply(K.addbmm, (input, batch1, batch2, beta, alpha))


@op(mint=True)
def addr(x, vec1, vec2, *, beta=1, alpha=1):
    """beta x + alpha times the outer product of two vectors."""
    return apply(K.addr, (x, vec1, vec2, beta, alpha))


method("addr")(addr)


@op(mint=True, primitive=prim("Trace"))
def trace(input):
    """The sum of the diagonal of a matrix.

    Raises:
        ValueError: the input is no matrix.

    Examples:
        >>> print(ops.trace(Tensor([[1.0, 2.0], [3.0, 4.0]])))
        5.0
    """
    if input.ndim != 2:
        raise ValueError(f"For 'trace', a matrix is needed, but got shape {input.shape}.")
    return apply(K.trace, (input,), offset=0, axis1=0, axis2=1)


@method("trace")
def _trace_method(self, offset=0, axis1=0, axis2=1, dtype=None):
    """The sum of a diagonal of two axes."""
    return apply(K.trace, (self if dtype is None else self.astype(dtype),), offset=int(offset), axis1=int(axis1), axis2=int(axis2))


@op(method=True, mint=True, primitive=prim("Cross", dim=-65530, call=lambda self, x, y: cross(x, y, None if self.dim == -65530 else self.dim)))
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


@op(primitive=prim("Cdist", p=2.0))
def cdist(x1, x2, p=2.0):
    """p-norm distances between each row of `x1` and each of `x2`."""
    return apply(K.cdist, (x1, x2), p=float(p))
