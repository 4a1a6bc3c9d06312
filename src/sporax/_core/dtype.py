"""MindSpore's dtype objects and their bridge to NumPy's.

A dtype is one immortal object per type, so identity, equality and hashing agree. `str` gives the name used inside a Tensor's
print (`Float32`), `repr` the name a program writes (`mindspore.float32`).
"""

import ml_dtypes
import numpy as np


class Type:
    """Base of everything that describes the kind of a value."""

    _registry: dict = {}

    def __init__(self, name, text, np_dtype=None):
        self.name, self._text = name, text
        self.np_dtype = None if np_dtype is None else np.dtype(np_dtype)
        Type._registry[name] = self

    def __repr__(self):
        return f"mindspore.{self.name}"

    def __str__(self):
        return self._text

    def __reduce__(self):
        return _lookup, (self.name,)

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    @property
    def itemsize(self):
        """Bytes of one element."""
        return self.np_dtype.itemsize

    @property
    def is_floating_point(self):
        """Whether this is a real floating type."""
        return isinstance(self, Float | BFloat)

    @property
    def is_complex(self):
        """Whether this is a complex type."""
        return isinstance(self, Complex)

    @property
    def is_signed(self):
        """Whether this type has negative values."""
        return isinstance(self, Int | Float | BFloat | Complex)


class Number(Type):
    """Any numeric type."""


class Bool(Number):
    """Truth values."""


class Int(Number):
    """Signed integers."""


class UInt(Number):
    """Unsigned integers."""


class Float(Number):
    """IEEE and 8-bit floating types."""


class BFloat(Number):
    """bfloat16: float32's range with 8 bits of precision."""


class Complex(Number):
    """Complex numbers."""


class TensorType(Type):
    """The type of a Tensor."""


class String(Type):
    """The type of text."""


class List(Type):
    """The type of a list."""


class Tuple(Type):
    """The type of a tuple."""


class TypeNone(Type):
    """The type of None."""


def _lookup(name):
    return Type._registry[name]


bool_ = Bool("bool", "Bool", np.bool_)
int8 = Int("int8", "Int8", np.int8)
int16 = Int("int16", "Int16", np.int16)
int32 = Int("int32", "Int32", np.int32)
int64 = Int("int64", "Int64", np.int64)
uint8 = UInt("uint8", "UInt8", np.uint8)
uint16 = UInt("uint16", "UInt16", np.uint16)
uint32 = UInt("uint32", "UInt32", np.uint32)
uint64 = UInt("uint64", "UInt64", np.uint64)
float16 = Float("float16", "Float16", np.float16)
float32 = Float("float32", "Float32", np.float32)
float64 = Float("float64", "Float64", np.float64)
bfloat16 = BFloat("bfloat16", "BFloat16", ml_dtypes.bfloat16)
float8_e4m3fn = Float("float8_e4m3fn", "Float8E4M3FN", ml_dtypes.float8_e4m3fn)
float8_e5m2 = Float("float8_e5m2", "Float8E5M2", ml_dtypes.float8_e5m2)
complex64 = Complex("complex64", "Complex64", np.complex64)
complex128 = Complex("complex128", "Complex128", np.complex128)
qint4x2 = Int("int4", "Int4")
hifloat8 = Float("hifloat8", "HiFloat8")
int_ = Int("int", "Int")
uint = UInt("uint", "UInt")
float_ = Float("float", "Float")
number = Number("number", "Number")
tensor_type = TensorType("tensor", "Tensor")
string = String("string_", "String")
type_none = TypeNone("type_none", "None")
_null = type_none
list_ = List("list_", "List")
tuple_ = Tuple("tuple_", "Tuple")

byte, short, intc, long, intp = int8, int16, int32, int64, int64
ubyte, ushort, uintc, uintp = uint8, uint16, uint32, uint64
half, single, double = float16, float32, float64
cfloat, cdouble = complex64, complex128

number_type = (int8, int16, int32, int64, uint8, uint16, uint32, uint64, float16, float32, float64, bfloat16, complex64, complex128)
int_type = (int8, int16, int32, int64)
uint_type = (uint8, uint16, uint32, uint64)
float_type = (float16, float32, float64, bfloat16)
complex_type = (complex64, complex128)
all_types = (bool_, *number_type)

_FROM_NP = {t.np_dtype: t for t in (*all_types, float8_e4m3fn, float8_e5m2)}
_FROM_PY = {bool: bool_, int: int64, float: float32, complex: complex128, str: string, list: list_, tuple: tuple_, type(None): type_none}
_BY_NAME = {t.name: t for t in _FROM_NP.values()} | {
    "bool_": bool_,
    "int": int32,
    "int_": int64,
    "float": float32,
    "half": float16,
    "double": float64,
    "long": int64,
    "short": int16,
}


class QuantDtype:
    """Names of the low-precision integer types of quantization (labels only, no arithmetic)."""

    INT1, INT2, INT3, INT4, INT5, INT6, INT7, INT8 = range(8)
    UINT1, UINT2, UINT3, UINT4, UINT5, UINT6, UINT7, UINT8 = range(100, 108)


def from_jax_dtype(dtype):
    """The MindSpore dtype of a NumPy or JAX dtype."""
    found = _FROM_NP.get(dtype)
    if found is None:
        try:
            found = _FROM_NP[np.dtype(dtype)]
        except (KeyError, TypeError):
            raise TypeError(f"There is no Tensor of dtype {dtype}. Supported: {', '.join(map(str, _FROM_NP.values()))}.") from None
    return found


def to_jax_dtype(dtype):
    """The NumPy dtype of whatever a program may say for a dtype: a MindSpore dtype, a NumPy one, a Python type or a name."""
    if isinstance(dtype, Type):
        if dtype.np_dtype is not None:
            return dtype.np_dtype
        standard = {int_: np.dtype(np.int64), float_: np.dtype(np.float32), uint: np.dtype(np.uint64)}.get(dtype)
        if standard is None:
            raise TypeError(f"No Tensor can have dtype {dtype!r}; use one of {', '.join(map(repr, all_types))}.")
        return standard
    if dtype is None:
        return None
    if isinstance(dtype, str) and dtype in _BY_NAME:
        return _BY_NAME[dtype].np_dtype
    if isinstance(dtype, type) and dtype in _FROM_PY:
        return to_jax_dtype(_FROM_PY[dtype])
    try:
        return from_jax_dtype(np.dtype(dtype)).np_dtype
    except TypeError:
        raise TypeError(f"'dtype' should be a MindSpore dtype such as mindspore.float32, but got {dtype!r} of type {type(dtype).__name__}.") from None


def as_dtype(dtype):
    """The MindSpore dtype of whatever a program may say for one (see `to_jax_dtype`)."""
    return dtype if isinstance(dtype, Type) else from_jax_dtype(to_jax_dtype(dtype))


def dtype_to_nptype(type_):
    """The NumPy scalar type of a MindSpore dtype.

    Examples:
        >>> ms.dtype_to_nptype(ms.int8)
        <class 'numpy.int8'>
    """
    return to_jax_dtype(type_).type


def dtype_to_pytype(type_):
    """The Python type that holds one element of a MindSpore dtype.

    Examples:
        >>> ms.dtype_to_pytype(ms.bool_)
        <class 'bool'>
    """
    if isinstance(type_, Bool):
        return bool
    if isinstance(type_, Int | UInt):
        return int
    if isinstance(type_, Float | BFloat):
        return float
    if isinstance(type_, Complex):
        return complex
    for python, own in _FROM_PY.items():
        if own is type_:
            return python
    raise NotImplementedError(f"No Python type corresponds to {type_!r}.")


def pytype_to_dtype(obj):
    """The MindSpore dtype of a Python type or NumPy dtype.

    Raises:
        NotImplementedError: `obj` has no MindSpore dtype.

    Examples:
        >>> ms.pytype_to_dtype(bool)
        mindspore.bool
    """
    if isinstance(obj, Type):
        return obj
    if isinstance(obj, type) and obj in _FROM_PY:
        return {int: int64, float: float64}.get(obj, _FROM_PY[obj])
    try:
        return from_jax_dtype(obj)
    except TypeError:
        raise NotImplementedError(f"Unsupported convert python type {obj} to MindSpore type.") from None


def get_py_obj_dtype(obj):
    """The MindSpore dtype that describes a Python object.

    Examples:
        >>> ms.get_py_obj_dtype(1)
        mindspore.int64
    """
    if hasattr(obj, "asnumpy"):
        return tensor_type
    return obj if isinstance(obj, Type) else pytype_to_dtype(obj if isinstance(obj, type) else type(obj))


__all__ = [
    "QuantDtype", "Type", "TensorType", "bfloat16", "bool_", "byte", "cdouble", "cfloat", "complex128", "complex64", "double", "dtype_to_nptype",
    "dtype_to_pytype", "float16", "float32", "float64", "float8_e4m3fn", "float8_e5m2", "float_", "get_py_obj_dtype", "half", "hifloat8",
    "int16", "int32", "int64", "int8", "int_", "intc", "intp", "list_", "long", "number", "pytype_to_dtype", "qint4x2", "short", "single", "string",
    "tensor_type", "tuple_", "type_none", "ubyte", "uint", "uint16", "uint32", "uint64", "uint8", "uintc", "uintp", "ushort",
]  # fmt: skip
