"""Conjugate gradients as one loop of the compiled program (Hestenes and Stiefel, 1952), truncated for Newton's method (Steihaug, 1983)."""

import jax
import jax.numpy as jnp

from sporax._core.dispatch import apply_closure
from sporax._core.region import Region


def _dot(xs, ys):
    return sum(jnp.vdot(x, y) for x, y in zip(xs, ys, strict=True))


def conjugate_gradients(matvec, b, x0, maxiter, tolerance):
    """Solve A x = b for a symmetric matrix A that is known by its products.

    Args:
        matvec: `matvec(*x)` gives the list of tensors A x.
        b, x0: lists of tensors.
        maxiter: the most iterations.
        tolerance: stop where ||b - A x|| <= tolerance ||b||.

    Returns:
        The tensors of x, then the number of iterations (int32) and ||b - A x||. A direction of negative curvature ends the iteration; if it
        is the first, x is b.
    """
    region = Region("cg", matvec, b)
    if region.writes or region.attributes:
        raise ValueError("For 'cg', the product with the matrix should change no Parameter: call net.set_train(False) before.")
    n, k = len(region.captures), len(b)

    def solve(*arrays):
        captured, rhs, start = arrays[:n], arrays[n : n + k], arrays[n + k :]

        def product(xs):
            return tuple(y.astype(x.dtype) for x, y in zip(xs, region.pure(*captured, *xs), strict=True))

        enough = tolerance * jnp.sqrt(_dot(rhs, rhs))
        r = tuple(y - a for y, a in zip(rhs, product(start), strict=True))

        def unfinished(state):
            step, _, _, _, rr, convex = state
            return (step < maxiter) & (jnp.sqrt(rr) > enough) & convex

        def iterate(state):
            step, x, r, p, rr, _ = state
            ap = product(p)
            curvature = _dot(p, ap)
            convex = curvature > 0
            # the gradient is the direction where the very first one has no minimum
            alpha = jnp.where(convex, rr / jnp.where(convex, curvature, 1), jnp.where(step == 0, 1.0, 0.0)).astype(rr.dtype)
            x = tuple(xi + alpha * pi for xi, pi in zip(x, p, strict=True))
            r = tuple(ri - alpha * ai for ri, ai in zip(r, ap, strict=True))
            new = _dot(r, r)
            p = tuple(ri + (new / rr) * pi for ri, pi in zip(r, p, strict=True))
            return step + 1, x, r, p, new, convex

        state = (jnp.int32(0), tuple(start), r, r, _dot(r, r), jnp.bool_(True))
        step, x, r, _, rr, _ = jax.lax.while_loop(unfinished, iterate, state)
        return [*x, step, jnp.sqrt(rr)]

    return apply_closure(solve, [*region.inputs, *x0])
