"""Learning rates as lists with one number for each step."""

import math

from sporax.nn.schedule.learning_rate_schedule import positive


def piecewise_constant_lr(milestone, learning_rates):
    """learning_rates[i] for the steps below milestone[i].

    Args:
        milestone: increasing ints.
        learning_rates: as many floats.

    Raises:
        ValueError: the lengths differ, or milestones do not increase.

    Examples:
        >>> nn.piecewise_constant_lr([2, 3], [0.1, 0.01])
        [0.1, 0.1, 0.01]
    """
    for key, value in (("milestone", milestone), ("learning_rates", learning_rates)):
        if not isinstance(value, tuple | list):
            raise TypeError(f"For 'piecewise_constant_lr', the type of '{key}' should be a tuple or list, but got {type(value).__name__}.")
    if len(milestone) != len(learning_rates):
        raise ValueError(
            f"For 'piecewise_constant_lr', 'milestone' and 'learning_rates' should have one length, but got "
            f"{len(milestone)} and {len(learning_rates)}."
        )
    rates: list = []
    for end, rate in zip(milestone, learning_rates):
        positive("piecewise_constant_lr", "milestone", end, int)
        if isinstance(rate, bool) or not isinstance(rate, float):
            raise TypeError(f"For 'piecewise_constant_lr', each of 'learning_rates' should be a float, but got {rate!r}.")
        if end < len(rates):
            raise ValueError(f"For 'piecewise_constant_lr', the milestones should increase, but got {milestone}.")
        rates += [rate] * (end - len(rates))
    return rates


def _epochs(name, total_step, step_per_epoch, decay_epoch):
    positive(name, "total_step", total_step, int)
    positive(name, "step_per_epoch", step_per_epoch, int)
    positive(name, "decay_epoch", decay_epoch, int)
    return [i // step_per_epoch for i in range(total_step)]


def _decay(name, learning_rate, decay_rate, total_step, step_per_epoch, decay_epoch, is_stair, formula):
    positive(name, "learning_rate", learning_rate)
    positive(name, "decay_rate", decay_rate)
    if not isinstance(is_stair, bool):
        raise TypeError(f"For '{name}', the type of 'is_stair' should be 'bool', but got {is_stair!r}.")
    return [formula(epoch) for epoch in _epochs(name, total_step, step_per_epoch, decay_epoch)]


def exponential_decay_lr(learning_rate, decay_rate, total_step, step_per_epoch, decay_epoch, is_stair=False):
    """learning_rate decay_rate**(epoch / decay_epoch) for each step (with `is_stair` the quotient is rounded down).

    Examples:
        >>> [round(x, 4) for x in nn.exponential_decay_lr(0.1, 0.9, 4, 2, 1)]
        [0.1, 0.1, 0.09, 0.09]
    """

    def formula(epoch):
        return learning_rate * decay_rate ** (epoch // decay_epoch if is_stair else epoch / decay_epoch)

    return _decay("exponential_decay_lr", learning_rate, decay_rate, total_step, step_per_epoch, decay_epoch, is_stair, formula)


def natural_exp_decay_lr(learning_rate, decay_rate, total_step, step_per_epoch, decay_epoch, is_stair=False):
    """learning_rate exp(-decay_rate epoch) for each step (with `is_stair` the epoch is a multiple of decay_epoch)."""

    def formula(epoch):
        return learning_rate * math.exp(-decay_rate * (epoch // decay_epoch * decay_epoch if is_stair else epoch))

    return _decay("natural_exp_decay_lr", learning_rate, decay_rate, total_step, step_per_epoch, decay_epoch, is_stair, formula)


def inverse_decay_lr(learning_rate, decay_rate, total_step, step_per_epoch, decay_epoch, is_stair=False):
    """learning_rate / (1 + decay_rate epoch / decay_epoch) for each step (with `is_stair` the quotient is rounded down)."""

    def formula(epoch):
        return learning_rate / (1 + decay_rate * (epoch // decay_epoch if is_stair else epoch / decay_epoch))

    return _decay("inverse_decay_lr", learning_rate, decay_rate, total_step, step_per_epoch, decay_epoch, is_stair, formula)


def cosine_decay_lr(min_lr, max_lr, total_step, step_per_epoch, decay_epoch):
    """min_lr + (max_lr - min_lr) (1 + cos(pi epoch / decay_epoch)) / 2 for each step, and min_lr afterwards.

    Raises:
        ValueError: `min_lr` is not below `max_lr`.
    """
    positive("cosine_decay_lr", "min_lr", min_lr, zero=True)
    positive("cosine_decay_lr", "max_lr", max_lr)
    if min_lr >= max_lr:
        raise ValueError(f"For 'cosine_decay_lr', the 'max_lr' must be greater than the 'min_lr', but got {max_lr} and {min_lr}.")
    return [
        min_lr + 0.5 * (max_lr - min_lr) * (1 + math.cos(math.pi * min(epoch, decay_epoch) / decay_epoch))
        for epoch in _epochs("cosine_decay_lr", total_step, step_per_epoch, decay_epoch)
    ]


def polynomial_decay_lr(learning_rate, end_learning_rate, total_step, step_per_epoch, decay_epoch, power, update_decay_epoch=False):
    """(learning_rate - end) (1 - epoch / decay_epoch)**power + end for each step.

    Args:
        update_decay_epoch: decay_epoch grows to its next multiple above the epoch. Default: False.
    """
    positive("polynomial_decay_lr", "learning_rate", learning_rate)
    positive("polynomial_decay_lr", "end_learning_rate", end_learning_rate, zero=True)
    positive("polynomial_decay_lr", "power", power)
    if not isinstance(update_decay_epoch, bool):
        raise TypeError(f"For 'polynomial_decay_lr', the type of 'update_decay_epoch' should be 'bool', but got {update_decay_epoch!r}.")
    rates = []
    for epoch in _epochs("polynomial_decay_lr", total_step, step_per_epoch, decay_epoch):
        if update_decay_epoch:
            total, now = decay_epoch * max(math.ceil(epoch / decay_epoch), 1), epoch
        else:
            total, now = decay_epoch, min(epoch, decay_epoch)
        rates.append((learning_rate - end_learning_rate) * (1 - now / total) ** power + end_learning_rate)
    return rates


def warmup_lr(learning_rate, total_step, step_per_epoch, warmup_epoch):
    """learning_rate min(epoch, warmup_epoch) / warmup_epoch for each step."""
    positive("warmup_lr", "learning_rate", learning_rate)
    return [learning_rate * min(epoch, warmup_epoch) / warmup_epoch for epoch in _epochs("warmup_lr", total_step, step_per_epoch, warmup_epoch)]
