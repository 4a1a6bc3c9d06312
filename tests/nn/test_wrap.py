"""Cells around networks: one executable per training step in Graph mode, state after it, errors."""

import numpy as np
import pytest

import sporax as ms
from sporax import Tensor, nn

RNG = np.random.default_rng(0)
X = RNG.standard_normal((6, 3)).astype(np.float32)
Y = RNG.standard_normal((6, 1)).astype(np.float32)


@pytest.fixture(params=["pynative", "graph"])
def mode(request):
    ms.set_context(mode=ms.GRAPH_MODE if request.param == "graph" else ms.PYNATIVE_MODE)
    return request.param


def numpy_training(steps, rate, scale=1.0):
    """Least squares by gradient descent."""
    w, b, losses = np.ones((3, 1)), np.zeros(1), []
    for _ in range(steps):
        error = X @ w + b - Y
        losses.append(np.mean(error**2))
        w, b = w - rate * scale * 2 * X.T @ error / len(X), b - rate * scale * 2 * error.mean(0)
    return losses, w, b


@pytest.mark.parametrize("sens", [None, 0.5, 4])
def test_training_is_gradient_descent(mode, sens):
    net = nn.Dense(3, 1, weight_init="ones", bias_init="zeros")
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.SGD(net.trainable_params(), 0.05), sens=sens)
    step.set_train()
    losses = [step(Tensor(X), Tensor(Y)).item() for _ in range(6)]
    want, w, b = numpy_training(6, 0.05, 1 if sens is None else sens)
    np.testing.assert_allclose(losses, want, rtol=1e-5)
    np.testing.assert_allclose(net.weight.asnumpy(), w.T, rtol=1e-5)
    np.testing.assert_allclose(net.bias.asnumpy(), b, rtol=1e-5)
    assert step.compiled_traces == (2 if mode == "graph" else 0)


def test_evaluation_between_steps_does_not_trace_again():
    ms.set_context(mode=ms.GRAPH_MODE)
    net = nn.SequentialCell(nn.Dense(3, 4), nn.BatchNorm1d(4), nn.Dense(4, 1))
    loss = nn.MSELoss()
    step = nn.TrainOneStepCell(nn.WithLossCell(net, loss), nn.Momentum(net.trainable_params(), 0.01, 0.9))
    evaluate = nn.WithEvalCell(net, loss)
    results = []
    for _ in range(3):
        step.set_train()
        step(Tensor(X), Tensor(Y))
        step.set_train(False)
        results.append(evaluate(Tensor(X), Tensor(Y))[0].item())
    assert step.compiled_traces == 2 and evaluate.compiled_traces == 2
    assert results[2] < results[0]


def test_return_grad(mode):
    net = nn.Dense(3, 1, weight_init="ones", bias_init="zeros")
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.SGD(net.trainable_params(), 0.0), return_grad=True)
    loss, gradients = step(Tensor(X), Tensor(Y))
    error = X @ np.ones((3, 1)) - Y
    assert list(gradients) == ["weight", "bias"]
    np.testing.assert_allclose(loss.item(), np.mean(error**2), rtol=1e-5)
    np.testing.assert_allclose(gradients["weight"].asnumpy(), 2 * (X.T @ error / len(X)).T, rtol=1e-5)


def test_only_what_the_optimizer_has_is_changed(mode):
    net = nn.SequentialCell(nn.Dense(3, 2), nn.Dense(2, 1))
    before = [p.asnumpy() for p in net.get_parameters()]
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.SGD(net[1].trainable_params(), 0.1))
    step(Tensor(X), Tensor(Y))
    changed = [not np.array_equal(b, p.asnumpy()) for b, p in zip(before, net.get_parameters(), strict=True)]
    assert changed == [False, False, True, True]


def test_scale_does_not_show_in_a_half_precision_loss(mode):
    net = nn.Dense(3, 1, weight_init="ones", bias_init="zeros").to_float(ms.float16)
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.SGD(net.trainable_params(), 1e-6), sens=2.0**10)
    loss = step(Tensor(X), Tensor(Y)).item()
    np.testing.assert_allclose(loss, np.mean((X.sum(1, keepdims=True) - Y) ** 2), rtol=1e-2)
    assert np.isfinite(net.weight.asnumpy()).all()


def test_eval_without_loss(mode):
    net = nn.Dense(3, 1)
    loss, outputs, label = nn.WithEvalCell(net, None)(Tensor(X), Tensor(Y))
    assert loss is None and outputs.shape == (6, 1)
    np.testing.assert_allclose(label.asnumpy(), Y)


def test_eval_casts_to_float32():
    net = nn.Dense(3, 1).to_float(ms.float16)
    outputs = nn.WithEvalCell(net, nn.MSELoss(), add_cast_fp32=True)(Tensor(X), Tensor(Y.astype(np.float16)))
    assert [t.dtype for t in outputs] == [ms.float32] * 3
    label = nn.WithEvalCell(net, None, add_cast_fp32=True)(Tensor(X), Tensor([1, 2, 3]))[2]
    assert label.dtype is ms.int64


def test_gradient_accumulation_over_micro_batches(mode):
    net = nn.WithLossCell(nn.Dense(3, 1, weight_init="ones", bias_init="zeros"), nn.MSELoss())
    parts = nn.GradAccumulationCell(net, 3)
    error = (X.sum(1, keepdims=True) - Y) ** 2
    np.testing.assert_allclose(parts(Tensor(X), Tensor(Y)).item(), 3 * error.mean(), rtol=1e-5)
    with pytest.raises(ValueError, match="cannot be cut into 4 equal parts"):
        nn.MicroBatchInterleaved(net, 4)(Tensor(X), Tensor(Y))


@pytest.mark.parametrize(
    ("make", "error", "match"),
    [
        (lambda net: nn.TrainOneStepCell(3, None), TypeError, "'network' should be a Cell"),
        (lambda net: nn.TrainOneStepCell(net, 3), TypeError, "'optimizer' should be an optimizer"),
        (lambda net: nn.TrainOneStepCell(net, nn.SGD(net.trainable_params()), sens="x"), TypeError, "'sens' should be a number"),
        (lambda net: nn.TrainOneStepCell(net, nn.SGD(net.trainable_params()), return_grad=3), TypeError, "'return_grad'"),
        (lambda net: nn.WithLossCell(3, print), TypeError, "'backbone'"),
        (lambda net: nn.WithLossCell(net, 3), TypeError, "'loss_fn'"),
        (lambda net: nn.WithEvalCell(3, None), TypeError, "'network'"),
        (lambda net: nn.WithGradCell(print), TypeError, "'network' should be a Cell"),
        (lambda net: nn.WithGradCell(net, sens="x"), TypeError, "'sens'"),
        (lambda net: nn.ForwardValueAndGrad(net, ["a"], get_by_list=True), TypeError, "trainable_params"),
        (lambda net: nn.MicroBatchInterleaved(net, 0), ValueError, "at least 1"),
        (lambda net: nn.GradAccumulationCell(net, "a"), TypeError, "micro_size"),
        (lambda net: nn.GradAccumulationCell(3, 2), TypeError, "'network' should be a Cell"),
        (lambda net: nn.VirtualDatasetCellTriple(3), TypeError, "'backbone' should be a Cell"),
    ],
)
def test_errors(make, error, match):
    with pytest.raises(error, match=match):
        make(nn.Dense(3, 1))


def test_pipeline_stages_are_kept():
    net = nn.SequentialCell(nn.Dense(3, 2), nn.Dense(2, 1))
    parts = nn.PipelineCell(net, 2, stage_config={"0": 0, "1": 1}, segment_config={"1": 2})
    assert (net[1].pipeline_stage, net[1].pipeline_segment) == (1, 2)
    whole = net(Tensor(X)).asnumpy()
    np.testing.assert_allclose(parts(Tensor(X)).asnumpy(), whole[:3] + whole[3:], rtol=1e-5, atol=1e-6)
    with pytest.raises(KeyError, match="names the Cell '7', but the network has 0, 1"):
        nn.PipelineCell(net, 2, {"7": 1})
    with pytest.raises(TypeError, match="stage_config"):
        nn.PipelineCell(net, 2, 3)
