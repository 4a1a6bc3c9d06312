"""Follow the regularized leader."""

from sporax._kernels import optim as K
from sporax.nn.optim.optimizer import Optimizer


class FTRL(Optimizer):
    """Follow the (proximally) regularized leader (McMahan et al., 2013).

    Args:
        params: Parameters or groups, see `Optimizer`.
        initial_accum: where the sums of squares start; not negative. Default: 0.1.
        learning_rate: see `Optimizer`. Default: 0.001.
        lr_power: power of the decay of the learning rate; not positive. Default: -0.5.
        l1, l2: strengths of the regularization; not negative. Default: 0.0.
        use_locking: updates are never concurrent here. Default: False.
        loss_scale, weight_decay: see `Optimizer`. Default: 1.0, 0.0.
    """

    def __init__(
        self, params, initial_accum=0.1, learning_rate=0.001, lr_power=-0.5, l1=0.0, l2=0.0, use_locking=False, loss_scale=1.0, weight_decay=0.0
    ):
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        self._bool("use_locking", use_locking)
        if self._number("lr_power", lr_power) > 0:
            raise ValueError(f"For 'FTRL', the argument 'lr_power' must <= 0.0, but got {lr_power}.")
        self.lr_power, self.l1, self.l2 = float(lr_power), self._positive("l1", l1, zero=True), self._positive("l2", l2, zero=True)
        self.moments = self.state_parameters("moments", self._positive("initial_accum", initial_accum, zero=True))
        if not self.is_group:
            # unlike other optimizers, FTRL decays "beta" and "gamma" too
            self.decay_flags = (True,) * self.param_length
        self.linear = self.state_parameters("linear")

    def construct(self, gradients):
        return self.update(K.ftrl, gradients, [self.moments, self.linear], self.l1, self.l2, self.lr_power)
