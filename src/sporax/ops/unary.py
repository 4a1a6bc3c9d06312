"""Elementwise functions of one tensor.

They differ only in the kernel, so a row of a table makes each of them: name, kernel, Primitive, what it computes, and an example.
"""

from sporax._core.dispatch import apply
from sporax._core.tensor import Tensor
from sporax._kernels import math as K
from sporax._kernels import special as S
from sporax.ops._args import axis_of
from sporax.ops._table import op, prim

_INEXACT = "integers and bools give float32"
_SAME = "the dtype of the input"

# name, kernel, primitive, aliases, other method names, what each element becomes, dtype of the result, example
_ROWS = [
    ("abs", K.abs, "Abs", ("absolute",), ("__abs__", "absolute"), "its absolute value", _SAME, "[-1.5, 2.0]", "[1.5 2. ]"),
    ("neg", K.neg, "Neg", ("negative",), ("__neg__", "negative"), "its negative", _SAME, "[1.0, -2.0]", "[-1.  2.]"),
    ("sign", K.sign, "Sign", ("sgn",), ("sgn",), "-1, 0 or 1 by its sign", _SAME, "[-3.0, 0.0, 2.0]", "[-1.  0.  1.]"),
    ("square", K.square, "Square", (), (), "its square", _SAME, "[2.0, -3.0]", "[4. 9.]"),
    ("sqrt", K.sqrt, "Sqrt", (), (), "its square root; nan for negative ones", _INEXACT, "[4.0, 9.0]", "[2. 3.]"),
    ("rsqrt", K.rsqrt, "Rsqrt", (), (), "1 / sqrt(x)", _INEXACT, "[4.0, 16.0]", "[0.5  0.25]"),
    ("reciprocal", K.reciprocal, ("Reciprocal", "Inv"), ("inv",), (), "1 / x", _INEXACT, "[2.0, 4.0]", "[0.5  0.25]"),
    ("exp", K.exp, "Exp", (), (), "e to its power", _INEXACT, "[0.0]", "[1.]"),
    ("exp2", K.exp2, None, (), (), "2 to its power", _INEXACT, "[0.0, 3.0]", "[1. 8.]"),
    ("expm1", K.expm1, "Expm1", (), (), "exp(x) - 1, exact near 0", _INEXACT, "[0.0]", "[0.]"),
    ("log", K.log, "Log", (), (), "its natural logarithm", _INEXACT, "[1.0]", "[0.]"),
    ("log2", K.log2, None, (), (), "its logarithm to base 2", _INEXACT, "[1.0, 8.0]", "[0. 3.]"),
    ("log10", K.log10, None, (), (), "its logarithm to base 10", _INEXACT, "[1.0]", "[0.]"),
    ("log1p", K.log1p, "Log1p", (), (), "log(1 + x), exact near 0", _INEXACT, "[0.0]", "[0.]"),
    ("sin", K.sin, "Sin", (), (), "its sine (radians)", _INEXACT, "[0.0]", "[0.]"),
    ("cos", K.cos, "Cos", (), (), "its cosine (radians)", _INEXACT, "[0.0]", "[1.]"),
    ("tan", K.tan, "Tan", (), (), "its tangent (radians)", _INEXACT, "[0.0]", "[0.]"),
    ("asin", K.asin, "Asin", ("arcsin",), ("arcsin",), "its arc sine", _INEXACT, "[0.0]", "[0.]"),
    ("acos", K.acos, "ACos", ("arccos",), ("arccos",), "its arc cosine", _INEXACT, "[1.0]", "[0.]"),
    ("atan", K.atan, "Atan", ("arctan",), ("arctan",), "its arc tangent", _INEXACT, "[0.0]", "[0.]"),
    ("sinh", K.sinh, "Sinh", (), (), "its hyperbolic sine", _INEXACT, "[0.0]", "[0.]"),
    ("cosh", K.cosh, "Cosh", (), (), "its hyperbolic cosine", _INEXACT, "[0.0]", "[1.]"),
    ("tanh", K.tanh, "Tanh", (), (), "its hyperbolic tangent", _INEXACT, "[0.0]", "[0.]"),
    ("asinh", K.asinh, "Asinh", ("arcsinh",), ("arcsinh",), "its inverse hyperbolic sine", _INEXACT, "[0.0]", "[0.]"),
    ("acosh", K.acosh, "Acosh", ("arccosh",), ("arccosh",), "its inverse hyperbolic cosine", _INEXACT, "[1.0]", "[0.]"),
    ("atanh", K.atanh, "Atanh", ("arctanh",), ("arctanh",), "its inverse hyperbolic tangent", _INEXACT, "[0.0]", "[0.]"),
    ("sinc", K.sinc, None, (), (), "sin(pi x) / (pi x)", _INEXACT, "[0.0]", "[1.]"),
    ("sigmoid", K.sigmoid, "Sigmoid", (), (), "1 / (1 + exp(-x))", _INEXACT, "[0.0]", "[0.5]"),
    ("erf", K.erf, "Erf", (), (), "the Gauss error function of it", _INEXACT, "[0.0]", "[0.]"),
    ("erfc", K.erfc, "Erfc", (), (), "1 - erf(x)", _INEXACT, "[0.0]", "[1.]"),
    ("erfinv", K.erfinv, "Erfinv", (), (), "the inverse of erf", _INEXACT, "[0.0]", "[0.]"),
    ("lgamma", K.lgamma, "Lgamma", (), (), "log |gamma(x)|", _INEXACT, "[3.0]", "[0.69314...]"),
    ("digamma", K.digamma, "Digamma", (), (), "the derivative of lgamma", _INEXACT, "[1.0]", "[-0.57721...]"),
    ("floor", K.floor, "Floor", (), (), "the largest integer not above it", _SAME, "[1.7, -1.2]", "[ 1. -2.]"),
    ("ceil", K.ceil, "Ceil", (), ("__ceil__",), "the smallest integer not below it", _SAME, "[1.2, -1.7]", "[ 2. -1.]"),
    ("trunc", K.trunc, "Trunc", (), ("__trunc__",), "its integer part", _SAME, "[1.7, -1.7]", "[ 1. -1.]"),
    ("frac", K.frac, None, (), (), "its fractional part", _SAME, "[1.5, -0.25]", "[ 0.5  -0.25]"),
    ("isnan", K.isnan, "IsNan", (), (), "whether it is nan", "bool", "[1.0, float('nan')]", "[False  True]"),
    ("isinf", K.isinf, "IsInf", (), (), "whether it is infinite", "bool", "[1.0, float('inf')]", "[False  True]"),
    ("isfinite", K.isfinite, "IsFinite", (), (), "whether it is neither infinite nor nan", "bool", "[1.0, float('inf')]", "[ True False]"),
    ("logical_not", K.logical_not, "LogicalNot", (), (), "whether it is zero", "bool", "[1.0, 0.0]", "[False  True]"),
    ("real", K.real, "Real", (), (), "its real part", "real", "[1.0]", "[1.]"),
    ("imag", K.imag, "Imag", (), (), "its imaginary part", "real", "[1.0]", "[0.]"),
    ("conj", K.conj, "Conj", (), (), "its complex conjugate", _SAME, "[1.0]", "[1.]"),
    ("positive", S.positive, None, (), (), "itself", _SAME, "[1.0]", "[1.]"),
    ("rint", S.rint, "Rint", (), (), "the nearest integer; halves go to the even one", _SAME, "[0.5, 1.5]", "[0. 2.]"),
    ("signbit", S.signbit, None, (), (), "whether its sign is negative", "bool", "[-1.0, 2.0]", "[ True False]"),
    ("isneginf", S.isneginf, None, (), (), "whether it is minus infinity", "bool", "[-float('inf'), 1.0]", "[ True False]"),
    ("isposinf", S.isposinf, None, (), (), "whether it is plus infinity", "bool", "[float('inf'), 1.0]", "[ True False]"),
    ("isreal", S.isreal, None, (), (), "whether its imaginary part is 0", "bool", "[1.0]", "[ True]"),
    ("deg2rad", S.deg2rad, None, (), (), "it in radians, from degrees", _INEXACT, "[0.0]", "[0.]"),
    ("rad2deg", S.rad2deg, None, (), (), "it in degrees, from radians", _INEXACT, "[0.0]", "[0.]"),
    ("bessel_i0", S.bessel_i0, "BesselI0", ("i0",), ("i0",), "the modified Bessel function of order 0", _INEXACT, "[0.0]", "[1...]"),
    ("bessel_i0e", S.bessel_i0e, "BesselI0e", (), (), "exp(-|x|) I0(x)", _INEXACT, "[0.0]", "[1...]"),
    ("bessel_i1", S.bessel_i1, "BesselI1", (), (), "the modified Bessel function of order 1", _INEXACT, "[0.0]", "[0.]"),
    ("bessel_i1e", S.bessel_i1e, "BesselI1e", (), (), "exp(-|x|) I1(x)", _INEXACT, "[0.0]", "[0.]"),
    ("population_count", S.population_count, "PopulationCount", (), (), "the number of bits that are set (uint8)", "uint8", "[7, 8]", "[3 1]"),
    ("angle", K.angle, "Angle", (), (), "its argument (radians)", "real", "[1.0]", "[0.]"),
]  # fmt: skip


# MindSpore calls the argument of these `x`
_NAMED_X = {"sqrt", "frac", "deg2rad", "rad2deg", "bessel_i0", "bessel_i0e", "bessel_i1", "bessel_i1e"}


def _make(name, kernel, primitive, aliases, methods, what, dtype, example, result):
    def of_x(x):
        return apply(kernel, (x,))

    def of_input(input):
        return apply(kernel, (input,))

    f = of_x if name in _NAMED_X else of_input
    f.__name__ = f.__qualname__ = name
    f.__module__ = __name__
    f.__doc__ = f"""Each element becomes {what}.

    Args:
        {"x" if name in _NAMED_X else "input"} (Tensor): any shape.

    Returns:
        Tensor of the same shape; dtype: {dtype}.

    Examples:
        >>> print(ops.{name}(Tensor({example})))
        {result}
    """
    primitives = (primitive,) if isinstance(primitive, str) else primitive
    return op(aliases=aliases, method=(name, *methods), mint=(name, *aliases), primitive=primitives and tuple(map(prim, primitives)))(f)


globals().update({row[0]: _make(*row) for row in _ROWS})


# as in MindSpore, `~x` is the logical not of every dtype
Tensor.__invert__ = globals()["logical_not"]


@op(method="bitwise_not", aliases=("invert",), mint=True, primitive=prim("Invert"))
def bitwise_not(input):
    """Every bit flipped. `~input` is `logical_not`.

    Examples:
        >>> print(ops.bitwise_not(Tensor([0, 5])))
        [-1 -6]
    """
    return apply(K.bitwise_not, (input,))


@op(method=("round", "__round__"), mint=True, primitive=prim("Round"))
def round(input, *, decimals=0):
    """The nearest multiple of 10**-decimals; halves go to the even one.

    Examples:
        >>> print(ops.round(Tensor([0.5, 1.5, 2.6])))
        [0. 2. 3.]
    """
    return apply(K.round, (input,), decimals=decimals)


@op(method=True, mint=True)
def logit(input, eps=None):
    """log(x / (1 - x)), after clipping `x` to [eps, 1 - eps] if `eps` is given.

    Examples:
        >>> print(ops.logit(Tensor([0.5])))
        [0.]
    """
    return apply(K.logit, (input, eps))


@op(method=True, mint=True)
def nan_to_num(input, nan=None, posinf=None, neginf=None):
    """nan and infinities replaced: by `nan`, `posinf` and `neginf` (default: 0, the largest and the lowest finite number).

    Examples:
        >>> print(ops.nan_to_num(Tensor([float("nan"), 1.0])))
        [0. 1.]
    """
    return apply(K.nan_to_num, (input, 0.0 if nan is None else nan, posinf, neginf))


@op(mint=True)
def is_nonzero(input):
    """Whether the one element of a tensor is not 0; looks at it.

    Raises:
        ValueError: the tensor has more elements, or none.

    Examples:
        >>> ops.is_nonzero(Tensor([2.0]))
        True
    """
    if input.size != 1:
        raise ValueError(f"For 'is_nonzero', 'input' should have one element, but its shape is {input.shape}.")
    return bool(input.reshape(()) != 0)


@op(mint=True)
def is_floating_point(input):
    """Whether the dtype is a real floating type."""
    return input.is_floating_point()


@op(mint=True)
def is_complex(input):
    """Whether the dtype is complex."""
    return input.is_complex()


@op(mint=True)
def polygamma(n, input):
    """The derivative of order `n` (an int or an integer Tensor) of digamma.

    Examples:
        >>> print(ops.polygamma(1, Tensor([1.0])))
        [1.6449...]
    """
    return apply(S.polygamma, (input,), n=int(n))


@op(method=True, primitive=prim("Mvlgamma", p=prim.required))
def mvlgamma(input, p):
    """The logarithm of the multivariate gamma function of dimension `p`.

    Raises:
        ValueError: `p` is not positive.
    """
    if not isinstance(p, int) or p < 1:
        raise ValueError(f"For 'mvlgamma', 'p' should be a positive int, but got {p!r}.")
    return apply(S.mvlgamma, (input,), p=p)


@op(mint=True)
def view_as_real(input):
    """Complex numbers as pairs (real, imaginary) along a new last axis."""
    return apply(S.view_as_real, (input,))


@op(mint=True)
def trapz(y, x=None, *, dx=1.0, dim=-1):
    """The integral along an axis by the trapezoidal rule; points at `x`, or `dx` apart.

    Examples:
        >>> print(ops.trapz(Tensor([1.0, 2.0, 3.0])))
        4.0
    """
    return apply(S.trapezoid, (y, x), dx=float(dx), axis=axis_of("trapz", dim, y.ndim))


@op(primitive=prim("SquareSumAll"))
def square_sum_all(x, y):
    """The sums of the squares of two tensors."""
    return (x * x).sum(), (y * y).sum()
