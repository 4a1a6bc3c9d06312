"""Old names, and names that are not there."""

import re
import warnings

import numpy as np
import pytest

import sporax
from sporax import Tensor, nn, ops
from sporax._names import checkparam, lookup, spellings


def note_of(get):
    """The single note of a call, made twice."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert get() is get()
    assert [w.category for w in caught] == [FutureWarning], [str(w.message) for w in caught]
    assert caught[0].filename == __file__
    return str(caught[0].message)


def test_an_old_name_gives_the_new_thing_with_one_note():
    assert note_of(lambda: sporax.ms_function) == "mindspore.ms_function is now mindspore.jit."
    assert note_of(lambda: ops.concatenate) == "mindspore.ops.concatenate is now mindspore.ops.concat."
    assert note_of(lambda: nn.GradOperation).endswith("mindspore.ops.GradOperation.")
    assert sporax.ms_function is sporax.jit


def test_an_old_name_can_be_imported_and_notes_the_importing_line(served):
    def get():
        from mindspore.common.api import ms_function

        return ms_function

    assert note_of(get) == "mindspore.common.ms_function is now mindspore.jit."


@pytest.mark.filterwarnings("ignore::FutureWarning")
def test_every_replacement_is_there_or_reported():
    present = set()
    for table in (spellings.MOVED, spellings.SAME):
        for module, names in table.items():
            for name in names:
                value, new = lookup.lookup(module, name)
                if value is lookup.MISSING:
                    assert "Sporax does not yet" in lookup.explain(module, name)
                else:
                    present.add((module, name))
    assert {("", "ms_function"), ("ops", "tensor_and"), ("ops", "constexpr"), ("common", "bool"), ("ops", "_get_cache_prim")} <= present


def test_names_that_mindspore_spells_twice_have_no_note():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert ops.constexpr is sporax.constexpr
        assert ops.operations._get_cache_prim(ops.ReLU)() is ops.operations._get_cache_prim(ops.ReLU)()
        assert sporax.common.default_generator is sporax.default_generator


@pytest.mark.parametrize(
    ("module", "name", "text"),
    [
        (nn, "Densee", r"^module 'mindspore\.nn' \(served by Sporax [\d.]+\) has no 'Densee'\. Nearest: .*Dense.*\. `sporax coverage` lists what a program needs\.$"),
        (nn, "Sequential", r"this is PyTorch's name; MindSpore has nn\.SequentialCell\.$"),
        (ops, "ControlDepend", "effects happen in the order of the program"),
        (sporax, "relu", r"There is mindspore\.ops\.relu"),
        (sporax, "no_such_thing_at_all", r"MindSpore 2\.10\.0 has no such name either\."),
        (nn.layer.basic, "Densee", r"^module 'mindspore\.nn\.layer\.basic'.*Nearest: .*Dense"),
        (sporax.common.dtype, "flaot32", r"^module 'mindspore\.common\.dtype'.*Nearest: float32"),
    ],
)
def test_names_that_are_not_there(module, name, text):
    assert not hasattr(module, name)
    with pytest.raises(AttributeError, match=text):
        getattr(module, name)


def test_a_name_that_mindspore_has(monkeypatch):
    monkeypatch.delattr(nn, "Dense")
    with pytest.raises(AttributeError, match=r"has no 'Dense'\. MindSpore has it, Sporax does not yet\."):
        getattr(nn, "Dense")  # noqa: B009


def test_import_from_says_the_same(served):
    with pytest.raises(ImportError, match=r"^cannot import name 'Densee' from 'mindspore\.nn' \(served by Sporax.*Nearest: .*Dense"):
        from mindspore.nn import Densee  # noqa: F401
    with pytest.raises(ImportError, match=r"Nearest: .*Dense"):
        from mindspore.nn.layer.basic import Densee  # noqa: F401


def test_asking_for_a_private_or_special_name_is_cheap_and_plain():
    assert not hasattr(ops, "__wrapped__") and not hasattr(ops, "_no_such_private")
    assert str(AttributeError("x")) != str(lookup.MissingName("nn", "Densee"))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("argmaxx", r"^'Tensor' object has no attribute 'argmaxx'\. Nearest: argmax"),
        ("grid_sample", r"^'Tensor' object has no attribute 'grid_sample'(: use mindspore\.ops\.grid_sample\(x\))?\.$"),
        ("flush_from_cache", r"^'Tensor' object has no attribute 'flush_from_cache': MindSpore has it, Sporax does not yet\.$"),
        ("__no_such__", r"^'Tensor' object has no attribute '__no_such__'$"),
    ],
)
def test_methods_that_tensors_lack(name, text):
    x = Tensor([1.0])
    assert not hasattr(x, name) and getattr(x, name, None) is None
    with pytest.raises(AttributeError, match=text):
        getattr(x, name)


def test_an_argument_of_1x_that_changes_nothing():
    with pytest.warns(FutureWarning, match="leave is_grad=False out") as caught:
        loss = nn.SoftmaxCrossEntropyWithLogits(is_grad=False, sparse=True, reduction="mean")
    assert caught[0].filename == __file__
    logits = np.array([[1.0, 2.0], [0.5, -1.0]], np.float32)
    expected = np.mean(np.log(np.exp(logits).sum(1)) - logits[[0, 1], [1, 0]])
    np.testing.assert_allclose(loss(Tensor(logits), Tensor([1, 0], sporax.int32)).asnumpy(), expected, rtol=1e-6)
    with pytest.raises(ValueError, match="should be False, but got True: .*value_and_grad"):
        nn.SoftmaxCrossEntropyWithLogits(is_grad=True)
    with pytest.raises(TypeError, match="no_such"):
        nn.SoftmaxCrossEntropyWithLogits(no_such=1)


@pytest.mark.filterwarnings("ignore::FutureWarning")
def test_resize_bilinear_of_1x():
    # by hand: with corners aligned, 1 -> 3 over four pixels are thirds of the way
    x = Tensor(np.array([[[[1.0, 3.0]]]], np.float32))
    resize = nn.ResizeBilinear()
    np.testing.assert_allclose(resize(x, size=(1, 4), align_corners=True).asnumpy(), [[[[1, 5 / 3, 7 / 3, 3]]]], rtol=1e-6)
    np.testing.assert_allclose(resize(x, scale_factor=2).asnumpy()[0, 0, 0], [1, 2, 3, 3], rtol=1e-6)
    with pytest.raises(ValueError, match="exactly one of 'size' and 'scale_factor'"):
        resize(x)


# (check, arguments, what genuine MindSpore 2.10 does: a value or the class it raises)
CHECKS = [
    ("check_positive_int", (True, "a", "P"), TypeError),
    ("check_positive_int", (0, "a", "P"), ValueError),
    ("check_positive_int", (3, "a", "P"), 3),
    ("check_positive_float", (1, "a", "P"), TypeError),
    ("check_positive_float", (float("nan"), "a", "P"), ValueError),
    ("check_non_negative_float", (0.0, "a", "P"), 0.0),
    ("check_bool", (1, "a", "P"), TypeError),
    ("check_string", (3, ["a"], "x", "P"), ValueError),
    ("check_value_type", ("a", True, [int], "P"), TypeError),
    ("check_value_type", ("a", 1.0, [int, float], "P"), 1.0),
    ("check_float_range", (1, 0, 1, checkparam.INC_NEITHER, "a", "P"), TypeError),
    ("check_float_range", (1.0, 0, 1, checkparam.INC_NEITHER, "a", "P"), ValueError),
    ("check_float_range", (1.0, 0, 1, checkparam.INC_BOTH, "a", "P"), 1.0),
    ("check_int_range", (0, 0, 5, checkparam.INC_LEFT, "a", "P"), 0),
    ("check_int_range", (0, 0, 5, checkparam.INC_RIGHT, "a", "P"), ValueError),
    ("check_int", (3, 5, checkparam.GE, "a", "P"), ValueError),
    ("check_is_float", (1, "a", "P"), TypeError),
    ("check_number", ("a", float("inf"), 0, checkparam.GT, "P"), float("inf")),
    ("check_type_name", ("a", sporax.float32, [sporax.float16], "P"), TypeError),
    ("check_subclass", ("a", int, [float], "P"), TypeError),
    ("check_subclass", ("a", sporax.float32, sporax.number, "P"), sporax.float32),
    ("twice", (3,), (3, 3)),
    ("twice", ([1, 2],), TypeError),
]


@pytest.mark.parametrize(("name", "args", "expected"), CHECKS)
def test_argument_checks(name, args, expected):
    check = getattr(checkparam, name)
    if isinstance(expected, type) and issubclass(expected, Exception):
        with pytest.raises(expected):
            check(*args)
    else:
        assert check(*args) == expected
    if name.startswith("check"):
        assert getattr(checkparam.Validator, name) is check


def test_the_log_has_mindspores_form(served, capsys):
    from mindspore import log

    log.warning("lr %s", 0.1)
    log.info("not shown")
    log.error("bad")
    shown = capsys.readouterr().err.splitlines()
    # as genuine MindSpore writes it: [WARNING] ME(4953:139740983716736,MainProcess):2026-12-01-11:40:56.383.000 [<stdin>:7] w 3
    form = r"\[{}\] ME\(\d+:\d+,MainProcess\):\d{{4}}-\d\d-\d\d-\d\d:\d\d:\d\d\.\d{{3}}\.\d{{3}} \[cli/test_names\.py:\d+\] {}"
    assert len(shown) == 2
    assert re.fullmatch(form.format("WARNING", r"lr 0\.1"), shown[0]) and re.fullmatch(form.format("ERROR", "bad"), shown[1])
    assert log.get_level() == 2 and log.get_log_config() == {"GLOG_v": "2", "GLOG_logtostderr": "1"}


def test_private_helpers():
    from sporax._names import private

    class Net(nn.Cell):
        @private.cell_attr_register
        def __init__(self, n):
            super().__init__()
            self.n = n

    class Other(nn.Cell):
        @private.cell_attr_register(attrs=["n"])
        def __init__(self, n):
            super().__init__()
            self.n = n

    assert Net(3).n == Other(3).n == 3
    with pytest.raises(TypeError, match="names of attributes"):
        private.cell_attr_register(attrs=3)
    make = private._get_cache_prim(ops.ReduceSum)
    assert make(True) is make(True) and make(True) is not make(False) and make(keep_dims=True).keep_dims
    with pytest.raises(TypeError):
        make(no_such=1)
    private._pynative_executor.sync()
    with pytest.raises(AttributeError, match="mindspore.value_and_grad"):
        private._pynative_executor.new_graph()


@pytest.mark.parametrize("module", [sporax.runtime, sporax.common.initializer, nn.optim, nn.layer.conv, sporax.common.dtype])
def test_every_module_of_mindspore_answers_in_this_way(module):
    with pytest.raises(AttributeError, match=r"^module 'mindspore\.[a-z_.]+' \(served by Sporax .*\) has no 'NoSuchThing'\."):
        module.NoSuchThing
