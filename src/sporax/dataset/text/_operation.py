"""Operations on text: arrays of strings.

Tokens come with offsets where they are asked for: where each starts and ends, counted in bytes of UTF-8. No token at all is given as one empty
string, as in MindSpore, because a pipeline's columns can't be empty.
"""

import numpy as np

from sporax.dataset.transforms._operation import C, TensorOperation


class TextTensorOperation(TensorOperation):
    """Base of operations on text."""

    implementation: int | None = C


def strings(name, array):
    """An array of text as an array of str.

    Raises:
        RuntimeError: it holds something else.
    """
    if array.dtype.kind == "S":
        return np.char.decode(array, "utf-8")
    if array.dtype.kind != "U":
        raise RuntimeError(f"{name}: input is not string datatype, got {array.dtype}{array.shape}.")
    return array


def scalar(name, array):
    """The one string of a scalar array.

    Raises:
        RuntimeError: it isn't one string.
    """
    if array.ndim or array.dtype.kind not in "US":
        raise RuntimeError(f"{name}: the input shape should be scalar and the input datatype should be string, got {array.dtype}{array.shape}.")
    return str(strings(name, array))


def mapped(name, array, function):
    """The array with `function` applied to each string."""
    array = strings(name, array)
    return np.array([function(str(s)) for s in array.reshape(-1)], np.str_).reshape(array.shape)


def check_bool(value, name):
    """A bool, and nothing that only counts as one."""
    if not isinstance(value, bool):
        raise TypeError(f"Wrong input type for {name}, should be boolean, got {type(value)}.")


def check_str(value, name):
    """A str."""
    if not isinstance(value, str):
        raise TypeError(f"Wrong input type for {name}, should be string, got {type(value)}.")


def spans(pieces):
    """[(token, start)] of pieces that follow each other without a gap; starts are in bytes."""
    at, found = 0, []
    for piece in pieces:
        found.append((piece, at))
        at += len(piece.encode("utf-8", "surrogatepass"))
    return found


def result(tokens, with_offsets):
    """Tokens [(text, start)] as an array, and with offsets also the arrays of starts and ends."""
    tokens = tokens or [("", 0)]
    array = np.array([text for text, _ in tokens], np.str_)
    if not with_offsets:
        return array
    starts = np.array([start for _, start in tokens], np.uint32)
    ends = np.array([start + len(text.encode("utf-8", "surrogatepass")) for text, start in tokens], np.uint32)
    return array, starts, ends
