"""Mixed precision: which type operations compute in, and loss scaling."""

from sporax._names import module_getattr
from sporax.amp.build import build_train_network
from sporax.amp.manager import DynamicLossScaleManager, FixedLossScaleManager, LossScaleManager
from sporax.amp.precision import auto_mixed_precision, custom_mixed_precision, get_black_list, get_white_list
from sporax.amp.scaler import DynamicLossScaler, LossScaler, StaticLossScaler, init_status
from sporax.ops.finite import all_finite

__all__ = [
    "DynamicLossScaleManager", "DynamicLossScaler", "FixedLossScaleManager", "LossScaleManager", "LossScaler", "StaticLossScaler", "all_finite",
    "auto_mixed_precision", "build_train_network", "custom_mixed_precision", "get_black_list", "get_white_list", "init_status",
]  # fmt: skip
__getattr__ = module_getattr(__name__)
