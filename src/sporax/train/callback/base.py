"""Callbacks: functions that a training loop calls at certain points."""

import contextlib

_POINTS = ("begin", "epoch_begin", "step_begin", "step_end", "epoch_end", "end")


class Callback:
    """Base of callbacks: override what is of interest.

    Each point has a name for training (`on_train_step_end`), one for evaluation (`on_eval_step_end`), and an older one for both (`step_end`), which the
    other two call unless they are overridden. A callback is entered and left as a context around the loop.

    Examples:
        >>> class Stop(ms.train.Callback):
        ...     def step_end(self, run_context):
        ...         if run_context.original_args().cur_step_num == 2:
        ...             run_context.request_stop()
        >>> net = nn.Dense(1, 1)
        >>> model = ms.train.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.1))
        >>> data = [(Tensor([[1.0]]), Tensor([[2.0]]))] * 5
        >>> model.train(1, data, callbacks=[Stop(), ms.train.LambdaCallback(on_train_end=lambda c: print(c.original_args().cur_step_num))])
        2
    """

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return None

    def begin(self, run_context):
        """Before the first epoch."""

    def epoch_begin(self, run_context):
        """Before each epoch."""

    def step_begin(self, run_context):
        """Before each step."""

    def step_end(self, run_context):
        """After each step."""

    def epoch_end(self, run_context):
        """After each epoch."""

    def end(self, run_context):
        """After the last epoch."""


def _point(mode, point):
    def hook(self, run_context):
        getattr(self, point)(run_context)

    hook.__name__ = hook.__qualname__ = f"on_{mode}_{point}"
    hook.__doc__ = f"`{point}` of {'training' if mode == 'train' else 'evaluation'}; calls `{point}` unless overridden."
    return hook


for _mode in ("train", "eval"):
    for _name in _POINTS:
        setattr(Callback, f"on_{_mode}_{_name}", _point(_mode, _name))


class Callbacks:
    """Several callbacks as one.

    Args:
        callbacks: None, a Callback, or a list or tuple of them.

    Raises:
        TypeError: something else.
    """

    def __init__(self, callbacks):
        callbacks = [] if callbacks is None else [callbacks] if isinstance(callbacks, Callback) else callbacks
        if not isinstance(callbacks, list | tuple):
            raise TypeError(f"'callbacks' should be a Callback or a list of them, but got {callbacks!r} of type {type(callbacks).__name__}.")
        for c in callbacks:
            if not isinstance(c, Callback):
                raise TypeError(f"Each of 'callbacks' should be a Callback (an object, not its class), but got {c!r}.")
        self.callbacks = list(callbacks)

    def __enter__(self):
        with contextlib.ExitStack() as stack:
            for c in self.callbacks:
                stack.enter_context(c)
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *error):
        return self._stack.__exit__(*error)

    def at(self, point, run_context):
        """Call the method `on_<point>` of each."""
        for c in self.callbacks:
            getattr(c, f"on_{point}")(run_context)


class LambdaCallback(Callback):
    """A callback made of functions.

    Args:
        **functions: `on_train_step_end=lambda run_context: ...` and the like, for any of the twelve points.

    Raises:
        TypeError: there is no such point, or what is given cannot be called.
    """

    def __init__(self, **functions):
        for name, function in functions.items():
            if name not in {f"on_{mode}_{point}" for mode in ("train", "eval") for point in _POINTS}:
                raise TypeError(f"'LambdaCallback' got an unexpected keyword argument {name!r}: use on_train_step_end and the like.")
            if function is not None and not callable(function):
                raise TypeError(f"For 'LambdaCallback', {name!r} should be a function of the run context, but got {function!r}.")
            if function is not None:
                setattr(self, name, function)
