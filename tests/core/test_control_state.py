"""What branches and loop bodies change: parameters, tensors written in place, attributes, random state, containers."""

import threading

import numpy as np
import pytest

import sporax as ms
from sporax import Parameter, Tensor, nn, ops
from sporax._core.compile import CompiledFunction


def vec(*values):
    return Tensor(np.array(values, np.float32))


def compiled(function):
    program = CompiledFunction(function)
    program.fullgraph = True

    def call(*args):
        return program(args, {})

    call.program = program
    return call


class Counter(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = Parameter(vec(1, 2), name="w")
        self.steps = Parameter(Tensor(0), name="steps", requires_grad=False)
        self.last = Tensor(np.zeros(2, np.float32))

    def construct(self, x):
        if x.sum() > 0:
            self.w.set_data(self.w + x)
            self.steps += 1
            self.last = x * 10
        else:
            self.w.set_data(self.w * 0.5)
        return self.w.sum()


@pytest.mark.parametrize("graph", [False, True])
def test_cell_state_in_branches(graph):
    net = Counter()
    net.set_jit(True) if graph else None
    outs = [net(x).item() for x in (vec(1, 1), vec(-4, 2), vec(0, 3), vec(-1, -1))]
    assert outs == [5.0, 2.5, 5.5, 2.75]
    assert net.w.asnumpy().tolist() == [0.5, 2.25]
    assert net.steps.item() == 2
    assert net.last.asnumpy().tolist() == [0, 30]


def test_state_in_branches_is_traced_once():
    net = Counter()
    f = ms.jit(lambda x: net(x), fullgraph=True)
    for k in (1, -1, 2, 3):
        f(vec(k, k))
    assert f.traces == 3


def test_vjp_and_grad_of_a_method_inside():
    class Model:
        def loss(this, x):
            if x.sum() > 0:
                return (x * x).sum()
            return x.sum()

    model = Model()

    def f(x):
        out, pull = ms.vjp(model.loss, x)
        return out, pull(Tensor(2.0))[0], ms.grad(model.loss)(x)

    for x, want in ((vec(1, 2), [2, 4]), (vec(-1, -2), [1, 1])):
        out, twice, once = compiled(f)(x)
        assert once.asnumpy().tolist() == want
        assert twice.asnumpy().tolist() == [2 * w for w in want]


def test_threads():
    results = {}

    def work(i):
        f = ms.jit(lambda x: x * 2 if x.sum() > i else x - 1, fullgraph=True)
        results[i] = [f(Tensor(np.float32(v))).item() for v in (0.5, 10)]

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert results == {0: [1.0, 20.0], **{i: [-0.5, 20.0] for i in (1, 2, 3)}}


def test_parameter_in_a_while():
    w = Parameter(vec(1), name="w")

    @compiled
    def f(limit):
        n = 0
        while w.sum() < limit:
            w.set_data(w * 2)
            n += 1
        return n

    assert f(Tensor(5.0)) == 3
    assert w.item() == 8.0
    assert f(Tensor(5.0)) == 0
    assert f(Tensor(100.0)) == 4
    assert w.item() == 128.0


def test_parameters_swapped_in_a_loop():
    a, b = Parameter(vec(1), name="a"), Parameter(vec(1), name="b")

    @compiled
    def fibonacci(n):
        for _ in range(n):
            old = a.value()
            a.set_data(b)
            b.set_data(old + b)
        return a + 0

    assert fibonacci(Tensor(0)).item() == 1
    assert fibonacci(Tensor(5)).item() == 8
    assert (a.item(), b.item()) == (8, 13)


def test_tensor_argument_written_in_place():
    @compiled
    def f(x):
        if x[0] > 0:
            x[1] = 5.0
        return x * 2

    x = vec(1, 2)
    assert f(x).asnumpy().tolist() == [2, 10]
    assert x.asnumpy().tolist() == [1, 5]
    y = vec(-1, 2)
    f(y)
    assert y.asnumpy().tolist() == [-1, 2]


def test_batch_norm_in_a_branch():
    x = Tensor(np.random.default_rng(0).normal(size=(8, 3)).astype(np.float32))

    def run(graph):
        norm = nn.BatchNorm1d(3)
        norm.set_train()

        def f(x, flag):
            if flag > 0:
                return norm(x)
            return x

        g = compiled(f) if graph else f
        outs = [g(x, Tensor(k)).asnumpy() for k in (1, 0, 1)]
        return [*outs, norm.moving_mean.asnumpy(), norm.moving_variance.asnumpy()]

    for got, want in zip(run(True), run(False), strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-5, atol=1e-6)


def test_random_state_in_a_branch():
    def f(x):
        if x.sum() > 0:
            x = x + ops.standard_normal((2,))
        return x + ops.standard_normal((2,))

    def run(g):
        ms.set_seed(3)
        return [g(x).asnumpy() for x in (vec(1, 1), vec(-1, -1), vec(1, 1))]

    for got, want in zip(run(compiled(f)), run(f), strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-6)


def test_gradient_and_update_in_a_branch():
    def make():
        w = Parameter(vec(2, 3), name="w")

        def step(x):
            loss, g = ms.value_and_grad(lambda v: (w * v).sum(), None, w)(x)
            if loss > 10:
                w.set_data(w - 0.1 * g)
            return loss

        return w, step

    w, step = make()
    v, plain = make()
    step = compiled(step)
    for x in (vec(1, 1), vec(10, 20), vec(3, 4)):
        assert step(x).item() == pytest.approx(plain(x).item())
    np.testing.assert_allclose(w.asnumpy(), v.asnumpy(), rtol=1e-6)


def test_gradient_inside_a_branch_and_loop():
    def f(x, n):
        for _ in range(n):
            g = ms.grad(lambda v: (v * v * v).sum())(x)
            if g.sum() > 1:
                x = x - 0.05 * g
        return x

    got = compiled(f)(vec(1, 2), Tensor(4))
    want = f(vec(1, 2), 4)
    np.testing.assert_allclose(got.asnumpy(), want.asnumpy(), rtol=1e-5)


def test_gradient_of_parameters_through_control_flow():
    def make():
        dense = nn.Dense(3, 3, bias_init="zeros")
        dense.weight.set_data(Tensor(np.arange(9, dtype=np.float32).reshape(3, 3) / 10 - 0.3))

        def forward(x, n):
            i = 0
            while i < n:
                x = dense(x)
                if x.sum() > 0:
                    x = ops.tanh(x)
                i += 1
            return (x * x).sum()

        return dense, ms.value_and_grad(forward, None, dense.trainable_params())

    _, g = make()
    _, h = make()
    x = Tensor(np.ones((2, 3), np.float32))
    for n in (0, 2, 5):
        (got, grads), (want, wanted) = compiled(g)(x, Tensor(n)), h(x, n)
        np.testing.assert_allclose(got.asnumpy(), want.asnumpy(), rtol=1e-5)
        for a, b in zip(grads, wanted, strict=True):
            np.testing.assert_allclose(a.asnumpy(), b.asnumpy(), rtol=1e-4, atol=1e-6)


class Recurrent(nn.Cell):
    """A sub-Cell, a loop with an early exit, a list of states, and helper methods."""

    def __init__(self):
        super().__init__()
        self.cell = Counter()
        self.scale = 2.0

    def helper(this, x, k):
        if x.sum() > k:
            return x * this.scale
        return x

    def construct(self, x, n):
        out = []
        total = x[0] * 0
        for i in range(n):
            total += self.cell(x) + i
            x = self.helper(x, 3)
            if total > 100:
                break
        for k in range(2):
            out.append(self.helper(x, k))
        return total, out


def test_cells_in_loops():
    def run(graph):
        net = Recurrent()
        if graph:
            net.set_jit(True)
        results = []
        for n in (0, 2, 9):
            total, out = net(vec(1, 0.5), Tensor(n) if graph else n)
            results += [total.asnumpy(), *[o.asnumpy() for o in out], net.cell.w.asnumpy(), net.cell.steps.asnumpy()]
        return results

    for got, want in zip(run(True), run(False), strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-5)


def test_super_in_converted_methods():
    class Child(Counter):
        def construct(self, x):
            if x[0] > 100:
                return super().construct(x * 0)
            return super().construct(x)

    net = Child()
    net.set_jit(True)
    assert net(vec(1, 1)).item() == 5.0
    assert net(vec(101, 1)).item() == 2.5


def test_object_attributes_and_dicts_in_branches():
    class Box:
        def __init__(self, v):
            self.v = v

    def f(x):
        box, table = Box(x), {"n": 0}
        if x.sum() > 0:
            box.v = box.v * 2
            table["n"] += 1
            table["y"] = x
        else:
            table["y"] = -x
        return box.v + table["y"], table["n"]

    g = compiled(f)
    for x in (vec(1, 2), vec(-1, -2)):
        (got, n), (want, m) = g(x), f(x)
        assert got.asnumpy().tolist() == want.asnumpy().tolist()
        assert n == m


def test_jit_function_inside():
    @ms.jit
    def inner(x):
        if x.sum() > 0:
            return x
        return -x

    def f(x):
        return inner(x) + inner(-x)

    assert compiled(f)(vec(-1, -2)).asnumpy().tolist() == [2, 4]
    assert inner(vec(-1, -2)).asnumpy().tolist() == [1, 2]


def test_recompute_of_control_flow():
    def f(x):
        if x.sum() > 0:
            return ops.sin(x)
        return x

    def loss(x):
        return ms.recompute(f, x).sum()

    got = compiled(lambda x: ms.grad(loss)(x))(vec(0.5, 1.0))
    np.testing.assert_allclose(got.asnumpy(), np.cos([0.5, 1.0]), rtol=1e-6)


def test_assert_and_raise():
    w = Parameter(vec(1), name="w")

    @compiled
    def f(x):
        assert x.sum() > 0, "the sum should be positive"
        if x[0] > 10:
            raise ValueError("too large")
        if x[0] < 1:
            w.set_data(w + 1)
        elif x[0] > 8:
            raise KeyError("nearly")
        return x + 1

    assert f(vec(1)).item() == 2
    with pytest.raises(AssertionError, match="should be positive"):
        f(vec(-1))
    with pytest.raises(ValueError, match="too large"):
        f(vec(11))
    with pytest.raises(KeyError, match="nearly"):
        f(vec(9))
    assert f(vec(0.5)).item() == 1.5
    assert f.program.traces == 3


def test_division_of_numbers_by_zero():
    @compiled
    def f(x):
        n = 0
        if x[0] > 0:
            n = 2
        return x * (6 // n)

    assert f(vec(1)).item() == 3
    with pytest.raises(ZeroDivisionError):
        f(vec(-1))


def test_training_step_with_gradient_clipping_and_skip():
    def make():
        net = nn.Dense(2, 1, bias_init="zeros")
        net.weight.set_data(Tensor(np.array([[0.5, -0.5]], np.float32)))
        optimizer = nn.SGD(net.trainable_params(), 0.1)
        value_and_grad = ms.value_and_grad(lambda x, y: ((net(x) - y) ** 2).mean(), None, optimizer.parameters)

        def step(x, y):
            loss, grads = value_and_grad(x, y)
            norm = ops.sqrt(sum((g * g).sum() for g in grads))
            if norm > 1:
                grads = tuple(g / norm for g in grads)
            if loss < 1e6:
                optimizer(grads)
            return loss

        return net, step

    rng = np.random.default_rng(1)
    (net, step), (other, plain) = make(), make()
    step = compiled(step)
    for k in (1, 1e4, 10, 1):
        x, y = Tensor(rng.normal(size=(4, 2)).astype(np.float32) * np.float32(k)), Tensor(rng.normal(size=(4, 1)).astype(np.float32))
        np.testing.assert_allclose(step(x, y).asnumpy(), plain(x, y).asnumpy(), rtol=1e-4)
    np.testing.assert_allclose(net.weight.asnumpy(), other.weight.asnumpy(), rtol=1e-4)
