"""Functions as StableHLO programs in bytes, and such programs as functions.

A program takes what the function read from outside (parameters, constants) and its arguments, and returns the tensors of its result. It is lowered for every
platform, so it runs on another kind of device than it was made on.
"""

import importlib.util

import jax
import jax.export

from sporax._core import tree
from sporax._core.dispatch import apply_closure
from sporax._core.region import Region
from sporax._core.tensor import Tensor, wrap

PLATFORMS = ("cpu", "cuda", "tpu")


def export_function(name, function, arguments):
    """A function of tensors as a program.

    Args:
        name: what messages call it.
        function: takes tensors; returns a tensor, or tuples, lists and dicts of tensors.
        arguments: tensors of the types that it will be called with.

    Returns:
        The program's bytes; what it reads from outside, a list of Tensors and Parameters; its result, with numbers in place of the tensors.

    Raises:
        ValueError: the function changes something outside (it is in training mode, say), or prints.
    """
    _need_flatbuffers()
    region = Region(name, function, arguments)
    if region.writes or region.attributes:
        changed = next((f"'{h.name}'" for h in region.writes if hasattr(h, "name")), "state outside it, such as that of a random generator")
        raise ValueError(f"'{name}' changes {changed} when it is called, and an exported program changes nothing: call net.set_train(False) first.")
    if region.closed.effects:
        raise ValueError(f"'{name}' prints or raises errors on values of tensors, which an exported program cannot.")
    outside = [v if h is None else h for h, v in region.captures]
    types = [jax.ShapeDtypeStruct(v.aval.shape, v.aval.dtype) for _, v in region.captures] + [
        jax.ShapeDtypeStruct(t.shape, t.dtype.np_dtype) for t in arguments
    ]
    pure = jax.jit(lambda *arrays: region.pure(*arrays)[: region.count])
    data = jax.export.export(pure, platforms=PLATFORMS)(*types).serialize()
    result = tree.unflatten(region.spec, iter(range(region.count)))
    return bytes(data), [t if isinstance(t, Tensor) else wrap(t) for t in outside], result


def _need_flatbuffers():
    """jax.export writes with a package that JAX doesn't bring along."""
    if importlib.util.find_spec("flatbuffers") is None:
        raise ImportError('Exported programs need the package `flatbuffers`: pip install "sporax[export]".')


class Program:
    """A program from its bytes.

    Raises:
        ValueError: the bytes are none.
    """

    def __init__(self, data):
        _need_flatbuffers()
        try:
            self.exported = jax.export.deserialize(bytearray(data))
        except Exception as error:
            raise ValueError(f"it is no StableHLO program that this version of JAX reads ({error})") from None
        self.types = [(a.shape, a.dtype) for a in self.exported.in_avals]
        self.count = len(self.exported.out_avals)

    def run(self, tensors):
        """The list of results for these tensors: what it reads from outside, then the arguments."""
        return apply_closure(self._call, tensors)

    def _call(self, *arrays):
        return list(self.exported.call(*arrays))

    def stablehlo(self):
        """The program as text."""
        return self.exported.mlir_module()
