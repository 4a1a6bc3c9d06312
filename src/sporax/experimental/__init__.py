"""Experimental interfaces."""

from sporax.experimental import optim
