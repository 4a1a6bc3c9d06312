"""Sources against genuine MindSpore's recorded results."""

import pytest

import sporax
from tests.oracle.cases_dataset_sources import CASES
from tests.oracle.recording import differences


@pytest.mark.parametrize("line", list(CASES))
def test_as_recorded(line):
    assert differences("dataset_sources", line, CASES[line], sporax) == ""
