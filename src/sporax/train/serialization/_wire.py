"""The wire format of protocol buffers, as far as `.ckpt` files need it.

A `.ckpt` is one message without end: each parameter (or slice of one) is a field of it. The protobuf library reads a message as a whole, keeps
three copies of its bytes and stops at 2 GiB. Here the frames are walked and the numbers are read from the file into the array that keeps them, so that
size doesn't matter. The message, in protobuf's own language:

    message Checkpoint {
      message Value {
        required string tag = 1;
        oneof value { TensorProto tensor = 2; MapTensorProto maptensor = 3; }
      }
      repeated Value value = 1;
    }
    message TensorProto { repeated int64 dims = 1; required string tensor_type = 2; required bytes tensor_content = 3; }
    message MapTensorProto { repeated TensorProto tensor = 1; }
"""

VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5
_WINDOW = 4096


class Damaged(ValueError):
    """The bytes are not what the format says they should be."""


def varint(number):
    """The bytes of an integer, negative ones as 64-bit two's complement.

    Examples:
        >>> from sporax.train.serialization._wire import varint
        >>> varint(300)
        b'\\xac\\x02'
    """
    number &= (1 << 64) - 1
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)
    return bytes(out)


def head(field, length):
    """What comes before the `length` bytes of a field of text, bytes or a message."""
    return varint(field << 3 | BYTES) + varint(length)


class Cursor:
    """A place in a source, up to `end`."""

    def __init__(self, source, at, end):
        self.source, self.at, self.end = source, at, end
        self._window, self._start = b"", 0

    def _byte(self):
        if self.at >= self.end:
            raise Damaged(f"it ends in the middle of a number, at byte {self.at}")
        i = self.at - self._start
        if not 0 <= i < len(self._window):
            self._window, self._start, i = self.source.read(self.at, min(_WINDOW, self.end - self.at)), self.at, 0
            if not self._window:
                raise Damaged(f"it became shorter while it was read, at byte {self.at}")
        self.at += 1
        return self._window[i]

    def number(self):
        """The next varint, 0 to 2**64 - 1."""
        value = 0
        for shift in range(0, 70, 7):
            byte = self._byte()
            value |= (byte & 127) << shift
            if byte < 128:
                if value >> 64:
                    break
                return value
        raise Damaged(f"a number before byte {self.at} is longer than 64 bits")

    def length(self):
        """The next varint, which is a number of bytes that must be there."""
        count = self.number()
        if count > self.end - self.at:
            raise Damaged(f"at byte {self.at} it announces {count} bytes, and only {self.end - self.at} are left: it is cut off or damaged")
        return count

    def take(self, count):
        """The next `count` bytes."""
        if count > self.end - self.at:
            raise Damaged(f"it is cut off: {count} bytes should follow byte {self.at}, and {self.end - self.at} do")
        i = self.at - self._start
        data = self._window[i : i + count] if 0 <= i and i + count <= len(self._window) else self.source.read(self.at, count)
        self.at += count
        return data

    def fields(self):
        """The fields up to the end: (number, wire type, value), where the value of text, bytes and messages is a Cursor on them."""
        while self.at < self.end:
            key = self.number()
            field, kind = key >> 3, key & 7
            if not field:
                raise Damaged(f"there is no field 0, which stands before byte {self.at}")
            if kind == VARINT:
                yield field, kind, self.number()
            elif kind == BYTES:
                count = self.length()
                start, self.at = self.at, self.at + count
                part = Cursor(self.source, start, self.at)
                part._window, part._start = self._window, self._start
                yield field, kind, part
            elif kind in (FIXED64, FIXED32):
                yield field, kind, self.take(8 if kind == FIXED64 else 4)
            else:
                raise Damaged(f"wire type {kind} before byte {self.at} is none of this format")

    def rest(self):
        """All bytes up to the end."""
        return self.take(self.end - self.at)
