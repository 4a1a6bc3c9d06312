"""How long training waits for its state to be saved: every fifth step of a network with 200 MB of Parameters and moments.

python -m benchmarks.checkpoint_overlap [--folder FOLDER]
"""

import argparse
import statistics
import tempfile
import time

import numpy as np

import sporax as ms
from benchmarks import timing
from sporax import Tensor, nn
from sporax.train import TrainState

WIDTH, STEPS, EVERY = 2900, 30, 5


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--folder", help="where the files go; default: the system's folder for temporary files")
    args = parser.parse_args()
    ms.set_context(mode=ms.GRAPH_MODE)
    net = nn.SequentialCell(*[nn.Dense(WIDTH, WIDTH) for _ in range(3)])
    optimizer = nn.Momentum(net.trainable_params(), 1e-4, 0.9)
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), optimizer)
    x = Tensor(np.random.default_rng(0).standard_normal((256, WIDTH)).astype(np.float32))
    state = TrainState(net, optimizer)
    for _ in range(3):
        step(x, x).asnumpy()
    seconds = {"no saving": [], "in the background": [], "waiting": []}
    with tempfile.TemporaryDirectory(dir=args.folder) as folder:
        for turn in range(3):
            for how in seconds:
                start = time.perf_counter()
                for i in range(STEPS):
                    step(x, x).asnumpy()
                    if i % EVERY == 0 and how != "no saving":
                        state.save(folder, turn * STEPS + i, async_save=how == "in the background")
                seconds[how].append((time.perf_counter() - start) / STEPS)
                state.close()
    plain = statistics.median(seconds["no saving"])
    timing.report(
        "checkpoint overlap",
        megabytes=round(2 * sum(p.nbytes for p in net.get_parameters()) / 1e6),
        step_ms=round(plain * 1e3, 1),
        wait_per_save_ms={how: round((statistics.median(t) - plain) * EVERY * 1e3) for how, t in seconds.items() if how != "no saving"},
    )


if __name__ == "__main__":
    main()
