"""Cells around networks: loss, evaluation, gradients, and whole training steps."""

from sporax import ops
from sporax._core.dtype import float32
from sporax._core.parameter import Parameter
from sporax._core.tensor import Tensor
from sporax._core.transforms import GradOperation, value_and_grad
from sporax.nn.cell import Cell
from sporax.nn.layer.basic import Identity


def _need_cell(owner, key, cell):
    if not isinstance(cell, Cell) and not callable(cell):
        raise TypeError(f"For '{owner}', '{key}' should be a Cell, but got {cell!r} of type {type(cell).__name__}.")
    return cell


class WithLossCell(Cell):
    """`loss_fn(backbone(data), label)`.

    Args:
        backbone: the network.
        loss_fn: a loss Cell or function.

    Examples:
        >>> net = nn.WithLossCell(nn.Dense(1, 1, weight_init="ones", bias_init="zeros"), nn.MSELoss())
        >>> print(net(Tensor([[1.0]]), Tensor([[3.0]])))
        4.0
    """

    def __init__(self, backbone, loss_fn):
        super().__init__(auto_prefix=False)
        self._backbone, self._loss_fn = _need_cell("WithLossCell", "backbone", backbone), _need_cell("WithLossCell", "loss_fn", loss_fn)

    def construct(self, data, label):
        return self._loss_fn(self._backbone(data), label)

    @property
    def backbone_network(self):
        """The network."""
        return self._backbone


class WithEvalCell(Cell):
    """`(loss, outputs, label)` for evaluation.

    Args:
        network: the network.
        loss_fn: a loss; None for a loss of 0.
        add_cast_fp32: cast outputs and label to float32 first. Default: False.
    """

    def __init__(self, network, loss_fn, add_cast_fp32=False):
        super().__init__(auto_prefix=False)
        if not isinstance(add_cast_fp32, bool):
            raise TypeError(f"For 'WithEvalCell', 'add_cast_fp32' should be a bool, but got {add_cast_fp32!r}.")
        self._network, self._loss_fn, self.add_cast_fp32 = _need_cell("WithEvalCell", "network", network), loss_fn, add_cast_fp32

    def construct(self, data, label):
        outputs = self._network(data)
        if self.add_cast_fp32:
            outputs = outputs.astype(float32)
            label = label.astype(float32) if label.dtype.is_floating_point else label
        loss = Tensor(0.0) if self._loss_fn is None else self._loss_fn(outputs, label)
        return loss, outputs, label


class WithGradCell(Cell):
    """Gradients of the loss with respect to the network's trainable parameters, a tuple.

    Args:
        network: the network.
        loss_fn: a loss; None if the network computes it. Default: None.
        sens: the gradient of the loss, a number or Tensor. Default: None, 1.
    """

    def __init__(self, network, loss_fn=None, sens=None):
        super().__init__(auto_prefix=False)
        self.network, self.loss_fn, self.sens = network, loss_fn, sens
        self.weights = network.trainable_params()

    def construct(self, *inputs):
        def forward(*xs):
            return self.network(*xs) if self.loss_fn is None else self.loss_fn(self.network(*xs[:-1]), xs[-1])

        grad = GradOperation(get_by_list=True, sens_param=self.sens is not None)(forward, self.weights)
        return grad(*inputs) if self.sens is None else grad(*inputs, self.sens)


class ForwardValueAndGrad(Cell):
    """`(loss, gradients)` of a network.

    Args:
        network: the network, which returns the loss.
        weights: Parameters for `get_by_list`. Default: None.
        get_all: gradients of all inputs. Default: False.
        get_by_list: gradients of the weights. Default: False.
        sens_param: the last input of a call is the gradient of the loss. Default: False.

    Raises:
        TypeError: an argument is of the wrong kind.
    """

    def __init__(self, network, weights=None, get_all=False, get_by_list=False, sens_param=False):
        super().__init__(auto_prefix=False)
        if not callable(network):
            raise TypeError(f"For 'ForwardValueAndGrad', the argument 'network' must be Function type or Cell type, but got {type(network).__name__}.")
        for key, value in (("get_all", get_all), ("get_by_list", get_by_list), ("sens_param", sens_param)):
            if not isinstance(value, bool):
                raise TypeError(f"For 'ForwardValueAndGrad', the type of '{key}' should be bool, but got {type(value).__name__}.")
        if get_by_list and (not isinstance(weights, tuple | list) or not all(isinstance(p, Parameter) for p in weights)):
            raise TypeError(f"For 'ForwardValueAndGrad', 'weights' should be a tuple or list of Parameters when 'get_by_list' is True, but got {type(weights).__name__}.")
        self.network, self.weights = network, weights
        self.get_all, self.get_by_list, self.sens_param = get_all, get_by_list, sens_param

    def construct(self, *inputs):
        count = len(inputs) - self.sens_param
        positions = tuple(range(count)) if self.get_all else None if self.get_by_list else 0
        grad = value_and_grad(self.network, positions, self.weights if self.get_by_list else None, sens_param=self.sens_param)
        loss, gradients = grad(*inputs)
        if self.get_all and count == 1:
            # `get_all` always gives a tuple
            gradients = ((gradients[0],), gradients[1]) if self.get_by_list else (gradients,)
        return loss, gradients


class TrainOneStepCell(Cell):
    """A training step: the loss of a network, and an update of its parameters by an optimizer.

    Args:
        network: a Cell that returns the loss.
        optimizer: updates its parameters; only those it has are differentiated.
        sens: the gradient of the loss, a scale factor of all gradients. Default: None, 1.
        return_grad: return `(loss, {name: gradient})`. Default: False.

    Raises:
        TypeError: the network does not return one Tensor.

    Examples:
        >>> net = nn.WithLossCell(nn.Dense(1, 1, weight_init="ones", bias_init="zeros"), nn.MSELoss())
        >>> step = nn.TrainOneStepCell(net, nn.SGD(net.trainable_params(), 0.1))
        >>> [round(step(Tensor([[1.0]]), Tensor([[3.0]])).item(), 3) for _ in range(3)]
        [4.0, 1.44, 0.518]
    """

    def __init__(self, network, optimizer, sens=None, return_grad=False):
        super().__init__(auto_prefix=False)
        if not isinstance(network, Cell):
            raise TypeError(f"For 'TrainOneStepCell', 'network' should be a Cell, but got {type(network).__name__}.")
        if not hasattr(optimizer, "parameters"):
            raise TypeError(f"For 'TrainOneStepCell', 'optimizer' should be an Optimizer, but got {type(optimizer).__name__}.")
        if not isinstance(return_grad, bool):
            raise TypeError(f"For 'TrainOneStepCell', 'return_grad' should be a bool, but got {return_grad!r}.")
        if sens is not None and (isinstance(sens, bool) or not isinstance(sens, int | float | Tensor)):
            raise TypeError(f"For 'TrainOneStepCell', 'sens' should be a number, but got {sens!r}.")
        self.network, self.optimizer = network, optimizer
        self.network.set_grad()
        self.weights = optimizer.parameters
        self.sens, self.return_grad = sens, return_grad
        self.reducer_flag = False
        self.grad_reducer = Identity()

    def construct(self, *inputs):
        sens = () if self.sens is None else (self.sens,)
        if sens:
            # the loss's own structure decides what receives the scale
            loss, grads = self._scaled(inputs)
        else:
            loss, grads = value_and_grad(self.network, None, self.weights)(*inputs)
        grads = self.grad_reducer(grads)
        self.optimizer(grads)
        if self.return_grad:
            return loss, {p.name: g for p, g in zip(self.weights, grads)}
        return loss

    def _scaled(self, inputs):
        def forward(*xs):
            loss = self.network(*xs)
            return loss * self.sens if isinstance(loss, Tensor) else tuple(t * self.sens for t in loss), loss

        (_, loss), grads = value_and_grad(forward, None, self.weights, has_aux=True)(*inputs)
        return loss, grads


class ParameterUpdate(Cell):
    """Writes its input to a Parameter; returns the Parameter.

    Args:
        param: the Parameter.
    """

    def __init__(self, param):
        super().__init__(auto_prefix=False)
        if not isinstance(param, Parameter):
            raise TypeError(f"For 'ParameterUpdate', 'param' should be a Parameter, but got {type(param).__name__}.")
        self._param = param

    def construct(self, x):
        return ops.assign(self._param, x)
