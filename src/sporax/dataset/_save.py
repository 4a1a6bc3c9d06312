"""`Dataset.save`: the rows of a pipeline as MindRecord files."""

import os

import numpy as np

from sporax.dataset import _checks

_KINDS = {"i": "int64", "u": "int64", "b": "int32", "f": "float64", "S": "bytes", "U": "string"}
_SAME = ("int32", "int64", "float32", "float64")


def _type(name, value):
    """MindRecord's type of a column.

    Raises:
        TypeError: there is none.
    """
    if isinstance(value, dict):
        raise TypeError(f"Column {name!r} is a dict, which MindRecord can't hold: make columns of its values with map.")
    if value.dtype.name in _SAME:
        return value.dtype.name
    if value.dtype == np.uint64:
        raise TypeError(f"Column {name!r} has dtype uint64, which MindRecord can't hold: cast it with transforms.TypeCast.")
    if value.dtype == np.uint8 and value.ndim:
        return "bytes"
    kind = {"int8": "int32", "int16": "int32", "uint8": "int32", "uint16": "int32", "float16": "float32"}.get(value.dtype.name)
    return kind or _KINDS[value.dtype.kind]


def save(dataset, file_name, num_files, file_type):
    """See `Dataset.save`."""
    from sporax.mindrecord import FileWriter

    if not isinstance(file_name, str):
        raise TypeError(f"Argument file_name with value {file_name!r} is not of type [str].")
    _checks.integer("num_files", num_files, 1, 1000)
    if file_type != "mindrecord":
        raise ValueError(f"{file_type!r} should be 'mindrecord'.")
    names, kinds, writer, rows = dataset.get_col_names(), {}, None, []
    for row in dataset.create_tuple_iterator(num_epochs=1, output_numpy=True):
        if writer is None:
            schema = {}
            for name, value in zip(names, row):
                kinds[name] = kind = _type(name, value)
                schema[name] = {"type": kind}
                if value.ndim and kind not in ("bytes", "string"):
                    # only the first size may vary from row to row
                    schema[name]["shape"] = [-1, *value.shape[1:]]
                elif value.ndim and kind == "string":
                    raise TypeError(
                        f"Column {name!r} is an array of text, which MindRecord can't hold: save before it is split, or join it with map."
                    )
            writer = FileWriter(os.fspath(file_name), num_files)
            writer.add_schema(schema, "dataset")
        rows.append({name: _plain(value, kinds[name]) for name, value in zip(names, row)})
        if len(rows) == 256:
            writer.write_raw_data(rows)
            rows = []
    if writer is None:
        raise RuntimeError(f"There is nothing to save: the pipeline has no rows; columns: {names}.")
    if rows:
        writer.write_raw_data(rows)
    writer.commit()


def _plain(value, kind):
    if kind == "bytes":
        return value.tobytes() if value.dtype == np.uint8 else bytes(value.item())
    if not value.ndim:
        return value.item()
    return np.asarray(value, kind)
