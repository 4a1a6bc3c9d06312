"""Which device computes: MindSpore's target names on JAX's platforms."""

import jax

from sporax._core.context import bump_epoch, warn_once

_PLATFORM = {"CPU": "cpu", "GPU": "gpu", "TPU": "tpu"}
_BEST_FIRST = ("TPU", "GPU", "CPU")


def _devices(target):
    try:
        return jax.local_devices(backend=_PLATFORM[target])
    except RuntimeError:
        return []


def default_target():
    """The kind of device that computes when the program names none."""
    platform = jax.default_backend()
    return next((t for t, p in _PLATFORM.items() if p == platform or (p == "gpu" and platform in ("cuda", "rocm"))), "CPU")


def select(target, device_id=0):
    """Make `target` the device of all new arrays; returns the target's name as `get_context` shall report it."""
    if target is None:
        target = default_target()
    if target not in (*_PLATFORM, "Ascend", "Davinci"):
        raise ValueError(f"'device_target' should be one of 'CPU', 'GPU', 'TPU' or 'Ascend', but got {target!r}.")
    real = target
    if target not in _PLATFORM:
        real = next(t for t in _BEST_FIRST if _devices(t))
        warn_once("ascend", f"There is no Ascend device for JAX; the program runs on {real}. Use device_target='{real}' to say so.", stacklevel=5)
    devices = _devices(real)
    if not devices:
        present = [t for t in _BEST_FIRST if _devices(t)]
        how = {"GPU": "pip install 'sporax[cuda13]' on a machine with an NVIDIA GPU", "TPU": "pip install 'sporax[tpu]' on a TPU machine"}.get(
            real, ""
        )
        raise ValueError(f"device_target={real!r}, but this machine has only {', '.join(present)}. {how}")
    if not 0 <= device_id < len(devices):
        raise ValueError(f"'device_id' should be in [0, {len(devices)}) for {real}, but got {device_id}.")
    jax.config.update("jax_default_device", devices[device_id])
    bump_epoch()
    return target


def use_compile_cache(path):
    """Keep compiled executables in `path`, so that the next process starts without compiling."""
    jax.config.update("jax_compilation_cache_dir", str(path))
    jax.config.update("jax_persistent_cache_min_compile_time_secs", 0.0)


def request_determinism():
    """Warn where determinism needs a flag that is too late to set: CUDA reads it when the process starts."""
    if default_target() == "GPU":
        warn_once("deterministic", "On CUDA set XLA_FLAGS=--xla_gpu_deterministic_ops=true before the program starts for bit-identical runs.")


def describe():
    """A line for each kind of device: how many, and what they are called."""
    return [f"{t}: {len(found)} x {found[0].device_kind}" for t in _BEST_FIRST if (found := _devices(t))]
