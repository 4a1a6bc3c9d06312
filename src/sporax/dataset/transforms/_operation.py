"""What an operation is: something to call with the columns of a sample.

    deterministic   apply(*columns) -> columns
    random          draw(rng, *columns) -> parameters;  apply(*columns, parameters) -> columns

A random operation first draws all it needs from the generator of the sample (`sporax.dataset._random`), and what it then does is a function of
the columns and the parameters. So a pipeline is reproducible whatever runs it, and a test can give the parameters. An operation holds nothing but
its arguments: it may be called from many threads, copied and pickled.

Columns are NumPy arrays. Operations on images also take Pillow images and then give Pillow images (`vision/_operation.py`).
"""

import json
import sys

import numpy as np

from sporax.dataset import _random

C, PY = 0, 1  # the values of MindSpore's `Implementation`: whether an operation takes arrays or Python's images


class TensorOperation:
    """Base of all operations.

    Attributes:
        random (bool): Whether the same input may give different results. A pipeline may compute an operation that isn't random once.
        implementation: MindSpore's note where an operation runs; nothing here depends on it.
    """

    random = False
    implementation: int | None = None
    device_target = "CPU"
    _arguments: tuple = ((), {})

    def __new__(cls, *args, **kwargs):
        self = super().__new__(cls)
        self._arguments = args, kwargs
        return self

    def __call__(self, *columns):
        return self.apply(*self.prepare(columns))

    def prepare(self, columns):
        """The columns as `apply` wants them: arrays."""
        return tuple(column if isinstance(column, np.ndarray) else self.array(column) for column in columns)

    @staticmethod
    def array(value):
        """`value` as an array of numbers or text.

        Raises:
            TypeError: it is something else.
        """
        try:
            found = np.asarray(value)
        except (ValueError, RuntimeError) as error:
            raise TypeError(f"Invalid user input. Got {type(value)}: {value}, cannot be converted into tensor.") from error
        if found.dtype.kind not in "biufcUS":
            raise TypeError(f"Invalid user input. Got {type(value)}: {value}, cannot be converted into tensor.")
        return found

    def apply(self, *columns):
        """What the operation does to the columns."""
        raise RuntimeError(f"{type(self).__name__} defines neither apply nor __call__: an operation has to define one of them.")

    def parse(self):
        """The operation itself. MindSpore makes a C++ object here."""
        return self

    def device(self, device_target="CPU"):
        """Choose the device; this one runs on the CPU.

        Raises:
            ValueError: another device is asked for.
        """
        if device_target != "CPU":
            raise ValueError(f"Input device_target: {type(self).__name__} runs on 'CPU', got {device_target!r}. Leave .device(...) out.")
        return self

    def __repr__(self):
        args, kwargs = self._arguments
        return f"{type(self).__name__}({', '.join([*map(repr, args), *(f'{k}={v!r}' for k, v in kwargs.items())])})"

    def to_json(self):
        """The operation as JSON: its class and the arguments that it was made with."""
        args, kwargs = self._arguments
        params = {"args": [_plain(a) for a in args], "kwargs": {k: _plain(v) for k, v in kwargs.items()}}
        return json.dumps({"tensor_op_name": type(self).__name__, "tensor_op_params": params, "python_module": type(self).__module__})

    @staticmethod
    def from_json(text):
        """The operation that `to_json` wrote. Only operations of this package are made.

        Raises:
            ValueError: the text names something else.
        """
        return _made(json.loads(text))


class RandomOperation(TensorOperation):
    """Base of the operations that draw random numbers."""

    random = True

    def __call__(self, *columns):
        columns = self.prepare(columns)
        return self.apply(*columns, self.draw(_random.generator(), *columns))

    def draw(self, rng, *columns):
        """The parameters for one sample, from the generator `rng`."""
        raise RuntimeError(f"{type(self).__name__} has to define draw(rng, *columns).")


class PyTensorOperation(TensorOperation):
    """Base for operations that users write: `_execute_py(image)` says what the operation does."""

    implementation = PY
    random = True

    def __call__(self, *columns):
        return self._execute_py(*columns)

    def _execute_py(self, *columns):
        return self.apply(*columns)


_PACKAGES = ("sporax.dataset.transforms", "sporax.dataset.vision", "sporax.dataset.text", "sporax.dataset.audio")


def _plain(value):
    """`value` as JSON has it; operations, arrays, types and members of enumerations are marked."""
    if isinstance(value, TensorOperation):
        return {"operation": json.loads(value.to_json())}
    if isinstance(value, np.ndarray):
        return {"array": value.tolist(), "dtype": str(value.dtype)}
    if hasattr(value, "np_dtype"):
        return {"dtype": str(value.np_dtype)}
    if isinstance(value, type) and issubclass(value, np.generic):
        return {"dtype": np.dtype(value).name}
    if isinstance(value, np.dtype):
        return {"dtype": str(value)}
    if type(type(value)).__name__ == "EnumType":
        return {"enum": [type(value).__module__, type(value).__name__, value.name]}
    if isinstance(value, slice):
        return {"slice": [value.start, value.stop, value.step]}
    if value is Ellipsis:
        return {"ellipsis": True}
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, list | tuple):
        return {"tuple" if isinstance(value, tuple) else "list": [_plain(v) for v in value]}
    if isinstance(value, dict):
        return {"dict": {k: _plain(v) for k, v in value.items()}}
    if value is None or isinstance(value, bool | int | float | str):
        return value
    raise TypeError(f"an operation with the argument {value!r} can't be written as JSON: it holds a {type(value).__name__}")


def _named(module, name):
    """A class of this package by its name."""
    if module not in sys.modules or not any(module == p or module.startswith(p + ".") for p in _PACKAGES):
        raise ValueError(f"Invalid json content: {module}.{name} is not an operation of mindspore.dataset")
    found = getattr(sys.modules[module], name, None)
    if not isinstance(found, type):
        raise ValueError(f"Invalid json content: {module} has no class {name}")
    return found


def _made(node):
    cls = _named(node["python_module"], node["tensor_op_name"])
    if not issubclass(cls, TensorOperation):
        raise ValueError(f"Invalid json content: {cls.__name__} is not an operation")
    params = node["tensor_op_params"]
    return cls(*(_value(a) for a in params["args"]), **{k: _value(v) for k, v in params["kwargs"].items()})


def _value(node):
    if not isinstance(node, dict):
        return node
    if "operation" in node:
        return _made(node["operation"])
    if "array" in node:
        return np.array(node["array"], node["dtype"])
    if "dtype" in node:
        return np.dtype(node["dtype"])
    if "enum" in node:
        module, name, member = node["enum"]
        return _named(module, name)[member]
    if "slice" in node:
        return slice(*node["slice"])
    if "ellipsis" in node:
        return Ellipsis
    if "dict" in node:
        return {k: _value(v) for k, v in node["dict"].items()}
    (kind, items), *_ = node.items()
    return (tuple if kind == "tuple" else list)(_value(v) for v in items)
