"""Tensors against recordings of genuine MindSpore: printing, indexing, promotion, transforms."""

import json

import pytest

import sporax
from tests.oracle import cases_indexing, cases_printing, cases_transforms, recording

# Where genuine MindSpore fails its user, or prints by accident; see docs/differences.md.
OURS: dict = {}


def _cases(topic, module):
    return [pytest.param(topic, name, case, id=f"{topic}-{name}") for name, case in module.CASES.items() if (topic, name) not in OURS]


@pytest.mark.parametrize(
    ("topic", "name", "case"), [*_cases("indexing", cases_indexing), *_cases("printing", cases_printing), *_cases("transforms", cases_transforms)]
)
def test_recorded(topic, name, case):
    assert recording.differences(topic, name, case, sporax) == ""


def test_promotion():
    table = json.loads((recording.HERE / "promotion.json").read_text())
    assert table
