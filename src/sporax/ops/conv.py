"""Convolution, pooling, resizing."""

import math

from sporax._core.dispatch import apply
from sporax._kernels import conv as C
from sporax._kernels import image as I
from sporax._kernels import pool as P
from sporax.ops._args import ints, need_tensor
from sporax.ops._table import op, prim


def spread(name, key, value, n):
    """An int or a sequence of 1 or n ints as n ints."""
    values = ints(name, key, value)
    if len(values) == 1:
        values = values * n
    if len(values) > n and all(v == 1 for v in values[: len(values) - n]):
        values = values[len(values) - n :]
    if len(values) != n:
        raise ValueError(f"For '{name}', '{key}' should be an int or {n} ints, but got {value!r}.")
    return values


def pad_pairs(name, pad_mode, padding, sizes, kernel, stride, dilation):
    """Padding before and after each spatial axis.

    "same": the output has ceil(size / stride) elements; an odd pad has one more at the end.
    """
    n = len(kernel)
    if pad_mode not in ("same", "valid", "pad"):
        raise ValueError(f"For '{name}', 'pad_mode' should be 'same', 'valid' or 'pad', but got {pad_mode!r}.")
    if pad_mode == "valid":
        return ((0, 0),) * n
    if pad_mode == "same":
        pairs = []
        for size, k, s, d in zip(sizes, kernel, stride, dilation):
            total = max((-(-size // s) - 1) * s + d * (k - 1) + 1 - size, 0)
            pairs.append((total // 2, total - total // 2))
        return tuple(pairs)
    values = ints(name, "padding", padding)
    if any(v < 0 for v in values):
        raise ValueError(f"For '{name}', 'padding' should not be negative, but got {padding}.")
    if len(values) == 2 * n:
        return tuple((values[2 * i], values[2 * i + 1]) for i in range(n))
    return tuple((v, v) for v in spread(name, "padding", values, n))


def _conv(name, n, input, weight, bias, stride, pad_mode, padding, dilation, groups):
    need_tensor(name, "input", input)
    stride, dilation = spread(name, "stride", stride, n), spread(name, "dilation", dilation, n)
    if input.ndim != n + 2:
        raise ValueError(f"For '{name}', the input should have {n + 2} axes (N, C, {', '.join('DHW'[3 - n :])}), but got shape {input.shape}.")
    if input.shape[1] != weight.shape[1] * groups:
        raise ValueError(
            f"For '{name}', the input should have {weight.shape[1] * groups} channels (weight {weight.shape}, {groups} "
            f"groups), but got shape {input.shape}."
        )
    pairs = pad_pairs(name, pad_mode, padding, input.shape[2:], weight.shape[2:], stride, dilation)
    return apply(C.conv, (input, weight, bias), stride=stride, padding=pairs, dilation=dilation, groups=int(groups))


def _make_conv(n):
    name = f"conv{n}d"

    def f(input, weight, bias=None, stride=1, pad_mode="valid", padding=0, dilation=1, groups=1):
        return _conv(name, n, input, weight, bias, stride, pad_mode, padding, dilation, groups)

    f.__name__ = f.__qualname__ = name
    f.__module__ = __name__
    space = "DHW"[3 - n :]
    f.__doc__ = f"""Convolution (cross-correlation) over {n} spatial ax{"i" if n == 1 else "e"}s.

    Args:
        input (Tensor): (N, C_in, {", ".join(space)}).
        weight (Tensor): (C_out, C_in / groups, kernel sizes).
        bias (Tensor): (C_out,). Default: None.
        stride, dilation: an int or {n} ints. Default: 1.
        pad_mode: "valid", "same" (output size ceil(size / stride)) or "pad" (by `padding`). Default: "valid".
        padding: with "pad", an int, {n} ints or {2 * n} ints. Default: 0.
        groups: channels are convolved in this many separate groups. Default: 1.

    Raises:
        ValueError: shapes or settings do not fit.
    """
    return op(mint=f"nn.functional.{name}", primitive=_conv_primitive(n))(f)


def _conv_primitive(n):
    if n == 1:
        return None

    def call(self, x, weight):
        return _conv(self.name, n, x, weight, None, self.stride, self.pad_mode, self.pad, self.dilation, self.group)

    return prim(
        f"Conv{n}D",
        out_channel=prim.required,
        kernel_size=prim.required,
        mode=1,
        pad_mode="valid",
        pad=0,
        stride=1,
        dilation=1,
        group=1,
        data_format="NCHW" if n == 2 else "NCDHW",
        call=call,
    )


conv1d, conv2d, conv3d = _make_conv(1), _make_conv(2), _make_conv(3)


def transpose_padding(name, pad_mode, padding, kernel, stride, dilation, output_padding):
    """(pads, output padding) of a transposed convolution.

    "same": the output has size * stride elements; "valid": (size - 1) stride + the span of the kernel, or size stride if larger.
    """
    n = len(kernel)
    spans = [d * (k - 1) + 1 for k, d in zip(kernel, dilation)]
    if pad_mode == "same":
        totals = [span - s for span, s in zip(spans, stride)]
        return tuple((max(t, 0) // 2, max(t, 0) - max(t, 0) // 2) for t in totals), tuple(max(-t, 0) for t in totals)
    if pad_mode == "valid":
        return ((0, 0),) * n, tuple(max(s - span, 0) for span, s in zip(spans, stride))
    return pad_pairs(name, "pad", padding, (), kernel, stride, dilation), output_padding


def conv_transpose(name, n, input, weight, bias, stride, pad_mode, padding, dilation, groups, output_padding=0):
    """Transposed convolution with MindSpore's pad modes."""
    stride, dilation = spread(name, "stride", stride, n), spread(name, "dilation", dilation, n)
    extra = spread(name, "output_padding", output_padding, n)
    if input.ndim != n + 2 or input.shape[1] != weight.shape[0]:
        raise ValueError(
            f"For '{name}', the input should have {n + 2} axes and {weight.shape[0]} channels (weight {weight.shape}), but got shape {input.shape}."
        )
    pads, extra = transpose_padding(name, pad_mode, padding, weight.shape[2:], stride, dilation, extra)
    return apply(C.conv_transpose, (input, weight, bias), stride=stride, padding=pads, output_padding=extra, dilation=dilation, groups=int(groups))


@op(mint="nn.functional.conv_transpose2d")
def conv_transpose2d(input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1):
    """Transposed convolution over two spatial axes: input (N, C_in, H, W), weight (C_in, C_out / groups, kernel sizes)."""
    return conv_transpose("conv_transpose2d", 2, input, weight, bias, stride, "pad", padding, dilation, groups, output_padding)


@op(primitive=prim("BiasAdd", data_format="NCHW", rename={"data_format": "data_format"}))
def bias_add(input_x, bias, data_format="NCHW"):
    """A bias added to each channel (axis 1, or the last for "NHWC")."""
    return apply(C.bias_add, (input_x, bias), axis=1 if data_format != "NHWC" else input_x.ndim - 1)


@op(mint="nn.functional.unfold")
def unfold(input, kernel_size, dilation=1, padding=0, stride=1):
    """Sliding patches of (N, C, H, W), each flattened: (N, C k1 k2, number of patches)."""
    kernel, stride, dilation = (
        spread("unfold", "kernel_size", kernel_size, 2),
        spread("unfold", "stride", stride, 2),
        spread("unfold", "dilation", dilation, 2),
    )
    pairs = pad_pairs("unfold", "pad", padding, (), kernel, stride, dilation)
    return apply(C.unfold, (input,), kernel=kernel, stride=stride, padding=pairs, dilation=dilation)


# Pooling ------------------------------------------------------------------------------------------------------------------


def _ceil(pairs, sizes, kernel, stride, dilation):
    """Padding enlarged at the end so that the last, partial window counts; and by how much.

    A window that would start in the padding is left out.
    """
    out, extra = [], []
    for (lo, hi), size, k, s, d in zip(pairs, sizes, kernel, stride, dilation):
        span = d * (k - 1) + 1
        count = -(-(size + lo + hi - span) // s) + 1
        if (count - 1) * s >= size + lo:
            count -= 1
        more = max((count - 1) * s + span - (size + lo + hi), 0)
        out.append((lo, hi + more))
        extra.append(more)
    return tuple(out), tuple(extra)


def max_pool(name, n, x, kernel_size, stride, pad_mode, padding, dilation, ceil_mode, return_indices):
    """Max pooling over the last `n` axes."""
    need_tensor(name, "x", x)
    kernel = spread(name, "kernel_size", kernel_size, n)
    stride, dilation = spread(name, "stride", kernel if stride is None else stride, n), spread(name, "dilation", dilation, n)
    sizes = x.shape[x.ndim - n :]
    pairs = pad_pairs(name, pad_mode, padding, sizes, kernel, stride, dilation)
    if ceil_mode:
        pairs, _ = _ceil(pairs, sizes, kernel, stride, dilation)
    if any(s + lo + hi < d * (k - 1) + 1 for s, (lo, hi), k, d in zip(sizes, pairs, kernel, dilation)):
        raise ValueError(f"For '{name}', the kernel {kernel} is larger than the padded input {sizes}.")
    return apply(P.max_pool_with_index if return_indices else P.max_pool, (x,), kernel=kernel, stride=stride, padding=pairs, dilation=dilation)


def avg_pool(name, n, x, kernel_size, stride, pad_mode, padding, ceil_mode, count_include_pad, divisor):
    """Average pooling over the last `n` axes."""
    need_tensor(name, "x", x)
    kernel = spread(name, "kernel_size", kernel_size, n)
    stride = spread(name, "stride", kernel if stride is None else stride, n)
    sizes, ones = x.shape[x.ndim - n :], (1,) * n
    pairs, extra = pad_pairs(name, pad_mode, padding, sizes, kernel, stride, ones), (0,) * n
    if pad_mode == "same":
        count_include_pad = False
    if ceil_mode:
        pairs, extra = _ceil(pairs, sizes, kernel, stride, ones)
    if divisor is not None and divisor == 0:
        raise ValueError(f"For '{name}', 'divisor_override' should not be 0.")
    return apply(
        P.avg_pool, (x,), kernel=kernel, stride=stride, padding=pairs, count_include_pad=bool(count_include_pad), divisor=divisor, ceil_extra=extra
    )


def _make_max_pool(n):
    def f(x, kernel_size, stride=None, padding=0, dilation=1, return_indices=False, ceil_mode=False):
        return max_pool(f"max_pool{n}d", n, x, kernel_size, stride, "pad", padding, dilation, ceil_mode, return_indices)

    f.__name__ = f.__qualname__ = f"max_pool{n}d"
    f.__module__, f.__doc__ = (
        __name__,
        f"Maxima of sliding windows over the last {n} axes; with `return_indices` also their positions in the flattened space.",
    )
    return op(mint=f"nn.functional.max_pool{n}d")(f)


def _make_avg_pool(n):
    def f(input_x, kernel_size=1, stride=1, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None):
        return avg_pool(f"avg_pool{n}d", n, input_x, kernel_size, stride, "pad", padding, ceil_mode, count_include_pad, divisor_override)

    f.__name__ = f.__qualname__ = f"avg_pool{n}d"
    f.__module__, f.__doc__ = __name__, f"Means of sliding windows over the last {n} axes."
    return op(mint=f"nn.functional.avg_pool{n}d")(f)


def _make_adaptive(n, kind):
    kernel = P.adaptive_avg_pool if kind == "avg" else P.adaptive_max_pool

    def f(input, output_size):
        size = (output_size,) * n if output_size is None or isinstance(output_size, int) else tuple(output_size)
        return apply(kernel, (input,), output=size)

    f.__name__ = f.__qualname__ = f"adaptive_{kind}_pool{n}d"
    f.__module__, f.__doc__ = (
        __name__,
        f"{'Means' if kind == 'avg' else 'Maxima'} of windows chosen so that the last {n} axes have the sizes `output_size` (None keeps one).",
    )
    return op(mint=f"nn.functional.adaptive_{kind}_pool{n}d")(f)


max_pool2d, max_pool3d = _make_max_pool(2), _make_max_pool(3)
avg_pool1d, avg_pool2d, avg_pool3d = _make_avg_pool(1), _make_avg_pool(2), _make_avg_pool(3)
adaptive_avg_pool1d, adaptive_avg_pool2d, adaptive_avg_pool3d = (_make_adaptive(n, "avg") for n in (1, 2, 3))
adaptive_max_pool1d, adaptive_max_pool2d, adaptive_max_pool3d = (_make_adaptive(n, "max") for n in (1, 2, 3))


def _pool_primitive(kind):
    def call(self, x):
        mode = self.pad_mode.lower()
        if kind == "max":
            return max_pool(self.name, 2, x, self.kernel_size, self.strides, mode, 0, 1, False, False)
        return avg_pool(self.name, 2, x, self.kernel_size, self.strides, mode, 0, False, False, None)

    return call


@op(
    primitive=(
        prim("MaxPool", kernel_size=1, strides=1, pad_mode="valid", data_format="NCHW", call=_pool_primitive("max")),
        prim("AvgPool", kernel_size=1, strides=1, pad_mode="valid", data_format="NCHW", call=_pool_primitive("avg")),
    )
)
def lp_pool2d(x, norm_type, kernel_size, stride=None, ceil_mode=False):
    """(sum of |x|**p)**(1/p) over sliding windows of (N, C, H, W)."""
    kernel = spread("lp_pool2d", "kernel_size", kernel_size, 2)
    stride = spread("lp_pool2d", "stride", kernel if stride is None else stride, 2)
    pairs = _ceil(((0, 0),) * 2, x.shape[-2:], kernel, stride, (1, 1))[0] if ceil_mode else ((0, 0),) * 2
    return apply(P.lp_pool, (x,), p=float(norm_type), kernel=kernel, stride=stride, padding=pairs)


# Images ---------------------------------------------------------------------------------------------------------------------


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
    if size is None:
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
