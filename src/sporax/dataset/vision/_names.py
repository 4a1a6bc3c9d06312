"""Enumerations, with MindSpore's names and values."""

import enum


class AutoAugmentPolicy(str, enum.Enum):  # noqa: UP042  str() of a member is its name with the class, as MindSpore's
    """Policies of `AutoAugment`: the data set on which each was found."""

    IMAGENET = "imagenet"
    CIFAR10 = "cifar10"
    SVHN = "svhn"


class Border(str, enum.Enum):  # noqa: UP042
    """What lies beyond the edge: one value; the edge's pixel; the image mirrored without, or with, the edge's pixel."""

    CONSTANT = "constant"
    EDGE = "edge"
    REFLECT = "reflect"
    SYMMETRIC = "symmetric"

    @staticmethod
    def to_python_type(border_type):
        """NumPy's name of the border."""
        return Border(border_type).value


class ConvertMode(enum.IntEnum):
    """Conversions of `ConvertColor`; the values are OpenCV's."""

    COLOR_BGR2BGRA = 0
    COLOR_RGB2RGBA = 0
    COLOR_BGRA2BGR = 1
    COLOR_RGBA2RGB = 1
    COLOR_BGR2RGBA = 2
    COLOR_RGB2BGRA = 2
    COLOR_RGBA2BGR = 3
    COLOR_BGRA2RGB = 3
    COLOR_BGR2RGB = 4
    COLOR_RGB2BGR = 4
    COLOR_BGRA2RGBA = 5
    COLOR_RGBA2BGRA = 5
    COLOR_BGR2GRAY = 6
    COLOR_RGB2GRAY = 7
    COLOR_GRAY2BGR = 8
    COLOR_GRAY2RGB = 8
    COLOR_GRAY2BGRA = 9
    COLOR_GRAY2RGBA = 9
    COLOR_BGRA2GRAY = 10
    COLOR_RGBA2GRAY = 11


class ImageBatchFormat(enum.IntEnum):
    """Where a batch of images has its channels."""

    NHWC = 0
    NCHW = 1


class ImageReadMode(enum.IntEnum):
    """How `read_image` reads: as the file is, in grey, in colour."""

    UNCHANGED = 0
    GRAYSCALE = 1
    COLOR = 2


class Inter(enum.IntEnum):
    """Interpolations. ANTIALIAS is for Pillow images, AREA and PILCUBIC are for arrays."""

    NEAREST = 0
    ANTIALIAS = 1
    BILINEAR = 2
    LINEAR = 2
    BICUBIC = 3
    CUBIC = 3
    AREA = 4
    PILCUBIC = 5

    @staticmethod
    def to_python_type(inter_type):
        """Pillow's name of the interpolation.

        Raises:
            RuntimeError: Pillow doesn't have it.
        """
        from sporax.dataset.vision._libraries import pillow

        names = {Inter.NEAREST: "NEAREST", Inter.ANTIALIAS: "LANCZOS", Inter.LINEAR: "BILINEAR", Inter.CUBIC: "BICUBIC"}
        if inter_type not in names:
            raise RuntimeError(f"Unsupported interpolation {inter_type!r}, only support NEAREST, ANTIALIAS, LINEAR and CUBIC.")
        return getattr(pillow().Resampling, names[inter_type])


class SliceMode(enum.IntEnum):
    """What `SlicePatches` does where an image can't be divided evenly: pad it or drop the rest."""

    PAD = 0
    DROP = 1
