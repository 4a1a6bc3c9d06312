"""Operators: functions, and the classes of the older style."""

from sporax._core.forward import jacfwd, jacrev, jvp, vmap
from sporax._core.recompute import recompute
from sporax._core.transforms import GradOperation, get_grad, grad, value_and_grad, vjp
from sporax.ops import (
    _table,
    activation,
    array,
    binary,
    blocks,
    boxes,
    composite,
    conv,
    conv_input,
    convert,
    creation,
    decompositions,
    diagonals,
    finite,
    image,
    in_place,
    index,
    linalg,
    loss,
    normalization,
    pool,
    random,
    reduce,
    scan,
    scatter,
    selection,
    slicing,
    sort,
    stacking,
    unary,
    vector_norm,
)
from sporax.ops._table import Primitive, PrimitiveWithCheck, PrimitiveWithInfer
from sporax.ops.composite import HookBackward, HyperMap, Map, MultitypeFuncGraph, Partial, Print

in_place.install_in_place()
_table.install_methods()
globals().update(_table.functions)
globals().update(_table.primitives)

from sporax._names import module_getattr  # noqa: E402

__getattr__ = module_getattr(__name__)
