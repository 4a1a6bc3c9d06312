"""Fifty steps of every optimizer give genuine MindSpore's parameters, states and names."""

import json

import pytest

import sporax
from tests.oracle import recording
from tests.oracle.cases_optimizers import CASES

# Where genuine MindSpore's CPU kernels do not do what the argument says, its numbers are not ours.
SILENTLY_WRONG = {
    "SGD(momentum=0.9, nesterov=True)": "nesterov is not applied",
    "Momentum(use_nesterov=True)": "nesterov is not applied",
    "Momentum(momentum=0.5, weight_decay=0.1, use_nesterov=True)": "nesterov is not applied",
    "Adagrad(update_slots=False)": "the sums grow all the same",
    "FTRL(l1=0.1, l2=0.2)": "l1 is added instead of subtracted where the accumulated gradient is negative",
    "RMSProp(learning_rate=0.01, decay=0.8, momentum=0.5, epsilon=1e-4)": "the vectorized and the scalar part of the kernel place epsilon differently",
    "AdaFactor(compression=True)": "the first moment stays float32",
    "AdaFactor(loss_scale=128.0)": "gradients are not divided by the loss scale",
    "AdaFactor groups": "the weight decay of a group is not applied",
    "AdamWeightDecay wide, centralized": "gradients are not centralized",
}
RECORDED = json.loads((recording.HERE / "optimizers.json").read_text())["cases"]


@pytest.mark.parametrize(
    "name", [n for n in CASES if "value" in RECORDED[n] and n not in SILENTLY_WRONG and not n.startswith(("bad", "params", "gradients"))]
)
def test_trajectory(name):
    # 5e-6 is 1e-5 of the parameters' scale, 0.5
    assert recording.differences("optimizers", name, CASES[name], sporax, atol=5e-6) == ""
