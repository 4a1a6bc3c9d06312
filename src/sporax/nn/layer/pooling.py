"""Pooling layers."""

from sporax import ops
from sporax.nn.cell import Cell
from sporax.ops.conv import avg_pool, max_pool


class _Pool(Cell):
    def _check(self, pad_mode):
        mode = pad_mode.lower() if isinstance(pad_mode, str) else pad_mode
        if mode not in ("same", "valid", "pad"):
            raise ValueError(f"For '{type(self).__name__}', 'pad_mode' should be 'same', 'valid' or 'pad', but got {pad_mode!r}.")
        for key in ("kernel_size", "stride"):
            value = getattr(self, key)
            for v in value if isinstance(value, tuple | list) else (value,):
                if isinstance(v, bool) or not isinstance(v, int):
                    raise TypeError(f"For '{type(self).__name__}', '{key}' should be an int or a tuple of ints, but got {value!r}.")
                if v < 1:
                    raise ValueError(f"For '{type(self).__name__}', '{key}' should be positive, but got {value!r}.")
        return mode

    def extend_repr(self):
        return f"kernel_size={self.kernel_size}, stride={self.stride}, pad_mode={self.pad_mode.upper()}"


def _max(n):
    class MaxPool(_Pool):
        def __init__(
            self, kernel_size=1, stride=1, pad_mode="valid", padding=0, dilation=1, return_indices=False, ceil_mode=False, data_format="NCHW"
        ):
            super().__init__()
            self.kernel_size, self.stride = kernel_size, stride
            self.pad_mode = self._check(pad_mode)
            if data_format not in ("NCHW", "NCDHW"):
                raise ValueError(f"For 'MaxPool{n}d', 'data_format' should be 'NCHW', but got {data_format!r}: transpose the input.")
            if self.pad_mode != "pad" and (padding != 0 or dilation != 1 or return_indices or ceil_mode):
                raise ValueError(
                    f"For 'MaxPool{n}d', 'padding', 'dilation', 'return_indices' and 'ceil_mode' are for pad_mode='pad', but it is {pad_mode!r}."
                )
            self.padding, self.dilation, self.return_indices, self.ceil_mode = padding, dilation, return_indices, ceil_mode

        def construct(self, x):
            return max_pool(
                type(self).__name__,
                n,
                x,
                self.kernel_size,
                self.stride,
                self.pad_mode,
                self.padding,
                self.dilation,
                self.ceil_mode,
                self.return_indices,
            )

    return _named(MaxPool, f"MaxPool{n}d", n, "Maxima", '`dilation`, `return_indices`, `ceil_mode`: for pad_mode "pad" only; see `ops.max_pool2d`.')


def _avg(n):
    class AvgPool(_Pool):
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
            super().__init__()
            self.kernel_size, self.stride = kernel_size, stride
            self.pad_mode = self._check(pad_mode)
            if data_format not in ("NCHW", "NCDHW"):
                raise ValueError(f"For 'AvgPool{n}d', 'data_format' should be 'NCHW', but got {data_format!r}: transpose the input.")
            if self.pad_mode != "pad" and padding != 0:
                raise ValueError(f"For 'AvgPool{n}d', 'padding' is for pad_mode='pad', but it is {pad_mode!r}.")
            self.padding, self.ceil_mode, self.count_include_pad, self.divisor_override = padding, ceil_mode, count_include_pad, divisor_override

        def construct(self, x):
            return avg_pool(
                type(self).__name__,
                n,
                x,
                self.kernel_size,
                self.stride,
                self.pad_mode,
                self.padding,
                self.ceil_mode,
                self.count_include_pad,
                self.divisor_override,
            )

    return _named(AvgPool, f"AvgPool{n}d", n, "Means", "`ceil_mode`, `count_include_pad`, `divisor_override`: see `ops.avg_pool2d`.")


def _named(cls, name, n, what, rest):
    cls.__name__ = cls.__qualname__ = name
    cls.__module__ = __name__
    cls.__doc__ = f"""{what} of sliding windows over the last {n} axes.

    Args:
        kernel_size, stride: an int or {n} ints. Default: 1.
        pad_mode: "valid", "same" or "pad" (by `padding`). Default: "valid".
        padding: with "pad", an int or {n} ints. Default: 0.
        {rest}
    """
    return cls


MaxPool1d, MaxPool2d, MaxPool3d = _max(1), _max(2), _max(3)
AvgPool1d, AvgPool2d, AvgPool3d = _avg(1), _avg(2), _avg(3)


def _adaptive(n, kind):
    function = getattr(ops, f"adaptive_{kind}_pool{n}d")
    name = f"Adaptive{kind.capitalize()}Pool{n}d"

    class AdaptivePool(Cell):
        def __init__(self, output_size, return_indices=False):
            super().__init__()
            if return_indices:
                raise ValueError(
                    f"For '{name}', return_indices=True is not supported: use ops.max_pool2d(..., return_indices=True) with fixed windows."
                )
            self.output_size = output_size

        def construct(self, x):
            return function(x, self.output_size)

    AdaptivePool.__name__ = AdaptivePool.__qualname__ = name
    AdaptivePool.__module__ = __name__
    AdaptivePool.__doc__ = f"{'Means' if kind == 'avg' else 'Maxima'} of windows chosen so that the last {n} axes have the sizes `output_size` (an int, or {n} ints or Nones; None keeps a size)."
    return AdaptivePool


AdaptiveAvgPool1d, AdaptiveAvgPool2d, AdaptiveAvgPool3d = (_adaptive(n, "avg") for n in (1, 2, 3))
AdaptiveMaxPool1d, AdaptiveMaxPool2d, AdaptiveMaxPool3d = (_adaptive(n, "max") for n in (1, 2, 3))


class LPPool2d(Cell):
    """(sum of |x|**p)**(1/p) over sliding windows of (N, C, H, W)."""

    def __init__(self, norm_type, kernel_size, stride=None, ceil_mode=False):
        super().__init__()
        self.norm_type, self.kernel_size, self.stride, self.ceil_mode = norm_type, kernel_size, stride, ceil_mode

    def construct(self, x):
        return ops.lp_pool2d(x, self.norm_type, self.kernel_size, self.stride, self.ceil_mode)
