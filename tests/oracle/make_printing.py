"""Record str(), repr(), print() and format() of genuine MindSpore: printing.json.

Made with MindSpore 2.10.0 (CPU, PyNative) and NumPy 1.26, from a scratch folder, with the repository root on PYTHONPATH:
    python -m tests.oracle.make_printing
"""

import mindspore as ms

from tests.oracle.cases_printing import CASES
from tests.oracle.recording import record

if __name__ == "__main__":
    ms.runtime.launch_blocking()
    record("printing", CASES, ms)
