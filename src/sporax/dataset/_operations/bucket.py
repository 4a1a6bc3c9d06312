"""`bucket_batch_by_length`: batches of rows of similar length."""

import bisect
import typing

from sporax.dataset import _checks
from sporax.dataset._base import UnionBaseDataset
from sporax.dataset._operations.batch import check_pad_info, padded_rows, paddings
from sporax.dataset._operations.columns import positions
from sporax.dataset._pipeline import streams
from sporax.dataset._pipeline.errors import pipeline_error, user_error
from sporax.dataset._pipeline.executor import ahead
from sporax.dataset._pipeline.run import VALUE


class BucketBatchByLengthDataset(UnionBaseDataset):
    """Batches of rows of similar length. See `Dataset.bucket_batch_by_length`."""

    @property
    def _barrier(self):
        return True

    def __init__(
        self,
        input_dataset,
        column_names,
        bucket_boundaries,
        bucket_batch_sizes,
        element_length_function,
        pad_info,
        pad_to_bucket_boundary,
        drop_remainder,
    ):
        super().__init__(input_dataset)
        self.column_names = _checks.names("column_names", column_names)
        self.bucket_boundaries = _numbers("bucket_boundaries", bucket_boundaries)
        self.bucket_batch_sizes = _numbers("bucket_batch_sizes", bucket_batch_sizes)
        if any(a >= b for a, b in zip(self.bucket_boundaries, self.bucket_boundaries[1:])):
            raise ValueError(f"bucket_boundaries should grow strictly, but got {bucket_boundaries}.")
        if len(self.bucket_batch_sizes) != len(self.bucket_boundaries) + 1:
            raise ValueError(
                f"bucket_batch_sizes must contain one element more than bucket_boundaries, but got {bucket_batch_sizes} and {bucket_boundaries}."
            )
        if element_length_function is None and len(self.column_names) != 1:
            raise ValueError(f"If element_length_function is not specified, exactly one column name should be passed, but got {column_names}.")
        self.element_length_function = (
            None if element_length_function is None else _checks.function("element_length_function", element_length_function)
        )
        self.pad_info = check_pad_info(pad_info)
        self.pad_to_bucket_boundary = _checks.truth("pad_to_bucket_boundary", pad_to_bucket_boundary)
        self.drop_remainder = _checks.truth("drop_remainder", drop_remainder)

    def _size(self):
        return None

    def _batch(self):
        return -1

    def _open(self, run, pass_):
        stream = streams.Through(run.number(self), run.open(self.children[0], pass_), pass_)
        return streams.Lazy(self._tokens(run, stream))

    def _tokens(self, run, stream):
        columns = list(self.children[0]._columns())
        buckets: list[list] = [[] for _ in self.bucket_batch_sizes]
        for length, row in ahead(run, self, stream):
            at = bisect.bisect_right(self.bucket_boundaries, length)
            buckets[at].append(row)
            if len(buckets[at]) == self.bucket_batch_sizes[at]:
                rows, buckets[at] = buckets[at], []
                yield (VALUE, None, self._padded(rows, columns, at))
        for at, rows in enumerate(buckets):
            if rows and not self.drop_remainder:
                yield (VALUE, None, self._padded(rows, columns, at))

    def _padded(self, rows, columns, bucket):
        padded = paddings(columns, self.pad_info)
        if self.pad_to_bucket_boundary:
            if bucket == len(self.bucket_boundaries):
                raise pipeline_error(
                    f"Invalid data, pad_to_bucket_boundary needs a boundary above each row, but got one of length {self.bucket_boundaries[-1]} or more: add a larger boundary."
                )
            size = self.bucket_boundaries[bucket] - 1
            padded = {i: ([size if s is None else s for s in (shape or [None] * rows[0][i].ndim)], fill) for i, (shape, fill) in padded.items()}
        return padded_rows(rows, columns, padded)

    def _work(self, run, number):
        at, evaluate = positions(self.children[0]._columns(), self.column_names, "bucket_batch_by_length"), run.evaluate
        function: typing.Any = self.element_length_function

        def work(token):
            row = evaluate(token[1])
            values = [row[i] for i in at]
            if function is None:
                return (values[0].shape[0] if values[0].ndim else 0), row
            try:
                return int(function(*values)), row
            except Exception as error:
                raise user_error(error, f"element_length_function on row {token[2]}", zip(self.column_names, values)) from error

        return work


def _numbers(name, values):
    if not isinstance(values, list):
        raise TypeError(f"Argument {name} should be a list, but got {values!r} of type {type(values).__name__}.")
    if not values:
        raise ValueError(f"{name} cannot be empty.")
    return [_checks.integer(f"{name}[{i}]", value, 1) for i, value in enumerate(values)]
