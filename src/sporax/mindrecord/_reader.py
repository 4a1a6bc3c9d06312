"""Rows of MindRecord files by their numbers."""

import os
import sqlite3
import struct
import threading

import numpy as np

from sporax.mindrecord import _format


class Shards:
    """The rows of a set of files as one sequence. Reading is safe in threads and after a fork: files are read at given places.

    Args:
        files: paths. One file stands for all that were written together with it, if `alone` is not set.

    Raises:
        RuntimeError: a file is missing, is not a MindRecord file, or has another schema than the first.
    """

    def __init__(self, files, alone=True):
        self.files = list(files) if alone else _together(files[0])
        self.header = _format.read_header(self.files[0])
        described = self.header["schema"][0]
        self.schema, self.blobs = described["schema"], described["blob_fields"] or []
        self._places, self._open, self._lock = [], {}, threading.Lock()
        for path in self.files:
            header = _format.read_header(path)
            if header["schema"][0]["schema"] != self.schema:
                raise RuntimeError(
                    f"All MindRecord files should have the same schema, but {path} has {header['schema'][0]['schema']} and {self.files[0]} has {self.schema}."
                )
            self._places.append(_places(path, header))
        self.counts = [len(p) for p in self._places]
        self._ends = np.cumsum(self.counts)

    def __len__(self):
        return int(self._ends[-1])

    def columns(self):
        """The names of the fields, sorted."""
        return sorted(self.schema)

    def _file(self, number):
        key = (os.getpid(), number)
        file = self._open.get(key)
        if file is None:
            with self._lock:
                file = self._open.get(key)
                if file is None:
                    file = self._open[key] = os.open(self.files[number], os.O_RDONLY)
        return file

    def read(self, index, names=None):
        """Row number `index` as a dict of the fields `names` (default: all): numbers, text, bytes and arrays.

        Raises:
            RuntimeError: the file is damaged there.
        """
        at = int(np.searchsorted(self._ends, index, "right"))
        raw, raw_end, blob, blob_end = self._places[at][index - (self._ends[at] - self.counts[at])].tolist()
        file, wanted, row = self._file(at), set(self.schema if names is None else names), {}
        try:
            if wanted - set(self.blobs):
                row.update(_format.unpack_map(_record(file, raw, raw_end)))
            if wanted & set(self.blobs):
                row.update(_format.decode_blob(self.schema, self.blobs, _record(file, blob, blob_end)))
            return {name: row[name] for name in (self.columns() if names is None else names)}
        except (ValueError, KeyError, struct.error, IndexError, OSError) as error:
            raise RuntimeError(f"Invalid data, {self.files[at]} is damaged at row {index - (self._ends[at] - self.counts[at])}: {error}.") from error

    def labels(self, name):
        """A field of all rows."""
        return [self.read(i, [name])[name] for i in range(len(self))]

    def close(self):
        """Close the files."""
        with self._lock:
            for (process, _), file in self._open.items():
                if process == os.getpid():
                    os.close(file)
            self._open.clear()

    def __del__(self):
        if hasattr(self, "_open"):
            self.close()

    def __getstate__(self):
        state = dict(self.__dict__)
        state["_open"] = {}
        del state["_lock"]
        return state

    def __setstate__(self, state):
        self.__dict__.update(state, _lock=threading.Lock())


def _together(path):
    """The files that were written together with this one, which its header names."""
    names = _format.read_header(path)["shard_addresses"]
    folder = os.path.dirname(path)
    return [os.path.join(folder, os.path.basename(n)) for n in names] if len(names) > 1 else [path]


def _places(path, header):
    """Where rows are: an array with a line (begin, end of raw, begin, end of blob) per row."""
    base, size = header["header_size"], header["page_size"]
    index = f"{path}.db"
    if not os.path.exists(index):
        raise RuntimeError(f"Invalid file, the index {index} of MindRecord file {path} is missing: copy it too, it belongs to it.")
    try:
        with sqlite3.connect(f"file:{index.replace('?', '%3f').replace('#', '%23')}?mode=ro", uri=True) as database:
            found = database.execute(
                "SELECT PAGE_ID_RAW, PAGE_OFFSET_RAW, PAGE_OFFSET_RAW_END, PAGE_ID_BLOB, PAGE_OFFSET_BLOB, PAGE_OFFSET_BLOB_END FROM INDEXES ORDER BY ROW_ID"
            ).fetchall()
        database.close()
    except sqlite3.Error as error:
        raise RuntimeError(f"Invalid file, the index {index} can't be read: {error}.") from error
    table = np.array(found, np.int64).reshape(-1, 6)
    raw, blob = base + size * table[:, 0], base + size * table[:, 3]
    return np.stack([raw + table[:, 1], raw + table[:, 2], blob + table[:, 4], blob + table[:, 5]], 1)


def _record(file, begin, end):
    """A part of a row, without its length in front."""
    data = os.pread(file, end - begin, begin)
    if len(data) != end - begin:
        raise ValueError(f"{len(data)} of {end - begin} bytes are there")
    (size,) = struct.unpack_from("<Q", data)
    if size != len(data) - 8:
        raise ValueError(f"its length is {size}, but the index says {len(data) - 8}")
    return data[8:]
