"""Reductions over axes, scans, sorting."""

import numpy as np

from sporax._core.dispatch import apply
from sporax._core.dtype import to_jax_dtype
from sporax._core.tensor import Tensor
from sporax._kernels import reduce as K
from sporax.ops._args import axes_of, axis_of, need_tensor
from sporax.ops._table import method, op, prim

_INT64, _INT32 = np.dtype(np.int64), np.dtype(np.int32)


@op(method=True, mint=True)
def sum(input, dim=None, keepdim=False, *, dtype=None, axis=None, keepdims=None):
    """The sum over axes.

    Args:
        input (Tensor): any shape. Integers and bools are summed as int64.
        dim: an int, a tuple of ints, or None for all axes. Default: None.
        keepdim: keep reduced axes with size 1. Default: False.
        dtype: dtype to convert to before summing. Default: None.
        axis, keepdims: NumPy's names for `dim` and `keepdim`.

    Raises:
        ValueError: an axis is out of range.

    Examples:
        >>> print(ops.sum(Tensor([[1.0, 2.0], [3.0, 4.0]]), 0))
        [4. 6.]
    """
    input = _as_tensor("sum", input)
    axes = axes_of("sum", dim if axis is None else axis, input.ndim)
    return apply(K.sum, (input,), axis=axes, keepdims=bool(keepdim if keepdims is None else keepdims), dtype=to_jax_dtype(dtype))


def _as_tensor(name, x):
    return need_tensor(name, "input", Tensor(x) if isinstance(x, bool | int | float | list) else x)


@op(method=True, mint=True)
def mean(x, axis=None, keep_dims=False, *, dtype=None, dim=None, keepdim=None):
    """The mean over axes; see `sum` for the arguments. Integers give integers, rounded down.

    Examples:
        >>> print(ops.mean(Tensor([[1.0, 2.0], [3.0, 4.0]]), 1))
        [1.5 3.5]
    """
    x = _as_tensor("mean", x)
    axes = axes_of("mean", axis if dim is None else dim, x.ndim)
    return apply(K.mean, (x,), axis=axes, keepdims=bool(keep_dims if keepdim is None else keepdim), dtype=to_jax_dtype(dtype))


@op(method=True, mint=True)
def prod(input, axis=None, keep_dims=False, dtype=None, *, dim=None, keepdim=None):
    """The product over axes; see `sum` for the arguments.

    Examples:
        >>> print(ops.prod(Tensor([[1.0, 2.0], [3.0, 4.0]])))
        24.0
    """
    input = _as_tensor("prod", input)
    axes = axes_of("prod", axis if dim is None else dim, input.ndim)
    return apply(K.prod, (input,), axis=axes, keepdims=bool(keep_dims if keepdim is None else keepdim), dtype=to_jax_dtype(dtype))


def _old_reduction(name, kernel, primitive, doc):
    def f(x, axis=(), keep_dims=False, skip_mode=False):
        if skip_mode and axis in ((), []):
            return x
        return apply(kernel, (need_tensor(name, "x", x),), axis=axes_of(name, axis, x.ndim), keepdims=bool(keep_dims))

    f.__name__ = f.__qualname__ = name
    f.__module__, f.__doc__ = __name__, doc
    return op(primitive=prim(primitive, keep_dims=False, **({"skip_mode": False} if primitive == "ReduceSum" else {})))(f)


reduce_sum = _old_reduction("reduce_sum", K.sum_keep_dtype, "ReduceSum", "The sum over `axis` (int, tuple; () means all), in the dtype of the input.")
reduce_mean = _old_reduction("reduce_mean", K.mean, "ReduceMean", "The mean over `axis` (int, tuple; () means all).")
reduce_max = _old_reduction("reduce_max", K.amax, "ReduceMax", "The maximum over `axis` (int, tuple; () means all).")
reduce_min = _old_reduction("reduce_min", K.amin, "ReduceMin", "The minimum over `axis` (int, tuple; () means all).")
reduce_prod = _old_reduction(
    "reduce_prod", K.prod_keep_dtype, "ReduceProd", "The product over `axis` (int, tuple; () means all), in the dtype of the input."
)
reduce_all = _old_reduction("reduce_all", K.all, "ReduceAll", "Whether all elements over `axis` (int, tuple; () means all) are true.")
reduce_any = _old_reduction("reduce_any", K.any, "ReduceAny", "Whether any element over `axis` (int, tuple; () means all) is true.")


@op(method=True, mint=True)
def all(input, axis=None, keep_dims=False, *, dim=None, keepdim=None):
    """Whether all elements over the axes are not zero.

    Examples:
        >>> print(ops.all(Tensor([[True, False], [True, True]]), 1))
        [False  True]
    """
    axes = axes_of("all", axis if dim is None else dim, input.ndim)
    return apply(K.all, (input,), axis=axes, keepdims=bool(keep_dims if keepdim is None else keepdim))


@op(method=True, mint=True)
def any(input, axis=None, keep_dims=False, *, dim=None, keepdim=None):
    """Whether any element over the axes is not zero.

    Examples:
        >>> print(ops.any(Tensor([[True, False], [False, False]]), 1))
        [ True False]
    """
    axes = axes_of("any", axis if dim is None else dim, input.ndim)
    return apply(K.any, (input,), axis=axes, keepdims=bool(keep_dims if keepdim is None else keepdim))


@op(method=True, mint=True)
def amax(input, axis=None, keepdims=False, *, initial=None, where=None, dim=None, keepdim=None):
    """The maximum over axes.

    Args:
        initial: a number that takes part in the maximum. Default: None.
        where: a bool Tensor: elements where it is False are left out; needs `initial`. Default: None.

    Examples:
        >>> print(ops.amax(Tensor([[1.0, 5.0], [3.0, 4.0]]), 0))
        [3. 5.]
    """
    return _extremum("amax", K.amax, input, axis if dim is None else dim, keepdims if keepdim is None else keepdim, initial, where)


@op(method=True, mint=True)
def amin(input, axis=None, keepdims=False, *, initial=None, where=None, dim=None, keepdim=None):
    """The minimum over axes; see `amax` for the arguments.

    Examples:
        >>> print(ops.amin(Tensor([[1.0, 5.0], [3.0, 4.0]]), 0))
        [1. 4.]
    """
    return _extremum("amin", K.amin, input, axis if dim is None else dim, keepdims if keepdim is None else keepdim, initial, where)


def _extremum(name, kernel, x, axis, keepdims, initial, where):
    from sporax.ops import binary

    need_tensor(name, "input", x)
    if where is not None:
        if initial is None:
            raise ValueError(f"For '{name}', 'where' needs 'initial': what is left where everything is masked?")
        x = binary.select(where, x, initial)
    out = apply(kernel, (x,), axis=axes_of(name, axis, x.ndim), keepdims=bool(keepdims))
    if initial is not None:
        out = (binary.maximum if name == "amax" else binary.minimum)(out, initial)  # pyright: ignore
    return out


@op(mint=True)
def max(input, axis=None, keepdims=False, *, initial=None, where=None, dim=None, keepdim=None):
    """The maximum along one axis as `(values, indices)`; without an axis `(value, 0)` for the whole tensor, as in MindSpore.

    Examples:
        >>> values, indices = ops.max(Tensor([[1.0, 5.0], [3.0, 4.0]]), 1)
        >>> print(values, indices)
        [5. 4.] [1 1]
    """
    return _max_min("max", input, axis if dim is None else dim, keepdims if keepdim is None else keepdim, initial, where)


@op(mint=True)
def min(input, axis=None, keepdims=False, *, initial=None, where=None, dim=None, keepdim=None):
    """The minimum along one axis as `(values, indices)`; see `max`.

    Examples:
        >>> values, indices = ops.min(Tensor([[1.0, 5.0], [3.0, 4.0]]), 1)
        >>> print(values, indices)
        [1. 3.] [0 0]
    """
    return _max_min("min", input, axis if dim is None else dim, keepdims if keepdim is None else keepdim, initial, where)


def _max_min(name, x, axis, keepdims, initial, where):
    need_tensor(name, "input", x)
    if axis is None:
        value = _extremum("a" + name, K.amax if name == "max" else K.amin, x, None, keepdims, initial, where)
        return value, Tensor(0)
    if initial is not None or where is not None:
        from sporax.ops import binary

        x = x if where is None else binary.select(where, x, initial)
    kernel = K.max_with_index if name == "max" else K.min_with_index
    return apply(kernel, (x,), axis=axis_of(name, axis, x.ndim), keepdims=bool(keepdims), index_dtype=_INT64)


def _method_of(name, kernel):
    def f(self, axis=None, keepdims=False, *, initial=None, where=None, return_indices=False, dim=None, keepdim=None):
        axis, keepdims = (axis if dim is None else dim), (keepdims if keepdim is None else keepdim)
        if return_indices:
            return _max_min(name, self, axis, keepdims, initial, where)
        if isinstance(axis, int) and not isinstance(axis, bool) and self.ndim and initial is None and where is None:
            # along one axis the gradient goes to the first of equal ones
            return _max_min(name, self, axis, keepdims, None, None)[0]
        return _extremum("a" + name, kernel, self, axis, keepdims, initial, where)

    f.__name__, f.__doc__ = name, f"The {name}imum over axes; with `return_indices` (one axis) the pair (values, indices)."
    return method(name)(f)


_method_of("max", K.amax)
_method_of("min", K.amin)


@op(method=True, primitive=prim("ArgMaxWithValue", axis=0, keep_dims=False))
def argmax_with_value(input, axis=0, keep_dims=False):
    """`(index, value)` of the maximum along one axis; indices are int32.

    Examples:
        >>> index, value = ops.ArgMaxWithValue(axis=1)(Tensor([[1.0, 5.0]]))
        >>> print(index, value)
        [1] [5.]
    """
    v, i = apply(K.max_with_index, (input,), axis=axis_of("argmax_with_value", axis, input.ndim), keepdims=bool(keep_dims), index_dtype=_INT32)
    return i, v


@op(method=True, primitive=prim("ArgMinWithValue", axis=0, keep_dims=False))
def argmin_with_value(input, axis=0, keep_dims=False):
    """`(index, value)` of the minimum along one axis; indices are int32."""
    v, i = apply(K.min_with_index, (input,), axis=axis_of("argmin_with_value", axis, input.ndim), keepdims=bool(keep_dims), index_dtype=_INT32)
    return i, v


@op(method=True, mint=True)
def argmax(input, dim=None, keepdim=False, *, axis=None):
    """The index (int64) of the maximum along `dim`, or in the flattened tensor if `dim` is None; the first of equal ones.

    Examples:
        >>> print(ops.argmax(Tensor([[1.0, 5.0], [3.0, 2.0]]), 1))
        [1 0]
    """
    return _arg("argmax", K.argmax, input, dim if axis is None else axis, keepdim)


@op(method=True, mint=True)
def argmin(input, axis=None, keepdims=False, *, dim=None, keepdim=None):
    """The index (int64) of the minimum along an axis; see `argmax`.

    Examples:
        >>> print(ops.argmin(Tensor([[1.0, 5.0], [3.0, 2.0]]), 1))
        [0 1]
    """
    return _arg("argmin", K.argmin, input, axis if dim is None else dim, keepdims if keepdim is None else keepdim)


def _arg(name, kernel, x, axis, keepdims):
    need_tensor(name, "input", x)
    if axis is None:
        from sporax.ops.array import reshape

        return apply(kernel, (reshape(x, (-1,)),), axis=0)
    return apply(kernel, (x,), axis=axis_of(name, axis, x.ndim) if x.ndim else 0, keepdims=bool(keepdims)) if x.ndim else Tensor(0)


def _arg_primitive(kernel):
    def call(self, x):
        return apply(kernel, (x,), axis=axis_of(self.name, self.axis, x.ndim), dtype=to_jax_dtype(self.output_type))

    return call


@op(primitive=prim("Argmax", axis=-1, output_type=np.int32, call=_arg_primitive(K.argmax)))
def argmax_last(x):
    """`argmax` along the last axis."""
    return argmax(x, -1)


@op(primitive=prim("Argmin", axis=-1, output_type=np.int32, call=_arg_primitive(K.argmin)))
def argmin_last(x):
    """`argmin` along the last axis."""
    return argmin(x, -1)


def _ddof(name, ddof, unbiased):
    if unbiased is not None:
        return int(bool(unbiased))
    if isinstance(ddof, bool):
        return int(ddof)
    if not isinstance(ddof, int) or ddof < 0:
        raise ValueError(f"For '{name}', 'ddof' should be a non-negative int, but got {ddof!r}.")
    return ddof


@op(method=True, mint=True)
def var(input, axis=None, ddof=0, keepdims=False, *, dim=None, keepdim=None, correction=None, unbiased=None):
    """The variance over axes: squared deviations summed, divided by n - ddof.

    Examples:
        >>> print(ops.var(Tensor([1.0, 2.0, 3.0, 4.0])))
        1.25
    """
    ddof = _ddof("var", ddof if correction is None else correction, unbiased)
    axes = axes_of("var", axis if dim is None else dim, input.ndim)
    return apply(K.var, (input,), axis=axes, ddof=ddof, keepdims=bool(keepdims if keepdim is None else keepdim))


@op(method=True, mint=True)
def std(input, axis=None, ddof=0, keepdims=False, *, dim=None, keepdim=None, correction=None, unbiased=None):
    """The standard deviation over axes; see `var`.

    Examples:
        >>> print(ops.std(Tensor([1.0, 3.0])))
        1.0
    """
    ddof = _ddof("std", ddof if correction is None else correction, unbiased)
    axes = axes_of("std", axis if dim is None else dim, input.ndim)
    return apply(K.std, (input,), axis=axes, ddof=ddof, keepdims=bool(keepdims if keepdim is None else keepdim))


@op(method=True, mint=True)
def logsumexp(input, axis, keep_dims=False, *, dim=None, keepdim=None):
    """log(sum(exp(x))) over axes, without overflow.

    Examples:
        >>> print(ops.logsumexp(Tensor([0.0, 0.0]), 0))
        0.6931472
    """
    axes = axes_of("logsumexp", axis if dim is None else dim, input.ndim)
    return apply(K.logsumexp, (input,), axis=axes, keepdims=bool(keep_dims if keepdim is None else keepdim))


@op(method=True, mint=True)
def norm(A, ord=None, dim=None, keepdim=False, *, dtype=None):
    """A vector norm over `dim` (all elements if None): `ord` None or 2 Euclidean, 1, inf, -inf, 0 or any number; "fro" and "nuc" for matrices.

    Raises:
        ValueError: an unknown `ord`.

    Examples:
        >>> print(ops.norm(Tensor([3.0, 4.0])))
        5.0
    """
    axes = axes_of("norm", dim, A.ndim)
    if ord in ("fro", None):
        return apply(K.norm, (A,), p=2, axis=axes, keepdims=bool(keepdim), dtype=to_jax_dtype(dtype))
    if ord == "nuc":
        from sporax.ops.linalg import svd

        return sum(svd(A, compute_uv=False), -1)
    if isinstance(ord, str):
        raise ValueError(f"For 'norm', 'ord' should be a number, 'fro' or 'nuc', but got {ord!r}.")
    return apply(K.norm, (A,), p=ord, axis=axes, keepdims=bool(keepdim), dtype=to_jax_dtype(dtype))


@op(primitive=prim("LpNorm", axis=prim.required, p=2, keep_dims=False, epsilon=1e-12, rename={"epsilon": "epsilon"}))
def lp_norm(input, axis, p=2, keep_dims=False, epsilon=1e-12):
    """The p-norm over `axis`; `epsilon` is the smallest value it can have."""
    from sporax.ops.binary import clamp

    return clamp(apply(K.norm, (input,), p=p, axis=axes_of("lp_norm", axis, input.ndim), keepdims=bool(keep_dims), dtype=None), epsilon)


@op(method=True, mint=True)
def cumsum(x, axis, dtype=None, *, dim=None):
    """Running sums along one axis.

    Examples:
        >>> print(ops.cumsum(Tensor([1.0, 2.0, 3.0]), 0))
        [1. 3. 6.]
    """
    return apply(K.cumsum, (x,), axis=axis_of("cumsum", axis if dim is None else dim, x.ndim), dtype=to_jax_dtype(dtype))


def _scan_primitive(kernel):
    def call(self, x, axis):
        return apply(kernel, (x,), axis=axis_of(self.name, axis, x.ndim), reverse=self.reverse, exclusive=self.exclusive)

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
    """Running products along one axis.

    Examples:
        >>> print(ops.cumprod(Tensor([1.0, 2.0, 3.0]), 0))
        [1. 2. 6.]
    """
    return apply(K.cumprod, (input,), axis=axis_of("cumprod", dim if axis is None else axis, input.ndim), dtype=to_jax_dtype(dtype))


@op(method=True, mint=True)
def cummax(input, axis):
    """`(values, indices)` of running maxima along one axis."""
    return apply(K.cummax, (input,), axis=axis_of("cummax", axis, input.ndim))


@op(method=True, mint=True)
def cummin(input, axis):
    """`(values, indices)` of running minima along one axis."""
    return apply(K.cummin, (input,), axis=axis_of("cummin", axis, input.ndim))


@op(method=True, mint=True, primitive=prim("Sort", axis=-1, descending=False))
def sort(input, axis=-1, descending=False, *, dim=None, stable=False):
    """`(values, indices)` in order along one axis. The sort is always stable.

    Examples:
        >>> print(ops.sort(Tensor([3.0, 1.0, 2.0]))[0])
        [1. 2. 3.]
    """
    return apply(K.sort, (input,), axis=axis_of("sort", axis if dim is None else dim, input.ndim), descending=bool(descending))


@op(method=True, mint=True)
def argsort(input, axis=-1, descending=False, *, dim=None, stable=False):
    """Indices (int64) that sort along one axis; always stable.

    Examples:
        >>> print(ops.argsort(Tensor([3.0, 1.0, 2.0])))
        [1 2 0]
    """
    return apply(K.argsort, (input,), axis=axis_of("argsort", axis if dim is None else dim, input.ndim), descending=bool(descending))


def _topk_primitive(self, x, k):
    return topk(x, int(k), None, True, self.sorted)


@op(method=True, mint=True, primitive=prim("TopK", sorted=True, call=_topk_primitive))
def topk(input, k, dim=None, largest=True, sorted=True):
    """`(values, indices)` of the `k` largest (or smallest) along `dim` (default the last), in order; indices are int32.

    Args:
        sorted: the result is always in order, so both values give the same. Default: True.

    Raises:
        ValueError: `k` is larger than the axis.

    Examples:
        >>> print(ops.topk(Tensor([1.0, 5.0, 3.0]), 2)[0])
        [5. 3.]
    """
    axis = axis_of("topk", -1 if dim is None else dim, input.ndim)
    if not 0 <= k <= input.shape[axis]:
        raise ValueError(f"For 'topk', 'k' should be in [0, {input.shape[axis]}], the size of axis {axis}, but got {k}.")
    return apply(K.topk, (input,), k=int(k), axis=axis, largest=bool(largest), index_dtype=_INT32)


@op(method=True, mint=True)
def median(input, axis=-1, keepdims=False, *, dim=None, keepdim=None):
    """`(values, indices)`: the lower of the two middle values along one axis.

    Examples:
        >>> print(ops.median(Tensor([3.0, 1.0, 2.0]))[0])
        2.0
    """
    axis = axis if dim is None else dim
    return apply(K.median, (input,), axis=axis_of("median", axis, input.ndim), keepdims=bool(keepdims if keepdim is None else keepdim))


@op(method=True)
def quantile(input, q, axis=None, keepdims=False):
    """The q-quantiles, linearly interpolated.

    Examples:
        >>> print(ops.quantile(Tensor([1.0, 2.0, 3.0]), 0.5))
        2.0
    """
    axes = axes_of("quantile", axis, input.ndim)
    return apply(K.quantile, (input, Tensor(q) if isinstance(q, list | tuple) else q), axis=axes[0] if axes else None, keepdims=bool(keepdims))


@op(method=True, mint=True)
def count_nonzero(x, axis=(), keep_dims=False, dtype=np.int32, *, dim=None):
    """The number of elements that are not zero.

    Examples:
        >>> print(ops.count_nonzero(Tensor([0.0, 1.0, 2.0])))
        2
    """
    axes = axes_of("count_nonzero", axis if dim is None else dim, x.ndim)
    return apply(K.count_nonzero, (x,), axis=axes, keepdims=bool(keep_dims), dtype=to_jax_dtype(dtype))


@op(method=True, mint=True)
def searchsorted(sorted_sequence, values, *, out_int32=False, right=False):
    """Where `values` would go into a sorted sequence.

    Examples:
        >>> print(ops.searchsorted(Tensor([1.0, 3.0, 5.0]), Tensor([2.0, 5.0])))
        [1 2]
    """
    return apply(K.searchsorted, (sorted_sequence, values), right=bool(right), dtype=_INT32 if out_int32 else _INT64)
