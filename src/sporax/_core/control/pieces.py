"""Pieces of user code - a branch, a loop body - traced into JAX programs of their own.

A piece runs once, in a nested scope, inside `jax.make_jaxpr`. What it may have changed are *slots*: the variables that its statement assigns,
handles, attributes of Cells and objects, containers. At its end the content of each slot is described, its arrays become the outputs,
and everything is put back. The outer arrays that it used come out as constants of the jaxpr, and the scope knows which values
they stand for: so a piece is `jaxpr(captured..., arguments...)` without having been run twice.
"""

import jax

from sporax._core.control import aliases, kinds
from sporax._core.control.errors import ConversionError, cannot, where
from sporax._core.control.kinds import Broken, Leaf, Missing, Partial, describe, emit, join, leaves
from sporax._core.errors import LeakedTensorError, TracedValueError
from sporax._core.prints import evaluate
from sporax._core.scope import MISSING, Scope, rebind
from sporax._core.state import local
from sporax._core.tensor import Tensor, wrap
from sporax._core.value import Value, aval_of


class PieceScope(Scope):
    """A nested scope that also logs attributes of plain objects and containers.

    `journal`: key -> (slot, content before). `made`: id -> object made by the piece, whose changes are nobody else's business. `known`: flags whose
    truth is known in it, [(Value, bool)].
    """

    def __init__(self, name, parent, known=()):
        super().__init__(name, parent)
        self.journal, self.made, self.known = {}, {}, known

    def __exit__(self, *exc):
        super().__exit__(*exc)
        for slot, before in reversed(self.journal.values()):
            slot.put(before)


def in_piece():
    """Whether a branch or loop body is being traced."""
    return local.state.scope.__class__ is PieceScope


def is_differentiated(scope):
    """Whether a tape is active here or around one of the enclosing traces."""
    tapes = local.state.tapes
    while scope is not None and not tapes:
        scope, tapes = scope.parent, scope._outside[1]
    return bool(tapes)


def note_made(thing):
    """Remember that `thing` was made in the trace, and by the present piece if there is one."""
    scope = local.state.scope
    if scope is not None and not isinstance(thing, int | float | str | tuple | Tensor):
        (scope if scope.__class__ is PieceScope else scope.root).made[id(thing)] = thing
    return thing


def is_made(thing):
    """Whether `thing` was made in this trace, so that nobody outside sees its changes."""
    scope = local.state.scope
    while scope is not None:
        if id(thing) in getattr(scope, "made", ()):
            return True
        scope = scope.parent
    return False


def note_change(slot, thing):
    """Log that a slot of `thing` is about to change."""
    scope = local.state.scope
    while scope.__class__ is PieceScope:
        if id(thing) in scope.made:
            return
        if slot.key not in scope.journal:
            scope.journal[slot.key] = (slot, slot.get())
        scope = scope.parent


# Slots ---------------------------------------------------------------------------------------------------------------


class HandleSlot:
    """The value of a tensor that was written in place."""

    def __init__(self, handle):
        self.handle, self.key = handle, ("handle", id(handle))
        name = getattr(handle, "name", None)
        self.name = f"Parameter {name}" if isinstance(name, str) else f"a tensor of shape {handle.shape} written in place"

    def put(self, content):
        """Rebind the handle."""
        rebind(self.handle, content._value)


class AttributeSlot:
    """An attribute of a Cell, whose changes the scope logs."""

    def __init__(self, cell, name):
        self.cell, self.attribute, self.key = cell, name, ("attribute", id(cell), name)
        self.name = f"{type(cell).__name__}.{name}"

    def get(self):
        """The present content."""
        return self.cell._read_attribute(self.attribute)

    def put(self, content):
        """Set the attribute."""
        setattr(self.cell, self.attribute, content)


class ObjectSlot:
    """An attribute of a plain object."""

    def __init__(self, obj, name):
        self.obj = self.thing = obj
        self.attribute, self.key = name, ("object", id(obj), name)
        self.name = f"{type(obj).__name__}.{name}"

    def get(self):
        """The present content."""
        return getattr(self.obj, self.attribute, MISSING)

    def put(self, content):
        """Set the attribute."""
        if content is not MISSING:
            object.__setattr__(self.obj, self.attribute, content) if not isinstance(self.obj, type) else setattr(self.obj, self.attribute, content)
        elif hasattr(self.obj, self.attribute):
            delattr(self.obj, self.attribute)


class ContainerSlot:
    """What a list, dict, set or deque holds."""

    def __init__(self, container):
        self.container = self.thing = container
        self.key = ("container", id(container))
        self.name = f"a {type(container).__name__}"

    def get(self):
        """A copy of what it holds."""
        c = self.container
        return dict(c) if isinstance(c, dict) else frozenset(c) if isinstance(c, set) else list(c)

    def put(self, content):
        """Let it hold this."""
        self.container.clear()
        (self.container.update if isinstance(self.container, dict | set) else self.container.extend)(content)


# Running a piece -----------------------------------------------------------------------------------------------------


class Variables:
    """The variables that a statement assigns."""

    def __init__(self, get_state, set_state, names):
        self.get, self.set, self.names = get_state, set_state, [n if not n.startswith("retval_") else "the return value" for n in names]

    def keys(self):
        """Keys of their slots."""
        return [("variable", i) for i in range(len(self.names))]


class Piece:
    """One traced piece: its jaxpr, what it captured, and the description of each slot at its end."""

    def __init__(self, name, thunk, variables, entry, arguments=(), place="", known=()):
        """`entry(tensors)` puts contents in place, given tensors for the `arguments` (structs); then `thunk()` runs."""
        self.name, self.variables, self.slots, self.before, self.contents = name, variables, {}, {}, {}
        initial = variables.get()
        outer = local.state.scope
        found: list = []
        own_gradients, outer.root.own_gradients = outer.root.own_gradients, False

        def run(*arrays):
            scope = PieceScope(name, outer, known)
            found[:] = [scope]
            with scope:
                try:
                    entry([wrap(Value(a, aval_of(a.shape, a.dtype), scope)) for a in arrays])
                    thunk()
                    return self._collect(scope)
                finally:
                    variables.set(initial)

        try:
            self.closed = jax.make_jaxpr(run)(*arguments)
        except (ConversionError, TracedValueError, LeakedTensorError, UserRaise):
            raise
        except Exception as error:
            if getattr(error, "_user_raise", False):
                raise UserRaise(error) from error
            # it may be an error only of a way that is never taken
            raise ConversionError(f"{where(error) or place}: {type(error).__name__} inside {name} on a tensor: {error}") from error
        finally:
            inside, outer.root.own_gradients = outer.root.own_gradients, outer.root.own_gradients or own_gradients
        if inside and is_differentiated(outer):
            raise cannot(f"{name} on a tensor contains something with a gradient of its own (a 'bprop' or a hook), and its gradient is taken.")
        self._find_captures(found[0])

    def _collect(self, scope):
        self.scope = scope
        for key, content in zip(self.variables.keys(), self.variables.get(), strict=True):
            self.contents[key] = describe(content)
        for handle in scope.written_handles():
            slot = HandleSlot(handle)
            self.slots[slot.key] = slot
            self.contents[slot.key] = describe(wrap(handle._value), read=False)
            self.before[slot.key] = kinds.leaf_of(handle, scope.writes[id(handle)][1])
        for cell, name, before in scope.attributes.values():
            self._touched(AttributeSlot(cell, name), cell._read_attribute(name), before)
        for slot, before in scope.journal.values():
            self._touched(slot, slot.get(), before)
        outs = []
        for description in self.contents.values():
            for leaf in leaves(description):
                if leaf.value is not None and leaf.value.owner is scope:
                    leaf.raw = len(outs)
                    outs.append(scope.read(leaf.obj))
        return outs

    def _touched(self, slot, content, before):
        if before is MISSING or content is MISSING:
            if before is not content:
                raise cannot(f"{slot.name} is made or deleted inside {self.name} on a tensor: give it a value before.")
            return
        self.slots[slot.key], self.contents[slot.key], self.before[slot.key] = slot, describe(content), describe(before)

    def _find_captures(self, scope):
        # tracers of the surrounding trace that the jaxpr uses, and the values they stand for
        known = {}
        for handle, value in scope.captures:
            known.setdefault(id(scope.sub[id(value)]), (handle, value))
        self.captures, self.constants = [], []
        for i, const in enumerate(self.closed.consts):
            if id(const) in known:
                self.captures.append((i, *known[id(const)]))
            elif isinstance(const, jax.core.Tracer):
                raise cannot(f"{self.name} on a tensor uses a value that was not made by Sporax's operations.")

    def inputs(self):
        """(handle or None, Value) that `call` needs arrays of."""
        return [(handle, value) for _, handle, value in self.captures]

    def call(self, arrays, arguments=()):
        """The output arrays, given `arrays`: id of a Value -> array."""
        consts = list(self.closed.consts)
        for i, _, value in self.captures:
            consts[i] = arrays[id(value)]
        return evaluate(self.closed, consts, arguments)

    def reader(self, raws, arrays):
        """For `emit`: the array of a leaf at the end of this piece."""
        return lambda leaf: raws[leaf.raw] if leaf.raw is not None else arrays[id(leaf.value)]


class UserRaise(Exception):
    """A `raise` statement of the user's was reached in a piece."""

    def __init__(self, error):
        super().__init__(str(error))
        self.error = error


# Joining -------------------------------------------------------------------------------------------------------------


def join_sides(names, sides, olds=None, place="", flags=()):
    """The kind of each slot, from two descriptions of each.

    `names`, `sides[0]`, `sides[1]`, `olds`: by slot key. `flags`: values that have one truth on the first side and the other on the second,
    [(value, truth on the first)]. Returns kinds by slot key.
    """
    result, partial = {}, []
    for key, name in names.items():
        a, b = sides[0][key], sides[1][key]
        old = None if olds is None else olds[key]
        if any(x.__class__ in (Missing, Partial) for x in (a, b)) and not (a.__class__ is b.__class__ and kinds._same(a, b)):
            partial.append(key)
            continue
        result[key] = join(name, a, b, old, place)
    for key in partial:
        result[key] = _join_partial(names[key], key, sides, result, olds, place, flags)
    return result


def _join_partial(name, key, sides, result, olds, place, flags):
    contents = [s[key] for s in sides]
    when = [
        (flag, truth)
        for flag, kind in result.items()
        if kind.__class__ is Leaf and kind.dtype == bool
        for truth in (True, False)
        if all(_flag_fits(s[key], s[flag], truth) for s in sides)
    ]
    if Partial not in (contents[0].__class__, contents[1].__class__):
        exists = contents[0].__class__ is not Missing
        when += [(value, truth is exists) for value, truth in flags]
    if not when:
        if olds is not None and olds[key].__class__ is Partial and kinds._same(*contents):
            return olds[key]
        return Broken(f"{place}'{name}' has no value on one of the ways through an `if` or loop on a tensor: give it one before.")
    inner = [c.child if c.__class__ is Partial else c for c in contents if c.__class__ is not Missing]
    old = olds[key].child if olds is not None and olds[key].__class__ is Partial else None
    if len(inner) == 2:
        child = join(name, inner[0], inner[1], old, place)
    else:
        child = _bare(inner[0])
    return child if isinstance(child, Broken) else Partial(child, when)


def _bare(description):
    """The kind of a description that is met on one side only."""
    if description.__class__ is kinds.Node:
        return kinds.Node(description.kind, description.keys, [_bare(c) for c in description.children])
    return Leaf(*description.type()) if description.__class__ is Leaf else description


def _flag_fits(content, flag, truth):
    """Whether a content exists exactly where the flag has this truth."""
    if flag.__class__ is not Leaf:
        return False
    if content.__class__ is Missing:
        return flag.value is None and flag.obj is (not truth)
    if content.__class__ is Partial:
        return flag.value is not None and any(value is flag.value and wanted is truth for value, wanted in content.when)
    return flag.value is None and flag.obj is truth


def emit_all(result, descriptions, read):
    """The arrays of all slots, in order of `result`."""
    out: list = []
    for key, kind in result.items():
        emit(kind, descriptions[key], read, out)
    return out


def put_all(result, names, slots, variables, initial, tensors, sides=()):
    """Give every slot the content of its kind, with these tensors; returns the contents by key.

    `sides`: descriptions of what each may have been, for `aliases`.
    """
    tensors, contents = iter(tensors), {}
    for key, kind in result.items():
        if kind.__class__ is Broken and key in slots:
            raise ConversionError(kind.message)
        if (
            kind.__class__ is not kinds.Fixed
            and key in slots
            and slots[key].__class__ in (ObjectSlot, ContainerSlot)
            and not is_made(slots[key].thing)
        ):
            raise cannot(
                f"{names[key]} that was made outside the function is changed inside an `if` or loop on a tensor: use a Parameter or Cell attribute."
            )
        contents[key] = kinds.rebuild(names[key], kind, tensors, lambda k: k if k.__class__ is Value else contents[k]._value)
    for content in contents.values():
        kinds.settle(content)
    variables.set(tuple(contents.get(key, before) for key, before in zip(variables.keys(), initial, strict=True)))
    for key, kind in result.items():
        if key[0] != "handle":
            aliases.note(names[key], kind, [s[key] for s in sides], contents[key])
    for key, slot in slots.items():
        if result[key].__class__ is not kinds.Fixed or (slot.__class__ is not HandleSlot and slot.get() is not contents[key]):
            slot.put(contents[key])
    return contents


def outside_inputs(result, descriptions):
    """Values from outside that `emit_all` will read for these descriptions."""
    found = []
    for key, kind in result.items():
        if kind.__class__ in (Leaf, kinds.Node, Partial):
            for leaf in leaves(descriptions[key]):
                if leaf.value is not None and leaf.raw is None:
                    found.append((leaf.obj if leaf.obj._value is leaf.value else None, leaf.value))
    return found


def inputs_of(pairs):
    """One tensor (or Value) for each different value, and the ids of the values."""
    found = {}
    for handle, value in pairs:
        found.setdefault(id(value), handle if isinstance(handle, Tensor) and handle._value is value else value)
    return list(found.values()), list(found)


__all__ = [
    "Piece",
    "PieceScope",
    "UserRaise",
    "Variables",
    "emit_all",
    "in_piece",
    "inputs_of",
    "join_sides",
    "note_change",
    "note_made",
    "outside_inputs",
    "put_all",
]
