"""Operations along time: masks, differences, sliding means, other rates, stretching and shifting, pitch."""

import math

import numpy as np

from sporax.dataset.audio._operation import AudioTensorOperation, RandomAudioOperation, check_finite, check_rate, is_complex, to_complex, to_pairs
from sporax.dataset.audio._spectrum import istft, padded_window, stft
from sporax.dataset.audio.utils import BorderType, ResampleMethod, WindowType
from sporax.dataset.transforms import _checks


def mask(name, x, start, width, value, axis):
    """x (..., frequency, time) with a strip set to `value`; axis 1 is frequency, 2 is time."""
    size = x.shape[axis - 3]
    if not 0 <= start <= size:
        raise RuntimeError(
            f"{name}: invalid parameter, 'mask_start' should be less than the length of the masked dimension, but got: {start} and length {size}"
        )
    if start + width > size:
        raise RuntimeError(
            f"{name}: invalid parameter, the sum of 'mask_start' and 'mask_width' should be no more than the length of the masked dimension, but got: "
            f"'mask_start' {start}, 'mask_width' {width} and length {size}"
        )
    x = x.copy()
    strip = slice(start, start + width)
    x[(..., strip, slice(None)) if axis == 1 else (..., strip)] = value
    return x


class MaskAlongAxis(AudioTensorOperation):
    """Set a strip of a spectrogram to a value.

    Args:
        mask_start (int): Where it starts.
        mask_width (int): How wide it is, positive.
        mask_value (float): The value.
        axis (int): 1 for frequencies, 2 for times.

    Raises:
        TypeError: a wrong type.
        ValueError: a number out of range.
        RuntimeError: the strip leaves the spectrogram.
    """

    rank = 2
    shape_text = "<..., freq, time>"

    def __init__(self, mask_start, mask_width, mask_value, axis):
        _checks.integer(mask_start, 0, _checks.INT32_MAX, "mask_start")
        _checks.integer(mask_width, 1, _checks.INT32_MAX, "mask_width")
        check_finite(mask_value, "mask_value")
        _checks.integer(axis, 1, 2, "axis")
        self.mask_start, self.mask_width, self.mask_value, self.axis = mask_start, mask_width, mask_value, axis

    def apply(self, *columns):
        return mask("MaskAlongAxis", columns[0], self.mask_start, self.mask_width, self.mask_value, self.axis)


class MaskAlongAxisIID(RandomAudioOperation):
    """Set a random strip of a spectrogram to a value.

    Args:
        mask_param (int): The largest width; the width is uniform from 0 to it.
        mask_value (float): The value.
        axis (int): 1 for frequencies, 2 for times.

    Parameters drawn: (start, width).

    Raises:
        TypeError: a wrong type.
        ValueError: a number out of range.
        RuntimeError: `mask_param` is larger than the spectrogram.
    """

    rank = 2
    shape_text = "<..., freq, time>"

    def __init__(self, mask_param, mask_value, axis):
        _checks.integer(mask_param, 0, _checks.INT32_MAX, "mask_param")
        check_finite(mask_value, "mask_value")
        _checks.integer(axis, 1, 2, "axis")
        self.mask_param, self.mask_value, self.axis = mask_param, mask_value, axis

    def draw(self, rng, *columns):
        size = columns[0].shape[self.axis - 3]
        if self.mask_param > size:
            raise RuntimeError(
                f"{type(self).__name__}: mask_param should be less than or equal to the length of the masked dimension, got {self.mask_param} and {size}."
            )
        width = int(rng.integers(0, self.mask_param, endpoint=True))
        return int(rng.integers(0, size - width, endpoint=True)), width

    def apply(self, *columns_and_parameters):
        x, (start, width) = columns_and_parameters
        return mask(type(self).__name__, x, start, width, self.mask_value, self.axis)


class FrequencyMasking(MaskAlongAxisIID):
    """Set a strip of frequencies to a value (Park et al., 2019).

    Args:
        iid_masks (bool): Whether the strip is random, and not given by `mask_start`. Default: False.
        freq_mask_param (int): The width, or with `iid_masks` the largest one. Default: 0.
        mask_start (int): Where it starts, without `iid_masks`. Default: 0.
        mask_value (float): The value, not negative. Default: 0.0.

    Parameters drawn: (start, width).

    Raises:
        TypeError: a wrong type.
        ValueError: a negative number.
        RuntimeError: the strip leaves the spectrogram.
    """

    def __init__(self, iid_masks=False, freq_mask_param=0, mask_start=0, mask_value=0.0):
        self._masking(iid_masks, freq_mask_param, mask_start, mask_value, 1)

    def _masking(self, iid_masks, param, start, value, axis):
        _checks.of_type(iid_masks, (bool,), "iid_masks")
        _checks.integer(param, 0, _checks.FLOAT_MAX, "mask_param")
        _checks.integer(start, 0, _checks.FLOAT_MAX, "mask_start")
        _checks.number(value, 0, _checks.FLOAT_MAX, "mask_value")
        self.iid_masks, self.mask_param, self.mask_start, self.mask_value, self.axis = iid_masks, param, start, value, axis
        self.random = iid_masks

    def draw(self, rng, *columns):
        drawn = super().draw(rng, *columns)
        return drawn if self.iid_masks else (self.mask_start, self.mask_param)


class TimeMasking(FrequencyMasking):
    """Set a strip of times to a value (Park et al., 2019).

    Args:
        iid_masks (bool): Whether the strip is random, and not given by `mask_start`. Default: False.
        time_mask_param (int): The width, or with `iid_masks` the largest one. Default: 0.
        mask_start (int): Where it starts, without `iid_masks`. Default: 0.
        mask_value (float): The value, not negative. Default: 0.0.

    Parameters drawn: (start, width).

    Raises:
        TypeError: a wrong type.
        ValueError: a negative number.
        RuntimeError: the strip leaves the spectrogram.
    """

    def __init__(self, iid_masks=False, time_mask_param=0, mask_start=0, mask_value=0.0):
        self._masking(iid_masks, time_mask_param, mask_start, mask_value, 2)


class ComputeDeltas(AudioTensorOperation):
    """The slope of each frequency over time, by least squares in a window.

    Args:
        win_length (int): The size of the window, at least 3. Default: 5.
        pad_mode (BorderType): What lies beyond the ends. Default: BorderType.EDGE.

    Raises:
        TypeError: a wrong type.
        ValueError: a window that is too small.
    """

    rank = 2
    shape_text = "<..., freq, time>"

    def __init__(self, win_length=5, pad_mode=BorderType.EDGE):
        _checks.of_type(pad_mode, (BorderType,), "pad_mode")
        _checks.integer(win_length, 3, _checks.INT32_MAX, "win_length")
        self.win_length, self.pad_mode = win_length, pad_mode

    def apply(self, *columns):
        x = columns[0].astype(np.float64)
        n = (self.win_length - 1) // 2
        padded = np.pad(x, [(0, 0)] * (x.ndim - 1) + [(n, n)], self.pad_mode.value)  # pyright: ignore[reportArgumentType, reportCallIssue]
        windows = np.lib.stride_tricks.sliding_window_view(padded, 2 * n + 1, axis=-1)
        return (windows @ np.arange(-n, n + 1.0) / (n * (n + 1) * (2 * n + 1) / 3)).astype(columns[0].dtype)


class SlidingWindowCmn(AudioTensorOperation):
    """Subtract the mean of a window, and divide by its standard deviation, for (..., frame, feature).

    Args:
        cmn_window (int): The size of the window. Default: 600.
        min_cmn_window (int): The least size at the start, without `center`. Default: 100.
        center (bool): Whether the window lies around the frame, and not before it. Default: False.
        norm_vars (bool): Whether to divide by the standard deviation. Default: False.

    Raises:
        TypeError: a wrong type.
        ValueError: a negative number.
    """

    rank = 2
    shape_text = "<..., freq, time>"

    def __init__(self, cmn_window=600, min_cmn_window=100, center=False, norm_vars=False):
        _checks.integer(cmn_window, 0, _checks.INT32_MAX, "cmn_window")
        _checks.integer(min_cmn_window, 0, _checks.INT32_MAX, "min_cmn_window")
        _checks.of_type(center, (bool,), "center")
        _checks.of_type(norm_vars, (bool,), "norm_vars")
        self.cmn_window, self.min_cmn_window, self.center, self.norm_vars = cmn_window, min_cmn_window, center, norm_vars

    def bounds(self, i, frames):
        """The window of frame i."""
        if self.center:
            start = i - self.cmn_window // 2
            end = start + self.cmn_window
        else:
            start, end = i - self.cmn_window, i + 1
        if start < 0:
            start, end = 0, end - start
        if not self.center and end > i:
            end = max(i + 1, self.min_cmn_window)
        if end > frames:
            start, end = max(0, start - (end - frames)), frames
        return start, end

    def apply(self, *columns):
        x = columns[0].astype(np.float64)
        frames = x.shape[-2]
        zero = np.zeros((*x.shape[:-2], 1, x.shape[-1]))
        sums, squares = (np.concatenate([zero, np.cumsum(v, -2)], -2) for v in (x, x * x))
        start, end = np.array([self.bounds(i, frames) for i in range(frames)]).T
        n = (end - start)[:, None]
        with np.errstate(divide="ignore", invalid="ignore"):
            mean = (sums[..., end, :] - sums[..., start, :]) / n
            y = x - mean
            if self.norm_vars:
                y = np.where(n == 1, 0.0, y / np.sqrt((squares[..., end, :] - squares[..., start, :]) / n - mean**2))
        return y.astype(columns[0].dtype)


def resampled(x, orig, new, method=ResampleMethod.SINC_INTERPOLATION, width=6, rolloff=0.99, beta=14.769656459379492):
    """x (..., time) at another rate, by windowed sinc interpolation (Smith, 1984)."""
    common = math.gcd(int(orig), int(new))
    orig, new = int(orig) // common, int(new) // common
    base = min(orig, new) * rolloff
    reach = math.ceil(width * orig / base)
    n = x.shape[-1]
    length = math.ceil(new * n / orig)
    # the places repeat with a period of `new` results; each result needs the inputs around its place
    places = np.arange(min(new, length))
    first = places * orig // new - reach
    t = (first[:, None] + np.arange(2 * reach + 2)) / orig - places[:, None] / new
    t = np.clip(t * base, -width, width)
    if method == ResampleMethod.SINC_INTERPOLATION:
        values = np.cos(t * math.pi / width / 2) ** 2
    else:
        values = np.i0(beta * np.sqrt(np.maximum(1 - (t / width) ** 2, 0))) / np.i0(beta)
    kernel = np.where(np.abs(t) < width, np.sinc(t) * values * base / orig, 0.0)
    periods = np.arange(math.ceil(length / len(places))) * orig
    after = int(periods[-1] + first[-1]) + 2 * reach + 2 - n
    padded = np.pad(x.astype(np.float64), [(0, 0)] * (x.ndim - 1) + [(reach, max(after, 0))])
    at = periods[:, None] + first + reach
    y = np.zeros((*x.shape[:-1], *at.shape))
    for k in range(kernel.shape[1]):
        y += padded[..., at + k] * kernel[:, k]
    return y.reshape(*x.shape[:-1], -1)[..., :length]


class Resample(AudioTensorOperation):
    """Change the sample rate.

    Args:
        orig_freq (float): The rate (Hz). Default: 16000.
        new_freq (float): The new rate. Default: 16000.
        resample_method (ResampleMethod): Default: ResampleMethod.SINC_INTERPOLATION.
        lowpass_filter_width (int): How sharp the filter is. Default: 6.
        rolloff (float): Its cutoff over half of the lower rate, above 0 up to 1. Default: 0.99.
        beta (float): Of Kaiser's window. Default: None, 14.769656459379492.

    Raises:
        TypeError: a wrong type.
        ValueError: a number out of range.
    """

    def __init__(
        self, orig_freq=16000, new_freq=16000, resample_method=ResampleMethod.SINC_INTERPOLATION, lowpass_filter_width=6, rolloff=0.99, beta=None
    ):
        for value, name in ((orig_freq, "orig_freq"), (new_freq, "new_freq")):
            _checks.number(value, 0, _checks.FLOAT_MAX, name, left_open=True)
        _checks.of_type(resample_method, (ResampleMethod,), "resample_method")
        _checks.integer(lowpass_filter_width, 1, _checks.INT32_MAX, "lowpass_filter_width")
        _checks.of_type(rolloff, (float,), "rolloff")
        _checks.within(rolloff, 0, 1.0, "rolloff", left_open=True)
        self.orig_freq, self.new_freq, self.resample_method = orig_freq, new_freq, resample_method
        self.lowpass_filter_width, self.rolloff, self.beta = lowpass_filter_width, rolloff, 14.769656459379492 if beta is None else beta

    def apply(self, *columns):
        x = columns[0]
        if self.orig_freq == self.new_freq:
            return x
        y = resampled(x, self.orig_freq, self.new_freq, self.resample_method, self.lowpass_filter_width, self.rolloff, self.beta)
        return y.astype(x.dtype)


def stretched(spectrum, rate, advance):
    """A complex spectrogram (..., frequency, time) at another speed: magnitudes interpolated, phases accumulated (Laroche and Dolson, 1999)."""
    if rate == 1.0:
        return spectrum
    frames = spectrum.shape[-1]
    # in single precision, as MindSpore: the tenth step of 0.7 is 7 and not just below it
    at = np.arange(math.ceil(frames / rate) + 1, dtype=np.float32) * np.float32(rate)
    at = at[at < frames]
    whole, part = at.astype(int), (at % 1).astype(np.float64)
    padded = np.concatenate([spectrum, np.zeros((*spectrum.shape[:-1], 2))], -1)
    first, second = padded[..., whole], padded[..., whole + 1]
    step = np.angle(second) - np.angle(first) - advance
    step = step - 2 * math.pi * np.round(step / (2 * math.pi)) + advance
    phase = np.cumsum(np.concatenate([np.angle(spectrum[..., :1]), step[..., :-1]], -1), -1)
    return (part * np.abs(second) + (1 - part) * np.abs(first)) * np.exp(1j * phase)


class _Stretch(AudioTensorOperation):
    rank = 3
    shape_text = "<..., freq, time, complex=2>"

    def prepare(self, columns):
        (array,) = super().prepare(columns)
        is_complex(type(self).__name__, array)
        return (array,)


class PhaseVocoder(_Stretch):
    """Change the speed of a complex spectrogram (..., frequency, time, 2), and not its pitch.

    Args:
        rate (float): The factor, positive.
        phase_advance (numpy.ndarray): (frequency, 1): how much the phase of each frequency grows between frames.

    Raises:
        TypeError: a wrong type.
        ValueError: a factor that isn't positive.
        RuntimeError: another number of frequencies, or another type than the input's.
    """

    def __init__(self, rate, phase_advance):
        _checks.number(rate, 0, _checks.FLOAT_MAX, "rate", left_open=True)
        _checks.of_type(phase_advance, (np.ndarray,), "phase_advance")
        self.rate, self.phase_advance = rate, phase_advance

    def apply(self, *columns):
        x, advance = columns[0], self.phase_advance
        if advance.dtype != x.dtype:
            raise RuntimeError(
                f"PhaseVocoder: invalid parameter, data type of phase_advance should be equal to data type of input tensor, got {advance.dtype} and {x.dtype}"
            )
        if advance.ndim != 2 or advance.shape[1] != 1 or advance.shape[0] != x.shape[-3]:
            raise RuntimeError(
                f"PhaseVocoder: invalid parameter, 'phase_advance' should be in shape of <freq, 1>, got {advance.shape} and the input {x.shape}"
            )
        return to_pairs(stretched(to_complex(x.astype(np.float64)), float(np.float32(self.rate)), advance.astype(np.float64)), x.dtype)


class TimeStretch(_Stretch):
    """Change the speed of a complex spectrogram (..., frequency, time, 2), and not its pitch.

    Args:
        hop_length (int): The step between frames in samples. Default: None, n_freq - 1.
        n_freq (int): The number of frequencies. Default: 201.
        fixed_rate (float): The factor. Default: None, 1.0.

    Raises:
        TypeError: a wrong type.
        ValueError: a number that isn't positive.
        RuntimeError: another number of frequencies.
    """

    def __init__(self, hop_length=None, n_freq=201, fixed_rate=None):
        if hop_length is not None:
            _checks.integer(hop_length, 1, _checks.INT32_MAX, "hop_length")
        _checks.integer(n_freq, 1, _checks.INT32_MAX, "n_freq")
        if fixed_rate is not None:
            _checks.number(fixed_rate, 0, _checks.FLOAT_MAX, "fixed_rate", left_open=True)
        self.hop_length, self.n_freq = hop_length or n_freq - 1, n_freq
        self.fixed_rate = 1 if fixed_rate is None else fixed_rate

    def apply(self, *columns):
        x = columns[0]
        if x.shape[-3] != self.n_freq:
            raise RuntimeError(
                f"TimeStretch: n_freq should be equal to the length of the frequency dimension, got {self.n_freq} and the input {x.shape}"
            )
        advance = np.linspace(0, math.pi * self.hop_length, self.n_freq)[:, None]
        return to_pairs(stretched(to_complex(x.astype(np.float64)), float(np.float32(self.fixed_rate)), advance), x.dtype)


class PitchShift(AudioTensorOperation):
    """Shift the pitch, and keep the length.

    Args:
        sample_rate (int): In Hz.
        n_steps (int): How many steps up.
        bins_per_octave (int): The number of steps in an octave, not 0. Default: 12.
        n_fft (int): Default: 512.
        win_length (int): Default: None, n_fft.
        hop_length (int): Default: None, a quarter of win_length.
        window (WindowType): Default: WindowType.HANN.

    Raises:
        TypeError: a wrong type.
        ValueError: a number out of range.
    """

    def __init__(self, sample_rate, n_steps, bins_per_octave=12, n_fft=512, win_length=None, hop_length=None, window=WindowType.HANN):
        _checks.integer(sample_rate, 0, _checks.INT32_MAX, "sample_rate")
        _checks.integer(n_steps, -(2**31), _checks.INT32_MAX, "n_steps")
        _checks.of_type(bins_per_octave, (int,), "bins_per_octave")
        if bins_per_octave == 0:
            raise ValueError("Input bins_per_octave is not within the required interval of [-2147483648, 0) and (0, 2147483647], got 0.")
        _checks.integer(n_fft, 1, _checks.INT32_MAX, "n_fft")
        _checks.of_type(window, (WindowType,), "window")
        if win_length is not None:
            _checks.integer(win_length, 1, _checks.INT32_MAX, "win_length")
            if win_length > n_fft:
                raise ValueError(f"Input win_length should be no more than n_fft, but got win_length: {win_length} and n_fft: {n_fft}.")
        if hop_length is not None:
            _checks.integer(hop_length, 1, _checks.INT32_MAX, "hop_length")
        self.sample_rate, self.n_steps, self.bins_per_octave, self.n_fft, self.window = sample_rate, n_steps, bins_per_octave, n_fft, window
        self.win_length = n_fft if win_length is None else win_length
        self.hop_length = self.win_length // 4 if hop_length is None else hop_length

    def apply(self, *columns):
        x = columns[0]
        n = x.shape[-1]
        values = padded_window(self.window, self.win_length, self.n_fft)
        spectrum = stft("PitchShift", x.astype(np.float64), self.n_fft, self.hop_length, values)
        rate = float(np.float32(2.0 ** float(np.float32(-self.n_steps) / np.float32(self.bins_per_octave))))
        advance = np.linspace(0, math.pi * self.hop_length, spectrum.shape[-2])[:, None]
        length = math.floor(n / rate + 0.5)
        sound = istft(stretched(spectrum, rate, advance), self.n_fft, self.hop_length, values, True, length)
        y = resampled(sound, int(self.sample_rate / rate), self.sample_rate)[..., :n]
        return np.pad(y, [(0, 0)] * (y.ndim - 1) + [(0, n - y.shape[-1])]).astype(x.dtype)


class DetectPitchFrequency(AudioTensorOperation):
    """The pitch over time in Hz, by the normalised cross-correlation of neighbouring frames and a median.

    Args:
        sample_rate (int): In Hz, not 0.
        frame_time (float): The length of a frame in seconds. Default: 0.01.
        win_length (int): The number of frames of the median. Default: 30.
        freq_low (int): The lowest pitch. Default: 85.
        freq_high (int): The highest pitch. Default: 3400.

    Raises:
        TypeError: a wrong type.
        ValueError: a number out of range.
    """

    kinds = "f"

    def __init__(self, sample_rate, frame_time=0.01, win_length=30, freq_low=85, freq_high=3400):
        check_rate(sample_rate)
        _checks.number(frame_time, 0, _checks.FLOAT_MAX, "frame_time", left_open=True)
        _checks.integer(win_length, 1, _checks.INT32_MAX, "win_length")
        _checks.number(freq_low, 0, _checks.FLOAT_MAX, "freq_low", left_open=True)
        _checks.number(freq_high, 0, _checks.FLOAT_MAX, "freq_high", left_open=True)
        self.sample_rate, self.frame_time, self.win_length, self.freq_low, self.freq_high = sample_rate, frame_time, win_length, freq_low, freq_high

    def lags(self, x):
        """(channel, frame): the lag at which each frame of x (channel, time) is most like what follows."""
        size, count = math.ceil(self.sample_rate * self.frame_time), math.ceil(self.sample_rate / self.freq_low)
        frames = math.ceil(x.shape[-1] / size)
        padded = np.pad(x, [(0, 0), (0, count + frames * size - x.shape[-1])])
        first = padded[:, : frames * size].reshape(len(x), frames, size)
        likeness = np.zeros((len(x), frames, count))
        for lag in range(1, count + 1):
            second = padded[:, lag : lag + frames * size].reshape(first.shape)
            energy = (first**2).sum(-1) * (second**2).sum(-1)
            likeness[..., lag - 1] = np.divide((first * second).sum(-1), energy, out=np.zeros(energy.shape), where=energy > 0)
        least = math.ceil(self.sample_rate / self.freq_high)
        searched = likeness[..., least:]
        best = searched.argmax(-1)
        # the best lag of the lower half counts if it is nearly as good: that avoids half of the pitch
        half = searched[..., : max(count // 2 - least, 1)].argmax(-1)
        values = (np.take_along_axis(searched, i[..., None], -1)[..., 0] for i in (best, half))
        top, low = values
        return np.where(low > top * 0.99, half, best) + least + 1

    def apply(self, *columns):
        x = columns[0]
        lags = self.lags(x.reshape(-1, x.shape[-1]).astype(np.float64))
        left = (self.win_length - 1) // 2
        padded = np.concatenate([np.repeat(lags[:, :1], left, 1), lags], 1)
        if padded.shape[1] < self.win_length:
            raise RuntimeError(f"DetectPitchFrequency: a sound of {lags.shape[1]} frames is too short for a median of {self.win_length}")
        medians = np.sort(np.lib.stride_tricks.sliding_window_view(padded, self.win_length, axis=1), -1)[..., left]
        return (self.sample_rate / (1e-9 + medians)).astype(np.float32).reshape(*x.shape[:-1], -1)
