"""Dense, dropout, embedding-free basics."""

from sporax import ops
from sporax._core import dtype as mstype
from sporax._core.tensor import Tensor
from sporax.common.initializer import initializer
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
        if x.dtype is not self.weight.dtype and self._cast is None:
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
        return f"in1_channels={self.in1_channels}, in2_channels={self.in2_channels}, out_channels={self.out_channels}, has_bias={self.has_bias}"


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
            self._by_keep_prob, p = True, 1 - keep_prob
        else:
            self._by_keep_prob = False
            if not 0 <= p < 1:
                raise ValueError(f"For 'Dropout', the 'p' should be in [0, 1), but got {p}.")
        self.p, self.keep_prob = p, 1 - p

    def construct(self, x):
        return ops.dropout(x, self.p, self.training)

    def extend_repr(self):
        return f"keep_prob={self.keep_prob}" if self._by_keep_prob else f"p={self.p}"


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


def _pad_layer(name, n, mode, doc):
    def __init__(self, padding, *value):
        Cell.__init__(self)
        widths = (padding,) * (2 * n) if isinstance(padding, int) else tuple(padding)
        if len(widths) != 2 * n:
            raise ValueError(f"For '{name}', 'padding' should be an int or {2 * n} ints, but got {padding!r}.")
        if (mode == "constant" and len(value) > 1) or (mode != "constant" and value):
            raise TypeError(f"{name} got unexpected arguments {value}.")
        self.padding, self.value = widths, value[0] if value else 0

    def construct(self, x):
        return ops.pad(x, self.padding, mode, self.value if mode == "constant" else None)

    return type(name, (Cell,), {"__init__": __init__, "construct": construct, "__doc__": doc, "__module__": __name__})


ConstantPad1d = _pad_layer("ConstantPad1d", 1, "constant", "The last axis padded with a value: ConstantPad1d(padding, value).")
ConstantPad2d = _pad_layer("ConstantPad2d", 2, "constant", "The last two axes padded with a value: ConstantPad2d(padding, value).")
ConstantPad3d = _pad_layer("ConstantPad3d", 3, "constant", "The last three axes padded with a value: ConstantPad3d(padding, value).")
ZeroPad2d = _pad_layer("ZeroPad2d", 2, "constant", "The last two axes padded with zeros.")
ReflectionPad1d = _pad_layer("ReflectionPad1d", 1, "reflect", "The last axis padded by reflection.")
ReflectionPad2d = _pad_layer("ReflectionPad2d", 2, "reflect", "The last two axes padded by reflection.")
ReflectionPad3d = _pad_layer("ReflectionPad3d", 3, "reflect", "The last three axes padded by reflection.")
ReplicationPad1d = _pad_layer("ReplicationPad1d", 1, "replicate", "The last axis padded with its edges.")
ReplicationPad2d = _pad_layer("ReplicationPad2d", 2, "replicate", "The last two axes padded with their edges.")
ReplicationPad3d = _pad_layer("ReplicationPad3d", 3, "replicate", "The last three axes padded with their edges.")


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


class Embedding(Cell):
    """Rows of a table, looked up by index.

    Args:
        vocab_size: number of rows.
        embedding_size: their length.
        use_one_hot: compute by a product with one-hot vectors (the result is the same). Default: False.
        embedding_table: what `initializer` takes. Default: "normal".
        dtype: default float32.
        padding_idx: a row of zeros that gets no gradient. Default: None.

    Examples:
        >>> print(nn.Embedding(4, 2, embedding_table="ones")(Tensor([0, 3])))
        [[1. 1.]
         [1. 1.]]
    """

    def __init__(self, vocab_size, embedding_size, use_one_hot=False, embedding_table="normal", dtype=mstype.float32, padding_idx=None):
        super().__init__()
        self.vocab_size = positive_int("Embedding", "vocab_size", vocab_size)
        self.embedding_size = positive_int("Embedding", "embedding_size", embedding_size)
        self.use_one_hot, self.dtype, self.padding_idx = flag("Embedding", "use_one_hot", use_one_hot), dtype, padding_idx
        table = initializer(embedding_table, (vocab_size, embedding_size), dtype)
        if padding_idx is not None:
            if not 0 <= padding_idx < vocab_size:
                raise ValueError(f"For 'Embedding', 'padding_idx' should be in [0, {vocab_size}), but got {padding_idx}.")
            array = table.asnumpy()
            array[padding_idx] = 0
            table = Tensor(array)
        self.embedding_table = parameter(table, (vocab_size, embedding_size), "embedding_table", dtype)

    def construct(self, ids):
        need_input("Embedding", ids)
        table = self.embedding_table
        if self.padding_idx is not None:
            keep = ops.one_hot(Tensor([self.padding_idx]), self.vocab_size, 0.0, 1.0).reshape(-1, 1)
            table = table * keep.astype(table.dtype)
        if self.use_one_hot:
            return ops.matmul(ops.one_hot(ids, self.vocab_size, Tensor(1.0, table.dtype), Tensor(0.0, table.dtype)), table)
        return ops.gather(table, ids, 0)

    def extend_repr(self):
        return (
            f"vocab_size={self.vocab_size}, embedding_size={self.embedding_size}, use_one_hot={self.use_one_hot}, "
            f"embedding_table={self.embedding_table}, dtype={self.dtype}, padding_idx={self.padding_idx}"
        )


class EmbeddingLookup(Cell):
    """`Embedding` with a limit on the norm of the rows it returns.

    Args:
        vocab_size, embedding_size: size of the table.
        param_init: what `initializer` takes. Default: "normal".
        target: "CPU" or "DEVICE"; the table lives where the computation does. Default: "CPU".
        slice_mode: how MindSpore would split the table over devices; must be "batch_slice" here. Default: "batch_slice".
        manual_shapes: must be None. Default: None.
        max_norm: rows with a larger norm are scaled down to it. Default: None.
        sparse: whether MindSpore would use sparse gradients; gradients are dense. Default: True.
        dtype: default float32.
    """

    def __init__(
        self, vocab_size, embedding_size, param_init="normal", target="CPU", slice_mode="batch_slice", manual_shapes=None, max_norm=None, sparse=True,
        dtype=mstype.float32,
    ):  # fmt: skip
        super().__init__()
        if slice_mode != "batch_slice" or manual_shapes is not None:
            raise ValueError(
                "For 'EmbeddingLookup', 'slice_mode' should be 'batch_slice' and 'manual_shapes' None: arrays are sharded by the compiler."
            )
        if target not in ("CPU", "DEVICE"):
            raise ValueError(f"For 'EmbeddingLookup', 'target' should be 'CPU' or 'DEVICE', but got {target!r}.")
        flag("EmbeddingLookup", "sparse", sparse)
        self.vocab_size, self.embedding_size, self.max_norm = positive_int("EmbeddingLookup", "vocab_size", vocab_size), embedding_size, max_norm
        self.embedding_table = parameter(
            param_init, (vocab_size, positive_int("EmbeddingLookup", "embedding_size", embedding_size)), "embedding_table", dtype
        )

    def construct(self, indices):
        out = ops.gather(self.embedding_table, indices, 0)
        if self.max_norm is not None:
            norm = ops.norm(out, dim=-1, keepdim=True)
            out = out * (self.max_norm / ops.maximum(norm, self.max_norm))
        return out


class Roll(Cell):
    """Elements moved cyclically along axes."""

    def __init__(self, shift, axis):
        super().__init__()
        self.shift, self.axis = shift, axis

    def construct(self, input_x):
        return ops.roll(input_x, self.shift, self.axis)


class Tril(Cell):
    """The lower triangle of matrices."""

    def construct(self, x, k=0):
        return ops.tril(x, k)


class Triu(Cell):
    """The upper triangle of matrices."""

    def construct(self, x, k=0):
        return ops.triu(x, k)


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
