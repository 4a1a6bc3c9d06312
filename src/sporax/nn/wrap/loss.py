"""A network together with its loss: for training, for evaluation, for gradients."""

from sporax._core import tree
from sporax._core.dtype import float32
from sporax._core.parameter import Parameter, ParameterTuple
from sporax._core.tensor import Tensor
from sporax._core.transforms import GradFunction, as_tensors
from sporax.nn.cell import Cell


def need_callable(owner, name, thing):
    """A checked Cell or function."""
    if not callable(thing):
        raise TypeError(f"For '{owner}', '{name}' should be a Cell or a function, but got {thing!r} of type {type(thing).__name__}.")
    return thing


def tensor_positions(inputs):
    """Positions of the inputs in which there are tensors (or numbers, which become tensors)."""
    found = []
    for i, x in enumerate(inputs):
        leaves: list = []
        tree.flatten(as_tensors(x), leaves)
        if leaves:
            found.append(i)
    return tuple(found)


class WithLossCell(Cell):
    """The loss of a network: `loss_fn(backbone(data), label)`.

    Args:
        backbone: the network.
        loss_fn: a loss Cell or function.

    Inputs:
        data, label: what the network and the loss take.

    Raises:
        TypeError: one of them cannot be called.

    Examples:
        >>> net = nn.WithLossCell(nn.Dense(1, 1, weight_init="ones", bias_init="zeros"), nn.MSELoss())
        >>> print(net(Tensor([[1.0]]), Tensor([[3.0]])))
        4.0
    """

    def __init__(self, backbone, loss_fn):
        super().__init__(auto_prefix=False)
        self._backbone, self._loss_fn = need_callable("WithLossCell", "backbone", backbone), need_callable("WithLossCell", "loss_fn", loss_fn)

    def construct(self, data, label):
        """The loss.

        Args:
            data: input of the network.
            label: second input of the loss.
        """
        return self._loss_fn(self._backbone(data), label)

    @property
    def backbone_network(self):
        """The network."""
        return self._backbone


class WithEvalCell(Cell):
    """What metrics need: `(loss, outputs, label)`.

    Args:
        network: the network.
        loss_fn: a loss Cell or function; None for no loss: the first output is None.
        add_cast_fp32: whether floating outputs and labels are cast to float32 before the loss. Default: False.

    Inputs:
        data, label: what the network and the loss take.

    Raises:
        TypeError: `add_cast_fp32` is not a bool, or one of the others cannot be called.

    Examples:
        >>> net = nn.WithEvalCell(nn.Dense(1, 1, weight_init="ones", bias_init="zeros"), nn.MSELoss())
        >>> loss, outputs, label = net(Tensor([[1.0]]), Tensor([[3.0]]))
        >>> print(loss, outputs)
        4.0 [[1.]]
    """

    def __init__(self, network, loss_fn, add_cast_fp32=False):
        super().__init__(auto_prefix=False)
        if not isinstance(add_cast_fp32, bool):
            raise TypeError(f"For 'WithEvalCell', the type of 'add_cast_fp32' should be 'bool', but got type '{type(add_cast_fp32).__name__}'.")
        self._network = need_callable("WithEvalCell", "network", network)
        self._loss_fn = None if loss_fn is None else need_callable("WithEvalCell", "loss_fn", loss_fn)
        self.add_cast_fp32 = add_cast_fp32

    def construct(self, data, label):
        """Loss, outputs and label.

        Args:
            data: input of the network.
            label: second input of the loss.
        """
        outputs = self._network(data)
        if self.add_cast_fp32:
            outputs, label = tree.map_tensors(_to_float32, (outputs, label))
        return None if self._loss_fn is None else self._loss_fn(outputs, label), outputs, label


def _to_float32(t):
    return t.astype(float32) if t.dtype.is_floating_point else t


class WithGradCell(Cell):
    """Gradients of the loss by the network's trainable Parameters, a tuple.

    Args:
        network: the network, a Cell.
        loss_fn: a loss; None if the network itself returns the loss. Default: None.
        sens: the gradient of the loss: a number, a Tensor or a tuple of them. Default: None, 1.

    Inputs:
        *inputs: what the network (and the loss) take.

    Raises:
        TypeError: `network` is not a Cell, or `sens` is of another kind.

    Examples:
        >>> net = nn.WithGradCell(nn.Dense(1, 1, weight_init="ones", bias_init="zeros"), nn.MSELoss())
        >>> weight, bias = net(Tensor([[1.0]]), Tensor([[3.0]]))
        >>> print(weight, bias)
        [[-4.]] [-4.]
    """

    def __init__(self, network, loss_fn=None, sens=None):
        super().__init__(auto_prefix=False)
        if not isinstance(network, Cell):
            raise TypeError(f"For 'WithGradCell', 'network' should be a Cell, but got {network!r} of type {type(network).__name__}.")
        if isinstance(sens, bool) or not isinstance(sens, int | float | Tensor | tuple | None):
            raise TypeError(
                f"For 'WithGradCell', 'sens' should be a number, a Tensor, a tuple or None, but got {sens!r} of type {type(sens).__name__}."
            )
        self.network, self.loss_fn = network, loss_fn
        self.weights = network.trainable_params()
        self.sens = sens
        self.network_with_loss = network if loss_fn is None else WithLossCell(network, loss_fn)

    def construct(self, *inputs):
        """The gradients.

        Args:
            *inputs: what the network (and the loss) take.
        """
        given = () if self.sens is None else (self.sens,)
        grad = GradFunction("WithGradCell", self.network_with_loss, None, self.weights, sens_param=self.sens is not None)
        return grad(*inputs, *given)


class ForwardValueAndGrad(Cell):
    """`(value, gradients)` of a network.

    Args:
        network: a Cell or function.
        weights: a tuple or list of Parameters, for `get_by_list`. Default: None.
        get_all: gradients of all inputs (a tuple) instead of the first. Default: False.
        get_by_list: gradients of `weights`; with `get_all`, both: `(of inputs, of weights)`. Default: False.
        sens_param: whether the last input is the gradient of the output, of its shape. Default: False.

    Inputs:
        *inputs: what the network takes, and the gradient of its output with `sens_param`.

    Raises:
        TypeError: an argument is of another kind.

    Examples:
        >>> net = nn.ForwardValueAndGrad(lambda x, y: x * y, get_all=True)
        >>> value, (dx, dy) = net(Tensor(2.0), Tensor(3.0))
        >>> print(value, dx, dy)
        6.0 3.0 2.0
    """

    def __init__(self, network, weights=None, get_all=False, get_by_list=False, sens_param=False):
        super().__init__(auto_prefix=False)
        if not callable(network):
            raise TypeError(
                f"For 'ForwardValueAndGrad', the argument 'network' must be cell, function type or method type, but got '{type(network)}'"
            )
        for name, flag in (("get_all", get_all), ("get_by_list", get_by_list), ("sens_param", sens_param)):
            if not isinstance(flag, bool):
                raise TypeError(f"For 'ForwardValueAndGrad', the type of '{name}' must be bool, but got '{type(flag)}'")
        if get_by_list and not (isinstance(weights, tuple | list) and all(isinstance(p, Parameter) for p in weights)):
            raise TypeError(
                "For 'ForwardValueAndGrad', when 'get_by_list' is set to True, the argument 'weights' must be Parameters array, "
                f"but got '{type(weights)}': give network.trainable_params()."
            )
        self.network = network
        self.weights = ParameterTuple(weights) if get_by_list else weights
        self.get_all, self.get_by_list, self.sens_param = get_all, get_by_list, sens_param

    def construct(self, *inputs):
        """The value and the gradients.

        Args:
            *inputs: what the network takes, and the gradient of its output with `sens_param`.
        """
        differentiable = tensor_positions(inputs[:-1] if self.sens_param else inputs)
        positions = differentiable if self.get_all else None if self.get_by_list else 0
        weights = self.weights if self.get_by_list else None
        grad = GradFunction(
            "ForwardValueAndGrad", self.network, positions, weights, sens_param=self.sens_param, with_value=True, single=not self.get_all
        )
        return grad(*inputs)
