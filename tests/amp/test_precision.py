"""Which type each part of a network computes in, level by level, and `build_train_network`."""

import numpy as np
import pytest

import sporax as ms
from sporax import Tensor, amp, nn, ops


@pytest.fixture(params=[ms.PYNATIVE_MODE, ms.GRAPH_MODE], ids=["pynative", "graph"])
def mode(request):
    ms.set_context(mode=request.param)
    return request.param


class Spy(nn.Cell):
    """Notes the types it sees: of its input, of a product, and of a sum of squares."""

    def __init__(self):
        super().__init__()
        self.matmul, self.seen = ops.MatMul(), []

    def construct(self, x):
        product = self.matmul(x, x.T)
        self.seen.append((x.dtype, product.dtype, (x * x).dtype))
        return x


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.dense, self.norm, self.spy, self.out = nn.Dense(4, 3), nn.BatchNorm1d(3), Spy(), nn.Dense(3, 2)

    def construct(self, x):
        self.x = x.dtype
        return self.out(self.spy(self.norm(self.dense(x))))


X = Tensor(np.random.default_rng(0).standard_normal((8, 4)).astype(np.float32))
F16, F32, BF16 = ms.float16, ms.float32, ms.bfloat16


@pytest.mark.parametrize("dtype", [F16, BF16], ids=str)
@pytest.mark.parametrize("level", ["O0", "O1", "O2", "O3", "auto"])
def test_levels(mode, level, dtype):
    net = Net().set_train()
    reference = net(X).asnumpy()
    got = amp.auto_mixed_precision(net, level, dtype)
    assert got is net
    net.spy.seen.clear()
    out = net(X)
    seen = net.spy.seen[-1]
    assert seen[0] is {"O0": F32, "O1": F32, "O2": dtype, "O3": dtype, "auto": F32}[level]
    assert seen[1] is {"O0": F32, "O1": F32, "O2": dtype, "O3": dtype, "auto": dtype}[level]
    assert out.dtype is (dtype if level == "auto" else F32)
    tolerance = 1e-6 if level == "O0" else 5e-3 if dtype is F16 else 5e-2
    np.testing.assert_allclose(out.astype(F32).asnumpy(), reference, rtol=tolerance, atol=tolerance)
    assert {p.dtype for p in net.get_parameters()} == {F32}
    assert net.norm.moving_mean.shape == (3,)
    gradients = ms.grad(lambda x: net(x).astype(F32).sum(), None, net.trainable_params())(X)
    assert {g.dtype for g in gradients} == {F32}


def test_black_list_computes_in_full(mode):
    # the mean of these squares is beyond float16's 65504, so a norm that computed in it would give 0
    net = amp.auto_mixed_precision(nn.SequentialCell(nn.LayerNorm((4,)), nn.ReLU()), "O2")
    x = Tensor(np.array([[900.0, -900.0, 900.0, -900.0]], np.float32))
    np.testing.assert_allclose(net(x).asnumpy(), [[1, 0, 1, 0]], rtol=1e-3)


def test_white_list_of_operators(mode):
    class Product(nn.Cell):
        def __init__(self):
            super().__init__()
            self.matmul = ops.MatMul()

        def construct(self, x):
            return self.matmul(x, x)

    x = np.array([[1 + 2**-12]], np.float32)
    assert Product()(Tensor(x)).item() == np.float32(x @ x)
    out = amp.auto_mixed_precision(Product(), "O1")(Tensor(x))
    assert (out.item(), out.dtype) == (1.0, F32)  # 2**-12 is lost in float16
    out = amp.custom_mixed_precision(Product(), white_list=[ops.ReLU])(Tensor(x))
    assert out.item() != 1.0


def test_a_type_that_was_chosen_before_stays(mode):
    net = nn.SequentialCell(nn.Dense(2, 2), nn.Dense(2, 2).to_float(F32))
    amp.auto_mixed_precision(net, "O1")
    net(ops.ones((1, 2)))
    assert net[0].get_flags()["fp16"] is True
    assert net[1].get_flags()["fp32"] is True


def test_functions_with_auto():
    @ms.jit
    def f(x):
        return ops.matmul(x, x), ops.exp(ops.matmul(x, x)), x + x

    product, exponential, total = amp.auto_mixed_precision(f.__wrapped__ if hasattr(f, "__wrapped__") else f, "auto")(ops.ones((2, 2)))
    assert (product.dtype, exponential.dtype, total.dtype) == (F16, F32, F32)


def test_custom_lists(mode):
    with pytest.warns(UserWarning, match="is not in 'black_list'"):
        net = amp.custom_mixed_precision(nn.SequentialCell(nn.Dense(2, 2), nn.Tanh()), black_list=[nn.Tanh])
    assert net(ops.ones((1, 2))).dtype is F32
    assert net[1].get_flags()["fp32"] is True
    assert net[0].get_flags()["fp16"] is True


@pytest.mark.parametrize(
    ("make", "error"),
    [
        (lambda: amp.auto_mixed_precision(3, "O2"), TypeError),
        (lambda: amp.auto_mixed_precision(nn.ReLU(), "O9"), ValueError),
        (lambda: amp.auto_mixed_precision(nn.ReLU(), "O2", F32), ValueError),
        (lambda: amp.custom_mixed_precision(nn.ReLU()), ValueError),
        (lambda: amp.custom_mixed_precision(nn.ReLU(), white_list=[], black_list=[]), ValueError),
        (lambda: amp.custom_mixed_precision(nn.ReLU(), white_list=[3]), TypeError),
        (lambda: amp.custom_mixed_precision(nn.ReLU(), black_list=[ops.ReLU]), TypeError),
        (lambda: amp.build_train_network(nn.ReLU(), None, level="O9"), ValueError),
        (lambda: amp.build_train_network(nn.ReLU(), None, level=2), TypeError),
        (lambda: amp.build_train_network(nn.ReLU(), None, cast=2), ValueError),
    ],
)
def test_errors(make, error):
    with pytest.raises(error):
        make()


def trained(level, n=10, optimizer_scale=1.0, **kwargs):
    net = nn.Dense(4, 2, weight_init=Tensor(np.linspace(-1, 1, 8, dtype=np.float32).reshape(2, 4)), bias_init="zeros")
    optimizer = nn.Momentum(net.trainable_params(), 0.05, 0.9, loss_scale=optimizer_scale)
    step = amp.build_train_network(net, optimizer, nn.MSELoss(), level, **kwargs)
    y = Tensor(np.random.default_rng(1).standard_normal((8, 2)).astype(np.float32))
    outs = [step(X, y) for _ in range(n)]
    losses = [(o[0] if isinstance(o, tuple) else o).item() for o in outs]
    return losses, net.weight.asnumpy(), isinstance(outs[0], tuple)


@pytest.mark.parametrize(
    ("level", "kwargs", "several"),
    [
        ("O1", {}, False),
        ("O2", {}, True),
        ("O2", {"loss_scale_manager": None}, False),
        ("O2", {"loss_scale_manager": amp.FixedLossScaleManager(1024.0)}, True),
        ("O2", {"loss_scale_manager": amp.FixedLossScaleManager(1024.0, drop_overflow_update=False)}, False),
        ("O3", {}, False),
        ("auto", {}, False),
        ("O0", {"cast_model_type": F16}, False),
        ("O0", {"cast_model_type": F16, "keep_batchnorm_fp32": True}, False),
        ("O2", {"cast_model_type": F32, "loss_scale_manager": None}, False),
    ],
)
def test_trained_in_mixed_precision(mode, level, kwargs, several):
    losses, weight, is_tuple = trained(level, **kwargs)
    want, wanted_weight, _ = trained("O0")
    # a scale of 2**24 may overflow in the first steps, which are then left out: the losses move along
    skipped = sum(a == b for a, b in zip(losses, losses[1:]))
    np.testing.assert_allclose(losses[skipped:], want[: len(want) - skipped], rtol=3e-3)
    if not skipped:
        np.testing.assert_allclose(weight, wanted_weight, rtol=5e-3, atol=2e-3)
    assert is_tuple is several


def test_a_scale_that_the_optimizer_knows_or_not():
    manager = amp.FixedLossScaleManager(1024.0, drop_overflow_update=False)
    told = trained("O0", optimizer_scale=1024.0, loss_scale_manager=manager)[1]
    np.testing.assert_allclose(told, trained("O0", loss_scale_manager=manager)[1], rtol=1e-5)
    np.testing.assert_allclose(told, trained("O0")[1], rtol=1e-5)
    with pytest.raises(ValueError, match="give the optimizer loss_scale=1024.0"):
        trained("O0", optimizer_scale=8.0, loss_scale_manager=manager)
