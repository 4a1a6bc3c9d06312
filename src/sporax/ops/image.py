"""Resizing and rearranging images."""

import math

from sporax._core.dispatch import apply
from sporax._kernels import image as I
from sporax._kernels import pool as P
from sporax.ops._table import op, prim
from sporax.ops.conv import spread


@op(mint="nn.functional.interpolate")
def interpolate(input, size=None, scale_factor=None, mode="nearest", align_corners=None, recompute_scale_factor=None):
    """Images (N, C, *space) resized.

    Args:
        size: the new sizes. Default: None.
        scale_factor: or the factors. Default: None.
        mode: "nearest", "nearest-exact", "linear", "bilinear", "trilinear", "bicubic" or "area". Default: "nearest".
        align_corners: for the linear and cubic modes, whether the corner pixels keep their place. Default: None, False.
        recompute_scale_factor: use the factor that follows from the rounded sizes. Default: None.

    Raises:
        ValueError: not exactly one of `size` and `scale_factor`, an unknown mode, or `align_corners` in a mode without.

    Examples:
        >>> print(ops.interpolate(Tensor([[[1.0, 2.0]]]), scale_factor=2.0))
        [[[1. 1. 2. 2.]]]
    """
    n = input.ndim - 2
    if (size is None) == (scale_factor is None):
        raise ValueError("For 'interpolate', give either 'size' or 'scale_factor'.")
    scales = None
    if scale_factor is not None:
        factors = (scale_factor,) * n if isinstance(scale_factor, int | float) else tuple(scale_factor)
        size = tuple(math.floor(s * f) for s, f in zip(input.shape[2:], factors))
        scales = None if recompute_scale_factor else tuple(float(f) for f in factors)
    size = spread("interpolate", "size", size, n)
    linear = {"linear": 1, "bilinear": 2, "trilinear": 3}
    if align_corners is not None and mode not in (*linear, "bicubic"):
        raise ValueError(f"For 'interpolate', 'align_corners' is for linear and cubic modes, but the mode is {mode!r}.")
    if mode in linear:
        if linear[mode] != n:
            raise ValueError(f"For 'interpolate', mode {mode!r} is for {linear[mode]} spatial axes, but the input has shape {input.shape}.")
        return apply(I.resize_linear, (input,), sizes=size, align_corners=bool(align_corners), half_pixel=True, scales=scales)
    if mode in ("nearest", "nearest-exact"):
        return apply(I.resize_nearest, (input,), sizes=size, align_corners=False, half_pixel=mode == "nearest-exact", scales=scales)
    if mode == "bicubic":
        return apply(I.resize_cubic, (input,), sizes=size, align_corners=bool(align_corners))
    if mode == "area":
        return apply(P.adaptive_avg_pool, (input,), output=size)
    raise ValueError(f"For 'interpolate', the mode {mode!r} is not known: use 'nearest', 'linear', 'bilinear', 'trilinear', 'bicubic' or 'area'.")


def _resize(kind):
    def call(self, x):
        kernel = I.resize_nearest if kind == "nearest" else I.resize_linear
        return apply(
            kernel,
            (x,),
            sizes=spread(self.name, "size", self.size, 2),
            align_corners=bool(self.align_corners),
            half_pixel=bool(getattr(self, "half_pixel_centers", False)),
        )

    return call


@op(
    mint="nn.functional.pixel_shuffle",
    primitive=(
        prim("ResizeNearestNeighbor", size=prim.required, align_corners=False, half_pixel_centers=False, call=_resize("nearest")),
        prim("ResizeBilinear", size=prim.required, align_corners=False, half_pixel_centers=False, call=_resize("linear")),
    ),
)
def pixel_shuffle(input, upscale_factor):
    """(..., C r r, H, W) rearranged to (..., C, H r, W r)."""
    if input.ndim < 3 or input.shape[-3] % (upscale_factor * upscale_factor):
        raise ValueError(f"For 'pixel_shuffle', the channels of {input.shape} should be divisible by {upscale_factor}**2.")
    return apply(I.pixel_shuffle, (input,), factor=int(upscale_factor))


@op()
def pixel_unshuffle(input, downscale_factor):
    """(..., C, H r, W r) rearranged to (..., C r r, H, W)."""
    r = downscale_factor
    if input.ndim < 3 or input.shape[-1] % r or input.shape[-2] % r:
        raise ValueError(f"For 'pixel_unshuffle', the last sizes of {input.shape} should be divisible by {r}.")
    return apply(I.pixel_unshuffle, (input,), factor=int(r))


@op(primitive=prim("ChannelShuffle", group=prim.required, rename={"group": "groups"}))
def channel_shuffle(x, groups):
    """The channels (axis 1) in `groups` groups, interleaved.

    Raises:
        ValueError: the channels do not divide into groups.

    Examples:
        >>> x = ops.arange(4).reshape(1, 4, 1, 1)
        >>> print(ops.channel_shuffle(x, 2).reshape(4))
        [0 2 1 3]
    """
    if x.ndim < 3 or groups < 1 or x.shape[1] % groups:
        raise ValueError(f"For 'channel_shuffle', axis 1 of {x.shape} should divide into {groups} groups.")
    n, c, *space = x.shape
    return x.reshape(n, groups, c // groups, *space).swapaxes(1, 2).reshape(n, c, *space)
