"""Shapes and elements, with PyTorch's arguments."""

from sporax import ops
from sporax._core.tensor import Tensor
from sporax.ops.scatter import scatter as scattered


def transpose(input, dim0, dim1):
    """Two axes exchanged.

    Examples:
        >>> ms.mint.transpose(ops.ones((2, 3, 4)), 0, 2).shape
        (4, 3, 2)
    """
    return ops.swapaxes(input, dim0, dim1)


def t(input):
    """A matrix transposed; vectors and numbers as they are.

    Raises:
        ValueError: more than two axes.
    """
    if input.ndim > 2:
        raise ValueError(f"For 't', 'input' should have at most 2 axes, but got shape {input.shape}: use mint.transpose(input, dim0, dim1).")
    return ops.swapaxes(input, 0, 1) if input.ndim == 2 else input


def flatten(input, start_dim=0, end_dim=-1):
    """The axes from `start_dim` to `end_dim` as one."""
    return ops.flatten(input, start_dim=start_dim, end_dim=end_dim)


def permute(input, dims):
    """The axes in another order."""
    return ops.permute(input, dims)


def select(input, dim, index):
    """The slice at an index of an axis, without the axis.

    Examples:
        >>> ms.mint.select(Tensor([[1, 2], [3, 4]]), 1, 0).tolist()
        [1, 3]
    """
    return input[(slice(None),) * (dim % input.ndim) + (index,)]


def narrow(input, dim, start, length):
    """`length` slices of an axis, from `start`."""
    return ops.narrow(input, dim, start, length)


def index_select(input, dim, index):
    """The slices of an axis at the indices of a 1-d Tensor."""
    return ops.index_select(input, dim, index)


def gather(input, dim, index):
    """An element for each index, along an axis: out[i][j] = input[index[i][j]][j] (for dim 0)."""
    return ops.gather_elements(input, dim, index)


def scatter(input, dim, index, src):
    """A copy whose elements at `index` along an axis are those of `src`, a Tensor or number."""
    return scattered(input, dim, index, src if isinstance(src, Tensor) else ops.full_like(index, src, dtype=input.dtype))


def index_add(input, dim, index, source, *, alpha=1):
    """A copy with alpha `source` added to slices along an axis."""
    return input.index_add(dim, index, source, alpha=alpha)


def take(input, index):
    """The elements at indices of the flattened Tensor, in the shape of `index`."""
    return input.reshape(-1)[index]


def clone(input):
    """A copy."""
    return input.copy()


def meshgrid(*tensors, indexing=None):
    """Coordinates of a grid from those along each axis; "ij" (also for None) or "xy" order of the first two axes."""
    return ops.meshgrid(*tensors, indexing="ij" if indexing is None else indexing)


def vdot(input, other):
    """The sum of products of two vectors, the first one conjugated."""
    return ops.dot(ops.conj(input) if input.dtype.is_complex else input, other)


def cdist(x1, x2, p=2.0, compute_mode="use_mm_for_euclid_dist_if_necessary"):
    """Distances between the rows of two batches of matrices.

    Args:
        x1, x2: shapes (..., P, M) and (..., R, M).
        p: of the norm. Default: 2.0.
        compute_mode: how PyTorch would compute; the compiler chooses here.

    Raises:
        ValueError: an unknown `compute_mode`.
    """
    modes = [f"{word}use_mm_for_euclid_dist{rest}" for word, rest in (("", "_if_necessary"), ("", ""), ("donot_", ""))]
    if compute_mode not in modes:
        raise ValueError(f"For 'cdist', 'compute_mode' should be one of {modes}, but got {compute_mode!r}.")
    return ops.cdist(x1, x2, p)


def baddbmm(input, batch1, batch2, *, beta=1, alpha=1):
    """beta input + alpha batch1 @ batch2, matrix by matrix."""
    return ops.baddbmm(input, batch1, batch2, beta, alpha)


def bmm(input, mat2):
    """Products of the matrices of two batches."""
    return ops.bmm(input, mat2)


def addcdiv(input, tensor1, tensor2, *, value=1):
    """input + value tensor1 / tensor2."""
    return ops.addcdiv(input, tensor1, tensor2, value)
