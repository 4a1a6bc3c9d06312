"""Stochastic gradient descent."""

import numpy as np

from sporax._core.parameter import Parameter
from sporax._core.tensor import Tensor
from sporax._kernels import optim as K
from sporax.nn.optim.optimizer import Optimizer


class SGD(Optimizer):
    """v = momentum v + (1 - dampening) g (the first v is g); p = p - lr v, or with `nesterov` p - lr (g + momentum v) (Sutskever et al., 2013).

    Args:
        params: Parameters or groups, see `Optimizer`.
        learning_rate: see `Optimizer`. Default: 0.1.
        momentum: default 0.0.
        dampening: default 0.0.
        weight_decay: see `Optimizer`. Default: 0.0.
        nesterov: needs momentum > 0 and dampening 0. Default: False.
        loss_scale: see `Optimizer`. Default: 1.0.

    Raises:
        ValueError: a number out of range.

    Examples:
        >>> p = ms.Parameter(Tensor([1.0]), name="p")
        >>> opt = nn.SGD([p], learning_rate=0.1)
        >>> opt((Tensor([2.0]),)), p.value().tolist()
        ((True,), [0.800000011920929])
    """

    def __init__(self, params, learning_rate=0.1, momentum=0.0, dampening=0.0, weight_decay=0.0, nesterov=False, loss_scale=1.0):
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        for key, value in (("momentum", momentum), ("dampening", dampening)):
            if isinstance(value, bool) or not isinstance(value, int | float):
                raise TypeError(f"For 'SGD', the type of '{key}' should be 'float', but got {value!r}.")
            if value < 0:
                raise ValueError(f"For 'SGD', the argument '{key}' must be at least 0.0, but got {value}.")
        self._bool("nesterov", nesterov)
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ValueError(
                f"For 'SGD', if 'nesterov' is true, 'momentum' must be > 0.0 and 'dampening' must equal to 0.0, but got "
                f"'momentum' {momentum}, 'dampening' {dampening}."
            )
        self.dampening, self.nesterov, self._uses_momentum = float(dampening), nesterov, momentum > 0
        self.momentum = Parameter(Tensor(np.float32(momentum)), name="momentum")
        self.accum = self.state_parameters("accum")
        self.stat = self.state_parameters("stat", "ones")

    def construct(self, gradients):
        return self.update(
            K.sgd, gradients, [self.accum, self.stat], self.momentum, self.dampening, use_momentum=self._uses_momentum, nesterov=self.nesterov
        )
