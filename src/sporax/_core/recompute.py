"""Recomputation: give up a function's intermediate results and compute them again when the gradient needs them.

Inside a compiled function this is `jax.checkpoint` on a region. In PyNative the block is one executable per step anyway and the
compiler decides what lives how long, so the function simply runs.
"""

import jax

from sporax._core import tree
from sporax._core.region import Region, converted
from sporax._core.state import local


def checkpointed(name, function, args, kwargs):
    """`function(*args, **kwargs)`, recomputed in the backward pass if that is compiled."""
    if local.state.scope is None or not local.state.tapes:
        return function(*args, **kwargs)
    leaves: list = []
    spec = tree.flatten((args, kwargs), leaves)

    def f(*xs):
        a, k = tree.unflatten(spec, iter(xs))
        return converted(function)(*a, **k)

    return Region(name, f, leaves).run(jax.checkpoint)


def recompute(block, *args, use_reentrant=True, output_recompute=False, early_stop=True, context_fn=None, **kwargs):
    """Call a Cell or function so that its intermediate results are not kept for the backward pass but computed again.

    Args:
        block: a Cell or function.
        *args, **kwargs: its arguments.
        use_reentrant, early_stop: how MindSpore would run it; both ways give the same here. Default: True.
        output_recompute: whether the output is recomputed too; the compiler decides that. Default: False.
        context_fn: must be None. Default: None.

    Raises:
        TypeError: `block` cannot be called.
        ValueError: `context_fn` is given.

    Examples:
        >>> net = nn.Dense(2, 1, weight_init="ones")
        >>> print(ms.grad(lambda x: ms.recompute(net, x).sum())(Tensor([[1.0, 2.0]])))
        [[1. 1.]]
    """
    if not callable(block):
        raise TypeError(f"For 'recompute', 'block' should be a Cell or function, but got {block!r} of type {type(block).__name__}.")
    if context_fn is not None:
        raise ValueError("For 'recompute', 'context_fn' should be None: there are no separate contexts for forward and recomputation.")
    return checkpointed(getattr(block, "__name__", type(block).__name__), block, args, kwargs)
