"""Operations on batches that mix images with each other: MixUp and CutMix."""

import numpy as np

from sporax.dataset import _random
from sporax.dataset.transforms import _checks
from sporax.dataset.transforms._operation import PY, TensorOperation
from sporax.dataset.vision._names import ImageBatchFormat
from sporax.dataset.vision._operation import RandomImageOperation

F = np.float32


def _check_batch(name, columns, at_least=(1, 3)):
    if len(columns) < 2:
        raise RuntimeError(f"{name}: both image and label columns are required, got {len(columns)} columns.")
    images, labels = columns[:2]
    if images.ndim != 4 or labels.ndim < 1 or images.shape[0] != labels.shape[0]:
        raise RuntimeError(
            f"{name}: please make sure images are HWC or CHW and batched before calling {name}, got {images.shape} and labels {labels.shape}."
        )
    if labels.dtype.kind not in "iu":
        raise RuntimeError(f"{name}: wrong labels type. The second column (labels) must only include int types, got {labels.dtype}.")
    if labels.ndim not in (2, 3):
        raise RuntimeError(
            f"{name}: wrong labels shape {labels.shape}. The labels must be one-hot, of shape (N, C) or (N, L, C), N being the batch size."
        )
    return images, labels


class MixUpBatch(RandomImageOperation):
    """Blend each image of a batch, and its one-hot label, with another one (Zhang et al., 2018).

    Args:
        alpha (float): The parameter of the beta distribution that the factor comes from. Default: 1.0.

    Inputs:
        Images (N, H, W, C) or (N, C, H, W), and labels (N, K) or (N, L, K) of integers. The labels become float32.

    Parameters drawn: (factor, order of the others).

    Raises:
        TypeError: a wrong type.
        ValueError: `alpha` is not positive.
        RuntimeError: columns of another shape or type.
    """

    def __init__(self, alpha=1.0):
        _checks.number(alpha, 0, _checks.FLOAT_MAX, "alpha", left_open=True)
        self.alpha = alpha

    def draw(self, rng, *columns):
        return float(rng.beta(self.alpha, self.alpha)), rng.permutation(len(columns[0]))

    def apply(self, *columns_and_parameters):
        *columns, (factor, order) = columns_and_parameters
        images, labels = _check_batch("MixUpBatch", columns)
        if not {images.shape[1], images.shape[3]} & {1, 3}:
            raise RuntimeError(f"MixUpBatch: images must be in the shape of HWC or CHW, got {images.shape}.")
        factor = F(factor)
        mixed = factor * images.astype(F) + (1 - factor) * images[order].astype(F)
        if images.dtype.kind in "iu":
            info = np.iinfo(images.dtype)
            mixed = np.clip(np.rint(mixed), info.min, info.max)
        return mixed.astype(images.dtype), factor * labels.astype(F) + (1 - factor) * labels[order].astype(F)


class CutMixBatch(RandomImageOperation):
    """Put a part of another image into each image of a batch, and mix the one-hot labels by area (Yun et al., 2019).

    Args:
        image_batch_format (ImageBatchFormat): NHWC or NCHW.
        alpha (float): The parameter of the beta distribution that the size of the part comes from. Default: 1.0.
        prob (float): The probability that an image gets a part. Default: 1.0.

    Inputs:
        Images, and labels (N, K) or (N, L, K) of integers. The labels become float32.

    Parameters drawn: (order of the others, for each image (top, left, height, width) or None).

    Raises:
        TypeError: a wrong type.
        ValueError: `alpha` is not positive, or `prob` is not in [0, 1].
        RuntimeError: columns of another shape or type.
    """

    def __init__(self, image_batch_format, alpha=1.0, prob=1.0):
        _checks.of_type(image_batch_format, (ImageBatchFormat,), "image_batch_format")
        _checks.number(alpha, 0, _checks.FLOAT_MAX, "alpha", left_open=True)
        _checks.probability(prob)
        self.image_batch_format, self.alpha, self.prob = image_batch_format, alpha, prob

    def _size(self, images):
        return images.shape[1:3] if self.image_batch_format == ImageBatchFormat.NHWC else images.shape[2:]

    def draw(self, rng, *columns):
        images, _ = _check_batch("CutMixBatch", columns)
        h, w = self._size(images)
        boxes = []
        for _ in range(len(images)):
            rest = F(1) - F(rng.beta(self.alpha, self.alpha))
            if rng.random() >= self.prob:
                boxes.append(None)
                continue
            half_w, half_h = int(w * rest) // 2, int(h * rest) // 2
            x, y = int(rng.integers(0, w, endpoint=True)), int(rng.integers(0, h, endpoint=True))
            left, right = (min(max(v, 0), w - 1) for v in (x - half_w, x + half_w))
            top, bottom = (min(max(v, 0), h - 1) for v in (y - half_h, y + half_h))
            boxes.append((top, left, min(max(bottom - top, 1), max(h - 1, 1)), min(max(right - left, 1), max(w - 1, 1))))
        return rng.permutation(len(images)), boxes

    def apply(self, *columns_and_parameters):
        *columns, (order, boxes) = columns_and_parameters
        images, labels = _check_batch("CutMixBatch", columns)
        last = self.image_batch_format == ImageBatchFormat.NHWC
        if images.shape[3 if last else 1] not in (1, 3):
            raise RuntimeError(f"CutMixBatch: image doesn't match the {self.image_batch_format.name} format, got {images.shape}.")
        h, w = self._size(images)
        mixed, mixed_labels = images.copy(), labels.astype(F)
        for i, (other, box) in enumerate(zip(order, boxes)):
            if box is None:
                continue
            top, left, height, width = box
            part = (slice(top, top + height), slice(left, left + width))
            part = part if last else (slice(None), *part)
            mixed[(i, *part)] = images[(other, *part)]
            factor = F(1) - F(height * width) / F(h * w)
            mixed_labels[i] = factor * labels[i].astype(F) + (1 - factor) * labels[other].astype(F)
        return mixed, mixed_labels


class MixUp(TensorOperation):
    """Blend each image of a batch, and its label, with the next one, or with the batch before (for `batch(per_batch_map=...)` or `map` after `batch`).

    Args:
        batch_size (int): The number of images in a batch.
        alpha (float): The parameter of the beta distribution that the factors come from.
        is_single (bool): Whether the others are the next images of the same batch, and not the results of the call before. Default: True.

    Inputs:
        Images (N, ...) of four dimensions and labels (N, K).

    Raises:
        TypeError: a wrong type.
        ValueError: a number that isn't positive.
    """

    implementation = PY
    random = True

    def __init__(self, batch_size, alpha, is_single=True):
        _checks.of_type(is_single, (bool,), "is_single")
        _checks.integer(batch_size, 1, _checks.FLOAT_MAX, "batch_size")
        _checks.of_type(alpha, (int, float), "alpha")
        _checks.positive(alpha, "alpha")
        self.batch_size, self.alpha, self.is_single = batch_size, alpha, is_single
        self._before = None

    def draw(self, rng, *columns):
        """The factor of each image."""
        return rng.beta(self.alpha, self.alpha, self.batch_size)

    def __call__(self, *columns):
        return self.apply(*columns, self.draw(_random.generator(), *columns))

    def apply(self, *columns_and_parameters):
        image, label, factor = columns_and_parameters
        if self.is_single:
            order = np.roll(np.arange(self.batch_size), -1)
            others = image[order], label[order]
        elif self._before is None:
            factor, others = np.ones(self.batch_size), (0, 0)
        else:
            others = self._before
        of_image, of_label = factor.reshape(-1, 1, 1, 1), factor.reshape(-1, 1)
        mixed = of_image * image + (1 - of_image) * others[0], of_label * label + (1 - of_label) * others[1]
        if not self.is_single:
            self._before = mixed
        return mixed
