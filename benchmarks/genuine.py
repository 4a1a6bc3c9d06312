"""Sporax against genuine MindSpore, which has an interpreter of its own.

    python -m benchmarks.genuine --oracle PYTHON [lenet minimal deep]
"""

import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

from benchmarks import timing

CHILD = str(pathlib.Path(__file__).parent / "child.py")


def run(python, framework, name, mode, seconds):
    """Result of one child process."""
    with tempfile.TemporaryDirectory() as scratch:  # genuine MindSpore leaves folders where it runs
        done = subprocess.run([python, CHILD, framework, name, mode, str(seconds)], cwd=scratch, capture_output=True, text=True, timeout=300)
    lines = [line for line in done.stdout.splitlines() if line.startswith("RESULT ")]
    if not lines:
        raise RuntimeError(f"{framework} {name} {mode} failed:\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}")
    return json.loads(lines[0][7:])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--oracle", required=True, help="Python interpreter that has genuine MindSpore")
    parser.add_argument("--pairs", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("names", nargs="*", default=["lenet", "minimal", "deep"])
    args = parser.parse_args()
    for name in args.names:
        for mode in ("pynative", "graph"):
            pairs = []
            for i in range(args.pairs):
                two = [(args.oracle, "mindspore"), (sys.executable, "sporax")]
                got = {framework: run(python, framework, name, mode, args.seconds) for python, framework in (two if i % 2 else reversed(two))}
                pairs.append((got["mindspore"], got["sporax"]))
            ratios = [a["median"] / b["median"] for a, b in pairs]
            losses = [max(abs(a - b) / abs(a) for a, b in zip(x["losses"], y["losses"], strict=True)) for x, y in pairs]
            timing.report(
                f"genuine {name} {mode}",
                genuine_ms=round(statistics.median(a["median"] for a, _ in pairs) * 1e3, 3),
                sporax_ms=round(statistics.median(b["median"] for _, b in pairs) * 1e3, 4),
                genuine_to_sporax={"ratio": round(statistics.median(ratios), 1), "from": round(min(ratios), 1), "to": round(max(ratios), 1)},
                largest_difference_of_losses=float(f"{max(losses):.2g}"),
            )


if __name__ == "__main__":
    main()
