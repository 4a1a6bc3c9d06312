"""Graph mode: a piece of Python kept as one executable.

A call's key is the type of each tensor argument and the value of every other one. A new key is traced twice: a probe under
`jax.eval_shape` finds every handle the function reads and writes, then `jax.jit` gets the pure function

    (written state, read-only state, arguments) -> (new state, new attributes, results)

whose written state is donated. Handles are rebound only after the executable returned, so a call that fails changes nothing.

A program is valid as long as nothing it saw has changed: the epoch of settings and Cells, the guards on captured Python values, the
types of the captured tensors. What a change of the epoch touched is compared by content, so going from training to evaluation and
back finds both programs again.
"""

import collections
import threading

import jax
import numpy as np

from sporax._core import context, control, guards, tree
from sporax._core.dispatch import apply, synchronize
from sporax._core.errors import TracedValueError
from sporax._core.parameter import Parameter
from sporax._core.paths import follow, identity, paths_of
from sporax._core.resident import Resident, packing_of
from sporax._core.scope import Scope, assign
from sporax._core.state import local
from sporax._core.tensor import Tensor, wrap
from sporax._core.value import Value, aval_of

_MAX_KEYS = 64
_MAX_VARIANTS = 8
_MAX_PROBES = 4

stats = collections.Counter()


class _Missed(Exception):
    """The real trace read or wrote a handle that the probe had not met."""


class Program:
    """One traced and compiled variant of a function."""

    def __init__(self, owner, rebuild, leaf_avals, arguments, convert):
        self.owner, self.rebuild, self.leaf_avals, self.convert = owner, rebuild, leaf_avals, convert
        self.arguments = arguments
        self.handles, self.paths, self.writes, self.cells = [], {}, [], []
        self.bound = []
        self.networks = guards.collect(owner.function, (), arguments).networks
        self.epoch = self.fingerprint = self.guards = None

    # Tracing ---------------------------------------------------------------------------------------------------------

    def probe(self):
        """Find out what the function reads and writes."""
        found = {}

        def dry(*arrays):
            scope, result = self._run(arrays, None)
            found["scope"] = scope
            return result

        jax.eval_shape(dry, *[jax.ShapeDtypeStruct(a.shape, a.dtype) for a in self.leaf_avals])
        self._adopt(found["scope"])

    def _adopt(self, scope):
        self.cells = list(scope.cells.values())
        attributes = paths_of(self.cells)
        known = {id(h) for h in self.handles}
        for handle, _ in scope.captures:
            if handle is None or id(handle) in known:
                continue
            known.add(id(handle))
            path = attributes.get(id(handle))
            if path is None:
                self.handles.append(handle)
            else:
                self.paths.setdefault(identity(path), path)
        for handle in scope.written_handles():
            if all(handle is not h for h in self.writes):
                self.writes.append(handle)
        # an attribute whose tensor is written in place must still be that tensor
        written = {id(h) for h in self.writes}
        self.bound = [(path, follow(path)) for path in self.paths.values() if id(follow(path)) in written]

    def _run(self, arrays, captured):
        """Run the function on tracers; returns the scope and (new state, new attributes, results).

        `captured` pairs handles with the arrays that stand for them; None in a probe.
        """
        scope = Scope(self.owner.name)
        scope.convert = self.convert
        stats["traces"] += 1
        self.owner.traces += 1
        with scope, control.tracing_prints(scope):
            for cell in self.networks:
                cell._join(scope.root)
            for handle, array in captured or ():
                scope.substitute(handle, array)
            expected = len(scope.captures)
            arguments = [wrap(Value(a, v, scope)) for a, v in zip(arrays, self.leaf_avals, strict=True)]
            originals = [t._value for t in arguments]
            args, kwargs = self.rebuild(iter(arguments))
            function = control.convert(self.owner.function) if self.convert else self.owner.function
            out = function(*args, **kwargs)
            if scope.failed is not None:
                raise scope.failed
            position = {id(t): i for i, t in enumerate(arguments)}
            outside = {id(h) for h in scope.written_handles()}

            def is_result(t):
                return id(t) not in position and id(t) not in outside and (t._value.owner is not None and t.__class__ is Tensor)

            leaves: list = []
            spec = tree.flatten(out, leaves, is_result)
            results = [scope.read(t) for t in leaves]
            self.numbers = {i for i, t in enumerate(leaves) if self.convert and control.is_number(t)}
            self.alarms, self.prints = scope.alarms, scope.printed
            argument_writes = [i for i, t in enumerate(arguments) if t._value is not originals[i]]
            results += [scope.read(arguments[i]) for i in argument_writes]
            attribute_leaves: list = []
            attributes = []
            for cell, name, _ in scope.attributes.values():
                attributes.append((cell, name, tree.flatten(cell._read_attribute(name), attribute_leaves, lambda t: t.__class__ is Tensor)))
            if captured is not None:
                late = [h for h, _ in scope.captures[expected:] if h is not None]
                if late or len(scope.written_handles()) > len(self.writes):
                    self._adopt(scope)
                    raise _Missed
            written = [scope.read(h) for h in (scope.written_handles() if captured is None else self.writes)]
            attribute_arrays = [scope.read(t) for t in attribute_leaves]
            self.own_gradients = scope.own_gradients
            self.spec = _replace_arguments(spec, position)
            self.result_count, self.argument_writes, self.attributes = len(leaves), argument_writes, attributes
            self.plain = tree.is_single_leaf(self.spec) and not argument_writes and not self.alarms and not self.numbers
            self.result_avals = [aval_of(r.shape, r.dtype) for r in results]
            self.attribute_avals = [aval_of(r.shape, r.dtype) for r in attribute_arrays]
            self.write_avals = [aval_of(r.shape, r.dtype) for r in written]
            self.written_types = (
                dict(zip(map(id, scope.written_handles()), self.write_avals, strict=False)) if captured is None else self.written_types
            )
        return scope, (written, attribute_arrays, results)

    def build(self):
        """Trace until probe and trace agree. XLA compiles at the first call."""
        local.state.block.flush()
        self.probe()
        for _ in range(_MAX_PROBES):
            self._prepare()
            try:
                self._trace()
                break
            except _Missed:
                continue
        else:
            raise RuntimeError(
                f"'{self.owner.name}' reads other state each time it is traced: does it make Parameters or Cells at every call? "
                "Make them in __init__."
            )
        self.guards = guards.collect(self.owner.function, self.cells, self.arguments)
        self.guarded = self.guards.any()
        self.epoch, self.fingerprint = context.epoch(), self._content()

    def _prepare(self):
        written = {id(h) for h in self.writes}
        self.donated = [h for h in self.handles if id(h) in written]
        self.kept = [h for h in self.handles if id(h) not in written]
        self.writes = [*self.donated, *[h for h in self.writes if all(h is not d for d in self.donated)]]
        self.donated_avals = [h._value.aval for h in self.donated]
        self.kept_avals = [h._value.aval for h in self.kept]
        after = [self.written_types.get(id(h)) for h in self.donated]
        # what is of another type after the call is another program's at the next one
        self.stable = after == self.donated_avals
        self.packing = packing = packing_of([h._value for h in self.donated]) if self.stable else None
        self.resident, self.same = Resident(self.donated, packing), False
        self.path_avals = [follow(p)._value.aval for p in self.paths.values()]
        a, b = len(self.donated), len(self.donated) + len(self.kept)
        c = b + len(self.paths)

        def pure(donated, kept, paths, arrays):
            handles = [*self.donated, *self.kept, *map(follow, self.paths.values())]
            return self._run(arrays, [*zip(handles, (*donated, *kept, *paths), strict=True)])[1]

        def kernel(*arrays):
            written, attributes, results = pure(arrays[:a], arrays[a:b], arrays[b:c], arrays[c:])
            return (*written, *attributes, *results)

        def packed(buffers, kept, paths, arrays):
            written, attributes, results = pure(packing.split(buffers), kept, paths, arrays)
            return [*packing.join(written[:a]), *written[a:]], attributes, results

        pure.__name__ = kernel.__name__ = packed.__name__ = self.owner.name
        self.execute, self.kernel = jax.jit(pure if packing is None else packed, donate_argnums=0), kernel

    def _trace(self):
        def types(avals):
            return [jax.ShapeDtypeStruct(a.shape, a.dtype) for a in avals]

        donated = types(self.donated_avals) if self.packing is None else self.packing.types
        self.execute.trace(donated, types(self.kept_avals), types(self.path_avals), types(self.leaf_avals))

    # Validity --------------------------------------------------------------------------------------------------------

    def _content(self):
        return (
            context.fingerprint(),
            [c._trace_fingerprint() for c in self.cells],
            [h.requires_grad for h in self.handles if h.__class__ is Parameter],
        )

    def valid(self):
        """Whether everything the program saw is still so."""
        # written out for speed: this is most of what Python does in a small training step
        if self.epoch != context._epoch:
            if self.fingerprint != self._content():
                return False
            self.epoch = context._epoch
        resident = self.resident
        values = [h._value for h in self.donated]
        self.same = same = values == resident.values
        if not same and [v.aval for v in values] != self.donated_avals:
            return False
        if [h._value.aval for h in self.kept] != self.kept_avals:
            return False
        if self.guarded and not self.guards.hold():
            return False
        if self.paths:
            for path, aval in zip(self.paths.values(), self.path_avals, strict=True):
                t = follow(path)
                if t.__class__ is not Tensor or t._value.aval is not aval:
                    return False
            for path, h in self.bound:
                if follow(path) is not h:
                    return False
        return True

    # Running ---------------------------------------------------------------------------------------------------------

    def call(self, leaves):
        """Run the executable on the present state and commit what it returns."""
        resident, same, self.same = self.resident, self.same, False
        private = same and resident.private()
        given = resident.arrays if private else resident.take(same)
        n = len(given)
        kept = [h._value.array() for h in self.kept]
        paths = [follow(p)._value.array() for p in self.paths.values()] if self.paths else []
        written, attributes, results = self.execute(given, kept, paths, [t._value.array() for t in leaves])
        del given
        if len(written) > n:
            m = len(self.donated)
            for h, array, aval in zip(self.writes[m:], written[n:], self.write_avals[m:], strict=True):
                h._value = Value(array, aval)
            del written[n:]
        if private:
            resident.replace(written)
        else:
            resident.put(written, self.write_avals)
            if not self.stable:
                resident.release()
        del written
        if self.attributes:
            self._set_attributes([wrap(Value(a, v)) for a, v in zip(attributes, self.attribute_avals, strict=True)])
        if self.prints:
            jax.effects_barrier()
        if self.plain:
            return wrap(Value(results[0], self.result_avals[0]))
        return self._results(leaves, [Value(a, v) for a, v in zip(results, self.result_avals, strict=True)])

    def call_taped(self, leaves):
        """Run as one op of the tapes that are active."""
        inputs = (*self.donated, *self.kept, *map(follow, self.paths.values()), *leaves)
        out = apply(self.kernel, inputs)
        n, m = len(self.writes), len(self.attributes and self.attribute_avals)
        for h, t in zip(self.writes, out[:n], strict=True):
            assign(h, t)
        if self.attributes:
            self._set_attributes(list(out[n : n + m]))
        if self.prints:
            synchronize()
        return self._results(leaves, [t._value for t in out[n + m :]])

    def _set_attributes(self, tensors):
        leaves = iter(tensors)
        for cell, name, spec in self.attributes:
            cell._write_attribute(name, tree.unflatten(spec, leaves))

    def _results(self, leaves, values):
        if self.argument_writes:
            for i, v in zip(self.argument_writes, values[self.result_count :], strict=True):
                assign(leaves[i], wrap(v))
        if self.alarms:
            control.check_alarms(self.alarms)
        out = [wrap(v) for v in values[: self.result_count]]
        for i in self.numbers:  # a Python number that depended on a tensor is one again
            out[i] = out[i].item()
        return out[0] if tree.is_single_leaf(self.spec) else _finish(tree.unflatten(self.spec, iter(out)), leaves)


class _Argument:
    """Stands in a result for an argument that was returned as it came."""

    def __init__(self, index):
        self.index = index


def _replace_arguments(spec, position):
    if isinstance(spec, Tensor):
        return _Argument(position[id(spec)]) if id(spec) in position else spec
    if hasattr(spec, "children"):
        spec.children = [_replace_arguments(c, position) for c in spec.children]
    return spec


def _finish(out, leaves):
    """Put the caller's own tensors where a result was one of the arguments."""
    if out.__class__ is _Argument:
        return leaves[out.index]
    if isinstance(out, tuple | list | dict):
        items = out.values() if isinstance(out, dict) else out
        if any(x.__class__ is _Argument or isinstance(x, tuple | list | dict) for x in items):
            if isinstance(out, dict):
                return type(out)((k, _finish(v, leaves)) for k, v in out.items())
            done = [_finish(x, leaves) for x in out]
            return type(out)(*done) if hasattr(out, "_fields") else type(out)(done)
    return out


class CompiledFunction:
    """A function with its programs, one for each kind of arguments it was called with.

    `traces` counts how often the function's Python has run to be compiled (a new key costs two: probe and trace).
    """

    def __init__(self, function, name=None):
        self.function = function
        self.name = name or getattr(function, "__qualname__", type(function).__name__)
        self.programs: collections.OrderedDict = collections.OrderedDict()
        self.traces, self.fullgraph = 0, False
        self.lock = threading.RLock()

    def __call__(self, args, kwargs):
        state = local.state
        if state.scope is not None:
            return self._inline(state.scope, args, kwargs)
        leaves, parts = [], []
        for a in args:
            if a.__class__ is Tensor:
                leaves.append(a)
                parts.append(a._value.aval)
            else:
                parts.append(_key_part(a, leaves))
        if kwargs:
            parts.append(_key_part(kwargs, leaves))
        if state.cast is not None:
            parts.append(state.cast)
        key = tuple(parts)
        programs = self.programs.get(key)
        program = None
        if programs is not None:
            for program in programs:
                if program is _PYNATIVE or program.valid():
                    break
            else:
                program = None
        if program is None:
            program = self._new_program(key, args, kwargs, leaves)
        if program is _PYNATIVE or (state.tapes and program.own_gradients):
            return self.function(*args, **kwargs)
        return program.call_taped(leaves) if state.tapes else program.call(leaves)

    def prepare(self, args, kwargs):
        """Trace for arguments of these types, without running."""
        leaves: list = []
        parts = [_key_part(a, leaves) for a in args]
        if kwargs:
            parts.append(_key_part(kwargs, leaves))
        if local.state.cast is not None:
            parts.append(local.state.cast)
        key = tuple(parts)
        if not any(p is _PYNATIVE or p.valid() for p in self.programs.get(key, ())):
            self._new_program(key, args, kwargs, leaves)

    def _inline(self, scope, args, kwargs):
        function = control.convert(self.function) if scope.root.convert else self.function
        return function(*args, **kwargs)

    def _new_program(self, key, args, kwargs, leaves):
        with self.lock:
            # specs keep statics as they are and mark the places of the tensors
            marked: list = []
            spec = tree.flatten((args, kwargs), marked, lambda t: t.__class__ is Tensor)

            def rebuild(arguments):
                return tree.unflatten(spec, arguments)

            avals = [t._value.aval for t in leaves]
            program = self._build(rebuild, avals, (*args, *kwargs.values()))
            if len(self.programs) >= _MAX_KEYS and key not in self.programs:
                self.programs.popitem(last=False)
            variants = self.programs.setdefault(key, [])
            variants.insert(0, program)
            del variants[_MAX_VARIANTS:]
            return program

    def _build(self, rebuild, avals, arguments):
        try:
            try:
                program = Program(self, rebuild, avals, arguments, convert=False)
                program.build()
            except TracedValueError:
                program = Program(self, rebuild, avals, arguments, convert=True)
                program.build()
            return program
        except (TracedValueError, control.ConversionError) as error:
            if self.fullgraph:
                raise
            return self._fall_back(error)

    def _fall_back(self, error):
        control.report_fallback(self.name, error)
        return _PYNATIVE


_PYNATIVE = object()
_MAX_FUNCTIONS = 256
_functions: collections.OrderedDict = collections.OrderedDict()


def compiled(function, name, of=None, settings=()):
    """The CompiledFunction of `function`, the same one each time for the same code, closure and receiver.

    So a lambda, or `value_and_grad(forward, ...)`, made anew in each iteration of a loop is compiled once. `of` is what identifies the
    function (default: itself), `settings` what else it depends on.
    """
    key = (function_key(function if of is None else of), settings)
    found = _functions.get(key)
    if found is None:
        found = _functions[key] = CompiledFunction(function, name)
        # objects identified by id in the key must live as long as the key
        found.identity = function if of is None else of
        if len(_functions) > _MAX_FUNCTIONS:
            _functions.popitem(last=False)
    else:
        _functions.move_to_end(key)
    return found


def function_key(function):
    """What makes two function objects the same: code, globals, closure cells (not only contents), defaults, receiver."""
    if hasattr(function, "__self__") and hasattr(function, "__func__"):
        return (function_key(function.__func__), id(function.__self__))
    code = getattr(function, "__code__", None)
    if code is None:
        return id(function)
    defaults = (*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values())
    return (code, id(function.__globals__), tuple(map(id, function.__closure__ or ())), tuple(map(id, defaults)))


def _key_part(x, leaves):
    cls = x.__class__
    if cls is Tensor:
        leaves.append(x)
        return x._value.aval
    if cls is tuple or cls is list:
        return (cls, *[_key_part(y, leaves) for y in x])
    if isinstance(x, dict):
        return (cls, *[(k, _key_part(v, leaves)) for k, v in x.items()])
    if isinstance(x, bool | int | float | complex | str | bytes | type(None)):
        return (cls, x if x == x and x != 0 else repr(x))
    if isinstance(x, tuple) and not hasattr(x, "clone"):
        return (cls, *[_key_part(y, leaves) for y in x])
    if isinstance(x, np.ndarray | np.generic):
        return (cls, x.shape, x.dtype, x.tobytes())
    try:
        hash(x)
    except TypeError:
        return _Identity(x)
    return _Identity(x) if isinstance(x, Tensor) else x


class _Identity:
    """Key part of an object that counts as itself."""

    __slots__ = ("thing",)

    def __init__(self, thing):
        self.thing = thing

    def __hash__(self):
        return id(self.thing)

    def __eq__(self, other):
        return other.__class__ is _Identity and other.thing is self.thing
