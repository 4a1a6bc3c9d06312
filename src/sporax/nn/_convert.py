"""Conversion of a Cell's Parameters and buffers: `to` and `to_empty`."""

from sporax._core import context, scope
from sporax._core.context import warn_once
from sporax._core.dtype import Type
from sporax._core.tensor import Tensor

_DEVICES = ("CPU", "GPU", "TPU", "Ascend")


class Convertible:
    """The part of a Cell that converts what it owns."""

    def to(self, *args, **kwargs):
        """Convert floating Parameters and buffers of this Cell and all in it.

        Called as `to(device, dtype)`, `to(dtype)` or `to(tensor)` (device and dtype of the tensor), each with `non_blocking=False`, which
        makes no difference. All tensors are on the device of `mindspore.set_device`; naming it is allowed.

        Returns:
            Cell, this one.

        Raises:
            TypeError: `dtype` is neither floating nor complex, or the arguments are of another kind.
            ValueError: another device.

        Examples:
            >>> nn.Dense(2, 2).to(ms.float16).weight.dtype
            mindspore.float16
        """
        device, dtype = _parse_to(args, kwargs)
        _check_device("to", device)
        if dtype is None:
            return self
        if not (dtype.is_floating_point or dtype.is_complex):
            raise TypeError(f"Cell.to only accepts floating point or complex dtypes, but got desired dtype={dtype}")
        if dtype.is_complex:
            warn_once("complex cells", "Parameters of complex dtypes are experimental: not every layer computes with them.")
        for t in (*self.get_parameters(), *self.buffers()):
            if (t.dtype.is_floating_point or t.dtype.is_complex) and t.dtype is not dtype:
                scope.assign(t, t.astype(dtype))
        context.bump_epoch()
        return self

    def to_empty(self, *, device=None, recurse=True):
        """Storage of no particular content on a device: Parameters have storage from the start, so nothing is changed; returns self.

        Raises:
            TypeError: `recurse` is not a bool.
            ValueError: another device than that of `mindspore.set_device`.
        """
        if not isinstance(recurse, bool):
            raise TypeError(f"For 'to_empty', 'recurse' should be a bool, but got {recurse!r}.")
        _check_device("to_empty", device)
        return self


def _parse_to(args, kwargs):
    """Device and dtype from the arguments of `Cell.to`."""
    kwargs = dict(kwargs)
    if args and isinstance(args[0], Tensor):
        kwargs.setdefault("tensor", args[0])
        names = ("tensor", "non_blocking")
    elif args and isinstance(args[0], Type):
        names = ("dtype", "non_blocking")
    else:
        names = ("device", "dtype", "non_blocking")
    given = dict(zip(names, args, strict=False))
    given.update(kwargs)
    tensor = given.pop("tensor", None)
    device, dtype, non_blocking = given.pop("device", None), given.pop("dtype", None), given.pop("non_blocking", False)
    if (
        given
        or len(args) > len(names)
        or not isinstance(non_blocking, bool)
        or not isinstance(device, str | None)
        or not isinstance(dtype, Type | None)
    ):
        raise TypeError(f"Cell.to is called as to(device, dtype), to(dtype) or to(tensor), but got {args!r} {kwargs!r}.")
    if tensor is not None:
        dtype = tensor.dtype
    return device, dtype


def _check_device(name, device):
    if device is None:
        return
    kind = str(device).partition(":")[0]
    if kind not in _DEVICES:
        raise ValueError(f"For '{name}', 'device' should be one of {_DEVICES}, but got {device!r}.")
    present = context.get_context("device_target")
    if kind not in (present, "Ascend"):
        raise ValueError(
            f"For '{name}', tensors are on {present}, and {device!r} was asked for: call mindspore.set_device('{kind}') before the network is made."
        )
