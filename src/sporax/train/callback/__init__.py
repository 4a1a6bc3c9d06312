"""Callbacks of the training loop."""

from sporax._names import module_getattr
from sporax.train.callback.base import Callback, LambdaCallback
from sporax.train.callback.checkpoint import CheckpointConfig, ModelCheckpoint
from sporax.train.callback.control import EarlyStopping, LearningRateScheduler, ReduceLROnPlateau
from sporax.train.callback.monitors import History, LossMonitor, ProgressBar, TimeMonitor
from sporax.train.context import RunContext

__all__ = [
    "Callback", "CheckpointConfig", "EarlyStopping", "History", "LambdaCallback", "LearningRateScheduler", "LossMonitor", "ModelCheckpoint",
    "ProgressBar", "ReduceLROnPlateau", "RunContext", "TimeMonitor",
]  # fmt: skip
__getattr__ = module_getattr(__name__)
