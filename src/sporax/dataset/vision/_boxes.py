"""Operations on an image together with its bounding boxes: rows (x, y, width, height, ...) of float32."""

import numpy as np

from sporax.dataset import _random
from sporax.dataset.transforms import _checks
from sporax.dataset.vision._crop import RandomCrop, crop
from sporax.dataset.vision._flip import flip
from sporax.dataset.vision._names import Inter
from sporax.dataset.vision._operation import ImageTensorOperation, RandomImageOperation, check
from sporax.dataset.vision._resize import RandomResize, RandomResizedCrop, Resize, resize, target

F = np.float32


def checked(name, columns):
    """The image and the boxes of a sample.

    Raises:
        RuntimeError: other columns, or boxes that leave the image.
    """
    if len(columns) != 2:
        raise RuntimeError(f"{name}: invalid input, size of input data should be 2 (including image and bounding box), but got: {len(columns)}")
    image, boxes = (np.asarray(c) for c in columns)
    check(name, image)
    if boxes.ndim < 2:
        raise RuntimeError(f"{name}: bounding boxes should have to be two-dimensional matrix at least, but got {boxes.ndim} dimension.")
    if boxes.shape[1] < 4:
        raise RuntimeError(f"{name}: bounding boxes should have at least 4 features, but got: {boxes.shape[1]}")
    if boxes.dtype != F:
        raise RuntimeError(f"{name}: bounding boxes should have the type float32, but got {boxes.dtype}")
    h, w = image.shape[:2]
    x, y, width, height = boxes[:, :4].T
    if ((x + width > w) | (y + height > h)).any():
        raise RuntimeError(
            f"{name}: bounding boxes is out of bounds of the image, as image width: {w}, and image height: {h}, boxes: {boxes[:, :4].tolist()}"
        )
    if ((x <= -1) | (y <= -1)).any():
        raise RuntimeError(f"{name}: the coordinates of the bounding boxes has negative value, got: {boxes[:, :4].tolist()}.")
    return image, boxes


def cropped(boxes, left, top, right, bottom):
    """Boxes in the coordinates of a part of the image, cut at its edges; those that lie outside are left out."""
    x, y, width, height = boxes[:, :4].T
    inside = ~((x > right) | (y > bottom) | (x + width < left) | (y + height < top))
    boxes = boxes[inside].copy()
    x, y, width, height = boxes[:, :4].T
    x2, y2 = np.minimum(x + width, F(right)) - F(left), np.minimum(y + height, F(bottom)) - F(top)
    x1, y1 = np.maximum(x, F(left)) - F(left), np.maximum(y, F(top)) - F(top)
    boxes[:, :4] = np.stack([x1, y1, x2 - x1, y2 - y1], 1)
    return boxes


def scaled(boxes, before, after):
    """Boxes of an image whose size (height, width) changes."""
    boxes = boxes.copy()
    factor_h, factor_w = F(after[0] / before[0]), F(after[1] / before[1])
    boxes[:, :4] *= np.array([factor_w, factor_h, factor_w, factor_h], F)
    return boxes


class RandomCropWithBBox(RandomCrop):
    """RandomCrop of an image and its boxes. Boxes outside of the part are left out.

    Args:
        size, padding, pad_if_needed, fill_value, padding_mode: As of RandomCrop.
    """

    def draw(self, rng, *columns):
        image, _ = checked("RandomCropWithBBox", columns)
        return super().draw(rng, image)

    def apply(self, *columns_and_parameters):
        *columns, (top, left) = columns_and_parameters
        image, boxes = checked("RandomCropWithBBox", columns)
        _, (pad_left, pad_top, _, _), (more_h, more_w) = self.padded_size(image)
        boxes = boxes.copy()
        boxes[:, :2] += np.array([pad_left + more_w, pad_top + more_h], F)
        height, width = self.size
        result = crop(self.padded(image), top, left, height, width, "RandomCropWithBBox")
        return result, cropped(boxes, left, top, left + width, top + height)


class _FlipWithBBox(RandomImageOperation):
    axis = 1

    def __init__(self, prob=0.5):
        _checks.probability(prob)
        self.prob = prob

    def draw(self, rng, *columns):
        return bool(rng.random() < self.prob)

    def apply(self, *columns_and_parameters):
        *columns, chosen = columns_and_parameters
        name = type(self).__name__
        image, boxes = checked(name, columns)
        if not chosen:
            return image, boxes
        boxes = boxes.copy()
        at, size = (0, image.shape[1]) if self.axis else (1, image.shape[0])
        boxes[:, at] = F(size) - boxes[:, at + 2] - boxes[:, at]
        return flip(image, self.axis, name), boxes


class RandomHorizontalFlipWithBBox(_FlipWithBBox):
    """RandomHorizontalFlip of an image and its boxes.

    Args:
        prob (float): The probability. Default: 0.5.

    Raises:
        TypeError: a wrong type.
        ValueError: `prob` is not in [0, 1].
        RuntimeError: boxes that leave the image.
    """

    axis = 1


class RandomVerticalFlipWithBBox(_FlipWithBBox):
    """RandomVerticalFlip of an image and its boxes.

    Args:
        prob (float): The probability. Default: 0.5.

    Raises:
        TypeError: a wrong type.
        ValueError: `prob` is not in [0, 1].
        RuntimeError: boxes that leave the image.
    """

    axis = 0


class ResizeWithBBox(Resize):
    """Resize of an image and its boxes.

    Args:
        size (Union[int, Sequence[int]]): As of Resize.
        interpolation (Inter): Default: Inter.LINEAR.
    """

    def __init__(self, size, interpolation=Inter.LINEAR):
        super().__init__(size, interpolation)

    def apply(self, *columns):
        image, boxes = checked("ResizeWithBBox", columns)
        size = target(image, self.size)
        return resize(image, *size, self.interpolation, "ResizeWithBBox"), scaled(boxes, image.shape[:2], size)


class RandomResizeWithBBox(RandomResize):
    """RandomResize of an image and its boxes.

    Args:
        size (Union[int, Sequence[int]]): As of Resize.
    """

    def apply(self, *columns_and_parameters):
        *columns, interpolation = columns_and_parameters
        image, boxes = checked("RandomResizeWithBBox", columns)
        size = target(image, self.size)
        return resize(image, *size, interpolation, "RandomResizeWithBBox"), scaled(boxes, image.shape[:2], size)


class RandomResizedCropWithBBox(RandomResizedCrop):
    """RandomResizedCrop of an image and its boxes. Boxes outside of the part are left out.

    Args:
        size, scale, ratio, interpolation, max_attempts: As of RandomResizedCrop.
    """

    def draw(self, rng, *columns):
        image, _ = checked("RandomResizedCropWithBBox", columns)
        return super().draw(rng, image)

    def apply(self, *columns_and_parameters):
        *columns, (top, left, height, width) = columns_and_parameters
        image, boxes = checked("RandomResizedCropWithBBox", columns)
        boxes = scaled(cropped(boxes, left, top, left + width, top + height), (height, width), self.size)
        return self.on_array(image, (top, left, height, width)), boxes


class BoundingBoxAugment(ImageTensorOperation):
    """Apply an operation to what is inside of each box, with a probability.

    Args:
        transform (TensorOperation): The operation.
        ratio (float): The probability for a box. Default: 0.3.

    Raises:
        TypeError: a wrong type.
        ValueError: `ratio` is not in [0, 1].
        RuntimeError: boxes that leave the image.
    """

    random = True

    def __init__(self, transform, ratio=0.3):
        _checks.number(ratio, 0, 1, "ratio")
        if not callable(transform) or isinstance(transform, type):
            raise TypeError(f"Argument transform with value {transform!r} is not an operation, but got {type(transform)}.")
        self.transform, self.ratio = transform, ratio

    def draw(self, rng, *columns):
        """Which boxes are changed."""
        return rng.random(len(columns[1])) < self.ratio

    def apply(self, *columns, chosen=None):
        image, boxes = checked("BoundingBoxAugment", columns)
        chosen = self.draw(_random.generator(), image, boxes) if chosen is None else chosen
        image = image.copy()
        for x, y, width, height in boxes[chosen, :4].astype(int):
            result = np.asarray(self.transform(crop(image, y, x, height, width, "BoundingBoxAugment")))
            if result.shape[:2] != (height, width):
                result = resize(result, int(height), int(width), Inter.LINEAR, "BoundingBoxAugment")
            image[y : y + height, x : x + width] = result
        return image, boxes
