"""`batch` and `padded_batch`: rows stacked."""

import typing

from sporax.dataset import _checks, config
from sporax.dataset._base import UnionBaseDataset, default_workers, multiprocess
from sporax.dataset._operations.columns import positions
from sporax.dataset._pipeline import rows, streams
from sporax.dataset._pipeline.errors import pipeline_error, user_error


class BatchInfo:
    """Which batch it is: what `per_batch_map` and functions for the batch size get."""

    def __init__(self, epoch=0, batch=0):
        self._epoch, self._batch = epoch, batch

    def get_epoch_num(self):
        """The number of the epoch, from 0."""
        return self._epoch

    def get_batch_num(self):
        """The number of the batch in its epoch, from 0."""
        return self._batch


class _Batches(UnionBaseDataset):
    """What both kinds of batches share: `batch_size` rows make one."""

    batch_size: typing.Any
    drop_remainder: bool

    def _size(self):
        size = super()._size()
        if size is None or callable(self.batch_size):
            return None
        return size // self.batch_size if self.drop_remainder else -(-size // self.batch_size)

    def _batch(self):
        return -1 if callable(self.batch_size) else self.batch_size

    def _depth(self):
        # batches are large: two more than there are workers
        return min(config.get_prefetch_size(), 2 + (self._workers() or config.get_num_parallel_workers()))

    def _open(self, run, pass_):
        size = self.batch_size
        return streams.Group(
            run.number(self), run.open(self.children[0], pass_), self._next_size(pass_) if callable(size) else size, self.drop_remainder, pass_
        )

    def _next_size(self, pass_):
        def size(batch):
            given = self.batch_size(BatchInfo(pass_, batch))
            if not isinstance(given, int) or isinstance(given, bool) or given < 1:
                raise pipeline_error(
                    f"Invalid batch size: the function given as batch_size should return a positive int, but got {given!r} for batch {batch}."
                )
            return given

        return size


class BatchDataset(_Batches):
    """Rows stacked. See `Dataset.batch`."""

    def __init__(
        self,
        input_dataset,
        batch_size,
        drop_remainder=False,
        num_parallel_workers=None,
        per_batch_map=None,
        input_columns=None,
        output_columns=None,
        python_multiprocessing=False,
        max_rowsize=None,
    ):
        super().__init__(input_dataset, num_parallel_workers)
        if not isinstance(batch_size, int) and not callable(batch_size):
            raise TypeError(f"batch_size should either be an int or a callable, but got {batch_size!r} of type {type(batch_size).__name__}.")
        self.batch_size = batch_size if callable(batch_size) else _checks.integer("batch_size", int(batch_size), 1)
        self.drop_remainder = _checks.truth("drop_remainder", drop_remainder)
        self.per_batch_map = None if per_batch_map is None else _checks.function("per_batch_map", per_batch_map)
        if per_batch_map is None and (input_columns or output_columns):
            raise ValueError("input_columns and output_columns of batch are those of per_batch_map, which is not given.")
        self.input_columns = None if not input_columns else _checks.names("input_columns", input_columns)
        self.output_columns = None if not output_columns else _checks.names("output_columns", output_columns)
        self.python_multiprocessing = _checks.truth("python_multiprocessing", python_multiprocessing)
        self.max_rowsize = _checks.rowsize(max_rowsize)

    def _workers(self):
        return default_workers(self) if self.per_batch_map is not None else self.num_parallel_workers

    def _wants_processes(self):
        return multiprocess(self, self.python_multiprocessing and self.per_batch_map is not None)

    def _layout(self):
        columns = list(self.children[0]._columns())
        if self.per_batch_map is None:
            return columns, [], [], 0
        inputs = self.input_columns or columns
        at = positions(columns, inputs, "per_batch_map")
        outputs = self.output_columns or inputs
        if len(outputs) == len(inputs):
            sources = [(True, at.index(i)) if i in at else (False, i) for i in range(len(columns))]
        else:
            sources = [(True, i) for i in range(len(outputs))] + [(False, i) for i in range(len(columns)) if i not in at]
        return [outputs[i] if result else columns[i] for result, i in sources], sources, at, len(outputs)

    def _columns(self):
        return self._layout()[0]

    def _work(self, run, number):
        names, sources, at, count = self._layout()
        evaluate = run.evaluate
        function: typing.Any = self.per_batch_map

        def work(token):
            taken = [evaluate(t) for t in token[1]]
            if len(taken[0]) == 1 and function is None:
                return (rows.stack([row[0] for row in taken], names[0]),)
            return tuple([rows.stack(list(values), name) for values, name in zip(zip(*taken), names)])

        def mapped(token):
            taken = list(zip(*[evaluate(t) for t in token[1]]))
            _, _, batch, pass_ = token
            given = [list(taken[i]) for i in at]
            try:
                results = function(*given, BatchInfo(pass_, batch))
                results = results if isinstance(results, tuple) else (results,)
            except Exception as error:
                raise user_error(error, f"per_batch_map on batch {batch}") from error
            if len(results) != count:
                raise pipeline_error(
                    f"Invalid data, per_batch_map should return {count} columns {self.output_columns or self.input_columns}, but got {len(results)}."
                )
            made = [self._stacked(result, name) for result, name in zip(results, self.output_columns or self.input_columns or names)]
            return tuple([made[i] if result else rows.stack(list(taken[i]), name) for (result, i), name in zip(sources, names)])

        return work if function is None else mapped

    @staticmethod
    def _stacked(result, name):
        if not isinstance(result, list | tuple) and not hasattr(result, "shape"):
            raise pipeline_error(f"Invalid data, per_batch_map should return a list of arrays for column {name!r}, but got {type(result).__name__}.")
        if hasattr(result, "shape"):
            return rows.column(result)
        return rows.stack([rows.column(v) for v in result], name)


class PaddedBatchDataset(_Batches):
    """Rows padded to one shape and stacked. See `Dataset.padded_batch`."""

    def __init__(self, input_dataset, batch_size, drop_remainder=False, num_parallel_workers=None, pad_info=None):
        super().__init__(input_dataset, num_parallel_workers)
        if not isinstance(batch_size, int) and not callable(batch_size):
            raise TypeError(f"batch_size should either be an int or a callable, but got {batch_size!r} of type {type(batch_size).__name__}.")
        self.batch_size = batch_size if callable(batch_size) else _checks.integer("batch_size", int(batch_size), 1)
        self.drop_remainder = _checks.truth("drop_remainder", drop_remainder)
        self.pad_info = check_pad_info(pad_info)

    def _work(self, run, number):
        columns, evaluate = list(self.children[0]._columns()), run.evaluate
        padded = paddings(columns, self.pad_info)

        def work(token):
            return padded_rows([evaluate(t) for t in token[1]], columns, padded)

        return work


def check_pad_info(pad_info):
    """`pad_info`: None, or a dict of column -> (shape, value)."""
    if pad_info is None:
        return None
    if not isinstance(pad_info, dict):
        raise TypeError(f"Argument pad_info should be a dict, but got {pad_info!r} of type {type(pad_info).__name__}.")
    for name, info in pad_info.items():
        _checks.names("pad_info", [name])
        if info is None:
            continue
        if (
            not isinstance(info, tuple)
            or len(info) != 2
            or not isinstance(info[0], list | tuple | None)
            or not isinstance(info[1], int | float | str | bytes | None)
        ):
            raise TypeError(f"pad_info[{name!r}] should be a tuple (shape, value), but got {info!r}.")
        for size in info[0] or ():
            if size is not None:
                _checks.integer(f"size in pad_info[{name!r}]", size, 1)
    return dict(pad_info)


def paddings(columns, pad_info):
    """What to pad: {number of a column: (shape, value)}."""
    if pad_info is None:
        return {}
    if not pad_info:
        return dict.fromkeys(range(len(columns)), (None, None))
    return {at: pad_info[name] or (None, None) for name, at in zip(pad_info, positions(columns, list(pad_info), "pad_info"))}


def padded_rows(taken, columns, padded):
    """A batch of rows, padded."""
    made = []
    for i, values in enumerate(zip(*taken)):
        made.append(rows.pad(list(values), columns[i], *padded[i]) if i in padded else rows.stack(list(values), columns[i]))
    return tuple(made)
