"""Rotations, shears, perspectives and blur."""

import math

import numpy as np

from sporax.dataset.transforms import _checks
from sporax.dataset.vision._crop import check_fill, three
from sporax.dataset.vision._libraries import calls, cv, pillow
from sporax.dataset.vision._names import Inter
from sporax.dataset.vision._operation import NOT_PIL, ImageTensorOperation, RandomImageOperation, RandomPilOperation, check, is_pil, same_rank, usable
from sporax.dataset.vision._resize import check_interpolation, for_arrays, for_pil, implementation

F = np.float32


def rotate(image, degrees, interpolation, expand, center, fill, name="Rotate"):
    """An array rotated counter-clockwise around its middle or `center` (x, y); with `expand` the result is large enough for all of it."""
    check(name, image)
    mode = for_arrays(interpolation)
    h, w = image.shape[:2]
    middle = (float(F((w - 1) / 2)), float(F((h - 1) / 2))) if center is None else (float(F(center[0])), float(F(center[1])))
    degrees = float(F(degrees))
    image = usable(image)
    with calls(name):
        matrix = cv().getRotationMatrix2D(middle, degrees, 1.0)
        size = (w, h)
        if expand:
            points = cv().boxPoints((middle, (w, h), degrees))
            extent = points.max(0) - points.min(0)
            matrix[0, 2] += float(extent[0]) / 2.0 - w / 2.0
            matrix[1, 2] += float(extent[1]) / 2.0 - h / 2.0
            size = (round(float(extent[0])), round(float(extent[1])))
        return same_rank(cv().warpAffine(image, matrix, size, flags=mode, borderMode=0, borderValue=fill), image)


def rotate_pil(image, degrees, interpolation, expand, center, fill):
    """A Pillow image rotated counter-clockwise."""
    degrees = degrees % 360.0
    if interpolation == Inter.ANTIALIAS and (degrees not in (0, 90, 180, 270) or center):
        raise ValueError("When using Inter.ANTIALIAS, center needs to be None and angle needs to be an integer multiple of 90.")
    return image.rotate(degrees, for_pil(interpolation), expand, center, fillcolor=fill if len(image.getbands()) > 1 else fill[0])


def affine(image, degrees, translate, scale, shear, interpolation, fill, name="Affine"):
    """An array rotated, scaled and sheared (degrees) around its middle, and moved by `translate` (x, y) pixels. In single precision, as MindSpore."""
    check(name, image)
    mode = for_arrays(interpolation)
    h, w = image.shape[:2]
    angle, shear_x, shear_y = (float(F(F(d) * F(math.pi) / F(180))) for d in (degrees, shear[0], -shear[1]))
    if math.cos(shear_y) == 0.0:
        raise RuntimeError(f"{name}: cos(shear_y) should not be zero.")
    scale = float(F(scale))
    a = F(scale * math.cos(angle + shear_y) / math.cos(shear_y))
    b = F(scale * (-math.cos(angle + shear_y) * math.tan(shear_x) / math.cos(shear_y) - math.sin(angle)))
    d = F(scale * math.sin(angle + shear_y) / math.cos(shear_y))
    e = F(scale * (-math.sin(angle + shear_y) * math.tan(shear_x) / math.cos(shear_y) + math.cos(angle)))
    x, y = F((w - 1) / 2.0), F((h - 1) / 2.0)
    matrix = np.array([[a, b, (F(1) - a) * x - b * y + F(translate[0])], [d, e, (F(1) - e) * y - d * x + F(translate[1])]], F)
    image = usable(image)
    with calls(name):
        return same_rank(cv().warpAffine(image, matrix, (w, h), flags=mode, borderMode=0, borderValue=fill), image)


def check_rotation(resample, expand, center, fill_value):
    """The arguments that rotations share."""
    _checks.of_type(resample, (Inter,), "resample")
    _checks.of_type(expand, (bool,), "expand")
    if center is not None:
        if not isinstance(center, tuple) or len(center) != 2:
            raise ValueError(f"Value center needs to be a 2-tuple, got {center!r}.")
        for value in center:
            _checks.number(value, -(2**31), _checks.INT32_MAX, "center")
    check_fill(fill_value)


def check_degrees(degrees):
    """A number that isn't negative, or a pair (min, max)."""
    _checks.of_type(degrees, (int, float, list, tuple), "degrees")
    if _checks.is_number(degrees):
        _checks.within(degrees, 0, _checks.FLOAT_MAX, "degrees")
    else:
        _checks.pair(degrees, -_checks.FLOAT_MAX, _checks.FLOAT_MAX, "degrees")


class Rotate(ImageTensorOperation):
    """Rotate an image counter-clockwise.

    Args:
        degrees (Union[int, float]): The angle.
        resample (Inter): Default: Inter.NEAREST.
        expand (bool): Whether the result is large enough for the whole rotated image. Default: False.
        center (tuple): (x, y) of what stays in place. Default: None, the middle.
        fill_value (Union[int, tuple[int]]): What lies outside, or one value for each of R, G, B. Default: 0.

    Raises:
        TypeError: a wrong type.
        ValueError: a number out of range.
        RuntimeError: an array that is no image.
    """

    videos = True

    def __init__(self, degrees, resample=Inter.NEAREST, expand=False, center=None, fill_value=0):
        _checks.number(degrees, -_checks.FLOAT_MAX, _checks.FLOAT_MAX, "degrees")
        check_rotation(resample, expand, center, fill_value)
        self.degrees, self.resample, self.expand, self.center, self.fill_value = degrees % 360, resample, expand, center, three(fill_value)

    def on_array(self, image):
        return rotate(image, self.degrees, self.resample, self.expand, self.center, self.fill_value)


class RandomRotation(RandomImageOperation):
    """Rotate an image by a random angle.

    Args:
        degrees (Union[int, float, sequence]): Bounds of the angle; one number x stands for (-x, x).
        resample, expand, center, fill_value: As of Rotate. Pillow images take the resamplings NEAREST, ANTIALIAS, LINEAR and CUBIC.

    Parameters drawn: the angle.

    Raises:
        TypeError: a wrong type.
        ValueError: a number out of range.
    """

    def __init__(self, degrees, resample=Inter.NEAREST, expand=False, center=None, fill_value=0):
        check_degrees(degrees)
        check_rotation(resample, expand, center, fill_value)
        if _checks.is_number(degrees):
            bounds = (-(degrees % 360), degrees % 360)
        elif degrees[1] - degrees[0] >= 360:
            bounds = (-180, 180)
        else:
            low, high = degrees[0] % 360, degrees[1] % 360
            bounds = (low, high + 360 if low > high else high)
        self.degrees, self.resample, self.expand, self.center, self.fill_value = bounds, resample, expand, center, three(fill_value)
        self.implementation = implementation(resample)

    def draw(self, rng, *images):
        return float(rng.uniform(*self.degrees))

    def on_array(self, image, degrees):
        return rotate(image, degrees, self.resample, self.expand, self.center, self.fill_value, "RandomRotation")

    def on_pil(self, image, degrees):
        return rotate_pil(image, degrees, self.resample, self.expand, self.center, self.fill_value)


class Affine(ImageTensorOperation):
    """Rotate, move, scale and shear an image.

    Args:
        degrees (float): The angle, from -180 to 180.
        translate (Sequence[float]): How far to move, (x, y) as parts of the width and the height, from -1 to 1.
        scale (float): Positive.
        shear (Union[float, Sequence[float]]): (x, y) in degrees; one number is x.
        resample (Inter): Default: Inter.NEAREST.
        fill_value (Union[int, tuple[int]]): What lies outside. Default: 0.

    Raises:
        TypeError: a wrong type.
        ValueError: a number out of range.
        RuntimeError: an array that is no image.
    """

    def __init__(self, degrees, translate, scale, shear, resample=Inter.NEAREST, fill_value=0):
        _checks.number(degrees, -180, 180, "degrees")
        _checks.sequence(translate, (int, float), "translate", 2)
        for i, value in enumerate(translate):
            _checks.within(value, -1.0, 1.0, f"translate[{i}]")
        _checks.of_type(scale, (int, float), "scale")
        _checks.positive(scale, "scale")
        if _checks.is_number(shear):
            shear = (shear, 0.0)
        _checks.sequence(shear, (int, float), "shear", 2)
        for i, value in enumerate(shear):
            _checks.within(value, -180, 180, f"shear[{i}]")
        _checks.of_type(resample, (Inter,), "resample")
        check_fill(fill_value)
        self.degrees, self.translate, self.scale, self.shear = degrees, tuple(translate), scale, tuple(shear)
        self.resample, self.fill_value = resample, three(fill_value)

    def on_array(self, image):
        check("Affine", image)
        move = F(self.translate[0]) * F(image.shape[1]), F(self.translate[1]) * F(image.shape[0])
        return affine(image, self.degrees, move, self.scale, self.shear, self.resample, self.fill_value)


class RandomAffine(RandomImageOperation):
    """Rotate, move, scale and shear an image by random amounts.

    Args:
        degrees (Union[int, float, sequence]): Bounds of the angle; one number x stands for (-x, x).
        translate (sequence): Bounds (min x, max x, min y, max y), or (min x, max x), as parts of the width and the height. Default: None, no move.
        scale (sequence): Bounds. Default: None, the size stays.
        shear (Union[int, float, sequence]): Bounds (min x, max x, min y, max y), or (min x, max x), in degrees; one number x stands for (-x, x). Default: None.
        resample (Inter): Default: Inter.NEAREST.
        fill_value (Union[int, tuple[int]]): What lies outside. Default: 0.

    Parameters drawn: (angle, (x, y) of the move in pixels, scale, (x, y) of the shear).

    Raises:
        TypeError: a wrong type.
        ValueError: a number out of range.
    """

    def __init__(self, degrees, translate=None, scale=None, shear=None, resample=Inter.NEAREST, fill_value=0):
        check_degrees(degrees)
        if translate is not None:
            _checks.sequence(translate, (int, float), "translate", (2, 4))
            for i, value in enumerate(translate):
                _checks.within(value, -1.0, 1.0, f"translate at {i}")
        if scale is not None:
            _checks.sequence(scale, (int, float), "scale", 2)
            if scale[0] > scale[1]:
                raise ValueError(f"Input scale[1] must be equal to or greater than scale[0], got {scale}.")
            _checks.within(scale[0], 0, _checks.FLOAT_MAX, "scale")
            _checks.positive(scale[1], "scale[1]")
        if shear is not None:
            if _checks.is_number(shear):
                _checks.positive(shear, "shear")
                shear = (-shear, shear)
            _checks.sequence(shear, (int, float), "shear", (2, 4))
            for i in range(0, len(shear), 2):
                if shear[i] > shear[i + 1]:
                    raise ValueError(f"Input shear[{i + 1}] must be equal to or greater than shear[{i}], got {shear}.")
        _checks.of_type(resample, (Inter,), "resample")
        check_fill(fill_value if fill_value is not None else 0)
        self.degrees = (-degrees, degrees) if _checks.is_number(degrees) else tuple(degrees)
        self.translate = tuple(translate or (0.0, 0.0)) + ((0.0, 0.0) if translate is None or len(translate) == 2 else ())
        self.scale = (1.0, 1.0) if scale is None else tuple(scale)
        self.shear = tuple(shear or (0.0, 0.0)) + ((0.0, 0.0) if shear is None or len(shear) == 2 else ())
        self.resample, self.fill_value, self.implementation = resample, three(fill_value or 0), implementation(resample)

    def draw(self, rng, *images):
        image = images[0]
        if is_pil(image):
            w, h = image.size
            x, y = self.translate[0] * w, self.translate[1] * h
            move = (float(np.round(rng.uniform(-abs(x), abs(x)))), float(np.round(rng.uniform(-abs(y), abs(y)))))
        else:
            check("RandomAffine", image)
            h, w = image.shape[:2]
            low_x, high_x, low_y, high_y = self.translate
            move = (float(rng.uniform(low_x * w, high_x * w)), float(rng.uniform(low_y * h, high_y * h)))
        shear = (float(rng.uniform(*self.shear[:2])), float(rng.uniform(*self.shear[2:])))
        return math.fmod(float(rng.uniform(*self.degrees)), 360.0), move, float(rng.uniform(*self.scale)), shear

    def on_array(self, image, amounts):
        angle, move, scale, shear = amounts
        return affine(image, angle, move, scale, shear, self.resample, self.fill_value, "RandomAffine")

    def on_pil(self, image, amounts):
        angle, move, scale, shear = amounts
        x, y = image.size[0] * 0.5 + 0.5, image.size[1] * 0.5 + 0.5
        angle, shear_x, shear_y = (math.radians(v) for v in (angle, *shear))
        # the inverse of rotation, scale and shear around (x, y), followed by the move
        det = math.cos(angle + shear_x) * math.cos(angle + shear_y) + math.sin(angle + shear_x) * math.sin(angle + shear_y)
        a, b, d, e = math.cos(angle + shear_x), math.sin(angle + shear_x), -math.sin(angle + shear_y), math.cos(angle + shear_y)
        a, b, d, e = (v / scale / det for v in (a, b, d, e))
        matrix = (a, b, x - a * (x + move[0]) - b * (y + move[1]), d, e, y - d * (x + move[0]) - e * (y + move[1]))
        fill = self.fill_value if len(image.getbands()) > 1 else self.fill_value[0]
        return image.transform(image.size, pillow().Transform.AFFINE, matrix, for_pil(self.resample), fillcolor=fill)


def perspective_pil(image, start, end, interpolation):
    """A Pillow image, `start` of which comes to lie on `end`."""
    rows = []
    for (x, y), (u, v) in zip(end, start):
        rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]]
    solution = np.linalg.lstsq(np.array(rows, float), np.array(start, float).reshape(8), rcond=None)[0]
    return image.transform(image.size, pillow().Transform.PERSPECTIVE, solution.tolist(), for_pil(interpolation))


def _check_points(points, name):
    _checks.sequence(points, (list, tuple), name)
    if len(points) != 4:
        raise TypeError(f"{name} should be a list or tuple of length 4, got {len(points)}.")
    for i, point in enumerate(points):
        if len(point) != 2:
            raise TypeError(f"{name}[{i}] should be a list or tuple of length 2, got {point}.")
        for j, value in enumerate(point):
            _checks.integer(value, -(2**31), _checks.INT32_MAX, f"{name}[{i}][{j}]")


class Perspective(ImageTensorOperation):
    """Change the perspective so that four points come to lie on four others.

    Args:
        start_points (Sequence[Sequence[int]]): [x, y] of the upper left, upper right, lower right and lower left corner before.
        end_points (Sequence[Sequence[int]]): Where they lie afterwards.
        interpolation (Inter): Default: Inter.BILINEAR.

    Raises:
        TypeError: a wrong type, or not four points.
        ValueError: a number out of range.
        RuntimeError: an array that is no image.
    """

    def __init__(self, start_points, end_points, interpolation=Inter.BILINEAR):
        _check_points(start_points, "start_points")
        _check_points(end_points, "end_points")
        check_interpolation(interpolation)
        self.start_points, self.end_points, self.interpolation = start_points, end_points, interpolation
        self.implementation = implementation(interpolation)

    def on_array(self, image):
        check("Perspective", image)
        mode = for_arrays(self.interpolation)
        image = usable(image)
        with calls("Perspective"):
            matrix = cv().getPerspectiveTransform(np.array(self.start_points, F), np.array(self.end_points, F))
            return same_rank(cv().warpPerspective(image, matrix, image.shape[1::-1], flags=mode), image)

    def on_pil(self, image):
        return perspective_pil(image, self.start_points, self.end_points, self.interpolation)


class RandomPerspective(RandomPilOperation):
    """Change the perspective of a Pillow image at random, with a probability.

    Args:
        distortion_scale (float): How far the corners move inwards at most, as a part of half the size, from 0 to 1. Default: 0.5.
        prob (float): The probability. Default: 0.5.
        interpolation (Inter): Default: Inter.BICUBIC.

    Parameters drawn: the four corners afterwards, or None.

    Raises:
        TypeError: a wrong type.
        ValueError: a number out of range, or the input is no Pillow image.
    """

    def __init__(self, distortion_scale=0.5, prob=0.5, interpolation=Inter.BICUBIC):
        _checks.of_type(distortion_scale, (float,), "distortion_scale")
        _checks.of_type(prob, (float,), "prob")
        _checks.within(distortion_scale, 0.0, 1.0, "distortion_scale")
        _checks.probability(prob)
        check_interpolation(interpolation)
        self.distortion_scale, self.prob, self.interpolation = distortion_scale, prob, interpolation

    def prepare(self, columns):
        for column in columns:
            if not is_pil(column):
                raise ValueError(f"Input image should be a Pillow image. {NOT_PIL.format(type(column))}")
        return columns

    def draw(self, rng, *images):
        if rng.random() >= self.prob:
            return None
        w, h = images[0].size
        in_x, in_y = int(w / 2 * self.distortion_scale), int(h / 2 * self.distortion_scale)
        dx, dy = rng.integers(0, in_x, 4, endpoint=True), rng.integers(0, in_y, 4, endpoint=True)
        signs = ((0, 0), (1, 0), (1, 1), (0, 1))
        return [(int(w - 1 - x if right else x), int(h - 1 - y if low else y)) for (right, low), x, y in zip(signs, dx, dy)]

    def on_pil(self, image, corners):
        if corners is None:
            return image
        w, h = image.size
        return perspective_pil(image, [(0, 0), (w - 1, 0), (w - 1, h - 1), (0, h - 1)], corners, self.interpolation)


class GaussianBlur(ImageTensorOperation):
    """Blur an image with a Gaussian.

    Args:
        kernel_size (Union[int, Sequence[int]]): (width, height) of the kernel, odd; one number stands for both.
        sigma (Union[float, Sequence[float]]): (x, y) of the standard deviation; one number stands for both. Default: None, 0.15 * size + 0.35.

    Raises:
        TypeError: a wrong type.
        ValueError: an even size, or a number out of range.
        RuntimeError: an array that is no image.
    """

    def __init__(self, kernel_size, sigma=None):
        _checks.of_type(kernel_size, (int, list, tuple), "kernel_size")
        sizes = (kernel_size, kernel_size) if isinstance(kernel_size, int) else tuple(kernel_size)
        if len(sizes) != 2:
            raise TypeError(f"Kernel size should be a single integer or a list/tuple (kernel_width, kernel_height) of length 2, got {kernel_size}.")
        for i, value in enumerate(sizes):
            _checks.integer(value, 1, _checks.FLOAT_MAX, f"kernel_size[{i}]")
            if value % 2 == 0:
                raise ValueError(f"Input kernel_size[{i}] is not an odd value, got {value}.")
        sigmas = (0, 0) if sigma is None else (sigma, sigma) if _checks.is_number(sigma) else sigma
        _checks.of_type(sigmas, (list, tuple), "sigma")
        if len(sigmas) != 2:
            raise TypeError(f"Sigma should be a single number or a list/tuple of length 2 for width and height, got {sigma}.")
        for value in sigmas:
            _checks.number(value, 0, _checks.FLOAT_MAX, "sigma")
        self.kernel_size = sizes
        self.sigma = tuple(float(F(s)) if s > 0 else float(F(k * F(0.15) + F(0.35))) for s, k in zip(sigmas, sizes))

    def on_array(self, image):
        check("GaussianBlur", image)
        image = usable(image)
        with calls("GaussianBlur"):
            return same_rank(cv().GaussianBlur(image, self.kernel_size, self.sigma[0], sigmaY=self.sigma[1]), image)
