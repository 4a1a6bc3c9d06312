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
