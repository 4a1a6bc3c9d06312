"""Learning rates: the functions of nn.dynamic_lr (whole lists) and the classes of nn.learning_rate_schedule at steps 0 to N."""

import numpy as np

FUNCTIONS = {
    "piecewise_constant_lr": ["[2, 5, 10], [0.1, 0.05, 0.01]", "[1], [1.0]", "[2, 5], [0.1]", "[5, 2], [0.1, 0.2]", "[0, 2], [0.1, 0.2]", "[2, 2], [0.1, 0.2]", "[2, 5], [0.1, 1]", "[2.5], [0.1]", "[], []", "[2, 5], [0.1, -0.1]", "3, 0.1", "[2], [0.0]", "(2, 5), (0.1, 0.2)"],
    "exponential_decay_lr": ["0.1, 0.9, 6, 2, 1", "0.1, 0.9, 12, 3, 2, True", "0.1, 0.9, 12, 3, 2, is_stair=False", "0.5, 0.5, 5, 1, 3, True", "-0.1, 0.9, 6, 2, 1", "0.1, 0.0, 6, 2, 1", "0.1, 0.9, 0, 2, 1", "0.1, 0.9, 6, 0, 1", "0.1, 0.9, 6, 2, 0", "1, 0.9, 6, 2, 1", "0.1, 0.9, 6.0, 2, 1", "0.1, 0.9, 6, 2, 1, 1", "0.1, 1.1, 6, 2, 1"],
    "natural_exp_decay_lr": ["0.1, 0.9, 6, 2, 1", "0.1, 0.9, 12, 3, 2, True", "0.5, 0.1, 8, 4, 2", "0.0, 0.9, 6, 2, 1", "0.1, -0.9, 6, 2, 1", "'a', 0.9, 6, 2, 1"],
    "inverse_decay_lr": ["0.1, 0.5, 6, 1, 1, True", "0.1, 0.5, 12, 3, 2", "0.1, 0.5, 12, 3, 2, True", "0.1, 'a', 6, 2, 1", "0.1, 0.5, -6, 2, 1", "0.1, 1, 6, 2, 1"],
    "cosine_decay_lr": ["0.01, 0.1, 6, 2, 2", "0.0, 0.1, 12, 3, 2", "0.001, 1.0, 20, 4, 5", "0.1, 0.01, 6, 2, 2", "-0.1, 0.1, 6, 2, 2", "0, 0.1, 6, 2, 2", "0.0, 0.0, 6, 2, 2", "0.01, 0.1, 6, 2, 0", "0.1, 0.1, 6, 2, 2"],
    "polynomial_decay_lr": ["0.1, 0.01, 6, 2, 2, 0.5", "0.1, 0.01, 12, 3, 2, 2.0, True", "0.1, 0.01, 12, 3, 2, 1.0, False", "0.1, 0.1, 6, 2, 2, 0.5", "0.1, 0.01, 6, 2, 2, 0.0", "0.1, 0.01, 6, 2, 2, 2", "0.01, 0.1, 6, 2, 2, 0.5", "-0.1, 0.01, 6, 2, 2, 0.5", "0.1, -0.01, 6, 2, 2, 0.5", "0.1, 0.01, 6, 2, 2, 0.5, 1", "0.1, 0.0, 6, 2, 3, 0.5, True"],
    "warmup_lr": ["0.1, 6, 2, 2", "0.5, 10, 3, 2", "0.1, 6, 2, 0", "0.0, 6, 2, 2", "1, 6, 2, 2", "0.1, 6, 2, -1", "0.1, 3, 5, 1", "0.1, 6.0, 2, 2"],
}  # fmt: skip
CLASSES = {
    "ExponentialDecayLR": ["0.1, 0.9, 4", "0.1, 0.9, 4, True", "0.1, 0.9, 4, is_stair=True", "1.0, 0.5, 1", "-0.1, 0.9, 4", "0.1, 0.0, 4", "0.1, 0.9, 0", "0.1, 0.9, 4.0", "1, 0.9, 4", "0.1, 0.9, 4, 1"],
    "NaturalExpDecayLR": ["0.1, 0.9, 4", "0.1, 0.9, 4, True", "0.5, 0.1, 3", "0.0, 0.9, 4", "0.1, -0.9, 4"],
    "InverseDecayLR": ["0.1, 0.9, 4", "0.1, 0.9, 4, True", "0.5, 0.1, 3", "0.1, 'a', 4", "0.1, 0.9, -4"],
    "CosineDecayLR": ["0.01, 0.1, 4", "0.0, 0.1, 10", "0.001, 1.0, 7", "0.1, 0.01, 4", "-0.01, 0.1, 4", "0.01, 0.1, 0", "0, 0.1, 4"],
    "PolynomialDecayLR": ["0.1, 0.01, 4, 0.5", "0.1, 0.01, 4, 0.5, True", "0.1, 0.0, 6, 2.0", "0.1, 0.01, 6, 1.0, True", "0.1, 0.1, 4, 0.5", "0.1, 0.01, 4, 0.0", "0.1, 0.01, 4, 2", "0.1, -0.01, 4, 0.5", "0.01, 0.1, 4, 0.5"],
    "WarmUpLR": ["0.1, 4", "0.5, 1", "0.1, 10", "0.0, 4", "0.1, 0", "1, 4", "0.1, -1"],
}  # fmt: skip


def rates_of_function(name, args):
    return lambda ms: eval(f"f({args})", {"f": getattr(ms.nn, name)})  # noqa: S307


def rates_of_class(name, args, dtype=np.int32, steps=13):
    def case(ms):
        schedule = eval(f"c({args})", {"c": getattr(ms.nn, name)})  # noqa: S307
        return [schedule(ms.Tensor(np.array(step, dtype))) for step in range(steps)]

    return case


def custom(ms):
    """A schedule by subclassing: warm-up, then cosine."""

    class Both(ms.nn.learning_rate_schedule.LearningRateSchedule):
        def __init__(self):
            super().__init__()
            self.warm = ms.nn.WarmUpLR(0.1, 4)
            self.cosine = ms.nn.CosineDecayLR(0.01, 0.1, 8)

        def construct(self, step):
            if step < 4:
                return self.warm(step)
            return self.cosine(step - 4)

    schedule = Both()
    return [schedule(ms.Tensor(np.array(step, np.int32))) for step in range(13)]


CASES = {f"{n}({a})": rates_of_function(n, a) for n, arguments in FUNCTIONS.items() for a in arguments}
CASES |= {f"{n}({a})": rates_of_class(n, a) for n, arguments in CLASSES.items() for a in arguments}
CASES |= {f"{n} of int64": rates_of_class(n, arguments[0], np.int64) for n, arguments in CLASSES.items()}
CASES |= {f"{n} of float32": rates_of_class(n, arguments[0], np.float32, 5) for n, arguments in CLASSES.items()}
CASES |= {
    "custom schedule": custom,
    "schedule of int": lambda ms: ms.nn.ExponentialDecayLR(0.1, 0.9, 4)(3),
    "schedule of one element": lambda ms: ms.nn.WarmUpLR(0.1, 4)(ms.Tensor(np.array([2], np.int32))),
    "base class call": lambda ms: ms.nn.learning_rate_schedule.LearningRateSchedule()(ms.Tensor(np.array(2, np.int32))),
    "type of list": lambda ms: [type(v).__name__ for v in ms.nn.warmup_lr(0.1, 3, 2, 1)],
}
