"""Record 50-step trajectories of genuine MindSpore's nn optimizers: optimizers.json and optimizers.npz.

Made with MindSpore 2.10.0 (CPU, PyNative), from a scratch folder, with the repository root on PYTHONPATH:
    python -m tests.oracle.make_optimizers
"""

import mindspore as ms

from tests.oracle.cases_optimizers import CASES
from tests.oracle.recording import record

if __name__ == "__main__":
    ms.runtime.launch_blocking()
    record("optimizers", CASES, ms)
