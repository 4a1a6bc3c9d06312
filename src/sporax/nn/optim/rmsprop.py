"""RMSProp."""

from sporax._kernels import optim as K
from sporax.nn.optim.optimizer import Optimizer


class RMSProp(Optimizer):
    """s = decay s + (1 - decay) g**2; m = momentum m + lr g / sqrt(s + eps); p = p - m. `centered` subtracts the squared mean of g from s
    (Graves, 2013).

    Args:
        params: Parameters or groups, see `Optimizer`.
        learning_rate: see `Optimizer`. Default: 0.1.
        decay: default 0.9.
        momentum: default 0.0.
        epsilon: default 1e-10.
        use_locking: updates are never concurrent here. Default: False.
        centered: default False.
        loss_scale, weight_decay: see `Optimizer`. Default: 1.0, 0.0.
    """

    def __init__(
        self, params, learning_rate=0.1, decay=0.9, momentum=0.0, epsilon=1e-10, use_locking=False, centered=False, loss_scale=1.0, weight_decay=0.0
    ):
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        for key, value in (("decay", decay), ("momentum", momentum), ("epsilon", epsilon)):
            if not isinstance(value, float):
                raise TypeError(f"For 'RMSProp', the type of '{key}' should be 'float', but got {value!r} of type '{type(value).__name__}'.")
            self._positive(key, value, zero=key != "epsilon")
        self._bool("use_locking", use_locking)
        self.centered = self._bool("centered", centered)
        self.decay, self.momentum, self.epsilon = decay, momentum, epsilon
        if centered:
            self.mg = self.state_parameters("mean_grad")
        self.ms = self.state_parameters("mean_square", "ones")
        self.moment = self.state_parameters("moment")

    def construct(self, gradients):
        if self.centered:
            return self.update(K.rmsprop_centered, gradients, [self.mg, self.ms, self.moment], self.decay, self.momentum, self.epsilon)
        return self.update(K.rmsprop, gradients, [self.ms, self.moment], self.decay, self.momentum, self.epsilon)
