"""`.safetensors` files, which PyTorch's world uses: 8 bytes with the length of a JSON header, the header, and the arrays one after the other.

Format: https://github.com/huggingface/safetensors. The reader holds every rule of it: no gap, no overlap, sizes that fit.
"""

import json
import math
import zlib

from sporax.train.serialization import _dtypes
from sporax.train.serialization._files import aligned
from sporax.train.serialization._wire import Damaged

MAX_HEADER = 100_000_000
_METADATA = "__metadata__"
TEXT = "text:"  # how text among the parameters begins its key in the metadata


def check_dtypes(entries):
    """Raise ValueError where the format has no such elements; `entries` as in `write`."""
    for name, (_, dtype, _) in entries.items():
        if dtype not in _dtypes.SAFE_NAME:
            raise ValueError(f"The safetensors format has no elements of type {dtype}, which {name!r} has: use format='ckpt'.")


def write(out, entries, metadata):
    """Write arrays.

    Args:
        out: an `Output`.
        entries: {name: (shape, NumPy dtype, function that gives the array)}.
        metadata: {str: str}.
    """
    header: dict = {_METADATA: metadata} if metadata else {}
    at = 0
    # wide elements first, as the format's own library orders them: so every array is aligned to its elements
    order = sorted(entries, key=lambda name: (-entries[name][1].itemsize, name))
    for name in order:
        shape, dtype, _ = entries[name]
        size = math.prod(shape) * dtype.itemsize
        header[name] = {"dtype": _dtypes.SAFE_NAME[dtype], "shape": list(shape), "data_offsets": [at, at + size]}
        at += size
    text = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    if len(text) > MAX_HEADER:
        raise ValueError(f"The header would have {len(text)} bytes, and the safetensors format allows {MAX_HEADER}.")
    out.write(len(text).to_bytes(8, "little"))
    out.write(text)
    for name in order:
        out.write(_dtypes.as_bytes(entries[name][2]()))


class Reader:
    """The header of a file, checked; `names` in order, `metadata`, and `array(name)`."""

    def __init__(self, source):
        self.source = source
        length = int.from_bytes(source.read(0, 8), "little")
        if source.size < 8 or length > min(source.size - 8, MAX_HEADER):
            raise Damaged(f"its header should have {length} bytes, and the file has {source.size}: it is cut off or not a safetensors file")
        header = _parse(source.read(8, length))
        self.start = 8 + length
        metadata = header.pop(_METADATA, {})
        if not isinstance(metadata, dict) or not all(isinstance(v, str) for v in metadata.values()):
            raise Damaged("its metadata is not a table of texts")
        self.metadata = metadata
        self._places = {name: _place(name, entry) for name, entry in header.items()}
        self._check_layout()
        self.names = list(header)

    def _check_layout(self):
        at = 0
        for name, (_, _, begin, end) in sorted(self._places.items(), key=lambda item: item[1][2:]):
            if begin != at:
                raise Damaged(f"{name!r} begins at byte {begin} of the data, and what is before it ends at byte {at}")
            at = end
        if self.start + at != self.source.size:
            raise Damaged(f"the header announces {self.start + at} bytes, and the file has {self.source.size}: it is cut off or damaged")

    def array(self, name):
        """Read one array."""
        shape, kind, begin, end = self._places[name]
        dtype = _dtypes.by_name(_dtypes.SAFE, kind, f"{name!r}")
        expected = _dtypes.size_of(shape, dtype.itemsize)
        if expected != end - begin:
            raise Damaged(f"{name!r} has {end - begin} bytes, and its shape {tuple(shape[:8])} of {kind} needs {expected}")
        raw = aligned(end - begin)
        self.source.read_into(self.start + begin, raw)
        return _dtypes.as_array(raw, dtype, shape)


def _parse(text):
    def unique(pairs):
        table = dict(pairs)
        if len(table) != len(pairs):
            raise Damaged("a name stands twice in its header")
        return table

    try:
        header = json.loads(text.decode(), object_pairs_hook=unique)
    except Damaged:
        raise
    except (ValueError, RecursionError):
        raise Damaged("its header is not JSON") from None
    if not isinstance(header, dict):
        raise Damaged("its header is not a table")
    return header


def _place(name, entry):
    def sizes(value):
        return isinstance(value, list) and all(type(v) is int and 0 <= v < 1 << 62 for v in value)

    if not isinstance(entry, dict) or not isinstance(entry.get("dtype"), str) or not sizes(entry.get("shape")):
        raise Damaged(f"{name[:60]!r} has no type or shape in its header")
    places = entry.get("data_offsets", [])
    if not sizes(places) or len(places) != 2 or places[0] > places[1]:
        raise Damaged(f"{name[:60]!r} has no place in its header")
    return entry["shape"], entry["dtype"], *places


def checksum(arrays):
    """CRC-32 of (name, array) pairs in the order of the names, as MindSpore computes it."""
    total = 0
    for name, array in arrays:
        total = zlib.crc32(name.encode(), total)
        total = zlib.crc32(_dtypes.as_bytes(array), total)
    return total
