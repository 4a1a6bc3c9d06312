"""Global settings, and the one place that reads environment variables.

`epoch` counts everything a compiled function may have seen while it was traced: modes, flags of Cells, `requires_grad`, precision. It
is part of every compile key, so a change anywhere is honoured by the next call and costs one integer comparison.
"""

import difflib
import os
import threading
import warnings
from typing import Any

GRAPH_MODE = 0
PYNATIVE_MODE = 1
STRICT, COMPATIBLE, LAX = 0, 1, 2

_epoch = 0


def epoch():
    """The current value of the counter that invalidates traces."""
    return _epoch


def bump_epoch():
    """Invalidate what compiled functions know: call it when something a trace may have seen has changed."""
    global _epoch
    _epoch += 1


def _env_flag(name):
    return os.environ.get(name, "").lower() in ("1", "true", "on", "yes")


def fingerprint():
    """The settings that a trace depends on, by content."""
    return (_settings["device_target"], _settings["device_id"], _settings["deterministic"])


def fail_on_fallback():
    """Whether running a compiled function in PyNative instead is an error (SPORAX_FAIL_ON_FALLBACK=1)."""
    return _env_flag("SPORAX_FAIL_ON_FALLBACK")


def initial_mode():
    """The mode a program starts in: SPORAX_MODE (`graph` or `pynative`), else PyNative as in MindSpore 2.x."""
    return GRAPH_MODE if os.environ.get("SPORAX_MODE", "").lower() == "graph" else PYNATIVE_MODE


# Every key of genuine `set_context`, with its default and, where we act on it, how. Keys that steer Ascend hardware are checked
# for their type and kept, so that programs written for it run unchanged.
_DEFAULTS = {
    "mode": PYNATIVE_MODE, "device_target": None, "device_id": 0, "max_call_depth": 1000, "jit_level": "O0", "jit_config": None,
    "deterministic": "OFF", "enable_compile_cache": False, "compile_cache_path": "./", "pynative_synchronize": False,
    "max_device_memory": "1024GB", "mempool_block_size": "1GB", "memory_optimize_level": "O0", "save_graphs": False,
    "save_graphs_path": ".", "precompile_only": False, "enable_graph_kernel": False, "graph_kernel_flags": "",
    "inter_op_parallel_num": 0, "runtime_num_threads": 30, "jit_syntax_level": LAX, "ascend_config": None, "gpu_config": None,
    "enable_reduce_precision": True, "check_bprop": False, "env_config_path": "", "disable_format_transform": False,
    "support_binary": False, "debug_level": 0, "jit_enable_inplace_ops": True, "op_timeout": 900, "exec_order": "bfs",
    "auto_tune_mode": "NO_TUNE", "aoe_tune_mode": "", "aoe_config": None, "print_file_path": "", "variable_memory_max_size": "0GB",
    "enable_mem_offload": False, "enable_dump": False, "save_dump_path": "", "enable_profiling": False, "profiling_options": "",
    "reserve_class_name_in_scope": True, "enable_task_sink": True, "enable_loop_sink": True, "enable_auto_mixed_precision": False,
    "grad_for_scalar": False, "sparse_format": "", "host_scheduling_max_threshold": 0, "memory_offload": "OFF", "offload_config": None,
    "enable_sparse": False, "enable_pynative_infer": False, "save_compile_cache": False, "load_compile_cache": False,
    "hccl_buffer": 0, "dataset_broadcast_opt_level": 0, "ascend_sink_mode": True,
}  # fmt: skip
_CHOICES = {
    "mode": (GRAPH_MODE, PYNATIVE_MODE), "jit_level": ("O0", "O1", "O2"), "deterministic": ("ON", "OFF"),
    "memory_optimize_level": ("O0", "O1"), "jit_syntax_level": (STRICT, COMPATIBLE, LAX), "debug_level": (0, 1),
    "save_graphs": (False, True, 0, 1, 2, 3), "exec_order": ("bfs", "dfs"), "memory_offload": ("ON", "OFF"),
}  # fmt: skip
_settings: dict[str, Any] = dict(_DEFAULTS, mode=initial_mode())
_lock = threading.RLock()
_pinned: dict[str, tuple[Any, str]] = {}
_warned: set = set()


def warn_once(key, message, category: type[Warning] = UserWarning, stacklevel=3):
    """Warn the first time `key` comes up in this process."""
    if key not in _warned:
        _warned.add(key)
        warnings.warn(message, category, stacklevel=stacklevel)


def pin(key, value, option):
    """Set `key`, and let what the program says of it have no effect, because the launcher's `option` was given."""
    _pinned.pop(key, None)
    set_context(**{key: value})
    _pinned[key] = value, option


def set_context(**kwargs):
    """Change global settings.

    The keys that matter here are `mode` (`GRAPH_MODE` or `PYNATIVE_MODE`, default PyNative), `device_target` (`"CPU"`, `"GPU"`, `"TPU"`;
    `"Ascend"` runs on the best device present, with one warning), `device_id`, `deterministic`, `enable_compile_cache` and
    `compile_cache_path`. Every other key of MindSpore is checked and kept, and has no effect on how XLA runs the program.

    Raises:
        ValueError: an unknown key, or a value that is not one of the key's choices. No setting is changed.
        TypeError: a value of another type than the key's.

    Examples:
        >>> ms.set_context(mode=ms.PYNATIVE_MODE)
        >>> ms.get_context("mode") == ms.PYNATIVE_MODE
        True
    """
    checked = {key: _check(key, value) for key, value in kwargs.items()}
    with _lock:
        for key, (value, option) in _pinned.items():
            if checked.get(key, value) != value:
                warn_once(("pinned", key), f"{option} was given: {key}={checked[key]!r} is not followed.")
                checked[key] = value
        if "device_target" in checked or "device_id" in checked:
            from sporax._core import device

            target = checked.get("device_target", _settings["device_target"])
            checked["device_target"] = device.select(target, checked.get("device_id", _settings["device_id"]))
        if checked.get("enable_compile_cache", _settings["enable_compile_cache"]) and {"enable_compile_cache", "compile_cache_path"} & set(checked):
            from sporax._core import device

            device.use_compile_cache(checked.get("compile_cache_path", _settings["compile_cache_path"]))
        if any(_settings[key] != value for key, value in checked.items()):
            _settings.update(checked)
            bump_epoch()


def _check(key, value):
    if key not in _DEFAULTS:
        near = difflib.get_close_matches(key, _DEFAULTS, 3)
        hint = f" Did you mean {' or '.join(map(repr, near))}?" if near else ""
        raise ValueError(f"For 'set_context', the keyword argument {key!r} is not recognized.{hint} Known: {', '.join(sorted(_DEFAULTS))}.")
    default = _DEFAULTS[key]
    if key == "device_target":
        if not isinstance(value, str):
            raise TypeError(f"For 'set_context', 'device_target' should be a str such as 'CPU', but got {type(value).__name__}.")
        return value
    if key == "mode" and (isinstance(value, bool) or not isinstance(value, int)):
        raise TypeError(f"For 'set_context', 'mode' should be GRAPH_MODE (0) or PYNATIVE_MODE (1), but got {value!r} of type {type(value).__name__}.")
    if key in _CHOICES and value not in _CHOICES[key]:
        raise ValueError(f"For 'set_context', {key!r} should be one of {_CHOICES[key]}, but got {value!r}.")
    if default is not None and key not in _CHOICES and not isinstance(value, type(default)):
        raise TypeError(f"For 'set_context', {key!r} should be of type {type(default).__name__}, but got {value!r} of type {type(value).__name__}.")
    if key in ("device_id", "max_call_depth", "runtime_num_threads", "inter_op_parallel_num") and value < (1 if key == "max_call_depth" else 0):
        raise ValueError(f"For 'set_context', {key!r} should not be less than {1 if key == 'max_call_depth' else 0}, but got {value}.")
    return value


def get_context(attr_key):
    """The value of a global setting.

    Raises:
        ValueError: `attr_key` is not a setting.
    """
    if attr_key not in _settings:
        _check(attr_key, None)
    if attr_key == "device_target" and _settings["device_target"] is None:
        from sporax._core import device

        return device.default_target()
    if attr_key == "memory_optimize_level":
        return int(_settings[attr_key] == "O1")
    return _settings[attr_key]


def set_device(device_target, device_id=None):
    """Choose the device that computes: `"CPU"`, `"GPU"` or `"TPU"` (`"Ascend"` runs on the best one present, with one warning).

    Raises:
        TypeError: `device_target` is not a str.
        ValueError: there is no such kind of device, or `device_id` does not exist.
    """
    if device_id is not None and (isinstance(device_id, bool) or not isinstance(device_id, int)):
        raise TypeError(f"For 'set_device', 'device_id' should be an int, but got {device_id!r}.")
    set_context(device_target=device_target, device_id=device_id or 0)


def set_deterministic(deterministic):
    """Ask for bit-identical repeated runs (XLA on CPU and TPU always gives them; on CUDA a flag selects deterministic kernels).

    Raises:
        TypeError: `deterministic` is not a bool.
    """
    if not isinstance(deterministic, bool):
        raise TypeError(f"For 'set_deterministic', 'deterministic' should be a bool, but got {deterministic!r}.")
    set_context(deterministic="ON" if deterministic else "OFF")
    if deterministic:
        from sporax._core import device

        device.request_determinism()
