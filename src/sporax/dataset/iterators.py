"""Going through a pipeline: `create_dict_iterator` and `create_tuple_iterator`.

The position of an iterator is the epoch and the number of rows taken of it. With the seed that is all there is to save: `load_state_dict` opens the plan of that epoch and
skips, and the rows that follow are those that would have followed, bit by bit.
"""

import typing
import weakref

import numpy as np

from sporax.dataset import _checks, config
from sporax.dataset._pipeline.executor import END_OF_PASS, Executor
from sporax.dataset._pipeline.run import Run, section

_live: "weakref.WeakSet[Iterator]" = weakref.WeakSet()


class Iterator:
    """Rows of a pipeline; each `for` goes through one epoch."""

    def __init__(self, dataset, num_epochs=-1, output_numpy=False, do_copy=False):
        if not isinstance(num_epochs, int) or isinstance(num_epochs, bool):
            raise TypeError(f"Argument num_epochs with value {num_epochs!r} is not of type [int], but got {type(num_epochs).__name__}.")
        if num_epochs != -1 and num_epochs < 1:
            raise ValueError(f"num_epochs should be either -1 or within the required interval of [1, 2147483647], but got {num_epochs}.")
        _checks.truth("output_numpy", output_numpy)
        _checks.truth("do_copy", do_copy)
        self._dataset, self._num_epochs, self._numpy = dataset, num_epochs, output_numpy
        self._run: typing.Any = None
        self._rows: typing.Any = None
        self._closer: typing.Any = None
        self._epoch, self._row, self._seed = 0, 0, None
        self._first = self._granted = 0
        # columns about the data, such as the name of a file, come only under another name
        kept = [name for name in dataset._columns() if not name.startswith("_meta-")]
        if len(kept) != len(dataset._columns()):
            self._dataset = dataset = dataset.project(kept)
        self._names = kept
        self._tensor = None if output_numpy else _tensor_maker()
        first = dataset.get_init_step()
        if first:
            self._epoch, self._row = divmod(first, max(1, dataset.get_dataset_size()))
        _live.add(self)

    @property
    def _ended(self):
        return self._num_epochs != -1 and self._epoch >= self._num_epochs

    def _begin(self):
        self._run = run = Run(self._dataset, self._seed)
        self._seed = run.seed
        self._first = self._granted = self._epoch
        self._rows = _rows(run, self._epoch, self._row, self._num_epochs)
        self._closer = weakref.finalize(self, run.close)

    def __iter__(self):
        return self

    def __next__(self):
        if self._ended:
            self.release()
            raise RuntimeError(
                f"The iterator was made for num_epochs={self._num_epochs}, and these are over: User tries to fetch data beyond the specified number of epochs. "
                "Give a larger num_epochs, or leave it out."
            )
        if self._rows is None:
            self._begin()
        rows: typing.Any = self._rows
        if self._granted < self._epoch:
            # an epoch is not begun before somebody asks for it, unless it is known that it will be
            self._granted = self._epoch
            if isinstance(rows, Executor) and self._num_epochs == -1:
                rows.allow(self._epoch - self._first + 1)
        row = next(rows)
        if row is END_OF_PASS:
            self._epoch, self._row = self._epoch + 1, 0
            if self._ended:
                self.release()
            raise StopIteration
        self._row += 1
        return self._convert(row)

    def _convert(self, row) -> typing.Any:
        raise TypeError("use create_dict_iterator or create_tuple_iterator")

    def _value(self, value):
        if self._numpy:
            if isinstance(value, np.ndarray) and not value.flags.writeable:
                return value.copy()
            return value
        if isinstance(value, dict):
            return {k: self._value(v) for k, v in value.items()}
        make: typing.Any = self._tensor
        return make(value)

    def get_next(self):
        """The next row, or None at the end of an epoch."""
        try:
            return self.__next__()
        except StopIteration:
            return None

    def release(self):
        """End the workers. The next row would come from new ones, at the same position."""
        if self._closer is not None:
            self._closer()
        self._run = self._rows = self._closer = None

    stop = release

    def state_dict(self):
        """The position: what `load_state_dict` of an iterator of the same pipeline continues from. Plain numbers, so it can be kept as JSON."""
        if self._seed is None:
            self._seed = Run(self._dataset).seed
        return {"version": 1, "epoch": self._epoch, "row": self._row, "seed": self._seed, "columns": list(self._names)}

    def load_state_dict(self, state):
        """Continue from a position.

        Raises:
            ValueError: it isn't the position of a pipeline with these columns.

        Examples:
            >>> import sporax.dataset as ds
            >>> data = ds.NumpySlicesDataset(list(range(100)), ["x"]).shuffle(10)
            >>> rows = data.create_tuple_iterator(num_epochs=1, output_numpy=True)
            >>> taken, state = [next(rows) for _ in range(30)], rows.state_dict()
            >>> again = data.create_tuple_iterator(num_epochs=1, output_numpy=True)
            >>> again.load_state_dict(state)
            >>> [int(x) for x, in rows] == [int(x) for x, in again]
            True
        """
        if not isinstance(state, dict) or state.get("version") != 1:
            raise ValueError(f"Expected what state_dict() gave: a dict with version 1, but got {state!r:.200}.")
        if list(state["columns"]) != list(self._names):
            raise ValueError(f"The position is one of a pipeline with columns {list(state['columns'])}, but this one has {list(self._names)}.")
        epoch, row, seed = (_checks.integer(name, state[name], 0, (1 << 64) - 1) for name in ("epoch", "row", "seed"))
        self.release()
        self._epoch, self._row, self._seed = epoch, row, seed


class DictIterator(Iterator):
    """Rows as dicts {column: value}."""

    def _convert(self, row):
        value = self._value
        return {name: value(v) for name, v in zip(self._names, row)}


class TupleIterator(Iterator):
    """Rows as lists of values."""

    def __init__(self, dataset, columns=None, num_epochs=-1, output_numpy=False, do_copy=False):
        if columns is not None:
            dataset = dataset.project(columns)
        super().__init__(dataset, num_epochs, output_numpy, do_copy)

    def _convert(self, row):
        return list(map(self._value, row))


def _tensor_maker():
    """What makes a Tensor of an array, imported when an iterator is asked for Tensors: pipelines themselves don't need it."""
    from sporax._core.tensor import Tensor

    def make(value):
        # text stays an array: tensors hold numbers
        return value if value.dtype.kind in "SU" else Tensor(value)

    return make


def _rows(run, epoch, row, num_epochs):
    """The rows from a position on, with END_OF_PASS after each epoch."""
    root = run.root
    # opened here, so that the processes of filters start before there are threads
    first = run.open(root, epoch)
    if row:
        first.skip(row)

    def passes():
        yield first
        at = epoch + 1
        while num_epochs == -1 or at < num_epochs:
            yield run.open(root, at)
            at += 1

    if config.get_debug_mode() or config.in_worker():
        return _at_once(run, passes())
    executor = Executor(run, section(root), passes(), root._depth(), 1 if num_epochs == -1 else None)
    executor.prepare()
    return executor


def _at_once(run, passes):
    """The rows, each computed when it is asked for, in the thread that asks."""
    for stream in passes:
        for token in stream:
            yield run.evaluate(token)
        stream.close()
        yield END_OF_PASS


def check_iterator_cleanup():
    """End the workers of all iterators that still have some."""
    for iterator in list(_live):
        iterator.release()
