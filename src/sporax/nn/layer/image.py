"""Image layers: gradients, cropping and measures of similarity."""

import numpy as np

from sporax import ops
from sporax._core import dtype as mstype
from sporax._core.tensor import Tensor
from sporax.nn.cell import Cell
from sporax.nn.layer._make import need_input, positive_int
from sporax.nn.layer.container import CellList
from sporax.nn.layer.conv import Conv2d


class ImageGradients(Cell):
    """(differences between rows, differences between columns) of images (N, C, H, W); the last row or column is 0."""

    def __init__(self):
        super().__init__()

    def construct(self, images):
        need_input("ImageGradients", images)
        if images.ndim != 4:
            raise ValueError(f"For 'ImageGradients', the images should have 4 axes (N, C, H, W), but got shape {images.shape}.")
        dy = ops.pad(images[:, :, 1:] - images[:, :, :-1], (0, 0, 0, 1))
        dx = ops.pad(images[:, :, :, 1:] - images[:, :, :, :-1], (0, 1))
        return dy, dx


class CentralCrop(Cell):
    """The middle of images (C, H, W) or (N, C, H, W).

    Args:
        central_fraction: how much of each side is kept, in (0, 1].
    """

    def __init__(self, central_fraction):
        super().__init__()
        if isinstance(central_fraction, bool) or not isinstance(central_fraction, int | float):
            raise TypeError(f"For 'CentralCrop', 'central_fraction' should be a number, but got {central_fraction!r}.")
        if not 0 < central_fraction <= 1:
            raise ValueError(f"For 'CentralCrop', 'central_fraction' should be in (0, 1], but got {central_fraction}.")
        self.central_fraction = float(central_fraction)

    def construct(self, image):
        if image.ndim not in (3, 4):
            raise ValueError(f"For 'CentralCrop', the image should have 3 or 4 axes, but got shape {image.shape}.")
        top, left = (int((size - size * self.central_fraction) / 2) for size in image.shape[-2:])
        height, width = image.shape[-2:]
        return image[..., top : height - top, left : width - left]


def _as_floats(owner, max_val, a, b):
    """The images as float32 with the range of their dtype scaled to 1, and `max_val` scaled in the same way."""
    for image in (a, b):
        need_input(owner, image)
        if image.ndim != 4:
            raise ValueError(f"For '{owner}', images should have 4 axes (N, C, H, W), but got shape {image.shape}.")
        if image.dtype not in (mstype.float16, mstype.float32, mstype.float64, mstype.uint8):
            raise TypeError(f"For '{owner}', images should be floating or uint8, but got {image.dtype}.")
    if a.shape != b.shape:
        raise ValueError(f"For '{owner}', both images should have one shape, but got {a.shape} and {b.shape}.")
    if a.dtype is not b.dtype:
        raise TypeError(f"For '{owner}', both images should have one dtype, but got {a.dtype} and {b.dtype}.")
    top = 255.0 if a.dtype is mstype.uint8 else 1.0
    return float(max_val) / top, a.astype(mstype.float32) / top, b.astype(mstype.float32) / top


def _positive(owner, key, value):
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"For '{owner}', '{key}' should be a number, but got {value!r} of type {type(value).__name__}.")
    if value <= 0:
        raise ValueError(f"For '{owner}', '{key}' should be positive, but got {value}.")
    return value


class PSNR(Cell):
    """The peak signal-to-noise ratio 10 log10(max_val**2 / mean squared difference) of each pair of images (N, C, H, W).

    Args:
        max_val: the range of the pixels. Default: 1.0.

    Examples:
        >>> print(nn.PSNR()(ops.zeros((1, 1, 2, 2)), ops.ones((1, 1, 2, 2))))
        [0.]
    """

    def __init__(self, max_val=1.0):
        super().__init__()
        self.max_val = _positive("PSNR", "max_val", max_val)

    def construct(self, img1, img2):
        top, a, b = _as_floats("PSNR", self.max_val, img1, img2)
        return 10 * ops.log10(top**2 / ops.mean(ops.square(a - b), (-3, -2, -1)))


class _Similarity(Cell):
    def _configure(self, max_val, filter_size, filter_sigma, k1, k2):
        name = type(self).__name__
        self.max_val, self.filter_sigma = _positive(name, "max_val", max_val), _positive(name, "filter_sigma", filter_sigma)
        self.filter_size = positive_int(name, "filter_size", filter_size)
        for key, value in (("k1", k1), ("k2", k2)):
            if not isinstance(value, float):
                raise TypeError(f"For '{name}', '{key}' should be a float, but got {value!r} of type {type(value).__name__}.")
        self.k1, self.k2 = k1, k2

    def _window(self):
        """A convolution with a normalized Gaussian."""
        x = np.arange(self.filter_size) - (self.filter_size - 1) / 2
        line = np.exp(-(x**2) / (2 * self.filter_sigma**2))
        window = np.outer(line, line)
        conv = Conv2d(1, 1, self.filter_size, pad_mode="valid", weight_init=Tensor((window / window.sum())[None, None], mstype.float32))
        conv.weight.requires_grad = False
        return conv

    def _compare(self, conv, a, b, top):
        """For each image and channel the means of (the similarity, its part without luminance)."""
        n, c, h, w = a.shape
        if min(h, w) < self.filter_size:
            raise ValueError(f"For '{type(self).__name__}', images should be at least {self.filter_size} on each side, but got shape {a.shape}.")

        def smooth(x):
            return conv(x.reshape(n * c, 1, h, w))

        ma, mb = smooth(a), smooth(b)
        c1, c2 = (self.k1 * top) ** 2, (self.k2 * top) ** 2
        luminance = (2 * ma * mb + c1) / (ops.square(ma) + ops.square(mb) + c1)
        covariance = smooth(a * b) - ma * mb
        variances = smooth(ops.square(a) + ops.square(b)) - ops.square(ma) - ops.square(mb)
        contrast = (2 * covariance + c2) / (variances + c2)
        return tuple(ops.mean(x, (1, 2, 3)).reshape(n, c) for x in (luminance * contrast, contrast))


class SSIM(_Similarity):
    """The structural similarity (Wang et al., 2004) of each pair of images (N, C, H, W), the mean over channels.

    Args:
        max_val: the range of the pixels. Default: 1.0.
        filter_size, filter_sigma: size and width of the Gaussian window. Default: 11, 1.5.
        k1, k2: constants that keep quotients stable. Default: 0.01, 0.03.
    """

    def __init__(self, max_val=1.0, filter_size=11, filter_sigma=1.5, k1=0.01, k2=0.03):
        super().__init__()
        self._configure(max_val, filter_size, filter_sigma, k1, k2)
        self.conv = self._window()

    def construct(self, img1, img2):
        top, a, b = _as_floats("SSIM", self.max_val, img1, img2)
        return ops.mean(self._compare(self.conv, a, b, top)[0], -1)


class MSSSIM(_Similarity):
    """The multi-scale structural similarity (Wang et al., 2003) of each pair of images (N, C, H, W), the mean over channels.

    Args:
        max_val: the range of the pixels. Default: 1.0.
        power_factors: the exponents of the scales, from fine to coarse. Default: (0.0448, 0.2856, 0.3001, 0.2363, 0.1333).
        filter_size, filter_sigma: size and width of the Gaussian window. Default: 11, 1.5.
        k1, k2: constants that keep quotients stable. Default: 0.01, 0.03.
    """

    def __init__(self, max_val=1.0, power_factors=(0.0448, 0.2856, 0.3001, 0.2363, 0.1333), filter_size=11, filter_sigma=1.5, k1=0.01, k2=0.03):
        super().__init__()
        if not isinstance(power_factors, tuple | list):
            raise TypeError(f"For 'MSSSIM', 'power_factors' should be a tuple or list, but got {type(power_factors).__name__}.")
        self._configure(max_val, filter_size, filter_sigma, k1, k2)
        self.power_factors = tuple(power_factors)
        self.multi_convs_list = CellList([self._window() for _ in self.power_factors])

    def construct(self, img1, img2):
        top, a, b = _as_floats("MSSSIM", self.max_val, img1, img2)
        result = 1.0
        for level, (conv, power) in enumerate(zip(self.multi_convs_list, self.power_factors)):
            if level:
                a, b = ops.avg_pool2d(a, 2, 2), ops.avg_pool2d(b, 2, 2)
            whole, contrast = self._compare(conv, a, b, top)
            last = level == len(self.power_factors) - 1
            result = result * ops.pow(ops.relu(whole if last else contrast), power)
        return ops.mean(result, -1)
