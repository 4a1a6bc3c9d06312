"""Effects on samples: gain, fades, distortion, modulated delays, quantisation."""

import math

import numpy as np

from sporax.dataset.audio._filters import lfilter
from sporax.dataset.audio._operation import AudioTensorOperation, RandomAudioOperation, check_finite, check_rate
from sporax.dataset.audio.utils import DensityFunction, FadeShape, GainType, Interpolation, Modulation
from sporax.dataset.transforms import _checks


class Gain(AudioTensorOperation):
    """Amplify.

    Args:
        gain_db (float): In dB. Default: 1.0.

    Raises:
        TypeError: a wrong type.
        ValueError: a number out of range.
    """

    def __init__(self, gain_db=1.0):
        check_finite(gain_db, "gain_db")
        self.gain_db = gain_db

    def apply(self, *columns):
        return columns[0] if self.gain_db == 0 else columns[0] * columns[0].dtype.type(10 ** (self.gain_db / 20))


class Vol(AudioTensorOperation):
    """Change the volume, and cut to [-1, 1].

    Args:
        gain (float): The gain; positive for amplitude, above 0 for power.
        gain_type (GainType): AMPLITUDE, POWER or DB. Default: GainType.AMPLITUDE.

    Raises:
        TypeError: a wrong type.
        ValueError: a gain that makes no sense.
    """

    def __init__(self, gain, gain_type=GainType.AMPLITUDE):
        _checks.of_type(gain_type, (GainType,), "gain_type")
        check_finite(gain, "gain")
        if gain_type == GainType.AMPLITUDE and gain < 0:
            raise ValueError(f"Input gain is not within the required interval of [0, 16777216], got {gain}.")
        if gain_type == GainType.POWER and gain <= 0:
            raise ValueError(f"Input gain is not within the required interval of (0, 16777216], got {gain}.")
        self.gain, self.gain_type = gain, gain_type

    def apply(self, *columns):
        factor = {GainType.AMPLITUDE: lambda g: g, GainType.POWER: math.sqrt, GainType.DB: lambda g: 10 ** (g / 20)}[self.gain_type](self.gain)
        return np.clip(columns[0] * columns[0].dtype.type(factor), -1, 1)


class Contrast(AudioTensorOperation):
    """Make a sound louder without changing its range, as SoX's contrast does.

    Args:
        enhancement_amount (float): From 0 to 100. Default: 75.0.

    Raises:
        TypeError: a wrong type.
        ValueError: a number out of range.
    """

    def __init__(self, enhancement_amount=75.0):
        _checks.number(enhancement_amount, 0, 100, "enhancement_amount")
        self.enhancement_amount = enhancement_amount

    def apply(self, *columns):
        angle = columns[0] * (math.pi / 2)
        return np.sin(angle + self.enhancement_amount / 750 * np.sin(angle * 4)).astype(columns[0].dtype)


class DCShift(AudioTensorOperation):
    """Add a constant, with a limiter.

    Args:
        shift (float): The constant, from -2 to 2.
        limiter_gain (float): Applied to what would be cut. Default: None, the shift.

    Raises:
        TypeError: a wrong type.
        ValueError: a number out of range.
    """

    def __init__(self, shift, limiter_gain=None):
        _checks.number(shift, -2.0, 2.0, "shift")
        if limiter_gain is not None:
            check_finite(limiter_gain, "limiter_gain")
        self.shift, self.limiter_gain = shift, limiter_gain or shift

    def apply(self, *columns):
        x, shift, gain = columns[0].astype(np.float64), float(np.float32(self.shift)), float(np.float32(self.limiter_gain))
        threshold = 1.0 - (abs(shift) - gain)
        sign = 1 if shift > 0 else -1
        shifted = np.clip(x + shift, -1, 1)
        if shift and shift != gain:
            with np.errstate(divide="ignore", invalid="ignore"):
                limited = sign * np.minimum((sign * x - threshold) * gain / (1 - threshold) + threshold + sign * shift, threshold)
            shifted = np.where(sign * x > threshold, limited, shifted)
        return shifted.astype(columns[0].dtype)


class Overdrive(AudioTensorOperation):
    """Distort softly, as SoX's overdrive does.

    Args:
        gain (float): In dB, from 0 to 100. Default: 20.0.
        color (float): How much even harmonics there are, from 0 to 100. Default: 20.0.

    Raises:
        TypeError: a wrong type.
        ValueError: a number out of range.
    """

    def __init__(self, gain=20.0, color=20.0):
        _checks.number(gain, 0, 100, "gain")
        _checks.number(color, 0, 100, "color")
        self.gain, self.color = gain, color

    def apply(self, *columns):
        x = columns[0].astype(np.float64)
        t = x * math.exp(self.gain * math.log(10) / 20) + self.color / 200
        t = np.where(t < -1, -2 / 3, np.where(t > 1, 2 / 3, t - t**3 / 3))
        return np.clip(x * 0.5 + lfilter(t, (1, -0.995), (1, -1), False) * 0.75, -1, 1).astype(columns[0].dtype)


def _curve(shape, t, out):
    """The factors of a fade at t from 0 to 1; fading out is not always fading in backwards."""
    if shape == FadeShape.LINEAR:
        return 1 - t if out else t
    if shape == FadeShape.EXPONENTIAL:
        return 2.0**-t * (1 - t) if out else 2.0 ** (t - 1) * t
    if shape == FadeShape.LOGARITHMIC:
        return np.log10((1.1 - t) if out else (0.1 + t)) + 1
    if shape == FadeShape.QUARTER_SINE:
        return np.sin(t * math.pi / 2 + (math.pi / 2 if out else 0))
    return np.sin(t * math.pi + (math.pi / 2 if out else -math.pi / 2)) / 2 + 0.5


class Fade(AudioTensorOperation):
    """Fade in and out.

    Args:
        fade_in_len (int): The number of samples that fade in. Default: 0.
        fade_out_len (int): The number of samples that fade out. Default: 0.
        fade_shape (FadeShape): Default: FadeShape.LINEAR.

    Raises:
        TypeError: a wrong type.
        ValueError: a negative number.
        RuntimeError: a fade that is longer than the sound.
    """

    def __init__(self, fade_in_len=0, fade_out_len=0, fade_shape=FadeShape.LINEAR):
        _checks.integer(fade_in_len, 0, _checks.INT32_MAX, "fade_in_len")
        _checks.integer(fade_out_len, 0, _checks.INT32_MAX, "fade_out_len")
        _checks.of_type(fade_shape, (FadeShape,), "fade_shape")
        self.fade_in_len, self.fade_out_len, self.fade_shape = fade_in_len, fade_out_len, fade_shape

    def apply(self, *columns):
        x = columns[0].copy()
        n = x.shape[-1]
        for name, length in (("fade_in_len", self.fade_in_len), ("fade_out_len", self.fade_out_len)):
            if length > n:
                raise RuntimeError(f"Fade: invalid parameter, '{name}' should be no greater than 'length of waveform', but got: {length} and {n}.")
        if self.fade_in_len:
            x[..., : self.fade_in_len] *= _curve(self.fade_shape, np.linspace(0, 1, self.fade_in_len), False).astype(x.dtype)
        if self.fade_out_len:
            x[..., n - self.fade_out_len :] *= _curve(self.fade_shape, np.linspace(0, 1, self.fade_out_len), True).astype(x.dtype)
        return x


def _wave(modulation, size, low, high, phase, whole):
    """One period of a wave from `low` to `high`, of `size` samples."""
    at = (np.arange(size) + int(phase / math.pi / 2 * size + 0.5)) % size
    if modulation == Modulation.SINUSOIDAL:
        values = (np.sin(at * math.pi / size * 2) + 1) / 2
    else:
        values = at * 2.0 / size
        quarter = 4 * at // size
        values = np.where(quarter == 0, values + 0.5, np.where(quarter == 3, values - 1.5, 1.5 - values))
    values = (values * (high - low) + low).astype(np.float32)
    return np.trunc(values + np.where(values < 0, -0.5, 0.5).astype(np.float32)).astype(np.int64) if whole else values


class Phaser(AudioTensorOperation):
    """Add a copy of the sound whose delay changes periodically, as SoX's phaser does.

    Args:
        sample_rate (int): In Hz, positive.
        gain_in (float): From 0 to 1. Default: 0.4.
        gain_out (float): From 0 to 1e9. Default: 0.74.
        delay_ms (float): The longest delay, from 0 to 5 ms. Default: 3.0.
        decay (float): From 0 to 0.99. Default: 0.4.
        mod_speed (float): From 0.1 to 2 Hz. Default: 0.5.
        sinusoidal (bool): Whether the delay follows a sine and not a triangle. Default: True.

    Raises:
        TypeError: a wrong type.
        ValueError: a number out of range.
    """

    def __init__(self, sample_rate, gain_in=0.4, gain_out=0.74, delay_ms=3.0, decay=0.4, mod_speed=0.5, sinusoidal=True):
        _checks.integer(sample_rate, 1, _checks.INT32_MAX, "sample_rate")
        _checks.number(gain_in, 0, 1, "gain_in")
        _checks.number(gain_out, 0, 1e9, "gain_out")
        _checks.number(delay_ms, 0, 5.0, "delay_ms")
        _checks.number(decay, 0, 0.99, "decay")
        _checks.number(mod_speed, 0.1, 2, "mod_speed")
        _checks.of_type(sinusoidal, (bool,), "sinusoidal")
        self.sample_rate, self.gain_in, self.gain_out, self.delay_ms = sample_rate, gain_in, gain_out, delay_ms
        self.decay, self.mod_speed, self.sinusoidal = decay, mod_speed, sinusoidal

    def apply(self, *columns):
        x = columns[0].reshape(-1, columns[0].shape[-1]).astype(np.float64)
        size = int(self.delay_ms * 0.001 * self.sample_rate + 0.5)
        period = int(self.sample_rate / self.mod_speed + 0.5)
        kind = Modulation.SINUSOIDAL if self.sinusoidal else Modulation.TRIANGULAR
        delays = _wave(kind, period, 1.0, float(size), math.pi / 2, True)
        y, buffer, at = np.empty_like(x), np.zeros((len(x), max(size, 1))), 0
        for i in range(x.shape[1]):
            read = (int(delays[i % period]) + at) % max(size, 1)
            at = (at + 1) % max(size, 1)
            y[:, i] = x[:, i] * self.gain_in + buffer[:, read]
            buffer[:, at] = y[:, i] * self.decay
        return np.clip(y * self.gain_out, -1, 1).astype(columns[0].dtype).reshape(columns[0].shape)


class Flanger(AudioTensorOperation):
    """Mix the sound with a copy whose delay changes periodically, as SoX's flanger does.

    Args:
        sample_rate (int): In Hz, not 0.
        delay (float): From 0 to 30 ms. Default: 0.0.
        depth (float): How much the delay changes, from 0 to 10 ms. Default: 2.0.
        regen (float): Feedback, from -95 to 95 %. Default: 0.0.
        width (float): The part of the copy, from 0 to 100 %. Default: 71.0.
        speed (float): From 0.1 to 10 Hz. Default: 0.5.
        phase (float): The shift between channels, from 0 to 100 %. Default: 25.0.
        modulation (Modulation): Default: Modulation.SINUSOIDAL.
        interpolation (Interpolation): Default: Interpolation.LINEAR.

    Inputs:
        (..., channel, time), at most four channels.

    Raises:
        TypeError: a wrong type.
        ValueError: a number out of range.
        RuntimeError: too few dimensions, or too many channels.
    """

    rank = 2
    shape_text = "<..., channel, time>"

    def __init__(
        self, sample_rate, delay=0.0, depth=2.0, regen=0.0, width=71.0, speed=0.5, phase=25.0,
        modulation=Modulation.SINUSOIDAL, interpolation=Interpolation.LINEAR,
    ):  # fmt: skip
        check_rate(sample_rate)
        for value, low, high, name in (
            (delay, 0, 30, "delay"), (depth, 0, 10, "depth"), (regen, -95, 95, "regen"), (width, 0, 100, "width"), (speed, 0.1, 10, "speed"), (phase, 0, 100, "phase"),
        ):  # fmt: skip
            _checks.number(value, low, high, name)
        _checks.of_type(modulation, (Modulation,), "modulation")
        _checks.of_type(interpolation, (Interpolation,), "interpolation")
        self.sample_rate, self.delay, self.depth, self.regen, self.width = sample_rate, delay, depth, regen, width
        self.speed, self.phase, self.modulation, self.interpolation = speed, phase, modulation, interpolation

    def apply(self, *columns):
        channels, n = columns[0].shape[-2:]
        if channels > 4:
            raise RuntimeError(f"Flanger: the number of channels should be at most 4, but got {channels}")
        x = columns[0].reshape(-1, channels, n).astype(np.float64)
        feedback, share = self.regen / 100, self.width / 100
        least, most = self.delay / 1000, self.depth / 1000
        gain_in = 1 / (1 + share)
        gain_delay = share / (1 + share) * (1 - abs(feedback))
        size = int((least + most) * self.sample_rate + 0.5) + 2
        period = int(self.sample_rate / self.speed)
        wave = _wave(self.modulation, period, math.floor(least * self.sample_rate + 0.5), size - 2.0, 3 * math.pi / 2, False)
        shifts = (np.arange(channels) * period * self.phase / 100 + 0.5).astype(int)
        buffer, last, y, rows = np.zeros((len(x), channels, size)), np.zeros((len(x), channels)), np.empty_like(x), np.arange(channels)
        at = 0
        for i in range(n):
            at = (at + size - 1) % size
            delay = wave[(i + shifts) % period].astype(np.float64)
            whole = np.floor(delay).astype(int)
            part = delay - whole
            buffer[:, :, at] = x[:, :, i] + last * feedback
            d0, d1 = (buffer[:, rows, (at + whole + k) % size] for k in (0, 1))
            if self.interpolation == Interpolation.LINEAR:
                last = d0 + (d1 - d0) * part
            else:
                d2 = buffer[:, rows, (at + whole + 2) % size] - d0
                d1 = d1 - d0
                last = d0 + ((d2 * 0.5 - d1) * part + (d1 * 2 - d2 * 0.5)) * part
            y[:, :, i] = x[:, :, i] * gain_in + last * gain_delay
        return np.clip(y, -1, 1).astype(columns[0].dtype).reshape(columns[0].shape)


class MuLawEncoding(AudioTensorOperation):
    """Quantise by the mu-law.

    Args:
        quantization_channels (int): The number of levels. Default: 256.

    Returns:
        int32 from 0 to quantization_channels - 1, for inputs from -1 to 1.

    Raises:
        TypeError: a wrong type.
        ValueError: the number is not positive.
    """

    def __init__(self, quantization_channels=256):
        _checks.integer(quantization_channels, 1, _checks.INT32_MAX, "quantization_channels")
        self.quantization_channels = quantization_channels

    def apply(self, *columns):
        # in the input's precision: near zero the last bit decides
        x = columns[0]
        mu = x.dtype.type(self.quantization_channels - 1)
        return ((np.sign(x) * np.log1p(mu * np.abs(x)) / np.log1p(mu) + 1) / 2 * mu + 0.5).astype(np.int32)


class MuLawDecoding(AudioTensorOperation):
    """Undo MuLawEncoding.

    Args:
        quantization_channels (int): The number of levels. Default: 256.

    Raises:
        TypeError: a wrong type.
        ValueError: the number is not positive.
    """

    def __init__(self, quantization_channels=256):
        _checks.integer(quantization_channels, 1, _checks.INT32_MAX, "quantization_channels")
        self.quantization_channels = quantization_channels

    def apply(self, *columns):
        mu = self.quantization_channels - 1.0
        if mu == 0:
            raise RuntimeError("MuLawDecoding: invalid parameter, quantization_channels can not be one.")
        x = columns[0].astype(np.float64) / mu * 2 - 1
        return (np.sign(x) * np.expm1(np.abs(x) * np.log1p(mu)) / mu).astype(columns[0].dtype)


class Dither(RandomAudioOperation):
    """Quantise to 16 bits with noise, so that the error doesn't follow the sound.

    Args:
        density_function (DensityFunction): How the noise is distributed. Default: DensityFunction.TPDF.
        noise_shaping (bool): Whether the error of a sample is added to the next one. Default: False.

    Parameters drawn: for RPDF a random sample of the sound, for GPDF the sum of seven, for TPDF nothing: the noise is a triangular window.

    Raises:
        TypeError: a wrong type.
    """

    def __init__(self, density_function=DensityFunction.TPDF, noise_shaping=False):
        _checks.of_type(density_function, (DensityFunction,), "density_function")
        _checks.of_type(noise_shaping, (bool,), "noise_shaping")
        self.density_function, self.noise_shaping = density_function, noise_shaping
        self.random = density_function != DensityFunction.TPDF

    def draw(self, rng, *columns):
        x = columns[0].reshape(-1, columns[0].shape[-1])
        if self.density_function == DensityFunction.RPDF:
            return float(x[rng.integers(len(x)), rng.integers(x.shape[1])])
        if self.density_function == DensityFunction.GPDF:
            return float(sum(x[rng.integers(len(x)), rng.integers(x.shape[1])] for _ in range(7)))
        return None

    def apply(self, *columns_and_parameters):
        x, noise = columns_and_parameters
        n = x.shape[-1]
        added = (1 - np.abs(2.0 * np.arange(n) / n - 1)) if noise is None else noise
        y = (np.round(x * x.dtype.type(32766) + np.asarray(added, x.dtype)) / x.dtype.type(32768)).astype(x.dtype)
        if self.noise_shaping:
            error = y - x
            y[..., 1:] += error[..., :-1]
        return y.astype(x.dtype)
