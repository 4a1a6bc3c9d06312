"""AdaMax."""

import numpy as np

from sporax._core import scope
from sporax._core.parameter import Parameter
from sporax._core.tensor import Tensor
from sporax._kernels import optim as K
from sporax.nn.optim.optimizer import Optimizer


class AdaMax(Optimizer):
    """m = b1 m + (1 - b1) g; v = max(b2 v, |g|); p = p - lr / (1 - b1**t) m / (v + eps) (Kingma and Ba, 2015).

    Args:
        params: Parameters or groups, see `Optimizer`.
        learning_rate: see `Optimizer`. Default: 0.001.
        beta1, beta2: floats in (0, 1). Default: 0.9, 0.999.
        eps: a positive float. Default: 1e-8.
        weight_decay, loss_scale: see `Optimizer`. Default: 0.0, 1.0.
    """

    def __init__(self, params, learning_rate=0.001, beta1=0.9, beta2=0.999, eps=1e-08, weight_decay=0.0, loss_scale=1.0):
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        self.beta1, self.beta2 = self._float("beta1", beta1, 0.0, 1.0), self._float("beta2", beta2, 0.0, 1.0)
        self.eps = self._float("eps", eps, 0.0)
        self.beta1_power = Parameter(Tensor(np.ones(1, np.float32)), name="beta1_power")
        self.moment1, self.moment2 = self.state_parameters("moment1"), self.state_parameters("moment2")

    def construct(self, gradients):
        gradients = self.check_gradients(gradients)
        scope.assign(self.beta1_power, self.beta1_power * self.beta1)
        return self.update(K.adamax, gradients, [self.moment1, self.moment2], self.beta1_power.reshape(()), self.beta1, self.beta2, self.eps)
