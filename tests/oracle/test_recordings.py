"""The recordings cover the case modules: a changed case module was recorded again."""

import importlib

import pytest

from tests.oracle.recording import load, recorded

TOPICS = ["printing", "indexing", "optimizers", "experimental", "schedules", "losses", "layers", "transforms", "checkpoints"]


@pytest.mark.parametrize("topic", TOPICS)
def test_every_case_is_recorded(topic):
    nodes, _ = load(topic)
    assert list(nodes) == list(importlib.import_module(f"tests.oracle.cases_{topic}").CASES)


@pytest.mark.parametrize("topic", TOPICS)
def test_every_recording_decodes(topic):
    nodes, _ = load(topic)
    for name in nodes:
        assert {"value", "raises"} & set(recorded(topic, name))
