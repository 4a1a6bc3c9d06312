"""Images as files and as encoded bytes."""

import numpy as np

from sporax.dataset.vision._libraries import calls, cv, is_pil, pillow
from sporax.dataset.vision._names import ImageReadMode


def _array(image, name):
    found = image.asnumpy() if hasattr(image, "asnumpy") else image
    if not isinstance(found, np.ndarray):
        raise TypeError(f"Input image is not of type {np.ndarray} or mindspore.Tensor, but got: {type(image)}.")
    if found.dtype != np.uint8:
        raise RuntimeError(f"{name}: the image should have the type uint8, but got {found.dtype}.")
    if found.ndim not in (2, 3) or (found.ndim == 3 and found.shape[2] not in (1, 3)):
        raise RuntimeError(f"{name}: the image should have the shape <H,W>, <H,W,1> or <H,W,3>, but got {found.shape}.")
    return np.ascontiguousarray(found)


def _encode(image, suffix, flags, name):
    array = _array(image, name)
    if array.ndim == 3 and array.shape[2] == 3:
        array = array[:, :, ::-1]
    with calls(name):
        done, data = cv().imencode(suffix, np.ascontiguousarray(array), flags)
    if not done:
        raise RuntimeError(f"{name}: the image of shape {array.shape} could not be encoded")
    return data.reshape(-1)


def _level(value, low, high, name, argument):
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"Input {argument} is not of type {int}, but got: {type(value)}.")
    if not low <= value <= high:
        raise RuntimeError(f"{name}: Invalid {argument} {value}, should be in range of [{low}, {high}].")


def encode_jpeg(image, quality=75):
    """Encode an image as JPEG.

    Args:
        image (Union[numpy.ndarray, mindspore.Tensor]): uint8, (H, W), (H, W, 1) or (H, W, 3) in RGB.
        quality (int): From 1 to 100. Default: 75.

    Returns:
        numpy.ndarray: the bytes, uint8.

    Raises:
        TypeError: a wrong type.
        RuntimeError: a wrong shape, or `quality` out of range.
    """
    _level(quality, 1, 100, "EncodeJpeg", "quality")
    return _encode(image, ".jpg", [cv().IMWRITE_JPEG_QUALITY, quality], "EncodeJpeg")


def encode_png(image, compression_level=6):
    """Encode an image as PNG.

    Args:
        image (Union[numpy.ndarray, mindspore.Tensor]): uint8, (H, W), (H, W, 1) or (H, W, 3) in RGB.
        compression_level (int): From 0 (large) to 9 (slow). Default: 6.

    Returns:
        numpy.ndarray: the bytes, uint8.

    Raises:
        TypeError: a wrong type.
        RuntimeError: a wrong shape, or `compression_level` out of range.
    """
    _level(compression_level, 0, 9, "EncodePng", "compression_level")
    return _encode(image, ".png", [cv().IMWRITE_PNG_COMPRESSION, compression_level], "EncodePng")


def get_image_size(image):
    """[height, width] of an array (H, W), (..., H, W, C) or of a Pillow image.

    Raises:
        TypeError: `image` is neither.
        RuntimeError: an array of less than two dimensions.
    """
    if isinstance(image, np.ndarray):
        if image.ndim < 2:
            raise RuntimeError(f"GetImageSize: invalid parameter, image should have at least two dimensions, but got: {image.ndim}")
        return list(image.shape if image.ndim == 2 else image.shape[-3:-1])
    if is_pil(image):
        return [image.size[1], image.size[0]]
    raise TypeError(f"Input image is not of type {np.ndarray} or PIL.Image.Image, but got: {type(image)}.")


def get_image_num_channels(image):
    """The number of channels of an array (H, W), (..., H, W, C) or of a Pillow image.

    Raises:
        TypeError: `image` is neither.
        RuntimeError: an array of less than two dimensions.
    """
    if isinstance(image, np.ndarray):
        if image.ndim < 2:
            raise RuntimeError(f"GetImageNumChannels: invalid parameter, image should have at least two dimensions, but got: {image.ndim}")
        return 1 if image.ndim == 2 else image.shape[-1]
    if is_pil(image):
        return len(image.getbands())
    raise TypeError(f"Input image is not of type {np.ndarray} or PIL.Image.Image, but got: {type(image)}.")


def _named(filename):
    if not isinstance(filename, str):
        raise TypeError(f"Input filename is not of type {str}, but got: {type(filename)}.")
    return filename


def read_file(filename):
    """The bytes of a file as an array of uint8.

    Raises:
        TypeError: `filename` is no str.
        RuntimeError: there is no such file, or it can't be read.
    """
    try:
        return np.fromfile(_named(filename), np.uint8)
    except OSError as error:
        raise RuntimeError(f"ReadFile: Invalid file path, {filename} does not exist or is not a regular file: {error}") from error


def read_image(filename, mode=ImageReadMode.UNCHANGED):
    """Read an image file: JPEG, PNG, BMP, TIFF.

    Args:
        filename (str): The file.
        mode (ImageReadMode): UNCHANGED, GRAYSCALE or COLOR. Default: UNCHANGED.

    Returns:
        numpy.ndarray: (H, W, C), RGB without transparency; C is 1 for grey.

    Raises:
        TypeError: a wrong type.
        RuntimeError: there is no such file, or it is no image.
    """
    _named(filename)
    if not isinstance(mode, ImageReadMode):
        raise TypeError(f"Input mode is not of type {ImageReadMode}, but got: {type(mode)}.")
    data = read_file(filename)
    flag = {ImageReadMode.UNCHANGED: cv().IMREAD_UNCHANGED, ImageReadMode.GRAYSCALE: cv().IMREAD_GRAYSCALE, ImageReadMode.COLOR: cv().IMREAD_COLOR}[
        mode
    ]
    with calls("ReadImage"):
        image = cv().imdecode(data, flag) if data.size else None
        if image is None:
            raise RuntimeError(f"ReadImage: Failed to read file {filename}: it is no image that can be decoded")
        if image.ndim == 2:
            return image[:, :, None]
        return cv().cvtColor(image, cv().COLOR_BGR2RGB if image.shape[2] == 3 else cv().COLOR_BGRA2RGB)


def write_file(filename, data):
    """Write bytes to a file.

    Args:
        filename (str): The file.
        data (Union[numpy.ndarray, mindspore.Tensor]): One-dimensional, uint8.

    Raises:
        TypeError: a wrong type.
        RuntimeError: another shape or dtype, or the file can't be written.
    """
    _named(filename)
    found = data.asnumpy() if hasattr(data, "asnumpy") else data
    if not isinstance(found, np.ndarray):
        raise TypeError(f"Input data is not of type {np.ndarray} or mindspore.Tensor, but got: {type(data)}.")
    if found.dtype != np.uint8 or found.ndim != 1:
        raise RuntimeError(f"WriteFile: The data should be one-dimensional of type uint8, but got {found.dtype}{found.shape}.")
    try:
        with open(filename, "wb") as file:
            file.write(np.ascontiguousarray(found).data)
    except OSError as error:
        raise RuntimeError(f"WriteFile: {filename} can't be written: {error}") from error


def write_jpeg(filename, image, quality=75):
    """Write an image as a JPEG file; arguments as of `encode_jpeg`."""
    _named(filename)
    write_file(filename, encode_jpeg(image, quality))


def write_png(filename, image, compression_level=6):
    """Write an image as a PNG file; arguments as of `encode_png`."""
    _named(filename)
    write_file(filename, encode_png(image, compression_level))


def decode(data):
    """An encoded image as an array (H, W, 3) in RGB; the orientation that a camera noted is not applied.

    Raises:
        RuntimeError: it can't be decoded.
    """
    module = cv()
    with calls("Decode"):
        image = module.imdecode(data, module.IMREAD_COLOR | module.IMREAD_IGNORE_ORIENTATION) if data.size else None
        if image is None:
            raise RuntimeError(f"Decode: image decode failed: {data.size} bytes that start with {bytes(data[:8])!r} are no image.")
        return module.cvtColor(image, module.COLOR_BGR2RGB, dst=image)


def decode_pil(data):
    """An encoded image as a Pillow image in RGB.

    Raises:
        ValueError: it can't be decoded.
    """
    import io

    try:
        return pillow().open(io.BytesIO(data)).convert("RGB")
    except OSError as error:
        raise ValueError(f"{error}\n: Failed to decode given image.") from error
    except (AttributeError, TypeError) as error:
        raise ValueError(f"{error}\n: Failed to decode, Image might already be decoded.") from error
