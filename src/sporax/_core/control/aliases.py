"""Tensors that may be one and the same, depending on a condition.

After `y = x if c else -x`, `y` may be the very tensor `x`, so a write in place to one may be one to the other. A trace gives `y` a handle of
its own, which is right as long as neither is written while both are in use. A write that could tell the difference cannot be compiled.
"""

import weakref

from sporax._core.control.errors import cannot
from sporax._core.control.kinds import Leaf, Node, Partial, PartialValue
from sporax._core.state import local
from sporax._core.tensor import Tensor


def note(name, kind, descriptions, content):
    """Remember which tensors the rebuilt `content` may be, given what it was on each side."""
    if kind.__class__ is Leaf:
        for d in descriptions:
            if d.__class__ is Leaf and isinstance(d.obj, Tensor) and d.outside and d.obj is not content:
                pair = (name, weakref.ref(content), weakref.ref(d.obj))
                root = local.state.scope.root
                for handle in (content, d.obj):
                    root.aliases.setdefault(id(handle), []).append(pair)
                if type(d.obj) is not Tensor:
                    content.__dict__["_was_parameter"] = True
    elif kind.__class__ is Node:
        items = list(content.values()) if isinstance(content, dict) else content
        for i, child in enumerate(kind.children):
            note(name, child, [d.children[i] for d in descriptions if d.__class__ is Node], items[i])
    elif kind.__class__ is Partial and isinstance(content, PartialValue):
        note(name, kind.child, [d.child if d.__class__ is Partial else d for d in descriptions], content.content)


def check(root, handle):
    """Before a write in place."""
    for name, a, b in root.aliases.get(id(handle), ()):
        first, second = a(), b()
        if first is not None and second is not None and (handle is first or handle is second):
            raise cannot(
                f"'{name}' may be another tensor that is in use, depending on a tensor's value, and one of them is written in place: copy it before."
            )
