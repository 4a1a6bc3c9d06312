"""Special functions."""

from sporax.mint.nn.functional import log_softmax
from sporax.ops import erfc, exp2, expm1, log1p, round, sinc  # noqa: A004

__all__ = ["erfc", "exp2", "expm1", "log1p", "log_softmax", "round", "sinc"]
