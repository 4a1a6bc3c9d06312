"""Record genuine MindSpore's layers, their gradients and parameters: layers.json and layers.npz.

Made with MindSpore 2.10.0 (CPU, PyNative), from a scratch folder, with the repository root on PYTHONPATH:
    python -m tests.oracle.make_layers
"""

import mindspore as ms

from tests.oracle.cases_layers import CASES
from tests.oracle.recording import record

if __name__ == "__main__":
    ms.runtime.launch_blocking()
    record("layers", CASES, ms)
