"""Losses, errors, and how many predictions are right."""

import numpy as np

from sporax.train.metrics.base import Metric, array_of


class Loss(Metric):
    """The mean of the losses of batches.

    Examples:
        >>> metric = ms.train.Loss()
        >>> metric.clear()
        >>> metric.update(Tensor(0.2)), metric.update(Tensor(0.4))
        (None, None)
        >>> round(float(metric.eval()), 3)
        0.3
    """

    def __init__(self):
        super().__init__()
        self.clear()

    def clear(self):
        self._sum, self._count = 0.0, 0

    def update(self, *inputs):
        (loss,) = self._needs(inputs, 1)
        if loss.ndim > 1 or loss.size != 1:
            raise ValueError(f"For 'Loss.update', the input should be one number, but got shape {loss.shape}.")
        self._sum += loss.reshape(())
        self._count += 1

    def eval(self):
        self._check_seen(self._count)
        return self._sum / self._count


class _Error(Metric):
    def __init__(self):
        super().__init__()
        self.clear()

    def clear(self):
        self._sum, self._count = 0.0, 0

    def update(self, *inputs):
        prediction, label = self._needs(inputs, 2)
        if prediction.shape != label.shape:
            raise ValueError(
                f"For '{type(self).__name__}.update', predictions and labels should have one shape, but got {prediction.shape} and {label.shape}."
            )
        self._sum += self._of(prediction.astype(np.float64) - label).sum()
        self._count += prediction.shape[0]

    def eval(self):
        self._check_seen(self._count)
        return self._sum / self._count


class MAE(_Error):
    """The sum of absolute errors over the number of samples.

    Examples:
        >>> metric = ms.train.MAE()
        >>> metric.update(Tensor([1.0, 2.0]), Tensor([2.0, 4.0]))
        >>> metric.eval().item()
        1.5
    """

    _of = staticmethod(np.abs)


class MSE(_Error):
    """The sum of squared errors over the number of samples.

    Examples:
        >>> metric = ms.train.MSE()
        >>> metric.update(Tensor([1.0, 2.0]), Tensor([2.0, 4.0]))
        >>> metric.eval().item()
        2.5
    """

    _of = staticmethod(np.square)


def classes_of(name, prediction, label, eval_type):
    """Predicted and true classes (classification) or 0/1 decisions (multilabel), after a check of their shapes."""
    if eval_type == "classification":
        if prediction.ndim < 2 or not (label.ndim == prediction.ndim - 1 or label.shape == prediction.shape):
            raise ValueError(
                f"For '{name}.update' with 'classification', predictions should be (N, C, ...) and labels (N, ...) or one-hot, "
                f"but got {prediction.shape} and {label.shape}."
            )
        return prediction.argmax(1), label.argmax(1) if label.shape == prediction.shape else label
    if prediction.shape != label.shape or prediction.ndim < 2:
        raise ValueError(
            f"For '{name}.update' with 'multilabel', predictions and labels should have one shape (N, C, ...), but got {prediction.shape} and {label.shape}."
        )
    if not np.isin(prediction, (0, 1)).all() or not np.isin(label, (0, 1)).all():
        raise ValueError(f"For '{name}.update' with 'multilabel', predictions and labels should be 0 or 1.")
    axes = prediction.shape[1]
    return np.moveaxis(prediction, 1, -1).reshape(-1, axes), np.moveaxis(label, 1, -1).reshape(-1, axes)


def eval_type_of(name, eval_type):
    """The kind of classification, checked."""
    if eval_type not in ("classification", "multilabel"):
        raise TypeError(f"For '{name}', 'eval_type' should be 'classification' or 'multilabel', but got {eval_type!r}.")
    return eval_type


class Accuracy(Metric):
    """The share of right predictions.

    Args:
        eval_type: "classification": the largest of (N, C, ...) scores should be at the label (N, ...) or at that of a one-hot label; "multilabel": all C
            decisions (0 or 1) of a sample should be right. Default: "classification".

    Raises:
        TypeError: another `eval_type`.
        ValueError: shapes do not fit.
        RuntimeError: nothing was seen.

    Examples:
        >>> metric = ms.train.Accuracy()
        >>> metric.update(Tensor([[0.2, 0.8], [0.7, 0.3], [0.4, 0.6]]), Tensor([1, 0, 0]))
        >>> round(float(metric.eval()), 4)
        0.6667
    """

    def __init__(self, eval_type="classification"):
        super().__init__()
        self._type = eval_type_of("Accuracy", eval_type)
        self.clear()

    def clear(self):
        self._right, self._count = 0, 0

    def update(self, *inputs):
        prediction, label = self._needs(inputs, 2)
        got, want = classes_of("Accuracy", prediction, label, self._type)
        right = got == want if self._type == "classification" else (got == want).all(1)
        self._right += int(right.sum())
        self._count += right.size

    def eval(self):
        self._check_seen(self._count)
        return self._right / self._count


class TopKCategoricalAccuracy(Metric):
    """The share of samples whose label is among the `k` largest scores.

    Args:
        k: a positive int.

    Raises:
        TypeError: `k` is no int.
        ValueError: it is less than 1.

    Examples:
        >>> metric = ms.train.TopKCategoricalAccuracy(2)
        >>> metric.update(Tensor([[0.2, 0.5, 0.3], [0.1, 0.2, 0.7]]), Tensor([2, 0]))
        >>> metric.eval()
        0.5
    """

    def __init__(self, k):
        super().__init__()
        if isinstance(k, bool) or not isinstance(k, int):
            raise TypeError(f"For '{type(self).__name__}', 'k' should be an int, but got {k!r} of type {type(k).__name__}.")
        if k < 1:
            raise ValueError(f"For '{type(self).__name__}', 'k' should be at least 1, but got {k}.")
        self.k = k
        self.clear()

    def clear(self):
        self._right, self._count = 0, 0

    def update(self, *inputs):
        prediction, label = self._needs(inputs, 2)
        label = label.argmax(1) if label.shape == prediction.shape else label
        best = np.argsort(-prediction, axis=1, kind="stable")[:, : self.k]
        self._right += int((best == label.reshape(-1, 1)).any(1).sum())
        self._count += len(label)

    def eval(self):
        self._check_seen(self._count)
        return self._right / self._count


class Top1CategoricalAccuracy(TopKCategoricalAccuracy):
    """The share of samples whose label has the largest score."""

    def __init__(self):
        super().__init__(1)


class Top5CategoricalAccuracy(TopKCategoricalAccuracy):
    """The share of samples whose label is among the five largest scores."""

    def __init__(self):
        super().__init__(5)


class Perplexity(Metric):
    """exp of the mean negative log probability of the labels: predictions are probabilities (N, ..., C), labels (N, ...).

    Args:
        ignore_label: a label that does not count. Default: None.

    Examples:
        >>> metric = ms.train.Perplexity()
        >>> metric.update(Tensor([[0.5, 0.5], [0.25, 0.75]]), Tensor([0, 0]))
        >>> round(float(metric.eval()), 4)
        2.8284
    """

    def __init__(self, ignore_label=None):
        super().__init__()
        if ignore_label is not None and type(ignore_label) is not int:
            raise TypeError(f"For 'Perplexity', 'ignore_label' should be an int or None, but got {ignore_label!r}.")
        self.ignore_label = ignore_label
        self.clear()

    def clear(self):
        self._sum, self._count = 0.0, 0

    def update(self, *inputs):
        prediction, label = (array_of(x) for x in inputs[:2])
        if prediction.shape[:-1] != label.shape:
            raise ValueError(
                f"For 'Perplexity.update', labels should have shape {prediction.shape[:-1]} for predictions {prediction.shape}, but got {label.shape}."
            )
        flat, label = prediction.reshape(-1, prediction.shape[-1]), label.reshape(-1).astype(np.int64)
        probability = flat[np.arange(len(label)), label].astype(np.float64)
        if self.ignore_label is not None:
            probability = probability[label != self.ignore_label]
        self._sum -= np.log(np.maximum(probability, 1e-10)).sum()
        self._count += len(probability)

    def eval(self):
        self._check_seen(self._count)
        return float(np.exp(self._sum / self._count))
