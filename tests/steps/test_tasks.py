"""Several tasks on one network: weights, frequencies, learned balance and surgery, against NumPy."""

import numpy as np
import pytest

import sporax as ms
from sporax import Tensor, nn
from sporax.steps import Task, Tasks, TrainStep

RNG = np.random.default_rng(2)
X = RNG.standard_normal((6, 3)).astype(np.float32)
Y = RNG.standard_normal((6, 2)).astype(np.float32)
W = RNG.standard_normal((2, 3)).astype(np.float32)


def first(out, y):
    return ((out[:, 0] - y[:, 0]) ** 2).mean()


def second(out, y):
    return ((out[:, 1] - y[:, 1] + out[:, 0]) ** 2).mean()


def reference(w):
    """Losses of both tasks and their gradients with respect to the weight of a linear map without bias."""
    out = X @ w.T
    e, f = out[:, 0] - Y[:, 0], out[:, 1] - Y[:, 1] + out[:, 0]
    g = np.stack([2 * e @ X / 6, np.zeros(3)])
    h = np.stack([2 * f @ X / 6, 2 * f @ X / 6])
    return ((e**2).mean(), (f**2).mean()), (g, h)


def trained(tasks, steps=4, lr=0.1, more=()):
    net = nn.Dense(3, 2, weight_init=Tensor(W), has_bias=False)
    step = TrainStep(net, tasks, nn.SGD([*net.trainable_params(), *more], lr))
    outs = [step(Tensor(X), Tensor(Y)) for _ in range(steps)]
    return net.weight.asnumpy(), outs


def test_weights_frequencies_and_schedules():
    def falling(update):
        return 1 / (1 + update.astype(ms.float32))

    tasks = Tasks({"a": Task(first, weight=falling), "b": Task(second, weight=0.3, every=2)})
    got, outs = trained(tasks)
    w = W.astype(np.float64)
    for i in range(4):
        losses, (g, h) = reference(w)
        np.testing.assert_allclose([v.item() for v in outs[i].aux["losses"].values()], losses, rtol=1e-5)
        weights = 1 / (1 + i), 0.3 * (i % 2 == 0)
        np.testing.assert_allclose(outs[i].loss.item(), weights[0] * losses[0] + weights[1] * losses[1], rtol=1e-5)
        w -= 0.1 * (weights[0] * g + weights[1] * h)
    np.testing.assert_allclose(got, w, rtol=1e-5)


def test_learned_uncertainty():
    tasks = Tasks({"a": Task(first), "b": Task(second)}, balance="uncertainty")
    got, _ = trained(tasks, more=tasks.trainable_params())
    w, s = W.astype(np.float64), np.zeros(2)
    for _ in range(4):
        losses, (g, h) = reference(w)
        w, s = w - 0.1 * (np.exp(-s[0]) * g + np.exp(-s[1]) * h), s - 0.1 * (1 - np.exp(-s) * losses)
    np.testing.assert_allclose(got, w, rtol=1e-5)
    np.testing.assert_allclose(tasks.log_variance.asnumpy(), s, rtol=1e-5)


def test_gradient_surgery():
    def against(out, y):
        return -0.5 * first(out, y) + 0.1 * second(out, y)

    got, outs = trained(Tasks({"a": Task(first), "b": Task(against)}, surgery="pcgrad"), steps=3)
    w = W.astype(np.float64)
    for out in outs:
        _, (g, h) = reference(w)
        h = -0.5 * g + 0.1 * h
        dot = (g * h).sum()
        cosine = dot / np.linalg.norm(g) / np.linalg.norm(h)
        np.testing.assert_allclose(out.aux["cosines"].asnumpy(), [[1, cosine], [cosine, 1]], rtol=1e-4, atol=1e-6)
        np.testing.assert_allclose(out.aux["norms"]["a"].item(), np.linalg.norm(g), rtol=1e-5)
        assert dot < 0
        w -= 0.1 * (g - dot / (h * h).sum() * h + h - dot / (g * g).sum() * g)
    np.testing.assert_allclose(got, w, rtol=1e-4, atol=1e-6)


def test_gradnorm_moves_weights_towards_equal_rates():
    tasks = Tasks({"large": Task(lambda out, y: 50 * first(out, y)), "small": Task(second)}, balance="gradnorm", rate=0.01)
    _, outs = trained(tasks, steps=20, lr=1e-3)
    large, small = tasks.task_weights.asnumpy()
    assert large + small == pytest.approx(2, rel=1e-5)
    assert large < 0.9 < 1.1 < small
    np.testing.assert_allclose(tasks.first_losses.asnumpy(), [v.item() for v in outs[0].aux["losses"].values()], rtol=1e-6)


def test_statistics_are_updated_once_for_all_tasks():
    net = nn.SequentialCell(nn.Dense(3, 2), nn.BatchNorm1d(2))
    step = TrainStep(net, Tasks({"a": Task(first), "b": Task(second)}, surgery="pcgrad"), nn.SGD(net.trainable_params(), 0.0))
    hidden = net[0](Tensor(X)).asnumpy()
    step(Tensor(X), Tensor(Y))
    np.testing.assert_allclose(net[1].moving_mean.asnumpy(), 0.1 * hidden.mean(0), rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize(
    ("make", "error"),
    [
        (lambda: Task(3), TypeError),
        (lambda: Task(first, every=0), ValueError),
        (lambda: Tasks({}), TypeError),
        (lambda: Tasks({"a": first}), TypeError),
        (lambda: Tasks({"a": Task(first)}, balance="equal"), ValueError),
        (lambda: Tasks({"a": Task(first)}, balance="uncertainty", surgery="pcgrad"), ValueError),
        (lambda: trained(Tasks({"a": Task(lambda out, y: out)})), ValueError),
    ],
)
def test_errors(make, error):
    with pytest.raises(error):
        make()
