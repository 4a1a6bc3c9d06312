"""The folder that `sporax run --resume FOLDER` names: where a run's state is kept and found again, whatever the program says."""

import os

_requested: str | None = None


def request_resume(folder):
    """Let `Model.train`, and `TrainState` without a folder, keep their state in `folder` and go on from what is there."""
    global _requested
    _requested = None if folder is None else os.path.abspath(folder)


def resume_folder(folder=None):
    """The folder of a run: `folder`, else the one that was requested when the program was started, else None."""
    return folder if folder is not None else _requested


def needed_folder(folder, function):
    """The same, or the error that says where a folder may come from."""
    found = resume_folder(folder)
    if found is None:
        raise ValueError(f"For '{function}', 'folder' is needed: give one, or start the program with `sporax run --resume FOLDER`.")
    if not isinstance(found, str):
        raise TypeError(f"For '{function}', 'folder' should be a str, but got {found!r} of type {type(found).__name__}.")
    return found
