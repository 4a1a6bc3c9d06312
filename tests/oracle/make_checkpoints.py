"""Records what genuine MindSpore does with `cases_checkpoints`. See `recording`."""

import os
import tempfile

import mindspore

from tests.oracle.cases_checkpoints import CASES
from tests.oracle.recording import record

if __name__ == "__main__":
    os.chdir(tempfile.mkdtemp())
    record("checkpoints", CASES, mindspore)
