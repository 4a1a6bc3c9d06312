"""Random tensors. The global generator (or the one given) moves on at each call; `seed` arguments of the older ops start a stream of their own."""

import numpy as np

from sporax._core import dtype as mstype
from sporax._core import rng
from sporax._core.dispatch import apply
from sporax._core.dtype import to_jax_dtype
from sporax._core.tensor import Tensor
from sporax._kernels import random as K
from sporax.ops._args import axis_of, ints
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
def randperm(n, seed=0, offset=0, dtype=mstype.int64):
    """The ints below `n` in random order.

    Examples:
        >>> sorted(ops.randperm(4).tolist())
        [0, 1, 2, 3]
    """
    return apply(K.permutation, (key_for(seed, offset),), n=int(n), dtype=to_jax_dtype(dtype))


def _broadcast(*xs):
    return np.broadcast_shapes(*[x.shape if isinstance(x, Tensor) else () for x in xs])


@op()
def uniform(shape, minval, maxval, seed=None, dtype=mstype.float32):
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


@op()
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


@op(primitive=prim("Gamma", seed=0, seed2=0, call=lambda self, shape, alpha, beta: _gamma(key_for(self.seed, self.seed2), shape, alpha, beta)))
def gamma(shape, alpha, beta, seed=None):
    """Numbers of gamma distributions with shape `alpha` and rate `beta`."""
    return _gamma(key_for(seed), shape, alpha, beta)


def _gamma(key, shape, alpha, beta):
    return apply(K.gamma, (key, alpha, beta), shape=(*ints("gamma", "shape", shape), *_broadcast(alpha, beta)), dtype=_F32)


@op(
    primitive=(
        prim("Poisson", seed=0, seed2=0, call=lambda self, shape, rate: _poisson(key_for(self.seed, self.seed2), shape, rate, np.int32)),
        prim(
            "RandomPoisson",
            seed=0,
            seed2=0,
            dtype=mstype.int64,
            call=lambda self, shape, rate: _poisson(key_for(self.seed, self.seed2), shape, rate, self.dtype),
        ),
    )
)
def random_poisson(shape, rate, seed=None, dtype=mstype.float32):
    """Numbers of Poisson distributions."""
    return _poisson(key_for(seed), shape, rate, dtype)


def _poisson(key, shape, rate, dtype):
    return apply(K.poisson, (key, rate), shape=(*ints("random_poisson", "shape", shape), *_broadcast(rate)), dtype=to_jax_dtype(dtype))


@op(primitive=prim("RandomShuffle", seed=0, seed2=0, call=lambda self, x: _shuffled(x, key_for(self.seed, self.seed2))))
def shuffle(x, seed=None):
    """The slices along the first axis in random order.

    Examples:
        >>> sorted(ops.shuffle(Tensor([1, 2, 3])).tolist())
        [1, 2, 3]
    """
    return _shuffled(x, key_for(seed))


def _shuffled(x, key):
    return x[apply(K.permutation, (key,), n=x.shape[0], dtype=_I64)] if x.ndim else x


@op(
    primitive=prim(
        "RandomChoiceWithMask",
        count=256,
        seed=0,
        seed2=0,
        call=lambda self, x: apply(K.choose_places, (key_for(self.seed, self.seed2), x), count=int(self.count)),
    )
)
def choice_with_mask(input_x, count=256, seed=None):
    """`(coordinates, valid)` of `count` random elements of a bool tensor that are True: (count, ndim) int32, and False where there are no more.

    Examples:
        >>> print(ops.choice_with_mask(Tensor([False, True]), 1))
        (Tensor(shape=[1, 1], dtype=Int32, value=
        [[1]]), Tensor(shape=[1], dtype=Bool, value= [True]))
    """
    return apply(K.choose_places, (key_for(seed), input_x), count=int(count))


@op(primitive=prim("RandomCategorical", dtype=mstype.int64, call=lambda self, x, n, seed: random_categorical(x, n, seed, self.dtype)))
def random_categorical(logits, num_sample, seed=0, dtype=mstype.int64):
    """`num_sample` indices for each row of unnormalized log-probabilities.

    Examples:
        >>> print(ops.random_categorical(Tensor([[0.0, 1000.0]]), 2))
        [[1 1]]
    """
    out = apply(K.categorical, (key_for(seed), logits), count=int(num_sample), replacement=True)
    return out.astype(dtype)


def _multinomial_primitive(self, x, count):
    return apply(K.categorical, (key_for(self.seed, self.seed2), x.log()), count=int(count), replacement=True).astype(self.dtype)


@op(
    primitive=(
        prim("MultinomialWithReplacement", numsamples=prim.required, replacement=False),
        prim("Multinomial", seed=0, seed2=0, dtype=mstype.int32, call=_multinomial_primitive),
    )
)
def multinomial_with_replacement(x, seed, offset, numsamples, replacement=False):
    """`numsamples` indices drawn in proportion to the weights in the last axis; an index may come again, whatever `replacement` says."""
    return apply(K.categorical, (key_for(int(seed), int(offset)), x.log()), count=int(numsamples), replacement=True)


@op()
def laplace(shape, mean, lambda_param, seed=None):
    """Numbers of Laplace distributions; mean and scale may be Tensors that broadcast with `shape`.

    Examples:
        >>> ops.laplace((2,), Tensor(0.0), Tensor(1.0)).shape
        (2,)
    """
    full = np.broadcast_shapes(ints("laplace", "shape", shape), _broadcast(mean, lambda_param))
    return apply(K.laplace, (key_for(seed), mean, lambda_param), shape=full, dtype=_F32)


def _standard_laplace_primitive(self, shape):
    return apply(K.laplace, (key_for(self.seed, self.seed2), 0.0, 1.0), shape=ints("StandardLaplace", "shape", shape), dtype=_F32)


@op(primitive=prim("StandardLaplace", seed=0, seed2=0, call=_standard_laplace_primitive))
def standard_laplace(shape, seed=None):
    """Numbers of the Laplace distribution with mean 0 and scale 1."""
    return laplace(shape, 0.0, 1.0, seed)


@op()
def random_gamma(shape, alpha, seed=None):
    """Numbers of gamma distributions with rate 1: `shape`, then the shape of `alpha`; in the dtype of `alpha`."""
    full = (*ints("random_gamma", "shape", shape), *alpha.shape)
    return apply(K.gamma, (key_for(seed), alpha, 1.0), shape=full, dtype=to_jax_dtype(alpha.dtype))


@op(mint="nn.functional.gumbel_softmax")
def gumbel_softmax(logits, tau=1.0, hard=False, dim=-1):
    """A sample of a categorical distribution, relaxed: softmax((logits + Gumbel noise) / tau) along `dim`.

    Args:
        hard: one-hot values with the gradient of the soft ones. Default: False.

    Raises:
        ValueError: `tau` is not positive.

    Examples:
        >>> ops.gumbel_softmax(Tensor([0.0, 1.0]), hard=True).sum().item()
        1.0
    """
    if tau <= 0:
        raise ValueError(f"For 'gumbel_softmax', 'tau' should be positive, but got {tau}.")
    noise = apply(K.gumbel, (rng.next_key(),), shape=logits.shape, dtype=to_jax_dtype(logits.dtype))
    return apply(K.gumbel_softmax, (logits, noise, float(tau)), hard=bool(hard), axis=axis_of("gumbel_softmax", dim, logits.ndim))


def _truncated_primitive(self, shape):
    shape = ints("TruncatedNormal", "shape", shape)
    return apply(K.truncated_normal, (key_for(self.seed, self.seed2),), shape=shape, dtype=to_jax_dtype(self.dtype))


@op(primitive=prim("TruncatedNormal", dtype=mstype.float32, seed=0, seed2=0, call=_truncated_primitive))
def truncated_normal(shape, seed=None, dtype=mstype.float32):
    """Standard normal numbers between -2 and 2."""
    return apply(K.truncated_normal, (key_for(seed),), shape=ints("truncated_normal", "shape", shape), dtype=to_jax_dtype(dtype))


@op(primitive=prim("Cauchy", size=prim.required, median=0.0, sigma=1.0))
def cauchy(size, median=0.0, sigma=1.0):
    """Numbers of a Cauchy distribution, float32."""
    return apply(K.cauchy, (rng.next_key(), float(median), float(sigma)), shape=ints("cauchy", "size", size), dtype=_F32)


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
_in_place(
    "bernoulli_",
    lambda x, p=0.5, *, generator=None: apply(K.bernoulli, (rng.next_key(generator), p), shape=x.shape, dtype=to_jax_dtype(x.dtype)),
    "Filled with ones with probability `p`, else zeros.",
)
_in_place(
    "exponential_",
    lambda x, lambd=1.0, *, generator=None: apply(K.exponential, (rng.next_key(generator),), shape=x.shape, dtype=to_jax_dtype(x.dtype)) / lambd,
    "Filled with numbers of an exponential distribution.",
)


def _random_ints(x, from_=0, to=None, *, generator=None):
    if to is None:
        # one argument is the end; without any, every integer that the dtype holds exactly
        np_dtype = to_jax_dtype(x.dtype)
        exact = 2 ** (np.finfo(np_dtype).nmant + 1) if np_dtype.kind == "f" else int(np.iinfo(np_dtype).max)
        from_, to = 0, from_ or exact
    return apply(K.randint, (rng.next_key(generator), from_, to), shape=x.shape, dtype=to_jax_dtype(x.dtype))


_in_place("random_", _random_ints, "Filled with integers from `from_` up to (without) `to`.")
