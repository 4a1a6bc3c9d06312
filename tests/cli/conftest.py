"""Tests that serve `mindspore` leave no trace of it."""

import pytest

from sporax._names import finder

collect_ignore = ["programs"]


@pytest.fixture
def served():
    """`import mindspore` gives Sporax during the test."""
    finder.install()
    yield
    finder.uninstall()
