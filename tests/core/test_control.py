"""Control flow on tensors in compiled functions gives what Python and NumPy give."""

import copy

import numpy as np
import pytest

import sporax as ms
from sporax import Tensor
from sporax._core.compile import CompiledFunction
from tests.core import control_programs
from tests.core.control_programs import PROGRAMS


def compiled(function, *args):
    program = CompiledFunction(function)
    program.fullgraph = True
    return program(tuple(Tensor(a) for a in args), {}), program


def plain(x):
    if isinstance(x, Tensor):
        return x.asnumpy()
    return [plain(y) for y in x] if isinstance(x, tuple | list) else x


def assert_same(got, want):
    if isinstance(want, tuple | list):
        assert type(got) is type(want) and len(got) == len(want)
        for g, w in zip(got, want, strict=True):
            assert_same(g, w)
    elif want is None or type(want) in (bool, int):
        assert got is want or (type(got) is type(want) and got == want)
    elif type(want) is float:
        assert type(got) is float and got == pytest.approx(want, rel=1e-12)
    else:
        got = plain(got)
        assert np.shape(got) == np.shape(want)
        np.testing.assert_allclose(got, want, rtol=2e-5, atol=1e-6)


@pytest.mark.parametrize(("function", "calls"), PROGRAMS, ids=[p[0].__name__ for p in PROGRAMS])
def test_program(function, calls):
    program = CompiledFunction(function)
    program.fullgraph = True
    for args in calls:
        want = function(*copy.deepcopy(args))
        assert_same(program(tuple(Tensor(a) for a in args), {}), want)
    # a failed plain trace, then probe and trace of the converted function (or no conversion at all), whatever the values
    assert program.traces in (2, 3)
    assert len(program.programs) == 1


_DIFFERENTIATED = """
    relu_if elif_return newton break_in_range return_in_loop and_or conditional_expression rows nested_ifs nested_loops loop_in_branch
    tuple_and_dict list_items partials recursion many_ifs while_with_two_conditions power_iteration argument_changed items_in_loop
    float_number bisect guarded_value long_loop_with_break continue_in_range minimum_and_maximum
""".split()
GRADIENTS = [p for p in PROGRAMS if p[0].__name__ in _DIFFERENTIATED]


def _loss(function):
    def loss(*args):
        out = function(*args)
        while isinstance(out, tuple | list):
            out = out[0]
        return (out * out).sum()

    return loss


@pytest.mark.parametrize(("function", "calls"), GRADIENTS, ids=[p[0].__name__ for p in GRADIENTS])
def test_gradient(function, calls):
    # PyNative runs Python's own control flow on real values
    gradient = ms.value_and_grad(_loss(function))
    for args in calls[:3]:
        want, want_grad = gradient(*[Tensor(a) for a in args])
        (got, got_grad), _ = compiled(lambda *xs: ms.value_and_grad(_loss(function))(*xs), *args)
        np.testing.assert_allclose(got.asnumpy(), want.asnumpy(), rtol=1e-5)
        np.testing.assert_allclose(got_grad.asnumpy(), want_grad.asnumpy(), rtol=1e-4, atol=1e-6)


def test_gradient_of_a_jitted_function():
    @ms.jit(fullgraph=True)
    def f(x, n):
        i = 0
        while i < n:
            if x.sum() > 3:
                x = x * 0.5
            else:
                x = x * x + 0.1
            i += 1
        return x.sum()

    def g(x, n):
        for _ in range(n):
            x = x * 0.5 if x.sum() > 3 else x * x + 0.1
        return x.sum()

    x = np.array([0.5, 2.0, 1.5], np.float32)
    for n in (0, 1, 7, 50):
        got = ms.grad(f)(Tensor(x), Tensor(n))
        want = ms.grad(g)(Tensor(x), n)
        np.testing.assert_allclose(got.asnumpy(), want.asnumpy(), rtol=1e-4)


def test_second_derivative_through_a_while():
    def f(x, n):
        i = 0
        while i < n:
            x = x * x * 0.5
            i += 1
        return x

    def second(x, n):
        return ms.grad(lambda v: ms.grad(lambda u: f(u, n))(v))(x)

    # n = 3: x**8 / 128
    got, _ = compiled(second, np.float32(1.2), np.int64(3))
    assert got.item() == pytest.approx(56 * 1.2**6 / 128, rel=1e-5)


def test_derivative_uses_variables_as_they_were():
    def f(x):
        w = x * 2
        if x.sum() > 0:
            y = w * x
        else:
            y = x
        w = w * 100
        return y.sum() + w.sum() * 0

    got, _ = compiled(lambda x: ms.grad(f)(x), np.array([1.0, 2.0], np.float32))
    np.testing.assert_allclose(got.asnumpy(), [4.0, 8.0])


def test_vmap_and_jvp_of_control_flow():
    def f(x):
        if x.sum() > 0:
            return x * 2
        while x.sum() < 1:
            x = x + 1
        return x

    x = np.array([[1.0, 2.0], [-3.0, 0.5], [-1.0, -1.0]], np.float32)
    want = np.stack([plain(f(Tensor(row))) for row in x])
    np.testing.assert_allclose(ms.vmap(f)(Tensor(x)).asnumpy(), want)
    got, _ = compiled(lambda v: ms.vmap(f)(v), x)
    np.testing.assert_allclose(got.asnumpy(), want)
    out, dot = ms.jvp(f, Tensor(x[0]), Tensor(np.ones(2, np.float32)))
    np.testing.assert_allclose(dot.asnumpy(), [2.0, 2.0])
    (out, dot), _ = compiled(lambda v, t: ms.jvp(f, v, t), x[1], np.ones(2, np.float32))
    np.testing.assert_allclose(out.asnumpy(), want[1])
    np.testing.assert_allclose(dot.asnumpy(), [1.0, 1.0])


def test_types_of_results():
    def f(x):
        n = 1
        if x.sum() > 0:
            n = 2
        return x * n, n

    (y, n), _ = compiled(f, np.array([1.0], np.float16))
    assert y.dtype is ms.float16 and type(n) is int and n == 2


def test_number_keeps_double_precision():
    def f(x):
        s = 0.1
        if x.sum() > 0:
            s = s + 0.2
        return s, s > 0.3

    (s, larger), _ = compiled(f, np.ones(1, np.float32))
    assert s == 0.1 + 0.2 and larger is True


def test_lambda_on_the_same_line():
    pair = (lambda x: x if x.sum() > 0 else -x, lambda x: x * 2 if x.sum() > 0 else x * 3)
    got, _ = compiled(lambda x: pair[0](x) + pair[1](x), np.array([-1.0], np.float32))
    assert got.asnumpy() == [1.0 - 3.0]


def test_new_closure_of_converted_code():
    def make(k):
        def f(x):
            return x * k if x.sum() > 0 else x - k

        return f

    for k in (2, 3):
        got, _ = compiled(make(k), np.array([1.0], np.float32))
        assert got.item() == k


def test_global_is_live(monkeypatch):
    monkeypatch.setattr(control_programs, "_plain", control_programs.Plain(100))
    x = np.array([1.0, -2.0, 3.0], np.float32)
    got, _ = compiled(control_programs.methods, x)
    np.testing.assert_allclose(got.asnumpy(), control_programs.methods(x))


def test_malt_is_imported_only_for_conversion():
    import subprocess
    import sys

    code = "import sys, numpy as np, sporax as ms; f = ms.jit(lambda x: x + 1); f(ms.Tensor(np.ones(2))); sys.exit('malt' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
