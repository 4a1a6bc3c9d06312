"""Record genuine MindSpore's Cells: cells.json and cells.npz.

Made with MindSpore 2.10.0 (CPU, PyNative), from a scratch folder, with the repository root on PYTHONPATH:
    python -m tests.oracle.make_cells
"""

import mindspore as ms

from tests.oracle.cases_cells import CASES
from tests.oracle.recording import record

if __name__ == "__main__":
    ms.runtime.launch_blocking()
    record("cells", CASES, ms)
