"""nn.thor against its formulas in NumPy: which MindSpore runs on GPU and Ascend only, so there is no recording of a CPU."""

import numpy as np
import pytest

import sporax as ms
from sporax import Tensor, nn

RNG = np.random.default_rng(6)
X = RNG.standard_normal((4, 2, 4, 4)).astype(np.float32)
Y = RNG.standard_normal((4, 3)).astype(np.float32)


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        rng = np.random.default_rng(0)
        self.conv = nn.Conv2d(2, 2, 3, pad_mode="valid", weight_init=Tensor(rng.standard_normal((2, 2, 3, 3)).astype(np.float32) * 0.3))
        self.norm = nn.LayerNorm((8,))
        self.dense = nn.Dense(8, 3, weight_init=Tensor(rng.standard_normal((3, 8)).astype(np.float32) * 0.3), bias_init="zeros")
        self.flatten = nn.Flatten()

    def construct(self, x):
        return self.dense(self.norm(self.flatten(self.conv(x))))


def factors(net, loss):
    """A and G of both layers in float64, from the layers' inputs and the gradients in their outputs."""
    x = X.astype(np.float64)
    patches = np.stack([x[:, :, i : i + 3, j : j + 3].reshape(4, -1) for i in range(2) for j in range(2)], 2).mean(0)
    middle = net.conv(Tensor(X))
    hidden = net.norm(net.flatten(middle)).asnumpy().astype(np.float64)
    slope = ms.grad(lambda m: loss(net.dense(net.norm(net.flatten(m)))))(middle).asnumpy().astype(np.float64)
    out = net(Tensor(X))
    last = ms.grad(loss)(out).asnumpy().astype(np.float64)
    mean = slope.mean(0).reshape(2, -1)
    return {"conv.weight": (patches @ patches.T / 4, mean @ mean.T / 4, 4), "dense.weight": (hidden.T @ hidden / 4, last.T @ last / 4, 1)}


@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE], ids=["pynative", "graph"])
@pytest.mark.parametrize(("scale", "nesterov", "clip"), [(1.0, False, False), (128.0, True, True)])
def test_steps(mode, scale, nesterov, clip):
    ms.set_context(mode=mode)
    net, mse = Net(), nn.MSELoss()
    rates, dampings = np.array([0.1, 0.05, 0.02, 0.01], np.float32), np.array([0.3, 0.2, 0.1], np.float32)
    reference = Net()
    opt = nn.thor(
        net, Tensor(rates), Tensor(dampings), 0.9, weight_decay=0.01, loss_scale=scale, batch_size=4, use_nesterov=nesterov,
        decay_filter=lambda p: "bias" not in p.name, enable_clip_grad=clip, frequency=2,
    )  # fmt: skip
    grad_fn = ms.grad(lambda x, y: mse(net(x), y) * scale, None, opt.parameters)
    params = reference.trainable_params()
    assert [p.name for p in params] == [p.name for p in opt.parameters]
    moments, inverses = [np.zeros(p.shape) for p in params], {}
    for step in range(4):
        opt(grad_fn(Tensor(X), Tensor(Y)))
        lam = float(dampings[min(step, 2)])
        grads = ms.grad(lambda x, y: mse(reference(x), y), None, params)(Tensor(X), Tensor(Y))
        if step % 2 == 0:
            for name, (a, g, positions) in factors(reference, lambda out: mse(out, Tensor(Y))).items():
                root = np.sqrt(lam / positions)
                inverses[name] = tuple(np.linalg.inv(m + root * np.eye(len(m))) / np.sqrt(positions) for m in (a, g * 16))
        for i, (p, grad) in enumerate(zip(params, grads)):
            g = grad.asnumpy().astype(np.float64)
            if p.name in inverses:
                a_inv, g_inv = inverses[p.name]
                g = (g_inv @ g.reshape(len(g), -1) @ a_inv).reshape(g.shape)
            elif "norm" in p.name:
                g = g / (g * g / 4 + np.sqrt(lam))
            if "bias" not in p.name:
                g = g + 0.01 * p.asnumpy()
            if clip and np.linalg.norm(g) > 1:
                g = g / np.linalg.norm(g)
            moments[i] = 0.9 * moments[i] + g
            direction = g + 0.9 * moments[i] if nesterov else moments[i]
            p.set_data(Tensor((p.asnumpy() - float(rates[step]) * direction).astype(np.float32)))
        for got, want in zip(opt.parameters, params):
            np.testing.assert_allclose(got.asnumpy(), want.asnumpy(), rtol=2e-3, atol=2e-4, err_msg=f"step {step}, {got.name}")


def test_it_trains_in_one_compiled_step():
    net, mse = Net(), nn.MSELoss()
    opt = nn.thor(net, Tensor([0.05]), Tensor([0.1]), 0.9, batch_size=4, frequency=3)
    grad_fn = ms.value_and_grad(lambda x, y: mse(net(x), y), None, opt.parameters)

    @ms.jit
    def step(x, y):
        loss, grads = grad_fn(x, y)
        opt(grads)
        return loss

    losses = [float(step(Tensor(X), Tensor(Y)).asnumpy()) for _ in range(30)]
    assert losses[-1] < 0.2 * losses[0] and opt.get_frequency() == 3


def test_evaluation_leaves_the_factors():
    net = Net()
    opt = nn.thor(net, Tensor([0.05]), Tensor([0.1]), 0.9, frequency=3)
    net(Tensor(X))
    assert all((p.asnumpy() == 0).all() for p in opt.factors_a)


@pytest.mark.parametrize(
    ("error", "arguments"),
    [
        (TypeError, {"learning_rate": 0.1}),
        (TypeError, {"momentum": 1}),
        (ValueError, {"momentum": -0.5}),
        (TypeError, {"frequency": 2.0}),
        (ValueError, {"frequency": 1}),
        (ValueError, {"loss_scale": 0.0}),
        (ValueError, {"weight_decay": -1.0}),
        (TypeError, {"use_nesterov": 1}),
        (TypeError, {"split_indices": 3}),
    ],
)
def test_what_is_wrong_is_said(error, arguments):
    with pytest.raises(error):
        nn.thor(Net(), **{"learning_rate": Tensor([0.1]), "damping": Tensor([0.1]), "momentum": 0.9, **arguments})
    with pytest.raises(ValueError, match="activation"):
        nn.thor(nn.Dense(2, 2, activation="relu"), Tensor([0.1]), Tensor([0.1]), 0.9)
