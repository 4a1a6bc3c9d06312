"""Optimizers."""

from sporax.nn.optim.adadelta import Adadelta
from sporax.nn.optim.adafactor import AdaFactor
from sporax.nn.optim.adagrad import Adagrad, ProximalAdagrad
from sporax.nn.optim.adam import Adam, AdamOffload, AdamWeightDecay, LazyAdam
from sporax.nn.optim.adamax import AdaMax
from sporax.nn.optim.asgd import ASGD
from sporax.nn.optim.ftrl import FTRL
from sporax.nn.optim.lamb import Lamb
from sporax.nn.optim.lars import LARS
from sporax.nn.optim.momentum import Momentum
from sporax.nn.optim.optimizer import Optimizer, opt_init_args_register
from sporax.nn.optim.rmsprop import RMSProp
from sporax.nn.optim.rprop import Rprop
from sporax.nn.optim.sgd import SGD
from sporax.nn.optim.thor import thor
