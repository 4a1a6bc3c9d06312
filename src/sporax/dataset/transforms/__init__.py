"""Operations on arrays of any kind, and ways to combine operations."""

from sporax._names import module_getattr
from sporax.dataset.transforms._compound import Compose, CompoundOperation, RandomApply, RandomChoice, RandomOrder, not_random
from sporax.dataset.transforms._data import (
    Concatenate,
    Duplicate,
    Fill,
    Mask,
    OneHot,
    PadEnd,
    Plugin,
    Relational,
    Slice,
    TypeCast,
    Unique,
)
from sporax.dataset.transforms._operation import PyTensorOperation, TensorOperation

__getattr__ = module_getattr(__name__)
