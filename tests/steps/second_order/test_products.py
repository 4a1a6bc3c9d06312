"""Products with Hessians and Gauss-Newton matrices, diagonals and solutions, against the exact matrices that JAX makes."""

import jax
import numpy as np
import pytest

import sporax as ms
from sporax import Tensor, nn, ops
from sporax._core import compile as compiling
from sporax.steps import cg, ggnvp, hessian, hessian_diag, hvp
from tests.steps.second_order.net import (
    LABELS,
    POINT,
    SIZE,
    VALUES,
    Net,
    X,
    Y,
    entropy,
    exact_gauss_newton,
    exact_hessian,
    output,
    ravel,
    squares,
    unravel,
)

V = np.random.default_rng(8).standard_normal(SIZE)


def loss_of(net):
    mse = nn.MSELoss()

    def loss(x, y):
        return mse(net(x), y)

    return loss


@pytest.mark.parametrize("order", ["forward-over-reverse", "reverse-over-reverse"])
def test_hvp_of_weights(mode, order):
    net = Net()
    got = hvp(loss_of(net), (Tensor(X), Tensor(Y)), tuple(Tensor(v) for v in unravel(V)), net.trainable_params(), mode=order)
    assert [g.shape for g in got] == [v.shape for v in VALUES]
    np.testing.assert_allclose(ravel(got), exact_hessian(squares, Y) @ V, rtol=1e-9, atol=1e-10)
    for p, v in zip(net.trainable_params(), VALUES):
        np.testing.assert_array_equal(p.asnumpy(), v)


@pytest.mark.parametrize("order", ["forward-over-reverse", "reverse-over-reverse"])
def test_hvp_of_inputs(mode, order):
    net = Net()
    d = np.random.default_rng(1).standard_normal(X.shape)
    want = jax.jvp(jax.grad(lambda x: squares(output(unravel(POINT), x), Y)), (X,), (d,))[1]
    loss = loss_of(net)
    got = hvp(lambda x: loss(x, Tensor(Y)), Tensor(X), Tensor(d), mode=order)
    np.testing.assert_allclose(got.asnumpy(), want, rtol=1e-9, atol=1e-11)


def test_hvp_does_not_compile_again_for_other_values():
    ms.set_context(mode=ms.GRAPH_MODE)
    net = Net()
    loss, weights = loss_of(net), net.trainable_params()
    vs = [tuple(Tensor(v) for v in unravel(V * k)) for k in (1, 2)]
    first = hvp(loss, (Tensor(X), Tensor(Y)), vs[0], weights)
    traces = dict(compiling.stats)
    second = hvp(loss, (Tensor(X), Tensor(Y)), vs[1], weights)
    assert dict(compiling.stats) == traces
    np.testing.assert_allclose(ravel(second), 2 * ravel(first), rtol=1e-12)


def test_hvp_inside_a_compiled_function_and_under_a_tape():
    net = Net()
    loss, v = loss_of(net), tuple(Tensor(v) for v in unravel(V))

    def curvature(x):
        hv = hvp(loss, (x, Tensor(Y)), v, net.trainable_params())
        return sum((h * d).sum() for h, d in zip(hv, v))

    def want(x):
        return V @ jax.hessian(lambda p: squares(output(unravel(p), x), Y))(POINT) @ V

    np.testing.assert_allclose(ms.jit(curvature)(Tensor(X)).asnumpy(), want(X), rtol=1e-9)
    for f in (ms.grad(curvature), ms.jit(ms.grad(curvature))):
        np.testing.assert_allclose(f(Tensor(X)).asnumpy(), jax.grad(want)(X), rtol=1e-8, atol=1e-10)


def test_hvp_of_a_cell_with_its_own_derivative():
    class Cube(nn.Cell):
        def construct(self, x):
            return x**3

        def bprop(self, x, out, dout):
            return (dout * 3 * x**2,)

    cube = Cube()
    got = hvp(lambda x: cube(x).sum(), Tensor([1.0, 2.0]), Tensor([1.0, 1.0]), mode="reverse-over-reverse")
    np.testing.assert_allclose(got.asnumpy(), [6.0, 12.0])


@pytest.mark.parametrize("loss", ["squares", "entropy"])
def test_ggnvp(mode, loss):
    net = Net()
    loss_fn, exact, targets = (nn.MSELoss(), squares, Y) if loss == "squares" else (nn.CrossEntropyLoss(), entropy, LABELS)
    got = ggnvp(net, loss_fn, Tensor(X), tuple(Tensor(v) for v in unravel(V)), net.trainable_params(), targets=Tensor(targets))
    want = exact_gauss_newton(exact, targets) @ V
    np.testing.assert_allclose(ravel(got), want, rtol=1e-7, atol=1e-9)


def test_hessian(mode):
    net = Net()
    got = hessian(loss_of(net), (Tensor(X), Tensor(Y)), net.trainable_params())
    np.testing.assert_allclose(got.asnumpy(), exact_hessian(squares, Y), rtol=1e-8, atol=1e-10)


def test_hessian_diag_exact_and_estimated(mode):
    net = Net()
    want = np.diag(exact_hessian(squares, Y))
    got = hessian_diag(loss_of(net), (Tensor(X), Tensor(Y)), net.trainable_params(), samples=None)
    np.testing.assert_allclose(ravel(got), want, rtol=1e-8, atol=1e-10)
    # the variance of the estimate is known: the squares off the diagonal, divided by the number of samples
    matrix, samples = exact_hessian(squares, Y), 400
    deviation = np.sqrt(((matrix**2).sum(1) - want**2) / samples)
    got = hessian_diag(loss_of(net), (Tensor(X), Tensor(Y)), net.trainable_params(), samples=samples)
    assert np.all(np.abs(ravel(got) - want) < 4.5 * deviation + 1e-12)


def test_cg_against_numpy(mode):
    a = RNG.standard_normal((8, 8))
    a = a @ a.T + np.eye(8)
    b = RNG.standard_normal(8)
    matrix = Tensor(a)
    x, iterations, residual = cg(lambda x: matrix.matmul(x), Tensor(b), tolerance=1e-12)
    np.testing.assert_allclose(x.asnumpy(), np.linalg.solve(a, b), rtol=1e-9)
    assert 0 < int(iterations.asnumpy()) <= 12 and float(residual.asnumpy()) <= 1e-12 * np.linalg.norm(b)
    # k iterations span the Krylov space: the error in the norm of A is the smallest there
    x, iterations, _ = cg(lambda x: matrix.matmul(x), Tensor(b), maxiter=3, tolerance=0)
    krylov = np.stack([b, a @ b, a @ a @ b], 1)
    best = krylov @ np.linalg.solve(krylov.T @ a @ krylov, krylov.T @ b)
    np.testing.assert_allclose(x.asnumpy(), best, rtol=1e-8)
    assert int(iterations.asnumpy()) == 3


RNG = np.random.default_rng(5)


def test_cg_with_containers_start_and_negative_curvature():
    b = (Tensor(np.array([1.0, 2.0])), Tensor(np.array([[3.0]])))
    x, iterations, _ = cg(lambda x: (x[0] * 2, x[1] * 3), b, x0=(Tensor(np.array([0.5, 1.0])), Tensor(np.array([[1.0]]))))
    assert int(iterations.asnumpy()) == 0
    np.testing.assert_allclose(x[0].asnumpy(), [0.5, 1.0])
    x, _, _ = cg(lambda x: (-x[0], -x[1]), b)
    np.testing.assert_allclose(x[1].asnumpy(), [[3.0]])


def test_what_is_wrong_is_said():
    net = Net()
    w = net.trainable_params()
    with pytest.raises(ValueError, match="one number"):
        hvp(net, Tensor(X), tuple(Tensor(v) for v in VALUES), w)
    with pytest.raises(ValueError, match="shapes of the variables"):
        hvp(lambda x: net(x).sum(), Tensor(X), (Tensor([1.0]),), w)
    with pytest.raises(ValueError, match="reverse-over-reverse"):
        hvp(lambda x: net(x).sum(), Tensor(X), Tensor(X), mode="forward")
    with pytest.raises(TypeError, match="weights"):
        hvp(lambda x: net(x).sum(), Tensor(X), Tensor(X), weights=[Tensor(X)])
    with pytest.raises(TypeError, match="callable"):
        cg(3, Tensor(X))
    with pytest.raises(ValueError, match="maxiter"):
        cg(lambda x: x, Tensor(X), maxiter=0)
    with pytest.raises(ValueError, match="samples"):
        hessian_diag(lambda x: ops.sum(x), Tensor(X), samples=0)
