"""Gradients averaged over devices by programs that do it themselves."""

from sporax._core.tensor import Tensor
from sporax.nn.cell import Cell


class DistributedGradReducer(Cell):
    """The mean (or sum) over all devices of the gradients that each has.

    A program here is written for one device's view and its arrays span all devices, so the gradients of a step are those of the whole batch already: they
    are returned as they are.

    Args:
        parameters: the Parameters whose gradients come, a tuple or list.
        mean: average instead of adding up; None takes the setting of the parallel context. Default: None.
        degree: number of devices to average over; None for all. Default: None.
        fusion_type: which gradients MindSpore sends together; the compiler decides that here. Default: 1.
        group: the group of devices; only the one with all of them. Default: "hccl_world_group".

    Inputs:
        grads: a tuple of Tensors.

    Raises:
        ValueError: another group, or a `degree` other than 1.

    Examples:
        >>> net = nn.Dense(1, 1)
        >>> reducer = nn.DistributedGradReducer(net.trainable_params())
        >>> print(reducer((Tensor([1.0]), Tensor([2.0])))[1])
        [2.]
    """

    def __init__(self, parameters, mean=None, degree=None, fusion_type=1, group="hccl_world_group"):
        super().__init__(auto_prefix=False)
        if mean is not None and not isinstance(mean, bool):
            raise TypeError(f"For 'DistributedGradReducer', 'mean' should be a bool or None, but got {mean!r} of type {type(mean).__name__}.")
        if degree is not None and (isinstance(degree, bool) or not isinstance(degree, int)):
            raise TypeError(f"For 'DistributedGradReducer', 'degree' should be an int or None, but got {degree!r} of type {type(degree).__name__}.")
        if degree not in (None, 1):
            raise ValueError(f"For 'DistributedGradReducer', 'degree' should be None or 1: gradients span all devices already, but got {degree}.")
        if group not in ("hccl_world_group", "nccl_world_group", "mccl_world_group"):
            raise ValueError(f"For 'DistributedGradReducer', 'group' should be the group of all devices, but got {group!r}.")
        self.parameters, self.mean, self.fusion_type = tuple(parameters), bool(mean), fusion_type

    def construct(self, grads):
        """The gradients.

        Args:
            grads: a tuple or list of Tensors.
        """
        for g in grads:
            if not isinstance(g, Tensor):
                raise TypeError(f"For 'DistributedGradReducer', each gradient should be a Tensor, but got {type(g).__name__}.")
        return grads
