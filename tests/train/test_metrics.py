"""Metrics against scikit-learn."""

import numpy as np
import pytest
import sklearn.metrics as sk

from sporax import Tensor, train

RNG = np.random.default_rng(5)
SCORES = RNG.random((3, 20, 4)).astype(np.float32)
LABELS = RNG.integers(0, 4, (3, 20))
FLAT = SCORES.reshape(-1, 4).argmax(1), LABELS.reshape(-1)


def value(metric, scores=SCORES, labels=LABELS):
    metric.clear()
    for s, y in zip(scores, labels, strict=True):
        metric.update(Tensor(s), Tensor(y))
    return metric.eval()


def test_classification():
    got, want = FLAT
    assert value(train.Accuracy()) == pytest.approx(sk.accuracy_score(want, got))
    one_hot = np.eye(4, dtype=np.int64)[LABELS]
    assert value(train.Accuracy(), labels=one_hot) == pytest.approx(sk.accuracy_score(want, got))
    np.testing.assert_allclose(value(train.Precision()), sk.precision_score(want, got, average=None))
    np.testing.assert_allclose(value(train.Recall()), sk.recall_score(want, got, average=None))
    np.testing.assert_allclose(value(train.F1()), sk.f1_score(want, got, average=None))
    np.testing.assert_allclose(value(train.Fbeta(2)), sk.fbeta_score(want, got, beta=2, average=None))
    for k in (1, 2, 3):
        assert value(train.TopKCategoricalAccuracy(k)) == pytest.approx(sk.top_k_accuracy_score(want, SCORES.reshape(-1, 4), k=k))
    metric = train.Precision()
    value(metric)
    assert metric.eval(average=True) == pytest.approx(sk.precision_score(want, got, average="macro"))


def test_multilabel():
    got, want = (RNG.integers(0, 2, (3, 20, 4)) for _ in range(2))
    flat = got.reshape(-1, 4), want.reshape(-1, 4)
    assert value(train.Accuracy("multilabel"), got, want) == pytest.approx(sk.accuracy_score(flat[1], flat[0]))
    np.testing.assert_allclose(value(train.Recall("multilabel"), got, want), sk.recall_score(flat[1], flat[0], average=None))


def test_regression_and_losses():
    x, y = (RNG.standard_normal((3, 20)).astype(np.float32) for _ in range(2))
    assert value(train.MAE(), x, y) == pytest.approx(sk.mean_absolute_error(y.ravel(), x.ravel()), rel=1e-6)
    assert value(train.MSE(), x, y) == pytest.approx(sk.mean_squared_error(y.ravel(), x.ravel()), rel=1e-6)
    loss = train.Loss()
    for v in x[0]:
        loss.update(Tensor(v))
    assert loss.eval() == pytest.approx(x[0].mean(), rel=1e-5)
    p = SCORES / SCORES.sum(-1, keepdims=True)
    chosen = p.reshape(-1, 4)[np.arange(60), FLAT[1]].astype(np.float64)
    assert value(train.Perplexity(), p) == pytest.approx(np.prod(1 / chosen) ** (1 / 60), rel=1e-5)
    rest = FLAT[1] != 2
    assert value(train.Perplexity(ignore_label=2), p) == pytest.approx(np.exp(-np.log(chosen[rest]).mean()), rel=1e-5)


@pytest.mark.parametrize("name", train.names())
def test_nothing_seen_is_an_error(name):
    metric = train.get_metric_fn(name, *((2,) if name == "topk" else ()))
    with pytest.raises(RuntimeError, match="number of samples is 0"):
        metric.eval()


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: train.Accuracy("binary"), TypeError),
        (lambda: train.Accuracy().update(Tensor([1.0]), Tensor([1])), ValueError),
        (lambda: train.Accuracy().update(Tensor([[1.0]])), ValueError),
        (lambda: train.Precision().update(Tensor([[0.1, 0.9]]), Tensor([2])), ValueError),
        (lambda: train.Accuracy("multilabel").update(Tensor([[0.5]]), Tensor([[1]])), ValueError),
        (lambda: train.MAE().update(Tensor([1.0]), Tensor([[1.0]])), ValueError),
        (lambda: train.Fbeta(0), ValueError),
        (lambda: train.TopKCategoricalAccuracy(0), ValueError),
        (lambda: train.Loss().set_indexes([1.5]), ValueError),
    ],
)
def test_errors(call, error):
    with pytest.raises(error):
        call()
