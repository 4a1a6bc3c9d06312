"""Gradients of a Cell's own, hooks on gradients, recomputation and precision: equal in both modes, and under compiled functions."""

import numpy as np
import pytest

import sporax as ms
from sporax import Parameter, Tensor, nn, ops

X = np.array([1.0, -2.0, 3.0], np.float32)


@pytest.fixture(params=["pynative", "graph"])
def mode(request):
    ms.set_context(mode=ms.GRAPH_MODE if request.param == "graph" else ms.PYNATIVE_MODE)
    return request.param


class Straight(nn.Cell):
    """Rounds, with the gradient of the identity."""

    def construct(self, x):
        return ops.round(x * 2)

    def bprop(self, x, out, dout):
        return (dout * 2,)


class Net(nn.Cell):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner
        self.w = Parameter(Tensor(np.array([1.0, 2.0, 3.0], np.float32)))

    def construct(self, x):
        return self.inner(x * self.w) ** 2


def straight_gradients():
    w = np.array([1.0, 2.0, 3.0], np.float32)
    d = 2 * np.round(2 * X * w) * 2
    return d * w, d * X


def test_bprop_inside_a_network(mode):
    net = Net(Straight())
    dx, (dw,) = ms.grad(net, 0, net.trainable_params())(Tensor(X))
    for got, want in zip((dx, dw), straight_gradients(), strict=True):
        np.testing.assert_allclose(got.asnumpy(), want)


def test_bprop_in_a_compiled_function_under_a_gradient():
    net = Net(Straight())

    @ms.jit
    def f(x):
        return net(x)

    np.testing.assert_allclose(f(Tensor(X)).asnumpy(), np.round(2 * X * [1, 2, 3]) ** 2)
    dx, (dw,) = ms.grad(f, 0, net.trainable_params())(Tensor(X))
    for got, want in zip((dx, dw), straight_gradients(), strict=True):
        np.testing.assert_allclose(got.asnumpy(), want)


def test_bprop_may_return_gradients_of_parameters(mode):
    class Own(nn.Cell):
        def __init__(self):
            super().__init__()
            self.w = Parameter(Tensor([2.0]))

        def construct(self, x):
            return x * self.w

        def bprop(self, x, out, dout):
            return (dout * 3,), {self.w: (dout * x).sum() * 5}

    own = Own()
    dx, (dw,) = ms.grad(own, 0, own.trainable_params())(Tensor(X))
    np.testing.assert_allclose(dx.asnumpy(), [3, 3, 3])
    np.testing.assert_allclose(dw.asnumpy(), [5 * X.sum()])


def test_bprop_with_containers_and_keywords(mode):
    class Own(nn.Cell):
        def construct(self, pair, scale=2.0):
            return pair[0] * pair[1] * scale

        def bprop(self, pair, scale, out, dout):
            return (dout * scale, dout * 10), None

    x = Tensor(X)
    a, b = ms.grad(lambda a, b: Own()((a, b), scale=4.0), (0, 1))(x, x)
    np.testing.assert_allclose(a.asnumpy(), [4, 4, 4])
    np.testing.assert_allclose(b.asnumpy(), [10, 10, 10])


def test_bprop_cannot_take_keyword_only():
    class Own(nn.Cell):
        def construct(self, x, *, scale=2.0):
            return x * scale

        def bprop(self, x, out, dout):
            return dout

    with pytest.raises(TypeError, match="keyword-only arguments \\['scale'\\]"):
        Own()(Tensor(X))


def test_bprop_sees_inputs_as_they_were(mode):
    class Own(nn.Cell):
        def construct(self, x):
            return x * 2

        def bprop(self, x, out, dout):
            return dout * x

    own = Own()

    def f(x):
        y = x + 0
        out = own(y)
        y += 100
        return out

    np.testing.assert_allclose(ms.grad(f)(Tensor(X)).asnumpy(), X)


def test_bprop_where_a_region_is_differentiated_says_so():
    net = Straight()
    with pytest.raises(TypeError, match="'bprop' method or backward hooks, which are not followed inside"):
        ms.grad(lambda x: ms.vmap(net)(x).sum())(Tensor(np.ones((2, 3), np.float32)))


def test_backward_hooks_in_a_compiled_function_under_a_gradient():
    net = Net(nn.ReLU())
    net.inner.register_backward_hook(lambda cell, grad_input, grad_output: grad_input[0] * 10)
    step = ms.jit(lambda x: net(x))
    want = ms.grad(net)(Tensor(X)).asnumpy()
    w = np.array([1.0, 2.0, 3.0])
    np.testing.assert_allclose(want, 10 * 2 * np.maximum(X * w, 0) * w)
    step(Tensor(X))
    np.testing.assert_allclose(ms.grad(step)(Tensor(X)).asnumpy(), want)


def test_hooks_compute_at_every_compiled_call():
    ms.set_context(mode=ms.GRAPH_MODE)
    net = Net(nn.ReLU())
    net.scale = Tensor(1.0)
    handle = net.inner.register_forward_hook(lambda cell, args, out: out * net.scale)
    gradient = ms.grad(net)
    first = gradient(Tensor(X)).asnumpy()
    net.scale = Tensor(2.0)
    np.testing.assert_allclose(gradient(Tensor(X)).asnumpy(), 4 * first)
    handle.remove()
    handle.remove()
    np.testing.assert_allclose(gradient(Tensor(X)).asnumpy(), first)


def test_handle_is_a_context():
    net = nn.ReLU()
    with net.register_forward_hook(lambda cell, args, out: out + 1):
        assert net(Tensor(1.0)).item() == 2.0
    assert net(Tensor(1.0)).item() == 1.0


class Block(nn.Cell):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Dense(3, 8), nn.Dense(8, 3)
        self.drop = nn.Dropout(p=0.5)

    def construct(self, x, scale=1.0):
        return self.b(self.drop(ops.tanh(self.a(x)))) * scale


def _gradients(recompute, train=False):
    ms.manual_seed(3)
    rng = np.random.default_rng(0)
    net = nn.SequentialCell(Block(), Block())
    for p in net.get_parameters():
        p.set_data(Tensor(rng.standard_normal(p.shape).astype(np.float32)))
    net.set_train(train)
    if recompute:
        net[0].recompute()
    x = Tensor(rng.standard_normal((4, 3)).astype(np.float32))
    value, (dx, dw) = ms.value_and_grad(lambda x: (net(x) ** 2).sum(), 0, net.trainable_params())(x)
    return [value.asnumpy(), dx.asnumpy(), *[g.asnumpy() for g in dw]]


@pytest.mark.parametrize("train", [False, True])
def test_recompute_changes_no_number(mode, train):
    for got, want in zip(_gradients(True, train), _gradients(False, train), strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-5, atol=1e-5)


def test_recompute_recomputes():
    import jax

    ms.set_context(mode=ms.GRAPH_MODE)
    net = Block()
    net.recompute()

    def loss(x):
        return (net(x) ** 2).sum()

    seen = []
    original = jax.checkpoint
    try:
        from sporax._core import recompute

        recompute.jax.checkpoint = lambda f: seen.append(1) or original(f)
        ms.grad(loss, None, net.trainable_params())(Tensor(np.ones((2, 3), np.float32)))
    finally:
        recompute.jax.checkpoint = original
    assert seen


def test_recompute_of_a_cell_with_bprop(mode):
    net = Net(Straight())
    net.recompute()
    dx, (dw,) = ms.grad(net, 0, net.trainable_params())(Tensor(X))
    for got, want in zip((dx, dw), straight_gradients(), strict=True):
        np.testing.assert_allclose(got.asnumpy(), want)


def test_precision_is_the_same_in_both_modes():
    def run():
        net = nn.SequentialCell(nn.Dense(3, 4, weight_init="ones", bias_init="zeros"), nn.BatchNorm1d(4), nn.ReLU()).to_float(ms.float16)
        net[1].to_float(ms.float32)
        net.set_train()
        x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
        value, gradients = ms.value_and_grad(lambda x: net(x).sum(), None, net.trainable_params())(x)
        return [value.dtype, *[g.dtype for g in gradients], net[1].moving_mean.dtype], net[1].moving_mean.asnumpy()

    eager_types, eager = run()
    ms.set_context(mode=ms.GRAPH_MODE)
    types, graph = run()
    assert eager_types == types == [ms.float16, *[ms.float32] * 5]
    # one tenth of the mean over the batch of x @ ones moves into the statistics
    np.testing.assert_allclose(eager, np.full(4, 0.1 * np.mean([3.0, 12.0])), rtol=1e-6)
    np.testing.assert_allclose(graph, eager, rtol=1e-6)


def test_precision_of_flags():
    net = nn.Dense(2, 2).add_flags(fp16=True)
    assert net(Tensor(np.ones((1, 2), np.float32))).dtype is ms.float16
    net.add_flags(fp16=False)
    assert net(Tensor(np.ones((1, 2), np.float32))).dtype is ms.float32


def test_parameter_forward_hook(mode):
    net = Net(nn.Identity())
    net.register_parameter_forward_hook([{"params": [net.w], "hook": lambda param: param * 10}])
    w = np.array([1.0, 2.0, 3.0])
    np.testing.assert_allclose(net(Tensor(X)).asnumpy(), (10 * w * X) ** 2)
    (dw,) = ms.grad(net, None, net.trainable_params())(Tensor(X))
    np.testing.assert_allclose(dw.asnumpy(), 2 * w * (10 * X) ** 2)
    assert isinstance(net.w, Parameter)
    both = nn.SequentialCell(nn.Dense(3, 1, weight_init="ones", bias_init="ones"), nn.Dense(1, 1, weight_init="ones", bias_init="ones"))
    both.register_parameter_forward_hook(lambda param: param * 2)
    np.testing.assert_allclose(both(Tensor(X[None])).asnumpy(), [[(X.sum() * 2 + 2) * 2 + 2]])
    for hook, error in ((3, TypeError), ([{"params": []}], ValueError), ([{"params": [3], "hook": print}], TypeError)):
        with pytest.raises(error):
            net.register_parameter_forward_hook(hook)
    with pytest.raises(TypeError, match="callable"):
        net.register_parameter_forward_hook([{"params": [net.w], "hook": 3}])


def test_precision_reaches_into_compiled_functions():
    double = ms.jit(lambda x: x + x)

    class Calls(nn.Cell):
        def construct(self, x):
            return double(x)

    x = Tensor(X)
    for cell, dtype in ((Calls().to_float(ms.float16), ms.float16), (Calls(), ms.float32), (Calls().to_float(ms.bfloat16), ms.bfloat16)):
        for _ in range(2):
            assert cell(x).dtype is dtype
    assert double(x).dtype is ms.float32
