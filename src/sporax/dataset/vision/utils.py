"""Names of interpolations, borders, colour conversions and policies, and functions on image files."""

import numbers

from sporax.dataset.vision._files import (
    encode_jpeg,
    encode_png,
    get_image_num_channels,
    get_image_size,
    read_file,
    read_image,
    write_file,
    write_jpeg,
    write_png,
)
from sporax.dataset.vision._names import AutoAugmentPolicy, Border, ConvertMode, ImageBatchFormat, ImageReadMode, Inter, SliceMode

__all__ = [
    "AutoAugmentPolicy", "Border", "ConvertMode", "ImageBatchFormat", "ImageReadMode", "Inter", "SliceMode", "encode_jpeg", "encode_png",
    "get_image_num_channels", "get_image_size", "parse_padding", "read_file", "read_image", "write_file", "write_jpeg", "write_png",
]  # fmt: skip


def parse_padding(padding) -> tuple[int, int, int, int]:
    """A padding as (left, top, right, bottom): one number for all, or (left and right, top and bottom)."""
    if isinstance(padding, numbers.Number):
        return (padding, padding, padding, padding)  # pyright: ignore[reportReturnType]
    if len(padding) == 2:
        return (padding[0], padding[1], padding[0], padding[1])
    return (padding[0], padding[1], padding[2], padding[3])
