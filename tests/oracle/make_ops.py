"""Record genuine MindSpore's operators: ops_<family>.json and ops_<family>.npz.

Made with MindSpore 2.10.0 (CPU, PyNative), from a scratch folder, with the repository root on PYTHONPATH:
    python -m tests.oracle.make_ops [family ...]
"""

import importlib
import sys
import warnings

import mindspore as ms
import numpy as np

from tests.oracle.recording import record

FAMILIES = ("math", "reduce", "array", "linalg")

if __name__ == "__main__":
    ms.runtime.launch_blocking()
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    for family in sys.argv[1:] or FAMILIES:
        record(f"ops_{family}", importlib.import_module(f"tests.oracle.cases_ops_{family}").CASES, ms, "python -m tests.oracle.make_ops")
