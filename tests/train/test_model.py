"""Model's loop: what callbacks see and print, stopping, evaluation between epochs, checkpoints."""

import math
import os

import numpy as np
import pytest

import sporax as ms
from sporax import Tensor, nn, train


@pytest.fixture(params=[ms.PYNATIVE_MODE, ms.GRAPH_MODE], ids=["pynative", "graph"])
def mode(request):
    ms.set_context(mode=request.param)
    return request.param


def model(lr=0.1, metrics=None, **kwargs):
    net = nn.Dense(1, 1, weight_init="ones", bias_init="zeros")
    return net, train.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), lr), metrics=metrics, **kwargs)


DATA = [(Tensor([[float(x)]]), Tensor([[3.0 * x]])) for x in (1, 2, 1, 0.5)]


def by_hand(epochs, lr=0.1):
    w, b, losses = 1.0, 0.0, []
    for _ in range(epochs):
        for x in (1, 2, 1, 0.5):
            e = w * x + b - 3 * x
            losses.append(e * e)
            w, b = w - lr * 2 * e * x, b - lr * 2 * e
    return w, b, losses


class Notes(train.Callback):
    def __init__(self, names):
        self.seen = []
        for name in names:
            setattr(self, name, lambda context, name=name: self.note(name, context))

    def note(self, name, context):
        state = context.original_args()
        self.seen.append((name, state.cur_epoch_num, state.cur_step_num))


def test_numbers_and_order(mode):
    net, m = model()
    old = Notes(["begin", "epoch_begin", "step_begin", "step_end", "epoch_end", "end"])
    new = Notes([f"on_train_{p}" for p in ("begin", "epoch_begin", "step_begin", "step_end", "epoch_end", "end")])
    m.train(2, DATA, callbacks=[old, new])
    w, b, _ = by_hand(2)
    np.testing.assert_allclose([net.weight.item(), net.bias.item()], [w, b], rtol=1e-5)
    steps = [("step_begin", "step_end")] * 4
    order = ["begin", *sum([["epoch_begin", *sum(steps, ()), "epoch_end"] for _ in range(2)], []), "end"]
    assert [n for n, _, _ in old.seen] == order
    assert [n for n, _, _ in new.seen] == [f"on_train_{n}" for n in order]
    assert [(e, s) for n, e, s in old.seen if n == "step_end"] == [(1, 1), (1, 2), (1, 3), (1, 4), (2, 5), (2, 6), (2, 7), (2, 8)]


def test_what_monitors_print(mode, capsys):
    _, m = model()
    m.train(2, DATA, callbacks=[train.LossMonitor(3), train.TimeMonitor()])
    lines = capsys.readouterr().out.splitlines()
    losses = by_hand(2)[2]
    for line, (epoch, step) in zip([x for x in lines if "loss" in x], [(1, 3), (2, 2)], strict=True):
        head, value = line.split(", loss is ")
        assert head == f"epoch: {epoch} step: {step}"
        assert float(value) == pytest.approx(losses[(epoch - 1) * 4 + step - 1], rel=1e-5)
    times = [x for x in lines if "time" in x]
    assert len(times) == 2
    assert all(x.startswith("Train epoch time: ") and "per step time: " in x and x.endswith(" ms") for x in times)


def test_a_loss_that_is_not_finite_ends_training():
    _, m = model(lr=1e30)
    with pytest.raises(ValueError, match=r"In epoch: \d step: \d, loss is NAN or INF"):
        m.train(5, DATA, callbacks=train.LossMonitor())


def test_stopping():
    class Stop(train.Callback):
        def on_train_step_end(self, context):
            if context.original_args().cur_step_num == 3:
                context.request_stop()

    notes = Notes(["step_end", "epoch_end", "end"])
    model()[1].train(5, DATA, callbacks=[Stop(), notes])
    assert [n for n, _, _ in notes.seen] == ["step_end"] * 3 + ["epoch_end", "end"]


@pytest.mark.parametrize(("sink_size", "steps"), [(-1, 4), (3, 3), (6, 6)])
def test_sink_mode_calls_back_once_an_epoch(sink_size, steps):
    net, m = model()
    notes = Notes(["step_end", "epoch_end"])
    m.train(2, DATA, callbacks=notes, dataset_sink_mode=True, sink_size=sink_size)
    assert notes.seen == [("step_end", 1, steps), ("epoch_end", 1, steps), ("step_end", 2, 2 * steps), ("epoch_end", 2, 2 * steps)]
    order = [DATA[i % 4] for i in range(2 * steps)]
    other, _ = model()
    step = nn.TrainOneStepCell(nn.WithLossCell(other, nn.MSELoss()), nn.SGD(other.trainable_params(), 0.1))
    for x, y in order:
        step(x, y)
    assert net.weight.item() == pytest.approx(other.weight.item(), rel=1e-6)


def test_initial_epoch():
    notes = Notes(["epoch_begin", "step_end"])
    model()[1].train(3, DATA, callbacks=notes, initial_epoch=2)
    assert notes.seen == [("epoch_begin", 3, 8), *[("step_end", 3, s) for s in (9, 10, 11, 12)]]


def test_fit_evaluates_between_epochs(mode, capsys):
    _, m = model(metrics={"mae", "loss"})
    history = train.History()
    m.fit(3, DATA, DATA, valid_frequency=[1, 3], callbacks=[train.LossMonitor(0), history])
    lines = capsys.readouterr().out.splitlines()
    assert [x[:21] for x in lines] == ["Eval result: epoch 1,", "Eval result: epoch 3,"]
    for epoch, mae in zip((1, 3), history.history["mae"], strict=True):
        w, b, _ = by_hand(epoch)
        assert mae == pytest.approx(np.mean([abs(w * x + b - 3 * x) for x in (1, 2, 1, 0.5)]), rel=1e-5)
    assert history.epoch["epoch"] == [1, 2, 3]


def test_eval_leaves_the_network_in_evaluation_and_train_in_training():
    net = nn.SequentialCell(nn.Dense(1, 4), nn.Dropout(p=0.5), nn.Dense(4, 1))
    m = train.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.0), metrics={"mse"})
    m.train(1, DATA)
    assert net.training
    assert m.eval(DATA) == m.eval(DATA)
    assert not net.training
    assert m.predict(DATA[0][0]).shape == (1, 1)


def test_early_stopping_and_reduced_rates(capsys):
    net, m = model(lr=0.0, metrics={"mae"})
    early = train.EarlyStopping("eval_loss", patience=2, verbose=True)
    m.fit(10, DATA, DATA, callbacks=early)
    assert early.stopped_epoch == 4
    assert capsys.readouterr().out == "Epoch 4: early stopping\n"
    net, m = model(lr=1e-9, metrics={"mae"})
    m.fit(5, DATA, DATA, callbacks=train.ReduceLROnPlateau("mae", factor=0.5, patience=2))
    assert m._optimizer.learning_rate.item() == pytest.approx(0.25e-9, rel=1e-5)


def test_best_weights_come_back():
    net, m = model(lr=0.9, metrics={"mae"})  # diverges
    early = train.EarlyStopping("eval_loss", patience=1, restore_best_weights=True)
    m.fit(5, DATA, DATA, callbacks=[train.LambdaCallback(on_train_begin=None), early])
    assert math.isfinite(net.weight.item())
    assert abs(net.weight.item()) < 100


def test_learning_rate_scheduler_sees_steps():
    seen = []
    _, m = model()
    m.train(1, DATA, callbacks=train.LearningRateScheduler(lambda lr, step: seen.append((round(lr, 4), step)) or lr / 2))
    assert seen == [(0.1, 1), (0.05, 2), (0.025, 3), (0.0125, 4)]


def test_checkpoints_are_saved_and_kept(tmp_path):
    net, m = model()
    config = train.CheckpointConfig(save_checkpoint_steps=3, keep_checkpoint_max=2, append_info=["epoch_num", {"lr": 0.1}])
    saving = train.ModelCheckpoint("net", str(tmp_path), config)
    m.train(2, DATA, callbacks=saving)
    assert sorted(os.listdir(tmp_path)) == ["net-2_2.ckpt", "net-2_4.ckpt"]
    assert saving.latest_ckpt_file_name == str(tmp_path / "net-2_4.ckpt")
    loaded = ms.load_checkpoint(saving.latest_ckpt_file_name)
    assert loaded["weight"].asnumpy() == net.weight.asnumpy()
    assert int(loaded["epoch_num"]) == 2


def test_mixed_precision():
    net, m = model(amp_level="O2", loss_scale_manager=ms.FixedLossScaleManager(128.0))
    m.train(2, DATA, callbacks=train.LossMonitor(4))
    np.testing.assert_allclose(net.weight.item(), by_hand(2)[0], rtol=1e-2)


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda m: m.train(0, DATA), ValueError, "positive int"),
        (lambda m: m.train(1, []), ValueError, "no valid data"),
        (lambda m: m.train(1, iter(DATA)), TypeError, "with a length"),
        (lambda m: m.train(1, DATA, callbacks=train.LossMonitor), TypeError, "'callbacks' should be"),
        (lambda m: m.train(1, DATA, callbacks=[train.LossMonitor]), TypeError, "not its class"),
        (lambda m: m.train(1, DATA, dataset_sink_mode=True, sink_size=0), ValueError, "-1 or positive"),
        (lambda m: m.eval(DATA), ValueError, "needs 'metrics'"),
        (lambda m: m.predict(DATA[0][0], backend="lite"), ValueError, "Lite"),
        (lambda m: train.Model(3), TypeError, "should be a Cell"),
        (lambda m: train.Model(nn.ReLU(), metrics=["acc"]), TypeError, "a dict of Metrics or a set of names"),
        (lambda m: train.Model(nn.ReLU(), metrics={"accurracy"}), KeyError, "There is no metric"),
        (lambda m: train.Model(nn.ReLU(), loss_scale=1), ValueError, "loss_scale_manager"),
        (lambda m: train.LambdaCallback(on_step=print), TypeError, "on_train_step_end"),
        (lambda m: train.ModelCheckpoint("a/b"), ValueError, "path separators"),
        (lambda m: train.CheckpointConfig(0, 0, 0, 0), ValueError, "more than 0"),
        (lambda m: train.CheckpointConfig(-1), ValueError, "at least 0"),
    ],
)
def test_errors(call, error, text):
    with pytest.raises(error) as caught:
        call(model()[1])
    assert text in str(caught.value)
