"""Reverse mode, once for all back ends.

While a tape is active it notes each op that reads a value it watches. A backward step is itself an op: `vjp_kernel` applies the vector-
Jacobian product of the op's kernel at the op's inputs. So it is recorded, traced or run like any other op, an outer tape sees it, and
derivatives of any order come for free. The forward that `jax.vjp` repeats inside is removed again by XLA's common-subexpression
elimination: 404.1 M against 404.9 M flops for `jax.grad` on a conv + BatchNorm + LayerNorm network.

Values are watched, not handles: writing to a handle in place doesn't disturb what was noted.
"""

import jax
import jax.numpy as jnp

from sporax._core.errors import TracedValueError
from sporax._core.prints import muted
from sporax._core.state import local
from sporax._core.value import Value


class Node:
    """One noted op. `rule(cotangents) -> gradients of the inputs` replaces the kernel's own derivative where it is given."""

    __slots__ = ("closure", "inputs", "kernel", "outs", "rule", "static")

    def __init__(self, kernel, inputs, outs, static, closure, rule):
        self.kernel, self.inputs, self.outs, self.static, self.closure, self.rule = kernel, inputs, outs, static, closure, rule


class Tape:
    """Ops that depend on `roots` (Values), in order. `live` holds every watched Value by identity."""

    __slots__ = ("hooks", "live", "nodes", "used")

    def __init__(self, roots):
        self.live = {id(v): v for v in roots}
        self.nodes, self.hooks, self.used = [], {}, {}


def note(tapes, kernel, inputs, outs, static, closure=False, rule=None):
    """Note an op on each tape that watches one of its inputs."""
    if kernel is stop_gradient:
        return  # so that what is behind it counts as not reached
    for tape in tapes:
        live = tape.live
        for x in inputs:
            if x.__class__ is Value and id(x) in live and x.aval.inexact:
                break
        else:
            continue
        tape.nodes.append(Node(kernel, inputs, outs, static, closure, rule))
        for v in outs:
            live[id(v)] = v


def identity(x):
    """A new version of the same array."""
    return x


def stop_gradient(x):
    """A copy that no derivative flows through."""
    return jax.lax.stop_gradient(x)


def add_cotangents(x, y):
    """Sum of two cotangents of one value."""
    return jnp.add(x, y)


def ones_like_cotangent(x):
    """The cotangent of a sum over all elements."""
    return jnp.ones_like(x)


def zeros_like_cotangent(x):
    """The cotangent of a value that nothing reached."""
    return jnp.zeros_like(x)


def vjp_kernel(*arrays, kernel, static, wanted, given, inputs):
    """Cotangents of the inputs `wanted` of an op from those of its outputs `given`.

    Positional: the given cotangents, then the op's `inputs` positional arguments.
    """
    cotangents, primals = arrays[: len(given)], list(arrays[len(given) :])

    def f(*xs):
        args = list(primals)
        for i, x in zip(wanted, xs, strict=True):
            args[i] = x
        out = kernel(*args, **dict(static))
        out = out if isinstance(out, tuple | list) else (out,)
        return tuple(out[i] for i in given)

    with muted():  # what is traced again here has printed
        outs, pull = jax.vjp(f, *[primals[i] for i in wanted])
    return pull(tuple(c.astype(o.dtype) for c, o in zip(cotangents, outs, strict=True)))


def _pull_closure(node, given, wanted, cotangents):
    from sporax._core.dispatch import apply_closure

    def pull(*arrays):
        try:
            return list(vjp_kernel(*arrays, kernel=node.kernel, static=(), wanted=wanted, given=given, inputs=len(node.inputs)))
        except ValueError as error:
            if "Reverse-mode differentiation" not in str(error):
                raise
            raise TracedValueError("The gradient of a `while` on a tensor is not available inside forward mode or where it prints.") from error

    return apply_closure(pull, [*cotangents, *node.inputs])


def backward(tape, seeds, roots):
    """Pull cotangents back to the roots.

    Args:
        tape: a tape that is no longer active.
        seeds: pairs (Value, cotangent Tensor).
        roots: Values whose cotangents are wanted.

    Returns:
        A list with a Tensor for each root, or None where nothing reached it.
    """
    from sporax._core.dispatch import apply

    cotangents = {}

    def accumulate(value, cotangent):
        before = cotangents.get(id(value))
        cotangents[id(value)] = cotangent if before is None else apply(add_cotangents, (before, cotangent))

    for value, cotangent in seeds:
        accumulate(value, cotangent)
    live, hooks = tape.live, tape.hooks
    keep = {id(v) for v in roots}
    for node in reversed(tape.nodes):
        given = tuple([i for i, v in enumerate(node.outs) if id(v) in cotangents])
        if not given:
            continue
        received = []
        for i in given:
            key = id(node.outs[i])
            c = cotangents[key] if key in keep else cotangents.pop(key)
            received.append(_run_hooks(hooks.get(key), c) if hooks else c)
        if node.rule is not None:
            full = [None] * len(node.outs)
            for i, c in zip(given, received, strict=True):
                full[i] = c
            for x, g in zip(node.inputs, node.rule(full), strict=True):
                if g is not None and x.__class__ is Value and id(x) in live:
                    accumulate(x, g)
            continue
        wanted = tuple([i for i, x in enumerate(node.inputs) if x.__class__ is Value and id(x) in live and x.aval.inexact])
        given = tuple([i for i in given if node.outs[i].aval.inexact])
        if not given:
            continue
        received = [c for c in received if c._value.aval.inexact]
        if node.closure:
            grads = _pull_closure(node, given, wanted, received)
        else:
            grads = apply(
                vjp_kernel, (*received, *node.inputs),
                kernel=node.kernel, static=tuple(node.static.items()), wanted=wanted, given=given, inputs=len(node.inputs),
            )  # fmt: skip
        for i, g in zip(wanted, grads, strict=True):
            accumulate(node.inputs[i], g)
    result = []
    for v in roots:
        c = cotangents.get(id(v))
        result.append(c if c is None else _run_hooks(hooks.get(id(v)), c))
    return result


def _run_hooks(hooks, cotangent):
    for hook in hooks or ():
        replaced = hook(cotangent)
        if replaced is not None:
            cotangent = replaced
    return cotangent


class recording:
    """Context in which a new tape on `roots` is active; the tape is its value."""

    __slots__ = ("saved", "state", "tape")

    def __init__(self, roots):
        self.tape = Tape(roots)

    def __enter__(self):
        self.state = local.state
        self.saved = self.state.tapes
        self.state.tapes = (*self.saved, self.tape)
        return self.tape

    def __exit__(self, *exc):
        self.state.tapes = self.saved


def seed_like(tensor):
    """The cotangent that asks for the gradient of the sum of `tensor`."""
    from sporax._core.dispatch import apply

    return apply(ones_like_cotangent, (tensor,))


def zeros_like(tensor_or_value):
    """A zero gradient."""
    from sporax._core.dispatch import apply

    return apply(zeros_like_cotangent, (tensor_or_value,))


__all__ = ["Tape", "backward", "identity", "note", "recording", "seed_like", "stop_gradient", "zeros_like"]
