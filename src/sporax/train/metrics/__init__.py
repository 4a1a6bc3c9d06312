"""Metrics, and their names."""

from sporax._names import module_getattr
from sporax.train.metrics.base import Metric
from sporax.train.metrics.basic import MAE, MSE, Accuracy, Loss, Perplexity, Top1CategoricalAccuracy, Top5CategoricalAccuracy, TopKCategoricalAccuracy
from sporax.train.metrics.rates import F1, Fbeta, Precision, Recall

_BY_NAME = {
    "accuracy": Accuracy, "acc": Accuracy, "precision": Precision, "recall": Recall, "F1": F1, "topk": TopKCategoricalAccuracy,
    "top_1_accuracy": Top1CategoricalAccuracy, "top_5_accuracy": Top5CategoricalAccuracy, "mae": MAE, "mse": MSE, "loss": Loss,
    "perplexity": Perplexity,
}  # fmt: skip


def names():
    """The names that `get_metric_fn` and `Model(metrics={...})` know.

    Examples:
        >>> "accuracy" in ms.train.names()
        True
    """
    return list(_BY_NAME)


def get_metric_fn(name, *args, **kwargs):
    """A metric by its name.

    Raises:
        KeyError: there is no such metric.

    Examples:
        >>> type(ms.train.get_metric_fn("accuracy", eval_type="classification")).__name__
        'Accuracy'
    """
    if name not in _BY_NAME:
        raise KeyError(f"There is no metric {name!r}: use one of {names()}.")
    return _BY_NAME[name](*args, **kwargs)


def metrics_of(given):
    """Metric objects by name, from what `Model` is told: None, a dict from names to metrics, or a set of names.

    Raises:
        TypeError: something else.
    """
    if not given:
        return {}
    if isinstance(given, dict):
        for name, metric in given.items():
            if not isinstance(name, str) or not isinstance(metric, Metric):
                raise TypeError(f"Each of 'metrics' should be a name and a Metric, but got {name!r}: {metric!r}.")
        return dict(given)
    if isinstance(given, set):
        if not all(isinstance(name, str) for name in given):
            raise TypeError(f"A set of 'metrics' should hold names, but got {given!r}.")
        return {name: get_metric_fn(name) for name in sorted(given)}
    raise TypeError(f"'metrics' should be None, a dict of Metrics or a set of names, but got {given!r} of type {type(given).__name__}.")


__all__ = [
    "F1", "MAE", "MSE", "Accuracy", "Fbeta", "Loss", "Metric", "Perplexity", "Precision", "Recall", "Top1CategoricalAccuracy",
    "Top5CategoricalAccuracy", "TopKCategoricalAccuracy", "get_metric_fn", "names",
]  # fmt: skip
__getattr__ = module_getattr(__name__)
