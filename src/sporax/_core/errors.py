"""Errors that more than one part of the core raises."""


class TracedValueError(TypeError):
    """A program asked for the value of a tensor while it was being compiled (or mapped): there is no value yet.

    Inside a compile this is the signal to convert the function's control flow, and then, if that does not help, to run it in PyNative.
    """


class LeakedTensorError(RuntimeError):
    """A tensor made while a function was traced was kept (in a list, a global, an attribute) and used after the trace."""


def describe(x):
    """`Tensor[Float32](2, 3)` for a tensor, the value for a number: how error messages show what was received."""
    if hasattr(x, "aval"):
        return f"Tensor[{x.aval.ms_dtype}]{x.aval.shape}"
    if hasattr(x, "_value"):
        return f"Tensor[{x._value.aval.ms_dtype}]{x._value.aval.shape}"
    return repr(x)


def kernel_error(kernel, inputs, static, error):
    """The exception of the same class that says which op received what."""
    received = ", ".join(describe(x) for x in inputs)
    options = "".join(f", {k}={v!r}" for k, v in static.items() if not callable(v))
    text = f"For '{kernel.__name__}': {error}\nReceived: ({received}{options})."
    kind = type(error) if type(error) in (TypeError, ValueError, IndexError, ZeroDivisionError, OverflowError) else ValueError
    return kind(text)
