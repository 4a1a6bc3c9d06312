"""Convolutions of any number of spatial axes, channels first."""

import jax.numpy as jnp
from jax import lax


def _numbers(n):
    axes = "DHW"[3 - n :] if n <= 3 else None
    return f"NC{axes}", f"OI{axes}", f"NC{axes}"


def conv(x, weight, bias, *, stride, padding, dilation, groups):
    """x (N, C, *space), weight (O, C / groups, *kernel); `padding` pairs for each spatial axis."""
    n = x.ndim - 2
    out = lax.conv_general_dilated(
        x, weight.astype(x.dtype), stride, padding, rhs_dilation=dilation, dimension_numbers=_numbers(n), feature_group_count=groups
    )
    return out if bias is None else out + bias.reshape((1, -1) + (1,) * n).astype(out.dtype)


def conv_transpose(x, weight, bias, *, stride, padding, output_padding, dilation, groups):
    """The gradient of `conv` with respect to its input: x (N, C, *space), weight (C, O / groups, *kernel)."""
    n = x.ndim - 2
    kernel = weight.shape[2:]
    # (C, O/g, k) -> (O, C/g, k) with flipped space: a convolution of the dilated input
    w = weight.reshape(groups, weight.shape[0] // groups, *weight.shape[1:])
    w = jnp.swapaxes(w, 1, 2).reshape(groups * weight.shape[1], weight.shape[0] // groups, *kernel)
    w = jnp.flip(w, tuple(range(2, 2 + n)))
    pads = []
    for k, d, (lo, hi), extra in zip(kernel, dilation, padding, output_padding):
        span = d * (k - 1)
        pads.append((span - lo, span - hi + extra))
    out = lax.conv_general_dilated(
        x, w.astype(x.dtype), (1,) * n, pads, lhs_dilation=stride, rhs_dilation=dilation, dimension_numbers=_numbers(n), feature_group_count=groups
    )
    return out if bias is None else out + bias.reshape((1, -1) + (1,) * n).astype(out.dtype)


def unfold(x, *, kernel, stride, padding, dilation):
    """Patches (N, C k, L)."""
    patches = lax.conv_general_dilated_patches(x, kernel, stride, padding, rhs_dilation=dilation)
    return patches.reshape(*patches.shape[:2], -1)


def bias_add(x, bias, *, axis):
    shape = [1] * x.ndim
    shape[axis] = -1
    return x + bias.reshape(shape).astype(x.dtype)
