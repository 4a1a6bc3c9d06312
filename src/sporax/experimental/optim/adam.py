"""Adam, and Adam with decoupled weight decay."""

from sporax._kernels import optim_groups as K
from sporax.experimental.optim._rule import RuleOptimizer


class Betas(RuleOptimizer):
    """Optimizers with two decay rates `betas`."""

    def _check(self, options):
        self._at_least(options, lr=0.0, eps=0.0, weight_decay=0.0)
        for i, beta in enumerate(options["betas"]):
            if not 0.0 <= beta < 1.0:
                raise ValueError(f"For '{type(self).__name__}', 'betas[{i}]' should be in [0, 1), but got {beta}.")

    def _options(self, group):
        return (*group["betas"], group["eps"]), {"amsgrad": bool(group["amsgrad"])}


class Adam(Betas):
    """m = b1 m + (1 - b1) g; v = b2 v + (1 - b2) g**2; p = p - lr sqrt(1 - b2**t) / (1 - b1**t) m / (sqrt(v) + eps) (Kingma and Ba, 2015).

    Args:
        params: Parameters or groups, see `Optimizer`.
        lr: an int, float or scalar Tensor, at least 0. Default: 1e-3.
        betas: b1 and b2, in [0, 1). Default: (0.9, 0.999).
        eps: at least 0. Default: 1e-8.
        weight_decay: added to the gradient: g + weight_decay p. Default: 0.0.
        amsgrad: divide by the largest v so far (Reddi et al., 2018). Default: False.
        maximize: follow the gradient upwards. Default: False.

    Raises:
        ValueError: a number out of range.

    Examples:
        >>> p = ms.Parameter(Tensor([1.0]), name="p")
        >>> opt = ms.experimental.optim.Adam([p], lr=0.1)
        >>> opt((Tensor([5.0]),)), p.value().tolist()
        (True, [0.8999999761581421])
    """

    rule = staticmethod(K.adam)
    states = ("exp_avg", "exp_avg_sq", "max_exp_avg_sq")
    counter = "state_step"

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0, amsgrad=False, *, maximize=False):
        options = {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay, "amsgrad": amsgrad, "maximize": maximize}
        super().__init__(params, options)


class AdamW(Betas):
    """p = (1 - lr weight_decay) p, then p = p - lr / (1 - b1**t) m / (sqrt(v / (1 - b2**t)) + eps) (Loshchilov and Hutter, 2019).

    Args:
        params, lr, betas, eps, amsgrad, maximize: as those of `Adam`.
        weight_decay: at least 0. Default: 1e-2.
    """

    rule = staticmethod(K.adamw)
    states = ("exp_avg", "exp_avg_sq", "max_exp_avg_sq")
    counter = "state_step"
    decoupled = True

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=1e-2, amsgrad=False, *, maximize=False):
        options = {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay, "amsgrad": amsgrad, "maximize": maximize}
        super().__init__(params, options)
