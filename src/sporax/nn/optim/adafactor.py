"""AdaFactor."""

import numpy as np

from sporax._core import dtype as mstype
from sporax._core import scope
from sporax._core.parameter import Parameter, ParameterTuple
from sporax._core.tensor import Tensor
from sporax._kernels import optim as K
from sporax.nn.optim.optimizer import Optimizer


class AdaFactor(Optimizer):
    """Adam with second moments factored into rows and columns, clipped updates and relative steps (Shazeer and Stern, 2018).

    Args:
        params: Parameters or groups, see `Optimizer`.
        learning_rate: see `Optimizer`; None with `relative_step`. Default: None.
        eps: (added to squared gradients, least scale of a parameter). Default: (1e-30, 1e-3).
        clip_threshold: the root mean square that an update may have. Default: 1.0.
        decay_rate: the second moment decays with 1 - t**-decay_rate. Default: 0.8.
        beta1: decay of the first moment; 0 for none. Default: 0.9.
        weight_decay: a number, decoupled. Default: 0.0.
        scale_parameter: steps are relative to the size of the parameter. Default: True.
        relative_step: the learning rate follows the step. Default: True.
        warmup_init: it grows from 0 first. Default: False.
        compression: keep the first moment in float16. Default: False.
        loss_scale: see `Optimizer`. Default: 1.0.

    Raises:
        ValueError: `learning_rate` with `relative_step`, or neither; `warmup_init` without `relative_step`.
    """

    def __init__(
        self, params, learning_rate=None, eps=(1e-30, 1e-3), clip_threshold=1.0, decay_rate=0.8, beta1=0.9, weight_decay=0.0, scale_parameter=True,
        relative_step=True, warmup_init=False, compression=False, loss_scale=1.0,
    ):  # fmt: skip
        if learning_rate is not None and relative_step:
            raise ValueError(f"For 'AdaFactor', 'learning_rate' ({learning_rate}) and relative_step=True can not be combined: give one of them.")
        if learning_rate is None and not relative_step:
            raise ValueError("For 'AdaFactor', 'learning_rate' is needed when relative_step=False.")
        if warmup_init and not relative_step:
            raise ValueError(f"For 'AdaFactor', warmup_init=True needs relative_step=True, but got {relative_step}.")
        super().__init__(0.0 if learning_rate is None else learning_rate, params, weight_decay, loss_scale)
        if not self.is_group:
            self.decay_flags = (True,) * self.param_length
        for key, value in (
            ("scale_parameter", scale_parameter),
            ("relative_step", relative_step),
            ("warmup_init", warmup_init),
            ("compression", compression),
        ):
            self._bool(key, value)
        if not isinstance(eps, tuple | list) or len(eps) != 2:
            raise ValueError(f"For 'AdaFactor', 'eps' should be a pair, but got {eps!r}.")
        for key, value in (("eps[0]", eps[0]), ("eps[1]", eps[1]), ("weight_decay", weight_decay), ("decay_rate", decay_rate), ("beta1", beta1)):
            self._positive(key, value, zero=True)
        self.eps, self.clip_threshold, self.decay_rate = tuple(map(float, eps)), self._positive("clip_threshold", clip_threshold), -float(decay_rate)
        self.beta1 = float(beta1)
        self.scale_parameter, self.relative_step, self.warmup_init, self.compression = scale_parameter, relative_step, warmup_init, compression
        one = (1,)
        if beta1 > 0:
            self.exp_avg = self.state_parameters("exp_avg")
            if compression:
                for p in self.exp_avg:
                    p.assign_value(p.astype(mstype.float16))
        else:
            zero = Parameter(Tensor(0.0), name="Parameter$1")
            self._params["Parameter$1"] = zero
            self.__dict__["exp_avg"] = (zero,) * self.param_length

        def states(prefix, shape_of):
            return ParameterTuple([Parameter(Tensor(np.zeros(shape_of(p.shape), np.float32)), name=prefix + p.name) for p in self._parameters])

        self.exp_avg_sq_row = states("exp_avg_sq_row_", lambda s: s[:-1] if len(s) > 1 else one)
        self.exp_avg_sq_col = states("exp_avg_sq_col_", lambda s: (*s[:-2], s[-1]) if len(s) > 1 else one)
        self.exp_avg_sq = states("exp_avg_sq_", lambda s: s if len(s) < 2 else one)
        self.afactor_step = Parameter(Tensor(np.zeros(1, np.float32)), name="afactor_step")

    def construct(self, gradients):
        gradients = self.check_gradients(gradients)
        scope.assign(self.afactor_step, self.afactor_step + 1.0)
        return self.update_decoupled(
            K.adafactor, gradients, [self.exp_avg, self.exp_avg_sq_row, self.exp_avg_sq_col, self.exp_avg_sq], self.afactor_step, *self.eps,
            self.clip_threshold, self.beta1 if self.beta1 > 0 else None, self.decay_rate,
            scale_parameter=self.scale_parameter, relative_step=self.relative_step, warmup_init=self.warmup_init,
        )  # fmt: skip
