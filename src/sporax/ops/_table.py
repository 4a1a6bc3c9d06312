"""The op table: one entry per op, from which every name of the op comes.

    @op(method=True, mint=True, primitive=prim("Softmax", axis=-1))
    def softmax(input, axis=-1, *, dtype=None): ...

gives `ops.softmax`, `Tensor.softmax`, `mint.softmax` and the class `ops.Softmax`. A name that is taken already is an error.
"""

import inspect
from collections.abc import Callable
from typing import Any, TypeVar

from sporax._core.autocast import cast_floats
from sporax._core.dtype import float32
from sporax._core.tensor import Tensor

F = TypeVar("F", bound=Callable[..., Any])

required = inspect.Parameter.empty


class Entry:
    """One op: its public function and the names under which it appears."""

    def __init__(self, function, names, methods, mint, primitive):
        self.function, self.names, self.methods, self.mint, self.primitive = function, names, methods, mint, primitive

    def __repr__(self):
        return f"<op {self.names[0]}>"


class prim:
    """What makes an op's Primitive class: its name, and constructor parameters with defaults in order.

    Args:
        name: class name.
        rename: constructor parameter -> parameter of the function, where they differ.
        call: `call(self, *args)` for a primitive whose call is not the function with the constructor's values as keywords.
        check: `check(self)` run at the end of the constructor.
        **defaults: constructor parameters; `prim.required` for one without a default.
    """

    required = required

    def __init__(self, name, /, *, rename=None, call=None, check=None, **defaults):
        self.name, self.rename, self.call, self.check, self.defaults = name, rename or {}, call, check, defaults


functions: dict = {}
primitives: dict = {}
methods: dict = {}
mint: dict = {}


def op(name: str | None = None, *, aliases=(), method=None, mint=None, primitive=None) -> Callable[[F], F]:
    """Decorator: register a function as an op.

    Args:
        name: name in `ops`; default: the function's own.
        aliases: more names in `ops`.
        method: True, a name or a tuple of names: the Tensor methods it is (receiver first).
        mint: True, a name or a tuple of names in `mint` (`nn.functional.relu` for the nested ones).
        primitive: a `prim`, or a tuple of them.
    """

    def register(function):
        own = name or function.__name__
        names = (own, *aliases)
        entry = Entry(function, names, _names(method, own), _names(mint, own), primitive)
        for n in names:
            _add(functions, n, function, "ops")
        for n in entry.methods:
            _add(methods, n, function, "Tensor")
        for n in entry.mint:
            _add(_mint, n, function, "mint")
        for p in () if primitive is None else primitive if isinstance(primitive, tuple) else (primitive,):
            _add(primitives, p.name, _make_primitive(p, function), "ops")
        table.append(entry)
        return function

    return register


_mint = mint
table: list = []


def method(*names) -> Callable[[F], F]:
    """Decorator: a Tensor method whose behaviour differs from the op of the same name."""

    def register(function):
        for n in names or (function.__name__,):
            _add(methods, n, function, "Tensor")
        return function

    return register


def _names(given, own):
    if not given:
        return ()
    if given is True:
        return (own,)
    return (given,) if isinstance(given, str) else tuple(given)


def _add(where, name, thing, kind):
    if name in where:
        raise ValueError(f"'{name}' is registered twice in {kind}: {where[name]!r} and {thing!r}.")
    where[name] = thing


class Primitive:
    """Base of the operator classes: what the constructor receives are the op's settings, what a call receives its inputs.

    Args:
        name: name of the primitive.
    """

    def __init__(self, name):
        self.name = name

    def __call__(self, *args):
        raise TypeError(f"Primitive {self.name!r} has no computation: use one of the operator classes of mindspore.ops, or a function.")

    def add_prim_attr(self, name, value):
        """Attach an attribute; returns self."""
        self.__dict__.setdefault("attrs", {})[name] = value
        return self

    def set_prim_instance_name(self, name):
        """Name this instance; returns self."""
        self.instance_name = name
        return self

    def recompute(self, mode=True):
        """Accepted for operators that have one op: what an op needs for its gradient is recomputed by the compiler anyway."""
        if not isinstance(mode, bool):
            raise TypeError(f"For 'recompute', 'mode' should be a bool, but got {mode!r}.")
        return self

    def set_device(self, device_target):
        """Accepted for "CPU" only where that is the current device."""
        from sporax._core.context import get_context

        if device_target != get_context("device_target"):
            raise ValueError(
                f"Primitive {self.name!r} runs on {get_context('device_target')}; single operators cannot be placed on {device_target!r}."
            )
        return self

    def __repr__(self):
        settings = ", ".join(f"{k}={v}" for k, v in self.__dict__.items() if k not in ("name", "attrs", "instance_name", "precision"))
        return f"Prim[{self.name}]<{settings}>" if settings else f"Prim[{self.name}]"


PrimitiveWithInfer = PrimitiveWithCheck = Primitive


def _make_primitive(spec, function):
    parameters = [inspect.Parameter(k, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=d) for k, d in spec.defaults.items()]
    signature = inspect.Signature(parameters)
    keys = tuple(spec.defaults)
    targets = tuple(spec.rename.get(k, k) for k in keys)

    def __init__(self, *args, **kwargs):
        try:
            bound = signature.bind(*args, **kwargs)
        except TypeError as error:
            raise TypeError(f"For '{spec.name}{signature}': {error}.") from None
        bound.apply_defaults()
        self.name = spec.name
        self.__dict__.update(bound.arguments)
        if spec.check is not None:
            spec.check(self)

    def __call__(self, *args):
        return function(*args, **{t: self.__dict__[k] for k, t in zip(keys, targets, strict=True)})

    first = (function.__doc__ or "").strip().split("\n")[0]
    compute = spec.call or __call__

    def call(self, *args):
        low = self.__dict__.get("precision")
        return compute(self, *args) if low is None else cast_floats(compute(self, *cast_floats(args, low)), float32)

    body = {
        "__init__": __init__,
        "__call__": call,
        "__doc__": f"Operator form of :func:`{function.__name__}`. {first}",
        "__module__": "sporax.ops",
        "__signature__": signature,
    }
    return type(spec.name, (Primitive,), body)


def install_methods():
    """Give Tensor the methods of the table."""
    for name, function in methods.items():
        if name in Tensor.__dict__ and name not in ("__eq__", "__ne__"):
            raise ValueError(f"Tensor.{name} is defined in the core and in the op table.")
        setattr(Tensor, name, function)
    Tensor.__hash__ = object.__hash__
