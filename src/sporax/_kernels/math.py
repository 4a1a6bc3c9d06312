"""Elementwise kernels."""

import jax
import jax.numpy as jnp
from jax import lax
from jax.scipy import special

from sporax._kernels.promote import cast, kind, promote, promote_inexact, result_type


def add(x, y):
    x, y = promote(x, y)
    return x + y


def sub(x, y):
    x, y = promote(x, y)
    return x ^ y if x.dtype == jnp.bool_ else x - y


def mul(x, y):
    x, y = promote(x, y)
    return x * y


def div(x, y):
    x, y = promote_inexact(x, y)
    return x / y


def floor_divide(x, y):
    x, y = promote(x, y)
    if x.dtype == jnp.bool_:
        return x & y
    if jnp.issubdtype(x.dtype, jnp.floating):
        return jnp.floor(x / y)
    if jnp.issubdtype(x.dtype, jnp.complexfloating):
        return x / y
    return jnp.floor_divide(x, y)


def remainder(x, y):
    x, y = promote(x, y)
    return jnp.remainder(x, y).astype(x.dtype)


def fmod(x, y):
    x, y = promote(x, y)
    return jnp.fmod(x, y).astype(x.dtype)


def real_div(x, y):
    """x / y, where integers stay integers: the quotient towards zero."""
    x, y = promote(x, y)
    return trunc_div(x, y) if kind(x.dtype) == 1 else div(x, y)


def trunc_div(x, y):
    x, y = promote(x, y)
    return jnp.trunc(x / y) if kind(x.dtype) >= 2 else lax.div(*jnp.broadcast_arrays(x, y))


def power(x, y):
    x, y = promote(x, y)
    if x.dtype == jnp.bool_:
        return x | ~y
    if jnp.issubdtype(x.dtype, jnp.signedinteger):
        # 1 / x**-y towards zero
        unit = jnp.where(x == 1, 1, jnp.where(x == -1, 1 - 2 * (y & 1), 0)).astype(x.dtype)
        return jnp.where(y < 0, unit, jnp.power(x, jnp.maximum(y, 0)))
    return jnp.power(x, y)


def scaled_add(x, y, alpha):
    """x + alpha y"""
    dtype = result_type(x, y)
    return cast(x, dtype) + cast(alpha, dtype) * cast(y, dtype)


def maximum(x, y):
    x, y = promote(x, y)
    return jnp.maximum(x, y)


def minimum(x, y):
    x, y = promote(x, y)
    return jnp.minimum(x, y)


def atan2(x, y):
    x, y = promote_inexact(x, y)
    return jnp.arctan2(x, y)


def hypot(x, y):
    x, y = promote_inexact(x, y)
    return jnp.hypot(x, y)


def logaddexp(x, y):
    return _logaddexp(*promote_inexact(x, y))


@jax.custom_jvp
def _logaddexp(x, y):
    return jnp.logaddexp(x, y)


@_logaddexp.defjvp
def _logaddexp_jvp(primals, tangents):
    (x, y), (tx, ty) = primals, tangents
    share = jax.nn.sigmoid(x - y)
    return jnp.logaddexp(x, y), share * tx + (1 - share) * ty


def xlogy(x, y):
    x, y = promote_inexact(x, y)
    return special.xlogy(x, y)


def xdivy(x, y):
    x, y = promote_inexact(x, y)
    zero = x == 0
    return jnp.where(zero, jnp.zeros_like(x), x / jnp.where(zero, jnp.ones_like(y), y))


def squared_difference(x, y):
    x, y = promote(x, y)
    return jnp.square(x - y)


# Comparison and logic --------------------------------------------------------------------------------------------------


def equal(x, y):
    x, y = promote(x, y)
    return x == y


def not_equal(x, y):
    x, y = promote(x, y)
    return x != y


def less(x, y):
    x, y = promote(x, y)
    return x < y


def less_equal(x, y):
    x, y = promote(x, y)
    return x <= y


def greater(x, y):
    x, y = promote(x, y)
    return x > y


def greater_equal(x, y):
    x, y = promote(x, y)
    return x >= y


def logical_and(x, y):
    return jnp.logical_and(x, y)


def logical_or(x, y):
    return jnp.logical_or(x, y)


def logical_xor(x, y):
    return jnp.logical_xor(x, y)


def logical_not(x):
    return jnp.logical_not(x)


def _on_bits(f, x, y):
    """f(x, y) on integers read with the other signedness.

    XLA's CPU compiler (jaxlib 0.10.2) crashes on `&` and `|` of a vector that was just converted from a wider integer.
    """
    x, y = promote(x, y)
    if x.dtype == jnp.bool_:
        return f(x, y)
    own, other = x.dtype, jnp.dtype(x.dtype.name.removeprefix("u") if x.dtype.kind == "u" else "u" + x.dtype.name)
    return lax.bitcast_convert_type(f(lax.bitcast_convert_type(x, other), lax.bitcast_convert_type(y, other)), own)


def bitwise_and(x, y):
    return _on_bits(lambda a, b: a & b, x, y)


def bitwise_or(x, y):
    return _on_bits(lambda a, b: a | b, x, y)


def bitwise_xor(x, y):
    x, y = promote(x, y)
    return x ^ y


def bitwise_not(x):
    return ~x


def left_shift(x, y):
    x, y = promote(x, y)
    return jnp.left_shift(x, y)


def right_shift(x, y):
    x, y = promote(x, y)
    return jnp.right_shift(x, y)


def isclose(x, y, rtol, atol, *, equal_nan):
    x, y = promote(x, y)
    return jnp.isclose(x, y, rtol, atol, equal_nan)


def isnan(x):
    return jnp.isnan(x) if kind(x.dtype) >= 2 else jnp.zeros(x.shape, bool)


def isinf(x):
    return jnp.isinf(x) if kind(x.dtype) >= 2 else jnp.zeros(x.shape, bool)


def isfinite(x):
    return jnp.isfinite(x) if kind(x.dtype) >= 2 else jnp.ones(x.shape, bool)


# One input --------------------------------------------------------------------------------------------------------------


def neg(x):
    if x.dtype == jnp.bool_:
        raise TypeError("negation of a Bool tensor is not defined; use ~x or x.logical_not()")
    return -x


@jax.custom_jvp
def _abs(x):
    return jnp.abs(x)


@_abs.defjvp
def _abs_jvp(primals, tangents):
    # the derivative at 0 is 0
    (x,), (t,) = primals, tangents
    return jnp.abs(x), sign(x) * t


def abs(x):
    if x.dtype == jnp.bool_:
        return x
    # the absolute value of a complex number is complex
    return _abs(x) if jnp.issubdtype(x.dtype, jnp.floating) else jnp.abs(x).astype(x.dtype)


def sign(x):
    if x.dtype == jnp.bool_:
        return x
    s = jnp.sign(x)
    return jnp.where(jnp.isnan(x), jnp.zeros_like(s), s) if kind(x.dtype) >= 2 else s


def square(x):
    return jnp.square(x)


def sqrt(x):
    (x,) = promote_inexact(x)
    return jnp.sqrt(x)


def rsqrt(x):
    (x,) = promote_inexact(x)
    return lax.rsqrt(x)


def reciprocal(x):
    (x,) = promote_inexact(x)
    return 1 / x


def exp(x):
    (x,) = promote_inexact(x)
    return jnp.exp(x)


def exp2(x):
    (x,) = promote_inexact(x)
    return jnp.exp2(x)


def expm1(x):
    (x,) = promote_inexact(x)
    return jnp.expm1(x)


def log(x):
    (x,) = promote_inexact(x)
    return jnp.log(x)


def log2(x):
    (x,) = promote_inexact(x)
    return jnp.log2(x)


def log10(x):
    (x,) = promote_inexact(x)
    return jnp.log10(x)


def log1p(x):
    (x,) = promote_inexact(x)
    return jnp.log1p(x)


def sin(x):
    (x,) = promote_inexact(x)
    return jnp.sin(x)


def cos(x):
    (x,) = promote_inexact(x)
    return jnp.cos(x)


def tan(x):
    (x,) = promote_inexact(x)
    return jnp.tan(x)


def asin(x):
    (x,) = promote_inexact(x)
    return jnp.arcsin(x)


def acos(x):
    (x,) = promote_inexact(x)
    return jnp.arccos(x)


def atan(x):
    (x,) = promote_inexact(x)
    return jnp.arctan(x)


def sinh(x):
    (x,) = promote_inexact(x)
    return jnp.sinh(x)


def cosh(x):
    (x,) = promote_inexact(x)
    return jnp.cosh(x)


def asinh(x):
    (x,) = promote_inexact(x)
    return jnp.arcsinh(x)


def acosh(x):
    (x,) = promote_inexact(x)
    return jnp.arccosh(x)


def atanh(x):
    (x,) = promote_inexact(x)
    return jnp.arctanh(x)


def sinc(x):
    (x,) = promote_inexact(x)
    return jnp.sinc(x)


def erf(x):
    (x,) = promote_inexact(x)
    return special.erf(x)


def erfc(x):
    (x,) = promote_inexact(x)
    return special.erfc(x)


def erfinv(x):
    (x,) = promote_inexact(x)
    return special.erfinv(x)


def lgamma(x):
    (x,) = promote_inexact(x)
    return special.gammaln(x)


def digamma(x):
    (x,) = promote_inexact(x)
    # a pole from the right
    return jnp.where(x == 0, -jnp.inf, special.digamma(x)).astype(x.dtype)


def floor(x):
    return jnp.floor(x) if kind(x.dtype) >= 2 else x


def ceil(x):
    return jnp.ceil(x) if kind(x.dtype) >= 2 else x


def trunc(x):
    return jnp.trunc(x) if kind(x.dtype) >= 2 else x


def frac(x):
    return x - jnp.trunc(x) if kind(x.dtype) >= 2 else jnp.zeros(x.shape, jnp.int64 if x.dtype == jnp.bool_ else x.dtype)


def round(x, *, decimals):
    return x if x.dtype == jnp.bool_ else jnp.round(x, decimals)


def logit(x, eps):
    (x,) = promote_inexact(x)
    if eps is not None:
        x = jnp.clip(x, eps, 1 - eps)
    return jnp.log(x / (1 - x))


def nan_to_num(x, nan, posinf, neginf):
    return jnp.nan_to_num(x, nan=nan, posinf=posinf, neginf=neginf)


def real(x):
    return jnp.real(x)


def imag(x):
    return jnp.imag(x)


def conj(x):
    return jnp.conj(x)


def angle(x):
    return jnp.angle(x)


def to_complex(x, y):
    return lax.complex(*promote(x, y))


# Three inputs -------------------------------------------------------------------------------------------------------------


def where(condition, x, y):
    x, y = promote(x, y)
    return jnp.where(condition.astype(bool), x, y)


def clip(x, low, high):
    """Clip to [low, high]; a bound may be None. The result has the promoted dtype of the bounds and `x`."""
    given = [b for b in (low, high) if b is not None]
    dtype = result_type(x, *given)
    x = cast(x, dtype)
    # at a bound the gradient is that of x
    if low is not None:
        x = jnp.where(x < low, cast(low, dtype), x)
    if high is not None:
        x = jnp.where(x > high, cast(high, dtype), x)
    return x


def lerp(start, end, weight):
    start, end, weight = promote(start, end, weight)
    return start + weight * (end - start)


def addcmul(x, a, b, value):
    x, a, b, value = promote(x, a, b, value)
    return x + value * a * b


def addcdiv(x, a, b, value):
    x, a, b, value = promote_inexact(x, a, b, value)
    return x + value * (a / b)


def add_n(*xs):
    total = xs[0]
    for x in xs[1:]:
        total = total + x
    return total


def cast_to(x, *, dtype):
    """Conversion as MindSpore does: floats to integers truncate, complex to real drops the imaginary part."""
    if jnp.issubdtype(x.dtype, jnp.complexfloating) and not jnp.issubdtype(dtype, jnp.complexfloating):
        x = x.real
    return x.astype(dtype)


def sigmoid(x):
    (x,) = promote_inexact(x)
    return jax.nn.sigmoid(x)


def tanh(x):
    (x,) = promote_inexact(x)
    return jnp.tanh(x)
