"""Resilient backpropagation."""

from sporax._kernels import optim as K
from sporax.nn.optim.optimizer import Optimizer
from sporax.ops import full_like


class Rprop(Optimizer):
    """Steps of their own for each element: larger while the sign of the gradient stays, smaller where it changes (Riedmiller and Braun, 1993).

    Args:
        params: Parameters or groups, see `Optimizer`.
        learning_rate: the first step; see `Optimizer`. Default: 0.1.
        etas: factors (smaller, larger). Default: (0.5, 1.2).
        step_sizes: bounds (smallest, largest). Default: (1e-6, 50.0).
        weight_decay: see `Optimizer`. Default: 0.0.
    """

    def __init__(self, params, learning_rate=0.1, etas=(0.5, 1.2), step_sizes=(1e-6, 50.0), weight_decay=0.0):
        super().__init__(learning_rate, params, weight_decay)
        for key, value in (("etas", etas), ("step_sizes", step_sizes)):
            if not isinstance(value, tuple) or len(value) != 2:
                raise TypeError(f"For 'Rprop', '{key}' should be a pair of floats, but got {value!r}.")
        self._float("etaminus", etas[0], 0.0, 1.0)
        if not etas[1] > 1:
            raise ValueError(f"For 'Rprop', the 'etaplus' must be > 1.0, but got {etas[1]}.")
        if step_sizes[0] > step_sizes[1]:
            raise ValueError(f"For Rprop, maximal step size should not be less than minimal step size, but got {step_sizes[1]} < {step_sizes[0]}.")
        self.etas, self.step_sizes = etas, step_sizes
        self.prev = self.state_parameters("prev")
        self.step_size = self.state_parameters("step_size")
        for state, rate in zip(self.step_size, self.first_rates()):
            state.set_data(full_like(state, rate))

    def construct(self, gradients):
        return self.update(K.rprop, gradients, [self.prev, self.step_size], *map(float, self.etas), *map(float, self.step_sizes))
