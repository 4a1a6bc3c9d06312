"""Derivatives of a network with respect to its inputs inside a loss: each way to nest them, to the third order, against JAX."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import sporax as ms
from sporax import Tensor, nn, ops
from sporax.steps import partial_derivative

RNG = np.random.default_rng(2)
X = np.linspace(-1, 1, 5)[:, None]
VALUES = [RNG.standard_normal(s) for s in ((6, 1), (6,), (1, 6), (1,))]


class Net(nn.Cell):
    def __init__(self, values=VALUES):
        super().__init__()
        self.first = nn.Dense(values[0].shape[1], 6, dtype=ms.float64)
        self.second = nn.Dense(6, 1, dtype=ms.float64)
        for p, v in zip(self.trainable_params(), values, strict=True):
            p.set_data(Tensor(v))

    def construct(self, x):
        return self.second(ops.tanh(self.first(x)))


def u(p, *x):
    return jnp.tanh(p[0] @ jnp.stack(x) + p[1]) @ p[2][0] + p[3][0]


def reverse(f):
    return ms.grad(f)


def forward(f):
    return lambda x: ms.jvp(f, x, ops.ones_like(x))[1]


def pullback(f):
    def g(x):
        out, pull = ms.ops.vjp(f, x)
        found = pull(ops.ones_like(out))
        return found[0] if isinstance(found, tuple) else found

    return g


def older(f):
    return ops.GradOperation()(f)


def per_row(derivative):
    """Nested on one number, then over the rows."""

    def nest(f, order):
        g = lambda x: f(x.reshape(1, 1)).reshape(())
        for _ in range(order):
            g = derivative(g)
        return lambda x: ms.vmap(g)(x[:, 0])

    return nest


def whole(*ways):
    def nest(f, order):
        for k in range(order):
            f = ways[k % len(ways)](f)
        return f

    return nest


NESTS = {
    "grad": whole(reverse), "jvp": whole(forward), "vjp": whole(pullback), "GradOperation": whole(older), "grad and jvp": whole(reverse, forward),
    "jvp and vjp": whole(forward, pullback), "vmap of grad": per_row(ms.grad), "vmap of jacfwd": per_row(ms.jacfwd), "vmap of jacrev": per_row(ms.jacrev),
    "partial_derivative": lambda f, order: partial_derivative(f, *[0] * order),
}  # fmt: skip


@pytest.mark.parametrize("order", [2, pytest.param(3, marks=pytest.mark.slow), pytest.param(4, marks=pytest.mark.slow)])
@pytest.mark.parametrize("way", NESTS)
@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE], ids=["pynative", "graph"])
def test_the_gradient_of_a_loss_of_derivatives(mode, way, order):
    ms.set_context(mode=mode)
    net = Net()
    derivative = NESTS[way](net, order)
    value, grads = ms.value_and_grad(lambda x: (derivative(x) ** 2).mean(), None, net.trainable_params())(Tensor(X))

    def loss(p):
        f = u
        for _ in range(order):
            f = jax.grad(f, 1)
        return (jax.vmap(lambda x: f(p, x))(X[:, 0]) ** 2).mean()

    want, slopes = jax.value_and_grad(loss)(VALUES)
    np.testing.assert_allclose(value.asnumpy(), want, rtol=1e-10)
    for g, w in zip(grads, slopes):
        np.testing.assert_allclose(g.asnumpy(), w, rtol=1e-8, atol=1e-9)


def test_mixed_partial_derivatives():
    values = [RNG.standard_normal((6, 2)), *VALUES[1:]]
    net, x = Net(values), RNG.standard_normal((4, 2))
    for columns in ((), (1,), (0, 1), (1, 0, 0)):
        f = u
        for c in columns:
            f = jax.grad(f, c + 1)
        want = [f(values, *row) for row in x]
        np.testing.assert_allclose(partial_derivative(net, *columns)(Tensor(x)).asnumpy()[:, 0], want, rtol=1e-9, atol=1e-10)


def test_what_is_wrong_is_said():
    net = Net()
    with pytest.raises(IndexError, match="column 1 is out of range"):
        partial_derivative(net, 1)(Tensor(X))
    with pytest.raises(TypeError, match=r"\(N, d\)"):
        partial_derivative(net, 0)(Tensor(X[:, 0]))
    with pytest.raises(TypeError, match="int"):
        partial_derivative(net, "x")
