"""What a variable may hold after a branch or a loop: descriptions of contents, and the kind two contents have in common.

A content is any Python object. Its description separates what can differ at run time (tensors, numbers: `Leaf`) from what is known now
(`Fixed`), enters tuples, lists and dicts (`Node`), and knows names without a value (`Missing`). Where the sides of a branch agree on the
kind, the variable becomes a tensor selected at run time. Where they do not, it is `Broken`: an error for who reads it, not before,
because many such variables are never read.

A variable that has a value only if a flag is set (a return value and "has returned", an item and "found") is `Partial`; a test of that
flag makes it whole again.
"""

import jax.numpy as jnp
import numpy as np
from jax import lax

from sporax._core.control.errors import ConversionError
from sporax._core.errors import describe as describe_tensor
from sporax._core.state import local
from sporax._core.tensor import Tensor
from sporax._core.value import aval_of

_NUMBERS = (bool, int, float)
_PLAIN = (str, bytes, complex, type(None), slice, range)


class Undefined:
    """A name that has no value."""

    def __init__(self, symbol_name):
        self.symbol_name = symbol_name

    def read(self):
        """What reading the name does."""
        raise UnboundLocalError(f"cannot access local variable '{self.symbol_name}' where it is not associated with a value")


class UndefinedReturnValue(Undefined):
    """What a function returns that has not returned."""

    def __init__(self):
        super().__init__("the return value")


class PartialValue(Undefined):
    """A content that exists only where certain flags have certain truths: `when` is [(flag's value, truth)], each of which decides alone."""

    def __init__(self, name, content, when):
        super().__init__(name)
        self.content, self.when = content, when

    def read(self):
        scope = local.state.scope
        while scope is not None:
            for value, truth in getattr(scope, "known", ()):
                for flag, wanted in self.when:
                    if flag is value:
                        return self.content if truth is wanted else super().read()
            scope = scope.parent
        raise ConversionError(f"'{self.symbol_name}' has a value only on some of the ways through an `if` or loop on a tensor: give it one before.")


class BrokenValue(Undefined):
    """A content that no one kind describes."""

    def __init__(self, name, message):
        super().__init__(name)
        self.message = message

    def read(self):
        raise ConversionError(self.message)


class Leaf:
    """A tensor or number. Two leaves are equal if their types are; `obj`, `value` say which one it is.

    `outside`: whether the handle is older than the piece, so that a write to it is a change of the handle, not of the variable. `raw`: the
    number of the piece's output that is its array.
    """

    __slots__ = ("dtype", "obj", "outside", "python", "raw", "shape", "value", "weak")

    def __init__(self, shape, dtype, weak, python, obj=None, value=None):
        self.shape, self.dtype, self.weak, self.python, self.obj, self.value = shape, dtype, weak, python, obj, value
        self.raw, self.outside = None, True

    def type(self):
        """Shape, dtype, whether it follows Python's promotion, whether it is a Python bool."""
        return self.shape, self.dtype, self.weak, self.python

    def __eq__(self, other):
        return other.__class__ is Leaf and self.type() == other.type()

    def text(self):
        """For messages."""
        if self.obj is not None and not isinstance(self.obj, Tensor):
            return f"the number {self.obj!r}"
        if self.python or self.weak:
            return f"a Python {'bool' if self.dtype == np.bool_ else 'int' if self.dtype.kind == 'i' else 'float'}"
        return f"Tensor[{aval_of(self.shape, self.dtype).ms_dtype}]{self.shape}"


class Fixed:
    """Something known while tracing."""

    __slots__ = ("obj",)

    def __init__(self, obj):
        self.obj = obj

    def __eq__(self, other):
        return other.__class__ is Fixed and _identical(self.obj, other.obj)

    def text(self):
        """For messages."""
        if isinstance(self.obj, Tensor):
            return describe_tensor(self.obj)
        text = repr(self.obj)
        return text if len(text) < 60 else f"an object of type {type(self.obj).__name__}"


class Node:
    """A container."""

    __slots__ = ("children", "keys", "kind", "obj")

    def __init__(self, kind, keys, children, obj=None):
        self.kind, self.keys, self.children, self.obj = kind, keys, children, obj

    def __eq__(self, other):
        return other.__class__ is Node and (self.kind, self.keys) == (other.kind, other.keys) and self.children == other.children

    def text(self):
        """For messages."""
        return f"a {self.kind.__name__} of length {len(self.children)}"


class Missing:
    """A name without a value."""

    __slots__ = ("obj",)

    def __init__(self, obj):
        self.obj = obj

    def __eq__(self, other):
        return other.__class__ is Missing

    def text(self):
        """For messages."""
        return "undefined"


class Partial:
    """`child` exists where flags have certain truths. `when`: [(the flag's value (of a content) or its slot's key (of a kind), truth)]."""

    __slots__ = ("child", "obj", "when")

    def __init__(self, child, when, obj=None):
        self.child, self.when, self.obj = child, when, obj

    def __eq__(self, other):
        return other.__class__ is Partial and self.child == other.child and self.when == other.when

    def text(self):
        """For messages."""
        return "defined on some ways only"


class Broken:
    """No common kind; the message says why."""

    __slots__ = ("message",)

    def __init__(self, message):
        self.message = message

    def __eq__(self, other):
        return other.__class__ is Broken

    def text(self):
        """For messages."""
        return "of no one kind"


def is_traced(x):
    """Whether `x` is a tensor whose value is not known while tracing."""
    return isinstance(x, Tensor) and local.state.scope is not None


def is_number(x):
    """Whether `x` is a traced tensor that stands for a Python number."""
    return is_traced(x) and x.ndim == 0 and (_is_weak(x) or "_python_bool" in x.__dict__)


def _is_weak(t):
    return t._value.data is not None and t._value.owner is not None and getattr(t._value.data, "weak_type", False)


def _identical(a, b):
    if a is b:
        return True
    if type(a) is not type(b) or not isinstance(a, (*_PLAIN, *_NUMBERS)):
        return False
    return repr(a) == repr(b)


def leaf_of(handle, value):
    """The description of a tensor at one of its versions."""
    weak = value.data is not None and value.owner is not None and getattr(value.data, "weak_type", False)
    return Leaf(value.aval.shape, value.aval.dtype, bool(weak), "_python_bool" in handle.__dict__, handle, value)


def _is_outside(handle):
    scope = local.state.scope
    written = None if scope is None else scope.writes.get(id(handle))
    return (handle._value if written is None else written[1]).owner is not scope


def describe(content, read=True):
    """The description of a content. `read`: whether a tensor is an input of the trace from now on."""
    if isinstance(content, Tensor):
        if read and local.state.scope is not None:
            local.state.scope.read(content)  # it may give the handle a version of its own
        leaf = leaf_of(content, content._value)
        leaf.outside = _is_outside(content)
        return leaf
    if type(content) in _NUMBERS:
        dtype = np.dtype({bool: np.bool_, int: np.int64, float: np.float64}[type(content)])
        return Leaf((), dtype, type(content) is not bool, type(content) is bool, content)
    if isinstance(content, PartialValue):
        return Partial(describe(content.content), content.when, content)
    if isinstance(content, BrokenValue):
        return Broken(content.message)
    if isinstance(content, Undefined):
        return Missing(content)
    if type(content) is list or (isinstance(content, tuple) and not hasattr(content, "clone")):
        return Node(type(content), None, [describe(x) for x in content], content)
    if isinstance(content, dict):
        return Node(type(content), tuple(content), [describe(x) for x in content.values()], content)
    return Fixed(content)


def leaves(description):
    """The leaves of a description, in order."""
    if description.__class__ is Leaf:
        return [description]
    if description.__class__ is Node:
        return [x for c in description.children for x in leaves(c)]
    return leaves(description.child) if description.__class__ is Partial else []


def object_of(description):
    """The content a description was made of."""
    return description.obj


def _same(a, b):
    if a.__class__ is not b.__class__:
        return False
    if a.__class__ is Leaf:
        if a.value is None or b.value is None:
            return a.value is None and b.value is None and _identical(a.obj, b.obj)
        return a.obj is b.obj and (a.value is b.value or (a.outside and b.outside))
    if a.__class__ is Node:
        return a.obj is b.obj or (
            a.kind is b.kind and a.keys == b.keys and len(a.children) == len(b.children) and all(map(_same, a.children, b.children))
        )
    if a.__class__ is Partial:
        return a.obj is b.obj
    return a == b


def join(name, a, b, old=None, place=""):
    """The kind of a variable that is described by `a` on one side and `b` on the other.

    `old`: in a loop, the kind it had at the entry that `a` describes; kept where nothing changed. `place` ends up in messages.
    """
    if a.__class__ is Node and b.__class__ is Node and old.__class__ is Node:
        if (a.kind, a.keys, len(a.children)) == (b.kind, b.keys, len(b.children)):
            return _join_nodes(name, a, b, old, place)
    elif _same(a, b):
        return old if old is not None else Fixed(a.obj) if a.__class__ is not Broken else a
    if a.__class__ is Broken or b.__class__ is Broken:
        return a if a.__class__ is Broken else b
    if a.__class__ is Leaf and b.__class__ is Leaf:
        found = _join_leaves(a, b)
        if found is not None:
            return found
    elif a.__class__ is Node and b.__class__ is Node and (a.kind, a.keys, len(a.children)) == (b.kind, b.keys, len(b.children)):
        return _join_nodes(name, a, b, old, place)
    return Broken(f"{place}'{name}' is {a.text()} {_SIDES[old is not None][0]} and {b.text()} {_SIDES[old is not None][1]}; {_advice(a, b)}")


_SIDES = (("in one branch", "in the other"), ("before the loop", "after an iteration"))


def _advice(a, b):
    if Missing in (a.__class__, b.__class__):
        return "give it a value before."
    if a.__class__ is Leaf and b.__class__ is Leaf:
        if a.shape != b.shape:
            return "give it the same shape (for example with broadcast_to, or a mask instead of a slice)."
        return "give it the same dtype (for example with astype)."
    if a.__class__ is Node and b.__class__ is Node:
        return "its length must not depend on a tensor's value: use a tensor of fixed shape and a mask."
    return "only tensors, numbers and containers of them can depend on a tensor's value."


def _join_nodes(name, a, b, old, place):
    olds = old.children if old.__class__ is Node else [None if old is None else Fixed(x.obj) if hasattr(x, "obj") else x for x in a.children]
    children = [
        join(f"{name}[{i if a.keys is None else a.keys[i]!r}]", x, y, o, place)
        for i, (x, y, o) in enumerate(zip(a.children, b.children, olds, strict=True))
    ]
    for c in children:
        if c.__class__ is Broken:
            return c
    return Node(a.kind, a.keys, children)


def _join_leaves(a, b):
    if a.shape != b.shape:
        return None
    number_a, number_b = a.weak or a.python, b.weak or b.python
    if a.dtype == b.dtype:
        return Leaf(a.shape, a.dtype, a.weak and b.weak, a.python and b.python)
    if not number_a and not number_b:
        return None
    kinds = ["bif".index(x.dtype.kind) if x.dtype.kind in "bif" else 1 if x.dtype.kind == "u" else 2 for x in (a, b)]
    if 0 in kinds and kinds != [0, 0]:
        return None
    if number_a and number_b:
        wide = a if kinds[0] >= kinds[1] else b
        return Leaf((), wide.dtype, True, False)
    number, tensor = (0, b) if number_a else (1, a)
    # a number takes the tensor's type where it can be written in it
    return Leaf(tensor.shape, tensor.dtype, False, False) if kinds[number] <= kinds[1 - number] else None


def emit(kind, description, read, out):
    """Append to `out` the arrays that a content of this description gives for a kind. `read(leaf)` gives a tensor leaf's array."""
    if kind.__class__ is Leaf:
        out.append(_array(kind, description, read))
    elif kind.__class__ is Node:
        missing = description.__class__ is Missing
        for i, child in enumerate(kind.children):
            emit(child, description if missing else description.children[i], read, out)
    elif kind.__class__ is Partial:
        emit(kind.child, description.child if description.__class__ is Partial else description, read, out)


def _array(kind, leaf, read):
    if leaf.__class__ is Missing:
        array = 0
    elif leaf.value is None:
        array = leaf.obj
    else:
        array = read(leaf)
    if kind.weak:
        # jnp.asarray of a Python number, and adding one, keep an array a "Python number" in promotions
        if isinstance(array, bool | int | float):
            return jnp.asarray(int(array) if kind.dtype.kind == "i" else float(array))
        return array if array.dtype == kind.dtype else array + 0.0
    if isinstance(array, bool | int | float):
        return jnp.full(kind.shape, array, kind.dtype)
    return lax.convert_element_type(array, kind.dtype)


def structs(kind):
    """The types of a kind's arrays, as `jax.ShapeDtypeStruct`s."""
    import jax

    return [jax.ShapeDtypeStruct(x.shape, x.dtype, weak_type=x.weak) for x in leaves(kind)]


def rebuild(name, kind, tensors, flag):
    """The content of a kind with the next tensors of an iterator. `flag(key)` gives the value of the flag in a slot."""
    if kind.__class__ is Leaf:
        t = next(tensors)
        if kind.python:
            t.__dict__["_python_bool"] = True
        return t
    if kind.__class__ is Node:
        items = [rebuild(name, c, tensors, flag) for c in kind.children]
        if kind.keys is not None:
            made = kind.kind() if kind.kind is not _default_dict() else kind.kind(None)
            made.update(zip(kind.keys, items, strict=True))
            return made
        return items if kind.kind is list else kind.kind(*items) if hasattr(kind.kind, "_fields") else kind.kind(items)
    if kind.__class__ is Partial:
        return PartialValue(name, rebuild(name, kind.child, tensors, flag), _Later(flag, kind.when))
    if kind.__class__ is Broken:
        return BrokenValue(name, kind.message)
    return kind.obj


def _default_dict():
    import collections

    return collections.defaultdict


class _Later:
    """Flags whose contents are still being rebuilt; `settle` looks them up."""

    def __init__(self, flag, when):
        self.flag, self.when = flag, when


def settle(content):
    """Let a rebuilt partial content know its flags, now that every content is there."""
    if isinstance(content, PartialValue) and isinstance(content.when, _Later):
        later = content.when
        content.when = [(later.flag(key), truth) for key, truth in later.when]
