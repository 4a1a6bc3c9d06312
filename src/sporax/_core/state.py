"""What one thread is doing: its trace scope, its tapes, its recorded block."""

import threading


class State:
    """`scope`: innermost trace in progress, or None. `tapes`: active tapes, outermost first. `block`: ops recorded and not yet run.
    `cast`: the floating type that kernels compute in, or None (see `autocast`)."""

    __slots__ = ("block", "cast", "direct", "scope", "tapes")

    def __init__(self):
        from sporax._core.record import Block

        self.scope, self.tapes, self.block, self.direct, self.cast = None, (), Block(), False, None


class _Local(threading.local):
    def __init__(self):
        self.state = State()


local = _Local()


class hidden_tapes:
    """Context in which no active tape sees what happens (or only `tapes`)."""

    __slots__ = ("saved", "state", "tapes")

    def __init__(self, tapes=()):
        self.tapes = tapes

    def __enter__(self):
        self.state = local.state
        self.saved, self.state.tapes = self.state.tapes, self.tapes

    def __exit__(self, *exc):
        self.state.tapes = self.saved
