"""Checkpoints during training."""

import os
import time

from sporax.train.callback.base import Callback
from sporax.train.serialization import save_checkpoint


class CheckpointConfig:
    """When checkpoints are saved, and how many are kept.

    Args:
        save_checkpoint_steps: every how many steps; 0 for not by steps. Default: 1.
        save_checkpoint_seconds: every how many seconds; 0 for not by time. Where steps are given, time doesn't count. Default: 0.
        keep_checkpoint_max: how many are kept; 0 for all. Default: 5.
        keep_checkpoint_per_n_minutes: keep one for every so many minutes instead; 0 for not. Default: 0.
        integrated_save: whether a parameter that is spread over devices is saved whole; it always is. Default: True.
        async_save: write while training goes on. Default: False.
        saved_network: a Cell to save instead of the training step's network. Default: None.
        append_info: a list of "epoch_num", "step_num" and dicts of more values to save. Default: None.
        enc_key, enc_mode: see `save_checkpoint`. Default: None, "AES-GCM".
        exception_save: save when training ends with an error. Default: False.
        crc_check: see `save_checkpoint`. Default: False.
        format: "ckpt" or "safetensors". Default: "ckpt".

    Raises:
        ValueError: a number is negative, or nothing says when to save.
    """

    def __init__(
        self, save_checkpoint_steps=1, save_checkpoint_seconds=0, keep_checkpoint_max=5, keep_checkpoint_per_n_minutes=0, integrated_save=True,
        async_save=False, saved_network=None, append_info=None, enc_key=None, enc_mode="AES-GCM", exception_save=False, crc_check=False, format="ckpt",
    ):  # fmt: skip
        numbers = {
            "save_checkpoint_steps": save_checkpoint_steps, "save_checkpoint_seconds": save_checkpoint_seconds, "keep_checkpoint_max": keep_checkpoint_max,
            "keep_checkpoint_per_n_minutes": keep_checkpoint_per_n_minutes,
        }  # fmt: skip
        for name, value in numbers.items():
            if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < 0):
                raise ValueError(f"For 'CheckpointConfig', '{name}' should be an int of at least 0 or None, but got {value!r}.")
        if not any(numbers.values()):
            raise ValueError("For 'CheckpointConfig', some of the numbers that say when to save and what to keep should be more than 0.")
        self.steps, self.seconds = save_checkpoint_steps or 0, 0 if save_checkpoint_steps else save_checkpoint_seconds or 0
        self.keep, self.minutes = keep_checkpoint_max or 0, 0 if keep_checkpoint_max else keep_checkpoint_per_n_minutes or 0
        self.saved_network, self.append_info, self.exception_save, self.format = saved_network, append_info, exception_save, format
        self.options = {
            "integrated_save": integrated_save,
            "async_save": async_save,
            "enc_key": enc_key,
            "enc_mode": enc_mode,
            "crc_check": crc_check,
        }

    def appended(self, state):
        """The values to save beside the parameters."""
        found: dict = {}
        for item in self.append_info or ():
            if isinstance(item, dict):
                found |= item
            elif item in ("epoch_num", "step_num"):
                found[item] = state.cur_epoch_num if item == "epoch_num" else state.cur_step_num
            else:
                raise TypeError(f"For 'CheckpointConfig', 'append_info' should hold 'epoch_num', 'step_num' and dicts, but got {item!r}.")
        return found or None


class ModelCheckpoint(Callback):
    """Saves the network during training, as `<prefix>-<epoch>_<step>.ckpt`, and at its end.

    Args:
        prefix: beginning of the file names, or a function of the state of the loop that gives the whole name. Default: "CKP".
        directory: where to. Default: None: the present folder.
        config: a `CheckpointConfig`. Default: None.

    Raises:
        ValueError: `prefix` has a path separator in it.
        TypeError: `config` is something else.

    Examples:
        >>> import os, tempfile
        >>> net = nn.Dense(1, 1)
        >>> model = ms.train.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.1))
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     saving = ms.train.ModelCheckpoint("net", folder, ms.train.CheckpointConfig(save_checkpoint_steps=2))
        ...     model.train(1, [(Tensor([[1.0]]), Tensor([[3.0]]))] * 4, callbacks=saving)
        ...     print(sorted(os.listdir(folder)))
        ['net-1_2.ckpt', 'net-1_4.ckpt']
    """

    def __init__(self, prefix="CKP", directory=None, config=None):
        if not callable(prefix) and (not isinstance(prefix, str) or "/" in prefix or os.sep in prefix):
            raise ValueError(f"For 'ModelCheckpoint', 'prefix' should be a name without path separators, or a function, but got {prefix!r}.")
        if config is not None and not isinstance(config, CheckpointConfig):
            raise TypeError(f"For 'ModelCheckpoint', 'config' should be a CheckpointConfig, but got {config!r} of type {type(config).__name__}.")
        self._prefix, self._directory, self._config = prefix, os.path.abspath(directory or "."), config or CheckpointConfig()
        self._saved: list = []
        self._last_step = self._last_time = None
        self._state = None
        self._latest = ""

    @property
    def latest_ckpt_file_name(self):
        """Path of the newest checkpoint of this training."""
        return self._latest

    def on_train_begin(self, run_context):
        """Start counting."""
        self._state = run_context.original_args()
        self._last_step, self._last_time, self._minute = self._state.get("cur_step_num", 0), time.monotonic(), time.monotonic()

    def step_end(self, run_context):
        """Save when it is time."""
        state = run_context.original_args()
        due = (
            state.cur_step_num - self._last_step >= self._config.steps
            if self._config.steps
            else self._config.seconds and time.monotonic() - self._last_time >= self._config.seconds
        )
        if due:
            self._save(state)

    def on_eval_step_end(self, run_context):
        """Evaluations save nothing."""

    def end(self, run_context):
        """Save what is not saved yet."""
        state = run_context.original_args()
        if state.get("mode") == "train" and state.cur_step_num != self._last_step:
            self._save(state)

    on_eval_end = on_eval_step_end

    def __exit__(self, kind, error, trace):
        if kind is not None and self._config.exception_save and self._state is not None:
            self._save(self._state, "breakpoint-")

    def _save(self, state, mark=""):
        self._last_step, self._last_time = state.cur_step_num, time.monotonic()
        step = (state.cur_step_num - 1) % state.batch_num + 1
        name = self._prefix(state) if callable(self._prefix) else f"{self._prefix}-{mark}{state.cur_epoch_num}_{step}"
        path = os.path.join(self._directory, f"{name}.{self._config.format}")
        os.makedirs(self._directory, exist_ok=True)
        save_checkpoint(
            self._config.saved_network or state.network,
            path,
            append_dict=self._config.appended(state),
            format=self._config.format,
            **self._config.options,
        )
        self._latest = path
        if path in self._saved:
            self._saved.remove(path)
        self._saved.append(path)
        self._forget()

    def _forget(self):
        """Remove what is not to be kept; the newest always stays."""
        if self._config.minutes:
            now = time.monotonic()
            if now - self._minute >= self._config.minutes * 60:
                self._minute, self._saved = now, []  # this one is kept for good
            drop, self._saved = self._saved[:-1], self._saved[-1:]
        elif self._config.keep:
            drop, self._saved = self._saved[: -self._config.keep], self._saved[-self._config.keep :]
        else:
            return
        for path in drop:
            if os.path.exists(path):
                os.remove(path)
