"""Optimizers whose options lie in groups that programs read and change, and schedulers that change their learning rates."""

from sporax.experimental.optim import lr_scheduler
from sporax.experimental.optim.adagrad import Adadelta, Adagrad
from sporax.experimental.optim.adam import Adam, AdamW
from sporax.experimental.optim.moments import Adamax, NAdam, RAdam
from sporax.experimental.optim.optimizer import Optimizer
from sporax.experimental.optim.rprop import ASGD, Rprop
from sporax.experimental.optim.sgd import SGD, RMSprop
