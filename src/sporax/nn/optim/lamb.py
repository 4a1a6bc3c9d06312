"""LAMB."""

from sporax._kernels import optim as K
from sporax.nn.optim.optimizer import Optimizer


class Lamb(Optimizer):
    """Adam's direction, scaled for each parameter by ||p|| / ||direction|| (You et al., 2020).

    Args:
        params: Parameters or groups, see `Optimizer`.
        learning_rate: see `Optimizer`.
        beta1, beta2: floats in (0, 1). Default: 0.9, 0.999.
        eps: a positive float. Default: 1e-6.
        weight_decay: see `Optimizer`; part of the direction. Default: 0.0.
    """

    def __init__(self, params, learning_rate, beta1=0.9, beta2=0.999, eps=1e-6, weight_decay=0.0):
        super().__init__(learning_rate, params, weight_decay)
        self.beta1, self.beta2 = self._float("beta1", beta1, 0.0, 1.0), self._float("beta2", beta2, 0.0, 1.0)
        self.eps = self._float("eps", eps, 0.0)
        self.moments1, self.moments2 = self.state_parameters("lamb_m"), self.state_parameters("lamb_v")

    def construct(self, gradients):
        return self.update_decoupled(K.lamb, gradients, [self.moments1, self.moments2], self.global_step, self.beta1, self.beta2, self.eps)
