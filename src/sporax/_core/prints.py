"""Printing inside compiled functions: at every run, in order, with the values of that run.

While a function is traced, a tensor formats to a placeholder, and `print` of a text with placeholders becomes a callback of the executable that
puts the values in. A placeholder reads like `Tensor[Float32](2, 3) traced`, followed by its number in characters of no width: so
text that is used for something else than printing stays readable.
"""

import builtins
import contextlib
import functools
import re
import threading

import jax
import numpy as np

from sporax._core.errors import LeakedTensorError
from sporax._core.state import local

_OPEN, _ZERO, _ONE = "\u2063", "\u200b", "\u200c"
_PLACEHOLDER = re.compile(f"Tensor\\[\\w+\\]\\([\\d, ]*\\) traced{_OPEN}([{_ZERO}{_ONE}]+){_OPEN}")
_SPEC = re.compile(r"%(?:\((?P<key>[^)]*)\))?(?P<rest>[-#0 +]*(?:\*|\d+)?(?:\.(?:\*|\d+))?[hlL]?)(?P<kind>[diouxXeEfFgGcrsa%])")


class _Muted(threading.local):
    depth = 0


_muted = _Muted()


@contextlib.contextmanager
def muted():
    """Nothing that is traced in this context prints: it has printed already."""
    _muted.depth += 1
    try:
        yield
    finally:
        _muted.depth -= 1


def is_muted():
    """Whether prints are muted."""
    return bool(_muted.depth)


# The print function --------------------------------------------------------------------------------------------------

_plain_print = builtins.print
_lock = threading.Lock()
_users = 0


@contextlib.contextmanager
def hooked():
    """`print` goes to `emit` for threads that trace."""
    global _users, _plain_print
    with _lock:
        if _users == 0:
            _plain_print, builtins.print = builtins.print, _print
        _users += 1
    try:
        yield
    finally:
        with _lock:
            _users -= 1
            if _users == 0 and builtins.print is _print:
                builtins.print = _plain_print


def _print(*args, sep=" ", end="\n", file=None, flush=False):
    if local.state.scope is None:
        _plain_print(*args, sep=sep, end=end, file=file, flush=flush)
    else:
        text = (" " if sep is None else sep).join([str(a) for a in args])
        emit(text, {"end": end, "file": file, "flush": flush})


def emit(text, options):
    """Print a text, in which placeholders may stand for tensors, whenever what is traced now is run."""
    if _muted.depth:
        return
    scope = local.state.scope
    scope.root.printed = True
    known = scope.root.placeholders
    parts, arrays, forms = [], [], []
    end = 0
    for match in _PLACEHOLDER.finditer(text):
        value, form = known[int(match[1].replace(_ZERO, "0").replace(_ONE, "1"), 2)]
        parts.append(text[end : match.start()])
        arrays.append(scope.read_value(value))
        forms.append((value.aval.ms_dtype, *form))
        end = match.end()
    parts.append(text[end:])
    jax.debug.callback(functools.partial(_show, tuple(parts), tuple(forms), options), *arrays, ordered=not _is_mapped(scope))


def _is_mapped(scope):
    # under vmap a callback runs once for each slice, in no order
    while scope is not None:
        if scope.name == "vmap":
            return True
        scope = scope.parent
    return False


def _show(parts, forms, options, *arrays):
    shown = [parts[0]]
    for form, array, part in zip(forms, arrays, parts[1:], strict=True):
        shown += [_format(np.asarray(array), *form), part]
    _plain_print("".join(shown), **options)


# Placeholders --------------------------------------------------------------------------------------------------------


class _Real:
    """What the printing functions need of a tensor."""

    def __init__(self, array, dtype):
        self.array, self.dtype, self.shape, self.size, self.ndim = array, dtype, array.shape, array.size, array.ndim

    def asnumpy(self):
        """The data."""
        return self.array

    def item(self):
        """The only element."""
        return self.array.item()

    def __str__(self):
        from sporax._core.printing import tensor_str

        return tensor_str(self)


def placeholder(tensor, *form):
    """The text that stands for a traced tensor. `form`: ("str",), ("repr",), ("format", spec) or ("%", spec)."""
    value = tensor._value
    text = f"Tensor[{value.aval.ms_dtype}]{value.aval.shape} traced"
    scope = local.state.scope
    try:
        array = scope.read(tensor)
    except LeakedTensorError:
        return text
    number = value.aval.ndim == 0 and (getattr(array, "weak_type", False) or "_python_bool" in tensor.__dict__)
    known = scope.root.placeholders
    known.append((tensor._value, (number, *form)))
    return text + _OPEN + f"{len(known) - 1:b}".replace("0", _ZERO).replace("1", _ONE) + _OPEN


def _format(array, dtype, number, kind, spec=""):
    from sporax._core.printing import tensor_format, tensor_repr, tensor_str

    x = array.item() if number else _Real(array, dtype)
    if kind == "%":
        return spec % array.item()
    if kind == "format":
        return format(x, spec) if number else tensor_format(x, spec)
    if number:
        return str(x)
    return tensor_str(x) if kind == "str" else tensor_repr(x)


def percent(text, values):
    """`text % values`, where tensors may stand for numbers."""
    from sporax._core.tensor import Tensor

    if local.state.scope is None:
        return text % values
    items = values if isinstance(values, tuple) else (values,)
    if not any(isinstance(x, Tensor) for x in (items if not isinstance(values, dict) else values.values())):
        return text % values
    place = iter(items)

    def one(match):
        if match["kind"] == "%":
            return "%"
        x = values[match["key"]] if match["key"] is not None else next(place)
        if "*" in match["rest"]:
            raise TypeError("'*' in a format is not supported with tensors inside a compiled function: write the width.")
        spec = f"%{match['rest']}{match['kind']}"
        if isinstance(x, Tensor) and match["kind"] not in "rsa":
            if x.size != 1:
                raise TypeError(f"{spec} needs a tensor of one element, but got shape {x.shape}.")
            return placeholder(x, "%", spec)
        return spec % (x,)

    return _SPEC.sub(one, text)


# Running what prints -------------------------------------------------------------------------------------------------


def evaluate(closed, consts, arguments):
    """The outputs of a jaxpr; without its prints if they are muted."""
    jaxpr = closed.jaxpr
    if _muted.depth and closed.effects:
        jaxpr = _silent(jaxpr)
    return jax.core.eval_jaxpr(jaxpr, consts, *arguments)


def _silent(jaxpr):
    """A jaxpr without callbacks."""
    if hasattr(jaxpr, "consts"):
        return jaxpr.replace(jaxpr=_silent(jaxpr.jaxpr))
    equations = []
    for e in jaxpr.eqns:
        if e.primitive.name != "debug_callback":
            if e.effects:
                e = e.replace(params={k: _silent_parameter(v) for k, v in e.params.items()}, effects=_others(e.effects))
            equations.append(e)
    return jaxpr.replace(eqns=equations, effects=_others(jaxpr.effects))


def _silent_parameter(x):
    if isinstance(x, tuple | list):
        return type(x)(map(_silent_parameter, x)) if not hasattr(x, "_fields") else x
    return _silent(x) if hasattr(x, "eqns") else x


def _others(effects):
    return type(effects)(e for e in effects if "Debug" not in type(e).__name__)


__all__ = ["emit", "evaluate", "hooked", "is_muted", "muted", "percent", "placeholder"]
