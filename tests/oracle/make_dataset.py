"""Record genuine MindSpore's operations of dataset: dataset_<topic>.json and dataset_<topic>.npz.

Made with MindSpore 2.10.0 (CPU), from a scratch folder, with the repository root on PYTHONPATH:
    python -m tests.oracle.make_dataset [topic ...]
"""

import importlib
import sys
import warnings

import mindspore as ms
import mindspore.dataset.audio  # makes ms.dataset, and audio, which genuine leaves out
import numpy as np

from tests.oracle.recording import record

TOPICS = ("sources", "transforms", "vision", "files", "text", "audio")

if __name__ == "__main__":
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    for topic in sys.argv[1:] or TOPICS:
        cases = importlib.import_module(f"tests.oracle.cases_dataset_{topic}").CASES
        record(f"dataset_{topic}", cases, ms, "python -m tests.oracle.make_dataset")
