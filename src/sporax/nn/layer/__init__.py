"""Layers, by family."""

from sporax.nn.layer.activation import *
from sporax.nn.layer.basic import *
from sporax.nn.layer.combined import *
from sporax.nn.layer.container import *
from sporax.nn.layer.conv import *
from sporax.nn.layer.embedding import *
from sporax.nn.layer.image import *
from sporax.nn.layer.math import *
from sporax.nn.layer.normalization import *
from sporax.nn.layer.padding import *
from sporax.nn.layer.pooling import *
from sporax.nn.layer.rnn import *
from sporax.nn.layer.transformer import *
