"""Steps by the gradient's sign, and averaged stochastic gradient descent."""

from sporax._kernels import optim_groups as K
from sporax.experimental.optim._rule import RuleOptimizer


class Rprop(RuleOptimizer):
    """Each number has its own step size: it grows while the gradient keeps its sign, and shrinks when that changes (Riedmiller and Braun, 1993).

    Args:
        params: Parameters or groups, see `Optimizer`; weight decay must be 0.
        lr: the first step size, a positive int, float or scalar Tensor. Default: 1e-2.
        etas: factors by which step sizes shrink (a float in (0, 1)) and grow (above 1). Default: (0.5, 1.2).
        step_sizes: the smallest and the largest step size. Default: (1e-6, 50).
        maximize: follow the gradient upwards. Default: False.

    Raises:
        ValueError: a number out of range, or weight decay.
        TypeError: the first of `etas` is not a float.
    """

    rule = staticmethod(K.rprop)
    states = ("prev", "step_size")

    def __init__(self, params, lr=1e-2, etas=(0.5, 1.2), step_sizes=(1e-6, 50), *, maximize=False):
        super().__init__(params, {"lr": lr, "etas": etas, "step_sizes": step_sizes, "maximize": maximize})

    def _check(self, options):
        self._above(options, lr=0.0)
        self._above({"etas[1]": options["etas"][1]}, **{"etas[1]": 1.0})
        self._fraction("etas[0]", options["etas"][0], zero=False)
        if options.get("weight_decay"):
            raise ValueError(
                f"For 'Rprop', 'weight_decay' should be 0, but got {options['weight_decay']}: only the sign of the gradient counts. "
                "Leave it out, or add the decay to the gradients."
            )

    def _options(self, group):
        return (*group["etas"], *group["step_sizes"]), {}


class ASGD(RuleOptimizer):
    """p = (1 - lambd eta) p - eta g, with eta = lr / (1 + lambd lr t)**alpha; `ax` is the average of p after t0 (Polyak and Juditsky, 1992).

    Args:
        params: Parameters or groups, see `Optimizer`.
        lr: a positive int, float or scalar Tensor. Default: 1e-2.
        lambd: a float: decay. Default: 1e-4.
        alpha: the power of the learning rate's decay. Default: 0.75.
        t0: a float: the step from which p is averaged. Default: 1e6.
        weight_decay: added to the gradient: g + weight_decay p. Default: 0.0.
        maximize: follow the gradient upwards. Default: False.

    Raises:
        ValueError: a number out of range.
        TypeError: `lambd` or `t0` is not a float.
    """

    rule = staticmethod(K.asgd)
    states = ("mu", "eta", "ax")
    scalars = {"mu": 1.0, "eta": 0.0}

    def __init__(self, params, lr=1e-2, lambd=1e-4, alpha=0.75, t0=1e6, weight_decay=0.0, maximize=False):
        options = {"lr": lr, "lambd": lambd, "alpha": alpha, "t0": t0, "weight_decay": weight_decay, "maximize": maximize}
        super().__init__(params, options)

    def _check(self, options):
        self._above(options, lr=0.0)
        self._at_least(options, weight_decay=0.0)
        self._of_type(options, lambd=float, t0=float)

    def _options(self, group):
        return (group["lambd"], group["alpha"], group["t0"]), {}
