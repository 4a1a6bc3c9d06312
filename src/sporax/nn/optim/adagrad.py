"""Adagrad and its proximal form."""

from sporax._kernels import optim as K
from sporax.nn.optim.optimizer import Optimizer


class Adagrad(Optimizer):
    """accum = accum + g**2; p = p - lr g / sqrt(accum) (Duchi et al., 2011).

    Args:
        params: Parameters or groups, see `Optimizer`.
        accum: where the sums start; not negative. Default: 0.1.
        learning_rate: see `Optimizer`. Default: 0.001.
        update_slots: whether the sums grow. Default: True.
        loss_scale, weight_decay: see `Optimizer`. Default: 1.0, 0.0.
    """

    def __init__(self, params, accum=0.1, learning_rate=0.001, update_slots=True, loss_scale=1.0, weight_decay=0.0):
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        self.update_slots = self._bool("update_slots", update_slots)
        self.accum = self.state_parameters("accum", self._positive("accum", accum, zero=True))

    def construct(self, gradients):
        return self.update(K.adagrad, gradients, [self.accum], update_slots=self.update_slots)


class ProximalAdagrad(Optimizer):
    """Adagrad followed by soft thresholding with lr l1 / sqrt(accum) and shrinking by 1 + lr l2 / sqrt(accum) (Duchi and Singer, 2009).

    Args:
        params: Parameters or groups, see `Optimizer`.
        accum: where the sums start. Default: 0.1.
        learning_rate: see `Optimizer`. Default: 0.001.
        l1, l2: strengths of the regularization; not negative. Default: 0.0.
        use_locking: updates are never concurrent here. Default: False.
        loss_scale, weight_decay: see `Optimizer`. Default: 1.0, 0.0.
    """

    def __init__(self, params, accum=0.1, learning_rate=0.001, l1=0.0, l2=0.0, use_locking=False, loss_scale=1.0, weight_decay=0.0):
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        self._bool("use_locking", use_locking)
        self.l1, self.l2 = self._positive("l1", l1, zero=True), self._positive("l2", l2, zero=True)
        self.accum = self.state_parameters("accum", self._positive("accum", accum, zero=True))

    def construct(self, gradients):
        return self.update(K.proximal_adagrad, gradients, [self.accum], self.l1, self.l2)
