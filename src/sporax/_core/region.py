"""A piece of Python made pure.

A `Region` runs a function of tensors once abstractly, to find which values from outside it reads and which handles and attributes it writes.
Then `pure(*captured, *arguments)` is an ordinary function of arrays that JAX can batch, differentiate, checkpoint or put into a loop, and
`run` applies it through the dispatch, so that the active tapes see one op with explicit inputs, and rebinds what was written.
"""

import jax

from sporax._core import control, tree
from sporax._core.dispatch import apply_closure
from sporax._core.errors import OwnGradientError, TracedValueError
from sporax._core.prints import evaluate, hooked
from sporax._core.scope import Scope, rebind
from sporax._core.state import local
from sporax._core.tensor import Tensor, wrap
from sporax._core.value import Value, aval_of


def converted(function):
    """A user's function as the trace in progress calls it: as it is, or with its control flow converted."""
    scope = local.state.scope
    return control.convert(function) if scope is not None and scope.root.convert else function


class Region:
    """`function(*arguments)` as a pure function.

    Args:
        name: what messages call it.
        function: takes tensors; returns any container of tensors.
        arguments: the tensors (their types are what counts).
        avals: types of the arguments inside, where they differ from those of `arguments` (`vmap`). Default: theirs.
    """

    def __init__(self, name, function, arguments=(), avals=None):
        self.name, self.function, self.arguments = name, function, tuple(arguments)
        self.avals = [t._value.aval for t in self.arguments] if avals is None else list(avals)
        self.captures, self.writes = [], []
        if local.state.scope is None:
            local.state.block.flush()
        found = {}

        def dry(*arrays):
            scope, out = self._run(arrays, None)
            found["scope"] = scope
            return out

        structs = [jax.ShapeDtypeStruct(a.shape, a.dtype) for a in self.avals]
        self.convert = False
        try:
            jax.eval_shape(dry, *structs)
        except TracedValueError:
            if local.state.scope is not None:
                raise
            self.convert = True
            jax.eval_shape(dry, *structs)
        if found["scope"].parent is None and found["scope"].own_gradients and local.state.tapes:
            raise OwnGradientError(f"'{name}' calls a Cell that has")
        self.captures = list(found["scope"].captures)
        self.writes = found["scope"].written_handles()
        # frozen now: when the derivative is taken, Python's variables and the handles may have changed
        weak = [v.owner is not None and getattr(v.data, "weak_type", False) for _, v in self.captures]
        known = [jax.ShapeDtypeStruct(v.aval.shape, v.aval.dtype, weak_type=w) for (_, v), w in zip(self.captures, weak, strict=True)]
        n = len(known)
        self.closed = jax.make_jaxpr(lambda *arrays: self._run(arrays[n:], arrays[:n])[1])(*known, *structs)

    def _run(self, arrays, captured):
        scope = Scope(self.name, local.state.scope)
        scope.forward = self.name in ("jvp", "jacfwd")
        if scope.parent is None:
            scope.convert = self.convert
        if captured is not None:
            for (handle, value), array in zip(self.captures, captured, strict=True):
                scope.sub[id(value)] = array
                if handle is not None:
                    scope.handle_of[id(value)] = handle
        with scope, hooked():
            out = self.function(*[wrap(Value(a, aval_of(a.shape, a.dtype), scope)) for a in arrays])
            if scope.root is scope and scope.failed is not None:
                raise scope.failed
            leaves: list = []
            self.spec = tree.flatten(out, leaves, lambda t: t.__class__ is Tensor)
            results = [scope.read(t) for t in leaves]
            self.count = len(results)
            writes = scope.written_handles() if captured is None else self.writes
            results += [scope.read(h) for h in writes]
            more: list = []
            self.attributes = [(cell, key, tree.flatten(cell._read_attribute(key), more)) for cell, key, _ in scope.attributes.values()]
            results += [scope.read(t) for t in more]
            if captured is not None and scope.captures:
                raise RuntimeError(
                    f"The function given to '{self.name}' reads other tensors each time it runs: does it make Parameters or Cells at every call?"
                )
        return scope, results

    def pure(self, *arrays):
        """Results, then written handles, then attributes, of captured arrays followed by arguments."""
        return evaluate(self.closed, self.closed.consts, arrays)

    @property
    def inputs(self):
        """What `pure` takes, as tensors and values."""
        return [v if h is None else h for h, v in self.captures] + list(self.arguments)

    def run(self, transform=None):
        """Apply `pure` (or `transform(pure)`, of the same outputs), rebind what it wrote, and return its result."""

        def function(*arrays):
            # a new function each time: jax.checkpoint would remember the first trace, which prints
            return self.pure(*arrays) if transform is None else transform(lambda *xs: self.pure(*xs))(*arrays)

        out = self.commit(apply_closure(function, self.inputs))
        if self.closed.effects and local.state.scope is None:
            jax.effects_barrier()
        return out

    def commit(self, outs):
        """Rebind what was written to these outputs, and return the result's container."""
        n, m = self.count, self.count + len(self.writes)
        for handle, t in zip(self.writes, outs[n:m], strict=True):
            rebind(handle, t._value)
        leaves = iter(outs[m:])
        for cell, key, spec in self.attributes:
            cell._write_attribute(key, tree.unflatten(spec, leaves))
        return tree.unflatten(self.spec, iter(outs[:n]))
