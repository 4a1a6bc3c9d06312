"""Computing in another floating type: what `Cell.to_float` and mixed precision switch on.

While a type is set, the floating inputs of computing kernels are cast to it on their way into the kernel. Kernels that only move
elements, random numbers, optimizers and the tape are left alone, and so are statistics that a kernel keeps. The casts are ops like any
other, so gradients come back in the type of what was cast.
"""

from sporax._core.dtype import BFloat, Float
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


class autocast:
    """Context in which kernels compute in `dtype` (None: in the types of their inputs)."""

    __slots__ = ("dtype", "saved", "state")

    def __init__(self, dtype):
        self.dtype = dtype

    def __enter__(self):
        self.state = local.state
        self.saved, self.state.cast = self.state.cast, self.dtype

    def __exit__(self, *exc):
        self.state.cast = self.saved
