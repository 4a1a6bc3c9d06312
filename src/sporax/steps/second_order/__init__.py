"""Second-order derivatives and the optimizers that use them."""

from sporax.steps.second_order.cg import cg
from sporax.steps.second_order.curvature import hessian, hessian_diag
from sporax.steps.second_order.products import ggnvp, hvp

__all__ = ["cg", "ggnvp", "hessian", "hessian_diag", "hvp"]
