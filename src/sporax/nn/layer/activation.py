"""Activation layers."""

from sporax import ops
from sporax._core.dtype import float32
from sporax._core.tensor import Tensor
from sporax.nn.cell import Cell
from sporax.nn.layer._make import parameter, positive_int


def _simple(name, function, settings=(), doc=""):
    """A layer that calls a function with its settings: pairs (name, default)."""
    keys = tuple(k for k, _ in settings)

    def __init__(self, *args, **kwargs):
        Cell.__init__(self)
        values = dict(settings)
        for k, v in zip(keys, args):
            values[k] = v
        extra = set(kwargs) - set(keys)
        if extra or len(args) > len(keys):
            raise TypeError(f"{name}({', '.join(keys)}) got unexpected arguments {sorted(extra) or args[len(keys) :]}.")
        values.update(kwargs)
        for k, v in values.items():
            setattr(self, k, v)

    def construct(self, x):
        return function(x, *[getattr(self, k) for k in keys])

    import inspect

    signature = inspect.Signature([inspect.Parameter(k, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=d) for k, d in settings])
    body = {"__init__": __init__, "construct": construct, "__doc__": doc, "__module__": __name__, "__signature__": signature}
    return type(name, (Cell,), body)


ReLU = _simple("ReLU", ops.relu, doc="Elementwise max(x, 0).")
ReLU6 = _simple("ReLU6", ops.relu6, doc="Elementwise min(max(x, 0), 6).")
Sigmoid = _simple("Sigmoid", ops.sigmoid, doc="Elementwise 1 / (1 + exp(-x)).")
Tanh = _simple("Tanh", ops.tanh, doc="Elementwise hyperbolic tangent.")
SiLU = _simple("SiLU", ops.silu, doc="Elementwise x sigmoid(x).")
Mish = _simple("Mish", ops.mish, doc="Elementwise x tanh(softplus(x)).")
SeLU = _simple("SeLU", ops.selu, doc="Self-normalizing exponential unit (Klambauer et al., 2017).")
HSwish = _simple("HSwish", ops.hardswish, doc="Elementwise x min(max(x + 3, 0), 6) / 6.")
HSigmoid = _simple("HSigmoid", ops.hardsigmoid, doc="Elementwise min(max(x / 6 + 1/2, 0), 1).")
FastGelu = _simple("FastGelu", ops.fast_gelu, doc="A fast approximation of GELU.")
Softsign = _simple("Softsign", ops.softsign, doc="Elementwise x / (1 + |x|).")
LogSigmoid = _simple("LogSigmoid", ops.logsigmoid, doc="Elementwise log(sigmoid(x)).")
Tanhshrink = _simple("Tanhshrink", ops.tanhshrink, doc="Elementwise x - tanh(x).")
LeakyReLU = _simple("LeakyReLU", ops.leaky_relu, (("alpha", 0.2),), "x, or alpha x for negative x.")
ELU = _simple("ELU", ops.elu, (("alpha", 1.0),), "x, or alpha (exp(x) - 1) for negative x (Clevert et al., 2016).")
CELU = _simple("CELU", ops.celu, (("alpha", 1.0),), "max(x, 0) + min(alpha (exp(x / alpha) - 1), 0).")
SoftShrink = _simple("SoftShrink", ops.soft_shrink, (("lambd", 0.5),), "x moved towards 0 by `lambd`, stopping at 0.")
HShrink = _simple("HShrink", ops.hardshrink, (("lambd", 0.5),), "x, or 0 where |x| <= lambd.")
Hardtanh = _simple("Hardtanh", ops.hardtanh, (("min_val", -1.0), ("max_val", 1.0)), "x clipped to [min_val, max_val].")
Softmax = _simple("Softmax", ops.softmax, (("axis", -1),), "exp(x) / sum of exp(x) along one axis.")
Softmin = _simple("Softmin", ops.softmin, (("axis", -1),), "softmax(-x) along one axis.")
LogSoftmax = _simple("LogSoftmax", ops.log_softmax, (("axis", -1),), "log(softmax(x)) along one axis.")
GLU = _simple("GLU", ops.glu, (("axis", -1),), "The first half along an axis times the sigmoid of the second.")


class GELU(Cell):
    """x times the normal distribution function of x.

    Args:
        approximate: by a tanh formula (True) or exactly (False). Default: True.

    Examples:
        >>> print(nn.GELU()(Tensor([0.0])))
        [0.]
    """

    def __init__(self, approximate=True):
        super().__init__()
        if not isinstance(approximate, bool):
            raise TypeError(f"For 'GELU', 'approximate' should be a bool, but got {approximate!r}.")
        self.approximate = approximate

    def construct(self, x):
        return ops.gelu(x, "tanh" if self.approximate else "none")


class Softmax2d(Cell):
    """softmax over the channels of (N, C, H, W) or (C, H, W)."""

    def __init__(self):
        super().__init__()

    def construct(self, x):
        if x.ndim not in (3, 4):
            raise ValueError(f"For 'Softmax2d', the input should have 3 or 4 axes, but got shape {x.shape}.")
        return ops.softmax(x, -3)


class PReLU(Cell):
    """x, or a x for negative x, with learned slopes `a` (He et al., 2015).

    Args:
        channel: number of slopes: 1, or one for each channel. Default: 1.
        w: their initial value, a number or a Tensor. Default: 0.25.
    """

    def __init__(self, channel=1, w=0.25):
        super().__init__()
        positive_int("PReLU", "channel", channel)
        if isinstance(w, int | float):
            w = float(w)
        elif not isinstance(w, Tensor):
            raise TypeError(f"For 'PReLU', 'w' should be a number or a Tensor, but got {w!r}.")
        self.a = parameter(w, (channel,), "a", float32)

    def construct(self, x):
        return ops.prelu(x, self.a)


class RReLU(Cell):
    """x, or s x for negative x: in training s is drawn from [lower, upper), otherwise it is their mean.

    Args:
        lower, upper: default 1/8 and 1/3.
    """

    def __init__(self, lower=1.0 / 8, upper=1.0 / 3):
        super().__init__()
        if lower > upper:
            raise ValueError(f"For 'RReLU', 'lower' should not be above 'upper', but got {lower} and {upper}.")
        self.lower, self.upper = lower, upper

    def construct(self, x):
        return ops.rrelu(x, self.lower, self.upper) if self.training else ops.leaky_relu(x, (self.lower + self.upper) / 2)


class Threshold(Cell):
    """x, or `value` where x <= threshold."""

    def __init__(self, threshold, value):
        super().__init__()
        self.threshold, self.value = threshold, value

    def construct(self, x):
        return ops.threshold(x, self.threshold, self.value)


_BY_NAME = {
    "softmax": Softmax, "logsoftmax": LogSoftmax, "relu": ReLU, "relu6": ReLU6, "tanh": Tanh, "gelu": GELU, "fast_gelu": FastGelu, "elu": ELU,
    "sigmoid": Sigmoid, "prelu": PReLU, "leakyrelu": LeakyReLU, "hswish": HSwish, "hsigmoid": HSigmoid, "logsigmoid": LogSigmoid,
    "softshrink": SoftShrink, "silu": SiLU, "selu": SeLU, "celu": CELU, "mish": Mish, "hshrink": HShrink, "softsign": Softsign,
}  # fmt: skip


def get_activation(name, prim_name=None):
    """The activation layer of a name; None for None.

    Raises:
        KeyError: the name is not known.

    Examples:
        >>> nn.get_activation("relu")
        ReLU()
    """
    if not name:
        return None
    if name not in _BY_NAME:
        raise KeyError(f"For '{prim_name or 'get_activation'}', the activation {name!r} is not known: use one of {sorted(_BY_NAME)}.")
    return _BY_NAME[name]()
