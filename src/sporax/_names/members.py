"""What a tensor says when it is asked for a method that it doesn't have."""

from sporax._core.tensor import Tensor
from sporax._names import genuine, lookup

_core_getattr = Tensor.__getattr__


class MissingMember(AttributeError):
    """A tensor has no such attribute. The message is put together when it is shown."""

    def __init__(self, kind, name):
        super().__init__()
        self._missing = kind, name

    def __str__(self):
        return explain(*self._missing)


MissingMember.__module__, MissingMember.__qualname__ = "builtins", "AttributeError"


def explain(kind, name):
    """What to say about an attribute that tensors don't have."""
    text = f"'{kind}' object has no attribute '{name}'"
    methods = [n for n in dir(Tensor) if not n.startswith("_")]
    if genuine.has(f"mindspore.{kind}.{name}") or genuine.has(f"mindspore.Tensor.{name}"):
        text += ": MindSpore has it, Sporax does not yet."
        if name in lookup.public_names("ops"):
            text += f" There is mindspore.ops.{name}(x)."
    elif name in lookup.public_names("ops"):
        text += f": use mindspore.ops.{name}(x)."
    elif near := lookup.nearest(name, methods):
        text += f". Nearest: {', '.join(near)}."
    else:
        text += "."
    return text


def install():
    """Let tensors answer so. Calling it again has no effect."""

    def __getattr__(self, name):
        if name.startswith("_"):
            return _core_getattr(self, name)
        try:
            return _core_getattr(self, name)
        except AttributeError as error:
            if str(error).endswith(f"'{name}'"):
                raise MissingMember(type(self).__name__, name) from None
            raise

    Tensor.__getattr__ = __getattr__
