"""Resizing and rearranging images (N, C, *space)."""

import jax.numpy as jnp
import numpy as np


def _along(x, weight, axis):
    """One axis times a matrix (size, new size)."""
    return jnp.moveaxis(jnp.tensordot(x, jnp.asarray(weight, x.dtype), ((axis,), (0,))), -1, axis)


def _source(out, size, align_corners, half_pixel, scale):
    """Source coordinates of the output positions along one axis."""
    i = np.arange(out, dtype=np.float64)
    if align_corners:
        return i * ((size - 1) / (out - 1) if out > 1 else 0.0)
    ratio = 1 / scale if scale else size / out
    return np.maximum((i + 0.5) * ratio - 0.5, 0) if half_pixel else i * ratio


def resize_linear(x, *, sizes, align_corners, half_pixel, scales=None):
    """Linear interpolation along the last axes; positions are static, so each axis is one small matrix product."""
    for axis, out in enumerate(sizes, x.ndim - len(sizes)):
        size = x.shape[axis]
        scale = None if scales is None else scales[axis - x.ndim + len(sizes)]
        at = np.minimum(_source(out, size, align_corners, half_pixel, scale), size - 1)
        lo = np.floor(at).astype(int)
        hi = np.minimum(lo + 1, size - 1)
        weight = np.zeros((size, out), np.float64)
        np.add.at(weight, (lo, np.arange(out)), 1 - (at - lo))
        np.add.at(weight, (hi, np.arange(out)), at - lo)
        x = _along(x, weight, axis)
    return x


def resize_nearest(x, *, sizes, align_corners, half_pixel=False, scales=None):
    for axis, out in enumerate(sizes, x.ndim - len(sizes)):
        size = x.shape[axis]
        scale = None if scales is None else scales[axis - x.ndim + len(sizes)]
        if align_corners:
            at = np.round(_source(out, size, True, False, None))
        elif half_pixel:
            at = np.floor((np.arange(out) + 0.5) * (size / out))
        else:
            at = np.floor(np.arange(out) * (1 / scale if scale else size / out))
        x = jnp.take(x, jnp.asarray(np.minimum(at, size - 1).astype(int)), axis)
    return x


def _cubic(d, a):
    """The weight of a sample at distance d in a bicubic convolution (Keys, 1981)."""
    return np.where(d <= 1, (a + 2) * d**3 - (a + 3) * d**2 + 1, np.where(d < 2, a * d**3 - 5 * a * d**2 + 8 * a * d - 4 * a, 0))


def resize_cubic(x, *, sizes, align_corners):
    """Bicubic convolution. With corners aligned a = -0.75, and samples outside are the edge's; otherwise a = -0.5, pixels have their centers at
    1/2, positions are rounded to 1/1024, and samples outside have no weight."""
    for axis, out in enumerate(sizes, x.ndim - len(sizes)):
        size = x.shape[axis]
        i = np.arange(out, dtype=np.float64)
        at = i * ((size - 1) / (out - 1) if out > 1 else 0.0) if align_corners else (i + 0.5) * size / out - 0.5
        base = np.floor(at).astype(int)
        part = at - base if align_corners else np.round((at - base) * 1024) / 1024
        weight = np.zeros((size, out))
        for k in range(-1, 3):
            w = _cubic(np.abs(part - k), -0.75 if align_corners else -0.5)
            inside = align_corners | ((base + k >= 0) & (base + k < size))
            np.add.at(weight, (np.clip(base + k, 0, size - 1), np.arange(out)), w * inside)
        x = _along(x, weight / weight.sum(0), axis)
    return x


def pixel_shuffle(x, *, factor):
    *lead, c, h, w = x.shape
    r = factor
    x = x.reshape(*lead, c // (r * r), r, r, h, w)
    n = len(lead)
    x = jnp.transpose(x, (*range(n), n, n + 3, n + 1, n + 4, n + 2))
    return x.reshape(*lead, c // (r * r), h * r, w * r)


def pixel_unshuffle(x, *, factor):
    *lead, c, h, w = x.shape
    r = factor
    n = len(lead)
    x = x.reshape(*lead, c, h // r, r, w // r, r)
    x = jnp.transpose(x, (*range(n), n, n + 2, n + 4, n + 1, n + 3))
    return x.reshape(*lead, c * r * r, h // r, w // r)
