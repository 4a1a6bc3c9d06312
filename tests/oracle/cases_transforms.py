"""Transforms: the structure and numbers of grad and value_and_grad for every combination of arguments, GradOperation, jvp, vjp, jacobians, vmap,
nesting, stop_gradient, custom backward passes, hooks, and what is raised.

Inputs are the 2x2 tensors X, Y, Z; a net has the parameters `w` and `b`, and `unused`, which no function reaches.
"""

import numpy as np

from tests.oracle.fixtures import normal

X, Y, Z = (normal(seed, 2, 2) for seed in (21, 22, 23))
POSITIONS = {
    "0": 0,
    "1": 1,
    "(0,)": (0,),
    "(0, 1)": (0, 1),
    "(1, 0)": (1, 0),
    "None": None,
    "()": (),
    "-1": -1,
    "2": 2,
    "(0, 0)": (0, 0),
    "'a'": "a",
    "1.0": 1.0,
    "[0]": [0],
    "True": True,
}
WEIGHTS = {
    "None": lambda net: None, "list": lambda net: [net.w, net.b], "tuple": lambda net: (net.w, net.b), "ParameterTuple": lambda net: net.params(), "Parameter": lambda net: net.w, "one in a list": lambda net: [net.b],
    "reversed": lambda net: [net.b, net.w], "with unused": lambda net: [net.w, net.unused], "unused": lambda net: net.unused, "empty list": lambda net: [], "trainable_params": lambda net: net.trainable_params(),
    "text": lambda net: "w", "tensor": lambda net: [net.w.value()], "twice": lambda net: [net.w, net.w],
}  # fmt: skip

WRONG = {  # cases where genuine contradicts the mathematics or its own documentation, and what is right
    "aliased inputs": "(2 * X, 3): genuine gives every position the sum of both, where one tensor is in two positions",
    "grad of Python float": "6.0: genuine gives ()",
    "grad of array": "2 * X: genuine gives ()",
    "structured inputs": "a gradient for each tensor in the structures: genuine gives ()",
    "grad of mixed int and float": "the gradient of an integer input: genuine truncates it to int32",
    "in place": "works: genuine raises TypeError for an int index of a tensor that is an operation's result",
    "grad through integer cast": "zero: genuine's cast hands the gradient through",
    "position=1 weights=* ids": "(1, whole gradient): with ids and weights, genuine pairs the position with the first row of the gradient",
    "weights=Parameter ids": "(name, gradient): genuine raises ValueError, as it asks for the truth of a gradient",
}


def tensors(ms, *arrays):
    return [ms.Tensor(a) for a in (arrays or (X, Y))]


def make_net(ms):
    class Net(ms.nn.Cell):
        def __init__(self):
            super().__init__()
            self.w = ms.Parameter(ms.Tensor(normal(24, 2, 2)), name="w")
            self.b = ms.Parameter(ms.Tensor(normal(25, 2)), name="b")
            self.unused = ms.Parameter(ms.Tensor(normal(26, 3)), name="unused")
            self.tanh = ms.ops.Tanh()

        def params(self):
            return ms.ParameterTuple([self.w, self.b])

        def construct(self, x, y):
            return self.tanh(ms.ops.matmul(x, self.w) + self.b) * y

    return Net()


def functions(ms, net):
    """{name: (function, has_aux)}."""

    def loss(x, y):
        return net(x, y).sum()

    def aux(x, y):
        out = net(x, y)
        return out.sum(), out, x + 1

    return {"plain": (loss, False), "aux": (aux, True)}


def combination(kind, position, weights, with_aux, return_ids):
    def case(ms):
        net = make_net(ms)
        f, has_aux = functions(ms, net)["aux" if with_aux else "plain"]
        return getattr(ms, kind)(f, position, WEIGHTS[weights](net), has_aux, return_ids)(*tensors(ms))

    return case


def _combinations():
    for kind in ("grad", "value_and_grad"):
        for p in POSITIONS:
            for w in WEIGHTS:
                usual = p in ("0", "1", "(0,)", "(0, 1)", "(1, 0)", "None") and w in (
                    "None",
                    "list",
                    "ParameterTuple",
                    "Parameter",
                    "with unused",
                    "empty list",
                )
                if not usual and not (p == "0" or w == "None" or (p == "None" and kind == "grad")):
                    continue
                for with_aux in (False, True):
                    for ids in (False, True):
                        if usual or not (with_aux or ids):
                            yield (
                                f"{kind} position={p} weights={w}{' aux' if with_aux else ''}{' ids' if ids else ''}",
                                combination(kind, POSITIONS[p], w, with_aux, ids),
                            )


def with_ids(ms, position, weights):
    net = make_net(ms)
    return net, ms.grad(functions(ms, net)["plain"][0], position, weights(net), False, True)(*tensors(ms))


def got_grad(position, weights, identifier):
    def case(ms):
        net, grads = with_ids(ms, position, weights)
        return ms.get_grad(grads, identifier(net))

    return case


def operation(get_all, get_by_list, sens_param, of_cell=True):
    def case(ms):
        net = make_net(ms)
        f = net if of_cell else (lambda x, y: net(x, y))
        op = ms.ops.GradOperation(get_all, get_by_list, sens_param)
        g = op(f, net.params()) if get_by_list else op(f)
        return g(*tensors(ms), *([ms.Tensor(Z)] if sens_param else []))

    return case


# Genuine compiles what jvp, jacfwd, jacrev and vmap get from its source: named functions, whose text stands alone.
def square_sine(ms):
    def f(x, y):
        return ms.ops.sin(x) * y * y

    return f


def two_outputs(ms):
    def f(x, y):
        return ms.ops.sin(x) * y, (x * y).sum()

    return f


def sine_squared(ms):
    def f(x):
        return ms.ops.sin(x) ** 2

    return f


def sum_of_squares(ms):
    def f(x):
        return (x * x).sum()

    return f


def product(ms):
    def f(x, y):
        return ms.ops.matmul(x, y)

    return f


def plus(ms):
    def f(x, y):
        return x + y

    return f


def times(ms):
    def f(x, y):
        return x * y

    return f


def sine_plus(ms):
    def f(x, y):
        return ms.ops.sin(x) + y

    return f


def doubled(ms):
    def f(x):
        return x * 2

    return f


def total(ms):
    def f(x):
        return x.sum()

    return f


def doubled_and_total(ms):
    def f(x):
        return x * 2, x.sum()

    return f


def reductions(ms):
    def f(x):
        return x.sum(), x.mean(), x.max(), ms.ops.softmax(x)

    return f


def of_pair(ms):
    def f(pair, z):
        return pair[0] + pair[1] * z

    return f


def sine(ms):
    def f(x):
        return ms.ops.sin(x)

    return f


def weighted_square(ms):
    def f(x, y):
        return (x * x * y).sum()

    return f


def row_response(ms):
    def f(w, x):
        return ms.ops.tanh((w * x).sum())

    return f


def sine_norm(ms):
    def f(x):
        return (ms.ops.sin(x) ** 2).sum()

    return f


def through_vmap(ms):
    inner = ms.vmap(sum_of_squares(ms))

    def f(x):
        return inner(x).sum()

    return f


def through_inserted(ms):
    def five_times(g):
        return g * 5

    op = ms.ops.InsertGradientOf(five_times)

    def f(x):
        return op(x * 2).sum()

    return f


def jvp(make, inputs, v, **kwargs):
    return lambda ms: ms.jvp(make(ms), _tensors(ms, inputs), _tensors(ms, v), **kwargs)


def _tensors(ms, arrays):
    return tuple(ms.Tensor(a) for a in arrays) if isinstance(arrays, tuple) else ms.Tensor(arrays)


def vjp(make, inputs, cotangents, **kwargs):
    def case(ms):
        out = ms.vjp(make(ms), *_tensors(ms, inputs), **kwargs)
        given = _tensors(ms, cotangents)
        value, pull, *rest = out
        return (value, pull(*given) if isinstance(given, tuple) else pull(given), *rest)

    return case


def vjp_weights(ms):
    net = make_net(ms)
    value, pull = ms.vjp(net, *tensors(ms), weights=net.params())
    return value, pull(ms.Tensor(Z))


def vmapped(make, arrays, in_axes=0, out_axes=0):
    return lambda ms: ms.vmap(make(ms), in_axes, out_axes)(*[ms.Tensor(a) if isinstance(a, np.ndarray) else a for a in arrays])


def simple(f, *arrays):
    """The gradient of the sum of f(ms, x, ...) with respect to the first input."""

    def case(ms):
        return ms.grad(lambda *a: f(ms, *a))(*tensors(ms, *(arrays or (X,))))

    return case


def second_order(ms):
    f = lambda x: (ms.ops.sin(x) * x).sum()
    first = ms.grad(f)
    return ms.grad(lambda x: (first(x) ** 2).sum())(ms.Tensor(X))


def third_order(ms):
    f = lambda x: (x**4).sum()
    return ms.grad(lambda a: ms.grad(lambda b: ms.grad(f)(b).sum())(a).sum())(ms.Tensor(X))


def hessian(ms):
    return ms.jacfwd(ms.jacrev(sine_norm(ms)))(ms.Tensor(X[0]))


def per_sample(ms):
    """vmap of grad: one gradient for every row."""
    w = ms.Tensor(Y[0])
    return ms.vmap(ms.grad(row_response(ms)), (None, 0), 0)(w, ms.Tensor(X))


def own_bprop(ms):
    class Double(ms.nn.Cell):
        def construct(self, x, y):
            return x * y

        def bprop(self, x, y, out, dout):
            return dout * 2, dout * 3

    return ms.grad(lambda x, y: Double()(x, y).sum(), (0, 1))(*tensors(ms))


def custom_function(ms):
    class Scale(ms.common._grad_function._Function if not hasattr(ms, "_Function") else ms._Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        def backward(ctx, dout):
            (x,) = ctx.saved_tensors
            return dout * x * 10

    return ms.grad(lambda x: Scale.apply(x).sum())(ms.Tensor(X))


def tensor_hook(ms):
    seen = []

    def f(x):
        z = x * 2
        z.register_hook(lambda g: g * 10)
        return (z * z).sum()

    return {"grad": ms.grad(f)(ms.Tensor(X)), "seen": seen}


def parameter_hook(ms):
    net = make_net(ms)
    net.w.register_hook(lambda g: g * 10)
    return ms.grad(lambda x, y: net(x, y).sum(), None, net.params())(*tensors(ms))


def cell_hooks(ms):
    net = ms.nn.SequentialCell(ms.nn.ReLU(), ms.nn.Tanh())
    seen = []
    net[0].register_forward_pre_hook(lambda cell, args: (args[0] * 2,))
    net[0].register_forward_hook(lambda cell, args, out: out + 1)
    net[1].register_backward_hook(lambda cell, grad_in, grad_out: (grad_in[0] * 10,))
    out = net(ms.Tensor(X))
    g = ms.grad(lambda x: net(x).sum())(ms.Tensor(X))
    return {"out": out, "grad": g, "seen": seen}


def hook_arguments(ms):
    """What a hook is called with: the lengths and shapes of what arrives."""
    cell = ms.nn.Dense(2, 3)
    seen = []
    cell.register_forward_pre_hook(lambda c, a: seen.append(["pre", type(a).__name__, len(a)]))
    cell.register_forward_hook(lambda c, a, o: seen.append(["forward", type(a).__name__, len(a), type(o).__name__]))
    cell.register_backward_hook(
        lambda c, gi, go: seen.append(
            ["backward", type(gi).__name__, [list(g.shape) for g in gi if g is not None], type(go).__name__, [list(g.shape) for g in go]]
        )
    )
    ms.grad(lambda x: cell(x).sum())(ms.Tensor(X))
    return seen


def aliased(ms):
    """The same tensor in two positions."""
    x = ms.Tensor(X)
    return ms.grad(lambda a, b: (a * a + 3 * b).sum(), (0, 1))(x, x)


def frozen_weight(ms):
    net = make_net(ms)
    net.w.requires_grad = False
    return ms.grad(lambda x, y: net(x, y).sum(), None, net.trainable_params())(*tensors(ms))


def in_place(ms):
    def f(x):
        z = x * 1
        z[0] = z[0] * 3
        z += x
        return (z * z).sum()

    return ms.grad(f)(ms.Tensor(X))


def loop(ms, x):
    total = x * 0
    for i in range(3):
        if x.sum() > i:
            total = total + x**i
        else:
            total = total - x
    return total.sum()


def structured(ms):
    """A function of a tuple, a list and a dict."""
    f = lambda pair, d: (pair[0] * pair[1] * d["k"]).sum()
    return ms.grad(f, (0, 1))((ms.Tensor(X), ms.Tensor(Y)), {"k": ms.Tensor(Z)})


def keywords(ms):
    f = lambda x, y=None: (x * (1 if y is None else y)).sum()
    return ms.grad(f)(ms.Tensor(X)), ms.grad(f)(ms.Tensor(X), y=ms.Tensor(Y))


CASES = dict(_combinations())
CASES |= {
    f"GradOperation(get_all={a}, get_by_list={b}, sens_param={c}){'' if cell else ' of a function'}": operation(a, b, c, cell)
    for a in (False, True) for b in (False, True) for c in (False, True) for cell in (True, False)
}  # fmt: skip
CASES |= {
    "get_grad position 0": got_grad((0, 1), lambda n: None, lambda n: 0),
    "get_grad position 1": got_grad((0, 1), lambda n: None, lambda n: 1),
    "get_grad absent position": got_grad((0, 1), lambda n: None, lambda n: 3),
    "get_grad name": got_grad(0, lambda n: n.params(), lambda n: "w"),
    "get_grad parameter": got_grad(0, lambda n: n.params(), lambda n: n.b),
    "get_grad position with weights": got_grad(0, lambda n: n.params(), lambda n: 0),
    "get_grad absent name": got_grad(0, lambda n: n.params(), lambda n: "q"),
    "get_grad one position": got_grad(0, lambda n: None, lambda n: 0),
    "grad of tensor output": lambda ms: ms.grad(square_sine(ms), (0, 1))(*tensors(ms)),
    "grad of two outputs": lambda ms: ms.grad(two_outputs(ms), (0, 1))(*tensors(ms)),
    "value_and_grad of two outputs": lambda ms: ms.value_and_grad(two_outputs(ms), (0, 1))(*tensors(ms)),
    "value_and_grad of tensor output": lambda ms: ms.value_and_grad(square_sine(ms))(*tensors(ms)),
    "grad sens_param": lambda ms: ms.grad(square_sine(ms), (0, 1), sens_param=True)(*tensors(ms), ms.Tensor(Z)),
    "value_and_grad sens_param": lambda ms: ms.value_and_grad(square_sine(ms), (0, 1), sens_param=True)(*tensors(ms), ms.Tensor(Z)),
    "grad of a Cell": lambda ms: ms.grad(make_net(ms))(*tensors(ms)),
    "grad has_aux without aux": lambda ms: ms.grad(square_sine(ms), has_aux=True)(*tensors(ms)),
    "grad of no function": lambda ms: ms.grad(3)(*tensors(ms)),
    "grad of int tensor": lambda ms: ms.grad(lambda x: (x * x).sum())(ms.Tensor(np.array([1, 2], np.int32))),
    "grad of mixed int and float": lambda ms: ms.grad(lambda x, i: (x * i).sum(), (0, 1))(ms.Tensor(X[0]), ms.Tensor(np.array([1, 2], np.int32))),
    "grad of Python float": lambda ms: ms.grad(lambda x: x * x)(3.0),
    "grad of array": lambda ms: ms.grad(lambda x: (ms.Tensor(x) ** 2).sum())(X),
    "grad of constant": lambda ms: ms.grad(lambda x: ms.Tensor(3.0))(ms.Tensor(X)),
    "grad of Python result": lambda ms: ms.grad(lambda x: 3.0)(ms.Tensor(X)),
    "grad of None result": lambda ms: ms.grad(lambda x: None)(ms.Tensor(X)),
    "grad of unused input": lambda ms: ms.grad(lambda x, y: x.sum(), (0, 1))(*tensors(ms)),
    "grad of float16": lambda ms: ms.grad(lambda x: (x * x).sum())(ms.Tensor(X.astype(np.float16))),
    "grad of float64": lambda ms: ms.grad(lambda x: (x * x).sum())(ms.Tensor(X.astype(np.float64))),
    "grad of complex": lambda ms: ms.grad(lambda x: (x * x).sum())(ms.Tensor((X + 1j * Y).astype(np.complex64))),
    "grad through cast": simple(lambda ms, x: (x.astype(ms.float16) * 2).sum()),
    "grad through integer cast": simple(lambda ms, x: x.astype(ms.int32).sum().astype(ms.float32)),
    "stop_gradient": simple(lambda ms, x: (ms.ops.stop_gradient(x * x) * x).sum()),
    "stop_gradient of part": simple(lambda ms, x: (ms.ops.stop_gradient(x) * x + x).sum()),
    "detach": simple(lambda ms, x: (x.detach() * x).sum()),
    "loop and branch": simple(loop),
    "in place": in_place,
    "aliased inputs": aliased,
    "frozen weight": frozen_weight,
    "structured inputs": structured,
    "keyword inputs": keywords,
    "second order": second_order,
    "third order": third_order,
    "hessian": hessian,
    "vmap of grad": per_sample,
    "own bprop": own_bprop,
    "custom function": custom_function,
    "tensor hook": tensor_hook,
    "parameter hook": parameter_hook,
    "cell hooks": cell_hooks,
    "hook arguments": hook_arguments,
    "InsertGradientOf": lambda ms: ms.grad(through_inserted(ms))(ms.Tensor(X)),
    "recompute": lambda ms: ms.grad(lambda x: ms.recompute(ms.nn.Tanh(), x).sum())(ms.Tensor(X)),
    "abs at 0": simple(lambda ms, x: abs(x).sum(), np.array([-1, 0, 1], np.float32)),
    "relu at 0": simple(lambda ms, x: ms.ops.relu(x).sum(), np.array([-1, 0, 1], np.float32)),
    "sqrt at 0": simple(lambda ms, x: ms.ops.sqrt(x).sum(), np.array([0, 1, 4], np.float32)),
    "norm at 0": simple(lambda ms, x: ms.ops.norm(x), np.zeros(3, np.float32)),
    "max with ties": simple(lambda ms, x: x.max(), np.array([1, 2, 2], np.float32)),
    "max along axis with ties": simple(lambda ms, x: x.max(axis=1).sum(), np.array([[1, 2, 2], [3, 3, 1]], np.float32)),
    "amax with ties": simple(lambda ms, x: ms.ops.amax(x, 1).sum(), np.array([[1, 2, 2], [3, 3, 1]], np.float32)),
    "maximum with ties": simple(lambda ms, x, y: ms.ops.maximum(x, y).sum(), np.array([1, 2, 3], np.float32), np.array([2, 2, 2], np.float32)),
    "minimum with ties": simple(lambda ms, x, y: ms.ops.minimum(x, y).sum(), np.array([1, 2, 3], np.float32), np.array([2, 2, 2], np.float32)),
    "clamp at bounds": simple(lambda ms, x: ms.ops.clamp(x, 0.0, 1.0).sum(), np.array([-1, 0, 0.5, 1, 2], np.float32)),
    "pow at 0": simple(lambda ms, x: (x**2.0).sum() + (x**0.5).sum(), np.array([0, 1, 4], np.float32)),
    "prod with zero": simple(lambda ms, x: x.prod(), np.array([0, 2, 3], np.float32)),
    "where with nan": simple(lambda ms, x: ms.ops.where(x > 0, ms.ops.log(x), x).sum(), np.array([-1, 0, 2], np.float32)),
    "sort": simple(lambda ms, x: (ms.ops.sort(x)[0] * ms.Tensor(np.array([1.0, 2, 3], np.float32))).sum(), np.array([3, 1, 2], np.float32)),
    "std": simple(lambda ms, x: x.std(), np.array([1, 2, 4], np.float32)),
    "cumprod": simple(lambda ms, x: ms.ops.cumprod(x, 0).sum(), np.array([1, 2, 4], np.float32)),
    "jvp": jvp(square_sine, (X, Y), (Y, X)),
    "jvp of one": jvp(sine_squared, X, Y),
    "jvp of two outputs": jvp(two_outputs, (X, Y), (Y, X)),
    "jvp has_aux": jvp(two_outputs, (X, Y), (Y, X), has_aux=True),
    "jvp wrong tangents": jvp(square_sine, (X, Y), (Y,)),
    "jvp wrong shape": jvp(square_sine, (X, Y), (Y, X[0])),
    "vjp": vjp(square_sine, (X, Y), Z),
    "vjp of two outputs": vjp(two_outputs, (X, Y), (Z, np.float32(2.0))),
    "vjp has_aux": vjp(two_outputs, (X, Y), Z, has_aux=True),
    "vjp of one": vjp(sine_squared, (X,), Z),
    "vjp wrong shape": vjp(square_sine, (X, Y), Z[0, :1]),
    "vjp weights": vjp_weights,
}  # fmt: skip
for _name in ("jacfwd", "jacrev"):
    CASES |= {
        f"{_name}": lambda ms, n=_name: getattr(ms, n)(square_sine(ms))(*tensors(ms)),
        f"{_name} position 1": lambda ms, n=_name: getattr(ms, n)(square_sine(ms), 1)(*tensors(ms)),
        f"{_name} positions": lambda ms, n=_name: getattr(ms, n)(square_sine(ms), (0, 1))(*tensors(ms)),
        f"{_name} has_aux": lambda ms, n=_name: getattr(ms, n)(two_outputs(ms), (0, 1), True)(*tensors(ms)),
        f"{_name} of two outputs": lambda ms, n=_name: getattr(ms, n)(two_outputs(ms), 0)(*tensors(ms)),
        f"{_name} of scalar": lambda ms, n=_name: getattr(ms, n)(sum_of_squares(ms))(ms.Tensor(X)),
        f"{_name} of matrix product": lambda ms, n=_name: getattr(ms, n)(product(ms), (0, 1))(*tensors(ms)),
        f"{_name} bad position": lambda ms, n=_name: getattr(ms, n)(square_sine(ms), 5)(*tensors(ms)),
        f"{_name} of a Cell": lambda ms, n=_name: getattr(ms, n)(make_net(ms))(*tensors(ms)),
    }
CASES |= {
    "vmap": vmapped(sine_plus, (X, Y)),
    "vmap in_axes 1": vmapped(doubled, (normal(27, 3, 2),), 1),
    "vmap in_axes tuple": vmapped(plus, (X, Y), (0, 1)),
    "vmap in_axes None": vmapped(plus, (X, Y), (0, None)),
    "vmap out_axes 1": vmapped(doubled, (normal(27, 3, 2),), 0, 1),
    "vmap out_axes -1": vmapped(doubled, (normal(27, 3, 2),), 0, -1),
    "vmap negative in_axes": vmapped(total, (normal(27, 3, 2),), -1),
    "vmap matmul": vmapped(product, (normal(28, 3, 2, 2), normal(29, 3, 2, 2))),
    "vmap two outputs": vmapped(doubled_and_total, (normal(27, 3, 2),), 0, (1, 0)),
    "vmap reductions": vmapped(reductions, (normal(27, 3, 2),)),
    "vmap nested": lambda ms: ms.vmap(ms.vmap(times(ms), (0, None)), (None, 0))(ms.Tensor(X[0]), ms.Tensor(Y[0])),
    "vmap nested tuple in_axes": lambda ms: ms.vmap(of_pair(ms), ((0, None), 0))((ms.Tensor(X), ms.Tensor(Y[0])), ms.Tensor(Z)),
    "vmap with Python number": vmapped(times, (X, 2.0), (0, None)),
    "vmap of a Cell": lambda ms: ms.vmap(make_net(ms), (0, None))(ms.Tensor(normal(30, 3, 2, 2)), ms.Tensor(Y)),
    "vmap sizes differ": vmapped(plus, (normal(27, 3, 2), X)),
    "vmap all None": vmapped(doubled, (X,), None),
    "vmap axis out of range": vmapped(doubled, (X,), 5),
    "vmap axis text": vmapped(doubled, (X,), "a"),
    "vmap wrong count of axes": vmapped(plus, (X, Y), (0,)),
    "vmap out_axes out of range": vmapped(doubled, (X,), 0, 5),
    "vmap of scalar": vmapped(doubled, (np.array(1.0, np.float32),)),
    "vmap of grad of two": lambda ms: ms.vmap(ms.grad(weighted_square(ms), (0, 1)), (0, 0), 0)(ms.Tensor(X), ms.Tensor(Y)),
    "grad of vmap": lambda ms: ms.grad(through_vmap(ms))(ms.Tensor(X)),
    "derivative": lambda ms: ms.ops.derivative(sine(ms), ms.Tensor(X), 2),
    "jet": lambda ms: ms.ops.jet(sine(ms), ms.Tensor(X), ms.Tensor(np.ones((2, 2, 2), np.float32))),
}
