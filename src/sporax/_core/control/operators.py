"""What converted code calls: the names in its `ag__` namespace that are not control flow."""

import builtins
import functools
import types
from typing import Any

import jax.numpy as jnp

from sporax._core import prints
from sporax._core.control import branch, heap, kinds, numbers
from sporax._core.control.alarms import alarm, enter_try, leave_try, may_be_caught
from sporax._core.control.errors import ConversionError, cannot
from sporax._core.control.kinds import PartialValue, Undefined, is_number, is_traced
from sporax._core.control.loop import range_
from sporax._core.control.pieces import in_piece, note_made
from sporax._core.dispatch import apply
from sporax._core.tensor import Tensor


def ld(x):
    """Read a variable."""
    return x.read() if isinstance(x, Undefined) else x


class FunctionScope:
    """Stands for one call of a converted function."""

    def __init__(self, function_name, scope_name, options):
        self.function_name, self.name = function_name, scope_name

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        return None

    def ret(self, value, did_return):
        """What the function returns."""
        if isinstance(value, PartialValue):
            if value.content is None:
                return None
            raise cannot(f"'{self.function_name}' returns a value on some of the ways through an `if` or loop on a tensor and None on others.")
        if isinstance(value, kinds.BrokenValue):
            return value.read()
        return None if isinstance(value, Undefined) else value


def with_function_scope(thunk, scope_name, options):
    """A lambda's body."""
    return thunk(FunctionScope("lambda", scope_name, options))


def autograph_artifact(function):
    """Mark a function whose code is converted."""
    function._sporax_converted = True
    return function


def outer_writes(function_name, names):
    """At the entry of a function that assigns variables of an outer one."""
    if in_piece():
        names = ", ".join(map(repr, names))
        raise cannot(f"'{function_name}' assigns the outer variable {names} inside an `if` or loop on a tensor: return the value instead.")


def raising(error):
    """Mark an exception as raised by the program, so that a branch that only raises is an alarm."""
    made = error() if isinstance(error, type) and issubclass(error, BaseException) else error
    if in_piece() and isinstance(made, Exception) and not may_be_caught():
        made._user_raise = True
    return made


def assert_stmt(test, message):
    """`assert test(), message()`."""
    result = branch.truth(test())
    if not is_traced(result):
        if not result:
            raise raising(AssertionError(*message()))
        return
    alarm(result, AssertionError(*[x if not is_traced(x) else str(x) for x in message()]))


def compare(left, *rest):
    """A chained comparison; `rest` are pairs (operator, thunk), each evaluated at most once."""
    symbol, thunk = rest[0]
    right = thunk()
    if len(rest) == 1:
        return numbers.binary(symbol, left, right)
    return branch.and_(lambda: numbers.binary(symbol, left, right), lambda: compare(right, *rest[1:]))


def mod(x, y):
    """`x % y`, also of a format string and tensors."""
    return prints.percent(x, y) if isinstance(x, str) else numbers.binary("%", x, y)


# Numbers -------------------------------------------------------------------------------------------------------------


def greater_kernel(x, y):
    """x > y."""
    return jnp.greater(x, y)


def bool_(x=False):
    """`bool(x)`."""
    x = branch.truth(x)
    return numbers.mark(x) if is_traced(x) else x


def item(x):
    """`x.item()`."""
    if x.size != 1 or x._value.aval.dtype.kind not in "biuf":
        return x.item()
    kind = x._value.aval.dtype.kind
    return bool_(x) if kind == "b" else numbers.int_(x) if kind in "iu" else numbers.float_(x)


def _extreme(plain, better):
    def overload(*args, **kwargs):
        items = list(args[0]) if len(args) == 1 else list(args)
        if kwargs or not any(map(is_traced, items)):
            return plain(*args, **kwargs)
        best = items[0]
        for x in items[1:]:
            best = branch.if_exp(
                apply(greater_kernel, (x, best) if better > 0 else (best, x)), lambda a=x: a, lambda b=best: b, f"{plain.__name__}(...)"
            )
        return best

    return overload


def _quantifier(combine, start):
    def overload(items):
        result = start
        for x in items:
            result = combine(lambda r=result: r, lambda y=x: bool_(y))
        return result

    return overload


def isinstance_(x, classes):
    """`isinstance`: a number that depends on a tensor is still a number."""
    if is_number(x) and not isinstance(x, classes):
        python = bool if x._value.aval.dtype == bool else int if x._value.aval.dtype.kind == "i" else float
        return issubclass(python, classes)
    return isinstance(x, classes)


_OVERLOADS = {
    id(range): range_,
    id(int): numbers.int_,
    id(float): numbers.float_,
    id(abs): numbers.absolute,
    id(bool): bool_,
    id(max): _extreme(max, 1),
    id(min): _extreme(min, -1),
    id(any): _quantifier(branch.or_, False),
    id(all): _quantifier(branch.and_, True),
    id(isinstance): isinstance_,
    id(setattr): heap.set_attr,
    id(delattr): heap.del_attr,
}
_FRAMES = {id(super): "super", id(eval): "eval", id(locals): "locals", id(globals): "globals"}
_MAKERS = frozenset(map(id, (sorted, builtins.vars)))


def converted_call(f: Any, args, kwargs, caller=None, options=None):
    """`f(*args, **kwargs)` with user functions in their converted form."""
    from sporax._core.control.rewrite import convert

    kwargs = kwargs or {}  # a fresh dict of the generated call
    if isinstance(f, functools.partial):
        return converted_call(f.func, (*f.args, *args), {**f.keywords, **kwargs}, caller)
    if id(f) in _OVERLOADS:
        return _OVERLOADS[id(f)](*args, **kwargs)
    if id(f) in _FRAMES:
        return _in_frame(f, args, caller)
    if isinstance(f, types.BuiltinMethodType | type) or (getattr(f, "__module__", None) or "").startswith("sporax."):
        # functions that are given to map, reduce, grad... are called from there
        args = tuple([convert(x) if isinstance(x, types.FunctionType | types.MethodType) else x for x in args])
        kwargs = {k: convert(x) if isinstance(x, types.FunctionType | types.MethodType) else x for k, x in kwargs.items()}
    if len(args) == 1 and not kwargs and is_number(args[0]) and f is Tensor:
        return numbers.to_tensor(*args)
    if isinstance(f, type):
        return note_made(f(*args, **kwargs))
    if isinstance(f, types.BuiltinMethodType):
        heap.log_method(f)
        result = f(*args, **kwargs)
        return note_made(result) if f.__name__ in ("copy", "split") or id(f) in _MAKERS else result
    receiver = getattr(f, "__self__", None)
    if isinstance(receiver, Tensor) and is_traced(receiver) and getattr(f, "__name__", "") == "item" and not args:
        return item(receiver)
    return convert(f)(*args, **kwargs)


def _in_frame(f, args, caller):
    from malt.operators import py_builtins

    if f is super:
        return py_builtins.super_in_original_context(f, args, caller)
    if f is eval:
        return py_builtins.eval_in_original_context(f, args, caller)
    return py_builtins.locals_in_original_context(caller) if f is locals else py_builtins.globals_in_original_context(caller)


def namespace():
    """The `ag__` of converted code."""
    from sporax._core.control import loop

    return types.SimpleNamespace(
        if_stmt=branch.if_stmt,
        if_exp=branch.if_exp,
        while_stmt=loop.while_stmt,
        for_stmt=loop.for_stmt,
        and_=branch.and_,
        or_=branch.or_,
        not_=branch.not_,
        ld=ld,
        Undefined=Undefined,
        UndefinedReturnValue=kinds.UndefinedReturnValue,
        FunctionScope=FunctionScope,
        STD=None,
        with_function_scope=with_function_scope,
        autograph_artifact=autograph_artifact,
        converted_call=converted_call,
        set_item=heap.set_item,
        del_item=heap.del_item,
        set_attr=heap.set_attr,
        del_attr=heap.del_attr,
        inplace=heap.inplace,
        binary=numbers.binary,
        negative=numbers.negative,
        outer_writes=outer_writes,
        raising=raising,
        assert_stmt=assert_stmt,
        compare=compare,
        mod=mod,
        made=note_made,
        enter_try=enter_try,
        leave_try=leave_try,
    )


__all__ = ["ConversionError", "converted_call", "namespace"]
