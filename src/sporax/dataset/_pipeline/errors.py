"""What a failing row says: the operation, the row's number, what it received, and the traceback of the user's function."""

import traceback

import numpy as np

USER = "Exception thrown from user defined Python function in dataset."
PIPELINE = "Exception thrown from dataset pipeline."


class PipelineError(RuntimeError):
    """A row could not be made. `original` has the text of the traceback of what went wrong."""

    original = ""

    def __reduce__(self):
        return _remake, (str(self), self.original)


def _remake(text, original):
    error = PipelineError(text)
    error.original = original
    return error


def describe(value):
    """A column's value in a message: `uint8[28, 28]`."""
    if isinstance(value, np.ndarray):
        return f"{value.dtype}{list(value.shape)}"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{k!r}: {describe(v)}" for k, v in value.items()) + "}"
    return type(value).__name__


def user_error(error, what, received=None):
    """The error that says where a user's function failed.

    Args:
        error: what the function raised.
        what: which function, and on which row.
        received: pairs (column, value) that it was called with.
    """
    if isinstance(error, PipelineError):
        return error
    # the first frames are the pipeline's own
    frames = error.__traceback__
    while frames is not None and frames.tb_next is not None and "sporax" in frames.tb_frame.f_globals.get("__name__", ""):
        frames = frames.tb_next
    text = "".join(traceback.format_exception(type(error), error, frames)).rstrip()
    with_ = "".join(f"\n  {name}: {describe(value)}" for name, value in received or ())
    made = PipelineError(f"{USER} {what} failed with {type(error).__name__}: {error}{f'{chr(10)}It received{with_}' if with_ else ''}\n{text}")
    made.original = text
    made.__cause__ = error
    return made


def pipeline_error(text):
    """The error of a pipeline whose operations don't fit together."""
    return PipelineError(f"{PIPELINE} {text}")
