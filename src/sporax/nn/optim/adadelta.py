"""Adadelta."""

from sporax._kernels import optim as K
from sporax.nn.optim.optimizer import Optimizer


class Adadelta(Optimizer):
    """a = rho a + (1 - rho) g**2; d = sqrt(u + eps) / sqrt(a + eps) g; u = rho u + (1 - rho) d**2; p = p - lr d (Zeiler, 2012).

    Args:
        params: Parameters or groups, see `Optimizer`.
        learning_rate: see `Optimizer`. Default: 1.0.
        rho: in [0, 1]. Default: 0.9.
        epsilon: not negative. Default: 1e-6.
        loss_scale, weight_decay: see `Optimizer`. Default: 1.0, 0.0.
    """

    def __init__(self, params, learning_rate=1.0, rho=0.9, epsilon=1e-6, loss_scale=1.0, weight_decay=0.0):
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        self._float("rho", rho, 0.0, 1.0, closed=True)
        self.rho, self.epsilon = rho, self._positive("epsilon", epsilon, zero=True)
        self.accum, self.accum_update = self.state_parameters("accum"), self.state_parameters("accum_update")

    def construct(self, gradients):
        return self.update(K.adadelta, gradients, [self.accum, self.accum_update], self.rho, self.epsilon)
