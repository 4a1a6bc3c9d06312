"""Checks that many ops share."""

from sporax._core.dtype import to_jax_dtype
from sporax._core.tensor import Tensor

__all__ = ["axes_of", "axis_of", "dtype_of", "ints", "need_tensor"]

dtype_of = to_jax_dtype


def need_tensor(op, name, x):
    """Raise unless `x` is a Tensor."""
    if not isinstance(x, Tensor):
        raise TypeError(f"For '{op}', '{name}' should be a Tensor, but got {x!r} of type {type(x).__name__}.")
    return x


def axis_of(op, axis, ndim):
    """One axis as a non-negative int."""
    if isinstance(axis, bool) or not isinstance(axis, int):
        if isinstance(axis, Tensor):
            axis = int(axis)
        else:
            raise TypeError(f"For '{op}', 'axis' should be an int, but got {axis!r} of type {type(axis).__name__}.")
    n = max(ndim, 1)
    if not -n <= axis < n:
        raise ValueError(f"For '{op}', 'axis' should be in [{-n}, {n}), but got {axis}.")
    return axis % n


def axes_of(op, axis, ndim):
    """None (all axes), an int or a sequence of ints as None or a tuple of non-negative ints."""
    if axis is None or (isinstance(axis, tuple | list) and not axis):
        return None
    if isinstance(axis, tuple | list):
        axes = tuple(axis_of(op, a, ndim) for a in axis)
        if len(set(axes)) != len(axes):
            raise ValueError(f"For '{op}', 'axis' should not name an axis twice, but got {axis}.")
        return axes if ndim else None
    if isinstance(axis, Tensor) and axis.ndim:
        return axes_of(op, axis.tolist(), ndim)
    a = axis_of(op, axis, ndim)
    return (a,) if ndim else None


def ints(op, name, value) -> tuple[int, ...]:
    """A tuple of ints from an int, a sequence of ints or an integer Tensor."""
    if isinstance(value, Tensor):
        value = value.tolist()
    if isinstance(value, int) and not isinstance(value, bool):
        return (value,)
    if isinstance(value, tuple | list):
        out = []
        for v in value:
            if isinstance(v, Tensor):
                v = int(v)
            if isinstance(v, bool) or not hasattr(v, "__index__"):
                raise TypeError(f"For '{op}', '{name}' should hold ints, but got {v!r} in {value!r}.")
            out.append(int(v))
        return tuple(out)
    raise TypeError(f"For '{op}', '{name}' should be an int or a tuple of ints, but got {value!r} of type {type(value).__name__}.")


def tensors_in(op, name, value) -> tuple:
    """The Tensors of a tuple or list, such as gradients.

    Raises:
        TypeError: it is something else, or holds something else; the pair of gradients of inputs and of weights is recognized.
    """
    if not isinstance(value, tuple | list) or not value:
        raise TypeError(f"For '{op}', '{name}' should be Tensors in a tuple or list, but got {value!r} of type {type(value).__name__}.")
    for t in value:
        if isinstance(t, tuple | list):
            raise TypeError(
                f"For '{op}', each of '{name}' should be a Tensor, but got a {type(t).__name__}. If these are (input gradients, weight gradients) "
                "of value_and_grad: use grad_position=None to get weight gradients only, or pass gradients[1]."
            )
        if not isinstance(t, Tensor):
            raise TypeError(f"For '{op}', each of '{name}' should be a Tensor, but got {t!r} of type {type(t).__name__}.")
    return tuple(value)
