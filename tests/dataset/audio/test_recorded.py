"""Operations on sound against genuine MindSpore's recorded results."""

import pytest

import sporax
from tests.oracle.cases_dataset_audio import CASES
from tests.oracle.recording import differences


@pytest.mark.parametrize("line", list(CASES))
def test_as_recorded(line):
    assert differences("dataset_audio", line, CASES[line], sporax, rtol=2e-4, atol=5e-5) == ""
