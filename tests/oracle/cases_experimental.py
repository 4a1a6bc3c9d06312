"""Trajectories of mindspore.experimental.optim and mindspore.mint.optim over 50 steps, and of their learning rate schedulers.

A trajectory returns the net's parameters after steps 1, 2, 10 and 50 (in one vector), the keys and options of the groups, and the learning rates.
"""

import numpy as np

from tests.oracle.cases_optimizers import CHECKPOINTS, decays, flat, gradients
from tests.oracle.fixtures import small_net

VARIANTS = {
    "ASGD": ["", "lr=0.05, lambd=0.01, alpha=0.5, t0=10.0, weight_decay=0.1", "maximize=True"],
    "Adadelta": ["", "lr=0.5, rho=0.8, eps=1e-4, weight_decay=0.1", "maximize=True"],
    "Adagrad": ["", "lr=0.1, lr_decay=0.1, weight_decay=0.1, initial_accumulator_value=0.5, eps=1e-5", "maximize=True"],
    "Adam": ["", "lr=0.01, betas=(0.8, 0.95), eps=1e-4, weight_decay=0.1", "amsgrad=True, lr=0.01", "maximize=True"],
    "AdamW": ["", "lr=0.01, betas=(0.8, 0.95), eps=1e-4, weight_decay=0.1", "amsgrad=True, lr=0.01", "maximize=True"],
    "Adamax": ["", "lr=0.01, betas=(0.8, 0.95), eps=1e-4, weight_decay=0.1", "maximize=True"],
    "NAdam": ["", "lr=0.01, betas=(0.8, 0.95), eps=1e-4, weight_decay=0.1, momentum_decay=0.01"],
    "RAdam": ["", "lr=0.01, betas=(0.8, 0.95), eps=1e-4, weight_decay=0.1"],
    "RMSprop": ["", "lr=0.02, alpha=0.9, eps=1e-4, weight_decay=0.1, momentum=0.5", "centered=True", "centered=True, momentum=0.5", "maximize=True"],
    "Rprop": ["", "lr=0.05, etas=(0.4, 1.3), step_sizes=(1e-4, 1.0)", "maximize=True"],
    "SGD": ["lr=0.1", "lr=0.1, momentum=0.9", "lr=0.1, momentum=0.9, nesterov=True", "lr=0.1, momentum=0.9, dampening=0.3, weight_decay=0.1", "lr=0.1, maximize=True"],
}  # fmt: skip
MINT = {
    "Adam": ["", "lr=0.01, betas=(0.8, 0.95), eps=1e-4, weight_decay=0.1", "amsgrad=True"],
    "AdamW": ["", "lr=0.01, betas=(0.8, 0.95), eps=1e-4, weight_decay=0.1", "amsgrad=True"],
    "FusedAdamW": [""],
    "SGD": ["lr=0.1", "lr=0.1, momentum=0.9, nesterov=True", "lr=0.1, momentum=0.9, dampening=0.3, weight_decay=0.1"],
}


def optim(ms, kind):
    return ms.experimental.optim if kind == "experimental" else ms.mint.optim


def plain(value):
    """An option of a group as a Python value."""
    return value.asnumpy().tolist() if hasattr(value, "asnumpy") else value


def groups_of(optimizer):
    return [{k: ([p.name for p in v] if k == "params" else plain(v)) for k, v in g.items()} for g in optimizer.param_groups]


def trajectory(kind, name, text="", params=None):
    def case(ms):
        net = small_net(ms)
        given = params(net) if params else net.trainable_params()
        optimizer = getattr(optim(ms, kind), name)(given, **eval(f"dict({text})"))  # noqa: S307
        after = {}
        for step in range(1, 51):
            g = gradients(net, step)
            optimizer(tuple(ms.Tensor(g[p.name]) for p in optimizer.parameters))
            if step in CHECKPOINTS:
                after[step] = flat(net.get_parameters())
        own = [f"{p.name} {list(p.shape)} {p.dtype}" for p in optimizer.get_parameters()]
        return {"after": after, "groups": groups_of(optimizer), "own": own, "defaults": {k: plain(v) for k, v in optimizer.defaults.items()}}

    return case


def two_groups(net):
    return [
        {"params": [p for p in net.trainable_params() if decays(p)], "lr": 0.02, "weight_decay": 0.05},
        {"params": [p for p in net.trainable_params() if not decays(p)]},
    ]


def rates(make, steps=24, metric=None, groups=1):
    """The case of a scheduler `make(lr_scheduler, optimizer)`: the learning rates before the first and after every step."""

    def case(ms):
        o = ms.experimental.optim
        net = small_net(ms)
        params = (
            net.trainable_params() if groups == 1 else [{"params": net.trainable_params()[:3], "lr": 0.5}, {"params": net.trainable_params()[3:]}]
        )
        optimizer = o.SGD(params, lr=0.1, momentum=0.9)
        scheduler = make(o.lr_scheduler, optimizer)
        seen = [[float(g["lr"]) for g in optimizer.param_groups]]
        for step in range(steps):
            scheduler.step(metric(step)) if metric else scheduler.step()
            seen.append([float(g["lr"]) for g in optimizer.param_groups])
        last = [float(v) for v in scheduler.get_last_lr()] if hasattr(scheduler, "get_last_lr") and metric is None else None
        return {"rates": np.array(seen, np.float64), "last": last, "last_epoch": int(scheduler.last_epoch)}

    return case


SCHEDULERS = {
    "StepLR": lambda s, o: s.StepLR(o, 5), "StepLR gamma": lambda s, o: s.StepLR(o, 4, gamma=0.5), "MultiStepLR": lambda s, o: s.MultiStepLR(o, [3, 8, 15], gamma=0.5),
    "ConstantLR": lambda s, o: s.ConstantLR(o), "ConstantLR factor": lambda s, o: s.ConstantLR(o, factor=0.5, total_iters=8), "LinearLR": lambda s, o: s.LinearLR(o),
    "LinearLR factors": lambda s, o: s.LinearLR(o, start_factor=0.1, end_factor=0.8, total_iters=10), "ExponentialLR": lambda s, o: s.ExponentialLR(o, 0.9),
    "PolynomialLR": lambda s, o: s.PolynomialLR(o), "PolynomialLR power": lambda s, o: s.PolynomialLR(o, total_iters=12, power=2.0),
    "CosineAnnealingLR": lambda s, o: s.CosineAnnealingLR(o, 10), "CosineAnnealingLR min": lambda s, o: s.CosineAnnealingLR(o, 7, eta_min=0.01),
    "CosineAnnealingWarmRestarts": lambda s, o: s.CosineAnnealingWarmRestarts(o, 5), "CosineAnnealingWarmRestarts mult": lambda s, o: s.CosineAnnealingWarmRestarts(o, 4, 2, 0.01),
    "LambdaLR": lambda s, o: s.LambdaLR(o, lambda e: 0.9**e), "MultiplicativeLR": lambda s, o: s.MultiplicativeLR(o, lambda e: 0.95),
    "CyclicLR": lambda s, o: s.CyclicLR(o, 0.01, 0.1, step_size_up=4), "CyclicLR triangular2": lambda s, o: s.CyclicLR(o, 0.01, 0.1, step_size_up=4, step_size_down=2, mode="triangular2"),
    "CyclicLR exp_range": lambda s, o: s.CyclicLR(o, 0.01, 0.1, step_size_up=4, mode="exp_range", gamma=0.95),
    "SequentialLR": lambda s, o: s.SequentialLR(o, [s.ConstantLR(o, factor=0.1, total_iters=2), s.ExponentialLR(o, 0.9)], milestones=[4]),
    "StepLR bad size": lambda s, o: s.StepLR(o, 0), "StepLR bad gamma": lambda s, o: s.StepLR(o, 2, gamma="a"), "StepLR no optimizer": lambda s, o: s.StepLR(None, 2),
    "MultiStepLR bad": lambda s, o: s.MultiStepLR(o, 3), "ConstantLR bad": lambda s, o: s.ConstantLR(o, factor=2.0), "LinearLR bad": lambda s, o: s.LinearLR(o, start_factor=0.0),
    "LambdaLR wrong count": lambda s, o: s.LambdaLR(o, [lambda e: 1.0, lambda e: 1.0]), "CosineAnnealingWarmRestarts bad": lambda s, o: s.CosineAnnealingWarmRestarts(o, 0),
}  # fmt: skip
METRICS = [1.0, 0.9, 0.9, 0.91, 0.92, 0.9, 0.9, 0.8, 0.8, 0.8, 0.8, 0.8, 0.8, 0.8, 0.8, 0.7, 0.7, 0.7, 0.7, 0.7, 0.7, 0.7, 0.7, 0.7]
PLATEAU = {
    "ReduceLROnPlateau": {"patience": 2}, "ReduceLROnPlateau max": {"mode": "max", "patience": 2, "factor": 0.5}, "ReduceLROnPlateau cooldown": {"patience": 1, "cooldown": 3, "factor": 0.5},
    "ReduceLROnPlateau abs": {"patience": 1, "threshold": 0.05, "threshold_mode": "abs"}, "ReduceLROnPlateau min_lr": {"patience": 0, "min_lr": 0.01}, "ReduceLROnPlateau bad mode": {"mode": "a"},
    "ReduceLROnPlateau bad factor": {"factor": 1.5},
}  # fmt: skip
BAD = {
    "negative lr": "lr=-0.1", "lr text": "lr='a'", "betas": "betas=(2.0, 0.9)", "eps": "eps=-1.0", "decay": "weight_decay=-0.1", "lr int": "lr=1", "amsgrad text": "amsgrad='a'",
    "maximize int": "maximize=1", "typo": "typo=1", "lr list": "lr=[0.1]", "lr tensor": "lr=Tensor",
}  # fmt: skip


def bad(kind, text):
    def case(ms):
        cls = optim(ms, kind).Adam
        cls(small_net(ms).trainable_params(), **eval(f"dict({text})", {"Tensor": ms.Tensor(np.float32(0.1))}))  # noqa: S307
        return "accepted"

    return case


def changed_rate(ms):
    """Learning rates are changed through the group, in the ways that users do it."""
    net = small_net(ms)
    optimizer = ms.experimental.optim.SGD(net.trainable_params(), lr=0.1)
    first = optimizer.param_groups[0]["lr"]
    seen = [type(first).__name__, plain(first), str(first.name)]
    ms.ops.assign(optimizer.param_groups[0]["lr"], 0.05)
    seen.append(plain(optimizer.param_groups[0]["lr"]))
    g = gradients(net, 1)
    optimizer(tuple(ms.Tensor(g[p.name]) for p in optimizer.parameters))
    return {"seen": seen, "after": flat(net.get_parameters())}


def added_group(ms):
    net = small_net(ms)
    optimizer = ms.experimental.optim.Adam(net.trainable_params()[:3], lr=0.1)
    optimizer.add_param_group({"params": net.trainable_params()[3:], "lr": 0.01})
    return groups_of(optimizer)


CASES = {f"experimental {n}({t})": trajectory("experimental", n, t) for n, ts in VARIANTS.items() for t in ts}
CASES |= {f"experimental {n} groups": trajectory("experimental", n, "lr=0.05", two_groups) for n in VARIANTS if n != "Rprop"}
CASES |= {f"mint {n}({t})": trajectory("mint", n, t) for n, ts in MINT.items() for t in ts}
CASES |= {f"mint {n} groups": trajectory("mint", n, "lr=0.05", two_groups) for n in MINT}
CASES |= {f"rates {name}": rates(make) for name, make in SCHEDULERS.items()}
CASES |= {
    f"rates {name}, two groups": rates(SCHEDULERS[name], groups=2) for name in ("StepLR", "CosineAnnealingLR", "LinearLR", "LambdaLR", "CyclicLR")
}
CASES |= {f"rates {name}": rates(lambda s, o, kw=kw: s.ReduceLROnPlateau(o, **kw), metric=lambda i: METRICS[i]) for name, kw in PLATEAU.items()}
CASES |= {f"experimental bad {k}": bad("experimental", t) for k, t in BAD.items()}
CASES |= {"changed rate": changed_rate, "added group": added_group}
