"""Learning rates as functions of the step: Cells of the global step."""

import math

from sporax import ops
from sporax._core.dtype import float32
from sporax._core.tensor import Tensor
from sporax.nn.cell import Cell


def positive(owner, key, value, kind=float, zero=False):
    """A checked positive number of exactly a kind."""
    if isinstance(value, bool) or not isinstance(value, kind):
        raise TypeError(f"For '{owner}', the type of '{key}' should be '{kind.__name__}', but got {value!r} of type '{type(value).__name__}'.")
    if not math.isfinite(value) or value < 0 or (value == 0 and not zero):
        raise ValueError(f"For '{owner}', the '{key}' must be {kind.__name__} and must {'>=' if zero else '>'} 0, but got '{value}'.")
    return value


class LearningRateSchedule(Cell):
    """Base of schedules: `construct(global_step)` returns the learning rate, a 0-d Tensor."""

    def construct(self, global_step):
        raise NotImplementedError(f"'{type(self).__name__}' should define construct(self, global_step).")


def _step(global_step):
    if not isinstance(global_step, Tensor):
        global_step = Tensor(global_step)
    return global_step.astype(float32)


class _Decay(LearningRateSchedule):
    def __init__(self, learning_rate, decay_rate, decay_steps, is_stair=False):
        super().__init__()
        name = type(self).__name__
        self.learning_rate, self.decay_rate = positive(name, "learning_rate", learning_rate), positive(name, "decay_rate", decay_rate)
        self.decay_steps = positive(name, "decay_steps", decay_steps, int)
        if not isinstance(is_stair, bool):
            raise TypeError(f"For '{name}', the type of 'is_stair' should be 'bool', but got {is_stair!r}.")
        self.is_stair = is_stair

    def _progress(self, global_step):
        p = _step(global_step) / self.decay_steps
        return ops.floor(p) if self.is_stair else p


_DOC = """

    Args:
        learning_rate: the start.
        decay_rate: see the formula.
        decay_steps: an int.
        is_stair: round step / decay_steps down. Default: False.
    """


class ExponentialDecayLR(_Decay):
    """learning_rate decay_rate**(step / decay_steps)."""

    __doc__ += _DOC

    def construct(self, global_step):
        return self.learning_rate * ops.pow(self.decay_rate, self._progress(global_step))


class NaturalExpDecayLR(_Decay):
    """learning_rate exp(-decay_rate step), with stairs of decay_steps steps."""

    __doc__ += _DOC

    def construct(self, global_step):
        p = _step(global_step)
        if self.is_stair:
            p = ops.floor(p / self.decay_steps) * self.decay_steps
        return self.learning_rate * ops.exp(-self.decay_rate * p)


class InverseDecayLR(_Decay):
    """learning_rate / (1 + decay_rate step / decay_steps)."""

    __doc__ += _DOC

    def construct(self, global_step):
        return self.learning_rate / (1 + self.decay_rate * self._progress(global_step))


class CosineDecayLR(LearningRateSchedule):
    """min_lr + (max_lr - min_lr) (1 + cos(pi step / decay_steps)) / 2, and min_lr afterwards (Loshchilov and Hutter, 2017).

    Args:
        min_lr, max_lr: the bounds.
        decay_steps: an int.
    """

    def __init__(self, min_lr, max_lr, decay_steps):
        super().__init__()
        self.min_lr, self.max_lr = positive("CosineDecayLR", "min_lr", min_lr, zero=True), positive("CosineDecayLR", "max_lr", max_lr)
        self.decay_steps = positive("CosineDecayLR", "decay_steps", decay_steps, int)
        if min_lr >= max_lr:
            raise ValueError(
                f"For 'CosineDecayLR', the 'max_lr' must be greater than the 'min_lr', but got 'max_lr' value: {max_lr}, 'min_lr' value: {min_lr}."
            )

    def construct(self, global_step):
        p = ops.minimum(_step(global_step), float(self.decay_steps))
        return self.min_lr + 0.5 * (self.max_lr - self.min_lr) * (1.0 + ops.cos(p * (math.pi / self.decay_steps)))


class PolynomialDecayLR(LearningRateSchedule):
    """(learning_rate - end) (1 - step / decay_steps)**power + end.

    Args:
        learning_rate, end_learning_rate: start and end.
        decay_steps: an int.
        power: a positive number.
        update_decay_steps: decay_steps grows to its next multiple above the step. Default: False.
    """

    def __init__(self, learning_rate, end_learning_rate, decay_steps, power, update_decay_steps=False):
        super().__init__()
        name = "PolynomialDecayLR"
        self.learning_rate = positive(name, "learning_rate", learning_rate)
        self.end_learning_rate = positive(name, "end_learning_rate", end_learning_rate, zero=True)
        self.decay_steps, self.power = positive(name, "decay_steps", decay_steps, int), positive(name, "power", power)
        if not isinstance(update_decay_steps, bool):
            raise TypeError(f"For '{name}', the type of 'update_decay_steps' should be 'bool', but got {update_decay_steps!r}.")
        if end_learning_rate >= learning_rate:
            raise ValueError(
                f"For '{name}', the 'end_learning_rate' must be less than the 'learning_rate', but got {end_learning_rate} and {learning_rate}."
            )
        self.update_decay_steps = update_decay_steps

    def construct(self, global_step):
        step, total = _step(global_step), float(self.decay_steps)
        if self.update_decay_steps:
            total = total * ops.maximum(ops.ceil(step / total), 1.0)
        else:
            step = ops.minimum(step, total)
        return (self.learning_rate - self.end_learning_rate) * ops.pow(ops.maximum(1.0 - step / total, 0.0), self.power) + self.end_learning_rate


class WarmUpLR(LearningRateSchedule):
    """learning_rate min(step, warmup_steps) / warmup_steps.

    Args:
        learning_rate: what is reached.
        warmup_steps: an int.
    """

    def __init__(self, learning_rate, warmup_steps):
        super().__init__()
        self.learning_rate = positive("WarmUpLR", "learning_rate", learning_rate)
        self.warmup_steps = positive("WarmUpLR", "warmup_steps", warmup_steps, int)

    def construct(self, global_step):
        return self.learning_rate * (ops.minimum(_step(global_step), float(self.warmup_steps)) / float(self.warmup_steps))
