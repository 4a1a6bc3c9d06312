"""Scatters: values written, added, ... at places that tensors name."""

from typing import Any

import numpy as np

from sporax._core import scope
from sporax._core.dispatch import apply
from sporax._core.tensor import Tensor
from sporax._kernels import array as K
from sporax.ops import _table
from sporax.ops._args import axis_of, ints
from sporax.ops._table import method, op, prim


@op(mint=True)
def scatter(input, axis, index, src, reduce="none"):
    """A copy with `src` written (or added) elementwise at `index` along an axis.

    Args:
        reduce: "none" or "add". Default: "none".

    Examples:
        >>> print(ops.scatter(Tensor([1.0, 2.0, 3.0]), 0, Tensor([2]), Tensor([9.0])))
        [1. 2. 9.]
    """
    if reduce not in ("none", "add"):
        raise ValueError(f"For 'scatter', 'reduce' should be 'none' or 'add', but got {reduce!r}.")
    return apply(K.scatter_along, (input, index, src), axis=axis_of("scatter", axis, input.ndim), how="set" if reduce == "none" else "add")


@method("scatter")
def _scatter_method(self, *args, **kwargs):
    """See `ops.scatter`; the axis may also be called `dim`, and `src` `value`."""
    names = {"dim": "axis", "value": "src"}
    return scatter(self, *args, **{names.get(k, k): v for k, v in kwargs.items()})


@op(primitive=prim("TensorScatterElements", axis=0, reduction="none"))
def tensor_scatter_elements(input_x, indices, updates, axis=0, reduction="none"):
    """A copy with `updates` written (or added) elementwise at `indices` along an axis."""
    return scatter(input_x, axis, indices, updates, reduction)


def _mint_scatter_add(input, dim, index, src):
    """A copy with `src` added elementwise at `index` along an axis."""
    return scatter(input, dim, index, src, "add")


_table.mint["scatter_add"] = _mint_scatter_add


def _tensor_scatter(name, primitive, how, verb):
    def f(input_x, indices, updates):
        return apply(K.scatter_nd, (input_x, indices, updates), how=how)

    f.__name__ = f.__qualname__ = name
    f.__module__, f.__doc__ = __name__, f"A copy in which `updates` are {verb} at coordinates in the last axis of `indices`."
    return op(primitive=prim(primitive))(f)


tensor_scatter_update = _tensor_scatter("tensor_scatter_update", "TensorScatterUpdate", "set", "written")
tensor_scatter_add = _tensor_scatter("tensor_scatter_add", "TensorScatterAdd", "add", "added")
tensor_scatter_sub = _tensor_scatter("tensor_scatter_sub", "TensorScatterSub", "subtract", "subtracted")
tensor_scatter_max = _tensor_scatter("tensor_scatter_max", "TensorScatterMax", "max", "maximized")
tensor_scatter_min = _tensor_scatter("tensor_scatter_min", "TensorScatterMin", "min", "minimized")
tensor_scatter_mul = _tensor_scatter("tensor_scatter_mul", "TensorScatterMul", "mul", "multiplied")
tensor_scatter_div = _tensor_scatter("tensor_scatter_div", "TensorScatterDiv", "divide", "divided")


def _scatter_in_place(name, primitive, kernel, how, verb, locking=False):
    def f(input_x, indices, updates, use_locking=False):
        scope.assign(input_x, apply(kernel, (input_x, indices, updates), how=how))
        return input_x

    def rows(input_x, indices, updates):
        return f(input_x, indices, updates)

    function = f if kernel is K.scatter_nd and name != "scatter_nd_update" else rows
    function.__name__ = function.__qualname__ = name
    function.__module__ = __name__
    function.__doc__ = (
        f"""Update a Parameter in place: `updates` are {verb} at `indices`; returns it. Updates happen one after another, locked or not."""
    )
    return op(primitive=prim(primitive, use_locking=locking, call=lambda self, *args: f(*args)))(function)


_HOW = [("add", "add", "added"), ("sub", "subtract", "subtracted"), ("mul", "mul", "multiplied"), ("div", "divide", "divided"),
        ("max", "max", "maximized"), ("min", "min", "minimized")]  # fmt: skip
scatter_update = _scatter_in_place("scatter_update", "ScatterUpdate", K.scatter_rows, "set", "written", True)
scatter_nd_update = _scatter_in_place("scatter_nd_update", "ScatterNdUpdate", K.scatter_nd, "set", "written", True)
for _name, _how, _verb in _HOW:
    _scatter_in_place(f"scatter_{_name}", f"Scatter{_name.capitalize()}", K.scatter_rows, _how, _verb)
    _scatter_in_place(f"scatter_nd_{_name}", f"ScatterNd{_name.capitalize()}", K.scatter_nd, _how, _verb)


def _scatter_method_of(name, function):
    def f(self, *args, **kwargs):
        # `x.scatter_add(dim, index, src)` works elementwise along an axis, (indices, updates) at coordinates
        if name == "scatter_add" and (len(args) + len(kwargs) == 3):
            return _mint_scatter_add(self, *args, **kwargs)
        return function(self, *args, **kwargs)

    f.__name__, f.__doc__ = name, f"See `ops.tensor_{name}`."
    method(name)(f)


for _name, _how, _verb in _HOW:
    _scatter_method_of(f"scatter_{_name}", _table.functions[f"tensor_scatter_{_name}"])


@op(primitive=prim("ScatterNd"))
def scatter_nd(indices, updates, shape):
    """Zeros of `shape` with `updates` added at coordinates in the last axis of `indices`.

    Examples:
        >>> print(ops.scatter_nd(Tensor([[0], [2]]), Tensor([1.0, 3.0]), (3,)))
        [1. 0. 3.]
    """
    return apply(K.zeros_scatter_nd, (indices, updates), shape=ints("scatter_nd", "shape", shape))


def _index_add_primitive(self, x, indices, y):
    return index_add(x, indices, y, self.axis)


@op(primitive=prim("IndexAdd", axis=prim.required, use_lock=True, check_index_bound=True, call=_index_add_primitive))
def index_add(x, indices, y, axis, use_lock=True, check_index_bound=True):
    """Add `y` in place to slices of a Parameter along an axis; returns it. Slices out of range are left out, however the flags are."""
    scope.assign(x, apply(K.index_add, (x, indices, y, 1), axis=axis_of("index_add", axis, x.ndim)))
    return x


@method("index_add")
def _index_add_method(self, *args, **kwargs):
    """`x.index_add(dim, index, source, *, alpha=1)` or `x.index_add(indices, y, axis)`: a copy with `source` added to slices along an axis."""
    if (args and isinstance(args[0], Tensor)) or "indices" in kwargs:
        given = dict(zip(("indices", "y", "axis", "use_lock", "check_index_bound"), args)) | kwargs
        return index_added(self, given["axis"], given["indices"], given["y"])
    return index_added(self, *args, **kwargs)


def index_added(x, dim, index, source, *, alpha=1):
    """A copy with alpha `source` added to slices along an axis."""
    return apply(K.index_add, (x, index, source, alpha), axis=axis_of("index_add", dim, x.ndim))


@op(method=True, mint=True)
def select_scatter(input, src, axis, index):
    """A copy with `src` written at one index of an axis.

    Examples:
        >>> print(ops.select_scatter(Tensor([[1, 2], [3, 4]]), Tensor([0, 0]), 0, 1))
        [[1 2]
         [0 0]]
    """
    a = axis_of("select_scatter", axis, input.ndim)
    return _written(input, (slice(None),) * a + (index,), src)


@op(method=True, mint=True)
def slice_scatter(input, src, axis=0, start=None, end=None, step=1):
    """A copy with `src` written to a slice of an axis.

    Examples:
        >>> print(ops.slice_scatter(Tensor([1, 2, 3]), Tensor([0, 0]), 0, 1))
        [1 0 0]
    """
    a = axis_of("slice_scatter", axis, input.ndim)
    return _written(input, (slice(None),) * a + (slice(start, end, step),), src)


def _written(x, index, value):
    from sporax.ops.index import setitem

    copy = Tensor(x)
    setitem(copy, index, value)
    return copy


@op(primitive=prim("MaskedScatter"))
def masked_scatter(input, mask, source):
    """A copy with the elements of `source`, in order, where `mask` (which broadcasts) holds.

    Examples:
        >>> print(ops.masked_scatter(Tensor([1, 2, 3]), Tensor([True, False, True]), Tensor([8, 9])))
        [8 2 9]
    """
    return apply(K.masked_scatter, (input, mask, source))


method("masked_scatter")(masked_scatter)


@op(primitive=prim("IndexPut", accumulate=0, call=lambda self, x, values, indices: _index_put_primitive(self, x, values, indices)))
def index_put(input, indices, values, accumulate=False):
    """A copy with `values` written (or added) at `indices`: a list of integer tensors, one for each leading axis."""
    return apply(K.index_put, (input, values, *indices), accumulate=bool(accumulate))


def _index_put_primitive(self, x, values, indices) -> Any:
    return index_put(x, indices, values, bool(self.accumulate))


method("index_put")(index_put)


def _rows_in(name, how, verb, primitive):
    def f(x, v, indices):
        rows = Tensor(np.array(ints(name, "indices", indices)))
        return apply(K.scatter_rows, (x, rows, v), how=how)

    f.__name__ = f.__qualname__ = name
    f.__module__, f.__doc__ = __name__, f"A copy of `x` with `v` {verb} rows `indices` (an int or a tuple of ints)."
    return op(primitive=prim(primitive, indices=prim.required))(f)


inplace_update = _rows_in("inplace_update", "set", "written to", "InplaceUpdate")
inplace_add = _rows_in("inplace_add", "add", "added to", "InplaceAdd")
inplace_sub = _rows_in("inplace_sub", "subtract", "subtracted from", "InplaceSub")
method("inplace_update")(inplace_update)


@op(method=True)
def index_fill(x, axis, index, value):
    """A copy with slices along an axis filled with a value."""
    index = index if isinstance(index, Tensor) else Tensor(index)
    return apply(K.index_fill, (x, index, value), axis=axis_of("index_fill", axis, x.ndim))


def _segment(name, primitive, how, verb):
    def of(x, segment_ids, num_segments):
        if x.shape[: segment_ids.ndim] != segment_ids.shape:
            raise ValueError(f"For '{name}', the shape of 'segment_ids' {segment_ids.shape} should be where the shape {x.shape} of the input begins.")
        return apply(K.segment, (x, segment_ids), num=int(num_segments), how=how)

    def of_input_x(input_x, segment_ids, num_segments):
        return of(input_x, segment_ids, num_segments)

    f = of_input_x if how == "sum" else of
    f.__name__ = f.__qualname__ = name
    f.__module__, f.__doc__ = (
        __name__,
        f"The {verb} of the slices with the same segment id, for each of `num_segments` ids; negative ids count for nothing.",
    )
    return op(method=how != "sum", primitive=prim(primitive))(f)


unsorted_segment_sum = _segment("unsorted_segment_sum", "UnsortedSegmentSum", "sum", "sum")
unsorted_segment_max = _segment("unsorted_segment_max", "UnsortedSegmentMax", "max", "maximum")
unsorted_segment_min = _segment("unsorted_segment_min", "UnsortedSegmentMin", "min", "minimum")
unsorted_segment_prod = _segment("unsorted_segment_prod", "UnsortedSegmentProd", "prod", "product")
