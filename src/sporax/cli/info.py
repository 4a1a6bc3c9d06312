"""`sporax info`: versions, devices, extras."""

import importlib.metadata
import importlib.util
import platform
import sys

# Extra -> the modules that show whether it is there.
_EXTRAS = {
    "cuda13": ("jax_cuda13_plugin",),
    "tpu": ("libtpu",),
    "vision": ("cv2", "PIL"),
    "board": ("tensorboardX",),
    "viz": ("matplotlib",),
    "crypto": ("cryptography",),
    "export": ("flatbuffers",),
    "examples": ("matplotlib", "sklearn"),
    "test": ("pytest", "xdist", "hypothesis", "sklearn", "matplotlib", "optax", "google.protobuf", "safetensors", "cryptography", "flatbuffers"),
}


def _version(package):
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return "not installed"


def _extra(name, modules):
    lacking = [m for m in modules if importlib.util.find_spec(m) is None]
    return f"absent, without {', '.join(lacking)}: pip install 'sporax[{name}]'" if lacking else "present"


def lines():
    """Pairs (what, value) of what is there."""
    from sporax._core import device
    from sporax.version import API_LEVEL, __version__

    yield "sporax", __version__
    yield "MindSpore API", API_LEVEL
    for package in ("jax", "jaxlib", "numpy"):
        yield package, _version(package)
    yield "python", f"{platform.python_version()} on {platform.system()} {platform.machine()} ({sys.executable})"
    for found in device.describe():
        yield "device", found
    yield "default device", device.default_target()
    for name, modules in _EXTRAS.items():
        yield f"extra {name}", _extra(name, modules)


def show():
    """Print what is there; returns 0."""
    for what, value in lines():
        print(f"{what:<15} {value}")
    return 0
