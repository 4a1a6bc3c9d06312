"""Saving and loading 1 GB, against genuine MindSpore (which has an interpreter of its own) and the safetensors library.

python -m benchmarks.checkpoint --oracle PYTHON [--folder FOLDER] [--megabytes 1000]
"""

import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

from benchmarks import timing

CHILD = str(pathlib.Path(__file__).parent / "checkpoint_child.py")


def run(python, what, format, folder, megabytes):
    """Seconds of one child process."""
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        done = subprocess.run([python, CHILD, what, format, scratch, str(megabytes)], cwd=scratch, capture_output=True, text=True, timeout=600)
    lines = [line for line in done.stdout.splitlines() if line.startswith("RESULT ")]
    if not lines:
        raise RuntimeError(f"{what} {format} failed:\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}")
    return json.loads(lines[0][7:])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--oracle", help="Python interpreter that has genuine MindSpore")
    parser.add_argument("--folder", help="where the files go; default: the system's folder for temporary files")
    parser.add_argument("--megabytes", type=int, default=1000)
    parser.add_argument("--pairs", type=int, default=3)
    args = parser.parse_args()
    others = [("safetensors", "safetensors", sys.executable)]
    if args.oracle:
        others += [("mindspore", "ckpt", args.oracle), ("mindspore", "safetensors", args.oracle)]
    for what, format, python in others:
        pairs = []
        for i in range(args.pairs):
            two = [(python, what), (sys.executable, "sporax")]
            got = {name: run(p, name, format, args.folder, args.megabytes) for p, name in (two if i % 2 else reversed(two))}
            pairs.append((got[what], got["sporax"]))
        for kind in ("save", "durable", "load"):
            ratios = [a[kind] / b[kind] for a, b in pairs]
            timing.report(
                f"checkpoint {what} {format} {kind}",
                other_s=round(statistics.median(a[kind] for a, _ in pairs), 3),
                sporax_s=round(statistics.median(b[kind] for _, b in pairs), 3),
                other_to_sporax={"ratio": round(statistics.median(ratios), 2), "from": round(min(ratios), 2), "to": round(max(ratios), 2)},
            )


if __name__ == "__main__":
    main()
