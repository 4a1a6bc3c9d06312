"""Diagonals of matrices that are more than one, or are written to."""

import jax.numpy as jnp
import numpy as np

from sporax._kernels.promote import cast


def diagonal_scatter(x, src, *, offset, axis1, axis2):
    moved = jnp.moveaxis(x, (axis1, axis2), (-2, -1))
    rows, cols = moved.shape[-2:]
    n = max(min(rows + min(offset, 0), cols - max(offset, 0)), 0)
    i = np.arange(n)
    moved = moved.at[..., i + max(-offset, 0), i + max(offset, 0)].set(src.astype(x.dtype))
    return jnp.moveaxis(moved, (-2, -1), (axis1, axis2))


def fill_diagonal(x, value, *, wrap):
    if x.ndim > 2:
        i = np.arange(x.shape[0])
        return x.at[(i,) * x.ndim].set(cast(value, x.dtype))
    rows, cols = x.shape
    flat = np.arange(0, x.size if wrap else min(rows, cols) * cols, cols + 1)
    return x.reshape(-1).at[flat].set(cast(value, x.dtype)).reshape(x.shape)


def band_part(x, *, lower, upper):
    rows, cols = x.shape[-2:]
    gap = np.arange(cols) - np.arange(rows)[:, None]
    keep = ((lower < 0) | (-gap <= lower)) & ((upper < 0) | (gap <= upper))
    return jnp.where(keep, x, jnp.zeros((), x.dtype))


def _places(shape, low, high, align):
    """For each element on diagonals low..high of a matrix: its row and column, the number of its diagonal (highest first), its place there."""
    rows, cols = shape
    above, below = align.split("_")
    length = {k: min(rows + min(k, 0), cols - max(k, 0)) for k in range(low, high + 1)}
    longest = max(length.values())
    out = []
    for k in range(high, low - 1, -1):
        side = above if k >= 0 else below
        shift = longest - length[k] if side == "RIGHT" else 0
        out += [(i + max(-k, 0), i + max(k, 0), high - k, i + shift) for i in range(length[k])]
    return np.array(out).reshape(-1, 4).T, longest


def matrix_diag(x, padding, *, low, high, rows, cols, align):
    (r, c, m, n), _ = _places((rows, cols), low, high, align)
    band = x if low != high else x[..., None, :]
    out = jnp.full((*band.shape[:-2], rows, cols), cast(padding, x.dtype))
    return out.at[..., r, c].set(band[..., m, n])


def matrix_diag_part(x, padding, *, low, high, align):
    (r, c, m, n), longest = _places(x.shape[-2:], low, high, align)
    out = jnp.full((*x.shape[:-2], high - low + 1, longest), cast(padding, x.dtype))
    out = out.at[..., m, n].set(x[..., r, c])
    return out[..., 0, :] if low == high else out


def matrix_set_diag(x, diagonal, *, low, high, align):
    (r, c, m, n), _ = _places(x.shape[-2:], low, high, align)
    band = diagonal if low != high else diagonal[..., None, :]
    return x.at[..., r, c].set(band[..., m, n].astype(x.dtype))
