"""SophiaG against the paper's algorithm in NumPy, and its estimate against the exact Gauss-Newton diagonal."""

import numpy as np
import pytest

import sporax as ms
from sporax import Tensor
from sporax.steps import SophiaG
from tests.steps.second_order.net import LABELS, Net, X, entropy, exact_gauss_newton, ravel


def test_steps(mode):
    rng = np.random.default_rng(4)
    start, h = rng.standard_normal(5).astype(np.float32), np.array([0, 0.1, 1, 10, 100], np.float32)
    p = ms.Parameter(Tensor(start), name="p")
    opt = SophiaG([p], 0.02, 0.9, 0.99, 0.05, 1e-12, weight_decay=0.1)
    opt.curvature[0].set_data(Tensor(h))
    q, m = start.astype(float), np.zeros(5)
    for _ in range(5):
        g = rng.standard_normal(5).astype(np.float32)
        opt((Tensor(g),))
        m = 0.9 * m + 0.1 * g
        q = q - 0.02 * 0.1 * q - 0.02 * np.clip(m / np.maximum(0.05 * h, 1e-12), -1, 1)
    np.testing.assert_allclose(p.asnumpy(), q, rtol=2e-5, atol=1e-6)


def test_the_estimate_is_the_gauss_newton_diagonal(mode):
    net, n, beta = Net(), 800, 0.999
    opt = SophiaG(net.trainable_params(), beta2=beta)
    for _ in range(n):
        opt.update_hessian(net, Tensor(X))
    want = np.diag(exact_gauss_newton(entropy, LABELS))
    got = ravel(opt.curvature) / (1 - beta**n)
    np.testing.assert_allclose(got, want, rtol=0.3, atol=0.02)
    assert abs(got.sum() / want.sum() - 1) < 0.15


def test_what_is_wrong_is_said():
    p = ms.Parameter(Tensor([1.0]), name="p")
    with pytest.raises(TypeError, match="logits"):
        SophiaG([p]).update_hessian(lambda: p * 2)
    with pytest.raises(TypeError, match="callable"):
        SophiaG([p]).update_hessian(3)
    with pytest.raises(ValueError, match="beta1"):
        SophiaG([p], beta1=1.5)
