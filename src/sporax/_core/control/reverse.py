"""A loop of unknown length that reverse mode can pass through.

`lax.while_loop` has no reverse mode, because the carries of all iterations would have to be kept and nobody knows how many there are. Here the
forward pass keeps `_KEPT` of them, evenly spread: when the store is full every second one is dropped and the distance doubles. The
backward pass goes through the segments between them from the last to the first, and runs each once more, keeping its carries in the same
way. Up to `_KEPT` iterations nothing is computed twice, up to `_KEPT**2` each iteration once more, and only beyond that more often. The backward
pass is made of the same loops, so it can be differentiated again.
"""

import functools
from typing import Any

import jax
import jax.numpy as jnp
from jax import lax

_KEPT = 32


def loop(body, init):
    """Repeat `carry = body(carry)` while `carry[0]` is true; `carry` is a list of arrays of fixed types."""
    closed = jax.make_jaxpr(body)(init)
    out: Any = _loop(_Body(closed.jaxpr), _arrays(closed.consts), list(init))
    # custom_vjp forgets which outputs stand for Python numbers
    return [_typed(x, like) for x, like in zip(out, init, strict=True)]


def _arrays(xs):
    """JAX may hand out literals where an array was put in."""
    return [x if isinstance(x, jax.Array) else jnp.asarray(x) for x in xs]


class _Body:
    """A jaxpr as a static argument, which counts as itself."""

    def __init__(self, jaxpr):
        self.jaxpr = jaxpr

    def __call__(self, consts, carry):
        return jax.core.eval_jaxpr(self.jaxpr, consts, *carry)


@functools.partial(jax.custom_vjp, nondiff_argnums=(0,))
def _loop(body, consts, init):
    return lax.while_loop(lambda carry: carry[0], lambda carry: body(consts, carry), init)


class _Store:
    """Room for `_KEPT` carries, and one place for what nobody needs."""

    @staticmethod
    def empty(carry):
        return [jnp.zeros((_KEPT + 1, *c.shape), c.dtype) for c in carry]

    @staticmethod
    def put(store, place, carry):
        return [s.at[place].set(c.astype(s.dtype)) for s, c in zip(store, carry, strict=True)]

    @staticmethod
    def get(store, place, like):
        return [_typed(s[place], c) for s, c in zip(store, like, strict=True)]

    @staticmethod
    def thin(store):
        return [s.at[: _KEPT // 2].set(s[:_KEPT:2]) for s in store]


def _typed(array, like):
    """`array`, following Python's promotion if `like` does."""
    if not getattr(like, "weak_type", False) or like.dtype == bool:
        return array
    return jnp.zeros_like(like).at[()].set(array)


def _forward(body, consts, init):
    def step(state):
        index, stride, store, carry = state
        full = index == _KEPT * stride
        store = lax.cond(full, _Store.thin, lambda s: s, store)
        stride = jnp.where(full, 2 * stride, stride)
        store = _Store.put(store, jnp.where(index % stride == 0, index // stride, _KEPT), carry)
        return index + 1, stride, store, body(consts, carry)

    zero = jnp.int32(0)
    count, stride, store, final = _while(lambda s: s[3][0], step, (zero, zero + 1, _Store.empty(init), list(init)))
    return final, (consts, init, count, stride, store)


def _while(test, step, state):
    """A while loop in the form of `loop`: differentiable once more."""
    flat, tree = jax.tree.flatten(state)

    def body(carry):
        new = step(jax.tree.unflatten(tree, carry[1:]))
        leaves = [jnp.asarray(x, y.dtype) if not getattr(y, "weak_type", False) else x for x, y in zip(jax.tree.leaves(new), flat, strict=True)]
        return [test(jax.tree.unflatten(tree, leaves)), *leaves]

    return jax.tree.unflatten(tree, loop(body, [test(state), *flat])[1:])


def _backward(body, residuals, cotangents):
    consts, init, count, stride, store = residuals
    consts, init, store = _arrays(consts), _arrays(init), _arrays(store)
    floating = [i for i, x in enumerate(init) if jnp.issubdtype(x.dtype, jnp.inexact)]
    floating_consts = [i for i, x in enumerate(consts) if jnp.issubdtype(jnp.result_type(x), jnp.inexact)]

    def pull(carry, ct_carry):
        def f(some, some_consts):
            full, full_consts = list(carry), list(consts)
            for i, x in zip(floating, some, strict=True):
                full[i] = x
            for i, x in zip(floating_consts, some_consts, strict=True):
                full_consts[i] = x
            out = body(full_consts, full)
            return [out[i] for i in floating]

        return jax.vjp(f, [carry[i] for i in floating], [consts[i] for i in floating_consts])[1](ct_carry)

    def advance(carry, steps):
        return _while(lambda s: s[0] > 0, lambda s: (s[0] - 1, body(consts, s[1])), (steps, carry))[1]

    def segment(state):
        number, ct_carry, ct_consts = state
        start = number * stride
        length = jnp.minimum(stride, count - start)
        inner_stride = jnp.maximum((length + _KEPT - 1) // _KEPT, 1)

        def keep(s):
            index, kept, carry = s
            kept = _Store.put(kept, jnp.where(index % inner_stride == 0, index // inner_stride, _KEPT), carry)
            return index + 1, kept, body(consts, carry)

        first = _Store.get(store, number, init)
        kept = _while(lambda s: s[0] < length, keep, (jnp.int32(0), _Store.empty(init), first))[1]

        def back(s):
            index, ct_carry, ct_consts = s
            place = index // inner_stride
            carry = advance(_Store.get(kept, place, init), index - place * inner_stride)
            ct_carry, more = pull(carry, ct_carry)
            return index - 1, ct_carry, [a + b for a, b in zip(ct_consts, more, strict=True)]

        _, ct_carry, ct_consts = _while(lambda s: s[0] >= 0, back, (length - 1, ct_carry, ct_consts))
        return number - 1, ct_carry, ct_consts

    ct_carry = [cotangents[i] for i in floating]
    ct_consts = [jnp.zeros_like(consts[i]) for i in floating_consts]
    segments = (count + stride - 1) // stride
    _, ct_carry, ct_consts = _while(lambda s: s[0] >= 0, segment, (segments - 1, ct_carry, ct_consts))
    return _place(consts, floating_consts, ct_consts), _place(init, floating, ct_carry)


def _place(primals, where, cotangents):
    out = [None] * len(primals)
    for i, c in zip(where, cotangents, strict=True):
        out[i] = c
    return out


_loop.defvjp(_forward, _backward)
