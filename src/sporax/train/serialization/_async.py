"""Saving while training goes on: one file at a time, in one thread.

The thread has the arrays themselves: they never change, and a training step that wants to reuse their memory sees that somebody has them and copies
first. So nothing is copied for it beforehand. Python waits for the thread at its exit, so a file that was begun is finished.
"""

import threading

from sporax._names import log

THREAD = "asyn_save_ckpt"
_lock = threading.Lock()
_running: threading.Thread | None = None


def start(write, path):
    """Run `write()` in a thread, once the one before is done. If it fails, the log says so at once."""
    global _running

    def run():
        try:
            write()
        except BaseException as error:
            log.critical("Saving %s in the background failed: %s", path, error)

    with _lock:
        if _running is not None:
            _running.join()
        _running = threading.Thread(target=run, name=THREAD)
        _running.start()


def wait():
    """Wait until nothing is being saved in the background."""
    thread = _running
    if thread is not None:
        thread.join()


def async_ckpt_thread_status():
    """Whether a checkpoint is being saved in the background.

    Examples:
        >>> ms.async_ckpt_thread_status()
        False
    """
    thread = _running
    return thread is not None and thread.is_alive()
