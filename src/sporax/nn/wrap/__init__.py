"""Cells around networks."""

from sporax.nn.wrap.cell_wrapper import ForwardValueAndGrad, ParameterUpdate, TrainOneStepCell, WithEvalCell, WithGradCell, WithLossCell
