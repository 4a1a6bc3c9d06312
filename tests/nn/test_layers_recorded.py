"""Layers, their parameters and gradients against recordings of genuine MindSpore; the formula where genuine contradicts its own."""

import numpy as np
import pytest

import sporax
from sporax import Tensor, nn, ops
from tests.oracle.cases_layers import CASES, KINKS, WRONG
from tests.oracle.fixtures import normal
from tests.oracle.recording import differences, load

# Where another result than genuine's is wanted.
OURS = {
    "dense EmbeddingLookup(10, 4, max_norm=0.5)": "genuine's clipping over an axis is wrong: see ClipByNorm",
    "convolution Conv2dTranspose(2, 3, 3, stride=2, pad_mode='pad', padding=1, output_padding=1)": "the rows that output_padding adds are part of the convolution, not zeros",
    "activation SeLU() ": "genuine's gradient of negative numbers contradicts finite differences",
    "activation Hardtanh() | x | half": "the output has the dtype of the input",
    "activation Hardtanh(-2.0,2.0) | x | half": "the output has the dtype of the input",
}
NAMES = [n for n in CASES if not n.startswith((*OURS, *WRONG))]


def tolerance(name):
    """Genuine's tanh and exp are good to about 1e-4; in float16 both round, after different steps."""
    if name.endswith("| half"):
        return {"rtol": 4e-3, "atol": 3e-3}
    if name.startswith("recurrent"):
        return {"rtol": 1e-3, "atol": 3e-4}
    return {"rtol": 2e-4, "atol": 4e-5} if name.startswith("activation") else {"atol": 3e-6}


@pytest.mark.parametrize("name", NAMES)
def test_recorded(name):
    """Genuine's result; where it raises, the same class of error, or what was meant."""
    if "raises" in load("layers")[0][name]:
        try:
            CASES[name](sporax)
        except Exception:
            assert differences("layers", name, CASES[name], sporax) == ""
    else:
        assert differences("layers", name, CASES[name], sporax, **tolerance(name)) == ""


def test_selu_has_the_gradient_of_its_formula():
    scale, alpha = 1.0507009873554805, 1.6732632423543772
    got = sporax.grad(lambda x: nn.SeLU()(x).sum())(Tensor(KINKS))
    inner = KINKS != 0
    np.testing.assert_allclose(got.asnumpy()[inner], np.where(KINKS > 0, scale, scale * alpha * np.exp(KINKS))[inner], rtol=1e-5)


def test_clip_by_norm_over_an_axis():
    x = normal(100, 4, 3)
    want = x * 0.5 / np.maximum(np.linalg.norm(x, axis=1, keepdims=True), 0.5)
    np.testing.assert_allclose(nn.ClipByNorm(axis=1)(Tensor(x), Tensor(0.5)).asnumpy(), want, rtol=1e-5)


def test_embedding_lookup_limits_norms():
    table = normal(5, 6, 4)
    got = nn.EmbeddingLookup(6, 4, param_init=Tensor(table), max_norm=0.7)(Tensor(np.array([[1, 5], [0, 2]]))).asnumpy()
    want = table[[[1, 5], [0, 2]]]
    norms = np.linalg.norm(want, axis=-1, keepdims=True)
    np.testing.assert_allclose(got, want * np.minimum(0.7 / norms, 1), rtol=1e-5)


def test_transposed_convolution_with_output_padding_is_the_gradient_of_the_convolution():
    """conv_transpose(y) is what the derivative of conv gives, for the input size that `output_padding` selects."""
    x, y, w = Tensor(normal(1, 2, 3, 8, 10)), Tensor(normal(2, 2, 2, 4, 5)), Tensor(normal(3, 2, 3, 3, 3))
    want = sporax.grad(lambda a: (ops.conv2d(a, w, stride=2, pad_mode="pad", padding=1) * y).sum())(x)
    got = ops.conv_transpose2d(y, w, stride=2, padding=1, output_padding=1)
    np.testing.assert_allclose(got.asnumpy(), want.asnumpy(), rtol=1e-4, atol=1e-5)


def ssim_by_hand(a, b, size, sigma, c1, c2):
    """(similarity, contrast) of one channel by plain loops over windows."""
    x = np.arange(size) - (size - 1) / 2
    w = np.outer(np.exp(-(x**2) / (2 * sigma**2)), np.exp(-(x**2) / (2 * sigma**2)))
    w /= w.sum()
    whole, part = [], []
    for i in range(a.shape[0] - size + 1):
        for j in range(a.shape[1] - size + 1):
            p, q = a[i : i + size, j : j + size], b[i : i + size, j : j + size]
            mp, mq = (w * p).sum(), (w * q).sum()
            vp, vq, cov = (w * p * p).sum() - mp**2, (w * q * q).sum() - mq**2, (w * p * q).sum() - mp * mq
            cs = (2 * cov + c2) / (vp + vq + c2)
            whole.append((2 * mp * mq + c1) / (mp**2 + mq**2 + c1) * cs)
            part.append(cs)
    return np.mean(whole), np.mean(part)


def test_ssim_is_its_formula():
    rng = np.random.default_rng(0)
    a, b = rng.random((2, 2, 12, 13)), rng.random((2, 2, 12, 13))
    b = 0.7 * a + 0.3 * b
    want = [np.mean([ssim_by_hand(a[n, c], b[n, c], 5, 1.2, 0.01**2, 0.03**2)[0] for c in range(2)]) for n in range(2)]
    got = nn.SSIM(filter_size=5, filter_sigma=1.2)(Tensor(a.astype(np.float32)), Tensor(b.astype(np.float32)))
    np.testing.assert_allclose(got.asnumpy(), want, rtol=1e-4)
    whole = nn.SSIM(255, 5, 1.2)(Tensor((a * 255).astype(np.uint8)), Tensor((b * 255).astype(np.uint8)))
    np.testing.assert_allclose(whole.asnumpy(), want, rtol=2e-2)


def test_ms_ssim_is_its_formula():
    rng = np.random.default_rng(1)
    a = rng.random((1, 1, 16, 16))
    b = 0.8 * a + 0.2 * rng.random(a.shape)
    halve = lambda x: x.reshape(8, 2, 8, 2).mean((1, 3))
    fine = ssim_by_hand(a[0, 0], b[0, 0], 3, 1.5, 0.01**2, 0.03**2)[1]
    coarse = ssim_by_hand(halve(a[0, 0]), halve(b[0, 0]), 3, 1.5, 0.01**2, 0.03**2)[0]
    got = nn.MSSSIM(power_factors=(0.3, 0.7), filter_size=3)(Tensor(a.astype(np.float32)), Tensor(b.astype(np.float32)))
    np.testing.assert_allclose(got.asnumpy(), [fine**0.3 * coarse**0.7], rtol=1e-4)


def test_psnr_is_its_formula():
    a, b = normal(1, 2, 3, 4, 4), normal(2, 2, 3, 4, 4)
    want = 10 * np.log10(4.0 / ((a - b) ** 2).mean((1, 2, 3)))
    np.testing.assert_allclose(nn.PSNR(2.0)(Tensor(a), Tensor(b)).asnumpy(), want, rtol=1e-5)


MODES = [sporax.GRAPH_MODE, sporax.PYNATIVE_MODE]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("dtype", [sporax.float16, sporax.bfloat16])
@pytest.mark.parametrize(
    ("make", "shape"),
    [
        (lambda: nn.Conv2d(3, 4, 3, stride=2, has_bias=True), (2, 3, 9, 9)),
        (lambda: nn.Dense(3, 4, activation="gelu"), (2, 3)),
        (lambda: nn.LayerNorm((5,)), (4, 5)),
        (lambda: nn.GroupNorm(2, 4), (2, 4, 3, 3)),
        (lambda: nn.MaxPool2d(3, 2, "same"), (2, 3, 9, 9)),
        (lambda: nn.LSTM(3, 4), (5, 2, 3)),
        (lambda: nn.MultiheadAttention(4, 2), (5, 2, 4)),
    ],
)
def test_low_precision_and_both_modes(make, shape, dtype, mode):
    """`to_float` gives float32's result to the precision of the other dtype, compiled or not."""
    sporax.set_context(mode=mode)
    net, x = make(), Tensor(normal(7, *shape))

    def run(x):
        args = (x, x, x) if isinstance(net, nn.MultiheadAttention) else (x,)
        out = net(*args)
        return (out[0] if isinstance(out, tuple) else out).astype(sporax.float32)

    weights = Tensor(normal(8, *run(x).shape))

    def loss(x):
        return (run(x) ** 2 * weights).sum()

    want, wanted_grad = run(x), sporax.grad(loss)(x)
    net.to_float(dtype)
    limit = 1e-2 if dtype == sporax.float16 else 8e-2
    for got, right in ((run(x), want), (sporax.grad(loss)(x), wanted_grad)):
        scale = np.abs(right.asnumpy()).max()
        np.testing.assert_allclose(got.asnumpy(), right.asnumpy(), rtol=limit, atol=limit * scale)
