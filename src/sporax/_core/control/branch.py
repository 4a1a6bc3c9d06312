"""`if` statements, conditional expressions, `and`, `or` and `not` on tensors."""

import jax
import jax.numpy as jnp

from sporax._core.control import kinds, pieces
from sporax._core.control.alarms import alarm
from sporax._core.control.errors import where
from sporax._core.control.kinds import PartialValue, Undefined, is_traced
from sporax._core.control.pieces import Piece, UserRaise, Variables
from sporax._core.dispatch import apply, apply_closure
from sporax._core.tensor import Tensor


def truth_kernel(x):
    """Whether the only element is not zero."""
    return x.reshape(()) != 0


def not_kernel(x):
    """The opposite of a truth value."""
    return jnp.logical_not(x)


def and_kernel(x, y):
    """Whether both are true."""
    return jnp.logical_and(x, y)


def or_kernel(x, y):
    """Whether one is true."""
    return jnp.logical_or(x, y)


# Facts: what else is known where a condition is true or false -------------------------------------------------------


def facts(condition, truth):
    """[(flag value, bool)] that hold where `condition` has this truth."""
    if not isinstance(condition, Tensor):
        return []
    return [(condition._value, truth), *condition.__dict__.get("_facts", ([], []))[not truth]]


def _with_facts(t, when_true, when_false):
    t.__dict__["_facts"] = (when_true, when_false)
    return t


def refined(state, known):
    """A state where these flags are known."""
    known = list(known)
    for content in state:
        if isinstance(content, PartialValue):
            # its flags decide the same thing, so one tells the others
            for value, truth in known:
                exists = [truth is wanted for flag, wanted in content.when if flag is value]
                if exists:
                    known += [(flag, wanted is exists[0]) for flag, wanted in content.when if flag is not value]
                    break
    return tuple(_refine(content, known) for content in state)


def _refine(content, known):
    if isinstance(content, PartialValue):
        for value, truth in known:
            for flag, wanted in content.when:
                if flag is value:
                    return content.content if truth is wanted else Undefined(content.symbol_name)
    elif isinstance(content, Tensor):
        for value, truth in known:
            if content._value is value:
                return truth
    return content


def truth(x):
    """A condition as a Python bool or a traced 0-d bool tensor."""
    if not is_traced(x):
        return bool(x)
    if x.size != 1:
        return bool(x)  # raises, or False for an empty one
    if _is_truth(x):
        return x
    return _with_facts(apply(truth_kernel, (x,)), *x.__dict__.get("_facts", ([], [])))


# Operators -----------------------------------------------------------------------------------------------------------


def if_stmt(cond, body, orelse, get_state, set_state, symbol_names, nouts):
    """An `if` statement in functional form: the branches assign the variables that get_state/set_state stand for."""
    cond = truth(cond)
    if not is_traced(cond):
        body() if cond else orelse()
        return
    place = where()
    place = f"{place}: " if place else ""
    variables = Variables(get_state, set_state, symbol_names)
    initial = variables.get()

    def side(thunk, value):
        known = facts(cond, value)
        state = refined(initial, known)
        return Piece("an `if`", thunk, variables, lambda _: variables.set(state), place=place, known=known)

    try:
        first = side(body, True)
    except UserRaise as raised:
        alarm(not_(cond), raised.error)
        _inline(orelse, variables, initial, facts(cond, False))
        return
    try:
        second = side(orelse, False)
    except UserRaise as raised:
        alarm(cond, raised.error)
        _inline(body, variables, initial, facts(cond, True))
        return
    names = dict(zip(variables.keys(), variables.names, strict=True))
    slots = {**first.slots, **second.slots}
    before = {**first.before, **second.before}
    names.update({key: slot.name for key, slot in slots.items()})
    sides = [{**before, **p.contents} for p in (first, second)]
    false = dict(facts(cond, False))
    flags = [(value, truth) for value, truth in facts(cond, True) if false.get(value) is (not truth)]
    result = pieces.join_sides(names, sides, place=place, flags=flags)
    for key in slots:
        if result[key].__class__ is kinds.Broken:
            raise kinds.ConversionError(result[key].message)
    pairs = [*first.inputs(), *second.inputs()]
    for contents in sides:
        pairs += pieces.outside_inputs(result, contents)
    inputs, ids = pieces.inputs_of(pairs)

    def select(predicate, *arrays):
        known = dict(zip(ids, arrays, strict=True))

        def branch(piece, contents):
            return lambda: pieces.emit_all(result, contents, piece.reader(piece.call(known), known))

        return jax.lax.cond(predicate, branch(first, sides[0]), branch(second, sides[1]))

    tensors = apply_closure(select, [cond, *inputs])
    pieces.put_all(result, names, slots, variables, initial, tensors, sides)


def _inline(thunk, variables, initial, known):
    variables.set(refined(initial, known))
    thunk()


def if_exp(cond, if_true, if_false, expr_repr):
    """`if_true() if cond else if_false()`."""
    cond = truth(cond)
    if not is_traced(cond):
        return if_true() if cond else if_false()
    cell = [Undefined("a conditional expression")]

    def set_state(state):
        cell[0] = state[0]

    def assign(thunk):
        return lambda: set_state((thunk(),))

    if_stmt(cond, assign(if_true), assign(if_false), lambda: (cell[0],), set_state, ("a conditional expression",), 1)
    return read(cell[0])


def read(x):
    """The content of a variable; an error if it has none."""
    return x.read() if isinstance(x, Undefined) else x


def not_(x):
    """`not x`."""
    if not is_traced(x):
        return not x
    x = truth(x)
    if not is_traced(x):
        return not x
    return _with_facts(apply(not_kernel, (x,)), facts(x, False), facts(x, True))


def _is_truth(x):
    return type(x) is bool or (isinstance(x, Tensor) and x.ndim == 0 and x._value.aval.dtype == bool)


def _both_truths(a, b, name):
    """The value of `b()` where `a` and it are truth values and it has no effects; else None."""
    if not _is_truth(a):
        return None
    cell = [None]

    def set_state(state):
        cell[0] = state[0]

    variables = Variables(lambda: (cell[0],), set_state, (name,))
    try:
        piece = Piece(f"`{name}`", lambda: set_state((b(),)), variables, lambda _: None)
    except UserRaise:
        return None
    if piece.slots or piece.closed.effects or not _is_truth(cell_content(piece)):
        return None
    return b()


def cell_content(piece):
    """The only variable's content at the end of a piece."""
    return getattr(piece.contents["variable", 0], "obj", None)


def and_(a, b):
    """`a() and b()`."""
    first = a()
    if not is_traced(first) or first.size != 1:
        return first and b()
    second = _both_truths(first, b, "and")
    if second is None:
        return if_exp(first, b, lambda: first, "and")
    if type(second) is bool:
        return first if second else second
    return _with_facts(apply(and_kernel, (first, second)), facts(first, True) + facts(second, True), [])


def or_(a, b):
    """`a() or b()`."""
    first = a()
    if not is_traced(first) or first.size != 1:
        return first or b()
    second = _both_truths(first, b, "or")
    if second is None:
        return if_exp(first, lambda: first, b, "or")
    if type(second) is bool:
        return second if second else first
    return _with_facts(apply(or_kernel, (first, second)), [], facts(first, False) + facts(second, False))
