"""Gradient hooks of tensors and parameters."""

from sporax._core.state import local


class HookHandle:
    """Takes a registered hook away again."""

    def __init__(self, lists, hook):
        self._lists, self._hook = lists, hook

    def remove(self):
        """Unregister the hook. Calling it again has no effect."""
        for hooks in self._lists:
            if self._hook in hooks:
                hooks.remove(self._hook)
        self._lists = ()


def register(tensor, hook):
    """Let `hook(gradient)` see, and perhaps replace, the gradient of `tensor`."""
    if not callable(hook):
        raise TypeError(f"For 'register_hook', the hook should be callable as hook(gradient), but got {hook!r} of type {type(hook).__name__}.")
    own = tensor.__dict__.setdefault("_hooks", [])
    own.append(hook)
    lists = [own]
    if local.state.scope is not None:
        local.state.scope.root.own_gradients = True  # JAX's own derivative of a region would not call it
    # the version that exists now: later in-place writes of the handle do not move the hook
    for tape in local.state.tapes:
        hooks = tape.hooks.setdefault(id(tensor._value), [])
        hooks.append(hook)
        lists.append(hooks)
    return HookHandle(lists, hook)


def of(tensor):
    """Hooks registered on a handle."""
    return tensor.__dict__.get("_hooks", ())
