"""Losses and their gradients against recordings of genuine MindSpore; the formula where genuine contradicts its own."""

import numpy as np
import pytest

import sporax
from sporax import Tensor, nn, ops
from tests.oracle.cases_losses import CASES, INPUTS, WRONG
from tests.oracle.recording import differences, load

# Where another result than genuine's is wanted.
OURS = {
    "nn.CrossEntropyLoss() of uC": "both refuse unbatched logits with a batch of labels; the message is about the shapes, so it is a ValueError",
    "ops.binary_cross_entropy_with_logits() of xb float16": "gradients have the dtype of their input",
    "ops.binary_cross_entropy_with_logits(reduction='mean') of xb float16": "gradients have the dtype of their input",
    "nn.CTCLoss blank=4": "a target that contains the blank is none: the numbers mean nothing",
}
NAMES = [n for n in CASES if not n.startswith((*OURS, *WRONG, "mint."))]


@pytest.mark.parametrize("name", NAMES)
def test_recorded(name):
    """Genuine's result; where it raises, the same class of error, or what was meant."""
    if "raises" in load("losses")[0][name]:
        try:
            CASES[name](sporax)
        except Exception:
            assert differences("losses", name, CASES[name], sporax) == ""
    else:
        assert differences("losses", name, CASES[name], sporax) == ""


@pytest.mark.parametrize("reduction", ["mean", "sum", "none"])
def test_hinge_embedding_is_its_formula(reduction):
    x, y = INPUTS["x"], np.sign(INPUTS["y"])
    want = np.where(y == 1, x, np.maximum(0.7 - x, 0))
    got = nn.HingeEmbeddingLoss(0.7, reduction)(Tensor(x), Tensor(y))
    np.testing.assert_allclose(got.asnumpy(), getattr(want, reduction)() if reduction != "none" else want, rtol=1e-5)


def test_hinge_embedding_has_its_gradient():
    x, y = np.array([0.3, -2.0, 0.5, 3.0], np.float32), np.array([1, 1, -1, -1], np.float32)
    got = sporax.grad(lambda a: nn.HingeEmbeddingLoss(1.0, "sum")(a, Tensor(y)))(Tensor(x))
    np.testing.assert_allclose(got.asnumpy(), [1, 1, -1, 0])


@pytest.mark.parametrize("label", [-1, -7, 5, 1000])
def test_a_class_out_of_range_counts_for_nothing(label):
    x = Tensor(INPUTS["x"])
    good, bad = Tensor(np.array([1, 2, 0], np.int32)), Tensor(np.array([1, 2, 0, label], np.int32))
    for loss in (nn.CrossEntropyLoss(reduction="sum"), nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="sum")):
        np.testing.assert_allclose(loss(x, bad).asnumpy(), loss(x[:3], good).asnumpy(), rtol=1e-6)
        assert np.all(sporax.grad(lambda a, loss=loss: loss(a, bad))(x).asnumpy()[3] == 0)


def test_an_impossible_ctc_target():
    log_p = ops.log_softmax(Tensor(np.ones((2, 1, 3), np.float32)))
    args = (Tensor(np.array([[1, 2, 1]], np.int32)), Tensor(np.array([2], np.int32)), Tensor(np.array([3], np.int32)))
    assert np.isinf(nn.CTCLoss(reduction="sum")(log_p, *args).asnumpy())
    kind = nn.CTCLoss(reduction="sum", zero_infinity=True)
    value, grad = sporax.value_and_grad(lambda a: kind(ops.log_softmax(a), *args))(Tensor(np.ones((2, 1, 3), np.float32)))
    assert value.asnumpy() == 0
    assert np.all(grad.asnumpy() == 0)


@pytest.mark.parametrize("mode", [sporax.GRAPH_MODE, sporax.PYNATIVE_MODE])
@pytest.mark.parametrize(
    "loss", [nn.CrossEntropyLoss(), nn.SoftmaxCrossEntropyWithLogits(True, "mean"), nn.NLLLoss(), nn.FocalLoss(), nn.MultiMarginLoss()]
)
def test_low_precision_and_both_modes(loss, mode):
    """float16 and bfloat16 agree with float32 to their precision, compiled or not."""
    sporax.set_context(mode=mode)
    x, y = Tensor(INPUTS["x"]), Tensor(np.array([1, 2, 0, 4], np.int32))
    if isinstance(loss, nn.FocalLoss):
        y = y.reshape(-1, 1)
    want = sporax.value_and_grad(loss)(x, y)
    for dtype, tolerance in ((sporax.float16, 5e-3), (sporax.bfloat16, 5e-2)):
        got = sporax.value_and_grad(loss)(x.astype(dtype), y)
        for g, w in zip(got, want):
            assert g.dtype == dtype
            np.testing.assert_allclose(g.float().asnumpy(), w.asnumpy(), rtol=tolerance, atol=tolerance)
