"""Training steps: a composable one that is compiled whole, and tools to look into steps."""

from sporax.steps.average import MovingAverage
from sporax.steps.explain import GradReport, explain_grads
from sporax.steps.optimizers import Optimizers
from sporax.steps.per_sample import NoiseScale, empirical_fisher, noise_scale, noise_scale_from_norms, per_sample_grads
from sporax.steps.pinn import partial_derivative
from sporax.steps.sam import sam_value_and_grad
from sporax.steps.second_order import KFAC, NewtonCG, SophiaG, cg, ggnvp, hessian, hessian_diag, hvp
from sporax.steps.tasks import Task, Tasks
from sporax.steps.train_step import StepOutput, TrainStep
from sporax.steps.transform import L1, L2, ByNorm, ByValue, GlobalNorm, GradientTransform

__all__ = [
    "ByNorm", "ByValue", "GlobalNorm", "GradReport", "GradientTransform", "KFAC", "L1", "L2", "MovingAverage", "NewtonCG", "NoiseScale",
    "Optimizers", "SophiaG", "StepOutput", "Task", "Tasks", "TrainStep", "cg", "empirical_fisher", "explain_grads", "ggnvp", "hessian",
    "hessian_diag", "hvp", "noise_scale", "noise_scale_from_norms", "partial_derivative", "per_sample_grads", "sam_value_and_grad",
]  # fmt: skip
