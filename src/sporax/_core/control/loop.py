"""`while` and `for` on tensors.

A loop's Python runs until its condition is a tensor; from there on the body is a piece. What it carries is found by tracing it until the kinds
of its slots no longer change: first everything is taken as fixed, and what an iteration changes is carried in the next attempt. The
condition is part of the body: it is computed before the loop, and then at the end of each iteration, so what it changes or prints counts.

A loop of known length is a `lax.scan`, a loop of unknown length `reverse.loop`. A `for` of few iterations is unrolled, as in plain tracing.
"""

import jax
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
    place = where()
    place = f"{place}: " if place else ""
    flag = [condition]
    full = Variables(
        lambda: (flag[0], *variables.get()),
        lambda state: (flag.__setitem__(0, state[0]), variables.set(state[1:])),
        ("<condition>", *variables.names),
    )

    def thunk():
        body()
        flag[0] = truth(test())

    initial = full.get()
    keys = full.keys()
    names = dict(zip(keys, full.names, strict=True))
    slots: dict = {}
    start = {key: kinds.describe(content) for key, content in zip(keys, initial, strict=True)}
    olds = {key: Fixed(content) for key, content in zip(keys, initial, strict=True)}
    for _ in range(_MAX_ATTEMPTS):
        entered: dict = {}

        def entry(tensors):
            contents = pieces.put_all(olds, names, slots, full, initial, tensors, [start])
            entered.update({key: kinds.describe(content) for key, content in contents.items()})

        arguments = [s for kind in olds.values() for s in kinds.structs(kind)]
        try:
            piece = Piece("a loop", thunk, full, entry, arguments, place)
        except UserRaise as raised:
            raise ConversionError(f"{place}a loop on a tensor raises {type(raised.error).__name__} in its body.") from raised.error
        for key, slot in piece.slots.items():
            if key not in slots:
                slots[key], names[key], start[key] = slot, slot.name, piece.before[key]
                olds[key], entered[key] = _fixed(piece.before[key]), piece.before[key]
        out = {**entered, **piece.contents}
        new = pieces.join_sides(names, [entered, out], olds, place)
        for key in slots:
            if key[0] == "handle" and olds[key].__class__ is not Fixed and entered[key].value is out[key].value:
                raise ConversionError(f"{place}{names[key]} is changed through different names in a loop on a tensor: use one name for it.")
        if new == olds:
            break
        olds = new
    else:
        raise ConversionError(f"{place}the variables of this loop on a tensor have another type in each iteration.")
    for key in slots:
        if olds[key].__class__ is kinds.Broken:
            raise ConversionError(olds[key].message)
    pairs = [*piece.inputs(), *pieces.outside_inputs(olds, out, {}), *pieces.outside_inputs(olds, start, {})]
    inputs, ids = pieces.inputs_of(pairs)
    effects = bool(piece.closed.effects)
    forward = _is_forward(local.state.scope)

    def run(*arrays):
        known = dict(zip(ids, arrays, strict=True))

        def read_start(leaf):
            return known[id(leaf.value)]

        def step(carry):
            return pieces.emit_all(olds, out, piece.reader(piece.call(known, carry), known))

        init = pieces.emit_all(olds, start, read_start)
        if length is not None:
            return _scan(step, init, length)
        if forward or (effects and not is_muted()):
            return lax.while_loop(lambda carry: carry[0], step, init)
        return loop(step, init)

    tensors = apply_closure(run, inputs)
    # the condition is no variable of the program
    pieces.put_all(olds, names, slots, full, initial, tensors, [start, out])


def _fixed(description):
    return Fixed(description.obj)


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


__all__ = ["Range", "for_stmt", "jax", "range_", "while_stmt"]
