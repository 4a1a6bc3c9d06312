"""`map`: functions on columns of each row."""

import contextvars

from sporax.dataset import _checks, _random, config
from sporax.dataset._base import UnionBaseDataset, default_workers, multiprocess
from sporax.dataset._operations.columns import positions
from sporax.dataset._pipeline import processes, rows, streams
from sporax.dataset._pipeline.errors import pipeline_error, user_error
from sporax.dataset._pipeline.executor import ahead
from sporax.dataset._pipeline.run import VALUE

_FAILED = object()


def _name(operation):
    return getattr(operation, "__name__", None) or type(operation).__name__


def _flat(operations):
    """The functions of `operations`, a function or a list of them. Lists of transforms that were made with Compose stay one function."""
    found = operations if isinstance(operations, list | tuple) else [operations]
    if not found:
        raise ValueError("operations should not be empty: map needs one function at least.")
    for i, operation in enumerate(found):
        if not callable(operation):
            raise TypeError(f"operations[{i}] should be callable, but got {operation!r} of type {type(operation).__name__}.")
    return list(found)


class MapDataset(UnionBaseDataset):
    """Rows with functions applied. See `Dataset.map`."""

    def __init__(
        self,
        input_dataset,
        operations=None,
        input_columns=None,
        output_columns=None,
        num_parallel_workers=None,
        python_multiprocessing=False,
        cache=None,
        callbacks=None,
        max_rowsize=None,
        offload=None,
    ):
        super().__init__(input_dataset, num_parallel_workers, cache)
        self.operations = _flat(operations if operations is not None else [])
        self.input_columns = None if input_columns is None or input_columns == [] else _checks.names("input_columns", input_columns)
        self.output_columns = None if output_columns is None or output_columns == [] else _checks.names("output_columns", output_columns)
        self.python_multiprocessing = _checks.truth("python_multiprocessing", python_multiprocessing)
        self.max_rowsize = _checks.rowsize(max_rowsize)
        if offload is not None:
            _checks.truth("offload", offload)
        self.offload = offload
        self.callbacks = callbacks if isinstance(callbacks, list | tuple) else [] if callbacks is None else [callbacks]
        for callback in self.callbacks:
            if not hasattr(callback, "ds_begin"):
                raise TypeError(f"callbacks should be DSCallback, but got {callback!r} of type {type(callback).__name__}.")

    @property
    def _barrier(self):
        return bool(self.callbacks) or config.get_error_samples_mode() != config.ErrorSamplesMode.RETURN

    def _workers(self):
        return 1 if self.callbacks else default_workers(self)

    def _wants_processes(self):
        return multiprocess(self, self.python_multiprocessing)

    def _inputs(self):
        return self.input_columns or self.children[0]._columns()[:1]

    def _layout(self):
        """The names of the columns, and for each where it comes from: (True, number of a result) or (False, number of a column of the row)."""
        columns = list(self.children[0]._columns())
        inputs = self._inputs()
        at = positions(columns, inputs, "map")
        outputs = self.output_columns or inputs
        kept = [i for i in range(len(columns)) if i not in at]
        if len(outputs) == len(inputs):
            sources = [(True, at.index(i)) if i in at else (False, i) for i in range(len(columns))]
        else:
            sources = [(True, i) for i in range(len(outputs))] + [(False, i) for i in kept]
        names = [outputs[i] if result else columns[i] for result, i in sources]
        twice = sorted({n for n in names if names.count(n) > 1})
        if twice:
            raise pipeline_error(f"Invalid column, output_columns of map has {', '.join(twice)}, which the rows have already: {columns}.")
        return names, sources, at, len(outputs)

    def _columns(self):
        return self._layout()[0]

    def _open(self, run, pass_):
        stream = streams.Through(run.number(self), run.open(self.children[0], pass_), pass_)
        if self.cache is not None:
            stream = self.cache._wrap(run, self, stream, pass_)
        if not self._barrier:
            return stream
        return streams.Lazy(self._watched(run, stream, pass_))

    def _watched(self, run, stream, pass_):
        """Tokens with rows, where callbacks look on or rows may fail."""
        from sporax.dataset.callback import Calls

        calls, mode, good, owed = Calls(self.callbacks, self, pass_), run.errors, None, 0
        calls.begin()
        for row in ahead(run, self, calls.steps(stream)):
            if row is not _FAILED:
                good = row
            elif mode == config.ErrorSamplesMode.REPLACE:
                if good is None:
                    owed += 1
                    continue
                row = good
            else:
                continue
            for _ in range(owed + 1):
                yield (VALUE, None, row)
            owed = 0
        calls.end()

    def _work(self, run, number):
        names, sources, at, count = self._layout()
        inputs, key, evaluate = self._inputs(), run.key(self), run.evaluate
        operations = [(_name(op), op) for op in self.operations]
        hooks = config._settings["debug_hooks"]
        tolerant = run.errors != config.ErrorSamplesMode.RETURN
        in_worker = config.in_worker
        in_place = count == len(at) and len(sources) == len(names)
        single = len(at) == 1 and in_place
        where = at[0]
        source = _random._source

        def compute(token):
            row = evaluate(token[1])
            values = tuple([row[i] for i in at])
            ordinal, pass_ = token[2], token[3]
            if in_worker():
                processes.seed_libraries(key, pass_, ordinal)
            before: contextvars.Token = source.set(_random.Source(key, pass_, ordinal))
            name, given = "", values
            try:
                for name, operation in operations:
                    given = values
                    result = operation(*values)
                    values = result if type(result) is tuple else (result,)
                    for hook in hooks:
                        values = _hooked(hook, name, values)
                results = tuple(map(rows.column, values))
            except Exception as error:
                raise user_error(error, f"map operation: [{name}] on row {ordinal}", _received(inputs, given)) from error
            finally:
                source.reset(before)
            if len(results) != count:
                raise pipeline_error(
                    "Invalid columns, the number of columns returned in 'map' operations should match the number of 'output_columns', but got the number of columns "
                    f"returned in 'map' operations: {len(results)}, the number of 'output_columns': {count}. Functions {[n for n, _ in operations]} got {inputs}; name the results in output_columns."
                )
            if single:
                return (*row[:where], results[0], *row[where + 1 :])
            return tuple([results[i] if result else row[i] for result, i in sources])

        def tolerate(token):
            try:
                return compute(token)
            except RuntimeError:
                return _FAILED

        return tolerate if tolerant else compute


def _received(names, values):
    """Pairs (name, value) of what the function that failed was called with."""
    return zip(names, values) if len(names) == len(values) else zip(map(str, range(len(values))), values)


def _hooked(hook, name, values):
    hook.set_previous_op_name(name)
    shown = hook(*values)
    return values if shown is None else shown if isinstance(shown, tuple) else (shown,)
