"""Norms of vectors and matrices, distances, covariance."""

import math

from sporax._core.dispatch import apply
from sporax._core.dtype import to_jax_dtype
from sporax._core.tensor import Tensor
from sporax._kernels import vector_norm as K
from sporax.ops._args import axes_of, need_tensor
from sporax.ops._table import op, prim
from sporax.ops.array import stack

_MATRIX_ORDERS = (1, -1, 2, -2, math.inf, -math.inf, "nuc", "fro")


@op(method=True, mint=True)
def norm(A, ord=None, dim=None, keepdim=False, *, dtype=None):
    """The norm of vectors or matrices.

    Args:
        A (Tensor): any shape. A tuple or list of Tensors (gradients): the Euclidean norm of all their elements, without `dim`.
        ord: None (Euclidean norm of all elements over `dim`), a number (p-norm), or for matrices "fro", "nuc", 1, -1, 2, -2, inf, -inf. Default: None.
        dim: one axis (vector norms), two axes (matrix norms with `ord`), or None: a 2-d tensor with `ord` is a matrix, other tensors are one vector.
        keepdim: keep reduced axes with size 1. Default: False.
        dtype: dtype to convert to before. Default: None.

    Raises:
        ValueError: an unknown `ord`.

    Examples:
        >>> print(ops.norm(Tensor([3.0, 4.0])))
        5.0
        >>> print(ops.norm(Tensor([[1.0, 2.0], [3.0, 4.0]]), 1))
        6.0
    """
    if isinstance(A, tuple | list) and A and ord in (None, 2) and dim is None:
        for t in A:
            need_tensor("norm", "A", t)
        return vector_norm(stack([vector_norm(t, dtype=dtype) for t in A]), 2)
    need_tensor("norm", "A", A)
    axes = axes_of("norm", dim, A.ndim)
    if ord is not None and (len(axes) == 2 if axes is not None else A.ndim == 2):
        return matrix_norm(A, ord, (0, 1) if axes is None else axes, keepdim, dtype=dtype)
    if isinstance(ord, str):
        raise ValueError(f"For 'norm', 'ord' should be a number, or 'fro' or 'nuc' for two axes, but got {ord!r} for axes {axes} of shape {A.shape}.")
    return vector_norm(A, 2 if ord is None else ord, axes, keepdim, dtype=dtype)


@op(mint="linalg.vector_norm")
def vector_norm(x, ord=2, axis=None, keepdims=False, *, dtype=None):
    """The p-norm over axes (all if None) for `p` = `ord`, a number.

    Raises:
        ValueError: `ord` is not a number.

    Examples:
        >>> print(ops.vector_norm(Tensor([3.0, -4.0]), 1))
        7.0
    """
    if isinstance(ord, bool) or not isinstance(ord, int | float):
        raise ValueError(f"For 'vector_norm', 'ord' should be a number, but got {ord!r}.")
    return apply(K.norm, (x,), p=ord, axis=axes_of("vector_norm", axis, x.ndim), keepdims=bool(keepdims), dtype=to_jax_dtype(dtype))


@op(mint="linalg.matrix_norm")
def matrix_norm(A, ord: str | float = "fro", axis=(-2, -1), keepdims=False, *, dtype=None):
    """Norms of matrices in two axes: "fro", "nuc", 1, -1, 2, -2, inf or -inf.

    Raises:
        ValueError: another `ord`, or not two axes.

    Examples:
        >>> print(ops.matrix_norm(Tensor([[1.0, 2.0], [3.0, 4.0]]), float("inf")))
        7.0
    """
    axes = axes_of("matrix_norm", axis, A.ndim)
    if ord not in _MATRIX_ORDERS or axes is None or len(axes) != 2:
        raise ValueError(f"For 'matrix_norm', 'ord' should be one of {_MATRIX_ORDERS} and 'axis' two axes, but got {ord!r} and {axis}.")
    if ord == "fro":
        return apply(K.norm, (A,), p=2, axis=axes, keepdims=bool(keepdims), dtype=to_jax_dtype(dtype))
    return apply(K.matrix_norm, (A,), ord=ord, axis=axes, keepdims=bool(keepdims), dtype=to_jax_dtype(dtype))


@op(mint=True)
def dist(input, other, p=2):
    """The p-norm of input - other.

    Examples:
        >>> print(ops.dist(Tensor([1.0, 2.0]), Tensor([4.0, 6.0])))
        5.0
    """
    return apply(K.norm, (input - other,), p=p, axis=None, keepdims=False, dtype=None)


@op(primitive=prim("LpNorm", axis=prim.required, p=2, keep_dims=False, epsilon=1e-12))
def lp_norm(input, axis, p=2, keep_dims=False, epsilon=1e-12):
    """The p-norm over `axis`; `epsilon` is the smallest value it can have."""
    from sporax.ops.binary import clamp

    return clamp(apply(K.norm, (input,), p=p, axis=axes_of("lp_norm", axis, input.ndim), keepdims=bool(keep_dims), dtype=None), epsilon)


@op(primitive=prim("EuclideanNorm", keep_dims=False))
def euclidean_norm(x, axes, keep_dims=False):
    """The Euclidean norm over `axes` (a tuple of ints or an integer Tensor)."""
    axes = axes.tolist() if isinstance(axes, Tensor) else axes
    return apply(K.norm, (x,), p=2, axis=axes_of("euclidean_norm", axes, x.ndim), keepdims=bool(keep_dims), dtype=None)


@op(method=True, mint=True, primitive=prim("Renorm", p=prim.required, dim=prim.required, maxnorm=prim.required, rename={"dim": "axis"}))
def renorm(input, p, axis, maxnorm):
    """Slices along `axis` whose p-norm is larger than `maxnorm` scaled down to it.

    Examples:
        >>> print(ops.renorm(Tensor([[3.0, 4.0], [0.1, 0.1]]), 2, 0, 1.0))
        [[0.6 0.8]
         [0.1 0.1]]
    """
    from sporax.ops._args import axis_of

    return apply(K.renorm, (input, maxnorm), p=p, axis=axis_of("renorm", axis, input.ndim))


@op(method=True, mint=True)
def cov(input, *, correction=1, fweights=None, aweights=None):
    """The covariance matrix of variables in rows, observations in columns.

    Args:
        correction: sums are divided by n - correction. Default: 1.
        fweights (Tensor): how often each observation counts (ints). Default: None.
        aweights (Tensor): weight of each observation. Default: None.

    Raises:
        ValueError: `input` has more than two axes.

    Examples:
        >>> print(ops.cov(Tensor([[1.0, 2.0, 3.0], [3.0, 2.0, 1.0]])))
        [[ 1. -1.]
         [-1.  1.]]
    """
    if input.ndim > 2:
        raise ValueError(f"For 'cov', the input should have at most two axes, but got shape {input.shape}.")
    return apply(K.covariance, (input, fweights, aweights), correction=int(correction))
