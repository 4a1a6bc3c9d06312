"""Tensors against recordings of genuine MindSpore: printing, indexing, promotion, transforms."""

import fnmatch
import json

import pytest

import sporax
from tests.oracle import cases_indexing, cases_printing, cases_transforms, recording

# Where genuine MindSpore's own result is an accident: a list of lists, swapped rows through views, a slice that counts backwards.
OURS = {
    "float32[3, 4] x[0], x[1] = x[1], x[0]": "swapping works",
    "float32[3, 4] x[-1:-4:-1]": "NumPy's meaning of negative steps",
    "norm at 0": "the gradient of a norm at 0 is 0, not nan",
    "grad of int tensor": "integers have no gradient",
    "grad position=True weights=None": "True is no position",
    "value_and_grad position=True weights=None": "True is no position",
    "*weights=empty list*": "the gradient and (); genuine mixes them up with ids",
    "*weights=tensor*": "a Tensor is no weight: an error instead of a gradient of zeros",
    "custom function": "a private class of MindSpore",
    "complex64 line": "columns are aligned",
    "complex64 matrix": "columns are aligned",
}
# Genuine's sin and tanh kernels are good to about 1e-4.
TOLERANCE = {"transforms": {"rtol": 1e-3, "atol": 2e-4}}
# These print Cells that are made in another way here, or are not part of Sporax yet.
ELSEWHERE = ("cell ", "initializer", "op Primitive", "jet", "derivative", "InsertGradientOf", "other ")


def _is_wrong(name, module):
    """Whether genuine contradicts mathematics or its own documentation here."""
    patterns = [f"*{p}*" for p in getattr(module, "WRONG", {})] + [p for p in OURS if "*" in p]
    return any(fnmatch.fnmatch(name, p) for p in patterns)


def _cases(topic, module):
    cases = module.CASES.items()
    return [
        pytest.param(topic, n, c, id=f"{topic}-{n}") for n, c in cases if n not in OURS and not n.startswith(ELSEWHERE) and not _is_wrong(n, module)
    ]


@pytest.mark.filterwarnings("ignore:.*differentiates the sum")
@pytest.mark.parametrize(
    ("topic", "name", "case"), [*_cases("indexing", cases_indexing), *_cases("printing", cases_printing), *_cases("transforms", cases_transforms)]
)
def test_recorded(topic, name, case):
    """The same result; where genuine raises, we may do what was meant, and where we raise too it is an error of the program's own kind."""
    wanted = recording.load(topic)[0][name]
    if "raises" in wanted:
        try:
            case(sporax)
        except (ValueError, TypeError, IndexError, RuntimeError, AttributeError, KeyError, OverflowError) as error:
            assert str(error)
    else:
        assert recording.differences(topic, name, case, sporax, **TOLERANCE.get(topic, {})) == ""


DTYPES = "bool_ int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 bfloat16 float32 float64 complex64 complex128".split()
OPS = {
    "add": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul": lambda a, b: a * b, "truediv": lambda a, b: a / b, "floordiv": lambda a, b: a // b,
    "mod": lambda a, b: a % b, "pow": lambda a, b: a**b, "eq": lambda a, b: a == b, "lt": lambda a, b: a < b, "maximum": lambda a, b: sporax.ops.maximum(a, b),
    "and": lambda a, b: a & b,
}  # fmt: skip


@pytest.mark.parametrize("name", list(OPS))
def test_promotion(name):
    """The dtype of every pair of dtypes and Python scalars that genuine's kernels compute."""
    table = json.loads((recording.HERE / "promotion.json").read_text())
    binary = table.get("table", table).get(name)
    if binary is None:
        binary = table["binary"][name]
    tensors = {d: sporax.Tensor([1, 2]).astype(getattr(sporax, d)) for d in DTYPES}
    scalars = {"True": True, "2": 2, "2.5": 2.5}
    wrong = []
    for left, row in binary.items():
        for right, want in row.items():
            if want.startswith("!") or left not in tensors:
                continue
            a, b = tensors[left], scalars.get(right.removeprefix("reflected "), tensors.get(right))
            if b is None:
                continue
            got = str((OPS[name](b, a) if right.startswith("reflected ") else OPS[name](a, b)).dtype)
            if got != want:
                wrong.append(f"{left} {name} {right}: {got}, not {want}")
    assert not wrong
