"""Operations on colours with given amounts."""

import numpy as np

from sporax.dataset.transforms import _checks
from sporax.dataset.vision import _color
from sporax.dataset.vision._libraries import calls, cv, pillow
from sporax.dataset.vision._names import ConvertMode
from sporax.dataset.vision._operation import NOT_PIL, ImageTensorOperation, PilOperation, RandomPilOperation, check, is_pil, usable

BOUND = _checks.FLOAT_MAX


def enhanced(image, kind, factor):
    """A Pillow image changed by one of Pillow's enhancers: Brightness, Contrast, Color or Sharpness."""
    from PIL import ImageEnhance

    return getattr(ImageEnhance, kind)(image).enhance(factor)


def adjust_hue_pil(image, factor):
    """A Pillow image with its hue turned."""
    mode = image.mode
    if mode in ("L", "1", "I", "F"):
        return image
    hue, saturation, value = image.convert("HSV").split()
    turned = np.asarray(hue, np.uint8) + np.uint8(int(factor * 255) & 255)
    return pillow().merge("HSV", (pillow().fromarray(turned), saturation, value)).convert(mode)


class AdjustBrightness(ImageTensorOperation):
    """Multiply an image with a factor.

    Args:
        brightness_factor (float): Not negative; 0 gives black, 1 the image.

    Raises:
        TypeError: a wrong type.
        ValueError: a negative factor.
        RuntimeError: an array that isn't (H, W, 3).
    """

    implementation = None

    def __init__(self, brightness_factor):
        _checks.number(brightness_factor, 0, BOUND, "brightness_factor")
        self.brightness_factor = brightness_factor

    def on_array(self, image):
        return _color.adjust_brightness(image, self.brightness_factor)

    def on_pil(self, image):
        return enhanced(image, "Brightness", self.brightness_factor)


class AdjustContrast(ImageTensorOperation):
    """Blend an image with the mean of its grey.

    Args:
        contrast_factor (float): Not negative; 0 gives grey, 1 the image.

    Raises:
        TypeError: a wrong type.
        ValueError: a negative factor.
        RuntimeError: an array that isn't (H, W, 3) of uint8.
    """

    implementation = None

    def __init__(self, contrast_factor):
        _checks.number(contrast_factor, 0, BOUND, "contrast_factor")
        self.contrast_factor = contrast_factor

    def on_array(self, image):
        return _color.adjust_contrast(image, self.contrast_factor)

    def on_pil(self, image):
        return enhanced(image, "Contrast", self.contrast_factor)


class AdjustSaturation(ImageTensorOperation):
    """Blend an image with its grey.

    Args:
        saturation_factor (float): Not negative; 0 gives grey, 1 the image.

    Raises:
        TypeError: a wrong type.
        ValueError: a negative factor.
        RuntimeError: an array that isn't (H, W, 3) of uint8.
    """

    implementation = None

    def __init__(self, saturation_factor):
        _checks.number(saturation_factor, 0, BOUND, "saturation_factor")
        self.saturation_factor = saturation_factor

    def on_array(self, image):
        return _color.adjust_saturation(image, self.saturation_factor)

    def on_pil(self, image):
        return enhanced(image, "Color", self.saturation_factor)


class AdjustHue(ImageTensorOperation):
    """Turn the hue of an image.

    Args:
        hue_factor (float): The part of a full turn, from -0.5 to 0.5.

    Raises:
        TypeError: a wrong type.
        ValueError: a factor out of range.
        RuntimeError: an array that isn't (H, W, 3) of uint8.
    """

    implementation = None

    def __init__(self, hue_factor):
        _checks.number(hue_factor, -0.5, 0.5, "hue_factor")
        self.hue_factor = hue_factor

    def on_array(self, image):
        return _color.adjust_hue(image, self.hue_factor)

    def on_pil(self, image):
        return adjust_hue_pil(image, self.hue_factor)


class AdjustGamma(ImageTensorOperation):
    """gain * image ** gamma, for values from 0 to 1 or from 0 to 255.

    Args:
        gamma (float): Not negative; above 1 shadows become darker.
        gain (float): Default: 1.

    Raises:
        TypeError: a wrong type.
        ValueError: a negative gamma.
        RuntimeError: an array of less than two dimensions or not of 1 or 3 channels.
    """

    implementation = None

    def __init__(self, gamma, gain=1):
        _checks.number(gamma, 0, BOUND, "gamma")
        _checks.number(gain, -BOUND, BOUND, "gain")
        self.gamma, self.gain = gamma, gain

    def on_array(self, image):
        return _color.adjust_gamma(image, self.gamma, self.gain)

    def on_pil(self, image):
        values = [int((255 + 1 - 1e-3) * self.gain * pow(x / 255.0, self.gamma)) for x in range(256)]
        bands = len(image.getbands())
        return image.point(values * bands) if bands in (1, 3) else image


class AdjustSharpness(ImageTensorOperation):
    """Blend an image with its smoothed self.

    Args:
        sharpness_factor (float): Not negative; 0 gives the smoothed image, 1 the image, 2 a sharper one.

    Raises:
        TypeError: a wrong type.
        ValueError: a negative factor.
        RuntimeError: an array that is no image.
    """

    def __init__(self, sharpness_factor):
        _checks.number(sharpness_factor, 0, BOUND, "sharpness_factor")
        self.sharpness_factor = sharpness_factor

    def on_array(self, image):
        return _color.sharpness(image, self.sharpness_factor)


def check_cutoff(cutoff, ignore):
    """The arguments of AutoContrast; gives the values to ignore as a list."""
    _checks.number(cutoff, 0, 50, "cutoff", right_open=True)
    if ignore is None:
        return []
    _checks.of_type(ignore, (list, tuple, int), "ignore")
    values = [ignore] if isinstance(ignore, int) else list(ignore)
    for value in values:
        _checks.integer(value, 0, 255, "ignore")
    return values


class AutoContrast(ImageTensorOperation):
    """Stretch each channel so that its darkest value becomes 0 and its brightest 255.

    Args:
        cutoff (float): Percent of the pixels that are cut off at each end before, from 0 to below 50. Default: 0.0.
        ignore (Union[int, sequence]): Values that don't count. Default: None.

    Raises:
        TypeError: a wrong type.
        ValueError: a number out of range.
        RuntimeError: an array that isn't (H, W) or (H, W, 3) of uint8.
    """

    implementation = None

    def __init__(self, cutoff=0.0, ignore=None):
        self.ignore, self.cutoff = check_cutoff(cutoff, ignore), cutoff

    def on_array(self, image):
        return _color.auto_contrast(image, self.cutoff, self.ignore)

    def on_pil(self, image):
        from PIL import ImageOps

        return ImageOps.autocontrast(image, self.cutoff, self.ignore)  # pyright: ignore[reportArgumentType]


class Equalize(ImageTensorOperation):
    """Give each channel a flat histogram."""

    implementation = None

    def on_array(self, image):
        return _color.equalize(image)

    def on_pil(self, image):
        from PIL import ImageOps

        return ImageOps.equalize(image)


class Invert(ImageTensorOperation):
    """255 - image."""

    implementation = None

    def on_array(self, image):
        return _color.invert(image)

    def on_pil(self, image):
        from PIL import ImageOps

        return ImageOps.invert(image)


class Posterize(ImageTensorOperation):
    """Keep only the highest bits of each value.

    Args:
        bits (int): How many, from 0 to 8.

    Raises:
        TypeError: a wrong type.
        ValueError: a number out of range.
        RuntimeError: an array that is no image of uint8.
    """

    def __init__(self, bits):
        _checks.integer(bits, 0, 8, "bits")
        self.bits = bits

    def on_array(self, image):
        return _color.posterize(image, self.bits)


class Solarize(ImageTensorOperation):
    """Invert the values in a range.

    Args:
        threshold (Union[float, Sequence[float, float]]): (lowest, highest); one number stands for all values from it on.

    Raises:
        TypeError: a wrong type.
        ValueError: a number outside [0, 255], or the highest before the lowest.
        RuntimeError: an array that is no image.
    """

    def __init__(self, threshold):
        if _checks.is_number(threshold):
            threshold = (threshold, threshold)
        _checks.pair(threshold, 0, 255, "threshold")
        self.threshold = tuple(threshold)

    def on_array(self, image):
        return _color.solarize(image, *self.threshold)


class ConvertColor(ImageTensorOperation):
    """Convert between colour spaces.

    Args:
        convert_mode (ConvertMode): From what to what.

    Raises:
        TypeError: a wrong type.
        RuntimeError: an array without the channels that the conversion needs.
    """

    def __init__(self, convert_mode):
        _checks.of_type(convert_mode, (ConvertMode,), "convert_mode")
        self.convert_mode = convert_mode

    def on_array(self, image):
        check("ConvertColor", image, channels=(3, 4))
        with calls("ConvertColor"):
            return cv().cvtColor(usable(image), int(self.convert_mode))


def grayscale(image, channels):
    """A Pillow image in grey, with one or three channels."""
    if not is_pil(image):
        raise TypeError(NOT_PIL.format(type(image)))
    grey = image.convert("L")
    return grey if channels == 1 else pillow().merge("RGB", (grey, grey, grey))


class Grayscale(PilOperation):
    """A Pillow image in grey.

    Args:
        num_output_channels (int): 1 or 3. Default: 1.

    Raises:
        TypeError: a wrong type, or the input is no Pillow image.
        ValueError: another number of channels.
    """

    def __init__(self, num_output_channels=1):
        _checks.of_type(num_output_channels, (int,), "num_output_channels")
        if num_output_channels not in (1, 3):
            raise ValueError(f"Number of channels of the output grayscale image should be either 1 or 3. Got {num_output_channels}.")
        self.num_output_channels = num_output_channels

    def apply(self, *images):
        (image,) = images
        return grayscale(image, self.num_output_channels)


class RandomGrayscale(RandomPilOperation):
    """A Pillow image in grey, with a probability; the number of channels stays.

    Args:
        prob (float): The probability. Default: 0.1.

    Parameters drawn: whether the image becomes grey.

    Raises:
        TypeError: a wrong type, or the input is no Pillow image.
        ValueError: `prob` is not in [0, 1].
    """

    def __init__(self, prob=0.1):
        _checks.probability(prob)
        self.prob = prob

    def draw(self, rng, *images):
        return bool(rng.random() < self.prob)

    def on_pil(self, image, chosen):
        return grayscale(image, 1 if image.mode == "L" else 3) if chosen else image


def _channels(image, is_hwc, name):
    if not isinstance(image, np.ndarray):
        raise TypeError(f"img should be NumPy image. Got {type(image)}.")
    if image.ndim not in (3, 4):
        raise TypeError(f"img shape should be (H, W, C)/(N, H, W, C)/(C ,H, W)/(N, C, H, W). Got {image.shape}.")
    axis = -1 if is_hwc else -3
    if image.shape[axis] != 3:
        raise TypeError(f"{name}: img should be 3 channels RGB img. Got {image.shape[axis]} channels.")
    return axis


class RgbToHsv(PilOperation):
    """RGB to hue, saturation and value, all from 0 to 1 (as `colorsys`).

    Args:
        is_hwc (bool): Whether the channels are the last dimension of the image, and not the first. Default: False.

    Inputs:
        An array (H, W, C), (N, H, W, C), (C, H, W) or (N, C, H, W).

    Raises:
        TypeError: a wrong type or shape.
    """

    def __init__(self, is_hwc=False):
        _checks.of_type(is_hwc, (bool,), "is_hwc")
        self.is_hwc = is_hwc

    def apply(self, *images):
        (image,) = images
        axis = _channels(image, self.is_hwc, "RgbToHsv")
        r, g, b = np.moveaxis(image.astype(np.float64), axis, 0)
        high, low = np.maximum(np.maximum(r, g), b), np.minimum(np.minimum(r, g), b)
        spread = high - low
        with np.errstate(divide="ignore", invalid="ignore"):
            saturation = spread / high
            rc, gc, bc = (high - r) / spread, (high - g) / spread, (high - b) / spread
        hue = np.where(r == high, bc - gc, np.where(g == high, 2.0 + rc - bc, 4.0 + gc - rc)) / 6.0 % 1.0
        grey = high == low
        return np.stack([np.where(grey, 0.0, hue), np.where(grey, 0.0, saturation), high], axis)


class HsvToRgb(PilOperation):
    """Hue, saturation and value from 0 to 1 to RGB (as `colorsys`).

    Args:
        is_hwc (bool): Whether the channels are the last dimension of the image, and not the first. Default: False.

    Inputs:
        An array (H, W, C), (N, H, W, C), (C, H, W) or (N, C, H, W).

    Raises:
        TypeError: a wrong type or shape.
    """

    def __init__(self, is_hwc=False):
        _checks.of_type(is_hwc, (bool,), "is_hwc")
        self.is_hwc = is_hwc

    def apply(self, *images):
        (image,) = images
        axis = _channels(image, self.is_hwc, "HsvToRgb")
        h, s, v = np.moveaxis(image.astype(np.float64), axis, 0)
        sector = np.trunc(h * 6.0)
        f = h * 6.0 - sector
        p, q, t = v * (1.0 - s), v * (1.0 - s * f), v * (1.0 - s * (1.0 - f))
        which = (sector % 6).astype(int)
        grey = s == 0.0
        parts = [(v, q, p, p, t, v), (t, v, v, q, p, p), (p, p, t, v, v, q)]
        return np.stack([np.where(grey, v, np.choose(which, choices)) for choices in parts], axis)
