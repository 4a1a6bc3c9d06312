"""Pipelines against what the same operations on lists give."""

import numpy as np
import pytest

import sporax as ms
import sporax.dataset as ds
from sporax import Tensor


def rows(data):
    return [tuple(c.tolist() for c in row) for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]


def numbers(n=10):
    return ds.GeneratorDataset([(np.int64(i), np.float32(i / 2)) for i in range(n)], ["a", "b"], shuffle=False)


WANT = [(i, i / 2) for i in range(10)]


def test_rows_batches_and_sizes():
    assert rows(numbers()) == WANT
    assert rows(numbers().batch(4)) == [tuple(map(list, zip(*WANT[i : i + 4], strict=True))) for i in (0, 4, 8)]
    assert len(rows(numbers().batch(4, drop_remainder=True))) == 2
    assert numbers().batch(4).get_dataset_size() == 3
    assert numbers().get_col_names() == ["a", "b"]
    assert rows(numbers(3).repeat(2)) == WANT[:3] * 2
    assert rows(numbers().skip(7).take(2)) == WANT[7:9]
    assert rows(numbers(2) + numbers(3)) == WANT[:2] + WANT[:3]
    assert rows(ds.zip((numbers(3), numbers(3).rename(["a", "b"], ["c", "d"])))) == [w + w for w in WANT[:3]]
    assert rows(numbers().project(["b"])) == [(b,) for _, b in WANT]


def test_map_filter_and_split():
    assert rows(numbers(3).map(lambda a: a * 10, "a")) == [(a * 10, b) for a, b in WANT[:3]]
    assert rows(numbers().filter(lambda a: a % 3 == 0, "a")) == [w for w in WANT if w[0] % 3 == 0]
    first, second = numbers().split([7, 3], randomize=False)
    assert rows(first) == WANT[:7]
    assert rows(second) == WANT[7:]


def test_tensors_and_dicts():
    row = next(numbers(2).create_tuple_iterator(num_epochs=1))
    assert all(isinstance(c, Tensor) for c in row)
    assert [c.dtype for c in row] == [ms.int64, ms.float32]
    assert [sorted(d) for d in numbers(2).create_dict_iterator(num_epochs=1, output_numpy=True)] == [["a", "b"]] * 2


@pytest.mark.parametrize("workers", [1, 3])
def test_shuffles_are_permutations_and_seeds_repeat_them(workers):
    def order(seed):
        ds.config.set_seed(seed)
        data = ds.GeneratorDataset([(i,) for i in range(50)], ["a"], shuffle=True, num_parallel_workers=workers)
        data = data.map(lambda a: a + 0, "a", num_parallel_workers=workers)
        return [[r[0] for r in rows(data)] for _ in range(2)]

    try:
        one, same, other = order(5), order(5), order(6)
    finally:
        ds.config.set_seed(5489)
    assert all(sorted(x) == list(range(50)) for x in one)
    assert one == same
    assert one[0] != list(range(50))
    assert other[0] != one[0]


def test_shards_cover_everything_once():
    parts = [rows(ds.GeneratorDataset([(i,) for i in range(10)], ["a"], shuffle=False, num_shards=3, shard_id=i)) for i in range(3)]
    assert {r for part in parts for r in part} == {(i,) for i in range(10)}
    assert {len(p) for p in parts} == {4}


def test_samplers():
    data = [(i,) for i in range(10)]
    pick = lambda sampler: [r[0] for r in rows(ds.GeneratorDataset(data, ["a"], sampler=sampler))]
    assert pick(ds.SequentialSampler(3, 4)) == [3, 4, 5, 6]
    assert pick(ds.SubsetSampler([7, 1, 7])) == [7, 1, 7]
    assert sorted(pick(ds.SubsetRandomSampler([1, 2, 5]))) == [1, 2, 5]
    assert set(pick(ds.WeightedRandomSampler([0, 1, 0, 1] + [0] * 6, 8))) <= {1, 3}
    assert sorted(pick(ds.RandomSampler())) == list(range(10))


def test_an_error_in_a_function_shows_its_row_and_traceback():
    def bad(a):
        if a == 4:
            raise KeyError("four is bad")
        return a

    with pytest.raises(RuntimeError) as caught:
        rows(numbers().map(bad, "a"))
    assert "row 4" in str(caught.value)
    assert "four is bad" in str(caught.value)
    assert "in bad" in str(caught.value)


def test_numpy_slices():
    data = ds.NumpySlicesDataset({"x": np.arange(6).reshape(3, 2), "y": [1, 2, 3]}, shuffle=False)
    assert rows(data) == [([0, 1], 1), ([2, 3], 2), ([4, 5], 3)]
    assert data.get_col_names() == ["x", "y"]
