"""Errors that depend on a tensor's value: `assert` and `raise` under an `if` on a tensor.

An executable cannot raise. So a hidden tensor carries the number of the first alarm that went off out of it, like any other state that a
program writes, and the error is raised after the call.
"""

import functools
import threading

import jax.numpy as jnp
import numpy as np

from sporax._core import scope
from sporax._core.control.errors import cannot
from sporax._core.dispatch import apply
from sporax._core.state import local
from sporax._core.tensor import Tensor, outside_handle


@functools.cache
def _handle():
    return outside_handle(np.int64(0))


class _Tries(threading.local):
    depth = 0


_tries = _Tries()


def enter_try():
    """A `try` with handlers begins."""
    _tries.depth += 1


def leave_try():
    """It ends."""
    _tries.depth -= 1


def may_be_caught():
    """Whether the program might catch an exception that is raised here."""
    return _tries.depth > 0


def alarm_kernel(state, holds, number):
    """The number of the first alarm."""
    return jnp.where((state == 0) & ~holds, jnp.asarray(number, state.dtype), state)


def alarm(holds, error):
    """Let `error` be raised after the call if the tensor `holds` is false."""
    if may_be_caught():
        raise cannot(f"{type(error).__name__} is raised depending on a tensor's value inside a `try` that may catch it.")
    alarms = local.state.scope.root.alarms
    alarms.append(error)
    scope.assign(_handle(), apply(alarm_kernel, (_handle(), holds, len(alarms))))


def check(alarms):
    """After a call: raise the error of the alarm that went off."""
    number = _handle().item()
    if number:
        scope.assign(_handle(), Tensor(np.int64(0)))
        raise alarms[number - 1]
