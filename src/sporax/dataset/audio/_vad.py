"""Voice activity detection: cut off what lies before speech, as SoX's vad does by the power of the cepstrum."""

import math

import numpy as np

from sporax.dataset.audio._operation import AudioTensorOperation, check_finite
from sporax.dataset.transforms import _checks


def _hann(n):
    return 0.5 - 0.5 * np.cos(2 * math.pi * np.arange(n) / n)


class Vad(AudioTensorOperation):
    """Cut off what lies before speech.

    Args:
        sample_rate (int): In Hz, positive.
        trigger_level (float): The measure at which speech starts. Default: 7.0.
        trigger_time (float): The time in which the measure is averaged, s. Default: 0.25.
        search_time (float): How far before the trigger quieter speech is looked for, s. Default: 1.0.
        allowed_gap (float): The longest gap between that and the trigger, s. Default: 0.25.
        pre_trigger_time (float): What is kept before, s. Default: 0.0.
        boot_time (float): How long the first estimate of noise takes, s. Default: 0.35.
        noise_up_time, noise_down_time (float): How fast that estimate grows and shrinks, s. Default: 0.1 and 0.01.
        noise_reduction_amount (float): How much of it is subtracted. Default: 1.35.
        measure_freq (float): Measures a second. Default: 20.0.
        measure_duration (float): The length of a measure, s. Default: None, twice the time between measures.
        measure_smooth_time (float): The smoothing of spectra, s. Default: 0.4.
        hp_filter_freq, lp_filter_freq (float): The frequencies that are looked at, Hz. Default: 50.0 and 6000.0.
        hp_lifter_freq, lp_lifter_freq (float): The same for the cepstrum, Hz. Default: 150.0 and 2000.0.

    Returns:
        The sound from where speech starts; of length 0 where there is none.

    Raises:
        TypeError: a wrong type.
        ValueError: a number out of range.
    """

    kinds = "f"

    def __init__(
        self, sample_rate, trigger_level=7.0, trigger_time=0.25, search_time=1.0, allowed_gap=0.25, pre_trigger_time=0.0, boot_time=0.35,
        noise_up_time=0.1, noise_down_time=0.01, noise_reduction_amount=1.35, measure_freq=20.0, measure_duration=None, measure_smooth_time=0.4,
        hp_filter_freq=50.0, lp_filter_freq=6000.0, hp_lifter_freq=150.0, lp_lifter_freq=2000.0,
    ):  # fmt: skip
        _checks.integer(sample_rate, 1, _checks.INT32_MAX, "sample_rate")
        check_finite(trigger_level, "trigger_level")
        times = {
            "trigger_time": trigger_time, "search_time": search_time, "allowed_gap": allowed_gap, "pre_trigger_time": pre_trigger_time, "boot_time": boot_time,
            "noise_up_time": noise_up_time, "noise_down_time": noise_down_time, "noise_reduction_amount": noise_reduction_amount,
            "measure_smooth_time": measure_smooth_time,
        }  # fmt: skip
        if measure_duration:
            times["measure_duration"] = measure_duration
        for name, value in times.items():
            _checks.number(value, 0, _checks.FLOAT_MAX, name)
        if noise_up_time < noise_down_time:
            raise ValueError(
                f"Input noise_up_time should be greater than noise_down_time, but got noise_up_time: {noise_up_time} and noise_down_time: {noise_down_time}."
            )
        frequencies = {
            "measure_freq": measure_freq, "hp_filter_freq": hp_filter_freq, "lp_filter_freq": lp_filter_freq, "hp_lifter_freq": hp_lifter_freq,
            "lp_lifter_freq": lp_lifter_freq,
        }  # fmt: skip
        for name, value in frequencies.items():
            _checks.number(value, 0, _checks.FLOAT_MAX, name, left_open=True)
        self.sample_rate, self.trigger_level, self.reduction = sample_rate, trigger_level, noise_reduction_amount
        self.trigger_time, self.search_time, self.allowed_gap, self.pre_trigger_time = trigger_time, search_time, allowed_gap, pre_trigger_time
        self.boot_time, self.noise_up_time, self.noise_down_time = boot_time, noise_up_time, noise_down_time
        self.measure_freq, self.measure_duration, self.measure_smooth_time = measure_freq, measure_duration or 2.0 / measure_freq, measure_smooth_time
        self.filter, self.lifter = (hp_filter_freq, lp_filter_freq), (hp_lifter_freq, lp_lifter_freq)

    def _decay(self, time):
        return math.exp(-1.0 / (time * self.measure_freq)) if time else 0.0

    def apply(self, *columns):
        x = columns[0].reshape(-1, columns[0].shape[-1])
        start = self._start(x.astype(np.float64))
        return x[:, start:].reshape(*columns[0].shape[:-1], -1) if start < x.shape[1] else columns[0][..., :0].copy()

    def _start(self, x):
        """The sample at which speech starts in x (channel, time); the number of samples where there is none."""
        rate, channels, n = self.sample_rate, *x.shape
        size = int(rate * self.measure_duration + 0.5)
        period = int(rate / self.measure_freq + 0.5)
        history = math.ceil(self.search_time * self.measure_freq)
        gap = int(self.allowed_gap * self.measure_freq + 0.5)
        kept = int(self.pre_trigger_time * rate + 0.5) + history * period + size
        meter = _Meter(self, size, channels)
        boots, boot = int(self.boot_time * self.measure_freq - 0.5), 0
        share = self._decay(self.trigger_time)
        measures, mean, at, flush, triggered = np.zeros((channels, max(history, 1))), np.zeros(channels), 0, 0, False
        for pos in range(size, n, period):
            for i in range(channels):
                measures[i, at] = meter.measure(i, x[i, pos - size : pos], boot)
                mean[i] = mean[i] * share + measures[i, at] * (1 - share)
                triggered |= bool(mean[i] >= self.trigger_level)
                if triggered:
                    flush = min(max(flush, self._quiet(measures[i], at, history, gap)), history)
            at = (at + 1) % max(history, 1)
            if boot >= 0:
                boot = -1 if boot == boots else boot + 1
            if triggered:
                return max(0, pos - kept + (history - flush) * period)
        return n

    def _quiet(self, measures, at, history, gap):
        """How many measures before the trigger belong to speech."""
        last = zero = history
        j = 0
        for j in range(history):
            value = measures[(at - j) % history]
            if value >= self.trigger_level and j <= last + gap:
                zero = last = j
            elif value == 0 and last >= zero:
                zero = j
        return min(j, zero)


class _Meter:
    """Measures of speech: spectra, smoothed and less the noise, and the power of their cepstrum."""

    def __init__(self, vad, size, channels):
        rate = vad.sample_rate
        self.vad, self.size = vad, size
        self.length = 16
        while self.length < size:
            self.length *= 2
        self.window = 2.0 / math.sqrt(size) * _hann(size)
        self.low = max(int(vad.filter[0] / rate * self.length + 0.5), 1)
        self.high = min(int(vad.filter[1] / rate * self.length + 0.5), self.length // 2)
        bins = self.high - self.low
        self.lifter = 2.0 / math.sqrt(bins) * _hann(bins)
        self.first = math.ceil(rate * 0.5 / vad.lifter[1])
        self.last = min(math.floor(rate * 0.5 / vad.lifter[0]), self.length // 4)
        if self.last <= self.first:
            raise RuntimeError(f"Vad: the lifter frequencies {vad.lifter} leave nothing of the cepstrum at a rate of {rate}")
        self.spectrum, self.noise = np.zeros((channels, bins)), np.zeros((channels, bins))
        self.smooth, self.up, self.down = (vad._decay(t) for t in (vad.measure_smooth_time, vad.noise_up_time, vad.noise_down_time))

    def measure(self, i, samples, boot):
        """The measure of a piece of channel i; `boot` counts the first measures and is negative afterwards."""
        magnitude = np.abs(np.fft.rfft(samples * self.window, self.length))[self.low : self.high]
        share = boot / (1.0 + boot) if boot >= 0 else self.smooth
        self.spectrum[i] = self.spectrum[i] * share + magnitude * (1 - share)
        power = self.spectrum[i] ** 2
        keep = 0.0 if boot >= 0 else np.where(power > self.noise[i], self.up, self.down)
        self.noise[i] = self.noise[i] * keep + power * (1 - keep)
        clean = np.sqrt(np.maximum(0.0, power - self.vad.reduction * self.noise[i]))
        buffer = np.zeros(self.length // 2)
        buffer[self.low : self.high] = clean * self.lifter
        cepstrum = np.abs(np.fft.rfft(buffer))[self.first : self.last] ** 2
        total = cepstrum.sum()
        return max(0.0, 21 + math.log(total / (self.last - self.first))) if total > 0 else 0.0
