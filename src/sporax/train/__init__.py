"""Training: checkpoints and the state of a run."""

from sporax._names import module_getattr
from sporax.train.callback import *
from sporax.train.metrics import *
from sporax.train.model import Model
from sporax.train.serialization import (
    TrainState,
    async_ckpt_thread_status,
    load_checkpoint,
    load_checkpoint_async,
    load_param_into_net,
    save_checkpoint,
)

__getattr__ = module_getattr(__name__)
