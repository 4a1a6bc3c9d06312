"""What went wrong in a call of a Cell, in terms of that Cell."""

import inspect


def explain(cell, error, args, kwargs):
    """Add to a TypeError or AttributeError from `construct` what the traceback alone does not say, once."""
    if getattr(error, "_explained", False):
        return
    name = type(cell).__name__
    try:
        signature = inspect.signature(cell.construct)
    except (TypeError, ValueError, AttributeError):
        return
    try:
        given = signature.bind(*args, **kwargs).arguments
    except TypeError as mismatch:
        if isinstance(error, TypeError):
            _mark(error, f"{name} was called with arguments that do not fit its construct{signature}: {mismatch}.")
        return
    for key, value in given.items():
        default = signature.parameters[key].default
        if value is None and default is not None:
            _mark(
                error,
                f"{name} was called with {key}=None. construct{signature} computes with it: did a construct forget to return its result?",
            )
            return
        if isinstance(value, list | str) and value is not default:
            _mark(
                error,
                f"{name} was called with {key}={str(value)[:60]!r}, a {type(value).__name__}, not a Tensor: wrap numbers in Tensor(...).",
            )
            return


def _mark(error, note):
    error._explained = True
    error.add_note(note)
