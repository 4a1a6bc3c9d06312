"""The tensor handle: a slot that points at a value.

Here is what every tensor is and how it meets Python and NumPy; its operators, indexing and the other methods come from the op table.
"""

import copy

import jax
import numpy as np

from sporax._core import dtype as mstype
from sporax._core.errors import TracedValueError
from sporax._core.prints import placeholder
from sporax._core.state import local
from sporax._core.value import Value, aval_of, value_of_array

_INPUT_KINDS = "Tensor, numpy.ndarray, list, tuple, float, int, bool, complex"
# Attributes that programs written for another framework look for, and where the same thing is here.
_ELSEWHERE = {
    "backward": "there is no backward(): gradients come from a function, `grad_fn = mindspore.value_and_grad(forward, None, net.trainable_params())`",
    "grad": "gradients are returned by `mindspore.grad(fn)(x)` or `mindspore.value_and_grad(...)`, not kept in tensors",
    "requires_grad": "`mindspore.value_and_grad(fn, grad_position, weights)` says what is differentiated; only a Parameter has `requires_grad`",
    "detach": "use `mindspore.ops.stop_gradient(x)`",
    "cpu": "use `x.asnumpy()`",
    "cuda": "use `mindspore.set_device('GPU')`",
    "device_of": "use `x.device`",
}


class Tensor:
    """An n-dimensional array that can be changed in place.

    Args:
        input_data: a Tensor, NumPy array, (nested) list or tuple of numbers, or a number. Copied. Default: None.
        dtype: element type. Default: that of `input_data`; Python ints are int64, floats float32.
        shape: with `init`, the shape of the tensor (int, tuple or list). Default: None.
        init: an `Initializer` that fills a tensor of `shape` and `dtype`. Default: None.
        const_arg: whether a compiled function should treat this argument as a constant. Default: False.
        device: "CPU" or None (the current device).

    Raises:
        TypeError: `input_data` is of another kind, or `dtype` is not a MindSpore dtype.
        ValueError: both `input_data` and `init` are given, or `shape` without `init`.

    Examples:
        >>> Tensor([[1.0, 2.0], [3.0, 4.0]])
        Tensor(shape=[2, 2], dtype=Float32, value=
        [[ 1.00000000e+00,  2.00000000e+00],
         [ 3.00000000e+00,  4.00000000e+00]])
        >>> Tensor(3).dtype
        mindspore.int64
    """

    __slots__ = ("__dict__", "__weakref__", "_value")
    # NumPy arrays defer to our reflected operators instead of looping over elements
    __array_priority__ = 1000

    def __init__(self, input_data=None, dtype=None, shape=None, init=None, const_arg=False, device=None):
        if dtype is not None and not (isinstance(dtype, mstype.Type) and dtype.np_dtype is not None):
            raise TypeError(f"For 'Tensor', 'dtype' should be one of {list(mstype.all_types)}, but got {dtype!r} of type {type(dtype).__name__}.")
        if device not in (None, "CPU", "GPU", "TPU", "Ascend", "remote"):
            raise ValueError(f"For 'Tensor', 'device' should be None or 'CPU', but got {device!r}.")
        if init is not None or (input_data is None and shape is not None):
            if input_data is not None:
                raise ValueError("For 'Tensor', give either 'input_data' or 'init', not both.")
            if shape is None or dtype is None:
                raise ValueError(f"For 'Tensor' with 'init', 'shape' and 'dtype' are needed, but got shape={shape!r}, dtype={dtype!r}.")
            shape = (shape,) if isinstance(shape, int) else tuple(shape)
            array = np.zeros(shape, dtype.np_dtype)
            if init is not None:
                init(array)
            self._value = make_value(array)
        else:
            if shape is not None:
                raise ValueError(f"When initializing a tensor with 'input_data', 'shape' should be None, but got {shape!r}.")
            self._value = value_of(input_data, dtype)
        if const_arg:
            self.const_arg = True

    # What it is -------------------------------------------------------------------------------------------------------

    @property
    def shape(self):
        """Sizes along each axis, a tuple of ints."""
        return self._value.aval.shape

    @property
    def dtype(self):
        """The MindSpore dtype."""
        return self._value.aval.ms_dtype

    @property
    def ndim(self):
        """Number of axes."""
        return self._value.aval.ndim

    @property
    def size(self):
        """Number of elements."""
        return self._value.aval.size

    @property
    def itemsize(self):
        """Bytes of one element."""
        return self._value.aval.dtype.itemsize

    @property
    def nbytes(self):
        """Bytes of all elements."""
        return self.size * self.itemsize

    @property
    def strides(self):
        """Bytes to step along each axis of the row-major array."""
        steps, step = [], self.itemsize
        for d in reversed(self.shape):
            steps.append(step)
            step *= d
        return tuple(reversed(steps))

    @property
    def device(self):
        """The kind of device that holds the data."""
        from sporax._core.context import get_context

        return get_context("device_target")

    @property
    def data(self):
        """A Tensor with the same value."""
        return _alias(self)

    @property
    def has_init(self):
        """Whether the data is still to be made by `init_data`; tensors are filled when they are made, so this is False."""
        return False

    def init_data(self, slice_index=None, shape=None, opt_shard_group=None):
        """The tensor itself: a tensor with `init` is filled when it is made. The arguments of sharded initialization must be None."""
        if slice_index is not None or shape is not None or opt_shard_group is not None:
            raise ValueError("'init_data' takes no 'slice_index', 'shape' or 'opt_shard_group': arrays are sharded by the compiler.")
        return self

    def dim(self):
        """Number of axes."""
        return self.ndim

    ndimension = dim

    def numel(self):
        """Number of elements."""
        return self.size

    nelement = numel

    def stride(self, dim=None):
        """Elements to step along each axis (or `dim`) of the row-major array."""
        steps = [s // self.itemsize for s in self.strides]
        return steps if dim is None else steps[dim]

    def storage_offset(self):
        """Always 0: a tensor has its own memory."""
        return 0

    def is_contiguous(self):
        """Always True: arrays are row-major."""
        return True

    def contiguous(self):
        """The tensor itself."""
        return self

    def is_floating_point(self):
        """Whether the dtype is a real floating type."""
        return self.dtype.is_floating_point

    def is_complex(self):
        """Whether the dtype is complex."""
        return self.dtype.is_complex

    def is_signed(self):
        """Whether the dtype has negative values."""
        return self.dtype.is_signed

    # Looking at the value ---------------------------------------------------------------------------------------------

    def _look(self, what):
        """The concrete array, or the error that says why there is none."""
        value = self._value
        if value.data is None or value.owner is not None:
            if value.owner is not None and hasattr(value.owner, "read"):
                return _value_in_trace(self, value, what)
            return value.array()
        if local.state.scope is not None and local.state.scope.root.sub.get(id(value), value.data) is not value.data:
            return _value_in_trace(self, value, what)
        return value.data

    def asnumpy(self):
        """A NumPy array with a copy of the data, so that later in-place writes do not show in it.

        Raises:
            TypeError: inside a compiled function, where there is no value yet.

        Examples:
            >>> Tensor([1, 2]).asnumpy()
            array([1, 2])
        """
        return np.array(self._look("asnumpy()"))

    numpy = asnumpy

    def item(self):
        """The only element, as a Python number.

        Raises:
            ValueError: there is more or less than one element.
        """
        if self.size != 1:
            raise ValueError(f"The tensor should have only one element, but got {self.size}, more than one element is ambiguous.")
        return np.asarray(self._look("item()")).item()

    def tolist(self):
        """The data as nested Python lists, or a number for a 0-d tensor."""
        return np.asarray(self._look("tolist()")).tolist()

    def __bool__(self):
        if self.size != 1:
            if self.size == 0:
                return False
            raise ValueError(f"The tensor should have only one element, but got {self.size}, more than one element is ambiguous.")
        return bool(np.asarray(self._look("bool()")).reshape(()))

    def _scalar(self, what):
        if self.size != 1:
            raise ValueError(f"Only one element tensors can be converted to Python scalars, but this one has shape {self.shape}.")
        return np.asarray(self._look(what)).reshape(())

    def __int__(self):
        return int(self._scalar("int()"))

    def __float__(self):
        return float(self._scalar("float()"))

    def __complex__(self):
        return complex(self._scalar("complex()"))

    def __index__(self):
        if not isinstance(self.dtype, mstype.Int | mstype.UInt | mstype.Bool):
            raise TypeError(f"Only integer tensors of a single element can be converted to an index, but this one is {self.dtype}.")
        return int(self._scalar("index()"))

    def __len__(self):
        if not self.ndim:
            raise TypeError("Not support len of a 0-D tensor")
        return self.shape[0]

    def __iter__(self):
        if not self.ndim:
            raise TypeError(
                "iteration over a 0-d tensor. (If this is a gradient: grad_position=0 returns one gradient; "
                "pass grad_position=(0, 1) to get a tuple with one for each of two inputs.)"
            )
        return iter([self[i] for i in range(self.shape[0])])

    def __array__(self, dtype=None, copy=None):
        array = self.asnumpy()
        return array if dtype is None else array.astype(dtype)

    def __dlpack__(self, **kwargs):
        return self._look("dlpack").__dlpack__(**kwargs)

    def __dlpack_device__(self):
        return self._look("dlpack").__dlpack_device__()

    def __repr__(self):
        from sporax._core.printing import tensor_repr

        if local.state.scope is not None:
            return placeholder(self, "repr")
        return tensor_repr(self)

    def __str__(self):
        from sporax._core.printing import tensor_str

        if local.state.scope is not None:
            return placeholder(self, "str")
        return tensor_str(self)

    def __format__(self, spec):
        from sporax._core.printing import tensor_format

        if local.state.scope is not None:
            return placeholder(self, "format", spec)
        return tensor_format(self, spec)

    # Copies ----------------------------------------------------------------------------------------------------------

    __hash__ = object.__hash__

    def __copy__(self):
        return _alias(self)

    def __deepcopy__(self, memo):
        new = wrap(_duplicate(self._value))
        new.__dict__.update(copy.deepcopy({k: v for k, v in self.__dict__.items() if k != "_hooks"}, memo))
        memo[id(self)] = new
        return new

    def __reduce__(self):
        return _rebuild, (self.asnumpy().tobytes(), self.dtype, self.shape)

    def value(self):
        """A Tensor with the same value."""
        return _alias(self)

    @staticmethod
    def from_numpy(array):
        """A Tensor with a copy of a NumPy array."""
        if not isinstance(array, np.ndarray):
            raise TypeError(f"The input of 'from_numpy' should be a numpy.ndarray, but got {type(array).__name__}.")
        return Tensor(array)

    # In place ---------------------------------------------------------------------------------------------------------

    def assign_value(self, value):
        """Take the value (and dtype and shape) of another tensor; returns self."""
        from sporax._core import scope

        scope.assign(self, value if isinstance(value, Tensor) else Tensor(value))
        return self

    def register_hook(self, hook):
        """Call `hook(gradient)` when the gradient of this tensor is complete; what it returns, if not None, replaces the gradient.

        Returns:
            A handle whose `remove()` takes the hook away.

        Raises:
            TypeError: `hook` cannot be called.
        """
        from sporax._core.hooks import register

        return register(self, hook)

    def __getattr__(self, name):
        if "_was_parameter" in self.__dict__ and not name.startswith("__"):
            raise TracedValueError(
                f"'{name}' is asked of a Parameter that is chosen by a tensor's value, but this is not known while the function is compiled."
            )
        hint = _ELSEWHERE.get(name)
        kind = type(self).__name__
        raise AttributeError(f"'{kind}' object has no attribute '{name}'" + (f": {hint}." if hint else ""))


_new = object.__new__


def wrap(value):
    """A handle on a value."""
    t = _new(Tensor)
    t._value = value
    return t


def outside_handle(array):
    """A handle on a NumPy array's data, concrete also where a trace is in progress."""
    with jax.ensure_compile_time_eval():
        return wrap(value_of_array(jax.device_put(array)))


def _alias(t):
    """A new handle on the present value."""
    if local.state.scope is None:
        return wrap(t._value)
    # in a trace each handle from outside is an input; this one is not from outside
    from sporax._core.dispatch import apply
    from sporax._core.tape import identity

    return apply(identity, (t,))


def _duplicate(value):
    """A value of its own on the same (immutable) array; the same value where it is not concrete."""
    if value.data is None:
        value.array()
    return Value(value.data, value.aval) if value.owner is None else value


def _rebuild(data, dtype, shape):
    return Tensor(np.frombuffer(bytearray(data), dtype.np_dtype).reshape(shape))


def _value_in_trace(tensor, value, what):
    from sporax._core.record import leak_message

    owner = value.owner
    if owner is not None and not owner.root.open:
        from sporax._core.errors import LeakedTensorError

        raise LeakedTensorError(leak_message(value))
    name = owner.describe() if owner is not None else local.state.scope.describe()
    error = TracedValueError(
        f"{what} needs the value of Tensor[{value.aval.ms_dtype}]{value.aval.shape}, but {name} is being compiled and there is no value yet. "
        "Compute it with tensor operations, return it and look at it outside, or run in PYNATIVE_MODE."
    )
    if local.state.scope is not None:
        local.state.scope.root.failed = error  # a program that catches it would go on with a wrong branch
    raise error


def make_value(array):
    """A value with a private NumPy array's data."""
    scope = local.state.scope
    if scope is not None:
        made = jax.numpy.asarray(array)
        return Value(made, aval_of(made.shape, made.dtype), scope)
    return Value(jax.device_put(array), aval_of(array.shape, array.dtype))


def value_of(data, dtype=None):
    """The value for whatever the Tensor constructor takes."""
    if isinstance(data, Tensor):
        if dtype is None or dtype is data.dtype:
            from sporax._core.dispatch import apply
            from sporax._core.tape import identity

            value = data._value
            return _duplicate(value) if local.state.scope is None and not local.state.tapes else apply(identity, (data,))._value
        return data.astype(dtype)._value
    return make_value(_to_numpy(data, None if dtype is None else dtype.np_dtype))


def _to_numpy(data, np_dtype):
    if isinstance(data, np.ndarray | np.generic):
        array = np.array(data, copy=True, order="C")
    elif isinstance(data, jax.Array):
        array = np.array(data)
    elif isinstance(data, bool | int | float | complex):
        array = np.array(data, mstype.to_jax_dtype(type(data)))
    elif isinstance(data, list | tuple):
        array = _nested(data)
    else:
        raise TypeError(f"For 'Tensor', the type of 'input_data' should be one of {_INPUT_KINDS}, but got type '{type(data).__name__}'.")
    if array.dtype.kind in "OUSM":
        raise TypeError(f"For 'Tensor', 'input_data' should hold numbers only, but its elements are of type {array.dtype}.")
    return array if np_dtype is None or array.dtype == np_dtype else array.astype(np_dtype)


def _nested(data):
    def plain(x):
        if isinstance(x, Tensor):
            return np.asarray(x._look("Tensor()"))
        return [plain(y) for y in x] if isinstance(x, list | tuple) else x

    try:
        array = np.array(plain(data))
    except ValueError:
        raise TypeError(f"For 'Tensor', the input_data is {str(data)[:200]} that contain unsupported element (rows of different length?).") from None
    if array.size == 0:
        return array.astype(np.float32)
    if array.dtype == np.float64 and not _has_numpy_double(data):
        return array.astype(np.float32)
    return array


def _has_numpy_double(data):
    first = data
    while isinstance(first, list | tuple) and first:
        first = first[0]
    dtype = getattr(first, "dtype", None)
    return dtype is not None and dtype in (np.dtype(np.float64), mstype.float64)
