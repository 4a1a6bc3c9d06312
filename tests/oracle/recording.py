"""Recordings of genuine MindSpore and how a test replays them.

A topic is a module `cases_<topic>.py` with `CASES = {name: function(ms) -> value}`: small programs that get the framework as an argument, so that
the same program runs on genuine MindSpore (`make_<topic>.py`, which calls `record`) and on sporax (a test, which calls `differences`).

    @pytest.mark.parametrize("name", list(CASES))
    def test_losses(name):
        assert differences("losses", name, CASES[name], sporax) == ""

A value is a Tensor, an array, a Python scalar, None, or a tuple, list or dict of values. `<topic>.json` holds one line per case: the value's
structure with dtypes and shapes, or the exception. The numbers lie in `<topic>.npz`: one flat array per dtype, of which a leaf is a piece
(`at` is its start). bfloat16 is kept as float32. A dtype, where a case returns one, is kept by its name.
"""

import functools
import json
import math
import pathlib
import re

import numpy as np

HERE = pathlib.Path(__file__).parent
KERNEL_GAP = re.compile(
    r"Select CPU operator|Kernel select failed|KernelMod Init Failed|kernel (data )?type|Unsupported data type"
    r"|unregistered|Launch kernel failed|type_id:\d+ is invalid|memcpy_s|an unexpected kernel has been launched|Unsupported op \[|Not implement exception|Not found op|Create kernelmod for op|Framework Unexpected Exception|could not create a descriptor|pointer\[\w+\] is null|dst_addr->size|does not support.*CPU|not supported? (on|in) CPU",
    re.IGNORECASE,
)


GAP = "<no CPU kernel>"
COARSE = {"Float16": 2e-3, "BFloat16": 2e-2}


class Pool:
    """The numbers of a topic: a flat array per dtype."""

    def __init__(self, arrays=None):
        self.arrays = dict(arrays or {})
        self._new, self._sizes = {}, {}

    def add(self, array):
        """Keep a copy of `array`; its place."""
        name = array.dtype.name
        at = self._sizes.get(name, 0)
        self._new.setdefault(name, []).append(np.array(array).reshape(-1))
        self._sizes[name] = at + array.size
        return at

    def get(self, name, at, shape):
        flat = self.arrays[name] if name in self.arrays else np.concatenate(self._new[name])
        return flat[at : at + math.prod(shape)].reshape(shape)

    def joined(self):
        return {name: np.concatenate(parts) for name, parts in sorted(self._new.items())}


def encode(value, pool):
    """`value` as JSON, its numbers added to `pool`."""
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else {"float": repr(value)}
    if isinstance(value, complex):
        return {"complex": [value.real, value.imag]}
    if isinstance(value, tuple):
        return {"tuple": [encode(v, pool) for v in value]}
    if isinstance(value, list):
        return [encode(v, pool) for v in value]
    if isinstance(value, dict):
        return {"dict": {str(k): encode(v, pool) for k, v in value.items()}}
    if isinstance(value, np.generic | np.ndarray):
        return {"numpy": value.dtype.name, "store": value.dtype.name, "shape": list(value.shape), "at": pool.add(np.asarray(value))}
    if hasattr(value, "asnumpy"):
        dtype = str(value.dtype)
        array = np.asarray(value.float().asnumpy() if dtype == "BFloat16" else value.asnumpy())
        return {"dtype": dtype, "store": array.dtype.name, "shape": list(value.shape), "at": pool.add(array)}
    return {"name": str(value)}


def attempt(f):
    """`f()`, or GAP where genuine's CPU build has no kernel for it: for a part of a case's value. Every value equals a recorded GAP."""
    try:
        return f()
    except Exception as error:
        if KERNEL_GAP.search(str(error)):
            return GAP
        raise


def message(error):
    """The text of an exception without genuine's C++ call stack."""
    return str(error).split("\n\n-----")[0].strip() or str(error).strip()


def outcome(case, ms, pool):
    """What `case` gives on the framework `ms`, as JSON: {"value": ...} or {"raises": class, "message": ..., "gap": ...}.

    "gap" says that genuine accepts the call but its CPU build has no kernel for it, or one that fails.
    """
    try:
        return {"value": encode(case(ms), pool)}
    except Exception as error:
        text = message(error)
        node = {"raises": type(error).__name__, "message": text[:150]}
        return node | ({"gap": True} if KERNEL_GAP.search(text) else {})


def record(topic, cases, ms, command=None):
    """Run `cases` on genuine MindSpore and write `<topic>.json` and, where there are numbers, `<topic>.npz`."""
    pool = Pool()
    lines = {}
    for name, case in cases.items():
        lines[name] = outcome(case, ms, pool)
    head = json.dumps({"mindspore": ms.__version__, "command": command or f"python -m tests.oracle.make_{topic}"})
    body = ",\n".join(f"{json.dumps(name)}: {json.dumps(node, separators=(',', ':'))}" for name, node in lines.items())
    (HERE / f"{topic}.json").write_text(f'{{"about": {head},\n"cases": {{\n{body}\n}}}}\n')
    arrays = pool.joined()
    if arrays:
        np.savez_compressed(HERE / f"{topic}.npz", **arrays)
    raising = sum("raises" in node for node in lines.values())
    print(f"{topic}: {len(lines)} cases, {raising} raise, {sum(a.nbytes for a in arrays.values())} bytes of numbers")
    return lines


@functools.cache
def load(topic):
    """The recorded outcomes {name: node} of a topic and the pool with their numbers."""
    nodes = json.loads((HERE / f"{topic}.json").read_text())["cases"]
    path = HERE / f"{topic}.npz"
    if not path.exists():
        return nodes, Pool()
    with np.load(path) as data:
        return nodes, Pool({k: data[k] for k in data.files})


def recorded(topic, name):
    """One case's recorded outcome with NumPy arrays for leaves: {"value": ...} or {"raises": ..., "message": ...}."""
    nodes, pool = load(topic)
    node = nodes[name]
    return node if "raises" in node else {"value": decode(node["value"], pool)}


def decode(node, pool):
    """The value of a JSON node: arrays are NumPy's, whatever they were."""
    if isinstance(node, list):
        return [decode(n, pool) for n in node]
    if not isinstance(node, dict):
        return node
    if "tuple" in node:
        return tuple(decode(n, pool) for n in node["tuple"])
    if "dict" in node:
        return {k: decode(n, pool) for k, n in node["dict"].items()}
    if "float" in node:
        return float(node["float"])
    if "complex" in node:
        return complex(*node["complex"])
    if "name" in node:
        return node["name"]
    return pool.get(node["store"], node["at"], tuple(node["shape"]))


def differences(topic, name, case, ms, rtol=1e-5, atol=1e-6, exact_message=False):
    """How `case` on the framework `ms` differs from the recording; "" where it does not.

    Where genuine raised, `ms` must raise the same class (a subclass will do); after a missing CPU kernel ("gap") every outcome is right.
    """
    nodes, pool = load(topic)
    want = nodes[name]
    if "raises" in want:
        return "" if want.get("gap") else _raised(case, ms, want, exact_message)
    mine = Pool()
    return "\n".join(_compare(encode(case(ms), mine), mine, want["value"], pool, "result", rtol, atol))


def _raised(case, ms, want, exact_message):
    try:
        got = case(ms)
    except Exception as error:
        classes = [c.__name__ for c in type(error).__mro__]
        if want["raises"] not in classes:
            return f"raised {classes[0]}: {str(error)[:200]}; genuine raised {want['raises']}: {want['message']}"
        if exact_message and message(error)[:150] != want["message"]:
            return f"message {message(error)[:150]!r}; genuine's is {want['message']!r}"
        return ""
    return f"gave {got!r}; genuine raised {want['raises']}: {want['message']}"


def _compare(got, mine, want, pool, where, rtol, atol):
    if want == GAP:
        return []
    if isinstance(want, dict) and "store" in want:
        key = "dtype" if "dtype" in want else "numpy"
        if not (isinstance(got, dict) and key in got):
            return [f"{where}: {got!r}, expected an array {want[key]}{want['shape']}"]
        if (got[key], got["shape"]) != (want[key], want["shape"]):
            return [f"{where}: {got[key]}{got['shape']}, expected {want[key]}{want['shape']}"]
        # numbers of 16 bits have two or three digits
        rtol, atol = (max(t, COARSE.get(want[key], 0)) for t in (rtol, atol))
        return _numbers(
            mine.get(got["store"], got["at"], tuple(got["shape"])), pool.get(want["store"], want["at"], tuple(want["shape"])), where, rtol, atol
        )
    if isinstance(want, dict):
        (kind, inner), *_ = want.items()
        if not (isinstance(got, dict) and kind in got):
            return [f"{where}: {got!r}, expected {kind} {inner!r}"]
        if kind == "dict":
            if list(got[kind]) != list(inner):
                return [f"{where}: keys {list(got[kind])}, expected {list(inner)}"]
            return [d for k in inner for d in _compare(got[kind][k], mine, inner[k], pool, f"{where}[{k!r}]", rtol, atol)]
        if kind != "tuple":
            return [] if got == want else [f"{where}: {got!r}, expected {want!r}"]
        got, want = got[kind], inner
    if isinstance(want, list):
        if not isinstance(got, list) or len(got) != len(want):
            return [f"{where}: {got!r}, expected {len(want)} values"]
        return [d for i, (g, w) in enumerate(zip(got, want)) for d in _compare(g, mine, w, pool, f"{where}[{i}]", rtol, atol)]
    if isinstance(want, float) and isinstance(got, float):
        return [] if math.isclose(got, want, rel_tol=rtol, abs_tol=atol) else [f"{where}: {got!r}, expected {want!r}"]
    return [] if type(got) is type(want) and got == want else [f"{where}: {got!r}, expected {want!r}"]


def _numbers(got, want, where, rtol, atol):
    if want.dtype.kind in "biuSU":
        return [] if np.array_equal(got, want) else [f"{where}: {got!r}, expected {want!r}"]
    close = np.isclose(got, want, rtol=rtol, atol=atol, equal_nan=True)
    if close.all():
        return []
    i = tuple(int(k) for k in np.argwhere(~close)[0])
    return [f"{where}: {int((~close).sum())} of {want.size} numbers differ, first at {i}: {got[i]}, expected {want[i]}"]
