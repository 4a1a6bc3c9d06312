"""Boxes (x0, y0, x1, y1) of detectors: overlaps, codes, suppression."""

from sporax._core.dispatch import apply
from sporax._kernels import boxes as K
from sporax.ops._table import op, prim


@op(primitive=prim("IOU", mode="iou"))
def iou(anchor_boxes, gt_boxes, mode="iou"):
    """How much each of (M, 4) boxes overlaps with each of (N, 4) others: (M, N), rows for `gt_boxes`.

    Args:
        mode: "iou": intersection over union; "iof": over the area of the boxes in `gt_boxes`. Default: "iou".

    Examples:
        >>> print(ops.iou(Tensor([[0.0, 0.0, 2.0, 2.0]]), Tensor([[0.0, 0.0, 2.0, 2.0]])))
        [[1.]]
    """
    if mode not in ("iou", "iof"):
        raise ValueError(f"For 'iou', 'mode' should be 'iou' or 'iof', but got {mode!r}.")
    for name, x in (("anchor_boxes", anchor_boxes), ("gt_boxes", gt_boxes)):
        if x.ndim != 2 or x.shape[1] != 4:
            raise ValueError(f"For 'iou', '{name}' should have shape (N, 4), but got {x.shape}.")
    return apply(K.overlaps, (anchor_boxes, gt_boxes), union=mode == "iou")


@op(primitive=prim("CheckValid"))
def check_valid(bboxes, img_metas):
    """Whether each of (N, 4) boxes lies inside an image of (height, width, ratio), sizes times ratio.

    Examples:
        >>> print(ops.check_valid(Tensor([[0.0, 0.0, 2.0, 9.0]]), Tensor([5.0, 5.0, 1.0])))
        [False]
    """
    return apply(K.inside, (bboxes, img_metas))


@op(primitive=prim("BoundingBoxEncode", means=(0.0, 0.0, 0.0, 0.0), stds=(1.0, 1.0, 1.0, 1.0)))
def bounding_box_encode(anchor_box, groundtruth_box, means=(0.0, 0.0, 0.0, 0.0), stds=(1.0, 1.0, 1.0, 1.0)):
    """The offsets that turn anchors into boxes: ((centre - anchor centre) / size, log(size / anchor size)), normalized by means and deviations."""
    return apply(K.encode, (anchor_box, groundtruth_box), means=_four("means", means), stds=_four("stds", stds))


@op(primitive=prim("BoundingBoxDecode", max_shape=prim.required, means=(0.0, 0.0, 0.0, 0.0), stds=(1.0, 1.0, 1.0, 1.0), wh_ratio_clip=0.016))
def bounding_box_decode(anchor_box, deltas, max_shape, means=(0.0, 0.0, 0.0, 0.0), stds=(1.0, 1.0, 1.0, 1.0), wh_ratio_clip=0.016):
    """Boxes from anchors and offsets (the reverse of `bounding_box_encode`), inside an image of `max_shape` (height, width)."""
    shape = tuple(int(n) for n in max_shape)
    return apply(K.decode, (anchor_box, deltas), means=_four("means", means), stds=_four("stds", stds), shape=shape, clip=float(wh_ratio_clip))


def _four(name, values):
    values = (values,) * 4 if isinstance(values, int | float) else tuple(float(v) for v in values)
    if len(values) != 4:
        raise ValueError(f"For boxes, '{name}' should be four numbers, but got {values}.")
    return values


@op(primitive=prim("NMSWithMask", iou_threshold=0.5))
def nms_with_mask(bboxes, iou_threshold=0.5):
    """`(boxes, indices, mask)`: (N, 5) boxes in falling order of their scores (the last column), the numbers 0 to N - 1 (int32), and which of
    the boxes have no better neighbour that overlaps by more than `iou_threshold`.
    """
    if bboxes.ndim != 2 or bboxes.shape[1] != 5:
        raise ValueError(f"For 'NMSWithMask', 'bboxes' should have shape (N, 5), but got {bboxes.shape}.")
    return apply(K.suppress, (bboxes, float(iou_threshold)))
