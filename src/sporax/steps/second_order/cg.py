"""Conjugate gradients for matrices that are known by their products."""

from sporax._core import tree
from sporax._core.solve import conjugate_gradients
from sporax._core.tape import zeros_like
from sporax._core.transforms import as_tensors
from sporax.steps.second_order.variables import call_whole, check_function


def cg(matvec, b, x0=None, maxiter=100, tolerance=1e-6):
    """Solve A x = b for a symmetric positive definite matrix (Hestenes and Stiefel, 1952), as one compiled loop.

    Args:
        matvec: a function that gives A x, in the container of `x`.
        b: the right side, a Tensor or container of Tensors.
        x0: where to start, as `b`; None: zero. Default: None.
        maxiter: the most iterations, a positive int. Default: 100.
        tolerance: stop where ||b - A x|| <= tolerance ||b||. Default: 1e-6.

    Returns:
        `(x, iterations, residual)`: an int32 Tensor and the norm ||b - A x||. A direction of negative curvature ends the iteration. The loop is
        not differentiated.

    Raises:
        TypeError: `matvec` cannot be called.
        ValueError: `maxiter` is not positive, or shapes do not fit.

    Examples:
        >>> from sporax.steps import cg
        >>> x, iterations, residual = cg(lambda x: 2 * x, Tensor([2.0, 4.0]))
        >>> print(x, iterations)
        [1. 2.] 1
    """
    check_function("cg", matvec)
    if isinstance(maxiter, bool) or not isinstance(maxiter, int) or maxiter < 1:
        raise ValueError(f"For 'cg', 'maxiter' should be a positive int, but got {maxiter!r}.")
    if not isinstance(tolerance, int | float) or tolerance < 0:
        raise ValueError(f"For 'cg', 'tolerance' should be a number, at least 0, but got {tolerance!r}.")

    def run(b, x0):
        right: list = []
        spec = tree.flatten(b, right)
        start: list = []
        tree.flatten(x0, start)
        start = start or [zeros_like(t) for t in right]
        if [t.shape for t in start] != [t.shape for t in right]:
            raise ValueError(f"For 'cg', 'x0' should have the shapes of 'b', {[t.shape for t in right]}, but got {[t.shape for t in start]}.")

        def product(*xs):
            out: list = []
            tree.flatten(matvec(tree.unflatten(spec, iter(xs))), out)
            if [t.shape for t in out] != [t.shape for t in right]:
                raise ValueError(f"For 'cg', 'matvec' should keep the shapes {[t.shape for t in right]}, but it returned {[t.shape for t in out]}.")
            return out

        *x, iterations, residual = conjugate_gradients(product, right, start, maxiter, tolerance)
        return tree.unflatten(spec, iter(x)), iterations, residual

    return call_whole("cg", run, matvec, (maxiter, tolerance), (as_tensors(b), as_tensors(x0)), always=True)
