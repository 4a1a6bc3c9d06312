"""Operations on images against genuine MindSpore's recorded results."""

import pytest

import sporax
from tests.oracle.cases_dataset_vision import CASES
from tests.oracle.recording import differences


@pytest.mark.parametrize("line", list(CASES))
def test_as_recorded(line):
    assert differences("dataset_vision", line, CASES[line], sporax) == ""
