"""Second-order derivatives and the optimizers that use them."""

from sporax.steps.second_order.cg import cg
from sporax.steps.second_order.curvature import hessian, hessian_diag
from sporax.steps.second_order.kfac import KFAC
from sporax.steps.second_order.newton_cg import NewtonCG
from sporax.steps.second_order.products import ggnvp, hvp
from sporax.steps.second_order.sophia import SophiaG

__all__ = ["KFAC", "NewtonCG", "SophiaG", "cg", "ggnvp", "hessian", "hessian_diag", "hvp"]
