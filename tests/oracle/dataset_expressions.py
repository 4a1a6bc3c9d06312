"""Cases of the operations of `mindspore.dataset` as lines of text: each line is an expression, and its value is the case's value.

In an expression `T`, `V`, `X` and `A` are the modules transforms, vision, text and audio; `ms`, `np`, `Image` are what they always are; `same(array)`
turns what a line gives into something that can be recorded: Pillow images become arrays, strings become lists of strings.
"""

import contextlib
import copy
import functools
import pathlib
import tempfile
import zlib

import numpy as np
from PIL import Image


def images():
    """Small images, the same everywhere: noise alone hides what smooth areas show, so each is a gradient with noise and a few edges."""
    rng = np.random.RandomState(7)
    found = {}
    for name, h, w in (("a", 24, 31), ("b", 17, 12), ("c", 40, 40)):
        y, x = np.mgrid[:h, :w]
        image = np.stack([x * 255 / w, y * 255 / h, (x + y) * 255 / (w + h)], -1) * 0.8 + rng.rand(h, w, 3) * 50
        image[h // 3 : h // 2, w // 4 : w // 2] = (250, 10, 90)
        found[name] = image.astype(np.uint8)
    return found


@functools.cache
def _folder():
    return tempfile.TemporaryDirectory()


def file(name, content):
    """The path of a file with this content, str or bytes."""
    path = pathlib.Path(_folder().name) / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return str(path)


def scope(ms, extra):
    """The names that an expression may use."""
    data = ms.dataset
    names = {"ms": ms, "np": np, "same": same, "file": file, "Image": Image, "pil": Image.fromarray, **images(), **extra}
    return names | {"T": data.transforms, "V": data.vision, "X": data.text, "A": data.audio}


def same(value):
    """`value` as something that can be recorded."""
    if isinstance(value, tuple | list):
        return type(value)(same(v) for v in value)
    if isinstance(value, np.ndarray):
        return value if value.dtype.kind not in "US" else {"shape": list(value.shape), "text": [str(v) for v in value.reshape(-1)]}
    if type(value).__module__.startswith("PIL"):
        return {"mode": value.mode, "pixels": np.array(value)}
    return value


def cases(lines, extra=None):
    """{line: case} of the lines of a text; empty lines and those that start with # don't count."""

    def case(line):
        def run(ms):
            np.random.seed(zlib.crc32(line.encode()) % 2**31)
            with contextlib.suppress(AttributeError):
                ms.dataset.config.set_seed(1)
            # copies: some of genuine's operations change their input
            return same(eval(line, scope(ms, copy.deepcopy(extra or {}))))

        return run

    found = [line.strip() for line in lines.strip().splitlines()]
    return {line: case(line) for line in found if line and not line.startswith("#")}
