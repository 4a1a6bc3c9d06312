"""Why a parameter does not learn: one look at every gradient of a network."""

import dataclasses
import os
import sys

import numpy as np

from sporax import _core
from sporax._core import context, dispatch, transforms
from sporax._core.rng import default_generator
from sporax._core.scope import assign
from sporax._core.tape import recording, vjp_kernel
from sporax._core.tensor import Tensor
from sporax._core.value import Value

_OURS = os.path.dirname(os.path.dirname(os.path.abspath(_core.__file__)))
_ENGINE = tuple(os.sep + name + os.sep for name in ("jax", "numpy", "malt"))


@dataclasses.dataclass(frozen=True)
class ParameterGrad:
    """What the loss says to one parameter."""

    name: str
    shape: tuple
    dtype: str
    reached: bool
    frozen: bool
    norm: float
    finite: bool

    @property
    def verdict(self):
        """One sentence for people."""
        if not self.reached:
            return "not reached: the loss does not depend on it, its gradient is zero"
        if not self.finite:
            return "NOT FINITE"
        if self.norm == 0:
            return "reached, but its gradient is exactly zero"
        return "frozen: requires_grad=False" if self.frozen else "ok"


@dataclasses.dataclass(frozen=True)
class Origin:
    """The op and the line of the program that made the first value that is not finite."""

    op: str
    phase: str
    where: str
    line: str

    def __str__(self):
        return f"{self.op} ({self.phase}) at {self.where}: {self.line}"


@dataclasses.dataclass(frozen=True)
class GradReport:
    """The result of `explain_grads`: `print` it, or read its fields.

    Attributes:
        loss: value of the loss.
        parameters: a `ParameterGrad` for each parameter.
        origin: `Origin` of the first value that is not finite, or None.
        notes: sentences about inputs and parameters that were not finite to begin with.
    """

    loss: float
    parameters: tuple
    origin: Origin | None
    notes: tuple = ()

    def __getitem__(self, name):
        for p in self.parameters:
            if p.name == name:
                return p
        raise KeyError(f"There is no parameter {name!r}; there are {', '.join(p.name for p in self.parameters)}.")

    def __str__(self):
        width = max([9, *(len(p.name) for p in self.parameters)])
        lines = [f"loss {self.loss:.6g}", f"{'parameter':<{width}}  {'shape':<16} {'|gradient|':>11}  "]
        for p in self.parameters:
            lines.append(f"{p.name:<{width}}  {p.shape!s:<16} {p.norm:>11.4g}  {p.verdict}")
        lines += self.notes
        if self.origin is not None:
            lines.append(f"first value that is not finite: {self.origin}")
        return "\n".join(lines)


def explain_grads(net, loss_fn, *inputs):
    """Run forward and backward once and say for each parameter whether and how the loss reaches it.

    Nothing is changed: statistics that the forward updates and the random state are put back. Runs op by op, in PyNative.

    Args:
        net: a Cell.
        loss_fn: a function or Cell called as `loss_fn(net(*data), label)` where `label` is the last of the inputs; None if `net(*inputs)` is
            the loss.
        *inputs: the inputs, Tensors.

    Returns:
        GradReport.

    Raises:
        TypeError: `net` is not a Cell, or the loss is not a Tensor.

    Examples:
        >>> net = nn.Dense(2, 1, weight_init="ones", bias_init="zeros")
        >>> report = ms.explain_grads(net, nn.MSELoss(), Tensor([[1.0, 2.0]]), Tensor([[3.0]]))
        >>> report["bias"].reached, report["weight"].verdict
        (True, 'reached, but its gradient is exactly zero')
    """
    if not hasattr(net, "get_parameters"):
        raise TypeError(f"For 'explain_grads', 'net' should be a Cell, but got {net!r} of type {type(net).__name__}.")
    parameters = list(net.get_parameters())
    watch = _Watch()
    before = [(p, p.value()) for p in parameters] + [(default_generator._state, default_generator._state.value())]
    mode = context.get_context("mode")
    context.set_context(mode=context.PYNATIVE_MODE)
    was_direct = dispatch.set_direct(True)
    dispatch.observers.append(watch)
    try:
        roots = [p._value for p in parameters]
        with recording(roots) as tape:
            loss = net(*inputs) if loss_fn is None else loss_fn(net(*inputs[:-1]), inputs[-1])
        if not isinstance(loss, Tensor):
            raise TypeError(f"For 'explain_grads', the loss should be a Tensor, but got {loss!r} of type {type(loss).__name__}.")
        gradients = transforms.pull("explain_grads", tape, loss, None, roots)
    finally:
        dispatch.observers.remove(watch)
        dispatch.set_direct(was_direct)
        context.set_context(mode=mode)
        for handle, value in before:
            assign(handle, value)
    rows = tuple(_row(p, g) for p, g in zip(parameters, gradients, strict=True))
    notes = [f"input {i} is not finite" for i, t in enumerate(inputs) if isinstance(t, Tensor) and not _finite(t._value)]
    notes += [f"parameter {p.name} is not finite" for p in parameters if not _finite(p._value)]
    return GradReport(float(loss.asnumpy().sum()), rows, watch.origin, tuple(notes))


def _row(p, gradient):
    array = np.zeros(p.shape) if gradient is None else _as_float(gradient._value)
    with np.errstate(all="ignore"):
        norm = float(np.sqrt((np.abs(array) ** 2).sum()))
    return ParameterGrad(p.name, p.shape, str(p.dtype), gradient is not None, not p.requires_grad, norm, bool(np.isfinite(array).all()))


def _as_float(value):
    array = np.asarray(value.array())
    return array if array.dtype.kind == "c" else array.astype(np.float64)


def _finite(value):
    return not value.aval.inexact or bool(np.isfinite(_as_float(value)).all())


class _Watch:
    """Observer of the dispatch: remembers each op's line, and the first op that turns finite inputs into something else."""

    def __init__(self):
        self.origin = None
        # (kernel, identities of inputs) -> line; the values are kept so that identities stay unique
        self.lines, self.keep = {}, []

    def __call__(self, kernel, inputs, outputs, static):
        values = [v for v in inputs if v.__class__ is Value]
        if kernel is vjp_kernel:
            forward = static["kernel"]
            n = len(static["given"])
            line = self.lines.get((forward, tuple(id(v) for v in inputs[n:])), _user_line())
            name, phase = forward.__name__, "backward"
        else:
            line = _user_line()
            self.lines[(kernel, tuple(id(v) for v in inputs))] = line
            self.keep += values
            name, phase = kernel.__name__, "forward"
        if self.origin is None and not all(map(_finite, outputs)) and all(map(_finite, values)):
            self.origin = Origin(name, phase, *line)


def _user_line():
    """Where in the program the current op was called, and the text of that line."""
    import linecache

    frame = sys._getframe(1)
    while frame is not None:
        path = frame.f_code.co_filename
        if not path.startswith(_OURS) and not any(e in path for e in _ENGINE) and not path.startswith("<frozen"):
            return f"{path}:{frame.f_lineno}", linecache.getline(path, frame.f_lineno).strip()
        frame = frame.f_back
    return "an unknown line", ""
