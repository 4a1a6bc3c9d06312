"""Dtypes: conversions, and what a tensor says about itself."""

from sporax._core import dtype as mstype
from sporax._core.dispatch import apply
from sporax._core.dtype import to_jax_dtype
from sporax._core.tensor import Tensor
from sporax._kernels import array as A
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


@method("astype")
def _astype(self, dtype, copy=True):
    """The tensor in another dtype (Python's `float` is float64 here); the tensor itself where that is its dtype and not `copy`."""
    if dtype is float:
        dtype = "float64"
    out = cast(self, dtype)
    return Tensor(self) if out is self and copy else out


@method("type")
def _type(self, dtype=None):
    """The tensor in another dtype; without one, the name of its dtype."""
    return str(self.dtype) if dtype is None else cast(self, dtype)


_DEVICES = ("CPU", "GPU", "NPU", "Ascend", "TPU", "CUDA")


@method("to")
def _to(self, *args, **kwargs):
    """`x.to(dtype)`, `x.to(other)` (its dtype), `x.to(device)` or `x.to(device, dtype)`; `non_blocking` changes nothing, `copy` asks for a copy.

    Raises:
        ValueError: the device is not the current one.
        TypeError: other arguments.
    """
    flags = {k: kwargs.pop(k) for k in ("non_blocking", "copy") if k in kwargs}
    device, dtype, args = kwargs.pop("device", None), kwargs.pop("dtype", None), list(args)
    if args and isinstance(args[0], str) and args[0].split(":")[0].upper() in [d.upper() for d in _DEVICES]:
        device = args.pop(0)
    if args and not isinstance(args[0], bool):
        dtype = args.pop(0)
    flags.update(zip(("non_blocking", "copy"), args))
    if kwargs or len(args) > 2 or not all(isinstance(v, bool) for v in flags.values()):
        raise TypeError(f"For 'Tensor.to', a dtype, Tensor or device is needed, then bools 'non_blocking' and 'copy', but got {args} and {kwargs}.")
    # programs for Ascend run on what is there
    if device is not None and device.split(":")[0].upper() not in (self.device.upper(), "ASCEND", "NPU"):
        raise ValueError(f"For 'Tensor.to', the tensor is on {self.device!r}, and single tensors cannot be moved to {device!r}.")
    out = self if dtype is None else cast(self, dtype.dtype if isinstance(dtype, Tensor) else dtype)
    return Tensor(self) if out is self and flags.get("copy") else out


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


@op(primitive=(prim("Shape"), prim("TensorShape", call=lambda self, x: Tensor(list(x.shape), mstype.int64))))
def shape(input_x):
    """The shape, a tuple of ints."""
    return input_x.shape


@op(primitive=prim("DType"))
def dtype(x):
    """The dtype."""
    return x.dtype


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


@op()
def tuple_len(x):
    """The number of elements of a tuple."""
    return len(x)


@op()
def make_range(*args):
    """The numbers of `range(*args)`, a tuple."""
    return tuple(range(*args))


@op(primitive=prim("InvertPermutation"))
def invert_permutation(input_x):
    """The tuple y with y[x[i]] = i for a tuple x that holds each of 0 to n - 1 once.

    Examples:
        >>> ops.invert_permutation((2, 0, 1))
        (1, 2, 0)
    """
    if sorted(input_x) != list(range(len(input_x))):
        raise ValueError(f"For 'InvertPermutation', each of 0 to {len(input_x) - 1} is needed once, but got {input_x}.")
    out = [0] * len(input_x)
    for i, place in enumerate(input_x):
        out[place] = i
    return tuple(out)


@op(primitive=prim("UnravelIndex"))
def unravel_index(indices, dims):
    """Coordinates (in columns) of numbers of elements in an array whose sizes are the elements of the tensor `dims`, which is looked at."""
    return apply(A.unravel_index, (indices,), shape=tuple(dims.tolist()))
