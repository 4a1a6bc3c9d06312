"""Sporax: MindSpore's programming model on JAX/XLA."""

from sporax._core import dtype
from sporax._core.context import COMPATIBLE, GRAPH_MODE, LAX, PYNATIVE_MODE, STRICT, get_context, set_context, set_deterministic, set_device
from sporax._core.dtype import *  # noqa: F403
from sporax._core.dtype import bool_ as bool  # noqa: A004
from sporax._core.jit import constexpr, jit, jit_class, lazy_inline, mutable, no_inline
from sporax._core.parameter import Parameter, ParameterTuple
from sporax._core.rng import Generator, default_generator, get_rng_state, get_seed, initial_seed, manual_seed, seed, set_rng_state, set_seed
from sporax._core.tensor import Tensor
from sporax import ops
from sporax._core.transforms import get_grad, grad, value_and_grad, vjp
