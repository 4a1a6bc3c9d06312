"""Cells around networks."""

from sporax.nn.wrap.grad_reducer import DistributedGradReducer
from sporax.nn.wrap.loss import ForwardValueAndGrad, WithEvalCell, WithGradCell, WithLossCell
from sporax.nn.wrap.loss_scale import DynamicLossScaleUpdateCell, FixedLossScaleUpdateCell, TrainOneStepWithLossScaleCell
from sporax.nn.wrap.micro_batch import GradAccumulationCell, MicroBatchInterleaved, PipelineCell, VirtualDatasetCellTriple
from sporax.nn.wrap.train import ParameterUpdate, TrainOneStepCell

__all__ = [
    "DistributedGradReducer", "DynamicLossScaleUpdateCell", "FixedLossScaleUpdateCell", "ForwardValueAndGrad", "GradAccumulationCell",
    "MicroBatchInterleaved", "ParameterUpdate", "PipelineCell", "TrainOneStepCell", "TrainOneStepWithLossScaleCell", "VirtualDatasetCellTriple",
    "WithEvalCell", "WithGradCell", "WithLossCell",
]  # fmt: skip
