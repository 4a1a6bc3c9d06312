"""MindDataset: rows of MindRecord files."""

import glob
import typing

import numpy as np

from sporax.dataset import _checks, samplers
from sporax.dataset._base import UnionBaseDataset
from sporax.dataset._pipeline import rows
from sporax.dataset._pipeline.errors import pipeline_error
from sporax.dataset._sources.base import MappableDataset


class MindDataset(MappableDataset, UnionBaseDataset):
    """Rows of MindRecord files.

    Args:
        dataset_files (Union[str, list[str]]): one file, and with it those that were written together with it, or a list of files.
        columns_list (list[str], optional): which fields. Default: ``None``, all, sorted.
        num_parallel_workers (int, optional): default: ``None``, that of `ds.config`.
        shuffle (Union[bool, Shuffle], optional): default: ``None``, all rows are mixed. `Shuffle.FILES`: the order of files, `Shuffle.INFILE`: rows within files.
        num_shards, shard_id (int, optional): take one of several shards.
        sampler (Sampler, optional): which rows, in which order.
        padded_sample (dict, optional): a row that is appended `num_padded` times.
        num_padded (int, optional): how often.
        num_samples (int, optional): at most so many rows.
        cache (DatasetCache, optional): keeps rows.

    Raises:
        RuntimeError: a file is missing, or isn't a complete MindRecord file.
        ValueError: a field is not in the files.
    """

    def __init__(
        self,
        dataset_files,
        columns_list=None,
        num_parallel_workers=None,
        shuffle=None,
        num_shards=None,
        shard_id=None,
        sampler=None,
        padded_sample=None,
        num_padded=None,
        num_samples=None,
        cache=None,
    ):
        from sporax.mindrecord._reader import Shards

        _checks.shards(num_shards, shard_id)
        super().__init__(num_parallel_workers, sampler, num_samples, _whole(shuffle), num_shards, shard_id, cache)
        if not isinstance(dataset_files, str | list | tuple):
            raise TypeError(f"dataset_files should be a str or a list of str, but got {dataset_files!r} of type {type(dataset_files).__name__}.")
        self.dataset_files = dataset_files
        if isinstance(dataset_files, str):
            found = sorted(glob.glob(dataset_files)) if glob.has_magic(dataset_files) else [dataset_files]
            self._shards = Shards([f for f in found if not f.endswith(".db")], alone=glob.has_magic(dataset_files))
        else:
            self._shards = Shards(list(dataset_files))
        self.columns_list = self._shards.columns() if columns_list is None else _checks.names("columns_list", columns_list)
        missing = [n for n in self.columns_list if n not in self._shards.schema]
        if missing:
            raise ValueError(f"columns_list has {missing}, which the files don't have: their fields are {self._shards.columns()}.")
        if (padded_sample is None) != (num_padded is None):
            raise RuntimeError("padded_sample and num_padded should be specified both, or neither.")
        self.num_padded = 0 if num_padded is None else _checks.integer("num_padded", num_padded, 0)
        if padded_sample is not None:
            if shuffle:
                raise RuntimeError("padded_sample is specified and requires shuffle to be False: padded rows are the last ones.")
            if not isinstance(padded_sample, dict) or any(n not in padded_sample for n in self.columns_list):
                raise RuntimeError(f"padded_sample should be a dict with a value for each of {self.columns_list}, but got {padded_sample!r}.")
            if shuffle is None and sampler is None and num_shards is None:
                self.sampler = samplers.SequentialSampler(num_samples=num_samples)
        self.padded_sample = padded_sample
        if isinstance(shuffle, samplers.Shuffle) and shuffle in (samplers.Shuffle.FILES, samplers.Shuffle.INFILE):
            self.sampler = _FileSampler(self._shards.counts, shuffle, num_samples, num_shards, shard_id)

    def _columns(self):
        return self.columns_list

    def _total(self):
        return len(self._shards) + self.num_padded

    def _row(self, index):
        padded = index >= len(self._shards)
        row: typing.Any = self.padded_sample if padded else self._shards.read(index, self.columns_list)
        made = []
        for name in self.columns_list:
            value, field = row[name], self._shards.schema[name]
            kind = field["type"]
            if kind == "bytes":
                value = np.array([value]) if isinstance(value, bytes) and value else np.array([bytes(value)])
            elif kind == "string":
                value = np.array(value)
            elif "shape" not in field or padded:
                value = np.array(value, kind)
            made.append(value)
        return tuple(made)

    def _made(self, index):
        return tuple(map(rows.column, self._row(index)))

    def _labels(self, column):
        if column not in self._shards.schema:
            raise pipeline_error(f"The sampler needs a field {column!r}, but the files have {self._shards.columns()}.")
        return self._shards.labels(column)


def _whole(shuffle):
    return None if shuffle is None else bool(shuffle)


class _FileSampler(samplers.BuiltinSampler):
    """Files in random order, or rows in random order within each file."""

    def __init__(self, counts, mode, num_samples, num_shards, shard_id):
        super().__init__(num_samples)
        self.counts, self.mode, self.num_shards, self.shard_id = counts, mode, num_shards, shard_id

    def _choose(self, size, rng, pass_, labels):
        ends = np.cumsum(self.counts)
        files = [np.arange(end - count, end) for end, count in zip(ends, self.counts)]
        if self.mode == samplers.Shuffle.FILES:
            files = [files[i] for i in rng.permutation(len(files))]
        else:
            files = [rng.permutation(f) for f in files]
        order = np.concatenate(files)
        if self.num_shards is not None:
            order = order[(np.arange(-(-size // self.num_shards)) * self.num_shards + self.shard_id) % size]
        return order[: self.num_samples]

    def _number(self, size):
        return super()._number(size if self.num_shards is None else -(-size // self.num_shards))

    def is_shuffled(self):
        return True

    def get_shuffle_mode(self):
        return self.mode
