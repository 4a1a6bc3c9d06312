"""Cells that change Parameters: a training step, and a plain update."""

import inspect
import numbers

from sporax._core import scope, tree
from sporax._core.parameter import Parameter
from sporax._core.tensor import Tensor
from sporax._core.transforms import GradOperation, value_and_grad
from sporax.nn.cell import Cell
from sporax.nn.layer.basic import Identity


class StepGradient:
    """What subclasses call as `self.grad(self.network, self.weights)(*inputs, sens)`: gradients of the weights.

    `sens`, the gradient of the loss, may be left out where the network's `construct` has a fixed number of inputs.
    """

    def __call__(self, network, weights=None):
        """A function of the network's inputs, and perhaps the gradient of its output."""

        def gradients(*args):
            return GradOperation(get_by_list=True, sens_param=_has_sens(network, args))(network, weights)(*args)

        return gradients


def _has_sens(network, args):
    function = network.construct if isinstance(network, Cell) else network
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return True
    if any(p.kind is p.VAR_POSITIONAL for p in parameters):
        return True
    takes = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    return len(args) > len(takes)


class TrainOneStepCell(Cell):
    """A training step: the loss of a network, its gradients, and an update by an optimizer.

    In PyNative each call runs the Python of the network; in GRAPH_MODE the whole step is one executable.

    Args:
        network: a Cell that returns the loss (or several tensors, whose sum is differentiated).
        optimizer: an optimizer; the Parameters it has are differentiated.
        sens: the gradient of the loss, which scales all gradients but not the returned loss. Default: None, 1.
        return_grad: return `(loss, {name of the Parameter: gradient})`. Default: False.

    Inputs:
        *inputs: what the network takes.

    Raises:
        TypeError: an argument is of another kind.
        ValueError: `sens` is 0.

    Examples:
        >>> net = nn.WithLossCell(nn.Dense(1, 1, weight_init="ones", bias_init="zeros"), nn.MSELoss())
        >>> step = nn.TrainOneStepCell(net, nn.SGD(net.trainable_params(), 0.1))
        >>> [round(step(Tensor([[1.0]]), Tensor([[3.0]])).item(), 3) for _ in range(3)]
        [4.0, 1.44, 0.518]
    """

    def __init__(self, network, optimizer, sens=None, return_grad=False):
        super().__init__(auto_prefix=False)
        if not isinstance(network, Cell):
            raise TypeError(f"For 'TrainOneStepCell', 'network' should be a Cell, but got {network!r} of type {type(network).__name__}.")
        if not callable(optimizer) or not hasattr(optimizer, "parameters"):
            raise TypeError(
                "For 'TrainOneStepCell', 'optimizer' should be an optimizer such as nn.SGD(net.trainable_params(), 0.1), "
                f"but got {type(optimizer).__name__}."
            )
        if not isinstance(return_grad, bool):
            raise TypeError(f"For 'TrainOneStepCell', 'return_grad' should be a bool, but got {return_grad!r} of type {type(return_grad).__name__}.")
        if sens is not None and (isinstance(sens, bool) or not isinstance(sens, numbers.Number | Tensor)):
            raise TypeError(f"For 'TrainOneStepCell', 'sens' should be a number, but got {sens!r} of type {type(sens).__name__}.")
        if isinstance(sens, numbers.Number) and sens == 0:
            raise ValueError("The input argument of 'sens' can not be 0: all gradients would be 0.")
        self.network = network
        self.network.set_grad()
        self.optimizer = optimizer
        self.weights = optimizer.parameters
        self.sens, self.return_grad = sens, return_grad
        self.reducer_flag = False
        self.grad, self.grad_no_sens = StepGradient(), GradOperation(get_by_list=True)
        self.grad_reducer = Identity()

    def construct(self, *inputs):
        """The loss before the update.

        Args:
            *inputs: what the network takes.
        """
        if self.sens is None:
            loss, gradients = value_and_grad(self.network, None, self.weights)(*inputs)
        else:
            (_, loss), gradients = value_and_grad(self._scaled_loss, None, self.weights, has_aux=True)(*inputs)
        gradients = self.grad_reducer(gradients)
        self.optimizer(gradients)
        if self.return_grad:
            return loss, {param.name: gradient for param, gradient in zip(self.weights, gradients, strict=True)}
        return loss

    def _scaled_loss(self, *inputs):
        loss = self.network(*inputs)
        return tree.map_tensors(lambda t: t * self.sens, loss), loss


class ParameterUpdate(Cell):
    """Gives a Parameter the value of its input, and returns the input.

    Args:
        param: the Parameter.

    Inputs:
        x: a Tensor of the Parameter's shape; its dtype is converted.

    Raises:
        TypeError: `param` is not a Parameter.
        ValueError: `x` has another shape.

    Examples:
        >>> p = ms.Parameter(Tensor([1.0, 2.0]), name="p")
        >>> _ = nn.ParameterUpdate(p)(Tensor([5.0, 6.0]))
        >>> print(p.value())
        [5. 6.]
    """

    def __init__(self, param):
        super().__init__(auto_prefix=False)
        if not isinstance(param, Parameter):
            raise TypeError(f"For 'ParameterUpdate', 'param' must be 'Parameter', but got {type(param)}.")
        self._param = param

    def construct(self, x):
        """Update the Parameter.

        Args:
            x: the new value.
        """
        if not isinstance(x, Tensor) or x.shape != self._param.shape:
            what = f"a Tensor of shape {x.shape}" if isinstance(x, Tensor) else repr(x)
            raise ValueError(
                f"For 'ParameterUpdate', the new value of '{self._param.name}' should be a Tensor of shape {self._param.shape}, but got {what}."
            )
        scope.assign(self._param, x.astype(self._param.dtype))
        return x
