"""Sharpness-aware minimisation: the gradient where the loss nearby is worst."""

from sporax._core.scope import bound
from sporax._core.transforms import value_and_grad
from sporax.steps.second_order.variables import call_whole, check_function, check_weights, ids


def sam_value_and_grad(fn, weights, rho=0.05, adaptive=False):
    """In place of `value_and_grad(fn, None, weights)`: the loss, and the gradients at w + rho g / ||g|| (Foret et al., 2021).

    Args:
        fn: a function that returns one number, the loss. It runs twice: what it writes (moving statistics) is written twice.
        weights: a list of Parameters.
        rho: the radius, positive. Default: 0.05.
        adaptive: a radius in proportion to |w|: w + rho w² g / || w g || (Kwon et al., 2021). Default: False.

    Returns:
        A function with the arguments of `fn` that gives `(loss, gradients)`, the loss at the weights themselves.

    Raises:
        TypeError: `fn` cannot be called, or `weights` are no Parameters.
        ValueError: `rho` is not positive.

    Examples:
        >>> from sporax.steps import sam_value_and_grad
        >>> w = ms.Parameter(Tensor([3.0, 4.0]), name="w")
        >>> loss, (grad,) = sam_value_and_grad(lambda: (w * w).sum(), [w], rho=0.5)()
        >>> print(loss, grad)
        25.0 [6.6 8.8]
    """
    check_function("sam_value_and_grad", fn)
    listed = check_weights("sam_value_and_grad", weights)
    if listed is None:
        raise TypeError("For 'sam_value_and_grad', 'weights' should be a list of Parameters, but got None: use net.trainable_params().")
    if isinstance(rho, bool) or not isinstance(rho, int | float) or not rho > 0:
        raise ValueError(f"For 'sam_value_and_grad', 'rho' should be a positive number, but got {rho!r}.")
    first = value_and_grad(fn, None, listed)

    def run(*args):
        loss, grads = first(*args)
        lengths = [w.abs() * g for w, g in zip(listed, grads)] if adaptive else grads
        norm = sum(((s * s).sum() for s in lengths), start=0.0) ** 0.5 + 1e-12
        steps = [w * w * g if adaptive else g for w, g in zip(listed, grads)]
        moved = [w + s * (rho / norm).astype(w.dtype) for w, s in zip(listed, steps)]
        with bound(listed, moved):
            _, worst = value_and_grad(fn, None, listed)(*args)
        return loss, worst

    return lambda *args: call_whole("sam_value_and_grad", run, fn, (ids(listed), rho, adaptive), args)
