"""One program in one mode on one framework, timed; started by `genuine.py` in the framework's own interpreter.

    python benchmarks/child.py FRAMEWORK PROGRAM MODE SECONDS
"""

import importlib
import json
import os
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import programs


def main(framework, name, mode, seconds):
    start = time.perf_counter()
    ms = importlib.import_module(framework)
    importlib.import_module(f"{framework}.nn")
    imported = time.perf_counter() - start
    ms.set_context(mode=ms.GRAPH_MODE if mode == "graph" else ms.PYNATIVE_MODE)
    step, arguments = programs.program(name, ms)
    start = time.perf_counter()
    losses = [float(step(*arguments).asnumpy())]
    first = time.perf_counter() - start
    for _ in range(4):
        losses.append(float(step(*arguments).asnumpy()))
    times, end = [], time.perf_counter() + float(seconds)
    while time.perf_counter() < end or len(times) < 5:
        start = time.perf_counter()
        loss = step(*arguments)
        loss.asnumpy()
        times.append(time.perf_counter() - start)
    times.sort()
    print("RESULT " + json.dumps({"import": imported, "first": first, "median": times[len(times) // 2], "losses": losses}), flush=True)
    os._exit(0)  # genuine MindSpore takes seconds to shut down


if __name__ == "__main__":
    main(*sys.argv[1:])
