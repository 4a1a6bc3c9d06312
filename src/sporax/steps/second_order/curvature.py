"""Hessians as matrices and their diagonals."""

from sporax._core import tree
from sporax._core.forward import jacfwd, vmap
from sporax.steps.second_order.products import product
from sporax.steps.second_order.variables import as_inputs, call_whole, check_function, check_weights, flat, function_of, gradient_of, ids, split


def hessian(fn, inputs, weights=None):
    """The Hessian of `fn` in all elements of the variables, as one matrix. For small problems: it has the square of their number.

    Args:
        fn: a function or Cell that returns one number.
        inputs: its argument, or a tuple of them.
        weights: the variables, as for `hvp`; their elements are counted one tensor after the other. Default: None.

    Returns:
        A Tensor (n, n).

    Examples:
        >>> from sporax.steps import hessian
        >>> print(hessian(lambda x: x[0] ** 2 * x[1], Tensor([1.0, 2.0])))
        [[4. 2.]
         [2. 0.]]
    """
    check_function("hessian", fn)
    weights = check_weights("hessian", weights)

    def run(inputs):
        f, xs = function_of(fn, inputs, weights, "hessian")
        slope = gradient_of(f, len(xs))
        return jacfwd(lambda vector: flat(slope(*split(vector, xs))))(flat(xs))

    return call_whole("hessian", run, fn, ids(weights), (as_inputs(inputs),))


def hessian_diag(fn, inputs, weights=None, samples=1):
    """The diagonal of the Hessian: the mean of v * (H v) over vectors v of random signs (Hutchinson, 1990; Bekas et al., 2007).

    Args:
        fn: a function or Cell that returns one number.
        inputs: its argument, or a tuple of them.
        weights: the variables, as for `hvp`. Default: None.
        samples: the number of vectors, all at once. The variance of element i is the sum of H[i, j] ** 2 over the others, divided by it.
            None: exact, by a product for each element. Default: 1.

    Returns:
        A tensor for each variable: bare for one, a tuple for a list of weights or several inputs.

    Raises:
        ValueError: `samples` is not positive.

    Examples:
        >>> from sporax.steps import hessian_diag
        >>> print(hessian_diag(lambda x: (x ** 3).sum(), Tensor([1.0, 2.0])))
        [ 6. 12.]
    """
    from sporax import ops

    check_function("hessian_diag", fn)
    bare = weights is not None and not isinstance(weights, tuple | list)
    weights = check_weights("hessian_diag", weights)
    if samples is not None and (isinstance(samples, bool) or not isinstance(samples, int) or samples < 1):
        raise ValueError(f"For 'hessian_diag', 'samples' should be a positive int or None, but got {samples!r}.")

    def run(inputs):
        f, xs = function_of(fn, inputs, weights, "hessian_diag")
        if samples is None:
            n = sum(x.size for x in xs)
            rows = vmap(lambda e: (e * flat(product(f, xs, split(e, xs)))).sum())(ops.eye(n, n, xs[0].dtype))
            found = split(rows, xs)
        else:
            signs = [ops.randint(0, 2, (samples, *x.shape)).astype(x.dtype) * 2 - 1 for x in xs]
            found = [r.mean(0) for r in vmap(lambda *vs: tuple(v * h for v, h in zip(vs, product(f, xs, vs))))(*signs)]
        return tuple(found)

    found = call_whole("hessian_diag", run, fn, (ids(weights), samples), (as_inputs(inputs),))
    leaves: list = []
    tree.flatten(found, leaves)
    return leaves[0] if bare or (weights is None and len(leaves) == 1) else tuple(leaves)
