"""Callbacks that steer training by what is measured."""

import numpy as np

from sporax._core import scope
from sporax._core.parameter import Parameter
from sporax._core.tensor import Tensor
from sporax.train.callback.base import Callback
from sporax.train.callback.monitors import loss_of


class _Watching(Callback):
    """Knows whether a monitored quantity gets better."""

    def __init__(self, name, monitor, mode, min_delta):
        if not isinstance(monitor, str):
            raise TypeError(f"For '{name}', 'monitor' should be a str, but got {monitor!r} of type {type(monitor).__name__}.")
        if mode not in ("auto", "min", "max"):
            raise ValueError(f"For '{name}', 'mode' should be 'auto', 'min' or 'max', but got {mode!r}.")
        self.monitor = monitor
        self._sign = (
            -1 if mode == "max" or (mode == "auto" and any(k in monitor.lower() for k in ("acc", "auc", "f1", "precision", "recall", "top"))) else 1
        )
        self.min_delta = abs(min_delta)
        self.best = np.inf

    def _value(self, state):
        """The present value; None where nothing was measured in this epoch."""
        if self.monitor == "loss":
            return loss_of(state.get("net_outputs"))
        results = {**(state.get("metrics") or {}), **(state.get("eval_results") or {})}
        if not results:
            return None
        if self.monitor not in results:
            raise ValueError(f"'monitor' is {self.monitor!r}, but what is measured is 'loss' and {list(results)}: give the Model such a metric.")
        return float(np.mean(results[self.monitor]))

    def _improves(self, value):
        better = self._sign * value < self.best - self.min_delta
        if better:
            self.best = self._sign * value
        return better


class EarlyStopping(_Watching):
    """Ends training when a quantity does not get better any more.

    Args:
        monitor: "loss" (of training), "eval_loss" or the name of a metric. Default: "eval_loss".
        min_delta: what counts as better. Default: 0.
        patience: how many epochs without getting better are allowed. Default: 0.
        verbose: print when training ends. Default: False.
        mode: "min", "max" or "auto" (by the name). Default: "auto".
        baseline: a value to be better than at first. Default: None.
        restore_best_weights: give the network the weights of its best epoch at the end. Default: False.

    Raises:
        TypeError: an argument is of another kind.
        ValueError: it is out of range; during training: nothing of that name is measured.
    """

    def __init__(self, monitor="eval_loss", min_delta=0, patience=0, verbose=False, mode="auto", baseline=None, restore_best_weights=False):
        super().__init__("EarlyStopping", monitor, mode, min_delta)
        if isinstance(patience, bool) or not isinstance(patience, int) or patience < 0:
            raise ValueError(f"For 'EarlyStopping', 'patience' should be an int of at least 0, but got {patience!r}.")
        self.patience, self.verbose, self.baseline, self.restore_best_weights = patience, verbose, baseline, restore_best_weights
        self._weights: dict = {}

    def on_train_begin(self, run_context):
        """A fresh start."""
        self.wait, self.stopped_epoch = 0, 0
        self.best = np.inf if self.baseline is None else self._sign * self.baseline

    def on_train_epoch_end(self, run_context):
        """Look, and stop or go on."""
        state = run_context.original_args()
        value = self._value(state)
        if value is None:
            return
        if self._improves(value):
            self.wait = 0
            if self.restore_best_weights:
                self._weights = {p.name: Tensor(p.value()) for p in state.network.get_parameters()}
            return
        self.wait += 1
        if self.wait > self.patience:
            self.stopped_epoch = state.cur_epoch_num
            run_context.request_stop()
            if self.restore_best_weights and self._weights:
                for p in state.network.get_parameters():
                    scope.assign(p, self._weights[p.name])

    def on_train_end(self, run_context):
        """Say when it ended."""
        if self.stopped_epoch and self.verbose:
            print(f"Epoch {self.stopped_epoch}: early stopping", flush=True)


class LearningRateScheduler(Callback):
    """Sets the learning rate by a function after each step.

    Args:
        learning_rate_function: a function (present learning rate, number of the step) -> learning rate.

    Examples:
        >>> net = nn.Dense(1, 1)
        >>> optimizer = nn.SGD(net.trainable_params(), 0.1)
        >>> model = ms.train.Model(net, nn.MSELoss(), optimizer)
        >>> data = [(Tensor([[1.0]]), Tensor([[3.0]]))] * 2
        >>> model.train(1, data, callbacks=ms.train.LearningRateScheduler(lambda lr, step: lr * 0.5))
        >>> round(float(optimizer.get_lr().asnumpy()), 4)
        0.025
    """

    def __init__(self, learning_rate_function):
        if not callable(learning_rate_function):
            raise TypeError(
                f"For 'LearningRateScheduler', give a function (learning rate, step) -> learning rate, but got {learning_rate_function!r}."
            )
        self.learning_rate_function = learning_rate_function

    def step_end(self, run_context):
        """Set the learning rate for the next step."""
        state = run_context.original_args()
        rate = state.optimizer.learning_rate
        if not isinstance(rate, Parameter):
            raise ValueError("For 'LearningRateScheduler', the optimizer should have a constant learning rate, not a schedule of its own.")
        present = float(rate.asnumpy())
        new = self.learning_rate_function(present, state.cur_step_num)
        if new != present:
            scope.assign(rate, Tensor(new, rate.dtype))

    def on_eval_step_end(self, run_context):
        """Evaluations leave the learning rate."""


class ReduceLROnPlateau(_Watching):
    """Multiplies the learning rate by a factor when a quantity does not get better any more.

    Args:
        monitor: "loss" (of training), "eval_loss" or the name of a metric. Default: "eval_loss".
        factor: less than 1. Default: 0.1.
        patience: how many epochs without getting better are allowed. Default: 10.
        verbose: print each change. Default: False.
        mode: "min", "max" or "auto" (by the name). Default: "auto".
        min_delta: what counts as better. Default: 1e-4.
        cooldown: how many epochs after a change don't count. Default: 0.
        min_lr: the least learning rate. Default: 0.

    Raises:
        ValueError: an argument is out of range; during training: nothing of that name is measured.
    """

    def __init__(self, monitor="eval_loss", factor=0.1, patience=10, verbose=False, mode="auto", min_delta=1e-4, cooldown=0, min_lr=0):
        super().__init__("ReduceLROnPlateau", monitor, mode, min_delta)
        if not 0 <= factor < 1:
            raise ValueError(f"For 'ReduceLROnPlateau', 'factor' should be in [0, 1), but got {factor}.")
        self.factor, self.patience, self.verbose, self.cooldown, self.min_lr = factor, patience, verbose, cooldown, min_lr

    def on_train_begin(self, run_context):
        """A fresh start."""
        self.wait, self.cooldown_counter, self.best = 0, 0, np.inf

    def on_train_epoch_end(self, run_context):
        """Look, and reduce or go on."""
        state = run_context.original_args()
        value = self._value(state)
        if value is None:
            return
        if self.cooldown_counter > 0:
            self.cooldown_counter, self.wait = self.cooldown_counter - 1, 0
        if self._improves(value):
            self.wait = 0
            return
        if self.cooldown_counter > 0:
            return
        self.wait += 1
        rate = state.optimizer.learning_rate
        if self.wait >= self.patience and float(rate.asnumpy()) > self.min_lr:
            new = max(float(rate.asnumpy()) * self.factor, self.min_lr)
            scope.assign(rate, Tensor(new, rate.dtype))
            self.wait, self.cooldown_counter = 0, self.cooldown
            if self.verbose:
                print(f"Epoch {state.cur_epoch_num}: ReduceLROnPlateau reducing learning rate to {new}.", flush=True)
