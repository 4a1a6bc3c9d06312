"""The error of code that cannot be compiled, and where in the user's source it arose."""

import functools
import os
import sys
import sysconfig

from sporax._core.state import local

_SPORAX = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))) + os.sep
_STDLIB = os.path.abspath(sysconfig.get_paths()["stdlib"]) + os.sep
# Packages whose functions work on tracers as they are, or not at all.
_NEVER = frozenset("jax jaxlib numpy scipy malt ml_dtypes opt_einsum pytest _pytest pluggy matplotlib PIL cv2 torch optax".split())


class ConversionError(TypeError):
    """A function's control flow cannot be compiled. Unless it must be, the function then runs in PyNative mode."""

    def __init__(self, message):
        super().__init__(message)
        if local.state.scope is not None:
            local.state.scope.root.failed = self  # even if the program catches it


@functools.lru_cache(1024)
def is_user_file(path):
    """Whether a source file is the user's: not Sporax's, the standard library's or one of a package that knows no tensors."""
    if path.startswith("<"):
        return not path.startswith(("<string>", "<frozen", "<__array_function__"))
    full = os.path.abspath(path)
    for folder in ("site-packages", "dist-packages"):
        _, found, rest = full.partition(os.sep + folder + os.sep)
        if found:
            return rest.split(os.sep)[0].removesuffix(".py") not in _NEVER and not full.startswith(_SPORAX)
    return not full.startswith((_SPORAX, _STDLIB))


def where(error=None):
    """`file:line` of the innermost user frame of an error's traceback (default: of the running code), or ""."""
    found = ""
    if error is not None:
        trace = error.__traceback__
        while trace is not None:
            path = trace.tb_frame.f_code.co_filename
            if is_user_file(path):
                found = f"{path}:{trace.tb_lineno}"
            trace = trace.tb_next
        return found
    frame = sys._getframe(1)
    while frame is not None:
        if is_user_file(frame.f_code.co_filename):
            return f"{frame.f_code.co_filename}:{frame.f_lineno}"
        frame = frame.f_back
    return found


def cannot(message):
    """A ConversionError that says where."""
    place = where()
    return ConversionError(f"{place}: {message}" if place else message)
