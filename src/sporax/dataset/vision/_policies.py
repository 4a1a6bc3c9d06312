"""Augmentation by policy: AutoAugment, RandAugment, TrivialAugment, and policies made of given operations.

A policy names operations and how strong they are. `spaces` gives for each operation its possible strengths, and whether a strength may also be
negative; `augment` applies one.
"""

import math

import numpy as np

from sporax.dataset import _random
from sporax.dataset.transforms import _checks
from sporax.dataset.transforms._compound import CompoundOperation, run
from sporax.dataset.transforms._operation import TensorOperation
from sporax.dataset.vision import _color
from sporax.dataset.vision._crop import check_fill, three
from sporax.dataset.vision._names import AutoAugmentPolicy, Inter
from sporax.dataset.vision._operation import RandomImageOperation, check
from sporax.dataset.vision._warp import affine, rotate

F = np.float32


def _linear(start, end, n):
    step = F(0) if n == 1 else F(F(end) - F(start)) / F(n - 1)
    return (F(start) + np.arange(n, dtype=F) * step).astype(F)


def _bits(n, lost):
    """8 bits, of which up to `lost` go."""
    return np.rint(np.arange(n, dtype=F) * (F(-lost) / F(n - 1)) + F(8)) if n > 1 else np.full(1, 8, F)


def spaces(n, shear, move, turn, factor, lost_bits, solarize):
    """{operation: (n strengths or None, whether a strength may be negative)}."""
    return {
        "ShearX": (_linear(0, shear, n), True),
        "ShearY": (_linear(0, shear, n), True),
        "TranslateX": (_linear(0, move[0], n), True),
        "TranslateY": (_linear(0, move[1], n), True),
        "Rotate": (_linear(0, turn, n), True),
        "Brightness": (_linear(0, factor, n), True),
        "Color": (_linear(0, factor, n), True),
        "Contrast": (_linear(0, factor, n), True),
        "Sharpness": (_linear(0, factor, n), True),
        "Posterize": (_bits(n, lost_bits), False),
        "Solarize": (_linear(solarize, 0, n), False),
        "AutoContrast": (None, False),
        "Equalize": (None, False),
    }


def augment(image, name, strength, interpolation, fill):
    """An image changed by the operation `name`."""
    strength = float(F(strength))
    degrees = float(F(strength * 180 / math.pi))
    if name == "ShearX":
        return affine(image, 0.0, (0, 0), 1.0, (degrees, 0.0), interpolation, fill, name)
    if name == "ShearY":
        return affine(image, 0.0, (0, 0), 1.0, (0.0, degrees), interpolation, fill, name)
    if name == "TranslateX":
        return affine(image, 0.0, (int(strength), 0), 1.0, (0.0, 0.0), interpolation, fill, name)
    if name == "TranslateY":
        return affine(image, 0.0, (0, int(strength)), 1.0, (0.0, 0.0), interpolation, fill, name)
    if name == "Rotate":
        return rotate(image, strength, interpolation, False, None, fill, name)
    if name == "Posterize":
        return _color.posterize(image, int(strength))
    if name == "Solarize":
        return _color.solarize(image, strength, strength)
    if name == "Identity":
        return image
    plain = {"AutoContrast": _color.auto_contrast, "Equalize": _color.equalize, "Invert": _color.invert}
    if name in plain:
        return plain[name](image)
    blends = {
        "Brightness": _color.adjust_brightness,
        "Color": _color.adjust_saturation,
        "Contrast": _color.adjust_contrast,
        "Sharpness": _color.sharpness,
    }
    return blends[name](image, float(F(1) + F(strength)))


def _table(text):
    """A policy written as lines `Operation probability strength, Operation probability strength`; no strength is -1."""
    pairs = []
    for line in text.strip().splitlines():
        pair = [part.split() for part in line.split(",")]
        pairs.append(tuple((words[0], float(words[1]), int(words[2]) if len(words) > 2 else -1) for words in pair))
    return tuple(pairs)


# The policies that were found by Cubuk et al. (2018)
POLICIES = {
    AutoAugmentPolicy.IMAGENET: _table("""
        Posterize 0.4 8, Rotate 0.6 9
        Solarize 0.6 5, AutoContrast 0.6
        Equalize 0.8, Equalize 0.6
        Posterize 0.6 7, Posterize 0.6 6
        Equalize 0.4, Solarize 0.2 4
        Equalize 0.4, Rotate 0.8 8
        Solarize 0.6 3, Equalize 0.6
        Posterize 0.8 5, Equalize 1.0
        Rotate 0.2 3, Solarize 0.6 8
        Equalize 0.6, Posterize 0.4 6
        Rotate 0.8 8, Color 0.4 0
        Rotate 0.4 9, Equalize 0.6
        Equalize 0.0, Equalize 0.8
        Invert 0.6, Equalize 1.0
        Color 0.6 4, Contrast 1.0 8
        Rotate 0.8 8, Color 1.0 2
        Color 0.8 8, Solarize 0.8 7
        Sharpness 0.4 7, Invert 0.6
        ShearX 0.6 5, Equalize 1.0
        Color 0.4 0, Equalize 0.6
        Equalize 0.4, Solarize 0.2 4
        Solarize 0.6 5, AutoContrast 0.6
        Invert 0.6, Equalize 1.0
        Color 0.6 4, Contrast 1.0 8
        Equalize 0.8, Equalize 0.6"""),
    AutoAugmentPolicy.CIFAR10: _table("""
        Invert 0.1, Contrast 0.2 6
        Rotate 0.7 2, TranslateX 0.3 9
        Sharpness 0.8 1, Sharpness 0.9 3
        ShearY 0.5 8, TranslateY 0.7 9
        AutoContrast 0.5, Equalize 0.9
        ShearY 0.2 7, Posterize 0.3 7
        Color 0.4 3, Brightness 0.6 7
        Sharpness 0.3 9, Brightness 0.7 9
        Equalize 0.6, Equalize 0.5
        Contrast 0.6 7, Sharpness 0.6 5
        Color 0.7 7, TranslateX 0.5 8
        Equalize 0.3, AutoContrast 0.4
        TranslateY 0.4 3, Sharpness 0.2 6
        Brightness 0.9 6, Color 0.2 8
        Solarize 0.5 2, Invert 0.0
        Equalize 0.2, AutoContrast 0.6
        Equalize 0.2, Equalize 0.6
        Color 0.9 9, Equalize 0.6
        AutoContrast 0.8, Solarize 0.2 8
        Brightness 0.1 3, Color 0.7 0
        Solarize 0.4 5, AutoContrast 0.9
        TranslateY 0.9 9, TranslateY 0.7 9
        AutoContrast 0.9, Solarize 0.8 3
        Equalize 0.8, Invert 0.1
        TranslateY 0.7 9, AutoContrast 0.9"""),
    AutoAugmentPolicy.SVHN: _table("""
        ShearX 0.9 4, Invert 0.2
        ShearY 0.9 8, Invert 0.7
        Equalize 0.6, Solarize 0.6 6
        Invert 0.9, Equalize 0.6
        Equalize 0.6, Rotate 0.9 3
        ShearX 0.9 4, AutoContrast 0.8
        ShearY 0.9 8, Invert 0.4
        ShearY 0.9 5, Solarize 0.2 6
        Invert 0.9, AutoContrast 0.8
        Equalize 0.6, Rotate 0.9 3
        ShearX 0.9 4, Solarize 0.3 3
        ShearY 0.8 8, Invert 0.7
        Equalize 0.9, TranslateY 0.6 6
        Invert 0.9, Equalize 0.6
        Contrast 0.3 3, Rotate 0.8 4
        Invert 0.8, TranslateY 0.0 2
        ShearY 0.7 6, Solarize 0.4 8
        Invert 0.6, Rotate 0.8 4
        ShearY 0.3 7, TranslateX 0.9 3
        ShearX 0.1 6, Invert 0.6
        Solarize 0.7 2, TranslateY 0.6 7
        ShearY 0.8 4, Invert 0.8
        ShearX 0.7 9, TranslateY 0.8 3
        ShearY 0.8 5, AutoContrast 0.7
        ShearX 0.7 2, Invert 0.1"""),
}


class _Policy(RandomImageOperation):
    """Base of the three: draws a list of pairs (operation, strength), and applies them."""

    def _common(self, interpolation, fill_value):
        _checks.of_type(interpolation, (Inter,), "interpolation")
        check_fill(fill_value)
        self.interpolation, self.fill_value = interpolation, three(fill_value)

    def _image(self, images):
        image = np.asarray(images[0])
        check(type(self).__name__, image, ranks=(3,), channels=(3,))
        return image

    def on_array(self, image, changes):
        for name, strength in changes:
            image = augment(image, name, strength, self.interpolation, self.fill_value)
        return image


class AutoAugment(_Policy):
    """A pair of operations from a policy found by search, each with its probability and strength (Cubuk et al., 2018).

    Args:
        policy (AutoAugmentPolicy): Default: AutoAugmentPolicy.IMAGENET.
        interpolation (Inter): Of the operations that move pixels. Default: Inter.NEAREST.
        fill_value (Union[int, tuple[int]]): What lies outside. Default: 0.

    Parameters drawn: a list of pairs (operation, strength).

    Raises:
        TypeError: a wrong type.
        ValueError: a fill value outside [0, 255].
        RuntimeError: an array that isn't (H, W, 3).
    """

    def __init__(self, policy=AutoAugmentPolicy.IMAGENET, interpolation=Inter.NEAREST, fill_value=0):
        _checks.of_type(policy, (AutoAugmentPolicy,), "policy")
        self._common(interpolation, fill_value)
        self.policy = policy

    def draw(self, rng, *images):
        h, w = self._image(images).shape[:2]
        move = F(150.0) / F(331) * F(w), F(150.0) / F(331) * F(h)
        space = spaces(10, 0.3, move, 30, 0.9, 4, 256) | {"Invert": (None, False)}
        policy = POLICIES[self.policy]
        changes = []
        for name, probability, index in policy[rng.integers(len(policy))]:
            chosen, negative = rng.random() <= probability, rng.integers(2) == 0
            strengths, signed = space[name]
            strength = 0.0 if strengths is None or index == -1 else float(strengths[index])
            if chosen:
                changes.append((name, -strength if signed and negative else strength))
        return changes


class RandAugment(_Policy):
    """Operations drawn from a fixed set, all of one strength (Cubuk et al., 2020).

    Args:
        num_ops (int): How many operations. Default: 2.
        magnitude (int): The strength, below `num_magnitude_bins`. Default: 9.
        num_magnitude_bins (int): How many strengths there are. Default: 31.
        interpolation (Inter): Of the operations that move pixels. Default: Inter.NEAREST.
        fill_value (Union[int, tuple[int]]): What lies outside. Default: 0.

    Parameters drawn: a list of pairs (operation, strength).

    Raises:
        TypeError: a wrong type.
        ValueError: a number out of range.
        RuntimeError: an array that isn't (H, W, 3).
    """

    def __init__(self, num_ops=2, magnitude=9, num_magnitude_bins=31, interpolation=Inter.NEAREST, fill_value=0):
        _checks.integer(num_ops, 0, _checks.FLOAT_MAX, "num_ops")
        _checks.integer(num_magnitude_bins, 2, _checks.FLOAT_MAX, "num_magnitude_bins")
        _checks.integer(magnitude, 0, num_magnitude_bins, "magnitude", right_open=True)
        self._common(interpolation, fill_value)
        self.num_ops, self.magnitude, self.num_magnitude_bins = num_ops, magnitude, num_magnitude_bins

    def draw(self, rng, *images):
        h, w = self._image(images).shape[:2]
        move = F(150.0) / F(331) * F(w), F(150.0) / F(331) * F(h)
        space = {"Identity": (None, False)} | spaces(self.num_magnitude_bins, 0.3, move, 30, 0.9, 4, 255)
        names = list(space)
        changes = []
        for _ in range(self.num_ops):
            name = names[rng.integers(len(names))]
            strengths, signed = space[name]
            strength = 0.0 if strengths is None else float(strengths[self.magnitude])
            changes.append((name, -strength if rng.integers(2) and signed else strength))
        return changes


class TrivialAugmentWide(_Policy):
    """One operation drawn from a fixed set, of a random strength (Müller and Hutter, 2021).

    Args:
        num_magnitude_bins (int): How many strengths there are. Default: 31.
        interpolation (Inter): Of the operations that move pixels. Default: Inter.NEAREST.
        fill_value (Union[int, tuple[int]]): What lies outside. Default: 0.

    Parameters drawn: a list of one pair (operation, strength).

    Raises:
        TypeError: a wrong type.
        ValueError: a number out of range.
        RuntimeError: an array that isn't (H, W, 3).
    """

    def __init__(self, num_magnitude_bins=31, interpolation=Inter.NEAREST, fill_value=0):
        _checks.integer(num_magnitude_bins, 2, _checks.FLOAT_MAX, "num_magnitude_bins")
        self._common(interpolation, fill_value)
        self.num_magnitude_bins = num_magnitude_bins

    def draw(self, rng, *images):
        self._image(images)
        space = {"Identity": (None, False)} | spaces(self.num_magnitude_bins, 0.99, (32.0, 32.0), 135.0, 0.99, 6, 255)
        names = list(space)
        name = names[rng.integers(len(names))]
        strengths, signed = space[name]
        strength = 0.0 if strengths is None else float(strengths[rng.integers(len(strengths))])
        return [(name, -strength if rng.integers(2) and signed else strength)]


class UniformAugment(CompoundOperation):
    """Some of the given operations, each done with a probability (LingChen et al., 2020).

    Args:
        transforms (Sequence): Operations.
        num_ops (int): How many are chosen. Default: 2.

    Parameters drawn: the positions of the operations that are done. For an array each chosen one is done with probability 1/2; for a Pillow image with
    a probability that is itself uniform, which comes to the same.

    Raises:
        TypeError: a wrong type.
        ValueError: `num_ops` is not positive or larger than the number of operations.
    """

    def __init__(self, transforms, num_ops=2):
        _checks.of_type(num_ops, (int,), "num_ops")
        _checks.positive(num_ops, "num_ops")
        _checks.operations(transforms, types=(list, tuple))
        if num_ops > len(transforms):
            raise ValueError(f"num_ops is greater than transforms list size, got {num_ops} and {len(transforms)}.")
        super().__init__(list(transforms))
        self.num_ops = num_ops

    def draw(self, rng, *columns):
        chosen = rng.choice(len(self.transforms), self.num_ops, replace=False)
        return [int(i) for i in chosen if rng.random() < 0.5]

    def apply(self, *columns, chosen=None):
        chosen = self.draw(_random.generator()) if chosen is None else chosen
        columns = run([self.transforms[i] for i in chosen], columns)
        return columns[0] if len(columns) == 1 else columns


class RandomSelectSubpolicy(TensorOperation):
    """One of several lists of operations, each operation with its probability.

    Args:
        policy (list[list[tuple[TensorOperation, float]]]): The lists of pairs (operation, probability).

    Parameters drawn: (position of the list, for each of its operations whether it is done).

    Raises:
        TypeError: a wrong type.
        ValueError: an empty list, or a probability outside [0, 1].
    """

    random = True

    def __init__(self, policy):
        _checks.of_type(policy, (list,), "policy")
        if not policy:
            raise ValueError("policy can not be empty.")
        for i, sub in enumerate(policy):
            _checks.of_type(sub, (list,), f"policy[{i}]")
            if not sub:
                raise ValueError(f"policy[{i}] can not be empty.")
            for j, pair in enumerate(sub):
                if not isinstance(pair, tuple) or len(pair) != 2:
                    raise ValueError(f"Value policy[{i}][{j}] needs to be a 2-tuple, got {pair!r}.")
                if not callable(pair[0]) or isinstance(pair[0], type):
                    raise TypeError(f"Type of op of (op, prob) in policy[{i}][{j}] must be an operation or a callable, got {pair[0]!r}.")
                _checks.within(pair[1], 0, 1, f"prob of (op, prob) policy[{i}][{j}]")
        self.policy = policy

    def draw(self, rng, *columns):
        index = int(rng.integers(len(self.policy)))
        return index, [bool(rng.random() <= probability) for _, probability in self.policy[index]]

    def __call__(self, *columns):
        return self.apply(*columns, chosen=self.draw(_random.generator()))

    def apply(self, *columns, chosen=None):
        index, done = self.draw(_random.generator()) if chosen is None else chosen
        columns = run([op for (op, _), yes in zip(self.policy[index], done) if yes], columns)
        return columns[0] if len(columns) == 1 else columns
