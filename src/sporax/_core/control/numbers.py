"""Python numbers that depend on a tensor: counters, `n += 1` under an `if`, `float(x)`.

They are 0-d int64 or float64 tensors whose tracer is "weakly typed", which is JAX's mark of a Python number: an operation with a tensor
takes the tensor's dtype, as with the number itself. Operations between numbers are done here, in Python's precision.
"""

import operator

import jax.numpy as jnp
import numpy as np
from jax import lax

from sporax._core.control.alarms import alarm
from sporax._core.control.errors import cannot
from sporax._core.control.kinds import is_number, is_traced
from sporax._core.dispatch import apply

_KERNELS = {
    "+": jnp.add,
    "-": jnp.subtract,
    "*": jnp.multiply,
    "/": jnp.true_divide,
    "//": jnp.floor_divide,
    "%": jnp.remainder,
    "**": jnp.power,
    "<<": jnp.left_shift,
    ">>": jnp.right_shift,
    "&": jnp.bitwise_and,
    "|": jnp.bitwise_or,
    "^": jnp.bitwise_xor,
    "<": jnp.less,
    "<=": jnp.less_equal,
    ">": jnp.greater,
    ">=": jnp.greater_equal,
    "==": jnp.equal,
    "!=": jnp.not_equal,
}
_PLAIN = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
    "**": operator.pow,
    "@": operator.matmul,
    "<<": operator.lshift,
    ">>": operator.rshift,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
    "is": operator.is_,
    "is not": operator.is_not,
    "in": lambda x, y: x in y,
    "not in": lambda x, y: x not in y,
}
_INPLACE = {
    "+": operator.iadd,
    "-": operator.isub,
    "*": operator.imul,
    "/": operator.itruediv,
    "//": operator.ifloordiv,
    "%": operator.imod,
    "**": operator.ipow,
    "@": operator.imatmul,
    "<<": operator.ilshift,
    ">>": operator.irshift,
    "&": operator.iand,
    "|": operator.ior,
    "^": operator.ixor,
}


def _weak(x, dtype):
    return (
        jnp.asarray(int(x) if dtype == jnp.int64 else float(x)) if isinstance(x, bool | int | float) else x if x.dtype == dtype else _cast(x, dtype)
    )


def _cast(x, dtype):
    return jnp.asarray(0 if dtype == jnp.int64 else 0.0).at[()].set(x.astype(dtype))


def number_kernel(x, y, *, symbol):
    """An operation on two numbers, in int64 or float64."""
    kinds = [type(v) if isinstance(v, bool | int | float) else {"b": bool, "i": int, "f": float}[v.dtype.kind] for v in (x, y)]
    if symbol in "&|^" and kinds == [bool, bool]:
        return _KERNELS[symbol](x, y)
    dtype = jnp.float64 if float in kinds or symbol == "/" else jnp.int64
    out = _KERNELS[symbol](_weak(x, dtype), _weak(y, dtype))
    return out if out.dtype == bool or out.aval.weak_type else _cast(out, out.dtype)


def negative_kernel(x):
    """-x of a number."""
    return -_weak(x, jnp.float64 if x.dtype.kind == "f" else jnp.int64)


def absolute_kernel(x):
    """abs(x) of a number."""
    return jnp.abs(_weak(x, jnp.float64 if x.dtype.kind == "f" else jnp.int64))


def to_int_kernel(x):
    """The only element cut to an integer."""
    return _cast(jnp.trunc(x.reshape(())) if x.dtype.kind == "f" else x.reshape(()), jnp.int64)


def to_float_kernel(x):
    """The only element as a floating number, which no gradient flows through: in PyNative it would be a Python number."""
    return _cast(lax.stop_gradient(x).reshape(()), jnp.float64)


def to_tensor_kernel(x):
    """A number as Tensor(x) has it."""
    return jnp.asarray(x, {"i": jnp.int64, "f": jnp.float32, "b": jnp.bool_}[np.dtype(x.dtype).kind])


def _are_numbers(x, y):
    return (is_number(x) or is_number(y)) and all(is_number(v) or type(v) in (bool, int, float) for v in (x, y))


def binary(symbol, x, y):
    """`x symbol y`: arithmetic or a comparison."""
    return _binary(symbol, x, y) if _are_numbers(x, y) else _PLAIN[symbol](x, y)


def inplace(symbol, x, y):
    """The value of x after `x symbol= y`."""
    return _binary(symbol, x, y) if _are_numbers(x, y) else _INPLACE[symbol](x, y)


def _binary(symbol, x, y):
    if symbol in ("/", "//", "%"):
        nonzero = apply(number_kernel, (y, 0), symbol="!=") if is_traced(y) else y != 0
        if is_traced(nonzero):
            alarm(nonzero, ZeroDivisionError("division by zero"))
        elif not nonzero:
            raise ZeroDivisionError("division by zero")
    if symbol == "**" and ((is_traced(y) and y._value.aval.dtype.kind == "i") or (isinstance(y, int) and y < 0 and not _is_float(x))):
        raise cannot("a Python int that depends on a tensor has an exponent that may be negative: convert one of them with float().")
    return mark(apply(number_kernel, (x, y), symbol=symbol))


def _is_float(x):
    return isinstance(x, float) or (is_traced(x) and x._value.aval.dtype.kind == "f")


def mark(t):
    """Let a bool count as Python's."""
    if t._value.aval.dtype == bool:
        t.__dict__["_python_bool"] = True
    return t


def negative(x):
    """`-x`."""
    return apply(negative_kernel, (x,)) if is_number(x) else -x


def absolute(x):
    """`abs(x)`."""
    return apply(absolute_kernel, (x,)) if is_number(x) else abs(x)


def int_(x=0, *args):
    """`int(x)`."""
    return apply(to_int_kernel, (x,)) if is_traced(x) and x.size == 1 and not args else int(x, *args)


def float_(x=0.0):
    """`float(x)`."""
    return apply(to_float_kernel, (x,)) if is_traced(x) and x.size == 1 else float(x)


def to_tensor(x):
    """`Tensor(x)` of a number."""
    return apply(to_tensor_kernel, (x,))
