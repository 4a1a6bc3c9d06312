"""Operations on arrays of any kind: casting, filling, slicing, masking, padding, joining."""

import enum

import numpy as np

from sporax.dataset.transforms import _checks
from sporax.dataset.transforms._operation import C, TensorOperation


def is_text(array):
    """Whether an array holds strings or bytes."""
    return array.dtype.kind in "US"


class OneHot(TensorOperation):
    """Class numbers to one-hot vectors, with or without smoothing.

    Args:
        num_classes (int): The number of classes K.
        smoothing_rate (float): s of the smoothed vector (1 - s) * onehot + s / K. Default: 0.0.

    Inputs:
        Integers of shape () or (N,), or (N, 1); the result has shape (K,) or (N, K), the input's type without smoothing and float64 with it.

    Raises:
        TypeError: a wrong type.
        ValueError: `num_classes` is not positive or `smoothing_rate` is not in [0, 1].
        RuntimeError: the input is empty, is not integer, or has a number outside [0, K).

    Examples:
        >>> from sporax.dataset import transforms
        >>> transforms.OneHot(3)(np.array(1))
        array([0, 1, 0])
    """

    def __init__(self, num_classes, smoothing_rate=0.0):
        _checks.of_type(smoothing_rate, (int, float), "smoothing_rate")
        _checks.of_type(num_classes, (int,), "num_classes")
        _checks.positive(num_classes, "num_classes")
        _checks.within(smoothing_rate, 0.0, 1.0, "smoothing_rate")
        self.num_classes, self.smoothing_rate = num_classes, smoothing_rate

    def apply(self, label):
        if not label.size:
            raise RuntimeError("OneHot: Input Tensor has no data.")
        if label.dtype.kind not in "iu":
            raise RuntimeError(f"OneHot: Only support input of int type, but got: {label.dtype}")
        if label.ndim > 2 or (label.ndim == 2 and 1 not in label.shape):
            raise RuntimeError(f"OneHot: OneHot only supports scalars or 1D input, got shape {label.shape}")
        low, high = int(label.min()), int(label.max())
        if low < 0 or high >= self.num_classes:
            wrong = low if low < 0 else high
            raise RuntimeError(f"OneHot: index values should not bigger than num classes: {self.num_classes}, but got: {wrong}")
        flat = label.reshape(-1)
        hot = np.zeros((flat.size, self.num_classes), label.dtype)
        hot[np.arange(flat.size), flat] = 1
        if self.smoothing_rate:
            hot = (1 - self.smoothing_rate) * hot.astype(np.float64) + self.smoothing_rate / self.num_classes
        return hot[0] if label.ndim == 0 else hot


def cast(array, dtype, name):
    """`array` as `dtype`; numbers that don't fit wrap around, as a conversion in C does."""
    if is_text(array) != (dtype.kind in "US"):
        kind = "string" if is_text(array) else array.dtype
        raise RuntimeError(f"{name}: {name} does not support cast from {kind} to {dtype}")
    if array.dtype.kind == "f" and dtype.kind in "iu":
        with np.errstate(invalid="ignore"):
            return array.astype(np.int64).astype(dtype)
    with np.errstate(over="ignore"):
        return array.astype(dtype)


class TypeCast(TensorOperation):
    """Cast to another type.

    Args:
        data_type (mindspore type or numpy.dtype): The type of the result.

    Raises:
        TypeError: `data_type` is no type.
        RuntimeError: text would become a number or the reverse.

    Examples:
        >>> from sporax.dataset import transforms
        >>> transforms.TypeCast(ms.int32)(np.array([1.7, -1.7]))
        array([ 1, -1], dtype=int32)
    """

    implementation = C

    def __init__(self, data_type):
        self._dtype = _checks.numpy_dtype(data_type, "data_type")
        self.data_type = str(self._dtype)

    def apply(self, array):
        return cast(array, self._dtype, "TypeCast")


class Fill(TensorOperation):
    """An array of the input's shape and type with one value everywhere.

    Args:
        fill_value (Union[str, bytes, int, float, bool]): The value.

    Raises:
        TypeError: a wrong type.
        RuntimeError: text for numbers or the reverse.
    """

    implementation = C

    def __init__(self, fill_value):
        _checks.of_type(fill_value, (str, float, bool, int, bytes), "fill_value")
        self.fill_value = np.array(fill_value)

    def apply(self, array):
        if is_text(array) or is_text(self.fill_value):
            if array.dtype.kind != self.fill_value.dtype.kind:
                raise RuntimeError(
                    "Fill: fill_value and the input tensor must be of the same data type when involving strings or bytes, but got fill_value data "
                    f"type {self.fill_value.dtype} and input tensor data type {array.dtype}"
                )
            return np.full(array.shape, self.fill_value)
        return np.full(array.shape, cast(self.fill_value, array.dtype, "Fill"))


def _choice(option):
    """An option of Slice as an index of a dimension: a slice or a list."""
    if option is None or option is Ellipsis or option is True:
        return slice(None)
    if isinstance(option, bool):
        return slice(0, 0)
    if isinstance(option, int):
        return [option]
    if isinstance(option, slice) and option.step is not None and option.step <= 0:
        raise RuntimeError(f"Slice: Wrong slice object {option}: the step must be positive")
    return option


class Slice(TensorOperation):
    """A part of an array, by NumPy's indexing of each dimension on its own; dimensions stay.

    Args:
        slices (Union[int, list[int], slice, None, Ellipsis, bool]): For each of the first dimensions: an index, a list of indices, a slice, or
            everything (None, Ellipsis, True).

    Raises:
        TypeError: a wrong type.
        RuntimeError: an index out of bounds, or more options than dimensions.

    Examples:
        >>> from sporax.dataset import transforms
        >>> transforms.Slice(slice(1, 3))(np.arange(5))
        array([1, 2])
    """

    implementation = C

    def __init__(self, *slices):
        for option in slices:
            if option is not None and option is not Ellipsis:
                _checks.of_type(option, (int, list, slice, bool), "slice")
                if isinstance(option, list):
                    _checks.sequence(option, (int,), "slice")
        self.slices = slices

    def apply(self, array):
        if len(self.slices) > array.ndim:
            raise RuntimeError(f"Slice: Invalid shape, {len(self.slices)} slices for an array of shape {array.shape}")
        options = [_choice(option) for option in self.slices]
        for axis, option in enumerate(options):
            size = array.shape[axis]
            for i in option if isinstance(option, list) else ():
                if not -size <= i < size:
                    raise RuntimeError(f"Slice: Index {i} is out of bounds. Dimension {axis} has the size {size}")
            array = array[(slice(None),) * axis + (option,)]
        return np.ascontiguousarray(array)


class Relational(enum.IntEnum):
    """Comparisons of `Mask`."""

    EQ = 0
    NE = 1
    GT = 2
    GE = 3
    LT = 4
    LE = 5


_COMPARE = {
    Relational.EQ: np.equal,
    Relational.NE: np.not_equal,
    Relational.GT: np.greater,
    Relational.GE: np.greater_equal,
    Relational.LT: np.less,
    Relational.LE: np.less_equal,
}


class Mask(TensorOperation):
    """Where a comparison with a constant holds.

    Args:
        operator (Relational): The comparison.
        constant (Union[str, int, float, bool]): What each element is compared with.
        dtype (mindspore type): The type of the result. Default: bool.

    Raises:
        TypeError: a wrong type.
        RuntimeError: text is compared with a number, or `dtype` is text.
    """

    implementation = C

    def __init__(self, operator, constant, dtype=bool):
        _checks.of_type(operator, (Relational,), "operator")
        _checks.of_type(constant, (str, float, bool, int, bytes), "constant")
        if getattr(dtype, "name", None) == "string_":
            raise RuntimeError("Mask: Only supports bool or numeric datatype for generated mask type, but got: string")
        self.dtype = _checks.numpy_dtype(dtype, "dtype")
        self.operator, self.constant = operator, np.array(constant)

    def apply(self, array):
        if is_text(array) != is_text(self.constant):
            raise RuntimeError(f"Mask: input and constant must both be text or both be numbers, got {array.dtype} and {self.constant.dtype}")
        constant = self.constant
        if not is_text(array) and array.dtype.kind in "iub" and constant.dtype.kind == "f":
            # MindSpore compares in the input's type
            constant = constant.astype(array.dtype)
        return _COMPARE[self.operator](array, constant).astype(self.dtype)


class PadEnd(TensorOperation):
    """Pad, or cut, at the end of each dimension to a given shape.

    Args:
        pad_shape (list[int]): The shape of the result; None keeps a dimension.
        pad_value (Union[str, bytes, int, float, bool]): What is put in. Default: None, zero or the empty string.

    Raises:
        TypeError: a wrong type.
        ValueError: a size that isn't positive.
        RuntimeError: another number of dimensions, or text for numbers.

    Examples:
        >>> from sporax.dataset import transforms
        >>> transforms.PadEnd([4], -1)(np.array([1, 2]))
        array([ 1,  2, -1, -1])
    """

    implementation = C

    def __init__(self, pad_shape, pad_value=None):
        if pad_value is not None:
            _checks.of_type(pad_value, (str, float, bool, int, bytes), "pad_value")
        _checks.of_type(pad_shape, (list,), "pad_shape")
        for size in pad_shape:
            if size is not None:
                if not isinstance(size, int) or isinstance(size, bool):
                    raise TypeError(f"a value in the list is not an integer: pad_shape is {pad_shape}.")
                _checks.within(size, 1, 2**63 - 1, "pad_shape")
        self.pad_shape = list(pad_shape)
        self.pad_value = None if pad_value is None else np.array(pad_value)

    def apply(self, array):
        return pad_end(array, self.pad_shape, self.pad_value)


def pad_end(array, shape, value=None, name="PadEnd"):
    """`array` cut and padded at the end of each dimension to `shape`; None in the shape keeps a size."""
    if array.ndim != len(shape):
        raise RuntimeError(f"{name}: invalid pad shape, as rank of input is: {array.ndim}, and rank of pad value: {len(shape)}")
    shape = tuple(have if want is None else want for have, want in zip(array.shape, shape))
    if value is not None and is_text(value) != is_text(array):
        raise RuntimeError(f"{name}: can not pad numeric and string tensors together, but got: {value.dtype} and {array.dtype}.")
    dtype = array.dtype
    if is_text(array):
        value = np.array("" if array.dtype.kind == "U" else b"") if value is None else value
        dtype = np.result_type(array.dtype, value.dtype)
    else:
        value = np.zeros((), dtype) if value is None else cast(value, dtype, name)
    padded = np.full(shape, value, dtype)
    common = tuple(slice(0, min(a, b)) for a, b in zip(array.shape, shape))
    padded[common] = array[common]
    return padded


class Concatenate(TensorOperation):
    """Join one-dimensional columns, with something before and something after them.

    Args:
        axis (int): 0 or -1. Default: 0.
        prepend (numpy.ndarray): What comes first. Default: None.
        append (numpy.ndarray): What comes last. Default: None.

    Raises:
        TypeError: a wrong type.
        ValueError: another axis, or an array that isn't one-dimensional.
        RuntimeError: inputs that aren't one-dimensional, or of different types.
    """

    implementation = C

    def __init__(self, axis=0, prepend=None, append=None):
        if axis is not None:
            _checks.of_type(axis, (int,), "axis")
            if axis not in (0, -1):
                raise ValueError(f"only 1D concatenation supported: axis should be 0 or -1, got {axis}.")
        for array, name in ((prepend, "prepend"), (append, "append")):
            if array is not None:
                _checks.of_type(array, (np.ndarray,), name)
                if array.ndim != 1:
                    raise ValueError(f"can only {name} 1D arrays, got shape {array.shape}.")
        self.axis = axis
        self.prepend, self.append = (None if a is None else np.array(a) for a in (prepend, append))

    def apply(self, *columns):
        parts = [("input", c) for c in columns]
        if self.prepend is not None:
            parts.insert(0, ("prepend", self.prepend))
        if self.append is not None:
            parts.append(("append", self.append))
        for name, part in parts:
            if part.ndim != 1:
                raise RuntimeError(f"Concatenate: only 1D input supported, got rank of input: {part.ndim}")
            same = part.dtype == columns[0].dtype or part.dtype.kind == columns[0].dtype.kind in "US"
            if not same:
                raise RuntimeError(
                    f"Concatenate: input datatype does not match the {name} datatype, got input datatype: {columns[0].dtype}, {name} datatype: {part.dtype}"
                )
        return np.concatenate([part for _, part in parts])


class Duplicate(TensorOperation):
    """The column twice."""

    implementation = C

    def apply(self, *columns):
        if len(columns) != 1:
            raise RuntimeError(f"Duplicate: only support one input, got {len(columns)}.")
        return columns[0], columns[0].copy()


class Unique(TensorOperation):
    """The different elements, in the order in which they first appear.

    Returns:
        tuple: the elements; for each element of the flattened input its place among them (int32); how often each appears (int32).

    Raises:
        RuntimeError: text, or an input of less than two dimensions.
    """

    implementation = C

    def apply(self, *columns):
        if len(columns) != 1:
            raise RuntimeError(f"Unique: only support one input, got {len(columns)}.")
        (array,) = columns
        if is_text(array):
            raise RuntimeError("Unique: only support numeric datatype of input, got string.")
        if array.ndim < 2:
            raise RuntimeError(f"Unique: input must be at least 2-D in order to do unique op, got rank:{array.ndim}")
        values, first, inverse, counts = np.unique(array, return_index=True, return_inverse=True, return_counts=True)
        order = np.argsort(first, kind="stable")
        place = np.empty(len(order), np.int32)
        place[order] = np.arange(len(order), dtype=np.int32)
        return values[order], place[inverse.reshape(-1)], counts[order].astype(np.int32)


class Plugin(TensorOperation):
    """Operations from a shared library built against MindSpore's C++ headers: there is no such interface here.

    Args:
        lib_path (str): The library.
        func_name (str): The name of the function.
        user_args (str): Its arguments. Default: None.

    Raises:
        TypeError: a wrong type.
        ValueError: always; write the operation as a Python function, or call the library with ctypes, and give that to `map`.
    """

    def __init__(self, lib_path, func_name, user_args=None):
        _checks.of_type(lib_path, (str,), "lib_path")
        _checks.of_type(func_name, (str,), "func_name")
        if user_args is not None:
            _checks.of_type(user_args, (str,), "user_args")
        raise ValueError(
            f"Plugin: {lib_path!r} is written against MindSpore's C++ classes, which don't exist here. Give map a Python function instead; it can call "
            f"{func_name} of a library with ctypes."
        )
