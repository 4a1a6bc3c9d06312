"""PyNative's back end: ops are appended to a block, and the block runs as one cached executable when somebody looks at a value.

Python stays honest (every branch, print and counter of the program happens at every step, on real values), and XLA sees whole
forward + backward + update programs. Recording an op costs about 1.5 us against 50-250 us for one eager `jnp` call.

A block is a list of `(entry, *slots)`. An entry is one (kernel, static arguments, input types): its output types are known from a
cached `jax.eval_shape`, so shape errors appear on the user's line although nothing has run. The block's key is the list itself, plus
which outputs are still referenced and which inputs can be donated.

Python numbers are part of an entry's key while they are few (XLA folds `x * 2`), and become inputs of the block once an op has seen
more than three different ones at the same place: a learning rate that changes every step does not compile every step.
"""

import collections
import sys
import threading

import jax

from sporax._core import state
from sporax._core.errors import KERNEL_ERRORS, LeakedTensorError, kernel_error
from sporax._core.value import Aval, Value, aval_of

# An op meets this many different Python numbers before they become inputs.
_MAX_LITERALS = 3
# Ops after which a block runs by itself: bounds the compile time of a loop in which nobody looks at a value. Backward passes of
# the largest usual networks fit (BERT-base: about 1,500).
_MAX_OPS = 2000
_MAX_EXECUTABLES = 512
_MAX_ENTRIES = 50_000

stats = collections.Counter()


class Entry:
    """One kernel at one combination of static arguments and input types."""

    __slots__ = ("bound", "compiled", "multi", "outs")

    def __init__(self, bound, outs, multi):
        self.bound, self.outs, self.multi, self.compiled = bound, outs, multi, None

    def run(self, arrays):
        """Run this one op now, as its own executable (the direct back end)."""
        if self.compiled is None:
            self.compiled = jax.jit(self.bound)
        return self.compiled(*arrays)


_entries: dict = {}
_literals: dict = {}
_executables: collections.OrderedDict = collections.OrderedDict()
_DYNAMIC = object()
_lock = threading.RLock()


def _literal_key(x):
    # 1, 1.0 and True are equal and hash alike, and so do 0.0 and -0.0; nan is not even equal to itself
    return (x.__class__, x if x == x and x != 0 else repr(x))


def _is_dynamic(kernel, static, parts, numbers):
    site = (kernel, static, parts)
    seen = _literals.get(site)
    if seen is _DYNAMIC:
        return True
    if seen is None:
        seen = _literals[site] = set()
    seen.add(tuple(_literal_key(x) for x in numbers))
    if len(seen) <= _MAX_LITERALS:
        return False
    _literals[site] = _DYNAMIC
    return True


def entry_of(kernel, inputs, static):
    """The entry for these inputs, and the inputs that are arrays at run time: Values, and Python numbers that vary."""
    parts, numbers, arrays, varying = [], [], [], []
    for x in inputs:
        if x.__class__ is Value:
            parts.append(x.aval.n)
            arrays.append(x)
            varying.append(x)
        elif x.__class__ is float or x.__class__ is int:
            parts.append(x.__class__)
            numbers.append(x)
            varying.append(x)
        else:
            parts.append(None if x is None else _literal_key(x))
    names = tuple(static.items()) if static else ()
    parts = tuple(parts)
    dynamic = False
    if numbers:
        dynamic = _is_dynamic(kernel, names, parts, numbers)
        key = (kernel, names, parts) if dynamic else (kernel, names, parts, *map(_literal_key, numbers))
    else:
        key = (kernel, names, parts)
    found = _entries.get(key)
    if found is None:
        if len(_entries) > _MAX_ENTRIES:
            clear_caches()
        found = _entries[key] = _make_entry(kernel, inputs, static, dynamic)
    return found, varying if dynamic else arrays


def _make_entry(kernel, inputs, static, dynamic):
    at_run_time = (Value, float, int) if dynamic else (Value,)
    where = [i for i, x in enumerate(inputs) if x.__class__ in at_run_time]
    template = [None if x.__class__ in at_run_time else x for x in inputs]
    single = []

    def bound(*arrays):
        args = list(template)
        for i, a in zip(where, arrays, strict=True):
            args[i] = a
        with jax.named_scope(kernel.__name__):
            out = kernel(*args, **static)
        single[:] = [not isinstance(out, tuple | list)]
        return (out,) if single[0] else tuple(out)

    avals = [jax.ShapeDtypeStruct(inputs[i].aval.shape, inputs[i].aval.dtype) if inputs[i].__class__ is Value else inputs[i] for i in where]
    try:
        outs = jax.eval_shape(bound, *avals)
    except KERNEL_ERRORS as error:
        raise kernel_error(kernel, inputs, static, error) from error
    return Entry(bound, tuple(aval_of(o.shape, o.dtype) for o in outs), not single[0])


def clear_caches():
    """Forget every executable and entry. Recorded blocks keep what they need."""
    with _lock:
        _entries.clear()
        _literals.clear()
        _executables.clear()


class _Failed:
    """Owner of values whose block raised: every later look raises again."""

    def __init__(self, error):
        self.error = error

    def compute(self, value):
        raise RuntimeError(f"This tensor was never computed, because the computation it is part of failed: {self.error}") from self.error


class Block:
    """The ops that one thread has recorded and not yet run."""

    def __init__(self):
        self.lock = threading.RLock()
        self.wrote_parameter = False
        self._reset()

    def _reset(self):
        self.ops, self.values, self.leaves, self.leaf_slots, self.count = [], [], [], {}, 0
        self.wrote_parameter = False

    def _leaf(self, x):
        """Slot of a value from outside the block, or of a Python number."""
        if x.__class__ is not Value:
            self.leaves.append(x)
            self.ops.append((x.__class__,))
            self.count += 1
            return self.count - 1
        array = x.data
        if array is None:
            array = x.array()
        elif x.owner is not None:
            raise LeakedTensorError(leak_message(x))
        slot = self.leaf_slots.get(id(array))
        if slot is None:
            slot = self.leaf_slots[id(array)] = self.count
            self.count += 1
            self.leaves.append(array)
            self.ops.append((x.aval,))
        return slot

    def apply(self, kernel, inputs, static):
        """Record one op; returns its output Values and whether the kernel returned a tuple."""
        with self.lock:
            if len(self.ops) >= _MAX_OPS:
                self.flush()
            entry, arrays = entry_of(kernel, inputs, static)
            op = [entry]
            for x in arrays:
                op.append(x.slot if x.__class__ is Value and x.owner is self else self._leaf(x))
            self.ops.append(tuple(op))
            slot, made = self.count, []
            for aval in entry.outs:
                made.append(Value(None, aval, self, slot))
                slot += 1
            self.count = slot
            self.values += made
            return made, entry.multi

    def compute(self, value):
        """Give a value its array."""
        self.flush()

    def flush(self):
        """Run what is recorded and give every value that is still referenced its array."""
        with self.lock:
            if not self.ops:
                return
            values = self.values
            self.values = []
            # references to a live value beyond this list: `value` itself, the argument of getrefcount, and the list's own
            live = [v for v in values if sys.getrefcount(v) > 3]
            del values
            if not live:
                self._reset()
                return
            wanted = tuple(v.slot for v in live)
            leaves = self.leaves
            donated = self._donations(live)
            key = (tuple(self.ops), wanted, donated)
            given = [leaves[i] for i in donated]
            if donated:
                taken = set(donated)
                kept = [x for i, x in enumerate(leaves) if i not in taken]
            else:
                kept = leaves
            stats["runs"] += 1
            try:
                run = _executables.get(key)
                if run is None:
                    run = self._compile(key, len(leaves))
                else:
                    _executables.move_to_end(key)
                if state.local.state.scope is None:
                    arrays = run(given, kept)
                else:  # this thread is tracing, and these are real numbers all the same
                    with jax.ensure_compile_time_eval():
                        arrays = run(given, kept)
            except Exception as error:
                for v in live:
                    v.owner = _Failed(error)
                self._reset()
                raise
            self._reset()
            for v, array in zip(live, arrays, strict=True):
                v.data, v.owner = array, None

    def _donations(self, live):
        """Leaves that nobody else holds and whose type some output has: XLA may reuse their memory."""
        room = collections.Counter(v.aval for v in live)
        chosen = []
        leaves = self.leaves
        for i in range(len(leaves)):
            if sys.getrefcount(leaves[i]) == 2 and leaves[i].__class__ is not float and leaves[i].__class__ is not int:
                aval = aval_of(leaves[i].shape, leaves[i].dtype)
                if room[aval] > 0:
                    room[aval] -= 1
                    chosen.append(i)
        return tuple(chosen)

    def _compile(self, key, leaf_count):
        ops, wanted, donated = key
        stats["compiles"] += 1
        taken = set(donated)

        def block(given, kept):
            given, kept = iter(given), iter(kept)
            leaves = iter([next(given) if i in taken else next(kept) for i in range(leaf_count)])
            env = []
            for op in ops:
                entry = op[0]
                if entry.__class__ is Entry:
                    env.extend(entry.bound(*[env[i] for i in op[1:]]))
                else:
                    env.append(next(leaves))
            return [env[i] for i in wanted]

        run = _executables[key] = jax.jit(block, donate_argnums=0)
        if len(_executables) > _MAX_EXECUTABLES:
            _executables.popitem(last=False)
        return run


def leak_message(value):
    """What to say about a tensor that outlived the trace that made it."""
    return (
        f"This Tensor[{value.aval.ms_dtype}]{value.aval.shape} was made while {value.owner.describe()} was being compiled and was kept outside it "
        "(in a list, a global or an object), where it has no value. Return it from the function, or keep it in a Parameter or a Cell attribute."
    )


def is_leaf_type(x):
    """Whether `x` marks an input in a block's list of ops."""
    return isinstance(x, Aval | type)
