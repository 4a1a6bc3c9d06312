"""Schedulers: `step()` moves the epoch on, and gives each group of an optimizer its next learning rate.

All of it is arithmetic on Tensors, without a look at their values, so a step waits for nothing and may be part of a compiled program.
"""

from sporax.experimental.optim._cycles import CosineAnnealingLR, CosineAnnealingWarmRestarts, CyclicLR
from sporax.experimental.optim._factors import (
    ConstantLR,
    ExponentialLR,
    LambdaLR,
    LinearLR,
    MultiplicativeLR,
    MultiStepLR,
    PolynomialLR,
    StepLR,
)
from sporax.experimental.optim._plateau import ReduceLROnPlateau
from sporax.experimental.optim._scheduler import LRScheduler, SequentialLR

__all__ = [
    "ConstantLR", "CosineAnnealingLR", "CosineAnnealingWarmRestarts", "CyclicLR", "ExponentialLR", "LRScheduler", "LambdaLR", "LinearLR", "MultiStepLR",
    "MultiplicativeLR", "PolynomialLR", "ReduceLROnPlateau", "SequentialLR", "StepLR",
]  # fmt: skip
