"""Hooks of Cells: before and after `construct`, and on the gradients that flow through it."""

import itertools

from sporax._core import tree
from sporax._core.dispatch import apply
from sporax._core.state import local
from sporax._core.tape import identity, note, zeros_like
from sporax._core.tensor import Tensor, wrap

_numbers = itertools.count()


class HookHandle:
    """Takes a hook away again with `remove()`."""

    def __init__(self, cell, hooks, key):
        self._cell, self._hooks, self._key = cell, hooks, key

    def remove(self):
        """Unregister the hook. Calling it again has no effect."""
        if self._hooks.pop(self._key, None) is not None:
            self._cell._hooks_changed()

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.remove()


class Hooks:
    """All hooks of one Cell, in order of registration."""

    __slots__ = ("backward", "backward_pre", "forward", "forward_pre")

    def __init__(self):
        self.forward_pre, self.forward, self.backward_pre, self.backward = {}, {}, {}, {}

    def __bool__(self):
        return bool(self.forward_pre or self.forward or self.backward_pre or self.backward)

    def add(self, cell, kind, hook, prepend=False, with_kwargs=False, always_call=False):
        """Register a hook; returns its handle."""
        if not callable(hook):
            raise TypeError(f"For 'register_{kind}_hook', 'hook_fn' should be a function, but got {hook!r} of type {type(hook).__name__}.")
        hooks, key = getattr(self, kind), next(_numbers)
        hooks[key] = (hook, with_kwargs, always_call)
        if prepend:
            for k in [k for k in hooks if k != key]:
                hooks[k] = hooks.pop(k)
        cell._hooks_changed()
        return HookHandle(cell, hooks, key)

    def run(self, cell, function, args, kwargs):
        """`function(*args, **kwargs)` with all hooks around it."""
        for hook, with_kwargs, _ in list(self.forward_pre.values()):
            changed = hook(cell, args, kwargs) if with_kwargs else hook(cell, args)
            if changed is not None:
                if with_kwargs:
                    args, kwargs = changed
                else:
                    args = changed if isinstance(changed, tuple) else (changed,)
        watched = _Gradients(self, cell) if (self.backward or self.backward_pre) and local.state.tapes else None
        if watched is not None:
            args = watched.enter(args)
        try:
            out = function(*args, **kwargs)
        except Exception:
            for hook, with_kwargs, always in self.forward.values():
                if always:
                    hook(cell, args, kwargs, None) if with_kwargs else hook(cell, args, None)
            raise
        if watched is not None:
            out = watched.leave(out)
        for hook, with_kwargs, _ in list(self.forward.values()):
            changed = hook(cell, args, kwargs, out) if with_kwargs else hook(cell, args, out)
            if changed is not None:
                out = changed
        return out


class _Gradients:
    """Identities around a Cell's call whose derivative rules show the gradients to the hooks."""

    def __init__(self, hooks, cell):
        self.hooks, self.cell, self.of_output = hooks, cell, None

    def _pass(self, obj, rule):
        leaves: list = []
        spec = tree.flatten(obj, leaves, lambda t: t.__class__ is Tensor)
        if not leaves:
            return obj
        tapes = local.state.tapes
        local.state.tapes = ()
        try:
            fresh = [apply(identity, (t,)) for t in leaves]
        finally:
            local.state.tapes = tapes
        values = [t._value for t in fresh]

        def pulled(cotangents):
            full = tuple(zeros_like(v) if c is None else c for c, v in zip(cotangents, values, strict=True))
            return list(rule(full))

        note(tapes, identity, [t._value for t in leaves], values, {}, rule=pulled)
        return tree.unflatten(spec, iter([wrap(v) for v in values]))

    def enter(self, args):
        return self._pass(args, self._input_gradients)

    def leave(self, out):
        return self._pass(out, self._output_gradients)

    def _output_gradients(self, gradients):
        for hook, _, _ in list(self.hooks.backward_pre.values()):
            changed = hook(self.cell, gradients)
            if changed is not None:
                gradients = changed if isinstance(changed, tuple) else (changed,)
        self.of_output = gradients
        return gradients

    def _input_gradients(self, gradients):
        for hook, _, _ in list(self.hooks.backward.values()):
            changed = hook(self.cell, gradients, self.of_output)
            if changed is not None:
                gradients = changed if isinstance(changed, tuple) else (changed,)
        return gradients
