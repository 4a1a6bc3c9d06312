"""The folder of a run: its training states, who writes them, and which of them may go.

One process writes a folder; a lock that ends with the process says which. States are deleted only after the newest one has been read back from the disk
and found good, and then the last ones and the best ones stay.
"""

import contextlib
import fcntl
import math
import os
import re
import socket
import threading

from sporax._names import log
from sporax.train.serialization import _state_file
from sporax.train.serialization._files import explained, sync_folder
from sporax.train.serialization._wire import Damaged

_NAME = re.compile(r"state-(\d{12})\.safetensors")
_LOCK = "writing.lock"
_locks: dict = {}
_guard = threading.Lock()


def path_of(folder, step):
    """Where the state of a step is kept."""
    return os.path.join(folder, f"state-{step:012d}.safetensors")


def states(folder):
    """The states of a folder that look complete, the newest first, and (path, error) of those that don't."""
    good, bad = [], []
    for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else []:
        if _NAME.fullmatch(name):
            path = os.path.join(folder, name)
            try:
                good.append(_state_file.StateFile(path))
            except (Damaged, OSError) as error:
                bad.append((path, error))
    return sorted(good, key=lambda s: -s.serial), bad


def prepare(folder):
    """Make the folder, and let this process be the one that writes it.

    Raises:
        RuntimeError: another process writes it.
        OSError: it can't be made.
    """
    folder = os.path.realpath(folder)
    with _guard:
        if folder in _locks and os.path.exists(os.path.join(folder, _LOCK)):
            return
        lock = os.path.join(folder, _LOCK)
        try:
            os.makedirs(folder, exist_ok=True)
            descriptor = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise explained(error, lock) from error
        try:
            # a record lock: processes that this one forks (readers of data) don't keep it alive
            fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            owner = os.pread(descriptor, 200, 0).decode(errors="replace").strip()
            os.close(descriptor)
            raise RuntimeError(
                f"Another run writes its state to {folder} ({owner or 'unknown process'}). Two runs in one folder would delete each other's states: "
                "end that one, or give this one another folder."
            ) from None
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, f"process {os.getpid()} on {socket.gethostname()}\n".encode(), 0)
        _locks[folder] = descriptor


def release(folder):
    """Let another process write the folder."""
    with _guard:
        descriptor = _locks.pop(os.path.realpath(folder), None)
    if descriptor is not None:
        os.close(descriptor)


def prune(folder, newest, keep_last, keep_best, monitor, mode):
    """Delete states beyond the `keep_last` last ones and the `keep_best` best ones.

    Args:
        folder: where they are.
        newest: path of the one that was just written; it is read back first.
        keep_last: how many of the last ones stay, at least 1.
        keep_best: how many of the best ones stay.
        monitor: key in `progress` of the number that says how good a state is.
        mode: "min" or "max".

    Raises:
        OSError: the newest one is not what was written; nothing is deleted.
    """
    good, _ = states(folder)
    stay = {s.path for s in good[:keep_last]} | {newest} | {s.path for s in best(good, monitor, mode)[:keep_best]}
    going = [s.path for s in good if s.path not in stay]
    if not going:
        return
    try:
        _state_file.StateFile(newest).verify()
    except Damaged as error:
        raise OSError(f"{newest} is not on the disk as it was written: {error}. The older states are kept.") from None
    for path in going:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path)
    sync_folder(folder)


def best(good, monitor, mode):
    """States that have the number `monitor`, the best first; of equal ones the newer."""
    rated = [(s.progress.get(monitor), s) for s in good]
    rated = [(v, s) for v, s in rated if isinstance(v, int | float) and not math.isnan(v)]
    return [s for _, s in sorted(rated, key=lambda p: (p[0] if mode == "min" else -p[0], -p[1].serial))]


def newest_good(folder, which, monitor, mode):
    """Read a state: the last one, or the best one; where it is damaged the next one, with a warning.

    Returns:
        (StateFile, arrays, state), or None where the folder has no states.

    Raises:
        ValueError: there are states, and all of them are damaged.
    """
    good, bad = states(folder)
    order = best(good, monitor, mode) if which == "best" else good
    damaged = [(p, str(e)) for p, e in bad]
    for candidate in order:
        try:
            arrays, state = candidate.read()
        except Damaged as error:
            damaged.append((candidate.path, str(error)))
            log.warning("%s is damaged, and the state before it is used: %s.", candidate.path, error)
            continue
        return candidate, arrays, state
    if damaged:
        listed = "".join(f"\n  {path}: {error}" for path, error in damaged)
        raise ValueError(f"No state in {folder} can be used:{listed}")
    return None
