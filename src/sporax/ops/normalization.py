"""Normalization."""

from sporax._core.dispatch import apply
from sporax._kernels import norm as K
from sporax.ops._args import axis_of
from sporax.ops._table import op, prim


def _layer_norm_primitive(self, x, gamma, beta):
    axis = axis_of("LayerNorm", self.begin_norm_axis, x.ndim)
    return apply(K.layer_norm_stats, (x, gamma, beta, self.epsilon), axis=axis, params_axis=self.begin_params_axis)


@op(mint="nn.functional.layer_norm", primitive=prim("LayerNorm", begin_norm_axis=1, begin_params_axis=1, epsilon=1e-7, call=_layer_norm_primitive))
def layer_norm(input, normalized_shape, weight=None, bias=None, eps=1e-5):
    """(x - mean) / sqrt(variance + eps) weight + bias over the last axes, whose sizes are `normalized_shape`.

    Raises:
        ValueError: the last sizes of the input are others.

    Examples:
        >>> print(ops.layer_norm(Tensor([[1.0, 3.0]]), (2,)))
        [[-0.999995  0.999995]]
    """
    shape = tuple(normalized_shape)
    if input.shape[input.ndim - len(shape) :] != shape:
        raise ValueError(f"For 'layer_norm', the input should end with {shape}, but has shape {input.shape}.")
    return apply(K.layer_norm, (input, weight, bias, eps), axis=input.ndim - len(shape), params_axis=-1)


def batch_norm_train(x, gamma, beta, mean, variance, momentum, eps):
    """(y, new moving mean, new moving variance); `momentum` is what the moving statistics keep."""
    return apply(K.batch_norm_train, (x, gamma, beta, mean, variance, momentum, eps))


def batch_norm_infer(x, gamma, beta, mean, variance, eps):
    """y, with the moving statistics."""
    return apply(K.batch_norm_infer, (x, gamma, beta, mean, variance, eps))


@op()
def batch_norm(input_x, running_mean, running_var, weight, bias, training=False, momentum=0.1, eps=1e-5):
    """Normalization over all axes but the channels (axis 1). In training with the batch's statistics, and the running ones (Parameters) move to
    (1 - momentum) running + momentum batch.

    Examples:
        >>> ones, zeros = ops.ones((1,)), ops.zeros((1,))
        >>> print(ops.batch_norm(Tensor([[2.0]]), zeros, ones, ones, zeros, eps=0.0))
        [[2.]]
    """
    if not training:
        return batch_norm_infer(input_x, weight, bias, running_mean, running_var, eps)
    from sporax._core import scope

    y, mean, variance = batch_norm_train(input_x, weight, bias, running_mean, running_var, 1.0 - momentum, eps)
    scope.assign(running_mean, mean)
    scope.assign(running_var, variance)
    return y


@op(mint="nn.functional.group_norm")
def group_norm(input, num_groups, weight=None, bias=None, eps=1e-5):
    """Normalization over groups of channels (axis 1) and all space."""
    if input.shape[1] % num_groups:
        raise ValueError(f"For 'group_norm', {input.shape[1]} channels do not divide into {num_groups} groups.")
    return apply(K.group_norm, (input, weight, bias, eps), groups=int(num_groups))


@op()
def rms_norm(x, gamma, epsilon=1e-6):
    """`(x gamma / sqrt(mean of x**2 + epsilon), 1 / that root)` over the last axis."""
    return apply(K.rms_norm, (x, gamma, epsilon))


def _check_region(self):
    if self.norm_region != "ACROSS_CHANNELS":
        raise ValueError(f"For 'LRN', 'norm_region' should be 'ACROSS_CHANNELS', but got {self.norm_region!r}.")
    if isinstance(self.depth_radius, bool) or not isinstance(self.depth_radius, int):
        raise TypeError(f"For 'LRN', 'depth_radius' should be an int, but got {self.depth_radius!r}.")
    if self.depth_radius < 0:
        raise ValueError(f"For 'LRN', 'depth_radius' should not be negative, but got {self.depth_radius}.")


@op(primitive=prim("LRN", depth_radius=5, bias=1.0, alpha=1.0, beta=0.5, norm_region="ACROSS_CHANNELS", check=_check_region))
def lrn(x, depth_radius=5, bias=1.0, alpha=1.0, beta=0.5, norm_region="ACROSS_CHANNELS"):
    """Local response normalization (Krizhevsky et al., 2012): x / (bias + alpha sum of x**2 over nearby channels)**beta.

    Args:
        x (Tensor): (N, C, H, W).
        depth_radius: how far away channels count, to both sides. Default: 5.
        bias, alpha, beta: default 1.0, 1.0, 0.5.
        norm_region: must be "ACROSS_CHANNELS".

    Raises:
        ValueError: the input does not have 4 axes, or a setting is out of range.
    """
    if norm_region != "ACROSS_CHANNELS":
        raise ValueError(f"For 'lrn', 'norm_region' should be 'ACROSS_CHANNELS', but got {norm_region!r}.")
    if x.ndim != 4:
        raise ValueError(f"For 'lrn', the input should have 4 axes (N, C, H, W), but got shape {x.shape}.")
    return apply(K.lrn, (x, float(bias), float(alpha), float(beta)), radius=int(depth_radius))
