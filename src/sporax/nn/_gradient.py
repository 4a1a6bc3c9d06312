"""Gradients of a Cell that go another way than through its ops: a `bprop` of its own, and hooks on the gradients at its border.

Both are nodes on the tape with a rule. Where no tape sees the call but the trace may be differentiated later as a whole (a compiled
function that is called under a tape), the trace is marked, and such a call then runs op by op instead.
"""

import inspect

from sporax._core import tree
from sporax._core.dispatch import apply
from sporax._core.errors import OwnGradientError, describe
from sporax._core.recompute import checkpointed
from sporax._core.state import hidden_tapes, local
from sporax._core.tape import identity, note, zeros_like
from sporax._core.tensor import Tensor, wrap
from sporax._kernels.array import broadcast_to
from sporax._kernels.math import cast_to


def _mark_trace(cell):
    """No tape is active: tell the trace in progress, if any, that JAX cannot differentiate it as a whole."""
    scope = local.state.scope
    if scope is None:
        return
    scope.root.own_gradients = True
    while scope.parent is not None:
        if scope._outside[1]:
            raise OwnGradientError(f"'{type(cell).__name__}' has")
        scope = scope.parent


def _fresh(leaves):
    """New versions of the same arrays, of which no tape knows where they come from."""
    with hidden_tapes():
        return [apply(identity, (t,)) for t in leaves]


def recomputed(cell, function):
    """`function` whose intermediate results a compiled step gives up and computes again."""

    def call(*args, **kwargs):
        try:
            return checkpointed(type(cell).__name__, function, args, kwargs)
        except OwnGradientError:
            # a gradient of its own decides for itself what is kept
            return function(*args, **kwargs)

    return call


# bprop -----------------------------------------------------------------------------------------------------------------


def with_bprop(cell, function):
    """`function` with `cell.bprop` as its derivative."""

    def call(*args, **kwargs):
        args = bound(cell, function, args, kwargs)
        state = local.state
        if not state.tapes:
            _mark_trace(cell)
            return function(*args)
        tapes = state.tapes
        with hidden_tapes():
            out = function(*args)
        leaves: list = []
        spec = tree.flatten(args, leaves)
        saved = tree.unflatten(spec, iter([wrap(t._value) for t in leaves]))
        out_leaves: list = []
        out_spec = tree.flatten(out, out_leaves)
        values = [t._value for t in _fresh(out_leaves)]
        params = [p for p in cell.get_parameters() if p.requires_grad]
        inputs = [t._value for t in (*leaves, *params)]

        def rule(cotangents):
            dout = [zeros_like(v) if c is None else c for c, v in zip(cotangents, values, strict=True)]
            result = cell.bprop(*saved, tree.unflatten(out_spec, iter([wrap(v) for v in values])), tree.unflatten(out_spec, iter(dout)))
            return _gradients_of(cell, saved, params, result)

        note(tapes, identity, inputs, values, {}, rule=rule)
        return tree.unflatten(out_spec, iter([wrap(v) for v in values]))

    return call


def bound(cell, function, args, kwargs):
    """The arguments of `construct` by position, with defaults, which is how `bprop` takes them."""
    signature = cell._construct_signature
    if signature is None:
        signature = cell.__dict__["_construct_signature"] = inspect.signature(cell.construct)
    try:
        given = signature.bind(*args, **kwargs)
    except TypeError:
        function(*args, **kwargs)  # raises Python's own error
        raise
    given.apply_defaults()
    if given.kwargs:
        raise TypeError(
            f"For '{type(cell).__name__}', construct takes keyword-only arguments {sorted(given.kwargs)}, which 'bprop' cannot receive: "
            "make them positional."
        )
    return given.args


def _gradients_of(cell, args, params, result):
    """One gradient (or None) for each tensor in `args`, then for each Parameter, from what `bprop` returned."""
    name = type(cell).__name__
    by_param = {}
    if isinstance(result, tuple) and len(result) == 2 and isinstance(result[0], tuple) and isinstance(result[1], dict):
        result, by_param = result
    if not isinstance(result, tuple | list) or (len(args) == 1 and len(result) != 1 and isinstance(args[0], tuple | list)):
        result = (result,)
    if len(result) < len(args):
        raise RuntimeError(
            f"For '{name}', 'bprop' should return a tuple with a gradient for each of the {len(args)} inputs of construct, "
            f"but it returned {len(result)}."
        )
    gradients = []
    for i, (x, g) in enumerate(zip(args, result, strict=False)):
        targets: list = []
        tree.flatten(x, targets)
        given: list = []
        tree.flatten(g, given)
        if targets and given and len(given) != len(targets):
            raise RuntimeError(
                f"For '{name}', the gradient of input {i} that 'bprop' returned has {len(given)} tensors, but the input has {len(targets)}."
            )
        gradients += [_fitted(name, i, t, c) for t, c in zip(targets, given, strict=True)] if given else [None] * len(targets)
    return gradients + [_fitted(name, p.name, p, by_param[p]) if p in by_param else None for p in params]


def _fitted(name, which, target, gradient):
    if gradient.shape != target.shape:
        try:
            gradient = apply(broadcast_to, (gradient,), shape=target.shape)
        except (TypeError, ValueError):
            raise RuntimeError(
                f"For '{name}', the gradient of input {which} that 'bprop' returned is {describe(gradient)}, but the input is {describe(target)}."
            ) from None
    return gradient if gradient.dtype is target.dtype else apply(cast_to, (gradient,), dtype=target.dtype.np_dtype)


# Hooks -----------------------------------------------------------------------------------------------------------------


class Border:
    """The input and output border of one call of a Cell, where gradient hooks look."""

    def __init__(self, cell, backward_pre, backward):
        self.cell, self.backward_pre, self.backward = cell, backward_pre, backward
        self.inputs, self.of_output = 0, None
        self.tapes: tuple = local.state.tapes
        if not self.tapes:
            _mark_trace(cell)

    def enter(self, args):
        """The arguments, as versions whose gradients pass the hooks."""
        leaves: list = []
        spec = tree.flatten(args, leaves)
        self.inputs, self.noted = len(leaves), set()
        if not self.tapes or not leaves:
            return args
        fresh = _fresh(leaves)
        values = [t._value for t in fresh]
        for tape in self.tapes:
            before = len(tape.nodes)
            note((tape,), identity, [t._value for t in leaves], values, {}, rule=self._input_gradients)
            if len(tape.nodes) > before:
                self.noted.add(id(tape))
        return tree.unflatten(spec, iter(fresh))

    def leave(self, out):
        """The outputs, as versions whose gradients pass the hooks."""
        leaves: list = []
        spec = tree.flatten(out, leaves)
        if not self.tapes or not leaves:
            return out
        fresh = _fresh(leaves)
        values = [t._value for t in fresh]
        for tape in self.tapes:
            # inputs that the tape does not watch have no gradient: the hooks are told at once
            rule = self._output_gradients if id(tape) in self.noted else self._output_gradients_only
            note((tape,), identity, [t._value for t in leaves], values, {}, rule=rule)
        return tree.unflatten(spec, iter(fresh))

    def _output_gradients(self, gradients):
        gradients = tuple(gradients)
        for hook in self.backward_pre():
            gradients = _replaced("pre hook", "output", gradients, hook(self.cell, gradients))
        self.of_output = gradients
        return gradients

    def _output_gradients_only(self, gradients):
        gradients = self._output_gradients(gradients)
        for hook in self.backward():
            hook(self.cell, (None,) * self.inputs, self.of_output)
        return gradients

    def _input_gradients(self, gradients):
        gradients = tuple(gradients)
        for hook in self.backward():
            gradients = _replaced("hook", "grad input", gradients, hook(self.cell, gradients, self.of_output))
        return gradients


def _replaced(kind, what, before, after):
    if after is None:
        return before
    after = tuple(after) if isinstance(after, tuple | list) else (after,)
    if len(after) != len(before):
        raise TypeError(
            f"The backward {kind} return value size is {len(after)} not equal to expect {what} size {len(before)}: "
            f"return None, or a tuple of {len(before)} gradients."
        )
    for b, a in zip(before, after, strict=True):
        if not isinstance(a, Tensor) and not (a is None and b is None):
            raise TypeError(f"The backward {kind} should return None or tensors, but got {a!r} of type {type(a).__name__}.")
    return after
