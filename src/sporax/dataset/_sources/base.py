"""Sources: where rows come from.

A source with random access (`MappableDataset`) knows how many rows it has, and makes row number i from i alone: a sampler then chooses which come. Anything else is a stream of rows.
"""

import copy
import threading
import typing

from sporax.dataset import _checks, samplers
from sporax.dataset._base import Dataset, default_workers
from sporax.dataset._pipeline import rows, streams
from sporax.dataset._pipeline.errors import PipelineError, pipeline_error


class SourceDataset(Dataset):
    """A pipeline's begin."""

    def __init__(self, num_parallel_workers=None, num_samples=None, shuffle: typing.Any = True, num_shards=None, shard_id=None, cache=None):
        super().__init__(None, num_parallel_workers, cache)
        self.num_samples, self.shuffle_level, self.num_shards, self.shard_id = num_samples, shuffle, num_shards, shard_id

    def _batch(self):
        return 1

    def _repeats(self):
        return 1

    def _workers(self):
        return default_workers(self)

    def is_shuffled(self):
        return bool(self.shuffle_level)

    def is_sharded(self):
        return self.num_shards is not None and self.num_shards > 1


class MappableDataset(SourceDataset):
    """A source with random access."""

    def __init__(self, num_parallel_workers=None, sampler=None, num_samples=None, shuffle=None, num_shards=None, shard_id=None, cache=None):
        super().__init__(num_parallel_workers, num_samples, shuffle, num_shards, shard_id, cache)
        self.sampler = samplers.select(num_samples, sampler, shuffle, num_shards, shard_id)
        self._lock = threading.Lock()

    # what a source says

    def _total(self):
        """How many rows there are before the sampler chooses."""
        return 0

    def _row(self, index):
        """Row number `index`, values that become columns."""
        raise TypeError(f"{type(self).__name__} has no rows.")

    def _labels(self, column):
        """A column of all rows, for samplers that choose by it."""
        at = list(self._columns()).index(column) if column in self._columns() else None
        if at is None:
            raise pipeline_error(f"The sampler needs a column {column!r}, but the rows have {self._columns()}.")
        return [self._made(i)[at] for i in range(self._total())]

    def _made(self, index):
        return rows.columns(self._row(index))

    # what the engine asks

    def _size(self):
        total = self._total()
        number = self.sampler._count(total)
        if number is None:
            from sporax.dataset._pipeline.run import Run

            number = len(self._numbers(Run(self), 0))
        return number

    def _numbers(self, run, pass_):
        if not getattr(self.sampler, "reshuffle_each_epoch", True):
            pass_ = 0
        return self.sampler._draw(self._total(), run.rng(self, pass_), pass_, self._labels)

    def _open(self, run, pass_):
        if self._total() == 0:
            raise pipeline_error(f"Invalid data, {type(self).__name__} found no rows{self._where()}.")
        stream = streams.Indices(run.number(self), self._numbers(run, pass_))
        return stream if self.cache is None else self.cache._wrap(run, self, stream, pass_)

    def _where(self):
        place = getattr(self, "dataset_dir", None) or getattr(self, "dataset_files", None)
        return f" in {place!r}" if place else ""

    def _work(self, run, number):
        made, name = self._made, type(self).__name__

        def work(token):
            try:
                return made(token[2])
            except PipelineError:
                raise
            except Exception as error:
                raise pipeline_error(f"{name} could not make row {token[2]}: {type(error).__name__}: {error}") from error

        return work

    # methods

    def add_sampler(self, new_sampler):
        """Let `new_sampler` choose among what the sampler chooses now."""
        if new_sampler is not None:
            new_sampler.add_child(self.sampler)
            self.sampler, self.dataset_size = new_sampler, None

    def use_sampler(self, new_sampler):
        """Let `new_sampler` choose in place of the sampler there is.

        Raises:
            TypeError: it isn't a sampler.
        """
        if new_sampler is None:
            raise TypeError("Input sampler can not be None.")
        self.sampler, self.dataset_size = samplers.select(None, new_sampler, None, None, None), None

    def is_shuffled(self):
        return self.sampler.is_shuffled()

    def is_sharded(self):
        return self.sampler.is_sharded()

    def _in_order(self):
        """The same rows, not mixed."""
        sampler = self.sampler._in_order()
        if sampler is self.sampler:
            return self
        made = copy.copy(self)
        made.sampler, made.dataset_size = sampler or samplers.SequentialSampler(), None
        return made


def read_bytes(path):
    """A file's content as the array of bytes that image operations decode.

    Raises:
        RuntimeError: it can't be read; the message names it.
    """
    import numpy as np

    try:
        with open(path, "rb") as f:
            data = f.read()
    except OSError as error:
        raise pipeline_error(f"Failed to read file {path}: {error.strerror}.") from error
    return np.frombuffer(data, np.uint8)


def decoded(path):
    """An image file as an array [height, width, 3] of uint8.

    Raises:
        RuntimeError: it isn't an image, or is damaged; the message names it.
    """
    from sporax.dataset import vision

    data = read_bytes(path)
    try:
        return vision.Decode()(data)
    except (RuntimeError, ValueError, TypeError) as error:
        raise pipeline_error(f"Failed to decode image {path}: {error}") from error


def image(path, decode):
    """An image file's content, decoded or not."""
    return decoded(path) if decode else read_bytes(path)


def files_in(folder, suffixes):
    """The files of a folder with one of the suffixes, sorted by name."""
    import os

    return sorted(e.path for e in os.scandir(folder) if e.is_file() and os.path.splitext(e.name)[1].lower() in suffixes)


IMAGES = (".jpg", ".jpeg", ".bmp", ".png", ".gif", ".tif", ".tiff")


def usage(value, allowed):
    """`usage`, one of `allowed`; None is the last of them ("all")."""
    return allowed[-1] if value is None else _checks.choice("usage", value, list(allowed))
