"""NewtonCG against the solution with the exact matrix."""

import numpy as np
import pytest

import sporax as ms
from sporax import Tensor, nn
from sporax._core import compile as compiling
from sporax.steps import NewtonCG
from tests.steps.second_order.net import LABELS, POINT, SIZE, VALUES, Net, X, Y, entropy, exact_gauss_newton, exact_hessian, ravel, squares

import jax  # isort: skip


def gradient(loss, targets):
    from tests.steps.second_order.net import output, unravel

    return np.asarray(jax.grad(lambda v: loss(output(unravel(v), X), targets))(POINT))


def test_a_step_with_the_hessian(mode):
    net, mse = Net(), nn.MSELoss()
    damping = 5.0  # more than the most negative curvature
    opt = NewtonCG(net.trainable_params(), lambda x, y: mse(net(x), y), learning_rate=0.5, damping=damping, maxiter=100, tolerance=1e-12, adapt=False)
    loss = opt(Tensor(X), Tensor(Y))
    matrix = exact_hessian(squares, Y) + damping * np.eye(SIZE)
    assert np.linalg.eigvalsh(matrix).min() > 0
    want = np.asarray(POINT) - 0.5 * np.linalg.solve(matrix, gradient(squares, Y))
    np.testing.assert_allclose(ravel(net.trainable_params()), want, rtol=1e-6, atol=1e-8)
    np.testing.assert_allclose(loss.asnumpy(), squares(jax.numpy.asarray(Net()(Tensor(X)).asnumpy()), Y), rtol=1e-9)


@pytest.mark.parametrize("loss", ["squares", "entropy"])
def test_a_step_with_gauss_newton(mode, loss):
    net = Net()
    loss_fn, exact, targets = (nn.MSELoss(), squares, Y) if loss == "squares" else (nn.CrossEntropyLoss(), entropy, LABELS)
    opt = NewtonCG(net.trainable_params(), loss_fn, net, damping=0.1, maxiter=200, tolerance=1e-12, adapt=False)
    opt(Tensor(X), Tensor(targets))
    want = np.asarray(POINT) - np.linalg.solve(exact_gauss_newton(exact, targets) + np.float32(0.1) * np.eye(SIZE), gradient(exact, targets))
    np.testing.assert_allclose(ravel(net.trainable_params()), want, rtol=1e-6, atol=1e-7)


def test_the_loss_never_rises_and_nothing_compiles_again():
    net = Net(ms.float32)
    opt = NewtonCG(net.trainable_params(), nn.MSELoss(), net, damping=1.0)
    x, y = Tensor(X.astype(np.float32)), Tensor(Y.astype(np.float32))
    losses = [float(opt(x, y).asnumpy())]
    before = dict(compiling.stats)
    dampings = []
    for _ in range(15):
        losses.append(float(opt(x, y).asnumpy()))
        dampings.append(float(opt.damping.asnumpy()))
    assert dict(compiling.stats) == before or compiling.stats["programs"] == before.get("programs", 0)
    assert all(b <= a * (1 + 1e-6) for a, b in zip(losses, losses[1:])) and losses[-1] < 0.1 * losses[0]
    steps = {round(b / a, 3) for a, b in zip(dampings, dampings[1:])}
    assert steps <= {0.667, 1.0, 1.5} and 0.667 in steps


def test_a_step_uphill_is_refused():
    p = ms.Parameter(Tensor(np.array([0.1, 2.0])), name="p")
    opt = NewtonCG([p], lambda: (p[0] ** 2 + 0.05 * p[1] ** 2).sqrt() + 0 * p[1], damping=0.0, learning_rate=50.0)
    before = p.asnumpy()
    opt()
    np.testing.assert_array_equal(p.asnumpy(), before)
    assert float(opt.damping.asnumpy()) > 0


def test_what_is_wrong_is_said():
    net = Net()
    with pytest.raises(TypeError, match="callable"):
        NewtonCG(net.trainable_params(), 3)
    with pytest.raises(ValueError, match="maxiter"):
        NewtonCG(net.trainable_params(), nn.MSELoss(), net, maxiter=0)
    with pytest.raises(ValueError, match="one number"):
        NewtonCG(net.trainable_params(), net)(Tensor(X))
    assert len(VALUES) == 4
