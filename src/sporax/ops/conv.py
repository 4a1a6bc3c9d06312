"""Convolution."""

from sporax._core.dispatch import apply
from sporax._kernels import conv as C
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


def need_room(name, sizes, pairs, kernel, dilation, error: type[Exception] = ValueError):
    """Raise unless at least one window fits."""
    if any(s + lo + hi < d * (k - 1) + 1 for s, (lo, hi), k, d in zip(sizes, pairs, kernel, dilation)):
        raise error(
            f"For '{name}', windows of {tuple(kernel)} (dilation {tuple(dilation)}) do not fit the input of {tuple(sizes)} padded by {pairs}."
        )


def _conv(name, n, input, weight, bias, stride, pad_mode, padding, dilation, groups):
    need_tensor(name, "input", input)
    stride, dilation = spread(name, "stride", stride, n), spread(name, "dilation", dilation, n)
    if input.ndim != n + 2:
        raise ValueError(f"For '{name}', the input should have {n + 2} axes (N, C, {', '.join('DHW'[3 - n :])}), but got shape {input.shape}.")
    if input.shape[1] != weight.shape[1] * groups:
        raise RuntimeError(
            f"For '{name}', the input should have {weight.shape[1] * groups} channels (weight {weight.shape}, {groups} "
            f"groups), but got shape {input.shape}."
        )
    pairs = pad_pairs(name, pad_mode, padding, input.shape[2:], weight.shape[2:], stride, dilation)
    need_room(name, input.shape[2:], pairs, weight.shape[2:], dilation)
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


def _add_bias(name, x, bias, data_format):
    need_tensor(name, "input_x", x)
    axis = x.ndim - 1 if data_format == "NHWC" else 1
    if x.ndim < 2 or bias.shape != (x.shape[axis],):
        raise ValueError(f"For '{name}', 'bias' should have one element for each channel (axis {axis}) of {x.shape}, but has shape {bias.shape}.")
    return apply(C.bias_add, (x, bias), axis=axis)


@op(primitive=prim("BiasAdd", data_format="NCHW", call=lambda self, x, bias: _add_bias("BiasAdd", x, bias, self.data_format)))
def bias_add(input_x, bias):
    """A bias added to each channel (axis 1)."""
    return _add_bias("bias_add", input_x, bias, "NCHW")


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
