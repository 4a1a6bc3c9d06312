"""The random numbers of one sample.

A random operation asks `generator()` for the numbers it needs. In a pipeline the engine says before each sample which one it is,

    with sample(seed, epoch, index, step):      # step: the position of the operation in the pipeline
        row = operation(row)

so that what happens to a sample depends on these numbers alone: not on how many workers there are, which one took the sample, or where the pipeline was
resumed. The generator is made when it is first asked for (25 µs), so that operations that draw nothing pay nothing (0.3 µs). Philox is counter-based: the seed is
its key and the position its counter, so each position has a stream of its own (2^128 numbers; Salmon et al., 2011).

Outside a pipeline the numbers come from one generator of the process, which `seed_process` seeds and a lock guards.
"""

import contextlib
import contextvars
import threading

import numpy as np

_MASK = (1 << 64) - 1


class Source:
    """Where a sample's random numbers come from: a seed and up to two numbers that say which sample, and one for the operation."""

    __slots__ = ("_generator", "position", "seed")

    def __init__(self, seed, *position):
        if len(position) > 3:
            raise ValueError(f"a position has at most 3 numbers, received {position}")
        self.seed, self.position, self._generator = seed, position, None

    def generator(self):
        if self._generator is None:
            counter = np.zeros(4, np.uint64)
            for i, number in enumerate(reversed(self.position)):
                counter[3 - i] = number & _MASK
            key = np.array([self.seed & _MASK, (self.seed >> 64) & _MASK], np.uint64)
            self._generator = np.random.Generator(np.random.Philox(counter=counter, key=key))
        return self._generator


_source: contextvars.ContextVar[Source | None] = contextvars.ContextVar("sample", default=None)
_lock = threading.Lock()
_process: list[np.random.Generator] = []


def generator() -> np.random.Generator:
    """The generator of the sample being worked on; outside a pipeline that of the process."""
    source = _source.get()
    if source is not None:
        return source.generator()
    with _lock:
        if not _process:
            _process.append(np.random.default_rng())
        return _process[0]


def seed_process(seed):
    """Seed what is drawn outside a pipeline; None takes fresh entropy."""
    with _lock:
        _process[:] = [np.random.default_rng(seed)]


@contextlib.contextmanager
def sample(seed, *position):
    """Random operations inside draw the numbers of the sample at `position` (for example epoch, index, operation).

    Args:
        seed (int): 128 bits are used.
        position (int): up to three numbers of 64 bits.

    Examples:
        >>> from sporax.dataset import _random
        >>> with _random.sample(7, 0, 12):
        ...     a = _random.generator().random()
        >>> with _random.sample(7, 0, 12):
        ...     b = _random.generator().random()
        >>> a == b
        True
    """
    token = _source.set(Source(seed, *position))
    try:
        yield
    finally:
        _source.reset(token)
