"""Mirror images."""

import numpy as np

from sporax.dataset.transforms import _checks
from sporax.dataset.vision._libraries import calls, cv, pillow
from sporax.dataset.vision._operation import ImageTensorOperation, RandomImageOperation, check, same_rank, usable


def flip(image, axis, name):
    """An array mirrored: axis 1 swaps left and right, axis 0 top and bottom."""
    check(name, image)
    if image.dtype == np.uint8 and image.size and (image.ndim == 2 or image.shape[2] <= 4):
        image = usable(image)
        with calls(name):
            return same_rank(cv().flip(image, axis), image)
    return np.ascontiguousarray(np.flip(image, axis))


def flip_pil(image, axis):
    """A Pillow image mirrored."""
    how = pillow().Transpose
    return image.transpose(how.FLIP_LEFT_RIGHT if axis else how.FLIP_TOP_BOTTOM)


class HorizontalFlip(ImageTensorOperation):
    """Swap left and right."""

    videos = True

    def on_array(self, image):
        return flip(image, 1, "HorizontalFlip")


class VerticalFlip(ImageTensorOperation):
    """Swap top and bottom."""

    videos = True

    def on_array(self, image):
        return flip(image, 0, "VerticalFlip")


class _RandomFlip(RandomImageOperation):
    videos = True
    implementation = None
    axis = 1

    def __init__(self, prob=0.5):
        _checks.probability(prob)
        self.prob = prob

    def draw(self, rng, *images):
        return bool(rng.random() < self.prob)

    def on_array(self, image, chosen):
        name = type(self).__name__
        check(name, image)
        return flip(image, self.axis, name) if chosen else image

    def on_pil(self, image, chosen):
        return flip_pil(image, self.axis) if chosen else image


class RandomHorizontalFlip(_RandomFlip):
    """Swap left and right with a probability.

    Args:
        prob (float): The probability. Default: 0.5.

    Parameters drawn: whether to flip.

    Raises:
        TypeError: a wrong type.
        ValueError: `prob` is not in [0, 1].
    """

    axis = 1


class RandomVerticalFlip(_RandomFlip):
    """Swap top and bottom with a probability.

    Args:
        prob (float): The probability. Default: 0.5.

    Parameters drawn: whether to flip.

    Raises:
        TypeError: a wrong type.
        ValueError: `prob` is not in [0, 1].
    """

    axis = 0
