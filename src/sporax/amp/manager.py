"""Loss scale managers: how `Model` and `build_train_network` are told about loss scaling."""

from sporax.nn.wrap.loss_scale import DynamicLossScaleUpdateCell, FixedLossScaleUpdateCell


class LossScaleManager:
    """Base of loss scale managers; subclasses say what the scale is and which Cell moves it."""

    def get_loss_scale(self):
        """The scale, a number."""

    def update_loss_scale(self, overflow):
        """Move the scale after a step.

        Args:
            overflow: whether a gradient was not finite, a bool.
        """

    def get_update_cell(self):
        """The Cell that moves the scale inside a training step, or None."""


class FixedLossScaleManager(LossScaleManager):
    """A constant loss scale.

    Args:
        loss_scale: a number of at least 1. Default: 128.0.
        drop_overflow_update: leave the parameters alone in steps whose gradients are not finite. Default: True.

    Raises:
        ValueError: `loss_scale` is less than 1.

    Examples:
        >>> ms.FixedLossScaleManager(1024.0).get_loss_scale()
        1024.0
    """

    def __init__(self, loss_scale=128.0, drop_overflow_update=True):
        if loss_scale < 1:
            raise ValueError(f"The argument 'loss_scale' must be >= 1, but got {loss_scale}.")
        self._loss_scale, self._drop_overflow_update = loss_scale, drop_overflow_update

    def get_loss_scale(self):
        """The scale."""
        return self._loss_scale

    def get_drop_overflow_update(self):
        """Whether steps with overflow are left out."""
        return self._drop_overflow_update

    def get_update_cell(self):
        """A `FixedLossScaleUpdateCell`, or None if steps with overflow are not left out."""
        return FixedLossScaleUpdateCell(self._loss_scale) if self._drop_overflow_update else None


class DynamicLossScaleManager(LossScaleManager):
    """A loss scale that falls when gradients overflow and grows after some steps without.

    Args:
        init_loss_scale: the scale at the beginning, at least 1. Default: 2**24.
        scale_factor: by how much it falls and grows; positive. Default: 2.
        scale_window: after how many steps without overflow it grows; a positive int. Default: 2000.

    Raises:
        ValueError: an argument is out of range.
        RuntimeError: (`update_loss_scale`) more than 1,000 steps in a row overflow.

    Examples:
        >>> manager = ms.DynamicLossScaleManager(init_loss_scale=1024)
        >>> manager.update_loss_scale(True)
        >>> manager.get_loss_scale()
        512.0
    """

    def __init__(self, init_loss_scale=2**24, scale_factor=2, scale_window=2000):
        if init_loss_scale < 1.0:
            raise ValueError(f"The argument 'init_loss_scale' must be at least 1, but got {init_loss_scale}.")
        if isinstance(scale_window, bool) or not isinstance(scale_window, int) or scale_window < 1:
            raise ValueError(f"For 'DynamicLossScaleManager', the 'scale_window' must be a positive int, but got {scale_window!r}.")
        if scale_factor <= 0:
            raise ValueError(f"The argument 'scale_factor' must be > 0, but got {scale_factor}.")
        self.loss_scale, self.scale_factor, self.scale_window = init_loss_scale, scale_factor, scale_window
        self.increase_ratio, self.decrease_ratio = scale_factor, 1 / scale_factor
        self.cur_iter, self.last_overflow_iter = 1, 0
        self.bad_step, self.bad_step_max = 0, 1000

    def get_loss_scale(self):
        """The scale."""
        return self.loss_scale

    def update_loss_scale(self, overflow):
        """Move the scale after a step."""
        if overflow:
            self.loss_scale = max(self.loss_scale * self.decrease_ratio, 1)
            self.last_overflow_iter = self.cur_iter
            self.bad_step += 1
        else:
            if (self.cur_iter - self.last_overflow_iter) % self.scale_window == 0:
                self.loss_scale *= self.increase_ratio
            self.bad_step = 0
        if self.bad_step > self.bad_step_max:
            raise RuntimeError(
                f"The gradients of {self.bad_step} steps in a row were not finite, with a loss scale of {self.loss_scale} at last: "
                "the cause is not the scale. Look for the first nan with sporax.explain_grads."
            )
        self.cur_iter += 1

    def get_drop_overflow_update(self):
        """Steps with overflow are always left out: True."""
        return True

    def get_update_cell(self):
        """A `DynamicLossScaleUpdateCell`."""
        return DynamicLossScaleUpdateCell(self.loss_scale, self.scale_factor, self.scale_window)
