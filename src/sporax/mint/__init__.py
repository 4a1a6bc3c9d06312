"""PyTorch's interface: the same ops, with PyTorch's names, arguments and defaults.

Ops that are the same in both come from the op table; the others are written here in terms of `ops`.
"""

from sporax.mint import linalg, nn, optim, special
from sporax.mint._random import bernoulli, multinomial, normal, rand, rand_like, randint, randint_like, randn, randn_like, randperm

from sporax.mint._reductions import (  # isort: skip
    all, amax, amin, any, argmin, argsort, count_nonzero, cummax, cummin, cumsum, diff, kthvalue, max, mean, median, min, norm, prod, sort, std,
    std_mean, var, var_mean,
)  # fmt: skip
from sporax.mint._shapes import (  # isort: skip
    addcdiv, baddbmm, bmm, cdist, clone, flatten, gather, index_add, index_select, meshgrid, narrow, permute, scatter, select, t, take, transpose, vdot,
)  # fmt: skip
from sporax.mint.nn import functional
from sporax.mint.nn.functional import conv2d
from sporax.ops import _table, dstack, histc, hstack, ravel
from sporax.ops import trunc as fix

_SHARED = """
    abs acos acosh add addbmm addcmul addmm addmv allclose arange arccos arccosh arcsin arcsinh arctan arctan2 arctanh argmax asin asinh atan atan2 atanh
    bincount bitwise_and bitwise_not bitwise_or bitwise_xor broadcast_to cat ceil chunk clamp clip concat cos cosh cross cumprod diag div divide dot
    einsum empty empty_like eq equal erf erfc erfinv exp exp2 expm1 eye flip float_power floor floor_divide fmod frac full full_like gcd ge greater
    greater_equal gt imag inverse isclose isfinite isinf isnan isneginf le lerp less less_equal linspace log log10 log1p log2 logaddexp logaddexp2
    logical_and logical_not logical_or logical_xor logsumexp lt masked_select matmul maximum minimum mm mul mv nan_to_num nansum ne neg negative
    nonzero not_equal ones ones_like outer polar pow real reciprocal remainder repeat_interleave reshape roll round rsqrt scatter_add searchsorted
    sigmoid sign sin sinc sinh softmax split sqrt square squeeze stack sub sum swapaxes tan tanh tile topk trace tril triu trunc unbind
    unique_consecutive unsqueeze where xlogy zeros zeros_like"""
globals().update({name: _table.mint[name] for name in _SHARED.split()})

from sporax._names import module_getattr  # noqa: E402

__getattr__ = module_getattr(__name__)
