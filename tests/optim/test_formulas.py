"""Where an argument of an optimizer does nothing, or something else, in MindSpore: the update rule written out in NumPy, over ten steps."""

import numpy as np
import pytest

import sporax as ms
from sporax import Parameter, Tensor, nn, ops

RNG = np.random.default_rng(3)
START = RNG.standard_normal((4, 3)).astype(np.float32)
GRADIENTS = RNG.standard_normal((10, 4, 3)).astype(np.float32)


@pytest.fixture(params=[ms.PYNATIVE_MODE, ms.GRAPH_MODE], ids=["pynative", "graph"])
def mode(request):
    ms.set_context(mode=request.param)
    return request.param


def trained(make, gradients=GRADIENTS, start=START):
    parameter = Parameter(Tensor(start), name="p.weight")
    optimizer = make([parameter])
    for g in gradients:
        optimizer((Tensor(g),))
    return parameter.asnumpy()


def followed(rule, *state):
    """The parameter after the rule `(p, g, t, *state) -> p, *state` in float64."""
    p, state = START.astype(np.float64), [np.full(START.shape, s) for s in state]
    for t, g in enumerate(GRADIENTS.astype(np.float64), 1):
        p, *state = rule(p, g, t, *state)
    return p


def close(got, want):
    np.testing.assert_allclose(got, want, rtol=2e-5, atol=2e-6)


def test_nesterov_of_sgd_and_momentum(mode):
    def rule(p, g, t, v):
        v = 0.9 * v + g
        return p - 0.1 * (g + 0.9 * v), v

    want = followed(rule, 0.0)
    close(trained(lambda ps: nn.Momentum(ps, 0.1, 0.9, use_nesterov=True)), want)
    close(trained(lambda ps: nn.SGD(ps, 0.1, momentum=0.9, nesterov=True)), want)


def test_adagrad_without_growing_sums(mode):
    want = followed(lambda p, g, t: (p - 0.1 * g / np.sqrt(0.1),))
    close(trained(lambda ps: nn.Adagrad(ps, learning_rate=0.1, update_slots=False)), want)


def test_l1_of_ftrl(mode):
    lr, l1, l2 = 0.5, 0.3, 0.2

    def rule(p, g, t, n, z):
        z = z + g - (np.sqrt(n + g * g) - np.sqrt(n)) / lr * p
        n = n + g * g
        return np.where(abs(z) > l1, (np.sign(z) * l1 - z) / (np.sqrt(n) / lr + 2 * l2), 0), n, z

    close(trained(lambda ps: nn.FTRL(ps, learning_rate=lr, l1=l1, l2=l2)), followed(rule, 0.1, 0.0))


def test_epsilon_of_rmsprop(mode):
    def rule(p, g, t, s, m):
        s = 0.8 * s + 0.2 * g * g
        m = 0.5 * m + 0.01 * g / np.sqrt(s + 1e-2)
        return p - m, s, m

    # the recorded start of the mean of squares is 1
    close(trained(lambda ps: nn.RMSProp(ps, learning_rate=0.01, decay=0.8, momentum=0.5, epsilon=1e-2)), followed(rule, 1.0, 0.0))


def test_loss_scale_of_adafactor(mode):
    scaled = trained(lambda ps: nn.AdaFactor(ps, loss_scale=128.0), GRADIENTS * np.float32(128))
    close(scaled, trained(nn.AdaFactor))


def test_weight_decay_of_a_group_of_adafactor(mode):
    def step(weight_decay):
        return trained(
            lambda ps: nn.AdaFactor([{"params": ps, "weight_decay": weight_decay}], learning_rate=0.1, scale_parameter=False, relative_step=False),
            GRADIENTS[:1],
        )

    close(step(0.2) - step(0.0), -0.1 * 0.2 * START)


def test_compression_of_adafactor(mode):
    kept = []
    compressed = trained(lambda ps: kept.append(nn.AdaFactor(ps, compression=True)) or kept[0])
    assert kept[0].exp_avg[0].dtype == ms.float16
    np.testing.assert_allclose(compressed, trained(nn.AdaFactor), rtol=0, atol=2e-4)


def test_centralized_gradients_of_adam_with_weight_decay(mode):
    # as MindSpore documents it: of weights whose second size is a multiple of 16
    start, gradients = RNG.standard_normal((4, 16)).astype(np.float32), RNG.standard_normal((10, 4, 16)).astype(np.float32)

    def end(centralize, gradients):
        return trained(lambda ps: nn.AdamWeightDecay([{"params": ps, "grad_centralization": centralize}], 0.1), gradients, start)

    close(end(True, gradients), end(False, gradients - gradients.mean(2, keepdims=True)))


def test_clip_by_norm_over_an_axis(mode):
    x = Tensor([[3.0, 4.0], [0.3, 0.4]])
    np.testing.assert_allclose(nn.ClipByNorm(axis=1)(x, Tensor(1.0)).asnumpy(), [[0.6, 0.8], [0.3, 0.4]], rtol=1e-6)


def test_gradients_where_a_norm_or_a_factor_is_zero(mode):
    assert ms.grad(ops.norm)(Tensor([0.0, 0.0])).asnumpy().tolist() == [0, 0]
    assert ms.grad(lambda x: ops.cumprod(x, 0)[-1])(Tensor([2.0, 0.0, 3.0])).asnumpy().tolist() == [0, 6, 0]
    assert ms.grad(lambda x: ops.prod(x))(Tensor([2.0, 0.0, 3.0])).asnumpy().tolist() == [0, 6, 0]
