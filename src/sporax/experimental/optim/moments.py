"""Relatives of Adam: with the maximum norm, with Nesterov momentum, and with a rectified variance."""

from sporax._kernels import optim_groups as K
from sporax.experimental.optim._rule import RuleOptimizer


class _Moments(RuleOptimizer):
    counts_first = True

    def _check(self, options):
        self._above(options, lr=0.0, eps=0.0)
        self._at_least(options, weight_decay=0.0)
        self._fraction("betas[0]", options["betas"][0])
        self._fraction("betas[1]", options["betas"][1])

    def _options(self, group):
        return (*group["betas"], group["eps"]), {}


class Adamax(_Moments):
    """m = b1 m + (1 - b1) g; u = max(b2 u, |g| + eps); p = p - lr / (1 - b1**t) m / u (Kingma and Ba, 2015).

    Args:
        params: Parameters or groups, see `Optimizer`.
        lr: a positive int, float or scalar Tensor. Default: 2e-3.
        betas: b1 and b2, floats in [0, 1). Default: (0.9, 0.999).
        eps: a positive number. Default: 1e-8.
        weight_decay: added to the gradient: g + weight_decay p. Default: 0.0.
        maximize: follow the gradient upwards. Default: False.

    Raises:
        ValueError: a number out of range.
        TypeError: a beta is not a float.
    """

    rule = staticmethod(K.adamax)
    states = ("exp_avg", "exp_inf")

    def __init__(self, params, lr=2e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0, *, maximize=False):
        super().__init__(params, {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay, "maximize": maximize})


class NAdam(_Moments):
    """`Adam` with Nesterov momentum mu = b1 (1 - 0.96**(t momentum_decay) / 2) (Dozat, 2016).

    Args:
        params, lr, betas, eps, weight_decay: as those of `Adamax`.
        momentum_decay: how fast the momentum grows, at least 0. Default: 4e-3.
    """

    rule = staticmethod(K.nadam)
    states = ("exp_avg", "exp_avg_sq", "mu_product")
    scalars = {"mu_product": 1.0}

    def __init__(self, params, lr=2e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0, momentum_decay=4e-3):
        super().__init__(params, {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay, "momentum_decay": momentum_decay})

    def _check(self, options):
        super()._check(options)
        self._at_least(options, momentum_decay=0.0)

    def _options(self, group):
        return (*group["betas"], group["eps"], group["momentum_decay"]), {}


class RAdam(_Moments):
    """`Adam` whose steps are scaled by how certain the variance is; without it while that is unknown (Liu et al., 2020).

    Args:
        params, betas, eps, weight_decay: as those of `Adamax`.
        lr: a positive int, float or scalar Tensor. Default: 1e-3.
    """

    rule = staticmethod(K.radam)
    states = ("exp_avg", "exp_avg_sq")

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0):
        super().__init__(params, {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay})
