"""Loss scaling for steps that are written by hand.

Half-precision gradients below 6e-8 are zero. Multiplying the loss, and so all gradients, by a large number keeps them; dividing the gradients
again before the update gives the right ones. The scale is a Parameter: a compiled step reads and adjusts it without being compiled again.
"""

import abc

from sporax import ops
from sporax._core import dtype as mstype
from sporax._core import scope, tree
from sporax._core.parameter import Parameter
from sporax._core.tensor import Tensor


class LossScaler(abc.ABC):
    """What a training step needs of a loss scaler; subclasses decide how the scale moves.

    A step is: `scale` the loss before it is differentiated, `unscale` the gradients, update only if they are finite, `adjust` the scale.
    """

    @abc.abstractmethod
    def scale(self, inputs):
        """The inputs (a Tensor, or Tensors in tuples and lists) times the scale."""

    @abc.abstractmethod
    def unscale(self, inputs):
        """The inputs divided by the scale."""

    @abc.abstractmethod
    def adjust(self, grads_finite):
        """Move the scale after a step; `grads_finite` is a bool Tensor of shape ()."""


class StaticLossScaler(LossScaler):
    """A constant loss scale.

    Args:
        scale_value: a number of at least 1.

    Raises:
        TypeError: `scale_value` is not a number.
        ValueError: it is less than 1.

    Examples:
        >>> from sporax import amp
        >>> scaler = amp.StaticLossScaler(1024)
        >>> scaler.scale(Tensor(2.0)).item(), scaler.unscale((Tensor(512.0),))[0].item()
        (2048.0, 0.5)
    """

    def __init__(self, scale_value):
        self.scale_value = Parameter(Tensor(_scale_value(scale_value), mstype.float32), name="scale_value")

    def scale(self, inputs):
        """The inputs times the scale, in their types."""
        return tree.map_tensors(lambda t: t * self.scale_value.astype(t.dtype), inputs)

    def unscale(self, inputs):
        """The inputs divided by the scale, in their types."""
        return tree.map_tensors(lambda t: t * ops.reciprocal(self.scale_value).astype(t.dtype), inputs)

    def adjust(self, grads_finite):
        """The scale stays; returns False."""
        return False


class DynamicLossScaler(StaticLossScaler):
    """A loss scale that is as large as gradients allow: divided by a factor when they overflow, multiplied by it after some steps without.

    Args:
        scale_value: the scale at the beginning, at least 1. It never falls below 1.
        scale_factor: a positive int.
        scale_window: after how many steps without overflow the scale grows; a positive int.

    Raises:
        TypeError: an argument is of another kind.
        ValueError: it is out of range.

    Examples:
        >>> from sporax import amp
        >>> scaler = amp.DynamicLossScaler(scale_value=1024, scale_factor=2, scale_window=2)
        >>> for finite in (False, True, True):
        ...     _ = scaler.adjust(Tensor(finite))
        ...     print(scaler.scale_value.item())
        512.0
        512.0
        1024.0
    """

    def __init__(self, scale_value, scale_factor, scale_window):
        super().__init__(scale_value)
        self.scale_window, self.scale_factor = _positive("scale_window", scale_window), _positive("scale_factor", scale_factor)
        self.counter = Parameter(Tensor(0, mstype.int32), name="counter")

    def adjust(self, grads_finite):
        """Move the scale and the count of steps without overflow; returns True."""
        finite = grads_finite if isinstance(grads_finite, Tensor) else Tensor(bool(grads_finite))
        scale, counter = self.scale_value.value(), self.counter.value()
        larger = scale * self.scale_factor
        grown = ops.select((counter == self.scale_window - 1) & ops.isfinite(larger), larger, scale)
        smaller = ops.maximum(ops.ones_like(scale), scale / self.scale_factor)
        scope.assign(self.scale_value, ops.select(finite, grown, smaller))
        scope.assign(self.counter, ops.select(finite, (counter + 1) % self.scale_window, ops.zeros_like(counter)))
        return True


def init_status():
    """What older programs hand to `all_finite`: the state of hardware that doesn't compute infinities. Always zeros here."""
    return Tensor([0.0] * 8, mstype.float32)


def _scale_value(value):
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"The 'scale_value' should be a float or int, but got {value!r} of type {type(value).__name__}.")
    if not value >= 1.0:
        raise ValueError(f"The argument 'scale_value' must be at least 1, but got {value}.")
    return float(value)


def _positive(name, value):
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"The '{name}' should be an int, but got {value!r} of type {type(value).__name__}.")
    if value < 1:
        raise ValueError(f"The '{name}' should be positive, but got {value}.")
    return value
