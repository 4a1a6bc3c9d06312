"""Classes of MindSpore 1.x whose successors are called in another way. The table of old names leads here."""

from sporax import nn, ops


class ResizeBilinear(nn.Cell):
    """Resize images bilinearly, to a size or by a factor given at the call: 1.x's `nn.ResizeBilinear`.

    Args:
        half_pixel_centers: whether pixels are at the middle of their cells. Default: False.

    Inputs:
        - **x** - images (N, C, H, W).
        - **size** - height and width of the result, or None. Default: None.
        - **scale_factor** - int factor on height and width, or None. Default: None.
        - **align_corners** - whether the corner pixels of input and result lie on each other. Default: False.

    Outputs:
        Tensor (N, C, height, width).

    Raises:
        ValueError: both or neither of `size` and `scale_factor` are given.

    Examples:
        >>> from sporax.launch.legacy import ResizeBilinear
        >>> print(ResizeBilinear()(Tensor([[[[1.0, 3.0]]]], ms.float32), scale_factor=2).shape)
        (1, 1, 2, 4)
    """

    def __init__(self, half_pixel_centers=False):
        super().__init__()
        self.half_pixel_centers = half_pixel_centers

    def construct(self, x, size=None, scale_factor=None, align_corners=False):
        if (size is None) == (scale_factor is None):
            raise ValueError(
                f"For 'ResizeBilinear', exactly one of 'size' and 'scale_factor' should be given, but got {size!r} and "
                f"{scale_factor!r}."
            )
        if size is None:
            size = (x.shape[2] * scale_factor, x.shape[3] * scale_factor)
        return ops.ResizeBilinear(tuple(size), align_corners, self.half_pixel_centers)(x)
