"""Size of the process over many steps, in both modes.

    python -m benchmarks.memory [STEPS]
"""

import subprocess
import sys

from benchmarks import timing

CODE = """
import gc, sys
import numpy as np
import sporax as ms
from benchmarks import programs
mode, steps = sys.argv[1], int(sys.argv[2])
ms.set_context(mode=ms.GRAPH_MODE if mode == "graph" else ms.PYNATIVE_MODE)
step, arguments = programs.program(sys.argv[3], ms)

def size():
    with open("/proc/self/statm") as f:
        return int(f.read().split()[1]) * 4096 / 2**20

x, y = (a.asnumpy() for a in arguments)
for i in range(1, steps + 1):
    # new tensors each time, as from a data set, and the loss looked at now and then
    loss = step(ms.Tensor(x), ms.Tensor(y))
    if i % 10 == 0:
        loss.asnumpy()
    if i == 100:
        loss.asnumpy()
        before = size()
print(before, size())
"""


def main(steps=10_000):
    for name in ("minimal", "deep"):
        for mode in ("pynative", "graph"):
            done = subprocess.run([sys.executable, "-c", CODE, mode, str(steps), name], stdout=subprocess.PIPE, text=True, check=True, timeout=1200)
            before, after = map(float, done.stdout.split())
            growth = round(after / before - 1, 4)
            timing.report(f"memory {name} {mode}", steps=steps, mib_after_100=round(before), mib_at_the_end=round(after), growth=growth)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
