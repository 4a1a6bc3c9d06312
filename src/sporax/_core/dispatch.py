"""The only way to a kernel.

`apply(kernel, tensors, **static)` takes whatever the moment calls for: inside a trace it calls the kernel on tracers; in PyNative it
records the kernel in the thread's block, or runs it at once (direct, for debugging). In every case the active tapes note the op.
"""

from typing import Any

import jax
import numpy as np

from sporax._core.autocast import cast_inputs
from sporax._core.errors import KERNEL_ERRORS, describe, kernel_error
from sporax._core.record import entry_of
from sporax._core.state import local
from sporax._core.tape import note
from sporax._core.tensor import Tensor, wrap
from sporax._core.value import Value, aval_of, value_of_array

# Called as (kernel, inputs, outputs, static) after each op while set: NaN origin, profiling.
observers: list = []


def apply(kernel, tensors, /, **static) -> Any:
    """Apply a kernel.

    Args:
        kernel: a module-level pure function on arrays; its identity is part of the cache key.
        tensors: its positional arguments: Tensors, Python numbers, NumPy arrays, None.
        **static: its keyword-only arguments; hashable.

    Returns:
        A Tensor, or a tuple of Tensors where the kernel returns a tuple.
    """
    state = local.state
    if state.cast is not None:
        tensors = cast_inputs(state.cast, kernel, tensors)
    inputs = []
    for t in tensors:
        if isinstance(t, Tensor):
            inputs.append(t._value)
        elif t is None or t.__class__ in _PLAIN:
            inputs.append(t)
        else:
            inputs.append(_convert(kernel, t))
    scope = state.scope
    if scope is not None:
        values, multi = _trace(scope, kernel, tensors, inputs, static)
    elif state.direct:
        values, multi = _run(kernel, inputs, static)
    else:
        values, multi = state.block.apply(kernel, inputs, static)
    if state.tapes:
        note(state.tapes, kernel, inputs, values, static)
    if observers:
        for observer in observers:
            observer(kernel, inputs, values, static)
    if multi:
        return tuple([wrap(v) for v in values])
    return wrap(values[0])


_PLAIN = frozenset((float, int, bool, complex, Value))


def _convert(kernel, x):
    if isinstance(x, np.generic | np.ndarray):
        return Tensor(x)._value
    raise TypeError(f"For '{kernel.__name__}', each input should be a Tensor or a number, but got {describe(x)} of type {type(x).__name__}.")


def _trace(scope, kernel, tensors, inputs, static):
    arrays = []
    for i, x in enumerate(inputs):
        if x.__class__ is Value:
            t = tensors[i]
            # through the handle, where there is one: an input of a compiled function is a handle, whatever version it has next time
            arrays.append(scope.read(t) if isinstance(t, Tensor) else scope.read_value(x))
            if isinstance(t, Tensor):
                inputs[i] = t._value
        else:
            arrays.append(x)
    try:
        out = kernel(*arrays, **static)
    except KERNEL_ERRORS as error:
        raise kernel_error(kernel, inputs, static, error) from error
    if isinstance(out, tuple | list):
        return [Value(o, aval_of(o.shape, o.dtype), scope) for o in out], True
    return [Value(out, aval_of(out.shape, out.dtype), scope)], False


def _run(kernel, inputs, static):
    entry, arrays = entry_of(kernel, inputs, static)
    out = entry.run([x.array() if x.__class__ is Value else x for x in arrays])
    return [value_of_array(a) for a in out], entry.multi


def apply_closure(function, tensors):
    """Apply a pure function that was made for this one call (a region of user code), at once, outside any cache.

    `function` takes arrays and returns a list of arrays. In PyNative it runs op by op; inside a trace it becomes part of it.
    """
    state = local.state
    scope = state.scope
    if scope is not None:
        # read first: it may give a handle a version of its own
        arrays = [scope.read(t) if isinstance(t, Tensor) else scope.read_value(t) for t in tensors]
    inputs = [t._value if isinstance(t, Tensor) else t for t in tensors]
    if scope is not None:
        out = function(*arrays)
        values = [Value(o, aval_of(o.shape, o.dtype), scope) for o in out]
    else:
        out = function(*[v.array() for v in inputs])
        values = [value_of_array(o) for o in out]
    if state.tapes:
        note(state.tapes, function, inputs, values, {}, closure=True)
    return [wrap(v) for v in values]


def is_tracing():
    """Whether this thread is inside a compile, `vmap`, `jvp` or another trace."""
    return local.state.scope is not None


def flush():
    """Run what this thread has recorded."""
    local.state.block.flush()


def synchronize():
    """Wait until everything this thread asked for has been computed and printed."""
    flush()
    jax.effects_barrier()


def flush_step():
    """End of an optimizer's update: run the step now, so that every step is one block with one key."""
    state = local.state
    if state.scope is None and not state.tapes:
        state.block.flush()


def set_direct(on):
    """Run each op at once as its own executable (True), or record (False); returns what it was."""
    state = local.state
    state.block.flush()
    before, state.direct = state.direct, bool(on)
    return before


__all__ = ["apply", "apply_closure", "flush", "flush_step", "is_tracing", "observers", "set_direct", "synchronize"]
