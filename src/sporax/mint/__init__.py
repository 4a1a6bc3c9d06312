"""PyTorch-like interfaces."""

from sporax.mint import optim
