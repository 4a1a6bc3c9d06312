"""Values of user programs as columns, and rows as batches.

A row is a tuple of columns. A column is a NumPy array (of numbers, truth values, text or bytes), or a dict whose values are columns.
"""

import numpy as np

from sporax.dataset._pipeline.errors import describe, pipeline_error

_KINDS = frozenset("biufcSU")
_SCALARS = {bool: np.bool_, int: np.int64, float: np.float64}


def column(value):
    """A user's value as a column.

    Raises:
        TypeError: there is no array for it, such as for None, a ragged list or an object.
    """
    kind = type(value)
    if kind is np.ndarray:
        if value.dtype.kind in _KINDS or value.dtype.name in ("bfloat16", "float8_e4m3fn", "float8_e5m2"):
            return value
        if value.dtype.kind == "T" or (value.dtype.kind == "O" and value.size and all(isinstance(v, str) for v in value.flat)):
            return value.astype(np.str_)
        raise TypeError(
            f"A column should be an array of numbers, bool, str or bytes, but got an array of dtype {value.dtype} and shape {value.shape}."
        )
    if kind in _SCALARS:
        return np.array(value, _SCALARS[kind])
    if kind in (str, bytes):
        return np.array(value)
    if kind is dict:
        return {k: column(v) for k, v in value.items()}
    if value is None:
        raise TypeError(
            "A column should be an array, a number, a str, bytes or a dict of these, but got None: does the function lack a return statement?"
        )
    if hasattr(value, "asnumpy"):
        return value.asnumpy()
    if isinstance(value, list | tuple):
        try:
            return column(np.array([v.asnumpy() if hasattr(v, "asnumpy") else v for v in value]))
        except ValueError as error:
            raise TypeError(f"A column should be one array, but the parts of a {kind.__name__} have different shapes: {error}") from None
    if isinstance(value, np.ndarray | np.generic) or hasattr(value, "__array_interface__") or hasattr(value, "__array__"):
        return column(np.array(value))
    raise TypeError(f"A column should be an array, a number, a str, bytes or a dict of these, but got {kind.__name__}: {value!r:.80}")


def columns(values):
    """A user's tuple (or list) of values, or one value, as a row."""
    if isinstance(values, tuple):
        return tuple(map(column, values))
    return (column(values),)


def stack(values, name):
    """One column of a batch from that column of its rows."""
    first = values[0]
    if isinstance(first, dict):
        return {k: stack([v[k] for v in values], f"{name}[{k!r}]") for k in first}
    shape, dtype = first.shape, first.dtype
    text = dtype.kind in "SU"
    for i, value in enumerate(values):
        if isinstance(value, dict) or value.shape != shape:
            raise pipeline_error(
                f"Cannot batch rows with different shapes: column {name!r} has {describe(first)} in the batch's first row and {describe(value)} in row {i} of the batch. "
                "Give rows one shape with map (for example vision.Resize or transforms.PadEnd), or use padded_batch."
            )
        if value.dtype != dtype and not (text and value.dtype.kind == dtype.kind):
            raise pipeline_error(
                f"Cannot batch rows with different types: column {name!r} has {describe(first)} in the batch's first row and {describe(value)} in row {i} of the batch. "
                "Cast them with map and transforms.TypeCast."
            )
    if text:
        return np.stack(values)
    # np.stack spends several microseconds on arguments
    batch = np.empty((len(values), *shape), dtype)
    for i, value in enumerate(values):
        batch[i] = value
    return batch


def pad(values, name, shape, fill):
    """One column of a batch whose rows are padded at the end to `shape`; None in it stands for the largest of the batch."""
    rank = values[0].ndim
    if shape is None:
        shape = (None,) * rank
    if len(shape) != rank or any(v.ndim != rank for v in values):
        raise pipeline_error(
            f"Cannot pad column {name!r}: rows should have {len(shape)} dimensions as 'pad_info' has, but got {sorted({v.ndim for v in values})}."
        )
    full = tuple(max(v.shape[i] for v in values) if size is None else size for i, size in enumerate(shape))
    dtype = values[0].dtype
    if dtype.kind in "SU":
        dtype = np.result_type(*(v.dtype for v in values))
        if fill is None:
            fill = ""
    elif isinstance(fill, str):
        raise pipeline_error(f"Cannot pad column {name!r} of dtype {dtype} with text {fill!r}.")
    batch = np.full((len(values), *full), 0 if fill is None else fill, dtype)
    for i, value in enumerate(values):
        # a row that is larger than the padded shape is cut
        inside = tuple(slice(0, min(a, b)) for a, b in zip(value.shape, full))
        batch[(i, *inside)] = value[inside]
    return batch
