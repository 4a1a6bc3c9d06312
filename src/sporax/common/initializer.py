"""Initial values of parameters.

An initializer fills a NumPy array in place. Random ones draw from NumPy's global generator, which `set_seed` seeds, so networks built twice
after the same seed are equal.
"""

import math

import numpy as np

from sporax._core.dtype import float32, to_jax_dtype
from sporax._core.tensor import Tensor

_GAINS = {"linear": 1.0, "sigmoid": 1.0, "conv1d": 1.0, "conv2d": 1.0, "conv3d": 1.0, "tanh": 5.0 / 3, "relu": math.sqrt(2.0), "selu": 0.75}


def fans(shape):
    """(fan_in, fan_out) of a weight: inputs and outputs of one unit.

    Raises:
        ValueError: the shape has no axes.
    """
    if not shape:
        raise ValueError("Fan in and fan out need a shape with at least one axis, but got ().")
    if len(shape) == 1:
        return shape[0], shape[0]
    field = math.prod(shape[2:])
    return shape[1] * field, shape[0] * field


def gain_of(nonlinearity, slope: float = 0):
    """The factor by which a nonlinearity shrinks values (He et al., 2015; for leaky_relu sqrt(2 / (1 + slope**2)))."""
    if nonlinearity == "leaky_relu":
        if isinstance(slope, bool) or not isinstance(slope, int | float):
            raise ValueError(f"For 'HeUniform/HeNormal', 'negative_slope' should be a number, but got {slope!r}.")
        return math.sqrt(2.0 / (1 + slope**2))
    if nonlinearity not in _GAINS:
        raise ValueError(f"For initializers, the nonlinearity {nonlinearity!r} is not known: use one of {(*_GAINS, 'leaky_relu')}.")
    return _GAINS[nonlinearity]


class Initializer:
    """Base of all initializers; subclasses define `_initialize(arr)`, which fills an array in place.

    Args:
        **kwargs: settings, kept for messages.
    """

    def __init__(self, **kwargs):
        self._kwargs = kwargs

    def __call__(self, arr):
        """Fill a NumPy array in place."""
        self._initialize(arr)
        return arr

    def _initialize(self, arr):
        raise TypeError(f"{type(self).__name__} should define _initialize(self, arr), which fills the array.")

    def __repr__(self):
        return f"{type(self).__name__}({', '.join(f'{k}={v}' for k, v in self._kwargs.items())})"


def _positive(owner, key, value, zero=False):
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"For '{owner}', '{key}' should be a number, but got {value!r} of type {type(value).__name__}.")
    if value < 0 or (value == 0 and not zero):
        raise ValueError(f"For '{owner}', '{key}' should be positive, but got {value}.")
    return value


class Zero(Initializer):
    """Zeros."""

    def _initialize(self, arr):
        arr[...] = 0


class One(Initializer):
    """Ones."""

    def _initialize(self, arr):
        arr[...] = 1


class Constant(Initializer):
    """A constant.

    Args:
        value: a number or an array of the shape.
    """

    def __init__(self, value):
        super().__init__(value=value)
        self.value = value

    def _initialize(self, arr):
        arr[...] = self.value


class Uniform(Initializer):
    """Uniform numbers in [-scale, scale).

    Args:
        scale: default 0.07.
    """

    def __init__(self, scale=0.07):
        super().__init__(scale=scale)
        self.scale = scale

    def _initialize(self, arr):
        arr[...] = np.random.uniform(-self.scale, self.scale, arr.shape)


class Normal(Initializer):
    """Normal numbers.

    Args:
        sigma: standard deviation. Default: 0.01.
        mean: default 0.0.
    """

    def __init__(self, sigma=0.01, mean=0.0):
        super().__init__(sigma=sigma, mean=mean)
        self.sigma, self.mean = _positive("Normal", "sigma", sigma, zero=True), mean

    def _initialize(self, arr):
        arr[...] = np.random.normal(self.mean, self.sigma, arr.shape)


class TruncatedNormal(Initializer):
    """Normal numbers between `a` and `b` standard deviations.

    Args:
        sigma: standard deviation before truncation. Default: 0.01.
        mean: default 0.0.
        a, b: the bounds, in standard deviations. Default: -2.0, 2.0.
    """

    def __init__(self, sigma=0.01, mean=0.0, a=-2.0, b=2.0):
        super().__init__(sigma=sigma, mean=mean, a=a, b=b)
        self.sigma, self.mean, self.a, self.b = sigma, mean, a, b

    def _initialize(self, arr):
        from scipy.special import ndtr, ndtri

        # inverse of the distribution function on the part that is kept
        u = np.random.uniform(ndtr(self.a), ndtr(self.b), arr.shape)
        arr[...] = np.clip(ndtri(u), self.a, self.b) * self.sigma + self.mean


class XavierUniform(Initializer):
    """Uniform in +-gain sqrt(6 / (fan_in + fan_out)) (Glorot and Bengio, 2010).

    Args:
        gain: default 1.
    """

    def __init__(self, gain=1):
        super().__init__(gain=gain)
        self.gain = gain

    def _initialize(self, arr):
        bound = self.gain * math.sqrt(6.0 / sum(fans(arr.shape)))
        arr[...] = np.random.uniform(-bound, bound, arr.shape)


class XavierNormal(Initializer):
    """Normal with standard deviation gain sqrt(2 / (fan_in + fan_out)) (Glorot and Bengio, 2010).

    Args:
        gain: default 1.
    """

    def __init__(self, gain=1):
        super().__init__(gain=gain)
        self.gain = gain

    def _initialize(self, arr):
        arr[...] = np.random.normal(0, self.gain * math.sqrt(2.0 / sum(fans(arr.shape))), arr.shape)


class _He(Initializer):
    def __init__(self, negative_slope: float = 0, mode="fan_in", nonlinearity="leaky_relu"):
        super().__init__(negative_slope=negative_slope, mode=mode, nonlinearity=nonlinearity)
        if mode not in ("fan_in", "fan_out"):
            raise ValueError(f"For '{type(self).__name__}', 'mode' should be 'fan_in' or 'fan_out', but got {mode!r}.")
        if nonlinearity not in ("relu", "leaky_relu"):
            raise ValueError(f"For '{type(self).__name__}', 'nonlinearity' should be 'relu' or 'leaky_relu', but got {nonlinearity!r}.")
        self.gain, self.mode = gain_of(nonlinearity, negative_slope), mode

    def _std(self, arr):
        return self.gain / math.sqrt(max(fans(arr.shape)[self.mode == "fan_out"], 1))


class HeUniform(_He):
    """Uniform in +-gain sqrt(3 / fan) (He et al., 2015).

    Args:
        negative_slope: slope of leaky_relu for negative values. Default: 0.
        mode: "fan_in" or "fan_out". Default: "fan_in".
        nonlinearity: "leaky_relu" or "relu". Default: "leaky_relu".
    """

    def _initialize(self, arr):
        bound = math.sqrt(3.0) * self._std(arr)
        arr[...] = np.random.uniform(-bound, bound, arr.shape)


class HeNormal(_He):
    """Normal with standard deviation gain / sqrt(fan) (He et al., 2015); the arguments are those of `HeUniform`."""

    def _initialize(self, arr):
        arr[...] = np.random.normal(0, self._std(arr), arr.shape)


class VarianceScaling(Initializer):
    """Numbers whose variance is scale / fan.

    Args:
        scale: default 1.0.
        mode: "fan_in", "fan_out" or "fan_avg". Default: "fan_in".
        distribution: "uniform", "truncated_normal" or "untruncated_normal". Default: "truncated_normal".
    """

    def __init__(self, scale=1.0, mode="fan_in", distribution="truncated_normal"):
        super().__init__(scale=scale, mode=mode, distribution=distribution)
        if scale <= 0:
            raise ValueError(f"For 'VarianceScaling', 'scale' should be positive, but got {scale}.")
        if mode not in ("fan_in", "fan_out", "fan_avg"):
            raise ValueError(f"For 'VarianceScaling', 'mode' should be 'fan_in', 'fan_out' or 'fan_avg', but got {mode!r}.")
        if distribution not in ("uniform", "truncated_normal", "untruncated_normal"):
            raise ValueError(f"For 'VarianceScaling', the distribution {distribution!r} is not known.")
        self.scale, self.mode, self.distribution = scale, mode, distribution

    def _initialize(self, arr):
        fan_in, fan_out = fans(arr.shape)
        fan = {"fan_in": fan_in, "fan_out": fan_out, "fan_avg": (fan_in + fan_out) / 2}[self.mode]
        variance = self.scale / max(fan, 1)
        if self.distribution == "uniform":
            bound = math.sqrt(3 * variance)
            arr[...] = np.random.uniform(-bound, bound, arr.shape)
        elif self.distribution == "truncated_normal":
            # 0.8796...: the standard deviation of a normal cut at two standard deviations
            TruncatedNormal(math.sqrt(variance) / 0.87962566103423978)._initialize(arr)
        else:
            arr[...] = np.random.normal(0, math.sqrt(variance), arr.shape)


class Identity(Initializer):
    """The identity matrix.

    Raises:
        ValueError: the shape is not that of a matrix.
    """

    def _initialize(self, arr):
        if arr.ndim != 2:
            raise ValueError(f"For 'Identity', the shape should have two axes, but got {arr.shape}.")
        arr[...] = np.eye(*arr.shape)


class Dirac(Initializer):
    """Weights of a convolution that passes its input on, in `groups` groups.

    Args:
        groups: default 1.
    """

    def __init__(self, groups=1):
        super().__init__(groups=groups)
        if isinstance(groups, bool) or not isinstance(groups, int):
            raise TypeError(f"For 'Dirac', 'groups' should be an int, but got {groups!r}.")
        self.groups = groups

    def _initialize(self, arr):
        if arr.ndim not in (3, 4, 5) or arr.shape[0] % self.groups:
            raise ValueError(f"For 'Dirac', the shape should have 3 to 5 axes and a first size divisible by {self.groups}, but got {arr.shape}.")
        arr[...] = 0
        per_group = arr.shape[0] // self.groups
        middle = tuple(k // 2 for k in arr.shape[2:])
        for g in range(self.groups):
            for i in range(min(per_group, arr.shape[1])):
                arr[(g * per_group + i, i, *middle)] = 1


class Orthogonal(Initializer):
    """A (semi-)orthogonal matrix times a gain (Saxe et al., 2014).

    Args:
        gain: default 1.0.
    """

    def __init__(self, gain=1.0):
        super().__init__(gain=gain)
        if not isinstance(gain, int | float):
            raise TypeError(f"For 'Orthogonal', 'gain' should be a number, but got {gain!r}.")
        self.gain = gain

    def _initialize(self, arr):
        if arr.ndim < 2:
            raise ValueError(f"For 'Orthogonal', the shape should have at least two axes, but got {arr.shape}.")
        rows, cols = arr.shape[0], arr.size // arr.shape[0]
        q, r = np.linalg.qr(np.random.normal(size=(max(rows, cols), min(rows, cols))))
        q = q * np.sign(np.diag(r))
        arr[...] = self.gain * (q if rows >= cols else q.T).reshape(arr.shape)


class Sparse(Initializer):
    """Normal numbers with a share of zeros in each column.

    Args:
        sparsity: the share of zeros, in [0, 1].
        sigma: standard deviation. Default: 0.01.
    """

    def __init__(self, sparsity, sigma=0.01):
        super().__init__(sparsity=sparsity, sigma=sigma)
        if not 0 <= sparsity <= 1:
            raise ValueError(f"For 'Sparse', 'sparsity' should be in [0, 1], but got {sparsity}.")
        self.sparsity, self.sigma = sparsity, sigma

    def _initialize(self, arr):
        if arr.ndim != 2:
            raise ValueError(f"For 'Sparse', the shape should have two axes, but got {arr.shape}.")
        arr[...] = np.random.normal(0, self.sigma, arr.shape)
        zeros = math.ceil(self.sparsity * arr.shape[0])
        for column in range(arr.shape[1]):
            arr[np.random.permutation(arr.shape[0])[:zeros], column] = 0


_BY_NAME = {
    "zero": Zero, "zeros": Zero, "one": One, "ones": One, "constant": Constant, "uniform": Uniform, "normal": Normal, "truncatednormal":
    TruncatedNormal,
    "xavieruniform": XavierUniform, "xavier_uniform": XavierUniform, "xaviernormal": XavierNormal, "xavier_normal": XavierNormal,
    "heuniform": HeUniform, "he_uniform": HeUniform, "henormal": HeNormal, "he_normal": HeNormal, "variancescaling": VarianceScaling,
    "identity": Identity, "dirac": Dirac, "orthogonal": Orthogonal, "sparse": Sparse,
}  # fmt: skip


def initializer(init, shape=None, dtype=float32):
    """A Tensor filled by an initializer.

    Args:
        init: a name such as "normal", an `Initializer`, a number, or a Tensor (checked for the shape).
        shape: an int, tuple or list. Default: None, that of the Tensor `init`.
        dtype: default float32.

    Raises:
        ValueError: an unknown name, a negative size, or a Tensor of another shape.
        TypeError: `init` is of another kind.

    Examples:
        >>> from sporax.common.initializer import initializer
        >>> print(initializer("ones", (2,)))
        [1. 1.]
    """
    if isinstance(init, Tensor):
        if shape is not None and tuple([shape] if isinstance(shape, int) else shape) != init.shape:
            raise ValueError(f"For 'initializer', 'init' is a Tensor of shape {init.shape}, but 'shape' is {shape}.")
        return init
    if shape is None:
        raise ValueError("For 'initializer', 'shape' is needed unless 'init' is a Tensor.")
    shape = (shape,) if isinstance(shape, int) else tuple(shape)
    if any(isinstance(d, bool) or not isinstance(d, int | np.integer) or d < 0 for d in shape):
        raise ValueError(f"For 'initializer', 'shape' should hold non-negative ints, but got {shape}.")
    if isinstance(init, str):
        made = _BY_NAME.get(init.lower())
        if made is None:
            import difflib

            near = difflib.get_close_matches(init.lower(), _BY_NAME, 2)
            raise ValueError(
                f"For 'initializer', the name {init!r} is not "
                f"known.{' Did you mean ' + ' or '.join(map(repr, near)) + '?' if near else ''} Names: {', '.join(sorted(_BY_NAME))}."
            )
        try:
            init = made()
        except TypeError:
            raise ValueError(f"For 'initializer', {init!r} needs an argument: use {made.__name__}(...).") from None
    elif isinstance(init, int | float) and not isinstance(init, bool):
        init = Constant(init)
    elif not isinstance(init, Initializer):
        raise TypeError(
            f"For 'initializer', 'init' should be a name, an Initializer, a number or a Tensor, but got {init!r} of type {type(init).__name__}."
        )
    array = np.zeros(shape, np.float64 if to_jax_dtype(dtype).kind != "c" else np.complex128)
    init(array)
    return Tensor(array.astype(to_jax_dtype(dtype)))
