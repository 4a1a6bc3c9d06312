"""Adam and its variants."""

import numpy as np

from sporax._core import scope
from sporax._core.parameter import Parameter
from sporax._core.tensor import Tensor
from sporax._kernels import optim as K
from sporax.nn.optim.optimizer import Optimizer


class _Moments(Optimizer):
    """Two moments and the powers of their decay rates."""

    power_shape: tuple = ()

    def _make_moments(self, beta1, beta2, eps):
        self._float("beta1", beta1, 0.0, 1.0)
        self._float("beta2", beta2, 0.0, 1.0)
        if not isinstance(eps, float):
            raise TypeError(f"For '{type(self).__name__}', the type of 'eps' should be 'float', but got type '{type(eps).__name__}'.")
        if not eps > 0:
            raise ValueError(f"For '{type(self).__name__}', the 'eps' must be float and must > 0, but got '{eps}' with type 'float'.")
        self.beta1, self.beta2, self.eps = beta1, beta2, eps
        self.beta1_power = Parameter(Tensor(np.ones(self.power_shape, np.float32)), name="beta1_power")
        self.beta2_power = Parameter(Tensor(np.ones(self.power_shape, np.float32)), name="beta2_power")
        self.moment1, self.moment2 = self.state_parameters("moment1"), self.state_parameters("moment2")

    def _powers(self):
        for power, beta in ((self.beta1_power, self.beta1), (self.beta2_power, self.beta2)):
            scope.assign(power, power * beta)
        return self.beta1_power.reshape(()), self.beta2_power.reshape(())

    def _adam(self, gradients):
        gradients = self.check_gradients(gradients)
        return self.update(
            K.adam, gradients, [self.moment1, self.moment2], *self._powers(), self.beta1, self.beta2, self.eps, nesterov=self.use_nesterov
        )


class Adam(_Moments):
    """m = b1 m + (1 - b1) g; v = b2 v + (1 - b2) g**2; p = p - lr sqrt(1 - b2**t) / (1 - b1**t) m / (sqrt(v) + eps) (Kingma and Ba, 2015).

    Args:
        params: Parameters or groups, see `Optimizer`.
        learning_rate: see `Optimizer`. Default: 1e-3.
        beta1, beta2: floats in (0, 1). Default: 0.9, 0.999.
        eps: a positive float. Default: 1e-8.
        use_locking: whether MindSpore would lock the update; updates are never concurrent here. Default: False.
        use_nesterov: look ahead (Dozat, 2016). Default: False.
        weight_decay, loss_scale: see `Optimizer`. Default: 0.0, 1.0.
        use_amsgrad: divide by the largest v so far (Reddi et al., 2018). Default: False.
        **kwargs: `use_lazy`, `use_offload`: how MindSpore would compute sparse gradients and where; gradients are dense and the result is the same.

    Raises:
        TypeError, ValueError: a hyper-parameter of the wrong type or out of range.
        KeyError: an unknown keyword.

    Examples:
        >>> p = ms.Parameter(Tensor([1.0]), name="p")
        >>> _ = nn.Adam([p], learning_rate=0.1)((Tensor([5.0]),))
        >>> print(p.value())
        [0.9]
    """

    def __init__(
        self, params, learning_rate=1e-3, beta1=0.9, beta2=0.999, eps=1e-8, use_locking=False, use_nesterov=False, weight_decay=0.0, loss_scale=1.0,
        use_amsgrad=False, **kwargs,
    ):  # fmt: skip
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        unknown = set(kwargs) - {"use_lazy", "use_offload"}
        if unknown:
            raise KeyError(
                f"For 'Adam', invalid keys are passed as kwargs, supported keys are 'use_lazy' and 'use_offload', but got {sorted(unknown)}."
            )
        lazy, offload = (self._bool(k, kwargs.get(k, False)) for k in ("use_lazy", "use_offload"))
        if lazy and offload:
            raise ValueError("For 'Adam', 'use_lazy' and 'use_offload' can not both be True.")
        self._bool("use_locking", use_locking)
        self.use_nesterov, self.use_amsgrad = self._bool("use_nesterov", use_nesterov), self._bool("use_amsgrad", use_amsgrad)
        if use_amsgrad and (lazy or offload):
            raise ValueError("For 'Adam', lazy or offload Adam does not support amsgrad.")
        self._make_moments(beta1, beta2, eps)
        if use_amsgrad:
            self.vhat = self.state_parameters("vhat")

    def construct(self, gradients):
        if not self.use_amsgrad:
            return self._adam(gradients)
        gradients = self.check_gradients(gradients)
        return self.update(K.amsgrad, gradients, [self.moment1, self.moment2, self.vhat], *self._powers(), self.beta1, self.beta2, self.eps)


class LazyAdam(_Moments):
    """`Adam` with its state named as MindSpore's LazyAdam; gradients are dense, so every row is updated. The arguments are those of `Adam`."""

    power_shape = (1,)

    def __init__(
        self, params, learning_rate=1e-3, beta1=0.9, beta2=0.999, eps=1e-8, use_locking=False, use_nesterov=False, weight_decay=0.0, loss_scale=1.0
    ):
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        self._bool("use_locking", use_locking)
        self.use_nesterov = self._bool("use_nesterov", use_nesterov)
        self._make_moments(beta1, beta2, eps)

    def construct(self, gradients):
        return self._adam(gradients)


class AdamOffload(LazyAdam):
    """`Adam` with its state named as MindSpore's AdamOffload; the update runs where the parameters are. The arguments are those of `Adam`."""


class AdamWeightDecay(Optimizer):
    """m = b1 m + (1 - b1) g; v = b2 v + (1 - b2) g**2; p = p - lr (m / (sqrt(v) + eps) + weight_decay p), without bias correction.

    Args:
        params: Parameters or groups, see `Optimizer`.
        learning_rate: see `Optimizer`. Default: 1e-3.
        beta1, beta2: floats in (0, 1). Default: 0.9, 0.999.
        eps: a positive float. Default: 1e-6.
        weight_decay: see `Optimizer`; decoupled from the gradient (Loshchilov and Hutter, 2019). Default: 0.0.
    """

    def __init__(self, params, learning_rate=1e-3, beta1=0.9, beta2=0.999, eps=1e-6, weight_decay=0.0):
        super().__init__(learning_rate, params, weight_decay)
        self._float("beta1", beta1, 0.0, 1.0)
        self._float("beta2", beta2, 0.0, 1.0)
        self._float("eps", eps, 0.0)
        self.beta1, self.beta2, self.eps = beta1, beta2, eps
        self.moments1, self.moments2 = self.state_parameters("adam_m"), self.state_parameters("adam_v")

    def construct(self, gradients):
        return self.update_decoupled(K.adam_weight_decay, gradients, [self.moments1, self.moments2], self.beta1, self.beta2, self.eps)
