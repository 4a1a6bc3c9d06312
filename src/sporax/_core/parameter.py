"""Parameters: named tensors that training changes."""

import itertools

from sporax._core import dtype as mstype
from sporax._core import scope
from sporax._core.context import bump_epoch
from sporax._core.tensor import Tensor, _duplicate, _new, value_of

_serial = itertools.count(1)
_METADATA = ("name", "_requires_grad", "layerwise_parallel", "parallel_optimizer", "comm_fusion", "cache_enable")


class Parameter(Tensor):
    """A tensor that a network owns and an optimizer updates.

    Args:
        default_input: initial value: a Tensor, an int or float, a NumPy array or a list.
        name: name of the parameter, unique within a network. Default: None, the attribute's name once a Cell owns it.
        requires_grad: whether `trainable_params` lists it. Default: True.
        layerwise_parallel: whether it is left out of gradient aggregation in data-parallel training. Default: False.
        parallel_optimizer: whether an optimizer-parallel run may shard it. Default: True.
        storage_format: layout of the data on Ascend; must be "". Default: "".
        device: "CPU" or None. Default: None.

    Raises:
        TypeError: `requires_grad` is not a bool, or the value is of a kind that no Tensor is made from.
        ValueError: `name` is not a str or longer than 1024 characters, or the value is a bool.

    Examples:
        >>> p = ms.Parameter(Tensor([1.0, 2.0]), name="w")
        >>> p
        Parameter (name=w, shape=(2,), dtype=Float32, requires_grad=True)
        >>> p -= 0.5
        >>> print(p.value())
        [0.5 1.5]
    """

    __slots__ = ()

    def __init__(
        self, default_input, name=None, requires_grad=True, layerwise_parallel=False, parallel_optimizer=True, storage_format="", device=None
    ):
        if isinstance(default_input, bool):
            raise ValueError("Parameter data can not be `bool`")
        for key, flag in (("requires_grad", requires_grad), ("layerwise_parallel", layerwise_parallel), ("parallel_optimizer", parallel_optimizer)):
            if not isinstance(flag, bool):
                raise TypeError(f"For 'Parameter', the argument `{key}` must be bool type, but got {flag!r}.")
        if storage_format not in ("", "ND", "NCHW"):
            raise ValueError(f"For 'Parameter', 'storage_format' should be '', but got {storage_format!r}: the compiler chooses layouts.")
        if type(default_input) is int:
            self._value = value_of(default_input, mstype.int32)
        else:
            self._value = value_of(default_input)
            if device not in (None, "CPU", "GPU", "TPU", "Ascend"):
                raise ValueError(f"For 'Parameter', 'device' should be None or 'CPU', but got {device!r}.")
        self._set_metadata(_check_name(name) if name is not None else f"Parameter#{next(_serial)}", requires_grad)
        self.layerwise_parallel, self.parallel_optimizer = layerwise_parallel, parallel_optimizer
        self._named = name is not None

    def _set_metadata(self, name, requires_grad):
        own = self.__dict__
        own["_name"], own["_requires_grad"] = name, requires_grad
        own["comm_fusion"], own["cache_enable"], own["sliced"], own["unique"], own["inited_param"], own["key"] = 1, False, False, False, None, -1
        own["is_init"] = False

    def __repr__(self):
        return f"Parameter (name={self.name}, shape={self.shape}, dtype={self.dtype}, requires_grad={self.requires_grad})"

    def __str__(self):
        return repr(self)

    def __format__(self, spec):
        return Tensor.__format__(self, spec) if spec else repr(self)

    def __deepcopy__(self, memo):
        new = self._copy_with(_duplicate(self._value))
        memo[id(self)] = new
        return new

    def __reduce__(self):
        return _rebuild_parameter, (self.value(), self.name, self.requires_grad, {k: v for k, v in self.__dict__.items() if k in _METADATA})

    def _copy_with(self, value):
        new = _new(Parameter)
        new._value = value
        new.__dict__.update({k: v for k, v in self.__dict__.items() if k != "_hooks"})
        return new

    @property
    def name(self):
        """The name in checkpoints and optimizers."""
        return self.__dict__["_name"]

    @name.setter
    def name(self, value):
        if value is None:
            value = "Parameter"
        self.__dict__["_name"] = _check_name(value)
        self.__dict__["_named"] = True

    @property
    def requires_grad(self):
        """Whether `trainable_params` lists this parameter."""
        return self.__dict__["_requires_grad"]

    @requires_grad.setter
    def requires_grad(self, value):
        if not isinstance(value, bool):
            raise TypeError(f"The argument `requires_grad` must be bool type, but got {value!r} of type {type(value).__name__}.")
        if value is not self.__dict__["_requires_grad"]:
            self.__dict__["_requires_grad"] = value
            bump_epoch()

    def requires_grad_(self, requires_grad=True):
        """Set `requires_grad`; returns self."""
        self.requires_grad = requires_grad
        return self

    def set_data(self, data, slice_shape=False):
        """Replace the value; the dtype stays, the shape may change.

        Args:
            data: a Tensor, int or float.
            slice_shape: whether a shape other than the present one is meant; any shape is accepted either way, as in MindSpore.

        Raises:
            TypeError: `data` is of another kind, or complex where the parameter is real.

        Returns:
            Parameter, this one.
        """
        if not isinstance(slice_shape, bool):
            raise TypeError(f"For 'set_data', 'slice_shape' should be a bool, but got {slice_shape!r}.")
        if not isinstance(data, Tensor | int | float):
            raise TypeError(
                f"Parameter data must be [`Tensor`, `int`, `float`] or a kind of `Tensor`, but got type {type(data).__name__}: "
                "wrap it in Tensor(...)."
            )
        tensor = data if isinstance(data, Tensor) else Tensor(data)
        if tensor.dtype is not self.dtype:
            if tensor.dtype.is_complex and not self.dtype.is_complex:
                raise TypeError(f"Parameter '{self.name}' is {self.dtype}: complex data ({tensor.dtype}) would lose its imaginary part.")
            tensor = tensor.astype(self.dtype)
        scope.assign(self, tensor)
        return self

    def clone(self, init="same"):
        """A new Parameter of the same name and settings.

        Args:
            init: "same" for the same value; else an initializer, a name of one, a Tensor or a number for a new value. Default: "same".
        """
        if isinstance(init, str) and init == "same":
            return self._copy_with(_duplicate(self._value))
        from sporax.common.initializer import initializer

        return self._copy_with(initializer(init, self.shape, self.dtype)._value)

    copy = clone

    def init_data(self, layout=None, set_sliced=False):
        """The parameter itself: values are made when the Parameter is made. `layout` must be None."""
        if layout is not None or set_sliced:
            raise ValueError("'init_data' takes no 'layout' or 'set_sliced': arrays are sharded by the compiler.")
        return self

    def _in_place(self, tensor):
        """`p -= x` changes the parameter, and keeps its dtype."""
        if tensor.dtype is not self.dtype:
            raise TypeError(
                f"Parameter '{self.name}' is {self.dtype}, and the result of the in-place operation would be {tensor.dtype}: "
                f"convert the operand, for example with x.astype({self.dtype!r})."
            )
        if tensor.shape != self.shape:
            raise ValueError(f"Parameter '{self.name}' has shape {self.shape}, and the result of the in-place operation would have {tensor.shape}.")
        scope.assign(self, tensor)
        return self

    def __iadd__(self, other):
        return self._in_place(self + other)

    def __isub__(self, other):
        return self._in_place(self - other)

    def __imul__(self, other):
        return self._in_place(self * other)

    def __itruediv__(self, other):
        return self._in_place(self / other)

    def __ifloordiv__(self, other):
        return self._in_place(self // other)

    def __imod__(self, other):
        return self._in_place(self % other)

    def __ipow__(self, other):
        return self._in_place(self**other)


def _check_name(name):
    if not isinstance(name, str):
        raise ValueError(f"The type of the Parameter's name should be 'string' or 'None', but got {type(name)}.")
    if not name.strip() or len(name) > 1024:
        raise ValueError(f"The Parameter's name should have 1 to 1024 characters, but got {len(name)}: {name[:40]!r}.")
    return name


def _rebuild_parameter(tensor, name, requires_grad, metadata):
    p = Parameter(tensor, name=name, requires_grad=requires_grad)
    p.__dict__.update(metadata)
    return p


class ParameterTuple(tuple):
    """An immutable tuple of Parameters of different names.

    Raises:
        TypeError: an entry is not a Parameter.
        ValueError: two Parameters have the same name.
    """

    def __new__(cls, iterable):
        data = tuple(iterable)
        names, ids = {}, set()
        for p in data:
            if not isinstance(p, Parameter):
                raise TypeError(f"For ParameterTuple initialization, each entry should be a 'Parameter', but got {type(p).__name__}.")
            if id(p) in ids:
                continue
            ids.add(id(p))
            if p.name in names:
                raise ValueError(
                    f"The value {p} , its name '{p.name}' already exists. Please set a unique name for the parameter: "
                    "give the Cells different prefixes with cell.update_parameters_name('prefix.')."
                )
            names[p.name] = p
        return super().__new__(cls, data)

    def clone(self, prefix, init="same"):
        """A ParameterTuple of clones whose names begin with `prefix` and a dot."""
        if not isinstance(prefix, str):
            raise TypeError(f"For 'clone', 'prefix' should be a str, but got {prefix!r}.")
        clones = []
        for p in self:
            new = p.clone(init)
            new.name = f"{prefix}.{p.name}" if prefix else p.name
            clones.append(new)
        return ParameterTuple(clones)

    def __deepcopy__(self, memo):
        import copy

        return ParameterTuple([copy.deepcopy(p, memo) for p in self])
