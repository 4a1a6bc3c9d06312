"""Metrics: what is computed over a whole data set from the outputs of its batches."""

import abc

import numpy as np

from sporax._core.tensor import Tensor


class Metric(abc.ABC):
    """Base of metrics: `clear`, then `update` for each batch, then `eval`."""

    def __init__(self):
        self._indexes = None

    @abc.abstractmethod
    def clear(self):
        """Forget what was seen."""

    @abc.abstractmethod
    def update(self, *inputs):
        """See the outputs and labels of one batch."""

    @abc.abstractmethod
    def eval(self):
        """The value of the metric over all that was seen."""

    @property
    def indexes(self):
        """Which outputs of the evaluation network `update` gets, a list of ints, or None."""
        return self._indexes

    def set_indexes(self, indexes):
        """Choose which outputs `update` gets; returns self.

        Raises:
            ValueError: `indexes` is no list of ints.
        """
        if not isinstance(indexes, list) or not all(type(i) is int for i in indexes):
            raise ValueError(f"For 'set_indexes', 'indexes' should be a list of ints, but got {indexes!r}.")
        self._indexes = indexes
        return self

    def chosen(self, outputs):
        """The outputs that this metric gets."""
        return outputs if self._indexes is None else tuple(outputs[i] for i in self._indexes)

    def _needs(self, inputs, count):
        if len(inputs) != count:
            raise ValueError(f"For '{type(self).__name__}.update', it needs {count} inputs, but got {len(inputs)}.")
        return [array_of(x) for x in inputs]

    def _check_seen(self, count):
        if not count:
            raise RuntimeError(f"The '{type(self).__name__}' can not be calculated, because the number of samples is 0: call update first.")


def array_of(x):
    """A Tensor, array, list or number as an array."""
    return x.asnumpy() if isinstance(x, Tensor) else np.asarray(x)
