"""The composed step against the same step written out in NumPy with float64, and what must not happen in it."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sporax as ms
from sporax import Parameter, Tensor, amp, nn, ops
from sporax.steps import L1, L2, ByNorm, ByValue, GlobalNorm, GradientTransform, Optimizers, TrainStep

RNG = np.random.default_rng(7)
W, B = RNG.standard_normal((2, 3)) / 2, np.zeros(2)
BATCHES = [(RNG.standard_normal((n, 3)), RNG.standard_normal((n, 2))) for n in (4, 4, 2, 4, 1, 3, 4, 4) * 3]


def network():
    return nn.Dense(3, 2, weight_init=Tensor(W.astype(np.float32)), bias_init="zeros")


def tensors(batch):
    return tuple(Tensor(a.astype(np.float32)) for a in batch)


def momentum(net):
    return nn.Momentum(net.trainable_params(), 0.05, 0.9)


class Reference:
    """Mean squared error of a linear map, Momentum, in float64."""

    def __init__(self, accumulate=1, clip=None):
        self.p, self.m = [W.copy(), B.copy()], [np.zeros_like(W), np.zeros_like(B)]
        self.accumulate, self.clip, self.kept = accumulate, clip, []

    def gradients(self, x, y):
        error = x @ self.p[0].T + self.p[1] - y
        return [2 * error.T @ x / error.size, 2 * error.sum(0) / error.size], (error**2).mean()

    def __call__(self, x, y):
        g, loss = self.gradients(x, y)
        self.kept.append((len(x), g))
        if len(self.kept) == self.accumulate:
            self.flush()
        return loss

    def flush(self):
        total = sum(n for n, _ in self.kept)
        g = [sum(n * g[i] for n, g in self.kept) / total for i in range(2)]
        self.kept = []
        if self.clip:
            norm = np.sqrt(sum((x**2).sum() for x in g))
            g = [x * min(1, self.clip / norm) for x in g]
        self.m = [0.9 * m + x for m, x in zip(self.m, g, strict=True)]
        self.p = [p - 0.05 * m for p, m in zip(self.p, self.m, strict=True)]


def compare(precision, accumulate, clip, loss_scale, compiled, steps=20):
    net, reference = network(), Reference(accumulate, clip)
    loss_scale = amp.DynamicLossScaler(1024, 2, 15) if loss_scale == "dynamic" else loss_scale
    step = TrainStep(
        net, nn.MSELoss(), momentum(net), precision=precision, loss_scale=loss_scale, accumulate=accumulate, clip=GlobalNorm(clip) if clip else (),
        compiled=compiled,
    )  # fmt: skip
    tolerance = {None: 2e-6, "O0": 2e-6, "O2": 4e-3, "O3": 4e-3, "bf16": 3e-2}[precision]
    for batch in BATCHES[:steps]:
        out = step(*tensors(batch))
        assert out.finite.item()
        np.testing.assert_allclose(out.loss.item(), reference(*batch), rtol=tolerance * 5, atol=tolerance)
    np.testing.assert_allclose(net.weight.asnumpy(), reference.p[0], rtol=tolerance, atol=tolerance)
    np.testing.assert_allclose(net.bias.asnumpy(), reference.p[1], rtol=tolerance, atol=tolerance)


COMBINATIONS = list(itertools.product([None, "O2", "O3", "bf16"], [1, 4], [None, 0.5], [None, 1024.0, "dynamic"], [True, False]))


@pytest.mark.filterwarnings("ignore:Loss scaling keeps small")
@settings(max_examples=8, deadline=None)
@given(st.sampled_from(COMBINATIONS))
def test_some_combinations_follow_the_reference(combination):
    compare(*combination)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:Loss scaling keeps small")
@pytest.mark.parametrize("combination", COMBINATIONS, ids=str)
def test_each_combination_follows_the_reference(combination):
    compare(*combination)


@pytest.mark.filterwarnings("ignore:Loss scaling keeps small")
@pytest.mark.parametrize("accumulate", [1, 3])
@pytest.mark.parametrize("bad", range(6))
def test_a_step_with_an_overflow_did_not_happen(accumulate, bad):
    def end(skip):
        ms.set_seed(3)
        net = nn.SequentialCell(network(), nn.BatchNorm1d(2), nn.Dropout(p=0.5))
        net[0].bias.set_data(Tensor(np.ones(2, np.float32)))
        optimizer = nn.Adam(net.trainable_params(), nn.ExponentialDecayLR(0.1, 0.5, 2))
        scaler = amp.StaticLossScaler(64.0)
        step = TrainStep(net, nn.MSELoss(), optimizer, loss_scale=scaler, accumulate=accumulate, ema=0.5)
        for i, batch in enumerate([BATCHES[0], *BATCHES[:2], *BATCHES[6:9]]):
            x, y = tensors(batch)
            if i == bad:
                if skip:
                    continue
                out = step(x * Tensor(np.inf, ms.float32), y)
                assert not out.finite.item()
                assert not out.updated.item()
            else:
                assert step(x, y).finite.item()
        return {p.name: p.asnumpy() for p in step.get_parameters()}, ms.get_rng_state().asnumpy()

    (with_it, state), (without_it, other_state) = end(False), end(True)
    assert with_it.keys() == without_it.keys()
    for name in with_it:
        np.testing.assert_array_equal(with_it[name], without_it[name], err_msg=name)
    np.testing.assert_array_equal(state, other_state)


@pytest.mark.filterwarnings("ignore:Loss scaling keeps small")
def test_the_scale_falls_and_grows_and_is_reported():
    net = network()
    step = TrainStep(net, nn.MSELoss(), momentum(net), loss_scale=amp.DynamicLossScaler(64, 2, 2))
    x, y = tensors(BATCHES[0])
    assert [step(x * Tensor(f, ms.float32), y).loss_scale.item() for f in (1, np.inf, 1, 1, 1)] == [64, 32, 32, 64, 64]


def test_raise_names_the_update_and_changes_nothing():
    net = network()
    step = TrainStep(net, nn.MSELoss(), momentum(net), on_nonfinite="raise")
    x, y = tensors(BATCHES[0])
    step(x, y)
    before = {p.name: p.asnumpy() for p in step.get_parameters()}
    with pytest.raises(FloatingPointError, match="update 1 is not finite"):
        step(x * Tensor(np.nan, ms.float32), y)
    for p in step.get_parameters():
        np.testing.assert_array_equal(p.asnumpy(), before[p.name])


def test_accumulation_equals_one_big_batch():
    big, small = network(), network()
    whole = TrainStep(big, nn.MSELoss(), momentum(big))
    parts = TrainStep(small, nn.MSELoss(), momentum(small), accumulate=3)
    for i in range(0, 9, 3):
        chunk = BATCHES[i : i + 3]
        whole(*tensors([np.concatenate([b[k] for b in chunk]) for k in (0, 1)]))
        assert [parts(*tensors(b)).updated.item() for b in chunk] == [False, False, True]
    np.testing.assert_allclose(small.weight.asnumpy(), big.weight.asnumpy(), rtol=1e-6, atol=1e-7)
    assert parts.updates.item() == whole.updates.item() == 3


def test_what_is_left_is_flushed():
    net, reference = network(), Reference(4)
    step = TrainStep(net, nn.MSELoss(), momentum(net), accumulate=4)
    for batch in BATCHES[:6]:
        step(*tensors(batch))
        reference(*batch)
    assert step.flush() is True
    reference.flush()
    assert step.flush() is False
    np.testing.assert_allclose(net.weight.asnumpy(), reference.p[0], rtol=2e-6)
    step(*tensors(BATCHES[0]))  # a fresh start
    assert step.calls.item() == 1


def test_schedules_advance_once_for_each_update():
    net = network()
    optimizer = nn.SGD(net.trainable_params(), nn.PolynomialDecayLR(0.1, 0.01, 4, 1.0))
    step = TrainStep(net, nn.MSELoss(), optimizer, accumulate=2)
    for batch in BATCHES[:6]:
        step(*tensors(batch))
    assert optimizer.global_step.item() == 3


def test_one_program_for_all_steps():
    net, traces = network(), []

    def loss_fn(out, y):
        traces.append(1)
        return ((out - y) ** 2).mean()

    step = TrainStep(
        net, loss_fn, momentum(net), precision="O2", loss_scale=amp.DynamicLossScaler(1024, 2, 1), accumulate=2, clip=GlobalNorm(1.0), ema=0.9
    )
    x, y = tensors(BATCHES[0])
    step(x, y)
    n = len(traces)
    for f in (1, 2, np.inf, 1, 1, 1):
        step(x * Tensor(f, ms.float32), y)
    assert len(traces) == n


def test_moving_average():
    net = network()
    step = TrainStep(net, nn.MSELoss(), momentum(net), ema=0.9)
    average = W.astype(np.float64)
    for batch in BATCHES[:5]:
        step(*tensors(batch))
        average = 0.9 * average + 0.1 * net.weight.asnumpy()
    own = net.weight.asnumpy()
    with step.averaged():
        np.testing.assert_allclose(net.weight.asnumpy(), average, rtol=1e-5)
    np.testing.assert_array_equal(net.weight.asnumpy(), own)
    with pytest.raises(ValueError, match="ema=0.999"):
        TrainStep(net, nn.MSELoss(), momentum(net)).averaged()


def test_frozen_parameters_and_their_state_stay():
    net = nn.SequentialCell(nn.Dense(3, 4), nn.Dense(4, 2))
    optimizer = nn.Adam(net.trainable_params(), 0.1, weight_decay=0.1)
    step = TrainStep(net, nn.MSELoss(), optimizer)
    step(*tensors(BATCHES[0]))
    before = {p.name: p.asnumpy() for p in step.get_parameters()}
    step.freeze("0.*")
    step(*tensors(BATCHES[1]))
    for p in step.get_parameters():
        same = np.array_equal(p.asnumpy(), before[p.name])
        if "0." in p.name:
            assert same, p.name
        elif p.name.startswith(("1.", "moment1.1.")):
            assert not same, p.name
    step.unfreeze()
    step(*tensors(BATCHES[0]))
    assert not np.array_equal(net[0].weight.asnumpy(), before["0.weight"])
    with pytest.raises(ValueError, match="No parameter matches"):
        step.freeze("backbone.*")


def test_different_optimizers_for_parts():
    net, other = (nn.SequentialCell(nn.Dense(3, 4), nn.Dense(4, 2)) for _ in range(2))
    for p, q in zip(net.get_parameters(), other.get_parameters(), strict=True):
        q.set_data(p.value())
    step = TrainStep(net, nn.MSELoss(), Optimizers({"0.*": lambda ps: nn.SGD(ps, 0.1), "1.*": lambda ps: nn.Adam(ps, 0.01)}))
    first, second = nn.SGD(other[0].trainable_params(), 0.1), nn.Adam(other[1].trainable_params(), 0.01)
    for batch in BATCHES[:3]:
        x, y = tensors(batch)
        step(x, y)
        gradients = ms.grad(lambda x, y: nn.MSELoss()(other(x), y), None, other.trainable_params())(x, y)
        first(gradients[:2])
        second(gradients[2:])
    for p, q in zip(net.get_parameters(), other.get_parameters(), strict=True):
        np.testing.assert_allclose(p.asnumpy(), q.asnumpy(), rtol=1e-5, atol=1e-7)


def test_transforms_in_a_row():
    class Halve(GradientTransform):
        def __call__(self, gradients, parameters):
            return tuple(g * 0.5 for g in gradients)

    net = network()
    step = TrainStep(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 1.0), clip=[Halve(), L2(0.1), L1(0.01), ByValue(0.2), ByNorm(0.1)])
    x, y = BATCHES[0]
    g, _ = Reference().gradients(x, y)
    for i, p in enumerate([W, B]):
        want = np.clip(g[i] / 2 + 0.1 * p + 0.01 * np.sign(p), -0.2, 0.2)
        g[i] = p - want * min(1, 0.1 / np.linalg.norm(want))
    step(*tensors(BATCHES[0]))
    np.testing.assert_allclose(net.weight.asnumpy(), g[0], rtol=1e-5)
    np.testing.assert_allclose(net.bias.asnumpy(), g[1], rtol=1e-5)


def test_a_transform_with_state_is_carried_along():
    class Decaying(GradientTransform):
        def __init__(self):
            self.factor = Parameter(Tensor(1.0), name="factor")

        def __call__(self, gradients, parameters):
            factor = self.factor.value()
            ops.assign(self.factor, factor * 0.5)
            return tuple(g * factor for g in gradients)

    transform, net = Decaying(), network()
    step = TrainStep(net, nn.MSELoss(), momentum(net), clip=transform)
    for batch in BATCHES[:3]:
        step(*tensors(batch))
    assert transform.factor.item() == 0.125


def test_losses_of_all_kinds():
    class WithLoss(nn.Cell):
        def __init__(self):
            super().__init__()
            self.dense = network()

        def construct(self, x, y):
            out = self.dense(x)
            return ((out - y) ** 2).mean(), out

    net, (x, y) = WithLoss(), tensors(BATCHES[0])
    out = TrainStep(net, None, nn.SGD(net.trainable_params(), 0.1))(x, y)
    assert out.aux[0].shape == (4, 2)
    assert out.loss.item() == pytest.approx(Reference()(*BATCHES[0]), rel=1e-6)
    net = network()
    out = TrainStep(net, lambda out, y: (((out - y) ** 2).mean(), out.max()), nn.SGD(net.trainable_params(), 0.1))(x, y)
    assert out.aux[0].shape == ()


def test_recompute_gives_the_same():
    def end(recompute):
        ms.set_seed(1)
        net = nn.SequentialCell(nn.Dense(3, 8), nn.Tanh(), nn.Dense(8, 2))
        step = TrainStep(net, nn.MSELoss(), momentum(net), recompute=recompute)
        for batch in BATCHES[:3]:
            step(*tensors(batch))
        return net[0].weight.asnumpy()

    np.testing.assert_allclose(end(["0", "1"]), end(()), rtol=1e-6)
    with pytest.raises(ValueError, match="no Cell matches"):
        end(["layers.*"])


# Mistakes -----------------------------------------------------------------------------------------------------------


def make(loss_fn=None, net=None, optimizer=None, **options):
    net = net or network()
    return TrainStep(net, loss_fn or nn.MSELoss(), optimizer or momentum(net), **options)


def test_parameters_that_are_not_reached_are_named():
    class Detached(nn.Cell):
        def __init__(self):
            super().__init__()
            self.used, self.detached = network(), network()

        def construct(self, x):
            return self.used(x) + ops.stop_gradient(self.detached(x))

    step = make(net=Detached())
    with pytest.warns(UserWarning, match=r"does not depend on .*detached\.weight, detached\.bias: the gradient is zero"):
        step(*tensors(BATCHES[0]))


def test_parameters_that_are_not_in_the_optimizer_are_named():
    net = nn.SequentialCell(nn.Dense(3, 4), nn.Dense(4, 2))
    with pytest.warns(UserWarning, match=r"not in the optimizer and stay as they are: 1\.weight, 1\.bias"):
        make(net=net, optimizer=nn.SGD(net[0].trainable_params(), 0.1))


def test_loss_scaling_without_float16_is_of_no_use():
    with pytest.warns(UserWarning, match="of no use"):
        make(precision="bf16", loss_scale="dynamic")


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: make(lambda out, y: out - y)(*tensors(BATCHES[0])), ValueError, "should be one number, but got a Tensor of shape (4, 2)"),
        (lambda: make()(*tensors(BATCHES[0])[:1]), ValueError, "the network's inputs and the label"),
        (lambda: make(accumulate=0), ValueError, "positive int"),
        (lambda: make(precision="half"), ValueError, "'precision' should be one of"),
        (lambda: make(clip=5.0), TypeError, "GlobalNorm(5.0)"),
        (lambda: make(clip=GlobalNorm(0)), ValueError, "greater than 0"),
        (lambda: make(on_nonfinite="stop"), ValueError, "'skip' or 'raise'"),
        (lambda: make(ema=1.0), ValueError, "[0, 1)"),
        (lambda: make(precision="O2", loss_scale="static"), TypeError, "'dynamic', a number or a LossScaler"),
        (lambda: TrainStep(3), TypeError, "should be a Cell"),
        (lambda: TrainStep(network(), nn.MSELoss()), TypeError, "optimizer"),
        (lambda: make(optimizer=Optimizers({"a.*": nn.Adam})), ValueError, "no pattern"),
        (lambda: make(optimizer=Optimizers({"*": nn.Adam, "b*": nn.Adam})), ValueError, "match no further parameter"),
    ],
)
def test_errors(call, error, text):
    with pytest.raises(error) as caught:
        call()
    assert text in str(caught.value)
