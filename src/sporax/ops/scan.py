"""Running sums, products and extrema along an axis; differences."""

from sporax._core.dispatch import apply
from sporax._core.dtype import to_jax_dtype
from sporax._core.tensor import Tensor
from sporax._kernels import reduce as K
from sporax.ops._args import axis_of, need_tensor
from sporax.ops._table import method, op, prim


@op(mint=True)
def cumsum(x, axis, dtype=None):
    """Running sums along one axis.

    Examples:
        >>> print(ops.cumsum(Tensor([1.0, 2.0, 3.0]), 0))
        [1. 3. 6.]
    """
    need_tensor("cumsum", "x", x)
    if x.dtype.np_dtype.kind == "b" and dtype is None:
        raise TypeError("For 'cumsum', a Bool tensor needs a 'dtype' to be summed in, for example mindspore.int64.")
    return apply(K.cumsum, (x,), axis=axis_of("cumsum", axis, x.ndim), dtype=to_jax_dtype(dtype))


@method("cumsum")
def _cumsum_method(self, *args, **kwargs):
    """Running sums along `dim` (or `axis`), of the flattened tensor without one; narrow integers and bools are summed as int32."""
    given = dict(zip(("axis", "dtype"), args)) | {{"dim": "axis"}.get(k, k): v for k, v in kwargs.items()}
    if not set(given) <= {"axis", "dtype"} or len(args) + len(kwargs) != len(given):
        raise TypeError(f"For 'Tensor.cumsum', 'dim' (or 'axis') and 'dtype' are the arguments, but got {args} and {kwargs}.")
    x, dtype = self, given.get("dtype")
    if dtype is None and self.dtype.np_dtype.kind in "bui" and self.dtype.np_dtype.itemsize < 4:
        dtype = "int32"
    if given.get("axis") is None:
        x = self.reshape(-1)
    return cumsum(x, given.get("axis") or 0, dtype)


def _scan_primitive(kernel):
    def call(self, x, axis):
        return apply(kernel, (x,), axis=axis_of(self.name, axis, x.ndim), reverse=bool(self.reverse), exclusive=bool(self.exclusive))

    return call


@op(
    method=True,
    mint=True,
    primitive=(
        prim("CumProd", exclusive=False, reverse=False, call=_scan_primitive(K.cumprod)),
        prim("CumSum", exclusive=False, reverse=False, call=_scan_primitive(K.cumsum)),
    ),
)
def cumprod(input, dim, dtype=None, *, axis=None):
    """Running products along one axis; integers and bools are multiplied as int64.

    Examples:
        >>> print(ops.cumprod(Tensor([1.0, 2.0, 3.0]), 0))
        [1. 2. 6.]
    """
    need_tensor("cumprod", "input", input)
    if dtype is None and input.dtype.np_dtype.kind in "bui":
        dtype = "int64"
    return apply(K.cumprod, (input,), axis=axis_of("cumprod", dim if axis is None else axis, input.ndim), dtype=to_jax_dtype(dtype))


@op(method=True, mint=True, primitive=prim("Cummax", axis=prim.required))
def cummax(input, axis):
    """`(values, indices)` of running maxima along one axis; indices are int64."""
    return apply(K.cummax, (input,), axis=axis_of("cummax", axis, input.ndim))


@op(method=True, mint=True, primitive=prim("Cummin", axis=prim.required))
def cummin(input, axis):
    """`(values, indices)` of running minima along one axis; indices are int32."""
    return apply(K.cummin, (input,), axis=axis_of("cummin", axis, input.ndim))


@op(
    method=True,
    mint=True,
    primitive=prim(
        "CumulativeLogsumexp",
        exclusive=False,
        reverse=False,
        call=lambda self, x, axis: apply(
            K.logcumsumexp, (x,), axis=axis_of(self.name, int(axis), x.ndim), reverse=bool(self.reverse), exclusive=bool(self.exclusive)
        ),
    ),
)
def logcumsumexp(input, axis):
    """The logarithm of running sums of exponentials, without overflow.

    Examples:
        >>> print(ops.logcumsumexp(Tensor([0.0, 0.0]), 0))
        [0.        0.6931472]
    """
    return apply(K.logcumsumexp, (input,), axis=axis_of("logcumsumexp", axis, input.ndim))


@op(method=True, mint=True)
def diff(x, n=1, axis=-1, prepend=None, append=None):
    """Differences of neighbours along an axis, taken `n` times.

    Args:
        prepend, append: Tensors joined to `x` along the axis before. Default: None.

    Raises:
        ValueError: `n` is negative.

    Examples:
        >>> print(ops.diff(Tensor([1.0, 3.0, 6.0])))
        [2. 3.]
    """
    if isinstance(n, bool) or not isinstance(n, int) or n < 0:
        raise ValueError(f"For 'diff', 'n' should be a non-negative int, but got {n!r}.")
    axis = axis_of("diff", axis, need_tensor("diff", "x", x).ndim)
    ends = [t for t in (prepend, x, append) if t is not None]
    for t in ends:
        need_tensor("diff", "prepend or append", t)
    from sporax.ops.array import concat

    whole: Tensor = concat(ends, axis) if len(ends) > 1 else x
    return apply(K.diff, (whole,), n=n, axis=axis)
