"""Pooling layers."""

from sporax import ops
from sporax.nn.cell import Cell
from sporax.nn.layer._make import flag, need_input, positive_int
from sporax.ops.pool import adaptive_sizes, avg_pool, max_pool


class _Window(Cell):
    """What the layers with sliding windows over `n` axes share."""

    n = 2

    def _set_window(self, kernel_size, stride, pad_mode):
        name, n = type(self).__name__, self.n
        for key, value in (("kernel_size", kernel_size), ("stride", stride)):
            several = isinstance(value, tuple) and n > 1
            for v in value if several else (value,):
                if isinstance(v, bool) or not isinstance(v, int):
                    raise TypeError(f"For '{name}', '{key}' should be an int{' or a tuple of ints' if n > 1 else ''}, but got {value!r}.")
                if v < 1:
                    raise ValueError(f"For '{name}', '{key}' should be positive, but got {value!r}.")
            if several and len(value) != n:
                raise ValueError(f"For '{name}', '{key}' should be an int or {n} ints, but got {value!r}.")
        self.pad_mode = pad_mode.lower() if isinstance(pad_mode, str) else pad_mode
        if self.pad_mode not in ("same", "valid", "pad"):
            raise ValueError(f"For '{name}', 'pad_mode' should be 'same', 'valid' or 'pad', but got {pad_mode!r}.")
        # windows along one axis are shown as those of an image with one row
        self.kernel_size, self.stride = ((1, kernel_size), (1, stride)) if n == 1 else (kernel_size, stride)

    def _only_nchw(self, data_format):
        if data_format != "NCHW":
            raise ValueError(f"For '{type(self).__name__}', 'data_format' should be 'NCHW', but got {data_format!r}: transpose the input.")

    def _check_axes(self, x):
        name, n = type(self).__name__, self.n
        need_input(name, x)
        if x.ndim not in (n + 1, n + 2):
            raise ValueError(f"For '{name}', the input should have {n + 2} axes, or {n + 1} without a batch, but got shape {x.shape}.")

    def _window(self):
        return (self.kernel_size[1], self.stride[1]) if self.n == 1 else (self.kernel_size, self.stride)

    def extend_repr(self):
        return f"kernel_size={self.kernel_size}, stride={self.stride}, pad_mode={self.pad_mode.upper()}"


class _MaxPool(_Window):
    def __init__(self, kernel_size=1, stride=1, pad_mode="valid", padding=0, dilation=1, return_indices=False, ceil_mode=False):
        super().__init__()
        name = type(self).__name__
        self._set_window(kernel_size, stride, pad_mode)
        self.return_indices, self.ceil_mode = flag(name, "return_indices", return_indices), flag(name, "ceil_mode", ceil_mode)
        if self.pad_mode != "pad" and (padding != 0 or dilation != 1 or return_indices or ceil_mode):
            raise ValueError(f"For '{name}', 'padding', 'dilation', 'return_indices' and 'ceil_mode' are for pad_mode='pad', but it is {pad_mode!r}.")
        self.padding, self.dilation = padding, dilation

    def construct(self, x):
        self._check_axes(x)
        kernel, stride = self._window()
        return max_pool(
            type(self).__name__, self.n, x, kernel, stride, self.pad_mode, self.padding, self.dilation, self.ceil_mode, self.return_indices
        )


class _AvgPool(_Window):
    def __init__(self, kernel_size=1, stride=1, pad_mode="valid", padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None):
        super().__init__()
        name = type(self).__name__
        self._set_window(kernel_size, stride, pad_mode)
        if self.pad_mode != "pad" and padding not in (0, (0,) * self.n):
            raise ValueError(f"For '{name}', 'padding' is for pad_mode='pad', but it is {pad_mode!r}.")
        if divisor_override is not None and divisor_override <= 0:
            raise ValueError(f"For '{name}', 'divisor_override' should be positive, but got {divisor_override}.")
        self.ceil_mode, self.count_include_pad = flag(name, "ceil_mode", ceil_mode), flag(name, "count_include_pad", count_include_pad)
        self.padding, self.divisor_override = padding, divisor_override

    def construct(self, x):
        self._check_axes(x)
        kernel, stride = self._window()
        return avg_pool(
            type(self).__name__, self.n, x, kernel, stride, self.pad_mode, self.padding, self.ceil_mode, self.count_include_pad, self.divisor_override
        )


_DOC = """{what} of sliding windows over the last {n} ax{e}s.

    Args:
        kernel_size, stride: {sizes}. Default: 1.
        pad_mode: "valid", "same" (output size ceil(size / stride)) or "pad" (by `padding`). Default: "valid".
        padding: with "pad", {sizes}. Default: 0.
        {rest}

    Raises:
        TypeError: an argument of the wrong kind.
        ValueError: an argument out of range, or an input with another number of axes.
    """
_MAX = (
    "dilation: space between the elements of a window. Default: 1.\n        return_indices: also give the positions in the flattened space. "
    'Default: False.\n        ceil_mode: a last, partial window counts. Default: False. These three are for pad_mode "pad".'
)
_AVG = "ceil_mode: a last, partial window counts. Default: False.\n        count_include_pad: padding counts as zeros. Default: True."
_DIVISOR = "\n        divisor_override: what to divide sums by. Default: None, the number of elements."


def _doc(what, n, rest):
    return _DOC.format(what=what, n=n, e="i" if n == 1 else "e", sizes="an int" if n == 1 else f"an int or {n} ints", rest=rest)


class MaxPool1d(_MaxPool):
    __doc__ = _doc("Maxima", 1, _MAX)
    n = 1


class MaxPool2d(_MaxPool):
    __doc__ = _doc("Maxima", 2, _MAX)

    def __init__(self, kernel_size=1, stride=1, pad_mode="valid", padding=0, dilation=1, return_indices=False, ceil_mode=False, data_format="NCHW"):
        super().__init__(kernel_size, stride, pad_mode, padding, dilation, return_indices, ceil_mode)
        self._only_nchw(data_format)


class MaxPool3d(_MaxPool):
    __doc__ = _doc("Maxima", 3, _MAX)
    n = 3


class AvgPool1d(_AvgPool):
    __doc__ = _doc("Means", 1, _AVG)
    n = 1

    def __init__(self, kernel_size=1, stride=1, pad_mode="valid", padding=0, ceil_mode=False, count_include_pad=True):
        super().__init__(kernel_size, stride, pad_mode, padding, ceil_mode, count_include_pad)


class AvgPool2d(_AvgPool):
    __doc__ = _doc("Means", 2, _AVG + _DIVISOR)

    def __init__(
        self,
        kernel_size=1,
        stride=1,
        pad_mode="valid",
        padding=0,
        ceil_mode=False,
        count_include_pad=True,
        divisor_override=None,
        data_format="NCHW",
    ):
        super().__init__(kernel_size, stride, pad_mode, padding, ceil_mode, count_include_pad, divisor_override)
        self._only_nchw(data_format)


class AvgPool3d(_AvgPool):
    __doc__ = _doc("Means", 3, _AVG + _DIVISOR)
    n = 3


class _Adaptive(Cell):
    """Windows chosen so that the last `n` axes have the sizes `output_size`: an int, or `n` ints or Nones (None keeps a size)."""

    n = 2

    def __init__(self, output_size):
        super().__init__()
        name = type(self).__name__
        if self.n == 1:
            positive_int(name, "output_size", output_size)
        elif not isinstance(output_size, int | tuple | list | None) or isinstance(output_size, bool):
            raise TypeError(f"For '{name}', 'output_size' should be an int or a tuple, but got {output_size!r} of type {type(output_size).__name__}.")
        for v in output_size if isinstance(output_size, tuple | list) else (output_size,):
            if v is not None and v < 0:
                raise ValueError(f"For '{name}', 'output_size' should not be negative, but got {output_size!r}.")
        self.output_size = output_size

    def _pooled(self, function, x, *more):
        adaptive_sizes(type(self).__name__, self.n, x, self.output_size)
        return function(x, self.output_size, *more)


class AdaptiveAvgPool1d(_Adaptive):
    """Means of windows chosen so that the last axis has the size `output_size`."""

    n = 1

    def construct(self, input):
        return self._pooled(ops.adaptive_avg_pool1d, input)


class AdaptiveAvgPool2d(_Adaptive):
    """Means of windows chosen so that the last two axes have the sizes `output_size`: an int, or two ints or Nones (None keeps a size).

    Examples:
        >>> print(nn.AdaptiveAvgPool2d(1)(Tensor([[[1.0, 2.0], [3.0, 4.0]]])))
        [[[2.5]]]
    """

    def construct(self, input):
        return self._pooled(ops.adaptive_avg_pool2d, input)


class AdaptiveAvgPool3d(_Adaptive):
    """Means of windows chosen so that the last three axes have the sizes `output_size`."""

    n = 3

    def construct(self, input):
        return self._pooled(ops.adaptive_avg_pool3d, input)


class AdaptiveMaxPool1d(_Adaptive):
    """Maxima of windows chosen so that the last axis has the size `output_size`."""

    n = 1

    def construct(self, x):
        return self._pooled(ops.adaptive_max_pool1d, x)


class _AdaptiveMax(_Adaptive):
    def __init__(self, output_size, return_indices=False):
        super().__init__(output_size)
        self.return_indices = flag(type(self).__name__, "return_indices", return_indices)


class AdaptiveMaxPool2d(_AdaptiveMax):
    """Maxima of windows chosen so that the last two axes have the sizes `output_size`; with `return_indices` also their positions."""

    def construct(self, input):
        return self._pooled(ops.adaptive_max_pool2d, input, self.return_indices)


class AdaptiveMaxPool3d(_AdaptiveMax):
    """Maxima of windows chosen so that the last three axes have the sizes `output_size`; with `return_indices` also their positions."""

    n = 3

    def construct(self, input):
        return self._pooled(ops.adaptive_max_pool3d, input, self.return_indices)


class _LPPool(Cell):
    def __init__(self, norm_type, kernel_size, stride=None, ceil_mode=False):
        super().__init__()
        name = type(self).__name__
        if isinstance(norm_type, bool) or not isinstance(norm_type, int | float):
            raise TypeError(f"For '{name}', 'norm_type' should be a number, but got {norm_type!r}.")
        if norm_type == 0:
            raise ValueError(f"For '{name}', 'norm_type' should not be 0.")
        self.norm_type, self.kernel_size, self.stride, self.ceil_mode = norm_type, kernel_size, stride, flag(name, "ceil_mode", ceil_mode)


class LPPool1d(_LPPool):
    """(sum of x**p)**(1/p) over sliding windows of (N, C, L) or (C, L): LPPool1d(norm_type, kernel_size, stride=None, ceil_mode=False)."""

    def construct(self, x):
        return ops.lp_pool1d(x, self.norm_type, self.kernel_size, self.stride, self.ceil_mode)


class LPPool2d(_LPPool):
    """(sum of x**p)**(1/p) over sliding windows of (N, C, H, W): LPPool2d(norm_type, kernel_size, stride=None, ceil_mode=False)."""

    def construct(self, x):
        return ops.lp_pool2d(x, self.norm_type, self.kernel_size, self.stride, self.ceil_mode)


class _MaxUnpool(Cell):
    def __init__(self, kernel_size, stride=None, padding=0):
        super().__init__()
        self.kernel_size, self.stride, self.padding = kernel_size, stride, padding


class MaxUnpool1d(_MaxUnpool):
    """The values of a `MaxPool1d` with `return_indices` put back at their positions: MaxUnpool1d(kernel_size, stride=None, padding=0)."""

    def construct(self, x, indices, output_size=None):
        return ops.max_unpool1d(x, indices, self.kernel_size, self.stride, self.padding, output_size)


class MaxUnpool2d(_MaxUnpool):
    """The values of a `MaxPool2d` with `return_indices` put back at their positions: MaxUnpool2d(kernel_size, stride=None, padding=0)."""

    def construct(self, x, indices, output_size=None):
        return ops.max_unpool2d(x, indices, self.kernel_size, self.stride, self.padding, output_size)


class MaxUnpool3d(_MaxUnpool):
    """The values of a `MaxPool3d` with `return_indices` put back at their positions: MaxUnpool3d(kernel_size, stride=None, padding=0)."""

    def construct(self, x, indices, output_size=None):
        return ops.max_unpool3d(x, indices, self.kernel_size, self.stride, self.padding, output_size)
