"""`export` and `load`: a network as a program that runs without its Python.

The file is a sealed file with the StableHLO program, the Parameters by their names, and the types of the inputs. MindSpore's own formats are for its own
runtime and are not written.
"""

import os

import numpy as np

from sporax._core.exported import Program, export_function
from sporax._core.parameter import Parameter
from sporax._core.tensor import Tensor, make_value, wrap
from sporax._names import log
from sporax.nn import Cell
from sporax.train.serialization import _sealed, _tree
from sporax.train.serialization._load import nearby
from sporax.train.serialization._wire import Damaged

FORMAT = "sporax-stablehlo-1"
SUFFIX = ".stablehlo"
_PROGRAM = "program.stablehlo"
_GENUINE = {
    "MINDIR": "holds graphs of MindSpore's compiler, which only MindSpore executes",
    "AIR": "holds graphs for Ascend devices, which only MindSpore makes",
    "ONNX": "has other operators than XLA's, and no maintained converter covers them",
}


def export(net, *inputs, file_name, file_format, **kwargs):
    """Write a network as a program (StableHLO, with `jax.export`), which `load` runs without the network's Python, on CPU, GPU and TPU.

    Args:
        net: a Cell in inference mode, or a function.
        *inputs: Tensors (or tuples, lists and dicts of them) of the shapes and dtypes that it will be called with; other values are part of the program.
        file_name: path; `.stablehlo` is added where it doesn't end so.
        file_format: "STABLEHLO". MindSpore's "MINDIR", "AIR" and "ONNX" are not written.
        **kwargs: nothing: MindSpore's `enc_key`, `enc_mode`, `dataset`, `incremental` and `custom_func` are of its own formats.

    Raises:
        ValueError: another format, an option of one, or a network that changes its state when it is called.
        TypeError: `net` can't be called, or `file_name` is not a str.

    Examples:
        >>> import os, tempfile
        >>> path = os.path.join(tempfile.mkdtemp(), "net.stablehlo")
        >>> net = nn.Dense(2, 1, weight_init="ones", bias_init="zeros")
        >>> ms.export(net, Tensor([[0.0, 0.0]]), file_name=path, file_format="STABLEHLO")
        >>> print(ms.load(path)(Tensor([[2.0, 3.0]])))
        [[5.]]
    """
    if file_format != "STABLEHLO":
        if file_format in _GENUINE:
            raise ValueError(
                f"For 'export', {file_format} {_GENUINE[file_format]}. Use file_format='STABLEHLO' for a program that ms.load runs, "
                "or ms.save_checkpoint for parameters that MindSpore loads."
            )
        raise ValueError(f"For 'export', 'file_format' must be 'STABLEHLO', but got {file_format!r}.")
    if kwargs:
        raise ValueError(f"For 'export', {', '.join(map(repr, kwargs))} belongs to formats of MindSpore that are not written here.")
    if not callable(net):
        raise TypeError(f"For 'export', 'net' should be a Cell or a function, but got {type(net)}.")
    if not isinstance(file_name, str) or not file_name:
        raise TypeError(f"For 'export', 'file_name' should be a str, but got {file_name!r}.")
    path = os.path.realpath(file_name if file_name.endswith(SUFFIX) else file_name + SUFFIX)
    name = type(net).__name__ if isinstance(net, Cell) else getattr(net, "__name__", "function")
    places, tensors = _flat(inputs)
    data, outside, result = export_function(name, lambda *given: net(*_filled(places, given)), tensors)
    arrays: dict = {_PROGRAM: _bytes(data)}
    names = []
    for i, t in enumerate(outside):
        label = f"parameter.{t.name}" if isinstance(t, Parameter) else f"constant.{i}"
        label = label if label not in arrays else f"{label}#{i}"
        names.append(label)
        arrays[label] = _tree.snapshot(t)
    notes = {
        "name": name,
        "outside": names,
        "result": _tree.encode(result, {}, "the result"),
        "inputs": [[str(t.dtype), list(t.shape)] for t in tensors],
    }
    os.makedirs(os.path.dirname(path), exist_ok=True)
    _sealed.write(path, arrays, FORMAT, notes)
    log.info("Exported %s to %s.", name, path)


def _bytes(data):
    array = np.frombuffer(data, np.uint8)
    return array.shape, array.dtype, lambda: array


def _flat(inputs):
    """The inputs with numbers in place of the tensors, and the tensors."""
    tensors: list = []

    def walk(value):
        if isinstance(value, Tensor):
            tensors.append(value)
            return _Place(len(tensors) - 1)
        if type(value) in (tuple, list):
            return type(value)(walk(v) for v in value)
        return {k: walk(v) for k, v in value.items()} if type(value) is dict else value

    return [walk(v) for v in inputs], tensors


class _Place(int):
    """Where a tensor stands."""


def _filled(places, tensors):
    def walk(value):
        if isinstance(value, _Place):
            return tensors[value]
        if type(value) in (tuple, list):
            return type(value)(walk(v) for v in value)
        return {k: walk(v) for k, v in value.items()} if type(value) is dict else value

    return [walk(v) for v in places]


class ExportedNet(Cell):
    """A network from a file. Its Parameters can be read and loaded like any other's; it has no gradient."""

    def __init__(self, path):
        super().__init__(auto_prefix=False)
        file = _sealed.SealedFile(path, FORMAT)
        arrays = file.arrays()
        outside, self._result, self._inputs_types, self._source_name = (file.note(k) for k in ("outside", "result", "inputs", "name"))
        if _PROGRAM not in arrays or not isinstance(outside, list) or not all(isinstance(n, str) and n in arrays for n in outside):
            raise Damaged("it has no program, or not all of its parameters")
        if not isinstance(self._inputs_types, list) or not isinstance(self._source_name, str):
            raise Damaged("it doesn't say what it takes")
        try:
            self._program = Program(arrays.pop(_PROGRAM).tobytes())
        except ValueError as error:
            raise Damaged(str(error)) from None
        types = [(arrays[n].shape, arrays[n].dtype) for n in outside]
        if types != self._program.types[: len(types)] or len(self._program.types) != len(types) + len(self._inputs_types):
            raise Damaged("its parameters are not those of its program")
        tensors = []
        for i, label in enumerate(outside):
            kind, _, name = label.partition(".")
            tensor = wrap(make_value(arrays[label]))
            if kind == "parameter" and name:
                tensor = Parameter(tensor, name=name)
                self.insert_param_to_cell(f"parameter{i}", tensor)
            tensors.append(tensor)
        self._outside = tuple(tensors)

    def construct(self, *inputs):
        """Run the program.

        Args:
            *inputs: the tensors it was exported with, in order.
        """
        _, tensors = _flat(inputs)
        given = [[str(t.dtype), list(t.shape)] for t in tensors]
        if given != self._inputs_types:
            raise ValueError(f"The program of {self._source_name} takes {_shown(self._inputs_types)}, but got {_shown(given)}.")
        out = self._program.run([*self._outside, *tensors])
        return _results(_tree.decode(self._result, {}), out)


def _shown(types):
    return "(" + ", ".join(f"{dtype}{shape}" for dtype, shape in types) + ")"


def _results(places, tensors):
    if isinstance(places, int):
        return tensors[places]
    if isinstance(places, tuple | list):
        return type(places)(_results(p, tensors) for p in places)
    return {k: _results(p, tensors) for k, p in places.items()} if isinstance(places, dict) else places


def load(file_name, **kwargs):
    """Load a network that `export` wrote. The program is executed when it is called: load only files that you trust.

    Args:
        file_name: path that ends in `.stablehlo`.
        **kwargs: nothing: MindSpore's `dec_key` and `dec_mode` are of MindIR files, which can't be loaded here.

    Returns:
        A Cell that takes the inputs that it was exported with.

    Raises:
        ValueError: there is no such file, it is of another format or damaged.

    Examples:
        See `export`.
    """
    if not isinstance(file_name, str):
        raise ValueError(f"For 'load', the argument 'file_name' must be a str, but got {type(file_name)}.")
    if file_name.endswith(".mindir"):
        raise ValueError(
            f"For 'load', {file_name} is a MindIR file, which only MindSpore executes: build the network from its Python class and load a checkpoint, "
            "or export it here with file_format='STABLEHLO'."
        )
    if kwargs:
        raise ValueError(f"For 'load', {', '.join(map(repr, kwargs))} belongs to MindIR files, which can't be loaded here.")
    path = os.path.realpath(file_name)
    if not os.path.exists(path):
        raise ValueError(f"For 'load', the file {path} does not exist.{nearby(path)}")
    try:
        return ExportedNet(path)
    except Damaged as error:
        raise ValueError(f"For 'load', {path} can't be loaded: {error}.") from None
