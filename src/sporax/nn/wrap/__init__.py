"""Cells around networks."""

from sporax.nn.wrap.loss import ForwardValueAndGrad, WithEvalCell, WithGradCell, WithLossCell
from sporax.nn.wrap.micro_batch import GradAccumulationCell, MicroBatchInterleaved, PipelineCell, VirtualDatasetCellTriple
from sporax.nn.wrap.train import ParameterUpdate, TrainOneStepCell

__all__ = [
    "ForwardValueAndGrad", "GradAccumulationCell", "MicroBatchInterleaved", "ParameterUpdate", "PipelineCell", "TrainOneStepCell",
    "VirtualDatasetCellTriple", "WithEvalCell", "WithGradCell", "WithLossCell",
]  # fmt: skip
