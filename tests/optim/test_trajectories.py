"""Fifty steps of every optimizer give genuine MindSpore's parameters, states and names."""

import json

import pytest

import sporax
from tests.oracle import recording
from tests.oracle.cases_optimizers import CASES

# Genuine MindSpore's own numbers are wrong here: it ignores nesterov.
SILENTLY_WRONG = {"SGD(momentum=0.9, nesterov=True)"}
RECORDED = json.loads((recording.HERE / "optimizers.json").read_text())["cases"]


@pytest.mark.parametrize("name", [n for n in CASES if "value" in RECORDED[n] and n not in SILENTLY_WRONG and not n.startswith(("bad", "params", "gradients"))])
def test_trajectory(name):
    assert recording.differences("optimizers", name, CASES[name], sporax) == ""
