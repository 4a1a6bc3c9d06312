"""Fair times on a machine that is shared: the things to compare run in turn, and what counts is the median of the ratios of neighbours."""

import gc
import json
import os
import platform
import statistics
import time


def per_step(call, look, steps):
    """Seconds per step of `steps` calls in a row, the last one's result looked at."""
    start = time.perf_counter()
    for _ in range(steps):
        out = call()
    look(out)
    return (time.perf_counter() - start) / steps


def in_turn(calls, seconds=0.15, rounds=21):
    """Seconds per step of each of the calls, `rounds` times in alternating order.

    Args:
        calls: {name: (call, look)}.
        seconds: length of one run; the number of steps follows from it.
        rounds: how often.

    Returns:
        {name: list of seconds per step}
    """
    steps, times = {}, {name: [] for name in calls}
    for name, (call, look) in calls.items():
        for _ in range(5):
            look(call())
        steps[name] = max(3, int(seconds / per_step(call, look, 5)))
    gc.collect()
    gc.disable()
    try:
        for i in range(rounds):
            for name in calls if i % 2 else reversed(calls):
                call, look = calls[name]
                look(call())
                times[name].append(per_step(call, look, steps[name]))
            gc.collect()
    finally:
        gc.enable()
    return times


def ratio(times, a, b):
    """Median of the ratios a / b, round by round, with the quartiles."""
    ratios = [x / y for x, y in zip(times[a], times[b], strict=True)]
    low, middle, high = statistics.quantiles(ratios, n=4)
    return {"ratio": round(middle, 3), "from": round(low, 3), "to": round(high, 3)}


def milliseconds(times, name):
    """Median time of a step in ms."""
    return round(statistics.median(times[name]) * 1e3, 4)


def machine():
    """What the numbers were taken on."""
    model = "unknown processor"
    if os.path.exists("/proc/cpuinfo"):
        with open("/proc/cpuinfo", encoding="utf-8") as f:
            model = next((line.split(":", 1)[1].strip() for line in f if line.startswith("model name")), model)
    return f"{os.cpu_count()} x {model}, {platform.system()}, Python {platform.python_version()}"


def report(name, **values):
    """One line of a result, for people and for `run.py`."""
    print(json.dumps({"benchmark": name, **values}), flush=True)
