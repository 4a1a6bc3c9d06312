"""Boxes (x0, y0, x1, y1)."""

import math

import jax.numpy as jnp
from jax import lax


def _areas(boxes, extra):
    return (boxes[..., 2] - boxes[..., 0] + extra) * (boxes[..., 3] - boxes[..., 1] + extra)


def _intersections(a, b, extra):
    low = jnp.maximum(a[:, None, :2], b[None, :, :2])
    high = jnp.minimum(a[:, None, 2:4], b[None, :, 2:4])
    size = jnp.maximum(high - low + extra, 0)
    return size[..., 0] * size[..., 1]


def overlaps(anchors, truths, *, union):
    shared = _intersections(truths, anchors, 1)
    own, other = _areas(truths, 1)[:, None], _areas(anchors, 1)[None, :]
    return shared / (own + other - shared if union else own)


def inside(boxes, image):
    height, width = image[0] * image[2], image[1] * image[2]
    return (boxes[:, 0] >= 0) & (boxes[:, 1] >= 0) & (boxes[:, 2] <= width - 1) & (boxes[:, 3] <= height - 1)


def _centres(boxes):
    size = boxes[:, 2:] - boxes[:, :2] + 1
    return (boxes[:, :2] + boxes[:, 2:]) / 2, size


def encode(anchors, truths, *, means, stds):
    (ca, sa), (ct, st) = _centres(anchors), _centres(truths)
    offsets = jnp.concatenate([(ct - ca) / sa, jnp.log(st / sa)], 1)
    return (offsets - jnp.asarray(means, offsets.dtype)) / jnp.asarray(stds, offsets.dtype)


def decode(anchors, deltas, *, means, stds, shape, clip):
    deltas = deltas * jnp.asarray(stds, deltas.dtype) + jnp.asarray(means, deltas.dtype)
    largest = abs(math.log(clip))
    centre, size = _centres(anchors)
    size_new = size * jnp.exp(jnp.clip(deltas[:, 2:], -largest, largest))
    centre = centre + size * deltas[:, :2]
    out = jnp.concatenate([centre - size_new / 2 + 0.5, centre + size_new / 2 - 0.5], 1)
    height, width = shape[:2]
    return jnp.clip(out, 0, jnp.asarray([width, height] * 2, out.dtype))


def suppress(boxes, threshold):
    order = jnp.argsort(-boxes[:, 4], stable=True)
    boxes = boxes[order]
    shared = _intersections(boxes, boxes, 0)
    area = _areas(boxes, 0)
    ratio = shared / (area[:, None] + area[None, :] - shared)
    near = (ratio > threshold) & (jnp.arange(len(boxes))[:, None] < jnp.arange(len(boxes))[None, :])
    keep = lax.fori_loop(0, len(boxes), lambda i, k: jnp.where(k[i], k & ~near[i], k), jnp.ones(len(boxes), bool))
    return boxes, jnp.arange(len(boxes), dtype=jnp.int32), keep
