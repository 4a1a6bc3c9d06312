"""Import time against jax's own, and the first compiled step of the minimal network.

    python -m benchmarks.startup
"""

import os
import statistics
import subprocess
import sys
import tempfile

from benchmarks import timing

IMPORT = "import time; t = time.perf_counter(); import {}; print(time.perf_counter() - t)"
FIRST = """
import time
import sporax as ms
from benchmarks import programs
ms.set_context(mode=ms.GRAPH_MODE)
start = time.perf_counter()
step, arguments = programs.program("minimal", ms)
step(*arguments).asnumpy()
print(time.perf_counter() - start)
"""


def seconds(code):
    """What a fresh process that runs `code` prints."""
    return float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120).stdout)


def main(rounds=15):
    # bytecode of installed packages is there; so it shall be for a checkout
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["PYTHONPYCACHEPREFIX"] = folder
        measure(rounds)


def measure(rounds):
    for module in ("jax", "sporax"):
        seconds(IMPORT.format(module))
    jax, ours, first = [], [], []
    for i in range(rounds):
        for kind in ("jax", "sporax") if i % 2 else ("sporax", "jax"):
            (jax if kind == "jax" else ours).append(seconds(IMPORT.format(kind)))
        if i % 3 == 0:
            first.append(seconds(FIRST))
    timing.report(
        "startup",
        import_jax_s=round(statistics.median(jax), 3),
        import_sporax_s=round(statistics.median(ours), 3),
        more_than_jax_s=round(statistics.median(b - a for a, b in zip(jax, ours, strict=True)), 3),
        first_compiled_step_s=round(statistics.median(first), 3),
    )


if __name__ == "__main__":
    main()
