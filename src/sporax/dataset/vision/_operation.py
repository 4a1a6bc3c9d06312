"""Operations on images: arrays in, arrays out; Pillow images in, Pillow images out, where an operation knows how (`on_pil`).

An operation without `on_pil` takes a Pillow image as the array of its pixels. Arrays have the shape (height, width) or (height, width, channels).
"""

import numpy as np

from sporax.dataset.transforms._operation import PY, C, RandomOperation, TensorOperation
from sporax.dataset.vision._libraries import is_pil

NOT_PIL = "img should be PIL image. Got {}. Use Decode() for encoded data or ToPIL() for decoded data."


class ImageTensorOperation(TensorOperation):
    """Base of operations on images."""

    implementation: int | None = C
    videos = False  # whether an array (..., H, W, C) of more dimensions is taken frame by frame

    def prepare(self, columns):
        for column in columns:
            if not isinstance(column, np.ndarray) and not is_pil(column):
                raise TypeError(f"Input should be NumPy or PIL image, got {type(column)}.")
        return columns

    def apply(self, *images):
        if len(images) != 1:
            raise RuntimeError(f"{type(self).__name__} takes one column, but got {len(images)}.")
        return self._one(images[0])

    def _one(self, image, *parameters):
        if is_pil(image):
            on_pil = getattr(self, "on_pil", None)
            if on_pil is not None:
                return on_pil(image, *parameters)
            image = np.asarray(image)
        if self.videos and image.ndim > 3 and image.size:
            frames = image.reshape(-1, *image.shape[-3:])
            results = np.stack([self.on_array(f, *parameters) for f in frames])
            return results.reshape(image.shape[:-3] + results.shape[1:])
        return self.on_array(image, *parameters)

    def on_array(self, image, *parameters):
        """What the operation does to an array."""
        raise TypeError(NOT_PIL.format(type(image)))


class RandomImageOperation(ImageTensorOperation, RandomOperation):
    """Base of random operations on images. Several images at once, as an image and its mask, get the same parameters."""

    def __call__(self, *columns):
        return RandomOperation.__call__(self, *columns)

    def apply(self, *images_and_parameters):
        *images, parameters = images_and_parameters
        results = tuple(self._one(image, parameters) for image in images)
        return results[0] if len(results) == 1 else results


class PilOperation(ImageTensorOperation):
    """Base of operations that MindSpore has for Pillow images only."""

    implementation = PY

    def prepare(self, columns):
        return columns


class RandomPilOperation(RandomImageOperation):
    """Base of random operations that MindSpore has for Pillow images only."""

    implementation = PY

    def prepare(self, columns):
        return columns


def size_of(image):
    """(height, width) of an image."""
    if is_pil(image):
        return image.size[1], image.size[0]
    return image.shape[-3:-1] if image.ndim > 3 else image.shape[:2]


def frame(image):
    """The first frame of a video (..., H, W, C); an image as it is."""
    return image[(0,) * (image.ndim - 3)] if isinstance(image, np.ndarray) and image.ndim > 3 else image


def check(name, image, ranks=(2, 3), channels=None, kinds=None):
    """An array has a rank, a number of channels and a type that an operation takes.

    Raises:
        RuntimeError: it has not.
    """
    if image.ndim not in ranks:
        shape = "<H,W,C>" if ranks == (3,) else "<H,W,C> or <H,W>"
        hint = ", may need to do Decode operation first." if image.ndim == 1 else ""
        raise RuntimeError(f"{name}: the shape of the image is not {shape}, but got rank: {image.ndim} (shape {image.shape}){hint}")
    if channels is not None and image.ndim > 2 and image.shape[2] not in channels:
        raise RuntimeError(
            f"{name}: channel of input image should be {' or '.join(map(str, channels))}, but got: {image.shape[2]} (shape {image.shape})"
        )
    if kinds is not None and image.dtype.name not in kinds:
        raise RuntimeError(f"{name}: the data type of the image should be one of {', '.join(kinds)}, but got: {image.dtype}")


def same_rank(result, image):
    """OpenCV drops a channel dimension of size 1: put it back where the image had it."""
    return result[:, :, None] if result.ndim < image.ndim else result


def usable(image):
    """An array as OpenCV takes it: native byte order, no negative strides."""
    if not image.dtype.isnative or any(s < 0 for s in image.strides):
        return np.ascontiguousarray(image, image.dtype.newbyteorder("="))
    return image
