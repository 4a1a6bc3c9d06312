"""Padding, resizing and rearranging."""

from sporax import ops
from sporax.nn.cell import Cell
from sporax.nn.layer._make import need_input, positive_int


class Pad(Cell):
    """Padding by a constant 0, by reflection, or by symmetric reflection.

    Args:
        paddings: a pair (before, after) for each axis.
        mode: "CONSTANT", "REFLECT" or "SYMMETRIC". Default: "CONSTANT".
    """

    def __init__(self, paddings, mode="CONSTANT"):
        super().__init__()
        if not isinstance(paddings, tuple) or any(len(p) != 2 for p in paddings):
            raise ValueError(f"For 'Pad', 'paddings' should be a tuple with a pair for each axis, but got {paddings!r}.")
        if mode not in ("CONSTANT", "REFLECT", "SYMMETRIC"):
            raise ValueError(f"For 'Pad', 'mode' should be 'CONSTANT', 'REFLECT' or 'SYMMETRIC', but got {mode!r}.")
        self.paddings, self.mode = paddings, mode

    def construct(self, x):
        return ops.Pad(self.paddings)(x) if self.mode == "CONSTANT" else ops.MirrorPad(self.mode)(x, self.paddings)


class _Pad(Cell):
    """The last `n` axes padded: `padding` is an int, or (before, after) for each axis from the last on."""

    n, mode = 1, "constant"

    def __init__(self, padding):
        super().__init__()
        name = type(self).__name__
        if isinstance(padding, bool) or not isinstance(padding, int | tuple):
            raise TypeError(f"For '{name}', 'padding' should be an int or a tuple, but got {padding!r} of type {type(padding).__name__}.")
        widths = (padding,) * (2 * self.n) if isinstance(padding, int) else padding
        if len(widths) != 2 * self.n:
            raise ValueError(f"For '{name}', 'padding' should be an int or {2 * self.n} ints, but got {padding!r}.")
        if any(isinstance(w, bool) or not isinstance(w, int) for w in widths):
            raise TypeError(f"For '{name}', 'padding' should hold ints, but got {padding!r}.")
        if self.mode != "constant" and min(widths) < 0:
            raise ValueError(f"For '{name}', 'padding' should not be negative, but got {padding!r}.")
        self.padding, self.value = widths, None

    def construct(self, x):
        need_input(type(self).__name__, x)
        return ops.pad(x, self.padding, self.mode, self.value)


class _ConstantPad(_Pad):
    def __init__(self, padding, value):
        super().__init__(padding)
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise TypeError(f"For '{type(self).__name__}', 'value' should be a number, but got {value!r} of type {type(value).__name__}.")
        self.value = value


class ConstantPad1d(_ConstantPad):
    """The last axis padded with a value: ConstantPad1d(padding, value)."""


class ConstantPad2d(_ConstantPad):
    """The last two axes padded with a value: ConstantPad2d(padding, value)."""

    n = 2


class ConstantPad3d(_ConstantPad):
    """The last three axes padded with a value: ConstantPad3d(padding, value)."""

    n = 3


class ZeroPad2d(_Pad):
    """The last two axes padded with zeros."""

    n = 2


class ReflectionPad1d(_Pad):
    """The last axis padded by reflection."""

    mode = "reflect"


class ReflectionPad2d(_Pad):
    """The last two axes padded by reflection."""

    n, mode = 2, "reflect"


class ReflectionPad3d(_Pad):
    """The last three axes padded by reflection."""

    n, mode = 3, "reflect"


class ReplicationPad1d(_Pad):
    """The last axis padded with its edges."""

    mode = "replicate"


class ReplicationPad2d(_Pad):
    """The last two axes padded with their edges."""

    n, mode = 2, "replicate"


class ReplicationPad3d(_Pad):
    """The last three axes padded with their edges."""

    n, mode = 3, "replicate"


class Upsample(Cell):
    """Images (N, C, *space) resized; see `ops.interpolate` for the arguments."""

    def __init__(self, size=None, scale_factor=None, mode="nearest", align_corners=None, recompute_scale_factor=None):
        super().__init__()
        self.size, self.scale_factor, self.mode = size, scale_factor, mode
        self.align_corners, self.recompute_scale_factor = align_corners, recompute_scale_factor

    def construct(self, x):
        return ops.interpolate(x, self.size, self.scale_factor, self.mode, self.align_corners, self.recompute_scale_factor)


class PixelShuffle(Cell):
    """(..., C r r, H, W) rearranged to (..., C, H r, W r)."""

    def __init__(self, upscale_factor):
        super().__init__()
        self.upscale_factor = positive_int("PixelShuffle", "upscale_factor", upscale_factor)

    def construct(self, input):
        return ops.pixel_shuffle(input, self.upscale_factor)


class PixelUnshuffle(Cell):
    """(..., C, H r, W r) rearranged to (..., C r r, H, W)."""

    def __init__(self, downscale_factor):
        super().__init__()
        self.downscale_factor = positive_int("PixelUnshuffle", "downscale_factor", downscale_factor)

    def construct(self, input):
        return ops.pixel_unshuffle(input, self.downscale_factor)


class ChannelShuffle(Cell):
    """The channels (axis 1) in `groups` groups, interleaved."""

    def __init__(self, groups):
        super().__init__()
        self.groups = positive_int("ChannelShuffle", "groups", groups)

    def construct(self, x):
        return ops.channel_shuffle(x, self.groups)


class Unfold(Cell):
    """Sliding patches of (N, C, H, W) as channels.

    Args:
        ksizes, strides, rates: [1, rows, columns, 1]: window, step, and spacing inside the window.
        padding: "valid" or "same". Default: "valid".
    """

    def __init__(self, ksizes, strides, rates, padding="valid"):
        super().__init__()
        for key, value in (("ksizes", ksizes), ("strides", strides), ("rates", rates)):
            if len(value) != 4 or value[0] != 1 or value[3] != 1:
                raise ValueError(f"For 'Unfold', '{key}' should be [1, rows, columns, 1], but got {value}.")
        if padding.lower() not in ("valid", "same"):
            raise ValueError(f"For 'Unfold', 'padding' should be 'valid' or 'same', but got {padding!r}.")
        self.ksizes, self.strides, self.rates, self.padding = tuple(ksizes[1:3]), tuple(strides[1:3]), tuple(rates[1:3]), padding.lower()

    def construct(self, input_x):
        n, c, h, w = input_x.shape
        (kh, kw), (sh, sw), (dh, dw) = self.ksizes, self.strides, self.rates
        if self.padding == "same":
            pads = []
            for size, k, s, d in ((w, kw, sw, dw), (h, kh, sh, dh)):
                total = max((-(-size // s) - 1) * s + d * (k - 1) + 1 - size, 0)
                pads += [total // 2, total - total // 2]
            input_x = ops.pad(input_x, pads)
            h, w = input_x.shape[2:]
        patches = ops.unfold(input_x, (kh, kw), (dh, dw), 0, (sh, sw))
        rows, columns = (h - dh * (kh - 1) - 1) // sh + 1, (w - dw * (kw - 1) - 1) // sw + 1
        # window positions come before channels
        patches = patches.reshape(n, c, kh * kw, rows, columns).transpose(0, 2, 1, 3, 4)
        return patches.reshape(n, c * kh * kw, rows, columns)
