"""Recursive filters. The formulas of the second-order ones are those of Bristow-Johnson's cookbook, as SoX and torchaudio use them."""

import math

import numpy as np

from sporax.dataset.audio._operation import AudioTensorOperation, check_finite, check_quality, check_rate
from sporax.dataset.transforms import _checks


def lfilter(x, a, b, clamp=True):
    """sum_i a_i y[t - i] = sum_i b_i x[t - i] along the last dimension."""
    from scipy import signal

    y = signal.lfilter(np.asarray(b, np.float64), np.asarray(a, np.float64), x.astype(np.float64), axis=-1)
    return (np.clip(y, -1.0, 1.0) if clamp else y).astype(x.dtype)


class _Biquad(AudioTensorOperation):
    """Base of the filters of second order; `coefficients` gives (b0, b1, b2, a0, a1, a2)."""

    kinds = "f"

    def coefficients(self) -> tuple:
        """The coefficients of the filter."""
        raise RuntimeError(f"{type(self).__name__} has to define coefficients().")

    def apply(self, *columns):
        b0, b1, b2, a0, a1, a2 = (float(np.float32(c)) for c in self.coefficients())
        return lfilter(columns[0], (a0, a1, a2), (b0, b1, b2))

    def angles(self, frequency, quality):
        """(cosine of the center's angle, sine over twice the quality)."""
        w = 2 * math.pi * frequency / self.sample_rate
        return math.cos(w), math.sin(w) / 2 / quality

    sample_rate = 1


class Biquad(_Biquad):
    """A filter of second order.

    Args:
        b0, b1, b2 (float): Coefficients of the input.
        a0, a1, a2 (float): Coefficients of the output; a0 is not 0.

    Raises:
        TypeError: a wrong type.
        ValueError: a number out of range, or a0 is 0.
    """

    def __init__(self, b0, b1, b2, a0, a1, a2):
        for value, name in ((b0, "b0"), (b1, "b1"), (b2, "b2"), (a0, "a0"), (a1, "a1"), (a2, "a2")):
            check_finite(value, name)
        if a0 == 0:
            raise ValueError("Input a0 is not within the required interval of [-16777216, 0) and (0, 16777216], got 0.")
        self._values = b0, b1, b2, a0, a1, a2

    def coefficients(self):
        return self._values


class _Centered(_Biquad):
    def __init__(self, sample_rate, central_freq, Q=0.707):
        check_rate(sample_rate)
        check_finite(central_freq, "central_freq")
        check_quality(Q)
        self.sample_rate, self.central_freq, self.quality_factor = sample_rate, central_freq, Q

    def parts(self):
        return self.angles(self.central_freq, self.quality_factor)


_ARGS = """

    Args:
        sample_rate (int): In Hz, not 0.
        central_freq (float): In Hz.
        Q (float): The quality factor, above 0 up to 1. Default: 0.707.

    Raises:
        TypeError: a wrong type.
        ValueError: a number out of range.
    """


class AllpassBiquad(_Centered):
    __doc__ = "Change phases around a frequency, and no amplitudes." + _ARGS

    def coefficients(self):
        c, alpha = self.parts()
        return 1 - alpha, -2 * c, 1 + alpha, 1 + alpha, -2 * c, 1 - alpha


class BandrejectBiquad(_Centered):
    __doc__ = "Suppress a band of frequencies." + _ARGS

    def coefficients(self):
        c, alpha = self.parts()
        return 1, -2 * c, 1, 1 + alpha, -2 * c, 1 - alpha


class BandpassBiquad(_Centered):
    """Let a band of frequencies pass.

    Args:
        sample_rate (int): In Hz, not 0.
        central_freq (float): In Hz.
        Q (float): The quality factor, above 0 up to 1. Default: 0.707.
        const_skirt_gain (bool): Whether the slopes stay and the peak becomes Q. Default: False.

    Raises:
        TypeError: a wrong type.
        ValueError: a number out of range.
    """

    def __init__(self, sample_rate, central_freq, Q=0.707, const_skirt_gain=False):
        super().__init__(sample_rate, central_freq, Q)
        _checks.of_type(const_skirt_gain, (bool,), "const_skirt_gain")
        self.const_skirt_gain = const_skirt_gain

    def coefficients(self):
        c, alpha = self.parts()
        peak = alpha * self.quality_factor if self.const_skirt_gain else alpha
        return peak, 0, -peak, 1 + alpha, -2 * c, 1 - alpha


class BandBiquad(_Centered):
    """Let a band of frequencies pass, as SoX's band does.

    Args:
        sample_rate (int): In Hz, not 0.
        central_freq (float): In Hz.
        Q (float): The quality factor, above 0 up to 1. Default: 0.707.
        noise (bool): Whether the filter is made for noise and not for tones. Default: False.

    Raises:
        TypeError: a wrong type.
        ValueError: a number out of range.
    """

    def __init__(self, sample_rate, central_freq, Q=0.707, noise=False):
        super().__init__(sample_rate, central_freq, Q)
        _checks.of_type(noise, (bool,), "noise")
        self.noise = noise

    def coefficients(self):
        c, _ = self.parts()
        a2 = math.exp(-2 * math.pi * self.central_freq / self.quality_factor / self.sample_rate)
        a1 = -4 * a2 / (1 + a2) * c
        b0 = math.sqrt(1 - a1 * a1 / (4 * a2)) * (1 - a2)
        if self.noise:
            b0 = math.sqrt(((1 + a2) * (1 + a2) - a1 * a1) * (1 - a2) / (1 + a2))
        return b0, 0, 0, 1, a1, a2


class HighpassBiquad(_Biquad):
    """Let high frequencies pass.

    Args:
        sample_rate (int): In Hz, not 0.
        cutoff_freq (float): In Hz.
        Q (float): The quality factor, above 0 up to 1. Default: 0.707.

    Raises:
        TypeError: a wrong type.
        ValueError: a number out of range.
    """

    sign = -1

    def __init__(self, sample_rate, cutoff_freq, Q=0.707):
        check_rate(sample_rate)
        check_finite(cutoff_freq, "cutoff_freq")
        check_quality(Q)
        self.sample_rate, self.cutoff_freq, self.quality_factor = sample_rate, cutoff_freq, Q

    def coefficients(self):
        c, alpha = self.angles(self.cutoff_freq, self.quality_factor)
        edge = 1 - self.sign * c
        return edge / 2, self.sign * edge, edge / 2, 1 + alpha, -2 * c, 1 - alpha


class LowpassBiquad(HighpassBiquad):
    """Let low frequencies pass.

    Args:
        sample_rate (int): In Hz, not 0.
        cutoff_freq (float): In Hz.
        Q (float): The quality factor, above 0 up to 1. Default: 0.707.

    Raises:
        TypeError: a wrong type.
        ValueError: a number out of range.
    """

    sign = 1


def _shelf(amplitude, c, alpha, high):
    """A shelf: the coefficients of a filter that changes all frequencies above, or below, a corner."""
    s = 1 if high else -1
    root, plus, minus = 2 * math.sqrt(amplitude) * alpha, amplitude + 1, amplitude - 1
    return (
        amplitude * (plus + s * minus * c + root),
        -s * 2 * amplitude * (minus + s * plus * c),
        amplitude * (plus + s * minus * c - root),
        plus - s * minus * c + root,
        s * 2 * (minus - s * plus * c),
        plus - s * minus * c - root,
    )


def _amplitude(gain):
    return math.exp(gain / 40 * math.log(10))


class BassBiquad(_Biquad):
    """Raise or lower low frequencies.

    Args:
        sample_rate (int): In Hz, not 0.
        gain (float): In dB.
        central_freq (float): In Hz. Default: 100.0.
        Q (float): The quality factor, above 0 up to 1. Default: 0.707.

    Raises:
        TypeError: a wrong type.
        ValueError: a number out of range.
    """

    high = False

    def __init__(self, sample_rate, gain, central_freq=100.0, Q=0.707):
        check_rate(sample_rate)
        check_finite(gain, "gain")
        check_finite(central_freq, "central_freq")
        check_quality(Q)
        self.sample_rate, self.gain, self.central_freq, self.quality_factor = sample_rate, gain, central_freq, Q

    def coefficients(self):
        values = _shelf(_amplitude(self.gain), *self.angles(self.central_freq, self.quality_factor), self.high)
        return tuple(v / values[3] for v in values)


class TrebleBiquad(BassBiquad):
    """Raise or lower high frequencies.

    Args:
        sample_rate (int): In Hz, not 0.
        gain (float): In dB.
        central_freq (float): In Hz. Default: 3000.
        Q (float): The quality factor, above 0 up to 1. Default: 0.707.

    Raises:
        TypeError: a wrong type.
        ValueError: a number out of range.
    """

    high = True

    def __init__(self, sample_rate, gain, central_freq=3000, Q=0.707):
        super().__init__(sample_rate, gain, central_freq, Q)


class EqualizerBiquad(_Biquad):
    """Raise or lower a band of frequencies.

    Args:
        sample_rate (int): In Hz, not 0.
        center_freq (float): In Hz.
        gain (float): In dB.
        Q (float): The quality factor, above 0 up to 1. Default: 0.707.

    Raises:
        TypeError: a wrong type.
        ValueError: a number out of range.
    """

    def __init__(self, sample_rate, center_freq, gain, Q=0.707):
        check_rate(sample_rate)
        check_finite(center_freq, "center_freq")
        check_finite(gain, "gain")
        check_quality(Q)
        self.sample_rate, self.center_freq, self.gain, self.quality_factor = sample_rate, center_freq, gain, Q

    def coefficients(self):
        c, alpha = self.angles(self.center_freq, self.quality_factor)
        amplitude = _amplitude(self.gain)
        return 1 + alpha * amplitude, -2 * c, 1 - alpha * amplitude, 1 + alpha / amplitude, -2 * c, 1 - alpha / amplitude


class DeemphBiquad(_Biquad):
    """Undo the pre-emphasis of compact discs (ISO 908).

    Args:
        sample_rate (int): 44100 or 48000.

    Raises:
        TypeError: a wrong type.
        ValueError: another rate.
    """

    _RATES = {44100: (5283, 0.4845, -9.477), 48000: (5356, 0.479, -9.62)}

    def __init__(self, sample_rate):
        _checks.of_type(sample_rate, (int,), "sample_rate")
        if sample_rate not in self._RATES:
            raise ValueError(f"Argument sample_rate should be 44100 or 48000, but got {sample_rate}.")
        self.sample_rate = sample_rate

    def coefficients(self):
        frequency, slope, gain = self._RATES[self.sample_rate]
        amplitude = _amplitude(gain)
        w = 2 * math.pi * frequency / self.sample_rate
        alpha = math.sin(w) / 2 * math.sqrt((amplitude + 1 / amplitude) * (1 / slope - 1) + 2)
        return _shelf(amplitude, math.cos(w), alpha, True)


class RiaaBiquad(_Biquad):
    """The playback equalisation of vinyl records.

    Args:
        sample_rate (int): 44100, 48000, 88200 or 96000.

    Raises:
        TypeError: a wrong type.
        ValueError: another rate.
    """

    _RATES = {  # zeros and poles
        44100: (-0.2014898, 0.9233820, 0.7083149, 0.9924091),
        48000: (-0.1766069, 0.9321590, 0.7396325, 0.9931330),
        88200: (-0.1168735, 0.9648312, 0.8590646, 0.9964002),
        96000: (-0.1141486, 0.9676817, 0.8699137, 0.9966946),
    }

    def __init__(self, sample_rate):
        _checks.of_type(sample_rate, (int,), "sample_rate")
        if sample_rate not in self._RATES:
            raise ValueError(f"sample_rate should be one of [44100, 48000, 88200, 96000], but got {sample_rate}.")
        self.sample_rate = sample_rate

    def coefficients(self):
        z0, z1, p0, p1 = self._RATES[self.sample_rate]
        b, a = np.array([1, -(z0 + z1), z0 * z1]), np.array([1, -(p0 + p1), p0 * p1])
        # the gain at 1 kHz becomes 1
        at = np.exp(-1j * 2 * math.pi * 1000 / self.sample_rate * np.arange(3))
        b = b / abs((b @ at) / (a @ at))
        return (*b, *a)


def _check_coefficients(values, name):
    _checks.of_type(values, (list, tuple), name)
    for i, value in enumerate(values):
        _checks.number(value, -_checks.FLOAT_MAX, _checks.FLOAT_MAX, f"{name}[{i}]")


class LFilter(AudioTensorOperation):
    """A recursive filter of any order.

    Args:
        a_coeffs (sequence): Coefficients of the output, the first not 0.
        b_coeffs (sequence): Coefficients of the input, as many.
        clamp (bool): Whether results are cut to [-1, 1]. Default: True.

    Raises:
        TypeError: a wrong type.
        ValueError: different lengths, or a number out of range.
    """

    kinds = "f"

    def __init__(self, a_coeffs, b_coeffs, clamp=True):
        _check_coefficients(a_coeffs, "a_coeffs")
        _check_coefficients(b_coeffs, "b_coeffs")
        if len(a_coeffs) != len(b_coeffs):
            raise ValueError(f"Input a_coeffs and b_coeffs must be of the same size, got {len(a_coeffs)} and {len(b_coeffs)}.")
        _checks.of_type(clamp, (bool,), "clamp")
        self.a_coeffs, self.b_coeffs, self.clamp = a_coeffs, b_coeffs, clamp

    def filtered(self, x):
        """`x` filtered."""
        if self.a_coeffs[0] == 0:
            raise RuntimeError("LFilter: invalid parameter, the first of 'a_coeffs' can not be zero.")
        return lfilter(x, np.float32(self.a_coeffs), np.float32(self.b_coeffs), self.clamp)

    def apply(self, *columns):
        return self.filtered(columns[0])


class Filtfilt(LFilter):
    """A recursive filter applied forward and backward, so that phases stay.

    Args:
        a_coeffs (sequence): Coefficients of the output, the first not 0.
        b_coeffs (sequence): Coefficients of the input, as many.
        clamp (bool): Whether results are cut to [-1, 1]. Default: True.

    Raises:
        TypeError: a wrong type.
        ValueError: different lengths, or a number out of range.
    """

    def apply(self, *columns):
        x = columns[0].astype(np.float64)
        a, b = np.float32(self.a_coeffs), np.float32(self.b_coeffs)
        forward = lfilter(x, a, b, False)
        return lfilter(forward[..., ::-1], a, b, self.clamp)[..., ::-1].astype(columns[0].dtype)
