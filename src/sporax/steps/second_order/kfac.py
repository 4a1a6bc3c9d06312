"""K-FAC: the Fisher matrix of each Dense and Conv2d layer as a Kronecker product of two small matrices.

The factors come from the tape: it knows the input of every product with a weight, and the backward pass that gives the gradients also gives those of the
layers' outputs. So any network does, with no hooks and no layers of its own kind.
"""

import numpy as np

from sporax import ops
from sporax._core.dispatch import apply
from sporax._core.parameter import Parameter
from sporax._core.scope import assign, current
from sporax._core.tape import backward, recording, seed_like, zeros_like
from sporax._core.tensor import Tensor, wrap
from sporax._core.transforms import as_tensors
from sporax._kernels import conv, linalg, optim
from sporax._kernels import second_order as K
from sporax.nn.cell import Cell
from sporax.nn.layer.basic import Dense
from sporax.nn.layer.conv import Conv2d
from sporax.nn.optim.optimizer import Optimizer
from sporax.steps.second_order.variables import call_whole, check_function


class KFAC(Optimizer):
    """Gradients times the inverses of Kronecker factors of the Fisher matrix, then momentum (Martens and Grosse, 2015; Grosse and Martens, 2016).

    `loss = optimizer(x, *targets)` does a whole step. Parameters that belong to no Dense or Conv2d layer (or to one with groups) get their plain gradient.

    Args:
        net: the network; `net(x)` gives one Tensor. Its trainable parameters are updated.
        loss_fn: `loss_fn(net(x), *targets)` returns the mean loss of the batch.
        learning_rate: see `Optimizer`. Default: 0.01.
        momentum: a float in [0, 1). Default: 0.9.
        damping: a positive number lambda, in the factors as A + pi sqrt(lambda) and G + sqrt(lambda) / pi. Default: 1e-3.
        decay: a float in [0, 1), of the moving averages of the factors. Default: 0.95.
        weight_decay: see `Optimizer`. Default: 0.0.
        fisher: "empirical", from the gradients of the loss, or "sampled": from labels drawn from the softmax of the output, the true Fisher
            matrix of a classifier, for one more backward pass. Default: "empirical".

    Raises:
        TypeError: `net` is no Cell, or `loss_fn` cannot be called.
        ValueError: a number is out of range, or another `fisher`.

    Examples:
        >>> from sporax.steps import KFAC
        >>> net = nn.Dense(2, 1, weight_init="zeros", bias_init="zeros")
        >>> opt = KFAC(net, nn.MSELoss(), learning_rate=0.5, momentum=0.0)
        >>> x, y = Tensor([[1.0, 0.0], [0.0, 1.0]]), Tensor([[1.0], [2.0]])
        >>> first = [opt(x, y).item() for _ in range(20)][0]
        >>> first, nn.MSELoss()(net(x), y).item() < 0.1
        (2.5, True)
    """

    def __init__(self, net, loss_fn, learning_rate=0.01, momentum=0.9, damping=1e-3, decay=0.95, weight_decay=0.0, fisher="empirical"):
        if not isinstance(net, Cell):
            raise TypeError(f"For 'KFAC', 'net' should be a Cell, but got {type(net).__name__}.")
        check_function("KFAC", loss_fn)
        super().__init__(learning_rate, net.trainable_params(), weight_decay)
        if fisher not in ("empirical", "sampled"):
            raise ValueError(f"For 'KFAC', 'fisher' should be 'empirical' or 'sampled', but got {fisher!r}.")
        self.__dict__["_net"], self.__dict__["_loss_fn"] = net, loss_fn
        self.fisher = fisher
        self.momentum = self._float("momentum", momentum, 0.0, 1.0, closed=True)
        self.decay = self._float("decay", decay, 0.0, 1.0, closed=True)
        self.damping = Parameter(Tensor(np.float32(self._positive("damping", damping))), name="damping", requires_grad=False)
        self.moments = self.state_parameters("moments")
        self.__dict__["_layers"] = layers = _layers_of(net, self._parameters)
        dtypes = [np.float64 if str(layer.weight.dtype) == "Float64" else np.float32 for layer in layers]
        self.input_factors = _factors(
            "input_factor", layers, dtypes, [layer.weight.size // layer.weight.shape[0] + (layer.bias is not None) for layer in layers]
        )
        self.output_factors = _factors("output_factor", layers, dtypes, [layer.weight.shape[0] for layer in layers])

    def construct(self, *batch):
        return call_whole("KFAC", self._step, self._step, (), tuple(as_tensors(b) for b in batch), always=True)

    def _step(self, x, *targets):
        scope = current()
        if scope is not None:
            for p in self._parameters:
                scope.read(p)
        roots = [p._value for p in self._parameters]
        with recording(roots) as tape:
            out = self.__dict__["_net"](x)
            loss = self.__dict__["_loss_fn"](out, *targets)
        if not isinstance(loss, Tensor) or loss.size != 1:
            raise ValueError("For 'KFAC', the loss should be one number: the mean over the batch.")
        uses = _uses(tape, self._layers)
        outputs = [node.outs[0] for nodes in uses for node in nodes]
        found = backward(tape, [(loss._value, seed_like(loss))], [*roots, *outputs])
        grads = [zeros_like(v) if g is None else g for g, v in zip(found, roots, strict=False)]
        slopes = found[len(roots) :]
        if self.fisher == "sampled":
            cotangent = apply(K.sample_cotangent, (out, ops.rand(*out.shape)))
            slopes = backward(tape, [(out._value, cotangent)], outputs)
        slopes = iter(slopes)
        position = {id(p): i for i, p in enumerate(self._parameters)}
        for i, (layer, nodes) in enumerate(zip(self._layers, uses, strict=True)):
            a = g = None
            for node in nodes:
                slope = next(slopes)
                if slope is None:
                    continue
                a, g = _plus(a, _input_factor(node, layer)), _plus(g, apply(K.output_factor, (slope,), axis=1 if layer.conv else -1))
            if a is None or g is None:
                continue
            for old, new in ((self.input_factors[i], a), (self.output_factors[i], g)):
                assign(old, apply(K.averaged, (old, new.astype(old.dtype), self.global_step, self.decay)))
            w = position[id(layer.weight)]
            b = None if layer.bias is None else position[id(layer.bias)]
            factors = (self.input_factors[i], self.output_factors[i], self.damping)
            direction = apply(K.kronecker_direction, (grads[w], None if b is None else grads[b], *factors))
            grads[w] = direction[0]
            if b is not None:
                grads[b] = direction[1]
        self.update(optim.momentum, tuple(grads), [self.moments], self.momentum, nesterov=False)
        return loss


class _Layer:
    """The parameters of one layer that has factors."""

    def __init__(self, weight, bias, conv):
        self.weight, self.bias, self.conv = weight, bias, conv


def _layers_of(net, parameters):
    mine, found = {id(p) for p in parameters}, []
    for _, cell in net.cells_and_names():
        if not isinstance(cell, Dense | Conv2d) or (isinstance(cell, Conv2d) and cell.group != 1):
            continue
        bias = cell.bias if cell.has_bias and id(cell.bias) in mine else None
        if id(cell.weight) in mine and all(layer.weight is not cell.weight for layer in found):
            found.append(_Layer(cell.weight, bias, isinstance(cell, Conv2d)))
    return found


def _factors(name, layers, dtypes, sizes):
    from sporax._core.parameter import ParameterTuple

    rows = zip(layers, dtypes, sizes, strict=True)
    return ParameterTuple([Parameter(Tensor(np.zeros((n, n), d)), name=f"{name}.{layer.weight.name}", requires_grad=False) for layer, d, n in rows])


def _uses(tape, layers):
    """For each layer the ops of the tape that multiply by its weight."""
    of = {id(layer.weight._value): [] for layer in layers}
    for node in tape.nodes:
        if node.kernel in (linalg.dense, conv.conv) and id(node.inputs[1]) in of:
            of[id(node.inputs[1])].append(node)
    return [of[id(layer.weight._value)] for layer in layers]


def _input_factor(node, layer):
    x, bias = wrap(node.inputs[0]), layer.bias is not None
    if not layer.conv:
        return apply(K.input_factor_dense, (x,), bias=bias)
    static = {k: node.static[k] for k in ("stride", "padding", "dilation")}
    return apply(K.input_factor_conv, (x,), bias=bias, kernel=tuple(layer.weight.shape[2:]), **static)


def _plus(total, new):
    return new if total is None else total + new
