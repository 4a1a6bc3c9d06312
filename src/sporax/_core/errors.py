"""Errors that more than one part of the core raises."""


class TracedValueError(TypeError):
    """A program asked for the value of a tensor while it was being compiled (or mapped): there is no value yet.

    Inside a compile this is the signal to convert the function's control flow, and then, if that does not help, to run it in PyNative.
    """


class LeakedTensorError(RuntimeError):
    """A tensor made while a function was traced was kept (in a list, a global, an attribute) and used after the trace."""


class OwnGradientError(TypeError):
    """A Cell with a gradient of its own (`bprop`, backward hooks) was called where the derivative is taken of a whole region."""

    def __init__(self, what="a Cell in it has"):
        super().__init__(
            f"{what} a 'bprop' method or backward hooks, which are not followed inside `cond`, `while_loop`, `scan`, `vmap` or recomputation when a "
            "gradient is taken through it. Call the Cell outside, or use plain Python control flow."
        )


def describe(x):
    """`Tensor[Float32](2, 3)` for a tensor, the value for a number: how error messages show what was received."""
    if hasattr(x, "aval"):
        return f"Tensor[{x.aval.ms_dtype}]{x.aval.shape}"
    if hasattr(x, "_value"):
        return f"Tensor[{x._value.aval.ms_dtype}]{x._value.aval.shape}"
    return repr(x)


KERNEL_ERRORS = (TypeError, ValueError, IndexError, ZeroDivisionError, OverflowError, AttributeError)


def kernel_error(kernel, inputs, static, error):
    """The exception of the same class that says which op received what."""
    received = ", ".join(describe(x) for x in inputs)
    options = "".join(f", {k}={v!r}" for k, v in static.items() if not callable(v))
    kind = type(error) if type(error) in KERNEL_ERRORS else ValueError
    if kind is AttributeError:
        # the kernel asked None or a number for what only a tensor has
        kind, error = TypeError, "each input should be a Tensor, but one is not"
    return kind(f"For '{kernel.__name__}': {error}\nReceived: ({received}{options}).")
