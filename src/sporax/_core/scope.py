"""Trace scopes, and the one place that rebinds a handle.

While a piece of Python is traced, a scope stands between its handles and the arrays outside: a value from outside is looked up in
`sub` (array or tracer that stands for it here); a handle that is written is logged with the value it had. So the scope knows what a
trace read and wrote without being told, and at its end puts everything back: what was written leaves as an output, never as a tracer in
a handle.
"""

import contextlib

from sporax._core.errors import LeakedTensorError
from sporax._core.record import leak_message
from sporax._core.resident import settle_all
from sporax._core.state import local
from sporax._core.value import Value

# In logs: there was no such attribute before.
MISSING = object()


class Scope:
    """One trace in progress.

    `captures`: (handle or None, Value) read from outside, in order. `writes`: id -> (handle, Value before). `attributes`: the same log for
    attributes of Cells: (id, name) -> (Cell, name, value before). `cells`: Cells called. `convert`: whether user functions are called in their
    converted form (see `control`). `own_gradients`: whether something in it has a derivative of its own, which JAX would not follow.
    `failed`: the error that ends this trace, even if the program caught it. `alarms`, `printed`, `placeholders`, `aliases`, `made`: see
    `control` and `prints`.
    """

    def __init__(self, name, parent=None):
        self.name, self.parent = name, parent
        self.root = self if parent is None else parent.root
        self.sub, self.captures, self.writes, self.attributes = {}, [], {}, {}
        self.handle_of = {}
        self.open = True
        if parent is None:
            self.cells, self.convert, self.own_gradients = {}, False, False
            self.failed = None
            self.alarms, self.printed, self.placeholders, self.aliases, self.made = [], False, [], {}, {}

    def describe(self):
        """How messages call the function that is traced."""
        return f"'{self.root.name}'"

    def __enter__(self):
        state = local.state
        if state.scope is None:
            settle_all()
        self._outside = state.scope, state.tapes
        state.scope, state.tapes = self, ()
        return self

    def __exit__(self, *exc):
        state = local.state
        state.scope, state.tapes = self._outside
        self.open = False
        for handle, before in self.writes.values():
            handle._value = before
        for cell, name, before in reversed(self.attributes.values()):
            cell._restore_attribute(name, before)

    def read(self, handle):
        """The array that stands for a handle's value in this trace."""
        value = handle._value
        if value.owner is self:
            return value.data
        known = self.handle_of.get(id(value))
        if known is not None and known is not handle and value.owner is None and self.parent is None:
            # two handles that share a version today may part tomorrow: each is an input of its own
            value = handle._value = Value(value.data, value.aval)
        return self.read_value(value, handle)

    def read_value(self, value, handle=None):
        """The array that stands for a version (of `handle`, if it was read through one) in this trace."""
        if value.owner is self:
            return value.data
        array = self.sub.get(id(value))
        if array is None:
            if value.owner is not None and value.data is not None and not value.owner.open:
                raise LeakedTensorError(leak_message(value))
            if self.parent is None:
                array = value.array()
            else:
                array = self.parent.read(handle) if handle is not None else self.parent.read_value(value)
                if handle is not None:
                    value = handle._value
            self.sub[id(value)] = array
            self.captures.append((handle, value))
            if handle is not None:
                self.handle_of[id(value)] = handle
        return array

    def substitute(self, handle, array):
        """Let `array` stand for the present version of `handle` in this trace."""
        value = handle._value
        if id(value) in self.sub:  # handles that share a version today are inputs of their own all the same
            value = handle._value = Value(value.array(), value.aval)
        self.sub[id(value)] = array
        self.captures.append((handle, value))
        self.handle_of[id(value)] = handle

    def write(self, handle, value):
        """Rebind a handle for the rest of this trace."""
        if id(handle) in self.root.aliases:
            from sporax._core.control.aliases import check

            check(self.root, handle)
        scope = self
        while scope is not None:
            before = scope.writes.setdefault(id(handle), (handle, handle._value))[1]
            if before.owner is scope:  # made here, so no scope further out knows it
                break
            scope = scope.parent
        handle._value = value

    def log_attribute(self, cell, name, before):
        """Remember what an attribute of a Cell was before this trace wrote it."""
        scope = self
        while scope is not None:
            scope.attributes.setdefault((id(cell), name), (cell, name, before))
            scope = scope.parent

    def written_handles(self):
        """Handles from outside that were written, in order; handles made inside are nobody's business."""
        return [h for h, before in self.writes.values() if before.owner is not self]

    def wrap(self, array, aval):
        """A value made in this trace."""
        return Value(array, aval, self)


def current():
    """The innermost trace in progress in this thread, or None."""
    return local.state.scope


def rebind(handle, value):
    """Point `handle` at another version, with a log entry if a trace is in progress."""
    scope = local.state.scope
    if scope is None:
        handle._value = value
    else:
        scope.write(handle, value)


def assign(handle, tensor):
    """Let `handle` (a Tensor or Parameter) have the value of `tensor` from now on: the in-place write of every back end."""
    state = local.state
    if state.scope is None and handle.__class__ is not tensor.__class__:
        state.block.wrote_parameter = True
    rebind(handle, _own_version(tensor))


def _own_version(tensor):
    """The value of a tensor as a handle may get it here."""
    value = tensor._value
    if local.state.scope is not None and not isinstance(value.owner, Scope):
        # a version from outside would later be taken for another handle's; an op makes it a value of this trace
        from sporax._core.dispatch import apply
        from sporax._core.tape import identity

        value = apply(identity, (tensor,))._value
    return value


@contextlib.contextmanager
def bound(handles, tensors):
    """Context in which handles have the values of `tensors`: a network at other weights. No write: afterwards all is as before.

    Derivatives flow to `tensors`, also where a function of them is handed to `jvp` or `vmap`.
    """
    before = [h._value for h in handles]
    values = [_own_version(t) for t in tensors]
    try:
        for handle, value in zip(handles, values, strict=True):
            handle._value = value
        yield
    finally:
        for handle, value in zip(handles, before, strict=True):
            handle._value = value
