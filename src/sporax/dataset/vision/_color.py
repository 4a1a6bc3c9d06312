"""Functions on the values of an image: what the operations on colours do to arrays. (H, W, 3) is RGB of uint8 unless said otherwise."""

import numpy as np

from sporax.dataset.vision._libraries import calls, cv
from sporax.dataset.vision._operation import check, same_rank, usable

BYTES = np.arange(256)


def rgb(name, image, kinds=("uint8",)):
    """Check for (H, W, 3), and give it to OpenCV's liking."""
    check(name, image, ranks=(3,), channels=(3,), kinds=kinds)
    return usable(image)


def look_up(image, values):
    """values[image] for an array of uint8 and 256 values of uint8."""
    return cv().LUT(usable(image), values).reshape(image.shape)


def saturated(values):
    """Rounded to the nearest (half to even), and cut to [0, 255]."""
    return np.clip(np.rint(values), 0, 255).astype(np.uint8)


def adjust_brightness(image, factor):
    """image * factor."""
    check("AdjustBrightness", image, channels=(1, 3), kinds=("uint8", "float32", "float64", "int8", "int16", "uint16", "int32"))
    if image.dtype == np.uint8:
        return look_up(image, saturated(BYTES.astype(np.float32) * np.float32(factor)))
    if image.dtype.kind == "f":
        return image * image.dtype.type(np.float32(factor))
    info = np.iinfo(image.dtype)
    return np.clip(np.rint(image * float(np.float32(factor))), info.min, info.max).astype(image.dtype)


BLENDED = ("uint8", "uint16", "float32")


def blend(image, other, factor):
    """image * factor + other * (1 - factor)."""
    factor = float(np.float32(factor))
    return cv().addWeighted(other, 1.0 - factor, image, factor, 0.0)


def adjust_contrast(image, factor):
    """A blend of the image and the mean of its grey."""
    image = rgb("AdjustContrast", image, BLENDED)
    with calls("AdjustContrast"):
        mean = cv().mean(cv().cvtColor(image, cv().COLOR_RGB2GRAY))[0]
        return blend(image, np.full_like(image, mean if image.dtype.kind == "f" else round(mean)), factor)


def adjust_saturation(image, factor):
    """A blend of the image and its grey."""
    image = rgb("AdjustSaturation", image, BLENDED)
    with calls("AdjustSaturation"):
        grey = cv().cvtColor(cv().cvtColor(image, cv().COLOR_RGB2GRAY), cv().COLOR_GRAY2RGB)
        return blend(image, grey, factor)


def adjust_hue(image, factor):
    """The hue turned by `factor` of a full turn."""
    image = rgb("AdjustHue", image)
    with calls("AdjustHue"):
        hsv = cv().cvtColor(image, cv().COLOR_RGB2HSV_FULL)
        hsv[:, :, 0] += np.uint8(int(np.float32(factor) * np.float32(255)) & 255)
        return cv().cvtColor(hsv, cv().COLOR_HSV2RGB_FULL)


def adjust_gamma(image, gamma, gain):
    """gain * image ** gamma, for values from 0 to 1 or from 0 to 255."""
    if image.ndim < 2:
        raise RuntimeError(f"AdjustGamma: input tensor is not in shape of <...,H,W,C> or <H,W>, got shape: {image.shape}")
    if image.ndim > 2 and image.shape[-1] not in (1, 3):
        raise RuntimeError(f"AdjustGamma: channel of input image should be 1 or 3, but got: {image.shape[-1]}")
    if image.dtype.kind == "f":
        power = np.power(image.astype(np.float32) * np.float32(gain), np.float32(gamma))
        return np.clip(power, 0, 1).astype(image.dtype)
    if image.dtype != np.uint8:
        raise RuntimeError(f"AdjustGamma: the image should have the type uint8 or float, but got: {image.dtype}")
    power = np.power((BYTES / 255.0).astype(np.float32), np.float32(gamma)).astype(np.float32).astype(np.float64)
    values = np.floor(np.minimum(power * (255.0 + 1 - 1e-3) * float(np.float32(gain)), 255.0)).astype(np.int64).astype(np.uint8)
    return look_up(image, values)


def planes(name, image):
    """An image of one or three channels as a list of its channels."""
    check(name, image, channels=(1, 3), kinds=("uint8",))
    return [image] if image.ndim == 2 else [np.ascontiguousarray(image[:, :, i]) for i in range(image.shape[2])]


def joined(channels, image):
    """The channels as an image of the shape of `image`."""
    return np.stack(channels, -1) if image.ndim == 3 else channels[0]


def _cut(counts, cutoff):
    """The lowest and highest value that are left when `cutoff` percent of the pixels are cut off at each end."""
    counts = counts.copy()
    n = int(counts.sum())
    for order in (range(256), range(255, -1, -1)):
        cut = int(np.float32(int(cutoff)) / np.float32(100) * np.float32(n))
        for i in order:
            taken = min(cut, int(counts[i]))
            counts[i] -= taken
            cut -= taken
            if cut <= 0:
                break
    left = np.flatnonzero(counts)
    return (int(left[0]), int(left[-1])) if left.size else (0, 255)


def auto_contrast(image, cutoff=0.0, ignore=()):
    """Each channel stretched so that its darkest value is 0 and its brightest 255."""
    results = []
    for plane in planes("AutoContrast", image):
        counts = np.bincount(plane.reshape(-1), minlength=256)
        counts[list(ignore)] = 0
        low, high = _cut(counts, cutoff)
        values = BYTES
        if high > low:
            scale = np.float32(255.0 / (high - low))
            offset = np.float32(-1 * low * scale)
            values = np.clip((BYTES.astype(np.float32) * scale + offset).astype(np.int32), 0, 255)
        results.append(look_up(plane, values.astype(np.uint8)))
    return joined(results, image)


def equalize(image):
    """Each channel with a flat histogram."""
    with calls("Equalize"):
        return joined([cv().equalizeHist(np.ascontiguousarray(plane)) for plane in planes("Equalize", image)], image)


def invert(image):
    """255 - image."""
    check("Invert", image, ranks=(3,), channels=(3,))
    return cv().bitwise_not(usable(image)) if image.dtype == np.uint8 else (255 - image).astype(image.dtype)


def posterize(image, bits):
    """Only the highest bits of each value."""
    check("Posterize", image, kinds=("uint8", "int8"))
    mask = 0xFF & ~((1 << (8 - bits)) - 1)
    return (image.view(np.uint8) & np.uint8(mask)).view(image.dtype) if image.dtype == np.int8 else image & np.uint8(mask)


def solarize(image, low, high):
    """Values from `low` to `high` inverted; from `low` on, where both are equal."""
    check("Solarize", image, channels=(1, 3))
    chosen = image >= low if low == high else (image >= low) & (image <= high)
    return np.where(chosen, (255 - image).astype(image.dtype), image)


_KERNEL = np.full((3, 3), 1 / 13, np.float32)
_KERNEL[1, 1] = np.float32(5) / np.float32(13)


def sharpness(image, factor):
    """A blend of the image and its smoothed self, except at the edge."""
    check("Sharpness", image)
    image = usable(image)
    with calls("Sharpness"):
        smooth = same_rank(cv().filter2D(image, -1, _KERNEL), image)
        smooth[0], smooth[-1], smooth[:, 0], smooth[:, -1] = image[0], image[-1], image[:, 0], image[:, -1]
        factor = float(np.float32(factor))
        return same_rank(cv().addWeighted(image, factor, smooth, 1.0 - factor, 0.0), image)


# eigenvectors of the colours of ImageNet times the roots of their eigenvalues (Krizhevsky et al., 2012)
EIGEN = np.array(
    [
        [55.46 * -0.5675, 4.794 * 0.7192, 1.148 * 0.4009],
        [55.46 * -0.5808, 4.794 * -0.0045, 1.148 * -0.8140],
        [55.46 * -0.5836, 4.794 * -0.6948, 1.148 * 0.4203],
    ]
)


def lighting(image, amounts):
    """The image plus a combination of the principal colours."""
    image = rgb("RandomLighting", image)
    shift = EIGEN.astype(np.float32) @ np.asarray(amounts, np.float32)
    return np.stack([look_up(image[:, :, i], saturated(BYTES.astype(np.float32) + shift[i])) for i in range(3)], -1)
