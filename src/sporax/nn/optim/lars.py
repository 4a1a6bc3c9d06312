"""LARS."""

from sporax._core.dispatch import apply
from sporax._kernels import optim as K
from sporax.nn.optim.optimizer import Optimizer


def _default_filter(p):
    return "LayerNorm" not in p.name and "bias" not in p.name


class LARS(Optimizer):
    """Layer-wise adaptive rates around another optimizer (You et al., 2017): each gradient is scaled by coefficient ||p|| / (||g|| + decay
    ||p|| + eps).

    Args:
        optimizer: the optimizer that applies the scaled gradients; its weight decay moves into the scaling.
        epsilon: default 1e-5.
        coefficient: default 0.001.
        use_clip: divide the factor by the learning rate and clip it to [0, 1]. Default: False.
        lars_filter: a function of a Parameter: whether it is scaled. Default: not those of LayerNorm, and no biases.

    Raises:
        TypeError: `optimizer` is not an Optimizer without groups.
    """

    def __init__(self, optimizer, epsilon=1e-05, coefficient=0.001, use_clip=False, lars_filter=_default_filter):
        if not isinstance(optimizer, Optimizer):
            raise TypeError(f"For 'LARS', 'optimizer' should be an Optimizer, but got {type(optimizer).__name__}.")
        if optimizer.is_group:
            raise ValueError("For 'LARS', the optimizer should have no groups of parameters.")
        super().__init__(0.0, list(optimizer.parameters))
        self.opt = optimizer
        self.epsilon, self.coefficient = self._positive("epsilon", epsilon), self._positive("coefficient", coefficient)
        self.use_clip = self._bool("use_clip", use_clip)
        self.lars_flag = tuple(bool(lars_filter(p)) for p in self._parameters)
        self.decay = float(optimizer.weight_decay) if not optimizer.dynamic_weight_decay else 0.0
        self.opt.exec_weight_decay = False

    def construct(self, gradients):
        gradients = self.check_gradients(gradients)
        lr = self.opt._rate_tensors()[0]
        out = apply(
            K.lars_gradient, (*self._parameters, *gradients, self.decay, lr), count=self.param_length, decays=self.lars_flag, eps=self.epsilon,
            coefficient=self.coefficient, clip=self.use_clip,
        )  # fmt: skip
        return self.opt(out)
