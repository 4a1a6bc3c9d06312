"""Cells that run a network on parts of a batch and add up the results."""

from sporax._core.tensor import Tensor
from sporax.nn.cell import Cell
from sporax.nn.layer.container import CellList


class _MicroBatch(Cell):
    """One of equal parts of each input along its first axis."""

    def __init__(self, count):
        super().__init__()
        self.count = count

    def construct(self, index, *inputs):
        """The part of number `index` of each Tensor in `inputs`; other inputs stay as they are."""
        return tuple(self._part(index, x) if isinstance(x, Tensor) else x for x in inputs)

    def _part(self, index, x):
        if not x.ndim or x.shape[0] % self.count:
            raise ValueError(
                f"A batch of shape {x.shape} cannot be cut into {self.count} equal parts along its first axis: "
                f"use a batch size that {self.count} divides."
            )
        size = x.shape[0] // self.count
        return x[index * size : (index + 1) * size]


class _InParts(Cell):
    """A network that is called on each part of the batch; the results are added."""

    _held = "micro_inputs"

    def __init__(self, network, count, argument):
        super().__init__(auto_prefix=False)
        name = type(self).__name__
        if not isinstance(network, Cell):
            raise TypeError(f"For '{name}', 'network' should be a Cell, but got {network!r} of type {type(network).__name__}.")
        if isinstance(count, bool) or not isinstance(count, int):
            raise TypeError(f"For '{name}', '{argument}' should be an int, but got {count!r} of type {type(count).__name__}.")
        if count < 1:
            raise ValueError(f"For '{name}', '{argument}' should be at least 1, but got {count}.")
        self.network = network
        setattr(self, self._held, CellList([_MicroBatch(count) for _ in range(count)]))

    def construct(self, *inputs):
        """The sum of the network's results on the parts.

        Args:
            *inputs: what the network takes, a whole batch.
        """
        total = None
        for i, part in enumerate(getattr(self, self._held)):
            out = self.network(*part(i, *inputs))
            total = out if total is None else total + out
        return total


class MicroBatchInterleaved(_InParts):
    """A network called on equal parts of the batch, whose results are added; the compiler may run them side by side.

    Args:
        network: a Cell that returns one Tensor.
        interleave_num: number of parts. Default: 2.

    Raises:
        TypeError: an argument is of another kind.
        ValueError: `interleave_num` is not positive, or does not divide the batch size.

    Examples:
        >>> print(nn.MicroBatchInterleaved(nn.Identity())(Tensor([[1.0], [10.0]])))
        [[11.]]
    """

    _held = "interleave_inputs"

    def __init__(self, network, interleave_num=2):
        super().__init__(network, interleave_num, "interleave_num")


class GradAccumulationCell(_InParts):
    """A network called on equal parts of the batch one after the other, whose results (losses) are added.

    Args:
        network: a Cell that returns one Tensor.
        micro_size: number of parts.

    Raises:
        TypeError: an argument is of another kind.
        ValueError: `micro_size` is not positive, or does not divide the batch size.

    Examples:
        >>> print(nn.GradAccumulationCell(nn.Identity(), 2)(Tensor([[1.0], [10.0]])))
        [[11.]]
    """

    def __init__(self, network, micro_size):
        super().__init__(network, micro_size, "micro_size")


class PipelineCell(_InParts):
    """A network called on equal parts of the batch, whose results (losses) are added: what a pipeline run does, on one device.

    Args:
        network: a Cell that returns one Tensor.
        micro_size: number of parts.
        stage_config: a dict from path of a Cell in the network to its pipeline stage, which becomes its `pipeline_stage`. Default: None.
        segment_config: the same for segments (`pipeline_segment`). Default: None.

    Raises:
        TypeError: an argument is of another kind.
        ValueError: `micro_size` is not positive, or does not divide the batch size.
        KeyError: there is no Cell of a path.

    Examples:
        >>> print(nn.PipelineCell(nn.Identity(), 2)(Tensor([[1.0], [10.0]])))
        [[11.]]
    """

    def __init__(self, network, micro_size, stage_config=None, segment_config=None):
        super().__init__(network, micro_size, "micro_size")
        cells = dict(network.cells_and_names())
        for argument, config, attribute in (
            ("stage_config", stage_config, "pipeline_stage"),
            ("segment_config", segment_config, "pipeline_segment"),
        ):
            if config is not None and not isinstance(config, dict):
                raise TypeError(f"For 'PipelineCell', '{argument}' should be a dict from path of a Cell to int, but got {config!r}.")
            for path, number in (config or {}).items():
                if path not in cells:
                    raise KeyError(f"For 'PipelineCell', '{argument}' names the Cell '{path}', but the network has {', '.join(filter(None, cells))}.")
                setattr(cells[path], attribute, number)


class VirtualDatasetCellTriple(Cell):
    """A network with three inputs, which in a parallel run arrive split along the batch; here they go straight in.

    Args:
        backbone: the network.

    Raises:
        TypeError: `backbone` is not a Cell.

    Examples:
        >>> class Sum(nn.Cell):
        ...     def construct(self, a, b, c):
        ...         return a + b + c
        >>> print(nn.VirtualDatasetCellTriple(Sum())(Tensor(1.0), Tensor(2.0), Tensor(3.0)))
        6.0
    """

    def __init__(self, backbone):
        super().__init__(auto_prefix=False)
        if not isinstance(backbone, Cell):
            raise TypeError(f"For 'VirtualDatasetCellTriple', 'backbone' should be a Cell, but got {backbone!r} of type {type(backbone).__name__}.")
        self._backbone = backbone

    def construct(self, a, b, c):
        """What the network returns.

        Args:
            a, b, c: its inputs.
        """
        return self._backbone(a, b, c)
