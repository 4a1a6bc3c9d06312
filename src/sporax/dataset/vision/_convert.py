"""From files to arrays, between arrays and Pillow images, between layouts and types; normalisation."""

import numpy as np

from sporax.dataset.transforms import _checks
from sporax.dataset.transforms._data import TypeCast, cast
from sporax.dataset.transforms._operation import PY, C
from sporax.dataset.vision._files import decode, decode_pil
from sporax.dataset.vision._libraries import cv, is_pil, pillow
from sporax.dataset.vision._names import Inter
from sporax.dataset.vision._operation import ImageTensorOperation, PilOperation, RandomImageOperation, check, usable
from sporax.dataset.vision._resize import both, check_crop_arguments, draw_box, resize


def encoded(image):
    """The one-dimensional array of bytes that an encoded image is.

    Raises:
        TypeError: it is something else.
    """
    if isinstance(image, bytes):
        image = np.frombuffer(image, np.uint8)
    if not isinstance(image, np.ndarray):
        raise TypeError(f"The type of the encoded image should be {np.ndarray}, but got {type(image)}.")
    # MindRecord files give bytes as an array of one element
    if image.dtype.kind == "S" and image.shape in ((), (1,)):
        image = np.frombuffer(image.tobytes(), np.uint8)
    if image.dtype.kind in "US":
        raise TypeError(f"The data type of the encoded image can not be {image.dtype.type}.")
    if image.ndim != 1:
        raise TypeError(f"The number of array dimensions of the encoded image should be 1, but got {image.ndim}: it may be decoded already.")
    return image


class Decode(ImageTensorOperation):
    """Decode an image file: JPEG, PNG, BMP, TIFF.

    Args:
        to_pil (bool): Whether the result is a Pillow image, instead of an array (H, W, 3) in RGB. Default: False.

    Raises:
        TypeError: a wrong type, or the input isn't a one-dimensional array of bytes.
        RuntimeError: the bytes are no image (ValueError with `to_pil`).
    """

    def __init__(self, to_pil=False):
        _checks.of_type(to_pil, (bool,), "to_pil")
        self.to_pil, self.implementation = to_pil, PY if to_pil else C

    def prepare(self, columns):
        return tuple(encoded(column) for column in columns)

    def on_array(self, data):
        if self.to_pil:
            return decode_pil(data)
        return decode(data if data.dtype == np.uint8 else data.astype(np.uint8))


class RandomCropDecodeResize(RandomImageOperation):
    """Decode an image and take a random resized crop: `Decode` and `RandomResizedCrop` in one.

    Args:
        size (Union[int, Sequence[int]]): The size of the result.
        scale, ratio, interpolation, max_attempts: As of RandomResizedCrop.

    Raises:
        TypeError: a wrong type, or the input isn't a one-dimensional array of uint8.
        ValueError: bounds that aren't ordered or not positive.
        RuntimeError: the bytes are no image.
    """

    def __init__(self, size, scale=(0.08, 1.0), ratio=(3.0 / 4.0, 4.0 / 3.0), interpolation=Inter.BILINEAR, max_attempts=10):
        check_crop_arguments(size, scale, ratio, interpolation, max_attempts)
        self.size, self.scale, self.ratio = both(size), (scale[0], scale[1]), (ratio[0], ratio[1])
        self.interpolation, self.max_attempts = interpolation, max_attempts

    def prepare(self, columns):
        decoded = []
        for image in columns:
            if not isinstance(image, np.ndarray):
                raise TypeError(f"Input should be an encoded image in 1-D NumPy format, got {type(image)}.")
            if image.ndim != 1 or image.dtype != np.uint8:
                raise TypeError(f"Input should be an encoded image with uint8 type in 1-D NumPy format, got {image.dtype}{image.shape}.")
            decoded.append(decode(image))
        return tuple(decoded)

    def draw(self, rng, *images):
        h, w = images[0].shape[:2]
        return draw_box(rng, h, w, self.scale, self.ratio, self.max_attempts)

    def on_array(self, image, box):
        top, left, height, width = box
        return resize(image[top : top + height, left : left + width], *self.size, self.interpolation, "CropAndResize")


class ToNumpy(PilOperation):
    """A Pillow image as an array."""

    implementation = C

    def apply(self, *images):
        (image,) = images
        return np.array(image)


class ToPIL(PilOperation):
    """An array (H, W) or (H, W, C) as a Pillow image; C up to 4.

    Raises:
        TypeError: a wrong type or dtype.
        ValueError: another shape.
    """

    def apply(self, *images):
        (image,) = images
        if is_pil(image):
            return image
        if not isinstance(image, np.ndarray):
            raise TypeError(f"The input image should be of type numpy.ndarray or PIL.Image.Image. Got {type(image)}.")
        if image.ndim not in (2, 3):
            raise ValueError(f"The dimension of input image should be 2 or 3. Got {image.ndim}.")
        channels = image.shape[2] if image.ndim == 3 else 1
        if channels > 4:
            raise ValueError(f"The channel of input image should not exceed 4. Got {channels}.")
        if channels == 1:
            if image.dtype.name not in ("bool", "int8", "int16", "int32", "uint8", "uint16", "uint32", "float32", "float64"):
                raise TypeError(f"The input image type {image.dtype} is not supported when image shape is [H, W] or [H, W, 1].")
            image = image.reshape(image.shape[:2])
        elif image.dtype != np.uint8:
            raise TypeError(f"The input image type {image.dtype} is not supported when image shape is [H, W, 2], [H, W, 3] or [H, W, 4].")
        return pillow().fromarray(image)


def to_chw(image):
    """An array (H, W, C) as (C, H, W), contiguous."""
    return np.ascontiguousarray(image.transpose(2, 0, 1))


class HWC2CHW(ImageTensorOperation):
    """(H, W, C) to (C, H, W); (H, W) stays.

    Raises:
        RuntimeError: another number of dimensions.
    """

    def on_array(self, image):
        check("HWC2CHW", image)
        return image if image.ndim == 2 else to_chw(image)


class ToTensor(ImageTensorOperation):
    """An image (H, W, C) from 0 to 255 as an array (C, H, W) from 0 to 1.

    Args:
        output_type (Union[mindspore.dtype, numpy.dtype]): Default: numpy.float32.

    Raises:
        TypeError: `output_type` is no type.
        RuntimeError: another number of dimensions.
    """

    def __init__(self, output_type=np.float32):
        self._dtype = _checks.numpy_dtype(output_type, "output_type")
        self.output_type = str(self._dtype)

    def on_array(self, image):
        check("ToTensor", image)
        image = to_chw(image[:, :, None] if image.ndim == 2 else image)
        if self._dtype == np.float32 and image.dtype == np.uint8:
            return look_up(np.arange(256, dtype=np.float32) * np.float32(1 / 255), image)
        return cast(image * (1 / 255), self._dtype, "ToTensor")

    def on_pil(self, image):
        array = np.asarray(image)
        if array.ndim not in (2, 3):
            raise TypeError(f"The dimension of input image should be 2 or 3. Got {array.ndim}.")
        return cast(to_chw(array[:, :, None] if array.ndim == 2 else array) / 255.0, self._dtype, "ToTensor")


class ToType(TypeCast):
    """Cast to another type; the same as `transforms.TypeCast`."""


class Rescale(ImageTensorOperation):
    """image * rescale + shift, as float32.

    Args:
        rescale (float): The factor.
        shift (float): What is added.

    Raises:
        TypeError: a wrong type.
        ValueError: a number beyond ±16777216.
    """

    def __init__(self, rescale, shift):
        _checks.number(rescale, -_checks.FLOAT_MAX, _checks.FLOAT_MAX, "rescale")
        _checks.number(shift, -_checks.FLOAT_MAX, _checks.FLOAT_MAX, "shift")
        self.rescale, self.shift = rescale, shift

    def on_array(self, image):
        factor, shift = np.float32(self.rescale), np.float32(self.shift)
        if image.dtype == np.uint8 and image.size > 256:
            return look_up(np.arange(256, dtype=np.float32) * factor + shift, image)
        if image.dtype in (np.float64, np.int32):
            return (image.astype(np.float64) * float(factor) + float(shift)).astype(np.float32)
        return image.astype(np.float32) * factor + shift


def look_up(levels, image):
    """What each value of an image of uint8 becomes: `levels` has 256 rows, and a column for each channel. One look-up instead of arithmetic."""
    image = usable(image)
    channels = levels.shape[1] if levels.ndim == 2 else 1
    table = np.ascontiguousarray(levels, np.float32).reshape(1, 256, channels)
    return cv().LUT(image.reshape(-1, 1, channels), table).reshape(image.shape)


def check_mean_and_std(mean, std, is_hwc):
    """The arguments of Normalize."""
    _checks.sequence(mean, (int, float), "mean")
    _checks.sequence(std, (int, float), "std")
    if len(mean) != len(std):
        raise ValueError(f"Length of mean and std must be equal, got {len(mean)} and {len(std)}.")
    for i, value in enumerate(mean):
        _checks.within(value, 0, 255, f"mean[{i}]")
    for i, value in enumerate(std):
        _checks.within(value, 0, 255, f"std[{i}]", left_open=True)
    _checks.of_type(is_hwc, (bool,), "is_hwc")


class Normalize(ImageTensorOperation):
    """(image - mean) / std for each channel, as float32.

    Args:
        mean (sequence): One number for each channel, from 0 to 255, or one for all.
        std (sequence): The same, from above 0 to 255.
        is_hwc (bool): Whether the channels are the last dimension of the image, and not the first. Default: True.

    Raises:
        TypeError: a wrong type.
        ValueError: a number out of range, or different lengths.
        RuntimeError: another number of dimensions or channels.

    Examples:
        >>> from sporax.dataset import vision
        >>> vision.Normalize([2.0], [4.0])(np.array([[0, 4], [6, 10]], np.uint8))
        array([[-0.5,  0.5],
               [ 1. ,  2. ]], dtype=float32)
    """

    videos = True

    def __init__(self, mean, std, is_hwc=True):
        check_mean_and_std(mean, std, is_hwc)
        self.mean, self.std, self.is_hwc = mean, std, is_hwc
        deviation = np.array(std, np.float32)
        self._shift = np.array(mean, np.float32) / deviation
        self._std = deviation

    def on_array(self, image):
        if image.ndim not in (2, 3):
            raise RuntimeError(f"Normalize: the image should have the shape <H,W,C>, <C,H,W> or <H,W>, but got {image.shape}")
        axis = 2 if self.is_hwc else 0
        channels = 1 if image.ndim == 2 else image.shape[axis]
        if len(self._std) not in (1, channels):
            raise RuntimeError(
                f"Normalize: number of channels does not match the size of mean and std vectors, got channels: {channels}, size of mean: {len(self._std)}"
            )
        if image.ndim == 2 or not self.is_hwc:
            shape = (1, 1) if image.ndim == 2 else (-1, 1, 1)
            result = np.divide(image, self._std.reshape(shape), dtype=np.float32, casting="unsafe")
            result -= self._shift.reshape(shape)
            return result
        if image.dtype == np.uint8 and image.size > 4096:
            levels = np.arange(256, dtype=np.float32)[:, None] / self._std - self._shift
            return look_up(np.broadcast_to(levels, (256, channels)), image)
        # with rows of all channels the inner loops are long: five times as fast as over the last dimension
        h, w = image.shape[:2]
        std, shift = (np.resize(v, w * channels) for v in (self._std, self._shift))
        result = np.divide(image.reshape(h, w * channels), std, dtype=np.float32, casting="unsafe")
        result -= shift
        return result.reshape(image.shape)


class NormalizePad(ImageTensorOperation):
    """Normalize, with a further channel of zeros.

    Args:
        mean (sequence): Three numbers.
        std (sequence): Three numbers.
        dtype (str): "float32" or "float16". Default: "float32".
        is_hwc (bool): As of Normalize. Default: True.

    Raises:
        TypeError: a wrong type.
        ValueError: a number out of range, different lengths, or another dtype.
        RuntimeError: another number of dimensions or channels.
    """

    def __init__(self, mean, std, dtype="float32", is_hwc=True):
        check_mean_and_std(mean, std, is_hwc)
        if not isinstance(dtype, str):
            raise TypeError(f"dtype should be string, got {type(dtype)}.")
        if dtype not in ("float32", "float16"):
            raise ValueError(f"dtype only supports float32 or float16, got {dtype}.")
        self.mean, self.std, self.dtype, self.is_hwc = mean, std, dtype, is_hwc
        self._normalize = Normalize(mean, std, is_hwc)

    def on_array(self, image):
        if image.ndim not in (2, 3):
            raise RuntimeError(f"NormalizePad: the image should have the shape <H,W,C>, <C,H,W> or <H,W>, but got {image.shape}")
        image = image[:, :, None] if image.ndim == 2 else image
        result = self._normalize.on_array(image).astype(self.dtype)
        axis = 2 if self.is_hwc else 0
        shape = list(result.shape)
        shape[axis] = 1
        return np.concatenate([result, np.zeros(shape, self.dtype)], axis)


class LinearTransformation(PilOperation):
    """Flatten an image, subtract a vector, multiply with a matrix, and give it its shape back (as for whitening).

    Args:
        transformation_matrix (numpy.ndarray): (D, D), D = H * W * C.
        mean_vector (numpy.ndarray): (D,).

    Raises:
        TypeError: a wrong type.
        ValueError: shapes that don't fit.
    """

    def __init__(self, transformation_matrix, mean_vector):
        _checks.of_type(transformation_matrix, (np.ndarray,), "transformation_matrix")
        _checks.of_type(mean_vector, (np.ndarray,), "mean_vector")
        shape = transformation_matrix.shape
        if len(shape) != 2 or shape[0] != shape[1]:
            raise ValueError(f"transformation_matrix should be a square matrix. Got shape {shape} instead.")
        if mean_vector.shape[0] != shape[0]:
            raise ValueError(
                f"mean_vector length {mean_vector.shape[0]} should match either one dimension of the square transformation_matrix {shape}."
            )
        self.transformation_matrix, self.mean_vector = transformation_matrix, mean_vector

    def apply(self, *images):
        (image,) = images
        if not isinstance(image, np.ndarray):
            raise TypeError(f"img should be NumPy array. Got {type(image)}")
        if image.size != self.transformation_matrix.shape[0]:
            raise ValueError(f"transformation_matrix shape {self.transformation_matrix.shape} not compatible with Numpy image shape {image.shape}.")
        return ((image.reshape(1, -1) - self.mean_vector) @ self.transformation_matrix).reshape(image.shape)
