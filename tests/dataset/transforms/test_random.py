"""Random combinations of operations: what they draw, and that the sample alone decides it."""

import json
import pickle

import numpy as np
import pytest

from sporax.dataset import _random
from sporax.dataset import transforms as T


def plus(x):
    return x + 1


def times(x):
    return x * 2


def results(op, n=2000):
    found = []
    for i in range(n):
        with _random.sample(3, 0, i):
            found.append(int(op(np.array(3))))
    return np.array(found)


def test_apply_is_as_likely_as_said():
    got = results(T.RandomApply([plus, times], 0.3))
    assert set(got) == {3, 8}
    # a binomial deviates by four standard deviations once in 16,000 times
    assert abs((got == 8).mean() - 0.3) < 4 * np.sqrt(0.3 * 0.7 / got.size)


def test_choice_takes_each_equally_often():
    got = results(T.RandomChoice([plus, times, T.Fill(0)]))
    counts = [(got == v).sum() for v in (4, 6, 0)]
    assert sum(counts) == got.size
    assert max(abs(c - got.size / 3) for c in counts) < 4 * np.sqrt(got.size * 2 / 9)


def test_order_takes_each_equally_often_and_changes_nothing():
    op = T.RandomOrder([plus, times])
    got = results(op)
    assert set(got) == {8, 7}
    assert abs((got == 8).mean() - 0.5) < 4 * np.sqrt(0.25 / got.size)
    assert op.transforms == [plus, times]


@pytest.mark.parametrize("op", [T.RandomApply([plus]), T.RandomChoice([plus, times]), T.RandomOrder([plus, times])], ids=lambda op: type(op).__name__)
def test_a_sample_is_what_its_position_says(op):
    assert (results(op, 50) == results(op, 50)).all()
    assert (results(op, 50) == results(pickle.loads(pickle.dumps(op)), 50)).all()


def test_positions_have_streams_of_their_own():
    def draws(*position):
        with _random.sample(*position):
            return tuple(_random.generator().random(4))

    positions = [(seed, epoch, i, k) for seed in (0, 1) for epoch in (0, 1) for i in (0, 1, 2**40) for k in (0, 1)]
    assert len({draws(*p) for p in positions}) == len(positions)
    with pytest.raises(ValueError, match="at most 3"):
        _random.Source(1, 2, 3, 4, 5)


def test_the_process_can_be_seeded():
    _random.seed_process(5)
    first = results_outside()
    _random.seed_process(5)
    assert first == results_outside()
    _random.seed_process(None)


def results_outside():
    return [int(T.RandomChoice([plus, times])(np.array(3))) for _ in range(20)]


@pytest.mark.parametrize(
    "op",
    [
        T.OneHot(4, smoothing_rate=0.5),
        T.Slice(slice(1, 3), [0, 1]),
        T.Mask(T.Relational.EQ, 3),
        T.Concatenate(0, np.array([1, 2])),
        T.Compose([T.TypeCast(np.float32), T.PadEnd([3], 2)]),
    ],
    ids=repr,
)
def test_json(op):
    again = T.TensorOperation.from_json(op.to_json())
    assert type(again) is type(op)
    assert again.to_json() == op.to_json()
    assert json.loads(op.to_json())["tensor_op_name"] == type(op).__name__


def test_json_makes_nothing_else():
    bad = {"tensor_op_name": "Popen", "tensor_op_params": {"args": [], "kwargs": {}}, "python_module": "subprocess"}
    with pytest.raises(ValueError, match="not an operation"):
        T.TensorOperation.from_json(json.dumps(bad))
    with pytest.raises(TypeError, match="can't be written"):
        T.Compose([plus]).to_json()


def test_repr_shows_the_arguments():
    assert repr(T.PadEnd([3], pad_value=2)) == "PadEnd([3], pad_value=2)"
