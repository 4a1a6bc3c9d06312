"""Operations on text against genuine MindSpore's recorded results."""

import pytest

import sporax
from tests.oracle.cases_dataset_text import CASES
from tests.oracle.recording import differences


@pytest.mark.parametrize("line", list(CASES))
def test_as_recorded(line):
    assert differences("dataset_text", line, CASES[line], sporax) == ""
