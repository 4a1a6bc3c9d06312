"""Operations on colours with random amounts."""

import numpy as np

from sporax.dataset.transforms import _checks
from sporax.dataset.vision import _color
from sporax.dataset.vision._adjust import adjust_hue_pil, check_cutoff, enhanced
from sporax.dataset.vision._libraries import pillow
from sporax.dataset.vision._operation import RandomImageOperation, check


class _Sometimes(RandomImageOperation):
    """Base of the operations that are done with a probability. Parameters drawn: whether it is done."""

    def _probability(self, prob):
        _checks.probability(prob)
        self.prob = prob

    def draw(self, rng, *images):
        return bool(rng.random() < self.prob)

    def on_array(self, image, chosen):
        check(type(self).__name__, image)
        return self.change(image) if chosen else image

    def change(self, image):
        """What is done to an array."""
        raise RuntimeError(f"{type(self).__name__} has to define change(image).")


class RandomAdjustSharpness(_Sometimes):
    """AdjustSharpness with a probability.

    Args:
        degree (float): The factor of AdjustSharpness.
        prob (float): The probability. Default: 0.5.

    Raises:
        TypeError: a wrong type.
        ValueError: a negative degree, or `prob` is not in [0, 1].
    """

    def __init__(self, degree, prob=0.5):
        _checks.number(degree, 0, _checks.FLOAT_MAX, "degree")
        self.degree = degree
        self._probability(prob)

    def change(self, image):
        return _color.sharpness(image, self.degree)


class RandomAutoContrast(_Sometimes):
    """AutoContrast with a probability.

    Args:
        cutoff (float): As of AutoContrast. Default: 0.0.
        ignore (Union[int, sequence]): As of AutoContrast. Default: None.
        prob (float): The probability. Default: 0.5.

    Raises:
        TypeError: a wrong type.
        ValueError: a number out of range.
    """

    def __init__(self, cutoff=0.0, ignore=None, prob=0.5):
        self.ignore, self.cutoff = check_cutoff(cutoff, ignore), cutoff
        self._probability(prob)

    def change(self, image):
        return _color.auto_contrast(image, self.cutoff, self.ignore)


class RandomEqualize(_Sometimes):
    """Equalize with a probability.

    Args:
        prob (float): The probability. Default: 0.5.

    Raises:
        TypeError: a wrong type.
        ValueError: `prob` is not in [0, 1].
    """

    def __init__(self, prob=0.5):
        self._probability(prob)

    def change(self, image):
        return _color.equalize(image)


class RandomInvert(_Sometimes):
    """Invert with a probability.

    Args:
        prob (float): The probability. Default: 0.5.

    Raises:
        TypeError: a wrong type.
        ValueError: `prob` is not in [0, 1].
    """

    def __init__(self, prob=0.5):
        self._probability(prob)

    def change(self, image):
        return _color.invert(image)


def _check_degrees(degrees):
    if not isinstance(degrees, tuple | list):
        raise TypeError(f"degrees must be either a tuple or a list, got {type(degrees)}.")
    if len(degrees) != 2:
        raise ValueError(f"degrees must be a sequence with length 2, got {len(degrees)}.")
    _checks.pair(degrees, 0, _checks.FLOAT_MAX, "degrees")


class RandomColor(RandomImageOperation):
    """Blend an image with its grey.

    Args:
        degrees (Sequence[float]): Bounds of the factor; 0 is grey, 1 the image. Default: (0.1, 1.9).

    Parameters drawn: the factor.

    Raises:
        TypeError: a wrong type.
        ValueError: a negative bound, or bounds that aren't ordered.
    """

    implementation = None

    def __init__(self, degrees=(0.1, 1.9)):
        _check_degrees(degrees)
        self.degrees = tuple(degrees)

    def draw(self, rng, *images):
        return float(rng.uniform(*self.degrees))

    def on_array(self, image, factor):
        return _color.adjust_saturation(image, factor)

    def on_pil(self, image, factor):
        return enhanced(image, "Color", factor)


class RandomSharpness(RandomImageOperation):
    """Blend an image with its smoothed self.

    Args:
        degrees (Sequence[float]): Bounds of the factor; 0 is smoothed, 1 the image. Default: (0.1, 1.9).

    Parameters drawn: the factor.

    Raises:
        TypeError: a wrong type.
        ValueError: a negative bound, or bounds that aren't ordered.
    """

    implementation = None

    def __init__(self, degrees=(0.1, 1.9)):
        _check_degrees(degrees)
        self.degrees = tuple(degrees)

    def draw(self, rng, *images):
        return float(rng.uniform(*self.degrees))

    def on_array(self, image, factor):
        return _color.sharpness(image, factor)

    def on_pil(self, image, factor):
        return enhanced(image, "Sharpness", factor)


_CHANGES = {
    "brightness": (_color.adjust_brightness, "Brightness"),
    "contrast": (_color.adjust_contrast, "Contrast"),
    "saturation": (_color.adjust_saturation, "Color"),
    "hue": (_color.adjust_hue, None),
}


class RandomColorAdjust(RandomImageOperation):
    """Change brightness, contrast, saturation and hue by random amounts, in a random order.

    Args:
        brightness, contrast, saturation (Union[float, Sequence[float]]): Bounds of the factor; one number x stands for [max(0, 1 - x), 1 + x]. Default: (1, 1).
        hue (Union[float, Sequence[float]]): Bounds of the turn, in [-0.5, 0.5]; one number x stands for [-x, x]. Default: (0, 0).

    Parameters drawn: a list of pairs (name, amount), in the order in which they are applied; those that change nothing are left out.

    Raises:
        TypeError: a wrong type.
        ValueError: a number out of range.
        RuntimeError: an array that isn't (H, W, 3) of uint8.
    """

    implementation = None

    def __init__(self, brightness=(1, 1), contrast=(1, 1), saturation=(1, 1), hue=(0, 0)):
        self.brightness, self.contrast, self.saturation = (
            self._bounds(value, name, 1, 0, _checks.FLOAT_MAX)
            for value, name in ((brightness, "brightness"), (contrast, "contrast"), (saturation, "saturation"))
        )
        self.hue = self._bounds(hue, "hue", 0, -0.5, 0.5)

    @staticmethod
    def _bounds(value, name, center, low, high):
        _checks.of_type(value, (int, float, list, tuple), name)
        if _checks.is_number(value):
            if value < 0:
                raise ValueError(f"The input value of {name} cannot be negative, got {value}.")
            value = (max(center - value, 0) if center else -value, center + value)
        _checks.pair(value, low, high, name)
        return tuple(value)

    def draw(self, rng, *images):
        bounds = {"brightness": self.brightness, "contrast": self.contrast, "saturation": self.saturation, "hue": self.hue}
        names = list(bounds)
        chosen = [names[i] for i in rng.permutation(4)]
        return [(n, float(rng.uniform(*bounds[n]))) for n in chosen if bounds[n] != ((0, 0) if n == "hue" else (1, 1))]

    def on_array(self, image, changes):
        if not changes:
            check("RandomColorAdjust", image)
        for name, amount in changes:
            image = _CHANGES[name][0](image, amount)
        return image

    def on_pil(self, image, changes):
        for name, amount in changes:
            kind = _CHANGES[name][1]
            image = enhanced(image, kind, amount) if kind else adjust_hue_pil(image, amount)
        return image


class RandomPosterize(RandomImageOperation):
    """Posterize with a random number of bits.

    Args:
        bits (Union[int, Sequence[int]]): Bounds of the number of bits, both from 1 to 8 and both possible; one number stands for both. Default: (8, 8).

    Parameters drawn: the number of bits.

    Raises:
        TypeError: a wrong type.
        ValueError: a number out of range.
    """

    def __init__(self, bits=(8, 8)):
        if _checks.is_number(bits):
            bits = (bits, bits)
        _checks.sequence(bits, (int,), "bits", 2)
        _checks.pair(bits, 1, 8, "bits")
        self.bits = tuple(bits)

    def draw(self, rng, *images):
        return int(rng.integers(*self.bits, endpoint=True))

    def on_array(self, image, bits):
        return _color.posterize(image, bits)


class RandomSolarize(RandomImageOperation):
    """Invert the values between two random ones.

    Args:
        threshold (tuple[int]): Bounds of the two values. Default: (0, 255).

    Parameters drawn: (lowest, highest).

    Raises:
        TypeError: a wrong type.
        ValueError: a number out of range.
    """

    def __init__(self, threshold=(0, 255)):
        _checks.of_type(threshold, (tuple,), "threshold")
        _checks.sequence(threshold, (int,), "threshold")
        if len(threshold) != 2:
            raise ValueError(f"threshold must be a sequence of two numbers, got {threshold}.")
        _checks.pair(threshold, 0, 255, "threshold")
        self.threshold = threshold

    def draw(self, rng, *images):
        a, b = sorted(int(v) for v in rng.integers(*self.threshold, size=2, endpoint=True))
        return a, b

    def on_array(self, image, threshold):
        return _color.solarize(image, *threshold)


class RandomLighting(RandomImageOperation):
    """Add a random combination of the principal colours of ImageNet (Krizhevsky et al., 2012).

    Args:
        alpha (float): The standard deviation of the three amounts. Default: 0.05.

    Parameters drawn: the three amounts.

    Raises:
        TypeError: a wrong type.
        ValueError: a negative alpha.
        RuntimeError: an array that isn't (H, W, 3) of uint8.
    """

    implementation = None

    def __init__(self, alpha=0.05):
        _checks.number(alpha, 0, _checks.FLOAT_MAX, "alpha")
        self.alpha = alpha

    def draw(self, rng, *images):
        return rng.normal(0.0, self.alpha, 3)

    def on_array(self, image, amounts):
        return _color.lighting(image, amounts)

    def on_pil(self, image, amounts):
        pixels = np.asarray(image if image.mode == "RGB" else image.convert("RGB")) + _color.EIGEN @ amounts
        return pillow().fromarray(np.clip(pixels, 0, 255).astype(np.uint8))
