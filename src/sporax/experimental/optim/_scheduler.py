"""The base of schedulers, and schedulers one after another."""

from bisect import bisect_right

import numpy as np

from sporax import ops
from sporax._core import dtype as mstype
from sporax._core.parameter import Parameter
from sporax._core.tensor import Tensor
from sporax.experimental.optim.optimizer import Optimizer


def number(value, name):
    """A float32 Parameter of shape ()."""
    return Parameter(Tensor(np.float32(value)), name=name)


def check_optimizer(optimizer):
    if not isinstance(optimizer, Optimizer):
        raise TypeError(f"{type(optimizer).__name__} is not an Optimizer: schedulers work with those of mindspore.experimental.optim and mint.optim.")


def check_type(scheduler, key, value, *kinds):
    """Raise unless a value is of one of the kinds."""
    if not isinstance(value, kinds):
        raise TypeError(
            f"For '{type(scheduler).__name__}', '{key}' should be {' or '.join(k.__name__ for k in kinds)}, but got {value!r} of type "
            f"{type(value).__name__}."
        )


def check_between(scheduler, key, value, zero):
    """Raise unless a factor lies between 0 and 1; `zero`: whether it may be 0."""
    if value > 1.0 or value < 0 or (value == 0 and not zero):
        raise ValueError(f"For '{type(scheduler).__name__}', '{key}' should be in {'[' if zero else '('}0, 1], but got {value}.")


def for_groups(optimizer, value, name):
    """A value for each group: the same for all, or one of a list or tuple."""
    count = len(optimizer.param_groups)
    if not isinstance(value, list | tuple):
        return [value] * count
    if len(value) != count:
        raise ValueError(f"Expected {count} values for {name}, one for each group, but got {len(value)}.")
    return list(value)


class LRScheduler:
    """Base class of schedulers: `get_lr()` of a subclass gives the learning rates of the groups at `self.last_epoch`.

    Args:
        optimizer: an `Optimizer` with groups.
        last_epoch: the epoch before the first step; -1 for a new training. Else the groups need "initial_lr". Default: -1.

    `base_lrs` are the learning rates at the beginning, `_last_lr` the present ones.

    Raises:
        TypeError: not an optimizer, or `last_epoch` is not an int.
        ValueError: `last_epoch` is less than -1.
        KeyError: a group has no "initial_lr".

    Examples:
        >>> class Halves(ms.experimental.optim.lr_scheduler.LRScheduler):
        ...     def get_lr(self):
        ...         return [lr * 0.5 ** self.last_epoch for lr in self.base_lrs]
        >>> opt = ms.experimental.optim.SGD(nn.Dense(2, 1).trainable_params(), lr=1.0)
        >>> scheduler = Halves(opt)
        >>> scheduler.step(), [lr.item() for lr in scheduler.get_last_lr()]
        (True, [0.5])
    """

    def __init__(self, optimizer, last_epoch=-1):
        check_optimizer(optimizer)
        check_type(self, "last_epoch", last_epoch, int)
        if last_epoch < -1:
            raise ValueError(f"Invalid last_epoch: {last_epoch}; it should be at least -1.")
        for i, group in enumerate(optimizer.param_groups):
            if last_epoch == -1:
                group.setdefault("initial_lr", _value(group["lr"]))
            elif "initial_lr" not in group:
                raise KeyError(
                    f"param 'initial_lr' is not specified in param_groups[{i}] when resuming an optimizer: a new training has last_epoch=-1."
                )
        self.base_lrs = [group["initial_lr"] for group in optimizer.param_groups]
        self.optimizer = optimizer
        self.groups_num = len(optimizer.param_groups)
        self.last_epoch = number(last_epoch, f"last_epoch_{type(self).__name__}")
        self.step()

    @property
    def _last_lr(self):
        return [group["lr"] for group in self.optimizer.param_groups]

    def get_lr(self):
        """The learning rates of the groups at `last_epoch`, a list."""
        raise NotImplementedError(f"'{type(self).__name__}' should define get_lr(self).")

    def get_last_lr(self):
        """The present learning rates, a list of Tensors."""
        return [_value(lr) for lr in self._last_lr]

    def step(self, epoch=None):
        """Move to the next epoch, or to `epoch` (an int or Tensor), and set the learning rates; returns True."""
        if epoch is None:
            ops.assign(self.last_epoch, self.last_epoch + 1)
            values = self.get_lr()
        else:
            ops.assign(self.last_epoch, epoch)
            values = getattr(self, "_get_closed_form_lr", self.get_lr)()
        self._set(values)
        return True

    def _set(self, values):
        for i, (group, lr) in enumerate(zip(self.optimizer.param_groups, values, strict=False)):
            if not isinstance(group["lr"], Parameter):
                group["lr"] = self.optimizer.lrs[i]
            ops.assign(group["lr"], lr.astype(mstype.float32) if isinstance(lr, Tensor) else lr)


class SequentialLR:
    """Schedulers one after another.

    Args:
        optimizer: the optimizer of all of them.
        schedulers: a list of them.
        milestones: the epochs at which the second, third... begin: a list of ints.
        last_epoch: the epoch before the first step; -1 for a new training. Default: -1.

    Raises:
        ValueError: a scheduler of another optimizer, or another number of milestones.

    Examples:
        >>> s = ms.experimental.optim.lr_scheduler
        >>> opt = ms.experimental.optim.SGD(nn.Dense(2, 1).trainable_params(), lr=1.0)
        >>> both = s.SequentialLR(opt, [s.ConstantLR(opt, 0.5, 2), s.ExponentialLR(opt, 0.5)], milestones=[2])
        >>> rates = []
        >>> for _ in range(4):
        ...     both.step()
        ...     rates.append(both.get_last_lr()[0].item())
        >>> rates
        [0.5, 1.0, 0.5, 0.25]
    """

    def __init__(self, optimizer, schedulers, milestones, last_epoch=-1):
        for i, scheduler in enumerate(schedulers):
            if scheduler.optimizer is not optimizer:
                raise ValueError(f"All schedulers should belong to the optimizer that SequentialLR gets, but the one at index {i} has another.")
        if len(milestones) != len(schedulers) - 1:
            raise ValueError(f"{len(schedulers)} schedulers need {len(schedulers) - 1} milestones, but got {len(milestones)}.")
        self.optimizer, self.milestones, self._schedulers = optimizer, milestones, schedulers
        self.last_epoch = number(last_epoch + 1, f"last_epoch_{type(self).__name__}")
        for group in optimizer.param_groups:
            ops.assign(group["lr"], group["initial_lr"])
        for scheduler in schedulers:
            ops.assign(scheduler.last_epoch, scheduler.last_epoch - 1)
        schedulers[0].step()

    def step(self):
        """Move to the next epoch: a step of the scheduler whose turn it is."""
        ops.assign(self.last_epoch, self.last_epoch + 1)
        epoch = int(self.last_epoch)
        turn = bisect_right(self.milestones, epoch)
        if turn and self.milestones[turn - 1] == epoch:
            self._schedulers[turn].step(0)
        else:
            self._schedulers[turn].step()

    def get_last_lr(self):
        """The present learning rates, a list of Tensors."""
        return [_value(group["lr"]) for group in self.optimizer.param_groups]


def _value(lr):
    return lr.value() if isinstance(lr, Tensor) else Tensor(np.float32(lr))
