"""Record genuine MindSpore's losses and their gradients: losses.json and losses.npz.

Made with MindSpore 2.10.0 (CPU, PyNative), from a scratch folder, with the repository root on PYTHONPATH:
    python -m tests.oracle.make_losses
"""

import mindspore as ms

from tests.oracle.cases_losses import CASES
from tests.oracle.recording import record

if __name__ == "__main__":
    ms.runtime.launch_blocking()
    record("losses", CASES, ms)
