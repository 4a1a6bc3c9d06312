"""What cannot be compiled says why and where, runs in PyNative with one warning, and is an error where that was asked for."""

import re

import numpy as np
import pytest

import sporax as ms
from sporax import Tensor, nn
from sporax._core import context
from sporax._core.compile import CompiledFunction
from sporax._core.control import ConversionError

HERE = re.escape(__file__)


def vec(*values):
    return Tensor(np.array(values, np.float32))


def different_shapes(x):
    if x.sum() > 0:
        y = x
    else:
        y = x[:1]
    return y


def different_dtypes(x):
    if x.sum() > 0:
        y = x
    else:
        y = x.astype(ms.float16)
    return y


def different_objects(x):
    mode = "a"
    if x.sum() > 0:
        mode = "b"
    return x + len(mode)


def undefined_in_one(x):
    if x.sum() > 0:
        y = x
    return y


def returns_none_in_one(x):
    if x.sum() > 0:
        return x


def appends(x):
    parts = [x]
    if x.sum() > 0:
        parts.append(x)
    return parts


def appends_in_loop(x):
    parts = []
    while x.sum() < 5:
        x = x + 1
        parts.append(x)
    return parts


def grows(x):
    while x.sum() < 5:
        x = ms.ops.concat((x, x))
    return x


def becomes_float64(x):
    n = 0
    while x.sum() < 5:
        x = x.astype(ms.float64) + 1
        n += 1
    return x


def undefined_after_loop(x):
    while x.sum() < 5:
        x = x + 1
        y = x * 2
    return y


def none_or_tensor(x):
    y = None
    if x.sum() > 0:
        y = x
    return y is None


def needs_value(x):
    if x.sum() > 0:
        return x + float(x.asnumpy()[0])
    return x


def slice_of_tensor(x):
    n = 1
    if x.sum() > 0:
        n = 2
    return x[:n]


def writes_outer(x):
    count = 0

    def more():
        nonlocal count
        count += 1

    if x.sum() > 0:
        more()
    return x + count


def generator(x):
    yield x if x.sum() > 0 else -x


def uses_generator(x):
    return list(generator(x))


def matches(x):
    match bool(x.sum() > 0):
        case True:
            return x
    return -x


def error_in_one(x):
    if x.sum() > 0:
        return x
    return x + undefined_name  # noqa: F821


def comprehension(x):
    return [v for v in x if v > 0]


CASES = [
    (different_shapes, vec(1, 2), [r"'y' is Tensor\[Float32\]\(2,\) in one branch and Tensor\[Float32\]\(1,\) in the other; give it the same shape"]),
    (different_dtypes, vec(1, 2), [r"'y' is Tensor\[Float32\]\(2,\).*Tensor\[Float16\]\(2,\).*same dtype \(for example with astype"]),
    (different_objects, vec(1, 2), [r"'mode' is 'b' in one branch and 'a' in the other"]),
    (undefined_in_one, vec(1, 2), ["'y' has a value only on some of the ways"]),
    (returns_none_in_one, vec(1, 2), ["'returns_none_in_one' returns a value on some of the ways .* and None on others"]),
    (appends, vec(1, 2), ["a list' is a list of length 2 in one branch and a list of length 1.*must not depend on a tensor's value"]),
    (appends_in_loop, vec(1, 2), ["list' is a list of length 0 before the loop and a list of length 1 after an iteration"]),
    (grows, vec(1, 2), [r"'x' is Tensor\[Float32\]\(2,\) before the loop and Tensor\[Float32\]\(4,\) after an iteration"]),
    (becomes_float64, vec(1, 2), [r"'x' is Tensor\[Float32\]\(2,\) before the loop and Tensor\[Float64\]\(2,\) after"]),
    (undefined_after_loop, vec(1, 2), ["'y' has no value on one of the ways"]),
    (none_or_tensor, vec(1, 2), [r"'y' is Tensor\[Float32\]\(2,\) in one branch and None in the other"]),
    (needs_value, vec(1, 2), [r"asnumpy\(\) needs the value"]),
    (slice_of_tensor, vec(1, 2, 3), ["needs the value"]),
    (writes_outer, vec(1, 2), ["'more' assigns the outer variable 'count'"]),
    (uses_generator, vec(1, 2), ["bool"]),
    (matches, vec(1, 2), ["'matches' cannot be converted, because of a 'match' statement"]),
    (error_in_one, vec(1, 2), ["NameError inside an `if` on a tensor"]),
    (comprehension, vec(1, -2), ["bool"]),
]


@pytest.mark.parametrize(("function", "x", "patterns"), CASES, ids=[c[0].__name__ for c in CASES])
def test_reason(function, x, patterns, monkeypatch):
    program = CompiledFunction(function)
    program.fullgraph = True
    with pytest.raises(TypeError) as caught:
        program((x,), {})
    text = str(caught.value)
    for pattern in patterns:
        assert re.search(pattern, text), text
    # the warning names file and line, and PyNative gives the right answer, for both truths
    monkeypatch.setattr(context, "fail_on_fallback", lambda: False)
    context._warned.clear() if hasattr(context, "_warned") else None
    program = CompiledFunction(function, f"{function.__name__} with fallback")
    with pytest.warns(UserWarning, match=rf"runs in PyNative mode\. (.|\n)*{HERE}:\d+") as warned:
        got = program((x,), {})
    want = function(x)
    assert len(warned) == 1
    _same(got, want)
    _same(program((x * 0.25 + 1,), {}), function(x * 0.25 + 1))


def _same(got, want):
    if isinstance(want, list):
        assert len(got) == len(want)
        for g, w in zip(got, want, strict=True):
            _same(g, w)
    elif isinstance(want, Tensor):
        assert got.dtype is want.dtype
        assert got.asnumpy().tolist() == want.asnumpy().tolist()
    else:
        assert got is want


def test_fallback_is_an_error_if_asked_for(monkeypatch):
    monkeypatch.setattr(context, "fail_on_fallback", lambda: True)
    with pytest.raises(ConversionError, match=HERE):
        CompiledFunction(different_shapes)((vec(1, 2),), {})


def test_a_failed_trace_changes_nothing():
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.w = ms.Parameter(vec(1, 2), name="w")
            self.note = 1

        def construct(self, x):
            if x.sum() > 0:
                self.w.set_data(x)
                self.note = "a"
                return x
            return x[:1]

    net = Net()
    program = CompiledFunction(net.construct)
    program.fullgraph = True
    with pytest.raises(ConversionError):
        program((vec(5, 6),), {})
    assert net.w.asnumpy().tolist() == [1, 2]
    assert net.note == 1


def test_errors_of_the_program_are_its_own():
    def f(x):
        if x.sum() > 0:
            x = x + 1
        return x.reshape(7)

    with pytest.raises(ValueError, match="reshape"):
        CompiledFunction(f)((vec(1, 2),), {})
    with pytest.raises(UnboundLocalError):
        CompiledFunction(lambda x: _unbound(x))((vec(1, 2),), {})


def _unbound(x):
    if x.shape[0] > 5:
        y = x
    if x.sum() > 0:
        x = x + 1
    return x + y


ALIASES_AND_TRIES = []


def _case(function):
    ALIASES_AND_TRIES.append(function)
    return function


@_case
def written_alias(x):
    y = x if x.sum() > 0 else x * 1
    y[0] = 9.0
    return x


@_case
def written_original(x):
    y = x
    if x.sum() > 0:
        y = x * 2
    x[0] = 9.0
    return y


@_case
def written_in_loop(x):
    y = x
    n = 0
    while n < x[1]:
        y[0] = n
        y = y + 1
        n += 1
    return x, y


@_case
def caught_raise(x):
    try:
        if x.sum() > 0:
            raise ValueError("a")
        y = x
    except ValueError:
        y = -x
    return y


@_case
def caught_assert(x):
    try:
        assert x.sum() > 0
    except AssertionError:
        return -x
    return x


@_case
def caught_everything(x):
    try:
        if x.sum() > 0:
            y = x
        else:
            y = x[:1]
        return y + 0
    except TypeError:
        return x * 100


@_case
def caught_value(x):
    try:
        return x * float(x.asnumpy()[0])
    except TypeError:
        return x * 100


class Holder:
    count = 0


@_case
def outside_object(x):
    holder = Holder
    if x.sum() > 0:
        holder.count = holder.count + 1
    return x + holder.count


TABLE = {"n": 0}


@_case
def outside_dict(x):
    if x.sum() > 0:
        TABLE["n"] += 1
    return x + TABLE["n"]


A, B = ms.Parameter(vec(1, 2), name="a"), ms.Parameter(vec(3, 4), name="b")


@_case
def chosen_parameter(x):
    p = A if x.sum() > 0 else B
    p.set_data(x)
    return A + B


@pytest.mark.parametrize("function", ALIASES_AND_TRIES, ids=lambda f: f.__name__)
@pytest.mark.filterwarnings("ignore:.*runs in PyNative mode")
def test_right_though_not_compiled(function, monkeypatch):
    monkeypatch.setattr(context, "fail_on_fallback", lambda: False)

    def run(f):
        Holder.count = TABLE["n"] = 0
        A.set_data(vec(1, 2))
        B.set_data(vec(3, 4))
        results = []
        for start in (vec(1, 2), vec(-3, -4), vec(5, 1)):
            out = f(start)
            results += [t.asnumpy().tolist() for t in (out if isinstance(out, tuple) else (out,))]
            results.append(start.asnumpy().tolist())
        return results

    program = CompiledFunction(function)
    assert run(lambda x: program((x,), {})) == run(function)


def test_caught_value_in_a_plain_trace():
    # TracedValueError is a TypeError: a program that catches it must not be compiled with what it does then
    with pytest.raises(TypeError, match="needs the value"):
        ms.jit(caught_value, fullgraph=True)(vec(1, 2))
