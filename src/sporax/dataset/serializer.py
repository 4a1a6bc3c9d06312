"""Pipelines as JSON: `serialize`, `deserialize`, `show`, `compare`.

An operation is written down as its class, its arguments and its children. Functions of a program have no text that could be read back, so a pipeline with one can't be
written down; transforms of `vision`, `transforms`, `text` and `audio` can, as their class and arguments.
"""

import enum
import importlib
import inspect
import json

import numpy as np

from sporax.dataset._base import Dataset

_FAMILIES = ("transforms", "vision", "text", "audio")


def serialize(dataset, json_filepath=""):
    """A pipeline as a dict of plain values.

    Args:
        dataset (Dataset): the pipeline.
        json_filepath (str): where to write it too, as JSON. Default: ``""``, nowhere.

    Raises:
        TypeError: an argument, such as a function, can't be written down.

    Examples:
        >>> import sporax.dataset as ds
        >>> data = ds.NumpySlicesDataset([1, 2, 3], ["x"], shuffle=False).batch(2)
        >>> made = ds.serialize(data)
        >>> [row[0].tolist() for row in ds.deserialize(made).create_tuple_iterator(num_epochs=1, output_numpy=True)]
        [[1, 2], [3]]
    """
    if not isinstance(dataset, Dataset):
        raise TypeError(f"Argument dataset should be a Dataset, but got {dataset!r} of type {type(dataset).__name__}.")
    made = _write(dataset)
    if json_filepath:
        with open(json_filepath, "w", encoding="utf-8") as f:
            json.dump(made, f, indent=1)
    return made


def deserialize(input_dict=None, json_filepath=None):
    """The pipeline that `serialize` made a dict or a file of.

    Raises:
        ValueError: neither or both are given, or it isn't such a dict.
    """
    if (input_dict is None) == (json_filepath is None):
        raise ValueError("Give one of input_dict and json_filepath.")
    if json_filepath is not None:
        with open(json_filepath, encoding="utf-8") as f:
            input_dict = json.load(f)
    return _read(input_dict)


def show(dataset, indentation=2):
    """Print a pipeline as JSON."""
    print(json.dumps(serialize(dataset), indent=indentation))


def compare(pipeline1, pipeline2):
    """Whether two pipelines have the same operations with the same arguments."""
    return serialize(pipeline1) == serialize(pipeline2)


def _arguments(given):
    init, args, kwargs = given
    bound = inspect.signature(init).bind(None, *args, **kwargs)
    values = dict(list(bound.arguments.items())[1:])
    values.update(values.pop("kwargs", {}))
    return values


def _write(node):
    given = {
        k: v
        for k, v in _arguments(node._given).items()
        if not isinstance(v, Dataset) and not (isinstance(v, list | tuple) and v and isinstance(v[0], Dataset))
    }
    return {
        "op_type": type(node).__name__,
        "arguments": {k: _plain(v, f"{type(node).__name__}({k}=...)") for k, v in given.items()},
        "children": [_write(c) for c in node.children],
    }


def _plain(value, where):
    if value is None or (isinstance(value, bool | int | float | str) and not isinstance(value, enum.Enum)):
        return value
    if isinstance(value, list):
        return [_plain(v, where) for v in value]
    if isinstance(value, tuple):
        return {"tuple": [_plain(v, where) for v in value]}
    if isinstance(value, dict):
        return {"dict": [[_plain(k, where), _plain(v, where)] for k, v in value.items()]}
    if isinstance(value, np.ndarray):
        return {"array": value.tolist(), "dtype": value.dtype.str}
    if isinstance(value, np.generic):
        return _plain(value.item(), where)
    path = _path(type(value))
    if isinstance(value, enum.Enum) and path:
        return {"enum": path, "name": value.name}
    if hasattr(value, "np_dtype"):
        return {"dtype": value.name}
    if path and hasattr(value, "_arguments"):
        args, kwargs = value._arguments
        return {"object": path, "arguments": {k: _plain(v, where) for k, v in _arguments((type(value).__init__, args, kwargs)).items()}}
    if path and path.startswith("samplers."):
        names = list(inspect.signature(type(value)).parameters)
        return {"object": path, "arguments": {n: _plain(getattr(value, n), where) for n in names}}
    raise TypeError(
        f"{where} is {value!r} of type {type(value).__name__}, which can't be written down: only plain values, samplers and transforms of mindspore.dataset can."
    )


def _path(cls):
    """Where a class of this package is found: `vision.Resize`; None for others."""
    parts = cls.__module__.split(".")
    if parts[:2] != ["sporax", "dataset"] or len(parts) < 3:
        return None
    return f"{parts[2]}.{cls.__name__}" if parts[2] in (*_FAMILIES, "samplers") else None


def _class(path):
    module, _, name = path.partition(".")
    if module not in (*_FAMILIES, "samplers") or not name.isidentifier() or name.startswith("_"):
        raise ValueError(f"{path!r} is not a class of mindspore.dataset.")
    return getattr(importlib.import_module(f"sporax.dataset.{module}"), name)


def _value(plain):
    if isinstance(plain, list):
        return [_value(v) for v in plain]
    if not isinstance(plain, dict):
        return plain
    if "tuple" in plain:
        return tuple(_value(v) for v in plain["tuple"])
    if "dict" in plain:
        return {_value(k): _value(v) for k, v in plain["dict"]}
    if "array" in plain:
        return np.array(plain["array"], plain["dtype"])
    if "enum" in plain:
        return _class(plain["enum"])[plain["name"]]
    if "object" in plain:
        return _class(plain["object"])(**{k: _value(v) for k, v in plain["arguments"].items()})
    if "dtype" in plain:
        from sporax._core import dtype

        return dtype.as_dtype(plain["dtype"])
    raise ValueError(f"Expected a value of a serialized pipeline, but got {plain!r}.")


def _read(made):
    import sporax.dataset as ds

    if not isinstance(made, dict) or not {"op_type", "arguments", "children"} <= made.keys():
        raise ValueError(f"Expected what serialize() gave, a dict with op_type, arguments and children, but got {made!r:.200}.")
    cls = getattr(ds, str(made["op_type"]), None)
    if not (isinstance(cls, type) and issubclass(cls, Dataset)):
        raise ValueError(f"{made['op_type']!r} is not an operation of mindspore.dataset.")
    children, arguments = [_read(c) for c in made["children"]], {k: _value(v) for k, v in made["arguments"].items()}
    if cls is ds.ZipDataset:
        return cls(tuple(children))
    if cls is ds.ConcatDataset:
        return cls(children)
    return cls(*children, **arguments)
