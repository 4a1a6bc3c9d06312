"""Callbacks that print or remember how training goes."""

import time

import numpy as np

from sporax._core.tensor import Tensor
from sporax.train.callback.base import Callback


def loss_of(outputs):
    """The loss among the outputs of a step, a float or an array."""
    while isinstance(outputs, tuple | list) and outputs:
        outputs = outputs[0]
    if isinstance(outputs, Tensor):
        outputs = outputs.asnumpy()
    return float(np.mean(outputs)) if isinstance(outputs, np.ndarray) else outputs


class LossMonitor(Callback):
    """Prints the loss, and ends the training with an error when it is not finite.

    Args:
        per_print_times: every how many steps; 0 for never. Default: 1.

    Raises:
        ValueError: `per_print_times` is no int of at least 0; during training: the loss is nan or infinite.

    Examples:
        >>> net = nn.Dense(1, 1, weight_init="ones", bias_init="zeros")
        >>> model = ms.train.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.1))
        >>> model.train(2, [(Tensor([[1.0]]), Tensor([[3.0]]))], callbacks=ms.train.LossMonitor())
        epoch: 1 step: 1, loss is 4.0
        epoch: 2 step: 1, loss is 1.440000057220459
    """

    def __init__(self, per_print_times=1):
        if isinstance(per_print_times, bool) or not isinstance(per_print_times, int) or per_print_times < 0:
            raise ValueError(f"The argument 'per_print_times' must be int and must >= 0, but got {per_print_times!r}.")
        self._per_print_times, self._last_print_time = per_print_times, 0

    def on_train_begin(self, run_context):
        """Counts from the step that training starts at."""
        self._last_print_time = run_context.original_args().get("cur_step_num", 0)

    def step_end(self, run_context):
        """Print the loss."""
        state = run_context.original_args()
        # losses are only looked at where they are printed: between, steps need not wait for each other
        if not self._per_print_times or state.cur_step_num - self._last_print_time < self._per_print_times:
            return
        self._last_print_time = state.cur_step_num
        loss, epoch, step = loss_of(state.net_outputs), state.get("cur_epoch_num", 1), (state.cur_step_num - 1) % state.batch_num + 1
        if isinstance(loss, float) and not np.isfinite(loss):
            raise ValueError(f"In epoch: {epoch} step: {step}, loss is NAN or INF, training process cannot continue, terminating training.")
        print(f"epoch: {epoch} step: {step}, loss is {loss}", flush=True)

    def on_train_epoch_end(self, run_context):
        """Print what an evaluation between epochs has found."""
        state = run_context.original_args()
        if state.get("metrics"):
            print(f"Eval result: epoch {state.cur_epoch_num}, metrics: {state.metrics}", flush=True)

    def on_eval_step_end(self, run_context):
        """Nothing: losses of evaluations are not printed."""


class TimeMonitor(Callback):
    """Prints how long each epoch took.

    Args:
        data_size: number of steps of an epoch where the data set doesn't tell. Default: None.
        data_time: print the time spent waiting for data too. Default: False.

    Raises:
        TypeError: `data_time` is not a bool.
        ValueError: the number of steps is not known.
    """

    def __init__(self, data_size=None, data_time=False):
        if not isinstance(data_time, bool):
            raise TypeError(f"The argument 'data_time' should be a bool, but got {data_time!r} of type {type(data_time).__name__}.")
        self.data_size, self.data_time = data_size, data_time
        self.epoch_time = self._waiting_since = time.perf_counter()
        self._waited = 0.0

    def epoch_begin(self, run_context):
        """Start the clock."""
        self.epoch_time = self._waiting_since = time.perf_counter()
        self._waited = 0.0

    def step_begin(self, run_context):
        """The data is there."""
        self._waited += time.perf_counter() - self._waiting_since

    def step_end(self, run_context):
        """Wait for data again."""
        self._waiting_since = time.perf_counter()

    def epoch_end(self, run_context):
        """Print the time."""
        state = run_context.original_args()
        elapsed = (time.perf_counter() - self.epoch_time) * 1000
        steps = state.get("batch_num") or self.data_size
        if not isinstance(steps, int) or steps < 1:
            raise ValueError(f"For 'TimeMonitor', 'data_size' should be the number of steps of an epoch, but got {steps!r}.")
        text = f"{state.get('mode', '').title()} epoch time: {elapsed:5.3f} ms, per step time: {elapsed / steps:5.3f} ms"
        print(text + (f" (data time: {self._waited * 1000 / steps:5.3f} ms)" if self.data_time else ""), flush=True)


class History(Callback):
    """Remembers losses and metrics: `history.epoch["epoch"]` has numbers of epochs, `history.history` lists by name.

    Examples:
        >>> net = nn.Dense(1, 1, weight_init="ones", bias_init="zeros")
        >>> model = ms.train.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.1))
        >>> history = ms.train.History()
        >>> model.train(2, [(Tensor([[1.0]]), Tensor([[3.0]]))], callbacks=history)
        >>> history.epoch, [round(float(x), 3) for x in history.history["net_output"]]
        ({'epoch': [1, 2]}, [4.0, 1.44])
    """

    def __init__(self):
        self.history: dict = {}
        self.epoch: dict = {}

    def begin(self, run_context):
        """A fresh record."""
        if run_context.original_args().get("mode") != "eval":
            self.epoch, self.history = {"epoch": []}, {}

    def on_eval_begin(self, run_context):
        """An evaluation between epochs leaves the record."""

    def epoch_end(self, run_context):
        """Remember the last loss, and metrics where there are some."""
        state = run_context.original_args()
        self.epoch.setdefault("epoch", []).append(state.get("cur_epoch_num", 1))
        out = state.get("net_outputs")
        if out is not None:
            self.history.setdefault("net_output", []).append(loss_of(out))
        for name, value in (state.get("metrics") or {}).items():
            self.history.setdefault(name, []).append(value)

    def on_eval_epoch_end(self, run_context):
        """Metrics are remembered at the end of the training epoch."""


class ProgressBar(Callback):
    """One line with the epoch, the step, the rate, the time left and the loss; nothing where standard error is no terminal.

    Args:
        every: seconds between two looks at the loss. Default: 0.5.
    """

    def __init__(self, every=0.5):
        self.every = every

    def on_train_begin(self, run_context):
        """Start the clock."""
        self._begun = self._shown = time.monotonic()
        self._first = run_context.original_args().get("cur_step_num", 0)

    def on_train_step_end(self, run_context):
        """Show the line."""
        import sys

        now, state = time.monotonic(), run_context.original_args()
        if not sys.stderr.isatty() or now - self._shown < self.every:
            return
        self._shown = now
        done, total = state.cur_step_num - self._first, state.epoch_num * state.batch_num
        rate = done / (now - self._begun)
        left = time.strftime("%H:%M:%S", time.gmtime((total - done) / rate))
        text = f"epoch {state.cur_epoch_num}, step {done}/{total}, {rate:.1f} steps/s, {left} left, loss {loss_of(state.net_outputs):.4g}"
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)

    def on_train_end(self, run_context):
        """Clear the line."""
        import sys

        if sys.stderr.isatty():
            print("\r\033[K", end="", file=sys.stderr, flush=True)

    def on_eval_begin(self, run_context):
        """Evaluations show nothing."""
