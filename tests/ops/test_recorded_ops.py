"""Operators against recordings of genuine MindSpore: values, dtypes, gradients (see `tests.oracle.ops_fixtures`)."""

import fnmatch
import importlib

import pytest

import sporax
from tests.oracle import recording

FAMILIES = ("math", "reduce", "array", "linalg")
# Where genuine's own result is an accident of its CPU kernels, or its gradient is wrong or missing.
OURS = {
    "ops.exp2(a) : *": "bfloat16 stays bfloat16",
    "ops.sinc(a) : v([[]-2*": "sinc(0) is 1 for bools, too",
    "ops.rsqrt(a) : v(SPECIAL)": "the sign of an infinite gradient at -0.0",
    "ops.log*(a) : v(SPECIAL)": "the sign of an infinite gradient at -0.0",
    "ops.lgamma(a) : v(SPECIAL)": "gradients at the poles",
    "ops.digamma(a) : v(SPECIAL)": "gradients at the poles",
    "ops.floor_div*(a, *DT*": "the floor of complex numbers",
    "ops.remainder(a, *DT*": "the remainder of complex numbers",
    "ops.floor_mod(a, *DT*": "the remainder of complex numbers",
    "ops.pow(a, b) : *DT*": "overflow of unsigned integers",
    "ops.div(a, b) : v([[]1, 2, 0, 3]); *": "the gradient of 0 / 0",
    "ops.hypot(a, b) : v(*": "the gradient at the origin is that of a norm, not nan",
    "ops.xlogy(a, b) : v(*": "0 log 0 is 0, as documented",
    "ops.m??imum(a, b) : v(*nan*": "nan wins, as documented",
    "ops.m??imum(a, b) : v(SPECIAL*": "nan wins, as documented",
    "np.array(*) + a : *": "a Tensor, not an array",
    "ops.clip(a, b, c) : *": "where the bounds are equal",
    "ops.clip_by_norm(a, 1.0, 1.0) : *": "the 1-norm of the elements, not of the matrix",
    "P.LinSpace()(a, b, 5) : *": "the ends have gradients",
    "a.any() : *DT*": "bools for every dtype",
    "P.ReduceAny()(a, 1) : *DT*": "bools for every dtype",
    "*.cumprod(a, 1) : *": "gradients where an element is 0",
    "a.cumprod(1) : *": "gradients where an element is 0",
    "ops.std(a) : n()": "the gradient of a number is a number",
    "ops.*(a*) : n(0, 3)": "reductions of nothing: 0, 1, nan, or an error",
    "P.ReduceProd()(a) : n(2, 3)": "the gradient of a product",
    "ops.*(a) : v([[]1, float('nan'), 3])": "nan is the largest of all",
    "ops.max(a, 1, initial=1.0, where=b) : *": "the index where `initial` wins",
    "ops.norm(a, 2) : n(2, 3, 4)": "genuine gives None",
    "ops.norm(a) : v([[]0, 0])": "the gradient of a norm at 0 is 0, not nan",
    "P.StridedSlice(*_mask=1*": "genuine's gradient ignores the masks",
    "ops.full((2,), 2.5) : *": "genuine rounds 2.5 to the int64 2",
    "a.choose(*": "genuine gives zeros",
    "a.index_add(*": "genuine changes the tensor, too",
    "(a.???_(*": "in place: genuine leaves the tensor as it was",
    "(a.exp_(*": "in place: genuine leaves the tensor as it was",
    "(a.floor_divide_(*": "in place: genuine leaves the tensor as it was",
    "(a.remainder_(*": "in place: genuine leaves the tensor as it was",
    "ops.logsumexp(a, 0) : v([[]-*": "the sum of nothing is 0",
}  # fmt: skip


def _cases():
    for family in FAMILIES:
        cases = importlib.import_module(f"tests.oracle.cases_ops_{family}").CASES
        for name, case in cases.items():
            if not any(fnmatch.fnmatchcase(name, pattern) for pattern in OURS):
                yield pytest.param(family, name, case, id=name)


@pytest.mark.parametrize(("family", "name", "case"), list(_cases()))
def test_recorded_ops(family, name, case):
    """The same result; where genuine raises, we may do what was meant, and where we raise too it is an error of the program's own kind."""
    wanted = recording.load(f"ops_{family}")[0][name]
    if "raises" in wanted:
        try:
            case(sporax)
        except (ValueError, TypeError, IndexError, RuntimeError) as error:
            assert str(error)
    else:
        assert recording.differences(f"ops_{family}", name, case, sporax) == ""
