"""`print` in compiled functions: at every run, in order, with the values of that run, as in PyNative."""

import io

import numpy as np
import pytest

import sporax as ms
from sporax import Tensor
from sporax._core.compile import CompiledFunction


def vec(*values):
    return Tensor(np.array(values, np.float32))


def plain(x):
    print("start")
    print(x)
    print("sum:", x.sum(), sep=" ", end="!\n")
    print(f"mean {x.mean()} {x.sum():.3f} {x!r}")
    print("%.2f and %s and %d%%" % (x.sum(), x, 5))  # noqa: UP031
    print("{:>8.1f}|{}".format(x[0], x))  # noqa: UP032
    print(str(x) + "?", [x, x.shape], {"a": x.sum()}, x.dtype)
    print()
    return x * 2


def in_branches(x):
    if x.sum() > 0:
        print("positive", x.sum())
    else:
        print("negative", x.sum())
    print("done")
    return x


def in_loops(x, n):
    for i in range(n):
        if i % 2 == 1:
            print("odd", i)
            continue
        print("i =", i, "x =", x)
        x = x * 2
    k = 0
    while x.sum() < 20:
        x = x + 1
        k += 1
        print(f"k={k} x={x.sum():.1f}")
    return x


def number(x):
    n = 1
    s = 0.1
    flag = False
    if x.sum() > 0:
        n = 2
        s = s + 0.2
        flag = True
    print(n, s, flag, f"{n:03d} {s:.20f}", "%d %5.1f" % (n, s))  # noqa: UP031
    return x


def conditions(x):
    def noisy(v, name):
        print("evaluating", name)
        return v

    if noisy(x[0] > 0, "a") and noisy(x[1] > 0, "b"):
        print("both")
    while noisy(x.sum() < 5, "c"):
        x = x + 1
    return x


PROGRAMS = [(plain, [(vec(1, 2),), (vec(3, 4),)]), (in_branches, [(vec(1),), (vec(-1),)]), (in_loops, [(vec(1, 2), 3), (vec(0, 0), 0)]),
            (number, [(vec(1),), (vec(-1),)]), (conditions, [(vec(1, 1),), (vec(-1, 9),), (vec(1, -1),)])]  # fmt: skip


@pytest.mark.parametrize(("function", "calls"), PROGRAMS, ids=[p[0].__name__ for p in PROGRAMS])
def test_output_is_that_of_pynative(function, calls, capfd):
    program = CompiledFunction(function)
    program.fullgraph = True
    for args in calls * 2:
        print("before")
        function(*args)
        print("after")
        want = capfd.readouterr().out
        print("before")
        program(tuple(Tensor(a) for a in args), {})
        print("after")
        assert capfd.readouterr().out == want
    assert program.traces <= 3


@pytest.mark.parametrize("function", [in_branches, number, plain])
def test_gradient_prints_once(function, capfd):
    def loss(x):
        return function(x).sum()

    for x in (vec(1, 2), vec(-1, -3)):
        ms.grad(loss)(x)
        want = capfd.readouterr().out
        CompiledFunction(lambda x: ms.grad(loss)(x))((x,), {})
        assert capfd.readouterr().out == want
        # a compiled function that is differentiated from outside
        ms.grad(ms.jit(loss))(x).asnumpy()
        assert capfd.readouterr().out == want


def test_gradient_of_a_loop_that_prints(capfd):
    def f(x, n):
        i = 0
        while i < n:
            x = x * x
            print("x", x)
            i += 1
        return x

    got = CompiledFunction(lambda x, n: ms.grad(f)(x, n))((Tensor(1.1), Tensor(3)), {})
    assert got.item() == pytest.approx(8 * 1.1**7, rel=1e-5)
    assert len(capfd.readouterr().out.splitlines()) == 3


def test_recompute_and_regions_print_once(capfd):
    def f(x):
        print("x", x)
        return (x * x).sum()

    x = vec(1, 2)
    CompiledFunction(lambda x: ms.grad(lambda v: ms.recompute(f, v))(x))((x,), {})
    assert capfd.readouterr().out == "x [1. 2.]\n"
    ms.jvp(f, x, x)
    print("after")
    assert capfd.readouterr().out == "x [1. 2.]\nafter\n"


def test_long_loop_prints(capfd):
    def f(x):
        for i in range(100):
            x = x + 1
            print("i", i)
            if x.sum() > 5:
                break
        return x

    CompiledFunction(lambda x: ms.grad(f)(x))((vec(1),), {})
    assert capfd.readouterr().out == "".join(f"i {i}\n" for i in range(5))


def test_file_and_vmap(capfd):
    file = io.StringIO()

    def f(x):
        print("x", x.sum(), file=file)
        return x * 2

    program = CompiledFunction(f)
    program((vec(1, 2),), {})
    program((vec(3, 4),), {})
    assert file.getvalue() == "x 3.0\nx 7.0\n"
    file.truncate(0)
    file.seek(0)
    CompiledFunction(lambda x: ms.vmap(f)(x))((Tensor(np.ones((2, 3), np.float32)),), {})
    assert sorted(file.getvalue().splitlines()) == ["x 3.0", "x 3.0"]


def test_placeholder_reads_sensibly():
    seen = []

    def f(x):
        seen.append(str(x))
        raise ValueError(f"cannot use {x}")

    with pytest.raises(ValueError, match=r"cannot use Tensor\[Float32\]\(2,\) traced"):
        CompiledFunction(f)((vec(1, 2),), {})
    assert seen[0].startswith("Tensor[Float32](2,) traced")


def test_print_is_put_back():
    before = print
    CompiledFunction(plain)((vec(1, 2),), {})
    assert print is before


def test_pynative_print_is_untouched(capfd):
    print(vec(1, 2), f"{Tensor(1.5):.2f}")
    assert capfd.readouterr().out == "[1. 2.] 1.50\n"
