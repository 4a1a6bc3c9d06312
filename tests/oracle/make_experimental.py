"""Record genuine MindSpore's experimental and mint optimizers and schedulers: experimental.json and experimental.npz.

Made with MindSpore 2.10.0 (CPU, PyNative), from a scratch folder, with the repository root on PYTHONPATH:
    python -m tests.oracle.make_experimental
"""

import mindspore as ms
import mindspore.experimental.optim
import mindspore.mint.optim  # noqa: F401

from tests.oracle.cases_experimental import CASES
from tests.oracle.recording import record

if __name__ == "__main__":
    ms.runtime.launch_blocking()
    record("experimental", CASES, ms)
