"""Gradients of single samples, the empirical Fisher matrix, the noise scale and SAM, against JAX and the papers' formulas."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import sporax as ms
from sporax import Tensor, nn
from sporax.steps import empirical_fisher, noise_scale, noise_scale_from_norms, per_sample_grads, sam_value_and_grad
from tests.steps.second_order.net import MODES, POINT, VALUES, Net, X, Y, output, ravel, squares, unravel

PER_SAMPLE = np.stack([jax.grad(lambda v, i=i: squares(output(unravel(v), X[i : i + 1]), Y[i : i + 1]))(POINT) for i in range(len(X))])


@pytest.fixture(params=MODES, ids=["pynative", "graph"])
def loss(request):
    ms.set_context(mode=request.param)
    net, mse = Net(), nn.MSELoss()

    def loss(x, y):
        return mse(net(x), y)

    loss.net = net
    return loss


def test_per_sample_grads(loss):
    got = per_sample_grads(loss, loss.net.trainable_params())(Tensor(X), Tensor(Y))
    assert [g.shape for g in got] == [(6, *v.shape) for v in VALUES]
    np.testing.assert_allclose(np.concatenate([g.asnumpy().reshape(6, -1) for g in got], 1), PER_SAMPLE, rtol=1e-9, atol=1e-11)


def test_per_sample_grads_of_a_convolution():
    net = nn.SequentialCell(nn.Conv2d(1, 2, 3, pad_mode="same", has_bias=True), nn.ReLU(), nn.Flatten(), nn.Dense(32, 2))
    x = Tensor(np.random.default_rng(0).standard_normal((3, 1, 4, 4)).astype(np.float32))
    weights = net.trainable_params()
    got = per_sample_grads(lambda x: (net(x) ** 2).sum(), weights)(x)
    for i in range(3):
        want = ms.grad(lambda x: (net(x) ** 2).sum(), None, weights)(x[i : i + 1])
        for g, w in zip(got, want):
            np.testing.assert_allclose(g.asnumpy()[i], w.asnumpy(), rtol=2e-5, atol=1e-5)


def test_empirical_fisher(loss):
    weights = loss.net.trainable_params()
    want = PER_SAMPLE.T @ PER_SAMPLE / 6
    np.testing.assert_allclose(empirical_fisher(loss, weights)(Tensor(X), Tensor(Y)).asnumpy(), want, rtol=1e-8, atol=1e-11)
    got = empirical_fisher(loss, weights, diagonal=True)(Tensor(X), Tensor(Y))
    np.testing.assert_allclose(ravel(got), np.diag(want), rtol=1e-8, atol=1e-11)


def test_noise_scale(loss):
    got = noise_scale(loss, loss.net.trainable_params())(Tensor(X), Tensor(Y))
    variance = np.trace(np.cov(PER_SAMPLE.T))  # the unbiased one
    mean = PER_SAMPLE.mean(0)
    squared = mean @ mean - variance / 6
    np.testing.assert_allclose([t.asnumpy() for t in got], [variance / squared, variance, squared], rtol=1e-8)
    assert noise_scale_from_norms(5.0, 4.0, 1, 2).simple == pytest.approx(2 / 3)


@pytest.mark.parametrize("adaptive", [False, True])
def test_sam(loss, adaptive):
    weights, rho = loss.net.trainable_params(), 0.3

    def f(v):
        return squares(output(unravel(v), X), Y)

    g = jax.grad(f)(POINT)
    step = jnp.abs(POINT) ** 2 * g / jnp.linalg.norm(POINT * g) if adaptive else g / jnp.linalg.norm(g)
    value, got = sam_value_and_grad(loss, weights, rho, adaptive)(Tensor(X), Tensor(Y))
    np.testing.assert_allclose(value.asnumpy(), f(POINT), rtol=1e-12)
    np.testing.assert_allclose(ravel(got), jax.grad(f)(POINT + rho * step), rtol=1e-8, atol=1e-11)
    np.testing.assert_array_equal(ravel(weights), POINT)


def test_sam_in_a_training_step_of_one_executable():
    ms.set_context(mode=ms.GRAPH_MODE)
    net, mse = Net(ms.float32), nn.MSELoss()
    optimizer = nn.SGD(net.trainable_params(), 0.1)
    grad_fn = sam_value_and_grad(lambda x, y: mse(net(x), y), optimizer.parameters)

    @ms.jit
    def step(x, y):
        loss, grads = grad_fn(x, y)
        optimizer(grads)
        return loss

    x, y = Tensor(X.astype(np.float32)), Tensor(Y.astype(np.float32))
    losses = [float(step(x, y).asnumpy()) for _ in range(30)]
    assert losses[-1] < 0.7 * losses[0]


def test_what_is_wrong_is_said(loss):
    weights = loss.net.trainable_params()
    with pytest.raises(ValueError, match="first axis is the batch"):
        per_sample_grads(loss, weights)(Tensor(X), Tensor(Y[:2]))
    with pytest.raises(ValueError, match="at least 2 samples"):
        noise_scale(loss, weights)(Tensor(X[:1]), Tensor(Y[:1]))
    with pytest.raises(ValueError, match="'rho'"):
        sam_value_and_grad(loss, weights, rho=0.0)
    with pytest.raises(TypeError, match="weights"):
        sam_value_and_grad(loss, None)
    with pytest.raises(ValueError, match="should differ"):
        noise_scale_from_norms(1.0, 1.0, 4, 4)
