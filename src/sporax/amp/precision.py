"""Which type the operations of a network compute in.

A network stays the object it is, with its attributes and its float32 parameters: Cells and operators only get a note of the type to compute
in (Micikevicius et al., 2018). What a Cell with a note does inside is cast on its way into each operation, and its results are cast on
their way out.
"""

import functools
import inspect
from typing import Any

from sporax import nn, ops
from sporax._core import dtype as mstype
from sporax._core.autocast import Auto, autocast
from sporax._core.context import warn_once
from sporax.nn.cell import Cell

AMP_WHITE_LIST = [
    nn.Conv1d, nn.Conv2d, nn.Conv3d, nn.Conv1dTranspose, nn.Conv2dTranspose, nn.Conv3dTranspose, nn.Dense, nn.LSTMCell, nn.RNNCell, nn.GRUCell,
    ops.Conv2D, ops.Conv3D, ops.Conv2DTranspose, ops.Conv3DTranspose, ops.Conv2DBackpropInput, ops.MatMul, ops.BatchMatMul, ops.PReLU, ops.ReLU, ops.Ger,
]  # fmt: skip
AMP_BLACK_LIST = [nn.BatchNorm1d, nn.BatchNorm2d, nn.BatchNorm3d, nn.LayerNorm]
# Cells that do nothing but apply one operator.
_CELL_OF = {ops.ReLU: nn.ReLU, ops.PReLU: nn.PReLU, ops.Conv2DTranspose: nn.Conv2dTranspose}


def get_white_list():
    """Classes of Cells and operators that compute in the low type at level "O1", a new list.

    Examples:
        >>> from sporax import amp
        >>> nn.Dense in amp.get_white_list()
        True
    """
    return AMP_WHITE_LIST.copy()


def get_black_list():
    """Classes of Cells that compute in float32 at level "O2", a new list.

    Examples:
        >>> from sporax import amp
        >>> [c.__name__ for c in amp.get_black_list()]
        ['BatchNorm1d', 'BatchNorm2d', 'BatchNorm3d', 'LayerNorm']
    """
    return AMP_BLACK_LIST.copy()


def auto_mixed_precision(network, amp_level="O0", dtype: Any = mstype.float16):
    """Let a network compute in a low type where that is fast and safe. Parameters and their gradients stay float32.

    Args:
        network: a Cell; with level "auto" also a function.
        amp_level: Default: "O0".

            - "O0": nothing is changed.
            - "O1": Cells and operators of `get_white_list()` compute in `dtype` and return float32.
            - "O2": everything computes in `dtype`, but Cells of `get_black_list()` in float32; the network returns float32.
            - "O3": everything computes in `dtype`; the network returns float32.
            - "auto": products and convolutions compute in `dtype`, sums, exponentials, norms and losses in float32, and the rest in the widest
              type of its inputs, which is also what the network returns.
        dtype: `mindspore.float16` or `mindspore.bfloat16`. Default: float16.

    Returns:
        The network itself, changed; for a function a new function.

    Raises:
        TypeError: `network` is not a Cell (nor a function, with "auto").
        ValueError: another level or type.

    Examples:
        >>> from sporax import amp
        >>> net = amp.auto_mixed_precision(nn.Dense(2, 2), "O2", ms.bfloat16)
        >>> net(ops.ones((1, 2))).dtype, net.weight.dtype
        (mindspore.float32, mindspore.float32)
    """
    if not isinstance(network, Cell) and not (amp_level == "auto" and inspect.isroutine(network)):
        raise TypeError(
            f"For amp_level {amp_level!r}, the network should be a Cell{' or a function' if amp_level == 'auto' else ''}, "
            f"but got {network!r} of type {type(network).__name__}."
        )
    _check_dtype(dtype)
    if amp_level not in ("O0", "O1", "O2", "O3", "auto"):
        raise ValueError(f"The amp level {amp_level!r} is not supported: use 'O0', 'O1', 'O2', 'O3' or 'auto'.")
    if amp_level == "O0":
        return network
    if not isinstance(network, Cell):
        return _automatic(network, dtype)
    before = network.__dict__.get("_amp_level")
    if before is not None:
        warn_once(
            ("amp twice", type(network)),
            f"The precision of this {network.cls_name} was set by level {before!r} before; now {amp_level!r} is set on top.",
        )
    if amp_level == "O1":
        _lower_listed(network, AMP_WHITE_LIST, dtype)
    elif amp_level == "auto":
        _note(network, Auto(dtype))
    else:
        _lower_others(network, AMP_BLACK_LIST if amp_level == "O2" else [], dtype)
    object.__setattr__(network, "_amp_level", amp_level)
    return network


def custom_mixed_precision(network, *, white_list=None, black_list=None, dtype=mstype.float16):
    """`auto_mixed_precision` with lists of your own: like "O1" with a white list, like "O2" with a black list.

    Args:
        network: a Cell.
        white_list: a list of classes of Cells and operators. Default: None.
        black_list: a list of classes of Cells. Default: None. One of the two lists must be given.
        dtype: `mindspore.float16` or `mindspore.bfloat16`. Default: float16.

    Returns:
        The network itself, changed.

    Raises:
        TypeError: `network` is not a Cell, or a list holds something else than such classes.
        ValueError: no list, both lists, or another type.

    Examples:
        >>> from sporax import amp
        >>> net = nn.SequentialCell(nn.Dense(2, 2), nn.Tanh())
        >>> net = amp.custom_mixed_precision(net, white_list=[nn.Tanh])
        >>> net(ops.ones((1, 2))).dtype
        mindspore.float32
    """
    if not isinstance(network, Cell):
        raise TypeError(f"The network should be a Cell, but got {network!r} of type {type(network).__name__}.")
    if (white_list is None) == (black_list is None):
        raise ValueError("For 'custom_mixed_precision', give either 'white_list' or 'black_list'.")
    _check_dtype(dtype)
    if white_list is not None:
        _check_list("white_list", white_list, (Cell, ops.Primitive))
        _lower_listed(network, white_list, dtype)
    else:
        _check_list("black_list", black_list, (Cell,))
        for missing in [c for c in AMP_BLACK_LIST if c not in black_list]:
            warn_once(
                ("black list", missing), f"{missing.__name__} is not in 'black_list': it will compute in {dtype}, where statistics overflow easily."
            )
        _lower_others(network, black_list, dtype)
    object.__setattr__(network, "_amp_level", "custom")
    return network


def _check_dtype(dtype):
    if dtype is not mstype.float16 and dtype is not mstype.bfloat16:
        raise ValueError(f"The dtype should be one of (mstype.float16, mstype.bfloat16), but got {dtype}.")


def _check_list(name, classes, bases):
    if not isinstance(classes, list):
        raise TypeError(f"The type of {name} should be list, but got {type(classes).__name__}.")
    for c in classes:
        if not isinstance(c, type) or not issubclass(c, bases):
            raise TypeError(f"Each element of {name} should be a class of {' or '.join(b.__name__ for b in bases)}, but got {c!r}.")


def _automatic(function, dtype):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        with autocast(Auto(dtype)):
            return function(*args, **kwargs)

    return wrapper


def _note(cell, policy, out=None):
    """Let one Cell compute by a policy and return a type."""
    own = cell.__dict__
    own["_cast"], own["_cast_out"] = policy, out
    cell._settings_changed()


def _chosen_by_user(cell):
    return any(cell.get_flags().get(flag) for flag in ("fp16", "fp32", "bf16"))


def _lower_listed(cell, white_list, dtype):
    """Let what is listed compute in `dtype`, each thing by itself. What has a type of its own keeps it."""
    cells = {_CELL_OF[c] for c in white_list if c in _CELL_OF} | set(white_list)
    if _chosen_by_user(cell):
        return
    if type(cell) in cells:
        cell.to_float(dtype)
        _note(cell, dtype, mstype.float32)
        return
    for thing in cell.__dict__.values():
        if isinstance(thing, ops.Primitive) and type(thing) in white_list:
            thing.precision = dtype
    cell._settings_changed()
    for child in cell.cells():
        _lower_listed(child, white_list, dtype)


def _lower_others(network, black_list, dtype):
    """Let everything compute in `dtype`, but what is listed in float32."""
    network.to_float(dtype)
    _raise_listed(network, tuple(black_list), dtype)
    _note(network, dtype, mstype.float32)


def _raise_listed(cell, black_list, dtype):
    for child in cell.cells():
        if isinstance(child, black_list):
            child.to_float(mstype.float32)
            _note(child, mstype.float32, dtype)
        else:
            _raise_listed(child, black_list, dtype)


__all__ = ["AMP_BLACK_LIST", "AMP_WHITE_LIST", "auto_mixed_precision", "custom_mixed_precision", "get_black_list", "get_white_list"]
