"""Reductions over axes."""

import builtins

import numpy as np

from sporax._core import dtype as mstype
from sporax._core.dispatch import apply
from sporax._core.dtype import Type, to_jax_dtype
from sporax._core.tensor import Tensor
from sporax._kernels import reduce as K
from sporax.ops._args import axes_of, axis_of, ints, need_tensor
from sporax.ops._table import method, op, prim

_INT64, _INT32 = np.dtype(np.int64), np.dtype(np.int32)


@op(method=True, mint=True)
def sum(input, dim=None, keepdim=False, *, dtype=None, axis=None, keepdims=None, initial=None):
    """The sum over axes.

    Args:
        input (Tensor): any shape. Integers and bools are summed as int64.
        dim: an int, a tuple of ints, or None for all axes. Default: None.
        keepdim: keep reduced axes with size 1. Default: False.
        dtype: dtype to convert to before summing. Default: None.
        axis, keepdims: NumPy's names for `dim` and `keepdim`.
        initial: a number to add. Default: None.

    Raises:
        ValueError: an axis is out of range.

    Examples:
        >>> print(ops.sum(Tensor([[1.0, 2.0], [3.0, 4.0]]), 0))
        [4. 6.]
    """
    input = _as_tensor("sum", input)
    if isinstance(keepdim, Type):  # sum(axis, dtype, ...), the older order
        dtype, keepdim = keepdim, False
    axes = axes_of("sum", dim if axis is None else axis, input.ndim)
    out = apply(K.sum, (input,), axis=axes, keepdims=bool(keepdim if keepdims is None else keepdims), dtype=to_jax_dtype(dtype))
    return out if initial is None else out + initial


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
    if axis is None or not x.ndim:
        value = _extremum("a" + name, K.amax if name == "max" else K.amin, x, None, keepdims, initial, where)
        return value, Tensor(0)
    if initial is not None or where is not None:
        from sporax.ops import binary

        x = x if where is None else binary.select(where, x, initial)
    kernel = K.max_with_index if name == "max" else K.min_with_index
    return apply(kernel, (x,), axis=axis_of(name, axis, x.ndim), keepdims=bool(keepdims), index_dtype=_INT64)


def _method_of(name, kernel):
    def f(self, *args, **kwargs):
        # two signatures: (dim, keepdim) gives values and indices, (axis, keepdims, ...) gives values
        if "dim" in kwargs or "keepdim" in kwargs or (args and type(args[0]) is int and not kwargs):
            dim, keepdim = _bound(name, ("dim", "keepdim"), (_NEEDED, False), args, kwargs)
            return _max_min(name, self, dim, keepdim, None, None)
        names, defaults = ("axis", "keepdims", "initial", "where", "return_indices"), (None, False, None, None, False)
        axis, keepdims, initial, where, return_indices = _bound(name, names, defaults, args, kwargs)
        where = None if where is True else where
        if return_indices:
            return _max_min(name, self, axis, keepdims, initial, where)
        if isinstance(axis, int) and not isinstance(axis, bool) and self.ndim and initial is None and where is None:
            # along one axis the gradient goes to the first of equal ones
            return _max_min(name, self, axis, keepdims, None, None)[0]
        return _extremum("a" + name, kernel, self, axis, keepdims, initial, where)

    f.__name__, f.__doc__ = (
        name,
        f"The {name}imum. `x.{name}()`: of all elements. `x.{name}(dim, keepdim=False)`: the pair (values, indices) along one axis. "
        f"`x.{name}(axis=None, keepdims=False, *, initial=None, where=True, return_indices=False)`: values over one axis or several.",
    )
    return method(name)(f)


_NEEDED = object()


def _bound(op_name, names, defaults, args, kwargs):
    """The values of named arguments, in order."""
    given = dict(zip(names, args))
    if len(args) > len(names) or not set(kwargs) <= set(names) - set(given):
        raise TypeError(f"For 'Tensor.{op_name}', the arguments are {names}, but got {args} and {kwargs}.")
    given |= kwargs
    values = [given.get(n, d) for n, d in zip(names, defaults)]
    if _NEEDED in values:
        raise TypeError(f"For 'Tensor.{op_name}', '{names[values.index(_NEEDED)]}' is needed, but got {args} and {kwargs}.")
    return values


_method_of("max", K.amax)
_method_of("min", K.amin)


def _with_value(name, kernel, primitive):
    def index_and_value(self, x):
        v, i = apply(kernel, (x,), axis=axis_of(self.name, self.axis, x.ndim), keepdims=bool(self.keep_dims), index_dtype=_INT64)
        return i, v

    def f(input, axis=0, keep_dims=False):
        return _max_min(name, input, axis, keep_dims, None, None)

    f.__name__ = f.__qualname__ = f"arg{name}_with_value"
    f.__module__, f.__doc__ = __name__, f"`(values, indices)` of the {name}imum along one axis. (The Primitive gives the pair the other way round.)"
    return op(method=True, primitive=prim(primitive, axis=0, keep_dims=False, call=index_and_value))(f)


argmax_with_value = _with_value("max", K.max_with_index, "ArgMaxWithValue")
argmin_with_value = _with_value("min", K.min_with_index, "ArgMinWithValue")


@op(method=True, mint=True)
def argmax(input, dim=None, keepdim=False, *, axis=None, keepdims=None):
    """The index (int64) of the maximum along `dim`, or in the flattened tensor if `dim` is None; the first of equal ones.

    Examples:
        >>> print(ops.argmax(Tensor([[1.0, 5.0], [3.0, 2.0]]), 1))
        [1 0]
    """
    return _arg("argmax", K.argmax, input, dim if axis is None else axis, keepdim if keepdims is None else keepdims, _INT64)


@op(method=True, mint=True)
def argmin(input, axis=None, keepdims=False, *, dim=None, keepdim=None):
    """The index (int32) of the minimum along an axis; see `argmax`.

    Examples:
        >>> print(ops.argmin(Tensor([[1.0, 5.0], [3.0, 2.0]]), 1))
        [0 1]
    """
    return _arg("argmin", K.argmin, input, axis if dim is None else dim, keepdims if keepdim is None else keepdim, _INT32)


def _arg(name, kernel, x, axis, keepdims, dtype):
    need_tensor(name, "input", x)
    if axis is None:
        from sporax.ops.array import reshape

        return apply(kernel, (reshape(x, (-1,)),), axis=0, dtype=dtype)
    axis = axis_of(name, axis, x.ndim)
    return apply(kernel, (x,), axis=axis, keepdims=bool(keepdims), dtype=dtype) if x.ndim else Tensor(np.zeros((), dtype))


def _arg_primitive(kernel):
    def call(self, x):
        return apply(kernel, (x,), axis=axis_of(self.name, self.axis, x.ndim), dtype=to_jax_dtype(self.output_type))

    return call


@op(primitive=prim("Argmax", axis=-1, output_type=mstype.int32, call=_arg_primitive(K.argmax)))
def argmax_last(x):
    """`argmax` along the last axis."""
    return argmax(x, -1)


@op(primitive=prim("Argmin", axis=-1, output_type=mstype.int32, call=_arg_primitive(K.argmin)))
def argmin_last(x):
    """`argmin` along the last axis."""
    return argmin(x, -1)


def _ddof(name, ddof):
    if isinstance(ddof, bool):
        return int(ddof)
    if not isinstance(ddof, int) or ddof < 0:
        raise ValueError(f"For '{name}', 'ddof' should be a non-negative int, but got {ddof!r}.")
    return ddof


@op(mint=True)
def var(input, axis=None, ddof=0, keepdims=False):
    """The variance over axes: squared deviations summed, divided by n - ddof.

    Examples:
        >>> print(ops.var(Tensor([1.0, 2.0, 3.0, 4.0])))
        1.25
    """
    need_tensor("var", "input", input)
    return apply(K.var, (input,), axis=axes_of("var", axis, input.ndim), ddof=_ddof("var", ddof), keepdims=bool(keepdims))


@op(mint=True)
def std(input, axis=None, ddof=0, keepdims=False):
    """The standard deviation over axes; see `var`.

    Examples:
        >>> print(ops.std(Tensor([1.0, 3.0])))
        1.0
    """
    need_tensor("std", "input", input)
    return apply(K.std, (input,), axis=axes_of("std", axis, input.ndim), ddof=_ddof("std", ddof), keepdims=bool(keepdims))


def _spread_method(name, function):
    def f(self, *args, **kwargs):
        # two signatures: (dim, *, correction, keepdim) divides by n - 1 unless told otherwise, (axis, ddof, keepdims) by n
        if kwargs.keys() & {"dim", "correction", "keepdim"}:
            dim, correction, keepdim = _bound(name, ("dim", "correction", "keepdim"), (None, 1, False), args, kwargs)
            return function(self, dim, correction, keepdim)
        return function(self, *_bound(name, ("axis", "ddof", "keepdims"), (None, 0, False), args, kwargs))

    f.__name__, f.__doc__ = name, f"See `ops.{name}`: called with (axis, ddof=0, keepdims=False), or with (dim, *, correction=1, keepdim=False)."
    method(name)(f)


_spread_method("var", var)
_spread_method("std", std)


def _with_mean(name, function):
    def f(input, axis=None, ddof=0, keepdims=False):
        return function(input, axis, ddof, keepdims), mean(input, axis, keepdims)

    f.__name__ = f.__qualname__ = name
    f.__module__, f.__doc__ = __name__, f"The pair of `{name[:3]}` and `mean` over the same axes."
    return f


def _reduce_std_primitive(self, x):
    return std_mean(x, self.axis, self.unbiased, self.keep_dims)


var_mean = op(mint=True)(_with_mean("var_mean", var))
std_mean = op(mint=True, primitive=prim("ReduceStd", axis=(), unbiased=True, keep_dims=False, call=_reduce_std_primitive))(
    _with_mean("std_mean", std)
)


@op(mint=True)
def logsumexp(input, dim, keepdim=False):
    """log(sum(exp(x))) over axes, without overflow.

    Examples:
        >>> print(ops.logsumexp(Tensor([0.0, 0.0]), 0))
        0.6931472
    """
    return apply(K.logsumexp, (need_tensor("logsumexp", "input", input),), axis=axes_of("logsumexp", dim, input.ndim), keepdims=bool(keepdim))


@method("logsumexp")
def _logsumexp_method(self, *args, **kwargs):
    """See `ops.logsumexp`; the arguments may also be called `axis` and `keepdims`."""
    names = ("axis", "keepdims") if kwargs.keys() & {"axis", "keepdims"} else ("dim", "keepdim")
    return logsumexp(self, *_bound("logsumexp", names, (_NEEDED, False), args, kwargs))


@op(method=True, mint=True)
def aminmax(input, *, axis=0, keepdims=False):
    """`(minimum, maximum)` along one axis, or of all elements for None.

    Examples:
        >>> print(ops.aminmax(Tensor([3.0, 1.0, 2.0])))
        (Tensor(shape=[], dtype=Float32, value= 1), Tensor(shape=[], dtype=Float32, value= 3))
    """
    if axis is not None:
        return _max_min("min", input, axis, keepdims, None, None)[0], _max_min("max", input, axis, keepdims, None, None)[0]
    return _extremum("amin", K.amin, input, None, keepdims, None, None), _extremum("amax", K.amax, input, None, keepdims, None, None)


@method("ptp")
def _ptp(self, axis=None, keepdims=False):
    """The maximum minus the minimum."""
    return amax(self, axis, keepdims) - amin(self, axis, keepdims)


@op(method=True, mint=True)
def nansum(input, axis=None, keepdims=False, *, dtype=None, dim=None, keepdim=None):
    """The sum over axes, nan counting as 0.

    Examples:
        >>> print(ops.nansum(Tensor([1.0, float("nan")])))
        1.0
    """
    axes = axes_of("nansum", axis if dim is None else dim, input.ndim)
    return apply(K.nansum, (input,), axis=axes, keepdims=bool(keepdims if keepdim is None else keepdim), dtype=to_jax_dtype(dtype))


@op(method=True, mint=True)
def nanmean(input, axis=None, keepdims=False, *, dtype=None):
    """The mean over axes of the elements that are not nan.

    Examples:
        >>> print(ops.nanmean(Tensor([1.0, float("nan"), 3.0])))
        2.0
    """
    axes = axes_of("nanmean", axis, input.ndim)
    return apply(K.nanmean, (input,), axis=axes, keepdims=bool(keepdims), dtype=to_jax_dtype(dtype))


@op(method="count_nonzero", mint=True, primitive=prim("CountNonZero"))
def count_nonzero(x, axis=(), keep_dims=False, dtype=mstype.int32, *, dim=None):
    """The number of elements that are not zero.

    Examples:
        >>> print(ops.count_nonzero(Tensor([0.0, 1.0, 2.0])))
        2
    """
    axes = axes_of("count_nonzero", axis if dim is None else dim, x.ndim)
    return apply(K.count_nonzero, (x,), axis=axes, keepdims=bool(keep_dims), dtype=to_jax_dtype(dtype))


@method("sum_to_size")
def _sum_to_size(self, *size):
    """The sum over axes that makes the tensor have this shape, which must broadcast to its own."""
    size = ints("sum_to_size", "size", size[0] if len(size) == 1 and not isinstance(size[0], int) else list(size))
    lead = self.ndim - len(size)
    if lead < 0 or not builtins.all(s in (1, n) for s, n in zip(size, self.shape[lead:])):
        raise ValueError(f"For 'sum_to_size', shape {self.shape} is not made by broadcasting {size}.")
    axes = tuple(range(lead)) + tuple(lead + i for i, s in enumerate(size) if s != self.shape[lead + i])
    return (apply(K.sum_keep_dtype, (self,), axis=axes, keepdims=True) if axes else self).reshape(size)
