"""Saving and loading a state of 1 GB, timed; started by `checkpoint.py` in the interpreter of what is timed.

    python benchmarks/checkpoint_child.py sporax|mindspore|safetensors ckpt|safetensors FOLDER MEGABYTES

Two times of saving: until the call returns, and until the file is on the disk (what doesn't wait for it is followed by a sync of that file). Loading is from the
page cache, into Parameters (NumPy arrays with the safetensors library), until every number has been read once.
"""

import importlib
import json
import os
import sys
import time

import numpy as np

COUNT = 100


def on_disk(path):
    """Wait until a file is on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    os.fsync(descriptor)
    os.close(descriptor)


def main(what, format, folder, megabytes):
    rng = np.random.default_rng(0)
    rows = int(megabytes) * 1_000_000 // COUNT // 4 // 1000
    arrays = {f"layer{i}.weight": rng.random((rows, 1000), np.float32) for i in range(COUNT)}
    expected = sum(float(a.sum(dtype=np.float64)) for a in arrays.values())
    path = os.path.join(folder, f"state.{format}")
    if what == "safetensors":
        library = importlib.import_module("safetensors.numpy")

        def save():
            library.save_file(arrays, path)

        def load():
            loaded = library.load_file(path)
            return loaded, sum(float(a.sum()) for a in loaded.values())
    else:
        ms = importlib.import_module(what)
        parameters = [ms.Parameter(ms.Tensor(a), name=n) for n, a in arrays.items()]

        def save():
            ms.save_checkpoint(parameters, path, format=format)

        def load():
            loaded = ms.load_checkpoint(path, format=format)
            return loaded, sum(float(ms.ops.sum(p).asnumpy()) for p in loaded.values())

    times = {"save": [], "durable": [], "load": []}
    for _ in range(4):
        start = time.perf_counter()
        save()
        times["save"].append(time.perf_counter() - start)
        on_disk(path)
        times["durable"].append(time.perf_counter() - start)
        start = time.perf_counter()
        loaded, total = load()
        times["load"].append(time.perf_counter() - start)
        assert len(loaded) == COUNT and abs(total / expected - 1) < 1e-4
        del loaded
    # the first round warms up
    print("RESULT " + json.dumps({k: sorted(v[1:])[1] for k, v in times.items()}), flush=True)
    os._exit(0)


if __name__ == "__main__":
    main(*sys.argv[1:])
