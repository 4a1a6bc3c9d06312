"""Nested Python containers as flat lists of tensors and back."""

from typing import Any

from sporax._core.tensor import Tensor


def flatten(obj, leaves, is_leaf=None):
    """Append the tensors in `obj` to `leaves`; returns a spec for `unflatten`.

    Tuples (named ones too), lists and dicts are entered; everything else is part of the spec as it is. `is_leaf(tensor)` False keeps a tensor in
    the spec.
    """
    if isinstance(obj, Tensor):
        if is_leaf is not None and not is_leaf(obj):
            return obj
        leaves.append(obj)
        return _LEAF
    if isinstance(obj, tuple) and not hasattr(obj, "clone"):
        return _Container(type(obj), None, [flatten(x, leaves, is_leaf) for x in obj])
    if type(obj) is list:
        return _Container(list, None, [flatten(x, leaves, is_leaf) for x in obj])
    if isinstance(obj, dict):
        return _Container(type(obj), tuple(obj), [flatten(x, leaves, is_leaf) for x in obj.values()])
    return obj


class _Leaf:
    def __repr__(self):
        return "*"


_LEAF = _Leaf()


class _Container:
    __slots__ = ("children", "keys", "kind")

    def __init__(self, kind, keys, children):
        self.kind, self.keys, self.children = kind, keys, children

    def build(self, items):
        if self.keys is not None:
            return self.kind(zip(self.keys, items, strict=True)) if self.kind is not dict else dict(zip(self.keys, items, strict=True))
        if self.kind is list:
            return items
        return self.kind(*items) if hasattr(self.kind, "_fields") else self.kind(items)


def unflatten(spec, leaves) -> Any:
    """The container of a spec, with the tensors of an iterator in place of its leaves."""
    if spec is _LEAF:
        return next(leaves)
    if spec.__class__ is _Container:
        return spec.build([unflatten(c, leaves) for c in spec.children])
    return spec


def map_tensors(function, obj) -> Any:
    """The same container with `function` applied to each tensor."""
    leaves: list = []
    spec = flatten(obj, leaves)
    return unflatten(spec, iter([function(t) for t in leaves]))


def is_single_leaf(spec):
    """Whether the spec is of one bare tensor."""
    return spec is _LEAF
