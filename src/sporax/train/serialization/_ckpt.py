"""`.ckpt` files: MindSpore's checkpoints.

A file is a row of frames (see `_wire`), one for each parameter; one of more than 512 MiB has a frame for each slice. With `crc_check` the file
ends with the text `crc_num` and the CRC-32 of what stands before it, in 10 bytes.
"""

import zlib

import numpy as np

from sporax.train.serialization import _crypto, _dtypes
from sporax.train.serialization._files import MemorySource, aligned
from sporax.train.serialization._wire import BYTES, VARINT, Cursor, Damaged, head, varint

SLICE = 512 << 20
_MARK, _MARKED = b"crc_num", 17
_TEXT = "str"


# Writing --------------------------------------------------------------------------------------------------------------


def write(out, entries, key=None, mode="AES-GCM", crc=False):
    """Write (name, array or text) pairs to an `Output`; arrays may be functions that give the array when its turn comes."""
    if key is not None:
        _write_encrypted(out, entries, key, mode)
        return
    total = 0
    for part in _frames(entries):
        if crc:
            total = zlib.crc32(part, total)
        out.write(part)
    if crc:
        out.write(_MARK + total.to_bytes(10, "big"))


def _write_encrypted(out, entries, key, mode):
    waiting = bytearray()
    for part in _frames(entries):
        waiting += part
        while len(waiting) >= _crypto.BLOCK:
            out.write(_crypto.encrypt(bytes(waiting[: _crypto.BLOCK]), key, mode))
            del waiting[: _crypto.BLOCK]
    if waiting:
        out.write(_crypto.encrypt(bytes(waiting), key, mode))


def _frames(entries):
    """The bytes of the file, piece by piece."""
    for name, value in entries:
        value = value() if callable(value) else value
        if isinstance(value, str):
            kind, dims, content = _TEXT, [0], memoryview(value.encode("utf-32-le") or bytes(4))
        else:
            kind, dims, content = _dtypes.CKPT_NAME[value.dtype], value.shape, _dtypes.as_bytes(value)
        label = name.encode()
        fixed = b"".join(varint(1 << 3 | VARINT) + varint(d) for d in dims) + head(2, len(kind)) + kind.encode()
        for start in range(0, max(len(content), 1), SLICE):
            piece = content[start : start + SLICE]
            before = head(3, len(piece))
            tensor = len(fixed) + len(before) + len(piece)
            tag = head(1, len(label)) + label + head(2, tensor)
            yield head(1, len(tag) + tensor) + tag + fixed + before
            yield piece


# Reading --------------------------------------------------------------------------------------------------------------


class Piece:
    """A slice of a parameter: where its bytes lie, and what it says about the whole."""

    __slots__ = ("at", "dims", "kind", "size", "tag", "tensors")

    def __init__(self):
        self.tag = self.kind = self.at = self.tensors = None
        self.dims, self.size = [], 0


def read(source, chosen, key=None, mode="AES-GCM", crc=False):
    """What a file holds: {name: array, text, or list of arrays (keys, values and status of a map)}.

    Args:
        source: where the bytes are.
        chosen: function that says of a name whether it is wanted; what is not is not read.
        key, mode: how the file is encrypted, if it is.
        crc: whether the checksum is compared.

    Returns:
        The dict, and whether the file had a checksum.

    Raises:
        Damaged: the file is not what the format says.
    """
    if key is not None:
        source = MemorySource(_crypto.decrypt(source, key, mode), source.name)
    elif _crypto.is_encrypted(source.read(0, 4)):
        raise Damaged("it is encrypted: pass 'dec_key' and 'dec_mode'")
    end, marked = source.size, source.read(max(source.size - _MARKED, 0), _MARKED)
    has_crc = marked[:7] == _MARK
    if has_crc:
        end -= _MARKED
        if crc:
            _compare_crc(source, end, int.from_bytes(marked[7:], "big"))
    found: dict = {}
    row: list[Piece] = []
    for piece in _pieces(source, end):
        if row and row[-1].tag != piece.tag:
            _finish(source, row, found)
            row = []
        if chosen(piece.tag):
            row.append(piece)
    if row:
        _finish(source, row, found)
    return found, has_crc


def _compare_crc(source, end, expected):
    total = 0
    for start in range(0, end, 1 << 20):
        total = zlib.crc32(source.read(start, min(1 << 20, end - start)), total)
    if total != expected:
        raise Damaged(f"the crc check is failed: the file says {expected:#010x}, and its bytes give {total:#010x}")


def _pieces(source, end):
    for field, kind, part in Cursor(source, 0, end).fields():
        if field != 1 or kind != BYTES:
            continue
        piece = Piece()
        for inner, kind, value in part.fields():
            if kind != BYTES:
                continue
            if inner == 1:
                piece.tag = _text(value)
            elif inner == 2:
                _tensor(value, piece)
            elif inner == 3:
                piece.tensors = [_tensor(t, Piece()) for f, k, t in value.fields() if f == 1 and k == BYTES]
        if piece.tag is None or (piece.at is None and piece.tensors is None):
            raise Damaged(f"a parameter before byte {part.end} has no name or no content")
        yield piece


def _text(part):
    try:
        return part.rest().decode()
    except UnicodeDecodeError:
        raise Damaged(f"a name before byte {part.end} is not UTF-8 text") from None


def _tensor(part, piece):
    for field, kind, value in part.fields():
        if field == 1 and kind == VARINT:
            piece.dims.append(value)
        elif field == 1 and kind == BYTES:  # protobuf allows numbers to be packed
            while value.at < value.end:
                piece.dims.append(value.number())
        elif field == 2 and kind == BYTES:
            piece.kind = _text(value)
        elif field == 3 and kind == BYTES:
            piece.at, piece.size = value.at, value.end - value.at
    if piece.kind is None or piece.at is None:
        raise Damaged(f"a tensor before byte {part.end} has no type or no content")
    return piece


def _finish(source, row, found):
    """Put the slices of a parameter together."""
    name = row[-1].tag
    if row[-1].tensors is not None:
        columns = zip(*(p.tensors or [] for p in row))
        found[name] = [_joined(source, list(column), name, np.dtype(_map_type(column[-1].kind)), rows=True) for column in columns]
    elif row[-1].kind == _TEXT:
        data = b"".join(source.read(p.at, p.size) for p in row)
        try:
            found[name] = data.decode("utf-32-le").rstrip("\0")
        except UnicodeDecodeError:
            raise Damaged(f"the text {name!r} is not UTF-32") from None
    else:
        found[name] = _joined(source, row, name, _dtypes.by_name(_dtypes.CKPT, row[-1].kind, f"{name!r}"))


def _map_type(kind):
    if kind not in ("int32", "int64", "float16", "float32", "float64"):
        raise Damaged(f"a map has elements of type {kind[:40]!r}")
    return kind


def _joined(source, row, name, dtype, rows=False):
    if any(p.at is None for p in row):
        raise Damaged(f"a slice of {name!r} is not of the kind of the others")
    total = sum(p.size for p in row)
    dims = list(row[-1].dims)
    if rows and dims:
        dims[0] = sum(p.dims[0] for p in row if p.dims)
    if dims == [0] and total:
        dims = []  # how MindSpore writes some scalars
    expected = _dtypes.size_of(dims, dtype.itemsize)
    if expected != total:
        raise Damaged(f"{name!r} has {total} bytes, and its shape {tuple(dims[:8])} of {dtype} needs {expected}")
    raw, at = aligned(total), 0
    for p in row:
        source.read_into(p.at, raw[at : at + p.size])
        at += p.size
    return _dtypes.as_array(raw, dtype, dims)
