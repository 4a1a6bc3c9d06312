"""Stochastic gradient descent, and steps divided by the root of the average squared gradient."""

from sporax._core.tensor import Tensor
from sporax._kernels import optim, optim_groups
from sporax.experimental.optim._rule import RuleOptimizer


def check_nesterov(name, options):
    """Nesterov momentum needs momentum, and no dampening."""
    if options["nesterov"] and (options["momentum"] <= 0.0 or options["dampening"] != 0.0):
        raise ValueError(
            f"For '{name}', 'nesterov' needs 'momentum' > 0 and 'dampening' 0, but got {options['momentum']} and {options['dampening']}."
        )


class SGD(RuleOptimizer):
    """v = momentum v + (1 - dampening) g (the first v is g); p = p - lr v, or with `nesterov` p - lr (g + momentum v) (Sutskever et al., 2013).

    Args:
        params: Parameters or groups, see `Optimizer`.
        lr: an int, float or scalar Tensor, at least 0.
        momentum: at least 0. Default: 0.
        dampening: default 0.
        weight_decay: added to the gradient: g + weight_decay p. Default: 0.0.
        nesterov: needs momentum > 0 and dampening 0. Default: False.
        maximize: follow the gradient upwards. Default: False.

    Groups may have "grad_centralization", which must be False.

    Raises:
        ValueError: a number out of range.
        TypeError: something of the wrong kind.

    Examples:
        >>> p = ms.Parameter(Tensor([1.0]), name="p")
        >>> opt = ms.experimental.optim.SGD([p], lr=0.5)
        >>> _ = ops.assign(opt.param_groups[0]["lr"], 0.25)
        >>> opt((Tensor([2.0]),)), p.value().tolist()
        (True, [0.5])
    """

    rule = staticmethod(optim.sgd)
    states = ("accum", "stat")
    counter = None

    def __init__(self, params, lr, momentum=0, dampening=0, weight_decay=0.0, nesterov=False, *, maximize=False):
        self._of_type({"momentum": momentum}, momentum=(int, float))
        options = {
            "lr": lr, "momentum": float(momentum), "dampening": dampening, "weight_decay": weight_decay, "nesterov": nesterov, "maximize": maximize,
            "grad_centralization": False,
        }  # fmt: skip
        super().__init__(params, options)

    def add_param_group(self, param_group):
        super().add_param_group(param_group)
        group = self.param_groups[-1]
        group["dampening"] = float(group["dampening"])

    def _check(self, options):
        self._of_type(options, lr=(float, int, Tensor), momentum=(int, float), nesterov=bool, maximize=bool, dampening=(int, float))
        self._at_least(options, lr=0.0, momentum=0.0)
        check_nesterov("SGD", options)
        if options["grad_centralization"]:
            raise ValueError("For 'SGD', 'grad_centralization' should be False: use nn.SGD, or ops on the gradients.")

    def _initial(self, name):
        return "ones" if name == "stat" else "zeros"

    def _options(self, group):
        momentum = group["momentum"]
        return (momentum, group["dampening"]), {"use_momentum": momentum > 0, "nesterov": group["nesterov"]}


class RMSprop(RuleOptimizer):
    """v = alpha v + (1 - alpha) g**2; p = p - lr g / (sqrt(v) + eps) (Hinton, 2012).

    Args:
        params: Parameters or groups, see `Optimizer`.
        lr: a positive int, float or scalar Tensor. Default: 1e-2.
        alpha: at least 0. Default: 0.99.
        eps: a positive number. Default: 1e-8.
        weight_decay: added to the gradient: g + weight_decay p. Default: 0.0.
        momentum: at least 0. Default: 0.0.
        centered: divide by the root of the variance v - m**2, with m the average gradient (Graves, 2013). Default: False.
        maximize: follow the gradient upwards. Default: False.

    Raises:
        ValueError: a number out of range.
    """

    rule = staticmethod(optim_groups.rmsprop)
    states = ("mean_grad", "mean_square", "moment")
    counter = None

    def __init__(self, params, lr=1e-2, alpha=0.99, eps=1e-8, weight_decay=0.0, momentum=0.0, centered=False, maximize=False):
        options = {
            "lr": lr, "momentum": momentum, "alpha": alpha, "eps": eps, "centered": centered, "weight_decay": weight_decay, "maximize": maximize,
        }  # fmt: skip
        super().__init__(params, options)

    def _check(self, options):
        self._above(options, lr=0.0, eps=0.0)
        self._at_least(options, alpha=0.0, momentum=0.0, weight_decay=0.0)

    def _options(self, group):
        flags = {"centered": bool(group["centered"]), "use_momentum": group["momentum"] > 0}
        return (group["alpha"], group["eps"], group["momentum"]), flags
