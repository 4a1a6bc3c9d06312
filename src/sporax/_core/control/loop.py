"""`while` and `for` on tensors.

A loop's Python runs until its condition is a tensor; from there on the body is a piece. What it carries is found by tracing it until the kinds
of its slots no longer change: first everything is taken as fixed, and what an iteration changes is carried in the next attempt. The
condition is part of the body: it is computed before the loop, and then at the end of each iteration, so what it changes or prints counts.

A loop of known length is a `lax.scan`, a loop of unknown length `reverse.loop`. A `for` of few iterations is unrolled, as in plain tracing.
"""

import jax.numpy as jnp
from jax import lax

from sporax._core.control import branch, kinds, pieces
from sporax._core.control.branch import and_, truth
from sporax._core.control.errors import ConversionError, where
from sporax._core.control.kinds import Fixed, is_traced
from sporax._core.control.pieces import Piece, UserRaise, Variables
from sporax._core.control.reverse import loop
from sporax._core.dispatch import apply, apply_closure
from sporax._core.errors import TracedValueError
from sporax._core.prints import is_muted
from sporax._core.state import local
from sporax._core.tensor import Tensor, wrap
from sporax._core.value import Value, aval_of

_MAX_ATTEMPTS = 8
# A `for` of at most so many iterations is unrolled: its indices stay Python numbers.
_UNROLL = 32


class Range:
    """`range` with a bound that is a tensor."""

    def __init__(self, start, stop, step):
        self.start, self.stop, self.step = start, stop, step


def range_(*args):
    """`range`, also of tensors."""
    if not any(map(is_traced, args)):
        return range(*args)
    start, stop, step = (0, args[0], 1) if len(args) == 1 else (*args, 1)[:3]
    for x in (start, stop, step):
        if isinstance(x, Tensor) and (x.ndim or x.dtype.np_dtype.kind not in "iu"):
            raise TypeError(f"'range' needs integers, but got Tensor[{x.dtype}]{x.shape}.")
    if type(step) is int and step == 0:
        raise ValueError("range() arg 3 must not be zero")
    return Range(start, stop, step)


def count_kernel(start, stop, step):
    """Length of a range."""
    start, stop, step = (jnp.asarray(x, jnp.int64) for x in (start, stop, step))
    up = (stop - start + step - 1) // jnp.where(step == 0, 1, step)
    down = (start - stop - step - 1) // jnp.where(step == 0, 1, -step)
    return jnp.maximum(jnp.where(step > 0, up, down), 0)


def item_kernel(start, step, index):
    """An element of a range, which follows Python's promotion as a Python int does."""
    return _number(start) + _number(step) * _number(index)


def _number(x):
    return x if isinstance(x, int) or getattr(x, "weak_type", False) else jnp.asarray(0).at[()].set(x)


def row_kernel(x, index):
    """A slice along the first axis."""
    return lax.dynamic_index_in_dim(x, index, keepdims=False)


def less_kernel(x, y):
    """x < y."""
    return jnp.less(x, y)


def successor_kernel(x):
    """x + 1."""
    return x + 1


# Statements ----------------------------------------------------------------------------------------------------------


def while_stmt(test, body, get_state, set_state, symbol_names, opts):
    """A `while` statement in functional form."""
    while True:
        condition = truth(test())
        if is_traced(condition):
            break
        if not condition:
            return
        body()
    _dynamic(condition, test, body, Variables(get_state, set_state, symbol_names), None)


def for_stmt(iterated, extra_test, body, get_state, set_state, symbol_names, opts):
    """A `for` statement in functional form; `extra_test` is false once `break` or `return` was reached."""
    if isinstance(iterated, Range):
        length = apply(count_kernel, (iterated.start, iterated.stop, iterated.step))
        _indexed(iterated, length, extra_test, body, get_state, set_state, symbol_names)
    elif isinstance(iterated, Tensor) and iterated.ndim:
        _known(iterated, iterated.shape[0], extra_test, body, get_state, set_state, symbol_names)
    elif isinstance(iterated, range):
        _known(iterated, len(iterated), extra_test, body, get_state, set_state, symbol_names)
    else:
        _unrolled(iter(iterated), extra_test, body, get_state, set_state, symbol_names)


def _item(iterated, index):
    if isinstance(iterated, Range):
        return apply(item_kernel, (iterated.start, iterated.step, index))
    if isinstance(iterated, range):
        return apply(item_kernel, (iterated.start, iterated.step, index)) if is_traced(index) else iterated[index]
    return apply(row_kernel, (iterated, index)) if is_traced(index) else iterated[index]


def _known(iterated, length, extra_test, body, get_state, set_state, symbol_names):
    """A loop of known length: unrolled if it is short or its plain trace needs nothing else, else a scan."""
    start = 0
    while start < length:
        flag = True if extra_test is None else truth(extra_test())
        if not is_traced(flag) and not flag:
            return
        dynamic = is_traced(flag)
        # plain tracing would unroll; only a long rest of a loop that may end early is worth a loop of its own
        if dynamic and length - start > _UNROLL and _scanned(iterated, start, length, flag, extra_test, body, get_state, set_state, symbol_names):
            return
        index = start
        if dynamic:
            branch.if_stmt(flag, lambda i=index: body(_item(iterated, i)), lambda: None, get_state, set_state, symbol_names, len(symbol_names))
        else:
            body(_item(iterated, index))
        start += 1


def _scanned(iterated, start, length, flag, extra_test, body, get_state, set_state, symbol_names):
    state, root = get_state(), local.state.scope.root
    failed = root.failed
    try:
        _indexed(iterated, length, extra_test, body, get_state, set_state, symbol_names, start, flag)
    except (ConversionError, TracedValueError):
        set_state(state)
        root.failed = failed
        return False
    return True


def _unrolled(iterator, extra_test, body, get_state, set_state, symbol_names):
    for item in iterator:
        flag = True if extra_test is None else truth(extra_test())
        if is_traced(flag):
            branch.if_stmt(flag, lambda x=item: body(x), lambda: None, get_state, set_state, symbol_names, len(symbol_names))
        elif flag:
            body(item)
        else:
            break


def _indexed(iterated, length, extra_test, body, get_state, set_state, symbol_names, start=0, flag=None):
    """A loop over an index that is a traced number."""
    scope = local.state.scope
    array = jnp.asarray(start)
    index = [wrap(Value(array, aval_of(array.shape, array.dtype), scope))]

    def get_all():
        return (index[0], *get_state())

    def set_all(state):
        index[0] = state[0]
        set_state(state[1:])

    def step():
        body(_item(iterated, index[0]))
        index[0] = apply(successor_kernel, (index[0],))

    def more():
        return True if extra_test is None else extra_test()

    if isinstance(length, int):
        _dynamic(flag, more, step, Variables(get_all, set_all, ("<index>", *symbol_names)), length - start)
        return

    def test():
        inside = apply(less_kernel, (index[0], length))
        return inside if extra_test is None else and_(lambda: inside, extra_test)

    condition = truth(test())
    if is_traced(condition):
        _dynamic(condition, test, step, Variables(get_all, set_all, ("<index>", *symbol_names)), None)
    elif condition:
        raise ConversionError("a loop on a tensor has a condition that is not a tensor.")


# The loop itself -----------------------------------------------------------------------------------------------------


def _dynamic(condition, test, body, variables, length):
    """Run `body(); condition = test()` while the traced `condition` is true, at most `length` times if that is known."""
    flag = [condition]  # carried like a variable

    def set_all(state):
        flag[0] = state[0]
        variables.set(state[1:])

    def thunk():
        body()
        flag[0] = truth(test())

    everything = Variables(lambda: (flag[0], *variables.get()), set_all, ("<condition>", *variables.names))
    _Loop(thunk, everything).run(length)


class _Loop:
    """One loop: `kinds` of what it carries, descriptions of that before the loop (`start`) and after an iteration (`end`), the traced `piece`."""

    def __init__(self, thunk, variables):
        place = where()
        self.place = f"{place}: " if place else ""
        self.thunk, self.variables, self.initial = thunk, variables, variables.get()
        keys = variables.keys()
        self.names = dict(zip(keys, variables.names, strict=True))
        self.start = {key: kinds.describe(content) for key, content in zip(keys, self.initial, strict=True)}
        self.kinds = {key: Fixed(content) for key, content in zip(keys, self.initial, strict=True)}
        self.slots = {}
        for _ in range(_MAX_ATTEMPTS):
            before = self.kinds
            self._attempt()
            if self.kinds == before:
                break
        else:
            raise ConversionError(f"{self.place}the variables of this loop on a tensor have another type in each iteration.")

    def _attempt(self):
        """Trace the body with what is carried so far; what else it changes is carried from now on."""
        entered = {}

        def entry(tensors):
            contents = pieces.put_all(self.kinds, self.names, self.slots, self.variables, self.initial, tensors, [self.start])
            entered.update({key: kinds.describe(content) for key, content in contents.items()})

        arguments = [s for kind in self.kinds.values() for s in kinds.structs(kind)]
        try:
            piece = self.piece = Piece("a loop", self.thunk, self.variables, entry, arguments, self.place)
        except UserRaise as raised:
            raise ConversionError(f"{self.place}a loop on a tensor raises {type(raised.error).__name__} in its body.") from raised.error
        carried = dict(self.kinds)
        for key, slot in piece.slots.items():
            if key not in self.slots:
                self.slots[key], self.names[key] = slot, slot.name
                self.start[key] = entered[key] = piece.before[key]
                carried[key] = Fixed(kinds.object_of(piece.before[key]))
        self.end = {**entered, **piece.contents}
        for key in self.slots:
            if key[0] == "handle" and carried[key].__class__ is not Fixed and entered[key].value is self.end[key].value:
                raise ConversionError(f"{self.place}{self.names[key]} is changed through different names in a loop on a tensor: use one name for it.")
        self.kinds = pieces.join_sides(self.names, [entered, self.end], carried, self.place)
        for key in self.slots:
            if self.kinds[key].__class__ is kinds.Broken:
                raise ConversionError(self.kinds[key].message)

    def run(self, length):
        """The loop as one operation."""
        piece, kinds_, effects, forward = self.piece, self.kinds, bool(self.piece.closed.effects), _is_forward(local.state.scope)
        inputs, ids = pieces.inputs_of([*piece.inputs(), *pieces.outside_inputs(kinds_, self.end), *pieces.outside_inputs(kinds_, self.start)])

        def run(*arrays):
            known = dict(zip(ids, arrays, strict=True))

            def step(carry):
                return pieces.emit_all(kinds_, self.end, piece.reader(piece.call(known, carry), known))

            init = pieces.emit_all(kinds_, self.start, lambda leaf: known[id(leaf.value)])
            if length is not None:
                return _scan(step, init, length)
            if forward or (effects and not is_muted()):
                return lax.while_loop(lambda carry: carry[0], step, init)
            return loop(step, init)

        tensors = apply_closure(run, inputs)
        pieces.put_all(kinds_, self.names, self.slots, self.variables, self.initial, tensors, [self.start, self.end])


def _scan(step, init, length):
    def once(carry, _):
        return lax.cond(carry[0], step, lambda c: c, carry), None

    return lax.scan(once, init, None, length=length)[0]


def _is_forward(scope):
    while scope is not None:
        if getattr(scope, "forward", False):
            return True
        scope = scope.parent
    return False


__all__ = ["Range", "for_stmt", "range_", "while_stmt"]
