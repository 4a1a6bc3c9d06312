"""What is computed: an immutable value, and the interned description of its type.

A `Value` is one version of one array. Its `data` is a `jax.Array` (concrete), a JAX tracer (inside a trace), or None while it waits in a
recorded block. Handles (`Tensor`) are slots that point at values; writing in place points the handle at another value. So whatever
refers to a *version* (the tape, a recorded block) holds values, and whatever refers to a *thing that changes* holds handles.
"""

from sporax._core.dtype import BFloat, Complex, Float, from_jax_dtype


class Aval:
    """Abstract value: shape and dtype, interned, so that keys hold a small int and equality is identity."""

    __slots__ = ("dtype", "inexact", "ms_dtype", "n", "ndim", "shape", "size")

    def __init__(self, shape, dtype, n):
        self.shape, self.dtype, self.n = shape, dtype, n
        self.ndim = len(shape)
        self.size = 1
        for d in shape:
            self.size *= d
        self.ms_dtype = from_jax_dtype(dtype)
        self.inexact = isinstance(self.ms_dtype, Float | BFloat | Complex)

    def __repr__(self):
        return f"{self.ms_dtype}{list(self.shape)}"


_avals: dict = {}


def aval_of(shape, dtype):
    """The one Aval of this shape and NumPy dtype."""
    key = (shape, dtype)
    found = _avals.get(key)
    if found is None:
        # setdefault: two threads may meet the same new type at once, and identity must hold
        found = _avals.setdefault(key, Aval(shape, dtype, len(_avals)))
    return found


class Value:
    """One version of one array.

    `owner` says who will or did make the data: None (a concrete array), the `Block` that has still to run (data is None), or the
    trace `Scope` in which it is a tracer. `slot` is the value's number in its block.
    """

    __slots__ = ("__weakref__", "aval", "data", "owner", "slot")

    def __init__(self, data, aval, owner=None, slot=-1):
        self.data, self.aval, self.owner, self.slot = data, aval, owner, slot

    def array(self):
        """The concrete array, running the recorded block if it is still pending."""
        if self.data is None:
            self.owner.compute(self)
        return self.data


def value_of_array(array):
    """A concrete value on a jax.Array."""
    return Value(array, aval_of(array.shape, array.dtype))
