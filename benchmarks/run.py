"""Take every measurement and write benchmarks/RESULTS.md.

    python -m benchmarks.run [--oracle PYTHON]

Without an interpreter that has genuine MindSpore its rows are left as they are in the file.
"""

import argparse
import json
import pathlib
import subprocess
import sys

from benchmarks import timing

RESULTS = pathlib.Path(__file__).parent / "RESULTS.md"
KEPT = RESULTS.with_name("results.json")
TITLES = {"lenet": "LeNet-5, batch 64", "minimal": "one 1x1 dense layer, batch 100", "deep": "50 dense layers of 16 (100 parameters), batch 1"}


def measure(module, *args):
    """Results of one benchmark in a process of its own, by name."""
    print(f"-- {module} {' '.join(args)}", flush=True)
    done = subprocess.run([sys.executable, "-m", f"benchmarks.{module}", *args], stdout=subprocess.PIPE, text=True, check=True)
    print(done.stdout, flush=True)
    rows = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    return {row.pop("benchmark"): row | {"machine": timing.machine()} for row in rows}


def spread(r):
    return f"**{r['ratio']:g}** ({r['from']:g} to {r['to']:g})"


def page(results):
    """The text of RESULTS.md."""
    lines = [
        "# Speed and memory",
        "",
        "Made by `python -m benchmarks.run --oracle <python with mindspore>`. What is compared runs in turn, in one process or in alternating",
        "processes; ratios are medians of the ratios of neighbours, with quartiles (against genuine MindSpore: smallest and largest). A machine that",
        "others use changes times much and ratios little.",
        "",
        "A step is forward, gradient and Momentum update. \"Hand-written\" is one `jax.jit` of the same arithmetic with the state passed in, donated",
        "and passed out.",
        "",
        "## Against hand-written JAX",
        "",
        "| network | hand-written | compiled | PyNative | PyNative, loss looked at | compiled / hand-written | PyNative / compiled |",
        "|---|---|---|---|---|---|---|",
    ]
    for name, title in TITLES.items():
        r = results.get(f"steps {name}")
        if r:
            times = " | ".join(f"{r['ms'][k]:.3g} ms" for k in ("jax", "compiled", "pynative", "pynative, loss looked at"))
            lines.append(f"| {title} | {times} | {spread(r['compiled_to_jax'])} | {spread(r['pynative_to_compiled'])} |")
    lines += [
        "",
        "`TrainStep` with 4 accumulated calls, clipping by global norm and a dynamic loss scale, per call:",
        "",
        "| network | hand-written | TrainStep | TrainStep / hand-written |",
        "|---|---|---|---|",
    ]
    for name, title in TITLES.items():
        r = results.get(f"composed {name}")
        if r:
            lines.append(f"| {title} | {r['ms']['jax']:.3g} ms | {r['ms']['TrainStep']:.3g} ms | {spread(r['to_jax'])} |")
    lines += [
        "",
        "## Against genuine MindSpore 2.10 (CPU)",
        "",
        "The loss is read at every step. The losses of the first five steps differ by at most the last column, relatively.",
        "",
        "| network | mode | MindSpore | Sporax | MindSpore / Sporax | losses differ by |",
        "|---|---|---|---|---|---|",
    ]
    for name, title in TITLES.items():
        for mode in ("pynative", "graph"):
            r = results.get(f"genuine {name} {mode}")
            if r:
                ratio, differ = spread(r["genuine_to_sporax"]), r["largest_difference_of_losses"]
                lines.append(f"| {title} | {mode} | {r['genuine_ms']:.3g} ms | {r['sporax_ms']:.3g} ms | {ratio} | {differ:g} |")
    r = results["startup"]
    lines += [
        "",
        "## Start",
        "",
        f"`import jax` takes {r['import_jax_s']} s, `import sporax` (which imports it) {r['more_than_jax_s']} s more. After the import, building the",
        f"1x1 network and its first compiled step, with no cache, take {r['first_compiled_step_s']} s.",
        "",
        "## Memory",
        "",
        "Resident size of a process that trains with new tensors at every step.",
        "",
        "| network | mode | steps | after 100 | at the end | growth |",
        "|---|---|---|---|---|---|",
    ]
    for name in ("minimal", "deep"):
        for mode in ("pynative", "graph"):
            r = results.get(f"memory {name} {mode}")
            if r:
                sizes = f"{r['mib_after_100']} MiB | {r['mib_at_the_end']} MiB | {100 * r['growth']:.1f} %"
                lines.append(f"| {TITLES[name]} | {mode} | {r['steps']:,} | {sizes} |")
    machines = sorted({r["machine"] for r in results.values()})
    lines += ["", "## Machine", "", *[f"- {m}" for m in machines], ""]
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--oracle", help="Python interpreter that has genuine MindSpore")
    parser.add_argument("--only", nargs="*", default=["steps", "composed", "startup", "memory", "genuine"])
    args = parser.parse_args()
    results = json.loads(KEPT.read_text()) if KEPT.exists() else {}
    for module in args.only:
        if module != "genuine":
            results |= measure(module)
        elif args.oracle:
            results |= measure(module, "--oracle", args.oracle)
    KEPT.write_text(json.dumps(results, indent=1) + "\n")
    RESULTS.write_text(page(results))


if __name__ == "__main__":
    main()
