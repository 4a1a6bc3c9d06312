"""Names of windows, scales and shapes, and the matrices of filter banks."""

import enum
import math

import numpy as np

from sporax.dataset.transforms import _checks


class BorderType(str, enum.Enum):  # noqa: UP042  str() of a member is its name with the class, as MindSpore's
    """What lies beyond the ends of a signal."""

    CONSTANT = "constant"
    EDGE = "edge"
    REFLECT = "reflect"
    SYMMETRIC = "symmetric"


class DensityFunction(str, enum.Enum):  # noqa: UP042
    """How the noise of `Dither` is distributed: triangular, rectangular, Gaussian."""

    TPDF = "TPDF"
    RPDF = "RPDF"
    GPDF = "GPDF"


class FadeShape(str, enum.Enum):  # noqa: UP042
    """Curves of `Fade`."""

    QUARTER_SINE = "quarter_sine"
    HALF_SINE = "half_sine"
    LINEAR = "linear"
    LOGARITHMIC = "logarithmic"
    EXPONENTIAL = "exponential"


class GainType(str, enum.Enum):  # noqa: UP042
    """What the gain of `Vol` is."""

    AMPLITUDE = "amplitude"
    POWER = "power"
    DB = "db"


class Interpolation(str, enum.Enum):  # noqa: UP042
    """Interpolations of `Flanger`."""

    LINEAR = "linear"
    QUADRATIC = "quadratic"


class MelType(str, enum.Enum):  # noqa: UP042
    """Scales of mel."""

    HTK = "htk"
    SLANEY = "slaney"


class Modulation(str, enum.Enum):  # noqa: UP042
    """Waves of `Flanger`."""

    SINUSOIDAL = "sinusoidal"
    TRIANGULAR = "triangular"


class NormMode(str, enum.Enum):  # noqa: UP042
    """Norms of the discrete cosine transform."""

    NONE = "none"
    ORTHO = "ortho"


class NormType(str, enum.Enum):  # noqa: UP042
    """Norms of mel filters."""

    NONE = "none"
    SLANEY = "slaney"


class ResampleMethod(str, enum.Enum):  # noqa: UP042
    """Windows of `Resample`."""

    SINC_INTERPOLATION = "sinc_interpolation"
    KAISER_WINDOW = "kaiser_window"


class ScaleType(str, enum.Enum):  # noqa: UP042
    """What `AmplitudeToDB` gets."""

    POWER = "power"
    MAGNITUDE = "magnitude"


class WindowType(str, enum.Enum):  # noqa: UP042
    """Windows of the short-time Fourier transform."""

    BARTLETT = "bartlett"
    BLACKMAN = "blackman"
    HAMMING = "hamming"
    HANN = "hann"
    KAISER = "kaiser"


def window(kind, length):
    """A periodic window of float64; one of length 1 is 1. Kaiser's beta is 12."""
    if length == 1:
        return np.ones(1)
    at = np.arange(length)
    turn = 2 * math.pi * at / length
    if kind == WindowType.BARTLETT:
        return 1.0 - np.abs(2.0 * at / length - 1.0)
    if kind == WindowType.BLACKMAN:
        return 0.42 - 0.5 * np.cos(turn) + 0.08 * np.cos(2 * turn)
    if kind == WindowType.HAMMING:
        return 0.54 - 0.46 * np.cos(turn)
    if kind == WindowType.KAISER:
        return np.i0(12.0 * np.sqrt(1 - (2.0 * at / length - 1.0) ** 2)) / np.i0(12.0)
    return 0.5 - 0.5 * np.cos(turn)


def create_dct(n_mfcc, n_mels, norm=NormMode.NONE):
    """The matrix of the discrete cosine transform of type II.

    Args:
        n_mfcc (int): The number of coefficients.
        n_mels (int): The number of bands.
        norm (NormMode): Default: NormMode.NONE.

    Returns:
        numpy.ndarray: (n_mels, n_mfcc), float32.

    Raises:
        TypeError: a wrong type.
        ValueError: a number that isn't positive.
    """
    for value, name in ((n_mfcc, "n_mfcc"), (n_mels, "n_mels")):
        _checks.of_type(value, (int,), name)
        _checks.positive(value, name)
    _checks.of_type(norm, (NormMode,), "norm")
    angles = math.pi / n_mels * np.outer(np.arange(n_mels) + 0.5, np.arange(n_mfcc))
    matrix = np.cos(angles)
    if norm == NormMode.ORTHO:
        matrix[:, 0] /= math.sqrt(2)
        return (matrix * math.sqrt(2 / n_mels)).astype(np.float32)
    return (2 * matrix).astype(np.float32)


def _check_bank(n_freqs, f_min, f_max, n_filter, sample_rate, name):
    _checks.integer(n_freqs, 0, _checks.INT32_MAX, "n_freqs")
    _checks.number(f_min, 0, _checks.FLOAT_MAX, "f_min")
    _checks.number(f_max, 0, _checks.FLOAT_MAX, "f_max", left_open=True)
    if f_min > f_max:
        raise ValueError(f"Input f_min should be no more than f_max, but got f_min: {f_min} and f_max: {f_max}.")
    _checks.integer(n_filter, 1, _checks.INT32_MAX, name)
    _checks.integer(sample_rate, 1, _checks.INT32_MAX, "sample_rate")


def _triangles(frequencies, points):
    """Triangular filters: one rises from each point to the next, and falls to the one after that."""
    slopes = points[None, :] - frequencies[:, None]
    steps = np.diff(points)
    down, up = -slopes[:, :-2] / steps[:-1], slopes[:, 2:] / steps[1:]
    return np.maximum(0.0, np.minimum(down, up))


def linear_fbanks(n_freqs, f_min, f_max, n_filter, sample_rate):
    """Triangular filters whose centers are equally far from each other.

    Args:
        n_freqs (int): The number of frequencies, from 0 to half of the sample rate.
        f_min, f_max (float): The lowest and the highest frequency (Hz).
        n_filter (int): The number of filters.
        sample_rate (int): In Hz.

    Returns:
        numpy.ndarray: (n_freqs, n_filter), float32.

    Raises:
        TypeError: a wrong type.
        ValueError: a number out of range.
    """
    _check_bank(n_freqs, f_min, f_max, n_filter, sample_rate, "n_filter")
    frequencies = np.linspace(0, sample_rate // 2, n_freqs)
    return _triangles(frequencies, np.linspace(f_min, f_max, n_filter + 2)).astype(np.float32)


def _hz_to_mel(hz, kind):
    if kind == MelType.HTK:
        return 2595.0 * math.log10(1.0 + hz / 700.0)
    return 15 + math.log(hz / 1000.0) / (math.log(6.4) / 27.0) if hz >= 1000.0 else hz / (200.0 / 3)


def _mel_to_hz(mels, kind):
    if kind == MelType.HTK:
        return 700.0 * (10.0 ** (mels / 2595.0) - 1.0)
    return np.where(mels >= 15, 1000.0 * np.exp(math.log(6.4) / 27.0 * (mels - 15)), mels * (200.0 / 3))


def melscale_fbanks(n_freqs, f_min, f_max, n_mels, sample_rate, norm=NormType.NONE, mel_type=MelType.HTK):
    """Triangular filters whose centers are equally far from each other on a scale of mel.

    Args:
        n_freqs (int): The number of frequencies, from 0 to half of the sample rate.
        f_min, f_max (float): The lowest and the highest frequency (Hz).
        n_mels (int): The number of filters.
        sample_rate (int): In Hz.
        norm (NormType): SLANEY divides each filter by its width. Default: NormType.NONE.
        mel_type (MelType): Default: MelType.HTK.

    Returns:
        numpy.ndarray: (n_freqs, n_mels), float32.

    Raises:
        TypeError: a wrong type.
        ValueError: a number out of range.
    """
    _check_bank(n_freqs, f_min, f_max, n_mels, sample_rate, "n_mels")
    _checks.of_type(norm, (NormType,), "norm")
    _checks.of_type(mel_type, (MelType,), "mel_type")
    frequencies = np.linspace(0, sample_rate // 2, n_freqs)
    points = _mel_to_hz(np.linspace(_hz_to_mel(f_min, mel_type), _hz_to_mel(f_max, mel_type), n_mels + 2), mel_type)
    bank = _triangles(frequencies, points)
    if norm == NormType.SLANEY:
        bank = bank * (2.0 / (points[2:] - points[:-2]))
    return bank.astype(np.float32)
