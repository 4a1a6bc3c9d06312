"""SophiaG: a diagonal curvature, estimated now and then, and steps that are clipped."""

from sporax import ops
from sporax._core.dispatch import apply
from sporax._core.scope import assign
from sporax._core.tape import backward, recording, zeros_like
from sporax._core.tensor import Tensor
from sporax._core.transforms import as_tensors
from sporax._kernels import second_order as K
from sporax.nn.optim.optimizer import Optimizer
from sporax.steps.second_order.variables import call_whole, check_function


class SophiaG(Optimizer):
    """p = p - lr clip(m / max(gamma h, eps), 1), m a moving average of gradients and h one of the Gauss-Newton diagonal (Liu et al., 2024).

    `optimizer(gradients)` at every step, `optimizer.update_hessian(net, *inputs)` at every tenth or so. Before the first, h is zero and the
    steps are those of the sign of m.

    Args:
        params: Parameters or groups, see `Optimizer`.
        learning_rate: see `Optimizer`. Default: 1e-3.
        beta1, beta2: floats in (0, 1), of m and h. Default: 0.96, 0.99.
        gamma: a positive float; the smaller, the more elements are clipped. Default: 0.05.
        eps: a positive float. Default: 1e-12.
        weight_decay: see `Optimizer`; decoupled. Default: 0.0.

    Examples:
        >>> from sporax.steps import SophiaG
        >>> p = ms.Parameter(Tensor([1.0]), name="p")
        >>> opt = SophiaG([p], 0.5)
        >>> _ = opt((Tensor([3.0]),))
        >>> print(p.value())
        [0.5]
    """

    def __init__(self, params, learning_rate=1e-3, beta1=0.96, beta2=0.99, gamma=0.05, eps=1e-12, weight_decay=0.0):
        super().__init__(learning_rate, params, weight_decay)
        self.beta1, self.beta2 = self._float("beta1", beta1, 0.0, 1.0), self._float("beta2", beta2, 0.0, 1.0)
        self.gamma, self.eps = self._float("gamma", gamma, 0.0), self._float("eps", eps, 0.0)
        self.moments, self.curvature = self.state_parameters("sophia_m"), self.state_parameters("sophia_h")

    def construct(self, gradients):
        return self.update_decoupled(K.sophia, gradients, [self.moments, self.curvature], self.beta1, self.gamma, self.eps)

    def update_hessian(self, net, *inputs):
        """Take the estimate of one batch into h: B g², g the gradient of the cross entropy at labels drawn from the network's own distribution.

        Args:
            net: a function or Cell; `net(*inputs)` gives logits (..., classes), a row for each of the B predictions.
            *inputs: its arguments.

        Raises:
            TypeError: `net` cannot be called, or does not return a Tensor.
        """
        check_function("update_hessian", net)
        inputs = tuple(as_tensors(x) for x in inputs)
        return call_whole("update_hessian", lambda *xs: self._estimate(net, xs), net, id(self), inputs)

    def _estimate(self, net, inputs):
        roots = [p._value for p in self._read()]
        with recording(roots) as tape:
            logits = net(*inputs)
        if not isinstance(logits, Tensor) or logits.ndim < 2:
            raise TypeError("For 'update_hessian', the network should return logits, one Tensor (..., classes).")
        cotangent = apply(K.sample_cotangent, (logits, ops.rand(*logits.shape)))
        count = logits.size // logits.shape[-1]
        for h, p, g in zip(self.curvature, self._parameters, backward(tape, [(logits._value, cotangent)], roots), strict=True):
            assign(h, apply(K.sophia_curvature, (h, zeros_like(p) if g is None else g, float(count), self.beta2)).astype(h.dtype))

    def _read(self):
        """The parameters, read in the trace in progress."""
        from sporax._core.scope import current

        scope = current()
        if scope is not None:
            for p in self._parameters:
                scope.read(p)
        return self._parameters
