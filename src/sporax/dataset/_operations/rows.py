"""Operations whose rows decide what comes: filter, flat_map."""

from sporax.dataset import _checks
from sporax.dataset._base import Dataset, UnionBaseDataset, default_workers
from sporax.dataset._operations.columns import positions
from sporax.dataset._pipeline import streams
from sporax.dataset._pipeline.errors import pipeline_error, user_error
from sporax.dataset._pipeline.executor import ahead
from sporax.dataset._pipeline.run import VALUE, Run


class FilterDataset(UnionBaseDataset):
    """Rows for which a function is true. See `Dataset.filter`."""

    @property
    def _barrier(self):
        return True

    def __init__(self, input_dataset, predicate, input_columns=None, num_parallel_workers=None):
        super().__init__(input_dataset, num_parallel_workers)
        self.predicate = _checks.function("predicate", predicate)
        self.input_columns = None if not input_columns else _checks.names("input_columns", input_columns)

    def _workers(self):
        return default_workers(self)

    def _size(self):
        return None

    def _open(self, run, pass_):
        stream = streams.Through(run.number(self), run.open(self.children[0], pass_), pass_)
        return streams.Lazy((VALUE, None, row) for row in ahead(run, self, stream) if row is not None)

    def _work(self, run, number):
        columns = self.children[0]._columns()
        inputs = self.input_columns or columns
        at, evaluate, predicate = positions(columns, inputs, "filter"), run.evaluate, self.predicate

        def work(token):
            row = evaluate(token[1])
            values = [row[i] for i in at]
            try:
                return row if bool(predicate(*values)) else None
            except Exception as error:
                raise user_error(error, f"filter operation: predicate on row {token[2]}", zip(inputs, values)) from error

        return work


class FlatMapDataset(UnionBaseDataset):
    """The rows of datasets that are made from rows. See `Dataset.flat_map`."""

    @property
    def _barrier(self):
        return True

    def __init__(self, input_dataset, func):
        super().__init__(input_dataset)
        self.func = _checks.function("func", func)
        self._names = None

    def _size(self):
        return None

    def _columns(self):
        if self._names is None:
            self._names = list(self._inner(self.children[0]._first_row())._columns())
        return self._names

    def _inner(self, row):
        try:
            made = self.func(*row)
        except Exception as error:
            raise user_error(error, "flat_map operation: func", zip(self.children[0]._columns(), row)) from error
        if not isinstance(made, Dataset):
            raise TypeError(f"The function given to flat_map should return a dataset, but got {made!r} of type {type(made).__name__}.")
        return made

    def _open(self, run, pass_):
        stream = streams.Through(run.number(self), run.open(self.children[0], pass_), pass_)
        return streams.Lazy(self._tokens(run, stream, pass_))

    def _tokens(self, run, stream, pass_):
        for at, row in enumerate(ahead(run, self, stream)):
            inner = self._inner(row)
            if list(inner._columns()) != list(self._columns()):
                raise pipeline_error(f"The datasets of flat_map should have the same columns, but got {self._columns()} and {inner._columns()}.")
            # a run of its own, with a seed that depends on the row's place
            nested = Run(inner, seed=(run.seed * 1_000_003 + pass_ * 8_191 + at) & ((1 << 63) - 1))
            try:
                for token in nested.open(inner, pass_):
                    yield (VALUE, None, nested.evaluate(token))
            finally:
                nested.close()

    def _work(self, run, number):
        evaluate = run.evaluate

        def work(token):
            return evaluate(token[1])

        return work
