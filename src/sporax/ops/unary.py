"""Elementwise functions of one tensor.

They differ only in the kernel, so a row of a table makes each of them: name, kernel, Primitive, what it computes, and an example.
"""

from sporax._core.dispatch import apply
from sporax._kernels import math as K
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
    ("reciprocal", K.reciprocal, "Reciprocal", (), (), "1 / x", _INEXACT, "[2.0, 4.0]", "[0.5  0.25]"),
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
    ("real", K.real, "Real", (), ("real_",), "its real part", "real", "[1.0]", "[1.]"),
    ("imag", K.imag, "Imag", (), (), "its imaginary part", "real", "[1.0]", "[0.]"),
    ("conj", K.conj, "Conj", (), (), "its complex conjugate", _SAME, "[1.0]", "[1.]"),
    ("angle", K.angle, "Angle", (), (), "its argument (radians)", "real", "[1.0]", "[0.]"),
]  # fmt: skip


def _make(name, kernel, primitive, aliases, methods, what, dtype, example, result):
    def f(input):
        return apply(kernel, (input,))

    f.__name__ = f.__qualname__ = name
    f.__module__ = __name__
    f.__doc__ = f"""Each element becomes {what}.

    Args:
        input (Tensor): any shape.

    Returns:
        Tensor of the same shape; dtype: {dtype}.

    Examples:
        >>> print(ops.{name}(Tensor({example})))
        {result}
    """
    own = methods if name == "real" else (name, *methods)
    return op(aliases=aliases, method=tuple(m for m in own if m != "real_"), mint=(name, *aliases), primitive=primitive and prim(primitive))(f)


globals().update({row[0]: _make(*row) for row in _ROWS})


@op(method=("bitwise_not", "__invert__"), mint=True)
def bitwise_not(input):
    """Every bit flipped: `~input`. For bools this is the logical not.

    Examples:
        >>> print(~Tensor([0, 5]))
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
def nan_to_num(input, nan=0.0, posinf=None, neginf=None):
    """nan and infinities replaced: by `nan`, `posinf` and `neginf` (default: the largest and lowest finite numbers).

    Examples:
        >>> print(ops.nan_to_num(Tensor([float("nan"), 1.0])))
        [0. 1.]
    """
    return apply(K.nan_to_num, (input, nan, posinf, neginf))
