"""`split`: parts that have no row in common."""

import numpy as np

from sporax.dataset import _checks, config
from sporax.dataset._base import UnionBaseDataset
from sporax.dataset._pipeline import streams


class SplitDataset(UnionBaseDataset):
    """One part of a dataset: rows `start` to `stop` of an order that is the same in each epoch."""

    def __init__(self, input_dataset, start, stop, seed):
        super().__init__(input_dataset)
        self.start, self.stop, self.seed = start, stop, seed

    def _size(self):
        return self.stop - self.start

    def _open(self, run, pass_):
        # the order is that of the first epoch, so that a child that mixes its rows does not move them from part to part
        stream = run.open(self.children[0], 0)
        if self.seed is None:
            stream = streams.Take(streams.Skip(stream, self.start), self.stop - self.start)
            return stream if pass_ == 0 else streams.Lazy(_in_pass(token, pass_) for token in stream)
        return streams.Lazy(self._chosen(stream, pass_))

    def _chosen(self, stream, pass_):
        tokens = list(stream)
        order = np.random.Generator(np.random.Philox(key=self.seed)).permutation(len(tokens))
        for i in order[self.start : self.stop]:
            yield _in_pass(tokens[i], pass_)
        stream.close()


def _in_pass(token, pass_):
    """The token as one of another pass: what is random about its row differs from epoch to epoch."""
    node, child, *rest = token
    if isinstance(child, list):
        child = [_in_pass(t, pass_) for t in child]
    elif child is not None:
        child = _in_pass(child, pass_)
    return (node, child, rest[0], pass_) if len(rest) == 2 else (node, child, *rest)


def split(dataset, sizes, randomize):
    """The parts of `dataset`. See `Dataset.split`."""
    if not isinstance(sizes, list):
        raise TypeError(f"Argument sizes should be a list, but got {sizes!r} of type {type(sizes).__name__}.")
    if not sizes:
        raise ValueError("sizes cannot be empty.")
    _checks.truth("randomize", randomize)
    total = dataset.get_dataset_size()
    if total is None or total <= 0:
        raise RuntimeError(f"A dataset of size {total} can't be split.")
    counts = _counts(sizes, total)
    # a part's rows depend on the seed alone: the parts are iterated one without the other
    seed = config.get_seed() if randomize else None
    ends = np.cumsum(counts).tolist()
    source = dataset._in_order() if hasattr(dataset, "_in_order") else dataset
    return tuple(SplitDataset(source, end - count, end, seed) for end, count in zip(ends, counts))


def _counts(sizes, total):
    """Numbers of rows from numbers or fractions; what rounding leaves over goes to the first parts."""
    if all(isinstance(s, int) and not isinstance(s, bool) for s in sizes):
        for s in sizes:
            _checks.integer("size", s, 1)
        if sum(sizes) != total:
            raise RuntimeError(f"Sum of split sizes {sum(sizes)} is not equal to dataset size {total}.")
        return sizes
    if not all(isinstance(s, float) for s in sizes):
        raise ValueError(f"sizes should be list of all int or all float, but got {sizes}.")
    if any(not 0 < s <= 1 for s in sizes):
        raise ValueError(f"All fractions in sizes should be in (0, 1], but got {sizes}.")
    if abs(sum(sizes) - 1) > 1e-9:
        raise ValueError(f"The sum of the percentages is not 1: {sizes}.")
    counts = [round(s * total) for s in sizes]
    if any(c == 0 for c in counts):
        raise RuntimeError(f"A part would have no rows: sizes {sizes} of {total} rows are {counts}.")
    at = 0
    while sum(counts) != total:
        step = 1 if sum(counts) < total else -1
        if counts[at % len(counts)] + step > 0:
            counts[at % len(counts)] += step
        at += 1
    return counts
