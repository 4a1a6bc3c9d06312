"""A scheduler that waits until a metric stops improving."""

import numpy as np

from sporax import ops
from sporax._core import dtype as mstype
from sporax._core.parameter import Parameter
from sporax._core.tensor import Tensor
from sporax.experimental.optim._scheduler import LRScheduler, check_optimizer, for_groups, number


class ReduceLROnPlateau:
    """Multiply by `factor` after `patience` epochs in which a metric did not improve.

    Args:
        optimizer: an `Optimizer` with groups.
        mode: whether the metric should become small, "min", or large, "max". Default: "min".
        factor: less than 1. Default: 0.1.
        patience: epochs without improvement that are accepted. Default: 10.
        threshold: an improvement must be larger than this. Default: 1e-4.
        threshold_mode: relative to the best metric, "rel", or absolute, "abs". Default: "rel".
        cooldown: epochs after a change in which none count. Default: 0.
        min_lr: the smallest learning rate, or a list of one for each group. Default: 0.
        eps: a change that is not larger is not made. Default: 1e-8.

    Raises:
        ValueError: `factor` is 1 or more, an unknown mode, or another number of values than groups.
        TypeError: not an optimizer.

    Examples:
        >>> opt = ms.experimental.optim.SGD(nn.Dense(2, 1).trainable_params(), lr=1.0)
        >>> scheduler = ms.experimental.optim.lr_scheduler.ReduceLROnPlateau(opt, factor=0.5, patience=1)
        >>> rates = []
        >>> for loss in (3.0, 2.0, 2.0, 2.0, 1.0):
        ...     _ = scheduler.step(loss)
        ...     rates.append(scheduler.get_last_lr()[0].item())
        >>> rates
        [1.0, 1.0, 1.0, 0.5, 0.5]
    """

    def __init__(self, optimizer, mode="min", factor=0.1, patience=10, threshold=1e-4, threshold_mode="rel", cooldown=0, min_lr=0, eps=1e-8):
        if factor >= 1.0:
            raise ValueError(f"The lr factor should be less than 1.0, but got {factor}.")
        check_optimizer(optimizer)
        if mode not in ("min", "max"):
            raise ValueError(f"`mode` should be 'min' or 'max', but got {mode}.")
        if threshold_mode not in ("rel", "abs"):
            raise ValueError(f"`threshold mode` should be 'rel' or 'abs', but got {threshold_mode}.")
        self.optimizer, self.mode, self.factor, self.patience = optimizer, mode, factor, patience
        self.threshold, self.threshold_mode, self.cooldown, self.eps = threshold, threshold_mode, cooldown, eps
        self.min_lrs = [Tensor(lr, mstype.float32) for lr in for_groups(optimizer, min_lr, "min_lr")]
        self.mode_worse = np.inf if mode == "min" else -np.inf
        self.last_epoch = Parameter(Tensor(np.int32(0)), name=f"last_epoch_{type(self).__name__}")
        self.best, self.cooldown_counter, self.wait = number(self.mode_worse, "best"), number(0, "cooldown_counter"), number(0, "wait")

    _last_lr, get_last_lr, _set = LRScheduler._last_lr, LRScheduler.get_last_lr, LRScheduler._set

    def in_cooldown(self):
        """Whether epochs do not count at present, a Tensor."""
        return self.cooldown_counter > 0

    def step(self, metrics):
        """Take note of an epoch's metric, a number or Tensor with one; returns True."""
        metrics = (metrics if isinstance(metrics, Tensor) else Tensor(metrics)).astype(mstype.float32).reshape(())
        ops.assign(self.last_epoch, self.last_epoch + 1)
        better, cooling = self._is_improvement(metrics, self.best), self.in_cooldown()
        wait = ops.where(better.logical_or(cooling), 0.0, self.wait + 1)
        left = ops.where(cooling, self.cooldown_counter - 1, self.cooldown_counter)
        reduce = wait > self.patience
        ops.assign(self.best, ops.where(better, metrics, self.best))
        ops.assign(self.cooldown_counter, ops.where(reduce, float(self.cooldown), left))
        ops.assign(self.wait, ops.where(reduce, 0.0, wait))
        lower = [ops.maximum(lr * self.factor, low) for lr, low in zip(self._last_lr, self.min_lrs)]
        self._set([ops.where(reduce.logical_and(lr > new + self.eps), new, lr) for lr, new in zip(self._last_lr, lower)])
        return True

    def _is_improvement(self, current, best):
        if self.mode == "min":
            return current < (best * (1.0 - self.threshold) if self.threshold_mode == "rel" else best - self.threshold)
        return current > (best * (1.0 + self.threshold) if self.threshold_mode == "rel" else best + self.threshold)
