"""Computing in another floating type: what `Cell.to_float` and mixed precision switch on.

While a type is set, the floating inputs of computing kernels are cast to it on their way into the kernel. Kernels that only move
elements, random numbers, optimizers and the tape are left alone, and so are statistics that a kernel keeps. The casts are ops like any
other, so gradients come back in the type of what was cast.
"""

from sporax._core import tree
from sporax._core.dtype import BFloat, Float, float32
from sporax._core.state import local
from sporax._core.tensor import Tensor
from sporax._kernels.math import cast_to

_COMPUTING = frozenset(
    f"sporax._kernels.{name}" for name in ("activation", "attention", "conv", "image", "linalg", "loss", "math", "norm", "pool", "reduce", "rnn")
)
_MOVING = frozenset(("concat", "stack", "gather", "take_along", "dropout"))
_UNTOUCHED = frozenset(
    ("cast_to", "equal", "not_equal", "less", "less_equal", "greater", "greater_equal", "isnan", "isinf", "isfinite", "clip_by_global_norm")
)
# moving statistics and affine parameters keep their type: these kernels compute inside in float32 and return the type of x
_ONLY_FIRST = frozenset(("batch_norm_train", "batch_norm_infer", "layer_norm", "layer_norm_stats", "group_norm", "rms_norm"))
# What `Auto` computes in the low type, and what in float32.
_LOW = frozenset("conv conv_transpose matmul matmul_transposed dense einsum addbmm addmm prelu attention".split())
_FULL = frozenset(
    "power acos asin cosh erfinv exp expm1 log log10 log1p log2 reciprocal rsqrt sinh tan softplus layer_norm layer_norm_stats rms_norm batch_norm_train "
    "batch_norm_infer group_norm matrix_norm cdist prod softmax log_softmax cumprod cumsum sum".split()
)
_rules: dict = {}


def _rule(kernel):
    """How many leading inputs of a kernel are cast."""
    name = kernel.__name__
    if (kernel.__module__ not in _COMPUTING and name not in _MOVING) or name in _UNTOUCHED:
        count = 0
    else:
        count = 1 if name in _ONLY_FIRST else 1000
    _rules[kernel] = count
    return count


def cast_inputs(dtype, kernel, tensors):
    """The inputs of a kernel with floating tensors in `dtype`, as the kernel's rule says."""
    if dtype.__class__ is Auto:
        dtype = dtype.dtype_for(kernel)
        if dtype is None:
            return tensors
    count = _rules.get(kernel)
    if count is None:
        count = _rule(kernel)
    if not count:
        return tensors
    from sporax._core.dispatch import apply

    cast = []
    for i, t in enumerate(tensors):
        if i < count and isinstance(t, Tensor):
            present = t._value.aval.ms_dtype
            if present is not dtype and isinstance(present, Float | BFloat):
                t = apply(cast_to, (t,), dtype=dtype.np_dtype)
        cast.append(t)
    return tuple(cast)


def cast_floats(obj, dtype):
    """A container with its floating tensors in `dtype`."""

    def cast(t):
        return t.astype(dtype) if isinstance(t.dtype, Float | BFloat) and t.dtype is not dtype else t

    return tree.map_tensors(cast, obj)


class Auto:
    """A policy by the kind of kernel: products and convolutions in `dtype`; sums, exponentials, norms and losses in float32; the rest in
    the widest type of its inputs."""

    __slots__ = ("dtype",)

    def __init__(self, dtype):
        self.dtype = dtype

    def dtype_for(self, kernel):
        """The type that a kernel computes in, or None for that of its inputs."""
        name = kernel.__name__
        return self.dtype if name in _LOW else float32 if name in _FULL or kernel.__module__ == "sporax._kernels.loss" else None


class autocast:
    """Context in which kernels compute in `dtype`, a type or an `Auto` (None: in the types of their inputs)."""

    __slots__ = ("dtype", "saved", "state")

    def __init__(self, dtype):
        self.dtype = dtype

    def __enter__(self):
        self.state = local.state
        self.saved, self.state.cast = self.state.cast, self.dtype

    def __exit__(self, *exc):
        self.state.cast = self.saved
