"""State that stays with a compiled program: whoever looks, writes or holds a version sees what PyNative would show."""

import copy
import gc
import threading

import numpy as np
import pytest

import sporax as ms
from sporax import Parameter, Tensor, nn, ops
from sporax._core import resident


class Net(nn.Cell):
    """Four small states: two parameters that are trained, a counter, and a moving value of another dtype."""

    def __init__(self, size=3):
        super().__init__()
        self.w = Parameter(Tensor(np.arange(1, size + 1, dtype=np.float32)), name="w")
        self.b = Parameter(Tensor(np.ones((2, 1), np.float32)), name="b")
        self.count = Parameter(Tensor(0, ms.int32), name="count", requires_grad=False)
        self.mean = Parameter(Tensor(np.zeros(2, np.float16)), name="mean", requires_grad=False)

    def construct(self, x):
        self.count += 1
        ops.assign(self.mean, self.mean * 0.5 + 1)
        ops.assign(self.w, self.w * x)
        ops.assign(self.b, self.b + x)
        return (self.w.sum() + self.b.sum()).reshape(())


@pytest.fixture(params=["packed", "apart"])
def net(request, monkeypatch):
    if request.param == "apart":
        monkeypatch.setattr(resident, "_MAX_PACKED", 0)
    ms.set_context(mode=ms.GRAPH_MODE)
    return Net()


def state(net):
    return [p.asnumpy().tolist() for p in net.get_parameters()]


def after(steps, x=2.0):
    w, b, mean = np.array([1.0, 2, 3]), np.ones((2, 1)), np.zeros(2)
    for _ in range(steps):
        w, b, mean = w * x, b + x, mean * 0.5 + 1
    return [w.tolist(), b.tolist(), steps, mean.tolist()]


X = 2.0


def test_steps_that_nobody_looks_at(net):
    for _ in range(5):
        loss = net(Tensor(X))
    assert loss.item() == np.sum(after(5)[0]) + np.sum(after(5)[1])
    assert state(net) == after(5)
    assert net.compiled_traces == 2


def test_looking_at_every_step(net):
    for i in range(1, 5):
        net(Tensor(X))
        assert state(net) == after(i)
        assert net.w.asnumpy().tolist() == after(i)[0]


def test_a_held_version_stays(net):
    held = []
    for _ in range(4):
        net(Tensor(X))
        held.append(net.w.value())
    assert [h.asnumpy().tolist() for h in held] == [after(i)[0] for i in range(1, 5)]
    first = held[0]
    del held
    net(Tensor(X))
    assert first.asnumpy().tolist() == after(1)[0] and state(net) == after(5)


def test_a_held_array_stays(net):
    net(Tensor(X))
    array, copied = net.w.asnumpy(), copy.deepcopy(net)
    raw = net.w._value.array()
    net(Tensor(X))
    assert array.tolist() == after(1)[0] == np.asarray(raw).tolist()
    assert state(copied) == after(1) and state(net) == after(2)


def test_writes_from_outside(net):
    net(Tensor(X))
    net.w.set_data(Tensor(np.array([5.0, 5, 5], np.float32)))
    net(Tensor(X))
    assert net.w.asnumpy().tolist() == [10, 10, 10]
    assert state(net)[1:] == after(2)[1:]
    ops.assign(net.count, Tensor(70, ms.int32))
    net(Tensor(X))
    assert net.count.item() == 71 and net.w.asnumpy().tolist() == [20, 20, 20]
    net.w, net.b = Parameter(Tensor(np.zeros(3, np.float32)), name="w"), net.b
    net(Tensor(X))
    assert net.w.asnumpy().tolist() == [0, 0, 0] and net.count.item() == 72


def test_two_handles_on_one_version(net):
    net(Tensor(X))
    other = Parameter(net.w, name="other")
    twin = Tensor(net.w)
    net(Tensor(X))
    assert other.asnumpy().tolist() == twin.asnumpy().tolist() == after(1)[0]


def test_programs_that_share_state(net):
    reader = ms.jit(lambda: net.w.sum() + net.count)
    for i in range(1, 4):
        net(Tensor(X))
        assert reader().item() == np.sum(after(i)[0]) + i
    # another type of argument is another program on the same state
    net(Tensor(X, ms.float16))
    net(Tensor(X))
    net(Tensor(X, ms.float16))
    net(Tensor(X, ms.float16))
    net(Tensor(X))
    assert state(net) == after(8)


def test_modes_alternate(net):
    for i in range(6):
        ms.set_context(mode=ms.PYNATIVE_MODE if i % 2 else ms.GRAPH_MODE)
        net(Tensor(X))
    assert state(net) == after(6)


def test_gradients_through_a_program_that_writes(net):
    net(Tensor(X))
    ms.set_context(mode=ms.PYNATIVE_MODE)
    compiled = ms.jit(lambda x: net.construct(x))
    # d/dx (sum(w x) + sum(b + x)) = sum(w) + 2
    assert ms.grad(compiled)(Tensor(X)).item() == np.sum(after(1)[0]) + 2
    assert state(net) == after(2)
    compiled(Tensor(X))
    assert state(net) == after(3)


def test_a_call_that_fails_changes_nothing(net):
    net(Tensor(X))
    with pytest.raises((ValueError, TypeError)):
        net(Tensor(np.ones(5, np.float32)))
    assert state(net) == after(1)
    net(Tensor(X))
    assert state(net) == after(2)


def test_a_state_whose_type_changes():
    ms.set_context(mode=ms.GRAPH_MODE)

    class Grow(nn.Cell):
        def __init__(self):
            super().__init__()
            self.a, self.b, self.c = (Parameter(Tensor([1.0]), name=n) for n in "abc")
            self.seen = Tensor([0.0])

        def construct(self, x):
            self.seen = ops.concat([self.seen, x])
            for p in (self.a, self.b, self.c):
                ops.assign(p, p + x)
            return self.a.sum()

    grow = Grow()
    for i in range(1, 4):
        grow(Tensor([2.0]))
        assert grow.seen.shape == (1 + i,) and grow.c.asnumpy().tolist() == [1 + 2 * i]


def test_inside_other_traces(net):
    net(Tensor(X))
    assert ms.vmap(lambda x: x * net.w.sum())(Tensor([1.0, 2.0])).asnumpy().tolist() == [12, 24]
    assert ms.jvp(lambda x: x * net.w.sum(), Tensor(1.0), Tensor(1.0))[1].item() == 12
    net(Tensor(X))
    assert state(net) == after(2)


def test_another_thread_looks(net):
    net(Tensor(X))
    seen = []
    thread = threading.Thread(target=lambda: seen.append(state(net)))
    thread.start()
    thread.join()
    assert seen == [after(1)]


def test_programs_are_forgotten(net):
    def count():
        gc.collect()
        return len(resident._residents)

    before = count()
    nets = [Net() for _ in range(3)]
    for n in nets:
        n(Tensor(X))
    kept = nets[0].w
    assert count() == before + 3
    del nets, n
    assert count() <= before + 1
    assert kept.asnumpy().tolist() == after(1)[0]
