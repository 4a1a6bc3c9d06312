"""Operations on images."""

from sporax._names import module_getattr
from sporax.dataset.transforms._compound import not_random
from sporax.dataset.transforms._operation import PyTensorOperation, TensorOperation
from sporax.dataset.vision._adjust import (
    AdjustBrightness,
    AdjustContrast,
    AdjustGamma,
    AdjustHue,
    AdjustSaturation,
    AdjustSharpness,
    AutoContrast,
    ConvertColor,
    Equalize,
    Grayscale,
    HsvToRgb,
    Invert,
    Posterize,
    RandomGrayscale,
    RgbToHsv,
    Solarize,
)
from sporax.dataset.vision._boxes import (
    BoundingBoxAugment,
    RandomCropWithBBox,
    RandomHorizontalFlipWithBBox,
    RandomResizedCropWithBBox,
    RandomResizeWithBBox,
    RandomVerticalFlipWithBBox,
    ResizeWithBBox,
)
from sporax.dataset.vision._convert import (
    HWC2CHW,
    Decode,
    LinearTransformation,
    Normalize,
    NormalizePad,
    RandomCropDecodeResize,
    Rescale,
    ToNumpy,
    ToPIL,
    ToTensor,
    ToType,
)
from sporax.dataset.vision._crop import CenterCrop, Crop, FiveCrop, Pad, PadToSize, RandomCrop, SlicePatches, TenCrop
from sporax.dataset.vision._erase import CutOut, Erase, RandomErasing
from sporax.dataset.vision._flip import HorizontalFlip, RandomHorizontalFlip, RandomVerticalFlip, VerticalFlip
from sporax.dataset.vision._libraries import is_pil
from sporax.dataset.vision._mix import CutMixBatch, MixUp, MixUpBatch
from sporax.dataset.vision._names import AutoAugmentPolicy, Border, ConvertMode, ImageBatchFormat, ImageReadMode, Inter, SliceMode
from sporax.dataset.vision._operation import ImageTensorOperation
from sporax.dataset.vision._policies import AutoAugment, RandAugment, RandomSelectSubpolicy, TrivialAugmentWide, UniformAugment
from sporax.dataset.vision._random_color import (
    RandomAdjustSharpness,
    RandomAutoContrast,
    RandomColor,
    RandomColorAdjust,
    RandomEqualize,
    RandomInvert,
    RandomLighting,
    RandomPosterize,
    RandomSharpness,
    RandomSolarize,
)
from sporax.dataset.vision._resize import RandomResize, RandomResizedCrop, Resize, ResizedCrop
from sporax.dataset.vision._warp import Affine, GaussianBlur, Perspective, RandomAffine, RandomPerspective, RandomRotation, Rotate
from sporax.dataset.vision.utils import (
    encode_jpeg,
    encode_png,
    get_image_num_channels,
    get_image_size,
    parse_padding,
    read_file,
    read_image,
    write_file,
    write_jpeg,
    write_png,
)

__getattr__ = module_getattr(__name__)
