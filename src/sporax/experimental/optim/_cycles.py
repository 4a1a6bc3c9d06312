"""Schedulers that go up and down: cosines with and without restarts, and triangles."""

import math

from sporax import ops
from sporax._core import dtype as mstype
from sporax._core.tensor import Tensor
from sporax.experimental.optim._scheduler import LRScheduler, check_optimizer, check_type, for_groups, number


class CosineAnnealingLR(LRScheduler):
    """lr = eta_min + (base - eta_min) (1 + cos(pi epoch / T_max)) / 2 (Loshchilov and Hutter, 2017), computed from the last learning rate.

    Args:
        optimizer: an `Optimizer` with groups.
        T_max: an int: epochs from the largest to the smallest learning rate.
        eta_min: an int or float: the smallest. Default: 0.0.
        last_epoch: see `LRScheduler`. Default: -1.

    Raises:
        TypeError: an argument of the wrong kind.
    """

    def __init__(self, optimizer, T_max, eta_min=0.0, last_epoch=-1):
        check_type(self, "eta_min", eta_min, float, int)
        check_type(self, "T_max", T_max, int)
        self.T_max, self.eta_min = T_max, eta_min
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        epoch, low = self.last_epoch, self.eta_min
        rising = (epoch - 1 - self.T_max) % (2 * self.T_max) == 0
        ratio = (1 + self._cos(epoch)) / (1 + self._cos(epoch - 1))
        rise = (1 - math.cos(math.pi / self.T_max)) / 2
        later = [ops.where(rising, lr + (base - low) * rise, ratio * (lr - low) + low) for base, lr in zip(self.base_lrs, self._last_lr)]
        return [ops.where(epoch == 0, lr * 1.0, after) for lr, after in zip(self._last_lr, later)]

    def _get_closed_form_lr(self):
        return [self.eta_min + (base - self.eta_min) * (1 + self._cos(self.last_epoch)) / 2 for base in self.base_lrs]

    def _cos(self, epoch):
        return ops.cos(math.pi * epoch / self.T_max)


class CosineAnnealingWarmRestarts(LRScheduler):
    """lr = eta_min + (base - eta_min) (1 + cos(pi T_cur / T_i)) / 2; after T_i epochs it begins again (Loshchilov and Hutter, 2017).

    Args:
        optimizer: an `Optimizer` with groups.
        T_0: a positive int: epochs to the first restart.
        T_mult: a positive int: factor of the epochs after each restart. Default: 1.
        eta_min: an int or float: the smallest learning rate. Default: 0.
        last_epoch: see `LRScheduler`. Default: -1.

    Raises:
        ValueError: `T_0` or `T_mult` is not a positive int.
        TypeError: `eta_min` is not a number.
    """

    def __init__(self, optimizer, T_0, T_mult=1, eta_min=0, last_epoch=-1):
        for key, value in (("T_0", T_0), ("T_mult", T_mult)):
            if not isinstance(value, int) or value < 1:
                raise ValueError(f"{key} should be a positive int, but got {value!r}.")
        check_type(self, "eta_min", eta_min, float, int)
        self.T_0, self.T_i, self.T_cur = number(T_0, "T_0"), number(T_0, "T_i"), number(last_epoch, "T_cur")
        self._first, self.T_mult, self.eta_min = T_0, T_mult, eta_min
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        height = (1 + ops.cos(math.pi * self.T_cur / self.T_i)) / 2
        return [self.eta_min + (base - self.eta_min) * height for base in self.base_lrs]

    def step(self, epoch=None):
        """Move to the next epoch, or to `epoch` (a number that is not negative, also a fraction), and set the learning rates."""
        if epoch is None:
            ops.assign(self.last_epoch, self.last_epoch + 1)
            over = self.T_cur + 1 >= self.T_i
            ops.assign(self.T_cur, ops.where(over, self.T_cur + 1 - self.T_i, self.T_cur + 1))
            ops.assign(self.T_i, ops.where(over, self.T_i * self.T_mult, self.T_i))
        else:
            epoch = float(epoch)
            if epoch < 0:
                raise ValueError(f"epoch should be a non-negative integer, but got {epoch}.")
            restarts, length, past = 0, self._first, epoch
            if self.T_mult == 1:
                past = epoch % self._first
            elif epoch >= self._first:
                restarts = int(math.log(epoch / self._first * (self.T_mult - 1) + 1, self.T_mult))
                past = epoch - self._first * (self.T_mult**restarts - 1) / (self.T_mult - 1)
                length = self._first * self.T_mult**restarts
            ops.assign(self.T_cur, past)
            ops.assign(self.T_i, length)
            ops.assign(self.last_epoch, math.floor(epoch))
        self._set(self.get_lr())


class CyclicLR(LRScheduler):
    """The learning rate goes from `base_lr` to `max_lr` and back, again and again (Smith, 2017).

    Args:
        optimizer: an `Optimizer` with groups.
        base_lr, max_lr: floats, or lists of one for each group.
        step_size_up: epochs of the rise. Default: 2000.
        step_size_down: epochs of the fall. Default: None, those of the rise.
        mode: "triangular"; "triangular2": the height is halved after each cycle; "exp_range": it is multiplied by `gamma` at each epoch. Without
            effect beside `scale_fn`. Default: "triangular".
        gamma: default 1.0.
        scale_fn: the factor of the height, a function of what `scale_mode` says, for a mode of one's own. Default: None.
        scale_mode: "cycle" (from 1) or "iterations" (from 0). Default: "cycle".
        last_epoch: see `LRScheduler`. Default: -1.

    Raises:
        ValueError: an unknown mode without `scale_fn`, or another number of values than groups.
    """

    def __init__(
        self, optimizer, base_lr, max_lr, step_size_up=2000, step_size_down=None, mode="triangular", gamma=1.0, scale_fn=None, scale_mode="cycle",
        last_epoch=-1,
    ):  # fmt: skip
        check_optimizer(optimizer)
        base_lrs = for_groups(optimizer, base_lr, "base_lr")
        self.max_lrs = for_groups(optimizer, max_lr, "max_lr")
        if scale_fn is None and mode not in ("triangular", "triangular2", "exp_range"):
            raise ValueError(f"mode is invalid and scale_fn is None: 'mode' should be 'triangular', 'triangular2' or 'exp_range', but got {mode!r}.")
        if last_epoch == -1:
            for lr, group in zip(base_lrs, optimizer.param_groups):
                ops.assign(group["lr"], lr)
        up = float(step_size_up)
        self.total_step_size = up + (up if step_size_down is None else float(step_size_down))
        self.step_up_ratio = up / self.total_step_size
        self.mode, self.gamma, self._scale_fn_custom = mode, gamma, scale_fn
        self.scale_mode = scale_mode if scale_fn is not None else "iterations" if mode == "exp_range" else "cycle"
        self._bases = [Tensor(lr, mstype.float32) for lr in base_lrs]
        super().__init__(optimizer, last_epoch)
        self.base_lrs = self._bases

    def scale_fn(self, x):
        """The factor of the height at cycle or epoch `x`."""
        if self._scale_fn_custom is not None:
            return self._scale_fn_custom(x)
        return {"triangular": lambda: 1.0, "triangular2": lambda: 1 / 2.0 ** (x - 1), "exp_range": lambda: self.gamma**x}[self.mode]()

    def get_lr(self):
        cycles = self.last_epoch / self.total_step_size
        cycle = ops.floor(1 + cycles)
        x = 1.0 + cycles - cycle
        rising = x <= self.step_up_ratio
        height = ops.where(rising, x / self.step_up_ratio, (x - 1) / ((self.step_up_ratio - 1) or -1.0))
        height = height * self.scale_fn(cycle if self.scale_mode == "cycle" else self.last_epoch)
        return [base + (top - base) * height for base, top in zip(self._bases, self.max_lrs)]
