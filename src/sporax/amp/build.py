"""`build_train_network`: a training step from a network, an optimizer, a loss and a level of precision."""

from sporax._core import dtype as mstype
from sporax._core.autocast import cast_floats
from sporax.amp.manager import DynamicLossScaleManager, LossScaleManager
from sporax.amp.precision import AMP_BLACK_LIST, _lower_others, auto_mixed_precision
from sporax.nn.cell import Cell
from sporax.nn.wrap import TrainOneStepCell, WithLossCell
from sporax.nn.wrap.loss_scale import TrainOneStepWithLossScaleCell

# (keep_batchnorm_fp32, cast_model_type, loss_scale_manager) of each level
_LEVELS = {
    "O0": (False, mstype.float32, None),
    "O1": (False, mstype.float32, None),
    "O2": (True, mstype.float16, DynamicLossScaleManager),
    "O3": (False, mstype.float16, None),
    "auto": (False, mstype.float32, None),
}
_KEYS = ("keep_batchnorm_fp32", "cast_model_type", "loss_scale_manager")


class _WithFloatLoss(Cell):
    """A network and its loss, which is computed in float32."""

    def __init__(self, backbone, loss_fn):
        super().__init__(auto_prefix=False)
        self._backbone, self._loss_fn = backbone, loss_fn

    def construct(self, data, label):
        return self._loss_fn(cast_floats(self._backbone(data), mstype.float32), cast_floats(label, mstype.float32))


class _Divide(Cell):
    """Gradients divided by a number."""

    def __init__(self, scale):
        super().__init__()
        self.inverse = 1.0 / scale

    def construct(self, gradients):
        return tuple([g * self.inverse for g in gradients])


def build_train_network(network, optimizer, loss_fn=None, level="O0", boost_level="O0", **kwargs):
    """A training step in mixed precision: call it with the network's inputs and the label.

    Args:
        network: a Cell; it gives the loss itself if `loss_fn` is None.
        optimizer: an optimizer.
        loss_fn: a Cell of the network's output and the label. Default: None.
        level: "O0", "O1", "O2", "O3" or "auto", see `auto_mixed_precision`. Default: "O0".
        boost_level: "O0"; the levels of MindSpore's boost are not there. Default: "O0".
        **kwargs: `cast_model_type` (float16 or float32), `keep_batchnorm_fp32` (bool) and `loss_scale_manager` replace what the level says. "O2" has a
            `DynamicLossScaleManager`; the others have none.

    Returns:
        A Cell in training mode. With a loss scale manager that leaves out steps with overflow it returns (loss, overflow, scale), else the loss.

    Raises:
        TypeError: an argument is of another kind.
        ValueError: an unknown level or keyword, or the optimizer's `loss_scale` is neither 1 nor that of a manager that does not leave out
            steps.

    Examples:
        >>> from sporax import amp
        >>> net = nn.Dense(1, 1, weight_init="ones", bias_init="zeros")
        >>> step = amp.build_train_network(net, nn.SGD(net.trainable_params(), 0.1), nn.MSELoss(), "O3")
        >>> step(Tensor([[1.0]]), Tensor([[3.0]])).item()
        4.0
    """
    if not isinstance(network, Cell):
        raise TypeError(f"For 'build_train_network', 'network' should be a Cell, but got {network!r} of type {type(network).__name__}.")
    if not isinstance(level, str):
        raise TypeError(f"The argument 'level' must be a string in {list(_LEVELS)}, but got {level!r} of type {type(level).__name__}.")
    if level not in _LEVELS:
        raise ValueError(f"The argument 'level' must be in {list(_LEVELS)}, but got {level!r}.")
    if boost_level not in ("O0", "O1", "O2"):
        raise ValueError(f"The argument 'boost_level' must be in ['O0', 'O1', 'O2'], but got {boost_level!r}.")
    if boost_level != "O0":
        raise ValueError(
            f"'boost_level' {boost_level!r} would change how networks are trained, which is not there: leave it at 'O0'."
        )
    keep, cast, manager = _settings(level, kwargs)
    network = _in_precision(network, level, keep, cast)
    if loss_fn is not None:
        if not isinstance(loss_fn, Cell):
            raise TypeError(f"For 'build_train_network', 'loss_fn' should be a Cell, but got {loss_fn!r} of type {type(loss_fn).__name__}.")
        low = cast is mstype.float16 or network.__dict__.get("_amp_level") in ("O2", "O3", "auto")
        network = (_WithFloatLoss if low else WithLossCell)(network, loss_fn)
    if manager is None:
        return TrainOneStepCell(network, optimizer).set_train()
    cell = manager.get_update_cell()
    if cell is not None:
        return TrainOneStepWithLossScaleCell(network, optimizer, scale_sense=cell).set_train()
    return _with_fixed_scale(network, optimizer, manager.get_loss_scale()).set_train()


def _settings(level, given):
    for key in given:
        if key not in _KEYS:
            raise ValueError(f"Unsupported arg {key!r}: 'build_train_network' takes {', '.join(_KEYS)}.")
    keep, cast, manager = _LEVELS[level]
    keep, cast = given.get("keep_batchnorm_fp32", keep), given.get("cast_model_type", cast)
    if not isinstance(keep, bool):
        raise TypeError(f"'keep_batchnorm_fp32' should be a bool, but got {keep!r} of type {type(keep).__name__}.")
    if cast is not mstype.float16 and cast is not mstype.float32:
        raise TypeError(f"'cast_model_type' should be mindspore.float16 or mindspore.float32, but got {cast!r}.")
    manager = given["loss_scale_manager"] if "loss_scale_manager" in given else manager and manager()
    if manager is not None and not isinstance(manager, LossScaleManager):
        raise TypeError(f"'loss_scale_manager' should be a LossScaleManager or None, but got {manager!r} of type {type(manager).__name__}.")
    return keep, cast, manager


def _in_precision(network, level, keep, cast):
    if cast is mstype.float16 or (level == "O2" and not keep):
        if level in ("O2", "O3") and keep == (level == "O2"):
            return auto_mixed_precision(network, level)
        _lower_others(network, AMP_BLACK_LIST if keep else [], mstype.float16)
        return network
    return network if level in ("O2", "O3") else auto_mixed_precision(network, level)


def _with_fixed_scale(network, optimizer, scale):
    """A step whose gradients are scaled, and unscaled by the optimizer if that was told to, else by the step."""
    told = float(getattr(optimizer, "loss_scale", 1.0))
    if told not in (1.0, float(scale)):
        raise ValueError(
            f"The loss scale manager has the scale {scale}, but the optimizer has loss_scale={told}: give the optimizer loss_scale={float(scale)}, or leave "
            "it at 1.0 and the step divides the gradients itself."
        )
    step = TrainOneStepCell(network, optimizer, float(scale))
    if told == 1.0 and scale != 1:
        step.grad_reducer = _Divide(float(scale))
    return step
