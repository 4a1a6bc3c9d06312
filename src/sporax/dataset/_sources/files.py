"""Sources that read files from the begin: their rows are found by one quick look through each file, and then read one by one.

Files are read side by side, as many as there are workers: the first row of each, then the second of each. A shard takes one of equal pieces of all rows.
"""

import glob
import os

import numpy as np

from sporax.dataset import _checks, samplers
from sporax.dataset._base import default_workers
from sporax.dataset._pipeline import rows, streams
from sporax.dataset._pipeline.errors import PipelineError, pipeline_error
from sporax.dataset._sources.base import SourceDataset


def matching(patterns):
    """The files that match a pattern or a list of patterns, sorted.

    Raises:
        ValueError: a pattern matches none.
    """
    given = [patterns] if isinstance(patterns, str) else patterns
    if not isinstance(given, list | tuple) or not all(isinstance(p, str) for p in given):
        raise TypeError(f"Argument dataset_files should be a str or a list of str, but got {patterns!r} of type {type(patterns).__name__}.")
    if not given:
        raise ValueError("The list of path names is empty: dataset_files should have a file at least.")
    found, none = [], []
    for pattern in given:
        files = [pattern] if os.path.isfile(pattern) else [f for f in glob.glob(pattern, recursive=True) if os.path.isfile(f)]
        found += sorted(files)
        if not files:
            none.append(pattern)
    if none:
        raise ValueError(f"The following patterns did not match any files: {none}.")
    return sorted(found)


class FilesDataset(SourceDataset):
    """Rows of files.

    Subclasses say where the rows of a file are (`_places`), how one is read (`_read`), and what columns there are.
    """

    def __init__(self, num_samples=None, num_parallel_workers=None, shuffle=samplers.Shuffle.GLOBAL, num_shards=None, shard_id=None, cache=None):
        if not isinstance(shuffle, bool | samplers.Shuffle):
            raise TypeError(
                f"shuffle must be of boolean or enum of 'Shuffle' values like 'Shuffle.GLOBAL' or 'Shuffle.FILES' or 'Shuffle.INFILE', but got {shuffle!r}."
            )
        _checks.shards(num_shards, shard_id)
        if num_samples is not None:
            num_samples = _checks.integer("num_samples", num_samples, 0) or None
        level = samplers.Shuffle.GLOBAL if shuffle is True else (shuffle or None)
        super().__init__(num_parallel_workers, num_samples, level, num_shards, shard_id, cache)
        self._tables: list | None = None
        self._open_files: dict = {}

    # what a source says

    def _files(self):
        """The files, in order."""
        return []

    def _places(self, path):
        """A table of the rows of a file: a line per row."""
        return np.zeros((0, 2), np.int64)

    def _read(self, path, place):
        """A row from its line of the table: values that become columns."""
        raise TypeError(f"{type(self).__name__} has no rows.")

    # helpers

    def _look(self):
        if self._tables is None:
            self._tables = [self._places(path) for path in self._files()]
        return self._tables

    def _bytes(self, path, begin, end):
        """A piece of a file. Reads at a place, so threads and processes can share the file."""
        key = (os.getpid(), path)
        file = self._open_files.get(key)
        if file is None:
            try:
                file = self._open_files.setdefault(key, _File(path))
            except OSError as error:
                raise pipeline_error(f"Failed to open file {path}: {error.strerror}.") from error
        return file.read(begin, end)

    def __getstate__(self):
        return {**self.__dict__, "_open_files": {}}

    # what the engine asks

    def _size(self):
        total = sum(map(len, self._look()))
        if self.num_shards is not None:
            total = len(range(total)[self._share(total)])
        return total if self.num_samples is None else min(total, self.num_samples)

    def _share(self, total):
        step, at = -(-total // (self.num_shards or 1)), self.shard_id or 0
        return slice(at * step, (at + 1) * step)

    def _order(self, rng):
        """All rows in order: pairs (file, row)."""
        counts = [len(t) for t in self._look()]
        files = list(range(len(counts)))
        level = self.shuffle_level
        if level in (samplers.Shuffle.GLOBAL, samplers.Shuffle.FILES):
            files = rng.permutation(files).tolist()
        each = [np.stack([np.full(counts[f], f), np.arange(counts[f])], 1) for f in files]
        if level == samplers.Shuffle.INFILE:
            each = [e[rng.permutation(len(e))] for e in each]
        if self.num_shards is not None or level == samplers.Shuffle.GLOBAL:
            # shards are pieces of the files one after the other
            order = np.concatenate(each) if each else np.zeros((0, 2), np.int64)
            if self.num_shards is not None:
                order = order[self._share(len(order))]
            return order[rng.permutation(len(order))] if level == samplers.Shuffle.GLOBAL else order
        return _side_by_side(each, default_workers(self))

    def _open(self, run, pass_):
        total = sum(map(len, self._look()))
        if not total:
            raise pipeline_error(
                f"Invalid data, {type(self).__name__} API can't read the data file (interface mismatch or no data found). Check the files: {self._files()}."
            )
        rng = run.rng(self, pass_)
        if self.num_shards is not None:
            # shards have to agree on the order of files
            from sporax.dataset import config

            rng = np.random.Generator(np.random.Philox(key=config.get_seed(), counter=np.array([0, 0, 2, pass_], np.uint64)))
        order = self._order(rng)
        if self.num_samples is not None:
            order = order[: self.num_samples]
        stream = streams.Indices(run.number(self), [tuple(pair) for pair in order.tolist()])
        return stream if self.cache is None else self.cache._wrap(run, self, stream, pass_)

    def _work(self, run, number):
        files = self._files()

        def work(token):
            file, row = token[2]
            try:
                return rows.columns(self._read(files[file], self._look()[file][row]))
            except PipelineError:
                raise
            except Exception as error:
                raise pipeline_error(f"Invalid file, failed to parse {files[file]} at row {row + 1}: {type(error).__name__}: {error}") from error

        return work


class _File:
    """An open file, closed when nobody uses it any more."""

    def __init__(self, path):
        self._file = os.open(path, os.O_RDONLY)

    def read(self, begin, end):
        return os.pread(self._file, end - begin, begin)

    def __del__(self):
        if hasattr(self, "_file"):
            os.close(self._file)


def _side_by_side(each, workers):
    """The rows of several files in turn: as many files at a time as there are workers."""
    lanes = [np.concatenate(each[i::workers]) for i in range(min(workers, len(each)))]
    if len(lanes) <= 1:
        return lanes[0] if lanes else np.zeros((0, 2), np.int64)
    keys = np.concatenate([np.arange(len(lane)) * len(lanes) + i for i, lane in enumerate(lanes)])
    return np.concatenate(lanes)[np.argsort(keys, kind="stable")]


def line_places(path, quotes=False):
    """Begin and end of each line that isn't empty.

    Args:
        path: the file.
        quotes: whether a line ends only outside of double quotes.
    """
    try:
        data = np.fromfile(path, np.uint8)
    except OSError as error:
        raise pipeline_error(f"Failed to open file {path}: {error.strerror}.") from error
    ends = data == 10
    if quotes:
        inside = data == 34
        if inside.any():
            ends &= np.cumsum(inside) % 2 == 0
    ends = np.flatnonzero(ends)
    if len(data) and (not len(ends) or ends[-1] != len(data) - 1):
        ends = np.append(ends, len(data))
    begins = np.concatenate([[0], ends[:-1] + 1]).astype(np.int64) if len(ends) else np.zeros(0, np.int64)
    table = np.stack([begins, ends.astype(np.int64)], 1)
    return table[table[:, 1] > table[:, 0]]
