"""Functions on functions, on containers of tensors, and on Parameters."""

import functools

import numpy as np

from sporax._core import scope
from sporax._core.dispatch import apply
from sporax._core.parameter import Parameter
from sporax._core.tensor import Tensor
from sporax._core.transforms import stop_gradient as _stop_gradient
from sporax._kernels import vector_norm as R
from sporax.ops import binary
from sporax.ops._args import tensors_in
from sporax.ops._table import Primitive, op, prim


class MultitypeFuncGraph:
    """A function that chooses its implementation by the kinds of its arguments.

    Args:
        name: name in messages.
        read_value: kept for compatibility: Parameters are passed as they are. Default: False.

    Examples:
        >>> double = ops.MultitypeFuncGraph("double")
        >>> @double.register("Tensor")
        ... def _double_tensor(x):
        ...     return x * 2
        >>> print(double(Tensor([1.0])))
        [2.]
    """

    def __init__(self, name, read_value=False, doc_url=""):
        self.name, self.read_value, self.entries = name, read_value, []

    def register(self, *types):
        """Decorator: the implementation for arguments of these kinds ("Tensor", "Number", "Tuple", "List", "Bool", "None", ... or dtypes)."""

        def decorate(function):
            self.entries.append((types, function))
            return function

        return decorate

    def set_doc_url(self, doc_url):
        """Keep a link to the documentation."""
        self.doc_url = doc_url

    def __call__(self, *args):
        for types, function in self.entries:
            if len(types) == len(args) and all(map(_matches, types, args)):
                return function(*args)
        got = ", ".join(type(a).__name__ for a in args)
        known = "; ".join(str(t) for t, _ in self.entries)
        raise TypeError(f"For MultitypeFuncGraph '{self.name}', no implementation is registered for ({got}). Registered: {known}.")


_KINDS = {
    "Tensor": Tensor, "Ref[Tensor]": Parameter, "Number": (int, float), "Bool": bool, "Int": int, "Float": float, "Tuple": tuple, "List": list,
    "String": str,
    "Dictionary": dict, "Function": object, "Int64": int, "Int32": int, "Float32": float, "Float64": float, "Any": object,
}  # fmt: skip


def _matches(kind, x):
    if isinstance(kind, str):
        kind = kind.strip()
        if kind in ("None", "NoneType"):
            return x is None
        if kind in ("Function", "Func"):
            return callable(x)
        if kind == "Tensor" or kind == "Parameter":
            return isinstance(x, Tensor)
        return isinstance(x, _KINDS.get(kind, ())) or type(x).__name__ == kind
    if isinstance(kind, type):
        return isinstance(x, kind)
    # a dtype object stands for numbers or tensors of its kind
    name = type(kind).__name__
    if name == "TensorType":
        return isinstance(x, Tensor)
    return isinstance(x, {"Int": int, "UInt": int, "Float": float, "Bool": bool, "Number": (int, float)}.get(name, ()))


class _Mapper:
    _recurse = False

    def __init__(self, ops=None, reverse=False):
        if not isinstance(reverse, bool):
            raise TypeError(f"For '{type(self).__name__}', 'reverse' should be a bool, but got {reverse!r}.")
        self.ops, self.reverse = ops, reverse

    def __call__(self, *args):
        function = self.ops
        if function is None:
            function, *args = args
        return self._map(function, args)

    def _map(self, function, args):
        lengths = {len(a) for a in args if isinstance(a, tuple | list)}
        if len(lengths) != 1:
            kind = type(self).__name__
            raise ValueError(
                f"For '{kind}', the inputs should be tuples or lists of one length, but got lengths "
                f"{[len(a) if isinstance(a, tuple | list) else type(a).__name__ for a in args]}."
            )
        rows = list(zip(*[a if isinstance(a, tuple | list) else (a,) * next(iter(lengths)) for a in args]))
        if self.reverse:
            rows = rows[::-1]
        out = [self._map(function, row) if self._recurse and any(isinstance(x, tuple | list) for x in row) else function(*row) for row in rows]
        if self.reverse:
            out = out[::-1]
        return out if all(isinstance(a, list) for a in args) else tuple(out)


class Map(_Mapper):
    """`Map(op)(xs, ys)` or `Map()(op, xs, ys)`: `op` applied to the corresponding elements of tuples or lists.

    Examples:
        >>> ops.Map()(lambda a, b: a + b, (1, 2), (3, 4))
        (4, 6)
    """


class HyperMap(_Mapper):
    """`Map` that also enters nested tuples and lists.

    Examples:
        >>> ops.HyperMap()(lambda a: a * 2, (1, (2, 3)))
        (2, (4, 6))
    """

    _recurse = True


hyper_map = HyperMap()


@op()
def partial(func, *args, **kwargs):
    """`func` with some arguments given already.

    Examples:
        >>> ops.partial(max, 3)(5)
        5
    """
    return functools.partial(func, *args, **kwargs)


class Partial(Primitive):
    """`Partial()(func, *args)` is `ops.partial(func, *args)`."""

    def __init__(self):
        super().__init__("Partial")

    def __call__(self, func, *args, **kwargs):
        return functools.partial(func, *args, **kwargs)


@op(primitive=prim("Depend"))
def depend(value, expr):
    """`value`. The order of effects is the order of the program, so nothing has to be tied together.

    Examples:
        >>> print(ops.depend(Tensor([1.0]), Tensor([2.0])))
        [1.]
    """
    return value


@op(primitive=prim("Identity"))
def identity(x):
    """The tensor itself."""
    return x


@op(aliases=("StopGradient_",))
def stop_gradient(value):
    """The same value, through which no gradient flows.

    Examples:
        >>> ms.grad(lambda x: x * ops.stop_gradient(x))(Tensor(3.0)).item()
        3.0
    """
    return _stop_gradient(value)


class HookBackward(Primitive):
    """An identity whose gradient `hook_fn(cell_id?, grad)` sees: `hook_fn((gradient,))` is called when the gradient flows back; what it
    returns, if not
    None, replaces the gradient.

    Args:
        hook_fn: a function of a tuple with one gradient.
        cell_id: kept for messages. Default: "".

    Raises:
        TypeError: `hook_fn` is not a function.
    """

    def __init__(self, hook_fn, cell_id=""):
        if not callable(hook_fn):
            raise TypeError(f"For 'HookBackward', 'hook_fn' should be a function, but got {type(hook_fn).__name__}.")
        super().__init__("HookBackward")
        self.hook_fn, self.cell_id = hook_fn, cell_id

    def __call__(self, *inputs):
        from sporax._core.tape import identity as same

        outs = []
        for x in inputs:
            y = apply(same, (x,))
            y.register_hook(self._hook)
            outs.append(y)
        return outs[0] if len(outs) == 1 else tuple(outs)

    def _hook(self, gradient):
        out = self.hook_fn((gradient,))
        return out[0] if isinstance(out, tuple) else out


def _checked(name, variable, value):
    if not isinstance(variable, Tensor):
        raise TypeError(f"For '{name}', 'variable' should be a Parameter, but got {type(variable).__name__}.")
    if not isinstance(value, Tensor):
        value = Tensor(value, variable.dtype)
    if value.ndim != variable.ndim and name == "Assign":
        raise ValueError(
            f"For '{name}', 'value' must have the same rank as 'variable'. But got 'value' rank: {value.ndim}, 'variable' rank: {variable.ndim}."
        )
    if value.shape != variable.shape and (name == "Assign" or np.broadcast_shapes(value.shape, variable.shape) != variable.shape):
        raise ValueError(
            f"For '{name}','value' must have the same shape as 'variable'. But got 'value' shape: {value.shape}, 'variable' shape: {variable.shape}."
        )
    if value.dtype is not variable.dtype:
        from sporax._kernels.promote import promote_types

        common = promote_types(variable.dtype.np_dtype, value.dtype.np_dtype)
        if common != variable.dtype.np_dtype:
            label = getattr(variable, "name", "the tensor")
            raise TypeError(
                f"For '{name}', data type conversion is not supported for a 'Parameter', so {value.dtype} cannot be written to "
                f"{variable.dtype} ('{label}') "
                f"automatically: convert it with value.astype({variable.dtype!r})."
            )
        value = value.astype(variable.dtype)
    return value


@op(primitive=prim("Assign"))
def assign(variable, value):
    """Write a value to a Parameter in place; returns it.

    Raises:
        ValueError: the shapes differ.
        TypeError: the dtype of `value` does not fit into that of the Parameter.

    Examples:
        >>> p = ms.Parameter(Tensor([1.0]), name="p")
        >>> print(ops.assign(p, Tensor([5.0])).value())
        [5.]
    """
    scope.assign(variable, _checked("Assign", variable, value))
    return variable


@op(primitive=prim("AssignAdd"))
def assign_add(variable, value):
    """Add to a Parameter in place; returns it.

    Examples:
        >>> p = ms.Parameter(Tensor([1.0]), name="p")
        >>> print(ops.assign_add(p, Tensor([5.0])).value())
        [6.]
    """
    scope.assign(variable, binary.add(variable, _checked("AssignAdd", variable, value)))
    return variable


@op(primitive=prim("AssignSub"))
def assign_sub(variable, value):
    """Subtract from a Parameter in place; returns it.

    Examples:
        >>> p = ms.Parameter(Tensor([1.0]), name="p")
        >>> print(ops.assign_sub(p, Tensor([5.0])).value())
        [-4.]
    """
    scope.assign(variable, binary.sub(variable, _checked("AssignSub", variable, value)))  # pyright: ignore
    return variable


def _l2(x, axis=None):
    return apply(R.norm, (x,), p=2, axis=axis, keepdims=False, dtype=None)


@op()
def clip_by_global_norm(x, clip_norm=1.0, use_norm=None):
    """Tensors scaled together so that the norm of all of them is at most `clip_norm`.

    Args:
        x: a tuple or list of Tensors.
        clip_norm: a positive number. Default: 1.0.
        use_norm: must be None. Default: None.

    Raises:
        TypeError: `x` is not a tuple or list of Tensors.
        ValueError: `clip_norm` is not positive, or `use_norm` is given.

    Examples:
        >>> print(ops.clip_by_global_norm((Tensor([3.0]), Tensor([4.0])), 1.0)[1])
        [0.8]
    """
    if use_norm is not None:
        raise ValueError(f"For 'clip_by_global_norm', 'use_norm' should be None, but got {use_norm!r}.")
    tensors_in("clip_by_global_norm", "x", x)
    _positive("clip_by_global_norm", "clip_norm", clip_norm)
    from sporax._kernels import loss as L

    out = apply(L.clip_by_global_norm, (*x, clip_norm))
    return type(x)(out if isinstance(out, tuple) else (out,))


def _positive(name, key, value):
    if isinstance(value, bool) or not isinstance(value, int | float | Tensor):
        raise TypeError(f"For '{name}', '{key}' should be a number, but got {value!r} of type {type(value).__name__}.")
    if not isinstance(value, Tensor) and value <= 0:
        raise ValueError(f"For '{name}', '{key}' should be greater than 0, but got {value}.")


@op()
def clip_by_norm(x, max_norm, norm_type=2.0, error_if_nonfinite=False):
    """Tensors scaled together so that their norm is at most `max_norm`.

    Args:
        x: a Tensor, or a tuple or list of Tensors.
        max_norm: the largest norm.
        norm_type: which p-norm. Default: 2.0.
        error_if_nonfinite: raise if the norm is nan or infinite. Default: False.

    Raises:
        RuntimeError: the norm is not finite and `error_if_nonfinite`.

    Examples:
        >>> print(ops.clip_by_norm(Tensor([3.0, 4.0]), 1.0).round(decimals=3))
        [0.6 0.8]
    """
    xs = (x,) if isinstance(x, Tensor) else tuple(x)
    if not xs or not all(isinstance(t, Tensor) for t in xs):
        raise TypeError(f"For 'clip_by_norm', 'x' should be a Tensor or a tuple or list of Tensors, but got {type(x).__name__}.")
    from sporax._kernels import loss as L

    *out, total = apply(L.clip_by_norm, (*xs, max_norm), p=float(norm_type))
    if error_if_nonfinite and not bool(total.isfinite()):
        raise RuntimeError(f"For 'clip_by_norm', the norm of the input is {total.item()}, not finite.")
    return out[0] if isinstance(x, Tensor) else tuple(out)


@op(primitive=prim("L2Normalize", axis=0, epsilon=1e-4))
def l2_normalize(x, axis=0, epsilon=1e-4):
    """x / max(norm of x over axis, sqrt(epsilon))."""
    squares = binary.maximum((x * x).sum(axis, keepdims=True), epsilon)  # pyright: ignore
    return x / squares.sqrt()


@op(primitive=prim("L2Loss"))
def l2_loss(input_x):
    """Half the sum of squares."""
    return (input_x * input_x).sum() / 2


@op()
def is_tensor(obj):
    """Whether an object is a Tensor."""
    return isinstance(obj, Tensor)


class Print(Primitive):
    """`Print()(*inputs)` prints numbers, texts and tensors, also at every run of a compiled function."""

    def __init__(self):
        super().__init__("Print")

    def __call__(self, *inputs):
        print(*inputs, sep="\n")


@op()
def print_(*input_x):
    """Print, also at every run of a compiled function."""
    print(*input_x)


@op()
def add_flags(fn=None, **flags):
    """Attach flags for MindSpore's compiler to a function; tracing needs none of them. Returns the function."""
    return (lambda f: f) if fn is None else fn
