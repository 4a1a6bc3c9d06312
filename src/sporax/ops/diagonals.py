"""Diagonals and triangles of matrices."""

import numpy as np

from sporax._core import dtype as mstype
from sporax._core.dispatch import apply
from sporax._core.dtype import to_jax_dtype
from sporax._core.tensor import Tensor
from sporax._kernels import array as K
from sporax._kernels import diagonals as D
from sporax.ops import _table
from sporax.ops._args import axis_of, ints, need_tensor
from sporax.ops._table import method, op, prim


@op(method=True, mint=True, primitive=prim("Tril", diagonal=0))
def tril(input, diagonal=0):
    """The lower triangle of matrices, up to a diagonal; zeros elsewhere.

    Examples:
        >>> print(ops.tril(Tensor([[1, 2], [3, 4]])))
        [[1 0]
         [3 4]]
    """
    return apply(K.tril, (need_tensor("tril", "input", input),), k=int(diagonal))


@op(method=True, mint=True, primitive=prim("Triu", diagonal=0))
def triu(input, diagonal=0):
    """The upper triangle of matrices, from a diagonal on; zeros elsewhere.

    Examples:
        >>> print(ops.triu(Tensor([[1, 2], [3, 4]])))
        [[1 2]
         [0 4]]
    """
    return apply(K.triu, (need_tensor("triu", "input", input),), k=int(diagonal))


def _indices(name, find, primitive):
    def f(row, col, offset=0, *, dtype=mstype.int64):
        return Tensor(np.stack(find(row, offset, col)).astype(to_jax_dtype(dtype)))

    f.__name__ = f.__qualname__ = name
    f.__module__, f.__doc__ = __name__, f"Row and column numbers (2, n) of the elements that `{name[:4]}` keeps in a `row` by `col` matrix; int64."

    def call(self):
        return f(self.row, self.col, self.offset, dtype=self.dtype)

    return op(mint=True, primitive=prim(primitive, row=prim.required, col=prim.required, offset=0, dtype=mstype.int32, call=call))(f)


tril_indices = _indices("tril_indices", np.tril_indices, "TrilIndices")
triu_indices = _indices("triu_indices", np.triu_indices, "TriuIndices")


@op(primitive=prim("Diag"))
def diag(input):
    """A tensor of shape `input.shape + input.shape` with the elements of `input` on its diagonal: a matrix for a vector.

    Examples:
        >>> print(ops.diag(Tensor([1, 2])))
        [[1 0]
         [0 2]]
    """
    return apply(K.diag, (need_tensor("diag", "input", input).reshape(-1),), k=0).reshape(input.shape + input.shape)


@method("diag")
def _diag_method(self, diagonal=None):
    """See `ops.diag`; with `diagonal`, a matrix with a vector on that diagonal, or that diagonal of a matrix."""
    return diag(self) if diagonal is None else apply(K.diag, (self,), k=int(diagonal))


def _mint_diag(input, diagonal=0):
    """A matrix with a vector on a diagonal, or a diagonal of a matrix."""
    return apply(K.diag, (input,), k=int(diagonal))


_table.mint["diag"] = _mint_diag


@op(method=True, mint=True)
def diagflat(input, offset=0):
    """A matrix with the elements of `input` on a diagonal.

    Examples:
        >>> print(ops.diagflat(Tensor([1]), 1))
        [[0 1]
         [0 0]]
    """
    return apply(K.diag, (input.reshape(-1),), k=int(offset))


@op(mint=True)
def diagonal(input, offset=0, dim1=0, dim2=1):
    """A diagonal of two axes, as the last axis.

    Examples:
        >>> print(ops.diagonal(Tensor([[1, 2], [3, 4]])))
        [1 4]
    """
    return apply(K.diagonal, (input,), offset=int(offset), axis1=axis_of("diagonal", dim1, input.ndim), axis2=axis_of("diagonal", dim2, input.ndim))


@method("diagonal")
def _diagonal_method(self, offset=0, axis1=0, axis2=1, *, dim1=None, dim2=None):
    """A diagonal of two axes, as the last axis."""
    return diagonal(self, offset, axis1 if dim1 is None else dim1, axis2 if dim2 is None else dim2)


@op(mint=True)
def diag_embed(input, offset=0, dim1=-2, dim2=-1):
    """Matrices with the last axis of `input` on a diagonal."""
    return apply(K.diag_embed, (input,), offset=int(offset), axis1=int(dim1), axis2=int(dim2))


@op(method=True, mint=True)
def diagonal_scatter(input, src, offset=0, dim1=0, dim2=1):
    """A copy of `input` with `src` on a diagonal of two axes.

    Examples:
        >>> print(ops.diagonal_scatter(Tensor([[1, 2], [3, 4]]), Tensor([0, 0])))
        [[0 2]
         [3 0]]
    """
    axis1, axis2 = axis_of("diagonal_scatter", dim1, input.ndim), axis_of("diagonal_scatter", dim2, input.ndim)
    return apply(D.diagonal_scatter, (input, src), offset=int(offset), axis1=axis1, axis2=axis2)


def _with_diagonal(x, fill_value, wrap=False):
    """A copy of a matrix (or a tensor with equal sizes) with a constant on its diagonal; with `wrap`, of a tall one again and again."""
    if x.ndim < 2 or (x.ndim > 2 and len(set(x.shape)) > 1):
        raise ValueError(f"For 'fill_diagonal', a matrix or a tensor with equal sizes is needed, but got shape {x.shape}.")
    return apply(D.fill_diagonal, (x, fill_value), wrap=bool(wrap))


method("fill_diagonal")(_with_diagonal)


@op(primitive=prim("FillDiagonal", fill_value=prim.required, wrap=False))
def fill_diagonal(input, fill_value, wrap=False):
    """A copy of a matrix (or a tensor with equal sizes) with a constant on its diagonal; with `wrap`, of a tall one again and again."""
    return _with_diagonal(input, fill_value, wrap)


@op(primitive=prim("MatrixBandPart"))
def matrix_band_part(x, lower, upper):
    """Matrices with zeros outside `lower` diagonals below and `upper` above the main one; negative: all of them.

    Examples:
        >>> print(ops.matrix_band_part(Tensor([[1, 2], [3, 4]]), 0, 0))
        [[1 0]
         [0 4]]
    """
    return apply(D.band_part, (x,), lower=int(lower), upper=int(upper))


_ALIGN = ("LEFT_RIGHT", "RIGHT_LEFT", "LEFT_LEFT", "RIGHT_RIGHT")


def _range_of(name, k, align):
    k = ints(name, "k", k)
    low, high = k[0], k[-1]
    if align not in _ALIGN:
        raise ValueError(f"For '{name}', 'align' should be one of {_ALIGN}, but got {align!r}.")
    if len(k) > 2 or low > high:
        raise ValueError(f"For '{name}', 'k' should be one diagonal or the lowest and the highest, but got {k}.")
    return low, high


@op(primitive=prim("MatrixDiagV3", align="RIGHT_LEFT"))
def matrix_diag(x, k=0, num_rows=-1, num_cols=-1, padding_value=0, align="RIGHT_LEFT"):
    """Matrices with the last axis (or two axes) of `x` on diagonal `k` (or diagonals k[0] to k[1]); `padding_value` elsewhere.

    Args:
        num_rows, num_cols: sizes of the matrices; -1 for the smallest that fit. Default: -1.
        align: where shorter diagonals start, above and below the main one. Default: "RIGHT_LEFT".

    Examples:
        >>> print(ops.matrix_diag(Tensor([1, 2])))
        [[1 0]
         [0 2]]
    """
    low, high = _range_of("matrix_diag", k, align)
    longest = x.shape[-1]
    rows, cols = int(num_rows), int(num_cols)
    least_rows, least_cols = longest - min(high, 0), longest + max(low, 0)
    if rows < 0 and cols < 0:
        rows = cols = max(least_rows, least_cols)
    rows, cols = (least_rows if rows < 0 else rows), (least_cols if cols < 0 else cols)
    if high != low and (x.ndim < 2 or x.shape[-2] != high - low + 1):
        raise ValueError(f"For 'matrix_diag', the last axis but one should have the size {high - low + 1} of the range {k}, but got {x.shape}.")
    return apply(D.matrix_diag, (x, padding_value), low=low, high=high, rows=rows, cols=cols, align=align)


@op(primitive=prim("MatrixDiagPartV3", align="RIGHT_LEFT"))
def matrix_diag_part(x, k, padding_value, align="RIGHT_LEFT"):
    """Diagonal `k` (or diagonals k[0] to k[1]) of matrices, shorter ones filled up with `padding_value`; see `matrix_diag`."""
    low, high = _range_of("matrix_diag_part", k, align)
    return apply(D.matrix_diag_part, (x, padding_value), low=low, high=high, align=align)


@op(primitive=prim("MatrixSetDiagV3", align="RIGHT_LEFT"))
def matrix_set_diag(x, diagonal, k=0, align="RIGHT_LEFT"):
    """A copy of matrices with diagonal `k` (or diagonals k[0] to k[1]) replaced; see `matrix_diag`.

    Examples:
        >>> print(ops.matrix_set_diag(Tensor([[1, 2], [3, 4]]), Tensor([0, 0])))
        [[0 2]
         [3 0]]
    """
    low, high = _range_of("matrix_set_diag", k, align)
    return apply(D.matrix_set_diag, (x, diagonal), low=low, high=high, align=align)
