"""Steps divided by the root of the squared gradients so far: their sum (Adagrad), their average (Adadelta)."""

from sporax._kernels import optim, optim_groups
from sporax.experimental.optim._rule import RuleOptimizer


class Adagrad(RuleOptimizer):
    """a = a + g**2; p = p - lr / (1 + (t - 1) lr_decay) g / (sqrt(a) + eps) (Duchi et al., 2011).

    Args:
        params: Parameters or groups, see `Optimizer`.
        lr: a positive int, float or scalar Tensor. Default: 1e-2.
        lr_decay: at least 0. Default: 0.0.
        weight_decay: added to the gradient: g + weight_decay p. Default: 0.0.
        initial_accumulator_value: where a starts, at least 0. Default: 0.0.
        eps: a positive number. Default: 1e-10.
        maximize: follow the gradient upwards. Default: False.

    Raises:
        ValueError: a number out of range.
    """

    rule = staticmethod(optim_groups.adagrad)
    states = ("accum",)

    def __init__(self, params, lr=1e-2, lr_decay=0.0, weight_decay=0.0, initial_accumulator_value=0.0, eps=1e-10, *, maximize=False):
        options = {
            "lr": lr, "lr_decay": lr_decay, "eps": eps, "weight_decay": weight_decay, "initial_accumulator_value": initial_accumulator_value,
            "maximize": maximize,
        }  # fmt: skip
        super().__init__(params, options)

    def _check(self, options):
        self._above(options, lr=0.0, eps=0.0)
        self._at_least(options, lr_decay=0.0, weight_decay=0.0, initial_accumulator_value=0.0)

    def _initial(self, name):
        return self.defaults["initial_accumulator_value"]

    def _options(self, group):
        return (group["lr_decay"], group["eps"]), {}


class Adadelta(RuleOptimizer):
    """a = rho a + (1 - rho) g**2; d = sqrt(u + eps) / sqrt(a + eps) g; p = p - lr d; u = rho u + (1 - rho) d**2 (Zeiler, 2012).

    Args:
        params: Parameters or groups, see `Optimizer`.
        lr: a positive int, float or scalar Tensor. Default: 1.0.
        rho: a float in [0, 1]. Default: 0.9.
        eps: a positive number. Default: 1e-6.
        weight_decay: added to the gradient: g + weight_decay p. Default: 0.0.
        maximize: follow the gradient upwards. Default: False.

    Raises:
        ValueError: a number out of range.
        TypeError: `rho` is not a float.
    """

    rule = staticmethod(optim.adadelta)
    states = ("accum", "accum_update")
    counter = None

    def __init__(self, params, lr=1.0, rho=0.9, eps=1e-6, weight_decay=0.0, *, maximize=False):
        super().__init__(params, {"lr": lr, "rho": rho, "eps": eps, "weight_decay": weight_decay, "maximize": maximize})

    def _check(self, options):
        self._above(options, lr=0.0, eps=0.0)
        self._at_least(options, weight_decay=0.0)
        self._fraction("rho", options["rho"], one=True)

    def _options(self, group):
        return (group["rho"], group["eps"]), {}
