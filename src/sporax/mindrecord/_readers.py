"""FileReader and MindPage: rows of MindRecord files for programs."""

import numpy as np

from sporax.mindrecord._reader import Shards


def _files(file_name):
    if not isinstance(file_name, str | list):
        raise TypeError(f"file_name should be a str or a list of str, but got {file_name!r} of type {type(file_name).__name__}.")
    if isinstance(file_name, list):
        if not file_name:
            raise ValueError("file_name should have a file at least.")
        return Shards(file_name)
    return Shards([file_name], alone=False)


class FileReader:
    """Go through the rows of MindRecord files.

    Args:
        file_name (Union[str, list[str]]): one file, and with it those that were written together with it, or a list of files.
        num_consumer (int): kept for programs that give it; rows are read when they are asked for. Default: ``4``.
        columns (list[str], optional): which fields. Default: ``None``, all.
        operator (None): kept for programs that give it. Default: ``None``.

    Raises:
        RuntimeError: a file is missing or isn't a complete MindRecord file.
        ValueError: a field is not in the files, or `operator` is given.
    """

    def __init__(self, file_name, num_consumer=4, columns=None, operator=None):
        if not isinstance(num_consumer, int) or num_consumer < 1:
            raise ValueError(f"Consumer number should be a positive int, but got {num_consumer!r}.")
        if operator is not None:
            raise ValueError("operator has no values in MindSpore that choose anything: leave it out.")
        self._shards = _files(file_name)
        if columns is not None:
            if not isinstance(columns, list) or not columns:
                raise TypeError(f"columns should be a list of str, but got {columns!r}.")
            missing = [c for c in columns if c not in self._shards.schema]
            if missing:
                raise ValueError(f"The files have no field {', '.join(map(repr, missing))}, but {self._shards.columns()}.")
        self._columns, self._closed = columns, False

    def get_next(self):
        """A generator of rows, dicts {field: number, text, bytes or array}."""
        if self._closed:
            raise RuntimeError("The reader is closed.")
        for i in range(len(self._shards)):
            yield self._shards.read(i, self._columns)

    def schema(self):
        """The fields with their types and shapes."""
        return {n: dict(f) for n, f in self._shards.schema.items()}

    def len(self):
        """The number of rows."""
        return len(self._shards)

    def close(self):
        """Close the files."""
        self._closed = True
        self._shards.close()


class MindPage:
    """Read rows of one class a page at a time.

    Args:
        file_name (Union[str, list[str]]): as of `FileReader`.
        num_consumer (int): kept for programs that give it. Default: ``4``.
    """

    def __init__(self, file_name, num_consumer=4):
        if not isinstance(num_consumer, int) or num_consumer < 1:
            raise ValueError(f"Consumer number should be a positive int, but got {num_consumer!r}.")
        self._shards, self._field, self._groups = _files(file_name), None, {}

    @property
    def candidate_fields(self):
        """The fields that can tell classes: those that are indexed."""
        return [f["index_field"] for f in self._shards.header["index_fields"] or []]

    @property
    def category_field(self):
        """The field that tells the classes."""
        return self._field

    @category_field.setter
    def category_field(self, name):
        if name not in self.candidate_fields:
            raise ValueError(f"category_field should be one of the indexed fields {self.candidate_fields}, but got {name!r}.")
        groups: dict = {}
        for i, value in enumerate(self._shards.labels(name)):
            groups.setdefault(value, []).append(i)
        self._field, self._groups = name, dict(sorted(groups.items()))

    def read_category_info(self):
        """What classes there are: {"key": field, "categories": [{"count", "id", "name"}]}."""
        self._chosen()
        return {"key": self._field, "categories": [{"count": len(g), "id": i, "name": n} for i, (n, g) in enumerate(self._groups.items())]}

    def _chosen(self):
        if self._field is None:
            raise RuntimeError("Set category_field first.")

    def read_at_page_by_id(self, category_id, page, num_row):
        """Page number `page` (from 0) of `num_row` rows of the class with this number."""
        self._chosen()
        names = list(self._groups)
        if not isinstance(category_id, int) or not 0 <= category_id < len(names):
            raise ValueError(f"category_id should be in [0, {len(names) - 1}], but got {category_id!r}.")
        return self.read_at_page_by_name(names[category_id], page, num_row)

    def read_at_page_by_name(self, category_name, page, num_row):
        """Page number `page` (from 0) of `num_row` rows of the class of this name."""
        self._chosen()
        if category_name not in self._groups:
            raise ValueError(f"There is no class {category_name!r}; classes: {list(self._groups)}.")
        for name, value, low in (("page", page, 0), ("num_row", num_row, 1)):
            if not isinstance(value, int | np.integer) or value < low:
                raise ValueError(f"{name} should be an int of at least {low}, but got {value!r}.")
        rows = self._groups[category_name][page * num_row : (page + 1) * num_row]
        return [self._shards.read(i) for i in rows]
