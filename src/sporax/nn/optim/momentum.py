"""Gradient descent with momentum."""

import numpy as np

from sporax._core.parameter import Parameter
from sporax._core.tensor import Tensor
from sporax._kernels import optim as K
from sporax.nn.optim.optimizer import Optimizer


class Momentum(Optimizer):
    """v = momentum v + g; p = p - lr v, or with `use_nesterov` p - lr (g + momentum v) (Sutskever et al., 2013).

    Args:
        params: Parameters or groups, see `Optimizer`.
        learning_rate: see `Optimizer`.
        momentum: a float, at least 0.
        weight_decay, loss_scale: see `Optimizer`. Default: 0.0, 1.0.
        use_nesterov: default False.

    Raises:
        TypeError: `momentum` is not a float.
        ValueError: `momentum` is negative.

    Examples:
        >>> p = ms.Parameter(Tensor([1.0]), name="p")
        >>> opt = nn.Momentum([p], 0.5, 0.9)
        >>> _ = opt((Tensor([1.0]),)), opt((Tensor([0.0]),))
        >>> round(p.value().item(), 3)
        0.05
    """

    def __init__(self, params, learning_rate, momentum, weight_decay=0.0, loss_scale=1.0, use_nesterov=False):
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        if not isinstance(momentum, float | Tensor):
            raise TypeError(f"For 'Momentum', the type of 'momentum' should be 'float', but got {momentum!r} of type '{type(momentum).__name__}'.")
        if isinstance(momentum, float) and not momentum >= 0:
            raise ValueError(f"For 'Momentum', the argument 'momentum' must be at least 0.0, but got {momentum}")
        self.use_nesterov = self._bool("use_nesterov", use_nesterov)
        self.momentum = Parameter(Tensor(np.float32(float(momentum))), name="momentum")
        self.moments = self.state_parameters("moments")

    def construct(self, gradients):
        return self.update(K.momentum, gradients, [self.moments], self.momentum, nesterov=self.use_nesterov)
