"""Blocks of pixels moved to the batch or channels and back; sequences reversed and masked; window functions."""

import math

import numpy as np

from sporax._core import dtype as mstype
from sporax._core.dispatch import apply
from sporax._core.dtype import to_jax_dtype
from sporax._core.tensor import Tensor
from sporax._kernels import blocks as K
from sporax.ops._args import axis_of, ints
from sporax.ops._table import op, prim


def _pairs(name, value, n):
    pairs = tuple(tuple(int(v) for v in p) for p in (value.tolist() if isinstance(value, Tensor) else value))
    if len(pairs) != n or any(len(p) != 2 or min(p) < 0 for p in pairs):
        raise ValueError(f"For '{name}', {n} pairs of non-negative ints are needed, but got {value!r}.")
    return pairs


@op(primitive=(prim("SpaceToBatchND", block_shape=prim.required, paddings=prim.required, rename={"block_shape": "block_size"}),))
def space_to_batch_nd(input_x, block_size, paddings):
    """Blocks of the last axes moved to the batch, after zero padding: (N, ..., H, W) to (N b b, ..., H / b, W / b).

    Args:
        block_size: a size for each of the last axes, or one int for the last two.
        paddings: (before, after) for each of them.

    Raises:
        ValueError: a padded size is not a multiple of its block.
    """
    block = (block_size,) * 2 if isinstance(block_size, int) else ints("space_to_batch_nd", "block_size", block_size)
    pairs = _pairs("space_to_batch_nd", paddings, len(block))
    for n, b, p in zip(input_x.shape[-len(block) :], block, pairs):
        if (n + sum(p)) % b:
            raise ValueError(f"For 'space_to_batch_nd', the padded size {n + sum(p)} is no multiple of the block {b}.")
    return apply(K.space_to_batch, (input_x,), block=block, paddings=pairs)


@op(primitive=(prim("BatchToSpaceND", block_shape=prim.required, crops=prim.required),))
def batch_to_space_nd(input_x, block_shape, crops):
    """The reverse of `space_to_batch_nd`: the batch moved into blocks of the last axes, which are then cropped.

    Raises:
        ValueError: the batch is not a multiple of the block.
    """
    block = (block_shape,) * 2 if isinstance(block_shape, int) else ints("batch_to_space_nd", "block_shape", block_shape)
    if input_x.shape[0] % math.prod(block):
        raise ValueError(f"For 'batch_to_space_nd', the batch {input_x.shape[0]} is no multiple of the block {block}.")
    return apply(K.batch_to_space, (input_x,), block=block, crops=_pairs("batch_to_space_nd", crops, len(block)))


@op(primitive=prim("SpaceToBatch", block_size=prim.required, paddings=prim.required))
def space_to_batch(x, block_size, paddings):
    """`space_to_batch_nd` with square blocks of the last two axes."""
    return space_to_batch_nd(x, (block_size,) * 2, paddings)


@op(primitive=prim("BatchToSpace", block_size=prim.required, crops=prim.required))
def batch_to_space(x, block_size, crops):
    """`batch_to_space_nd` with square blocks of the last two axes."""
    return batch_to_space_nd(x, (block_size,) * 2, crops)


@op(primitive=prim("SpaceToDepth", block_size=prim.required))
def space_to_depth(x, block_size):
    """Square blocks of pixels moved to the channels: (N, C, H, W) to (N, C b b, H / b, W / b).

    Raises:
        ValueError: a size is not a multiple of `block_size`.
    """
    if x.ndim != 4 or x.shape[2] % block_size or x.shape[3] % block_size:
        raise ValueError(f"For 'space_to_depth', (N, C, H, W) with multiples of {block_size} is needed, but got shape {x.shape}.")
    return apply(K.space_to_depth, (x,), block=int(block_size))


@op(primitive=prim("DepthToSpace", block_size=prim.required))
def depth_to_space(x, block_size):
    """The reverse of `space_to_depth`: (N, C b b, H, W) to (N, C, H b, W b).

    Raises:
        ValueError: the channels are not a multiple of the square of `block_size`.
    """
    if x.ndim != 4 or x.shape[1] % (block_size * block_size):
        raise ValueError(f"For 'depth_to_space', (N, C, H, W) with C a multiple of {block_size**2} is needed, but got shape {x.shape}.")
    return apply(K.depth_to_space, (x,), block=int(block_size))


@op(primitive=prim("ReverseSequence", seq_dim=prim.required, batch_dim=0))
def reverse_sequence(x, seq_lengths, seq_dim, batch_dim=0):
    """The first `seq_lengths[i]` elements along `seq_dim` reversed, for each i along `batch_dim`.

    Examples:
        >>> print(ops.reverse_sequence(Tensor([[1, 2, 3], [4, 5, 6]]), Tensor([2, 3]), 1))
        [[2 1 3]
         [6 5 4]]
    """
    seq, batch = axis_of("reverse_sequence", seq_dim, x.ndim), axis_of("reverse_sequence", batch_dim, x.ndim)
    if seq == batch or seq_lengths.shape != (x.shape[batch],):
        raise ValueError(
            f"For 'reverse_sequence', {x.shape[batch]} lengths and two axes are needed, but got {seq_lengths.shape}, axes {seq}, {batch}."
        )
    return apply(K.reverse_sequence, (x, seq_lengths), seq=seq, batch=batch)


@op()
def sequence_mask(lengths, maxlen=None):
    """Whether position j is below lengths[..., i]: bools of shape (*lengths.shape, maxlen); `maxlen` is the largest length unless given.

    Examples:
        >>> print(ops.sequence_mask(Tensor([1, 3])))
        [[ True False False]
         [ True  True  True]]
    """
    if maxlen is None:
        maxlen = lengths.asnumpy().max()
    if int(maxlen) <= 0:
        raise ValueError(f"For 'sequence_mask', 'maxlen' should be positive, but got {maxlen}.")
    return apply(K.sequence_mask, (lengths,), maxlen=int(maxlen))


@op(primitive=prim("Padding", pad_dim_size=8))
def padding(x, pad_dim_size=8):
    """The last axis, of size 1, filled up with zeros to `pad_dim_size`.

    Examples:
        >>> print(ops.padding(Tensor([[1.0]]), 3))
        [[1. 0. 0.]]
    """
    if x.ndim < 2 or x.shape[-1] != 1:
        raise ValueError(f"For 'padding', the input should have at least two axes and the last of size 1, but got shape {x.shape}.")
    from sporax.ops.slicing import pad

    return pad(x, (0, pad_dim_size - 1))


# Window functions ---------------------------------------------------------------------------------------------------------


def _windows(name, primitive, make, what, extra, default_dtype):
    def window(window_length, periodic, dtype, *settings):
        n = int(window_length)
        if n < 0:
            raise ValueError(f"For '{name}', 'window_length' should not be negative, but got {n}.")
        values = np.ones(n) if n < 2 else make(n + 1, *settings)[:-1] if periodic else make(n, *settings)
        return Tensor(values.astype(to_jax_dtype(default_dtype if dtype is None else dtype)))

    def cosine(window_length, periodic=True, alpha=0.54, beta=0.46, *, dtype=None):
        return window(window_length, periodic, dtype, alpha, beta)

    def kaiser(window_length, periodic=True, beta=12.0, *, dtype=None):
        return window(window_length, periodic, dtype, beta)

    def fixed(window_length, periodic=True, *, dtype=None):
        return window(window_length, periodic, dtype)

    f = {"cosine": cosine, "kaiser": kaiser}.get(extra, fixed)
    f.__name__ = f.__qualname__ = name
    f.__module__, f.__doc__ = __name__, f"{what} window of a length; `periodic` leaves out the last point of a symmetric one that is longer by 1."
    settings = {"alpha": 0.54, "beta": 0.46} if extra == "cosine" else {}

    def call(self, n):
        return f(n, self.periodic, *[getattr(self, k) for k in settings], dtype=self.dtype)

    primitives = prim(primitive, periodic=True, **settings, dtype=mstype.float32, call=call) if primitive else None
    return op(mint=True, primitive=primitives)(f)


def _cosine(n, alpha, beta):
    return alpha - beta * np.cos(2 * np.pi * np.arange(n) / (n - 1))


hamming_window = _windows("hamming_window", "HammingWindow", _cosine, "The Hamming", "cosine", "float32")
hann_window = _windows("hann_window", None, np.hanning, "The Hann", None, "float64")
bartlett_window = _windows("bartlett_window", "BartlettWindow", np.bartlett, "The triangular Bartlett", None, "float32")
blackman_window = _windows("blackman_window", "BlackmanWindow", np.blackman, "The Blackman", None, "float32")
kaiser_window = _windows("kaiser_window", None, np.kaiser, "The Kaiser", "kaiser", "float64")
