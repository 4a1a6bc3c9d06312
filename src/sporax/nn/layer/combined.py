"""Layers made of layers."""

from sporax import ops
from sporax._core.tensor import Tensor
from sporax.nn.cell import Cell
from sporax.nn.layer._make import flag
from sporax.nn.layer.activation import LeakyReLU, get_activation
from sporax.nn.layer.basic import Dense
from sporax.nn.layer.conv import Conv2d
from sporax.nn.layer.normalization import BatchNorm1d, BatchNorm2d


class _BnAct(Cell):
    def _add(self, norm, channels, has_bn, momentum, eps, activation, alpha, after_fake):
        name = type(self).__name__
        self.has_bn, self.has_act = flag(name, "has_bn", has_bn), activation is not None
        self.after_fake = flag(name, "after_fake", after_fake)
        if has_bn:
            self.batchnorm = norm(channels, eps, momentum)
        if activation == "leakyrelu":
            activation = LeakyReLU(alpha)
        elif isinstance(activation, str):
            activation = get_activation(activation, name)
        if not isinstance(activation, Cell | ops.Primitive | None):
            raise TypeError(f"For '{name}', the 'activation' must be str or Cell or Primitive, but got {type(activation).__name__}.")
        self.activation = activation

    def _rest(self, x):
        if self.has_bn:
            x = self.batchnorm(x)
        return x if self.activation is None else self.activation(x)


class DenseBnAct(_BnAct):
    """`Dense`, then batch normalization and an activation if asked for.

    Args:
        in_channels, out_channels, weight_init, bias_init, has_bias: see `Dense`. Default of the last three: "normal", "zeros", True.
        has_bn: normalize. Default: False.
        momentum, eps: see `BatchNorm1d`. Default: 0.9, 1e-5.
        activation: a name, a Cell or a Primitive. Default: None.
        alpha: the slope of "leakyrelu". Default: 0.2.
        after_fake: kept for MindSpore's quantization tools. Default: True.
    """

    def __init__(
        self, in_channels, out_channels, weight_init="normal", bias_init="zeros", has_bias=True, has_bn=False, momentum=0.9, eps=1e-5, activation=None,
        alpha=0.2, after_fake=True,
    ):  # fmt: skip
        super().__init__()
        self.dense = Dense(in_channels, out_channels, weight_init, bias_init, has_bias)
        self._add(BatchNorm1d, out_channels, has_bn, momentum, eps, activation, alpha, after_fake)

    def construct(self, x):
        return self._rest(self.dense(x))


class Conv2dBnAct(_BnAct):
    """`Conv2d`, then batch normalization and an activation if asked for.

    Args:
        in_channels, out_channels, kernel_size, stride, pad_mode, padding, dilation, group, has_bias, weight_init, bias_init: see `Conv2d`.
        has_bn: normalize. Default: False.
        momentum, eps: see `BatchNorm2d`. Default: 0.997, 1e-5.
        activation: a name, a Cell or a Primitive. Default: None.
        alpha: the slope of "leakyrelu". Default: 0.2.
        after_fake: kept for MindSpore's quantization tools. Default: True.
    """

    def __init__(
        self, in_channels, out_channels, kernel_size, stride=1, pad_mode="same", padding=0, dilation=1, group=1, has_bias=False, weight_init="normal",
        bias_init="zeros", has_bn=False, momentum=0.997, eps=1e-5, activation=None, alpha=0.2, after_fake=True,
    ):  # fmt: skip
        super().__init__()
        self.conv = Conv2d(in_channels, out_channels, kernel_size, stride, pad_mode, padding, dilation, group, has_bias, weight_init, bias_init)
        self._add(BatchNorm2d, out_channels, has_bn, momentum, eps, activation, alpha, after_fake)

    def construct(self, x):
        return self._rest(self.conv(x))


class TimeDistributed(Cell):
    """A layer applied to each step along a time axis.

    Args:
        layer: a Cell or Primitive that takes and gives one Tensor.
        time_axis: the time axis.
        reshape_with_axis: call the layer once, with this axis and the time axis (moved next to it) joined. Default: None, call it at each step.

    Examples:
        >>> net = nn.TimeDistributed(nn.Dense(3, 2), time_axis=1, reshape_with_axis=0)
        >>> net(ops.ones((4, 5, 3))).shape
        (4, 5, 2)
    """

    def __init__(self, layer, time_axis, reshape_with_axis=None):
        super().__init__()
        if not isinstance(layer, Cell | ops.Primitive):
            raise TypeError(f"For 'TimeDistributed', 'layer' should be a Cell or Primitive, but got {type(layer).__name__}.")
        for key, value in (("time_axis", time_axis), ("reshape_with_axis", reshape_with_axis)):
            if (value is None and key == "time_axis") or isinstance(value, bool) or not isinstance(value, int | None):
                raise TypeError(f"For 'TimeDistributed', '{key}' should be an int, but got {value!r} of type {type(value).__name__}.")
        self.layer, self.time_axis, self.reshape_with_axis = layer, time_axis, reshape_with_axis

    def construct(self, inputs):
        if not isinstance(inputs, Tensor):
            raise TypeError(f"For 'TimeDistributed', the input should be a Tensor, but got {type(inputs).__name__}.")
        if inputs.ndim < 3:
            raise ValueError(f"For 'TimeDistributed', the input should have at least 3 axes, but got shape {inputs.shape}.")
        time = self.time_axis % inputs.ndim
        if self.reshape_with_axis is None:
            return ops.stack([self.layer(step) for step in ops.unbind(inputs, time)], time)
        other = self.reshape_with_axis % inputs.ndim
        # the time axis becomes the neighbour on the side it is on
        first = other if time > other else other - 1
        inputs = ops.moveaxis(inputs, time, other + 1 if time > other else other - 1)
        sizes = inputs.shape[first : first + 2]
        outputs = self.layer(inputs.reshape(*inputs.shape[:first], sizes[0] * sizes[1], *inputs.shape[first + 2 :]))
        if outputs.ndim <= first or outputs.shape[first] != sizes[0] * sizes[1]:
            raise ValueError(
                f"For 'TimeDistributed', the layer should keep axis {first} of size {sizes[0] * sizes[1]}, but gave shape {outputs.shape}."
            )
        return outputs.reshape(*outputs.shape[:first], *sizes, *outputs.shape[first + 1 :])
