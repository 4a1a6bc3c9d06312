"""What a derivative is taken with respect to, as explicit tensors.

MindSpore's functions read their Parameters from where they are. Forward mode, batching and Newton's method want a function of them. So `function_of`
turns `fn(*inputs)` into `f(*variables)`, where the variables are either the inputs or the weights.
"""

from sporax._core import context, tree
from sporax._core.compile import compiled
from sporax._core.dispatch import apply
from sporax._core.parameter import Parameter
from sporax._core.scope import bound
from sporax._core.state import local
from sporax._core.tape import identity
from sporax._core.tensor import Tensor
from sporax._core.transforms import GradFunction, as_tensors


def check_function(name, fn):
    """Raise TypeError unless `fn` can be called."""
    if not callable(fn):
        raise TypeError(f"For '{name}', the function should be callable, but got {fn!r} of type {type(fn).__name__}.")


def check_weights(name, weights):
    """The Parameters as a tuple; None stays."""
    if weights is None:
        return None
    listed = (weights,) if isinstance(weights, Parameter) else weights
    if isinstance(listed, Tensor) or not isinstance(listed, tuple | list) or not all(isinstance(w, Parameter) for w in listed):
        raise TypeError(f"For '{name}', 'weights' should be a Parameter or a list or tuple of them, but got {type(weights).__name__}.")
    if not listed:
        raise ValueError(f"For '{name}', 'weights' is empty: does the network have trainable parameters?")
    return tuple(listed)


def as_inputs(inputs):
    """The arguments of a function as a tuple."""
    return tuple(as_tensors(tuple(inputs) if isinstance(inputs, tuple | list) else (inputs,)))


def function_of(fn, inputs, weights, scalar=None):
    """`fn` as a function of its variables.

    Args:
        fn: a function or Cell.
        inputs: its arguments, a tuple.
        weights: a tuple of Parameters, or None: the variables are the float tensors among the inputs.
        scalar: what a message calls the caller, if the output must be one number. Default: None.

    Returns:
        `(f, variables)`: `f(*variables)` is `fn(*inputs)`.
    """

    def call(args):
        out = fn(*args)
        if scalar is not None:
            if not isinstance(out, Tensor):
                raise TypeError(f"For '{scalar}', the function should return one Tensor, its loss, but got {type(out).__name__}.")
            if out.size != 1:
                raise ValueError(f"For '{scalar}', the function should return one number, but got shape {out.shape}: use its mean or sum.")
            return out.reshape(())
        return out

    if weights is not None:

        def f(*tensors):
            with bound(weights, tensors):
                return call(inputs)

        # versions of their own, of the class Tensor
        return f, [apply(identity, (w,)) for w in weights]
    leaves: list = []
    spec = tree.flatten(inputs, leaves)
    moving = [i for i, t in enumerate(leaves) if t._value.aval.inexact]

    def g(*tensors):
        full = list(leaves)
        for i, t in zip(moving, tensors, strict=True):
            full[i] = t
        return call(tree.unflatten(spec, iter(full)))

    return g, [leaves[i] for i in moving]


def gradient_of(f, count, sens_param=False):
    """The function of all `count` variables that gives the tuple of gradients of `f`; with `sens_param` its last argument is the cotangent."""
    return GradFunction("grad", f, tuple(range(count)), None, sens_param=sens_param, single=False)


def directions(name, v, variables):
    """The tensors of `v`, checked against the variables, and the container they came in."""
    leaves: list = []
    spec = tree.flatten(as_tensors(tuple(v) if isinstance(v, tuple) else v), leaves)
    if [t.shape for t in leaves] != [x.shape for x in variables]:
        raise ValueError(
            f"For '{name}', the vector should have the shapes of the variables, {[x.shape for x in variables]}, but got {[t.shape for t in leaves]}."
        )
    return [t.astype(x.dtype) for t, x in zip(leaves, variables, strict=True)], spec


def call_whole(name, function, of, settings, args, always=False):
    """`function(*args)`, compiled as a whole in GRAPH_MODE, or `always` where nothing is being traced or differentiated already."""
    if local.state.scope is None and not local.state.tapes and (always or context.get_context("mode") == context.GRAPH_MODE):
        return compiled(function, name, of=of, settings=(name, settings))(args, {})
    return function(*args)


def ids(weights):
    """What identifies weights in the key of a compiled function."""
    return None if weights is None else tuple(map(id, weights))


def flat(tensors):
    """All elements of the tensors as one vector."""
    from sporax import ops

    return ops.cat([t.reshape(-1) for t in tensors])


def split(vector, like):
    """A vector cut into tensors of the shapes of `like`."""
    out, at = [], 0
    for t in like:
        out.append(vector[at : at + t.size].reshape(t.shape))
        at += t.size
    return out
