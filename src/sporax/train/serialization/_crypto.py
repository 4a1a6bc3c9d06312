"""Encrypted checkpoints, in MindSpore's own container.

The plain file is cut into blocks of 64 MiB. Each is stored as little-endian words and bytes: a magic number that names the mode, with GCM the tag (16
bytes), the number of bytes that follow, the length of the initialization vector and the vector, the length of the ciphertext and the ciphertext.
"""

import os
import struct
from typing import Any

from sporax.train.serialization._wire import Damaged

BLOCK = 64 << 20
_MAGIC = {"AES-GCM": 0x7F3A5ED8, "AES-CBC": 0x7F3A5ED9, "SM4-CBC": 0x7F3A5EDA}
_KEYS = {"AES-GCM": (16, 24, 32), "AES-CBC": (16, 24, 32), "SM4-CBC": (16,)}
_TAG = 16
_GCM_VECTOR = 12  # of the 16 bytes that are stored


def is_encrypted(start):
    """Whether a file that starts with these bytes is encrypted."""
    return len(start) >= 4 and struct.unpack("<I", start[:4])[0] in _MAGIC.values()


def check_key(key, mode, names=("enc_key", "enc_mode")):
    """Raise ValueError where `key` (bytes) is not one for `mode`."""
    if mode not in _MAGIC:
        raise ValueError(f"'{names[1]}' should be one of {', '.join(map(repr, _MAGIC))}, but got {mode!r}.")
    if len(key) not in _KEYS[mode]:
        raise ValueError(f"'{names[0]}' for {mode} should have {' or '.join(map(str, _KEYS[mode]))} bytes, but got {len(key)}.")


def _cipher(key, mode, vector, tag=None):
    try:
        from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
    except ImportError:
        raise ImportError('Encrypted checkpoints need the package `cryptography`: pip install "sporax[crypto]".') from None
    if mode == "AES-GCM":
        return Cipher(algorithms.AES(key), modes.GCM(vector[:_GCM_VECTOR], tag))
    return Cipher(algorithms.SM4(key) if mode == "SM4-CBC" else algorithms.AES(key), modes.CBC(vector))


def encrypt(data, key, mode):
    """The stored form of one block of plain bytes."""
    vector = os.urandom(16)
    worker: Any = _cipher(key, mode, vector).encryptor()
    if mode == "AES-GCM":
        text, tag = worker.update(data) + worker.finalize(), worker.tag
    else:
        fill = 16 - len(data) % 16
        text, tag = worker.update(bytes(data) + bytes([fill]) * fill) + worker.finalize(), b""
    body = struct.pack("<I", len(vector)) + vector + struct.pack("<I", len(text)) + text
    return struct.pack("<I", _MAGIC[mode]) + tag + struct.pack("<I", len(body)) + body


def decrypt(source, key, mode):
    """The plain bytes of a source.

    Raises:
        ValueError: the key is wrong, or the file is damaged or not encrypted in this mode.
    """
    plain, at = bytearray(), 0
    while at < source.size:
        head = source.read(at, 4)
        magic = int.from_bytes(head, "little")
        if magic != _MAGIC[mode]:
            other = next((m for m, number in _MAGIC.items() if number == magic), None)
            raise Damaged(f"it is encrypted with {other}, and dec_mode is {mode!r}" if other else f"byte {at} does not begin an encrypted block")
        at += 4
        tag = source.read(at, _TAG) if mode == "AES-GCM" else b""
        at += len(tag)
        vector, text, at = _body(source, at)
        plain += _open(text, key, mode, vector, tag)
    return plain


def _body(source, at):
    """The vector and the ciphertext of the block at `at`, and where the next one begins."""

    def take(count):
        nonlocal at
        data = source.read(at, count) if count <= source.size - at else b""
        if len(data) != count:
            raise Damaged(f"it is cut off at byte {at}, in an encrypted block")
        at += count
        return data

    def number():
        return int.from_bytes(take(4), "little")

    size = number()
    vector = take(number())
    text = take(number())
    if size != 8 + len(vector) + len(text):
        raise Damaged(f"the lengths in the encrypted block before byte {at} contradict each other")
    return vector, text, at


def _open(text, key, mode, vector, tag):
    wrong = "the key is not the one it was encrypted with, or it is damaged"
    if len(vector) != 16 or (mode != "AES-GCM" and (not text or len(text) % 16)):
        raise Damaged(wrong)
    from cryptography.exceptions import InvalidTag

    worker = _cipher(key, mode, vector, tag or None).decryptor()
    try:
        data = worker.update(text) + worker.finalize()
    except InvalidTag:
        raise Damaged(wrong) from None
    if mode == "AES-GCM":
        return data
    fill = data[-1]
    if not 1 <= fill <= 16 or data[-fill:] != bytes([fill]) * fill:
        raise Damaged(wrong)
    return data[:-fill]
