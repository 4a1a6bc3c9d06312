"""What columns a file has: names, types and shapes."""

import json

import numpy as np

from sporax.dataset import _checks

_TYPES = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 string".split()


class Schema:
    """Columns with their types and shapes.

    Args:
        schema_file (str, optional): a JSON file as `to_json` writes it. Default: ``None``, no columns yet.

    Examples:
        >>> import sporax.dataset as ds
        >>> schema = ds.Schema()
        >>> schema.add_column("image", ms.uint8, [28, 28])
        >>> schema.names()
        ['image']
    """

    def __init__(self, schema_file=None):
        self.num_rows, self.dataset_type, self.columns = None, "", []
        if schema_file is not None:
            if not isinstance(schema_file, str) and not hasattr(schema_file, "__fspath__"):
                raise TypeError(f"Argument schema_file should be a path, but got {schema_file!r} of type {type(schema_file).__name__}.")
            try:
                with open(schema_file, encoding="utf-8") as f:
                    self.from_json(json.load(f))
            except OSError as error:
                raise RuntimeError(f"Cannot open schema file {schema_file}: {error.strerror}.") from error
            except json.JSONDecodeError as error:
                raise RuntimeError(f"Schema file {schema_file} is not JSON: {error}.") from error

    def add_column(self, name, de_type, shape=None):
        """Add a column.

        Args:
            name (str): its name.
            de_type (Union[str, mindspore.dtype]): its type; "string" for text.
            shape (list[int], optional): its shape, -1 for sizes that vary. Default: ``None``, any.

        Raises:
            ValueError: the type is unknown.
        """
        _checks.names("name", name)
        kind = de_type if isinstance(de_type, str) else {"string_": "string", "bool_": "bool"}.get(n := getattr(de_type, "name", str(de_type)), n)
        if kind not in _TYPES:
            raise ValueError(f"Unknown column type {de_type!r}: expected one of {_TYPES}.")
        if shape is not None and (not isinstance(shape, list | tuple) or not all(isinstance(s, int) for s in shape)):
            raise TypeError(f"Argument shape should be a list of int, but got {shape!r}.")
        column = {"name": name, "type": kind, "rank": 1 if shape is None else len(shape)}
        if shape is not None:
            column["shape"] = list(shape)
        self.columns.append(column)

    def parse_columns(self, columns):
        """Add columns from a list of dicts with "name", "type" and "shape", or a dict {name: {"type": ..., "shape": ...}}.

        Raises:
            RuntimeError: one has no name or type.
        """
        given = [{"name": k, **v} for k, v in columns.items()] if isinstance(columns, dict) else columns
        if not isinstance(given, list | tuple):
            raise TypeError(f"columns must be dict or list, but got {type(columns).__name__}.")
        for column in given:
            missing = [k for k in ("name", "type") if k not in column]
            if missing:
                raise RuntimeError(f"Column {column!r} has no {' and no '.join(missing)}.")
            self.add_column(column["name"], column["type"], column.get("shape"))

    def to_json(self):
        """The schema as JSON text."""
        made: dict = {"columns": self.columns}
        if self.dataset_type:
            made["datasetType"] = self.dataset_type
        if self.num_rows:
            made["numRows"] = self.num_rows
        return json.dumps(made, indent=2)

    def from_json(self, json_obj):
        """Take columns, and the number of rows, from a dict as `to_json` gives it as text.

        Raises:
            RuntimeError: there are unknown fields, no columns, or a number of rows that isn't positive.
        """
        if not isinstance(json_obj, dict):
            raise ValueError(f"Expected a dict of a schema, but got {type(json_obj).__name__}.")
        for key, value in json_obj.items():
            if key == "datasetType":
                self.dataset_type = value
            elif key == "numRows":
                self.num_rows = value
            elif key == "columns":
                self.parse_columns(value)
            else:
                raise RuntimeError(f"Unknown field {key!r} in schema: expected datasetType, numRows and columns.")
        if "columns" not in json_obj:
            raise RuntimeError('Invalid data, "columns" field is missing in JSON schema string.')
        if self.num_rows is not None and (not isinstance(self.num_rows, int) or self.num_rows <= 0):
            raise ValueError(f"numRows must be greater than 0, but got {self.num_rows!r}.")

    def get_num_rows(self):
        """The number of rows, or None."""
        return self.num_rows

    def names(self):
        """The names of the columns."""
        if not self.columns:
            raise RuntimeError('Invalid data, "columns" field is missing in JSON schema string.')
        return [c["name"] for c in self.columns]

    def types(self):
        """The NumPy dtypes of the columns; None for text."""
        return [None if c["type"] == "string" else np.dtype(c["type"]) for c in self.columns]

    def __str__(self):
        return self.to_json()
