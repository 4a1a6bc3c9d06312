"""Graph mode: state is found, committed after the call, never stale; and how often Python runs."""

import types

import numpy as np
import pytest

import sporax as ms
from sporax import Parameter, Tensor
from sporax._core import scope
from tests.core.kernels import add, mul, total, vec

SCALE = 2.0


@pytest.fixture
def w():
    return Parameter(vec(1, 2), name="w")


def test_two_traces_for_each_kind_of_arguments():
    f = ms.jit(lambda x, k: mul(x, k))
    for _ in range(3):
        assert f(vec(1, 2), 3.0).asnumpy().tolist() == [3, 6]
    assert f.traces == 2
    f(vec(1, 2, 3), 3.0)
    assert f.traces == 4
    f(vec(1, 2), 4.0)
    assert f.traces == 6
    f(vec(9, 9), 3.0)
    assert f.traces == 6


def test_state_is_read_and_written_at_every_call(w):
    @ms.jit
    def step(x):
        scope.assign(w, add(w, x))
        return total(w)

    assert [step(vec(1, 1)).item() for _ in range(3)] == [5, 7, 9]
    w.set_data(vec(0, 0))
    assert step(vec(1, 1)).item() == 2
    w.set_data(Tensor(w.asnumpy()))
    assert step(vec(1, 1)).item() == 4
    assert step.traces == 2


def test_a_failed_trace_changes_nothing(w):
    @ms.jit
    def step(x):
        scope.assign(w, add(w, x))
        raise ValueError("stop")

    with pytest.raises(ValueError, match="stop"):
        step(vec(1, 1))
    assert w.asnumpy().tolist() == [1, 2]


def test_a_parameter_of_another_shape_is_compiled_anew(w):
    f = ms.jit(lambda: total(w))
    assert f().item() == 3
    w.set_data(vec(1, 1, 1, 1))
    assert f().item() == 4
    assert f.traces == 4


def test_values_held_elsewhere_survive(w):
    step = ms.jit(lambda: scope.assign(w, mul(w, 2.0)))
    held, other = w.value(), Tensor(w)
    for _ in range(3):
        step()
    assert w.asnumpy().tolist() == [8, 16]
    assert held.asnumpy().tolist() == other.asnumpy().tolist() == [1, 2]


def test_handles_that_share_a_value_part_ways(w):
    v = Parameter(vec(0, 0), name="v")
    v.set_data(w)
    step = ms.jit(lambda: (scope.assign(w, mul(w, 2.0)), total(v))[1])
    assert step().item() == 3
    assert step().item() == 3
    assert w.asnumpy().tolist() == [4, 8]


def test_arguments_written_in_place():
    @ms.jit
    def bump(x):
        scope.assign(x, add(x, 1.0))
        return x

    x = vec(1, 2)
    assert bump(x) is x
    assert bump(x).asnumpy().tolist() == x.asnumpy().tolist() == [3, 4]


def test_nested_containers_and_python_results():
    @ms.jit
    def f(d, *, k):
        return {"a": [mul(d["x"], k), None], "b": (d["x"], "text", 3)}

    x = vec(1, 2)
    out = f({"x": x}, k=2.0)
    assert out["a"][0].asnumpy().tolist() == [2, 4] and out["a"][1] is None
    assert out["b"][0] is x and out["b"][1:] == ("text", 3)


class Config:
    def __init__(self):
        self.k, self.table = 2.0, [1.0, 2.0]


def test_captured_python_values_are_not_frozen(monkeypatch):
    cfg, ns = Config(), types.SimpleNamespace(k=1.0)
    factor = 3.0

    def f(x):
        return add(add(mul(x, SCALE), mul(x, cfg.k)), add(mul(x, cfg.table[0]), mul(x, factor)))

    g = ms.jit(f)
    assert g(vec(1)).item() == 2 + 2 + 1 + 3
    cfg.k = 10.0
    assert g(vec(1)).item() == 2 + 10 + 1 + 3
    cfg.table[0] = 5.0
    assert g(vec(1)).item() == 2 + 10 + 5 + 3
    factor = 0.0
    assert g(vec(1)).item() == 2 + 10 + 5
    monkeypatch.setattr("tests.core.test_compile.SCALE", 1.0)
    assert g(vec(1)).item() == 1 + 10 + 5
    before = g.traces
    assert g(vec(2)).item() == 2 * 16
    assert g.traces == before
    assert ns.k == 1.0


class Trainer:
    """A plain object whose method is compiled, and whose receiver is not called self."""

    def __init__(this, w):  # noqa: N805
        this.w, this.rate = w, 1.0

    @ms.jit
    def step(this, x):  # noqa: N805
        scope.assign(this.w, add(this.w, mul(x, this.rate)))
        return total(this.w)


def test_methods_with_any_receiver(w):
    t = Trainer(w)
    assert t.step(vec(1, 1)).item() == 5
    t.rate = 10.0
    assert t.step(vec(1, 1)).item() == 25
    other = Trainer(Parameter(vec(0, 0), name="other"))
    assert other.step(vec(1, 1)).item() == 2


def test_lambdas_closures_partials_and_nested_compiles(w):
    import functools

    assert ms.jit(lambda x: mul(x, 2.0))(vec(1)).item() == 2
    assert ms.jit(functools.partial(mul, 3.0))(vec(1)).item() == 3
    inner = ms.jit(lambda x: add(x, total(w)))
    outer = ms.jit(lambda x: mul(inner(x), 2.0))
    assert outer(vec(1)).item() == 8
    w.set_data(vec(0, 0))
    assert outer(vec(1)).item() == 2


def test_gradients_through_a_compiled_function(w):
    f = ms.jit(lambda x: total(mul(mul(x, x), w)))
    assert ms.grad(f)(vec(1, 2)).asnumpy().tolist() == [2, 8]
    gx, (gw,) = ms.grad(f, 0, [w])(vec(1, 2))
    assert gx.asnumpy().tolist() == [2, 8] and gw.asnumpy().tolist() == [1, 4]
    w.set_data(vec(10, 10))
    assert ms.grad(f)(vec(1, 2)).asnumpy().tolist() == [20, 40]
    assert ms.grad(ms.grad(f))(vec(1, 2)).asnumpy().tolist() == [20, 20]


def test_state_written_inside_a_taped_compiled_call(w):
    n = Parameter(Tensor(0.0), name="n", requires_grad=False)

    @ms.jit
    def f(x):
        scope.assign(n, add(n, 1.0))
        return total(mul(x, w))

    for i in range(1, 4):
        assert ms.grad(f)(vec(1, 1)).asnumpy().tolist() == [1, 2]
        assert n.item() == i


def test_random_state_is_state():
    from sporax._core.rng import next_key

    @ms.jit
    def draw():
        return next_key()

    ms.set_seed(3)
    compiled = [draw().asnumpy().tolist() for _ in range(3)]
    ms.set_seed(3)
    assert [next_key().asnumpy().tolist() for _ in range(3)] == compiled
    assert len({tuple(k) for k in compiled}) == 3


def test_gradient_functions_made_anew_are_compiled_once(w):
    ms.set_context(mode=ms.GRAPH_MODE)
    runs = []
    try:

        def forward(x):
            runs.append(1)
            return total(mul(x, w))

        for _ in range(5):
            ms.value_and_grad(forward, None, [w])(vec(1, 1))
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)
    assert len(runs) == 2


def test_requires_grad_and_modes_retrace_only_when_they_change(w):
    f = ms.jit(lambda: mul(w, 1.0) if w.requires_grad else mul(w, 100.0))
    assert f().asnumpy()[0] == 1
    w.requires_grad = False
    assert f().asnumpy()[0] == 100
    w.requires_grad = True
    assert f().asnumpy()[0] == 1
    assert f.traces == 4


def test_unknown_jit_options():
    with pytest.raises(ValueError, match="jit_level"):
        ms.jit(jit_level="O9")(lambda x: x)
    with pytest.raises(TypeError, match="no option 'speed'"):
        ms.jit(speed=1)(lambda x: x)


def test_memory_of_many_calls_is_flat(w):
    f = ms.jit(lambda x: total(mul(x, w)))
    for i in range(300):
        f(Tensor(np.full(2, i, np.float32)))
    assert len(f._compiled.programs) == 1
