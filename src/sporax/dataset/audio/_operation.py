"""Operations on sound: arrays (..., time) of samples, (..., frequency, time) of spectrograms, with a last dimension of 2 where they are complex.

float64 stays; every other type of numbers becomes float32. Filters are computed in float64.
"""

import numpy as np

from sporax.dataset.transforms import _checks
from sporax.dataset.transforms._operation import C, RandomOperation, TensorOperation


class AudioTensorOperation(TensorOperation):
    """Base of operations on sound."""

    implementation: int | None = C
    rank = 1  # the least number of dimensions
    shape_text = "<..., time>"
    kinds = "biuf"  # kinds of types that are taken

    def prepare(self, columns):
        name = type(self).__name__
        if len(columns) != 1:
            raise RuntimeError(f"{name} takes one column, but got {len(columns)}.")
        column = columns[0] if isinstance(columns[0], np.ndarray) else self.array(columns[0])
        if column.dtype.kind not in self.kinds:
            raise RuntimeError(f"{name}: the data type of input tensor does not match the requirement of operator, got {column.dtype}.")
        return (floating(name, column, self.rank, self.shape_text),)


class RandomAudioOperation(AudioTensorOperation, RandomOperation):
    """Base of random operations on sound."""

    def __call__(self, *columns):
        return RandomOperation.__call__(self, *columns)


def floating(name, array, rank, shape_text="<..., time>"):
    """The array as float64 or float32.

    Raises:
        RuntimeError: it is no array of numbers, has too few dimensions or no elements.
    """
    if array.dtype.kind not in "biuf":
        raise RuntimeError(
            f"{name}: the data type of input tensor does not match the requirement of operator. Expecting numbers, but got {array.dtype}."
        )
    if array.ndim < rank or not array.size:
        raise RuntimeError(
            f"{name}: the shape of input tensor does not match the requirement of operator. Expecting tensor in shape of {shape_text}, but got {array.shape}."
        )
    return array if array.dtype == np.float64 else array.astype(np.float32)


def is_complex(name, array):
    """The last dimension is of size 2.

    Raises:
        RuntimeError: it is not.
    """
    if array.shape[-1] != 2:
        raise RuntimeError(
            f"{name}: the shape of input tensor does not match the requirement of operator. Expecting <..., complex=2>, but got {array.shape}."
        )


def to_complex(array):
    """(..., 2) as an array of complex numbers."""
    return array[..., 0] + 1j * array[..., 1]


def to_pairs(array, dtype):
    """Complex numbers as (..., 2)."""
    return np.stack([array.real, array.imag], -1).astype(dtype)


def check_rate(sample_rate):
    """A sample rate: an int that isn't 0."""
    _checks.of_type(sample_rate, (int,), "sample_rate")
    if not sample_rate or abs(sample_rate) > 2**31:
        raise ValueError(f"Input sample_rate is not within the required interval of [-2147483648, 0) and (0, 2147483647], got {sample_rate}.")


def check_finite(value, name):
    """A number within single precision's integers."""
    _checks.number(value, -_checks.FLOAT_MAX, _checks.FLOAT_MAX, name)


def check_quality(value):
    """A quality factor: above 0 up to 1."""
    _checks.number(value, 0, 1, "Q", left_open=True)
