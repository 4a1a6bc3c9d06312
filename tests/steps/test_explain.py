"""explain_grads: what it says about each parameter, and where the first bad number came from."""

import numpy as np
import pytest

import sporax as ms
from sporax import Tensor, nn, ops


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.used = nn.Dense(3, 2)
        self.unused = nn.Dense(3, 2)
        self.frozen = nn.Dense(2, 1)
        self.norm = nn.BatchNorm1d(2)
        for p in self.frozen.trainable_params():
            p.requires_grad = False

    def construct(self, x):
        return self.frozen(self.norm(self.used(x)))


class Broken(nn.Cell):
    def __init__(self):
        super().__init__()
        self.scale = ms.Parameter(Tensor([0.0, 1.0]), name="scale")

    def construct(self, x):
        y = x * self.scale
        z = ops.log(y)
        return (z * 2).sum()


X = Tensor(np.random.default_rng(0).standard_normal((4, 3)).astype(np.float32))
Y = Tensor(np.ones((4, 1), np.float32))


@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
def test_reached_frozen_and_norms(mode):
    ms.set_context(mode=mode)
    try:
        net = Net()
        report = ms.explain_grads(net, nn.MSELoss(), X, Y)
        grads = dict(zip([p.name for p in net.get_parameters()], ms.grad(lambda: nn.MSELoss()(net(X), Y), None, list(net.get_parameters()))()))
        for row in report.parameters:
            assert row.norm == pytest.approx(float(np.linalg.norm(grads[row.name].asnumpy())), rel=1e-4, abs=1e-7)
        assert report["used.weight"].reached and report["used.weight"].verdict == "ok"
        assert not report["unused.weight"].reached and "not reached" in report["unused.weight"].verdict
        assert report["frozen.weight"].frozen and report["frozen.weight"].reached
        assert report.origin is None and "unused.weight" in str(report)
        assert ms.get_context("mode") == mode
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)


def test_nothing_is_changed():
    net = Net().set_train()
    before = {k: v.asnumpy() for k, v in net.state_dict().items()}
    ms.set_seed(1)
    ms.explain_grads(net, nn.MSELoss(), X, Y)
    drawn = ops.rand(2).asnumpy()
    for k, v in net.state_dict().items():
        np.testing.assert_array_equal(v.asnumpy(), before[k])
    ms.set_seed(1)
    np.testing.assert_array_equal(ops.rand(2).asnumpy(), drawn)


def test_the_first_bad_number_has_an_op_and_a_line():
    report = ms.explain_grads(Broken(), None, Tensor([1.0, 2.0]))
    assert report.origin.op == "log" and report.origin.phase == "forward"
    assert report.origin.line == "z = ops.log(y)" and report.origin.where.split(":")[0].endswith("test_explain.py")
    assert not np.isfinite(report.loss)
    assert "log" in str(report)


def test_a_bad_number_of_the_backward_pass_names_the_line_of_the_forward():
    class Root(Broken):
        def construct(self, x):
            return ops.sqrt(x * self.scale).sum()

    report = ms.explain_grads(Root(), None, Tensor([1.0, 2.0]))
    assert report.origin.phase == "backward" and report.origin.op == "sqrt"
    assert "ops.sqrt" in report.origin.line
    assert not report["scale"].finite and report["scale"].verdict == "NOT FINITE"


def test_inputs_that_are_bad_already_are_named():
    report = ms.explain_grads(Net(), nn.MSELoss(), Tensor(np.full((4, 3), np.nan, np.float32)), Y)
    assert "input 0 is not finite" in report.notes


def test_wrong_arguments():
    with pytest.raises(TypeError, match="'net' should be a Cell"):
        ms.explain_grads(3, None)
    with pytest.raises(KeyError, match="there are used"):
        ms.explain_grads(Net(), nn.MSELoss(), X, Y)["nosuch"]
