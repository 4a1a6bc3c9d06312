"""Random tensors. The global generator (or the one given) moves on at each call; `seed` arguments of the older ops start a stream of their own."""

import numpy as np

from sporax._core import rng
from sporax._core.dispatch import apply
from sporax._core.dtype import to_jax_dtype
from sporax._core.tensor import Tensor
from sporax._kernels import random as K
from sporax.ops._args import ints
from sporax.ops._table import op, prim

_F32, _I64 = np.dtype(np.float32), np.dtype(np.int64)


def _shape(name, size):
    if len(size) == 1 and isinstance(size[0], tuple | list):
        size = size[0]
    return ints(name, "size", list(size))


def key_for(seed, seed2=0, generator=None):
    """The key of one draw: of the global stream for seed None or 0 (as in MindSpore), else of a stream that starts at the seed."""
    if not seed and not seed2:
        return rng.next_key(generator)
    return rng.Generator().manual_seed(int(seed or 0) + 2**32 * int(seed2 or 0)).next_key() if generator is None else rng.next_key(generator)


@op(mint=True)
def rand(*size, dtype=None, seed=None):
    """Uniform numbers in [0, 1); float32 unless `dtype` says otherwise.

    Examples:
        >>> ops.rand(2, 3).shape
        (2, 3)
    """
    return apply(K.uniform, (key_for(seed), 0.0, 1.0), shape=_shape("rand", size), dtype=to_jax_dtype(dtype) or _F32)


@op(mint=True)
def rand_like(input, seed=None, *, dtype=None):
    """Uniform numbers in [0, 1) in the shape of a tensor."""
    return rand(input.shape, dtype=input.dtype if dtype is None else dtype, seed=seed)


@op(mint=True)
def randn(*size, dtype=None, seed=None):
    """Standard normal numbers; float32 unless `dtype` says otherwise.

    Examples:
        >>> ops.randn(2, 3).shape
        (2, 3)
    """
    return apply(K.normal, (key_for(seed), 0.0, 1.0), shape=_shape("randn", size), dtype=to_jax_dtype(dtype) or _F32)


@op(mint=True)
def randn_like(input, seed=None, *, dtype=None):
    """Standard normal numbers in the shape of a tensor."""
    return randn(input.shape, dtype=input.dtype if dtype is None else dtype, seed=seed)


@op(mint=True)
def randint(low, high, size, seed=None, *, dtype=None):
    """Uniform integers in [low, high); int64 unless `dtype` says otherwise.

    Raises:
        ValueError: `low` is not below `high`.

    Examples:
        >>> ops.randint(0, 10, (2, 3)).shape
        (2, 3)
    """
    if low >= high:
        raise ValueError(f"For 'randint', 'low' should be less than 'high', but got {low} and {high}.")
    return apply(K.randint, (key_for(seed), low, high), shape=ints("randint", "size", size), dtype=to_jax_dtype(dtype) or _I64)


@op(mint=True)
def randperm(n, seed=0, offset=0, dtype=np.int64):
    """The ints below `n` in random order.

    Examples:
        >>> sorted(ops.randperm(4).tolist())
        [0, 1, 2, 3]
    """
    return apply(K.permutation, (key_for(seed, offset),), n=int(n), dtype=to_jax_dtype(dtype))


def _broadcast(*xs):
    return np.broadcast_shapes(*[x.shape if isinstance(x, Tensor) else () for x in xs])


@op()
def uniform(shape, minval, maxval, seed=None, dtype=np.float32):
    """Uniform numbers in [minval, maxval); bounds may be Tensors that broadcast with `shape`.

    Examples:
        >>> ops.uniform((2, 3), Tensor(0.0), Tensor(1.0)).shape
        (2, 3)
    """
    np_dtype = to_jax_dtype(dtype)
    full = np.broadcast_shapes(ints("uniform", "shape", shape), _broadcast(minval, maxval))
    if np_dtype.kind == "i":
        return apply(K.randint, (key_for(seed), minval, maxval), shape=full, dtype=np_dtype)
    return apply(K.uniform, (key_for(seed), minval, maxval), shape=full, dtype=np_dtype)


@op(mint=False)
def normal(shape, mean, stddev, seed=None):
    """Normal numbers; mean and standard deviation may be Tensors that broadcast with `shape`.

    Examples:
        >>> ops.normal((2, 3), Tensor(0.0), Tensor(1.0)).shape
        (2, 3)
    """
    full = np.broadcast_shapes(ints("normal", "shape", shape), _broadcast(mean, stddev))
    return apply(K.normal, (key_for(seed), mean, stddev), shape=full, dtype=_F32)


@op(
    primitive=prim(
        "StandardNormal",
        seed=0,
        seed2=0,
        call=lambda self, shape: apply(
            K.normal, (key_for(self.seed, self.seed2), 0.0, 1.0), shape=ints("StandardNormal", "shape", shape), dtype=_F32
        ),
    )
)
def standard_normal(shape, seed=None):
    """Standard normal float32 numbers."""
    return randn(ints("standard_normal", "shape", shape), seed=seed)


@op(
    primitive=prim(
        "UniformReal",
        seed=0,
        seed2=0,
        call=lambda self, shape: apply(K.uniform, (key_for(self.seed, self.seed2), 0.0, 1.0), shape=ints("UniformReal", "shape", shape), dtype=_F32),
    )
)
def uniform_real(shape, seed=None):
    """Uniform float32 numbers in [0, 1)."""
    return rand(ints("uniform_real", "shape", shape), seed=seed)


@op(
    primitive=prim(
        "UniformInt",
        seed=0,
        seed2=0,
        call=lambda self, shape, low, high: apply(
            K.randint, (key_for(self.seed, self.seed2), low, high), shape=ints("UniformInt", "shape", shape), dtype=np.dtype(np.int32)
        ),
    )
)
def uniform_int(shape, minval, maxval, seed=None):
    """Uniform int32 numbers in [minval, maxval)."""
    return apply(K.randint, (key_for(seed), minval, maxval), shape=ints("uniform_int", "shape", shape), dtype=np.dtype(np.int32))


@op(method=True, mint=True)
def bernoulli(input, p=0.5, seed=None):
    """Ones with probability `p` (a number or Tensor), else zeros, in the shape and dtype of the input."""
    return apply(K.bernoulli, (key_for(seed), p), shape=input.shape, dtype=to_jax_dtype(input.dtype))


@op(method=True, mint=True)
def multinomial(input, num_samples, replacement=True, seed=None):
    """Indices (int64) drawn with probabilities in proportion to the (non-negative) weights in the last axis.

    Examples:
        >>> print(ops.multinomial(Tensor([0.0, 1.0]), 3))
        [1 1 1]
    """
    if not replacement and num_samples > input.shape[-1]:
        raise ValueError(f"For 'multinomial' without replacement, 'num_samples' should not exceed {input.shape[-1]}, but got {num_samples}.")
    return apply(K.categorical, (key_for(seed), input.log()), count=int(num_samples), replacement=bool(replacement))


@op()
def gamma(shape, alpha, beta, seed=None):
    """Numbers of gamma distributions with shape `alpha` and rate `beta`."""
    full = (*ints("gamma", "shape", shape), *_broadcast(alpha, beta))
    return apply(K.gamma, (key_for(seed), alpha, beta), shape=full, dtype=_F32)


@op()
def random_poisson(shape, rate, seed=None, dtype=np.float32):
    """Numbers of Poisson distributions."""
    return apply(K.poisson, (key_for(seed), rate), shape=(*ints("random_poisson", "shape", shape), *_broadcast(rate)), dtype=to_jax_dtype(dtype))


def _in_place(name, draw, doc):
    from sporax._core import scope
    from sporax.ops._table import method

    def f(self, *args, **kwargs):
        scope.assign(self, draw(self, *args, **kwargs))
        return self

    f.__name__, f.__doc__ = name, doc
    method(name)(f)


_in_place(
    "uniform_",
    lambda x, low=0.0, high=1.0, *, generator=None: apply(
        K.uniform, (rng.next_key(generator), low, high), shape=x.shape, dtype=to_jax_dtype(x.dtype)
    ),
    "Filled with uniform numbers in [low, high).",
)
_in_place(
    "normal_",
    lambda x, mean=0.0, std=1.0, *, generator=None: apply(K.normal, (rng.next_key(generator), mean, std), shape=x.shape, dtype=to_jax_dtype(x.dtype)),
    "Filled with normal numbers.",
)
