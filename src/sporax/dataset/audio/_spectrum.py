"""Spectrograms: the short-time Fourier transform and its inverse, scales of frequency and of loudness, cepstra."""

import math

import numpy as np

from sporax.dataset.audio._operation import AudioTensorOperation, RandomAudioOperation, is_complex, to_complex, to_pairs
from sporax.dataset.audio.utils import (
    BorderType,
    MelType,
    NormMode,
    NormType,
    ScaleType,
    WindowType,
    create_dct,
    linear_fbanks,
    melscale_fbanks,
    window,
)
from sporax.dataset.transforms import _checks

_PAD = {BorderType.CONSTANT: "constant", BorderType.EDGE: "edge", BorderType.REFLECT: "reflect", BorderType.SYMMETRIC: "symmetric"}


def padded_window(kind, length, n_fft):
    """A window of `length` in the middle of `n_fft` values."""
    left = (n_fft - length) // 2
    return np.pad(window(kind, length).astype(np.float32), (left, n_fft - length - left))


def stft(name, x, n_fft, hop, values, center=True, border=BorderType.REFLECT, onesided=True):
    """The short-time Fourier transform (..., frequency, time) of x (..., time), complex128. `values` is the window."""
    if center:
        width = [(0, 0)] * (x.ndim - 1) + [(n_fft // 2, n_fft // 2)]
        x = np.pad(x, width, _PAD[border])  # pyright: ignore[reportArgumentType, reportCallIssue]
    if n_fft > x.shape[-1]:
        raise RuntimeError(f"{name}: n_fft should be more than 0 and less than {x.shape[-1]}, but got n_fft: {n_fft}.")
    frames = np.lib.stride_tricks.sliding_window_view(x, n_fft, axis=-1)[..., ::hop, :] * values.astype(np.float64)
    return np.swapaxes(np.fft.rfft(frames) if onesided else np.fft.fft(frames), -1, -2)


def istft(spectrum, n_fft, hop, values, center, length):
    """The inverse of `stft` by least squares (Griffin and Lim, 1984): (..., frequency, time) to (..., length)."""
    frames = np.fft.irfft(np.swapaxes(spectrum, -1, -2), n_fft) * values.astype(np.float64)
    n = frames.shape[-2]
    total = n_fft + hop * (n - 1)
    y, weight = np.zeros((*frames.shape[:-2], total)), np.zeros(total)
    for i in range(n):
        y[..., i * hop : i * hop + n_fft] += frames[..., i, :]
        weight[i * hop : i * hop + n_fft] += values.astype(np.float64) ** 2
    y /= np.where(weight > np.finfo(np.float32).tiny, weight, 1)
    y = y[..., n_fft // 2 if center else 0 :]
    missing = length - y.shape[-1]
    return np.pad(y, [(0, 0)] * (y.ndim - 1) + [(0, missing)]) if missing > 0 else y[..., :length]


def check_stft(n_fft, win_length, hop_length, pad=0, kind=WindowType.HANN):
    """The arguments of transforms; gives the lengths of window and step with their defaults."""
    _checks.integer(n_fft, 1, _checks.INT32_MAX, "n_fft")
    if win_length is not None:
        _checks.integer(win_length, 1, _checks.INT32_MAX, "win_length")
        if win_length > n_fft:
            raise ValueError(f"Input win_length should be no more than n_fft, but got win_length: {win_length} and n_fft: {n_fft}.")
    if hop_length is not None:
        _checks.integer(hop_length, 1, _checks.INT32_MAX, "hop_length")
    _checks.integer(pad, 0, _checks.INT32_MAX, "pad")
    _checks.of_type(kind, (WindowType,), "window")
    win_length = n_fft if win_length is None else win_length
    return win_length, win_length // 2 if hop_length is None else hop_length


class Spectrogram(AudioTensorOperation):
    """The power of frequencies over time.

    Args:
        n_fft (int): The size of the transform. Default: 400.
        win_length (int): The size of the window, at most n_fft. Default: None, n_fft.
        hop_length (int): The step between windows. Default: None, half of win_length.
        pad (int): Zeros at both ends. Default: 0.
        window (WindowType): Default: WindowType.HANN.
        power (float): The exponent of the magnitude; 0 gives complex numbers. Default: 2.0.
        normalized (bool): Whether the result is divided by the window's norm. Default: False.
        center (bool): Whether frames are centered at their time, with padding at both ends. Default: True.
        pad_mode (BorderType): How, with `center`. Default: BorderType.REFLECT.
        onesided (bool): Whether only the n_fft // 2 + 1 frequencies that aren't redundant are given. Default: True.

    Raises:
        TypeError: a wrong type.
        ValueError: a number out of range.
        RuntimeError: a sound shorter than the transform.
    """

    def __init__(
        self, n_fft=400, win_length=None, hop_length=None, pad=0, window=WindowType.HANN, power=2.0, normalized=False, center=True,
        pad_mode=BorderType.REFLECT, onesided=True,
    ):  # fmt: skip
        self.win_length, self.hop_length = check_stft(n_fft, win_length, hop_length, pad, window)
        _checks.number(power, 0, _checks.FLOAT_MAX, "power")
        for value, name in ((normalized, "normalized"), (center, "center"), (onesided, "onesided")):
            _checks.of_type(value, (bool,), name)
        _checks.of_type(pad_mode, (BorderType,), "pad_mode")
        self.n_fft, self.pad, self.window, self.power, self.normalized = n_fft, pad, window, power, normalized
        self.center, self.pad_mode, self.onesided = center, pad_mode, onesided

    def apply(self, *columns):
        x = columns[0].astype(np.float64)
        x = np.pad(x, [(0, 0)] * (x.ndim - 1) + [(self.pad, self.pad)])
        values = padded_window(self.window, self.win_length, self.n_fft)
        spectrum = stft("Spectrogram", x, self.n_fft, self.hop_length, values, self.center, self.pad_mode, self.onesided)
        if self.normalized:
            spectrum = spectrum / np.sqrt((values.astype(np.float64) ** 2).sum())
        if self.power == 0:
            return to_pairs(spectrum, columns[0].dtype)
        return (np.abs(spectrum) ** self.power).astype(columns[0].dtype)


class SpectralCentroid(AudioTensorOperation):
    """The mean frequency over time, weighted by magnitude: (..., 1, time).

    Args:
        sample_rate (int): In Hz, positive.
        n_fft, win_length, hop_length, pad, window: As of Spectrogram.

    Raises:
        TypeError: a wrong type.
        ValueError: a number out of range.
    """

    def __init__(self, sample_rate, n_fft=400, win_length=None, hop_length=None, pad=0, window=WindowType.HANN):
        _checks.integer(sample_rate, 1, _checks.INT32_MAX, "sample_rate")
        self._spectrogram = Spectrogram(n_fft, win_length, hop_length, pad, window, 1.0)
        self.sample_rate, self.n_fft = sample_rate, n_fft

    def apply(self, *columns):
        magnitude = self._spectrogram.apply(columns[0].astype(np.float64))
        frequencies = np.linspace(0, self.sample_rate // 2, self.n_fft // 2 + 1)[:, None]
        with np.errstate(invalid="ignore", divide="ignore"):
            return ((magnitude * frequencies).sum(-2, keepdims=True) / magnitude.sum(-2, keepdims=True)).astype(columns[0].dtype)


class _OnSpectrum(AudioTensorOperation):
    rank = 2
    shape_text = "<..., freq, time>"


class _OnComplex(AudioTensorOperation):
    shape_text = "<..., complex=2>"

    def prepare(self, columns):
        (array,) = super().prepare(columns)
        is_complex(type(self).__name__, array)
        return (array,)


class ComplexNorm(_OnComplex):
    """The magnitude of complex numbers to a power.

    Args:
        power (float): The exponent, not negative. Default: 1.0.

    Raises:
        TypeError: a wrong type.
        ValueError: a negative exponent.
        RuntimeError: the last dimension isn't 2.
    """

    def __init__(self, power=1.0):
        _checks.number(power, 0, _checks.FLOAT_MAX, "power")
        self.power = power

    def apply(self, *columns):
        return ((columns[0].astype(np.float64) ** 2).sum(-1) ** (0.5 * self.power)).astype(columns[0].dtype)


class Angle(_OnComplex):
    """The angle of complex numbers in radians."""

    def apply(self, *columns):
        return np.arctan2(columns[0][..., 1], columns[0][..., 0])


class Magphase(_OnComplex):
    """The magnitude to a power, and the angle, of complex numbers.

    Args:
        power (float): The exponent of the magnitude, not negative. Default: 1.0.

    Raises:
        TypeError: a wrong type.
        ValueError: a negative exponent.
        RuntimeError: the last dimension isn't 2.
    """

    def __init__(self, power=1.0):
        self._norm = ComplexNorm(power)

    def apply(self, *columns):
        return self._norm.apply(*columns), np.arctan2(columns[0][..., 1], columns[0][..., 0])


class InverseSpectrogram(_OnComplex):
    """The sound of a complex spectrogram (..., frequency, time, 2).

    Args:
        length (int): The length of the result. Default: None, (frames - 1) * hop_length.
        n_fft, win_length, hop_length, pad, window, normalized, center, pad_mode, onesided: As of Spectrogram.

    Raises:
        TypeError: a wrong type.
        ValueError: a number out of range.
        RuntimeError: another shape.
    """

    rank = 3

    def __init__(
        self, length=None, n_fft=400, win_length=None, hop_length=None, pad=0, window=WindowType.HANN, normalized=False, center=True,
        pad_mode=BorderType.REFLECT, onesided=True,
    ):  # fmt: skip
        if length is not None:
            _checks.integer(length, 0, _checks.INT32_MAX, "length")
        self._forward = Spectrogram(n_fft, win_length, hop_length, pad, window, 0.0, normalized, center, pad_mode, onesided)
        self.length = length or 0

    def apply(self, *columns):
        forward = self._forward
        spectrum = to_complex(columns[0].astype(np.float64))
        bins = forward.n_fft // 2 + 1
        if spectrum.shape[-2] != (bins if forward.onesided else forward.n_fft):
            raise RuntimeError(
                f"InverseSpectrogram: the frequency of the input should equal to n_fft / 2 + 1, got {columns[0].shape} and n_fft {forward.n_fft}"
            )
        values = padded_window(forward.window, forward.win_length, forward.n_fft)
        if forward.normalized:
            spectrum = spectrum * np.sqrt((values.astype(np.float64) ** 2).sum())
        length = self.length + 2 * forward.pad if self.length else (spectrum.shape[-1] - 1) * forward.hop_length
        y = istft(spectrum[..., :bins, :], forward.n_fft, forward.hop_length, values, forward.center, length)
        return y[..., forward.pad : length - forward.pad].astype(columns[0].dtype)


class GriffinLim(RandomAudioOperation):
    """A sound whose spectrogram has given magnitudes, by Griffin's and Lim's fast algorithm (Perraudin et al., 2013).

    Args:
        n_fft (int): The size of the transform. Default: 400.
        n_iter (int): How many steps. Default: 32.
        win_length (int): Default: None, n_fft.
        hop_length (int): Default: None, half of win_length.
        window_type (WindowType): Default: WindowType.HANN.
        power (float): The exponent that the magnitudes have. Default: 2.0.
        momentum (float): From 0 to below 1; 0 is the original algorithm. Default: 0.99.
        length (int): The length of the result. Default: None.
        rand_init (bool): Whether phases start at random. Default: True.

    Parameters drawn: the first phases, complex numbers.

    Raises:
        TypeError: a wrong type.
        ValueError: a number out of range.
    """

    rank = 2
    shape_text = "<..., freq, time>"

    def __init__(
        self,
        n_fft=400,
        n_iter=32,
        win_length=None,
        hop_length=None,
        window_type=WindowType.HANN,
        power=2.0,
        momentum=0.99,
        length=None,
        rand_init=True,
    ):
        self.win_length, self.hop_length = check_stft(n_fft, win_length, hop_length, 0, window_type)
        _checks.integer(n_iter, 1, _checks.INT32_MAX, "n_iter")
        _checks.number(power, 0, _checks.FLOAT_MAX, "power", left_open=True)
        _checks.number(momentum, 0, _checks.FLOAT_MAX, "momentum")
        if length is not None:
            _checks.integer(length, 0, _checks.INT32_MAX, "length")
        _checks.of_type(rand_init, (bool,), "rand_init")
        self.n_fft, self.n_iter, self.window_type, self.power, self.momentum = n_fft, n_iter, window_type, power, momentum
        self.length, self.rand_init = length or 0, rand_init
        self.random = rand_init

    def draw(self, rng, *columns):
        shape = columns[0].shape
        return rng.random(shape) + 1j * rng.random(shape) if self.rand_init else np.ones(shape, complex)

    def apply(self, *columns_and_parameters):
        x, angles = columns_and_parameters
        if x.shape[-2] != self.n_fft // 2 + 1:
            raise RuntimeError(f"GriffinLim: the frequency of the input should equal to n_fft / 2 + 1, got {x.shape} and n_fft {self.n_fft}")
        magnitude = x.astype(np.float64) ** (1 / self.power)
        values = padded_window(self.window_type, self.win_length, self.n_fft)
        momentum = self.momentum / (1 + self.momentum)
        length = self.length or (x.shape[-1] - 1) * self.hop_length
        before = 0.0
        for _ in range(self.n_iter):
            sound = istft(magnitude * angles, self.n_fft, self.hop_length, values, True, length)
            rebuilt = stft("GriffinLim", sound, self.n_fft, self.hop_length, values)[..., : x.shape[-1]]
            angles = rebuilt - momentum * before
            angles = angles / (np.abs(angles) + 1e-16)
            before = rebuilt
        return istft(magnitude * angles, self.n_fft, self.hop_length, values, True, length).astype(x.dtype)


def to_db(x, multiplier, ref, amin, top_db):
    """Decibels, at least `top_db` below the largest one of each (channel, frequency, time)."""
    db = multiplier * np.log10(np.maximum(x.astype(np.float64), amin)) - multiplier * math.log10(max(amin, ref))
    if top_db is not None:
        axes = tuple(range(max(-3, -db.ndim), 0))
        db = np.maximum(db, db.max(axis=axes, keepdims=True) - top_db)
    return db.astype(x.dtype)


class AmplitudeToDB(_OnSpectrum):
    """Power or magnitude to decibels.

    Args:
        stype (ScaleType): What the input is. Default: ScaleType.POWER.
        ref_value (float): What is 0 dB, positive. Default: 1.0.
        amin (float): The least value, positive. Default: 1e-10.
        top_db (float): How far below the largest value results may be. Default: 80.0.

    Raises:
        TypeError: a wrong type.
        ValueError: a number out of range.
    """

    def __init__(self, stype=ScaleType.POWER, ref_value=1.0, amin=1e-10, top_db=80.0):
        _checks.of_type(stype, (ScaleType,), "stype")
        for value, name in ((ref_value, "ref_value"), (amin, "amin"), (top_db, "top_db")):
            if name == "top_db" and value is None:
                continue
            _checks.number(value, 0, _checks.FLOAT_MAX, name, left_open=True)
        self.stype, self.ref_value, self.amin, self.top_db = stype, ref_value, amin, top_db

    def apply(self, *columns):
        return to_db(columns[0], 10.0 if self.stype == ScaleType.POWER else 20.0, self.ref_value, self.amin, self.top_db)


class DBToAmplitude(AudioTensorOperation):
    """Decibels to power or magnitude: ref * (10 ** (0.1 * x)) ** power.

    Args:
        ref (float): The factor.
        power (float): 1 gives power, 0.5 magnitude.

    Raises:
        TypeError: a wrong type.
        ValueError: a number out of range.
    """

    def __init__(self, ref, power):
        _checks.number(ref, -_checks.FLOAT_MAX, _checks.FLOAT_MAX, "ref")
        _checks.number(power, -_checks.FLOAT_MAX, _checks.FLOAT_MAX, "power")
        self.ref, self.power = ref, power

    def apply(self, *columns):
        return (self.ref * (10.0 ** (columns[0].astype(np.float64) * 0.1)) ** self.power).astype(columns[0].dtype)


def _check_mel(n_mels, sample_rate, f_min, f_max, n_stft, norm, mel_type):
    """The arguments of mel filters; gives the highest frequency with its default."""
    _checks.integer(n_mels, 1, _checks.INT32_MAX, "n_mels")
    _checks.integer(sample_rate, 1, _checks.INT32_MAX, "sample_rate")
    _checks.number(f_min, -_checks.FLOAT_MAX, _checks.FLOAT_MAX, "f_min")
    if f_max is not None:
        _checks.number(f_max, 0, _checks.FLOAT_MAX, "f_max", left_open=True)
    highest = sample_rate // 2 if f_max is None else f_max
    if f_min >= highest:
        raise ValueError(f"MelScale: f_max should be greater than f_min, got f_min: {f_min} and f_max: {highest}.")
    _checks.integer(n_stft, 1, _checks.INT32_MAX, "n_stft")
    _checks.of_type(norm, (NormType,), "norm")
    _checks.of_type(mel_type, (MelType,), "mel_type")
    return highest


class MelScale(_OnSpectrum):
    """Frequencies (..., n_stft, time) to bands of mel (..., n_mels, time).

    Args:
        n_mels (int): The number of bands. Default: 128.
        sample_rate (int): In Hz. Default: 16000.
        f_min (float): The lowest frequency. Default: 0.0.
        f_max (float): The highest. Default: None, half of the sample rate.
        n_stft (int): The number of frequencies. Default: 201.
        norm (NormType): Default: NormType.NONE.
        mel_type (MelType): Default: MelType.HTK.

    Raises:
        TypeError: a wrong type.
        ValueError: a number out of range.
        RuntimeError: another number of frequencies.
    """

    def __init__(self, n_mels=128, sample_rate=16000, f_min=0.0, f_max=None, n_stft=201, norm=NormType.NONE, mel_type=MelType.HTK):
        highest = _check_mel(n_mels, sample_rate, f_min, f_max, n_stft, norm, mel_type)
        self.n_mels, self.n_stft = n_mels, n_stft
        self._bank = melscale_fbanks(n_stft, max(f_min, 0.0), highest, n_mels, sample_rate, norm, mel_type)

    def apply(self, *columns):
        x = columns[0]
        if x.shape[-2] != self.n_stft:
            raise RuntimeError(f"MelScale: the frequency of the input should equal to n_stft {self.n_stft}, got {x.shape}")
        return (self._bank.T.astype(np.float64) @ x.astype(np.float64)).astype(x.dtype)


class InverseMelScale(RandomAudioOperation):
    """Bands of mel (..., n_mels, time) to frequencies (..., n_stft, time), by gradient descent on the squared error from a random start.

    Args:
        n_stft (int): The number of frequencies.
        n_mels (int): The number of bands. Default: 128.
        sample_rate (int): In Hz. Default: 16000.
        f_min, f_max, norm, mel_type: As of MelScale.
        max_iter (int): The most steps. Default: 100000.
        tolerance_loss (float): The loss that is small enough. Default: 1e-5.
        tolerance_change (float): The change of the loss that is small enough. Default: 1e-8.
        sgdargs (dict): "sgd_lr" and "sgd_momentum". Default: None, 0.1 and 0.9.

    Parameters drawn: the start.

    Raises:
        TypeError: a wrong type.
        ValueError: a number out of range.
        RuntimeError: another number of bands.
    """

    rank = 2
    shape_text = "<..., freq, time>"

    def __init__(
        self, n_stft, n_mels=128, sample_rate=16000, f_min=0.0, f_max=None, max_iter=100000, tolerance_loss=1e-5, tolerance_change=1e-8, sgdargs=None,
        norm=NormType.NONE, mel_type=MelType.HTK,
    ):  # fmt: skip
        highest = _check_mel(n_mels, sample_rate, f_min, f_max, n_stft, norm, mel_type)
        _checks.integer(max_iter, 1, _checks.INT32_MAX, "max_iter")
        _checks.number(tolerance_loss, 0, _checks.FLOAT_MAX, "tolerance_loss", left_open=True)
        _checks.number(tolerance_change, 0, _checks.FLOAT_MAX, "tolerance_change", left_open=True)
        options = {"sgd_lr": 0.1, "sgd_momentum": 0.9}
        if sgdargs is not None:
            _checks.of_type(sgdargs, (dict,), "sgdargs")
            options |= sgdargs
        _checks.number(options["sgd_lr"], 0, _checks.FLOAT_MAX, "sgd_lr", left_open=True)
        _checks.number(options["sgd_momentum"], 0, _checks.FLOAT_MAX, "sgd_momentum")
        self.n_stft, self.n_mels, self.max_iter, self.tolerance_loss, self.tolerance_change = (
            n_stft,
            n_mels,
            max_iter,
            tolerance_loss,
            tolerance_change,
        )
        self.sgdargs = options
        self._bank = melscale_fbanks(n_stft, max(f_min, 0.0), highest, n_mels, sample_rate, norm, mel_type).astype(np.float64)

    def draw(self, rng, *columns):
        x = columns[0]
        return rng.random((*x.shape[:-2], self.n_stft, x.shape[-1]))

    def apply(self, *columns_and_parameters):
        x, start = columns_and_parameters
        if x.shape[-2] != self.n_mels:
            raise RuntimeError(f"InverseMelScale: the frequency of the input should equal to n_mels {self.n_mels}, got {x.shape}")
        target, guess = x.astype(np.float64), start.copy()
        speed, before = np.zeros_like(guess), math.inf
        for _ in range(self.max_iter):
            error = self._bank.T @ guess - target
            loss = float((error**2).sum(-2).mean())
            # the derivative of that loss
            gradient = self._bank @ error * (2 / (error.size / error.shape[-2]))
            speed = self.sgdargs["sgd_momentum"] * speed + gradient
            guess = np.maximum(guess - self.sgdargs["sgd_lr"] * speed, 0.0)
            if loss < self.tolerance_loss or abs(before - loss) < self.tolerance_change:
                break
            before = loss
        return guess.astype(x.dtype)


class MelSpectrogram(AudioTensorOperation):
    """A spectrogram in bands of mel.

    Args:
        sample_rate (int): In Hz. Default: 16000.
        n_fft, win_length, hop_length, pad, window, power, normalized, center, pad_mode, onesided: As of Spectrogram.
        f_min, f_max, n_mels, norm: As of MelScale.
        mel_scale (MelType): Default: MelType.HTK.

    Raises:
        TypeError: a wrong type.
        ValueError: a number out of range.
    """

    def __init__(
        self, sample_rate=16000, n_fft=400, win_length=None, hop_length=None, f_min=0.0, f_max=None, pad=0, n_mels=128, window=WindowType.HANN, power=2.0,
        normalized=False, center=True, pad_mode=BorderType.REFLECT, onesided=True, norm=NormType.NONE, mel_scale=MelType.HTK,
    ):  # fmt: skip
        if power == 0:
            raise ValueError("Input power is not within the required interval of (0, 16777216], got 0: a mel spectrogram has no phases.")
        self._spectrogram = Spectrogram(n_fft, win_length, hop_length, pad, window, power, normalized, center, pad_mode, onesided)
        self._mel = MelScale(n_mels, sample_rate, f_min, f_max, n_fft // 2 + 1 if onesided else n_fft, norm, mel_scale)

    def apply(self, *columns):
        return self._mel.apply(self._spectrogram.apply(columns[0].astype(np.float64))).astype(columns[0].dtype)


def _cepstrum(bands, count, norm, logarithm, dtype):
    """The first coefficients of the cosine transform of loudness, along the bands."""
    loud = np.log(bands + 1e-6) if logarithm else to_db(bands, 10.0, 1.0, 1e-10, 80.0)
    dct = create_dct(count, bands.shape[-2], norm).astype(np.float64)
    return (dct.T @ loud).astype(dtype)


def _check_cepstrum(count, dct_type, norm, logarithm, options, names):
    _checks.integer(count, 1, _checks.INT32_MAX, names[0])
    _checks.of_type(dct_type, (int,), "dct_type")
    if dct_type != 2:
        raise ValueError(f"dct_type must be 2, but got : {dct_type}.")
    _checks.of_type(norm, (NormMode,), "norm")
    _checks.of_type(logarithm, (bool,), names[1])
    if options is not None:
        _checks.of_type(options, (dict,), names[2])


class MFCC(AudioTensorOperation):
    """Mel-frequency cepstral coefficients.

    Args:
        sample_rate (int): In Hz. Default: 16000.
        n_mfcc (int): The number of coefficients. Default: 40.
        dct_type (int): 2. Default: 2.
        norm (NormMode): Default: NormMode.ORTHO.
        log_mels (bool): Whether loudness is a logarithm and not in decibels. Default: False.
        melkwargs (dict): Arguments of MelSpectrogram. Default: None.

    Raises:
        TypeError: a wrong type.
        ValueError: a number out of range.
    """

    def __init__(self, sample_rate=16000, n_mfcc=40, dct_type=2, norm=NormMode.ORTHO, log_mels=False, melkwargs=None):
        _check_cepstrum(n_mfcc, dct_type, norm, log_mels, melkwargs, ("n_mfcc", "log_mels", "melkwargs"))
        options = dict(melkwargs or {})
        self.n_mfcc, self.norm, self.log_mels = n_mfcc, norm, log_mels
        self._mel = MelSpectrogram(sample_rate, **options)

    def apply(self, *columns):
        return _cepstrum(self._mel.apply(columns[0].astype(np.float64)), self.n_mfcc, self.norm, self.log_mels, columns[0].dtype)


class LFCC(AudioTensorOperation):
    """Linear-frequency cepstral coefficients.

    Args:
        sample_rate (int): In Hz. Default: 16000.
        n_filter (int): The number of bands. Default: 128.
        n_lfcc (int): The number of coefficients. Default: 40.
        f_min (float): The lowest frequency. Default: 0.0.
        f_max (float): The highest. Default: None, half of the sample rate.
        dct_type (int): 2. Default: 2.
        norm (NormMode): Default: NormMode.ORTHO.
        log_lf (bool): Whether loudness is a logarithm and not in decibels. Default: False.
        speckwargs (dict): Arguments of Spectrogram. Default: None.

    Raises:
        TypeError: a wrong type.
        ValueError: a number out of range.
    """

    def __init__(
        self, sample_rate=16000, n_filter=128, n_lfcc=40, f_min=0.0, f_max=None, dct_type=2, norm=NormMode.ORTHO, log_lf=False, speckwargs=None
    ):
        _check_cepstrum(n_lfcc, dct_type, norm, log_lf, speckwargs, ("n_lfcc", "log_lf", "speckwargs"))
        highest = _check_mel(n_filter, sample_rate, f_min, f_max, 1, NormType.NONE, MelType.HTK)
        options = dict(speckwargs or {})
        n_fft = options.get("n_fft", 400)
        self._spectrogram = Spectrogram(**options)
        bins = n_fft // 2 + 1 if options.get("onesided", True) else n_fft
        self._bank = linear_fbanks(bins, max(f_min, 0.0), highest, n_filter, sample_rate).astype(np.float64)
        self.n_lfcc, self.norm, self.log_lf = n_lfcc, norm, log_lf

    def apply(self, *columns):
        bands = self._bank.T @ self._spectrogram.apply(columns[0].astype(np.float64))
        return _cepstrum(bands, self.n_lfcc, self.norm, self.log_lf, columns[0].dtype)
