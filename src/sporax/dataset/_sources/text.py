"""Sources of text: lines, separated values, lines of JSON."""

import csv
import io
import json

import numpy as np

from sporax.dataset import _checks, samplers
from sporax.dataset._base import TextBaseDataset, UnionBaseDataset
from sporax.dataset._pipeline.errors import pipeline_error
from sporax.dataset._sources.files import FilesDataset, line_places, matching


class TextFileDataset(FilesDataset, TextBaseDataset):
    """Lines of text files, in a column text. Empty lines are left out.

    Args:
        dataset_files (Union[str, list[str]]): files or patterns of names.
        num_samples (int, optional): at most so many lines.
        num_parallel_workers (int, optional): default: ``None``, that of `ds.config`.
        shuffle (Union[bool, Shuffle]): default: ``Shuffle.GLOBAL``, all lines are mixed.
        num_shards, shard_id (int, optional): take one of several pieces.
        cache (DatasetCache, optional): keeps rows.

    Raises:
        ValueError: a pattern matches no file.
    """

    def __init__(
        self, dataset_files, num_samples=None, num_parallel_workers=None, shuffle=samplers.Shuffle.GLOBAL, num_shards=None, shard_id=None, cache=None
    ):
        super().__init__(num_samples, num_parallel_workers, shuffle, num_shards, shard_id, cache)
        self.dataset_files = matching(dataset_files)

    def _files(self):
        return self.dataset_files

    def _columns(self):
        return ["text"]

    def _places(self, path):
        return line_places(path)

    def _read(self, path, place):
        return (np.array(self._bytes(path, *place.tolist()).decode("utf-8")),)


class CSVDataset(FilesDataset, UnionBaseDataset):
    """Lines of separated values.

    Args:
        dataset_files (Union[str, list[str]]): files or patterns of names.
        field_delim (str): what separates values, one character. Default: ``","``.
        column_defaults (list, optional): a value per column, used where a number is missing; its type (int, float, str) is the column's: int32, float32 or text. Default: ``None``, text.
        column_names (list[str], optional): names. Default: ``None``, the first line of each file.
        num_samples, num_parallel_workers, shuffle, num_shards, shard_id, cache: as of `TextFileDataset`.

    Raises:
        RuntimeError: a line has another number of values, or one that isn't a number where it should be.
    """

    def __init__(
        self,
        dataset_files,
        field_delim=",",
        column_defaults=None,
        column_names=None,
        num_samples=None,
        num_parallel_workers=None,
        shuffle=samplers.Shuffle.GLOBAL,
        num_shards=None,
        shard_id=None,
        cache=None,
    ):
        super().__init__(num_samples, num_parallel_workers, shuffle, num_shards, shard_id, cache)
        self.dataset_files = matching(dataset_files)
        if not isinstance(field_delim, str):
            raise TypeError(f"Argument field_delim with value {field_delim!r} is not of type [str].")
        if len(field_delim) != 1 or field_delim in '"\r\n':
            raise ValueError(f"field_delim should be one character, and no quote or end of line, but got {field_delim!r}.")
        self.field_delim = field_delim
        if column_defaults is not None:
            if not isinstance(column_defaults, list):
                raise TypeError(f"Argument column_defaults should be a list, but got {column_defaults!r} of type {type(column_defaults).__name__}.")
            for value in column_defaults:
                if not isinstance(value, str | int | float):
                    raise TypeError(f"column type in column_defaults is invalid: expected int, float or str, but got {value!r}.")
        self.column_defaults, self._header = column_defaults, column_names is None
        self.column_names = _checks.names("column_names", column_names) if column_names is not None else self._first_line()
        if column_defaults is not None and len(column_defaults) != len(self.column_names):
            raise ValueError(f"column_defaults should have a value for each of the columns {self.column_names}, but got {column_defaults}.")

    def _first_line(self):
        path = self.dataset_files[0]
        table = line_places(path, quotes=True)
        if not len(table):
            raise pipeline_error(f"Invalid file, {path} is empty, so it has no names of columns.")
        return self._split(path, table[0])

    def _split(self, path, place):
        line = self._bytes(path, *place.tolist()).decode("utf-8")
        return next(csv.reader(io.StringIO(line.rstrip("\r"), newline=""), delimiter=self.field_delim), [])

    def _files(self):
        return self.dataset_files

    def _columns(self):
        return self.column_names

    def _places(self, path):
        return line_places(path, quotes=True)[1 if self._header else 0 :]

    def _read(self, path, place):
        values = self._split(path, place)
        if len(values) != len(self.column_names):
            raise pipeline_error(
                f"Invalid file, failed to parse csv file: {path}. The columns are {self.column_names}, but a line has {len(values)} values: {values}."
            )
        if self.column_defaults is None:
            return tuple(map(np.array, values))
        return tuple(_typed(v, d, path, n) for v, d, n in zip(values, self.column_defaults, self.column_names))


def _typed(value, default, path, name):
    try:
        if isinstance(default, str):
            return np.array(value)
        if isinstance(default, int):
            return np.array(default if value == "" else int(float(value)), np.int32)
        return np.array(default if value == "" else float(value), np.float32)
    except (ValueError, OverflowError) as error:
        raise pipeline_error(
            f"Invalid csv, failed to parse {path}: column {name!r} should be {type(default).__name__}, but got {value!r}."
        ) from error


class Separated(FilesDataset, TextBaseDataset):
    """What corpora in files of separated values share: columns of text."""

    _names: tuple = ()
    _delimiter, _header, _quoted = ",", False, True

    def _columns(self):
        return list(self._names)

    def _places(self, path):
        return line_places(path, quotes=self._quoted)[1 if self._header else 0 :]

    def _read(self, path, place):
        line = self._bytes(path, *place.tolist()).decode("utf-8").rstrip("\r")
        if self._quoted:
            values = next(csv.reader(io.StringIO(line, newline=""), delimiter=self._delimiter), [])
        else:
            values = line.split(self._delimiter)
        if len(values) < len(self._names):
            raise pipeline_error(f"Invalid file, {path} should have {len(self._names)} values in each line, {list(self._names)}, but got {values}.")
        return tuple(np.array(v) for v in values[: len(self._names)])


# What CLUE's tasks have: columns of training and evaluation, and of tests.
_CLUE = {
    "AFQMC": (("sentence1", "sentence2", "label"), ("id", "sentence1", "sentence2")),
    "CMNLI": (("sentence1", "sentence2", "label"), ("id", "sentence1", "sentence2")),
    "CSL": (("id", "abst", "keyword", "label"), ("id", "abst", "keyword")),
    "IFLYTEK": (("label", "label_des", "sentence"), ("id", "sentence")),
    "TNEWS": (("label", "label_desc", "sentence", "keywords"), ("id", "keywords", "sentence")),
    "WSC": (
        ("span1_index", "span2_index", "span1_text", "span2_text", "idx", "text", "label"),
        ("span1_index", "span2_index", "span1_text", "span2_text", "idx", "text"),
    ),
}


class CLUEDataset(FilesDataset, TextBaseDataset):
    """Tasks of Chinese language understanding (CLUE): lines of JSON.

    Args:
        dataset_files (Union[str, list[str]]): files or patterns of names.
        task (str): "AFQMC", "TNEWS", "IFLYTEK", "CMNLI", "WSC" or "CSL". Default: ``"AFQMC"``.
        usage (str): "train", "test" or "eval". Default: ``"train"``.
        num_samples, num_parallel_workers, shuffle, num_shards, shard_id, cache: as of `TextFileDataset`.
    """

    def __init__(
        self,
        dataset_files,
        task="AFQMC",
        usage="train",
        num_samples=None,
        num_parallel_workers=None,
        shuffle=samplers.Shuffle.GLOBAL,
        num_shards=None,
        shard_id=None,
        cache=None,
    ):
        super().__init__(num_samples, num_parallel_workers, shuffle, num_shards, shard_id, cache)
        self.dataset_files = matching(dataset_files)
        self.task, self.usage = _checks.choice("task", task, list(_CLUE)), _checks.choice("usage", usage, ["train", "test", "eval"])
        self._names = sorted(_CLUE[task][usage == "test"])  # the order that MindSpore gives them

    def _files(self):
        return self.dataset_files

    def _columns(self):
        return list(self._names)

    def _places(self, path):
        return line_places(path)

    def _read(self, path, place):
        entry = json.loads(self._bytes(path, *place.tolist()))
        if self.task == "WSC":
            entry = {**entry, **entry.get("target", {})}
        missing = [n for n in self._names if n not in entry]
        if missing:
            raise pipeline_error(
                f"Invalid file, a line of {path} has no {missing}, which the task {self.task} has for {self.usage}: it has {list(entry)}."
            )
        return tuple(_text(entry[n]) for n in self._names)


def _text(value):
    """A value of JSON as a column: numbers stay numbers, all else is text."""
    if isinstance(value, int) and not isinstance(value, bool):
        return np.array(value, np.uint32 if value >= 0 else np.int64)
    if isinstance(value, list):
        return np.array([str(v) for v in value]) if value else np.zeros(0, "U1")
    return np.array(str(value))
