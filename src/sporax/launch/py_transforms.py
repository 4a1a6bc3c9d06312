"""1.x's `dataset.vision.py_transforms`: what it had stands in `dataset.vision` now, and takes images as they come.

One difference would go unnoticed: its `Normalize` was for images with the channels first.
"""

from sporax._names import lookup


def Normalize(mean, std):
    """`dataset.vision.Normalize` for images (C, H, W).

    Args:
        mean: means of the channels.
        std: standard deviations of the channels.
    """
    return __getattr__("Normalize")(mean, std, is_hwc=False)


def __getattr__(name):
    vision = lookup.submodule("dataset.vision")
    if vision is lookup.MISSING:
        raise lookup.MissingName("dataset.vision", name)
    return getattr(vision, name)
