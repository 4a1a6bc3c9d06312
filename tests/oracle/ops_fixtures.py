"""One line of text for each case of an operator: `expression : inputs`.

The inputs, separated by ";", become the variables a, b, c, d; the expression sees them, `ms`, `ops`, `P` (the same module: the classes read better),
`np` and `Tensor`. A case's value is the expression's value and the gradients of the sum of (output * fixed numbers) with respect to the
floating inputs, for every floating output; "!" at the end of a line means no gradients. Inputs:

    n(*shape)  normal          u(*shape)  in (0.1, 2)       p(*shape)  in (-0.95, 0.95)     k()  a (3, 4) with ties, zeros and halves
    i(high, *shape)  int64     m(*shape)  bool              v(values, dtype="float32")  these values

    h(x), b16(x), f64(x), i32(x), i8(x), u8(x)              `x` in another dtype
"""

import numpy as np

from tests.oracle.recording import GAP, attempt

KINKS = np.array([-2, -1.5, -1, -0.5, 0, 0, 0.5, 1, 1, 1.5, 2.5, 3], np.float32).reshape(3, 4)
SPECIAL = [float("nan"), float("inf"), -float("inf"), 0.0, -0.0, 1.0]


class Inputs:
    """Makes the inputs of one case, each random one from its own seed."""

    def __init__(self, ms):
        self.ms, self.seed = ms, 0

    def _rng(self):
        self.seed += 1
        return np.random.default_rng(self.seed)

    def _t(self, array, dtype=None):
        t = self.ms.Tensor(np.ascontiguousarray(array) if np.ndim(array) else array)
        return t if dtype is None else t.astype(getattr(self.ms, dtype))

    def names(self):
        to = lambda dtype: lambda x: x.astype(getattr(self.ms, dtype))
        return {
            "n": lambda *s: self._t(self._rng().standard_normal(s).astype(np.float32)),
            "u": lambda *s: self._t(self._rng().uniform(0.1, 2, s).astype(np.float32)),
            "p": lambda *s: self._t(self._rng().uniform(-0.95, 0.95, s).astype(np.float32)),
            "k": lambda: self._t(KINKS),
            "i": lambda high, *s: self._t(self._rng().integers(0, high, s)),
            "m": lambda *s: self._t(self._rng().random(s) < 0.5),
            "v": lambda values, dtype="float32": self._t(np.array(values, np.float64 if dtype[0] in "bf" else None), dtype),
            "h": to("float16"), "b16": to("bfloat16"), "f64": to("float64"), "i32": to("int32"), "i8": to("int8"), "u8": to("uint8"),
            "np": np, "ms": self.ms, "SPECIAL": SPECIAL,
        }  # fmt: skip


def _flat(value):
    if isinstance(value, tuple | list):
        return [t for v in value for t in _flat(v)]
    return [value] if hasattr(value, "asnumpy") else []


def _floating(t):
    return str(t.dtype) in ("Float16", "Float32", "Float64", "BFloat16")


def _gradients(ms, call, inputs):
    """The gradients with respect to the floating inputs; None where there is nothing to differentiate."""
    where = tuple(i for i, t in enumerate(inputs) if _floating(t))
    if not where:
        return None
    outputs = [t for t in _flat(call(*inputs)) if _floating(t)]
    if not outputs or sum(t.size for t in outputs) == 0:
        return None
    weights = [ms.Tensor(np.random.default_rng(50 + i).standard_normal(t.shape).astype(np.float32)).astype(t.dtype) for i, t in enumerate(outputs)]

    def loss(*args):
        total = 0
        for t, w in zip([t for t in _flat(call(*args)) if _floating(t)], weights):
            total = total + (t * w).sum()
        return total

    return ms.grad(loss, where)(*inputs)


def case(line, jit=False):
    """The program of a line."""
    expression, _, inputs = line.partition(" : ")
    differentiable = not inputs.endswith("!")
    inputs = inputs.removesuffix("!").strip()

    def run(ms):
        makers = Inputs(ms).names()
        made = tuple(eval(f"({inputs},)".replace(";", ","), makers)) if inputs else ()
        names = {"ms": ms, "ops": ms.ops, "P": ms.ops, "np": np, "Tensor": ms.Tensor}
        call = eval(f"lambda {', '.join('abcd'[: len(made)])}: {expression}", names)
        if jit:
            call = ms.jit(call)
        out = call(*made)
        value = {"out": out}
        if differentiable:
            value["grads"] = attempt(lambda: _gradients(ms, call, made))
        return value

    return run


def _accepted(program, ms):
    """The program's value; GAP where genuine does not take this dtype (we may), the message where we don't."""
    try:
        return program(ms)
    except Exception as error:
        return GAP if ms.__name__ == "mindspore" else f"{type(error).__name__}: {error}"


def sweep(line, dtypes):
    """One case for all dtypes: `DT` in the line is each of them in turn."""
    programs = {d: case(line.replace("DT", repr(d))) for d in dtypes}
    return lambda ms: {d: _accepted(program, ms) for d, program in programs.items()}


def cases(*tables, dtypes=()):
    """{line: program} of texts with a case on each line, swept over `dtypes` where it says DT."""
    lines = [line.strip() for table in tables for line in table.strip().splitlines() if line.strip()]
    return {line: sweep(line, dtypes) if "DT" in line else case(line) for line in lines}
