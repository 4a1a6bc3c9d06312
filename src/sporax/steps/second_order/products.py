"""Products of a vector with the Hessian and with the generalised Gauss-Newton matrix, without either matrix.

One product costs about as much as two gradients, whatever the number of variables.
"""

from sporax._core import tree
from sporax._core.forward import jvp
from sporax.steps.second_order.variables import as_inputs, call_whole, check_function, check_weights, directions, function_of, gradient_of, ids

FORWARD, REVERSE = "forward-over-reverse", "reverse-over-reverse"


def hvp(fn, inputs, v, weights=None, mode=FORWARD):
    """The Hessian of `fn` times a vector (Pearlmutter, 1994).

    Args:
        fn: a function or Cell that returns one number.
        inputs: its argument, or a tuple of them.
        v: the vector, in tensors of the shapes of the variables.
        weights: the variables: a Parameter or a list of them; None: the float tensors of `inputs`. Default: None.
        mode: "forward-over-reverse", the cheaper one, or "reverse-over-reverse", for functions with derivatives of their own
            (`bprop`), which forward mode does not know. Default: "forward-over-reverse".

    Returns:
        H v, in the container of `v`.

    Raises:
        TypeError: `fn` cannot be called or does not return a Tensor, or `weights` are no Parameters.
        ValueError: the output is not one number, shapes do not fit, or an unknown `mode`.

    Examples:
        >>> from sporax.steps import hvp
        >>> print(hvp(lambda x: (x ** 3).sum(), Tensor([1.0, 2.0]), Tensor([1.0, 10.0])))
        [  6. 120.]
    """
    check_function("hvp", fn)
    weights = check_weights("hvp", weights)
    if mode not in (FORWARD, REVERSE):
        raise ValueError(f"For 'hvp', 'mode' should be '{FORWARD}' or '{REVERSE}', but got {mode!r}.")

    def run(inputs, v):
        f, xs = function_of(fn, inputs, weights, "hvp")
        vs, spec = directions("hvp", v, xs)
        return tree.unflatten(spec, iter(product(f, xs, vs, mode)))

    return call_whole("hvp", run, fn, (ids(weights), mode), (as_inputs(inputs), v))


def product(f, xs, vs, mode=FORWARD):
    """The Hessian of `f(*xs)` times the tensors `vs`, as a list."""
    slope = gradient_of(f, len(xs))
    if mode == FORWARD:
        return list(jvp(slope, tuple(xs), tuple(vs))[1])

    def along(*xs):
        return sum(((g * v).sum() for g, v in zip(slope(*xs), vs, strict=True)), start=0.0)

    return list(gradient_of(along, len(xs))(*xs))


def ggnvp(net, loss_fn, inputs, v, weights=None, targets=()):
    """The generalised Gauss-Newton matrix J' H J times a vector (Schraudolph, 2002).

    J is the Jacobian of the network's output, H the Hessian of the loss in that output. The matrix is positive semi-definite where the loss is
    convex, and the Hessian of the network linearised where it is.

    Args:
        net: a function or Cell that returns one Tensor.
        loss_fn: `loss_fn(output, *targets)` returns one number.
        inputs: the argument of `net`, or a tuple of them.
        v: the vector, in tensors of the shapes of the variables.
        weights: the variables, as for `hvp`. Default: None.
        targets: the rest of the arguments of `loss_fn`, one or a tuple. Default: ().

    Returns:
        The product, in the container of `v`.

    Examples:
        >>> from sporax.steps import ggnvp
        >>> x, y = Tensor([1.0, 2.0]), Tensor([0.0, 0.0])
        >>> print(ggnvp(lambda x: x * x, lambda z, y: ((z - y) ** 2).sum(), x, Tensor([1.0, 1.0]), targets=y))
        [ 8. 32.]
    """
    check_function("ggnvp", net)
    check_function("ggnvp", loss_fn)
    weights = check_weights("ggnvp", weights)

    def run(inputs, v, targets):
        f, xs = function_of(net, inputs, weights)
        vs, spec = directions("ggnvp", v, xs)
        return tree.unflatten(spec, iter(gauss_newton_product(f, loss_fn, xs, vs, targets)))

    return call_whole("ggnvp", run, net, (id(loss_fn), ids(weights)), (as_inputs(inputs), v, as_inputs(targets)))


def gauss_newton_product(f, loss_fn, xs, vs, targets):
    """J' H J times the tensors `vs`, as a list."""
    pushed = jvp(f, tuple(xs), tuple(vs))
    z, jv = pushed[0], pushed[1]
    loss, _ = function_of(lambda z: loss_fn(z, *targets), (z,), None, "ggnvp")
    (hjv,) = product(loss, [z], [jv])
    return list(gradient_of(f, len(xs), sens_param=True)(*xs, hjv))
