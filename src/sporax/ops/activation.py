"""Activation functions."""

from sporax._core import rng
from sporax._core.dispatch import apply
from sporax._core.dtype import to_jax_dtype
from sporax._kernels import activation as K
from sporax._kernels import random as R
from sporax.ops._args import axis_of, need_tensor
from sporax.ops._table import op, prim

# name, kernel, primitive, method, mint, formula, example, result
_ROWS = [
    ("relu", K.relu, "ReLU", True, ("nn.functional.relu",), "max(x, 0); the gradient at 0 is 0", "[-1.0, 2.0]", "[0. 2.]"),
    ("relu6", K.relu6, "ReLU6", False, ("nn.functional.relu6",), "min(max(x, 0), 6)", "[-1.0, 8.0]", "[0. 6.]"),
    ("selu", K.selu, "SeLU", False, ("nn.functional.selu",), "1.0507 x, or 1.7581 (exp(x) - 1) for negative x", "[0.0]", "[0.]"),
    ("silu", K.silu, "SiLU", False, ("nn.functional.silu",), "x sigmoid(x)", "[0.0]", "[0.]"),
    ("mish", K.mish, "Mish", False, ("nn.functional.mish",), "x tanh(softplus(x))", "[0.0]", "[0.]"),
    ("hardswish", K.hardswish, "HSwish", False, ("nn.functional.hardswish",), "x min(max(x + 3, 0), 6) / 6", "[1.0, 3.0]", "[0.6666667 3.       ]"),
    ("hardsigmoid", K.hardsigmoid, "HSigmoid", False, ("nn.functional.hardsigmoid",), "min(max(x / 6 + 1/2, 0), 1)", "[0.0, 4.0]", "[0.5 1. ]"),
    ("softsign", K.softsign, "Softsign", False, ("nn.functional.softsign",), "x / (1 + |x|)", "[1.0]", "[0.5]"),
    ("logsigmoid", K.logsigmoid, "LogSigmoid_", False, ("nn.functional.logsigmoid",), "log(sigmoid(x))", "[0.0]", "[-0.6931472]"),
    ("fast_gelu", K.fast_gelu, "FastGeLU", False, (), "x / (1 + exp(-1.702 |x|)) exp(0.851 (x - |x|))", "[0.0]", "[0.]"),
    ("tanhshrink", K.tanhshrink, None, False, ("nn.functional.tanhshrink",), "x - tanh(x)", "[0.0]", "[0.]"),
]  # fmt: skip


def _make(name, kernel, primitive, method, mint, formula, example, result):
    def f(input):
        return apply(kernel, (need_tensor(name, "input", input),))

    f.__name__ = f.__qualname__ = name
    f.__module__ = __name__
    f.__doc__ = f"""Elementwise {formula}.

    Args:
        input (Tensor): any shape, floating.

    Returns:
        Tensor of the same shape and dtype.

    Examples:
        >>> print(ops.{name}(Tensor({example})))
        {result}
    """
    return op(method=method, mint=mint, primitive=prim(primitive) if primitive and not primitive.endswith("_") else None)(f)


globals().update({row[0]: _make(*row) for row in _ROWS})


@op(method=True, mint=("softmax", "nn.functional.softmax"), primitive=prim("Softmax", axis=-1))
def softmax(input, axis=-1, *, dtype=None, dim=None):
    """exp(x) / sum of exp(x) along one axis.

    Examples:
        >>> print(ops.softmax(Tensor([0.0, 0.0])))
        [0.5 0.5]
    """
    return _along("softmax", K.softmax, input, axis if dim is None else dim, dtype)


@op(mint=("log_softmax", "nn.functional.log_softmax"), primitive=prim("LogSoftmax", axis=-1, rename={"axis": "axis"}))
def log_softmax(logits, axis=-1, *, dtype=None, dim=None):
    """log(softmax(x)) along one axis, without overflow.

    Examples:
        >>> print(ops.log_softmax(Tensor([0.0, 0.0])))
        [-0.6931472 -0.6931472]
    """
    return _along("log_softmax", K.log_softmax, logits, axis if dim is None else dim, dtype)


def _along(name, kernel, x, axis, dtype):
    need_tensor(name, "input", x)
    if dtype is not None:
        x = x.astype(dtype)
    elif not x.dtype.is_floating_point:
        raise TypeError(f"For '{name}', the input should be floating, but got {x.dtype}: convert it with x.astype(mindspore.float32).")
    axis = axis[0] if isinstance(axis, tuple) and len(axis) == 1 else axis
    return apply(kernel, (x,), axis=axis_of(name, axis, x.ndim))


@op()
def softmin(x, axis=-1, *, dtype=None):
    """softmax(-x) along one axis."""
    return softmax(-x, axis, dtype=dtype)


@op(mint="nn.functional.leaky_relu")
def leaky_relu(input, alpha=0.2):
    """x, or alpha x for negative x.

    Examples:
        >>> print(ops.leaky_relu(Tensor([-1.0, 2.0]), 0.1))
        [-0.1  2. ]
    """
    return apply(K.leaky_relu, (need_tensor("leaky_relu", "input", input), alpha))


@op(mint="nn.functional.elu", primitive=prim("Elu", alpha=1.0))
def elu(input_x, alpha=1.0):
    """x, or alpha (exp(x) - 1) for negative x."""
    return apply(K.elu, (need_tensor("elu", "input_x", input_x), alpha))


@op()
def celu(x, alpha=1.0):
    """max(x, 0) + min(alpha (exp(x / alpha) - 1), 0)."""
    if alpha == 0:
        raise ValueError("For 'celu', 'alpha' should not be 0.")
    return apply(K.celu, (need_tensor("celu", "x", x), alpha))


@op(mint="nn.functional.gelu", primitive=prim("GeLU", call=lambda self, x: gelu(x, "tanh")))
def gelu(input, approximate="none"):
    """x times the normal distribution function of x: exact ("none") or by a tanh formula ("tanh").

    Examples:
        >>> print(ops.gelu(Tensor([0.0])))
        [0.]
    """
    if approximate not in ("none", "tanh"):
        raise ValueError(f"For 'gelu', 'approximate' should be 'none' or 'tanh', but got {approximate!r}.")
    return apply(K.gelu, (need_tensor("gelu", "input", input),), approximate=approximate == "tanh")


@op(mint="nn.functional.hardtanh")
def hardtanh(input, min_val=-1.0, max_val=1.0):
    """x clipped to [min_val, max_val]."""
    return apply(K.hardtanh, (need_tensor("hardtanh", "input", input), min_val, max_val))


@op(mint="nn.functional.softplus", primitive=prim("Softplus"))
def softplus(input, beta=1, threshold=20):
    """log(1 + exp(beta x)) / beta; x where beta x is above `threshold`."""
    return apply(K.softplus, (need_tensor("softplus", "input", input), beta, threshold))


@op(mint="nn.functional.prelu", primitive=prim("PReLU"))
def prelu(input, weight):
    """x, or weight x for negative x, with one weight or one for each channel (axis 1)."""
    if weight.ndim > 1 or (weight.size > 1 and input.ndim > 1 and weight.size != input.shape[1]):
        raise ValueError(
            f"For 'prelu', 'weight' should be 1-d with 1 or as many elements as channels, but got {weight.shape} for an input of {input.shape}."
        )
    return apply(K.prelu, (input, weight))


@op()
def rrelu(input, lower=1.0 / 8, upper=1.0 / 3):
    """x, or s x for negative x with s drawn from [lower, upper)."""
    slopes = apply(R.uniform, (rng.next_key(), lower, upper), shape=input.shape, dtype=to_jax_dtype(input.dtype))
    return apply(K.rrelu, (input, slopes))


@op(mint="nn.functional.glu")
def glu(x, axis=-1):
    """The first half along an axis times the sigmoid of the second."""
    axis = axis_of("glu", axis, x.ndim)
    if x.shape[axis] % 2:
        raise ValueError(f"For 'glu', axis {axis} should have even size, but the shape is {x.shape}.")
    return apply(K.glu, (x,), axis=axis)


@op(mint="nn.functional.softshrink", aliases=("softshrink",), primitive=prim("SoftShrink", lambd=0.5))
def soft_shrink(input, lambd=0.5):
    """x moved towards 0 by `lambd`, stopping at 0."""
    return apply(K.soft_shrink, (input, lambd))


@op(mint="nn.functional.hardshrink", primitive=prim("HShrink", lambd=0.5))
def hardshrink(input, lambd=0.5):
    """x, or 0 where |x| <= lambd."""
    return apply(K.hard_shrink, (input, lambd))


@op(mint="nn.functional.threshold")
def threshold(input, thr, value):
    """x, or `value` where x <= thr."""
    return apply(K.threshold, (input, thr, value))


def _dropout_primitive(self, x):
    return apply(R.dropout, (x, rng.next_key(), 1.0 - self.keep_prob))


@op(mint="nn.functional.dropout", primitive=prim("Dropout", keep_prob=0.5, Seed0=0, Seed1=0, call=_dropout_primitive))
def dropout(input, p=0.5, training=True, seed=None):
    """In training: each element is 0 with probability `p`, else x / (1 - p). Otherwise the input.

    Raises:
        ValueError: `p` is not in [0, 1].

    Examples:
        >>> print(ops.dropout(Tensor([1.0, 2.0]), 0.5, training=False))
        [1. 2.]
    """
    return _dropped("dropout", input, p, training, None, seed)


def _dropped(name, x, p, training, axes, seed=None):
    need_tensor(name, "input", x)
    if not 0 <= p <= 1:
        raise ValueError(f"For '{name}', 'p' should be in [0, 1], but got {p}.")
    if not training or p == 0:
        return x
    from sporax.ops.random import key_for

    return apply(R.dropout, (x, key_for(seed), float(p)), axes=axes)[0]


def _dropout_nd(n):
    def f(input, p=0.5, training=True):
        if input.ndim < n + 1:
            raise ValueError(f"For 'dropout{n}d', the input should have at least {n + 1} axes, but got shape {input.shape}.")
        return _dropped(f"dropout{n}d", input, p, training, tuple(range(input.ndim - n)))

    f.__name__ = f.__qualname__ = f"dropout{n}d"
    f.__module__, f.__doc__ = __name__, f"`dropout` of whole channels of (N, C, {'DHW'[3 - n :]})."
    return op()(f)


dropout1d, dropout2d, dropout3d = _dropout_nd(1), _dropout_nd(2), _dropout_nd(3)
