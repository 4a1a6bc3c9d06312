"""1.x's `dataset.vision.py_transforms`: what it had stands in `dataset.vision` now, and takes images as they come.

One difference would go unnoticed: its `Normalize` was for images with the channels first.
"""

import importlib

_vision = importlib.import_module("sporax.dataset.vision")


def Normalize(mean, std):
    """`dataset.vision.Normalize` for images (C, H, W).

    Args:
        mean: means of the channels.
        std: standard deviations of the channels.
    """
    return _vision.Normalize(mean, std, is_hwc=False)


def __getattr__(name):
    return getattr(_vision, name)
