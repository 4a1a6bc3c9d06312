"""Newton's method without a matrix: conjugate gradients on products with the Hessian or the Gauss-Newton matrix (Martens, 2010)."""

import numpy as np

from sporax import ops
from sporax._core.parameter import Parameter
from sporax._core.scope import assign
from sporax._core.solve import conjugate_gradients
from sporax._core.tape import zeros_like
from sporax._core.tensor import Tensor
from sporax._core.transforms import GradFunction, as_tensors
from sporax._kernels import second_order as K
from sporax.nn.optim.optimizer import Optimizer
from sporax.steps.second_order.products import gauss_newton_product, product
from sporax.steps.second_order.variables import call_whole, check_function, function_of


class NewtonCG(Optimizer):
    """p = p - lr d with (H + damping) d = gradient, solved by conjugate gradients. One call is one executable, and gives the loss before.

    The damping follows Levenberg and Marquardt: less where the quadratic model foretold the decrease of the loss, more where it did not. A step
    that would not make the loss smaller is not taken.

    Args:
        params: Parameters or groups, see `Optimizer`.
        loss_fn: `loss_fn(*batch)` returns one number. With `net`: `loss_fn(output, *targets)`.
        net: None: H is the Hessian. A function or Cell: H is the Gauss-Newton matrix of `loss_fn(net(x), *targets)`, which is never indefinite where
            the loss is convex; the batch is `(x, *targets)`. Default: None.
        learning_rate: see `Optimizer`. Default: 1.0.
        damping: a number, at least 0, to start with. Default: 1e-2.
        maxiter: the most products per step. Default: 20.
        tolerance: the relative residual that is enough. Default: 1e-3.
        adapt: whether damping changes and steps may be refused. Default: True.

    Raises:
        TypeError: `loss_fn` or `net` cannot be called.
        ValueError: a number is out of range.

    Examples:
        >>> from sporax.steps import NewtonCG
        >>> p = ms.Parameter(Tensor([3.0, -2.0]), name="p")
        >>> opt = NewtonCG([p], lambda: (Tensor([1.0, 10.0]) * (p - 1) ** 2).sum(), damping=0.0)
        >>> print(opt(), p.value().round())
        94.0 [1. 1.]
    """

    def __init__(self, params, loss_fn, net=None, learning_rate=1.0, damping=1e-2, maxiter=20, tolerance=1e-3, adapt=True):
        super().__init__(learning_rate, params)
        check_function("NewtonCG", loss_fn)
        if net is not None:
            check_function("NewtonCG", net)
        if isinstance(maxiter, bool) or not isinstance(maxiter, int) or maxiter < 1:
            raise ValueError(f"For 'NewtonCG', 'maxiter' should be a positive int, but got {maxiter!r}.")
        # not among the Cells and Parameters of the optimizer: they belong to the network
        self.__dict__["_loss_fn"], self.__dict__["_net"] = loss_fn, net
        self.maxiter, self.tolerance, self.adapt = maxiter, self._positive("tolerance", tolerance, zero=True), self._bool("adapt", adapt)
        start = np.float32(self._positive("damping", damping, zero=True))
        self.damping = Parameter(Tensor(start), name="damping", requires_grad=False)

    def construct(self, *batch):
        return call_whole("NewtonCG", self._step, self._step, (), tuple(as_tensors(b) for b in batch), always=True)

    def _step(self, *batch):
        weights, net, loss_fn = tuple(self._parameters), self.__dict__["_net"], self.__dict__["_loss_fn"]
        if net is None:
            f, xs = function_of(loss_fn, batch, weights, "NewtonCG")
        else:
            f, xs = function_of(lambda x, *targets: loss_fn(net(x), *targets), batch, weights, "NewtonCG")
            z, _ = function_of(net, batch[:1], weights)

        def curvature(*vs):
            return product(f, xs, vs) if net is None else gauss_newton_product(z, loss_fn, xs, vs, batch[1:])

        loss, grads = GradFunction("value_and_grad", f, tuple(range(len(xs))), None, with_value=True, single=False)(*xs)
        damping = self.damping.value()

        def damped(*vs):
            return [h + damping.astype(v.dtype) * v for h, v in zip(curvature(*vs), vs, strict=True)]

        d = conjugate_gradients(damped, list(grads), [zeros_like(g) for g in grads], self.maxiter, self.tolerance)[: len(xs)]
        if self.adapt:
            rates = self._rate_tensors()
            moves = [di * rates[i].astype(di.dtype) for di, i in zip(d, self._lr_of, strict=True)]
            after = f(*[x - m for x, m in zip(xs, moves, strict=True)])
            slope = sum((g * m).sum() for g, m in zip(grads, moves, strict=True))
            bend = sum((h * m).sum() for h, m in zip(curvature(*moves), moves, strict=True))
            ratio = ((loss - after) / (slope - bend / 2)).astype(damping.dtype)
            taken = after < loss
            factor = ops.where(taken & (ratio > 0.75), 2 / 3, ops.where(taken & (ratio >= 0.25), 1.0, 1.5)).astype(damping.dtype)
            # zero damping that is too little becomes some
            assign(self.damping, ops.where(factor > 1, ops.maximum(damping, 1e-6), damping) * factor)
            d = [ops.where(taken, di, zeros_like(di)) for di in d]
        self.update(K.descend, tuple(d), [])
        return loss
