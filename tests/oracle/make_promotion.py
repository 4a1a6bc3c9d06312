"""Record which dtype genuine MindSpore gives: pairs of dtypes, Python scalars, in-place operators, unary ops.

Made with MindSpore 2.10.0 (CPU, PyNative), from a scratch folder, with the repository root on PYTHONPATH:
    python -m tests.oracle.make_promotion
Writes promotion.json:
    table     {op: {left dtype: {right dtype, scalar or "reflected <scalar>": result}}}
    in_place  {op: {left dtype: {right dtype or scalar: result}}}     the dtype of `x` after `x += y`, and so on
    unary     {op: {dtype: result}}
    messages  {section: {op: {first 150 characters of the message: {left: "right right ..."}}}}
A result is the dtype's str(), "!ExceptionClass" where genuine raises, or "" where the result is no Tensor.
In messages a dtype's name is "<T>", and "CPU kernel missing" stands for all the ways to say that the types are accepted but this CPU build has
no kernel for them: a gap of that machine, not a rule of the language.
`in_place` ends with "*" where the operator gave a new object instead of changing `x`.
"""

import json
import pathlib
import re

import mindspore as ms
import numpy as np

from tests.oracle.recording import KERNEL_GAP

DTYPES = [
    "bool_", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "bfloat16", "float32", "float64", "complex64", "complex128",
]  # fmt: skip
SCALARS = {"True": True, "2": 2, "2.5": 2.5, "1j": 1j}
OPS = {
    "add": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul": lambda a, b: a * b, "truediv": lambda a, b: a / b,
    "floordiv": lambda a, b: a // b, "mod": lambda a, b: a % b, "pow": lambda a, b: a**b, "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b, "lt": lambda a, b: a < b, "ge": lambda a, b: a >= b, "maximum": lambda a, b: ms.ops.maximum(a, b),
    "and": lambda a, b: a & b, "or": lambda a, b: a | b, "xor": lambda a, b: a ^ b,
    "logical_and": lambda a, b: ms.ops.logical_and(a, b), "matmul": lambda a, b: a @ b,
    "where": lambda a, b: ms.ops.where(ms.Tensor([True, False]), a, b),
    "concat": lambda a, b: ms.ops.cat((a, b)), "stack": lambda a, b: ms.ops.stack((a, b)),
    "ops.add": lambda a, b: ms.ops.add(a, b), "ops.div": lambda a, b: ms.ops.div(a, b), "ops.pow": lambda a, b: ms.ops.pow(a, b),
    "mint.add": lambda a, b: ms.mint.add(a, b), "mint.mul": lambda a, b: ms.mint.mul(a, b), "mint.div": lambda a, b: ms.mint.div(a, b),
}  # fmt: skip
PLAIN = {"matmul", "concat", "stack"}  # no scalar operand


def iadd(x, y):
    x += y
    return x  # noqa: E702


def isub(x, y):
    x -= y
    return x  # noqa: E702


def imul(x, y):
    x *= y
    return x  # noqa: E702


def idiv(x, y):
    x /= y
    return x  # noqa: E702


def ifloordiv(x, y):
    x //= y
    return x  # noqa: E702


def imod(x, y):
    x %= y
    return x  # noqa: E702


def ipow(x, y):
    x **= y
    return x  # noqa: E702


def iand(x, y):
    x &= y
    return x  # noqa: E702


IN_PLACE = {"add": iadd, "sub": isub, "mul": imul, "truediv": idiv, "floordiv": ifloordiv, "mod": imod, "pow": ipow, "and": iand}

UNARY = {
    "neg": lambda x: -x, "invert": lambda x: ~x, "abs": lambda x: abs(x), "method.sum": lambda x: x.sum(), "method.mean": lambda x: x.mean(),
    "method.prod": lambda x: x.prod(), "method.cumsum": lambda x: x.cumsum(0), "method.max": lambda x: x.max(), "method.min": lambda x: x.min(),
    "method.argmax": lambda x: x.argmax(), "method.argmin": lambda x: x.argmin(), "method.std": lambda x: x.std(), "method.var": lambda x: x.var(),
    "method.all": lambda x: x.all(), "method.any": lambda x: x.any(), "sum": lambda x: ms.ops.sum(x), "mean": lambda x: ms.ops.mean(x),
    "prod": lambda x: ms.ops.prod(x), "cumsum": lambda x: ms.ops.cumsum(x, 0), "cumprod": lambda x: ms.ops.cumprod(x, 0),
    "softmax": lambda x: ms.ops.softmax(x), "log_softmax": lambda x: ms.ops.log_softmax(x), "argmax": lambda x: ms.ops.argmax(x),
    "sort": lambda x: ms.ops.sort(x)[0], "topk": lambda x: ms.ops.topk(x, 1)[0], "unique": lambda x: ms.ops.unique(x)[0],
    "mint.sum": lambda x: ms.mint.sum(x), "mint.mean": lambda x: ms.mint.mean(x), "mint.exp": lambda x: ms.mint.exp(x),
    "mint.sqrt": lambda x: ms.mint.sqrt(x), "norm": lambda x: ms.ops.norm(x), "clip": lambda x: ms.ops.clamp(x, 0, 1),
    "round_method": lambda x: x.round(), "item": lambda x: x[0], "bool_index": lambda x: x[x > 1],
}  # fmt: skip
for _name in (
    "sqrt rsqrt exp expm1 log log1p log2 log10 sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh sigmoid relu relu6 gelu silu elu selu softplus hardswish "
    "floor ceil round trunc frac reciprocal square sign erf erfc lgamma digamma isnan isinf isfinite logical_not zeros_like ones_like real imag conj angle amax amin "
    "logsumexp mish hardtanh softsign leaky_relu nonzero flip"
).split():
    UNARY[_name] = {
        "logsumexp": lambda x: ms.ops.logsumexp(x, 0), "flip": lambda x: ms.ops.flip(x, (0,)),
    }.get(_name, lambda x, _name=_name: getattr(ms.ops, _name)(x))  # fmt: skip


def tensor(dtype, op=""):
    """A fresh operand: [1, 2], or the 2x2 matrix of these for matmul."""
    return ms.Tensor(np.array([[1, 2]] * 2 if op == "matmul" else [1, 2], np.float32)).astype(getattr(ms, dtype))


TYPE_NAME = re.compile(r"(Tensor\[)?\b(Bool|U?Int\d+|B?Float\d+|Complex\d+)\b\]?")


def normalised(text):
    """The first 150 characters without call stacks and dtype names."""
    text = text.split("\n\n-----")[0].strip() or text.strip()
    return "CPU kernel missing" if KERNEL_GAP.search(text) else TYPE_NAME.sub("<T>", text)[:150]


def main():
    ms.runtime.launch_blocking()  # an op raises where it is called
    messages = {}

    def outcome(section, op, pair, f, *args):
        try:
            result = f(*args)
            if not isinstance(result, ms.Tensor):
                return ""
            result.asnumpy()
            return str(result.dtype)
        except Exception as error:
            left, _, right = pair.partition("|")
            row = messages.setdefault(section, {}).setdefault(op, {}).setdefault(normalised(str(error)), {})
            row[left] = (row.get(left, "") + " " + right).strip()
            return "!" + type(error).__name__

    table = {}
    for op, f in OPS.items():
        table[op] = {}
        for a in DTYPES:
            x = tensor(a, op)
            row = {b: outcome("table", op, f"{a}|{b}", f, x, tensor(b, op)) for b in DTYPES}
            if op not in PLAIN:
                row |= {s: outcome("table", op, f"{a}|{s}", f, x, v) for s, v in SCALARS.items()}
                row |= {"reflected " + s: outcome("table", op, f"{s}|{a}", f, v, x) for s, v in SCALARS.items()}
            table[op][a] = row

    in_place = {}
    for op, f in IN_PLACE.items():
        in_place[op] = {}
        for a in DTYPES:
            in_place[op][a] = {}
            for b in [*DTYPES, *SCALARS]:
                x = tensor(a)
                fresh = []

                def step(y, x=x, f=f, fresh=fresh):
                    r = f(x, y)
                    fresh.append(r is not x)
                    return r

                got = outcome("in_place", op, f"{a}|{b}", step, SCALARS[b] if b in SCALARS else tensor(b))
                in_place[op][a][b] = got + ("*" if fresh and fresh[0] and not got.startswith("!") else "")

    unary = {op: {a: outcome("unary", op, a, f, tensor(a)) for a in DTYPES} for op, f in UNARY.items()}
    data = {"mindspore": ms.__version__, "table": table, "in_place": in_place, "unary": unary, "messages": messages}
    path = pathlib.Path(__file__).with_name("promotion.json")
    text = json.dumps(data, sort_keys=True, separators=(",", ":")).replace('},"', '},\n"')
    path.write_text(text + "\n")


if __name__ == "__main__":
    main()
