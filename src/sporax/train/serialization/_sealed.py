"""Our own files: safetensors files, so that their arrays can be read anywhere, with a checksum over every byte.

In the metadata stand `format`, which says what the file is, and `crc32`: eight hexadecimal digits, of the file with zeros in their place. complex128, which the
format doesn't have, is a pair of float64.
"""

import json
import re
import zlib

import numpy as np

from sporax.train.serialization import _safetensors
from sporax.train.serialization._files import FileSource, replacing
from sporax.train.serialization._wire import Damaged

_ZEROS = "0" * 8
_SEAL = re.compile(rb'"crc32":"([0-9a-f]{8})"')
_BEGIN = 200  # the checksum stands before this byte


def write(path, arrays, format, metadata, mode=0o600):
    """Write a file: `arrays` is a dict of snapshots, `metadata` a dict of JSON."""
    pairs = [n for n, (_, dtype, _) in arrays.items() if dtype == np.complex128]
    entries = {n: _as_pairs(*snapshot) if n in pairs else snapshot for n, snapshot in arrays.items()}
    texts = {"crc32": _ZEROS, "format": format, "complex128": json.dumps(pairs)}
    texts |= {key: json.dumps(value) for key, value in metadata.items()}
    with replacing(path, mode) as out:
        counter = _Counter(out)
        _safetensors.write(counter, entries, texts)
        out.write_at(counter.place, f"{counter.crc:08x}".encode())


def _as_pairs(shape, dtype, get):
    return (*shape, 2), np.dtype(np.float64), lambda: np.ascontiguousarray(get()).view(np.float64).reshape(*shape, 2)


class _Counter:
    """Computes the checksum of what goes through, and notes where it has to be put."""

    def __init__(self, out):
        self.out, self.crc, self.place = out, 0, None

    def write(self, data):
        if self.place is None and (found := _SEAL.search(bytes(data[:_BEGIN]))):
            self.place = self.out.size + found.start(1)
        self.crc = zlib.crc32(data, self.crc)
        self.out.write(data)


class SealedFile:
    """A file of a format; its header is read and checked, `note(key)` gives an entry of the metadata.

    Raises:
        Damaged: it is of another format, or is cut off.
    """

    def __init__(self, path, format):
        self.path = path
        with FileSource(path) as source:
            self._metadata = _safetensors.Reader(source).metadata
        found = self._metadata.get("format")
        if found != format:
            raise Damaged(f"it should be of the format {format}, and says {str(found)[:40]!r}")

    def note(self, key):
        """An entry of the metadata."""
        try:
            return json.loads(self._metadata[key])
        except (KeyError, ValueError, RecursionError):
            raise Damaged(f"its metadata {key!r} is damaged") from None

    def arrays(self):
        """All arrays, by their names.

        Raises:
            Damaged: the checksum is wrong.
        """
        with FileSource(self.path) as source:
            _verify(source)
            reader = _safetensors.Reader(source)
            arrays = {name: reader.array(name) for name in reader.names}
        for name in self.note("complex128"):
            if name not in arrays or arrays[name].dtype != np.float64 or arrays[name].shape[-1:] != (2,):
                raise Damaged(f"{name!r} is not a complex array")
            arrays[name] = arrays[name].view(np.complex128)[..., 0]
        return arrays

    def verify(self):
        """Compare the checksum.

        Raises:
            Damaged: it is wrong.
        """
        with FileSource(self.path) as source:
            _verify(source)


def _verify(source):
    start = source.read(0, _BEGIN)
    found = _SEAL.search(start)
    if not found:
        raise Damaged("it has no checksum")
    at = found.start(1)
    crc, end = zlib.crc32(start[:at] + _ZEROS.encode()), at + len(_ZEROS)
    for offset in range(end, source.size, 1 << 20):
        crc = zlib.crc32(source.read(offset, 1 << 20), crc)
    if f"{crc:08x}".encode() != found[1]:
        raise Damaged("its checksum is wrong: bytes of it have changed")
