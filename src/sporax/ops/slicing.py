"""Padding and slicing."""

import builtins

from sporax._core.dispatch import apply
from sporax._core.tensor import Tensor
from sporax._kernels import array as K
from sporax.ops._args import axis_of, ints
from sporax.ops._table import op, prim


def _pad_v3_primitive(self, x, paddings, value=None):
    paddings = list(ints("PadV3", "paddings", paddings))
    if not self.paddings_contiguous:  # all befores, then all afters
        half = len(paddings) // 2
        paddings = [p for pair in zip(paddings[:half], paddings[half:]) for p in pair]
    return pad(x, paddings, {"edge": "replicate", "wrap": "circular"}.get(self.mode) or self.mode, value)


def _pad_primitive(self, x):
    pairs = self.paddings
    return apply(K.pad_constant, (x, 0), widths=tuple((int(a), int(b)) for a, b in pairs))


def _mirror_primitive(self, x, paddings):
    mode = {"REFLECT": "reflect", "SYMMETRIC": "symmetric"}[self.mode]
    return apply(K.pad_mode, (x,), widths=tuple(map(tuple, paddings.tolist() if isinstance(paddings, Tensor) else paddings)), mode=mode)


@op(
    mint="nn.functional.pad",
    primitive=(
        prim("Pad", paddings=prim.required, call=_pad_primitive),
        prim("PadV3", mode="constant", paddings_contiguous=True, call=_pad_v3_primitive),
        prim("MirrorPad", mode="REFLECT", call=_mirror_primitive),
    ),
)
def pad(input_x, padding, mode="constant", value=None):
    """Padded with a constant, or by reflecting, repeating or wrapping the edges.

    Args:
        input_x (Tensor): any shape.
        padding: (before, after) of the last axis, then of the one before it, and so on. Negative widths crop (constant mode).
        mode: "constant", "reflect", "replicate" or "circular". Default: "constant".
        value: the constant. Default: None, 0.

    Raises:
        ValueError: an odd number of widths, too many of them, another mode, or `value` in another mode than "constant".

    Examples:
        >>> print(ops.pad(Tensor([1.0, 2.0]), (1, 0), value=9.0))
        [9. 1. 2.]
    """
    padding = ints("pad", "padding", padding)
    if len(padding) % 2 or len(padding) // 2 > input_x.ndim:
        raise ValueError(f"For 'pad', 'padding' should have a pair of ints for at most {input_x.ndim} axes, but got {padding}.")
    names = {"constant": None, "reflect": "reflect", "replicate": "edge", "circular": "wrap"}
    if mode not in names:
        raise ValueError(f"For 'pad', 'mode' should be one of {tuple(names)}, but got {mode!r}.")
    pairs = [(padding[i], padding[i + 1]) for i in range(0, len(padding), 2)]
    widths = tuple([(0, 0)] * (input_x.ndim - len(pairs)) + pairs[::-1])
    if mode == "constant":
        return apply(K.pad_constant, (input_x, 0 if value is None else value), widths=widths)
    if value is not None:
        raise ValueError(f"For 'pad', 'value' is for mode 'constant', but the mode is {mode!r}.")
    return apply(K.pad_mode, (input_x,), widths=widths, mode=names[mode])


@op(primitive=prim("Slice"))
def slice(input_x, begin, size):
    """The part that begins at `begin` and has sizes `size` (-1: to the end).

    Examples:
        >>> print(ops.slice(Tensor([[1, 2, 3], [4, 5, 6]]), (0, 1), (2, -1)))
        [[2 3]
         [5 6]]
    """
    begin, sizes = ints("slice", "begin", begin), ints("slice", "size", size)
    end = tuple(n if s == -1 else b + s for b, s, n in zip(begin, sizes, input_x.shape))
    return apply(K.slice_static, (input_x,), begin=begin, end=end, strides=None)


@op()
def strided_slice(input_x, begin, end, strides, begin_mask=0, end_mask=0, ellipsis_mask=0, new_axis_mask=0, shrink_axis_mask=0):
    """Basic slicing with bit masks as in TensorFlow: bit i of a mask ignores begin[i] or end[i], makes a new axis, an ellipsis or a single index.

    Examples:
        >>> print(ops.strided_slice(Tensor([1, 2, 3, 4]), (0,), (4,), (2,)))
        [1 3]
    """
    begin, end, strides = ints("strided_slice", "begin", begin), ints("strided_slice", "end", end), ints("strided_slice", "strides", strides)
    index = []
    for i, (b, e, s) in enumerate(zip(begin, end, strides)):
        bit = 1 << i
        if ellipsis_mask & bit:
            index.append(Ellipsis)
        elif new_axis_mask & bit:
            index.append(None)
        elif shrink_axis_mask & bit:
            index.append(b)
        else:
            index.append((None if begin_mask & bit else b, None if end_mask & bit else e, s))
    return apply(K.strided, (input_x,), index=tuple(index))


def _strided_primitive(self, x, begin, end, strides):
    return strided_slice(x, begin, end, strides, self.begin_mask, self.end_mask, self.ellipsis_mask, self.new_axis_mask, self.shrink_axis_mask)


@op(
    method=True,
    mint=True,
    primitive=prim("StridedSlice", begin_mask=0, end_mask=0, ellipsis_mask=0, new_axis_mask=0, shrink_axis_mask=0, call=_strided_primitive),
)
def narrow(input, axis, start, length):
    """`length` elements from `start` along one axis.

    Examples:
        >>> print(ops.narrow(Tensor([1, 2, 3]), 0, 1, 2))
        [2 3]
    """
    a = axis_of("narrow", axis, input.ndim)
    return input[(builtins.slice(None),) * a + (builtins.slice(start, start + length),)]
