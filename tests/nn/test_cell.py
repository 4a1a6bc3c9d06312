"""Cells in PyNative and Graph mode: calls, compilation, attributes in traces, errors, overhead of what surrounds `construct`."""

import copy
import pickle

import numpy as np
import pytest

import sporax as ms
from sporax import Parameter, Tensor, nn, ops

X = np.array([1.0, 10.0], np.float32)


class Scale(nn.Cell):
    def __init__(self, value=2.0):
        super().__init__()
        self.w = Parameter(Tensor(np.full(2, value, np.float32)))
        self.factor = 1.0
        self.table = Tensor([1.0, 1.0])

    def construct(self, x):
        x = x * self.w * self.factor * self.table
        return x if self.training else -x


class Outer(nn.Cell):
    def __init__(self):
        super().__init__()
        self.inner = Scale()

    def construct(self, x):
        return self.inner(x)


@pytest.fixture(params=["pynative", "graph"])
def mode(request):
    ms.set_context(mode=ms.GRAPH_MODE if request.param == "graph" else ms.PYNATIVE_MODE)
    return request.param


# What a compiled program notices ---------------------------------------------------------------------------------------


def test_everything_that_changes_is_seen(mode):
    net, x = Outer(), Tensor(X)
    steps = (
        (lambda: None, -2 * X),
        (lambda: net.set_train(), 2 * X),
        (lambda: setattr(net.inner, "factor", 3.0), 6 * X),
        (lambda: setattr(net.inner, "table", Tensor([0.0, 1.0])), 6 * X * [0, 1]),
        (lambda: setattr(net.inner, "table", Tensor([[1.0, 1.0], [2.0, 2.0]])), 6 * X * [[1], [2]]),
        (lambda: net.inner.w.set_data(Tensor([1.0, 1.0])), 3 * X * [[1], [2]]),
        (lambda: setattr(net.inner, "w", Parameter(Tensor([0.0, 2.0]))), 3 * X * [0, 2] * [[1], [2]]),
        (lambda: setattr(net, "inner", Scale(5.0)), -5 * X),
        (lambda: net.inner.to_float(ms.float16), -5 * X),
        (lambda: net.inner.register_forward_hook(lambda cell, args, out: out + 1), -5 * X + 1),
    )
    for change, expected in steps:
        change()
        np.testing.assert_allclose(net(x).asnumpy(), expected)


def test_a_program_is_found_again():
    ms.set_context(mode=ms.GRAPH_MODE)
    net, x = Outer(), Tensor(X)
    net(x)
    assert net.compiled_traces == 2
    net.set_train()
    net(x)
    assert net.compiled_traces == 4
    for _ in range(3):
        net.set_train(False)
        net(x)
        net.set_train()
        net(x)
        net.inner.table = Tensor([2.0, 2.0])
        net.inner.w.set_data(Tensor([4.0, 4.0]))
        net(Tensor(2 * X))
    assert net.compiled_traces == 4
    net.inner.factor = 2.0
    net(x)
    net.inner.factor = 1.0
    net(x)
    assert net.compiled_traces == 6
    net(Tensor(np.ones((3, 2), np.float32)))
    assert net.compiled_traces == 8


def test_compile_traces_without_running():
    net, x = Outer(), Tensor(X)
    net.compile(x)
    assert net.compiled_traces == 2
    ms.set_context(mode=ms.GRAPH_MODE)
    np.testing.assert_allclose(net(x).asnumpy(), -2 * X)
    assert net.compiled_traces == 2
    ms.set_context(mode=ms.PYNATIVE_MODE)
    np.testing.assert_allclose(net.compile_and_run(x).asnumpy(), -2 * X)


def test_attribute_of_a_network_that_is_not_called():
    net = Scale()

    @ms.jit
    def f(x):
        return x * net.factor + net.table

    np.testing.assert_allclose(f(Tensor(X)).asnumpy(), X + 1)
    net.factor = 4.0
    np.testing.assert_allclose(f(Tensor(X)).asnumpy(), 4 * X + 1)
    net.table = Tensor([7.0, 7.0])
    np.testing.assert_allclose(f(Tensor(X)).asnumpy(), 4 * X + 7)


def test_jit_method_sees_its_cell():
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.factor = 2.0

        @ms.jit
        def twice(self, x):
            return x * self.factor

    net, other = Net(), Net()
    np.testing.assert_allclose(net.twice(Tensor(X)).asnumpy(), 2 * X)
    net.factor = 5.0
    np.testing.assert_allclose(net.twice(Tensor(X)).asnumpy(), 5 * X)
    np.testing.assert_allclose(other.twice(Tensor(X)).asnumpy(), 2 * X)


def test_jit_construct_compiles_in_pynative():
    ran = []

    class Net(Scale):
        @ms.jit
        def construct(self, x):
            ran.append(1)
            return x * self.w if self.training else x

    net = Net()
    for _ in range(3):
        np.testing.assert_allclose(net(Tensor(X)).asnumpy(), X)
    assert len(ran) == net.compiled_traces == 2
    net.set_train()
    np.testing.assert_allclose(net(Tensor(X)).asnumpy(), 2 * X)
    np.testing.assert_allclose(ms.grad(net)(Tensor(X)).asnumpy(), [2.0, 2.0])
    outer = nn.SequentialCell(net, Scale())
    np.testing.assert_allclose(outer(Tensor(X)).asnumpy(), -4 * X)


def test_jit_of_a_cell():
    net = ms.jit(Outer())
    for _ in range(3):
        np.testing.assert_allclose(net(Tensor(X)).asnumpy(), -2 * X)
    assert net.compiled_traces == 2


def test_graph_mode_wants_different_names():
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.a, self.b = Parameter(Tensor([1.0]), name="x"), Parameter(Tensor([1.0]), name="x")

        def construct(self, x):
            return x + self.a + self.b

    net = Net()
    np.testing.assert_allclose(net(Tensor(X)).asnumpy(), X + 2)
    ms.set_context(mode=ms.GRAPH_MODE)
    with pytest.raises(ValueError, match=r"value of b .*name 'x' already exists: it is also the name of a\..*update_parameters_name"):
        net(Tensor(X))


# Attributes written in construct -----------------------------------------------------------------------------------------


class Remembers(nn.Cell):
    def __init__(self):
        super().__init__()
        self.last, self.flag, self.p = None, False, Parameter(Tensor([0.0, 0.0]), requires_grad=False)
        self.register_buffer("mean", Tensor([0.0, 0.0]))
        self.both = ()

    def construct(self, x):
        if self.last is not None:
            x = x + self.last
        self.last, self.flag = x, True
        self.mean = self.mean * 0.5 + x * 0.5
        self.p = x
        self.both = (x, {"twice": x * 2})
        return x


def test_attributes_written_in_construct(mode):
    net, x, last, mean = Remembers(), Tensor(X), 0 * X, 0 * X
    p, buffer = net.p, None
    for _ in range(4):
        last = last + X
        mean = mean * 0.5 + last * 0.5
        np.testing.assert_allclose(net(x).asnumpy(), last)
        np.testing.assert_allclose(net.last.asnumpy(), last)
        np.testing.assert_allclose(net.mean.asnumpy(), mean)
        np.testing.assert_allclose(net.p.asnumpy(), last)
        np.testing.assert_allclose(net.both[1]["twice"].asnumpy(), 2 * last)
        assert net.flag is True and net.p is p
        assert net.mean is net._buffers["mean"] is not buffer
        buffer = net.mean
    if mode == "graph":
        assert net.compiled_traces <= 6


def test_python_counters_count(mode, recwarn):
    class Counts(nn.Cell):
        def __init__(self):
            super().__init__()
            self.n = 0

        def construct(self, x):
            self.n += 1
            return x * self.n

    import warnings

    net = Counts()
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        got = [net(Tensor(2.0)).item() for _ in range(5)]
    assert got == [2.0, 4.0, 6.0, 8.0, 10.0] and net.n == 5
    assert ("Counts.n is another Python number after each call" in "".join(str(w.message) for w in seen)) == (mode == "graph")


def test_a_failed_trace_leaves_nothing_behind():
    ms.set_context(mode=ms.GRAPH_MODE)

    class Fails(Remembers):
        def construct(self, x):
            super().construct(x)
            raise RuntimeError("on purpose")

    net = Fails()
    with pytest.raises(RuntimeError, match="on purpose"):
        net(Tensor(X))
    assert net.last is None and net.flag is False
    np.testing.assert_allclose(net.p.asnumpy(), [0.0, 0.0])


def test_buffer_written_in_place_and_replaced(mode):
    class Sums(nn.Cell):
        def __init__(self):
            super().__init__()
            self.register_buffer("total", Tensor([0.0, 0.0]))

        def construct(self, x):
            ops.assign(self.total, self.total + x)
            return x

    net = Sums()
    for _ in range(2):
        net(Tensor(X))
    np.testing.assert_allclose(net.total.asnumpy(), 2 * X)
    net.total = Tensor([100.0, 100.0])
    net(Tensor(X))
    np.testing.assert_allclose(net.total.asnumpy(), 100 + X)


def test_cell_made_in_construct(mode):
    class Makes(nn.Cell):
        def construct(self, x):
            return nn.SequentialCell(nn.ReLU(), nn.Tanh())(x)

    net = Makes()
    for _ in range(2):
        np.testing.assert_allclose(net(Tensor([-1.0, 0.5])).asnumpy(), np.tanh([0.0, 0.5]), rtol=1e-6)


# Copies ----------------------------------------------------------------------------------------------------------------


def test_copies_are_independent(mode):
    net = Outer().set_train()
    net(Tensor(X))
    twin = copy.deepcopy(net)
    twin.inner.w.set_data(Tensor([0.0, 1.0]))
    twin.inner.factor = 10.0
    np.testing.assert_allclose(net(Tensor(X)).asnumpy(), 2 * X)
    np.testing.assert_allclose(twin(Tensor(X)).asnumpy(), [0.0, 100.0])
    assert [p.name for p in twin.get_parameters()] == ["inner.w"]
    shared = copy.copy(net)
    assert shared.inner is net.inner and shared._cells is not net._cells
    loaded = pickle.loads(pickle.dumps(net))
    np.testing.assert_allclose(loaded(Tensor(X)).asnumpy(), 2 * X)
    loaded.inner.w = None
    assert net.inner.w is not None and loaded.inner._params == {"w": None}


def test_deepcopy_keeps_sharing():
    one = Scale()
    net = nn.SequentialCell(one, one)
    twin = copy.deepcopy(net)
    assert twin[0] is twin[1] is not one
    assert len(list(twin.get_parameters())) == 1


# Registers and attributes agree ------------------------------------------------------------------------------------------


def test_owned_dictionaries_are_attributes():
    net = Outer()
    net._cells["inner"] = nn.ReLU()
    assert isinstance(net.inner, nn.ReLU)
    del net._cells["inner"]
    assert not hasattr(net, "inner")
    net._cells["other"] = nn.ReLU()
    assert net._cells.pop("other") and not hasattr(net, "other")


def test_properties_of_subclasses_are_set():
    class Net(nn.Cell):
        @property
        def size(self):
            return self.__dict__["_size"]

        @size.setter
        def size(self, value):
            self.__dict__["_size"] = value * 2

    net = Net()
    net.size = 3
    assert net.size == 6


def test_cells_in_a_list_are_reported():
    class Net(nn.Cell):
        def __init__(self, blocks):
            super().__init__()
            self.blocks = blocks

    with pytest.warns(UserWarning, match=r"Net\.blocks are in a plain list.*self\.blocks = nn\.CellList"):
        assert Net([Scale(), Scale()]).trainable_params() == []
    assert len(Net(nn.CellList([Scale(), Scale()])).trainable_params()) == 2
    assert Net([nn.ReLU()]).trainable_params() == []


# Errors ------------------------------------------------------------------------------------------------------------------


def notes(error):
    return "\n".join(getattr(error.value, "__notes__", ()))


def test_wrong_arguments_are_explained(mode):
    with pytest.raises(TypeError, match="missing 1 required") as error:
        Scale()()
    assert "Scale was called with arguments that do not fit its construct(x)" in notes(error)
    with pytest.raises(TypeError, match="takes 2 positional arguments but 3") as error:
        Outer()(Tensor(X), 1)
    assert "Outer was called" in notes(error)


def test_none_and_text_are_explained(mode):
    with pytest.raises(TypeError) as error:
        Outer()(None)
    assert "Scale was called with x=None" in notes(error) and notes(error).count("called with") == 1
    with pytest.raises(TypeError) as error:
        Scale()("abc")
    assert "a str, not a Tensor" in notes(error)


def test_missing_init_is_explained():
    class Forgot(nn.Cell):
        def __init__(self):
            self.k = 3

        def construct(self, x):
            return x

    with pytest.raises(AttributeError, match=r"call super\(\)\.__init__\(\) first"):
        Forgot()(Tensor(X))


def test_forward_is_explained():
    class Ported(nn.Cell):
        def forward(self, x):
            return x

    with pytest.raises(AttributeError, match="Rename its method 'forward' to 'construct'"):
        Ported()(Tensor(X))


def test_near_names_are_suggested():
    with pytest.raises(AttributeError, match="Did you mean 'factor'"):
        Scale().facto  # noqa: B018


@pytest.mark.parametrize(
    ("call", "error", "match"),
    [
        (lambda net: net.shard(3), TypeError, "in_strategy"),
        (lambda net: net.shard(((1,),), parameter_plan=3), TypeError, "parameter_plan"),
        (lambda net: net.offload(-1), ValueError, "backward_prefetch"),
        (lambda net: net.to("GPU"), ValueError, "set_device"),
        (lambda net: net.to("x"), ValueError, "device"),
        (lambda net: net.to(3), TypeError, "Cell.to"),
        (lambda net: net.to_empty(recurse=3), TypeError, "recurse"),
        (lambda net: net.set_jit_config(3), TypeError, "JitConfig"),
        (lambda net: net.set_inputs(Tensor(X), x=Tensor(X)), ValueError, "not both"),
        (lambda net: net.recompute(context_fn=print), ValueError, "context_fn"),
        (lambda net: net.recompute(use_reentrant=1), TypeError, "use_reentrant"),
        (lambda net: net.apply(3), TypeError, "callable"),
        (lambda net: setattr(net, "pipeline_stage", -1), ValueError, "pipeline_stage"),
        (lambda net: setattr(net, "pipeline_stage", "a"), TypeError, "pipeline_stage"),
        (lambda net: setattr(net, "bprop_debug", 1), TypeError, "bprop_debug"),
        (lambda net: net.init_parameters_data(3), TypeError, "auto_parallel_mode"),
        (lambda net: nn.GraphCell(None), TypeError, "MindIR"),
        (lambda net: nn.CellList([nn.ReLU()], [nn.ReLU()]), TypeError, "one list"),
        (lambda net: nn.CellList([nn.ReLU()], foo=1), TypeError, "foo"),
        (lambda net: nn.CellDict({}, {}), TypeError, "one dict"),
    ],
)
def test_errors(call, error, match):
    with pytest.raises(error, match=match):
        call(Scale())


def test_settings_are_kept():
    net = Scale()
    net.shard(((1, 1),), ((1, 1),))
    net.set_data_parallel()
    net.set_inputs(Tensor(X))
    net.offload()
    net.pipeline_stage, net.bprop_debug = 2, True
    assert net.get_inputs()[0].shape == (2,) and net.pipeline_stage == 2 and net.bprop_debug
    assert net.set_broadcast_flag() is net and net.get_flags()["broadcast_flag"]
    assert list(net.init_parameters_data().values()) == [net.w]
    assert list(net.parameters_broadcast_dict()) == ["w"] and nn.Cell().parameters_broadcast_dict() is None
    np.testing.assert_allclose(net.cast_inputs((Tensor(X), 3), ms.float16)[0].asnumpy(), X)


def test_parts_of_containers_leave_names_alone():
    class Blocks(nn.SequentialCell):
        def __init__(self, count):
            super().__init__(*[Scale() for _ in range(count)])

    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.list, self.blocks = nn.CellList([Scale(), Scale(), Scale()]), Blocks(3)

        def construct(self, x):
            for cell in self.list[1:]:
                x = cell(x)
            return self.blocks[:2](x)

    net = Net()
    names = [p.name for p in net.get_parameters()]
    assert names[0] == "list.0.w" and names[-1] == "blocks.2.w"
    for graph in (False, True):
        ms.set_context(mode=ms.GRAPH_MODE if graph else ms.PYNATIVE_MODE)
        np.testing.assert_allclose(net(Tensor(X)).asnumpy(), 16 * X)
    assert [p.name for p in net.get_parameters()] == names
    assert isinstance(net.blocks[1:], nn.SequentialCell) and len(net.blocks[1:]) == 2
