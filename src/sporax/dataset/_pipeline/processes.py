"""Workers that are processes: tokens out, rows back through shared memory.

A worker is forked, so it has the pipeline with all functions and data of the program as they are, and starts in a few milliseconds; it computes with NumPy only. Tokens go through a
pipe. Large arrays come back in a memory file (`memfd`) that has no name: whatever happens to either process, the system frees it with the last of the two.
A worker that dies ends its pipe, which the parent sees at once. A worker whose parent died finds its own pipe ended, or, in the middle of a task, sees within a second
that it has another parent.
"""

import gc
import mmap
import multiprocessing
import multiprocessing.connection
import os
import pickle
import random
import signal
import sys
import threading
import time
import traceback
import warnings

import numpy as np

from sporax.dataset import config
from sporax.dataset._pipeline.errors import PipelineError, pipeline_error

# smaller arrays travel in the pipe
_SMALL = 4096
_PAGE = 4096


def available():
    """Whether processes can be forked here."""
    return hasattr(os, "fork") and hasattr(os, "memfd_create")


class _Arena:
    """A memory file that both processes map and that grows."""

    def __init__(self):
        self.file = os.memfd_create("sporax-rows")
        self.map = None

    def mapped(self, size):
        if self.map is None or len(self.map) < size:
            full = -(-size // _PAGE) * _PAGE
            if os.fstat(self.file).st_size < full:
                os.ftruncate(self.file, full)
            self.map = mmap.mmap(self.file, full)
        return self.map

    def close(self):
        self.map = None
        os.close(self.file)


def _pack(value):
    """`value` as a pickle and the large buffers that belong to it."""
    buffers = []

    def keep(buffer):
        if buffer.raw().nbytes < _SMALL:
            return True
        buffers.append(buffer.raw())
        return False

    return pickle.dumps(value, protocol=5, buffer_callback=keep), buffers


def _write(value, arena):
    """The message for `value`: its pickle, and the sizes of the large buffers that are now in the arena."""
    data, buffers = _pack(value)
    sizes, at = [len(b) for b in buffers], 0
    if sizes:
        memory = arena.mapped(_total(sizes))
        for buffer, size in zip(buffers, sizes):
            memory[at : at + size] = buffer
            at += _aligned(size)
    return data, sizes


def _read(data, sizes, arena):
    """The value of a message. Its arrays are copies: the arena is used again for the next one."""
    buffers, at = [], 0
    if sizes:
        memory = memoryview(arena.mapped(_total(sizes)))
        for size in sizes:
            buffers.append(bytearray(memory[at : at + size]))
            at += _aligned(size)
        memory.release()
    return pickle.loads(data, buffers=buffers)


def _aligned(size):
    return -(-size // 64) * 64


def _total(sizes):
    return sum(map(_aligned, sizes))


class Worker:
    """One process, used by one thread of the parent."""

    def __init__(self, run, number):
        self._pipe, theirs = multiprocessing.Pipe()
        self._arena, self._lock, self._closed = _Arena(), threading.Lock(), False
        # what is in the buffers now would be written twice
        sys.stdout.flush()
        sys.stderr.flush()
        with warnings.catch_warnings():
            # that other threads exist is known: the worker uses none of their locks
            warnings.simplefilter("ignore")
            gc.freeze()
            self.pid = os.fork()
            if self.pid == 0:
                _serve(run, number, theirs, self._pipe, self._arena)
            gc.unfreeze()
        theirs.close()

    def evaluate(self, tokens):
        """The rows of `tokens`, in order, and the error that ended them or None."""
        try:
            self._send(tokens)
            return self._receive()
        except (EOFError, OSError):
            if self._closed:
                return [], None
            raise self._died() from None

    def _send(self, tokens):
        self._pipe.send(_write(tokens, self._arena))

    def _receive(self):
        limit = config.get_multiprocessing_timeout_interval()
        while not self._pipe.poll(limit):
            warnings.warn(
                f"A worker process of the data pipeline (pid {self.pid}) has worked on one task for {limit} s; see ds.config.set_multiprocessing_timeout_interval.",
                stacklevel=2,
            )
        data, sizes, failure = self._pipe.recv()
        with self._lock:
            if self._closed:
                return [], None
            return _read(data, sizes, self._arena), failure

    def _died(self):
        _, status = self._reap(5.0)
        if status is None:
            how = "closed its pipe"
        elif os.WIFSIGNALED(status):
            number = os.WTERMSIG(status)
            how = f"was ended by {signal.Signals(number).name}" + (
                ": often the system was out of memory; use fewer num_parallel_workers or smaller rows" if number == signal.SIGKILL else ""
            )
        else:
            how = f"ended with exit status {os.WEXITSTATUS(status)}"
        return pipeline_error(f"A worker process (pid {self.pid}) {how}.")

    def _reap(self, wait):
        """Wait up to `wait` seconds for the end of the process: (gone, status or None)."""
        end = time.monotonic() + wait
        while True:
            try:
                pid, status = os.waitpid(self.pid, os.WNOHANG)
            except ChildProcessError:
                return True, None
            if pid:
                return True, status
            if time.monotonic() > end:
                return False, None
            time.sleep(0.002)

    def close(self):
        """End the process, whatever it is doing."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
        try:
            os.kill(self.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self._reap(5.0)
        with self._lock:
            self._pipe.close()
            self._arena.close()


def _serve(run, number, pipe, parents, arena):
    """The life of a worker; never returns."""
    status = 1
    try:
        parents.close()
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        parent = os.getppid()
        threading.Thread(target=_watch, args=(parent,), daemon=True).start()
        config.enter_worker(number)
        while True:
            try:
                data, sizes = pipe.recv()
            except (EOFError, OSError):
                break
            tokens = _read(data, sizes, arena)
            rows, failure = [], None
            try:
                for token in tokens:
                    rows.append(run.evaluate(token))
            except BaseException as error:
                failure = _portable(error)
            sys.stdout.flush()
            sys.stderr.flush()
            pipe.send((*_write(rows, arena), failure))
        status = 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(status)


def _portable(error):
    """The error as something that the parent can read."""
    if isinstance(error, PipelineError):
        return _stripped(error)
    return pipeline_error("".join(traceback.format_exception(error)).rstrip())


def _stripped(error):
    made = PipelineError(str(error))
    made.original = error.original
    return made


def _watch(parent):
    while os.getppid() == parent:
        time.sleep(1.0)
    os._exit(1)


def seed_libraries(*numbers):
    """In a worker: give `random` and `numpy.random` the numbers of a sample, so that what users' functions draw does not depend on the worker."""
    seed = hash(numbers) & 0xFFFFFFFF
    random.seed(seed)
    np.random.seed(seed)
