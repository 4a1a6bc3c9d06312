"""State that stays with the executable that changes it.

A training step is called again and again, and between two calls hardly anybody looks at the state it changes. So a program remembers the
`Value`s that it left in its handles. While the handles still have them and nobody else does, the next call gives the arrays away as they are
and puts what comes back into the same `Value`s: nobody can tell a new version from an old one that nobody has. Whether somebody has one
is read off reference counts, summed up in C: 0.1 us for each handle, against 0.7 us for looking at each and making a new `Value`.

Small state of few arrays is packed into one buffer per dtype, because every buffer costs XLA about 0.8 us a call. A packed value has no array of its own
until somebody asks for it.
"""

import sys
import weakref
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from sporax._core.value import Value

# State of more bytes is not packed: copying would cost more than the buffers do. Nor is state of more arrays: 200 arrays of a network of 50
# layers, packed, let a step take 0.14 instead of 0.67 ms, but XLA compile 7 instead of 2.6 s, and keep 500 instead of 260 MiB.
_MAX_PACKED = 1 << 20
_MAX_PACKED_ARRAYS = 16
_residents: weakref.WeakSet = weakref.WeakSet()


class Packing:
    """Places of arrays of these types in one flat buffer per dtype."""

    def __init__(self, avals, device):
        self.avals, self.device, self.places, self.dtypes, sizes = avals, device, [], [], []
        for aval in avals:
            if aval.dtype not in self.dtypes:
                self.dtypes.append(aval.dtype)
                sizes.append(0)
            group = self.dtypes.index(aval.dtype)
            self.places.append((group, sizes[group]))
            sizes[group] += aval.size
        self.types = [jax.ShapeDtypeStruct((size,), dtype) for size, dtype in zip(sizes, self.dtypes, strict=True)]

    def split(self, buffers):
        """The arrays, from the buffers; in a trace."""
        return [buffers[g][at : at + a.size].reshape(a.shape) for (g, at), a in zip(self.places, self.avals, strict=True)]

    def join(self, arrays, xp=jnp):
        """The buffers, from the arrays."""
        parts = [[] for _ in self.dtypes]
        for (g, _), array in zip(self.places, arrays, strict=True):
            parts[g].append(array.reshape(-1))
        return [xp.concatenate(p) for p in parts]


def packing_of(values):
    """How state like this is packed, or None."""
    avals = [v.aval for v in values]
    total = sum(a.size * a.dtype.itemsize for a in avals)
    if not 3 <= len(avals) <= _MAX_PACKED_ARRAYS or total > _MAX_PACKED or not all(a.size for a in avals):
        return None
    devices = {d for v in values for d in v.array().devices()}
    return Packing(avals, devices.pop()) if len(devices) == 1 else None


class Resident:
    """What a program left in its handles: `values`, and `arrays` or packed buffers to give away; None while unknown."""

    __slots__ = ("__weakref__", "arrays", "handles", "ids", "packing", "values")

    def __init__(self, handles, packing):
        self.handles, self.packing = handles, packing
        # a program that changes nothing always has what it left
        self.values: Any = None if handles else []
        self.arrays: Any = None if handles else []
        self.ids = frozenset(map(id, handles))
        if handles:
            _residents.add(self)

    def private(self):
        """Whether nobody else has one of the values or arrays."""
        if sum(map(sys.getrefcount, self.values)) != len(self.values) * _VALUE_REFERENCES:
            return False
        return self.packing is not None or sum(map(sys.getrefcount, self.arrays)) == len(self.arrays) * _ARRAY_REFERENCES

    def take(self, unchanged):
        """What to give away; copies of what somebody else has."""
        if self.packing is not None and unchanged:
            self.settle()  # somebody has a version that has no array of its own yet
            return self.arrays
        self.release()
        for other in list(_residents):
            if other is not self and other.values is not None and not self.ids.isdisjoint(other.ids):
                other.release()
        if self.packing is None:
            return [_own_array(h) for h in self.handles]
        return [jax.device_put(b, self.packing.device) for b in self.packing.join([np.asarray(h._value.array()) for h in self.handles], np)]

    def put(self, arrays, avals):
        """Let the handles have new values."""
        self.arrays = arrays
        if self.packing is None:
            self.values = [Value(a, v) for a, v in zip(arrays, avals, strict=False)]
        else:
            self.values = [Value(None, v, self, i) for i, v in enumerate(self.packing.avals)]
        for h, v in zip(self.handles, self.values, strict=True):
            h._value = v

    def replace(self, arrays):
        """Let the values, which nobody else has, have new arrays."""
        self.arrays = arrays
        if self.packing is None:
            for v, a in zip(self.values, arrays):  # strict=True would cost as much as the loop
                v.data = a
        else:
            for v in self.values:
                v.data = None
                v.owner = self

    # Packed values ---------------------------------------------------------------------------------------------------

    def compute(self, value):
        """Give a packed value its array."""
        group, at = self.packing.places[value.slot]
        # a copy on the host: nobody keeps a view of the buffer, which will be given away
        with jax.ensure_compile_time_eval():  # also where a trace is in progress
            array = np.array(self.arrays[group])[at : at + value.aval.size].reshape(value.aval.shape)
            value.data, value.owner = jax.device_put(array, self.packing.device), None

    def settle(self):
        """Give every packed value its array."""
        if self.packing is None or self.values is None:
            return
        with jax.ensure_compile_time_eval():
            buffers = [np.array(b) for b in self.arrays]
            for v, (group, at) in zip(self.values, self.packing.places, strict=True):
                if v.data is None:
                    v.data, v.owner = jax.device_put(buffers[group][at : at + v.aval.size].reshape(v.aval.shape), self.packing.device), None

    def release(self):
        """Forget the values; they get arrays of their own."""
        self.settle()
        self.values = self.arrays = None


def settle_all():
    """Give every value an array of its own: a trace begins, in which a value without one would be taken for one of the trace's."""
    for resident in list(_residents):
        resident.settle()


def _own_array(handle):
    """The array of a handle that is about to be given away, copied first if anybody else holds it."""
    value = handle._value
    array = value.array()
    # 3: the handle (or this frame's `value`), the local name, the argument of getrefcount; for the array: the value, local name, argument
    if sys.getrefcount(array) > 3 or sys.getrefcount(value) > 3:
        return jax.device_put(np.array(array))
    return array


class _Slot:
    """Stands for a handle."""


def _references():
    """Reference counts of a value and of its array that only a handle and a `Resident` have."""
    slot, arrays = _Slot(), [object()]
    slot.value = Value(arrays[0], None)
    values = [slot.value]
    return sum(map(sys.getrefcount, values)), sum(map(sys.getrefcount, arrays))


_VALUE_REFERENCES, _ARRAY_REFERENCES = _references()
