"""Record indexing and index assignment of genuine MindSpore: indexing.json and indexing.npz.

Made with MindSpore 2.10.0 (CPU, PyNative), from a scratch folder, with the repository root on PYTHONPATH:
    python -m tests.oracle.make_indexing
"""

import mindspore as ms

from tests.oracle.cases_indexing import CASES
from tests.oracle.recording import record

if __name__ == "__main__":
    ms.runtime.launch_blocking()
    record("indexing", CASES, ms)
