"""Sporax: MindSpore's programming model on JAX/XLA."""

import gc

# Nothing that is loaded is garbage, and one search for garbage among all of JAX's objects takes 0.1 s, as long as the rest of this import.
_collecting = gc.isenabled()
gc.disable()

from sporax._core import context, dtype
from sporax._core.context import COMPATIBLE, GRAPH_MODE, LAX, PYNATIVE_MODE, STRICT, get_context, set_context, set_deterministic, set_device
from sporax._core.dtype import *
from sporax._core.dtype import bool_ as bool
from sporax._core.forward import jacfwd, jacrev, jvp, vmap
from sporax._core.jit import constexpr, jit, jit_class, lazy_inline, mutable, no_inline
from sporax._core.parameter import Parameter, ParameterTuple
from sporax._core.recompute import recompute
from sporax._core.rng import Generator, default_generator, get_rng_state, get_seed, initial_seed, manual_seed, seed, set_rng_state, set_seed
from sporax._core.tensor import Tensor
from sporax._core.transforms import get_grad, grad, value_and_grad, vjp
from sporax import ops  # isort: skip  (gives Tensor its methods)
from sporax import common, nn, runtime
from sporax.version import API_LEVEL as __version__
from sporax._names import module_getattr
from sporax._names.finder import install_aliases

install_aliases()
__getattr__ = module_getattr(__name__)
if _collecting:
    gc.enable()
del gc
