"""`sync_wait`: rows that wait for the program."""

import threading

from sporax.dataset import _checks, config
from sporax.dataset._base import UnionBaseDataset
from sporax.dataset._pipeline import streams
from sporax.dataset._pipeline.errors import pipeline_error


class SyncWaitDataset(UnionBaseDataset):
    """Rows that are let through some at a time. See `Dataset.sync_wait`."""

    def __init__(self, input_dataset, condition_name, num_batch=1, callback=None):
        super().__init__(input_dataset)
        if not isinstance(condition_name, str):
            raise TypeError(f"Argument condition_name with value {condition_name!r} is not of type [str].")
        if condition_name in [w.name for w in super()._waits()]:
            raise RuntimeError(f"Condition name {condition_name!r} is already in use: give another name.")
        self.name = self.condition_name = condition_name
        self.num_batch = _checks.integer("num_batch", num_batch, 1)
        self.callback = None if callback is None else _checks.function("callback", callback)
        self._condition = threading.Condition()
        self._left, self._open_wide, self._closed = self.num_batch, False, 0

    def _waits(self):
        return [*super()._waits(), self]

    def _live(self):
        return True

    def notify(self, num_batch=None, data=None):
        """Let the next `num_batch` rows through."""
        if self.callback is not None:
            self.callback(data)
        with self._condition:
            self._left += self.num_batch if num_batch is None else num_batch
            self._condition.notify_all()

    def disable(self):
        """Let all rows through."""
        with self._condition:
            self._open_wide = True
            self._condition.notify_all()

    def _open(self, run, pass_):
        if pass_ == 0:
            with self._condition:
                self._left, self._open_wide = self.num_batch, False
        return streams.Lazy(self._tokens(run, run.open(self.children[0], pass_)))

    def _tokens(self, run, stream):
        for token in stream:
            with self._condition:
                limit = config.get_callback_timeout()
                waited = 0.0
                while self._left <= 0 and not self._open_wide:
                    if run.closed:
                        return
                    if not self._condition.wait(0.2):
                        waited += 0.2
                    if waited >= limit:
                        raise pipeline_error(
                            f"sync_wait({self.name!r}) has waited {limit} s for sync_update({self.name!r}): call it after each {self.num_batch} rows, "
                            "or give it more time with ds.config.set_callback_timeout."
                        )
                self._left -= 1
            yield token
        stream.close()
