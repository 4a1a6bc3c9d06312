"""Reverse-mode derivatives of functions: `grad`, `value_and_grad`, `vjp`, and the older `GradOperation`.

All of them run the function once under a tape and pull cotangents back. In GRAPH_MODE the outermost one is compiled as a whole.
"""

from typing import Any

from sporax._core import context, control, hooks, tree
from sporax._core.compile import compiled
from sporax._core.dispatch import apply
from sporax._core.errors import describe
from sporax._core.parameter import Parameter
from sporax._core.state import hidden_tapes, local
from sporax._core.tape import backward, identity, recording, seed_like, zeros_like
from sporax._core.tape import stop_gradient as _stop_gradient_kernel
from sporax._core.tensor import Tensor, wrap


class _Inputs:
    """The arguments of one call, with a fresh value in each differentiated position.

    Positions are what is differentiated, not objects: the same tensor passed twice has a gradient of its own in each place.
    """

    def __init__(self, name, args, kwargs, positions):
        self.args, self.kwargs, self.roots, self.specs, self.originals = list(args), dict(kwargs), [], {}, []
        names = list(self.kwargs)
        count = len(self.args) + len(names)
        for p in positions:
            if p >= count:
                raise IndexError(f"For '{name}', grad_position {p} is out of range: the function was called with {count} input{'s' * (count != 1)}.")
            place, key = (self.args, p) if p < len(self.args) else (self.kwargs, names[p - len(self.args)])
            leaves: list = []
            spec = tree.flatten(as_tensors(place[key]), leaves)
            if not leaves:
                raise TypeError(
                    f"For '{name}', input {p} is {place[key]!r} of type {type(place[key]).__name__}: only tensors and numbers have gradients."
                )
            fresh = [apply(identity, (t,)) for t in leaves]
            place[key] = tree.unflatten(spec, iter(fresh))
            self.specs[p] = (spec, len(leaves))
            self.roots += [t._value for t in fresh]
            self.originals += leaves


def as_tensors(x) -> Any:
    """Numbers and NumPy arrays as Tensors, also inside containers."""
    if isinstance(x, Tensor):
        return x
    if isinstance(x, bool) or x is None or isinstance(x, str):
        return x
    if isinstance(x, int | float):
        return Tensor(float(x))
    if isinstance(x, complex) or hasattr(x, "__array__"):
        return Tensor(x)
    if isinstance(x, tuple | list):
        items = [as_tensors(y) for y in x]
        return items if isinstance(x, list) else type(x)(*items) if hasattr(x, "_fields") else tuple(items)
    if isinstance(x, dict):
        return {k: as_tensors(v) for k, v in x.items()}
    return x


def _check_positions(name, position):
    if position is None:
        return None
    if (
        isinstance(position, bool)
        or not isinstance(position, int | tuple)
        or (isinstance(position, tuple) and any(type(p) is not int for p in position))
    ):
        raise TypeError(f"For '{name}', 'grad_position' must be int or tuple of int, but got {position!r} of type {type(position).__name__}.")
    positions = (position,) if isinstance(position, int) else position
    if not positions:
        raise ValueError(f"For '{name}', 'grad_position' should not be empty: name the inputs to differentiate, or use None with 'weights'.")
    if any(p < 0 for p in positions):
        raise ValueError(f"For '{name}', grad_position must be >= 0, but got {position}.")
    if len(set(positions)) != len(positions):
        raise ValueError(f"There are duplicate positions in `grad_position`: {position}.")
    return positions


def _check_weights(name, weights):
    """The Parameters to differentiate, and whether one bare Parameter was given."""
    if weights is None:
        return None, False
    if isinstance(weights, Parameter):
        return (weights,), True
    if not isinstance(weights, list | tuple):
        if hasattr(weights, "__next__") or hasattr(weights, "keys"):
            raise TypeError(
                f"For '{name}', 'weights' should be a Parameter or a list or tuple of them, but got {type(weights).__name__}: wrap it in list(...)."
            )
        raise TypeError(
            f"For '{name}', 'weights' should be a Parameter or a list or tuple of them, but got {weights!r} of type {type(weights).__name__}."
        )
    for w in weights:
        if not isinstance(w, Parameter):
            raise TypeError(f"For '{name}', each of 'weights' should be a Parameter, but got {type(w).__name__}.")
    return tuple(weights), False


def _roots_of(weights):
    """The present values of Parameters, which a trace in progress then knows as its inputs."""
    scope = local.state.scope
    if scope is not None:
        for w in weights:
            scope.read(w)
    return [w._value for w in weights]


class GradFunction:
    """A function that computes another function's gradients, and perhaps its value."""

    def __init__(self, name, fn, positions, weights, *, has_aux=False, return_ids=False, sens_param=False, with_value=False, single=None):
        if not callable(fn):
            raise TypeError(f"For '{name}', 'fn' should be callable, but got {fn!r} of type {type(fn).__name__}.")
        for key, flag in (("has_aux", has_aux), ("return_ids", return_ids), ("sens_param", sens_param)):
            if not isinstance(flag, bool):
                raise TypeError(f"For '{name}', '{key}' should be a bool, but got {flag!r} of type {type(flag).__name__}.")
        self.name, self.fn, self.positions = name, fn, _check_positions(name, positions)
        self.weights, self.bare_weight = _check_weights(name, weights)
        if self.positions is None and self.weights is None:
            raise ValueError(f"For '{name}', `grad_position` and `weights` can not be None at the same time: nothing would be differentiated.")
        # one position gives a bare gradient, whether it was written 0 or (0,)
        self.single = (self.positions is not None and len(self.positions) == 1) if single is None else single
        self.has_aux, self.return_ids, self.sens_param, self.with_value = has_aux, return_ids, sens_param, with_value
        self.__name__ = f"{name}({getattr(fn, '__name__', type(fn).__name__)})"

    def __call__(self, *args, **kwargs) -> Any:
        state = local.state
        if state.scope is None and not state.tapes:
            if context.get_context("mode") == context.GRAPH_MODE:
                for p in self.positions or ():
                    if p < len(args) and not isinstance(args[p], Tensor):
                        args = (*args[:p], as_tensors(args[p]), *args[p + 1 :])
                settings = (self.name, self.positions, self.single, self.bare_weight, self.has_aux, self.return_ids, self.sens_param, self.with_value)
                weights = None if self.weights is None else tuple(map(id, self.weights))
                return compiled(self._run, self.__name__, of=self.fn, settings=(settings, weights))(args, kwargs)
            if state.block.wrote_parameter:
                # a training loop without an optimizer object: each step is a block of its own
                state.block.flush()
        return self._run(*args, **kwargs)

    def _run(self, *args, **kwargs):
        sens = None
        if self.sens_param:
            if not args:
                raise ValueError(
                    f"For '{self.name}' with sens_param=True, the last argument should be the gradient of the output, but there is none."
                )
            *args, sens = args
        inputs = _Inputs(self.name, args, kwargs, self.positions or ())
        scope = local.state.scope
        weights = self.weights or ()
        roots = [*inputs.roots, *_roots_of(weights)]
        if self.single and self.positions and inputs.roots and not any(v.aval.inexact for v in inputs.roots):
            context.warn_once(
                ("integer", getattr(self.fn, "__code__", None)),
                f"'{self.name}' is asked for the gradient of input {self.positions[0]}, which is {describe(inputs.roots[0])}: integers have no gradient, so it is "
                "zero. Give the input as float32, or use grad_position=None with 'weights'.",
                stacklevel=4,
            )
        fn = control.convert(self.fn) if scope is not None and scope.root.convert else self.fn
        with recording(roots) as tape:
            out = fn(*inputs.args, **inputs.kwargs)
        main = out
        if self.has_aux:
            if not isinstance(out, tuple) or len(out) < 2:
                raise ValueError(
                    f"When has_aux is True, origin fn requires more than one outputs: '{self.name}' got {_kind(out)}. Return (loss, other, ...)."
                )
            main = out[0]
        elif isinstance(out, tuple | list) and len(out) > 1 and sens is None:
            context.warn_once(
                ("sum of outputs", getattr(self.fn, "__code__", None)),
                f"'{self.name}' differentiates the sum of all {len(out)} outputs of the function. If the first is the loss and "
                "the others are results, use has_aux=True.",
                stacklevel=4,
            )
        gradients = pull(self.name, tape, main, sens, roots)
        gradients = [zeros_like(v) if g is None else g for g, v in zip(gradients, roots, strict=True)]
        n = len(inputs.roots)
        for i, t in enumerate((*inputs.originals, *weights)):
            for hook in hooks.of(t):
                replaced = hook(gradients[i])
                gradients[i] = gradients[i] if replaced is None else replaced
        result = self._structure(inputs, gradients[:n], gradients[n:])
        if self.with_value:
            return out, result
        return (result, tuple(out[1:])) if self.has_aux else result

    def _structure(self, inputs, by_input, by_weight):
        parts = []
        if self.positions is not None:
            leaves = iter(by_input)
            grads = [tree.unflatten(inputs.specs[p][0], leaves) for p in self.positions]
            if self.return_ids:
                grads = list(zip(self.positions, grads, strict=True))
            parts.append(grads[0] if self.single else tuple(grads))
        if self.weights is not None:
            grads = list(by_weight)
            if self.return_ids:
                grads = [(w.name, g) for w, g in zip(self.weights, grads, strict=True)]
            parts.append(grads[0] if self.bare_weight else tuple(grads))
        return parts[0] if len(parts) == 1 else tuple(parts)


def rest_of(out):
    """What comes with the first output: one thing bare, more as a tuple."""
    return out[1] if len(out) == 2 else tuple(out[1:])


def _kind(out):
    return f"{len(out)} output" if isinstance(out, tuple | list) else f"one {type(out).__name__}"


def pull(name, tape, out, sens, roots):
    """Gradients of the roots for cotangents `sens` (default ones) of the tensors in `out`."""
    leaves: list = []
    tree.flatten(out, leaves)
    if sens is None:
        seeds = [(t._value, None) for t in leaves]
    else:
        given: list = []
        tree.flatten(as_tensors(sens), given)
        if len(given) != len(leaves):
            raise ValueError(f"For '{name}', the function has {len(leaves)} outputs, but {len(given)} gradients of outputs were given.")
        seeds = [(t._value, g) for t, g in zip(leaves, given, strict=True)]
    ready = []
    for value, cotangent in seeds:
        if id(value) not in tape.live or not value.aval.inexact:
            continue
        if cotangent is None:
            cotangent = seed_like(value)
        elif cotangent.shape != value.aval.shape:
            raise ValueError(f"For '{name}', the gradient of an output should have its shape {value.aval.shape}, but got {cotangent.shape}.")
        ready.append((value, cotangent))
    return backward(tape, ready, roots)


def gradients_of(forward, weights):
    """Run `forward()` once and differentiate several of its results.

    Args:
        forward: a function that returns (a list of Tensors of shape (), anything else).
        weights: Parameters.

    Returns:
        What `forward` returned, and for each Tensor of the list a list with the gradient of each weight, None where it isn't reached.
    """
    roots = _roots_of(weights)
    with recording(roots) as tape:
        out = forward()
    return out, [pull("gradients_of", tape, value, None, roots) for value in out[0]]


def grad(fn, grad_position: int | tuple | None = 0, weights=None, has_aux=False, return_ids=False, sens_param=False):
    """A function that computes gradients of `fn`: of its output, or of the sum of all elements of all its outputs.

    Args:
        fn: a function or Cell.
        grad_position: index of the input to differentiate, a tuple of indices, or None. Default: 0.
        weights: a Parameter, or a list or tuple of them. Default: None.
        has_aux: differentiate the first output only; the others are returned too. Default: False.
        return_ids: return pairs (position or parameter name, gradient). Default: False.
        sens_param: the returned function takes the gradient of the output as its last argument. Default: False.

    Returns:
        A function with the arguments of `fn`. One position: that gradient; several: a tuple. A Parameter: its gradient; a list: a tuple.
        Positions and weights: a tuple of both. With `has_aux`: `(gradients, (other outputs...))`. What the output does not depend on has
        gradient zero.

    Raises:
        TypeError: an argument is of the wrong kind.
        ValueError: nothing to differentiate, a negative or repeated position, or `has_aux` and only one output.
        IndexError: the function is called with fewer inputs than `grad_position` says.

    Examples:
        >>> ms.grad(lambda x: x * x * x)(Tensor(2.0)).item()
        12.0
    """
    return GradFunction("grad", fn, grad_position, weights, has_aux=has_aux, return_ids=return_ids, sens_param=sens_param)


def value_and_grad(fn, grad_position: int | tuple | None = 0, weights=None, has_aux=False, return_ids=False, sens_param=False):
    """A function that computes the value of `fn` and its gradients: `value, gradients = value_and_grad(fn)(x)`.

    The arguments are those of `grad`. The value is all that `fn` returns.

    Examples:
        >>> value, gradients = ms.value_and_grad(lambda x, y: x * y, grad_position=(0, 1))(Tensor(2.0), Tensor(3.0))
        >>> value.item(), [g.item() for g in gradients]
        (6.0, [3.0, 2.0])
    """
    return GradFunction("value_and_grad", fn, grad_position, weights, has_aux=has_aux, return_ids=return_ids, sens_param=sens_param, with_value=True)


def get_grad(gradients, identifier):
    """The gradient of one input (by position) or parameter (by Parameter or name) from what `grad(..., return_ids=True)` returned.

    Raises:
        TypeError: `identifier` is neither an int, a str nor a Parameter.
        RuntimeError: there is no such gradient.
    """
    if isinstance(identifier, bool) or not isinstance(identifier, int | str | Parameter):
        raise TypeError(f"For 'get_grad', 'identifier' should be an int, a Parameter or its name, but got {identifier!r}.")
    wanted = identifier.name if isinstance(identifier, Parameter) else identifier

    def find(x):
        if isinstance(x, tuple | list):
            if len(x) == 2 and isinstance(x[0], int | str) and type(x[0]) is type(wanted) and x[0] == wanted:
                return x[1]
            for y in x:
                found = find(y)
                if found is not None:
                    return found
        return None

    found = find(gradients)
    if found is None:
        raise RuntimeError(f"Can not find the gradient for position or Parameter {identifier}. Was the gradient function made with return_ids=True?")
    return found


def vjp(fn, *inputs, weights=None, has_aux=False):
    """The value of `fn` and a function that pulls cotangents of its outputs back to its inputs.

    Returns:
        `(outputs, vjp_fn)`, with `has_aux` `(first output, vjp_fn, the other output or a tuple of them)`. `vjp_fn(*cotangents)` gives a tuple
        of input
        gradients; with `weights`, the pair `(input gradients, weight gradients)`.

    Examples:
        >>> out, vjp_fn = ms.vjp(lambda x: x * x, Tensor([1.0, 2.0]))
        >>> print(vjp_fn(Tensor([1.0, 10.0]))[0])
        [ 2. 40.]
    """
    if not callable(fn):
        raise TypeError(f"For 'vjp', 'fn' should be callable, but got {fn!r} of type {type(fn).__name__}.")
    params, bare = _check_weights("vjp", weights)
    places = _Inputs("vjp", inputs, {}, range(len(inputs)))
    scope = local.state.scope
    roots = [*places.roots, *_roots_of(params or ())]
    if scope is not None and scope.root.convert:
        fn = control.convert(fn)
    with recording(roots) as tape:
        out = fn(*places.args)
    main = out
    if has_aux:
        if not isinstance(out, tuple) or len(out) < 2:
            raise ValueError(f"When has_aux is True, origin fn requires more than one outputs: 'vjp' got {_kind(out)}.")
        main = out[0]

    def vjp_fn(*cotangents):
        sens = cotangents[0] if len(cotangents) == 1 else cotangents
        gradients = [zeros_like(v) if g is None else g for g, v in zip(pull("vjp", tape, main, sens, roots), roots, strict=True)]
        leaves = iter(gradients)
        by_input = tuple(tree.unflatten(places.specs[p][0], leaves) for p in range(len(inputs)))
        if params is None:
            return by_input
        by_weight = tuple(leaves)
        return by_input, by_weight[0] if bare else by_weight

    return (main, vjp_fn, rest_of(out)) if has_aux else (out, vjp_fn)


class GradOperation:
    """The older way to ask for gradients: `GradOperation(get_all, get_by_list, sens_param)(fn, weights)(*inputs)`.

    Args:
        get_all: gradients of all inputs (a tuple) instead of the first. Default: False.
        get_by_list: gradients of Parameters (those of a Cell's `trainable_params` if no `weights` are given). Default: False.
        sens_param: the last argument of the call is the gradient of the output. Default: False.

    Raises:
        TypeError: an argument is not a bool.

    Examples:
        >>> print(ops.GradOperation(get_all=True)(lambda x, y: x * y)(Tensor([2.0]), Tensor([3.0]))[1])
        [2.]
    """

    def __init__(self, get_all=False, get_by_list=False, sens_param=False):
        for key, flag in (("get_all", get_all), ("get_by_list", get_by_list), ("sens_param", sens_param)):
            if not isinstance(flag, bool):
                raise TypeError(f"For 'GradOperation', the '{key}' should be bool, but got {type(flag).__name__}.")
        self.get_all, self.get_by_list, self.sens_param = get_all, get_by_list, sens_param

    def __call__(self, fn, weights=None):
        """The gradient function of `fn`."""
        if self.get_by_list and weights is None:
            if not hasattr(fn, "trainable_params"):
                raise ValueError("For 'GradOperation' with get_by_list=True, give the Parameters: grad_op(fn, weights); only a Cell knows its own.")
            weights = fn.trainable_params()
        weights = weights if self.get_by_list else None

        def gradients(*args, **kwargs):
            count = len(args) - self.sens_param + len(kwargs)
            positions = tuple(i for i in range(count) if _has_tensors((*args, *kwargs.values())[i])) if self.get_all else 0
            if self.get_by_list and not self.get_all:
                positions = None
            return GradFunction("GradOperation", fn, positions, weights, sens_param=self.sens_param, single=not self.get_all)(*args, **kwargs)

        return gradients


def _has_tensors(x):
    leaves: list = []
    tree.flatten(as_tensors(x), leaves)
    return bool(leaves)


def stop_gradient(value):
    """The same value, through which no gradient flows. Containers of tensors are entered.

    Examples:
        >>> ms.grad(lambda x: x * ops.stop_gradient(x))(Tensor(3.0)).item()
        3.0
    """
    return tree.map_tensors(lambda t: apply(_stop_gradient_kernel, (t,)), value)


def custom_gradient(forward, rule, inputs):
    """Run `forward(*inputs)` hidden from the tapes, and let `rule(out, cotangents)` give the gradients of the inputs.

    Args:
        forward: a function of `inputs` that returns a Tensor or a tuple of Tensors.
        rule: called with the list of output tensors and of their cotangents (a zero Tensor where nothing flowed back); returns one gradient (or
            None) for each input.
        inputs: a tuple of arguments; those that are Tensors are differentiated.
    """
    from sporax._core.tape import note

    state = local.state
    tapes = state.tapes
    if state.scope is not None:
        state.scope.root.own_gradients = True
    with hidden_tapes():
        out = forward(*inputs)
    if not tapes:
        return out
    leaves: list = []
    spec = tree.flatten(out, leaves)
    fresh = []
    with hidden_tapes():
        for t in leaves:
            fresh.append(apply(identity, (t,)))
    values = [t._value for t in fresh]
    sources = [t._value if isinstance(t, Tensor) else None for t in inputs]

    def pulled(cotangents):
        full = [zeros_like(v) if c is None else c for c, v in zip(cotangents, values, strict=True)]
        return rule([wrap(v) for v in values], full)

    note(tapes, forward, sources, values, {}, rule=pulled)
    return tree.unflatten(spec, iter(fresh))
