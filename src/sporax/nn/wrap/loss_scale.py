"""Training steps with loss scaling, and the Cells that move the scale."""

from sporax import ops
from sporax._core import control, scope
from sporax._core import dtype as mstype
from sporax._core.parameter import Parameter
from sporax._core.tensor import Tensor
from sporax._core.transforms import value_and_grad
from sporax.nn.cell import Cell
from sporax.nn.wrap.train import TrainOneStepCell
from sporax.ops.finite import all_finite


class DynamicLossScaleUpdateCell(Cell):
    """Divides a loss scale by a factor after an overflow, and multiplies it by the factor after some steps without.

    Args:
        loss_scale_value: the scale at the beginning.
        scale_factor: by how much it falls and grows.
        scale_window: after how many steps without overflow it grows.

    Inputs:
        loss_scale: the Parameter that holds the scale; it is changed. The scale never falls below 1.
        overflow: a bool Tensor: whether a gradient was not finite.

    Outputs:
        `overflow`.

    Examples:
        >>> cell = nn.DynamicLossScaleUpdateCell(loss_scale_value=1024, scale_factor=2, scale_window=1000)
        >>> scale = ms.Parameter(Tensor(1024.0), name="scale")
        >>> _ = cell(scale, Tensor(True))
        >>> scale.item()
        512.0
    """

    def __init__(self, loss_scale_value, scale_factor, scale_window):
        super().__init__()
        self.scale_window, self.scale_factor = Tensor(scale_window, mstype.int32), Tensor(scale_factor, mstype.float32)
        self.loss_scale_value = loss_scale_value
        self.cur_iter = Parameter(Tensor(1, mstype.int32), name="current_iterator_step")
        self.last_overflow_iter = Parameter(Tensor(0, mstype.int32), name="last_overflow_iterator_step")
        self._own_scale = Tensor(loss_scale_value, mstype.float32)
        self._updated = False

    def get_loss_scale(self):
        """The scale at the beginning; once `update` has been called, the present one, a Tensor."""
        return self._own_scale if self._updated else self.loss_scale_value

    def update(self, is_finite):
        """Move the Cell's own scale after a step, for programs that have no Parameter for it.

        Args:
            is_finite: whether all gradients were finite, a bool or bool Tensor, as `amp.all_finite(gradients)` gives it.
        """
        self._updated = True
        self.construct(self._own_scale, ~(is_finite if isinstance(is_finite, Tensor) else Tensor(bool(is_finite))))

    def construct(self, loss_scale, overflow):
        """Move the scale and the counters."""
        overflow = overflow if isinstance(overflow, Tensor) else Tensor(bool(overflow))
        scale, last, now = loss_scale + 0, self.last_overflow_iter.value(), self.cur_iter.value()
        smaller = ops.select(overflow, ops.maximum(scale * ops.reciprocal(self.scale_factor), Tensor(1.0, mstype.float32)), scale)
        grows = self.scale_window <= now - last
        scope.assign(self.last_overflow_iter, ops.select(overflow | grows, now, last))
        scope.assign(loss_scale, ops.select(grows & ~overflow, smaller * self.scale_factor, smaller))
        scope.assign(self.cur_iter, now + 1)
        return overflow


class FixedLossScaleUpdateCell(Cell):
    """Leaves a loss scale as it is.

    Args:
        loss_scale_value: the scale.

    Inputs:
        loss_scale: not looked at.
        overflow: whether a gradient was not finite.

    Outputs:
        `overflow`.

    Examples:
        >>> nn.FixedLossScaleUpdateCell(1024).get_loss_scale()
        1024
    """

    def __init__(self, loss_scale_value):
        super().__init__()
        self.loss_scale_value = loss_scale_value

    def get_loss_scale(self):
        """The scale."""
        return self.loss_scale_value

    def update(self, is_finite):
        """The scale is fixed: nothing to do."""

    def construct(self, _, overflow):
        """The scale stays."""
        return overflow


class TrainOneStepWithLossScaleCell(TrainOneStepCell):
    """A training step with loss scaling. A step whose gradients are not finite changes neither parameters nor the optimizer's state.

    Args:
        network: a Cell that returns the loss.
        optimizer: an optimizer; the Parameters it has are differentiated.
        scale_sense: a Cell that moves the scale (`DynamicLossScaleUpdateCell`, `FixedLossScaleUpdateCell`), or a Tensor of shape () or (1,),
            which `set_sense_scale` replaces.

    Inputs:
        *inputs: what the network takes.

    Outputs:
        The loss (not scaled), whether there was an overflow (a bool Tensor), and the present scale.

    Raises:
        TypeError: `scale_sense` is neither a Cell nor a Tensor.
        ValueError: it has another shape.

    Examples:
        >>> net = nn.WithLossCell(nn.Dense(1, 1, weight_init="ones", bias_init="zeros"), nn.MSELoss())
        >>> manager = nn.DynamicLossScaleUpdateCell(loss_scale_value=1024, scale_factor=2, scale_window=1000)
        >>> step = nn.TrainOneStepWithLossScaleCell(net, nn.SGD(net.trainable_params(), 0.1), manager)
        >>> loss, overflow, scale = step(Tensor([[1.0]]), Tensor([[3.0]]))
        >>> loss.item(), overflow.item(), scale.item()
        (4.0, False, 1024.0)
    """

    def __init__(self, network, optimizer, scale_sense):
        super().__init__(network, optimizer, sens=None)
        self.loss_scaling_manager = None
        if isinstance(scale_sense, Cell):
            self.loss_scaling_manager = scale_sense
            self.scale_sense = Parameter(Tensor(scale_sense.get_loss_scale(), mstype.float32), name="scale_sense")
        elif isinstance(scale_sense, Tensor):
            if scale_sense.shape not in ((), (1,)):
                raise ValueError(f"For 'TrainOneStepWithLossScaleCell', the shape of 'scale_sense' must be (1,) or (), but got {scale_sense.shape}.")
            self.scale_sense = Parameter(scale_sense, name="scale_sense")
        else:
            raise TypeError(f"For 'TrainOneStepWithLossScaleCell', the 'scale_sense' must be Cell or Tensor, but got {type(scale_sense).__name__}.")

    def construct(self, *inputs):
        """One step.

        Args:
            *inputs: what the network takes.
        """
        (_, loss), gradients = value_and_grad(self._scaled, None, self.weights, has_aux=True)(*inputs)
        inverse = ops.reciprocal(self.scale_sense).reshape(())
        gradients = self.grad_reducer(tuple([g * inverse.astype(g.dtype) for g in gradients]))
        overflow = self.process_loss_scale(self.get_overflow_status(None, gradients))
        control.run_if(~overflow, lambda: self.optimizer(gradients))
        return loss, overflow, self.scale_sense.value()

    def _scaled(self, *inputs):
        loss = self.network(*inputs)
        return loss * self.scale_sense.reshape(()).astype(loss.dtype), loss

    def set_sense_scale(self, sens):
        """Replace the scale.

        Args:
            sens: a Tensor of the shape and type of the present one.

        Raises:
            TypeError: `sens` is not a Tensor.
        """
        if not isinstance(sens, Tensor):
            raise TypeError(f"For 'TrainOneStepWithLossScaleCell', the type of 'sens' must be Tensor, but got {type(sens).__name__}.")
        self.scale_sense.set_data(sens)

    def start_overflow_check(self, pre_cond, compute_input):
        """For steps that are written by hand: `(status, compute_input)`. Overflows are found in the gradients, so nothing needs to be started."""
        return Tensor([0] * 8, mstype.int32), compute_input

    def get_overflow_status(self, status, compute_output):
        """Whether some of the Tensors in `compute_output` are not finite, a bool Tensor. `status` is not looked at."""
        return ~all_finite(compute_output)

    def process_loss_scale(self, overflow):
        """Let the Cell that moves the scale know; returns `overflow`."""
        return overflow if self.loss_scaling_manager is None else self.loss_scaling_manager(self.scale_sense, overflow)
