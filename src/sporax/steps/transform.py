"""Gradient transforms: the links between the gradients of a step and its update.

A transform is an object with one method, `__call__(gradients, parameters)`, that returns new gradients. What it has to remember from
step to step it keeps in Parameters, which a compiled step carries along:

    class Noise(GradientTransform):
        def __init__(self, stddev):
            self.stddev = stddev

        def __call__(self, gradients, parameters):
            return tuple(g + ops.randn_like(g) * self.stddev for g in gradients)
"""

import abc

from sporax import ops
from sporax._core.tensor import Tensor


class GradientTransform(abc.ABC):
    """Base of gradient transforms."""

    @abc.abstractmethod
    def __call__(self, gradients, parameters):
        """New gradients.

        Args:
            gradients: a tuple of Tensors, unscaled, and averaged over the samples of the update.
            parameters: the Parameters they belong to, in the same order.

        Returns:
            A tuple of as many Tensors of the same shapes.
        """


def _limit(name, value):
    if isinstance(value, bool) or not isinstance(value, int | float | Tensor):
        raise TypeError(f"For '{name}', the limit should be a number, but got {value!r} of type {type(value).__name__}.")
    if not isinstance(value, Tensor) and not value > 0:
        raise ValueError(f"For '{name}', the limit should be greater than 0, but got {value}.")
    return value


class GlobalNorm(GradientTransform):
    """All gradients scaled together so that their common norm is at most `max_norm` (Pascanu et al., 2013).

    Examples:
        >>> from sporax.steps import GlobalNorm
        >>> print(GlobalNorm(1.0)((Tensor([3.0]), Tensor([4.0])), ())[1])
        [0.8]
    """

    def __init__(self, max_norm):
        self.max_norm = _limit("GlobalNorm", max_norm)

    def __call__(self, gradients, parameters):
        norm = ops.norm(tuple([g.astype("float32") for g in gradients]))
        factor = self.max_norm / ops.maximum(norm, Tensor(self.max_norm, norm.dtype))
        return tuple([g * factor.astype(g.dtype) for g in gradients])


class ByNorm(GradientTransform):
    """Each gradient scaled by itself so that its norm is at most `max_norm`.

    Examples:
        >>> from sporax.steps import ByNorm
        >>> print(ByNorm(1.0)((Tensor([3.0, 4.0]), Tensor([0.5])), ()))
        (Tensor(shape=[2], dtype=Float32, value= [ 6.00000024e-01,  8.00000012e-01]), Tensor(shape=[1], dtype=Float32, value= [ 5.00000000e-01]))
    """

    def __init__(self, max_norm):
        self.max_norm = _limit("ByNorm", max_norm)
        self._one = GlobalNorm(max_norm)

    def __call__(self, gradients, parameters):
        return tuple([self._one((g,), ())[0] for g in gradients])


class ByValue(GradientTransform):
    """Each element of each gradient clipped to [-limit, limit].

    Examples:
        >>> from sporax.steps import ByValue
        >>> print(ByValue(1.0)((Tensor([3.0, -0.5]),), ())[0])
        [ 1.  -0.5]
    """

    def __init__(self, limit):
        self.limit = _limit("ByValue", limit)

    def __call__(self, gradients, parameters):
        return tuple([ops.clip_by_value(g, -self.limit, self.limit) for g in gradients])


class L2(GradientTransform):
    """The gradient of `weight / 2` times the sum of squares of all parameters, added.

    Examples:
        >>> from sporax.steps import L2
        >>> print(L2(0.1)((Tensor([1.0]),), (Tensor([5.0]),))[0])
        [1.5]
    """

    def __init__(self, weight):
        self.weight = weight

    def __call__(self, gradients, parameters):
        return tuple([g + (p * self.weight).astype(g.dtype) for g, p in zip(gradients, parameters, strict=True)])


class L1(GradientTransform):
    """The gradient of `weight` times the sum of absolute values of all parameters, added.

    Examples:
        >>> from sporax.steps import L1
        >>> print(L1(0.5)((Tensor([1.0, 1.0]),), (Tensor([5.0, -5.0]),))[0])
        [1.5 0.5]
    """

    def __init__(self, weight):
        self.weight = weight

    def __call__(self, gradients, parameters):
        return tuple([g + (ops.sign(p) * self.weight).astype(g.dtype) for g, p in zip(gradients, parameters, strict=True)])
