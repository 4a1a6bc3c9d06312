"""Sizes: resizing, and cropping with resizing."""

import math

import numpy as np

from sporax.dataset.transforms import _checks
from sporax.dataset.transforms._operation import PY
from sporax.dataset.vision._libraries import calls, cv
from sporax.dataset.vision._names import Inter
from sporax.dataset.vision._operation import ImageTensorOperation, RandomImageOperation, check, frame, same_rank, size_of, usable

ONLY_PIL = "The current InterpolationMode {0!r} is not supported with NumPy input. Use Inter.BILINEAR, or ToPIL() before."
ONLY_ARRAYS = "Current Interpolation {0!r} is not supported with PIL input. Use Inter.BILINEAR, or ToNumpy() before."


def check_size(size, name="size"):
    """A positive integer or two of them."""
    if isinstance(size, int) and not isinstance(size, bool):
        _checks.within(size, 1, _checks.FLOAT_MAX, name)
    elif isinstance(size, tuple | list) and len(size) == 2:
        for i, value in enumerate(size):
            _checks.integer(value, 1, _checks.INT32_MAX, f"{name} at dim {i}")
    else:
        raise TypeError(f"Size should be a single integer or a list/tuple (h, w) of length 2, got {size!r}.")


def both(size) -> tuple[int, int]:
    """(height, width) of a size that may be one number."""
    return (size, size) if isinstance(size, int) else (size[0], size[1])


def check_interpolation(interpolation):
    """A member of Inter."""
    _checks.of_type(interpolation, (Inter,), "interpolation")


class UnsupportedInterpolation(TypeError, RuntimeError):
    """An interpolation that the input can't have. MindSpore raises the one for some operations and the other for others."""


def for_arrays(interpolation):
    """OpenCV's number of an interpolation; PILCUBIC counts as LINEAR where there is nothing else."""
    if interpolation == Inter.ANTIALIAS:
        raise UnsupportedInterpolation(ONLY_PIL.format(interpolation))
    return {Inter.NEAREST: 0, Inter.BILINEAR: 1, Inter.BICUBIC: 2, Inter.AREA: 3, Inter.PILCUBIC: 1}[interpolation]


def for_pil(interpolation):
    """Pillow's number of an interpolation."""
    if interpolation in (Inter.AREA, Inter.PILCUBIC):
        raise TypeError(ONLY_ARRAYS.format(interpolation))
    return Inter.to_python_type(interpolation)


def implementation(interpolation):
    """Where an interpolation can be used: PY for Pillow images only, C for arrays only, None for both."""
    return PY if interpolation == Inter.ANTIALIAS else None


def resize(image, height, width, interpolation, name="Resize"):
    """An array resized to (height, width)."""
    check(name, image)
    mode = for_arrays(interpolation)
    h, w = image.shape[:2]
    if not h or not w:
        raise RuntimeError(f"{name}: the image of shape {image.shape} is empty")
    if height > h * 1000 or width > w * 1000:
        raise RuntimeError(
            f"{name}: the resizing width or height is too big, it's 1000 times bigger than the original image, got output height: {height}, width: {width}, "
            f"and original image size: {h}, {w}"
        )
    if interpolation == Inter.PILCUBIC:
        return _as_pillow(image, height, width, name)
    image = usable(image)
    with calls(name):
        return same_rank(cv().resize(image, (width, height), interpolation=mode), image)


def _as_pillow(image, height, width, name):
    """Bicubic as Pillow does it, for (H, W, 3) of uint8."""
    if image.dtype != np.uint8 or image.ndim != 3 or image.shape[2] != 3:
        raise RuntimeError(f"{name}: PILCUBIC needs an image of shape <H,W,3> and type uint8, got {image.dtype}{image.shape}")
    from sporax.dataset.vision._libraries import pillow

    module = pillow()
    return np.asarray(module.fromarray(np.ascontiguousarray(image)).resize((width, height), module.Resampling.BICUBIC))


def resize_pil(image, size, interpolation):
    """A Pillow image resized; one number is the length of the shorter side."""
    mode = for_pil(interpolation)
    if not isinstance(size, int):
        return image.resize(tuple(size[::-1]), mode)
    w, h = image.size
    if min(w, h) == size:
        return image
    new = (size, int(size / (w / h))) if w < h else (int(size * (w / h)), size)
    return image.resize(new, mode)


def target(image, size) -> tuple[int, int]:
    """(height, width) that an image gets: `size`, or with one number the shorter side has that length."""
    return shorter_side(image.shape[0], image.shape[1], size) if isinstance(size, int) else (size[0], size[1])


def shorter_side(h, w, size) -> tuple[int, int]:
    """(height, width) with the shorter side of length `size` and the image's aspect; cut as MindSpore does it, in single precision."""

    def other(long, short):
        return int(np.float32(np.float32(long) / np.float32(short)) * np.float32(size))

    return (size, other(w, h)) if h < w else (other(h, w), size)


class Resize(ImageTensorOperation):
    """Resize an image.

    Args:
        size (Union[int, Sequence[int]]): (height, width), or the length of the shorter side, which keeps the aspect.
        interpolation (Inter): Default: Inter.LINEAR. Pillow images take NEAREST, ANTIALIAS, LINEAR and CUBIC; arrays all but ANTIALIAS.

    Raises:
        TypeError: a wrong type, or an interpolation that the input can't have.
        ValueError: a size that isn't positive.
        RuntimeError: an array that is no image.
    """

    videos = True

    def __init__(self, size, interpolation=Inter.LINEAR):
        if interpolation is None:
            raise KeyError("Interpolation should not be None")
        check_size(size)
        check_interpolation(interpolation)
        self.size, self.interpolation, self.implementation = size, interpolation, implementation(interpolation)

    def on_array(self, image):
        check("Resize", image)
        return resize(image, *target(image, self.size), self.interpolation)

    def on_pil(self, image):
        return resize_pil(image, self.size, self.interpolation)


class RandomResize(RandomImageOperation):
    """Resize with an interpolation drawn from LINEAR, NEAREST, CUBIC and AREA.

    Args:
        size (Union[int, Sequence[int]]): As of Resize.

    Raises:
        TypeError: a wrong type.
        ValueError: a size that isn't positive.
    """

    videos = True

    MODES = (Inter.LINEAR, Inter.NEAREST, Inter.CUBIC, Inter.AREA)

    def __init__(self, size):
        check_size(size)
        self.size = size

    def draw(self, rng, *images):
        return self.MODES[rng.integers(4)]

    def on_array(self, image, interpolation):
        check("RandomResize", image)
        return resize(image, *target(image, self.size), interpolation, "RandomResize")


class ResizedCrop(ImageTensorOperation):
    """Cut out a part and resize it.

    Args:
        top, left, height, width (int): The part.
        size (Union[int, Sequence[int]]): The size of the result.
        interpolation (Inter): Default: Inter.BILINEAR.

    Raises:
        TypeError: a wrong type.
        ValueError: a negative position, or a size that isn't positive.
        RuntimeError: the part isn't inside the image.
    """

    def __init__(self, top, left, height, width, size, interpolation=Inter.BILINEAR):
        for value, low, name in ((top, 0, "top"), (left, 0, "left"), (height, 1, "height"), (width, 1, "width")):
            _checks.integer(value, low, _checks.INT32_MAX, name)
        check_interpolation(interpolation)
        check_size(size)
        self.box, self.size, self.interpolation = (top, left, height, width), both(size), interpolation

    def on_array(self, image):
        top, left, height, width = self.box
        check("ResizedCrop", image)
        if top + height > image.shape[0] or left + width > image.shape[1]:
            raise RuntimeError(f"ResizedCrop: the crop (top, left, height, width) = {self.box} exceeds the image of shape {image.shape}")
        return resize(image[top : top + height, left : left + width], *self.size, self.interpolation, "ResizedCrop")


def check_crop_arguments(size, scale, ratio, interpolation, max_attempts):
    """The arguments of the random resized crops."""
    if interpolation is not None:
        check_interpolation(interpolation)
    check_size(size)
    if scale is not None:
        _checks.pair(scale, 0, _checks.FLOAT_MAX, "scale")
        _checks.positive(scale[1], "scale[1]")
    if ratio is not None:
        _checks.of_type(ratio, (tuple, list), "ratio")
        if len(ratio) != 2:
            raise TypeError(f"ratio should be a list/tuple of length 2, got {ratio}.")
        for i in range(2):
            _checks.number(ratio[i], 0, _checks.FLOAT_MAX, f"ratio[{i}]", left_open=True)
        _checks.ordered(ratio, "ratio")
    if max_attempts is not None:
        _checks.integer(max_attempts, 1, _checks.INT32_MAX, "max_attempts")


def draw_box(rng, h, w, scale, ratio, attempts) -> tuple[int, int, int, int]:
    """(top, left, height, width) of a random part of an image: its area is uniform in `scale` times the image's, the logarithm of its aspect uniform.

    A part that doesn't fit is drawn again; after `attempts` it is the largest central one with an allowed aspect (Szegedy et al., 2015).
    """
    log_ratio = math.log(ratio[0]), math.log(ratio[1])
    for _ in range(attempts):
        area = h * w * rng.uniform(*scale)
        aspect = math.exp(rng.uniform(*log_ratio))
        width = max(1, math.floor(math.sqrt(area * aspect) + 0.5))
        height = max(1, math.floor(width / aspect + 0.5))
        if width <= w and height <= h:
            left, top = rng.integers(0, w - width, endpoint=True), rng.integers(0, h - height, endpoint=True)
            return int(top), int(left), height, width
    width, height = w, h
    if w / h < ratio[0]:
        height = max(1, math.floor(w / ratio[0] + 0.5))
    elif w / h > ratio[1]:
        width = max(1, math.floor(h * ratio[1] + 0.5))
    return math.floor((h - height) / 2 + 0.5), math.floor((w - width) / 2 + 0.5), height, width


class RandomResizedCrop(RandomImageOperation):
    """Cut out a random part and resize it.

    Args:
        size (Union[int, Sequence[int]]): The size of the result.
        scale (Union[list, tuple]): Bounds of the part's area over the image's. Default: (0.08, 1.0).
        ratio (Union[list, tuple]): Bounds of the part's width over its height. Default: (3/4, 4/3).
        interpolation (Inter): Default: Inter.BILINEAR.
        max_attempts (int): How often a part that doesn't fit is drawn again before the central one is taken. Default: 10.

    Parameters drawn: (top, left, height, width).

    Raises:
        TypeError: a wrong type.
        ValueError: bounds that aren't ordered or not positive.
        RuntimeError: an array that is no image.
    """

    videos = True

    def __init__(self, size, scale=(0.08, 1.0), ratio=(3.0 / 4.0, 4.0 / 3.0), interpolation=Inter.BILINEAR, max_attempts=10):
        check_crop_arguments(size, scale, ratio, interpolation, max_attempts)
        self.size, self.scale, self.ratio = both(size), (scale[0], scale[1]), (ratio[0], ratio[1])
        self.interpolation, self.max_attempts, self.implementation = interpolation, max_attempts, implementation(interpolation)

    def draw(self, rng, *images):
        for image in images:
            if isinstance(image, np.ndarray):
                check("RandomCropAndResize", frame(image))
            if size_of(image) != size_of(images[0]):
                raise RuntimeError("RandomCropAndResize: The width and height of the images need to be the same.")
        h, w = size_of(images[0])
        return draw_box(rng, h, w, self.scale, self.ratio, self.max_attempts)

    def on_array(self, image, box):
        top, left, height, width = box
        return resize(image[top : top + height, left : left + width], *self.size, self.interpolation, "CropAndResize")

    def on_pil(self, image, box):
        top, left, height, width = box
        return resize_pil(image.crop((left, top, left + width, top + height)), self.size, self.interpolation)
