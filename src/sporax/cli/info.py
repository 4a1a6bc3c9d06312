"""`sporax info`: versions, devices, extras."""

import importlib.metadata
import importlib.util
import platform

_EXTRAS = {
    "vision": ("cv2", "PIL"),
    "board": ("tensorboardX",),
    "viz": ("matplotlib",),
    "test": ("pytest", "xdist", "hypothesis", "sklearn"),
}


def _version(package):
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return "not installed"


def show():
    """Print what is there; returns 0."""
    from sporax.version import API_LEVEL, __version__

    print(f"sporax   {__version__} (MindSpore API {API_LEVEL})")
    for package in ("jax", "jaxlib", "numpy"):
        print(f"{package:<8} {_version(package)}")
    print(f"python   {platform.python_version()} on {platform.system()} {platform.machine()}")
    from sporax._core import device

    for line in device.describe():
        print(f"device   {line}")
    for extra, modules in _EXTRAS.items():
        lacking = [m for m in modules if importlib.util.find_spec(m) is None]
        print(f"extra    {extra}: " + (f"absent ({', '.join(lacking)}): pip install 'sporax[{extra}]'" if lacking else "present"))
    return 0
