"""The optimizers of `mint`: PyTorch's formulas, with options in groups."""

import numpy as np

from sporax._core.parameter import ParameterTuple
from sporax._core.tensor import Tensor
from sporax._kernels import optim_groups as K
from sporax.experimental.optim._rule import RuleOptimizer
from sporax.experimental.optim.adam import Betas
from sporax.experimental.optim.sgd import check_nesterov


class _Adam(Betas):
    rule = staticmethod(K.adamw)
    states = ("exp_avg", "exp_avg_sq", "max_exp_avg_sq")
    counter = "state_step"
    first = np.zeros(1, np.float32)
    beta_kinds: tuple = (tuple,)

    def _shaped(self):
        return ["exp_avg", "exp_avg_sq"]

    def _check(self, options):
        self._of_type(options, betas=self.beta_kinds, eps=float, weight_decay=float, lr=(float, Tensor), amsgrad=bool, maximize=bool)
        if len(options["betas"]) != 2:
            raise ValueError(f"For '{type(self).__name__}', 'betas' should be two numbers, but got {options['betas']}.")
        for i, beta in enumerate(options["betas"]):
            self._of_type({f"betas[{i}]": beta}, **{f"betas[{i}]": float})
        super()._check(options)

    def add_param_group(self, param_group):
        super().add_param_group(param_group)
        group = self.param_groups[-1]
        if group["amsgrad"]:
            group["max_exp_avg_sq"] = ParameterTuple(group["params"]).clone("max_exp_avg_sq", "zeros")

    def _state(self, name):
        if name != "max_exp_avg_sq":
            return getattr(self, name)
        return [s for group in self.param_groups for s in group.get(name) or [None] * len(group["params"])]

    def _options(self, group):
        return (*group["betas"], group["eps"]), {"amsgrad": "max_exp_avg_sq" in group}


class Adam(_Adam):
    """m = b1 m + (1 - b1) g; v = b2 v + (1 - b2) g**2; p = p - lr / (1 - b1**t) m / (sqrt(v / (1 - b2**t)) + eps) (Kingma and Ba, 2015).

    Args:
        params: Parameters or groups, see `experimental.optim.Optimizer`.
        lr: a float, at least 0. Default: 1e-3.
        betas: b1 and b2, a tuple of floats in [0, 1). Default: (0.9, 0.999).
        eps: a float, at least 0. Default: 1e-8.
        weight_decay: a float, added to the gradient: g + weight_decay p. Default: 0.0.
        amsgrad: divide by the largest v so far (Reddi et al., 2018). Default: False.
        maximize: follow the gradient upwards. Default: False.

    Raises:
        TypeError: an argument of the wrong kind.
        ValueError: a number out of range.

    Examples:
        >>> p = ms.Parameter(Tensor([1.0]), name="p")
        >>> opt = ms.mint.optim.Adam([p], lr=0.1)
        >>> opt((Tensor([5.0]),)), p.value().tolist()
        (True, [0.8999999761581421])
    """

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0, amsgrad=False, *, maximize=False):
        options = {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay, "amsgrad": amsgrad, "maximize": maximize}
        super().__init__(params, options)


class AdamW(_Adam):
    """`Adam` with decoupled weight decay: p = (1 - lr weight_decay) p before each step (Loshchilov and Hutter, 2019).

    Args:
        params, lr, betas, eps, amsgrad, maximize: as those of `Adam`.
        weight_decay: a float, at least 0. Default: 1e-2.
    """

    decoupled = True
    first = np.full(1, -1, np.float32)

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=1e-2, amsgrad=False, *, maximize=False):
        options = {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay, "amsgrad": amsgrad, "maximize": maximize}
        super().__init__(params, options)


class FusedAdamW(AdamW):
    """`AdamW` under the name of MindSpore's fused one: the update of all Parameters is one operation in either. `betas` may be a list.

    Raises:
        ValueError: groups differ in `amsgrad`.
    """

    beta_kinds = (tuple, list)

    def add_param_group(self, param_group):
        super().add_param_group(param_group)
        flags = [group["amsgrad"] for group in self.param_groups]
        if flags[-1] != flags[0]:
            raise ValueError(f"FusedAdamW does not support mixed amsgrad across param_groups, but got {flags}: use AdamW.")


class SGD(RuleOptimizer):
    """v = momentum v + (1 - dampening) g (the first v is g); p = p - lr v, or with `nesterov` p - lr (g + momentum v) (Sutskever et al., 2013).

    Args:
        params: Parameters or groups, see `experimental.optim.Optimizer`.
        lr: an int, float or scalar Tensor, at least 0.
        momentum: at least 0. Default: 0.
        dampening: default 0.
        weight_decay: added to the gradient: g + weight_decay p. Default: 0.
        nesterov: needs momentum > 0 and dampening 0. Default: False.
        maximize: follow the gradient upwards. Default: False.

    Raises:
        TypeError: an argument of the wrong kind.
        ValueError: a number out of range.
    """

    rule = staticmethod(K.sgd)
    states = ("momentum_buf",)

    def __init__(self, params, lr, momentum=0, dampening=0, weight_decay=0, nesterov=False, *, maximize=False):
        options = {
            "lr": lr, "momentum": momentum, "weight_decay": weight_decay, "dampening": dampening, "nesterov": nesterov, "maximize": maximize,
            "lr_float": lr,
        }  # fmt: skip
        super().__init__(params, options)

    def add_param_group(self, param_group):
        if isinstance(param_group, dict) and "lr" in param_group:
            param_group = {**param_group, "lr_float": param_group["lr"]}
        super().add_param_group(param_group)

    def _check(self, options):
        numbers = int, float
        self._of_type(options, lr=(*numbers, Tensor), momentum=numbers, weight_decay=numbers, dampening=numbers, nesterov=bool, maximize=bool)
        self._at_least(options, lr=0.0, momentum=0.0, weight_decay=0.0)
        check_nesterov("SGD", options)

    def _options(self, group):
        momentum = float(group["momentum"])
        return (momentum, float(group["dampening"])), {"use_momentum": momentum != 0, "nesterov": group["nesterov"]}
