"""Settings of all pipelines: `mindspore.dataset.config`.

A setting counts for iterators that are made after it was set.
"""

import enum
import json
import os
import random
import typing

import numpy as np

from sporax.dataset import _random

__all__ = [
    "ErrorSamplesMode", "get_auto_num_workers", "get_auto_offload", "get_autotune_interval", "get_callback_timeout", "get_debug_mode", "get_dynamic_shape",
    "get_enable_autotune", "get_enable_shared_mem", "get_enable_watchdog", "get_error_samples_mode", "get_fast_recovery", "get_iterator_mode",
    "get_monitor_sampling_interval", "get_multiprocessing_start_method", "get_multiprocessing_timeout_interval", "get_num_parallel_workers", "get_numa_enable",
    "get_prefetch_size", "get_seed", "get_video_backend", "load", "set_auto_num_workers", "set_auto_offload", "set_autotune_interval", "set_callback_timeout",
    "set_debug_mode", "set_dynamic_shape", "set_enable_autotune", "set_enable_shared_mem", "set_enable_watchdog", "set_error_samples_mode", "set_fast_recovery",
    "set_iterator_mode", "set_monitor_sampling_interval", "set_multiprocessing_start_method", "set_multiprocessing_timeout_interval",
    "set_num_parallel_workers", "set_numa_enable", "set_prefetch_size", "set_seed", "set_sending_batches", "set_video_backend",
]  # fmt: skip

_INT32_MAX, _UINT32_MAX = 2**31 - 1, 2**32 - 1
_DEFAULT_SEED = 5489
# In a worker process: its number.
_worker: list[int] = []


class ErrorSamplesMode(enum.IntEnum):
    """What happens to a row for which a function of `map` raises: the error is raised, another row takes its place, or the row is left out."""

    RETURN = 0
    REPLACE = 1
    SKIP = 2


def _cpus():
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


_settings: dict[str, typing.Any] = {
    "seed": None,
    "num_parallel_workers": min(8, _cpus()),
    "prefetch_size": 16,
    "auto_num_workers": False,
    "auto_offload": False,
    "autotune_interval": 0,
    "callback_timeout": 60,
    "debug_mode": False,
    "debug_hooks": [],
    "dynamic_shape": False,
    "enable_autotune": False,
    "enable_shared_mem": True,
    "enable_watchdog": True,
    "error_samples_mode": ErrorSamplesMode.RETURN,
    "fast_recovery": True,
    "iterator_mode": {"do_copy": False, "parallel_convert": False},
    "monitor_sampling_interval": 1000,
    "multiprocessing_start_method": "fork",
    "multiprocessing_timeout_interval": 300,
    "numa_enable": False,
    "sending_batches": 0,
    "video_backend": "CPU",
}


def _integer(name, value, low, high=_INT32_MAX):
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{name} isn't of type int, but got {value!r} of type {type(value).__name__}.")
    if not low <= value <= high:
        raise ValueError(f"{name} should be within the interval [{low}, {high}], but got {value}.")
    return value


def _truth(name, value):
    if not isinstance(value, bool):
        raise TypeError(f"{name} must be of type bool, but got {value!r} of type {type(value).__name__}.")
    return value


def set_seed(seed):
    """Seed everything random in pipelines made from now on: orders, random operations, and `random` and `numpy.random` of this process.

    Args:
        seed (int): 0 to 2**32 - 1.

    Raises:
        TypeError: `seed` is not an int.
        ValueError: `seed` is outside the interval.

    Examples:
        >>> import sporax.dataset as ds
        >>> ds.config.set_seed(3)
        >>> ds.config.get_seed()
        3
        >>> ds.config._settings["seed"] = None
    """
    _settings["seed"] = _integer("seed", seed, 0, _UINT32_MAX)
    random.seed(seed)
    np.random.seed(seed)
    _random.seed_process(seed)


def get_seed():
    """The seed that was set, or 5489, which then is a label only: pipelines take fresh seeds."""
    return _DEFAULT_SEED if _settings["seed"] is None else _settings["seed"]


def chosen_seed():
    """The seed that was set, or None."""
    return _settings["seed"]


def set_num_parallel_workers(num):
    """How many workers an operation has that doesn't say it itself. Default: the number of processors, 8 at most.

    Raises:
        ValueError: `num` is not in [1, 2**31 - 1].
    """
    _settings["num_parallel_workers"] = _integer("num_parallel_workers", num, 1)


def get_num_parallel_workers():
    """How many workers an operation has that doesn't say it itself."""
    return _settings["num_parallel_workers"]


def set_prefetch_size(size):
    """How many rows or batches are computed ahead. Default: 16; of batches not more than the number of workers and 2."""
    _settings["prefetch_size"] = _integer("prefetch_size", size, 1)


def get_prefetch_size():
    """How many rows are computed ahead."""
    return _settings["prefetch_size"]


def set_callback_timeout(timeout):
    """Seconds that `sync_wait` waits for `sync_update`. Default: 60."""
    _settings["callback_timeout"] = _integer("timeout", timeout, 1)


def get_callback_timeout():
    """Seconds that `sync_wait` waits for `sync_update`."""
    return _settings["callback_timeout"]


def set_multiprocessing_timeout_interval(interval):
    """Seconds after which a worker process that is still at the same task is reported. Default: 300."""
    _settings["multiprocessing_timeout_interval"] = _integer("interval", interval, 1)


def get_multiprocessing_timeout_interval():
    """Seconds after which a worker process that is still at the same task is reported."""
    return _settings["multiprocessing_timeout_interval"]


def set_multiprocessing_start_method(start_method="fork"):
    """How worker processes start. They are forked: functions and data of the program need not be sent to them.

    Raises:
        TypeError: `start_method` is not a str.
        ValueError: it isn't "fork".
    """
    if not isinstance(start_method, str):
        raise TypeError(f"start_method must be of type str, but got {start_method!r} of type {type(start_method).__name__}.")
    if start_method != "fork":
        raise ValueError(
            f"start_method should be 'fork', but got {start_method!r}: workers use NumPy only, so that forking is safe; where there is no fork they are threads."
        )
    _settings["multiprocessing_start_method"] = start_method


def get_multiprocessing_start_method():
    """How worker processes start."""
    return _settings["multiprocessing_start_method"]


def set_error_samples_mode(error_samples_mode):
    """What happens to a row for which a function of `map` raises. Default: `ErrorSamplesMode.RETURN`, the error is raised."""
    if not isinstance(error_samples_mode, ErrorSamplesMode):
        raise TypeError(
            f"error_samples_mode should be an ErrorSamplesMode, but got {error_samples_mode!r} of type {type(error_samples_mode).__name__}."
        )
    _settings["error_samples_mode"] = error_samples_mode


def get_error_samples_mode():
    """What happens to a row for which a function of `map` raises."""
    return _settings["error_samples_mode"]


def set_debug_mode(debug_mode_flag: bool, debug_hook_list: list | None = None):
    """Compute rows one at a time, in order, in the thread that asks for them, so that a debugger stops in users' functions.

    Args:
        debug_mode_flag (bool): on or off.
        debug_hook_list (list, optional): objects of `ds.debug.DebugHook`, put after each operation of a `map`.
    """
    _settings["debug_mode"] = _truth("debug_mode_flag", debug_mode_flag)
    hooks = debug_hook_list or []
    if not isinstance(hooks, list) or not all(hasattr(h, "compute") for h in hooks):
        raise TypeError(f"debug_hook_list should be a list of DebugHook, but got {debug_hook_list!r}.")
    _settings["debug_hooks"] = hooks if debug_mode_flag else []


def get_debug_mode():
    """Whether rows are computed in the thread that asks for them."""
    return _settings["debug_mode"]


def set_iterator_mode(do_copy=False, parallel_convert=False):
    """How iterators give arrays. Arrays are the consumer's own in any case; both settings are kept and change nothing else."""
    _settings["iterator_mode"] = {"do_copy": _truth("do_copy", do_copy), "parallel_convert": _truth("parallel_convert", parallel_convert)}


def get_iterator_mode():
    """The settings of `set_iterator_mode`."""
    return dict(_settings["iterator_mode"])


def set_video_backend(backend):
    """Where videos are decoded: "CPU".

    Raises:
        ValueError: another name.
    """
    if backend not in ("CPU", "Ascend"):
        raise ValueError(f"backend should be 'CPU' or 'Ascend', but got {backend!r}.")
    if backend == "Ascend":
        raise ValueError("Videos are decoded on the CPU here: use set_video_backend('CPU').")
    _settings["video_backend"] = backend


def get_video_backend():
    """Where videos are decoded."""
    return _settings["video_backend"]


def set_enable_autotune(enable, filepath_prefix=None):
    """Kept for programs that set it: workers take the next rows when they are free, so there are no queues to balance.

    Args:
        enable (bool): on or off.
        filepath_prefix (str, optional): where MindSpore writes what it found. Nothing is found here, so nothing can be written.

    Raises:
        ValueError: `filepath_prefix` is given.
    """
    _settings["enable_autotune"] = _truth("enable", enable)
    if filepath_prefix is not None:
        raise ValueError("filepath_prefix: there is nothing to tune in these pipelines and so nothing to write; leave it out.")


def get_enable_autotune():
    """The setting of `set_enable_autotune`."""
    return _settings["enable_autotune"]


def load(file):
    """Settings from a JSON file with some of: seed, numParallelWorkers, prefetchSize (connectorQueueSize), monitorSamplingInterval, numaEnable.

    Raises:
        RuntimeError: the file is missing or has a setting with a wrong value.
    """
    known = {
        "seed": set_seed,
        "numParallelWorkers": set_num_parallel_workers,
        "opConnectorSize": set_prefetch_size,
        "workerConnectorSize": set_prefetch_size,
        "connectorQueueSize": set_prefetch_size,
        "prefetchSize": set_prefetch_size,
        "monitorSamplingInterval": set_monitor_sampling_interval,
        "numaEnable": set_numa_enable,
    }
    try:
        with open(file, encoding="utf-8") as f:
            given = json.load(f)
    except (OSError, ValueError) as error:
        raise RuntimeError(f"Invalid file, settings can't be read from {file!r}: {error}") from error
    for name, value in given.items():
        if name in known:
            known[name](value)


def _switch(name, about):
    def set_(enable):
        _settings[name] = _truth(name, enable)

    def get():
        return _settings[name]

    set_.__name__, get.__name__ = f"set_{name}", f"get_{name}"
    set_.__qualname__, get.__qualname__ = set_.__name__, get.__name__
    set_.__doc__ = about
    get.__doc__ = f"The setting of `set_{name}`."
    return set_, get


_KEPT = " Kept for programs that set it; nothing here depends on it."
set_auto_num_workers, get_auto_num_workers = _switch("auto_num_workers", "Choose numbers of workers automatically." + _KEPT)
set_auto_offload, get_auto_offload = _switch("auto_offload", "Compute some operations of `map` on the device." + _KEPT)
set_dynamic_shape, get_dynamic_shape = _switch("dynamic_shape", "Rows may have different shapes: always so here." + _KEPT)
set_enable_shared_mem, get_enable_shared_mem = _switch(
    "enable_shared_mem", "Rows of worker processes come back through shared memory: always so here." + _KEPT
)
set_enable_watchdog, get_enable_watchdog = _switch(
    "enable_watchdog", "Watch worker processes: always so here, the end of one is seen at once." + _KEPT
)
set_fast_recovery, get_fast_recovery = _switch(
    "fast_recovery", "Continue without the random state of skipped rows; positions are exact here and cost nothing." + _KEPT
)
set_numa_enable, get_numa_enable = _switch("numa_enable", "Bind workers to NUMA nodes." + _KEPT)


def set_autotune_interval(interval):
    """Steps between two adjustments of autotune. Kept for programs that set it (see `set_enable_autotune`)."""
    _settings["autotune_interval"] = _integer("interval", interval, 0)


def get_autotune_interval():
    """The setting of `set_autotune_interval`."""
    return _settings["autotune_interval"]


def set_monitor_sampling_interval(interval):
    """Milliseconds between two samples of the profiler's monitor. Kept for programs that set it."""
    _settings["monitor_sampling_interval"] = _integer("interval", interval, 1)


def get_monitor_sampling_interval():
    """The setting of `set_monitor_sampling_interval`."""
    return _settings["monitor_sampling_interval"]


def set_sending_batches(batch_num):
    """How many batches may be sent to the device ahead of the step; 0 leaves it to the prefetch size."""
    _settings["sending_batches"] = _integer("batch_num", batch_num, 0)


def enter_worker(number):
    """Note that this process is a worker: its pipelines have no workers of their own."""
    _worker[:] = [number]


def in_worker():
    """Whether this process is a worker of a pipeline."""
    return bool(_worker)
