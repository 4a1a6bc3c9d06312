"""Convolution layers: `_Conv` has all of it, the public classes their signatures."""

import math

from sporax import ops
from sporax._core import dtype as mstype
from sporax.nn.cell import Cell
from sporax.nn.layer._make import default_bias, default_weight, flag, need_input, parameter, positive_int
from sporax.ops.conv import conv_transpose, spread


class _Conv(Cell):
    """What all convolutions share. `n` spatial axes; a 1-d weight has a row axis of size 1, as in MindSpore's checkpoints."""

    n = 2
    transposed = False

    def __init__(
        self, in_channels, out_channels, kernel_size, stride=1, pad_mode="same", padding=0, dilation=1, group=1, has_bias=False, weight_init=None,
        bias_init=None, dtype=mstype.float32,
    ):  # fmt: skip
        super().__init__()
        self._build(in_channels, out_channels, kernel_size, stride, pad_mode, padding, dilation, group, has_bias, weight_init, bias_init, dtype)

    def _build(
        self, in_channels, out_channels, kernel_size, stride, pad_mode, padding, dilation, group, has_bias, weight_init, bias_init, dtype,
        data_format=None, output_padding=0,
    ):  # fmt: skip
        name, n = type(self).__name__, self.n
        self.in_channels, self.out_channels = positive_int(name, "in_channels", in_channels), positive_int(name, "out_channels", out_channels)
        self.group = positive_int(name, "group", group)
        if in_channels % group or out_channels % group:
            raise ValueError(f"For '{name}', 'in_channels' {in_channels} and 'out_channels' {out_channels} should be divisible by 'group' {group}.")
        self.kernel_size, self.stride, self.dilation = (
            self._sizes(k, v) for k, v in (("kernel_size", kernel_size), ("stride", stride), ("dilation", dilation))
        )
        if pad_mode not in ("same", "valid", "pad"):
            raise ValueError(f"For '{name}', 'pad_mode' should be 'same', 'valid' or 'pad', but got {pad_mode!r}.")
        if pad_mode != "pad" and padding not in (0, (0,) * (2 * n), (0,) * n):
            raise ValueError(f"For '{name}', 'padding' should be 0 unless pad_mode is 'pad', but got {padding} with pad_mode {pad_mode!r}.")
        expected = "NCHW" if n < 3 else "NCDHW"
        if data_format not in (None, expected):
            raise ValueError(f"For '{name}', 'data_format' should be {expected!r}, but got {data_format!r}: transpose the input.")
        self.pad_mode, self.padding, self.format, self.output_padding = pad_mode, padding, expected, output_padding
        self.has_bias = flag(name, "has_bias", has_bias)
        space = (1, *self.kernel_size) if n == 1 else self.kernel_size
        first, second = (in_channels, out_channels // group) if self.transposed else (out_channels, in_channels // group)
        self.weight_init = default_weight() if weight_init is None else weight_init
        self.weight = parameter(self.weight_init, (first, second, *space), "weight", dtype)
        fan_in = second * math.prod(space)
        self.bias_init = (default_bias(fan_in) if bias_init is None else bias_init) if has_bias else None
        self.bias = parameter(self.bias_init, (out_channels,), "bias", dtype) if has_bias else None

    def _sizes(self, key, value):
        values = spread(type(self).__name__, key, value, self.n)
        if any(v <= 0 for v in values):
            raise ValueError(f"For '{type(self).__name__}', '{key}' should be positive, but got {value}.")
        return values

    def _parameters_for(self, x):
        weight, bias = self.weight, self.bias
        if self.n == 1:
            weight = ops.squeeze(weight, 2)
        if x.dtype is not weight.dtype:
            weight, bias = weight.astype(x.dtype), None if bias is None else bias.astype(x.dtype)
        return weight, bias

    def construct(self, x):
        need_input(type(self).__name__, x)
        weight, bias = self._parameters_for(x)
        if self.transposed:
            return conv_transpose(
                type(self).__name__, self.n, x, weight, bias, self.stride, self.pad_mode, self.padding, self.dilation, self.group, self.output_padding
            )
        function = (ops.conv1d, ops.conv2d, ops.conv3d)[self.n - 1]
        return function(x, weight, bias, self.stride, self.pad_mode, self.padding, self.dilation, self.group)

    def extend_repr(self):
        one = self.n == 1
        sizes = [(1, *v) if one else v for v in (self.kernel_size, self.stride)]
        dilation = (1, *self.dilation) if one else self.dilation
        padding = (0, 0, self.padding, self.padding) if one and isinstance(self.padding, int) else self.padding
        return (
            f"input_channels={self.in_channels}, output_channels={self.out_channels}, kernel_size={sizes[0]}, stride={sizes[1]}, "
            f"pad_mode={self.pad_mode}, padding={padding}, dilation={dilation}, group={self.group}, has_bias={self.has_bias}, "
            f"weight_init={self.weight_init}, bias_init={self.bias_init}, format={self.format}"
        )


_DOC = """{what} over {n} spatial ax{e}.

    Args:
        in_channels, out_channels: channels of input and output.
        kernel_size, stride, dilation: an int or {n} ints. Default of the last two: 1.
        pad_mode: "same" (output size {same}), "valid" or "pad" (by `padding`). Default: "same".
        padding: with "pad", an int, {n} or {n2} ints. Default: 0.
        group: channels are convolved in this many separate groups. Default: 1.
        has_bias: default False.
        weight_init, bias_init: what `initializer` takes. Default: None, uniform in +-1 / sqrt(fan_in).
{more}        dtype: dtype of the parameters. Default: float32.

    Inputs:
        Tensor (N, C_in, {space}).

    Raises:
        ValueError: sizes or settings that do not fit.
        TypeError: arguments of the wrong kind.
    """


def _doc(n, transposed, more=""):
    return _DOC.format(
        what="Transposed convolution (the gradient of a convolution)" if transposed else "Convolution (cross-correlation)", n=n, n2=2 * n,
        e="is" if n == 1 else "es", same="size * stride" if transposed else "ceil(size / stride)", space=", ".join("DHW"[3 - n :]), more=more,
    )  # fmt: skip


_FORMAT = "        data_format: must be {!r}.\n"
_OUTPUT_PADDING = '        output_padding: with "pad", how many more elements the output has at its end. Default: 0.\n'


class Conv1d(_Conv):
    __doc__ = _doc(1, False)
    n = 1


class Conv1dTranspose(_Conv):
    __doc__ = _doc(1, True)
    n, transposed = 1, True


class Conv2d(_Conv):
    __doc__ = _doc(2, False, _FORMAT.format("NCHW"))

    def __init__(
        self, in_channels, out_channels, kernel_size, stride=1, pad_mode="same", padding=0, dilation=1, group=1, has_bias=False, weight_init=None,
        bias_init=None, data_format="NCHW", dtype=mstype.float32,
    ):  # fmt: skip
        Cell.__init__(self)
        settings = (stride, pad_mode, padding, dilation, group, has_bias, weight_init, bias_init, dtype)
        self._build(in_channels, out_channels, kernel_size, *settings, data_format)


class Conv2dTranspose(_Conv):
    __doc__ = _doc(2, True, _OUTPUT_PADDING)
    transposed = True

    def __init__(
        self, in_channels, out_channels, kernel_size, stride=1, pad_mode="same", padding=0, output_padding=0, dilation=1, group=1, has_bias=False,
        weight_init=None, bias_init=None, dtype=mstype.float32,
    ):  # fmt: skip
        Cell.__init__(self)
        settings = (stride, pad_mode, padding, dilation, group, has_bias, weight_init, bias_init, dtype)
        self._build(in_channels, out_channels, kernel_size, *settings, None, output_padding)


class Conv3d(_Conv):
    __doc__ = _doc(3, False, _FORMAT.format("NCDHW"))
    n = 3

    def __init__(
        self, in_channels, out_channels, kernel_size, stride=1, pad_mode="same", padding=0, dilation=1, group=1, has_bias=False, weight_init=None,
        bias_init=None, data_format="NCDHW", dtype=mstype.float32,
    ):  # fmt: skip
        Cell.__init__(self)
        settings = (stride, pad_mode, padding, dilation, group, has_bias, weight_init, bias_init, dtype)
        self._build(in_channels, out_channels, kernel_size, *settings, data_format)


class Conv3dTranspose(_Conv):
    __doc__ = _doc(3, True, _OUTPUT_PADDING + _FORMAT.format("NCDHW"))
    n, transposed = 3, True

    def __init__(
        self, in_channels, out_channels, kernel_size, stride=1, pad_mode="same", padding=0, dilation=1, group=1, output_padding=0, has_bias=False,
        weight_init=None, bias_init=None, data_format="NCDHW", dtype=mstype.float32,
    ):  # fmt: skip
        Cell.__init__(self)
        settings = (stride, pad_mode, padding, dilation, group, has_bias, weight_init, bias_init, dtype)
        self._build(in_channels, out_channels, kernel_size, *settings, data_format, output_padding)
