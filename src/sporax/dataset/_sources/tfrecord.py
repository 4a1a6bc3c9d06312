"""TFRecordDataset: records of `tf.train.Example`.

A record is its length (8 bytes, little endian), a checksum of that (4), the data, and a checksum of them (4). The data are a protocol buffer: Example { features: 1 { feature: 1
(map of name to Feature) } }, Feature { bytes_list: 1 | float_list: 2 | int64_list: 3 }, each list { value: 1 }. Three message types need no generated code: `_fields` reads any message.
"""

import gzip
import os
import struct
import zlib

import numpy as np

from sporax.dataset import _checks, samplers
from sporax.dataset._base import UnionBaseDataset
from sporax.dataset._pipeline.errors import pipeline_error
from sporax.dataset._sources.files import FilesDataset, matching
from sporax.dataset.schema import Schema


def _varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, at
        shift += 7
        if shift > 63:
            raise ValueError("a number has more than 64 bits")


def _fields(data):
    """The fields of a message: pairs (number, value), where a value is an int or a memoryview."""
    at, end = 0, len(data)
    while at < end:
        key, at = _varint(data, at)
        kind = key & 7
        if kind == 0:
            value, at = _varint(data, at)
        elif kind in (1, 5):
            size = 8 if kind == 1 else 4
            value, at = data[at : at + size], at + size
        elif kind == 2:
            size, at = _varint(data, at)
            value, at = data[at : at + size], at + size
        else:
            raise ValueError(f"field type {kind} is not one of protocol buffers")
        if at > end:
            raise ValueError("the message ends in the middle of a field")
        yield key >> 3, value


def parse_example(data):
    """The features of an Example: {name: list of bytes, array of float32 or array of int64}."""
    found = {}
    for number, features in _fields(memoryview(data)):
        if number != 1:
            continue
        for _, entry in _fields(features):
            parts = dict(_fields(entry))
            name = str(parts[1], "utf-8")
            found[name] = _feature(parts.get(2, memoryview(b"")))
    return found


def _feature(data):
    for kind, values in _fields(data):
        if kind == 1:
            return [bytes(v) for _, v in _fields(values)]
        if kind == 2:
            return np.frombuffer(b"".join(bytes(v) for _, v in _fields(values)), "<f4")
        made = []
        for _, value in _fields(values):
            if isinstance(value, int):
                made.append(value)
                continue
            at = 0
            while at < len(value):
                each, at = _varint(value, at)
                made.append(each)
        return np.array(made, np.uint64).astype(np.int64)
    return []


class TFRecordDataset(FilesDataset, UnionBaseDataset):
    """Records of `tf.train.Example`.

    Args:
        dataset_files (Union[str, list[str]]): files or patterns of names.
        schema (Union[str, Schema], optional): the columns with their types and shapes; text needs one. Default: ``None``, all features of the first record: int64 and float32 arrays, and
            bytes as uint8.
        columns_list (list[str], optional): which columns. Default: ``None``, all, sorted.
        num_samples (int, optional): at most so many rows.
        num_parallel_workers (int, optional): default: ``None``, that of `ds.config`.
        shuffle (Union[bool, Shuffle]): default: ``Shuffle.GLOBAL``, all rows are mixed.
        num_shards, shard_id (int, optional): take one of several shards: every so many files.
        shard_equal_rows (bool): shards are equal pieces of all rows in place of files. Default: ``False``.
        cache (DatasetCache, optional): keeps rows.
        compression_type (str, optional): "GZIP" or "ZLIB". Default: ``None``, not compressed.

    Raises:
        ValueError: a pattern matches no file; another compression.
        RuntimeError: a file is damaged, or a record lacks a column.
    """

    def __init__(
        self,
        dataset_files,
        schema=None,
        columns_list=None,
        num_samples=None,
        num_parallel_workers=None,
        shuffle=samplers.Shuffle.GLOBAL,
        num_shards=None,
        shard_id=None,
        shard_equal_rows=False,
        cache=None,
        compression_type=None,
    ):
        super().__init__(num_samples, num_parallel_workers, shuffle, num_shards, shard_id, cache)
        self.dataset_files = matching(dataset_files)
        self.schema = schema if schema is None or isinstance(schema, Schema) else Schema(schema)
        self.shard_equal_rows = _checks.truth("shard_equal_rows", shard_equal_rows)
        if compression_type is not None and compression_type not in ("", "GZIP", "ZLIB"):
            raise ValueError(f"Input compression_type can be either '' (no compression), 'ZLIB', or 'GZIP', but got {compression_type!r}.")
        self.compression_type = compression_type or None
        self._unpacked: dict = {}
        if num_shards is not None and not shard_equal_rows:
            if len(self.dataset_files) < num_shards:
                raise ValueError(f"{num_shards} shards of {len(self.dataset_files)} files: a shard would have none. Give shard_equal_rows=True.")
            self.dataset_files = self.dataset_files[shard_id::num_shards]
        if num_samples is None and self.schema is not None and self.schema.num_rows and num_shards is None:
            self.num_samples = self.schema.num_rows
        self._given_columns = None if columns_list is None else _checks.names("columns_list", columns_list)
        self._found: list | None = None

    def _share(self, total):
        return super()._share(total) if self.shard_equal_rows else slice(None)

    def _files(self):
        return self.dataset_files

    def _columns(self):
        if self._found is None:
            if self.schema is not None:
                known = sorted(self.schema.names())
            else:
                table = next((t for t in self._look() if len(t)), None)
                if table is None:
                    raise pipeline_error(f"Invalid file, there are no records in {self.dataset_files}.")
                path = self._files()[next(i for i, t in enumerate(self._look()) if len(t))]
                known = sorted(parse_example(self._bytes(path, *table[0].tolist())))
            missing = [n for n in self._given_columns or () if n not in known]
            if missing:
                raise pipeline_error(f"Invalid column, {missing} of columns_list do not exist: the columns are {known}.")
            self._found = self._given_columns or known
        return self._found

    def _bytes(self, path, begin, end):
        if self.compression_type is None:
            return super()._bytes(path, begin, end)
        return self._whole(path)[begin:end]

    def _whole(self, path):
        """The content of a compressed file, unpacked once."""
        data = self._unpacked.get(path)
        if data is None:
            with open(path, "rb") as f:
                packed = f.read()
            try:
                data = gzip.decompress(packed) if self.compression_type == "GZIP" else zlib.decompress(packed)
            except (OSError, EOFError, zlib.error) as error:
                raise pipeline_error(f"Invalid file, {path} is not compressed with {self.compression_type}, or damaged: {error}.") from error
            self._unpacked[path] = data
        return data

    def _places(self, path):
        """Begin and end of the data of each record."""
        found, at = [], 0
        if self.compression_type is None:
            with open(path, "rb") as f:
                size = os.fstat(f.fileno()).st_size
                while at < size:
                    f.seek(at)
                    at = _next(f.read(8), at, size, path, found)
        else:
            data = self._whole(path)
            while at < len(data):
                at = _next(data[at : at + 8], at, len(data), path, found)
        return np.array(found, np.int64).reshape(-1, 2)

    def _read(self, path, place):
        features = parse_example(self._bytes(path, *place.tolist()))
        columns = self._columns()
        if self.schema is None:
            missing = [n for n in columns if n not in features]
            if missing:
                raise pipeline_error(f"Invalid columns list, a record of {path} has no {missing}: it has {sorted(features)}.")
            return tuple(_plain(features[n]) for n in columns)
        known = {c["name"]: c for c in self.schema.columns}
        return tuple(_shaped(features.get(n), known[n], path) for n in columns)


def _next(head, at, size, path, found):
    """Note the record that begins at `at`; where the next one does."""
    length = struct.unpack("<Q", head)[0] if len(head) == 8 else size
    end = at + 16 + length
    if end > size:
        raise pipeline_error(
            f"Invalid file, {path} is not a TFRecord file, or is damaged: the record at byte {at} would end at byte {end} of {size}."
        )
    found.append((at + 12, end - 4))
    return end


def _plain(values):
    if isinstance(values, list):
        return np.frombuffer(b"".join(values), np.uint8)
    return values


def _shaped(values, column, path):
    if values is None:
        raise pipeline_error(f"Invalid columns list, a record of {path} has no {column['name']!r}, which the schema has.")
    if column["type"] == "string":
        array = np.array([v.decode("utf-8", "surrogateescape") for v in values])
    elif isinstance(values, list):
        array = np.frombuffer(b"".join(values), np.uint8)
        if np.dtype(column["type"]) != np.uint8:
            array = np.frombuffer(array.tobytes(), column["type"])
    else:
        array = values.astype(column["type"])
    if "shape" not in column:
        return array
    try:
        return array.reshape(column["shape"])
    except ValueError:
        raise pipeline_error(
            f"Invalid data, column {column['name']!r} should have shape {column['shape']}, but a record of {path} has {array.size} values."
        ) from None
