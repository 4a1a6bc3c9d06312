"""How tensors print: NumPy's layout inside MindSpore's frame."""

import numpy as np

from sporax._core import dtype as mstype


def _printable(tensor):
    array = tensor.asnumpy()
    # NumPy prints the small floating types through float
    return array.astype(np.float32) if array.dtype.kind == "V" or array.dtype.itemsize == 1 and array.dtype.kind == "f" else array


def tensor_str(tensor):
    """`print(tensor)`: the bare array."""
    array = _printable(tensor)
    if tensor.dtype is mstype.bfloat16:
        return np.array2string(array.astype(np.float32))
    return str(array)


def tensor_repr(tensor):
    """`Tensor(shape=[2], dtype=Float32, value= [ 1.0e+00, 2.0e+00])`."""
    array = _printable(tensor)
    formatter = None
    if array.dtype.kind == "f" or tensor.dtype is mstype.bfloat16:
        array = array.astype(np.float32) if array.dtype.itemsize < 4 or array.dtype.kind == "V" else array
        formatter = {"float_kind": lambda x: f"{x: .8e}"}
    body = np.array2string(array, separator=", ", formatter=formatter)
    gap = "\n" if array.ndim > 1 else " "
    return f"Tensor(shape={list(tensor.shape)}, dtype={tensor.dtype}, value={gap}{body})"


def tensor_format(tensor, spec):
    """`f"{tensor:.3f}"` works for one element; without a format it is `str(tensor)`."""
    if not spec:
        return str(tensor)
    if tensor.size == 1:
        return format(tensor.item(), spec)
    raise TypeError(f"unsupported format string {spec!r} passed to Tensor.__format__ for shape {tensor.shape}: use tensor.asnumpy() or mean().")
