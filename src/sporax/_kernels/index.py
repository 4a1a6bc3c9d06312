"""`x[index]` and `x[index] = v`.

A plan is a tuple with an entry for each part of the index, all static; what varies between calls (ints, starts of slices, index
arrays) comes as positional arguments, in order:

    "all"              a whole axis                     "new"   a new axis of size 1
    "int"              one int, positional              "array" an integer array, positional
    ("slice", n, step) n elements from a positional start

Starts and ints that are Python numbers are static slices; where they arrive as tracers (they vary from call to call) the same elements are
found by dynamic slices, and nothing is compiled anew.
"""

import jax
import jax.numpy as jnp
from jax import lax

from sporax._kernels.promote import cast


def _windows(plan, parts):
    """(axis, start, length) for each slice with a traced start, and the index to apply afterwards."""
    windows, index, axis, parts = [], [], 0, iter(parts)
    for entry in plan:
        if entry == "new":
            index.append(None)
            continue
        if entry == "all":
            index.append(slice(None))
        elif entry in ("int", "array"):
            index.append(next(parts))
        else:
            _, n, step = entry
            start = next(parts)
            span = (n - 1) * abs(step) + 1 if n else 0
            if isinstance(start, int):
                stop = start + n * step
                index.append(slice(start, stop if stop >= 0 else None, step))
            elif step > 0:
                windows.append((axis, start, span))
                index.append(slice(None, None, step))
            else:
                windows.append((axis, start - (span - 1), span))
                index.append(slice(None, None, step))
        axis += 1
    return windows, tuple(index)


def getitem(x, *parts, plan):
    windows, index = _windows(plan, parts)
    for axis, start, length in windows:
        x = lax.dynamic_slice_in_dim(x, start, length, axis)
    return x[index]


def _fit(value, x, index):
    """`value` without leading axes of size 1 that its place does not have."""
    place = jax.eval_shape(lambda a: a[index], x).ndim if value.ndim else 0
    while value.ndim > place and value.shape[0] == 1:
        value = value[0]
    return value


def setitem(x, value, *parts, plan):
    windows, index = _windows(plan, parts)
    value = cast(value, x.dtype)
    if not windows:
        return x.at[index].set(_fit(value, x, index))
    sizes, starts = list(x.shape), [jnp.int64(0)] * x.ndim
    for axis, start, length in windows:
        sizes[axis], starts[axis] = length, start.astype(jnp.int64)
    part = lax.dynamic_slice(x, starts, sizes)
    return lax.dynamic_update_slice(x, part.at[index].set(_fit(value, part, index)), starts)


def set_masked(x, value, mask):
    """x where not mask; `value` (a scalar, or one for each element behind the mask's axes) where mask."""
    mask = mask.reshape(mask.shape + (1,) * (x.ndim - mask.ndim))
    return jnp.where(mask, cast(value, x.dtype), x)
