"""Precision, recall and their means, class by class."""

import numpy as np

from sporax.train.metrics.base import Metric
from sporax.train.metrics.basic import classes_of, eval_type_of


class _Counts(Metric):
    """Counts right positives, all predicted and all true ones of each class."""

    def __init__(self, eval_type="classification"):
        super().__init__()
        self._type = eval_type_of(type(self).__name__, eval_type)
        self.clear()

    def clear(self):
        self._right = self._predicted = self._true = None

    def update(self, *inputs):
        prediction, label = self._needs(inputs, 2)
        got, want = classes_of(type(self).__name__, prediction, label, self._type)
        if self._type == "classification":
            n = prediction.shape[1]
            if want.size and (want.max() >= n or want.min() < 0):
                raise ValueError(f"For '{type(self).__name__}.update', labels should be in [0, {n}), but got {want.min()} to {want.max()}.")
            got, want = np.eye(n)[got.reshape(-1)], np.eye(n)[want.astype(np.int64).reshape(-1)]
        counts = (got * want).sum(0), got.sum(0), want.sum(0)
        if self._right is None:
            self._right, self._predicted, self._true = counts
        elif len(counts[0]) != len(self._right):
            raise ValueError(f"For '{type(self).__name__}.update', there were {len(self._right)} classes before, now there are {len(counts[0])}.")
        else:
            self._right, self._predicted, self._true = self._right + counts[0], self._predicted + counts[1], self._true + counts[2]

    def _rate(self, whole, average):
        self._check_seen(0 if self._right is None else 1)
        rates = self._right / np.maximum(whole, 1e-20)
        return rates.mean() if average else rates


class Precision(_Counts):
    """For each class, the share of predictions of it that are right; `eval(average=True)` gives the mean over classes.

    Examples:
        >>> metric = ms.train.Precision()
        >>> metric.update(Tensor([[0.2, 0.8], [0.7, 0.3], [0.4, 0.6]]), Tensor([1, 0, 0]))
        >>> metric.eval()
        array([1. , 0.5])
    """

    def eval(self, average=False):
        return self._rate(self._predicted, average)


class Recall(_Counts):
    """For each class, the share of its samples that are found; `eval(average=True)` gives the mean over classes.

    Examples:
        >>> metric = ms.train.Recall()
        >>> metric.update(Tensor([[0.2, 0.8], [0.7, 0.3], [0.4, 0.6]]), Tensor([1, 0, 0]))
        >>> metric.eval()
        array([0.5, 1. ])
    """

    def eval(self, average=False):
        return self._rate(self._true, average)


class Fbeta(_Counts):
    """For each class (1 + beta^2) precision recall / (beta^2 precision + recall); `eval(average=True)` gives the mean over classes.

    Args:
        beta: weight of the recall; not 0.

    Raises:
        ValueError: `beta` is 0.

    Examples:
        >>> metric = ms.train.Fbeta(1)
        >>> metric.update(Tensor([[0.2, 0.8], [0.7, 0.3], [0.4, 0.6]]), Tensor([1, 0, 0]))
        >>> metric.eval().round(4)
        array([0.6667, 0.6667])
    """

    def __init__(self, beta):
        super().__init__()
        if not beta:
            raise ValueError("For 'Fbeta', 'beta' should not be 0.")
        self.beta = beta

    def eval(self, average=False):
        self._check_seen(0 if self._right is None else 1)
        square = self.beta**2
        rates = (1 + square) * self._right / np.maximum(square * self._true + self._predicted, 1e-20)
        return rates.mean() if average else rates


class F1(Fbeta):
    """`Fbeta` with beta 1: the harmonic mean of precision and recall."""

    def __init__(self):
        super().__init__(1.0)
