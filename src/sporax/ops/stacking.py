"""Joins and splits along a named axis, tensors with at least so many axes, combinations."""

import itertools

import numpy as np

from sporax._core.tensor import Tensor
from sporax.ops._args import ints, need_tensor
from sporax.ops._table import op
from sporax.ops.array import _concat, _tensors, broadcast_to, flip, reshape, stack, swapaxes, tensor_split, transpose


@op()
def vstack(inputs):
    """Tensors joined along the first axis; 1-d ones are rows.

    Examples:
        >>> print(ops.vstack((Tensor([1, 2]), Tensor([3, 4]))))
        [[1 2]
         [3 4]]
    """
    return _concat("vstack", [atleast_2d(x) for x in _tensors("vstack", inputs)], 0)


@op()
def row_stack(tensors):
    """See `vstack`."""
    return vstack(tensors)


@op()
def hstack(tensors):
    """Tensors joined along the second axis; 1-d ones along the first.

    Examples:
        >>> print(ops.hstack((Tensor([1, 2]), Tensor([3]))))
        [1 2 3]
    """
    xs = [atleast_1d(x) for x in _tensors("hstack", tensors)]
    return _concat("hstack", xs, 0 if xs[0].ndim == 1 else 1)


@op()
def dstack(tensors):
    """Tensors joined along the third axis.

    Examples:
        >>> ops.dstack((Tensor([1, 2]), Tensor([3, 4]))).shape
        (1, 2, 2)
    """
    return _concat("dstack", [atleast_3d(x) for x in _tensors("dstack", tensors)], 2)


@op()
def column_stack(tensors):
    """Tensors joined along the second axis; 1-d ones are columns.

    Examples:
        >>> print(ops.column_stack((Tensor([1, 2]), Tensor([3, 4]))))
        [[1 3]
         [2 4]]
    """
    return _concat("column_stack", [reshape(x, (-1, 1)) if x.ndim < 2 else x for x in _tensors("column_stack", tensors)], 1)


def _splits(name, axis):
    def f(input, indices_or_sections):
        own = 0 if axis == 1 and input.ndim == 1 else axis
        if input.ndim <= own:
            raise ValueError(f"For '{name}', the input should have at least {own + 1} axes, but got shape {input.shape}.")
        return tensor_split(input, indices_or_sections, own)

    f.__name__ = f.__qualname__ = name
    f.__module__, f.__doc__ = __name__, f"`tensor_split` along axis {axis}."
    return op(method=True)(f)


vsplit, hsplit, dsplit = _splits("vsplit", 0), _splits("hsplit", 1), _splits("dsplit", 2)


def _at_least(name, grow):
    def f(inputs):
        if isinstance(inputs, tuple | list):
            return tuple(grow(need_tensor(name, "inputs", x)) for x in inputs)
        return grow(need_tensor(name, "inputs", inputs))

    f.__name__ = f.__qualname__ = name
    f.__module__, f.__doc__ = __name__, f"A tensor, or each of a tuple of them, with at least {name[8]} axes: missing ones have size 1."
    return op(mint=True)(f)


def _three(x):
    return reshape(x, (1, -1, 1)) if x.ndim < 2 else reshape(x, (*x.shape, 1)) if x.ndim == 2 else x


atleast_1d = _at_least("atleast_1d", lambda x: x if x.ndim else reshape(x, (1,)))
atleast_2d = _at_least("atleast_2d", lambda x: x if x.ndim > 1 else reshape(x, (1, -1)))
atleast_3d = _at_least("atleast_3d", _three)


@op(method=True)
def flipud(input):
    """The order along the first axis reversed."""
    return flip(input, (0,))


@op(method=True)
def fliplr(input):
    """The order along the second axis reversed.

    Raises:
        ValueError: the input has fewer than two axes.
    """
    if input.ndim < 2:
        raise ValueError(f"For 'fliplr', the input should have at least two axes, but got shape {input.shape}.")
    return flip(input, (1,))


@op(method=True, mint=True)
def rot90(input, k, dims):
    """Turned by `k` quarters in the plane of two axes, from the first towards the second.

    Examples:
        >>> print(ops.rot90(Tensor([[1, 2], [3, 4]]), 1, (0, 1)))
        [[2 4]
         [1 3]]
    """
    a, b = (d % input.ndim for d in ints("rot90", "dims", dims))
    if a == b:
        raise ValueError(f"For 'rot90', 'dims' should be two different axes, but got {dims}.")
    k %= 4
    if k == 0:
        return input
    if k == 2:
        return flip(input, (a, b))
    return swapaxes(flip(input, (b,)), a, b) if k == 1 else flip(swapaxes(input, a, b), (b,))


@op()
def block_diag(*inputs):
    """A matrix with the inputs (up to 2-d) as blocks along its diagonal, zeros elsewhere.

    Examples:
        >>> print(ops.block_diag(Tensor([[1, 2]]), Tensor([3])))
        [[1 2 0]
         [0 0 3]]
    """
    from sporax.ops.slicing import pad

    blocks = [atleast_2d(x) for x in inputs]
    for x in blocks:
        if x.ndim > 2:
            raise ValueError(f"For 'block_diag', the inputs should have at most two axes, but got shape {x.shape}.")
    width, left, rows = sum(x.shape[1] for x in blocks), 0, []
    for x in blocks:
        rows.append(pad(x, (left, width - left - x.shape[1])))
        left += x.shape[1]
    return _concat("block_diag", rows, 0)


@op()
def cartesian_prod(*inputs):
    """All combinations of an element of each 1-d input, as rows.

    Examples:
        >>> print(ops.cartesian_prod(Tensor([1, 2]), Tensor([3, 4])))
        [[1 3]
         [1 4]
         [2 3]
         [2 4]]
    """
    if len(inputs) == 1:
        return inputs[0]
    sizes = [x.shape[0] for x in inputs]
    columns = [broadcast_to(reshape(x, [-1 if i == j else 1 for j in range(len(sizes))]), sizes) for i, x in enumerate(inputs)]
    return reshape(stack(columns, -1), (-1, len(inputs)))


@op()
def combinations(input, r=2, with_replacement=False):
    """All combinations of `r` elements of a 1-d tensor, as rows.

    Examples:
        >>> print(ops.combinations(Tensor([1, 2, 3])))
        [[1 2]
         [1 3]
         [2 3]]
    """
    choose = itertools.combinations_with_replacement if with_replacement else itertools.combinations
    rows = np.array(list(choose(range(input.shape[0]), r)), np.int64).reshape(-1, r)
    return input[Tensor(rows)]


@op()
def vander(x, N=None):
    """Powers N - 1 down to 0 (N: the length of `x` by default) of a 1-d tensor, as columns.

    Examples:
        >>> print(ops.vander(Tensor([1.0, 2.0]), 3))
        [[1. 1. 1.]
         [4. 2. 1.]]
    """
    n = x.shape[0] if N is None else int(N)
    return transpose(reshape(x, (1, -1)) ** Tensor(np.arange(n - 1, -1, -1).reshape(-1, 1)).astype(x.dtype), (1, 0))
