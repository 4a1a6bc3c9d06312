"""PyNative by recording: what runs when, and how often XLA compiles."""

import gc
import threading
import weakref

import numpy as np
import pytest

import sporax as ms
from sporax import Parameter, Tensor
from sporax._core import dispatch, record, scope
from sporax._core.errors import LeakedTensorError
from tests.core.kernels import add, matmul, mul, sin, split, total, vec


@pytest.fixture
def runs():
    """Counts of executables run and compiled since the test began."""
    dispatch.flush()
    before = dict(record.stats)
    return lambda: {k: record.stats[k] - before.get(k, 0) for k in ("runs", "compiles")}


def test_nothing_runs_until_a_value_is_looked_at(runs):
    x = mul(add(vec(1, 2), vec(3, 4)), 2.0)
    assert runs()["runs"] == 0
    np.testing.assert_array_equal(x.asnumpy(), [8, 12])
    assert runs()["runs"] == 1


def test_types_are_known_before_anything_runs(runs):
    x = matmul(Tensor(np.ones((2, 3), np.float16)), Tensor(np.ones((3, 4), np.float16)))
    assert (x.shape, x.dtype, x.ndim, x.size) == ((2, 4), ms.float16, 2, 8)
    assert runs()["runs"] == 0


def test_shape_errors_appear_on_the_line_that_makes_them():
    with pytest.raises(TypeError, match=r"(?s)For '_matmul'.*Tensor\[Float32\]\(2,\).*Tensor\[Float32\]\(3,\)"):
        matmul(vec(1, 2), vec(1, 2, 3))
    # and the block is as it was
    np.testing.assert_array_equal(add(vec(1), vec(2)).asnumpy(), [3])


def test_one_block_one_executable_however_often(runs):
    for i in range(20):
        x = add(mul(vec(i, 1), vec(2, 2)), vec(1, 1))
        assert x.asnumpy()[0] == 2 * i + 1
    assert runs() == {"runs": 20, "compiles": 1}


def test_python_floats_that_vary_do_not_compile_each_time(runs):
    for i in range(50):
        assert mul(vec(1), 1.0 + i).item() == 1.0 + i
    assert runs()["compiles"] <= 5


def test_python_numbers_of_other_kinds_are_told_apart():
    ones = Tensor(np.ones(1, np.int64))
    assert mul(ones, 1).dtype is ms.int64
    assert mul(ones, 1.0).dtype.is_floating_point
    assert mul(ones, True).dtype is ms.int64
    assert np.signbit(mul(vec(1), -0.0).item()) and not np.signbit(mul(vec(1), 0.0).item())
    assert np.isnan(mul(vec(1), float("nan")).item())


def test_values_nobody_holds_are_not_computed(runs):
    x = vec(1, 2)
    y = sin(x)
    del y
    dispatch.flush()
    assert runs()["runs"] == 0


def test_a_loop_nobody_looks_at_runs_in_pieces(runs):
    x = vec(0)
    for _ in range(2 * record._MAX_OPS + 10):
        x = add(x, vec(1)) if False else add(x, 1.0)
    assert x.item() == 2 * record._MAX_OPS + 10
    assert 2 <= runs()["runs"] <= 4


def test_varying_shapes_compile_once_each(runs):
    for _ in range(3):
        for n in (1, 2, 3):
            assert total(Tensor(np.ones(n, np.float32))).item() == n
    assert runs()["compiles"] == 3


def test_caches_are_bounded():
    for n in range(record._MAX_EXECUTABLES + 20):
        record._executables[("filler", n)] = None
    assert total(Tensor(np.ones(777, np.float32))).item() == 777
    while len(record._executables) > record._MAX_EXECUTABLES:
        record._executables.popitem(last=False)
    record.clear_caches()
    assert total(Tensor(np.ones(777, np.float32))).item() == 777


def test_each_thread_records_its_own_block():
    results = {}

    def work(k):
        x = vec(k)
        for _ in range(10):
            x = add(x, 1.0)
        results[k] = x  # looked at by another thread

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert [results[k].item() for k in range(4)] == [10, 11, 12, 13]


def test_writing_in_place_rebinds_the_handle_only():
    x = vec(1, 2)
    y = x.value()
    scope.assign(x, mul(x, 10.0))
    np.testing.assert_array_equal(x.asnumpy(), [10, 20])
    np.testing.assert_array_equal(y.asnumpy(), [1, 2])


def test_old_parameter_values_are_freed_or_reused():
    p = Parameter(vec(*range(1000)), name="p")
    dispatch.flush()
    old = weakref.ref(p._value)
    scope.assign(p, mul(p, 2.0))
    dispatch.flush()
    gc.collect()
    assert old() is None
    assert p.asnumpy()[3] == 6


def test_a_value_somebody_holds_is_never_given_away():
    p = Parameter(vec(1, 2), name="p")
    held, array = p.value(), p.asnumpy()
    for _ in range(3):
        scope.assign(p, mul(p, 2.0))
        dispatch.flush_step()
    np.testing.assert_array_equal(held.asnumpy(), [1, 2])
    np.testing.assert_array_equal(array, [1, 2])
    np.testing.assert_array_equal(p.asnumpy(), [8, 16])


def test_several_outputs():
    a, b = split(vec(1, 2, 3))
    assert a.shape == (1,) and b.shape == (2,)
    np.testing.assert_array_equal(b.asnumpy(), [2, 3])


def test_a_failed_block_says_so_at_every_later_look(monkeypatch):
    x = add(vec(5), vec(6))

    def broken(self, key, n):
        raise MemoryError("no room")

    monkeypatch.setattr(record.Block, "_compile", broken)
    monkeypatch.setattr(record, "_executables", type(record._executables)())
    with pytest.raises(MemoryError):
        x.asnumpy()
    monkeypatch.undo()
    with pytest.raises(RuntimeError, match="never computed.*no room"):
        x.asnumpy()
    assert add(vec(5), vec(6)).item() == 11


def test_direct_gives_the_same():
    before = dispatch.set_direct(True)
    try:
        x = mul(add(vec(1, 2), vec(3, 4)), 2.0)
        assert x._value.data is not None
        np.testing.assert_array_equal(x.asnumpy(), [8, 12])
        np.testing.assert_array_equal(ms.grad(lambda t: total(mul(t, t)))(vec(1, 2)).asnumpy(), [2, 4])
    finally:
        dispatch.set_direct(before)


def test_a_tensor_kept_out_of_a_trace_says_what_happened():
    kept = []

    @ms.jit
    def leaky(x):
        y = mul(x, 2.0)
        kept.append(y)
        return y

    leaky(vec(1))
    with pytest.raises(LeakedTensorError, match="leaky.*Return it"):
        add(kept[0], 1.0)
    with pytest.raises(LeakedTensorError):
        kept[0].asnumpy()
