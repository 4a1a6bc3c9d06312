"""FileWriter: rows to MindRecord files."""

import json
import os
import re
import sqlite3
import struct
import warnings

import numpy as np

from sporax.mindrecord import _format
from sporax.mindrecord._exceptions import (
    MRMDefineIndexError,
    MRMInvalidHeaderSizeError,
    MRMInvalidPageSizeError,
    MRMInvalidSchemaError,
    MRMOpenForAppendError,
)

_NAME = re.compile(r"^[A-Za-z0-9_]+$")
_SQL = {"string": "TEXT", "int32": "INTEGER", "int64": "INTEGER", "float32": "REAL", "float64": "REAL"}


class FileWriter:
    """Write rows to one or more MindRecord files, each with an index beside it (`.db`). Genuine MindSpore reads them.

    Args:
        file_name (str): the file; of several, the name that their numbers are added to.
        shard_num (int): how many files, 1 to 1000; rows go to them in turn, in blocks. Default: ``1``.
        overwrite (bool): replace files that are there. Default: ``False``.

    Raises:
        ParamValueError: `file_name` or `shard_num` is invalid.
        RuntimeError: a file is there, found when the first row is written.

    Examples:
        >>> import os, tempfile
        >>> from sporax.mindrecord import FileReader, FileWriter
        >>> path = os.path.join(tempfile.mkdtemp(), "a.mindrecord")
        >>> writer = FileWriter(path)
        >>> _ = writer.add_schema({"name": {"type": "string"}, "x": {"type": "float32", "shape": [2]}})
        >>> writer.write_raw_data([{"name": "one", "x": np.ones(2, np.float32)}])
        >>> writer.commit()
        >>> next(FileReader(path).get_next())["x"]
        array([1., 1.], dtype=float32)
    """

    def __init__(self, file_name, shard_num=1, overwrite=False):
        if not isinstance(file_name, str) or not file_name:
            raise TypeError(f"File name should be a str, but got {file_name!r} of type {type(file_name).__name__}.")
        if re.search(r'[*?"<>|`&;\']', os.path.basename(file_name)):
            raise RuntimeError(f"File name should not contain any of * ? \" < > | ` & ; ', but got {file_name!r}.")
        if not isinstance(shard_num, int) or isinstance(shard_num, bool):
            raise TypeError(f"shard_num should be an int, but got {shard_num!r} of type {type(shard_num).__name__}.")
        if not 1 <= shard_num <= 1000:
            raise ValueError(f"shard_num should be within the interval [1, 1000], but got {shard_num}.")
        if not isinstance(overwrite, bool):
            raise TypeError(f"overwrite should be a bool, but got {overwrite!r} of type {type(overwrite).__name__}.")
        self._files = [file_name] if shard_num == 1 else [f"{file_name}{i:0{len(str(shard_num - 1))}d}" for i in range(shard_num)]
        self._overwrite, self._header_size, self._page_size = overwrite, _format.HEADER_SIZE, _format.PAGE_SIZE
        self._schema, self._description, self._index = None, "", None
        self._rows: list = [[] for _ in self._files]
        self._shards: list = []
        self._written, self._append, self._next = 0, False, 0

    @classmethod
    def open_for_append(cls, file_name):
        """A writer that adds rows to files that are there.

        Args:
            file_name (str): one file; of several that were written together, the first.

        Raises:
            MRMOpenForAppendError: it isn't a complete MindRecord file.
        """
        try:
            header = _format.read_header(file_name)
        except RuntimeError as error:
            raise MRMOpenForAppendError(str(error)) from error
        names = header["shard_addresses"]
        writer = cls(file_name)
        writer._files = [os.path.join(os.path.dirname(file_name), os.path.basename(n)) for n in names]
        writer.init_append(file_name, header)
        return writer

    def init_append(self, file_name, header):
        """Continue with the files whose `header` this is."""
        self._schema, self._description = header["schema"][0]["schema"], header["schema"][0]["desc"]
        self._index = [field["index_field"] for field in header["index_fields"] or []]
        self._header_size, self._page_size = header["header_size"], header["page_size"]
        self._shards = [_Shard.reopened(path, self) for path in self._files]
        self._written, self._append = 1, True

    def add_schema(self, content, desc=None):
        """Say what fields rows have.

        Args:
            content (dict): name -> {"type": one of int32, int64, float32, float64, string, bytes}, for arrays of numbers also {"shape": list}, with -1 for one size that varies.
            desc (str, optional): a description. Default: ``None``.

        Returns:
            int: the number of the schema, 0.

        Raises:
            MRMInvalidSchemaError: a name, type or shape is invalid.
        """
        if not isinstance(content, dict) or not content:
            raise MRMInvalidSchemaError(f"Schema content should be a dict with a field at least, but got {content!r}.")
        for name, field in content.items():
            if not isinstance(name, str) or not _NAME.match(name):
                raise MRMInvalidSchemaError(f"Field '{name}' should be composed of letters, digits and '_'.")
            if not isinstance(field, dict) or set(field) - {"type", "shape"} or "type" not in field:
                raise MRMInvalidSchemaError(f"Field '{name}' should have 'type' and may have 'shape', but got {field!r}.")
            if field["type"] not in _format.TYPES:
                raise MRMInvalidSchemaError(f"Field '{name}' contain illegal attribute '{field['type']}': expected one of {list(_format.TYPES)}.")
            if "shape" in field:
                shape = field["shape"]
                if field["type"] in ("string", "bytes"):
                    raise MRMInvalidSchemaError(f"Field '{name}' contain illegal attribute '{field['type']}': only numbers have a shape.")
                if not isinstance(shape, list | tuple) or not shape or not all(isinstance(s, int) for s in shape) or sum(s == -1 for s in shape) > 1:
                    raise MRMInvalidSchemaError(f"Field '{name}' contain illegal shape {shape!r}: expected a list of int, at most one of them -1.")
        self._schema = {n: {**f, "shape": list(f["shape"])} if "shape" in f else dict(f) for n, f in sorted(content.items())}
        self._description = desc or ""
        return 0

    def add_index(self, index_fields):
        """Say which fields can be searched. Default: the fields that are numbers or text.

        Raises:
            MRMDefineIndexError: a field is not in the schema, or is bytes or an array.
        """
        if not isinstance(index_fields, list):
            raise TypeError(f"index_fields should be a list of str, but got {index_fields!r} of type {type(index_fields).__name__}.")
        if not index_fields:
            raise ValueError("index_fields should have a field at least.")
        if self._schema is None:
            raise MRMDefineIndexError("Please add the schema first: add_schema.")
        for name in index_fields:
            if name not in self._schema:
                raise MRMDefineIndexError(f"Index field {name} is not in schema.")
            if _format.is_blob(self._schema[name]):
                raise MRMDefineIndexError(f"Index field {name} is bytes or an array: only numbers and text can be searched.")
        self._index = list(index_fields)

    def set_header_size(self, header_size):
        """Bytes kept for the header, a power of two times 16 KiB, at most 128 MiB. Default: 16 MiB.

        Raises:
            MRMInvalidHeaderSizeError: it isn't.
        """
        self._header_size = _size(header_size, 1 << 14, 1 << 27, MRMInvalidHeaderSizeError)

    def set_page_size(self, page_size):
        """Bytes of a page, a power of two from 32 KiB to 256 MiB; a row must fit. Default: 32 MiB.

        Raises:
            MRMInvalidPageSizeError: it isn't.
        """
        self._page_size = _size(page_size, 1 << 15, 1 << 28, MRMInvalidPageSizeError)

    def write_raw_data(self, raw_data, parallel_writer=False):
        """Add rows.

        Args:
            raw_data (list[dict]): rows {field: value}. A row that does not fit the schema is left out, with a warning.
            parallel_writer (bool): kept for programs that give it; writing is bound by the disk. Default: ``False``.

        Raises:
            RuntimeError: no row fits the schema, or a file is there already.
        """
        if not isinstance(raw_data, list):
            raise TypeError(f"raw_data should be a list of dict, but got {type(raw_data).__name__}.")
        if not isinstance(parallel_writer, bool):
            raise TypeError(f"parallel_writer should be a bool, but got {parallel_writer!r}.")
        if self._schema is None:
            raise MRMInvalidSchemaError("Please add the schema first: add_schema.")
        rows, wrong = [], []
        for number, row in enumerate(raw_data):
            if not isinstance(row, dict):
                raise TypeError(f"raw_data should be a list of dict, but its element {number} is of type {type(row).__name__}.")
            try:
                rows.append(self._checked(row))
            except (TypeError, ValueError) as error:
                wrong.append(f"row {number}: {error}")
        if wrong:
            warnings.warn(f"{len(wrong)} of {len(raw_data)} rows do not fit the schema and are left out. {'; '.join(wrong[:3])}", stacklevel=2)
        if not rows:
            reason = f" {'; '.join(wrong[:3])}" if wrong else " It is empty."
            raise RuntimeError(f"There is no valid data which can be written by 'write_raw_data' to mindrecord file.{reason}")
        self._begin()
        # blocks in turn, so that files are equally long
        count = len(self._files)
        step = -(-len(rows) // count)
        for i in range(count):
            for row in rows[i * step : (i + 1) * step]:
                self._shards[(i + self._next) % count].add(row)
        self._next = (self._next + 1) % count

    def _checked(self, row):
        made = {}
        for name, field in self._schema.items():
            if name not in row:
                raise ValueError(f"field '{name}' is missing")
            made[name] = _value(name, field, row[name])
        return made

    def _begin(self):
        if self._shards:
            return
        if self._index is None:
            self._index = [n for n, f in self._schema.items() if not _format.is_blob(f)]
        there = [p for path in self._files for p in (path, f"{path}.db") if os.path.exists(p)]
        if there and not self._overwrite:
            raise RuntimeError(f"Invalid file, mindrecord files already exist. Please check file path: {there[0]}, or give overwrite=True.")
        for path in there:
            os.remove(path)
        self._shards = [_Shard(path, self) for path in self._files]

    def commit(self):
        """Complete the files. Before this they can't be read.

        Raises:
            RuntimeError: no rows were written.
        """
        if not self._shards:
            raise RuntimeError("There are no rows to commit: call write_raw_data first.")
        names = [os.path.basename(path) for path in self._files]
        for i, shard in enumerate(self._shards):
            shard.finish(i, names)
        self._shards = []

    def check_all_worker_status(self):
        """Nothing to check: rows are written in this process. Kept for programs that call it."""

    def check_worker_status(self, index):
        """As `check_all_worker_status`."""


def _size(value, low, high, error):
    if not isinstance(value, int) or not low <= value <= high or value & (value - 1):
        raise error(f"It should be a power of two in [{low}, {high}], but got {value!r}.")
    return value


def _value(name, field, value):
    """A row's value as what is written.

    Raises:
        TypeError, ValueError: it doesn't fit the field.
    """
    kind = field["type"]
    if kind == "bytes":
        if not isinstance(value, bytes | bytearray | memoryview):
            raise TypeError(f"field '{name}' should be bytes, but got {type(value).__name__}")
        return bytes(value)
    if kind == "string":
        if not isinstance(value, str):
            raise TypeError(f"field '{name}' should be str, but got {type(value).__name__}")
        return value
    if "shape" in field:
        array = np.asarray(value)
        if array.dtype != np.dtype(kind):
            raise TypeError(f"field '{name}' should be an array of {kind}, but got {array.dtype}")
        want = field["shape"]
        if len(want) != array.ndim or any(w not in (-1, s) for w, s in zip(want, array.shape)):
            raise ValueError(f"field '{name}' should have shape {want}, but got {list(array.shape)}")
        return array
    if kind.startswith("int"):
        if not isinstance(value, int | np.integer) or isinstance(value, bool):
            raise TypeError(f"field '{name}' should be an int, but got {type(value).__name__}")
        info = np.iinfo(kind)
        if not info.min <= value <= info.max:
            raise ValueError(f"field '{name}' should be {kind}, but {value} is outside its range")
        return int(value)
    if not isinstance(value, int | float | np.number) or isinstance(value, bool):
        raise TypeError(f"field '{name}' should be a float, but got {type(value).__name__}")
    return float(np.float32(value)) if kind == "float32" else float(value)


class _Shard:
    """One file while it is written. Rows come in groups; a group has a page of each type."""

    def __init__(self, path, writer):
        self._path, self._writer = path, writer
        self._file = open(path, "wb")
        self._pages, self._lines, self._row, self._group = [], [], 0, 0
        self._blob, self._raw, self._sizes, self._first = [], [], [0, 0], 0
        self._saved = 0

    @classmethod
    def reopened(cls, path, writer):
        shard = cls.__new__(cls)
        shard._path, shard._writer = path, writer
        header = _format.read_header(path)
        shard._file = open(path, "r+b")
        shard._pages = header["page"]
        shard._saved = header.get("compression_size", 0)
        with sqlite3.connect(f"{path}.db") as database:
            shard._lines = [list(line) for line in database.execute("SELECT * FROM INDEXES ORDER BY ROW_ID")]
        database.close()
        shard._row = shard._first = len(shard._lines)
        shard._group = 1 + max((line[4] for line in shard._lines), default=-1)
        shard._blob, shard._raw, shard._sizes = [], [], [0, 0]
        return shard

    def add(self, row):
        writer = self._writer
        blobs = [n for n, f in writer._schema.items() if _format.is_blob(f)]
        blob = _format.encode_blob(writer._schema, blobs, row)
        raw = _format.pack_map({n: row[n] for n in row if n not in blobs} or {"id": 0})
        parts = [struct.pack("<Q", len(p)) + p for p in (raw, blob)]
        if max(map(len, parts)) > writer._page_size:
            raise RuntimeError(
                f"A row of {max(map(len, parts))} bytes does not fit in a page of {writer._page_size} bytes: call set_page_size with more before add_schema."
            )
        if any(size + len(part) > writer._page_size for size, part in zip(self._sizes, parts)):
            self._flush()
        # the numbers of the pages are those of the next two
        page = len(self._pages)
        (raw_at, blob_at), self._sizes = self._sizes, [size + len(part) for size, part in zip(self._sizes, parts)]
        line = [self._row, page + 1, raw_at, self._sizes[0], self._group, page, blob_at, self._sizes[1]]
        for name in writer._index:
            line += [0, row[name]]
        for name in blobs:
            if writer._schema[name]["type"] in ("int32", "int64"):
                self._saved += row[name].nbytes - len(_format.pack_integers(row[name]))
        self._lines.append(line)
        self._raw.append(parts[0])
        self._blob.append(parts[1])
        self._row += 1

    def _flush(self):
        """Write the pages of the group that is full."""
        if not self._raw:
            return
        writer, page = self._writer, len(self._pages)
        for i, (kind, parts, size) in enumerate((("BLOB_DATA", self._blob, self._sizes[1]), ("RAW_DATA", self._raw, self._sizes[0]))):
            self._file.seek(writer._header_size + writer._page_size * (page + i))
            self._file.write(b"".join(parts))
            blob = kind == "BLOB_DATA"
            self._pages.append(
                {
                    "end_row_id": self._row if blob else 0,
                    "page_id": page + i,
                    "page_size": size,
                    "page_type": kind,
                    "page_type_id": page // 2,
                    "row_group_ids": [{"id": self._group, "offset": 0}],
                    "shard_id": 0,
                    "start_row_id": self._first if blob else 0,
                }
            )
        self._blob, self._raw, self._sizes, self._first = [], [], [0, 0], self._row
        self._group += 1

    def finish(self, number, names):
        """Write the header and the index."""
        self._flush()
        writer = self._writer
        header = {
            "header_size": writer._header_size,
            "index_fields": [{"index_field": n, "schema_id": 0} for n in writer._index] or None,
            "page": [{**page, "shard_id": number} for page in self._pages],
            "page_size": writer._page_size,
            "compression_size": self._saved,
            "schema": [
                {
                    "blob_fields": [n for n, f in writer._schema.items() if _format.is_blob(f)],
                    "desc": writer._description,
                    "schema": {n: dict(sorted(f.items())) for n, f in writer._schema.items()},
                }
            ],
            "shard_addresses": names,
            "shard_id": number,
            "statistics": None,
            "version": _format.VERSION,
        }
        text = json.dumps(header, separators=(",", ":")).encode()
        if len(text) + 8 > writer._header_size:
            raise RuntimeError(
                f"The header of {self._path} has {len(text)} bytes, but {writer._header_size} are kept for it: call set_header_size with more."
            )
        self._file.seek(0)
        self._file.write(struct.pack("<Q", len(text)) + text)
        self._file.close()
        _write_index(f"{self._path}.db", os.path.basename(self._path), self._lines, [(n, writer._schema[n]["type"]) for n in writer._index])


def _write_index(path, name, lines, fields):
    if os.path.exists(path):
        os.remove(path)
    columns = "ROW_ID PAGE_ID_RAW PAGE_OFFSET_RAW PAGE_OFFSET_RAW_END ROW_GROUP_ID PAGE_ID_BLOB PAGE_OFFSET_BLOB PAGE_OFFSET_BLOB_END".split()
    text = [f"{c} INT NOT NULL" for c in columns]
    keys = ["ROW_ID"]
    for i, (field, kind) in enumerate(fields):
        text += [f"INC_{i} INT", f"{field}_0 {_SQL[kind]}"]
        keys.append(f"INC_{i}")
    database = sqlite3.connect(path)
    try:
        with database:
            database.execute(f"CREATE TABLE INDEXES({', '.join(text)}, PRIMARY KEY({','.join(keys)}))")
            database.execute("CREATE TABLE SHARD_NAME(NAME TEXT NOT NULL)")
            database.execute("INSERT INTO SHARD_NAME VALUES (?)", (name,))
            if lines:
                database.executemany(f"INSERT INTO INDEXES VALUES ({','.join('?' * len(lines[0]))})", lines)
    finally:
        database.close()
