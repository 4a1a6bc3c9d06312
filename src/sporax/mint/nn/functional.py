"""Functions of neural networks, with PyTorch's arguments. `inplace=True` changes the input, which is also what is returned."""

from sporax import ops
from sporax._core import dtype as mstype
from sporax._core import scope
from sporax.mint._shapes import flatten as flatten
from sporax.ops import _table
from sporax.ops.vector_norm import vector_norm as _vector_norm

_SHARED = (
    "adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d adaptive_max_pool2d conv_transpose2d cross_entropy gelu group_norm hardshrink "
    "hardsigmoid hardswish interpolate l1_loss layer_norm linear logsigmoid mish mse_loss pixel_shuffle prelu selu smooth_l1_loss softplus softshrink "
    "unfold"
)
globals().update({name: _table.mint[f"nn.functional.{name}"] for name in _SHARED.split()})
sigmoid, tanh, soft_margin_loss, cosine_embedding_loss = ops.sigmoid, ops.tanh, ops.soft_margin_loss, ops.cosine_embedding_loss


def _into(input, output, inplace=True):
    if inplace:
        scope.assign(input, output)
        return input
    return output


def relu(input, inplace=False):
    """max(x, 0)."""
    return _into(input, ops.relu(input), inplace)


def relu_(input):
    """`relu` in place."""
    return relu(input, True)


def relu6(input, inplace=False):
    """min(max(x, 0), 6)."""
    return _into(input, ops.relu6(input), inplace)


def silu(input, inplace=False):
    """x sigmoid(x)."""
    return _into(input, ops.silu(input), inplace)


def elu(input, alpha=1.0, inplace=False):
    """x if x > 0, else alpha (exp(x) - 1)."""
    return _into(input, ops.where(input > 0, input, alpha * (ops.exp(ops.minimum(input, 0)) - 1)), inplace)


def elu_(input, alpha=1.0):
    """`elu` in place."""
    return elu(input, alpha, True)


def hardtanh(input, min_val=-1.0, max_val=1.0, inplace=False):
    """x between `min_val` and `max_val`."""
    return _into(input, ops.hardtanh(input, min_val, max_val), inplace)


def hardtanh_(input, min_val=-1, max_val=1):
    """`hardtanh` in place."""
    return hardtanh(input, min_val, max_val, True)


def threshold(input, threshold, value, inplace=False):
    """x if x > `threshold`, else `value`."""
    return _into(input, ops.threshold(input, threshold, value), inplace)


def threshold_(input, threshold, value):
    """`threshold` in place."""
    return _into(input, ops.threshold(input, threshold, value))


def sigmoid_(input):
    """`sigmoid` in place."""
    return _into(input, ops.sigmoid(input))


def leaky_relu(input, negative_slope=0.01):
    """x if x > 0, else `negative_slope` x."""
    return ops.leaky_relu(input, negative_slope)


def glu(input, dim=-1):
    """a sigmoid(b), with a and b the halves of an axis."""
    return ops.glu(input, dim)


def _axis(input, dim):
    return (0 if input.ndim in (0, 1, 3) else 1) if dim is None else dim


def softmax(input, dim=None, dtype=None):
    """exp(x) / sum(exp(x)) along an axis; None: axis 0 of Tensors with 0, 1 or 3 axes, else axis 1."""
    return ops.softmax(input, _axis(input, dim), dtype=dtype)


def log_softmax(input, dim=None, *, dtype=None):
    """The logarithm of `softmax`."""
    return ops.log_softmax(input, _axis(input, dim), dtype=dtype)


def dropout(input, p=0.5, training=True, inplace=False):
    """In training: each element is 0 with probability `p`, else x / (1 - p). Otherwise the input."""
    return _into(input, ops.dropout(input, p, training), inplace)


def dropout2d(input, p=0.5, training=True, inplace=False):
    """`dropout` of whole channels of a (N, C, H, W) Tensor."""
    return _into(input, ops.dropout2d(input, p, training), inplace)


def _conv(name, input, weight, bias, stride, padding, dilation, groups):
    function = getattr(ops, name)
    if isinstance(padding, str):
        return function(input, weight, bias, stride, padding, 0, dilation, groups)
    return function(input, weight, bias, stride, "pad", padding if isinstance(padding, int) else tuple(padding), dilation, groups)


def conv1d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    """Convolution of (N, C, L) with (O, C / groups, K); `padding` is a number, or "valid" or "same"."""
    return _conv("conv1d", input, weight, bias, stride, padding, dilation, groups)


def conv2d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    """Convolution of (N, C, H, W) with (O, C / groups, K, L); `padding` is a number or tuple, or "valid" or "same"."""
    return _conv("conv2d", input, weight, bias, stride, padding, dilation, groups)


def conv3d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    """Convolution of (N, C, D, H, W) with (O, C / groups, J, K, L); `padding` is a number or tuple, or "valid" or "same"."""
    return _conv("conv3d", input, weight, bias, stride, padding, dilation, groups)


def max_pool2d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    """The largest element of each window; with `return_indices` also where it is."""
    return ops.max_pool2d(input, kernel_size, stride, padding, dilation, return_indices, ceil_mode)


def max_unpool2d(input, indices, kernel_size, stride=None, padding=0, output_size=None):
    """The inverse of `max_pool2d`, with 0 elsewhere."""
    return ops.max_unpool2d(input, indices, kernel_size, stride, padding, output_size)


def avg_pool1d(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True):
    """The mean of each window of the last axis; `stride` None is `kernel_size`."""
    return ops.avg_pool1d(input, kernel_size, kernel_size if stride is None else stride, padding, ceil_mode, count_include_pad)


def avg_pool2d(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None):
    """The mean of each window of the last two axes; `stride` None is `kernel_size`."""
    stride = kernel_size if stride is None else stride
    return ops.avg_pool2d(input, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override or 0)


def avg_pool3d(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None):
    """The mean of each window of the last three axes; `stride` None is `kernel_size`."""
    stride = kernel_size if stride is None else stride
    return ops.avg_pool3d(input, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override or 0)


def adaptive_max_pool1d(input, output_size, return_indices=False):
    """The largest elements of `output_size` windows that cover the last axis; with `return_indices` also where they are."""
    size = output_size[0] if isinstance(output_size, tuple | list) else output_size
    out = ops.adaptive_max_pool2d(input.unsqueeze(-2), (1, size), return_indices)
    return tuple(x.squeeze(-2) for x in out) if return_indices else out.squeeze(-2)


def batch_norm(input, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-5):
    """Normalization over all axes but the channels (axis 1); in training the running statistics move to (1 - momentum) old + momentum new."""
    channels = input.shape[1]
    weight = ops.ones((channels,), input.dtype) if weight is None else weight
    bias = ops.zeros((channels,), input.dtype) if bias is None else bias
    return ops.batch_norm(input, running_mean, running_var, weight, bias, training, momentum, eps)


def pad(input, pad, mode="constant", value=None):
    """Padded from the last axis on: (left, right, top, bottom, ...); `mode` is "constant", "reflect", "replicate" or "circular"."""
    return ops.pad(input, pad, mode, value)


def one_hot(tensor, num_classes=-1):
    """1 at each index along a new last axis, else 0; int64. `num_classes` -1 is the largest index plus one."""
    if num_classes == -1:
        num_classes = int(tensor.max()) + 1
    return ops.one_hot(tensor, num_classes).astype(mstype.int64)


def embedding(input, weight, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False):
    """The rows of a matrix at indices.

    Args:
        input: indices.
        weight: shape (number of rows, size).
        padding_idx: a row without gradient. Default: None.
        max_norm: rows of `weight` that are used and longer than this are shortened first, in place. Default: None.
        norm_type: of this norm. Default: 2.0.
        scale_grad_by_freq: must be False.

    Raises:
        ValueError: `scale_grad_by_freq` is True.
    """
    if scale_grad_by_freq:
        raise ValueError("For 'embedding', 'scale_grad_by_freq' should be False: divide the gradients by mint.bincount(input) instead.")
    if max_norm is not None:
        length = ops.stop_gradient(_vector_norm(weight, norm_type, -1, True))  # pyright: ignore
        used = ops.zeros((weight.shape[0],), mstype.int32).index_fill(0, input.reshape(-1).astype(mstype.int32), 1).astype(mstype.bool_)
        scale = ops.where(used.unsqueeze(-1).logical_and(length > max_norm), max_norm / (length + 1e-7), 1.0).astype(weight.dtype)
        scope.assign(weight, ops.stop_gradient(weight) * scale)
    out = weight[input]
    if padding_idx is None:
        return out
    return ops.where((input == padding_idx % weight.shape[0]).unsqueeze(-1), ops.stop_gradient(out), out)


def normalize(input, p=2.0, dim=1, eps=1e-12):
    """Vectors along an axis divided by their p-norm, or by `eps` if that is larger."""
    return input / ops.maximum(_vector_norm(input, p, dim, True), eps)  # pyright: ignore


def nll_loss(input, target, weight=None, ignore_index=-100, reduction="mean"):
    """-input[target], the loss of log-probabilities."""
    return ops.nll_loss(input, target, weight, ignore_index, reduction)


def binary_cross_entropy(input, target, weight=None, reduction="mean"):
    """-(target log(input) + (1 - target) log(1 - input))."""
    return ops.binary_cross_entropy(input, target, weight, reduction)


def binary_cross_entropy_with_logits(input, target, weight=None, reduction="mean", pos_weight=None):
    """`binary_cross_entropy` of sigmoid(input); `pos_weight` multiplies the loss of positive targets."""
    return ops.binary_cross_entropy_with_logits(input, target, weight, pos_weight, reduction)


def kl_div(input, target, reduction="mean", log_target=False):
    """target (log(target) - input), with `input` and, if `log_target`, `target` logarithms of probabilities.

    Raises:
        ValueError: `reduction` is not "none", "mean", "sum" or "batchmean".
    """
    loss = ops.exp(target) * (target - input) if log_target else ops.xlogy(target, target) - target * input
    if reduction == "none":
        return loss
    if reduction == "batchmean":
        return loss.sum() / input.shape[0]
    if reduction not in ("mean", "sum"):
        raise ValueError(f"For 'kl_div', 'reduction' should be 'none', 'mean', 'sum' or 'batchmean', but got {reduction!r}.")
    return loss.mean() if reduction == "mean" else loss.sum()
