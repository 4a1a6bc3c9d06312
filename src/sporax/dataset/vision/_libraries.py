"""OpenCV and Pillow, imported when an operation first needs them.

MindSpore's operations on arrays are OpenCV's, those on Pillow images are Pillow's, and so are ours: that makes results equal bit for bit. OpenCV releases
the GIL, so threads work in parallel. OpenCV 4 gives genuine's numbers; OpenCV 5 computes warps in another way (up to 3 grey levels).
"""

import contextlib
import functools
import sys
import typing


def _missing(package):
    return ImportError(f'{package} is needed for operations on images: pip install "sporax[vision]"')


@functools.cache
def cv() -> typing.Any:
    """The module cv2.

    Raises:
        ImportError: it isn't installed.
    """
    try:
        import cv2
    except ImportError as error:
        raise _missing("OpenCV") from error
    return cv2


@functools.cache
def pillow() -> typing.Any:
    """The module PIL.Image.

    Raises:
        ImportError: it isn't installed.
    """
    try:
        from PIL import Image
    except ImportError as error:
        raise _missing("Pillow") from error
    return Image


def is_pil(image):
    """Whether something is a Pillow image. Doesn't import Pillow: who has an image has imported it."""
    module = sys.modules.get("PIL.Image")
    return module is not None and isinstance(image, module.Image)


@contextlib.contextmanager
def calls(name):
    """Around calls of OpenCV: its errors become a RuntimeError that names the operation, and Intel's IPP isn't used.

    IPP rounds bicubic resizing and conversions of the hue differently, by one level in a few percent of the values; MindSpore's build doesn't have it.
    The switch belongs to the thread and is put back.
    """
    module = cv()
    before = module.ipp.useIPP()
    module.ipp.setUseIPP(False)
    try:
        yield
    except module.error as error:
        raise RuntimeError(f"{name}: {error}") from error
    finally:
        module.ipp.setUseIPP(before)
