"""MindSpore's type promotion.

Arrays: the wider of two integers; an integer and a floating type give the floating type; float16 with bfloat16 gives float32; bool gives the
other. Unsigned types of 16 bits and more mix with bool and themselves only. A Python number has a kind (bool < int < float < complex),
not a width: it changes the result only where the array's kind is lower, and then to int64, float32 or complex64.
"""

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np

_BF16 = np.dtype(ml_dtypes.bfloat16)
_WIDE_UNSIGNED = tuple(np.dtype(t) for t in (np.uint16, np.uint32, np.uint64))
_SIGNED = tuple(np.dtype(t) for t in (np.int8, np.int16, np.int32, np.int64))
_FLOATS = {np.dtype(np.float16): 0, _BF16: 0, np.dtype(np.float32): 1, np.dtype(np.float64): 2}
_U8, _I16, _F32, _BOOL = np.dtype(np.uint8), np.dtype(np.int16), np.dtype(np.float32), np.dtype(np.bool_)
_BY_KIND = {0: _BOOL, 1: np.dtype(np.int64), 2: _F32, 3: np.dtype(np.complex64)}


def kind(dtype):
    """0 bool, 1 integer, 2 floating, 3 complex."""
    if dtype == _BOOL:
        return 0
    if dtype in _FLOATS:
        return 2
    return 3 if dtype.kind == "c" else 1


def promote_types(a, b):
    """The dtype of an operation on arrays of dtypes `a` and `b`.

    Raises:
        TypeError: MindSpore does not mix the two.
    """
    if a == b:
        return a
    if a == _BOOL:
        return b
    if b == _BOOL:
        return a
    if a in _WIDE_UNSIGNED or b in _WIDE_UNSIGNED:
        raise TypeError(f"{a} and {b} do not mix: convert one of them, for example with x.astype(mindspore.int64)")
    ka, kb = kind(a), kind(b)
    if ka == kb == 1:
        if _U8 in (a, b):
            other = b if a == _U8 else a
            return _I16 if other.itemsize == 1 else other
        return a if a.itemsize >= b.itemsize else b
    if ka == kb == 2:
        return _F32 if _FLOATS[a] == _FLOATS[b] else (a if _FLOATS[a] > _FLOATS[b] else b)
    if ka == 3 or kb == 3:
        wide = np.dtype(np.complex128)
        return wide if wide in (a, b) or np.dtype(np.float64) in (a, b) else np.dtype(np.complex64)
    return a if ka > kb else b


def is_weak(x):
    """Whether `x` stands for a Python number: it is one, or a tracer of one."""
    return isinstance(x, bool | int | float | complex) or getattr(getattr(x, "aval", x), "weak_type", False)


def scalar_kind(x):
    """The kind (see `kind`) of a Python number or the tracer of one."""
    if isinstance(x, bool):
        return 0
    if isinstance(x, int):
        return 1
    if isinstance(x, float):
        return 2
    return 3 if isinstance(x, complex) else kind(np.dtype(x.dtype))


def result_type(*xs):
    """The dtype of an operation on these arrays and Python numbers."""
    dtype, highest = None, 0
    for x in xs:
        if is_weak(x):
            highest = max(highest, scalar_kind(x))
        else:
            dtype = np.dtype(x.dtype) if dtype is None else promote_types(dtype, np.dtype(x.dtype))
    if dtype is None:
        return _BY_KIND[highest]
    return dtype if highest <= kind(dtype) else _BY_KIND[highest]


def cast(x, dtype):
    """`x` (array or Python number) as an array of `dtype`; a Python int that is too large wraps around, as MindSpore's do."""
    if isinstance(x, int) and not isinstance(x, bool) and np.dtype(dtype).kind in "iu":
        return jnp.asarray(np.asarray(x % 2**64, np.uint64).astype(dtype))
    return jnp.asarray(x, dtype) if not isinstance(x, jax.Array) else x.astype(dtype)


def promote(*xs):
    """The inputs as arrays of their common dtype."""
    dtype = result_type(*xs)
    return tuple(cast(x, dtype) for x in xs)


def promote_inexact(*xs):
    """The same, with integers and bools as float32: division, roots, exponentials."""
    dtype = result_type(*xs)
    if kind(dtype) < 2:
        dtype = _F32
    return tuple(cast(x, dtype) for x in xs)
