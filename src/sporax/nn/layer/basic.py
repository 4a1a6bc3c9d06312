"""Dense, dropout, embedding-free basics."""

from sporax import ops
from sporax._core import dtype as mstype
from sporax._core.state import local
from sporax._core.tensor import Tensor
from sporax.nn.cell import Cell
from sporax.nn.layer._make import default_bias, default_weight, flag, need_input, parameter, positive_int
from sporax.nn.layer.activation import get_activation


class Dense(Cell):
    """A fully connected layer: activation(x weight^T + bias).

    Args:
        in_channels: size of the last axis of the input.
        out_channels: size of the last axis of the output.
        weight_init: what `initializer` takes; the weight has shape (out_channels, in_channels). Default: None, uniform in +-1 / sqrt(in_channels).
        bias_init: in the same way, (out_channels,). Default: None, uniform in +-1 / sqrt(in_channels).
        has_bias: default True.
        activation: a name, a Cell or a Primitive. Default: None.
        dtype: dtype of the parameters. Default: float32.

    Raises:
        TypeError: an argument is of the wrong kind, or the input is not of the weight's dtype.
        ValueError: a size is not positive, or the last size of the input is not `in_channels`.

    Examples:
        >>> net = nn.Dense(2, 1, weight_init="ones", bias_init="zeros")
        >>> print(net(Tensor([[1.0, 2.0]])))
        [[3.]]
    """

    def __init__(self, in_channels, out_channels, weight_init=None, bias_init=None, has_bias=True, activation=None, dtype=mstype.float32):
        super().__init__()
        self.in_channels = positive_int("Dense", "in_channels", in_channels)
        self.out_channels = positive_int("Dense", "out_channels", out_channels)
        self.has_bias = flag("Dense", "has_bias", has_bias)
        self.weight = parameter(default_weight() if weight_init is None else weight_init, (out_channels, in_channels), "weight", dtype)
        self.bias = None
        if has_bias:
            self.bias = parameter(default_bias(in_channels) if bias_init is None else bias_init, (out_channels,), "bias", dtype)
        self.activation = get_activation(activation, "Dense") if isinstance(activation, str) else activation
        if self.activation is not None and not isinstance(self.activation, Cell | ops.Primitive):
            raise TypeError(f"For 'Dense', the 'activation' must be str or Cell or Primitive, but got {type(activation).__name__}.")

    def construct(self, x):
        need_input("Dense", x)
        if x.dtype is not self.weight.dtype and local.state.cast is None:
            raise TypeError(
                f"For 'Dense', the input should have the dtype {self.weight.dtype} of the weight, but got {x.dtype}: use "
                f"x.astype({self.weight.dtype!r})."
            )
        weight, bias = self.weight, self.bias
        if x.dtype is not weight.dtype:
            weight, bias = weight.astype(x.dtype), None if bias is None else bias.astype(x.dtype)
        y = ops.dense(x, weight, bias)
        return y if self.activation is None else self.activation(y)

    def extend_repr(self):
        text = f"input_channels={self.in_channels}, output_channels={self.out_channels}"
        if self.has_bias:
            text += f", has_bias={self.has_bias}"
        return text if self.activation is None else f"{text}, activation={self.activation}"


class Linear(Dense):
    """`Dense` under the name and with the argument names of torch: Linear(in_features, out_features, bias)."""

    def __init__(self, in_features, out_features, bias=True, weight_init=None, bias_init=None, dtype=None):
        super().__init__(in_features, out_features, weight_init, bias_init, bias, None, dtype or mstype.float32)


class BiDense(Cell):
    """x1^T W x2 + bias for each output channel.

    Args:
        in1_channels, in2_channels, out_channels: sizes; the weight has shape (out, in1, in2).
        weight_init, bias_init: what `initializer` takes. Default: None, uniform in +-1 / sqrt(in1_channels).
        has_bias: default True.
        dtype: default float32.
    """

    def __init__(self, in1_channels, in2_channels, out_channels, weight_init=None, bias_init=None, has_bias=True, dtype=mstype.float32):
        super().__init__()
        for key, value in (("in1_channels", in1_channels), ("in2_channels", in2_channels), ("out_channels", out_channels)):
            setattr(self, key, positive_int("BiDense", key, value))
        start = default_bias(in1_channels)
        self.has_bias = flag("BiDense", "has_bias", has_bias)
        self.weight = parameter(start if weight_init is None else weight_init, (out_channels, in1_channels, in2_channels), "weight", dtype)
        self.bias = parameter(start if bias_init is None else bias_init, (out_channels,), "bias", dtype) if has_bias else None

    def construct(self, input1, input2):
        y = ops.einsum("...i,oij,...j->...o", input1, self.weight, input2)
        return y if self.bias is None else y + self.bias

    def extend_repr(self):
        return f"in1_channels={self.in1_channels}, in2_channels={self.in2_channels}, output_channels={self.out_channels}, has_bias={self.has_bias}"


class Dropout(Cell):
    """In training: each element is 0 with probability p, else x / (1 - p). Otherwise the input.

    Args:
        keep_prob: 1 - p, the older way to say it. Default: 0.5.
        p: probability of a zero, in [0, 1). Default: None, 1 - keep_prob.
        dtype: kept for compatibility; the output has the dtype of the input. Default: float32.

    Raises:
        TypeError: `p` is not a number.
        ValueError: `p` is not in [0, 1), or `keep_prob` not in (0, 1].

    Examples:
        >>> print(nn.Dropout(p=0.5)(Tensor([1.0, 2.0])))
        [1. 2.]
    """

    def __init__(self, keep_prob=0.5, p=None, dtype=mstype.float32):
        super().__init__()
        if not isinstance(dtype, mstype.Type):
            raise TypeError(f"For 'Dropout', 'dtype' should be a MindSpore dtype, but got {dtype!r}.")
        for key, value in (("p", p), ("keep_prob", keep_prob)):
            if value is not None and (isinstance(value, bool) or not isinstance(value, int | float)):
                raise TypeError(f"For 'Dropout', '{key}' should be a number, but got {value!r}.")
        if p is None:
            if not 0 < keep_prob <= 1:
                raise ValueError(f"For 'Dropout', the 'keep_prob' should be in (0, 1], but got {keep_prob}.")
            self._shown, p = f"keep_prob={keep_prob}", 1 - keep_prob
        else:
            self._shown = f"p={p}"
            if not 0 <= p < 1:
                raise ValueError(f"For 'Dropout', the 'p' should be in [0, 1), but got {p}.")
        self.p, self.keep_prob = p, 1 - p

    def construct(self, x):
        return ops.dropout(x, self.p, self.training)

    def extend_repr(self):
        return self._shown


class _ChannelDropout(Cell):
    def __init__(self, p=0.5):
        super().__init__()
        if isinstance(p, bool) or not isinstance(p, int | float):
            raise TypeError(f"For '{type(self).__name__}', 'p' should be a number, but got {p!r}.")
        if not 0 <= p <= 1:
            raise ValueError(f"For '{type(self).__name__}', 'p' should be in [0, 1], but got {p}.")
        self.p = p

    def construct(self, x):
        return type(self)._function(x, self.p, self.training)

    def extend_repr(self):
        return f"p={self.p}"


class Dropout1d(_ChannelDropout):
    """`Dropout` of whole channels of (N, C, L)."""

    _function = staticmethod(ops.dropout1d)


class Dropout2d(_ChannelDropout):
    """`Dropout` of whole channels of (N, C, H, W)."""

    _function = staticmethod(ops.dropout2d)


class Dropout3d(_ChannelDropout):
    """`Dropout` of whole channels of (N, C, D, H, W)."""

    _function = staticmethod(ops.dropout3d)


class Flatten(Cell):
    """Axes `start_dim` to `end_dim` joined into one.

    Examples:
        >>> nn.Flatten()(Tensor(np.zeros((2, 3, 4)))).shape
        (2, 12)
    """

    def __init__(self, start_dim=1, end_dim=-1):
        super().__init__()
        self.start_dim, self.end_dim = start_dim, end_dim

    def construct(self, x):
        return ops.flatten(x, start_dim=self.start_dim, end_dim=self.end_dim)


class Unflatten(Cell):
    """One axis split into several.

    Args:
        axis: the axis.
        unflattened_size: the sizes it becomes.
    """

    def __init__(self, axis, unflattened_size):
        super().__init__()
        self.axis, self.unflattened_size = axis, tuple(unflattened_size)

    def construct(self, input_x):
        axis = self.axis % input_x.ndim
        return input_x.reshape(*input_x.shape[:axis], *self.unflattened_size, *input_x.shape[axis + 1 :])


class Identity(Cell):
    """The input as it is. Arguments are taken and have no meaning."""

    def __init__(self, *args, **kwargs):
        super().__init__()

    def construct(self, x):
        return x


class Norm(Cell):
    """The Euclidean norm over axes.

    Args:
        axis: an int or a tuple; () means all. Default: ().
        keep_dims: default False.
    """

    def __init__(self, axis=(), keep_dims=False):
        super().__init__()
        self.axis, self.keep_dims = axis, flag("Norm", "keep_dims", keep_dims)

    def construct(self, x):
        return ops.norm(x, dim=self.axis or (None if self.axis == () else self.axis), keepdim=self.keep_dims)

    def extend_repr(self):
        return f"axis={self.axis}, keep_dims={self.keep_dims}"


class OneHot(Cell):
    """`on_value` at each index along a new axis of size `depth`, `off_value` elsewhere.

    Args:
        axis: where the new axis goes. Default: -1.
        depth: its size. Default: 1.
        on_value, off_value: default 1.0 and 0.0.
        dtype: default float32.
    """

    def __init__(self, axis=-1, depth=1, on_value=1.0, off_value=0.0, dtype=mstype.float32):
        super().__init__()
        self.axis, self.depth, self.dtype = axis, depth, dtype
        self.on_value, self.off_value = Tensor(on_value, dtype), Tensor(off_value, dtype)

    def construct(self, indices):
        return ops.one_hot(indices, self.depth, self.on_value, self.off_value, self.axis)


class ClipByNorm(Cell):
    """The input scaled so that its norm (over `axis`) is at most the `clip_norm` of the call.

    Args:
        axis: an int, a tuple or None for all axes. Default: None.

    Examples:
        >>> print(nn.ClipByNorm()(Tensor([3.0, 4.0]), Tensor(1.0)))
        [0.6 0.8]
    """

    def __init__(self, axis=None):
        super().__init__()
        if (axis is not None and not isinstance(axis, int | tuple)) or isinstance(axis, bool):
            raise TypeError(f"For 'ClipByNorm', the 'axis' must be int or tuple or None, but got {axis!r} of type {type(axis).__name__}.")
        self.axis = axis

    def construct(self, x, clip_norm):
        if not isinstance(clip_norm, Tensor):
            clip_norm = Tensor(clip_norm, x.dtype)
        norm = ops.norm(x, dim=self.axis, keepdim=self.axis is not None)
        clip_norm = clip_norm.astype(x.dtype)
        return x * clip_norm / ops.maximum(norm, clip_norm)


class Roll(Cell):
    """Elements moved cyclically along axes."""

    def __init__(self, shift, axis):
        super().__init__()
        self.shift, self.axis = shift, axis

    def construct(self, input_x):
        return ops.roll(input_x, self.shift, self.axis)


class Tril(Cell):
    """The lower triangle of matrices."""

    def __init__(self):
        super().__init__()

    def construct(self, x, k=0):
        return ops.tril(x, k)


class Triu(Cell):
    """The upper triangle of matrices."""

    def __init__(self):
        super().__init__()

    def construct(self, x, k=0):
        return ops.triu(x, k)
