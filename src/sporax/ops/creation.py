"""Tensors from nothing but a shape and numbers."""

import math
from typing import Any

import numpy as np

from sporax._core import dtype as mstype
from sporax._core.dispatch import apply
from sporax._core.dtype import to_jax_dtype
from sporax._core.tensor import Tensor
from sporax._kernels import array as K
from sporax.ops._args import axis_of, ints
from sporax.ops._table import method, op, prim

_F32, _I64 = np.dtype(np.float32), np.dtype(np.int64)


def _full(name, size, value, dtype):
    shape = ints(name, "size", size)
    if any(d < 0 for d in shape):
        raise ValueError(f"For '{name}', sizes should not be negative, but got {shape}.")
    if dtype is None:
        dtype = _F32 if name in ("zeros", "ones") else to_jax_dtype(value.dtype if isinstance(value, Tensor) else type(value))
    return apply(K.full, (value,), shape=shape, dtype=to_jax_dtype(dtype))


@op(mint=True, primitive=prim("Zeros", call=lambda self, shape, type: zeros(shape, type)))
def zeros(size, dtype=None):
    """Zeros; float32 unless `dtype` says otherwise.

    Examples:
        >>> print(ops.zeros((2,), ms.int32))
        [0 0]
    """
    return _full("zeros", size, 0, dtype)


@op(mint=True, primitive=prim("Ones", call=lambda self, shape, type: ones(shape, type)))
def ones(shape, dtype=None):
    """Ones; float32 unless `dtype` says otherwise.

    Examples:
        >>> print(ops.ones((2,)))
        [1. 1.]
    """
    return _full("ones", shape, 1, dtype)


@op(mint=True)
def full(size, fill_value, *, dtype=None):
    """A constant; the dtype is that of the value unless given.

    Examples:
        >>> print(ops.full((2,), 3))
        [3 3]
    """
    return _full("full", size, fill_value, dtype)


@op(primitive=prim("Fill"))
def fill(type, shape, value):
    """A constant of a dtype and shape.

    Examples:
        >>> print(ops.fill(ms.float32, (2,), 3))
        [3. 3.]
    """
    return _full("fill", shape, value, type)


def _like(name, value):
    def f(input, *, dtype=None):
        return apply(K.full_like, (input, value), dtype=to_jax_dtype(dtype))

    f.__name__ = f.__qualname__ = name
    f.__module__, f.__doc__ = __name__, f"{name.split('_')[0].capitalize()} in the shape and (unless given) the dtype of a tensor."
    return f


zeros_like = op(mint=True, primitive=prim("ZerosLike"))(_like("zeros_like", 0))
ones_like = op(mint=True, primitive=prim("OnesLike"))(_like("ones_like", 1))


@op(mint=True)
def full_like(input, fill_value, *, dtype=None):
    """A constant in the shape and (unless given) the dtype of a tensor."""
    return apply(K.full_like, (input, fill_value), dtype=to_jax_dtype(dtype))


@op(mint=True)
def empty(size, *, dtype=None, device=None):
    """A tensor for data to be written into; its elements are zeros."""
    return _full("zeros", size, 0, dtype)


@op(mint=True)
def empty_like(input, *, dtype=None, device=None):
    """A tensor like another for data to be written into; its elements are zeros."""
    return apply(K.full_like, (input, 0), dtype=to_jax_dtype(dtype))


@op(primitive=prim("Fills"))
def fills(x, value):
    """A constant in the shape and dtype of a tensor."""
    return apply(K.full_like, (x, value), dtype=None)


@op(primitive=prim("Eps"))
def eps(x):
    """The smallest number that makes a difference when it is added to 1, in the shape and dtype of a tensor."""
    return apply(K.full_like, (x, float(np.finfo(to_jax_dtype(x.dtype)).eps)), dtype=None)


@method("new_empty")
def _new_empty(self, size, *, dtype=None, device=None):
    """A tensor for data to be written into, of a shape and (unless given) the dtype of this one; its elements are zeros."""
    return _full("full", size, 0, self.dtype if dtype is None else dtype)


def _new(name, value):
    def f(self, size, dtype=None):
        return _full("full", size, value, self.dtype if dtype is None else dtype)

    f.__name__, f.__doc__ = name, f"{value}s of a shape and (unless given) the dtype of this tensor."
    method(name)(f)


_new("new_zeros", 0)
_new("new_ones", 1)


@method("new_full")
def _new_full(self, size, fill_value, *, dtype=None):
    """A constant of a shape and (unless given) the dtype of this tensor."""
    return _full("full", size, fill_value, self.dtype if dtype is None else dtype)


def _number(x):
    return x.item() if isinstance(x, Tensor) else x


@op(mint=True)
def arange(start: Any = 0, end=None, step: Any = 1, *, dtype=None):
    """Numbers from `start` up to (without) `end` by `step`; ints give int64, floats float32.

    Raises:
        ValueError: `step` is zero, or points away from `end`.

    Examples:
        >>> print(ops.arange(1, 7, 2))
        [1 3 5]
    """
    if end is None:
        start, end = 0, start
    start, end, step = _number(start), _number(end), _number(step)
    for key, v in (("start", start), ("end", end), ("step", step)):
        if isinstance(v, bool) or not isinstance(v, int | float):
            raise TypeError(f"For 'arange', '{key}' should be an int or float, but got {v!r} of type {type(v).__name__}.")
    if step == 0 or (end - start) * step < 0:
        raise ValueError(f"For 'arange', 'step' should lead from {start} to {end}, but got {step}.")
    n = max(0, math.ceil((end - start) / step))
    np_dtype = to_jax_dtype(dtype) or (_I64 if all(isinstance(v, int) for v in (start, end, step)) else _F32)
    return apply(K.arange, (start, end, step), length=n, dtype=np_dtype)


@op(primitive=prim("Range", maxlen=1000000, call=lambda self, start, limit, delta: range(start, limit, delta, self.maxlen)))
def range(start, end, step, maxlen=1000000):
    """Numbers from `start` up to (without) `end` by `step`: integers as int64, else in the dtype of `start`, at most `maxlen` of them.

    Raises:
        ValueError: there are more than `maxlen`.
    """
    floating = isinstance(start, Tensor) and start.dtype.is_floating_point
    out = arange(start, end, step, dtype=start.dtype if floating else None)
    if out.size > maxlen:
        raise ValueError(f"For 'range', at most maxlen={maxlen} numbers are allowed, but there are {out.size}.")
    return out


@op(mint=True, primitive=prim("LinSpace"))
def linspace(start, end, steps):
    """`steps` numbers from `start` to `end`, both included; float32 unless a Tensor says otherwise.

    Examples:
        >>> print(ops.linspace(0, 1, 3))
        [0.  0.5 1. ]
    """
    dtype = to_jax_dtype(start.dtype) if isinstance(start, Tensor) and start.dtype.is_floating_point else _F32
    return apply(K.linspace, (start, end), num=int(steps), dtype=dtype)


@op(mint=True)
def logspace(start, end, steps, base=10, *, dtype=mstype.float32):
    """`steps` powers of `base` whose exponents go from `start` to `end`, both included.

    Examples:
        >>> print(ops.logspace(Tensor(0.0), Tensor(2.0), 3))
        [  1.  10. 100.]
    """
    return (linspace(start, end, steps).astype("float64") * math.log(base)).exp().astype(dtype)


@op(mint=True, primitive=prim("Eye", call=lambda self, n, m, t: eye(n, m, t)))
def eye(n, m=None, dtype=None):
    """Ones on the diagonal of an `n` by `m` (default `n`) matrix of zeros.

    Examples:
        >>> print(ops.eye(2))
        [[1. 0.]
         [0. 1.]]
    """
    return apply(K.eye, (), n=int(n), m=int(n if m is None else m), dtype=to_jax_dtype(dtype) or _F32)


@op(mint=True, primitive=prim("Meshgrid", indexing="xy", call=lambda self, inputs: meshgrid(*inputs, indexing=self.indexing)))
def meshgrid(*inputs, indexing="xy"):
    """Coordinates of a grid from those along each axis; "xy" or "ij" order of the first two axes.

    Examples:
        >>> ops.meshgrid(Tensor([1, 2]), Tensor([3, 4, 5]), indexing="ij")[0].shape
        (2, 3)
    """
    if indexing not in ("xy", "ij"):
        raise ValueError(f"For 'meshgrid', 'indexing' should be 'xy' or 'ij', but got {indexing!r}.")
    return apply(K.meshgrid, tuple(inputs), indexing=indexing)


def _one_hot_primitive(self, indices, depth, on_value, off_value):
    return one_hot(indices, depth, on_value, off_value, self.axis)


@op(primitive=prim("OneHot", axis=-1, call=_one_hot_primitive))
def one_hot(indices, depth, on_value=1, off_value=0, axis=-1):
    """`on_value` at each index along a new axis of size `depth`, `off_value` elsewhere and for indices out of range.

    Examples:
        >>> print(ops.one_hot(Tensor([0, 2]), 3))
        [[1 0 0]
         [0 0 1]]
    """
    dtype = to_jax_dtype(on_value.dtype) if isinstance(on_value, Tensor) else to_jax_dtype(type(on_value))
    return apply(K.one_hot, (indices, on_value, off_value), depth=int(depth), axis=axis_of("one_hot", axis, indices.ndim + 1), dtype=dtype)


@op(primitive=prim("ScalarToTensor"))
def scalar_to_tensor(input_x, dtype=mstype.float32):
    """A 0-d tensor from a number.

    Examples:
        >>> print(ops.scalar_to_tensor(2))
        2.0
    """
    return Tensor(np.asarray(input_x, to_jax_dtype(dtype)))


@op(primitive=prim("ScalarToArray"))
def scalar_to_array(input_x):
    """A 0-d tensor from a number; ints are int64, floats float32."""
    return Tensor(input_x)


@op(primitive=prim("ScalarCast"))
def scalar_cast(input_x, input_y):
    """A Python number converted as an element of dtype `input_y` would be.

    Examples:
        >>> ops.scalar_cast(2.7, ms.int64)
        2
    """
    return np.asarray(input_x).astype(to_jax_dtype(input_y)).item()


@op(primitive=prim("TupleToArray"))
def tuple_to_array(input_x):
    """A 1-d tensor from a tuple of numbers; ints are int32, floats float32."""
    return Tensor(np.asarray(input_x, np.int32 if all(isinstance(x, int) for x in input_x) else np.float32))
