"""Linear algebra, with PyTorch's arguments."""

from sporax import ops
from sporax.ops.vector_norm import matrix_norm as _matrix_norm
from sporax.ops.vector_norm import vector_norm as _vector_norm

inv, norm, qr = ops.inverse, ops.norm, ops.qr


def vector_norm(x, ord=2, dim=None, keepdim=False, *, dtype=None):
    """The norm of vectors along axes (of all elements if None)."""
    return _vector_norm(x, ord, dim, keepdim, dtype=dtype)


def matrix_norm(A, ord="fro", dim=(-2, -1), keepdim=False, *, dtype=None):
    """Norms of matrices in two axes: "fro", "nuc", 1, -1, 2, -2, inf or -inf."""
    return _matrix_norm(A, ord, dim, keepdim, dtype=dtype)


__all__ = ["inv", "matrix_norm", "norm", "qr", "vector_norm"]
