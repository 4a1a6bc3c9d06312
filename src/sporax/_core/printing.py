"""How tensors print: `str` is NumPy's layout, `repr` is MindSpore's.

In a `repr` floats have eight decimals (four for float16) and one width, the last axis breaks after 12 floats or 24 others, and tensors of more
than 1,000 elements show three at each end of an axis.
"""

import itertools
from typing import Any

import numpy as np

from sporax._core import dtype as mstype

_LIMIT, _EDGE = 1000, 3


def _printable(tensor):
    """The elements as an array that NumPy can print; text of a traced tensor is made by `control`."""
    array = tensor.asnumpy()
    small = (
        array.dtype.kind == "V" or (array.dtype.kind not in "biufc") or tensor.dtype in (mstype.bfloat16, mstype.float8_e4m3fn, mstype.float8_e5m2)
    )
    return array.astype(np.float32) if small else array


def _general(x):
    """A number in the shortest of six significant digits."""
    if isinstance(x, complex | np.complexfloating):
        sign = "" if np.signbit(x.imag) or np.isnan(x.imag) else "+"
        return f"{x.real:g}{sign}{x.imag:g}j"
    return f"{x:g}"


def tensor_str(tensor):
    """`print(tensor)`: the bare array."""
    array = _printable(tensor)
    if tensor.dtype is mstype.bfloat16:
        return np.array2string(array, formatter={"float_kind": lambda x: f"{x:.6f}"}) if array.ndim else f"{float(array):.6f}"
    # since 2.3 NumPy prints float16 and float32 with exponents earlier than before
    legacy: Any = "2.2" if np.lib.NumpyVersion(np.__version__) >= "2.3.0" else False
    with np.printoptions(legacy=legacy):
        return str(array)


def _formatter(tensor, array):
    if array.dtype.kind == "b":
        return str
    if array.dtype.kind in "iu":
        return str
    if tensor.dtype is mstype.float16:
        return lambda x: f"{x: .4e}"
    if tensor.dtype in (mstype.float32, mstype.float64):
        return lambda x: f"{x: .8e}"
    return _general


def _shown(n, cut):
    """Indices along an axis, with None where some are left out."""
    return [*range(_EDGE), None, *range(n - _EDGE, n)] if cut and n > 2 * _EDGE else list(range(n))


def _body(array, text, width, per_line, cut, depth):
    if array.ndim == 1:
        out, count = "", 0
        for i in _shown(len(array), cut):
            if i is None:
                out += " ... "
                count = 0
                continue
            if count:
                out += ", \n" + " " * depth if count % per_line == 0 else ", "
            out += text(array[i]).rjust(width)
            count += 1
        return f"[{out}]"
    rows = ["..." if i is None else _body(array[i], text, width, per_line, cut, depth + 1) for i in _shown(len(array), cut)]
    out = rows[0] if rows else ""
    for before, row in itertools.pairwise(rows):
        out += ("" if before == "..." else ",") + "\n" + " " * depth + row
    return f"[{out}]"


def tensor_repr(tensor):
    """`Tensor(shape=[2], dtype=Float32, value= [ 1.00000000e+00,  2.00000000e+00])`."""
    array = _printable(tensor)
    head = f"Tensor(shape={list(tensor.shape)}, dtype={tensor.dtype}, value="
    if not array.ndim:
        x = array[()]
        return f"{head} {x if array.dtype.kind in 'bui' else _general(x)})"
    gap = "\n" if array.ndim > 1 else " "
    if not array.size:
        return f"{head}{gap})"
    text = _formatter(tensor, array)
    cut = array.size > _LIMIT
    visible = array
    if cut:
        for axis, n in enumerate(array.shape):
            if n > 2 * _EDGE:
                visible = np.take(visible, [*range(_EDGE), *range(n - _EDGE, n)], axis)
    width = max(len(text(x)) for x in visible.reshape(-1))
    if array.dtype.kind == "f" and text is not _general:
        width = max(width, len(text(0.0)))
    per_line = 12 if array.dtype.kind in "fc" else 24
    return f"{head}{gap}{_body(array, text, width, per_line, cut, 1)})"


def tensor_format(tensor, spec):
    """`f"{tensor:.3f}"` works for one element; without a format it is `str(tensor)`."""
    if not spec:
        return str(tensor)
    if tensor.size == 1:
        return format(tensor.item(), spec)
    raise TypeError(f"unsupported format string {spec!r} passed to Tensor.__format__ for shape {tensor.shape}: use tensor.asnumpy() or mean().")
