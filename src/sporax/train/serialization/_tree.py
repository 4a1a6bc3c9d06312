"""Python values as JSON and arrays: what objects give out in `state_dict()`, or have in plain attributes.

Only builtin containers, numbers, text, bytes, arrays and Tensors are written, and only these are made when a file is read: reading executes nothing.
What JSON doesn't have is a table with the key `!`: tuples, sets, bytes, other keys than text, places of arrays.
"""

import base64
import binascii
import collections
from typing import Any

import numpy as np

from sporax._core.parameter import Parameter
from sporax._core.tensor import Tensor
from sporax.train.serialization import _dtypes
from sporax.train.serialization._wire import Damaged

MARK = "!"
KEEP = {MARK: "keep"}  # in place of something that can't be written: what is there stays
_PLAIN = (type(None), bool, int, float, str)
_MAX_ITEMS = 10_000
_MAX_DEPTH = 100


class Unwritable(TypeError):
    """A value that no file can hold."""


def snapshot(tensor):
    """An array as it is now: (shape, dtype, function that gives the NumPy array)."""
    array = tensor._look("saving it")
    return tensor.shape, array.dtype, lambda: np.asarray(array)


_DICTS = (dict, collections.OrderedDict, collections.defaultdict, collections.Counter)


def encode(value: Any, arrays, path, lenient=False, depth=0) -> Any:
    """A value as JSON; its arrays are added to `arrays`, a dict from names to snapshots.

    Args:
        value: what is to be written.
        arrays: dict that the arrays are added to, under `path` and what follows from it.
        path: name of the value.
        lenient: whether Parameters and foreign objects become `KEEP`; else they are errors.
        depth: how deep inside other values it is.

    Raises:
        Unwritable: something in it is of another kind.
    """

    def inside(v, key):
        return encode(v, arrays, f"{path}.{key}", lenient, depth + 1)

    kind = type(value)
    if kind in _PLAIN:
        return value
    if depth > _MAX_DEPTH:
        raise Unwritable(f"{path} is nested more than {_MAX_DEPTH} deep")
    if lenient and isinstance(value, Parameter):
        return KEEP
    if isinstance(value, Tensor):
        arrays[path] = snapshot(value)
        return {MARK: "tensor", "at": path}
    if _is_numbers(value):
        array = np.array(value)
        arrays[path] = array.shape, array.dtype, lambda: array
        return {MARK: "array" if isinstance(value, np.ndarray) else "number", "at": path}
    if lenient and kind in (list, tuple, set, frozenset, collections.deque, *_DICTS) and len(value) > _MAX_ITEMS:
        return KEEP
    if kind is list:
        return [inside(v, i) for i, v in enumerate(value)]
    if kind in (tuple, set, frozenset):
        items = sorted(value, key=repr) if kind is not tuple else value
        return {MARK: kind.__name__, "v": [inside(v, i) for i, v in enumerate(items)]}
    if kind is collections.deque:
        return {MARK: "deque", "v": [inside(v, i) for i, v in enumerate(value)], "most": value.maxlen}
    if kind in _DICTS:
        if all(type(k) is str for k in value) and MARK not in value:
            return {k: inside(v, k) for k, v in value.items()}
        return {MARK: "dict", "v": [[inside(k, f"key{i}"), inside(v, i)] for i, (k, v) in enumerate(value.items())]}
    if kind is bytes:
        return {MARK: "bytes", "v": base64.b64encode(value).decode()}
    if kind is complex:
        return {MARK: "complex", "v": [value.real, value.imag]}
    if lenient:
        return KEEP
    raise Unwritable(
        f"{path} is of type {kind.__name__}: a state holds numbers, text, bytes, arrays, Tensors, and lists, tuples, sets and dicts of them"
    )


def _is_numbers(value):
    return isinstance(value, np.ndarray | np.generic) and value.dtype in _dtypes.CKPT_NAME


def decode(tree, arrays, current=None):
    """The value of a JSON tree.

    Args:
        tree: what `encode` made.
        arrays: dict from names to NumPy arrays.
        current: the value that is there now, which gives what was kept. Dicts and lists of it are changed in place.

    Raises:
        Damaged: the tree is none that `encode` makes.
    """
    try:
        return _decode(tree, arrays, current)
    except (KeyError, TypeError, ValueError, binascii.Error, RecursionError) as error:
        if isinstance(error, Damaged):
            raise
        raise Damaged(f"its state is not of the form that this version writes ({type(error).__name__}: {error})") from None


def _decode(tree, arrays, current):
    if type(tree) in _PLAIN:
        return tree
    if isinstance(tree, list):
        return _list(tree, arrays, current)
    kind = tree.get(MARK)
    if kind is None:
        return _into_dict([(k, v) for k, v in tree.items()], arrays, current)
    if kind == "keep":
        return current
    if kind == "tensor":
        return Tensor(arrays[tree["at"]])
    if kind == "array":
        return arrays[tree["at"]]
    if kind == "number":
        return arrays[tree["at"]][()]
    if kind == "bytes":
        return base64.b64decode(tree["v"], validate=True)
    if kind == "complex":
        real, imaginary = tree["v"]
        return complex(float(real), float(imaginary))
    if kind == "dict":
        return _into_dict([(_decode(k, arrays, None), v) for k, v in tree["v"]], arrays, current)
    if kind == "tuple":
        return tuple(_items(tree["v"], arrays, current))
    if kind in ("set", "frozenset"):
        return (set if kind == "set" else frozenset)(_items(tree["v"], arrays, None))
    if kind == "deque":
        return collections.deque(_items(tree["v"], arrays, current), maxlen=tree["most"])
    raise Damaged(f"its state has a value of kind {str(kind)[:40]!r}, which this version doesn't know")


def _items(trees, arrays, current):
    olds = list(current) if isinstance(current, list | tuple | collections.deque) and len(current) == len(trees) else [None] * len(trees)
    return [_decode(t, arrays, old) for t, old in zip(trees, olds, strict=True)]


def _list(trees, arrays, current):
    items = _items(trees, arrays, current)
    if isinstance(current, list):
        current[:] = items
        return current
    return items


def _into_dict(pairs, arrays, current):
    old = current if isinstance(current, dict) else {}
    items = {k: _decode(v, arrays, old.get(k)) for k, v in pairs}
    if isinstance(current, dict):
        current.clear()
        current.update(items)
        return current
    return items
