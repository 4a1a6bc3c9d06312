"""Optimizers of `mint`."""

from sporax.mint._optimizers import SGD, Adam, AdamW, FusedAdamW

__all__ = ["SGD", "Adam", "AdamW", "FusedAdamW"]
