"""Parameters and checks that layers share."""

import math

from sporax._core.parameter import Parameter
from sporax._core.tensor import Tensor
from sporax.common.initializer import HeUniform, Uniform, initializer


def positive_int(owner, key, value):
    """A checked positive int."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"For '{owner}', the '{key}' must be int, but got '{type(value).__name__}'")
    if value <= 0:
        raise ValueError(f"For '{owner}', the '{key}' must be int and must > 0, but got '{value}' with type 'int'.")
    return value


def parameter(init, shape, name, dtype, requires_grad=True):
    """A Parameter of a shape from whatever `initializer` takes."""
    if isinstance(init, Tensor) and init.shape != tuple(shape):
        raise ValueError(f"'{name}' should have shape {tuple(shape)}, but the given Tensor has {init.shape}.")
    return Parameter(initializer(init, shape, dtype), name=name, requires_grad=requires_grad)


def default_weight():
    """What Dense and convolutions start from: uniform in +-1 / sqrt(fan_in)."""
    return HeUniform(math.sqrt(5))


def default_bias(fan_in):
    """Uniform in +-1 / sqrt(fan_in)."""
    return Uniform(1 / math.sqrt(fan_in) if fan_in else 0)


def flag(owner, key, value):
    """A checked bool."""
    if not isinstance(value, bool):
        raise TypeError(f"For '{owner}', '{key}' should be a bool, but got {value!r} of type {type(value).__name__}.")
    return value


def need_input(owner, x):
    """Raise unless the input of a layer is a Tensor."""
    if not isinstance(x, Tensor):
        raise TypeError(f"For '{owner}', the input should be a Tensor, but got {type(x).__name__}: use Tensor(x, mindspore.float32).")
    return x
