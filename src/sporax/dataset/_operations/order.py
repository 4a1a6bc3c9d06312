"""Which rows come, and in which order: shuffle, repeat, skip, take."""

from sporax.dataset import _checks
from sporax.dataset._base import UnionBaseDataset
from sporax.dataset._pipeline import streams


class ShuffleDataset(UnionBaseDataset):
    """Rows in an order that is mixed within a window. See `Dataset.shuffle`."""

    def __init__(self, input_dataset, buffer_size):
        super().__init__(input_dataset)
        self.buffer_size = _checks.integer("buffer_size", buffer_size, 2)
        # split mixes the rows of each epoch in the same way
        self._every_pass = True

    def _open(self, run, pass_):
        return streams.Shuffle(run.open(self.children[0], pass_), self.buffer_size, run.rng(self, pass_ if self._every_pass else 0))

    def is_shuffled(self):
        return True


class RepeatDataset(UnionBaseDataset):
    """Rows several times. See `Dataset.repeat`."""

    def __init__(self, input_dataset, count=None):
        super().__init__(input_dataset)
        if count is None:
            count = -1
        if not isinstance(count, int) or isinstance(count, bool):
            raise TypeError(f"Argument count with value {count!r} is not of type [int], but got {type(count).__name__}.")
        if count != -1 and not 1 <= count <= _checks.INT32_MAX:
            raise ValueError(f"count should be either -1 or positive integer, range[1, INT32_MAX], but got {count}.")
        self.count = count

    def _open(self, run, pass_):
        child, count = self.children[0], None if self.count == -1 else self.count
        # passes of the child are numbered through, so that each has an order of its own
        return streams.Repeat(lambda again: run.open(child, pass_ * (count or 1) + again), count)

    def _size(self):
        size = super()._size()
        return size if size is None or self.count == -1 else size * self.count

    def _repeats(self):
        return self.count * super()._repeats()


class SkipDataset(UnionBaseDataset):
    """Rows without the first. See `Dataset.skip`."""

    def __init__(self, input_dataset, count):
        super().__init__(input_dataset)
        self.count = _checks.integer("count", count, 0)

    def _open(self, run, pass_):
        return streams.Skip(run.open(self.children[0], pass_), self.count)

    def _size(self):
        size = super()._size()
        return None if size is None else max(0, size - self.count)


class TakeDataset(UnionBaseDataset):
    """The first rows. See `Dataset.take`."""

    def __init__(self, input_dataset, count=-1):
        super().__init__(input_dataset)
        if not isinstance(count, int) or isinstance(count, bool):
            raise TypeError(f"Argument count with value {count!r} is not of type [int], but got {type(count).__name__}.")
        if count != -1 and not 0 < count <= _checks.INT32_MAX:
            raise ValueError(f"count should be either -1 or within the required interval of (0, 2147483647], got {count}.")
        self.count = count

    def _open(self, run, pass_):
        stream = run.open(self.children[0], pass_)
        return stream if self.count == -1 else streams.Take(stream, self.count)

    def _size(self):
        if self.count == -1:
            return super()._size()
        if self.children[0]._repeats() < 0:
            return self.count
        size = super()._size()
        return None if size is None else min(size, self.count)
