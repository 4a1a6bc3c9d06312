"""Rows from Python: GeneratorDataset, NumpySlicesDataset, PaddedDataset."""

import itertools
import typing

import numpy as np

from sporax.dataset import _checks, samplers
from sporax.dataset._base import UnionBaseDataset, multiprocess
from sporax.dataset._pipeline import processes, rows, streams
from sporax.dataset._pipeline.errors import pipeline_error, user_error
from sporax.dataset._pipeline.run import VALUE
from sporax.dataset._sources.base import MappableDataset


def _random_access(source):
    return hasattr(source, "__getitem__") and hasattr(source, "__len__")


class GeneratorDataset(MappableDataset, UnionBaseDataset):
    """Rows from a Python object.

    Args:
        source (Union[callable, iterable, random access]): a function that gives an iterator, an object with `__iter__` or `__next__`, or one with `__getitem__` and `__len__`. A
            row is a tuple (or list) with a value per column; for one column also the value itself.
        column_names (Union[str, list[str]], optional): names of the columns.
        column_types (list[mindspore.dtype], optional): checked against what comes. Default: ``None``, anything.
        schema (Union[str, Schema], optional): names, types and shapes of columns, in place of `column_names`.
        num_samples (int, optional): at most so many rows. Default: ``None``.
        num_parallel_workers (int): workers that call `__getitem__`. With one, it is called in order and never twice at a time. Default: ``1``.
        shuffle (bool, optional): default: ``None``, True where there is random access.
        sampler (Union[Sampler, Iterable], optional): which rows, in which order; random access only.
        num_shards, shard_id (int, optional): take one of several shards; random access only.
        python_multiprocessing (bool): several workers are processes. Default: ``True``.
        max_rowsize (Union[int, list], optional): kept for programs that give it; shared memory grows as rows need it.
        batch_sampler (Iterable, optional): gives lists of numbers, each for one batch; random access only, and alone.
        collate_fn (callable, optional): makes a batch from a list of values per column, those of the rows of `batch_sampler`.

    Examples:
        >>> import sporax.dataset as ds
        >>> def pairs():
        ...     for i in range(3):
        ...         yield i, i * i
        >>> data = ds.GeneratorDataset(pairs, ["x", "y"])
        >>> [(int(x), int(y)) for x, y in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]
        [(0, 0), (1, 1), (2, 4)]
    """

    def __init__(
        self,
        source,
        column_names=None,
        column_types=None,
        schema=None,
        num_samples=None,
        num_parallel_workers=1,
        shuffle=None,
        sampler=None,
        num_shards=None,
        shard_id=None,
        python_multiprocessing=True,
        max_rowsize=None,
        batch_sampler=None,
        collate_fn=None,
    ):
        self._mappable = _random_access(source)
        if not self._mappable and not callable(source) and not hasattr(source, "__iter__") and not hasattr(source, "__next__"):
            raise TypeError(
                "Input `source` function of GeneratorDataset should be callable, iterable or random accessible, commonly it should implement one of the method like "
                f"yield, __getitem__ or __next__(__iter__), but got {source!r} of type {type(source).__name__}."
            )
        if column_names is None and schema is None:
            raise ValueError("Neither columns_names nor schema are provided.")
        _checks.shards(num_shards, shard_id)
        if batch_sampler is not None:
            if any(v is not None for v in (num_samples, shuffle, num_shards, shard_id, sampler)):
                raise ValueError("batch_sampler is mutually exclusive with num_samples, shuffle, num_shards, shard_id and sampler.")
            if not hasattr(batch_sampler, "__iter__"):
                raise TypeError(
                    f"batch_sampler should be an iterable of lists of numbers, but got {batch_sampler!r} of type {type(batch_sampler).__name__}."
                )
        elif collate_fn is not None:
            raise ValueError("collate_fn can be specified only when batch_sampler is specified.")
        if not self._mappable:
            given = {"sampler": sampler, "num_shards": num_shards, "batch_sampler": batch_sampler}
            for name, value in given.items():
                if value is not None:
                    raise ValueError(f"{name} is not supported if source does not have attribute '__getitem__'.")
        super().__init__(num_parallel_workers, sampler, num_samples, shuffle if self._mappable else False, num_shards, shard_id)
        self.source: typing.Any = source
        self.schema = schema
        self.column_names = _checks.names("column_names", column_names) if column_names is not None else _schema(schema).names()
        types = column_types if column_types is not None else (_schema(schema).types() if schema is not None else None)
        self.column_types = None if types is None else _types(types, len(self.column_names))
        self.python_multiprocessing = _checks.truth("python_multiprocessing", python_multiprocessing)
        self.max_rowsize = _checks.rowsize(max_rowsize)
        self.batch_sampler, self.collate_fn = batch_sampler, None if collate_fn is None else _checks.function("collate_fn", collate_fn)

    @property
    def _serial(self):
        return self._mappable and (self.num_parallel_workers or 1) == 1

    def _workers(self):
        return (self.num_parallel_workers or 1) if self._mappable else 1

    def _wants_processes(self):
        return self._mappable and multiprocess(self, self.python_multiprocessing and self._workers() > 1)

    def _live(self):
        return not self._mappable

    def _columns(self):
        return self.column_names

    def _total(self):
        total = len(self.source)
        if not isinstance(total, int) or total < 0:
            raise pipeline_error(f"__len__ of the source should return a number of rows, but got {total!r}.")
        return total

    def _size(self):
        if not self._mappable:
            size = len(self.source) if hasattr(self.source, "__len__") else None
            return size if size is None or not self.num_samples else min(size, self.num_samples)
        if self.batch_sampler is not None:
            return len(self.batch_sampler) if hasattr(self.batch_sampler, "__len__") else None
        return super()._size()

    # the plan

    def _open(self, run, pass_):
        if not self._mappable:
            return streams.Lazy(self._iterated(pass_))
        if self.batch_sampler is not None:
            return streams.Lazy((run.number(self), None, list(numbers)) for numbers in self.batch_sampler)
        if self._total() == 0:
            return streams.Stream()
        return super()._open(run, pass_)

    def _iterated(self, pass_):
        try:
            found: typing.Any = (
                self.source()
                if callable(self.source) and not hasattr(self.source, "__next__") and not _is_iterable_object(self.source)
                else self.source
            )
            iterator: typing.Any = iter(found) if hasattr(found, "__iter__") else found
        except Exception as error:
            raise user_error(error, "the source of GeneratorDataset") from error
        if not hasattr(iterator, "__next__"):
            raise pipeline_error(f"The source of GeneratorDataset should give an iterator, but gave {iterator!r} of type {type(iterator).__name__}.")
        limit = itertools.count() if not self.num_samples else range(self.num_samples)
        for i in limit:
            try:
                value = next(iterator)
            except StopIteration:
                return
            except Exception as error:
                raise user_error(error, f"the source of GeneratorDataset, at row {i}") from error
            yield (VALUE, None, self._as_row(value, i))

    # the work

    def _work(self, run, number):
        source, make = self.source, self._as_row

        def work(token):
            index = token[2]
            if processes.config.in_worker():
                processes.seed_libraries(run.key(self), index)
            try:
                value = source[index]
            except Exception as error:
                raise user_error(error, f"GeneratorDataset: __getitem__({index}) of {type(source).__name__}") from error
            return make(value, index)

        return work if self.batch_sampler is None else self._work_batch(run)

    def _work_batch(self, run):
        source, names = self.source, self.column_names

        def work(token):
            numbers = token[2]
            try:
                taken = [source[i] for i in numbers]
            except Exception as error:
                raise user_error(error, f"GeneratorDataset: __getitem__ of {type(source).__name__}, numbers {numbers}") from error
            if self.collate_fn is None:
                return tuple(
                    [rows.stack(list(values), name) for values, name in zip(zip(*[self._as_row(v, i) for v, i in zip(taken, numbers)]), names)]
                )
            try:
                # a list per column, as MindSpore calls it
                made = self.collate_fn(*[list(values) for values in zip(*[self._as_row(v, i) for v, i in zip(taken, numbers)])])
            except Exception as error:
                raise user_error(error, f"GeneratorDataset: collate_fn, rows {numbers}") from error
            return self._as_row(made, numbers)

        return work

    def _made(self, index):
        return self._as_row(self.source[index], index)

    def _as_row(self, value, index):
        names = self.column_names
        values = value if isinstance(value, tuple | list) else (value,)
        if len(values) != len(names):
            raise pipeline_error(
                "Invalid Python function, the 'source' of 'GeneratorDataset' should return same number of NumPy arrays as specified in column_names, the size of column_names is:"
                f"{len(names)} and number of returned NumPy array is:{len(values)} (row {index}, columns {names})."
            )
        try:
            row = tuple(map(rows.column, values))
        except TypeError as error:
            raise user_error(error, f"the source of GeneratorDataset, at row {index}") from error
        if self.column_types is not None:
            for name, column, dtype in zip(names, row, self.column_types):
                if not isinstance(column, dict) and dtype is not None and column.dtype != dtype:
                    raise pipeline_error(
                        "Invalid Python function, type of returned data in 'GeneratorDataset' should be same with specified column_types, but the type of returned data: "
                        f"{column.dtype}, specified column type: {dtype} (row {index}, column {name!r})."
                    )
        return row

    def is_shuffled(self):
        return self._mappable and super().is_shuffled()

    def _in_order(self):
        return super()._in_order() if self._mappable and self.batch_sampler is None else self


def _is_iterable_object(source):
    """Whether `source` is iterated itself although it can be called."""
    return hasattr(source, "__iter__")


def _schema(schema):
    from sporax.dataset.schema import Schema

    return schema if isinstance(schema, Schema) else Schema(schema)


def _types(types, number):
    if not isinstance(types, list | tuple):
        raise TypeError(f"Argument column_types should be a list, but got {types!r} of type {type(types).__name__}.")
    if len(types) != number:
        raise ValueError(f"column_types should have a type for each of the {number} columns, but got {len(types)}.")
    return [None if t is None else numpy_dtype(t) for t in types]


def numpy_dtype(dtype):
    """The NumPy dtype of a MindSpore dtype, its name, or a NumPy dtype; None for text."""
    if getattr(dtype, "name", None) == "string_" or dtype in ("string", str):
        return None
    own = getattr(dtype, "np_dtype", None)
    return np.dtype(own if own is not None else dtype)


class NumpySlicesDataset(GeneratorDataset):
    """Slices of arrays along their first dimension.

    Args:
        data (Union[list, tuple, dict]): an array or a list (one column), a tuple of these (a column each) or a dict {column: array}.
        column_names (list[str], optional): default: ``None``, the dict's keys, or column_0, column_1 and so on.
        num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id: as of `GeneratorDataset`.

    Examples:
        >>> import sporax.dataset as ds
        >>> data = ds.NumpySlicesDataset({"a": [1, 2], "b": [0.5, 1.5]}, shuffle=False)
        >>> next(data.create_dict_iterator(num_epochs=1, output_numpy=True))
        {'a': array(1), 'b': array(0.5)}
    """

    def __init__(self, data, column_names=None, num_samples=None, num_parallel_workers=1, shuffle=None, sampler=None, num_shards=None, shard_id=None):
        self._arrays, names = _slices(data)
        if column_names is not None:
            names = _checks.names("column_names", column_names)
            if len(names) != len(self._arrays):
                raise ValueError(f"Num of input column names is {len(names)}, but required is {len(self._arrays)}.")
        source = _Slices(self._arrays)
        super().__init__(
            source, names, None, None, num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id, python_multiprocessing=False
        )

    @property
    def _serial(self):
        return False

    def _work(self, run, number):
        arrays = self._arrays

        def work(token):
            i = token[2]
            return tuple([np.array(a[i]) for a in arrays])

        return work


class _Slices:
    """Arrays of equal length as a source with random access."""

    def __init__(self, arrays):
        self.arrays = arrays

    def __len__(self):
        return len(self.arrays[0])

    def __getitem__(self, i):
        return tuple([np.array(a[i]) for a in self.arrays])


def _slices(data):
    """The arrays of what NumpySlicesDataset got, and their names."""
    if not isinstance(data, list | tuple | dict | np.ndarray) and not hasattr(data, "asnumpy"):
        raise TypeError(f"Unsupported data type for NumpySlicesDataset: {type(data).__name__}; expected an array, a list, a tuple or a dict.")
    if len(data) == 0:
        raise ValueError("Input data is empty.")
    if isinstance(data, dict):
        parts, names = list(data.values()), [str(k) for k in data]
    else:
        parts = list(data) if isinstance(data, tuple) else [data]
        names = [f"column_{i}" for i in range(len(parts))]
    arrays = []
    for part, name in zip(parts, names):
        array = part.asnumpy() if hasattr(part, "asnumpy") else part
        try:
            array = np.asarray(array)
        except ValueError:
            # lists of different lengths: each is a row
            pass
        if isinstance(array, np.ndarray) and array.dtype.kind == "O":
            array = [rows.column(v) for v in array]
        if np.ndim(array) == 0 and not isinstance(array, list):
            raise ValueError(f"Column {name!r} should have a first dimension to slice along, but got {part!r}.")
        arrays.append(array)
    lengths = {len(a) for a in arrays}
    if len(lengths) != 1:
        raise ValueError(f"The input arrays must have the same length, but got {dict(zip(names, map(len, arrays)))}.")
    return arrays, names


class PaddedDataset(GeneratorDataset):
    """Rows to fill up a dataset, so that it has as many as shards need.

    Args:
        padded_samples (list[dict]): rows {column: array}; all have the same columns.

    Raises:
        TypeError: `padded_samples` is not a list of dicts.
        ValueError: it is empty.
    """

    def __init__(self, padded_samples):
        if not isinstance(padded_samples, list):
            raise TypeError(f"padded_samples must be an instance of list, but got {type(padded_samples).__name__}.")
        if not padded_samples:
            raise ValueError("padded_samples is empty.")
        for i, sample in enumerate(padded_samples):
            if not isinstance(sample, dict):
                raise TypeError(f"padded_samples[{i}] must be a dict, but got {type(sample).__name__}.")
            if list(sample) != list(padded_samples[0]):
                raise ValueError(f"padded_samples[{i}] should have the columns {list(padded_samples[0])}, but got {list(sample)}.")
        names = list(padded_samples[0])
        super().__init__(
            [tuple(sample[n] for n in names) for sample in padded_samples],
            names,
            num_samples=None,
            num_parallel_workers=1,
            sampler=samplers.SequentialSampler(),
        )
        self.padded_samples = padded_samples
