"""Trajectories of the optimizers of mindspore.nn over 50 steps.

The gradients come from seeds, not from a loss: only the optimizer matters. A case returns the parameters after steps 1, 2, 10 and 50 (in one
vector, in the net's order), the names, shapes and dtypes of the parameters that the optimizer lists, in its order, and their last values (in one vector).
"""

import numpy as np

from tests.oracle.fixtures import small_net, wide_net

CHECKPOINTS = (1, 2, 10, 50)


def gradients(net, step):
    """{name: gradient} of a step; a part of them is zero."""
    rng = np.random.default_rng(1000 + step)
    out = {}
    for p in net.get_parameters():
        g = rng.standard_normal(tuple(p.shape)).astype(np.float32)
        out[p.name] = np.where(rng.random(g.shape) < 0.1, np.float32(0), g)
    return out


def flat(params):
    """The numbers of all `params` in one float32 vector."""
    return np.concatenate([p.asnumpy().astype(np.float32).reshape(-1) for p in params])


def trajectory(make, steps=50, scale=1.0, build=small_net):
    """The case of an optimizer `make(ms, net)`; `scale` multiplies the gradients (as a loss scale does)."""

    def case(ms):
        net = build(ms)
        optimizer = make(ms, net)
        after = {}
        for step in range(1, steps + 1):
            g = gradients(net, step)
            optimizer(tuple(ms.Tensor(g[p.name] * np.float32(scale)) for p in optimizer.parameters))
            if step in CHECKPOINTS:
                after[step] = flat(net.get_parameters())
        own = list(optimizer.get_parameters())
        return {
            "after": after,
            "order": " ".join(p.name for p in optimizer.parameters),
            "own": [f"{p.name} {list(p.shape)} {p.dtype}" for p in own],
            "state": flat(own),
        }

    return case


def decays(p):
    return "weight" in p.name


def groups(net, *, lr=None, decay=None, centralize=None, order=False, other_lr=None):
    """Two groups, weights and the rest; the given entries belong to the weights."""
    weights = [p for p in net.trainable_params() if decays(p)]
    rest = [p for p in net.trainable_params() if not decays(p)]
    first = {"params": weights}
    if lr is not None:
        first["lr"] = lr
    if decay is not None:
        first["weight_decay"] = decay
    if centralize is not None:
        first["grad_centralization"] = centralize
    second = {"params": rest}
    if other_lr is not None:
        second["lr"] = other_lr
    return [second, first] + ([{"order_params": net.trainable_params()}] if order else [])


def decay_cell(ms):
    """A weight decay that falls with the step."""

    class Decay(ms.nn.Cell):
        def construct(self, step):
            return 0.1 / (1.0 + step.astype(ms.float32))

    return Decay()


# class: (needed arguments, non-default argument sets)
VARIANTS = {
    "SGD": ({}, ["momentum=0.9", "momentum=0.9, nesterov=True", "momentum=0.9, dampening=0.3", "learning_rate=0.01, weight_decay=0.1, momentum=0.5"]),
    "Momentum": ({"learning_rate": 0.1, "momentum": 0.9}, ["use_nesterov=True", "weight_decay=0.01", "momentum=0.5, weight_decay=0.1, use_nesterov=True"]),
    "Adam": ({}, ["learning_rate=0.01, beta1=0.8, beta2=0.95, eps=1e-4", "use_nesterov=True", "weight_decay=0.01", "use_amsgrad=True, learning_rate=0.01", "use_lazy=True", "use_offload=True"]),
    "AdamWeightDecay": ({}, ["weight_decay=0.01", "learning_rate=0.01, beta1=0.8, beta2=0.95, eps=1e-4, weight_decay=0.1"]),
    "AdamOffload": ({}, ["use_nesterov=True, weight_decay=0.01"]),
    "LazyAdam": ({}, ["learning_rate=0.01, beta1=0.8, beta2=0.95, eps=1e-4", "use_nesterov=True, weight_decay=0.01"]),
    "Lamb": ({"learning_rate": 0.01}, ["beta1=0.8, beta2=0.95, eps=1e-4, weight_decay=0.1", "weight_decay=0.01"]),
    "Adagrad": ({}, ["accum=0.5, learning_rate=0.1", "update_slots=False", "weight_decay=0.01, learning_rate=0.1"]),
    "Adadelta": ({}, ["learning_rate=0.5, rho=0.8, epsilon=1e-4", "weight_decay=0.01"]),
    "AdaMax": ({}, ["learning_rate=0.01, beta1=0.8, beta2=0.95, eps=1e-4", "weight_decay=0.01"]),
    "AdaFactor": ({}, ["learning_rate=0.01, relative_step=False, scale_parameter=False", "beta1=0.0", "learning_rate=0.01, relative_step=False, weight_decay=0.1", "compression=True", "warmup_init=True", "clip_threshold=0.5, decay_rate=0.6, eps=(1e-20, 1e-2)"]),
    "ASGD": ({}, ["learning_rate=0.05, lambd=0.01, alpha=0.5, t0=10.0", "weight_decay=0.01"]),
    "FTRL": ({}, ["l1=0.1, l2=0.2", "initial_accum=0.5, learning_rate=0.1, lr_power=-0.3", "weight_decay=0.01, learning_rate=0.1"]),
    "ProximalAdagrad": ({}, ["accum=0.5, learning_rate=0.1, l1=0.01, l2=0.02", "weight_decay=0.01"]),
    "RMSProp": ({}, ["learning_rate=0.01, decay=0.8, momentum=0.5, epsilon=1e-4", "centered=True, learning_rate=0.01", "centered=True, momentum=0.9, weight_decay=0.01, learning_rate=0.01"]),
    "Rprop": ({}, ["learning_rate=0.01, etas=(0.4, 1.3), step_sizes=(1e-4, 1.0)", "weight_decay=0.01"]),
}  # fmt: skip
SCALED = "SGD Momentum Adam LazyAdam AdamOffload Adagrad Adadelta AdaMax AdaFactor FTRL ProximalAdagrad RMSProp".split()
MAIN = "SGD Momentum Adam AdamWeightDecay RMSProp Lamb".split()
LEARNING_RATES = {
    "list": lambda ms: [0.1 / (i + 1) for i in range(50)],
    "short list": lambda ms: [0.1, 0.05, 0.025],
    "iterator": lambda ms: iter([0.1 / (i + 1) for i in range(50)]),
    "tensor": lambda ms: ms.Tensor(np.linspace(0.1, 0.01, 50).astype(np.float32)),
    "zero_d tensor": lambda ms: ms.Tensor(np.float32(0.05)),
    "ExponentialDecayLR": lambda ms: ms.nn.ExponentialDecayLR(0.1, 0.9, 4),
    "CosineDecayLR": lambda ms: ms.nn.CosineDecayLR(0.001, 0.1, 30),
    "WarmUpLR": lambda ms: ms.nn.WarmUpLR(0.1, 10),
    "PolynomialDecayLR": lambda ms: ms.nn.PolynomialDecayLR(0.1, 0.001, 20, 0.5),
}

WRONG = {  # cases where genuine ignores an argument on CPU, without a word: a test compares with the formula instead
    "Momentum(use_nesterov=True)": "the same numbers as without",
    "Momentum(momentum=0.5, weight_decay=0.1, use_nesterov=True)": "as above",
    "Adagrad(update_slots=False)": "the same numbers as with True",
    "AdamWeightDecay wide, centralized": "gradients are not centralized; the other optimizers centralize where dimension 1 is a multiple of 16 only",
}


def built(name, needed, text=""):
    """`make` of an optimizer class with the arguments in `text` over the needed ones."""
    more = eval(f"dict({text})")  # noqa: S307
    return lambda ms, net: getattr(ms.nn, name)(net.trainable_params(), **(needed | more))


def with_lr(name, make_lr):
    return lambda ms, net: getattr(ms.nn, name)(net.trainable_params(), **(VARIANTS[name][0] | {"learning_rate": make_lr(ms)}))


def grouped(name, **spec):
    """`make` of an optimizer with two groups; callables in `spec` get `ms`."""

    def make(ms, net):
        entries = {k: v(ms) if callable(v) else v for k, v in spec.items()}
        return getattr(ms.nn, name)(groups(net, **entries), **VARIANTS[name][0])

    return make


def lars(**kwargs):
    return lambda ms, net: ms.nn.LARS(ms.nn.Momentum(net.trainable_params(), 0.1, 0.9, weight_decay=kwargs.pop("decay", 0.0)), **kwargs)


CASES = {}
for _name, (_needed, _variants) in VARIANTS.items():
    CASES[f"{_name}()"] = trajectory(built(_name, _needed))
    for _text in _variants:
        CASES[f"{_name}({_text})"] = trajectory(built(_name, _needed, _text))
    CASES[f"{_name} groups"] = trajectory(grouped(_name, lr=0.02, decay=0.05))
for _name in SCALED:
    CASES[f"{_name}(loss_scale=128.0)"] = trajectory(built(_name, VARIANTS[_name][0], "loss_scale=128.0"), scale=128.0)
for _name in MAIN:
    for _kind, _make in LEARNING_RATES.items():
        if _name in ("Adam", "Momentum") or _kind in ("list", "WarmUpLR"):
            CASES[f"{_name} learning rate: {_kind}"] = trajectory(with_lr(_name, _make))
    CASES[f"{_name} groups, order_params"] = trajectory(grouped(_name, lr=0.02, decay=0.05, order=True))
    CASES[f"{_name} groups, centralized"] = trajectory(grouped(_name, centralize=True))
    CASES[f"{_name} groups, list"] = trajectory(grouped(_name, lr=lambda ms: [0.1 / (i + 1) for i in range(50)], other_lr=lambda ms: [0.05] * 50))
    CASES[f"{_name} groups, schedule"] = trajectory(grouped(_name, lr=lambda ms: ms.nn.ExponentialDecayLR(0.1, 0.9, 4), decay=0.01))
    CASES[f"{_name} groups, everything"] = trajectory(
        grouped(_name, lr=lambda ms: ms.nn.CosineDecayLR(0.0, 0.1, 20), decay=decay_cell, centralize=True, order=True, other_lr=0.03)
    )
    CASES[f"{_name} dynamic weight decay"] = trajectory(
        lambda ms, net, name=_name: getattr(ms.nn, name)(net.trainable_params(), **(VARIANTS[name][0] | {"weight_decay": decay_cell(ms)}))
    )
for _name in ("SGD", "Adam", "AdamWeightDecay"):
    CASES[f"{_name} wide, centralized"] = trajectory(grouped(_name, centralize=True, decay=0.01), build=wide_net)
CASES |= {
    "LARS(Momentum)": trajectory(lars()),
    "LARS(Momentum, decay)": trajectory(lars(decay=0.01)),
    "LARS(Momentum, epsilon, coefficient)": trajectory(lars(epsilon=1e-3, coefficient=0.02, decay=0.01)),
    "LARS(Momentum, use_clip)": trajectory(lars(use_clip=True, decay=0.01)),
    "LARS(Momentum, filter)": trajectory(lars(lars_filter=decays, decay=0.01)),
    "AdaSumByGradWrapCell": trajectory(lambda ms, net: ms.nn.AdaSumByGradWrapCell(ms.nn.Momentum(net.trainable_params(), 0.1, 0.9))),
    "AdaSumByDeltaWeightWrapCell": trajectory(lambda ms, net: ms.nn.AdaSumByDeltaWeightWrapCell(ms.nn.Momentum(net.trainable_params(), 0.1, 0.9))),
}

BAD = {
    "negative lr": ("Adam", "learning_rate=-0.1"), "lr of text": ("Adam", "learning_rate='a'"), "lr None": ("Adam", "learning_rate=None"), "lr int": ("Adam", "learning_rate=1"),
    "lr bool": ("Adam", "learning_rate=True"), "lr empty list": ("Adam", "learning_rate=[]"), "lr list of text": ("Adam", "learning_rate=['a']"), "lr nan": ("Adam", "learning_rate=float('nan')"),
    "lr list negative": ("Adam", "learning_rate=[0.1, -0.1]"), "lr 2-d": ("Adam", "learning_rate=np.ones((2, 2), np.float32)"), "beta1 2": ("Adam", "beta1=2.0"), "beta2 -1": ("Adam", "beta2=-1.0"),
    "beta1 int": ("Adam", "beta1=0"), "eps 0": ("Adam", "eps=0.0"), "eps text": ("Adam", "eps='a'"), "negative decay": ("Adam", "weight_decay=-0.1"), "decay text": ("Adam", "weight_decay='a'"),
    "decay int": ("Adam", "weight_decay=1"), "loss_scale 0": ("Adam", "loss_scale=0.0"), "loss_scale -1": ("Adam", "loss_scale=-1.0"), "use_nesterov text": ("Adam", "use_nesterov='a'"),
    "lazy and offload": ("Adam", "use_lazy=True, use_offload=True"), "unknown keyword": ("Adam", "typo=1"), "momentum -1": ("Momentum", "momentum=-1.0"), "momentum text": ("Momentum", "momentum='a'"),
    "momentum int": ("Momentum", "momentum=1"), "SGD nesterov without momentum": ("SGD", "nesterov=True"), "SGD nesterov dampening": ("SGD", "nesterov=True, momentum=0.9, dampening=0.1"),
    "SGD momentum -1": ("SGD", "momentum=-1.0"), "SGD dampening -1": ("SGD", "dampening=-1.0"), "RMSProp decay -1": ("RMSProp", "decay=-1.0"), "RMSProp decay int": ("RMSProp", "decay=1"),
    "RMSProp epsilon 0": ("RMSProp", "epsilon=0.0"), "FTRL lr_power 1": ("FTRL", "lr_power=1.0"), "FTRL l1 -1": ("FTRL", "l1=-1.0"), "Rprop etas": ("Rprop", "etas=(1.5, 0.5)"),
    "Rprop step_sizes": ("Rprop", "step_sizes=(1.0, 0.5)"), "Adagrad accum -1": ("Adagrad", "accum=-1.0"), "AdaFactor lr and relative_step": ("AdaFactor", "learning_rate=0.1"),
    "AdaFactor no lr": ("AdaFactor", "relative_step=False"), "Adadelta rho 2": ("Adadelta", "rho=2.0"), "ASGD t0 0": ("ASGD", "t0=0.0"), "Lamb beta1 1": ("Lamb", "beta1=1.0"),
}  # fmt: skip
BAD_PARAMS = {
    "empty": lambda ms, net: [], "text": lambda ms, net: ["a"], "tensor": lambda ms, net: [ms.Tensor(np.ones(2, np.float32))], "None": lambda ms, net: None,
    "one parameter": lambda ms, net: net.trainable_params()[0], "generator": lambda ms, net: (p for p in net.trainable_params()), "tuple": lambda ms, net: tuple(net.trainable_params()),
    "ParameterTuple": lambda ms, net: ms.ParameterTuple(net.trainable_params()), "twice": lambda ms, net: net.trainable_params() * 2, "unknown key": lambda ms, net: [{"params": net.trainable_params(), "typo": 1}],
    "no params": lambda ms, net: [{"lr": 0.1}], "empty group": lambda ms, net: [{"params": []}], "in two groups": lambda ms, net: [{"params": net.trainable_params()}, {"params": net.trainable_params()[:1]}],
    "mixed": lambda ms, net: [net.trainable_params()[0], {"params": net.trainable_params()[1:]}], "bad order": lambda ms, net: [{"params": net.trainable_params()}, {"order_params": net.trainable_params()[:2]}],
    "centralization text": lambda ms, net: [{"params": net.trainable_params(), "grad_centralization": "a"}],
    "frozen": lambda ms, net: [frozen(p) for p in net.trainable_params()],
}  # fmt: skip


def frozen(p):
    p.requires_grad = False
    return p


def bad_argument(name, text):
    def case(ms):
        getattr(ms.nn, name)(small_net(ms).trainable_params(), **(VARIANTS[name][0] | eval(f"dict({text})", {"np": np})))  # noqa: S307
        return "accepted"

    return case


def bad_params(make):
    def case(ms):
        ms.nn.Momentum(make(ms, small_net(ms)), 0.1, 0.9)
        return "accepted"

    return case


def bad_gradients(make):
    def case(ms):
        net = small_net(ms)
        optimizer = ms.nn.Momentum(net.trainable_params(), 0.1, 0.9)
        optimizer(make(ms, [ms.Tensor(g) for g in gradients(net, 1).values()]))
        return flat(net.get_parameters())

    return case


CASES |= {f"bad argument: {k}": bad_argument(*v) for k, v in BAD.items()}
CASES |= {f"params: {k}": bad_params(v) for k, v in BAD_PARAMS.items()}
CASES |= {
    "gradients: list": bad_gradients(lambda ms, g: g),
    "gradients: too few": bad_gradients(lambda ms, g: tuple(g[:3])),
    "gradients: wrong shape": bad_gradients(lambda ms, g: (g[1], *g[1:])),
    "gradients: float16": bad_gradients(lambda ms, g: tuple(x.astype(ms.float16) for x in g)),
    "gradients: float64": bad_gradients(lambda ms, g: tuple(x.astype(ms.float64) for x in g)),
}


def inspection(ms):
    """What an optimizer with groups says about itself."""
    net = small_net(ms)
    schedule = ms.nn.ExponentialDecayLR(0.1, 0.9, 4)
    optimizer = ms.nn.Adam(groups(net, lr=schedule, decay=0.01, other_lr=0.03), learning_rate=0.5)
    params = net.trainable_params()
    return {
        "group lr": optimizer.is_group, "is_group_lr": optimizer.is_group_lr, "dynamic_lr": optimizer.dynamic_lr,
        "lr of weight": type(optimizer.get_lr_parameter(params[0])).__name__, "global_step": optimizer.global_step.asnumpy(),
        "lr": optimizer.get_lr(), "weight_decay": optimizer.get_weight_decay(), "decay_flags": tuple(optimizer.decay_flags),
    }  # fmt: skip


def after_one_step(ms):
    net = small_net(ms)
    optimizer = ms.nn.Momentum(net.trainable_params(), [0.1, 0.2, 0.3], 0.9)
    result = optimizer(tuple(ms.Tensor(g) for g in gradients(net, 1).values()))
    return {"result": result, "global_step": optimizer.global_step.asnumpy(), "lr": optimizer.get_lr(), "unique": optimizer.unique}


CASES |= {"inspection": inspection, "after one step": after_one_step}
