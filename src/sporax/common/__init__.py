"""What MindSpore keeps under `common`: tensors, parameters, dtypes, seeds and initializers."""

from sporax._core import dtype
from sporax._core.dtype import *
from sporax._core.jit import jit, jit_class, lazy_inline, mutable, no_inline
from sporax._core.parameter import Parameter, ParameterTuple
from sporax._core.rng import Generator, get_rng_state, get_seed, initial_seed, manual_seed, seed, set_rng_state, set_seed
from sporax._core.tensor import Tensor
from sporax._names import module_getattr
from sporax.common import initializer

__getattr__ = module_getattr(__name__)
