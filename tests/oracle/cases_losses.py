"""Losses: the classes of mindspore.nn, and the functions of mindspore.ops and mindspore.mint.nn.functional.

Genuine gives labels and targets of SoftmaxCrossEntropyWithLogits and KLDivLoss a gradient of zero: these two take them as constants.
A case returns {"out": the loss, "grads": its gradients with respect to the floating inputs} (of the sum, where the loss is no scalar).
"""

import numpy as np

from tests.oracle.fixtures import normal
from tests.oracle.recording import attempt


def probabilities(seed, *shape):
    return 1 / (1 + np.exp(-normal(seed, *shape)))


def signs(seed, *shape):
    return np.where(normal(seed, *shape) > 0, np.float32(1), np.float32(-1))


def simplex(seed, *shape):
    e = np.exp(normal(seed, *shape))
    return (e / e.sum(-1, keepdims=True)).astype(np.float32)


CLASSES = np.array([1, 0, 3, 2], np.int32)
INPUTS = {  # a letter stands for an array
    "x": normal(1, 4, 5), "y": normal(2, 4, 5), "z": normal(3, 4, 5), "p": probabilities(4, 4, 5), "q": probabilities(5, 4, 5), "b": (normal(6, 4, 5) > 0).astype(np.float32),
    "s": signs(7, 4), "S": signs(8, 4, 5), "c": CLASSES, "C": CLASSES.astype(np.int64), "i": np.array([1, -100, 3, 2], np.int32), "h": np.eye(5, dtype=np.float32)[CLASSES],
    "l": np.log(simplex(9, 4, 5)), "m": simplex(10, 4, 5), "v": np.abs(normal(11, 4, 5)) + 0.1, "X": normal(12, 2, 3, 2, 2), "T": np.array([[[0, 1], [2, 1]], [[1, 1], [0, 2]]], np.int32),
    "n": np.array([[1, 2, -1, 0, 3], [0, -1, 1, 2, 3], [4, 3, 2, 1, 0], [-1, 0, 1, 2, 3]], np.int32), "a": normal(13, 4), "d": normal(14, 4), "e": normal(15, 3, 4, 5), "f": normal(16, 3, 4, 5),
    "k": np.abs(np.round(normal(17, 4, 5) * 2)), "o": np.array([1, 9, 3, 2], np.int32), "M": simplex(18, 2, 3, 2, 2), "u": normal(19, 5), "L": np.log(simplex(20, 6, 2, 5)),
}  # fmt: skip
FLOATING = {k for k, v in INPUTS.items() if v.dtype.kind == "f"}
W5, P5, W3 = (
    "ms.Tensor(np.array([1, 2, 0.5, 3, 1], np.float32))",
    "ms.Tensor(np.array([2, 1, 0.5, 3, 1], np.float32))",
    "ms.Tensor(np.array([1, 2, 0.5], np.float32))",
)
W45 = "ms.Tensor(np.linspace(0.5, 2, 20).reshape(4, 5).astype(np.float32))"  # BCELoss reads beyond the end of a weight that must be broadcast: its numbers change from run to run
REDUCTIONS = ["reduction='mean'", "reduction='sum'", "reduction='none'"]

# class: ([constructor arguments], [inputs]); "R" stands for every reduction
NN = {
    "L1Loss": (["", "R"], ["xy"]), "MSELoss": (["", "R"], ["xy", "ef"]), "SmoothL1Loss": (["", "R", "beta=0.5", "beta=2.0, reduction='mean'"], ["xy"]), "HuberLoss": (["", "R", "delta=0.5"], ["xy"]),
    "MAELoss": (["", "R"], ["xy"]), "RMSELoss": ([""], ["xy"]), "SoftmaxCrossEntropyWithLogits": (["", "R"], ["xh", "xm"]),
    "SoftmaxCrossEntropyWithLogits ": (["sparse=True", "sparse=True, R"], ["xc"]),
    "CrossEntropyLoss": (["", "R", f"weight={W5}", f"weight={W5}, R", "ignore_index=2", "label_smoothing=0.1", "label_smoothing=0.1, R", f"weight={W5}, label_smoothing=0.2", "ignore_index=3, label_smoothing=0.1, reduction='sum'"], ["xc", "xi"]),
    "CrossEntropyLoss ": (["", "R", f"weight={W5}", "label_smoothing=0.1"], ["xm", "xh"]), "CrossEntropyLoss  ": (["", "R", f"weight={W3}", "ignore_index=1"], ["XT", "XM"]),
    "CrossEntropyLoss   ": ([""], ["uC"]), "NLLLoss": (["", "R", f"weight={W5}", f"weight={W5}, R", "ignore_index=2"], ["lc", "li"]), "BCELoss": (["", "R", f"weight={W45}", f"weight={W45}, reduction='none'"], ["pb", "pq"]),
    "BCEWithLogitsLoss": (["", "R", f"weight={W5}", f"pos_weight={P5}", f"weight={W5}, pos_weight={P5}, reduction='sum'"], ["xb", "xq"]), "KLDivLoss": (["", "R", "reduction='batchmean'"], ["lm"]),
    "CosineEmbeddingLoss": (["", "R", "margin=0.3"], ["xys"]), "MarginRankingLoss": (["", "R", "margin=0.5"], ["ads"]), "HingeEmbeddingLoss": (["", "R", "margin=0.5"], ["xS"]),
    "SoftMarginLoss": (["", "R"], ["xS"]), "TripletMarginLoss": (["", "R", "p=1", "swap=True", "margin=0.5, eps=1e-3"], ["xyz"]), "TripletMarginWithDistanceLoss": (["", "R", "swap=True", "margin=0.5"], ["xyz"]),
    "PoissonNLLLoss": (["", "R", "log_input=False", "full=True"], ["vk"]), "GaussianNLLLoss": (["", "R", "full=True", "eps=0.5"], ["xyv"]), "MultiMarginLoss": (["", "R", "p=2", "margin=0.5", f"weight={W5}"], ["xC"]),
    "MultilabelMarginLoss": (["", "R"], ["xn"]), "MultiLabelSoftMarginLoss": (["", "R", f"weight={W5}"], ["xb"]), "DiceLoss": (["", "smooth=0.5"], ["pb"]),
    "MultiClassDiceLoss": (["", "weights=None, ignore_indiex=0, activation='softmax'", "activation='sigmoid'"], ["xh"]), "FocalLoss": (["", "gamma=1.0", "R"], ["xh"]),
    "FocalLoss ": (["", f"weight={W3}, gamma=3.0"], ["XF"]), "CrossEntropyLoss    ": ([""], ["xo"]), "MSELoss ": ([""], ["xa", "xu"]),
}  # fmt: skip
INPUTS["F"] = INPUTS["T"][:, None]  # class map with one channel
OPS = {
    "l1_loss": (["", "R"], ["xy"]), "mse_loss": (["", "R"], ["xy"]), "smooth_l1_loss": (["", "R", "beta=0.5"], ["xy"]), "huber_loss": (["", "R", "delta=0.5"], ["xy"]),
    "cross_entropy": (["", "R", f"weight={W5}, ignore_index=2", "label_smoothing=0.2"], ["xc", "xm"]), "nll_loss": (["", "R", f"weight={W5}", "label_smoothing=0.1", "ignore_index=1"], ["lc"]),
    "binary_cross_entropy": (["", "R"], ["pb"]), "binary_cross_entropy_with_logits": (["", "R", f"weight={W5}", f"pos_weight={P5}"], ["xb"]), "kl_div": (["", "R", "reduction='batchmean'"], ["lm"]),
    "cosine_embedding_loss": (["", "R", "margin=0.3"], ["xys"]), "margin_ranking_loss": (["", "R", "margin=0.5"], ["ads"]), "hinge_embedding_loss": (["", "R", "margin=0.5"], ["xS"]), "soft_margin_loss": (["", "R"], ["xS"]),
    "triplet_margin_loss": (["", "R", "p=1", "swap=True", "margin=0.5"], ["xyz"]), "gaussian_nll_loss": (["", "R", "full=True"], ["xyv"]), "multi_margin_loss": (["", "R", "p=2"], ["xC"]),
    "multilabel_margin_loss": (["", "R"], ["xn"]), "multilabel_soft_margin_loss": (["", "R"], ["xb"]), "cross_entropy ": ([""], ["xi", "XT", "XM", "xo"]),
}  # fmt: skip
MINT = {
    "l1_loss": (["", "R"], ["xy"]), "mse_loss": (["", "R"], ["xy"]), "smooth_l1_loss": (["", "R", "beta=0.5"], ["xy"]), "cross_entropy": (["", "R", f"weight={W5}", "label_smoothing=0.2", "ignore_index=2"], ["xC", "xm"]),
    "nll_loss": (["", "R", f"weight={W5}"], ["lC"]), "binary_cross_entropy": (["", "R"], ["pb"]), "binary_cross_entropy_with_logits": (["", "R", f"pos_weight={P5}"], ["xb"]), "kl_div": (["", "R", "log_target=True", "reduction='batchmean'"], ["lm"]),
    "cosine_embedding_loss": (["", "R"], ["xys"]), "soft_margin_loss": (["", "R"], ["xS"]),
}  # fmt: skip

WRONG = {  # the start of the names of cases where genuine fails on what it documents: a test compares with the formula instead
    "nn.HingeEmbeddingLoss(": "its check of the labels adds two bool tensors, which its own Add refuses",
    "ops.hinge_embedding_loss(": "as nn.HingeEmbeddingLoss",
}


def loss_case(make, letters, dtype):
    def case(ms):
        loss = make(ms)
        arrays = [INPUTS[k] for k in letters]
        inputs = [ms.Tensor(a.astype(dtype) if k in FLOATING else a) for k, a in zip(letters, arrays)]
        out = loss(*inputs)
        positions = tuple(i for i, k in enumerate(letters) if k in FLOATING)
        return {"out": out, "grads": attempt(lambda: ms.grad(lambda *a: loss(*a).sum(), positions)(*inputs))}

    return case


def of_class(name, args):
    return lambda ms: eval(f"ms.nn.{name.strip()}({args})", {"ms": ms, "np": np})  # noqa: S307


def of_function(where, name, args):
    def make(ms):
        f = getattr(ms.ops if where == "ops" else ms.mint.nn.functional, name.strip())
        kwargs = eval(f"dict({args})", {"ms": ms, "np": np})  # noqa: S307
        if name.strip() == "binary_cross_entropy_with_logits" and where == "ops":
            kwargs.setdefault("weight", ms.Tensor(np.ones(5, np.float32)))
            kwargs.setdefault("pos_weight", ms.Tensor(np.ones(5, np.float32)))
        return lambda *a: f(*a, **kwargs)

    return make


def expanded(arguments):
    for text in arguments:
        yield from [text.replace("R", r) for r in REDUCTIONS] if "R" in text else [text]


def _table():
    for where, table in (("nn", NN), ("ops", OPS), ("mint", MINT)):
        for name, (arguments, inputs) in table.items():
            for text in dict.fromkeys(expanded(arguments)):
                short = text.replace(W5, "W5").replace(W45, "W45").replace(P5, "P5").replace(W3, "W3")
                make = of_class(name, text) if where == "nn" else of_function(where, name, text)
                for letters in inputs:
                    for dtype in ("float32", "float16") if text in ("", "reduction='mean'", "label_smoothing=0.1") else ("float32",):
                        yield f"{where}.{name.strip()}({short}) of {letters} {dtype}", loss_case(make, letters, dtype)


CASES = dict(_table())


def ctc(reduction, blank=0, zero_infinity=False, where="nn"):
    """Connectionist temporal classification: (time 6, batch 2, 5 classes)."""

    def case(ms):
        targets = ms.Tensor(np.array([[1, 2, 2], [3, 4, 0]], np.int32))
        lengths = ms.Tensor(np.array([6, 5], np.int32)), ms.Tensor(np.array([3, 2], np.int32))
        if where == "nn":
            f = ms.nn.CTCLoss(blank=blank, reduction=reduction, zero_infinity=zero_infinity)
            loss = lambda x: f(x, targets, *lengths)
        else:
            loss = lambda x: ms.ops.ctc_loss(x, targets, *lengths, blank, reduction, zero_infinity)[0]
        x = ms.Tensor(INPUTS["L"])
        return {"out": loss(x), "grads": attempt(lambda: ms.grad(lambda a: loss(a).sum())(x))}

    return case


def custom_loss(ms):
    """A loss by subclassing LossBase and using its weights."""

    class Weighted(ms.nn.LossBase):
        def construct(self, x, y, weights):
            return self.get_loss((x - y) ** 2, weights)

    out = []
    for reduction in ("mean", "sum", "none"):
        loss = Weighted(reduction)
        out.append(loss(ms.Tensor(INPUTS["x"]), ms.Tensor(INPUTS["y"]), ms.Tensor(INPUTS["v"])))
        out.append(loss(ms.Tensor(INPUTS["x"]), ms.Tensor(INPUTS["y"]), 2.0))
    return out


def raised(name, args, letters="xy"):
    return lambda ms: {"out": of_class(name, args)(ms)(*(ms.Tensor(INPUTS[k]) for k in letters))}


CASES |= {f"nn.CTCLoss reduction={r}": ctc(r) for r in ("mean", "sum", "none")}
CASES |= {
    "nn.CTCLoss zero_infinity": ctc("mean", zero_infinity=True),
    "nn.CTCLoss blank=4": ctc("sum", blank=4),
    "ops.ctc_loss": ctc("mean", where="ops"),
    "custom LossBase": custom_loss,
}
CASES |= {
    "bad reduction": raised("MSELoss", "reduction='average'"),
    "bad reduction None": raised("L1Loss", "reduction=None"),
    "bad reduction upper case": raised("MSELoss", "reduction='MEAN'"),
    "bad beta": raised("SmoothL1Loss", "beta=0.0"),
    "bad delta": raised("HuberLoss", "delta=-1.0"),
    "bad shapes": raised("MSELoss", "", "xX"),
    "bad label smoothing": raised("CrossEntropyLoss", "label_smoothing=2.0", "xc"),
    "bad ignore index": raised("CrossEntropyLoss", "ignore_index='a'", "xc"),
    "bad label dtype": raised("SoftmaxCrossEntropyWithLogits", "sparse=True", "xa"),
    "float label of cross entropy": raised("CrossEntropyLoss", "", "xa"),
    "int64 label": raised("SoftmaxCrossEntropyWithLogits", "sparse=True, reduction='mean'", "xC"),
    "label out of range": raised("SoftmaxCrossEntropyWithLogits", "sparse=True, reduction='mean'", "xo"),
    "int input": raised("MSELoss", "", "cc"),
    "mixed dtypes": lambda ms: {"out": ms.nn.MSELoss()(ms.Tensor(INPUTS["x"].astype(np.float16)), ms.Tensor(INPUTS["y"]))},
    "array input": lambda ms: {"out": ms.nn.MSELoss()(INPUTS["x"], INPUTS["y"])},
    "bad weight": raised("BCELoss", "weight=1.0", "pb"),
    "probability out of range": lambda ms: {"out": ms.nn.BCELoss()(ms.Tensor(INPUTS["x"] * 3), ms.Tensor(INPUTS["b"]))},
}
