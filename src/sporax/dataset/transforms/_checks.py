"""Checks of arguments: the same questions everywhere, answered with MindSpore's classes of error (TypeError for a type, ValueError for a value)."""

import typing

import numpy as np

INT32_MAX = 2**31 - 1
FLOAT_MAX = 1 << 24  # up to here float32 holds every integer: MindSpore's bound of many arguments


def of_type(value, types, name):
    """`value` is an instance of `types`; a bool is not taken for a number unless bool is listed."""
    types = types if isinstance(types, tuple) else (types,)
    if not isinstance(value, types) or (isinstance(value, bool) and bool not in types):
        expected = " or ".join(t.__name__ for t in types)
        raise TypeError(f"Argument {name} with value {value!r} is not of type {expected}, but got {type(value)}.")


def is_number(value) -> typing.TypeGuard[float]:
    """Whether something is an int or a float, and no bool."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def within(value, low, high, name, left_open=False, right_open=False):
    """`low` <= `value` <= `high`, each bound strict where it is open; NaN is outside."""
    above = value > low if left_open else value >= low
    below = value < high if right_open else value <= high
    if not (above and below):
        left, right = "([)"[left_open ^ 1], "])"[right_open]
        raise ValueError(f"Input {name} is not within the required interval of {left}{low}, {high}{right}, got {value}.")


def number(value, low, high, name, left_open=False, right_open=False):
    """An int or a float in an interval."""
    of_type(value, (int, float), name)
    within(value, low, high, name, left_open, right_open)


def integer(value, low, high, name, right_open=False):
    """An int in an interval."""
    of_type(value, (int,), name)
    within(value, low, high, name, right_open=right_open)


def positive(value, name):
    """A number greater than 0."""
    if not value > 0:
        raise ValueError(f"Input {name} must be greater than 0, got {value}.")


def sequence(value, types, name, length=None):
    """A list or tuple of elements of `types`, of one of the lengths `length` (an int or a tuple of them)."""
    of_type(value, (list, tuple), name)
    for i, element in enumerate(value):
        of_type(element, types, f"{name}[{i}]")
    if length is not None:
        lengths = length if isinstance(length, tuple) else (length,)
        if len(value) not in lengths:
            raise TypeError(f"{name} should be a list or tuple of length {' or '.join(map(str, lengths))}, got {len(value)}.")


def ordered(value, name):
    """A pair (min, max)."""
    if value[0] > value[1]:
        raise ValueError(f"{name} should be in (min,max) format. Got ({value[0]}, {value[1]}).")


def pair(value, low, high, name):
    """A pair (min, max) of numbers in an interval."""
    sequence(value, (int, float), name, 2)
    ordered(value, name)
    within(value[0], low, high, name)
    within(value[1], low, high, name)


def probability(value, name="prob"):
    """A number from 0 to 1."""
    number(value, 0, 1, name)


def operations(transforms, name="transforms list", types=(list,)):
    """A non-empty list of things that can be called."""
    of_type(transforms, types, name)
    if not transforms:
        raise ValueError(f"{name} can not be empty.")
    for i, op in enumerate(transforms):
        if isinstance(op, type):
            raise ValueError(
                f"op_list[{i}] should be a dataset processing operation instance, but got: {op}. It may be missing parentheses for instantiation."
            )
        if not callable(op):
            raise TypeError(f"Type of transforms[{i}] must be an operation or a callable function, but got {type(op)}.")


def numpy_dtype(value, name):
    """The NumPy type that a MindSpore type, a NumPy type or a name stands for.

    Raises:
        TypeError: `value` stands for no type of the columns of a dataset.
    """
    found = getattr(value, "np_dtype", None)
    if found is None and value is not None:
        try:
            found = np.dtype(value)
        except (TypeError, ValueError):
            found = None
    if found is None or found.kind not in "biufUS":
        raise TypeError(f"Argument {name} with value {value!r} is not of type mindspore type or numpy.dtype, but got {type(value)}.")
    return found
