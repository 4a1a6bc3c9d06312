"""Pooling."""

from sporax._core.dispatch import apply
from sporax._core.dtype import int32
from sporax._kernels import pool as P
from sporax.ops._args import ints, need_tensor
from sporax.ops._table import op, prim
from sporax.ops.conv import need_room, pad_pairs, spread


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


def _windows(name, n, x, kernel_size, stride):
    need_tensor(name, "x", x)
    if x.ndim < n + 1:
        raise ValueError(f"For '{name}', the input should have {n + 2} axes, or {n + 1} without a batch, but got shape {x.shape}.")
    kernel = spread(name, "kernel_size", kernel_size, n)
    stride = spread(name, "stride", kernel if stride is None else stride, n)
    if min(kernel) < 1 or min(stride) < 1:
        raise ValueError(f"For '{name}', 'kernel_size' and 'stride' should be positive, but got {kernel_size} and {stride}.")
    return kernel, stride, x.shape[x.ndim - n :]


def max_pool(name, n, x, kernel_size, stride, pad_mode, padding, dilation, ceil_mode, return_indices):
    """Max pooling over the last `n` axes."""
    kernel, stride, sizes = _windows(name, n, x, kernel_size, stride)
    dilation = spread(name, "dilation", dilation, n)
    pairs = pad_pairs(name, pad_mode, padding, sizes, kernel, stride, dilation)
    if ceil_mode:
        pairs, _ = _ceil(pairs, sizes, kernel, stride, dilation)
    need_room(name, sizes, pairs, kernel, dilation)
    return apply(P.max_pool_with_index if return_indices else P.max_pool, (x,), kernel=kernel, stride=stride, padding=pairs, dilation=dilation)


def avg_pool(name, n, x, kernel_size, stride, pad_mode, padding, ceil_mode, count_include_pad, divisor):
    """Average pooling over the last `n` axes. "same" counts padding only where there are three, as in MindSpore."""
    kernel, stride, sizes = _windows(name, n, x, kernel_size, stride)
    ones = (1,) * n
    pairs, extra = pad_pairs(name, pad_mode, padding, sizes, kernel, stride, ones), (0,) * n
    if pad_mode == "same" and n < 3:
        count_include_pad = False
    if ceil_mode:
        pairs, extra = _ceil(pairs, sizes, kernel, stride, ones)
    need_room(name, sizes, pairs, kernel, ones, RuntimeError)
    return apply(
        P.avg_pool,
        (x,),
        kernel=kernel,
        stride=stride,
        padding=pairs,
        count_include_pad=bool(count_include_pad),
        divisor=divisor or None,
        ceil_extra=extra,
    )


def _check_primitive(self):
    modes = ("valid", "same", "pad") if self.name.endswith("3D") else ("valid", "same")
    if not isinstance(self.pad_mode, str) or self.pad_mode.lower() not in modes:
        raise ValueError(f"For '{self.name}', 'pad_mode' should be one of {modes}, but got {self.pad_mode!r}.")
    wanted = ("NCHW", "NCDHW")
    if getattr(self, "data_format", "NCHW") not in wanted:
        raise ValueError(f"For '{self.name}', 'data_format' should be one of {wanted}, but got {self.data_format!r}: transpose the input.")


def _max_primitive(n, indices=False):
    def call(self, x):
        mode = self.pad_mode.lower()
        pads = self.pad_list if mode == "pad" else 0
        out = max_pool(self.name, n, x, self.kernel_size, self.strides, mode, pads, 1, bool(getattr(self, "ceil_mode", False)), indices)
        return (out[0], out[1].astype(int32)) if indices else out

    return call


def _avg_primitive(n):
    def call(self, x):
        mode = self.pad_mode.lower()
        if n == 2:
            return avg_pool(self.name, 2, x, self.kernel_size, self.strides, mode, 0, False, False, None)
        pads = self.pad if mode == "pad" else 0
        return avg_pool(self.name, 3, x, self.kernel_size, self.strides, mode, pads, self.ceil_mode, self.count_include_pad, self.divisor_override)

    return call


_POOL = {"kernel_size": 1, "strides": 1, "pad_mode": "valid"}
_MAX_2D = tuple(
    prim(name, **_POOL, data_format="NCHW", check=_check_primitive, call=_max_primitive(2, indices))
    for name, indices in (("MaxPool", False), ("MaxPoolWithArgmax", True))
)
_MAX_3D = prim(
    "MaxPool3D", **_POOL | {"pad_mode": "VALID"}, pad_list=0, ceil_mode=None, data_format="NCDHW", check=_check_primitive, call=_max_primitive(3)
)
_AVG_2D = prim("AvgPool", **_POOL | {"pad_mode": "VALID"}, data_format="NCHW", check=_check_primitive, call=_avg_primitive(2))
_AVG_3D = prim(
    "AvgPool3D", **_POOL, pad=0, ceil_mode=False, count_include_pad=True, divisor_override=0, data_format="NCDHW",
    check=_check_primitive, call=_avg_primitive(3),
)  # fmt: skip


def _named(f, name, doc, mint=True, primitive=None):
    f.__name__ = f.__qualname__ = name
    f.__module__, f.__doc__ = __name__, doc
    return op(mint=f"nn.functional.{name}" if mint else None, primitive=primitive)(f)


_MAX_DOC = """Maxima of sliding windows over the last {n} axes.

    Args:
        x (Tensor): (N, C, {space}) or (C, {space}).
        kernel_size, stride: an int or {n} ints. Default of `stride`: None, the kernel's.
        padding, dilation: an int or {n} ints. Default: 0, 1.
        ceil_mode: a last, partial window counts. Default: False.
        return_indices: also give the positions in the flattened space. Default: False.

    Raises:
        ValueError: no window fits, or settings are out of range.
    """


def max_pool2d(x, kernel_size, stride=None, padding=0, dilation=1, return_indices=False, ceil_mode=False):
    return max_pool("max_pool2d", 2, x, kernel_size, stride, "pad", padding, dilation, ceil_mode, return_indices)


def max_pool3d(x, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    return max_pool("max_pool3d", 3, x, kernel_size, stride, "pad", padding, dilation, ceil_mode, return_indices)


_named(max_pool2d, "max_pool2d", _MAX_DOC.format(n=2, space="H, W"), primitive=_MAX_2D)
_named(max_pool3d, "max_pool3d", _MAX_DOC.format(n=3, space="D, H, W"), primitive=_MAX_3D)

_AVG_DOC = """Means of sliding windows over the last {n} ax{e}s.

    Args:
        input_x (Tensor): (N, C, {space}) or (C, {space}).
        kernel_size, stride: an int or {n} ints. Default: 1.
        padding: an int or {n} ints. Default: 0.
        ceil_mode: a last, partial window counts. Default: False.
        count_include_pad: padding counts as zeros. Default: True.{divisor}

    Raises:
        ValueError: settings are out of range.
        RuntimeError: no window fits.
    """
_DIVISOR = """
        divisor_override: what to divide sums by instead of the number of elements. Default: 0, that number."""


def avg_pool1d(input_x, kernel_size=1, stride=1, padding=0, ceil_mode=False, count_include_pad=True):
    return avg_pool("avg_pool1d", 1, input_x, kernel_size, stride, "pad", padding, ceil_mode, count_include_pad, None)


def avg_pool2d(input_x, kernel_size=1, stride=1, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=0):
    return avg_pool("avg_pool2d", 2, input_x, kernel_size, stride, "pad", padding, ceil_mode, count_include_pad, divisor_override)


def avg_pool3d(input_x, kernel_size=1, stride=1, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=0):
    return avg_pool("avg_pool3d", 3, input_x, kernel_size, stride, "pad", padding, ceil_mode, count_include_pad, divisor_override)


_named(avg_pool1d, "avg_pool1d", _AVG_DOC.format(n=1, e="i", space="L", divisor=""))
_named(avg_pool2d, "avg_pool2d", _AVG_DOC.format(n=2, e="e", space="H, W", divisor=_DIVISOR), primitive=_AVG_2D)
_named(avg_pool3d, "avg_pool3d", _AVG_DOC.format(n=3, e="e", space="D, H, W", divisor=_DIVISOR), primitive=_AVG_3D)


def adaptive_sizes(name, n, x, output_size):
    """The sizes of the output, None where the input's stays."""
    need_tensor(name, "input", x)
    if x.ndim not in (n + 1, n + 2):
        raise ValueError(f"For '{name}', the input should have {n + 2} axes, or {n + 1} without a batch, but got shape {x.shape}.")
    values = tuple(output_size) if isinstance(output_size, tuple | list) else (output_size,) * n
    if len(values) != n:
        raise ValueError(f"For '{name}', 'output_size' should be an int or {n} values, but got {output_size!r}.")
    sizes = tuple(None if v is None else ints(name, "output_size", v)[0] for v in values)
    if any(s is not None and s < 1 for s in sizes):
        raise ValueError(f"For '{name}', 'output_size' should be positive, but got {output_size!r}.")
    return sizes


def _adaptive_avg(n):
    name = f"adaptive_avg_pool{n}d"

    def f(input, output_size):
        return apply(P.adaptive_avg_pool, (input,), output=adaptive_sizes(name, n, input, output_size))

    doc = f"Means of windows chosen so that the last {n} axes have the sizes `output_size` (None keeps one)."
    primitive = None if n == 1 else prim(f"AdaptiveAvgPool{n}D", output_size=prim.required)
    return _named(f, name, doc, primitive=primitive)


def _adaptive_max(name, n, x, output_size, return_indices):
    kernel = P.adaptive_max_pool_with_index if return_indices else P.adaptive_max_pool
    return apply(kernel, (x,), output=adaptive_sizes(name, n, x, output_size))


_ADAPTIVE_DOC = """Maxima of windows chosen so that the last {n} axes have the sizes `output_size` (None keeps one).

    With `return_indices` also their positions in the flattened space.
    """


_ADAPTIVE_MAX = prim("AdaptiveMaxPool2D", output_size=prim.required, call=lambda self, x: _adaptive_max(self.name, 2, x, self.output_size, True))


def adaptive_max_pool1d(input, output_size):
    """Maxima of windows chosen so that the last axis has the size `output_size`."""
    return _adaptive_max("adaptive_max_pool1d", 1, input, output_size, False)


def adaptive_max_pool2d(input, output_size, return_indices=False):
    return _adaptive_max("adaptive_max_pool2d", 2, input, output_size, return_indices)


def adaptive_max_pool3d(input, output_size, return_indices=False):
    return _adaptive_max("adaptive_max_pool3d", 3, input, output_size, return_indices)


adaptive_avg_pool1d, adaptive_avg_pool2d, adaptive_avg_pool3d = (_adaptive_avg(n) for n in (1, 2, 3))
_named(adaptive_max_pool1d, "adaptive_max_pool1d", adaptive_max_pool1d.__doc__)
_named(adaptive_max_pool2d, "adaptive_max_pool2d", _ADAPTIVE_DOC.format(n=2), primitive=_ADAPTIVE_MAX)
_named(adaptive_max_pool3d, "adaptive_max_pool3d", _ADAPTIVE_DOC.format(n=3))


def _lp(name, n, x, norm_type, kernel_size, stride, ceil_mode):
    kernel, stride, sizes = _windows(name, n, x, kernel_size, stride)
    pairs = ((0, 0),) * n
    if ceil_mode:
        pairs = _ceil(pairs, sizes, kernel, stride, (1,) * n)[0]
    need_room(name, sizes, pairs, kernel, (1,) * n)
    return apply(P.lp_pool, (x,), p=float(norm_type), kernel=kernel, stride=stride, padding=pairs)


def lp_pool1d(x, norm_type, kernel_size, stride=None, ceil_mode=False):
    """(sum of x**p)**(1/p) over sliding windows of (N, C, L) or (C, L); nan for a negative sum."""
    return _lp("lp_pool1d", 1, x, norm_type, kernel_size, stride, ceil_mode)


def lp_pool2d(x, norm_type, kernel_size, stride=None, ceil_mode=False):
    """(sum of x**p)**(1/p) over sliding windows of (N, C, H, W); nan for a negative sum."""
    return _lp("lp_pool2d", 2, x, norm_type, kernel_size, stride, ceil_mode)


_named(lp_pool1d, "lp_pool1d", lp_pool1d.__doc__, mint=False)
_named(lp_pool2d, "lp_pool2d", lp_pool2d.__doc__, mint=False)


def _unpool(n):
    name = f"max_unpool{n}d"

    def f(x, indices, kernel_size, stride=None, padding=0, output_size=None):
        need_tensor(name, "indices", indices)
        kernel, stride, sizes = _windows(name, n, x, kernel_size, stride)
        if x.shape != indices.shape:
            raise ValueError(f"For '{name}', 'x' and 'indices' should have one shape, but got {x.shape} and {indices.shape}.")
        pads = spread(name, "padding", padding, n)
        natural = tuple((d - 1) * s - 2 * p + k for d, s, p, k in zip(sizes, stride, pads, kernel))
        if not output_size:
            return apply(P.max_unpool, (x, indices), size=natural)
        size = ints(name, "output_size", output_size)[-n:]
        if any(abs(a - b) >= s for a, b, s in zip(size, natural, stride)):
            raise ValueError(f"For '{name}', 'output_size' should be less than a stride away from {natural}, but got {output_size}.")
        return apply(P.max_unpool, (x, indices), size=size)

    doc = f"""The values of a max pooling over {n} ax{"i" if n == 1 else "e"}s put back at their positions, zeros elsewhere.

    Args:
        x, indices (Tensor): the values and their positions in the flattened space, as the pooling returns them.
        kernel_size, stride, padding: those of the pooling. Default of `stride`: None, the kernel's; of `padding`: 0.
        output_size: the sizes of the result, where several are possible. Default: None.

    Raises:
        ValueError: shapes or sizes do not fit.
    """
    return _named(f, name, doc, mint=n < 3)


max_unpool1d, max_unpool2d, max_unpool3d = (_unpool(n) for n in (1, 2, 3))
