"""Cells against recordings of genuine MindSpore, in both modes where the case computes."""

import pytest

import sporax
from tests.oracle.cases_cells import CALLS, CASES
from tests.oracle.recording import differences


@pytest.mark.parametrize("name", list(CASES))
def test_pynative(name):
    assert differences("cells", name, CASES[name], sporax) == ""


@pytest.mark.parametrize("name", list(CALLS))
def test_graph(name):
    sporax.set_context(mode=sporax.GRAPH_MODE)
    try:
        assert differences("cells", name, CALLS[name], sporax) == ""
    finally:
        sporax.set_context(mode=sporax.PYNATIVE_MODE)
