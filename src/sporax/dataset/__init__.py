"""Data pipelines: sources, operations, transforms of images, text and audio, on NumPy alone."""

from sporax._names import module_getattr

__getattr__ = module_getattr(__name__)
