"""Python control flow on tensor values inside a compiled function."""

import contextlib

from sporax._core import context
from sporax._core.errors import TracedValueError


class ConversionError(TypeError):
    """A function's control flow cannot be compiled."""


def convert(function):
    """The function with `if`, `while` and `for` on tensors turned into operations."""
    raise ConversionError(f"{function} cannot be converted")


@contextlib.contextmanager
def tracing_prints(scope):
    """Let `print` inside the traced function print at every run."""
    yield


def report_fallback(name, error):
    """Say once that a function runs in PyNative instead, and why."""
    if context.fail_on_fallback():
        raise error
    context.warn_once(("fallback", name), f"'{name}' cannot be compiled and runs in PyNative mode: {error}", stacklevel=6)


__all__ = ["ConversionError", "TracedValueError", "convert", "report_fallback", "tracing_prints"]
