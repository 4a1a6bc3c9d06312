"""The file of a training state: a safetensors file, so that its arrays can be read anywhere, with a checksum over all of it.

The metadata: `format`, `crc32` (eight hexadecimal digits, of the file with zeros in their place), `serial` (which of a folder's states is the newer), `progress`
and `state` (JSON, see `_tree`). complex128, which the format doesn't have, is a pair of float64.
"""

import json
import re
import zlib

import numpy as np

from sporax.train.serialization import _dtypes, _safetensors
from sporax.train.serialization._files import FileSource, replacing
from sporax.train.serialization._wire import Damaged

FORMAT = "sporax-state-1"
_ZEROS = "0" * 8
_SEAL = re.compile(rb'"crc32":"([0-9a-f]{8})"')


def write(path, arrays, state, progress, serial):
    """Write a state: `arrays` is a dict of snapshots, `state` and `progress` are JSON."""
    pairs = [n for n, (_, dtype, _) in arrays.items() if dtype == np.complex128]
    entries = {n: _as_pairs(*snapshot) if n in pairs else snapshot for n, snapshot in arrays.items()}
    metadata = {
        "crc32": _ZEROS,
        "format": FORMAT,
        "serial": str(serial),
        "progress": json.dumps(progress),
        "state": json.dumps(state),
        "complex128": json.dumps(pairs),
    }
    with replacing(path, 0o600) as out:
        sealed = _Sealed(out)
        _safetensors.write(sealed, entries, metadata)
        out.write_at(sealed.place, f"{sealed.crc:08x}".encode())


def _as_pairs(shape, dtype, get):
    return (*shape, 2), np.dtype(np.float64), lambda: np.ascontiguousarray(get()).view(np.float64).reshape(*shape, 2)


class _Sealed:
    """Counts the checksum of what goes through, and notes where it has to be put."""

    def __init__(self, out):
        self.out, self.crc, self.place = out, 0, None

    def write(self, data):
        if self.place is None and (found := _SEAL.search(bytes(data[:200]))):
            self.place = self.out.size + found.start(1)
        self.crc = zlib.crc32(data, self.crc)
        self.out.write(data)


class StateFile:
    """A state in a file: `progress` and `serial` from its header, which is checked; `read()` for the rest.

    Raises:
        Damaged: it is no such file, or is cut off.
    """

    def __init__(self, path):
        self.path = path
        with FileSource(path) as source:
            metadata = _safetensors.Reader(source).metadata
        if metadata.get("format") != FORMAT:
            raise Damaged(f"it is not a training state of the form {FORMAT}: it says {str(metadata.get('format'))[:40]!r}")
        self.progress = _json(metadata, "progress")
        if not isinstance(self.progress, dict) or not metadata.get("serial", "").isdecimal() or len(metadata["serial"]) > 18:
            raise Damaged("its progress is damaged")
        self.serial = int(metadata["serial"])

    def read(self):
        """The arrays and the state.

        Raises:
            Damaged: the checksum is wrong.
        """
        with FileSource(self.path) as source:
            self._verify(source)
            reader = _safetensors.Reader(source)
            arrays = {name: reader.array(name) for name in reader.names}
        for name in _json(reader.metadata, "complex128"):
            if name not in arrays or arrays[name].dtype != np.float64 or arrays[name].shape[-1:] != (2,):
                raise Damaged(f"{name!r} is not a complex array")
            arrays[name] = arrays[name].view(np.complex128)[..., 0]
        return arrays, _json(reader.metadata, "state")

    def verify(self):
        """Compare the checksum.

        Raises:
            Damaged: it is wrong.
        """
        with FileSource(self.path) as source:
            self._verify(source)

    def _verify(self, source):
        start = source.read(0, 200)
        found = _SEAL.search(start)
        if not found:
            raise Damaged("it has no checksum")
        at = found.start(1)
        crc, end = zlib.crc32(start[:at] + _ZEROS.encode()), at + 8
        for offset in range(end, source.size, 1 << 20):
            crc = zlib.crc32(source.read(offset, 1 << 20), crc)
        if f"{crc:08x}".encode() != found[1]:
            raise Damaged("its checksum is wrong: bytes of it have changed")


def _json(metadata, key):
    try:
        return json.loads(metadata[key])
    except (KeyError, ValueError, RecursionError):
        raise Damaged(f"its metadata {key!r} is damaged") from None


def describe(dtype):
    """A dtype as MindSpore calls it."""
    return _dtypes.CKPT_NAME.get(dtype, str(dtype))
