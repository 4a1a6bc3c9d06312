"""Schedulers that multiply learning rates by a factor of the epoch."""

from collections import Counter
from typing import Any

from sporax import ops
from sporax.experimental.optim._scheduler import LRScheduler, check_between, check_optimizer, check_type, for_groups


class _Factor(LRScheduler):
    """A scheduler with the factor of one epoch, `_factor(epoch)`, and `_product(epoch)`, all factors up to it."""

    _factor: Any
    _product: Any

    def get_lr(self):
        factor = self._factor(self.last_epoch)
        return [lr * factor for lr in self._last_lr]

    def _get_closed_form_lr(self):
        product = self._product(self.last_epoch)
        return [lr * product for lr in self.base_lrs]


class StepLR(_Factor):
    """Multiply by `gamma` every `step_size` epochs.

    Args:
        optimizer: an `Optimizer` with groups.
        step_size: an int.
        gamma: a float. Default: 0.1.
        last_epoch: see `LRScheduler`. Default: -1.

    Raises:
        TypeError: an argument of the wrong kind.

    Examples:
        >>> opt = ms.experimental.optim.SGD(nn.Dense(2, 1).trainable_params(), lr=1.0)
        >>> scheduler = ms.experimental.optim.lr_scheduler.StepLR(opt, step_size=2, gamma=0.5)
        >>> rates = []
        >>> for _ in range(4):
        ...     rates.append(scheduler.get_last_lr()[0].item())
        ...     _ = scheduler.step()
        >>> rates
        [1.0, 1.0, 0.5, 0.5]
    """

    def __init__(self, optimizer, step_size, gamma=0.1, last_epoch=-1):
        check_type(self, "step_size", step_size, int)
        check_type(self, "gamma", gamma, float)
        self.step_size, self.gamma = step_size, gamma
        super().__init__(optimizer, last_epoch)

    def _factor(self, epoch):
        return ops.where((epoch > 0).logical_and(epoch % self.step_size == 0), self.gamma, 1.0)

    def _product(self, epoch):
        return self.gamma ** (epoch // self.step_size)


class MultiStepLR(_Factor):
    """Multiply by `gamma` at each of the `milestones`.

    Args:
        optimizer: an `Optimizer` with groups.
        milestones: a list of ints, epochs; one that is there twice counts twice.
        gamma: an int or float. Default: 0.1.
        last_epoch: see `LRScheduler`. Default: -1.

    Raises:
        TypeError: an argument of the wrong kind.
    """

    def __init__(self, optimizer, milestones, gamma=0.1, last_epoch=-1):
        check_type(self, "milestones", milestones, list)
        for milestone in milestones:
            check_type(self, "milestones", milestone, int)
        check_type(self, "gamma", gamma, float, int)
        self.milestones, self.gamma = Counter(milestones), gamma
        super().__init__(optimizer, last_epoch)

    def _factor(self, epoch):
        return self._chosen(lambda milestone: epoch == milestone)

    def _product(self, epoch):
        return self._chosen(lambda milestone: epoch >= milestone)

    def _chosen(self, counts):
        factor = 1.0
        for milestone, times in self.milestones.items():
            factor = factor * ops.where(counts(milestone), float(self.gamma) ** times, 1.0)
        return factor


class ConstantLR(_Factor):
    """The learning rate times `factor` until epoch `total_iters`, then as it was.

    Args:
        optimizer: an `Optimizer` with groups.
        factor: in [0, 1]. Default: 1/3.
        total_iters: an int. Default: 5.
        last_epoch: see `LRScheduler`. Default: -1.

    Raises:
        ValueError: `factor` is out of range.
        TypeError: `total_iters` is not an int.
    """

    def __init__(self, optimizer, factor=1.0 / 3, total_iters=5, last_epoch=-1):
        check_between(self, "factor", factor, zero=True)
        check_type(self, "total_iters", total_iters, int)
        self.factor, self.total_iters = factor, total_iters
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        # from the base, since a factor of 0 cannot be undone
        values = super().get_lr()
        back = self.last_epoch == self.total_iters
        return values if self.factor else [ops.where(back, base, lr) for base, lr in zip(self.base_lrs, values)]

    def _factor(self, epoch):
        undone = 1 / self.factor if self.factor else 1.0
        return ops.where(epoch == 0, float(self.factor), ops.where(epoch == self.total_iters, undone, 1.0))

    def _product(self, epoch):
        return ops.where(epoch >= self.total_iters, 1.0, float(self.factor))


class LinearLR(_Factor):
    """The learning rate times a factor that goes from `start_factor` to `end_factor` in `total_iters` epochs.

    Args:
        optimizer: an `Optimizer` with groups.
        start_factor: in (0, 1]. Default: 1/3.
        end_factor: in [0, 1]. Default: 1.0.
        total_iters: an int. Default: 5.
        last_epoch: see `LRScheduler`. Default: -1.

    Raises:
        ValueError: a factor is out of range.
        TypeError: `total_iters` is not an int.
    """

    def __init__(self, optimizer, start_factor=1.0 / 3, end_factor=1.0, total_iters=5, last_epoch=-1):
        check_between(self, "start_factor", start_factor, zero=False)
        check_between(self, "end_factor", end_factor, zero=True)
        check_type(self, "total_iters", total_iters, int)
        self.start_factor, self.end_factor, self.total_iters = start_factor, end_factor, total_iters
        super().__init__(optimizer, last_epoch)

    def _factor(self, epoch):
        rise = self.end_factor - self.start_factor
        later = 1.0 + rise / (self.total_iters * self.start_factor + (epoch - 1) * rise)
        return ops.where(epoch == 0, float(self.start_factor), ops.where(epoch > self.total_iters, 1.0, later))

    def _product(self, epoch):
        return self.start_factor + (self.end_factor - self.start_factor) * epoch.clip(None, self.total_iters) / self.total_iters


class ExponentialLR(_Factor):
    """Multiply by `gamma` at every epoch.

    Args:
        optimizer: an `Optimizer` with groups.
        gamma: a float.
        last_epoch: see `LRScheduler`. Default: -1.

    Raises:
        TypeError: `gamma` is not a float.
    """

    def __init__(self, optimizer, gamma, last_epoch=-1):
        check_type(self, "gamma", gamma, float)
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def _factor(self, epoch):
        return ops.where(epoch == 0, 1.0, self.gamma)

    def _product(self, epoch):
        return self.gamma**epoch


class PolynomialLR(_Factor):
    """The learning rate times (1 - epoch / total_iters)**power, until it is 0.

    Args:
        optimizer: an `Optimizer` with groups.
        total_iters: an int. Default: 5.
        power: a float, at least 0. Default: 1.0.
        last_epoch: see `LRScheduler`. Default: -1.

    Raises:
        TypeError: an argument of the wrong kind.
        ValueError: `power` is negative.
    """

    def __init__(self, optimizer, total_iters=5, power=1.0, last_epoch=-1):
        check_type(self, "power", power, float)
        if power < 0:
            raise ValueError(f"For 'PolynomialLR', the 'power' must be >= 0, but got {power}.")
        check_type(self, "total_iters", total_iters, int)
        self.total_iters, self.power = total_iters, power
        super().__init__(optimizer, last_epoch)

    def _factor(self, epoch):
        later = ((1.0 - epoch / self.total_iters) / (1.0 - (epoch - 1) / self.total_iters)) ** self.power
        return ops.where((epoch == 0).logical_or(epoch > self.total_iters), 1.0, later)

    def _product(self, epoch):
        return (1.0 - epoch.clip(None, self.total_iters) / self.total_iters) ** self.power


class LambdaLR(LRScheduler):
    """The first learning rate times what a function gives for the epoch.

    Args:
        optimizer: an `Optimizer` with groups.
        lr_lambda: a function of the epoch (a Parameter with one number), or a list of one for each group.
        last_epoch: see `LRScheduler`. Default: -1.

    Raises:
        ValueError: another number of functions than groups.
    """

    def __init__(self, optimizer, lr_lambda, last_epoch=-1):
        check_optimizer(optimizer)
        self.lr_lambdas = for_groups(optimizer, lr_lambda, "lr_lambda")
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        return [lr * function(self.last_epoch) for function, lr in zip(self.lr_lambdas, self.base_lrs)]


class MultiplicativeLR(LRScheduler):
    """Multiply at every epoch but the first by what a function gives for it. The arguments are those of `LambdaLR`."""

    def __init__(self, optimizer, lr_lambda, last_epoch=-1):
        check_optimizer(optimizer)
        self.lr_lambdas = for_groups(optimizer, lr_lambda, "lr_lambda")
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        first = self.last_epoch <= 0
        return [ops.where(first, lr * 1.0, lr * function(self.last_epoch)) for function, lr in zip(self.lr_lambdas, self._last_lr)]
