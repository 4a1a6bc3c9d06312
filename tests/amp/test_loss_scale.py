"""Loss scaling: scalers, Cells and managers follow the written rule, and a step with an overflow leaves no trace."""

import numpy as np
import pytest

import sporax as ms
from sporax import Parameter, Tensor, amp, nn, ops


@pytest.fixture(params=[ms.PYNATIVE_MODE, ms.GRAPH_MODE], ids=["pynative", "graph"])
def mode(request):
    ms.set_context(mode=request.param)
    return request.param


def rule(scale, finite, factor, window):
    """The scale after each step, and the count of steps without overflow, in plain Python."""
    count = 0
    for ok in finite:
        if ok:
            scale, count = (scale * factor, 0) if count == window - 1 else (scale, count + 1)
        else:
            scale, count = max(scale / factor, 1.0), 0
        yield scale, count


SEQUENCES = [[1, 1, 1, 1, 1], [0] * 12, [1, 0, 1, 1, 0, 1, 1, 1, 1], [0, 1, 1, 0, 0, 1]]


@pytest.mark.parametrize("finite", SEQUENCES)
@pytest.mark.parametrize(("factor", "window"), [(2, 1), (2, 3), (4, 2)])
def test_dynamic_scaler_follows_the_rule(mode, finite, factor, window):
    scaler = amp.DynamicLossScaler(256, factor, window)
    adjust = ms.jit(scaler.adjust) if mode == ms.GRAPH_MODE else scaler.adjust
    for ok, (scale, count) in zip(finite, rule(256.0, finite, factor, window), strict=True):
        adjust(Tensor(bool(ok)))
        assert (scaler.scale_value.item(), scaler.counter.item()) == (scale, count)


@pytest.mark.parametrize("finite", SEQUENCES)
def test_update_cell_agrees_with_the_manager(mode, finite):
    manager = ms.DynamicLossScaleManager(256, 2, 3)
    cell, scale = manager.get_update_cell(), Parameter(Tensor(256.0), name="scale")
    for ok in finite:
        manager.update_loss_scale(not ok)
        assert bool(cell(scale, Tensor(not ok))) is not bool(ok)
        assert scale.item() == manager.get_loss_scale()
        if not ok:
            break  # the manager counts from there by the number of the step, the Cell by the last change


def test_update_cell_with_its_own_scale():
    cell = nn.DynamicLossScaleUpdateCell(1024, 2, 2)
    assert cell.get_loss_scale() == 1024
    for finite, scale in ((True, 1024), (False, 512), (True, 512), (True, 1024)):
        cell.update(Tensor(finite))
        assert cell.get_loss_scale().item() == scale


def test_a_scaler_is_state_of_a_compiled_step():
    scaler, traces = amp.DynamicLossScaler(8, 2, 1), []

    @ms.jit
    def step(x):
        traces.append(1)
        scaled = scaler.scale(x)
        back = scaler.unscale((scaled,))[0]
        scaler.adjust(amp.all_finite(scaled))
        return scaled, back

    scaled = [step(Tensor(v)) for v in (1.0, 2.0, np.inf, 1.0)]
    n = len(traces)
    assert [s[0].item() for s in scaled] == [8, 32, np.inf, 16]
    assert [s[1].item() for s in scaled] == [1, 2, np.inf, 1]
    step(Tensor(5.0))
    assert len(traces) == n  # a new scale is a new value, not a new program


def network(scale_sense, optimizer=nn.Adam):
    net = nn.Dense(3, 2, weight_init=Tensor(np.arange(6, dtype=np.float32).reshape(2, 3) / 10), bias_init="zeros")
    optimizer = optimizer(net.trainable_params(), 0.1)
    return net, optimizer, nn.TrainOneStepWithLossScaleCell(nn.WithLossCell(net, nn.MSELoss()), optimizer, scale_sense)


def batches(n):
    rng = np.random.default_rng(0)
    return [(Tensor(rng.standard_normal((4, 3)).astype(np.float32)), Tensor(rng.standard_normal((4, 2)).astype(np.float32))) for _ in range(n)]


def test_scaled_steps_are_the_plain_ones(mode):
    net, _, step = network(nn.FixedLossScaleUpdateCell(1024.0))
    plain = nn.Dense(3, 2, weight_init=Tensor(np.arange(6, dtype=np.float32).reshape(2, 3) / 10), bias_init="zeros")
    reference = nn.TrainOneStepCell(nn.WithLossCell(plain, nn.MSELoss()), nn.Adam(plain.trainable_params(), 0.1))
    for x, y in batches(5):
        loss, overflow, scale = step(x, y)
        assert loss.item() == pytest.approx(reference(x, y).item(), rel=1e-6)
        assert not overflow.item()
        assert scale.item() == 1024
    np.testing.assert_allclose(net.weight.asnumpy(), plain.weight.asnumpy(), rtol=1e-6)


@pytest.mark.parametrize("bad", range(4))
def test_a_step_with_an_overflow_did_not_happen(mode, bad):
    def end(skip):
        net, optimizer, step = network(Tensor([64.0]))
        for i, (x, y) in enumerate(batches(4)):
            if i == bad:
                if skip:
                    continue
                _, overflow, _ = step(x * Tensor(np.inf), y)
                assert overflow.item()
            else:
                assert not step(x, y)[1].item()
        return [p.asnumpy() for p in (*net.get_parameters(), *optimizer.get_parameters())]

    for with_it, without_it in zip(end(False), end(True), strict=True):
        np.testing.assert_array_equal(with_it, without_it)


def test_scale_moves_with_a_dynamic_cell(mode):
    _, _, step = network(nn.DynamicLossScaleUpdateCell(64, 2, 2), nn.SGD)
    (x, y), *_ = batches(1)
    seen = [step(x * Tensor(f, ms.float32), y)[2].item() for f in (1, np.inf, 1, 1, 1, 1)]
    assert seen == [64, 32, 32, 64, 64, 128]
    assert step.scale_sense.item() == 128


def test_set_sense_scale(mode):
    _, _, step = network(Tensor([64.0]))
    (x, y), *_ = batches(1)
    assert step(x, y)[2].asnumpy().tolist() == [64]
    step.set_sense_scale(Tensor([8.0]))
    assert step(x, y)[2].asnumpy().tolist() == [8]


def test_steps_written_with_grad_and_sens(mode):
    class Own(nn.TrainOneStepWithLossScaleCell):
        def construct(self, x, y):
            loss = self.network(x, y)
            status, scale = self.start_overflow_check(loss, self.scale_sense)
            gradients = self.grad(self.network, self.weights)(x, y, ops.ones_like(loss) * scale.astype(loss.dtype))
            gradients = ops.HyperMap()(lambda g: g / scale, gradients)
            overflow = self.process_loss_scale(self.get_overflow_status(status, gradients))
            if not overflow:
                loss = ops.depend(loss, self.optimizer(gradients))
            return loss, overflow, scale

    net, optimizer, reference = network(nn.FixedLossScaleUpdateCell(16.0))
    own_net, own_optimizer, _ = network(nn.FixedLossScaleUpdateCell(16.0))
    own = Own(nn.WithLossCell(own_net, nn.MSELoss()), own_optimizer, nn.FixedLossScaleUpdateCell(16.0))
    for x, y in batches(3):
        assert own(x, y)[0].item() == reference(x, y)[0].item()
    np.testing.assert_allclose(own_net.weight.asnumpy(), net.weight.asnumpy(), rtol=1e-6)


def test_all_finite(mode):
    check = ms.jit(amp.all_finite) if mode == ms.GRAPH_MODE else amp.all_finite
    for values, want in (([1.0], True), ([np.inf], False), ([np.nan], False), ([-np.inf, 1], False), ([], True)):
        for dtype in (ms.float16, ms.float32, ms.float64, ms.bfloat16):
            assert check((Tensor([1.0]), Tensor(np.array(values, np.float32), dtype))).item() is want
    assert check([Tensor(3)]).item() is True
    assert ops.AllFinite()((Tensor(np.inf), Tensor(1.0))).item() is True


@pytest.mark.parametrize(
    ("make", "error", "text"),
    [
        (lambda: amp.all_finite(((Tensor(1.0),), (Tensor(1.0),))), TypeError, "grad_position=None"),
        (lambda: amp.all_finite(3), TypeError, "Tensors in a tuple or list"),
        (lambda: amp.StaticLossScaler(0.5), ValueError, "at least 1"),
        (lambda: amp.StaticLossScaler("2"), TypeError, "float or int"),
        (lambda: amp.DynamicLossScaler(2, 0, 1), ValueError, "positive"),
        (lambda: amp.DynamicLossScaler(2, 2, 1.5), TypeError, "int"),
        (lambda: ms.FixedLossScaleManager(0.5), ValueError, ">= 1"),
        (lambda: ms.DynamicLossScaleManager(scale_window=0), ValueError, "positive int"),
        (lambda: network(3), TypeError, "Cell or Tensor"),
        (lambda: network(Tensor([1.0, 2.0])), ValueError, "(1,) or ()"),
    ],
)
def test_errors(make, error, text):
    with pytest.raises(error) as caught:
        make()
    assert text in str(caught.value)
