"""KFAC: factors against sums written out in NumPy, directions against the inverse of the whole Kronecker product."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import sporax as ms
from sporax import Tensor, nn
from sporax.steps import KFAC
from tests.steps.second_order.net import LABELS, POINT, VALUES, Net, X, Y, output, ravel, squares, unravel


def parts(x, y):
    """Inputs with a one, and per-sample gradients of the two layers' outputs, for a mean loss over the batch."""
    w1, b1, w2, b2 = VALUES
    hidden = np.tanh(x @ w1.T + b1)
    ones = np.ones((len(x), 1))

    def loss(s1, s2):
        h = jnp.tanh(x @ w1.T + b1 + s1)
        return squares(h @ w2.T + b2 + s2, y)

    slopes = jax.grad(loss, (0, 1))(np.zeros_like(hidden), np.zeros((len(x), 2)))
    return [np.hstack([x, ones]), np.hstack([hidden, ones])], [np.asarray(s) * len(x) for s in slopes]


def damped(a, g, damping):
    pi = np.sqrt((np.trace(a) / len(a)) / (np.trace(g) / len(g)))
    return a + pi * np.sqrt(damping) * np.eye(len(a)), g + np.sqrt(damping) / pi * np.eye(len(g))


def test_a_step_of_dense_layers(mode):
    net, damping = Net(), float(np.float32(0.02))
    opt = KFAC(net, nn.MSELoss(), learning_rate=0.5, momentum=0.0, damping=damping)
    opt(Tensor(X), Tensor(Y))
    inputs, slopes = parts(X, Y)
    gradients = unravel(np.asarray(jax.grad(lambda v: squares(output(unravel(v), X), Y))(POINT)))
    for k in range(2):
        a, g = inputs[k].T @ inputs[k] / 6, slopes[k].T @ slopes[k] / 6
        np.testing.assert_allclose(opt.input_factors[k].asnumpy(), a, rtol=1e-9)
        np.testing.assert_allclose(opt.output_factors[k].asnumpy(), g, rtol=1e-8, atol=1e-12)
        a, g = damped(a, g, damping)
        whole = np.hstack([gradients[2 * k], gradients[2 * k + 1][:, None]])
        direction = (np.linalg.inv(np.kron(g, a)) @ whole.reshape(-1)).reshape(whole.shape)
        got = net.trainable_params()[2 * k : 2 * k + 2]
        np.testing.assert_allclose(got[0].asnumpy(), VALUES[2 * k] - 0.5 * direction[:, :-1], rtol=1e-6, atol=1e-8)
        np.testing.assert_allclose(got[1].asnumpy(), VALUES[2 * k + 1] - 0.5 * direction[:, -1], rtol=1e-6, atol=1e-8)


def test_for_one_sample_the_product_is_the_fisher_matrix_of_the_layer():
    net = Net()
    opt = KFAC(net, nn.MSELoss(), learning_rate=0.0)
    opt(Tensor(X[:1]), Tensor(Y[:1]))
    g = unravel(np.asarray(jax.grad(lambda v: squares(output(unravel(v), X[:1]), Y[:1]))(POINT)))
    whole = np.hstack([g[0], g[1][:, None]]).reshape(-1)
    product = np.kron(opt.output_factors[0].asnumpy(), opt.input_factors[0].asnumpy())
    np.testing.assert_allclose(product, np.outer(whole, whole), rtol=1e-8, atol=1e-12)


def test_factors_of_a_convolution(mode):
    rng = np.random.default_rng(0)
    net = nn.SequentialCell(nn.Conv2d(2, 3, 3, stride=2, pad_mode="pad", padding=1, has_bias=True, dtype=ms.float64), nn.Tanh(), nn.Flatten())
    x, y = rng.standard_normal((4, 2, 5, 5)), rng.standard_normal((4, 27))
    weight, bias = (p.asnumpy() for p in net.trainable_params())
    opt = KFAC(net, nn.MSELoss(), learning_rate=1.0, momentum=0.0, damping=0.1)
    opt(Tensor(x), Tensor(y))
    padded = np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)))
    patches = np.stack([padded[:, :, 2 * i : 2 * i + 3, 2 * j : 2 * j + 3].reshape(4, -1) for i in range(3) for j in range(3)], 1)
    rows = np.concatenate([patches, np.ones((4, 9, 1))], 2)
    pre = rows @ np.hstack([weight.reshape(3, -1), bias[:, None]]).T  # (4, 9, 3)
    out = np.tanh(pre)
    slope = 2 * (out - y.reshape(4, 3, 9).transpose(0, 2, 1)) / y.size * (1 - out**2) * 4
    a, g = np.einsum("nti,ntj->ij", rows, rows) / 4, np.einsum("nti,ntj->ij", slope, slope) / 36
    np.testing.assert_allclose(opt.input_factors[0].asnumpy(), a, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(opt.output_factors[0].asnumpy(), g, rtol=1e-8, atol=1e-14)
    whole = np.einsum("nto,nti->oi", slope / 4, rows)
    a, g = damped(a, g, float(np.float32(0.1)))
    direction = np.linalg.solve(g, whole) @ np.linalg.inv(a)
    np.testing.assert_allclose(net.trainable_params()[0].asnumpy(), weight - direction[:, :-1].reshape(weight.shape), rtol=1e-6, atol=1e-8)


def test_sampled_labels_give_the_true_fisher_matrix():
    net = Net()
    opt = KFAC(net, nn.CrossEntropyLoss(), learning_rate=0.0, decay=1.0, fisher="sampled")
    draws = 600
    for _ in range(draws):
        opt(Tensor(X), Tensor(LABELS))
    p = np.asarray(jax.nn.softmax(output(unravel(POINT), X)))
    want = (np.einsum("ni,ij->nij", p, np.eye(2)) - np.einsum("ni,nj->nij", p, p)).mean(0)
    np.testing.assert_allclose(opt.output_factors[1].asnumpy(), want, atol=4 * 0.25 / np.sqrt(draws))


def test_other_parameters_and_layers_used_twice():
    class Shared(nn.Cell):
        def __init__(self):
            super().__init__()
            self.dense = nn.Dense(3, 3, dtype=ms.float64)
            self.scale = ms.Parameter(Tensor(np.array(2.0)), name="scale")

        def construct(self, x):
            return self.dense(self.dense(x)) * self.scale

    net = Shared()
    opt = KFAC(net, nn.MSELoss(), learning_rate=0.1, momentum=0.0)
    target = Tensor(np.ones((6, 3)))
    before, slope = net.scale.asnumpy(), ms.grad(lambda x: nn.MSELoss()(net(x), target), None, net.scale)(Tensor(X)).asnumpy()
    w, b = net.dense.weight.asnumpy(), net.dense.bias.asnumpy()
    opt(Tensor(X), target)
    np.testing.assert_allclose(net.scale.asnumpy(), before - np.float32(0.1) * slope, rtol=1e-7)
    both = [np.hstack([z, np.ones((6, 1))]) for z in (X, X @ w.T + b)]
    np.testing.assert_allclose(opt.input_factors[0].asnumpy(), sum(z.T @ z for z in both) / 6, rtol=1e-9)


def test_it_learns_faster_than_gradient_descent(mode):
    def train(make):
        net = Net(ms.float32)
        step = make(net)
        x, y = Tensor(X.astype(np.float32)), Tensor(Y.astype(np.float32))
        for _ in range(40):
            step(x, y)
        return float(nn.MSELoss()(net(x), y).asnumpy())

    def descent(net):
        opt, mse = nn.SGD(net.trainable_params(), 0.1), nn.MSELoss()
        grads = ms.grad(lambda x, y: mse(net(x), y), None, net.trainable_params())
        return lambda x, y: opt(grads(x, y))

    assert train(lambda net: KFAC(net, nn.MSELoss(), 0.05, damping=1e-2)) < 0.3 * train(descent)


def test_what_is_wrong_is_said():
    with pytest.raises(TypeError, match="'net'"):
        KFAC(3, nn.MSELoss())
    with pytest.raises(ValueError, match="'fisher'"):
        KFAC(Net(), nn.MSELoss(), fisher="true")
    with pytest.raises(ValueError, match="one number"):
        KFAC(Net(), nn.MSELoss(reduction="none"))(Tensor(X), Tensor(Y))
    assert ravel(VALUES).shape == POINT.shape
