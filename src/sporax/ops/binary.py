"""Elementwise functions of two tensors, or of a tensor and a number, with broadcasting and MindSpore's type promotion."""

from sporax._core.dispatch import apply
from sporax._core.tensor import Tensor
from sporax._kernels import math as K
from sporax._kernels import special as S
from sporax.ops._args import axis_of
from sporax.ops._table import method, op, prim

_COMPARABLE = (Tensor, bool, int, float, complex)
_PROMOTED = "the promoted dtype of the inputs"


def operand(x):
    """An operand as a tensor or number: sequences become tensors."""
    return Tensor(x) if isinstance(x, tuple | list) else x


# name, kernel, primitives, aliases, method names, reflected operator, what, dtype, example inputs, result
_ROWS = [
    ("mul", K.mul, ("Mul",), ("multiply", "tensor_mul"), ("__mul__", "multiply"), "__rmul__", "input * other", _PROMOTED, "[3.0], [2.0]", "[6.]"),
    ("floor_div", K.floor_divide, ("FloorDiv",), ("tensor_floordiv",), (), None, "the floor of x / y", _PROMOTED, "[7.0], [2.0]", "[3.]"),
    ("floor_mod", K.remainder, ("FloorMod",), ("tensor_mod",), (), None, "x modulo y, with the sign of y", _PROMOTED, "[-7.0], [3.0]", "[2.]"),
    ("truncate_div", K.trunc_div, ("TruncateDiv",), (), (), None, "the integer part of x / y", _PROMOTED, "[-7.0], [2.0]", "[-3.]"),
    ("truncate_mod", K.fmod, ("TruncateMod", "Mod"), (), (), None, "x modulo y, with the sign of x", _PROMOTED, "[-7.0], [3.0]", "[-1.]"),
    ("div_no_nan", S.div_no_nan, ("DivNoNan",), (), (), None, "x / y, 0 where y is 0", _PROMOTED, "[7.0], [0.0]", "[0.]"),
    ("copysign", S.copysign, (), (), (), None, "x with the sign of other", "floating", "[3.0], [-2.0]", "[-3.]"),
    ("heaviside", S.heaviside, ("Heaviside",), (), (), None, "0 for negative input, 1 for positive, `values` for 0", _PROMOTED, "[-3.0], [5.0]", "[0.]"),
    ("gcd", S.gcd, ("Gcd",), (), (), None, "the greatest common divisor", _PROMOTED, "[12], [8]", "[4]"),
    ("lcm", S.lcm, ("Lcm",), (), (), None, "the least common multiple", _PROMOTED, "[4], [6]", "[12]"),
    ("ldexp", S.ldexp, (), (), (), None, "x 2**other", "floating", "[3.0], [2.0]", "[12.]"),
    ("logaddexp2", S.logaddexp2, (), (), (), None, "log2(2**input + 2**other)", "floating", "[0.0], [0.0]", "[1.]"),
    ("fmax", S.fmax, ("Fmax",), (), (), None, "the larger of the two; the other one where one is nan", _PROMOTED, "[1.0], [2.0]", "[2.]"),
    ("fmin", S.fmin, ("Fmin",), (), (), None, "the smaller of the two; the other one where one is nan", _PROMOTED, "[1.0], [2.0]", "[1.]"),
    ("nextafter", S.nextafter, ("NextAfter",), (), (), None, "the next floating number after input towards other", "floating", "[0.0], [0.0]", "[0.]"),
    ("igamma", S.igamma, ("Igamma",), (), (), None, "the regularized lower incomplete gamma function P(input, other)", "floating", "[1.0], [0.0]", "[0.]"),
    ("igammac", S.igammac, ("Igammac",), (), (), None, "the regularized upper incomplete gamma function Q(input, other)", "floating", "[1.0], [0.0]", "[1.]"),
    ("zeta", S.zeta, ("Zeta",), (), (), None, "the Hurwitz zeta function", "floating", "[2.0], [1.0]", "[1.644934]"),
    ("floor_divide", K.floor_divide, (), (), ("__floordiv__",), "__rfloordiv__", "the floor of input / other", _PROMOTED, "[7.0], [2.0]", "[3.]"),
    ("remainder", K.remainder, (), (), ("__mod__",), "__rmod__", "input modulo other, with the sign of other", _PROMOTED, "[-7.0], [3.0]", "[2.]"),
    ("fmod", K.fmod, (), (), (), None, "input modulo other, with the sign of input", _PROMOTED, "[-7.0], [3.0]", "[-1.]"),
    ("pow", K.power, ("Pow",), ("tensor_pow",), ("__pow__",), "__rpow__", "input to the power of other", _PROMOTED, "[2.0], [3.0]", "[8.]"),
    ("maximum", K.maximum, ("Maximum",), (), (), None, "the larger of the two; nan if either is", _PROMOTED, "[1.0], [2.0]", "[2.]"),
    ("minimum", K.minimum, ("Minimum",), (), (), None, "the smaller of the two; nan if either is", _PROMOTED, "[1.0], [2.0]", "[1.]"),
    ("atan2", K.atan2, ("Atan2",), ("arctan2",), ("arctan2",), None, "the angle of the point (other, input)", "floating", "[0.0], [1.0]", "[0.]"),
    ("hypot", K.hypot, ("Hypot",), (), (), None, "sqrt(input**2 + other**2)", "floating", "[3.0], [4.0]", "[5.]"),
    ("logaddexp", K.logaddexp, (), (), (), None, "log(exp(input) + exp(other))", "floating", "[0.0], [0.0]", "[0.6931472]"),
    ("xlogy", K.xlogy, ("Xlogy",), (), (), None, "input * log(other), 0 where input is 0", "floating", "[0.0], [0.0]", "[0.]"),
    ("xdivy", K.xdivy, ("Xdivy",), (), (), None, "input / other, 0 where input is 0", "floating", "[0.0], [0.0]", "[0.]"),
    ("less", K.less, ("Less",), ("lt", "tensor_lt"), ("__lt__", "lt"), None, "whether input < other", "bool", "[1.0], [2.0]", "[ True]"),
    ("less_equal", K.less_equal, ("LessEqual",), ("le", "tensor_le"), ("__le__", "le"), None, "whether input <= other", "bool", "[1.0], [1.0]", "[ True]"),
    ("greater", K.greater, ("Greater",), ("gt", "tensor_gt"), ("__gt__", "gt"), None, "whether input > other", "bool", "[1.0], [2.0]", "[False]"),
    ("greater_equal", K.greater_equal, ("GreaterEqual",), ("ge", "tensor_ge"), ("__ge__", "ge"), None, "whether input >= other", "bool", "[1.0], [2.0]", "[False]"),
    ("logical_and", K.logical_and, ("LogicalAnd",), (), (), None, "whether both are not zero", "bool", "[1.0], [0.0]", "[False]"),
    ("logical_or", K.logical_or, ("LogicalOr",), (), (), None, "whether either is not zero", "bool", "[1.0], [0.0]", "[ True]"),
    ("logical_xor", K.logical_xor, ("LogicalXor",), (), (), None, "whether exactly one is not zero", "bool", "[1.0], [0.0]", "[ True]"),
    ("bitwise_and", K.bitwise_and, ("BitwiseAnd",), (), ("__and__",), "__rand__", "the bits that are set in both", "integers or bool", "[6], [3]", "[2]"),
    ("bitwise_or", K.bitwise_or, ("BitwiseOr",), (), ("__or__",), "__ror__", "the bits that are set in either", "integers or bool", "[6], [3]", "[7]"),
    ("bitwise_xor", K.bitwise_xor, ("BitwiseXor",), (), ("__xor__",), "__rxor__", "the bits that are set in one", "integers or bool", "[6], [3]", "[5]"),
    ("bitwise_left_shift", K.left_shift, ("LeftShift",), (), ("__lshift__",), "__rlshift__", "input shifted left by other bits", "integers", "[3], [1]", "[6]"),
    ("bitwise_right_shift", K.right_shift, ("RightShift",), (), ("__rshift__",), "__rrshift__", "input shifted right by other bits", "integers", "[6], [1]", "[3]"),
]  # fmt: skip


def _with_names(name, kernel):
    """The function, and what MindSpore calls its arguments."""
    if name in ("pow", "float_power"):

        def power(input, exponent):
            return apply(kernel, (operand(input), operand(exponent)))

        return power, "input", "exponent"
    if name in ("floor_div", "floor_mod", "truncate_div", "truncate_mod", "div_no_nan", "xdivy"):

        def of_x_and_y(x, y):
            return apply(kernel, (operand(x), operand(y)))

        return of_x_and_y, "x", "y"
    if name in ("copysign", "ldexp"):

        def of_x(x, other):
            return apply(kernel, (operand(x), operand(other)))

        return of_x, "x", "other"
    if name == "heaviside":

        def with_values(input, values):
            return apply(kernel, (operand(input), operand(values)))

        return with_values, "input", "values"

    def f(input, other):
        return apply(kernel, (operand(input), operand(other)))

    return f, "input", "other"


def _make(name, kernel, primitives, aliases, methods, reflected, what, dtype, example, result):
    f, first, second = _with_names(name, kernel)
    a, b = (f"Tensor({x}])" for x in (example.split("], ")[0], example.split("], ")[1][:-1]))
    f.__name__ = f.__qualname__ = name
    f.__module__ = __name__
    f.__doc__ = f"""Elementwise: {what}.

    Args:
        {first} (Tensor, number): first operand.
        {second} (Tensor, number): second operand; its shape broadcasts with that of `{first}`.

    Returns:
        Tensor of the broadcast shape; dtype: {dtype}.

    Raises:
        ValueError: the shapes do not broadcast.
        TypeError: an operand is not a Tensor or number, or MindSpore does not mix the dtypes.

    Examples:
        >>> print(ops.{name}({a}, {b}))
        {result}
    """
    op(aliases=aliases, method=(name, *methods), mint=(name, *aliases), primitive=tuple(map(prim, primitives)) or None)(f)
    if reflected:
        install_reflected(reflected, f)
    return f


def install_reflected(name, f):
    """`other <operator> tensor`."""

    def r(self, other):
        return f(other, self)

    r.__name__ = name
    r.__doc__ = f"Reflected {f.__name__}."
    setattr(Tensor, name, r)


globals().update({row[0]: _make(*row) for row in _ROWS})
maximum, minimum = globals()["maximum"], globals()["minimum"]


@op(method=True, mint=True)
def float_power(input, exponent):
    """input to the power of exponent, computed in float64.

    Examples:
        >>> print(ops.float_power(Tensor([2, 3]), 2))
        [4. 9.]
    """
    wide = [x.astype("float64") if isinstance(x, Tensor) and not x.is_complex() else operand(x) for x in (input, exponent)]
    return apply(K.power, tuple(wide))


@op(primitive=prim("ApproximateEqual", tolerance=1e-05))
def approximate_equal(x, y, tolerance=1e-05):
    """Elementwise whether |x - y| < tolerance."""
    return apply(S.approximate_equal, (x, y, tolerance))


@op(method=("add", "__add__"), mint=True, primitive=(prim("Add"), prim("TensorAdd")), aliases=("tensor_add",))
def add(input, other, *, alpha=1):
    """input + alpha * other, with broadcasting and type promotion.

    Raises:
        ValueError: the shapes do not broadcast.
        TypeError: an operand is not a Tensor or number, or MindSpore does not mix the dtypes.

    Examples:
        >>> print(ops.add(Tensor([1.0, 2.0]), 0.5))
        [1.5 2.5]
    """
    if alpha != 1:
        return apply(K.scaled_add, (operand(input), operand(other), alpha))
    return apply(K.add, (operand(input), operand(other)))


install_reflected("__radd__", add)


@op(method=("sub", "subtract", "__sub__"), mint=("sub", "subtract"), primitive=prim("Sub"), aliases=("subtract", "tensor_sub"))
def sub(input, other, *, alpha=1):
    """input - alpha * other, with broadcasting and type promotion.

    Raises:
        ValueError: the shapes do not broadcast.
        TypeError: an operand is not a Tensor or number, or MindSpore does not mix the dtypes.

    Examples:
        >>> print(ops.sub(Tensor([1.0, 2.0]), 0.5))
        [0.5 1.5]
    """
    if alpha != 1:
        return apply(K.scaled_add, (operand(input), operand(other), -alpha))
    return apply(K.sub, (operand(input), operand(other)))


install_reflected("__rsub__", sub)


@op(
    method=("div", "divide", "true_divide", "__truediv__"),
    mint=("div", "divide", "true_divide"),
    aliases=("divide", "true_divide", "tensor_div"),
    primitive=(prim("Div"), prim("RealDiv", call=lambda self, x, y: apply(K.real_div, (operand(x), operand(y))))),
)
def div(input, other, *, rounding_mode=None):
    """input / other; integers give float32.

    Args:
        rounding_mode: None, "floor" (towards minus infinity) or "trunc" (towards zero). Default: None.

    Raises:
        ValueError: another `rounding_mode`.

    Examples:
        >>> print(Tensor([3, 4]) / 2)
        [1.5 2. ]
    """
    if rounding_mode is None:
        return apply(K.div, (operand(input), operand(other)))
    if rounding_mode not in ("floor", "trunc"):
        raise ValueError(f"For 'div', 'rounding_mode' should be None, 'floor' or 'trunc', but got {rounding_mode!r}.")
    return apply(K.floor_divide if rounding_mode == "floor" else K.trunc_div, (operand(input), operand(other)))


install_reflected("__rtruediv__", div)


@op(method=("equal", "eq"), mint=("equal", "eq"), aliases=("eq",), primitive=prim("Equal"))
def equal(input, other):
    """Elementwise whether input == other.

    Examples:
        >>> print(ops.equal(Tensor([1, 2]), 2))
        [False  True]
    """
    return apply(K.equal, (operand(input), operand(other)))


@op(method=("not_equal", "ne"), mint=("not_equal", "ne"), aliases=("ne",), primitive=prim("NotEqual"))
def not_equal(input, other):
    """Elementwise whether input != other.

    Examples:
        >>> print(ops.not_equal(Tensor([1, 2]), 2))
        [ True False]
    """
    return apply(K.not_equal, (operand(input), operand(other)))


def _eq(self, other):
    return equal(self, other) if isinstance(other, _COMPARABLE) else self is other


def _ne(self, other):
    return not_equal(self, other) if isinstance(other, _COMPARABLE) else self is not other


Tensor.__eq__, Tensor.__ne__ = _eq, _ne
Tensor.__pos__ = lambda self: self


@op(method=True, mint=True)
def isclose(input, other, rtol=1e-05, atol=1e-08, equal_nan=False):
    """Elementwise whether |input - other| <= atol + rtol |other|.

    Args:
        rtol: relative tolerance. Default: 1e-5.
        atol: absolute tolerance. Default: 1e-8.
        equal_nan: whether two nans are close. Default: False.

    Examples:
        >>> print(ops.isclose(Tensor([1.0, 1.1]), Tensor([1.0, 1.0])))
        [ True False]
    """
    return apply(K.isclose, (input, other, rtol, atol), equal_nan=equal_nan)


@op(method=True, mint=True, primitive=prim("Lerp"))
def lerp(input, end, weight):
    """input + weight (end - input).

    Examples:
        >>> print(ops.lerp(Tensor([0.0]), Tensor([10.0]), 0.3))
        [3.]
    """
    return apply(K.lerp, (input, end, weight))


@op(method=True, mint=True, primitive=prim("Addcmul"))
def addcmul(input, tensor1, tensor2, value=1):
    """input + value tensor1 tensor2.

    Examples:
        >>> print(ops.addcmul(Tensor([1.0]), Tensor([2.0]), Tensor([3.0]), 0.5))
        [4.]
    """
    return apply(K.addcmul, (input, tensor1, tensor2, value))


@op(method=True, mint=True, primitive=prim("Addcdiv"))
def addcdiv(input, tensor1, tensor2, value=1):
    """input + value tensor1 / tensor2.

    Examples:
        >>> print(ops.addcdiv(Tensor([1.0]), Tensor([4.0]), Tensor([2.0]), 0.5))
        [2.]
    """
    return apply(K.addcdiv, (input, tensor1, tensor2, value))


@op(primitive=prim("SquaredDifference"))
def squared_difference(x, y):
    """(x - y)**2, with broadcasting.

    Examples:
        >>> print(ops.squared_difference(Tensor([1.0]), Tensor([4.0])))
        [9.]
    """
    return apply(K.squared_difference, (x, y))


@op(method=("clamp", "clip"), mint=("clamp", "clip"), aliases=("clip",))
def clamp(input, min=None, max=None):
    """Elements below `min` become `min`, those above `max` become `max`. Bounds are numbers, Tensors or None; at least one is given.

    Raises:
        ValueError: both bounds are None.

    Examples:
        >>> print(ops.clamp(Tensor([-1.0, 0.5, 3.0]), 0.0, 1.0))
        [0.  0.5 1. ]
    """
    if min is None and max is None:
        raise ValueError("For 'clamp', 'min' and 'max' should not both be None.")
    if isinstance(input, tuple | list):
        return type(input)(clamp(x, min, max) for x in input)
    return apply(K.clip, (input, min, max))


@op()
def clip_by_value(x, clip_value_min=None, clip_value_max=None):
    """Elements below `clip_value_min` become that, those above `clip_value_max` become that; at a bound, `x` gets half of the gradient.

    Args:
        x: a Tensor, or a tuple or list of Tensors (the result is then a tuple).

    Raises:
        ValueError: both bounds are None.

    Examples:
        >>> print(ops.clip_by_value(Tensor([-1.0, 3.0]), 0.0, 1.0))
        [0. 1.]
    """
    if clip_value_min is None and clip_value_max is None:
        raise ValueError("For 'clip_by_value', 'clip_value_min' and 'clip_value_max' should not both be None.")
    if isinstance(x, tuple | list):
        return tuple(clip_by_value(t, clip_value_min, clip_value_max) for t in x)
    if clip_value_max is not None:
        x = minimum(x, clip_value_max)
    return x if clip_value_min is None else maximum(x, clip_value_min)


@op(method=False, mint=True, primitive=prim("Select"))
def select(condition, input, other):
    """Elements of `input` where `condition` holds, else of `other`.

    Examples:
        >>> print(ops.select(Tensor([True, False]), Tensor([1.0, 2.0]), Tensor([3.0, 4.0])))
        [1. 4.]
    """
    return apply(K.where, (condition, input, other))


@op(mint=True)
def where(condition, input=None, other=None):
    """Elements of `input` where `condition` holds, else of `other`, with broadcasting. With `condition` alone: the indices of its non-zero elements.

    Examples:
        >>> print(ops.where(Tensor([True, False]), 1.0, Tensor([3.0, 4.0])))
        [1. 4.]
    """
    if input is None and other is None:
        from sporax.ops.selection import nonzero

        return nonzero(condition, as_tuple=True)
    return apply(K.where, (condition, input, other))


@method("where")
def _where_method(self, condition, y):
    """The tensor's elements where `condition` holds, else those of `y`."""
    return where(condition, self, y)


@method("select")
def _select_method(self, *args, **kwargs):
    """`x.select(condition, y)`: elements where `condition` holds, else of `y`; `x.select(dim, index)`: the slice at an index of an axis."""
    names = ("dim", "index") if "dim" in kwargs or (args and isinstance(args[0], int) and not isinstance(args[0], bool)) else ("condition", "y")
    given = dict(zip(names, args)) | kwargs
    if set(given) != set(names) or len(args) > 2:
        raise TypeError(f"For 'Tensor.select', (condition, y) or (dim, index) are needed, but got {args} and {tuple(kwargs)}.")
    if "dim" in given:
        return self[(slice(None),) * axis_of("select", given["dim"], self.ndim) + (given["index"],)]
    return where(given["condition"], self, given["y"])


@op(aliases=("add_n", "accumulate_n"), primitive=(prim("AddN"), prim("AccumulateNV2")))
def addn(x):
    """The sum of a tuple or list of Tensors of one shape.

    Examples:
        >>> print(ops.addn([Tensor([1.0]), Tensor([2.0]), Tensor([3.0])]))
        [6.]
    """
    return apply(K.add_n, tuple(x))


@op(primitive=prim("Polar"), mint=True)
def polar(abs, angle):
    """Complex numbers from magnitudes and angles.

    Examples:
        >>> print(ops.polar(Tensor([1.0]), Tensor([0.0])))
        [1.+0.j]
    """
    return apply(S.polar, (abs, angle))


@op(primitive=prim("Complex"))
def complex(real, imag):
    """Complex numbers from two Tensors of float32 or float64.

    Examples:
        >>> print(ops.complex(Tensor([1.0]), Tensor([2.0])))
        [1.+2.j]
    """
    return apply(K.to_complex, (real, imag))


@op(method=True, mint=True)
def allclose(input, other, rtol=1e-05, atol=1e-08, equal_nan=False):
    """Whether all elements are close (see `isclose`); looks at them.

    Examples:
        >>> ops.allclose(Tensor([1.0]), Tensor([1.0 + 1e-7]))
        True
    """
    return bool(isclose(input, other, rtol, atol, equal_nan).all())
