"""Hooks of a Cell: before and after `construct`, and on the gradients that flow through it.

In a compiled function hooks are traced with the Cell, so what they compute and print happens at every run in every mode.
"""

import itertools

from sporax._core.parameter import Parameter
from sporax.nn._gradient import Border

_numbers = itertools.count()


class HookHandle:
    """Takes a hook away again; as a context manager it does so at the end of the block."""

    def __init__(self, hooks, number, changed=None):
        self._hooks, self._number, self._changed = hooks, number, changed

    def remove(self):
        """Unregister the hook. Calling it again has no effect."""
        if self._hooks.pop(self._number, None) is not None and self._changed is not None:
            self._changed()

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.remove()


def register(hooks, hook, changed=None, prepend=False, entry=None):
    """Add a hook to a dictionary of hooks; returns its handle."""
    if not callable(hook):
        raise TypeError(f"Expected a callable hook function, but got {type(hook).__name__}.")
    number = next(_numbers)
    before = dict(hooks) if prepend else {}
    if prepend:
        hooks.clear()
    hooks[number] = hook if entry is None else entry
    hooks.update(before)
    if changed is not None:
        changed()
    return HookHandle(hooks, number, changed)


class Hooks:
    """The hooks of one Cell. Those of the forward direction are triples (hook, with_kwargs, always_call)."""

    __slots__ = ("backward", "backward_pre", "forward", "forward_pre")

    def __init__(self):
        self.forward_pre, self.forward, self.backward_pre, self.backward = {}, {}, {}, {}

    def __bool__(self):
        return bool(self.forward_pre or self.forward or self.backward_pre or self.backward)

    def run(self, cell, function, args, kwargs):
        """`function(*args, **kwargs)` with all hooks around it."""
        if self.forward_pre:
            args, kwargs = self._before(cell, args, kwargs)
        border = None
        if self.backward or self.backward_pre:
            border = Border(cell, lambda: list(self.backward_pre.values()), lambda: list(self.backward.values()))
            args = border.enter(args)
        called = set()
        try:
            out = function(*args, **kwargs)
            for number, (hook, with_kwargs, _) in list(self.forward.items()):
                called.add(number)
                replaced = hook(cell, args, kwargs, out) if with_kwargs else hook(cell, args, out)
                if replaced is not None:
                    out = replaced
        except Exception:
            for number, (hook, with_kwargs, always) in list(self.forward.items()):
                if always and number not in called:
                    hook(cell, args, kwargs, None) if with_kwargs else hook(cell, args, None)
            raise
        return out if border is None else border.leave(out)

    def _before(self, cell, args, kwargs):
        for hook, with_kwargs, _ in list(self.forward_pre.values()):
            if with_kwargs:
                replaced = hook(cell, args, kwargs)
                if replaced is None:
                    continue
                if not (isinstance(replaced, tuple) and len(replaced) == 2 and isinstance(replaced[1], dict)):
                    raise RuntimeError(f"forward pre hook with kwargs must return None or a tuple of (new_args, new_kwargs), but got {replaced!r}.")
                args, kwargs = replaced
                args = args if isinstance(args, tuple) else (args,)
            else:
                replaced = hook(cell, args)
                if replaced is not None:
                    args = replaced if isinstance(replaced, tuple) else (replaced,)
        return args, kwargs


def with_parameter_hooks(cell, hooks, function):
    """`function` during which hooked Parameters of the Cell read as what their hooks make of them."""

    def call(*args, **kwargs):
        own = cell.__dict__
        hooked = {name: param for name, param in cell._params.items() if param is not None and name in hooks}
        own.update({name: hooks[name](param) for name, param in hooked.items()})
        try:
            return function(*args, **kwargs)
        finally:
            own.update(hooked)

    return call


class Hooked:
    """The part of a Cell that registers hooks. Each method returns a handle whose `remove()` takes the hook away."""

    def _add_hook(self, kind, hook, prepend=False, with_kwargs=None, always_call=False):
        own = self.__dict__
        if own["_hooks"] is None:
            own["_hooks"] = Hooks()
        entry = None if with_kwargs is None else (hook, with_kwargs, always_call)
        return register(getattr(own["_hooks"], kind), hook, self._settings_changed, prepend, entry)

    def register_forward_pre_hook(self, hook_fn, *, prepend=False, with_kwargs=False):
        """Call `hook_fn(cell, args)` before `construct`. What it returns, if not None, are the new arguments (a tuple, or one argument).

        Args:
            hook_fn: the hook.
            prepend: whether it runs before the hooks that are there already. Default: False.
            with_kwargs: call `hook_fn(cell, args, kwargs)`; it returns None or a pair (args, kwargs). Default: False.

        Raises:
            TypeError: `hook_fn` cannot be called.

        Examples:
            >>> net = nn.ReLU()
            >>> handle = net.register_forward_pre_hook(lambda cell, args: (args[0] + 1,))
            >>> print(net(Tensor([-2.0, 1.0])))
            [0. 2.]
            >>> handle.remove()
        """
        return self._add_hook("forward_pre", hook_fn, prepend, with_kwargs)

    def register_forward_hook(self, hook_fn, *, prepend=False, with_kwargs=False, always_call=False):
        """Call `hook_fn(cell, args, output)` after `construct`. What it returns, if not None, is the new output.

        Args:
            hook_fn: the hook.
            prepend: whether it runs before the hooks that are there already. Default: False.
            with_kwargs: call `hook_fn(cell, args, kwargs, output)`. Default: False.
            always_call: call it (with output None) even if `construct` raises. Default: False.

        Raises:
            TypeError: `hook_fn` cannot be called.
        """
        return self._add_hook("forward", hook_fn, prepend, with_kwargs, always_call)

    def register_backward_pre_hook(self, hook_fn):
        """Call `hook_fn(cell, grad_output)` when the gradients of the outputs are known, before they go into the Cell.

        `grad_output` is a tuple with a gradient for each output tensor, None for outputs that nothing depends on. What the hook returns, if
        not None, replaces it.

        Raises:
            TypeError: `hook_fn` cannot be called, or what it returns does not fit.
        """
        return self._add_hook("backward_pre", hook_fn)

    def register_backward_hook(self, hook_fn):
        """Call `hook_fn(cell, grad_input, grad_output)` when the gradients of the inputs are known.

        Both are tuples. `grad_input` has a gradient for each input tensor, None where no gradient is asked for. What the hook returns, if
        not None, replaces `grad_input`.

        Raises:
            TypeError: `hook_fn` cannot be called, or what it returns does not fit.

        Examples:
            >>> net = nn.ReLU()
            >>> handle = net.register_backward_hook(lambda cell, grad_input, grad_output: (grad_input[0] * 10,))
            >>> print(ms.grad(net)(Tensor([-2.0, 1.0])))
            [ 0. 10.]
        """
        return self._add_hook("backward", hook_fn)

    def register_parameter_forward_hook(self, hook):
        """Let the Cells compute with `hook(param)` in place of a Parameter; gradients flow through the hook to the Parameter.

        Args:
            hook: a function for all Parameters of this Cell and of those in it, or a list of dicts `{"params": [...], "hook": function}`.

        Raises:
            ValueError: a dict does not have exactly the keys "params" and "hook".
            TypeError: something in it is not a Parameter, or a hook cannot be called.

        Examples:
            >>> net = nn.Dense(1, 1, weight_init="ones", bias_init="zeros")
            >>> net.register_parameter_forward_hook([{"params": [net.weight], "hook": lambda param: param * 10}])
            >>> print(net(Tensor([[3.0]])), ms.grad(net, None, net.weight)(Tensor([[3.0]])))
            [[30.]] [[30.]]
        """
        if callable(hook):
            hook = [{"params": list(self.get_parameters()), "hook": hook}]
        if not isinstance(hook, list | tuple):
            raise TypeError(f"For 'register_parameter_forward_hook', 'hook' should be a function or a list of dicts, but got {hook!r}.")
        chosen = {}
        for entry in hook:
            if not isinstance(entry, dict) or set(entry) != {"params", "hook"}:
                raise ValueError(f"For 'register_parameter_forward_hook', each dict should have the keys 'params' and 'hook', but got {entry!r}.")
            if not callable(entry["hook"]):
                raise TypeError(f"Expected a callable hook function, but got {type(entry['hook']).__name__}.")
            for param in entry["params"]:
                if not isinstance(param, Parameter):
                    raise TypeError(f"For 'register_parameter_forward_hook', 'params' should be Parameters, but got {type(param).__name__}.")
                chosen[id(param)] = entry["hook"]
        for _, cell in self.cells_and_names():
            hooks = {name: chosen[id(param)] for name, param in cell._params.items() if id(param) in chosen}
            if hooks:
                cell.__dict__["_parameter_hooks"] = {**(cell._parameter_hooks or {}), **hooks}
                cell._settings_changed()
