"""Small mathematical functions as layers."""

import math

from sporax import ops
from sporax._core import dtype as mstype
from sporax._core.tensor import Tensor
from sporax.nn.cell import Cell
from sporax.nn.layer._make import flag, need_input


class ReduceLogSumExp(Cell):
    """log of the sum of exp(x) over axes, without overflow.

    Args:
        axis: an int or a tuple; () means all.
        keep_dims: default False.
    """

    def __init__(self, axis, keep_dims=False):
        super().__init__()
        if isinstance(axis, bool) or not isinstance(axis, int | tuple | list):
            raise TypeError(f"For 'ReduceLogSumExp', 'axis' should be an int or a tuple, but got {axis!r} of type {type(axis).__name__}.")
        self.axis, self.keep_dims = axis, flag("ReduceLogSumExp", "keep_dims", keep_dims)

    def construct(self, x):
        return ops.logsumexp(x, self.axis, self.keep_dims)


class Range(Cell):
    """The numbers from `start` to `limit` (exclusive) in steps of `delta`; Range(n) is from 0 to n. Ints give int32, floats float32.

    Examples:
        >>> print(nn.Range(1, 8, 2)())
        [1 3 5 7]
    """

    def __init__(self, start, limit=None, delta=1):
        super().__init__()
        if delta == 0:
            raise ValueError("For 'Range', 'delta' should not be 0.")
        for key, value in (("start", start), ("limit", 0 if limit is None else limit), ("delta", delta)):
            if isinstance(value, bool) or not isinstance(value, int | float):
                raise TypeError(f"For 'Range', '{key}' should be a number, but got {value!r} of type {type(value).__name__}.")
        start, limit = (0, start) if limit is None else (start, limit)
        count = max(math.ceil((limit - start) / delta), 0)
        whole = all(isinstance(v, int) for v in (start, limit, delta))
        self.result = Tensor([start + i * delta for i in range(count)], mstype.int32 if whole else mstype.float32)

    def construct(self):
        return self.result


class Moments(Cell):
    """(mean, variance) over axes.

    Args:
        axis: an int, a tuple or None for all axes. Default: None.
        keep_dims: default None, False.
    """

    def __init__(self, axis=None, keep_dims=None):
        super().__init__()
        if isinstance(axis, bool) or not isinstance(axis, int | tuple | list | None):
            raise TypeError(f"For 'Moments', 'axis' should be an int, a tuple or None, but got {axis!r} of type {type(axis).__name__}.")
        self.axis = () if axis is None else axis
        self.keep_dims = False if keep_dims is None else flag("Moments", "keep_dims", keep_dims)

    def construct(self, x):
        need_input("Moments", x)
        if x.dtype not in (mstype.float16, mstype.float32):
            raise TypeError(f"For 'Moments', the input should be float16 or float32, but got {x.dtype}.")
        wide = x.astype(mstype.float32)
        mean = ops.mean(wide, self.axis, True)
        variance = ops.mean(ops.square(wide - ops.stop_gradient(mean)), self.axis, self.keep_dims)
        return ops.mean(wide, self.axis, self.keep_dims).astype(x.dtype), variance.astype(x.dtype)


class MatMul(Cell):
    """The matrix product, with its inputs transposed if asked for.

    Args:
        transpose_x1, transpose_x2: exchange the last two axes first. Default: False.
    """

    def __init__(self, transpose_x1=False, transpose_x2=False):
        super().__init__()
        self.transpose_x1, self.transpose_x2 = flag("MatMul", "transpose_x1", transpose_x1), flag("MatMul", "transpose_x2", transpose_x2)

    def construct(self, x1, x2):
        if self.transpose_x1 and x1.ndim > 1:
            x1 = ops.swapaxes(x1, -1, -2)
        if self.transpose_x2 and x2.ndim > 1:
            x2 = ops.swapaxes(x2, -1, -2)
        return ops.matmul(x1, x2)


class LGamma(Cell):
    """Elementwise log |gamma(x)|."""

    def __init__(self):
        super().__init__()

    def construct(self, x):
        return ops.lgamma(_floating("LGamma", x))


class DiGamma(Cell):
    """The elementwise derivative of log(gamma(x))."""

    def __init__(self):
        super().__init__()

    def construct(self, x):
        return ops.digamma(_floating("DiGamma", x))


class IGamma(Cell):
    """The elementwise regularized lower incomplete gamma function P(a, x)."""

    def __init__(self):
        super().__init__()

    def construct(self, a, x):
        return ops.igamma(_floating("IGamma", a), _floating("IGamma", x))


class LBeta(Cell):
    """Elementwise log of the beta function: lgamma(x) + lgamma(y) - lgamma(x + y)."""

    def __init__(self):
        super().__init__()

    def construct(self, x, y):
        x, y = _floating("LBeta", x), _floating("LBeta", y)
        return ops.lgamma(x) + ops.lgamma(y) - ops.lgamma(x + y)


class MatInverse(Cell):
    """The inverse of symmetric positive definite matrices."""

    def __init__(self):
        super().__init__()

    def construct(self, x):
        return ops.inverse(_floating("MatInverse", x))


class MatDet(Cell):
    """The determinant of symmetric positive definite matrices."""

    def __init__(self):
        super().__init__()

    def construct(self, x):
        return ops.det(_floating("MatDet", x))


class L1Regularizer(Cell):
    """scale times the sum of |weights|.

    Args:
        scale: positive.
    """

    def __init__(self, scale):
        super().__init__()
        if isinstance(scale, bool) or not isinstance(scale, int | float):
            raise TypeError(f"For 'L1Regularizer', 'scale' should be a number, but got {scale!r} of type {type(scale).__name__}.")
        if not 0 < scale < math.inf:
            raise ValueError(f"For 'L1Regularizer', 'scale' should be positive and finite, but got {scale}.")
        self.scale = float(scale)

    def construct(self, weights):
        need_input("L1Regularizer", weights)
        return ops.sum(ops.abs(weights)) * self.scale


def _floating(owner, x):
    need_input(owner, x)
    if not x.dtype.is_floating_point:
        raise TypeError(f"For '{owner}', the input should be floating, but got {x.dtype}.")
    return x
