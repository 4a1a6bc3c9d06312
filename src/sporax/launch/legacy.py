"""Classes of MindSpore 1.x whose successors are called in another way. The table of old names leads here."""

from sporax import nn, ops
from sporax._core.dispatch import apply
from sporax._kernels import image as K


class ResizeBilinear(ops.Primitive):
    """Resize images bilinearly to a size given in the constructor: 1.x's `ops.ResizeBilinear`.

    Args:
        size: height and width of the result.
        align_corners: whether the corner pixels of input and result lie on each other. Default: False.
        half_pixel_centers: whether pixels are at the middle of their cells. Default: False.

    Inputs:
        - **x** - images (N, C, H, W).

    Outputs:
        Tensor (N, C, size[0], size[1]).

    Raises:
        TypeError: an argument is not of its type.
        ValueError: `size` is not two numbers > 0, or `align_corners` and `half_pixel_centers` are both True.

    Examples:
        >>> from sporax.launch.legacy import ResizeBilinear
        >>> print(ResizeBilinear((1, 4))(Tensor([[[[1.0, 3.0]]]], ms.float32)))
        [[[[1. 2. 3. 3.]]]]
    """

    def __init__(self, size, align_corners=False, half_pixel_centers=False):
        super().__init__("ResizeBilinear")
        for name, flag in (("align_corners", align_corners), ("half_pixel_centers", half_pixel_centers)):
            if not isinstance(flag, bool):
                raise TypeError(f"For 'ResizeBilinear', '{name}' should be a bool, but got {flag!r}.")
        if not isinstance(size, list | tuple) or not all(isinstance(s, int) for s in size):
            raise TypeError(f"For 'ResizeBilinear', 'size' should be two ints, but got {size!r}.")
        if len(size) != 2 or min(size) <= 0:
            raise ValueError(f"For 'ResizeBilinear', 'size' should be height and width, both > 0, but got {size!r}.")
        if align_corners and half_pixel_centers:
            raise ValueError("For 'ResizeBilinear', 'align_corners' and 'half_pixel_centers' should not both be True.")
        self.size, self.align_corners, self.half_pixel_centers = tuple(size), align_corners, half_pixel_centers

    def __call__(self, x):
        if x.ndim != 4:
            raise ValueError(f"For 'ResizeBilinear', 'x' should have the shape (N, C, H, W), but got {x.shape}.")
        return apply(K.resize_linear, (x,), sizes=self.size, align_corners=self.align_corners, half_pixel=self.half_pixel_centers)


class CellResizeBilinear(nn.Cell):
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
        >>> from sporax.launch.legacy import CellResizeBilinear
        >>> print(CellResizeBilinear()(Tensor([[[[1.0, 3.0]]]], ms.float32), scale_factor=2).shape)
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
        return ResizeBilinear(tuple(size), align_corners, self.half_pixel_centers)(x)
