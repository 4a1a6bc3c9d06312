"""What a process needs before a MindSpore program starts in it, and how worker processes get the same.

Processes that are forked have it from their parent. A process that is spawned starts with a fresh interpreter, which first loads some data from its
parent; an entry of ours in that data does there what was done here, when it is loaded.
"""

import multiprocessing.spawn

from sporax._core import context
from sporax._names import finder

_MODES = {"graph": context.GRAPH_MODE, "pynative": context.PYNATIVE_MODE}
_plain_preparation_data = multiprocessing.spawn.get_preparation_data


def begin(mode=None, device=None):
    """Serve `mindspore` in this process and in the worker processes that it starts.

    Args:
        mode: "graph" or "pynative": the mode, whatever the program asks for. Default: None, the program's own.
        device: "cpu", "gpu" or "tpu": the device to start on. Default: None, the best one present.

    Raises:
        ImportError: genuine MindSpore is imported already.
        ValueError: there is no such device.
    """
    finder.install()
    if device is not None:
        context.pin("device_target", device.upper(), f"--device {device}")
    if mode is not None:
        context.pin("mode", _MODES[mode], f"--mode {mode}")

    def get_preparation_data(name):
        return {**_plain_preparation_data(name), "sporax": _Begin(mode, device)}

    multiprocessing.spawn.get_preparation_data = get_preparation_data


class _Begin:
    """Calls `begin` in the process that unpickles it."""

    def __init__(self, *options):
        self.options = options

    def __reduce__(self):
        return begin, self.options
