"""Programs about Cells: what they own and how it is named, attributes, text, containers, hooks, gradients of their own, state, precision, wrappers.

`CASES` look at structure or at Python side effects; `CALLS` give numbers that no mode may change, so they are replayed in both.
"""

import collections
import copy

import numpy as np

X = np.array([1.0, 10.0], np.float32)


def scale_class(ms, values=(2.0, 3.0)):
    """A Cell that multiplies by its weight."""

    class Scale(ms.nn.Cell):
        def __init__(self, name=None, auto_prefix=True):
            super().__init__(auto_prefix=auto_prefix)
            self.w = ms.Parameter(ms.Tensor(np.array(values, np.float32)), **({"name": name} if name else {}))

        def construct(self, x):
            return x * self.w

    return Scale


def holder_class(ms):
    """A Cell with whatever attributes it is given."""

    class Holder(ms.nn.Cell):
        def __init__(self, auto_prefix=True, **attributes):
            super().__init__(auto_prefix=auto_prefix)
            for key, value in attributes.items():
                setattr(self, key, value)

    return Holder


def pair_class(ms):
    """Two scales, one after the other."""
    Scale = scale_class(ms)

    class Pair(ms.nn.Cell):
        def __init__(self):
            super().__init__()
            self.a, self.b, self.k = Scale(), Scale(), 3

        def construct(self, x):
            return self.b(self.a(x))

    return Pair


def names(cell):
    """Paths and names of the Parameters."""
    return [f"{path} {p.name}" for path, p in cell.parameters_and_names()]


def parameter(ms, name=None):
    return ms.Parameter(ms.Tensor([1.0]), **({"name": name} if name else {}))


CASES, CALLS = {}, {}


def case(f):
    CASES[f.__name__] = f
    return f


def call(f):
    CALLS[f.__name__] = f
    return f


# Names -----------------------------------------------------------------------------------------------------------------


@case
def names_follow_structure(ms):
    Scale, Holder = scale_class(ms), holder_class(ms)
    shared = Scale("foo")
    outer = Holder(b=Holder(a=shared), c=shared)
    return [
        names(Scale()), names(Scale("foo")), names(Holder(a=Scale("foo"))), names(Holder(q=Holder(a=Scale("foo")))),
        names(Holder(auto_prefix=False, a=Scale("foo"))), names(Holder(a=Scale("foo", auto_prefix=False))), names(outer),
        names(Holder(w=parameter(ms, "a.w"), a=Scale())), names(Holder(x=parameter(ms, "u"), y=parameter(ms, "v"))),
    ]  # fmt: skip


@case
def names_of_shared_parameter(ms):
    Holder = holder_class(ms)
    p = parameter(ms)
    cell = Holder(first=p, second=p)
    return names(cell), len(list(cell.get_parameters())), cell.second is cell.first


@case
def names_in_lists(ms):
    Holder = holder_class(ms)
    listed = Holder(inside=[parameter(ms, "u"), parameter(ms, "v")])
    tupled = Holder(inside=ms.ParameterTuple((parameter(ms, "u"), parameter(ms, "v"))))
    result = [names(listed), names(tupled), [p.name for p in listed.inside], [p.name for p in tupled.inside]]
    return [*result, names(Holder(o=listed)), names(Holder(o=tupled)), [p.name for p in tupled.inside]]


@case
def names_updated(ms):
    pair = pair_class(ms)()
    seen = [names(pair)]
    for prefix, recurse in (("p.", True), ("q.", False), ("", True)):
        pair.update_parameters_name(prefix, recurse=recurse)
        seen.append(names(pair))
    pair.a.update_parameters_name("only.")
    return [*seen, names(pair), list(pair.parameters_dict())]


for _name, _make in {
    "collision_in_check_names": lambda ms: holder_class(ms)(w=parameter(ms, "a.w"), a=scale_class(ms)()).check_names(),
    "collision_without_prefix": lambda ms: holder_class(ms)(auto_prefix=False, a=scale_class(ms)("s"), b=scale_class(ms)("s")).check_names(),
    "collision_in_optimizer": lambda ms: ms.nn.SGD(holder_class(ms)(a=parameter(ms, "x"), b=parameter(ms, "x")).trainable_params()),
    "collision_in_list": lambda ms: holder_class(ms)(a=[parameter(ms, "x"), parameter(ms, "x")]),
    "prefix_is_not_text": lambda ms: pair_class(ms)().update_parameters_name(3),
    "prefix_with_blank": lambda ms: pair_class(ms)().update_parameters_name("a b"),
    "insert_param_of_wrong_kind": lambda ms: ms.nn.Cell().insert_param_to_cell("a", 3),
    "insert_param_with_dot": lambda ms: ms.nn.Cell().insert_param_to_cell("a.b", parameter(ms)),
    "insert_param_without_name": lambda ms: ms.nn.Cell().insert_param_to_cell("", parameter(ms)),
    "insert_param_over_attribute": lambda ms: pair_class(ms)().insert_param_to_cell("k", parameter(ms)),
    "insert_child_of_wrong_kind": lambda ms: ms.nn.Cell().insert_child_to_cell("a", 3),
    "insert_child_without_name": lambda ms: ms.nn.Cell().insert_child_to_cell("", scale_class(ms)()),
    "insert_child_of_number": lambda ms: ms.nn.Cell().insert_child_to_cell(3, scale_class(ms)()),
    "insert_child_over_attribute": lambda ms: pair_class(ms)().insert_child_to_cell("k", scale_class(ms)()),
    "float_to_parameter": lambda ms: setattr(scale_class(ms)(), "w", 3.0),
    "array_to_parameter": lambda ms: setattr(scale_class(ms)(), "w", np.ones(2)),
    "cell_to_parameter": lambda ms: setattr(scale_class(ms)(), "w", scale_class(ms)()),
    "parameter_to_cell": lambda ms: setattr(pair_class(ms)(), "a", parameter(ms)),
    "int_to_cell": lambda ms: setattr(pair_class(ms)(), "a", 3),
    "missing_attribute": lambda ms: pair_class(ms)().nope,
    "delete_missing_attribute": lambda ms: delattr(pair_class(ms)(), "nope"),
    "no_construct": lambda ms: ms.nn.Cell()(ms.Tensor(X)),
    "missing_argument": lambda ms: scale_class(ms)()(),
    "extra_argument": lambda ms: scale_class(ms)()(ms.Tensor(X), ms.Tensor(X)),
    "unknown_keyword": lambda ms: scale_class(ms)()(ms.Tensor(X), y=1),
    "none_argument": lambda ms: scale_class(ms)()(None),
    "text_argument": lambda ms: scale_class(ms)()("abc"),
    "to_float_of_float64": lambda ms: pair_class(ms)().to_float(ms.float64),
    "to_float_of_int": lambda ms: pair_class(ms)().to_float(ms.int32),
    "comm_fusion_negative": lambda ms: pair_class(ms)().set_comm_fusion(-3),
    "comm_fusion_text": lambda ms: pair_class(ms)().set_comm_fusion("a"),
    "recompute_unknown": lambda ms: pair_class(ms)().recompute(mode=1),
    "boost_unknown": lambda ms: pair_class(ms)().set_boost("x"),
    "inputs_unknown": lambda ms: pair_class(ms)().set_inputs(y=ms.Tensor(X)),
    "sub_cell_missing": lambda ms: pair_class(ms)().get_sub_cell("c"),
    "sub_cell_of_other_kind": lambda ms: pair_class(ms)().get_sub_cell("k"),
    "to_int": lambda ms: pair_class(ms)().to(ms.int32),
    "hook_is_no_function": lambda ms: pair_class(ms)().register_forward_hook(3),
    "backward_hook_is_no_function": lambda ms: pair_class(ms)().register_backward_hook(3),
}.items():
    CASES[_name] = _make


def _before_init(ms, value):
    class Early(ms.nn.Cell):
        def __init__(self):
            self.early = value
            super().__init__()

    return Early().early


CASES["parameter_before_init"] = lambda ms: _before_init(ms, parameter(ms))
CASES["cell_before_init"] = lambda ms: _before_init(ms, ms.nn.ReLU())
CASES["number_before_init"] = lambda ms: _before_init(ms, 3)


# Attributes ------------------------------------------------------------------------------------------------------------


@case
def attributes_replaced(ms):
    Scale, Pair = scale_class(ms), pair_class(ms)
    tensor, none, param, cell, number, no_cell = (Pair() for _ in range(6))
    tensor.a.w = ms.Tensor([5.0, 6.0])
    none.a.w = None
    param.a.w = ms.Parameter(ms.Tensor([9.0]))
    cell.k = Scale()
    number.k = ms.Parameter(ms.Tensor([3.0]))
    no_cell.a = None
    other_shape, other_dtype = Scale(), Scale()
    other_shape.w = ms.Tensor([1.0, 2.0, 3.0])
    other_dtype.w = ms.Tensor([1, 2])
    return [
        tensor.a.w, tensor.a.w.name, none.a.w, names(none), names(param), names(cell), names(number), repr(no_cell), list(no_cell.name_cells()),
        other_shape.w, other_dtype.w,
    ]  # fmt: skip


@case
def attributes_deleted(ms):
    Pair = pair_class(ms)
    cell, param, number = Pair(), Pair(), Pair()
    del cell.a
    del param.a.w
    del number.k
    return repr(cell), hasattr(cell, "a"), names(cell), names(param), hasattr(number, "k")


@case
def buffers(ms):
    class Net(ms.nn.Cell):
        def __init__(self):
            super().__init__()
            self.register_buffer("b", ms.Tensor([1.0, 2.0]))
            self.register_buffer("c", None)
            self.register_buffer("t", ms.Tensor([3.0]), persistent=False)
            self.p = ms.Parameter(ms.Tensor([7.0]))

    net = Net()
    outer = holder_class(ms)(x=net)
    outer.y = net
    found = [list(dict(net.named_buffers())), net.c, list(net.state_dict()), list(dict(outer.named_buffers("pre"))), outer.get_buffer("x.b")]
    net.b = None
    return [*found, list(dict(net.named_buffers())), net.b]


def _with_buffer(ms):
    cell = ms.nn.Cell()
    cell.register_buffer("b", ms.Tensor([1.0]))
    cell.p = parameter(ms)
    return cell


for _name, _make in {
    "buffer_with_dot": lambda ms: _with_buffer(ms).register_buffer("q.z", ms.Tensor([1.0])),
    "buffer_without_name": lambda ms: _with_buffer(ms).register_buffer("", ms.Tensor([1.0])),
    "buffer_of_wrong_kind": lambda ms: _with_buffer(ms).register_buffer("z", 3),
    "buffer_name_of_wrong_kind": lambda ms: _with_buffer(ms).register_buffer(3, None),
    "buffer_over_parameter": lambda ms: _with_buffer(ms).register_buffer("p", ms.Tensor([1.0])),
    "buffer_over_method": lambda ms: _with_buffer(ms).register_buffer("construct", ms.Tensor([1.0])),
    "int_to_buffer": lambda ms: setattr(_with_buffer(ms), "b", 3),
    "parameter_to_buffer": lambda ms: setattr(_with_buffer(ms), "b", parameter(ms)),
    "get_buffer_of_parameter": lambda ms: _with_buffer(ms).get_buffer("p"),
    "get_buffer_missing": lambda ms: _with_buffer(ms).get_buffer("zzz"),
}.items():
    CASES[_name] = _make


@case
def text(ms):
    nn = ms.nn

    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.d = nn.Dense(2, 2)
            self.e = nn.SequentialCell(nn.ReLU(), nn.Dense(2, 1, has_bias=False))

        def extend_repr(self):
            return "a=1, b=2"

    class Lines(Net):
        def extend_repr(self):
            return "a=1,\nb=2"

    return repr(Net()), str(Net()), repr(Lines()), repr(pair_class(ms)()), repr(nn.Cell())


@case
def walking(ms):
    pair = pair_class(ms)()
    order = []
    same = pair.apply(lambda cell: order.append(type(cell).__name__)) is pair
    return [
        [f"{path} {type(c).__name__}" for path, c in pair.cells_and_names()], [path for path, _ in pair.cells_and_names(name_prefix="q")],
        [path for path, _ in pair.parameters_and_names(name_prefix="q")], list(pair.parameters_and_names(expand=False)), list(pair.name_cells()),
        len(pair.cells()), pair.get_sub_cell("a") is pair.a, pair.get_sub_cell("") is pair, order, same, pair.cls_name, bool(pair),
        [p.name for p in pair.trainable_params()], pair.untrainable_params(), pair.trainable_params(recurse=False),
    ]  # fmt: skip


@case
def flags(ms):
    pair = pair_class(ms)()
    seen = [pair.training, pair.requires_grad, pair.phase, pair.param_prefix, pair.cell_type, pair.bprop_debug, pair.jit_config_dict]
    seen += [pair.set_train() is pair, pair.training, pair.a.training, pair.phase]
    seen += [pair.set_train(False) is pair, pair.training, pair.a.training, pair.phase]
    seen += [pair.set_grad() is pair, pair.requires_grad, pair.a.requires_grad]
    seen += [pair.add_flags(foo=1) is pair, pair.foo, pair.get_flags(), pair.a.get_flags()]
    seen += [pair.add_flags_recursive(bar=2) is pair, pair.a.bar]
    seen += [pair.to_float(ms.float16) is pair, pair.get_flags(), pair.to_float(ms.float32).a.get_flags(), pair.to_float(ms.bfloat16).get_flags()]
    seen += [pair.set_comm_fusion(3) is pair, [p.comm_fusion for p in pair.get_parameters()], pair.set_boost("less_bn") is pair]
    pair.update_cell_prefix()
    pair.update_cell_type("quant")
    pair.generate_scope()
    return [*seen, pair.a.param_prefix, pair.cell_type, pair.a.get_scope()]


@case
def copies(ms):
    pair = pair_class(ms)().set_train()
    pair.t = ms.Tensor([1.0])
    deep, flat = copy.deepcopy(pair), copy.copy(pair)
    deep.a.w.set_data(ms.Tensor([0.0, 0.0]))
    return [names(deep), deep.a.w is pair.a.w, pair.a.w, deep.k, deep.t is pair.t, deep.training, flat.a is pair.a, repr(deep)]


@case
def converted(ms):
    pair = pair_class(ms)()
    kept = pair.a.w
    pair.to(ms.float16)
    return pair.a.w.dtype, pair.a.w is kept, kept.dtype, pair.to(dtype=ms.float32) is pair, pair.to_empty() is pair, pair.b.w.dtype


# Containers ------------------------------------------------------------------------------------------------------------


@case
def sequential(ms):
    nn, Scale, Holder = ms.nn, scale_class(ms), holder_class(ms)
    seq = nn.SequentialCell(Scale(), Scale())
    seq.append(Scale())
    seen = [names(seq)]
    del seq[0]
    seen.append(names(seq))
    seq[0] = Scale()
    seen += [names(seq), repr(seq), len(seq), bool(seq), bool(nn.SequentialCell()), len(list(seq))]
    one = Scale()
    outer = Holder(m=nn.SequentialCell([Scale(), Scale()]))
    outer.m.append(Scale())
    ordered = nn.SequentialCell(collections.OrderedDict([("aa", Scale()), ("bb", Scale())]))
    three = nn.SequentialCell(Scale(), Scale(), Scale())
    sliced = three[1:]
    seen += [names(nn.SequentialCell(one, one)), names(outer), names(ordered), repr(ordered), repr(sliced), names(sliced), three[-1] is three[2]]
    del three[0:2]
    return [*seen, names(three)]


@case
def cell_list(ms):
    nn, Scale, Holder = ms.nn, scale_class(ms), holder_class(ms)
    cells = nn.CellList([Scale(), Scale()])
    cells.append(Scale())
    seen = [names(cells)]
    cells.insert(0, Scale())
    seen.append(names(cells))
    del cells[0]
    seen.append(names(cells))
    cells[0] = Scale()
    cells.extend([Scale()])
    cells += [Scale()]
    seen += [names(cells), repr(cells), repr(cells[1:3]), len(cells), bool(nn.CellList())]
    outer = Holder(m=nn.CellList([Scale(), Scale()]))
    outer.m.append(Scale())
    return [*seen, names(outer), names(nn.CellList([Scale(), Scale()], auto_prefix=False))]


@case
def cell_dict(ms):
    nn, Scale, Holder = ms.nn, scale_class(ms), holder_class(ms)
    outer = Holder(m=nn.CellDict([["a", Scale()]]))
    outer.m["z"] = Scale()
    outer.m.update({"y": Scale()})
    seen = [names(outer), "z" in outer.m, len(outer.m), list(outer.m), list(outer.m.keys())]
    outer.m.pop("z")
    seen += [names(outer), repr(outer), repr(nn.CellDict(nn.CellDict({"a": Scale()})))]
    outer.m.clear()
    return [*seen, len(outer.m)]


@case
def containers_inside_a_cell(ms):
    nn, Scale, Holder = ms.nn, scale_class(ms), holder_class(ms)
    seen = []
    for make in (nn.CellList, nn.SequentialCell):
        late, three, mixed = Holder(m=make()), Holder(m=make([Scale(), Scale(), Scale()])), Holder(m=make([nn.ReLU()]))
        late.m.append(Scale())
        late.m.append(Scale())
        del three.m[0]
        three.m[0] = Scale()
        three.m.append(Scale())
        mixed.m.append(Scale())
        seen += [names(late), names(three), names(mixed)]
    three = Holder(m=nn.CellList([Scale(), Scale()]))
    three.m.insert(0, Scale())
    three.m.extend([Scale()])
    keyed = nn.SequentialCell(collections.OrderedDict([("aa", Scale()), ("bb", Scale()), ("cc", Scale())]))
    del keyed[0]
    keyed[0] = Scale()
    keyed.append(Scale())
    late = Holder(m=nn.CellDict())
    late.m["a"] = Scale()
    late.m["b"] = Scale()
    flag = nn.SequentialCell(Scale())
    flag.set_grad(True)
    return [*seen, names(three), names(keyed), names(late), flag.requires_grad, flag[0].requires_grad]


for _name, _make in {
    "sequential_of_int": lambda ms: ms.nn.SequentialCell(3),
    "sequential_of_ints": lambda ms: ms.nn.SequentialCell([3]),
    "sequential_index_too_large": lambda ms: ms.nn.SequentialCell(ms.nn.ReLU())[5],
    "sequential_index_text": lambda ms: ms.nn.SequentialCell(ms.nn.ReLU())["a"],
    "sequential_set_too_large": lambda ms: ms.nn.SequentialCell(ms.nn.ReLU()).__setitem__(3, ms.nn.ReLU()),
    "sequential_set_int": lambda ms: ms.nn.SequentialCell(ms.nn.ReLU()).__setitem__(0, 3),
    "sequential_append_int": lambda ms: ms.nn.SequentialCell(ms.nn.ReLU()).append(3),
    "sequential_delete_too_large": lambda ms: ms.nn.SequentialCell(ms.nn.ReLU()).__delitem__(4),
    "list_of_int": lambda ms: ms.nn.CellList(3),
    "list_of_tuple": lambda ms: ms.nn.CellList((ms.nn.ReLU(),)),
    "list_called": lambda ms: ms.nn.CellList([ms.nn.ReLU()])(ms.Tensor(X)),
    "list_index_too_large": lambda ms: ms.nn.CellList([ms.nn.ReLU()])[3],
    "list_index_text": lambda ms: ms.nn.CellList([ms.nn.ReLU()])["a"],
    "list_insert_too_far": lambda ms: ms.nn.CellList([ms.nn.ReLU()]).insert(4, ms.nn.ReLU()),
    "list_append_none": lambda ms: ms.nn.CellList([ms.nn.ReLU()]).append(None),
    "dict_of_int": lambda ms: ms.nn.CellDict(3),
    "dict_of_ints": lambda ms: ms.nn.CellDict({"a": 3}),
    "dict_key_int": lambda ms: ms.nn.CellDict({1: ms.nn.ReLU()}),
    "dict_key_dot": lambda ms: ms.nn.CellDict({"a.b": ms.nn.ReLU()}),
    "dict_key_empty": lambda ms: ms.nn.CellDict({"": ms.nn.ReLU()}),
    "dict_key_method": lambda ms: ms.nn.CellDict({"update": ms.nn.ReLU()}),
    "dict_missing": lambda ms: ms.nn.CellDict()["a"],
    "dict_pop_missing": lambda ms: ms.nn.CellDict().pop("a"),
    "dict_of_triples": lambda ms: ms.nn.CellDict().update([("a", ms.nn.ReLU(), 3)]),
    "dict_called": lambda ms: ms.nn.CellDict()(3),
}.items():
    CASES[_name] = _make


# State -----------------------------------------------------------------------------------------------------------------


def _stateful(ms):
    Scale = scale_class(ms)

    class Net(ms.nn.Cell):
        def __init__(self):
            super().__init__()
            self.d, self.e = Scale(), Scale()
            self.register_buffer("b", ms.Tensor([1.0, 2.0]))

    return Net()


@case
def state_dict(ms):
    net = _stateful(ms)
    state = net.state_dict()
    metadata = list(state._metadata)
    own = state["d.w"] is net.d.w
    loaded = net.load_state_dict({"d.w": ms.Tensor([7, 8]), "e.w": ms.Tensor([1.0, 2.0], ms.float16), "b": ms.Tensor([4.0, 5.0])})
    part = net.load_state_dict({"d.w": ms.Tensor([0.0, 0.0]), "extra": ms.Tensor([1.0])}, strict=False)
    return [
        list(state), type(state).__name__, metadata, own, list(net.state_dict(prefix="k.")), list(net.d.state_dict(destination={})), repr(loaded),
        part.missing_keys, part.unexpected_keys, net.d.w, net.e.w, net.b,
    ]  # fmt: skip


@case
def state_hooks(ms):
    net, calls = scale_class(ms)(), []

    def note(kind):
        return lambda cell, *rest: calls.append([kind, type(cell).__name__, len(rest)])

    handles = [
        net.register_state_dict_post_hook(note("post")), net.register_state_dict_pre_hook(note("pre")),
        net.register_load_state_dict_pre_hook(note("load pre")), net.register_load_state_dict_post_hook(note("load post")),
    ]  # fmt: skip
    net.load_state_dict(net.state_dict())
    for handle in handles:
        handle.remove()
    net.load_state_dict(net.state_dict())
    return calls


@case
def extra_state(ms):
    class Extra(ms.nn.Cell):
        kept = None

        def get_extra_state(self):
            return {"z": 3}

        def set_extra_state(self, state):
            type(self).kept = state

    cell = Extra()
    outer = holder_class(ms)(c=cell)
    return list(outer.state_dict()), repr(outer.load_state_dict(outer.state_dict())), Extra.kept


for _name, _make in {
    "load_missing": lambda ms: _stateful(ms).load_state_dict({"d.w": ms.Tensor([1.0, 2.0])}),
    "load_unexpected": lambda ms: scale_class(ms)().load_state_dict({"w": ms.Tensor([1.0, 2.0]), "q": ms.Tensor([1.0])}),
    "load_shape": lambda ms: scale_class(ms)().load_state_dict({"w": ms.Tensor([1.0, 2.0, 3.0])}),
    "load_array": lambda ms: scale_class(ms)().load_state_dict({"w": np.ones(2, np.float32)}),
    "load_int": lambda ms: scale_class(ms)().load_state_dict(3),
}.items():
    CASES[_name] = _make


# Hooks and gradients of a Cell's own -----------------------------------------------------------------------------------------


def _recording(calls):
    return lambda cell, *rest: calls.append([type(cell).__name__, *rest])


@case
def forward_hooks_see(ms):
    Scale, calls, x = scale_class(ms), [], ms.Tensor(X)
    cell = Scale()
    handles = [cell.register_forward_pre_hook(_recording(calls)), cell.register_forward_hook(_recording(calls))]
    cell(x)
    cell(x=x)
    for handle in handles:
        handle.remove()
    cell(x)
    cell.register_forward_pre_hook(_recording(calls), with_kwargs=True)
    cell.register_forward_hook(_recording(calls), with_kwargs=True)
    cell(x=x)
    return calls


@case
def forward_hooks_when_it_fails(ms):
    calls = []

    class Fails(ms.nn.Cell):
        def construct(self, x):
            raise ValueError("no")

    cell = Fails()
    cell.register_forward_hook(_recording(calls), always_call=True)
    cell.register_forward_hook(lambda *a: calls.append("never"))
    try:
        cell(ms.Tensor(X))
    except ValueError:
        calls.append("raised")
    return calls


def _two_outputs(ms, second=None):
    class Two(ms.nn.Cell):
        def construct(self, x, y):
            return x * y, x + y

    class Net(ms.nn.Cell):
        def __init__(self):
            super().__init__()
            self.m = Two()

        def construct(self, x, y):
            return self.m(x, y if second is None else second)[0]

    return Net()


@case
def backward_hooks_see(ms):
    x, calls = ms.Tensor(X), []
    for positions, weights in ((0, False), (None, True), (0, True)):
        pair = pair_class(ms)()
        pair.a.register_backward_hook(_recording(calls))
        pair.a.register_backward_pre_hook(_recording(calls))
        calls.append(ms.grad(pair, positions, pair.trainable_params() if weights else None)(x))
    for positions, second in (((0, 1), None), (0, None), (0, 3.0)):
        net = _two_outputs(ms, second)
        net.m.register_backward_hook(_recording(calls))
        net.m.register_backward_pre_hook(_recording(calls))
        calls.append(ms.grad(net, positions)(x, x * 2))
    net.register_backward_hook(_recording(calls)).remove()
    ms.grad(net)(x, x)
    return calls


@call
def forward_hooks_replace(ms):
    x, out = ms.Tensor(X), []
    for hook in (lambda cell, args: args[0] * 2, lambda cell, args: (args[0] * 3,), lambda cell, args: None):
        cell = scale_class(ms)()
        cell.register_forward_pre_hook(hook)
        out.append(cell(x))
    cell = scale_class(ms)()
    cell.register_forward_hook(lambda cell, args, output: output * 100)
    out.append(cell(x))
    cell.register_forward_hook(lambda cell, args, output: output + 1)
    out.append(cell(x))
    cell.register_forward_hook(lambda cell, args, output: output - 7, prepend=True)
    out.append(cell(x))

    class Options(ms.nn.Cell):
        def construct(self, x, y=None, *, s=1):
            return x * s if y is None else x * s + y

    cell = Options()
    cell.register_forward_pre_hook(lambda cell, args, kwargs: ((args[0] * 3,), {"s": 9}), with_kwargs=True)
    out.append(cell(x, y=x, s=3))
    return out


def _with_backward_hooks(ms, where, backward=(), before=()):
    pair = pair_class(ms)()
    for hook in backward:
        getattr(pair, where).register_backward_hook(hook)
    for hook in before:
        getattr(pair, where).register_backward_pre_hook(hook)
    return ms.grad(pair, 0, pair.trainable_params())(ms.Tensor(X))


@call
def backward_hooks_replace(ms):
    times100 = lambda cell, inputs, outputs: (inputs[0] * 100,)  # noqa: E731
    return [
        _with_backward_hooks(ms, "a", [times100]), _with_backward_hooks(ms, "b", [times100]), _with_backward_hooks(ms, "a", [times100, times100]),
        _with_backward_hooks(ms, "a", [lambda cell, inputs, outputs: inputs[0] * outputs[0]]),
        _with_backward_hooks(ms, "a", before=[lambda cell, outputs: outputs[0] * 10]),
        _with_backward_hooks(ms, "a", [times100], [lambda cell, outputs: (outputs[0] + 1,)]), _with_backward_hooks(ms, "b", [lambda *a: None]),
    ]  # fmt: skip


for _name, _make in {
    "backward_hook_returns_two": lambda ms: _with_backward_hooks(ms, "a", [lambda cell, i, o: (i[0], i[0])]),
    "backward_hook_returns_text": lambda ms: _with_backward_hooks(ms, "a", [lambda cell, i, o: "x"]),
    "backward_pre_hook_returns_two": lambda ms: _with_backward_hooks(ms, "a", before=[lambda cell, o: (o[0], o[0])]),
}.items():
    CASES[_name] = _make


def _own(ms, construct, bprop, arguments=None):
    Own = type("Own", (ms.nn.Cell,), {"construct": construct, "bprop": bprop})
    positions = tuple(range(construct.__code__.co_argcount - 1)) if arguments is None else 0
    x = ms.Tensor(X)
    return ms.grad(Own(), positions)(*((x, x * 2)[: len(positions)] if arguments is None else arguments(x)))


@call
def bprop(ms):
    return [
        _own(ms, lambda self, x, y: x * y, lambda self, x, y, out, dout: (dout * 100 + x, out + y)),
        _own(ms, lambda self, x: x * x, lambda self, x, out, dout: dout * 100),
        _own(ms, lambda self, x: x * x, lambda self, *args: args[-1] * len(args)),
        _own(ms, lambda self, x, y=None: x * 2, lambda self, x, y, out, dout: (dout * 100, None), lambda x: (x,)),
        _own(ms, lambda self, x, k: x * k, lambda self, x, k, out, dout: (dout * k, 0), lambda x: (x, 3)),
    ]


@call
def bprop_of_two_outputs(ms):
    class Own(ms.nn.Cell):
        def construct(self, x):
            return x * x, x + x

        def bprop(self, x, out, dout):
            return dout[0] * 100 + dout[1] * out[1]

    own = Own()

    def both(x):
        first, second = own(x)
        return first + second * 3

    return ms.grad(both)(ms.Tensor(X)), ms.grad(lambda x: own(x)[1])(ms.Tensor(X))


@call
def bprop_twice(ms):
    class Own(ms.nn.Cell):
        def construct(self, x):
            return x * x * x

        def bprop(self, x, out, dout):
            return x * x * dout

    return ms.grad(ms.grad(Own()))(ms.Tensor(X))


@call
def bprop_hides_weights(ms):
    class Own(ms.nn.Cell):
        def __init__(self):
            super().__init__()
            self.w = ms.Parameter(ms.Tensor([1.0, 2.0]))

        def construct(self, x):
            return x * self.w

        def bprop(self, x, out, dout):
            return (dout * 100,)

    own = Own()
    return own(ms.Tensor(X)), ms.grad(own, 0, own.trainable_params())(ms.Tensor(X))


for _name, _make in {
    "bprop_returns_too_few": lambda ms: _own(ms, lambda self, x, y: x * y, lambda self, x, y, out, dout: (dout,)),
    "bprop_returns_other_shape": lambda ms: _own(ms, lambda self, x: x * x, lambda self, x, out, dout: ms.Tensor([1.0, 2.0, 3.0])),
    "bprop_with_wrong_arguments": lambda ms: _own(ms, lambda self, x: x * x, lambda self, x, dout: dout),
}.items():
    CASES[_name] = _make


# Precision -------------------------------------------------------------------------------------------------------------


def _precision(ms, dtype):
    nn, ops = ms.nn, ms.ops

    class Square(nn.Cell):
        def construct(self, x):
            return x * x

    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.to_float(dtype)
            self.inherits, self.full = Square(), Square().to_float(ms.float32)

        def construct(self, x):
            y = x + x
            z = y.astype(ms.float32)
            return y, self.inherits(x), self.full(y), z, ops.matmul(z, z), ops.softmax(z), x.sum(), ops.concat((z, z)), z * 2.0, ops.greater(z, z)

    return Net()(ms.Tensor(np.full((2, 2), 1.1, np.float32)))


@case
def precision_float16(ms):
    return _precision(ms, ms.float16)


@case
def precision_bfloat16(ms):
    return [t.dtype for t in _precision(ms, ms.bfloat16)]


@case
def precision_of_gradients(ms):
    class Net(ms.nn.Cell):
        def __init__(self):
            super().__init__()
            self.d = ms.nn.Dense(2, 2, weight_init="ones", has_bias=False)
            self.to_float(ms.float16)

        def construct(self, x):
            return self.d(x).sum()

    net = Net()
    return ms.value_and_grad(net, 0, net.trainable_params())(ms.Tensor(np.full((2, 2), 0.5, np.float32)))


@case
def precision_of_inputs(ms):
    cell = scale_class(ms)().to_float(ms.float16)
    return cell(ms.Tensor(X)), cell(ms.Tensor(X.astype(np.float64))), cell(ms.Tensor([1, 2], ms.int32)), cell.w.dtype


# Wrappers --------------------------------------------------------------------------------------------------------------


def _net(ms):
    return ms.nn.Dense(2, 1, weight_init="ones", bias_init="zeros")


def _data(ms):
    return ms.Tensor(np.full((2, 2), 1.1, np.float32)), ms.Tensor(np.ones((2, 1), np.float32))


@case
def wrapper_text(ms):
    nn = ms.nn
    net = _net(ms)
    with_loss = nn.WithLossCell(net, nn.MSELoss())
    step = nn.TrainOneStepCell(with_loss, nn.SGD(net.trainable_params(), 0.1))
    return [repr(c) for c in (with_loss, step, nn.WithEvalCell(net, nn.MSELoss()), nn.WithGradCell(net, nn.MSELoss()), nn.ForwardValueAndGrad(net))]


@call
def with_loss(ms):
    nn, (x, y) = ms.nn, _data(ms)
    net = _net(ms)
    cell = nn.WithLossCell(net, nn.MSELoss())
    return cell(x, y), [p.name for p in cell.get_parameters()], nn.WithEvalCell(net, nn.MSELoss())(x, y)


@case
def with_eval_cast(ms):
    nn, (x, y) = ms.nn, _data(ms)
    net = _net(ms).to_float(ms.float16)
    return [[t.dtype for t in nn.WithEvalCell(net, nn.MSELoss(), cast)(x, y)] for cast in (True, False)]


@call
def with_grad(ms):
    nn, (x, y) = ms.nn, _data(ms)
    return nn.WithGradCell(_net(ms), nn.MSELoss())(x, y), nn.WithGradCell(_net(ms))(x), nn.WithGradCell(_net(ms), nn.MSELoss(), ms.Tensor(3.0))(x, y)


@call
def forward_value_and_grad(ms):
    cell, x = scale_class(ms)(), ms.Tensor(X)
    weights, make = cell.trainable_params(), ms.nn.ForwardValueAndGrad
    sens = ms.Tensor(np.array([10.0, 20.0], np.float32))
    return [
        make(cell)(x), make(cell, get_all=True)(x), make(cell, weights, get_by_list=True)(x), make(cell, weights, True, True)(x),
        make(cell, weights, True, True, True)(x, sens), make(lambda x: x * x)(x), make(cell, weights)(x),
    ]  # fmt: skip


@call
def train_one_step(ms):
    nn, (x, y) = ms.nn, _data(ms)
    out = []
    for options in ({}, {"sens": 2.0}, {"return_grad": True}, {"sens": 0.5, "return_grad": True}):
        net = _net(ms)
        step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.SGD(net.trainable_params(), 0.1), **options)
        out += [[step(x, y) for _ in range(3)], net.weight, net.bias]
    return out


@call
def train_one_step_of_vector(ms):
    net = _net(ms)
    step = ms.nn.TrainOneStepCell(net, ms.nn.SGD(net.trainable_params(), 0.1))
    return step(_data(ms)[0]), net.weight


@call
def parameter_update(ms):
    cell = scale_class(ms)()
    update = ms.nn.ParameterUpdate(cell.w)
    return update(ms.Tensor([7.0, 8.0])), cell.w, update(ms.Tensor([1, 2])), cell.w.dtype


@call
def micro_batches(ms):
    x = _data(ms)[0]
    return ms.nn.MicroBatchInterleaved(_net(ms), 2)(x), ms.nn.GradAccumulationCell(_net(ms), 2)(x)


for _name, _make in {
    "eval_flag_of_int": lambda ms: ms.nn.WithEvalCell(_net(ms), ms.nn.MSELoss(), 3),
    "loss_without_label": lambda ms: ms.nn.WithLossCell(_net(ms), ms.nn.MSELoss())(_data(ms)[0]),
    "step_sens_zero": lambda ms: ms.nn.TrainOneStepCell(_net(ms), ms.nn.SGD(_net(ms).trainable_params(), 0.1), sens=0),
    "value_and_grad_of_int": lambda ms: ms.nn.ForwardValueAndGrad(3),
    "value_and_grad_flag": lambda ms: ms.nn.ForwardValueAndGrad(_net(ms), get_all=3),
    "value_and_grad_without_weights": lambda ms: ms.nn.ForwardValueAndGrad(_net(ms), get_by_list=True),
    "update_of_int": lambda ms: ms.nn.ParameterUpdate(3),
    "update_of_other_shape": lambda ms: ms.nn.ParameterUpdate(parameter(ms, "p"))(ms.Tensor([1.0, 2.0])),
}.items():
    CASES[_name] = _make

CASES |= CALLS
