"""Random Tensors, from the global generator or the one given."""

import numpy as np

from sporax import ops
from sporax._core import dtype as mstype
from sporax._core import rng
from sporax._core.dispatch import apply
from sporax._core.dtype import to_jax_dtype
from sporax._core.tensor import Tensor
from sporax._kernels import random as K
from sporax.ops._args import ints


def _on(device, name):
    if device not in (None, "CPU", "GPU", "Ascend", "npu", "cpu"):
        raise ValueError(f"For '{name}', 'device' should be None, 'CPU', 'GPU' or 'Ascend', but got {device!r}.")


def _draw(kernel, name, size, dtype, generator, device, *bounds):
    _on(device, name)
    size = size[0] if len(size) == 1 and isinstance(size[0], tuple | list) else size
    return apply(kernel, (rng.next_key(generator), *bounds), shape=ints(name, "size", list(size)), dtype=to_jax_dtype(dtype or mstype.float32))


def rand(*size, generator=None, dtype=None, device=None):
    """Uniform numbers in [0, 1); float32 unless `dtype` says otherwise.

    Examples:
        >>> ms.mint.rand(2, 3, generator=ms.Generator().manual_seed(1)).shape
        (2, 3)
    """
    return _draw(K.uniform, "rand", size, dtype, generator, device, 0.0, 1.0)


def rand_like(input, *, dtype=None, device=None):
    """Uniform numbers in [0, 1) in the shape of a Tensor."""
    return rand(input.shape, dtype=dtype or input.dtype, device=device)


def randn(*size, generator=None, dtype=None, device=None):
    """Standard normal numbers; float32 unless `dtype` says otherwise."""
    return _draw(K.normal, "randn", size, dtype, generator, device, 0.0, 1.0)


def randn_like(input, *, dtype=None, device=None):
    """Standard normal numbers in the shape of a Tensor."""
    return randn(input.shape, dtype=dtype or input.dtype, device=device)


def randint(*args, generator=None, dtype=None, device=None, low=0, high=None, size=None):
    """`randint(high, size)` or `randint(low, high, size)`: uniform integers in [low, high); int64 unless `dtype` says otherwise.

    Raises:
        TypeError: `high` or `size` is missing.
        ValueError: `low` is not below `high`.
    """
    *bounds, size = (*args, size) if size is not None else args if args else (None,)
    if len(bounds) == 2:
        low, high = bounds
    elif len(bounds) == 1:
        high = bounds[0]
    if high is None or not isinstance(size, tuple | list):
        raise TypeError(f"For 'randint', the arguments should be (high, size) or (low, high, size) with a tuple as size, but got {args}.")
    if low >= high:
        raise ValueError(f"For 'randint', 'low' should be less than 'high', but got {low} and {high}.")
    return _draw(K.randint, "randint", (tuple(size),), dtype or mstype.int64, generator, device, low, high)


def randint_like(input, *bounds, dtype=None, device=None):
    """`randint_like(input, high)` or `randint_like(input, low, high)`: uniform integers in the shape and dtype of a Tensor."""
    return randint(*bounds, input.shape, dtype=dtype or input.dtype, device=device)


def normal(mean=0.0, std=1.0, size=None, generator=None):
    """Normal numbers; without `size` of the shape of `mean` and `std`."""
    if size is None:
        size = np.broadcast_shapes(*[x.shape for x in (mean, std) if isinstance(x, Tensor)] or [()])
    return randn(tuple(size), generator=generator) * std + mean


def randperm(n, *, generator=None, dtype=mstype.int64):
    """The integers below `n` in random order."""
    return ops.argsort(rand(n, generator=generator)).astype(dtype)


def bernoulli(input, *, generator=None):
    """1 with the probability that each element of `input` is, else 0."""
    return (rand(input.shape, generator=generator) < input).astype(input.dtype)


def multinomial(input, num_samples, replacement=False, *, generator=None):
    """Indices along the last axis, drawn with the weights of `input`; int64.

    Args:
        input: weights of shape (C,) or (N, C), not negative.
        num_samples: how many to draw from each row.
        replacement: whether an index may be drawn again. Default: False.
        generator: default None, the global one.

    Raises:
        ValueError: without replacement, more samples than weights.

    Examples:
        >>> ms.mint.multinomial(Tensor([0.0, 1.0, 0.0]), 1).tolist()
        [1]
    """
    count = input.shape[-1]
    if not replacement and num_samples > count:
        raise ValueError(
            f"For 'multinomial' without replacement, 'num_samples' should be at most {count}, the number of weights, but got {num_samples}."
        )
    weights = ops.log(input.astype(mstype.float32))
    # the largest of log-weights with Gumbel noise is a draw (Vieira, 2014), the largest k of them are k draws without replacement
    shape = (*input.shape[:-1], num_samples, count) if replacement else input.shape
    gumbel = -ops.log(-ops.log(rand(shape, generator=generator).clip(1e-38, None)))
    if replacement:
        return ops.argmax(weights.unsqueeze(-2) + gumbel, -1).astype(mstype.int64)
    return ops.topk(weights + gumbel, num_samples)[1].astype(mstype.int64)
