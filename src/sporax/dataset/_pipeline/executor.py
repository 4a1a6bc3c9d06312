"""Evaluating the tokens of a plan ahead of the consumer, in order.

Each worker is a thread that takes the next tokens of the plan (one worker at a time, so tokens are taken in order), opens a slot for their rows at the end of the
queue, and fills it: by evaluating the tokens itself, or by sending them to its process. The consumer takes rows from the slot at the head. At most `depth` slots are
open, so memory is bounded. An exception is kept in its slot, and raised when the consumer gets there.

Small rows go many to a slot: a hand-over between threads costs 20 to 50 µs, evaluating a row may cost 2 µs. The number doubles while a slot takes less than half a
millisecond, up to 64. Plans that run user code to get the next row, or that wait for the consumer, give one row at a time: none is held back.
"""

import collections
import sys
import threading
import time

from sporax.dataset import config
from sporax.dataset._pipeline import processes
from sporax.dataset._pipeline.run import section

END_OF_PASS = object()
_QUICK, _MOST = 0.0005, 64


class _Slot:
    __slots__ = ("done", "error", "rows")

    def __init__(self):
        self.rows, self.error, self.done = (), None, False


class Executor:
    """Rows of a plan, computed ahead.

    Args:
        run: the run whose tokens these are.
        nodes: the operations that a task does.
        passes: an iterator of streams; after each of them END_OF_PASS comes.
        depth: how many slots may be open.
        allowed: how many passes may begin before `allow` is called; default: all.
    """

    def __init__(self, run, nodes, passes, depth, allowed=None):
        self._run, self._passes, self._depth = run, passes, depth
        self._stream, self._ended, self._allowed, self._begun = None, False, allowed, 0
        self._workers = max((w for node in nodes if (w := node._workers())), default=1)
        self._remote = any(node._wants_processes() for node in nodes) and self._workers > 0
        self._live = any(node._live() for node in nodes)
        # one thread in this process does everything in order anyway
        self._resolve = any(node._serial for node in nodes) and (self._workers > 1 or self._remote)
        self._chunk = 1
        self._pull = threading.Lock()
        self._lock = threading.Lock()
        self._ready, self._room = threading.Condition(self._lock), threading.Condition(self._lock)
        self._slots, self._rows = collections.deque(), collections.deque()
        self._stop, self._started, self._processes, self._failed = False, False, [], None
        run.executors.append(self)

    def prepare(self):
        """Start the workers' processes: before there are more threads."""
        if self._remote and not self._processes:
            self._processes = [processes.Worker(self._run, i) for i in range(self._workers)]

    def start(self):
        self.prepare()
        self._started = True
        for i in range(self._workers):
            process = self._processes[i] if self._processes else None
            threading.Thread(target=self._work, args=(process,), name=f"sporax-data-{i}", daemon=True).start()

    def allow(self, passes):
        """Let the first `passes` passes begin."""
        with self._lock:
            self._allowed = passes
            self._room.notify_all()

    # the workers

    def _work(self, process):
        evaluate = self._run.evaluate
        while True:
            with self._pull:
                slot, tokens = self._take()
            if slot is None or tokens is None:
                return
            begin, rows, rows_of, error = time.perf_counter(), [], [], slot.error
            try:
                ends = bool(tokens) and tokens[-1] is END_OF_PASS
                rows_of = tokens[:-1] if ends else tokens
                if process is None:
                    for token in rows_of:
                        rows.append(evaluate(token))
                elif rows_of:
                    rows, failure = process.evaluate(rows_of)
                    error = failure or error
                if ends and error is None:
                    rows.append(END_OF_PASS)
            except BaseException as e:
                error = e
            if not self._live and len(tokens) == self._chunk and time.perf_counter() - begin < _QUICK:
                self._chunk = min(_MOST, 2 * self._chunk)
            del tokens, rows_of
            with self._lock:
                slot.rows, slot.error, slot.done = rows, error, True
                if self._slots and self._slots[0] is slot:
                    self._ready.notify()
            del slot, rows, error

    def _take(self):
        """A new slot and the tokens whose rows it is for; (None, None) when there is nothing more to do."""
        with self._lock:
            while not (self._stop or self._ended) and (len(self._slots) >= self._depth or (self._stream is None and not self._may_begin())):
                self._room.wait()
            if self._stop or self._ended:
                return None, None
        slot, tokens = _Slot(), []
        try:
            while len(tokens) < self._chunk:
                if self._stream is None:
                    if tokens and not self._may_begin():
                        break
                    self._stream = next(self._passes, None)
                    self._begun += 1
                    if self._stream is None:
                        self._ended = True
                        break
                token = next(self._stream, END_OF_PASS)
                if token is END_OF_PASS:
                    self._stream.close()
                    self._stream = None
                    tokens.append(token)
                    break
                tokens.append(self._run.resolve(token) if self._resolve else token)
        except BaseException as error:
            slot.error, self._ended = error, True
        with self._lock:
            if self._stop:
                return None, None
            if self._ended:
                self._room.notify_all()
                if not tokens and slot.error is None:
                    slot.done = True
                    self._ready.notify()
                    return None, None
            self._slots.append(slot)
        return slot, tokens

    def _may_begin(self):
        return self._allowed is None or self._begun < self._allowed

    # the consumer

    def __iter__(self):
        return self

    def __next__(self):
        """The next row or END_OF_PASS; StopIteration after the last pass."""
        rows = self._rows
        if rows:
            return rows.popleft()
        if self._failed is not None:
            raise self._failed
        if not self._started:
            self.start()
        with self._lock:
            while not (self._slots and self._slots[0].done):
                if self._stop or (self._ended and not self._slots):
                    raise StopIteration
                self._ready.wait()
            slot = self._slots.popleft()
            self._room.notify()
        if slot.error is not None:
            self._failed = slot.error
        rows.extend(slot.rows)
        return self.__next__()

    def close(self, wait=1.0):
        """End the workers; a thread that is inside a user's function ends when that returns."""
        with self._lock:
            self._stop = True
            self._slots.clear()
            self._ready.notify_all()
            self._room.notify_all()
        for process in self._processes:
            process.close()
        self._rows.clear()
        stream, passes = self._stream, self._passes
        if self._pull.acquire(timeout=wait if not sys.is_finalizing() else 0):
            try:
                if stream is not None:
                    stream.close()
                close = getattr(passes, "close", None)
                if close is not None:
                    close()
            finally:
                self._pull.release()
        self._stream = None


def ahead(run, node, stream):
    """The rows of one pass of `stream`, tokens of the work of `node`, computed ahead: for operations that must see rows to know what comes next."""
    nodes = [node, *(n for child in node.children for n in section(child))]
    executor = Executor(run, nodes, iter([stream]), config.get_prefetch_size())
    executor.prepare()
    try:
        for row in executor:
            if row is END_OF_PASS:
                break
            yield row
    finally:
        executor.close()
