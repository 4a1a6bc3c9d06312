"""Reverse mode: structure of results, nesting, hooks; both modes give the same."""

import numpy as np
import pytest

import sporax as ms
import sporax._core.context
from sporax import Parameter, Tensor
from sporax._core import scope
from sporax._core.transforms import custom_gradient, stop_gradient
from tests.core.kernels import add, mul, sin, total, vec


@pytest.fixture(params=[ms.PYNATIVE_MODE, ms.GRAPH_MODE], ids=["pynative", "graph"], autouse=True)
def mode(request):
    ms.set_context(mode=request.param)
    yield request.param
    ms.set_context(mode=ms.PYNATIVE_MODE)


@pytest.fixture
def w():
    return Parameter(vec(5, 6), name="w")


@pytest.fixture
def b():
    return Parameter(vec(7, 8), name="b")


def plain(x):
    if isinstance(x, tuple | list):
        return type(x)(plain(y) for y in x)
    return x.asnumpy().tolist() if isinstance(x, Tensor) else x


X, Y = vec(1, 2), vec(3, 4)


def test_every_combination_of_positions_and_weights(w, b):
    # numbers and structures of genuine MindSpore 2.10
    def f(x, y):
        return total(add(mul(mul(x, y), w), b))

    gx, gy, gw, gb = [15, 24], [5, 12], [3, 8], [1, 1]
    unused = Parameter(vec(1, 1, 1), name="unused")
    assert plain(ms.grad(f)(X, Y)) == gx
    assert plain(ms.grad(f, (0,))(X, Y)) == gx
    assert plain(ms.grad(f, (0, 1))(X, Y)) == (gx, gy)
    assert plain(ms.grad(f, None, w)(X, Y)) == gw
    assert plain(ms.grad(f, None, [w])(X, Y)) == (gw,)
    assert plain(ms.grad(f, None, (w, b))(X, Y)) == (gw, gb)
    assert plain(ms.grad(f, 0, w)(X, Y)) == (gx, gw)
    assert plain(ms.grad(f, (0, 1), ms.ParameterTuple([w, b]))(X, Y)) == ((gx, gy), (gw, gb))
    assert plain(ms.grad(f, None, [w, unused])(X, Y)) == (gw, [0, 0, 0])
    assert plain(ms.grad(f, None, [])(X, Y)) == ()
    assert plain(ms.grad(f, (0, 1), [w], return_ids=True)(X, Y)) == (((0, gx), (1, gy)), (("w", gw),))
    ids = ms.grad(f, (0, 1), [w, b], return_ids=True)(X, Y)
    assert plain(ms.get_grad(ids, 1)) == gy and plain(ms.get_grad(ids, b)) == gb
    with pytest.raises(RuntimeError, match="return_ids"):
        ms.get_grad(ids, unused)
    assert plain(ms.value_and_grad(f, (0, 1), [w])(X, Y)) == (78, ((gx, gy), (gw,)))


def test_has_aux(w):
    def f(x, y):
        return total(mul(mul(x, y), w)), x, y

    assert plain(ms.grad(f, 0, None, True)(X, Y)) == ([15, 24], ([1, 2], [3, 4]))
    assert plain(ms.value_and_grad(f, (0, 1), [w], True)(X, Y)) == ((63, [1, 2], [3, 4]), (([15, 24], [5, 12]), ([3, 8],)))
    with pytest.raises(ValueError, match="more than one output"):
        ms.grad(lambda x: total(x), has_aux=True)(X)


def test_without_has_aux_all_outputs_are_summed_and_said_so():
    def two(x):
        return mul(x, 2.0), mul(x, 3.0)

    ms._core.context._warned.clear()
    with pytest.warns(UserWarning, match="has_aux=True"):
        assert plain(ms.grad(two)(X)) == [5, 5]


@pytest.mark.parametrize(
    ("kwargs", "error"),
    [
        ({"grad_position": None}, ValueError), ({"grad_position": ()}, ValueError), ({"grad_position": -1}, ValueError),
        ({"grad_position": (0, 0)}, ValueError), ({"grad_position": "a"}, TypeError), ({"grad_position": [0]}, TypeError),
        ({"grad_position": True}, TypeError), ({"weights": "w"}, TypeError), ({"weights": [1]}, TypeError), ({"has_aux": 1}, TypeError),
    ],
)  # fmt: skip
def test_bad_arguments(kwargs, error):
    with pytest.raises(error):
        ms.grad(total, **kwargs)


def test_a_position_out_of_range_names_the_number_of_inputs():
    with pytest.raises(IndexError, match="grad_position 5 .* 2 inputs"):
        ms.grad(lambda x, y: total(x), 5)(X, Y)


def test_the_same_tensor_in_two_positions_has_two_gradients():
    assert plain(ms.grad(lambda a, c: total(mul(mul(a, a), c)), (0, 1))(X, X)) == ([2, 8], [1, 4])


def test_any_order():
    cube = lambda x: mul(mul(x, x), x)  # noqa: E731
    assert plain(ms.grad(ms.grad(cube))(X)) == [6, 12]
    assert plain(ms.grad(ms.grad(ms.grad(cube)))(X)) == [6, 6]
    third = ms.grad(ms.grad(ms.grad(sin)))(X)
    np.testing.assert_allclose(third.asnumpy(), -np.cos([1, 2]), rtol=1e-6)


def test_mixed_derivative_through_a_weight(w):
    # d/dw of d/dx (x w)^2 = 4 x w ... at x = w-independent inputs: d/dx = 2 x w^2, d/dw = 4 x w
    inner = ms.grad(lambda x: total(mul(mul(x, w), mul(x, w))))
    assert plain(ms.grad(lambda x: total(inner(x)), None, [w])(X)) == ([20, 48],)


def test_numbers_and_arrays_are_differentiated():
    assert plain(ms.grad(lambda x: mul(x, x))(3.0)) == 6
    assert plain(ms.grad(lambda x: total(mul(x, x)))(np.array([1.0, 2.0], np.float32))) == [2, 4]
    assert plain(ms.grad(lambda p: total(mul(p[0], p[1])))((X, Y))) == ([3, 4], [1, 2])


def test_gradient_of_the_output():
    f = ms.grad(lambda x: mul(x, 2.0), sens_param=True)
    assert plain(f(X, vec(10, 1))) == [20, 2]
    with pytest.raises(ValueError, match="shape"):
        f(X, vec(1))


def test_what_the_output_does_not_depend_on():
    assert plain(ms.grad(lambda x: 5.0)(X)) == [0, 0]
    assert plain(ms.grad(lambda x: Y)(X)) == [0, 0]


def test_stop_gradient(w):
    assert plain(ms.grad(lambda x: total(mul(x, stop_gradient(mul(x, w)))))(X)) == [5, 12]


def test_in_place_writes_do_not_disturb_what_was_noted(w):
    def f(x):
        y = mul(x, w)
        scope.assign(w, mul(w, 100.0))
        return total(mul(y, w))

    # y = x w with the old w, times 100 w
    value, (gx, gw) = ms.value_and_grad(f, 0, w)(X)
    np.testing.assert_allclose(gx.asnumpy(), [2500, 3600])
    np.testing.assert_allclose(gw.asnumpy(), [2 * 100 * 1 * 5, 2 * 100 * 2 * 6])
    np.testing.assert_allclose(w.asnumpy(), [500, 600])


def test_vjp(w):
    out, pull = ms.vjp(lambda x, y: mul(mul(x, y), w), X, Y, weights=[w])
    assert plain(out) == [15, 48]
    assert plain(pull(vec(1, 1))) == (([15, 24], [5, 12]), ([3, 8],))
    assert plain(pull(vec(2, 0))) == (([30, 0], [10, 0]), ([6, 0],))
    out, pull, aux = ms.vjp(lambda x: (total(x), x), X, has_aux=True)
    assert plain(aux) == [1, 2] and plain(pull(Tensor(3.0))) == ([3, 3],)


def test_hooks_see_and_replace_gradients(mode):
    seen = []

    def f(x):
        y = mul(x, 2.0)
        y.register_hook(lambda g: seen.append(g.shape) or mul(g, 10.0))
        return total(y)

    assert plain(ms.grad(f)(X)) == [20, 20]
    assert seen[0] == (2,)
    p = Parameter(vec(1, 2), name="p")
    handle = p.register_hook(lambda g: mul(g, -1.0))
    assert plain(ms.grad(lambda x: total(mul(x, p)), None, p)(X)) == [-1, -2]
    handle.remove()
    assert plain(ms.grad(lambda x: total(mul(x, mul(p, 1.0))), None, p)(X)) == [1, 2]


def test_custom_gradient_and_its_derivative():
    def f(x):
        return custom_gradient(lambda t: mul(t, t), lambda outs, cts: [mul(cts[0], mul(x, 100.0))], (x,))

    assert plain(ms.grad(lambda x: total(f(x)))(X)) == [100, 200]


def test_grad_operation(w, b):
    f = lambda x, y: total(add(mul(mul(x, y), w), b))  # noqa: E731
    G = ms._core.transforms.GradOperation
    assert plain(G()(f)(X, Y)) == [15, 24]
    assert plain(G(get_all=True)(f)(X, Y)) == ([15, 24], [5, 12])
    assert plain(G(get_by_list=True)(f, [w, b])(X, Y)) == ([3, 8], [1, 1])
    assert plain(G(get_all=True, get_by_list=True)(f, [w])(X, Y)) == (([15, 24], [5, 12]), ([3, 8],))
    assert plain(G(sens_param=True)(lambda x: mul(x, 2.0))(X, vec(1, 5))) == [2, 10]
    with pytest.raises(TypeError, match="get_all"):
        G(1)
