"""Crops and padding."""

import numpy as np

from sporax.dataset.transforms import _checks
from sporax.dataset.vision._flip import flip_pil
from sporax.dataset.vision._libraries import calls, cv, is_pil
from sporax.dataset.vision._names import Border, SliceMode
from sporax.dataset.vision._operation import (
    NOT_PIL,
    ImageTensorOperation,
    PilOperation,
    RandomImageOperation,
    check,
    frame,
    same_rank,
    size_of,
    usable,
)
from sporax.dataset.vision._resize import both, check_size

_BORDERS = {Border.CONSTANT: 0, Border.EDGE: 1, Border.SYMMETRIC: 2, Border.REFLECT: 4}  # OpenCV's numbers


def check_fill(value):
    """An integer from 0 to 255 or three of them."""
    if isinstance(value, int) and not isinstance(value, bool):
        _checks.within(value, 0, 255, "fill_value")
    elif isinstance(value, tuple) and len(value) == 3:
        for i, v in enumerate(value):
            _checks.integer(v, 0, 255, f"fill_value[{i}]")
    else:
        raise TypeError(f"fill_value should be a single integer or a 3-tuple, got {value!r}.")


def three(value) -> tuple[int, int, int]:
    """A fill value for each channel."""
    return (value, value, value) if isinstance(value, int) else (value[0], value[1], value[2])


def check_padding(padding):
    """A number that isn't negative, or two or four of them."""
    _checks.of_type(padding, (tuple, list, int), "padding")
    if isinstance(padding, tuple | list):
        if len(padding) not in (2, 4):
            raise ValueError(f"The size of the padding list or tuple should be 2 or 4, got {len(padding)}.")
        for i, value in enumerate(padding):
            _checks.integer(value, 0, _checks.INT32_MAX, f"padding[{i}]")
    else:
        _checks.within(padding, 0, _checks.INT32_MAX, "padding")


def crop(image, top, left, height, width, name="Crop"):
    """A part of an array, copied."""
    check(name, image)
    if top < 0 or top + height > image.shape[0]:
        raise RuntimeError(
            f"{name}: invalid y coordinate value for crop, exceeds the boundary of the image of shape {image.shape}, got y: {top}, height: {height}"
        )
    if left < 0 or left + width > image.shape[1]:
        raise RuntimeError(
            f"{name}: invalid x coordinate value for crop, exceeds the boundary of the image of shape {image.shape}, got x: {left}, width: {width}"
        )
    return image[top : top + height, left : left + width].copy()


def pad(image, left, top, right, bottom, fill=(0, 0, 0), border=Border.CONSTANT, name="Pad"):
    """An array with something around it."""
    check(name, image, channels=(1, 3))
    if border != Border.CONSTANT and image.size == 0:
        raise RuntimeError(f"{name}: the image of shape {image.shape} is empty")
    image = usable(image)
    with calls(name):
        return same_rank(cv().copyMakeBorder(image, top, bottom, left, right, _BORDERS[border], value=fill), image)


def pad_pil(image, left, top, right, bottom, fill, border):
    """A Pillow image with something around it."""
    from PIL import Image, ImageOps

    if border == Border.CONSTANT:
        if image.mode in ("L", "1"):
            fill = fill[:1]
        padded = ImageOps.expand(image, border=(left, top, right, bottom), fill=fill if len(fill) > 1 else fill[0])
        return padded
    pixels = np.asarray(image)
    widths = ((top, bottom), (left, right), (0, 0))[: pixels.ndim]
    padded = Image.fromarray(np.pad(pixels, widths, border.value))  # pyright: ignore[reportArgumentType, reportCallIssue]
    if image.mode == "P":
        padded.putpalette(image.getpalette())
    return padded


class Crop(ImageTensorOperation):
    """Cut out a part.

    Args:
        coordinates (sequence): (y, x) of the upper left corner.
        size (Union[int, sequence]): (height, width); one number stands for both.

    Raises:
        TypeError: a wrong type.
        ValueError: a negative coordinate or a size that isn't positive.
        RuntimeError: the part isn't inside the image.
    """

    def __init__(self, coordinates, size):
        if not isinstance(coordinates, list | tuple) or len(coordinates) != 2:
            raise TypeError(f"Coordinates should be a list/tuple (y, x) of length 2, got {coordinates!r}.")
        for i, value in enumerate(coordinates):
            _checks.integer(value, 0, _checks.INT32_MAX, f"coordinates[{i}]")
        check_size(size)
        self.coordinates, self.size = (coordinates[0], coordinates[1]), both(size)

    def on_array(self, image):
        return crop(image, *self.coordinates, *self.size)


def center_crop(image, height, width):
    """The middle of an array; where it is too small there are zeros around it."""
    check("CenterCrop", image)
    more_h, more_w = height - image.shape[0], width - image.shape[1]
    if more_h > 0 or more_w > 0:
        extra_h, extra_w = max(more_h, 0), max(more_w, 0)
        image = pad(image, extra_w - extra_w // 2, extra_h - extra_h // 2, extra_w // 2, extra_h // 2, name="CenterCrop")
    return crop(image, (image.shape[0] - height) // 2, (image.shape[1] - width) // 2, height, width, "CenterCrop")


def center_crop_pil(image, height, width):
    """The middle of a Pillow image."""
    w, h = image.size
    top, left = round((h - height) / 2), round((w - width) / 2)
    return image.crop((left, top, left + width, top + height))


class CenterCrop(ImageTensorOperation):
    """The middle of an image, with zeros around it where the image is smaller.

    Args:
        size (Union[int, sequence]): (height, width); one number stands for both.

    Raises:
        TypeError: a wrong type.
        ValueError: a size that isn't positive.
    """

    videos = True

    implementation = None

    def __init__(self, size):
        check_size(size)
        self.size = both(size)

    def on_array(self, image):
        return center_crop(image, *self.size)

    def on_pil(self, image):
        return center_crop_pil(image, *self.size)


class Pad(ImageTensorOperation):
    """Put something around an image.

    Args:
        padding (Union[int, Sequence]): For all sides; (left and right, top and bottom); or (left, top, right, bottom).
        fill_value (Union[int, tuple[int]]): The value of a constant border, or one for each of R, G, B. Default: 0.
        padding_mode (Border): Default: Border.CONSTANT.

    Raises:
        TypeError: a wrong type.
        ValueError: a negative padding, or a fill value outside [0, 255].
        RuntimeError: an array that is no image.
    """

    implementation = None

    def __init__(self, padding, fill_value=0, padding_mode=Border.CONSTANT):
        from sporax.dataset.vision.utils import parse_padding

        check_padding(padding)
        check_fill(fill_value)
        _checks.of_type(padding_mode, (Border,), "padding_mode")
        self.padding, self.fill_value, self.padding_mode = parse_padding(padding), three(fill_value), padding_mode

    def on_array(self, image):
        return pad(image, *self.padding, self.fill_value, self.padding_mode)

    def on_pil(self, image):
        return pad_pil(image, *self.padding, self.fill_value, self.padding_mode)


class PadToSize(ImageTensorOperation):
    """Put something around an image so that it has a given size.

    Args:
        size (Union[int, Sequence]): (height, width) of the result; one number stands for both.
        offset (Union[int, Sequence]): (top, left): how much comes above and to the left; one number stands for both. Default: None, the image in the middle.
        fill_value (Union[int, tuple[int]]): As of Pad. Default: 0.
        padding_mode (Border): Default: Border.CONSTANT.

    Raises:
        TypeError: a wrong type.
        ValueError: a size that isn't positive, or a negative offset.
        RuntimeError: the image with its offset is larger than `size`.
    """

    def __init__(self, size, offset=None, fill_value=0, padding_mode=Border.CONSTANT):
        _checks.of_type(size, (int, list, tuple), "size")
        if not isinstance(size, int) and len(size) != 2:
            raise ValueError(f"The size must be a sequence of length 2, got {size}.")
        for value in both(size):
            _checks.integer(value, 1, _checks.INT32_MAX, "size")
        if offset is not None:
            _checks.of_type(offset, (int, list, tuple), "offset")
            if not isinstance(offset, int) and len(offset) not in (0, 2):
                raise ValueError(f"The offset must be empty or a sequence of length 2, got {offset}.")
            for value in both(offset):
                _checks.integer(value, 0, _checks.INT32_MAX, "offset")
        check_fill(fill_value)
        _checks.of_type(padding_mode, (Border,), "padding_mode")
        self.size, self.offset = both(size), () if offset is None else both(offset)
        self.fill_value, self.padding_mode = three(fill_value), padding_mode

    def on_array(self, image):
        check("PadToSize", image)
        h, w = image.shape[:2]
        height, width = self.size
        top, left = self.offset or ((height - h) // 2, (width - w) // 2)
        if h > height or w > width or top + h > height or left + w > width:
            raise RuntimeError(
                f"PadToSize: the target size to pad should be no less than the original image size with its offset, got size {self.size}, "
                f"offset {tuple(self.offset)}, image {image.shape}"
            )
        return pad(image, left, top, width - w - left, height - h - top, self.fill_value, self.padding_mode, "PadToSize")


class RandomCrop(RandomImageOperation):
    """Cut out a part at a random place.

    Args:
        size (Union[int, Sequence[int]]): (height, width) of the part; one number stands for both.
        padding (Union[int, Sequence[int]]): What is put around the image before, as of Pad. Default: None.
        pad_if_needed (bool): Whether more is put around an image that is still too small. Default: False.
        fill_value (Union[int, tuple[int]]): As of Pad. Default: 0.
        padding_mode (Border): Default: Border.CONSTANT.

    Parameters drawn: (top, left) in the padded image.

    Raises:
        TypeError: a wrong type.
        ValueError: a size that isn't positive, a negative padding.
        RuntimeError: the image is smaller than the part (ValueError for Pillow images).
    """

    videos = True

    implementation = None

    def __init__(self, size, padding=None, pad_if_needed=False, fill_value=0, padding_mode=Border.CONSTANT):
        from sporax.dataset.vision.utils import parse_padding

        check_size(size)
        _checks.of_type(pad_if_needed, (bool,), "pad_if_needed")
        if padding is not None:
            check_padding(padding)
        if fill_value is not None:
            check_fill(fill_value)
        if padding_mode is not None:
            _checks.of_type(padding_mode, (Border,), "padding_mode")
        self.size, self.pad_if_needed = both(size), pad_if_needed
        self.padding = (0, 0, 0, 0) if padding is None else parse_padding(padding)
        self.fill_value, self.padding_mode = three(fill_value or 0), padding_mode or Border.CONSTANT

    def padded_size(self, image):
        """(height, width) after padding, and what is put at (left, top, right, bottom)."""
        h, w = size_of(image)
        left, top, right, bottom = self.padding
        if is_pil(image) is False and max(top / max(h, 1), bottom / max(h, 1), left / max(w, 1), right / max(w, 1)) >= 3:
            raise RuntimeError(f"Pad: padding size is three times bigger than the image size, padding {self.padding}, image shape: {h}, {w}")
        h, w = h + top + bottom, w + left + right
        more = [0, 0]
        if self.pad_if_needed:
            more = [max(0, self.size[0] - h), max(0, self.size[1] - w)]
        return (h + 2 * more[0], w + 2 * more[1]), (left, top, right, bottom), more

    def padded(self, image):
        """The image with what is put around it: first `padding`, then what is missing, on both sides."""
        _, (left, top, right, bottom), (more_h, more_w) = self.padded_size(image)
        put = pad_pil if is_pil(image) else pad
        if left or top or right or bottom:
            image = put(image, left, top, right, bottom, self.fill_value, self.padding_mode)
        if more_h:
            image = put(image, 0, more_h, 0, more_h, self.fill_value, self.padding_mode)
        if more_w:
            image = put(image, more_w, 0, more_w, 0, self.fill_value, self.padding_mode)
        return image

    def draw(self, rng, *images):
        for image in images:
            if isinstance(image, np.ndarray):
                check("RandomCrop", frame(image))
            if size_of(image) != size_of(images[0]):
                raise RuntimeError("RandomCropOp: The width and height of the images need to be the same.")
        (h, w), *_ = self.padded_size(images[0])
        height, width = self.size
        if h < height or w < width:
            error = ValueError if is_pil(images[0]) else RuntimeError
            raise error(
                f"RandomCrop: invalid crop size, crop size is bigger than the image dimensions, got crop height: {height}, crop width: {width}, "
                f"image height: {h}, image width: {w}. Use pad_if_needed=True or a smaller size."
            )
        left = rng.integers(0, w - width, endpoint=True)
        return int(rng.integers(0, h - height, endpoint=True)), int(left)

    def on_array(self, image, corner):
        top, left = corner
        return crop(self.padded(image), top, left, *self.size, "RandomCrop")

    def on_pil(self, image, corner):
        top, left = corner
        return self.padded(image).crop((left, top, left + self.size[1], top + self.size[0]))


def five_crops(image, size):
    """The four corners of a Pillow image and its middle."""
    if not is_pil(image):
        raise TypeError(NOT_PIL.format(type(image)))
    (height, width), (w, h) = size, image.size
    if height > h or width > w:
        raise ValueError(f"Crop size {size} is larger than input image size {(w, h)}.")
    corners = ((0, 0), (w - width, 0), (0, h - height), (w - width, h - height))
    return (*(image.crop((x, y, x + width, y + height)) for x, y in corners), center_crop_pil(image, height, width))


class FiveCrop(PilOperation):
    """The four corners and the middle of a Pillow image.

    Args:
        size (Union[int, Sequence[int]]): (height, width) of each; one number stands for both.

    Returns:
        tuple: top left, top right, bottom left, bottom right, middle.

    Raises:
        TypeError: a wrong type, or the input is no Pillow image.
        ValueError: a size that isn't positive, or larger than the image.
    """

    def __init__(self, size):
        check_size(size)
        self.size = both(size)

    def apply(self, *images):
        (image,) = images
        return five_crops(image, self.size)


class TenCrop(PilOperation):
    """The five crops of a Pillow image, and those of its mirror image.

    Args:
        size (Union[int, Sequence[int]]): (height, width) of each; one number stands for both.
        use_vertical_flip (bool): Whether top and bottom are swapped for the second five, instead of left and right. Default: False.

    Raises:
        TypeError: a wrong type, or the input is no Pillow image.
        ValueError: a size that isn't positive, or larger than the image.
    """

    def __init__(self, size, use_vertical_flip=False):
        check_size(size)
        if use_vertical_flip is not None:
            _checks.of_type(use_vertical_flip, (bool,), "use_vertical_flip")
        self.size, self.use_vertical_flip = both(size), bool(use_vertical_flip)

    def apply(self, *images):
        (image,) = images
        first = five_crops(image, self.size)
        return first + five_crops(flip_pil(image, 0 if self.use_vertical_flip else 1), self.size)


class SlicePatches(ImageTensorOperation):
    """Cut an image into a grid of patches.

    Args:
        num_height (int): How many patches lie above each other. Default: 1.
        num_width (int): How many lie side by side. Default: 1.
        slice_mode (SliceMode): Where the size can't be divided: pad at the right and the bottom, or drop the rest. Default: SliceMode.PAD.
        fill_value (int): What is padded. Default: 0.

    Returns:
        tuple: the patches, row by row.

    Raises:
        TypeError: a wrong type.
        ValueError: a number that isn't positive, or a fill value outside [0, 255].
        RuntimeError: more patches than pixels.
    """

    def __init__(self, num_height=1, num_width=1, slice_mode=SliceMode.PAD, fill_value=0):
        _checks.integer(num_height, 1, _checks.INT32_MAX, "num_height")
        _checks.integer(num_width, 1, _checks.INT32_MAX, "num_width")
        _checks.of_type(slice_mode, (SliceMode,), "slice_mode")
        _checks.integer(fill_value, 0, 255, "fill_value")
        self.num_height, self.num_width, self.slice_mode, self.fill_value = num_height, num_width, slice_mode, fill_value

    def on_array(self, image):
        if self.num_height == 1 and self.num_width == 1:
            return image
        check("SlicePatches", image)
        h, w = image.shape[:2]
        if self.num_height > h or self.num_width > w:
            raise RuntimeError(f"SlicePatches: {self.num_height} x {self.num_width} patches are more than an image of shape {image.shape} has pixels")
        height, width = h // self.num_height, w // self.num_width
        if self.slice_mode == SliceMode.PAD:
            height, width = -(-h // self.num_height), -(-w // self.num_width)
            if (height * self.num_height, width * self.num_width) != (h, w):
                padded = np.full((height * self.num_height, width * self.num_width, *image.shape[2:]), self.fill_value, image.dtype)
                padded[:h, :w] = image
                image = padded
        rows, columns = range(self.num_height), range(self.num_width)
        return tuple(image[i * height : (i + 1) * height, j * width : (j + 1) * width].copy() for i in rows for j in columns)
