"""Checks of arguments, with MindSpore's exception classes."""

import numbers
import os

import numpy as np

INT32_MAX = 2**31 - 1


def integer(name, value, low, high=INT32_MAX):
    """`value`, an int in [low, high]."""
    if not isinstance(value, int | np.integer) or isinstance(value, bool):
        raise TypeError(f"Argument {name} with value {value!r} is not of type [int], but got {type(value).__name__}.")
    if not low <= value <= high:
        raise ValueError(f"Input {name} is not within the required interval of [{low}, {high}], but got {value}.")
    return int(value)


def truth(name, value):
    """`value`, a bool."""
    if not isinstance(value, bool):
        raise TypeError(f"Argument {name} with value {value!r} is not of type [bool], but got {type(value).__name__}.")
    return value


def number(name, value):
    """`value`, an int or a float."""
    if not isinstance(value, numbers.Real) or isinstance(value, bool):
        raise TypeError(f"Argument {name} with value {value!r} is not of type [int, float], but got {type(value).__name__}.")
    return value


def function(name, value):
    """`value`, something that can be called."""
    if not callable(value):
        raise TypeError(f"Argument {name} should be callable, but got {value!r} of type {type(value).__name__}.")
    return value


def names(name, value):
    """`value`, one column's name or several, as a list.

    Raises:
        TypeError: it isn't a str or a list of str.
        ValueError: there is none, one is empty, or one comes twice.
    """
    found = [value] if isinstance(value, str) else value
    if not isinstance(found, list | tuple):
        raise TypeError(f"Argument {name} should be a str or a list of str, but got {value!r} of type {type(value).__name__}.")
    for i, each in enumerate(found):
        if not isinstance(each, str):
            raise TypeError(f"Argument {name}[{i}] with value {each!r} is not of type [str], but got {type(each).__name__}.")
        if not each:
            raise ValueError(f"{name}[{i}] should not be an empty string.")
    if not found:
        raise ValueError(f"{name} should not be empty.")
    if len(set(found)) != len(found):
        raise ValueError(f"Every name in {name} should be unique, but got {list(found)}.")
    return list(found)


def choice(name, value, allowed):
    """`value`, one of `allowed`."""
    if not isinstance(value, type(allowed[0])):
        raise TypeError(f"Argument {name} with value {value!r} is not of type [{type(allowed[0]).__name__}], but got {type(value).__name__}.")
    if value not in allowed:
        raise ValueError(f"Input {name} is not within the valid set of {list(allowed)}, but got {value!r}.")
    return value


def workers(value):
    """`num_parallel_workers`: None or a positive int."""
    return None if value is None else integer("num_parallel_workers", value, 1)


def folder(name, value):
    """`value`, a directory that is there.

    Raises:
        ValueError: it isn't.
    """
    if not isinstance(value, str | os.PathLike):
        raise TypeError(f"Argument {name} with value {value!r} is not of type [str], but got {type(value).__name__}.")
    path = os.fspath(value)
    if not os.path.isdir(path):
        raise ValueError(f"The folder {path} does not exist or is not a directory or permission denied!")
    return path


def file(name, value):
    """`value`, a file that is there.

    Raises:
        ValueError: it isn't.
    """
    if not isinstance(value, str | os.PathLike):
        raise TypeError(f"Argument {name} with value {value!r} is not of type [str], but got {type(value).__name__}.")
    path = os.fspath(value)
    if not os.path.isfile(path):
        raise ValueError(f"The file {path} does not exist or permission denied!")
    return path


def shards(num_shards, shard_id):
    """The pair, both None or both given with 0 <= shard_id < num_shards.

    Raises:
        ValueError: only one is given, or `shard_id` is not less than `num_shards`.
    """
    if num_shards is None and shard_id is None:
        return
    if num_shards is None or shard_id is None:
        raise ValueError(f"num_shards and shard_id need to be passed in together, but got num_shards={num_shards}, shard_id={shard_id}.")
    integer("num_shards", num_shards, 1)
    integer("shard_id", shard_id, 0)
    if shard_id >= num_shards:
        raise ValueError(f"shard_id should be less than num_shards, but got shard_id={shard_id}, num_shards={num_shards}.")


def rowsize(value):
    """`max_rowsize`: None, -1 or a positive int, or a list of two of these. Shared memory grows as rows need it, so it limits nothing."""
    for each in value if isinstance(value, list) else [value]:
        if each is not None and each != -1:
            integer("max_rowsize", each, 1)
    return value
