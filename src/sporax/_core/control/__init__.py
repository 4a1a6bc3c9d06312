"""Python control flow on tensor values inside a compiled function.

A function is first traced as it is. Only if it asks for a tensor's value is it converted: its syntax tree is rewritten (`rewrite`, on
`malt`, which is imported only then) so that `if`, `while`, `for`, `and`... call operators (`branch`, `loop`), which trace the branches
and bodies as pieces (`pieces`) and put them into `lax.cond`, `lax.while_loop` and `lax.scan`.
"""

from sporax._core import context, prints
from sporax._core.control.alarms import check as check_alarms
from sporax._core.control.errors import ConversionError, where
from sporax._core.control.kinds import is_number
from sporax._core.errors import TracedValueError


def convert(function):
    """The function with `if`, `while` and `for` on tensors turned into operations."""
    from sporax._core.control.rewrite import convert as convert_now

    return convert_now(function)


def run_if(condition, function):
    """Call `function()`, which changes state and returns nothing, where `condition`, a bool Tensor, holds: in a compiled program when it runs."""
    from sporax._core.control.branch import if_stmt

    if_stmt(condition, function, lambda: None, tuple, lambda state: None, (), 0)


def tracing_prints(scope):
    """Context in which `print` in the traced function prints at every run (see `prints`)."""
    return prints.hooked()


def report_fallback(name, error):
    """Say once that a function runs in PyNative instead, and why."""
    if context.fail_on_fallback():
        raise error
    text, place = str(error), where(error)
    if place and place not in text:
        text = f"{place}: {text}"
    context.warn_once(("fallback", name), f"'{name}' cannot be compiled and runs in PyNative mode. {text}", stacklevel=6)


__all__ = ["ConversionError", "TracedValueError", "check_alarms", "convert", "is_number", "report_fallback", "tracing_prints"]
