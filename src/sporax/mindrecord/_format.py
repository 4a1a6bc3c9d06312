"""The layout of MindRecord files, version 3.0.

A file begins with the length of its header (8 bytes, little endian) and the header, JSON. After `header_size` bytes come pages of `page_size` bytes. A row has two parts, in
pages of two types, each with its length in front (8 bytes, little endian):

- RAW_DATA: the fields that are numbers or text, as a MessagePack map;
- BLOB_DATA: the fields that are bytes or arrays. One field stands as it is; several have their lengths in front (8 bytes, big endian). A row without any has four zero bytes.

Arrays of int32 and int64 are packed: their number (4 bytes, big endian), the width of each as 2 bits (1, 2, 4 or 8 bytes), and the numbers, little endian.

Beside each file is an SQLite database of the same name and `.db` with a line per row: its pages, where its two parts begin and end there, and the values of the indexed fields.
"""

import json
import math
import os
import struct

import numpy as np

VERSION = "3.0"
HEADER_SIZE, PAGE_SIZE = 1 << 24, 1 << 25
NUMBERS = {"int32": "i4", "int64": "i8", "float32": "f4", "float64": "f8"}
TYPES = (*NUMBERS, "bytes", "string")
_WIDTHS = (1, 2, 4, 8)
_LIMITS = [(-(1 << (8 * w - 1)), (1 << (8 * w - 1)) - 1) for w in _WIDTHS]


def is_blob(field):
    """Whether a field of a schema goes with the bytes and arrays."""
    return field["type"] == "bytes" or "shape" in field


def pack_integers(array):
    """An array of integers, each in as few bytes as it needs."""
    flat = np.asarray(array).reshape(-1).astype(np.int64)
    codes = np.full(len(flat), 3, np.uint8)
    for code in (2, 1, 0):
        low, high = _LIMITS[code]
        codes[(flat >= low) & (flat <= high)] = code
    padded = np.zeros(-(-len(flat) // 4) * 4, np.uint8)
    padded[: len(codes)] = codes
    # the first of four stands in the highest bits
    bits = padded.reshape(-1, 4) @ np.array([64, 16, 4, 1], np.uint8)
    raw, widths = flat.astype("<i8").tobytes(), np.array(_WIDTHS)[codes]
    places = np.arange(8)[None, :] < widths[:, None]
    body = np.frombuffer(raw, np.uint8).reshape(-1, 8)[places].tobytes()
    return struct.pack(">I", len(flat)) + bits.astype(np.uint8).tobytes() + body


def unpack_integers(data, dtype):
    """The array that `pack_integers` made bytes of."""
    data = bytes(data)
    (count,) = struct.unpack_from(">I", data)
    at = 4 + -(-count // 4)
    bits = np.frombuffer(data, np.uint8, at - 4, 4)
    codes = ((bits[:, None] >> np.array([6, 4, 2, 0], np.uint8)) & 3).reshape(-1)[:count]
    widths = np.array(_WIDTHS)[codes]
    if at + int(widths.sum()) != len(data):
        raise ValueError(f"packed integers have {len(data)} bytes, but {at + int(widths.sum())} are announced")
    starts = at + np.concatenate([[0], np.cumsum(widths)[:-1]]).astype(np.int64) if count else np.zeros(0, np.int64)
    made, body = np.zeros(count, dtype), np.frombuffer(data, np.uint8)
    for code, width in enumerate(_WIDTHS):
        here = codes == code
        if here.any():
            part = body[starts[here][:, None] + np.arange(width)]
            made[here] = np.ascontiguousarray(part).view(f"<i{width}")[:, 0]
    return made


def encode_blob(schema, fields, row):
    """The bytes of a row's blobs."""
    parts = []
    for name in fields:
        value, kind = row[name], schema[name]["type"]
        if kind == "bytes":
            parts.append(bytes(value))
        elif kind in ("int32", "int64"):
            parts.append(pack_integers(value))
        else:
            parts.append(np.ascontiguousarray(value, f"<{NUMBERS[kind]}").tobytes())
    if not parts:
        return bytes(4)
    if len(parts) == 1:
        return parts[0]
    return b"".join(struct.pack(">Q", len(p)) + p for p in parts)


def decode_blob(schema, fields, data):
    """The blobs of a row from their bytes: {name: array or bytes}."""
    if not fields:
        return {}
    parts, at = [], 0
    if len(fields) == 1:
        parts = [data]
    else:
        for _ in fields:
            (size,) = struct.unpack_from(">Q", data, at)
            parts.append(data[at + 8 : at + 8 + size])
            at += 8 + size
    row = {}
    for name, part in zip(fields, parts):
        kind = schema[name]["type"]
        if kind == "bytes":
            row[name] = bytes(part)
            continue
        array = unpack_integers(part, NUMBERS[kind]) if kind in ("int32", "int64") else np.frombuffer(bytes(part), f"<{NUMBERS[kind]}")
        row[name] = array.reshape(schema[name]["shape"])
    return row


# MessagePack: a map of text to integers, floats and text


def _pack_text(text):
    data = text.encode()
    n = len(data)
    if n < 32:
        return bytes([0xA0 | n]) + data
    for code, form, limit in ((0xD9, ">B", 1 << 8), (0xDA, ">H", 1 << 16), (0xDB, ">I", 1 << 32)):
        if n < limit:
            return bytes([code]) + struct.pack(form, n) + data
    raise ValueError(f"a text of {n} bytes is too long")


def _pack_integer(value):
    if 0 <= value < 128 or -32 <= value < 0:
        return struct.pack(">b" if value < 0 else ">B", value)
    forms = ((0xCC, ">B"), (0xCD, ">H"), (0xCE, ">I"), (0xCF, ">Q")) if value >= 0 else ((0xD0, ">b"), (0xD1, ">h"), (0xD2, ">i"), (0xD3, ">q"))
    for code, form in forms:
        try:
            return bytes([code]) + struct.pack(form, value)
        except struct.error:
            continue
    raise ValueError(f"the integer {value} has more than 64 bits")


def _pack_float(value):
    if math.isnan(value) or struct.unpack(">f", struct.pack(">f", value))[0] == value if abs(value) <= 3.4e38 or not math.isfinite(value) else False:
        return b"\xca" + struct.pack(">f", value)
    return b"\xcb" + struct.pack(">d", value)


def pack_map(row):
    """A dict of text, integers and floats as MessagePack, keys in order."""
    head = bytes([0x80 | len(row)]) if len(row) < 16 else b"\xde" + struct.pack(">H", len(row))
    parts = [head]
    for name in sorted(row):
        value = row[name]
        pack = _pack_text if isinstance(value, str) else _pack_float if isinstance(value, float) else _pack_integer
        parts += [_pack_text(name), pack(value)]
    return b"".join(parts)


_FIXED = {0xCA: ">f", 0xCB: ">d", 0xCC: ">B", 0xCD: ">H", 0xCE: ">I", 0xCF: ">Q", 0xD0: ">b", 0xD1: ">h", 0xD2: ">i", 0xD3: ">q"}
_LONG_TEXT = {0xD9: ">B", 0xDA: ">H", 0xDB: ">I"}
_PLAIN = {0xC0: None, 0xC2: False, 0xC3: True}


def _unpack(data, at):
    code = data[at]
    at += 1
    if code < 0x80:
        return code, at
    if code >= 0xE0:
        return code - 256, at
    if 0xA0 <= code < 0xC0 or code in _LONG_TEXT:
        n = code & 31
        if code in _LONG_TEXT:
            (n,) = struct.unpack_from(_LONG_TEXT[code], data, at)
            at += struct.calcsize(_LONG_TEXT[code])
        return str(data[at : at + n], "utf-8"), at + n
    if code in _FIXED:
        return struct.unpack_from(_FIXED[code], data, at)[0], at + struct.calcsize(_FIXED[code])
    if code in _PLAIN:
        return _PLAIN[code], at
    raise ValueError(f"MessagePack code {code:#x} is not one of text, integers and floats")


def unpack_map(data):
    """The dict that `pack_map` made bytes of."""
    code = data[0]
    if 0x80 <= code < 0x90:
        count, at = code & 15, 1
    elif code == 0xDE:
        (count,), at = struct.unpack_from(">H", data, 1), 3
    else:
        raise ValueError(f"MessagePack code {code:#x} is not that of a map")
    row = {}
    for _ in range(count):
        name, at = _unpack(data, at)
        row[name], at = _unpack(data, at)
    return row


def read_header(path):
    """The header of a file.

    Raises:
        RuntimeError: the file is missing or isn't a MindRecord file.
    """
    try:
        with open(path, "rb") as f:
            (size,) = struct.unpack("<Q", f.read(8))
            if not 0 < size <= os.path.getsize(path):
                raise ValueError(f"its header would have {size} bytes")
            header = json.loads(f.read(size))
            if header["version"] not in ("3.0", "2.0"):
                raise ValueError(f"its version is {header['version']}")
            return header
    except FileNotFoundError:
        raise RuntimeError(f"The input: {path} is not exists.") from None
    except (OSError, ValueError, KeyError, struct.error) as error:
        raise RuntimeError(f"Invalid file, {path} is not a MindRecord file, or an incomplete one: {error}.") from error
