"""Blank parts of images."""

import math
import typing

import numpy as np

from sporax.dataset.transforms import _checks
from sporax.dataset.vision._operation import ImageTensorOperation, RandomImageOperation, RandomPilOperation, check


class Erase(ImageTensorOperation):
    """Give a part of an image one colour.

    Args:
        top, left, height, width (int): The part; what exceeds the image is ignored.
        value (Union[int, float, tuple]): The value, or one for each of R, G, B, from 0 to 255. Default: 0.0.
        inplace (bool): Whether the input itself is changed. Default: False.

    Raises:
        TypeError: a wrong type.
        ValueError: a number out of range.
        RuntimeError: the part is larger than the image.
    """

    def __init__(self, top, left, height, width, value=0.0, inplace=False):
        for number, low, name in ((top, 0, "top"), (left, 0, "left"), (height, 1, "height"), (width, 1, "width")):
            _checks.integer(number, low, _checks.INT32_MAX, name)
        _checks.of_type(inplace, (bool,), "inplace")
        _checks.of_type(value, (float, int, tuple), "value")
        values = value if isinstance(value, tuple) else (value,) * 3
        if len(values) != 3:
            raise TypeError(f"value should be a single integer/float or a 3-tuple, got {value}.")
        for i, number in enumerate(values):
            _checks.number(number, 0, 255, f"value[{i}]")
        self.box, self.value, self.inplace = (top, left, height, width), values, inplace

    def on_array(self, image):
        top, left, height, width = self.box
        check("Erase", image, channels=(3,))
        if height > image.shape[0] or width > image.shape[1]:
            raise RuntimeError(
                f"Erase: box size is too large for image erase, got box height: {height}, box width: {width}, and image shape: {image.shape}"
            )
        if not self.inplace:
            image = image.copy()
        part = image[top : top + height, left : left + width]
        part[...] = np.rint(self.value).astype(image.dtype) if image.ndim == 3 else image.dtype.type(round(self.value[0]))
        return image


class CutOut(RandomImageOperation):
    """Blank square patches at random places (DeVries and Taylor, 2017).

    Args:
        length (int): The side of a patch.
        num_patches (int): How many. Default: 1.
        is_hwc (bool): Whether the image is (H, W, C), and not (C, H, W). Default: True.

    Parameters drawn: (top, left) of each patch; a patch may lie partly outside.

    Raises:
        TypeError: a wrong type.
        ValueError: a number that isn't positive.
        RuntimeError: a patch is larger than the image, or the image doesn't have three dimensions.
    """

    random = True

    def __init__(self, length, num_patches=1, is_hwc=True):
        _checks.integer(length, 1, _checks.FLOAT_MAX, "length")
        _checks.integer(num_patches, 1, _checks.FLOAT_MAX, "num_patches")
        _checks.of_type(is_hwc, (bool,), "is_hwc")
        self.length, self.num_patches, self.is_hwc = length, num_patches, is_hwc

    def draw(self, rng, *images):
        image = np.asarray(images[0])
        if image.ndim != 3:
            raise RuntimeError(f"CutOut: image shape is not {'<H,W,C>' if self.is_hwc else '<C,H,W>'}, but got rank: {image.ndim}")
        h, w = image.shape[:2] if self.is_hwc else image.shape[1:]
        if self.length > h or self.length > w:
            raise RuntimeError(f"CutOut: box size is too large for image erase, got length {self.length}, and image shape {image.shape}")
        tops = rng.integers(0, h + self.length, self.num_patches, endpoint=True) - self.length
        return [(int(y), int(x)) for y, x in zip(tops, rng.integers(0, w + self.length, self.num_patches, endpoint=True) - self.length)]

    def on_array(self, image, corners):
        image = image.copy()
        for top, left in corners:
            rows, columns = slice(max(top, 0), max(top + self.length, 0)), slice(max(left, 0), max(left + self.length, 0))
            image[(rows, columns) if self.is_hwc else (slice(None), rows, columns)] = 0
        return image


class RandomErasing(RandomPilOperation):
    """Give a random part of an image (C, H, W) one colour, or noise, with a probability (Zhong et al., 2017).

    Args:
        prob (float): The probability. Default: 0.5.
        scale (Sequence[float]): Bounds of the part's area over the image's. Default: (0.02, 0.33).
        ratio (Sequence[float]): Bounds of the part's width over its height. Default: (0.3, 3.3).
        value (Union[int, str, sequence]): The value, three values, or "random" for normal noise. Default: 0.
        inplace (bool): Whether the input itself is changed. Default: False.
        max_attempts (int): How often a part that doesn't fit is drawn again before the image is left as it is. Default: 10.

    Parameters drawn: (top, left, height, width, value), or None.

    Raises:
        TypeError: a wrong type, or the input is no array.
        ValueError: a number out of range.
    """

    def __init__(self, prob=0.5, scale=(0.02, 0.33), ratio=(0.3, 3.3), value: typing.Any = 0, inplace=False, max_attempts=10):
        _checks.probability(prob)
        _checks.pair(scale, 0, _checks.FLOAT_MAX, "scale")
        _checks.positive(scale[1], "scale[1]")
        _checks.pair(ratio, 0, _checks.FLOAT_MAX, "ratio")
        _checks.positive(ratio[0], "ratio[0]")
        _checks.of_type(value, (int, list, tuple, str), "value")
        _checks.of_type(inplace, (bool,), "inplace")
        _checks.integer(max_attempts, 1, _checks.FLOAT_MAX, "max_attempts")
        if isinstance(value, int):
            _checks.within(value, 0, 255, "value")
        elif isinstance(value, list | tuple) and len(value) == 3:
            for number in value:
                _checks.integer(number, 0, 255, "value")
        elif value != "random":
            raise ValueError(
                f"The value for erasing should be either a single value, or a string 'random', or a sequence of 3 elements for RGB, got {value!r}."
            )
        self.prob, self.scale, self.ratio, self.value, self.inplace, self.max_attempts = (
            prob,
            tuple(scale),
            tuple(ratio),
            value,
            inplace,
            max_attempts,
        )

    def prepare(self, columns):
        for column in columns:
            if not isinstance(column, np.ndarray):
                raise TypeError(f"img should be NumPy array. Got {type(column)}.")
            if column.ndim != 3:
                raise ValueError(f"RandomErasing: the image should have the shape (C, H, W), got {column.shape}.")
        return columns

    def draw(self, rng, *images):
        if rng.random() >= self.prob:
            return None
        channels, h, w = images[0].shape
        for _ in range(self.max_attempts):
            area, aspect = rng.uniform(*self.scale) * h * w, rng.uniform(*self.ratio)
            width = round(math.sqrt(area * aspect))
            height = round(width / aspect)
            if height < h and width < w:
                top, left = int(rng.integers(0, h - height, endpoint=True)), int(rng.integers(0, w - width, endpoint=True))
                if self.value == "random":
                    return top, left, height, width, rng.normal(size=(channels, height, width))
                value = self.value if isinstance(self.value, int) else np.array(self.value)[:, None, None]
                return top, left, height, width, value
        return None

    def on_array(self, image, part):
        if part is None:
            return image
        top, left, height, width, value = part
        image = image if self.inplace else image.copy()
        image[:, top : top + height, left : left + width] = value
        return image
