"""What the file formats call the types of elements."""

import difflib
import math
from typing import Any

import ml_dtypes
import numpy as np

from sporax._core import dtype as mstype

MAX_AXES = 64  # NumPy's limit

# `.ckpt`: the text of MindSpore's dtype
CKPT = {str(t): t.np_dtype for t in (*mstype.all_types, mstype.float8_e4m3fn, mstype.float8_e5m2)}
CKPT_NAME = {np_dtype: name for name, np_dtype in CKPT.items()}
# the same as MindSpore's dtypes, with text; programs that read files themselves look here
tensor_to_ms_type = {name: mstype.from_jax_dtype(t) for name, t in CKPT.items()} | {"str": mstype.string}
# `.safetensors`: https://github.com/huggingface/safetensors
SAFE = {
    "BOOL": np.bool_, "U8": np.uint8, "I8": np.int8, "U16": np.uint16, "I16": np.int16, "U32": np.uint32, "I32": np.int32, "U64": np.uint64,
    "I64": np.int64, "F16": np.float16, "BF16": ml_dtypes.bfloat16, "F32": np.float32, "F64": np.float64, "C64": np.complex64,
    "F8_E4M3": ml_dtypes.float8_e4m3fn, "F8_E5M2": ml_dtypes.float8_e5m2,
}  # fmt: skip
SAFE = {name: np.dtype(t) for name, t in SAFE.items()}
SAFE_NAME = {np_dtype: name for name, np_dtype in SAFE.items()}


def by_name(table, name, what):
    """The NumPy dtype that a file calls `name`.

    Raises:
        ValueError: no Tensor has that type; `what` says where it stands.
    """
    found = table.get(name)
    if found is None:
        near = difflib.get_close_matches(name, table, 1)
        raise ValueError(f"{what} has elements of type {name[:40]!r}, which no Tensor here has{f' (nearest: {near[0]})' if near else ''}.")
    return found


def tensor_to_np_type(tensor_type_str):
    """The NumPy type that a `.ckpt` file calls `tensor_type_str`, or None.

    Examples:
        >>> from sporax.train.serialization import tensor_to_np_type
        >>> tensor_to_np_type("Int8")
        <class 'numpy.int8'>
    """
    return "U" if tensor_type_str == "str" else CKPT[tensor_type_str].type if tensor_type_str in CKPT else None


def size_of(shape, itemsize):
    """Bytes of an array of a shape that a file announces, or None where no array can have it."""
    if len(shape) > MAX_AXES:
        return None
    size = math.prod(shape) * itemsize
    return size if size or all(d < 1 << 31 for d in shape) else None


def as_array(raw, dtype, shape):
    """Bytes as an array of a shape."""
    if dtype == np.bool_:
        return (raw != 0).reshape(shape)  # any other byte than 0 and 1 would be undefined behaviour
    return raw.view(dtype).reshape(shape)


def as_bytes(array):
    """The bytes of an array, row by row."""
    raw: Any = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
    return memoryview(raw)


def known(dtype, name):
    """Raise TypeError for an array that no Tensor can have the type of."""
    if dtype not in CKPT_NAME:
        raise TypeError(f"{name!r} has elements of type {dtype}, which no Tensor has. There are {', '.join(CKPT)}.")
