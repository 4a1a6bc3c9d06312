"""Elementwise kernels beyond the everyday ones: number theory, bits of floats, Bessel and gamma functions, angles."""

import jax.numpy as jnp
from jax import lax
from jax.scipy import special

from sporax._kernels.math import trunc_div
from sporax._kernels.promote import kind, promote, promote_inexact


def positive(x):
    return x


def rint(x):
    return jnp.round(x) if kind(x.dtype) >= 2 else x


def signbit(x):
    # -0.0 counts as positive
    return x < 0


def isneginf(x):
    return jnp.isneginf(x) if kind(x.dtype) == 2 else jnp.zeros(x.shape, bool)


def isposinf(x):
    return jnp.isposinf(x) if kind(x.dtype) == 2 else jnp.zeros(x.shape, bool)


def isreal(x):
    return jnp.isreal(x)


def deg2rad(x):
    (x,) = promote_inexact(x)
    return jnp.deg2rad(x)


def rad2deg(x):
    (x,) = promote_inexact(x)
    return jnp.rad2deg(x)


def bessel_i0(x):
    (x,) = promote_inexact(x)
    return special.i0(x)


def bessel_i0e(x):
    (x,) = promote_inexact(x)
    return special.i0e(x)


def bessel_i1(x):
    (x,) = promote_inexact(x)
    return special.i1(x)


def bessel_i1e(x):
    (x,) = promote_inexact(x)
    return special.i1e(x)


def population_count(x):
    return lax.population_count(x).astype(jnp.uint8)


# Two inputs ---------------------------------------------------------------------------------------------------------------


def copysign(x, y):
    x, y = promote_inexact(x, y)
    return jnp.copysign(x, y)


def heaviside(x, values):
    x, values = promote(x, values)
    return jnp.where(x == 0, values, (x > 0).astype(x.dtype))


def gcd(x, y):
    x, y = promote(x, y)
    return jnp.gcd(x, y)


def lcm(x, y):
    x, y = promote(x, y)
    return jnp.lcm(x, y)


def ldexp(x, y):
    x, y = promote_inexact(x, y)
    return x * jnp.exp2(y)


def logaddexp2(x, y):
    x, y = promote_inexact(x, y)
    return jnp.logaddexp2(x, y)


def fmax(x, y):
    x, y = promote(x, y)
    return jnp.fmax(x, y)


def fmin(x, y):
    x, y = promote(x, y)
    return jnp.fmin(x, y)


def nextafter(x, y):
    x, y = promote_inexact(x, y)
    return jnp.nextafter(x, y)


def igamma(a, x):
    a, x = promote_inexact(a, x)
    return special.gammainc(a, x)


def igammac(a, x):
    a, x = promote_inexact(a, x)
    return special.gammaincc(a, x)


def zeta(x, q):
    x, q = promote_inexact(x, q)
    return special.zeta(x, q)


def polygamma(x, *, n):
    (x,) = promote_inexact(x)
    return special.digamma(x) if n == 0 else special.polygamma(n, x)


def mvlgamma(x, *, p):
    (x,) = promote_inexact(x)
    return special.multigammaln(x, p)


def div_no_nan(x, y):
    """x / y, 0 where y is 0."""
    x, y = promote(x, y)
    zero = y == 0
    safe = jnp.where(zero, jnp.ones_like(y), y)
    quotient = x / safe if kind(x.dtype) >= 2 else trunc_div(x, safe)
    return jnp.where(zero, jnp.zeros_like(quotient), quotient)


def approximate_equal(x, y, tolerance):
    x, y = promote(x, y)
    return jnp.abs(x - y) < tolerance


def polar(magnitude, angle):
    return lax.complex(magnitude * jnp.cos(angle), magnitude * jnp.sin(angle))


def view_as_real(x):
    return jnp.stack((x.real, x.imag), -1)


def trapezoid(y, x, *, dx, axis):
    return jnp.trapezoid(y, x, dx, axis)
