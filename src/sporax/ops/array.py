"""Shapes, joins, repeats."""

import itertools
import math

from sporax._core.dispatch import apply
from sporax._core.tensor import Tensor
from sporax._kernels import array as K
from sporax.ops._args import axes_of, axis_of, ints, need_tensor
from sporax.ops._table import method, op, prim


def _sizes(op_name, shape, size):
    """A target shape with at most one -1 filled in."""
    shape = ints(op_name, "shape", shape)
    if shape.count(-1) > 1 or any(d < -1 for d in shape):
        raise ValueError(f"For '{op_name}', 'shape' should have non-negative sizes and at most one -1, but got {shape}.")
    known = math.prod(d for d in shape if d != -1)
    if -1 in shape:
        if known == 0 and size == 0:
            known = 1
        if known == 0 or size % known:
            raise ValueError(f"For '{op_name}', a tensor of {size} elements does not fit shape {shape}.")
        shape = tuple(size // known if d == -1 else d for d in shape)
    elif known != size:
        raise ValueError(f"For '{op_name}', a tensor of {size} elements does not fit shape {shape} of {known}.")
    return shape


@op(mint=True, primitive=prim("Reshape"))
def reshape(input, shape):
    """The same elements, in order, in another shape.

    Args:
        input (Tensor): any shape.
        shape: a tuple or list of ints; one may be -1.

    Raises:
        ValueError: the number of elements differs.

    Examples:
        >>> print(ops.reshape(Tensor([1, 2, 3, 4]), (2, -1)))
        [[1 2]
         [3 4]]
    """
    need_tensor("reshape", "input", input)
    return apply(K.reshape, (input,), shape=_sizes("reshape", shape, input.size))


@method("reshape", "view")
def _reshape_method(self, *shape):
    """The same elements in another shape, given as ints or as one tuple."""
    return reshape(self, shape[0] if len(shape) == 1 else shape)


@method("reshape_as", "view_as")
def _reshape_as(self, other):
    """The same elements in the shape of `other`."""
    return reshape(self, other.shape)


def _permutation(name, axes, ndim):
    axes = ints(name, "axes", axes)
    if len(axes) != ndim or sorted(a % ndim if -ndim <= a < ndim else -1 for a in axes) != list(range(ndim)):
        raise ValueError(f"For '{name}', the axes should be a permutation of 0..{ndim - 1}, but got {axes}.")
    return tuple(a % ndim for a in axes)


@op(primitive=prim("Transpose"))
def transpose(input, dims):
    """Axes in another order.

    Args:
        dims: a permutation of the axes.

    Raises:
        ValueError: `dims` is not a permutation of all axes.

    Examples:
        >>> ops.transpose(Tensor(np.zeros((1, 2, 3))), (2, 0, 1)).shape
        (3, 1, 2)
    """
    need_tensor("transpose", "input", input)
    return apply(K.transpose, (input,), axes=_permutation("transpose", dims, input.ndim))


@method("transpose")
def _transpose_method(self, *axes, dim0=None, dim1=None):
    """Axes in another order: `x.transpose()` reverses all; `x.transpose(0, 2, 1)` or one tuple names the order; two ints (`dim0`, `dim1`) are swapped."""
    if dim1 is not None:
        return swapaxes(self, axes[0] if axes else dim0, dim1)
    if not axes:
        return apply(K.transpose, (self,), axes=tuple(reversed(range(self.ndim))))
    if len(axes) == 2:
        return swapaxes(self, *axes)
    return transpose(self, axes[0] if len(axes) == 1 and not isinstance(axes[0], int) else axes)


@op(mint=True)
def permute(input, axis):
    """Axes in another order; see `transpose`."""
    return transpose(input, axis)


@method("permute")
def _permute_method(self, *axis):
    """Axes in another order, given as ints or as one tuple."""
    return transpose(self, axis[0] if len(axis) == 1 and not isinstance(axis[0], int) else axis)


Tensor.T = property(lambda self: _transpose_method(self), doc="The tensor with its axes reversed.")
Tensor.H = property(lambda self: t(self) if self.ndim < 2 else swapaxes(self, 0, 1).conj(), doc="A matrix conjugated and transposed.")
Tensor.mH = property(lambda self: swapaxes(self, -1, -2).conj(), doc="The tensor conjugated, with its last two axes swapped.")
Tensor.mT = property(lambda self: swapaxes(self, -1, -2), doc="The tensor with its last two axes swapped.")


@op(mint=True)
def swapdims(input, dim0, dim1):
    """Two axes exchanged; see `swapaxes`."""
    return swapaxes(input, dim0, dim1)


method("swapdims")(swapdims)


@op(method=True, mint=True)
def swapaxes(input, axis0, axis1):
    """Two axes exchanged.

    Examples:
        >>> ops.swapaxes(Tensor(np.zeros((1, 2, 3))), 0, 2).shape
        (3, 2, 1)
    """
    axes = list(range(input.ndim))
    a, b = axis_of("swapaxes", axis0, input.ndim), axis_of("swapaxes", axis1, input.ndim)
    axes[a], axes[b] = axes[b], axes[a]
    return apply(K.transpose, (input,), axes=tuple(axes))


@op(method=True)
def t(input):
    """A matrix transposed; tensors with more or fewer axes as they are."""
    return swapaxes(input, 0, 1) if input.ndim == 2 else input


@op(method=("movedim", "moveaxis"), aliases=("moveaxis",))
def movedim(x, source, destination):
    """Axes moved to other places; the rest keep their order.

    Examples:
        >>> ops.movedim(Tensor(np.zeros((1, 2, 3))), 0, 2).shape
        (2, 3, 1)
    """
    return apply(K.moveaxis, (x,), source=ints("movedim", "source", source), destination=ints("movedim", "destination", destination))


@op(method=True, primitive=prim("ExpandDims"))
def expand_dims(input_x, axis):
    """A new axis of size 1 at `axis` (an int or a tuple of ints).

    Examples:
        >>> ops.expand_dims(Tensor([1, 2]), 0).shape
        (1, 2)
    """
    need_tensor("expand_dims", "input_x", input_x)
    axes = ints("expand_dims", "axis", axis)
    n = input_x.ndim + len(axes)
    for a in axes:
        axis_of("expand_dims", a, n)
    return apply(K.expand_dims, (input_x,), axes=axes)


@op(method=True, mint=True)
def unsqueeze(input, dim):
    """A new axis of size 1; see `expand_dims`."""
    return expand_dims(input, dim)


@op(method=True, mint=True, primitive=prim("Squeeze", axis=()))
def squeeze(input, axis=None, *, dim=None):
    """Axes of size 1 removed: all, or those named that have it.

    Raises:
        ValueError: a named axis does not exist.

    Examples:
        >>> ops.squeeze(Tensor([[1, 2]])).shape
        (2,)
    """
    need_tensor("squeeze", "input", input)
    axes = axes_of("squeeze", axis if dim is None else dim, input.ndim)
    if axes is None:
        axes = tuple(i for i, d in enumerate(input.shape) if d == 1)
    return apply(K.squeeze, (input,), axes=tuple(a for a in axes if input.shape[a] == 1))


def _flatten_primitive(self, x):
    return flatten(x)


@op(primitive=prim("Flatten", call=_flatten_primitive))
def flatten(input, order="C", *, start_dim=1, end_dim=-1):
    """Axes `start_dim` to `end_dim` joined into one.

    Args:
        order: "C" (row-major) or "F" (column-major). Default: "C".

    Examples:
        >>> ops.flatten(Tensor(np.zeros((2, 3, 4)))).shape
        (2, 12)
    """
    if order not in ("C", "F"):
        raise ValueError(f"For 'flatten', 'order' should be 'C' or 'F', but got {order!r}.")
    if order == "F":
        input = _transpose_method(input)
    if input.ndim < 2 and start_dim == 1:
        return reshape(input, (-1,)) if input.ndim == 0 else input
    first, last = axis_of("flatten", start_dim, input.ndim), axis_of("flatten", end_dim, input.ndim)
    if first > last:
        raise ValueError(f"For 'flatten', 'start_dim' ({start_dim}) should not come after 'end_dim' ({end_dim}).")
    return reshape(input, (*input.shape[:first], math.prod(input.shape[first : last + 1]), *input.shape[last + 1 :]))


@method("flatten")
def _flatten_method(self, *args, order="C", start_dim=0, end_dim=-1):
    """All axes (or `start_dim` to `end_dim`) joined into one; called with `order` or with the two axes."""
    if args and isinstance(args[0], str):
        order, *args = args
    start_dim, end_dim = (*args, end_dim)[:2] if args else (start_dim, end_dim)
    return flatten(self, order, start_dim=start_dim, end_dim=end_dim)


@op(method=True)
def ravel(input):
    """All axes joined into one."""
    return reshape(input, (-1,))


@op(mint=True, primitive=prim("BroadcastTo", shape=prim.required))
def broadcast_to(input, shape):
    """Repeated along new axes and axes of size 1 to `shape`; -1 keeps a size.

    Raises:
        ValueError: the shapes do not fit.

    Examples:
        >>> print(ops.broadcast_to(Tensor([1, 2]), (2, 2)))
        [[1 2]
         [1 2]]
    """
    shape = ints("broadcast_to", "shape", shape)
    lead = len(shape) - input.ndim
    if lead < 0 or any(d == -1 and i < lead for i, d in enumerate(shape)):
        raise ValueError(f"For 'broadcast_to', shape {input.shape} does not broadcast to {shape}.")
    full = tuple(input.shape[i - lead] if d == -1 else d for i, d in enumerate(shape))
    if any(i >= lead and input.shape[i - lead] not in (1, d) for i, d in enumerate(full)):
        raise ValueError(f"For 'broadcast_to', shape {input.shape} does not broadcast to {shape}.")
    return apply(K.broadcast_to, (input,), shape=full)


@method("broadcast_to", "expand")
def _broadcast_method(self, *shape):
    """Repeated to a shape given as ints or one tuple."""
    return broadcast_to(self, shape[0] if len(shape) == 1 else shape)


@op()
def expand(input_x, size):
    """Broadcast to a shape given as a 1-d integer Tensor (or ints); see `broadcast_to`."""
    return broadcast_to(input_x, size)


@op(method=True)
def expand_as(input, other):
    """Broadcast to the shape of `other`."""
    return broadcast_to(input, other.shape)


@op(mint=True, primitive=prim("Tile"))
def tile(input, dims):
    """Repeated `dims[i]` times along each axis.

    Examples:
        >>> print(ops.tile(Tensor([1, 2]), (2,)))
        [1 2 1 2]
    """
    return apply(K.tile, (input,), reps=ints("tile", "dims", dims))


@method("tile", "repeat")
def _tile_method(self, *dims):
    """Repeated along each axis, counts given as ints or one tuple."""
    return tile(self, dims[0] if len(dims) == 1 else dims)


@op(method=True, mint=True)
def repeat_interleave(input, repeats, axis=None, *, dim=None):
    """Each element repeated along `axis` (of the flattened tensor if None).

    Examples:
        >>> print(ops.repeat_interleave(Tensor([1, 2]), 2))
        [1 1 2 2]
    """
    axis = axis if dim is None else dim
    repeats = ints("repeat_interleave", "repeats", repeats)
    return apply(K.repeat_interleave, (input,), repeats=repeats[0] if len(repeats) == 1 else repeats, axis=axis)


@op()
def repeat_elements(x, rep, axis=0):
    """Each slice along `axis` repeated `rep` times."""
    return repeat_interleave(x, rep, axis)


def _tensors(name, xs):
    if isinstance(xs, Tensor):
        return tuple(xs)
    if not isinstance(xs, tuple | list) or not xs:
        raise TypeError(f"For '{name}', the input should be a non-empty tuple or list of Tensors, but got {xs!r}.")
    for x in xs:
        if not isinstance(x, Tensor):
            raise TypeError(f"For '{name}', each input should be a Tensor, but got {x!r} of type {type(x).__name__}.")
    return tuple(xs)


def _concat(name, xs, axis):
    xs = _tensors(name, xs)
    axis = axis_of(name, axis, xs[0].ndim)
    for i, x in enumerate(xs):
        if x.ndim != xs[0].ndim or any(a != b for d, (a, b) in enumerate(zip(x.shape, xs[0].shape)) if d != axis):
            raise ValueError(
                f"For '{name}', all inputs should have the same shape except along axis {axis}, but input 0 has {xs[0].shape} "
                f"and input {i} has {x.shape}."
            )
    return apply(K.concat, xs, axis=axis)


@op(primitive=prim("Concat", axis=0))
def concat(tensors, axis=0):
    """Tensors joined along an existing axis.

    Raises:
        ValueError: the shapes differ along another axis.
        TypeError: `tensors` is not a non-empty tuple or list of Tensors.

    Examples:
        >>> print(ops.concat((Tensor([1]), Tensor([2, 3]))))
        [1 2 3]
    """
    return _concat("concat", tensors, axis)


@op(mint=("cat", "concat"))
def cat(tensors, axis=0, *, dim=None):
    """Tensors joined along an existing axis; see `concat`."""
    return _concat("cat", tensors, axis if dim is None else dim)


@op(mint=True, primitive=(prim("Stack", axis=0), prim("Pack", axis=0)))
def stack(tensors, axis=0, *, dim=None):
    """Tensors of one shape joined along a new axis.

    Raises:
        ValueError: the shapes differ.

    Examples:
        >>> print(ops.stack([Tensor([1, 2]), Tensor([3, 4])]))
        [[1 2]
         [3 4]]
    """
    xs = _tensors("stack", tensors)
    axis = axis_of("stack", axis if dim is None else dim, xs[0].ndim + 1)
    for i, x in enumerate(xs):
        if x.shape != xs[0].shape:
            raise ValueError(f"For 'stack', all inputs should have one shape, but input 0 has {xs[0].shape} and input {i} has {x.shape}.")
    return apply(K.stack, xs, axis=axis)


def _split_primitive(self, x):
    axis = axis_of("Split", self.axis, x.ndim)
    if x.shape[axis] % self.output_num:
        raise ValueError(f"For 'Split', axis {axis} of size {x.shape[axis]} does not divide into {self.output_num} parts.")
    return split(x, x.shape[axis] // self.output_num, axis)


@op(method=True, mint=True, primitive=prim("Split", axis=0, output_num=1, call=_split_primitive))
def split(tensor, split_size_or_sections, axis=0, *, dim=None):
    """Pieces along an axis: all of one size (the last may be smaller), or of the sizes given.

    Raises:
        ValueError: the sizes don't add up to the axis.

    Examples:
        >>> [p.shape for p in ops.split(Tensor(np.zeros(5)), 2)]
        [(2,), (2,), (1,)]
    """
    axis = axis_of("split", axis if dim is None else dim, tensor.ndim)
    n = tensor.shape[axis]
    if isinstance(split_size_or_sections, int):
        k = split_size_or_sections
        if k <= 0:
            raise ValueError(f"For 'split', the size of the pieces should be positive, but got {k}.")
        sections = tuple(min(k, n - i) for i in range(0, n, k)) or (0,)
    else:
        sections = ints("split", "split_size_or_sections", split_size_or_sections)
        if sum(sections) != n or any(s < 0 for s in sections):
            raise ValueError(f"For 'split', the sizes {sections} should add up to {n}, the size of axis {axis}.")
    return apply(K.split, (tensor,), sections=sections, axis=axis)


@op(method=True, mint=True)
def chunk(input, chunks, axis=0, *, dim=None):
    """About `chunks` pieces of equal size along an axis.

    Examples:
        >>> [p.shape for p in ops.chunk(Tensor(np.zeros(5)), 2)]
        [(3,), (2,)]
    """
    axis = axis_of("chunk", axis if dim is None else dim, input.ndim)
    return split(input, max(1, -(-input.shape[axis] // chunks)), axis)


@op(method=True)
def tensor_split(input, indices_or_sections, axis=0):
    """Pieces along an axis: `n` nearly equal ones, or cut at the given indices."""
    n = input.shape[axis_of("tensor_split", axis, input.ndim)]
    if isinstance(indices_or_sections, int):
        k, extra = divmod(n, indices_or_sections)
        return split(input, [k + 1] * extra + [k] * (indices_or_sections - extra), axis)
    cuts = [0, *(min(i if i >= 0 else n + i, n) for i in indices_or_sections), n]
    return split(input, [max(b - a, 0) for a, b in itertools.pairwise(cuts)], axis)


def _unstack_primitive(self, x):
    if self.num is not None and self.num != x.shape[axis_of("Unstack", self.axis, x.ndim)]:
        raise ValueError(f"For 'Unstack', 'num' ({self.num}) should be the size of axis {self.axis} of shape {x.shape}.")
    return unbind(x, self.axis)


@op(primitive=prim("Unstack", axis=0, num=None, call=_unstack_primitive))
def unstack(input_x, axis=0):
    """The slices along an axis, without it; see `unbind`."""
    return unbind(input_x, axis)


@op(method=True, mint=("unbind",))
def unbind(input, dim=0):
    """The slices along an axis, without it.

    Examples:
        >>> [x.tolist() for x in ops.unbind(Tensor([[1, 2], [3, 4]]))]
        [[1, 2], [3, 4]]
    """
    return apply(K.unstack, (input,), axis=axis_of("unbind", dim, input.ndim))


@op(mint=True)
def flip(input, dims):
    """The order along axes reversed.

    Examples:
        >>> print(ops.flip(Tensor([1, 2, 3]), (0,)))
        [3 2 1]
    """
    return apply(K.flip, (input,), axes=axes_of("flip", dims, input.ndim))


@method("flip")
def _flip_method(self, *dims):
    """The order along axes reversed, given as ints or one tuple."""
    return flip(self, dims[0] if len(dims) == 1 else dims)


@op(primitive=prim("ReverseV2", axis=prim.required))
def reverse(x, axis):
    """The order along axes reversed."""
    return flip(x, axis)


@op(method=True, mint=True)
def roll(input, shifts, dims=None):
    """Elements moved cyclically along axes (of the flattened tensor if None).

    Examples:
        >>> print(ops.roll(Tensor([1, 2, 3]), 1))
        [3 1 2]
    """
    dims = None if dims is None else ints("roll", "dims", dims)
    shifts = ints("roll", "shifts", shifts)
    return apply(K.roll, (input,), shifts=shifts if dims else shifts[0], axes=dims)
