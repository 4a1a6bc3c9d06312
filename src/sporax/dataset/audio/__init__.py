"""Operations on sound."""

from sporax._names import module_getattr
from sporax.dataset.audio._effects import (
    Contrast,
    DCShift,
    Dither,
    Fade,
    Flanger,
    Gain,
    MuLawDecoding,
    MuLawEncoding,
    Overdrive,
    Phaser,
    Vol,
)
from sporax.dataset.audio._filters import (
    AllpassBiquad,
    BandBiquad,
    BandpassBiquad,
    BandrejectBiquad,
    BassBiquad,
    Biquad,
    DeemphBiquad,
    EqualizerBiquad,
    Filtfilt,
    HighpassBiquad,
    LFilter,
    LowpassBiquad,
    RiaaBiquad,
    TrebleBiquad,
)
from sporax.dataset.audio._operation import AudioTensorOperation
from sporax.dataset.audio._spectrum import (
    LFCC,
    MFCC,
    AmplitudeToDB,
    Angle,
    ComplexNorm,
    DBToAmplitude,
    GriffinLim,
    InverseMelScale,
    InverseSpectrogram,
    Magphase,
    MelScale,
    MelSpectrogram,
    SpectralCentroid,
    Spectrogram,
)
from sporax.dataset.audio._time import (
    ComputeDeltas,
    DetectPitchFrequency,
    FrequencyMasking,
    MaskAlongAxis,
    MaskAlongAxisIID,
    PhaseVocoder,
    PitchShift,
    Resample,
    SlidingWindowCmn,
    TimeMasking,
    TimeStretch,
)
from sporax.dataset.audio._vad import Vad
from sporax.dataset.audio.utils import (
    BorderType,
    DensityFunction,
    FadeShape,
    GainType,
    Interpolation,
    MelType,
    Modulation,
    NormMode,
    NormType,
    ResampleMethod,
    ScaleType,
    WindowType,
    create_dct,
    linear_fbanks,
    melscale_fbanks,
)

__getattr__ = module_getattr(__name__)
