"""Normalization layers."""

from sporax import ops
from sporax._core import dtype as mstype
from sporax._core import scope
from sporax._core.dispatch import apply
from sporax._kernels import norm as K
from sporax.nn.cell import Cell
from sporax.nn.layer._make import flag, need_input, parameter, positive_int
from sporax.ops.normalization import batch_norm_infer, batch_norm_train


class _BatchNorm(Cell):
    """Normalization over all axes but the channels (Ioffe and Szegedy, 2015).

    Args:
        num_features: number of channels.
        eps: added to the variance. Default: 1e-5.
        momentum: how much the moving statistics keep at each step: m moving + (1 - m) batch. Default: 0.9.
        affine: whether gamma and beta are trained. Default: True.
        gamma_init, beta_init, moving_mean_init, moving_var_init: what `initializer` takes. Default: "ones", "zeros", "zeros", "ones".
        use_batch_statistics: True: always the batch's; False: always the moving ones; None: the batch's in training. Default: None.
        data_format: must be "NCHW". Default: "NCHW".
        dtype: dtype of the parameters. Default: float32.

    Raises:
        ValueError: settings out of range, or an input with another number of channels or axes.
    """

    axes: tuple = ()

    def __init__(
        self, num_features, eps=1e-5, momentum=0.9, affine=True, gamma_init="ones", beta_init="zeros", moving_mean_init="zeros", moving_var_init="ones",
        use_batch_statistics=None, data_format="NCHW", dtype=mstype.float32,
    ):  # fmt: skip
        super().__init__()
        name = type(self).__name__
        self.num_features = positive_int(name, "num_features", num_features)
        if isinstance(momentum, bool) or not isinstance(momentum, int | float):
            raise TypeError(f"For '{name}', 'momentum' should be a number, but got {momentum!r}.")
        if not 0 <= momentum <= 1:
            raise ValueError(f"For '{name}', the 'momentum' must be a number in [0, 1], but got {momentum}.")
        if eps <= 0:
            raise ValueError(f"For '{name}', 'eps' should be positive, but got {eps}.")
        if data_format not in ("NCHW", "NCDHW"):
            raise ValueError(f"For '{name}', 'data_format' should be 'NCHW', but got {data_format!r}: transpose the input.")
        if use_batch_statistics not in (None, True, False):
            raise ValueError(f"For '{name}', 'use_batch_statistics' should be True, False or None, but got {use_batch_statistics!r}.")
        self.eps, self.momentum, self.use_batch_statistics, self.affine = eps, momentum, use_batch_statistics, flag(name, "affine", affine)
        self.moving_mean = parameter(moving_mean_init, (num_features,), "mean", dtype, False)
        self.moving_variance = parameter(moving_var_init, (num_features,), "variance", dtype, False)
        self.gamma = parameter(gamma_init, (num_features,), "gamma", dtype, affine)
        self.beta = parameter(beta_init, (num_features,), "beta", dtype, affine)

    def construct(self, x):
        need_input(type(self).__name__, x)
        if x.ndim not in self.axes or x.shape[1] != self.num_features:
            raise ValueError(
                f"For '{type(self).__name__}', the input should have {' or '.join(map(str, self.axes))} axes and "
                f"{self.num_features} channels, but got shape {x.shape}."
            )
        by_batch = self.training if self.use_batch_statistics is None else self.use_batch_statistics
        if not by_batch:
            return batch_norm_infer(x, self.gamma, self.beta, self.moving_mean, self.moving_variance, self.eps)
        y, mean, variance = batch_norm_train(x, self.gamma, self.beta, self.moving_mean, self.moving_variance, self.momentum, self.eps)
        scope.assign(self.moving_mean, mean)
        scope.assign(self.moving_variance, variance)
        return y

    def extend_repr(self):
        return (
            f"num_features={self.num_features}, eps={self.eps}, momentum={self.momentum}, gamma={self.gamma}, beta={self.beta}, "
            f"moving_mean={self.moving_mean}, moving_variance={self.moving_variance}"
        )


class BatchNorm1d(_BatchNorm):
    """Batch normalization of (N, C) or (N, C, L)."""

    __doc__ += _BatchNorm.__doc__
    axes = (2, 3)


class BatchNorm2d(_BatchNorm):
    """Batch normalization of (N, C, H, W)."""

    __doc__ += _BatchNorm.__doc__
    axes = (4,)


class BatchNorm3d(Cell):
    """Batch normalization of (N, C, D, H, W). The parameters belong to a `BatchNorm2d`, `bn2d`, as in MindSpore's checkpoints."""

    __doc__ += _BatchNorm.__doc__

    def __init__(
        self, num_features, eps=1e-5, momentum=0.9, affine=True, gamma_init="ones", beta_init="zeros", moving_mean_init="zeros", moving_var_init="ones",
        use_batch_statistics=None, dtype=mstype.float32,
    ):  # fmt: skip
        super().__init__()
        self.bn2d = BatchNorm2d(
            num_features, eps, momentum, affine, gamma_init, beta_init, moving_mean_init, moving_var_init, use_batch_statistics, "NCHW", dtype
        )

    def construct(self, x):
        need_input("BatchNorm3d", x)
        if x.ndim != 5:
            raise ValueError(f"For 'BatchNorm3d', the input should have 5 axes, but got shape {x.shape}.")
        n, c, d, h, w = x.shape
        return self.bn2d(x.reshape(n, c, d * h, w)).reshape(x.shape)


class SyncBatchNorm(_BatchNorm):
    """Batch normalization with the statistics of the whole batch, wherever its parts are computed.

    Args:
        num_features, eps, momentum, affine, gamma_init, beta_init, moving_mean_init, moving_var_init, use_batch_statistics, dtype: see
            `BatchNorm2d`.
        process_groups: lists of the ranks that share statistics; every rank of a group must exist. Default: None, all.
    """

    axes = (2, 3, 4, 5)

    def __init__(
        self, num_features, eps=1e-5, momentum=0.9, affine=True, gamma_init="ones", beta_init="zeros", moving_mean_init="zeros", moving_var_init="ones",
        use_batch_statistics=None, process_groups=None, dtype=mstype.float32,
    ):  # fmt: skip
        super().__init__(
            num_features, eps, momentum, affine, gamma_init, beta_init, moving_mean_init, moving_var_init, use_batch_statistics, "NCHW", dtype
        )
        if process_groups is not None:
            if not isinstance(process_groups, list) or not all(isinstance(group, list) for group in process_groups):
                raise TypeError(f"For 'SyncBatchNorm', 'process_groups' should be a list of lists of ranks, but got {process_groups!r}.")
            ranks = [rank for group in process_groups for rank in group]
            if ranks != [0]:
                raise ValueError(f"For 'SyncBatchNorm', 'process_groups' should hold each rank once, of which there is 1, but got {process_groups}.")
        self.process_groups = process_groups


class LRN(Cell):
    """x / (bias + alpha sum of x**2 over nearby channels)**beta (Krizhevsky et al., 2012); see `ops.lrn` for the arguments."""

    def __init__(self, depth_radius=5, bias=1.0, alpha=1.0, beta=0.5, norm_region="ACROSS_CHANNELS"):
        super().__init__()
        self.lrn = ops.LRN(depth_radius, bias, alpha, beta, norm_region)

    def construct(self, input_x):
        return self.lrn(input_x)


class LayerNorm(Cell):
    """Normalization over the last axes (Ba et al., 2016).

    Args:
        normalized_shape: the sizes of gamma and beta: a tuple or list, those of the axes from `begin_params_axis` on.
        begin_norm_axis: the first axis that is normalized. Default: -1.
        begin_params_axis: the first axis that has gamma and beta. Default: -1.
        gamma_init, beta_init: what `initializer` takes. Default: "ones", "zeros".
        epsilon: added to the variance. Default: 1e-7.
        dtype: dtype of the parameters. Default: float32.

    Examples:
        >>> print(nn.LayerNorm((2,))(Tensor([[1.0, 3.0]])))
        [[-0.99999994  0.99999994]]
    """

    def __init__(
        self, normalized_shape, begin_norm_axis=-1, begin_params_axis=-1, gamma_init="ones", beta_init="zeros", epsilon=1e-7, dtype=mstype.float32
    ):
        super().__init__()
        if not isinstance(normalized_shape, tuple | list):
            raise TypeError(
                f"For 'LayerNorm', the type of 'normalized_shape' must be tuple[int] or list[int], but got {normalized_shape!r} "
                f"and the type is {type(normalized_shape)}."
            )
        if not normalized_shape:
            raise ValueError("For 'LayerNorm', 'normalized_shape' should not be empty.")
        self.normalized_shape = tuple(normalized_shape)
        self.begin_norm_axis, self.begin_params_axis, self.epsilon = begin_norm_axis, begin_params_axis, epsilon
        self.gamma = parameter(gamma_init, self.normalized_shape, "gamma", dtype)
        self.beta = parameter(beta_init, self.normalized_shape, "beta", dtype)

    def construct(self, input_x):
        need_input("LayerNorm", input_x)
        axis, n = self.begin_norm_axis, input_x.ndim
        if not (-n <= axis < n and -n <= self.begin_params_axis < n) or input_x.shape[self.begin_params_axis % n :] != self.normalized_shape:
            raise ValueError(
                f"For 'LayerNorm', the sizes of the input from axis {self.begin_params_axis} (begin_params_axis) on should be "
                f"{self.normalized_shape}, but its shape is {input_x.shape}. Several axes need begin_norm_axis and begin_params_axis too."
            )
        return apply(K.layer_norm, (input_x, self.gamma, self.beta, self.epsilon), axis=axis % input_x.ndim, params_axis=self.begin_params_axis)

    def extend_repr(self):
        return (
            f"normalized_shape={self.normalized_shape}, begin_norm_axis={self.begin_norm_axis}, begin_params_axis={self.begin_params_axis}, "
            f"gamma{self.gamma}, beta={self.beta}"
        )


class GroupNorm(Cell):
    """Normalization over groups of channels (Wu and He, 2018).

    Args:
        num_groups: number of groups; divides `num_channels`.
        num_channels: number of channels.
        eps: added to the variance. Default: 1e-5.
        affine: whether gamma and beta are trained. Default: True.
        gamma_init, beta_init: what `initializer` takes. Default: "ones", "zeros".
        dtype: dtype of the parameters. Default: float32.
    """

    def __init__(self, num_groups, num_channels, eps=1e-5, affine=True, gamma_init="ones", beta_init="zeros", dtype=mstype.float32):
        super().__init__()
        self.num_groups, self.num_channels = (
            positive_int("GroupNorm", "num_groups", num_groups),
            positive_int("GroupNorm", "num_channels", num_channels),
        )
        if num_channels % num_groups:
            raise ValueError(f"For 'GroupNorm', the 'num_channels' must be divided by 'num_groups', but got {num_channels} and {num_groups}.")
        self.eps, self.affine = eps, flag("GroupNorm", "affine", affine)
        self.gamma = parameter(gamma_init, (num_channels,), "gamma", dtype, affine)
        self.beta = parameter(beta_init, (num_channels,), "beta", dtype, affine)

    def construct(self, x):
        need_input("GroupNorm", x)
        if x.ndim < 2 or x.shape[1] != self.num_channels:
            raise ValueError(f"For 'GroupNorm', the input should have {self.num_channels} channels in axis 1, but got shape {x.shape}.")
        return ops.group_norm(x, self.num_groups, self.gamma, self.beta, self.eps)

    def extend_repr(self):
        return f"num_groups={self.num_groups}, num_channels={self.num_channels}"


class _InstanceNorm(Cell):
    """Normalization of each channel of each sample (Ulyanov et al., 2016).

    Args:
        num_features: number of channels.
        eps: added to the variance. Default: 1e-5.
        momentum: kept for the moving statistics, which are not used. Default: 0.1.
        affine: whether gamma and beta are trained. Default: True.
        gamma_init, beta_init: what `initializer` takes. Default: "ones", "zeros".
        dtype: dtype of the parameters. Default: float32.
    """

    axes = 0

    def __init__(self, num_features, eps=1e-5, momentum=0.1, affine=True, gamma_init="ones", beta_init="zeros", dtype=mstype.float32):
        super().__init__()
        name = type(self).__name__
        self.num_features, self.eps, self.affine = positive_int(name, "num_features", num_features), eps, flag(name, "affine", affine)
        if not 0 <= momentum <= 1:
            raise ValueError(f"For '{name}', the 'momentum' must be a number in [0, 1], but got {momentum}.")
        self.momentum = momentum
        self.moving_mean = parameter("zeros", (num_features,), "mean", dtype, False)
        self.moving_variance = parameter("ones", (num_features,), "variance", dtype, False)
        self.gamma = parameter(gamma_init, (num_features,), "gamma", dtype, affine)
        self.beta = parameter(beta_init, (num_features,), "beta", dtype, affine)

    def construct(self, x):
        need_input(type(self).__name__, x)
        if x.ndim != self.axes or x.shape[1] != self.num_features:
            raise ValueError(
                f"For '{type(self).__name__}', the input should have {self.axes} axes and {self.num_features} channels, but got shape {x.shape}."
            )
        return ops.group_norm(x, self.num_features, self.gamma, self.beta, self.eps)

    extend_repr = _BatchNorm.extend_repr


class InstanceNorm1d(_InstanceNorm):
    """Instance normalization of (N, C, L)."""

    __doc__ += _InstanceNorm.__doc__
    axes = 3


class InstanceNorm2d(_InstanceNorm):
    """Instance normalization of (N, C, H, W)."""

    __doc__ += _InstanceNorm.__doc__
    axes = 4


class InstanceNorm3d(_InstanceNorm):
    """Instance normalization of (N, C, D, H, W)."""

    __doc__ += _InstanceNorm.__doc__
    axes = 5
