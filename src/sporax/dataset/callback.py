"""Callbacks of pipelines: what happens at the begin and end of epochs and steps of a `map`."""

import threading

from sporax.dataset import _checks, config

__all__ = ["DSCallback", "WaitedDSCallback"]


class CallbackParam:
    """What a callback gets: numbers that count from 1."""

    def __init__(self, epoch, step, total):
        self.cur_epoch_num, self.cur_step_num_in_epoch, self.cur_step_num = epoch, step, total


class DSCallback:
    """Overwrite the methods that are to be called; `callbacks=[...]` of `map` takes it.

    Args:
        step_size (int): steps are called every so many rows. Default: ``1``.

    Raises:
        ValueError: `step_size` is not positive.
    """

    def __init__(self, step_size=1):
        self.step_size = _checks.integer("step_size", step_size, 1)

    def ds_begin(self, ds_run_context):
        """Before the first row of all."""

    def ds_epoch_begin(self, ds_run_context):
        """Before the first row of an epoch."""

    def ds_epoch_end(self, ds_run_context):
        """After the last row of an epoch."""

    def ds_step_begin(self, ds_run_context):
        """Before a row."""

    def ds_step_end(self, ds_run_context):
        """After a row."""


class WaitedDSCallback(DSCallback):
    """A callback that lets the pipeline wait for training: it is both a callback of `map` and one of `Model.train`.

    Overwrite `sync_epoch_begin(train_run_context, ds_run_context)`, called between two epochs, and `sync_step_begin(...)`, called between two steps.

    Args:
        step_size (int): rows of the `map` that make one step of training. Default: ``1``.
    """

    def __init__(self, step_size=1):
        super().__init__(step_size)
        self._condition = threading.Condition()
        self._epochs, self._steps, self._over, self._context = 0, 0, False, None

    def sync_epoch_begin(self, train_run_context, ds_run_context):
        """Between the end of a training epoch and the begin of the next."""

    def sync_step_begin(self, train_run_context, ds_run_context):
        """Between the end of a training step and the begin of the next."""

    def _await(self, reached):
        with self._condition:
            if not self._condition.wait_for(lambda: self._over or reached(), config.get_callback_timeout()):
                raise RuntimeError(
                    f"{type(self).__name__} has waited {config.get_callback_timeout()} s for the end of a training step: "
                    "give it to Model.train too, and make step_size the number of rows in a batch."
                )

    def ds_epoch_begin(self, ds_run_context):
        if ds_run_context.cur_epoch_num > 1:
            self._await(lambda: self._epochs >= ds_run_context.cur_epoch_num - 1)
            self.sync_epoch_begin(self._context, ds_run_context)

    def ds_step_begin(self, ds_run_context):
        if ds_run_context.cur_step_num > self.step_size:
            self._await(lambda: self._steps * self.step_size >= ds_run_context.cur_step_num - self.step_size)
            self.sync_step_begin(self._context, ds_run_context)

    def step_end(self, run_context):
        """Called by Model.train after a step."""
        with self._condition:
            self._steps, self._context = self._steps + 1, run_context
            self._condition.notify_all()

    def epoch_end(self, run_context):
        """Called by Model.train after an epoch."""
        with self._condition:
            self._epochs, self._context = self._epochs + 1, run_context
            self._condition.notify_all()

    def end(self, run_context):
        """Called by Model.train at its end: nothing waits any more."""
        with self._condition:
            self._over, self._context = True, run_context
            self._condition.notify_all()


class Calls:
    """The calls of one pass of a `map`."""

    def __init__(self, callbacks, node, pass_):
        self._callbacks, self._pass, self._step, self._size = callbacks, pass_, 0, 0
        if callbacks:
            self._size = node.children[0]._size() or 0

    def _call(self, name, step):
        total = self._pass * self._size + step
        for callback in self._callbacks:
            if "step" not in name or (step - 1) % callback.step_size == 0:
                getattr(callback, name)(CallbackParam(self._pass + 1, step, total))

    def begin(self):
        if self._callbacks:
            if self._pass == 0:
                self._call("ds_begin", 0)
            self._call("ds_epoch_begin", 0)

    def end(self):
        if self._callbacks:
            self._call("ds_epoch_end", self._step)

    def steps(self, stream):
        """The stream, with the calls around each of its tokens."""
        return _Steps(self, stream) if self._callbacks else stream


class _Steps:
    """A stream that calls before and after each token. One worker computes the rows, so when it asks for the next token the row of the last is done."""

    def __init__(self, calls, stream):
        self._calls, self._stream = calls, stream

    def __iter__(self):
        return self

    def __next__(self):
        calls = self._calls
        if calls._step:
            calls._call("ds_step_end", calls._step)
        token = next(self._stream)
        calls._step += 1
        calls._call("ds_step_begin", calls._step)
        return token

    def close(self):
        self._stream.close()
