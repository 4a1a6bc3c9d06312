"""Averaged stochastic gradient descent."""

import numpy as np

from sporax._core.parameter import Parameter, ParameterTuple
from sporax._core.tensor import Tensor
from sporax._kernels import optim as K
from sporax.nn.optim.optimizer import Optimizer


class ASGD(Optimizer):
    """p = (1 - lambd eta) p - eta g with eta = lr / (1 + lambd lr t)**alpha, and a running average `ax` of p after t0 steps (Polyak and
    Juditsky, 1992).

    Args:
        params: Parameters or groups, see `Optimizer`.
        learning_rate: see `Optimizer`. Default: 0.1.
        lambd: decay term. Default: 1e-4.
        alpha: power of the decay of eta. Default: 0.75.
        t0: when averaging starts. Default: 1e6.
        weight_decay: see `Optimizer`. Default: 0.0.
    """

    def __init__(self, params, learning_rate=0.1, lambd=1e-4, alpha=0.75, t0=1e6, weight_decay=0.0):
        super().__init__(learning_rate, params, weight_decay)
        for key, value in (("lambd", lambd), ("alpha", alpha), ("t0", t0)):
            self._number(key, value)
        self.lambd, self.alpha, self.t0 = float(lambd), float(alpha), float(t0)

        def scalars(prefix, values):
            return ParameterTuple([Parameter(Tensor(np.float32(v)), name=prefix + p.name) for v, p in zip(values, self._parameters)])

        self.mu, self.eta = scalars("mu_", [1.0] * self.param_length), scalars("eta_", self.first_rates())
        self.ax = self.state_parameters("ax_")

    def construct(self, gradients):
        return self.update(K.asgd, gradients, [self.mu, self.eta, self.ax], self.global_step, self.lambd, self.alpha, self.t0)
