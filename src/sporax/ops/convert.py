"""Dtypes: conversions, and what a tensor says about itself."""

from sporax._core.dispatch import apply
from sporax._core.dtype import to_jax_dtype
from sporax._core.tensor import Tensor
from sporax._kernels import math as M
from sporax.ops._table import method, op, prim


@op(primitive=prim("Cast"))
def cast(input, dtype):
    """The elements in another dtype: floats to integers truncate, complex to real drops the imaginary part.

    Examples:
        >>> print(ops.cast(Tensor([1.7, -1.7]), ms.int32))
        [ 1 -1]
    """
    np_dtype = to_jax_dtype(dtype)
    if not isinstance(input, Tensor):
        input = Tensor(input)
    if input._value.aval.dtype == np_dtype:
        return input
    return apply(M.cast_to, (input,), dtype=np_dtype)


@method("astype", "to", "type")
def _astype(self, dtype, copy=True):
    """The tensor in another dtype; the tensor itself where that is its dtype (or a copy of it with `copy`)."""
    return cast(self, dtype)


def _shortcut(name):
    def f(self):
        return cast(
            self,
            {
                "float": "float32",
                "int": "int32",
                "long": "int64",
                "half": "float16",
                "double": "float64",
                "bool": "bool_",
                "byte": "uint8",
                "short": "int16",
            }.get(name, name),
        )

    f.__name__, f.__doc__ = name, f"The elements as {name}."
    return method(name)(f)


for _name in ("float", "int", "long", "half", "double", "bool", "byte", "short", "bfloat16"):
    _shortcut(_name)


@method("type_as")
def _type_as(self, other):
    """The elements in the dtype of `other`."""
    return cast(self, other.dtype)


@op(primitive=prim("Shape"))
def shape(input_x):
    """The shape, a tuple of ints."""
    return input_x.shape


@op(primitive=prim("DType"))
def dtype(input_x):
    """The dtype."""
    return input_x.dtype


@op(primitive=prim("Rank"))
def rank(input_x):
    """The number of axes, an int."""
    return input_x.ndim


@op(primitive=prim("Size"))
def size(input_x):
    """The number of elements, an int."""
    return input_x.size


@op(mint=True)
def numel(input):
    """The number of elements, an int."""
    return input.size
