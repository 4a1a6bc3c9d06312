"""Record genuine MindSpore's learning rate functions and classes: schedules.json and schedules.npz.

Made with MindSpore 2.10.0 (CPU, PyNative), from a scratch folder, with the repository root on PYTHONPATH:
    python -m tests.oracle.make_schedules
"""

import mindspore as ms

from tests.oracle.cases_schedules import CASES
from tests.oracle.recording import record

if __name__ == "__main__":
    ms.runtime.launch_blocking()
    record("schedules", CASES, ms)
