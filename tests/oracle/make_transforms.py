"""Record genuine MindSpore's function transforms: transforms.json and transforms.npz.

Made with MindSpore 2.10.0 (CPU, PyNative), from a scratch folder, with the repository root on PYTHONPATH:
    python -m tests.oracle.make_transforms
"""

import mindspore as ms

from tests.oracle.cases_transforms import CASES
from tests.oracle.recording import record

if __name__ == "__main__":
    ms.runtime.launch_blocking()
    record("transforms", CASES, ms)
