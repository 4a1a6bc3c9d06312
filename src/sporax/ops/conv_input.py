"""The gradient of a convolution with respect to its input as an operator of its own."""

from sporax._core.dispatch import apply
from sporax._kernels import conv as C
from sporax.ops._args import ints
from sporax.ops._table import op, prim
from sporax.ops.conv import conv_transpose, pad_pairs, spread

_SETTINGS = {"mode": 1, "stride": 1, "dilation": 1, "group": 1}


def _call(self, dout, weight, input_size):
    return conv2d_input(dout, weight, input_size, self.stride, self.pad_mode, self.pad if self.pad_list is None else self.pad_list, self.dilation, self.group)


def _primitive(name):
    return prim(
        name, out_channel=prim.required, kernel_size=prim.required, pad_mode="valid", pad=0, pad_list=None, **_SETTINGS, data_format="NCHW", call=_call
    )


@op(primitive=(_primitive("Conv2DTranspose"), _primitive("Conv2DBackpropInput")))
def conv2d_input(dout, weight, input_size, stride=1, pad_mode="valid", padding=0, dilation=1, groups=1):
    """What a gradient of the output of `conv2d` makes of the input.

    Args:
        dout (Tensor): (N, C_out, H_out, W_out).
        weight (Tensor): (C_out, C_in / groups, kernel sizes).
        input_size: (N, C_in, H, W), the shape of the result.
        stride, pad_mode, padding, dilation, groups: as in `conv2d`.

    Raises:
        ValueError: the shapes do not belong together.

    Examples:
        >>> print(ops.Conv2DTranspose(1, 2)(ops.ones((1, 1, 2, 2)), ops.ones((1, 1, 2, 2)), (1, 1, 3, 3)))
        [[[[1. 2. 1.]
           [2. 4. 2.]
           [1. 2. 1.]]]]
    """
    size = ints("conv2d_input", "input_size", input_size)
    stride, dilation, kernel = spread("conv2d_input", "stride", stride, 2), spread("conv2d_input", "dilation", dilation, 2), weight.shape[2:]
    pads = pad_pairs("conv2d_input", pad_mode, padding, size[2:], kernel, stride, dilation)
    extra = tuple(
        s + lo + hi - (o - 1) * t - d * (k - 1) - 1 for s, o, k, (lo, hi), t, d in zip(size[2:], dout.shape[2:], kernel, pads, stride, dilation)
    )
    if len(size) != 4 or size[1] != weight.shape[1] * groups or any(not 0 <= e < t for e, t in zip(extra, stride)):
        raise ValueError(
            f"For 'conv2d_input', no convolution with stride {stride}, padding {pads} and the weight {weight.shape} makes {dout.shape} of 'input_size' {size}."
        )
    return apply(C.conv_transpose, (dout, weight, None), stride=stride, padding=pads, output_padding=extra, dilation=dilation, groups=int(groups))


def _call_3d(self, dout, weight):
    return conv3d_transpose(dout, weight, self.stride, self.pad_mode, self.pad, self.dilation, self.group, self.output_padding)


@op(
    primitive=prim(
        "Conv3DTranspose", in_channel=prim.required, out_channel=prim.required, kernel_size=prim.required, mode=1, pad_mode="valid", pad=0, stride=1,
        dilation=1, group=1, output_padding=0, data_format="NCDHW", call=_call_3d,
    )
)  # fmt: skip
def conv3d_transpose(dout, weight, stride=1, pad_mode="valid", padding=0, dilation=1, groups=1, output_padding=0):
    """Transposed convolution over three spatial axes: dout (N, C_in, D, H, W), weight (C_in, C_out / groups, kernel sizes)."""
    return conv_transpose("Conv3DTranspose", 3, dout, weight, None, stride, pad_mode, padding, dilation, groups, output_padding)
