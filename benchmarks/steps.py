"""Compiled and PyNative training steps against hand-written JAX.

    python -m benchmarks.steps [lenet minimal deep]
"""

import sys

import sporax as ms
from benchmarks import handwritten, programs, timing


def _of(name, mode, **options):
    """A call that runs one step in a mode (which is set at each call: it costs a dict lookup) and how to look at its loss."""
    step, arguments = programs.program(name, ms, **options)

    def call():
        return step(*arguments)

    def look(loss):
        loss.asnumpy()

    return _Moded(call, mode), look


class _Moded:
    """Switches to its mode before its first call of a run, not at every step."""

    current = None

    def __init__(self, call, mode):
        self.call, self.mode = call, mode

    def __call__(self):
        if _Moded.current is not self.mode:
            ms.set_context(mode=self.mode)
            _Moded.current = self.mode
        return self.call()


def main(names):
    for name in names:
        calls = {
            "jax": (handwritten.program(name), lambda loss: loss.block_until_ready()),
            "compiled": _of(name, ms.GRAPH_MODE),
            "pynative": _of(name, ms.PYNATIVE_MODE),
            "pynative, loss looked at": _of(name, ms.PYNATIVE_MODE, looked_at=True),
        }
        times = timing.in_turn(calls)
        timing.report(
            f"steps {name}",
            ms={k: timing.milliseconds(times, k) for k in calls},
            compiled_to_jax=timing.ratio(times, "compiled", "jax"),
            pynative_to_compiled=timing.ratio(times, "pynative", "compiled"),
        )


if __name__ == "__main__":
    main(sys.argv[1:] or ["lenet", "minimal", "deep"])
