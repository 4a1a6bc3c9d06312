"""What str(), repr(), print() and format() give, for dtypes, tensors, parameters and cells.

A case returns {"str": ..., "repr": ...} of an object, or a string.
"""

import contextlib
import io
import re

import numpy as np

DTYPES = (
    "bool bool_ int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 bfloat16 float32 float64 complex64 complex128 int_ uint float_ half single double "
    "short long byte ubyte string list_ tuple_ type_none number tensor_type"
).split()
FLOATS = {
    "zero_d": lambda: np.float32(2.5), "zero_d_whole": lambda: np.float32(3), "zero_d_small": lambda: np.float32(1e-5),
    "empty": lambda: np.zeros((0,)), "empty_2d": lambda: np.zeros((2, 0)), "empty_3d": lambda: np.zeros((0, 3, 2)),
    "whole": lambda: np.array([1.0, 2.0, 3.0]), "one": lambda: np.array([0.1]), "thirds": lambda: np.arange(6).reshape(2, 3) / 3,
    "negative": lambda: np.array([-1.5, 2.25, -3.125]), "negative_first": lambda: np.array([[-1.0, 2.0], [3.0, -4.5]]),
    "nan_inf": lambda: np.array([1.0, np.nan, np.inf, -np.inf]), "all_nan": lambda: np.array([np.nan, np.nan]),
    "mixed": lambda: np.array([1e-4, 1.0, 1e4]), "mixed_wide": lambda: np.array([1e-8, 1.0, 1e8]), "tiny": lambda: np.array([1e-30, 2e-30]),
    "huge": lambda: np.array([1e20, 3e21]), "large_whole": lambda: np.array([1e7, 2e7, 16777217.0]), "hundred_million": lambda: np.array([1e8, 1.0]),
    "minus_zero": lambda: np.array([-0.0, 0.0]), "pi": lambda: np.array([np.pi, np.e, np.sqrt(2)]), "zeros_2d": lambda: np.zeros((2, 2)),
    "ones_3d": lambda: np.ones((2, 2, 2)), "four_d": lambda: np.arange(16).reshape(2, 2, 2, 2) / 7, "single_row": lambda: np.ones((1, 4)),
    "column": lambda: np.arange(3.0).reshape(3, 1), "long_line": lambda: np.arange(40) / 3, "line_1000": lambda: np.arange(1000.0),
    "line_1001": lambda: np.arange(1001.0), "line_5000": lambda: np.arange(5000.0) / 7, "matrix_large": lambda: np.arange(40 * 30.0).reshape(40, 30),
    "matrix_wide": lambda: np.arange(2 * 600.0).reshape(2, 600), "matrix_tall": lambda: np.arange(600 * 2.0).reshape(600, 2),
    "cube_large": lambda: np.arange(12 * 12 * 12.0).reshape(12, 12, 12), "random": lambda: np.random.default_rng(0).standard_normal((3, 4)),
    "random_large": lambda: np.random.default_rng(1).standard_normal((30, 50)), "random_scaled": lambda: np.random.default_rng(2).standard_normal((3, 3)) * 1e-3,
    "random_big": lambda: np.random.default_rng(3).standard_normal((2, 5)) * 1e5,
}  # fmt: skip
INTS = {
    "zero_d": lambda: np.array(7), "empty": lambda: np.zeros((0,)), "line": lambda: np.arange(5), "negative": lambda: np.array([-1, 10, -100]),
    "matrix": lambda: np.arange(6).reshape(2, 3), "widths": lambda: np.array([[1, 100], [10, 5]]), "line_1001": lambda: np.arange(1001) % 120,
    "cube": lambda: np.arange(8).reshape(2, 2, 2), "long_line": lambda: np.arange(60) % 100,
}  # fmt: skip


def texts(value):
    return {"str": settled(str(value)), "repr": settled(repr(value))}


def settled(text):
    """`text` without what changes from run to run: object addresses (with their modules) and the numbers of unnamed parameters."""
    return re.sub(r"Parameter#\d+", "Parameter#N", re.sub(r"<[\w.]*\b(\w+) object at 0x\w+>", r"<\1 object>", text))


def tensor_case(make, dtype):
    def case(ms):
        a = np.asarray(make())
        if dtype == "bfloat16":
            return texts(ms.Tensor(a.astype(np.float32)).astype(ms.bfloat16))
        return texts(ms.Tensor(a.astype({"bool": np.bool_}.get(dtype, dtype))))

    return case


def dtype_case(name):
    return lambda ms: texts(getattr(ms, name))


def printed(make):
    """What print() writes."""

    def case(ms):
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            print(*make(ms))
        return out.getvalue()

    return case


def f32(ms, *values):
    return ms.Tensor(np.array(values, np.float32))


def parameter(ms, value, **kwargs):
    return ms.Parameter(ms.Tensor(np.asarray(value, np.float32)), **kwargs)


def formatted(spec, value, dtype="float32"):
    return lambda ms: format(ms.Tensor(np.asarray(value, dtype)), spec)


CASES = {f"dtype {d}": dtype_case(d) for d in DTYPES}
CASES |= {f"float32 {name}": tensor_case(make, "float32") for name, make in FLOATS.items()}
CASES |= {
    f"{d} {name}": tensor_case(FLOATS[name], d)
    for d in ("float16", "bfloat16", "float64")
    for name in (
        "zero_d",
        "empty",
        "whole",
        "thirds",
        "negative",
        "nan_inf",
        "mixed",
        "pi",
        "line_1001",
        "random",
        "huge" if d == "float64" else "tiny",
    )
}
CASES |= {f"{d} {name}": tensor_case(make, d) for d in ("int32", "int64") for name, make in INTS.items()}
CASES |= {
    f"{d} {name}": tensor_case(INTS[name], d)
    for d in ("int8", "int16", "uint8", "uint16", "uint32", "uint64")
    for name in ("zero_d", "line", "matrix")
}
CASES |= {
    "bool zero_d": tensor_case(lambda: np.array(True), "bool"),
    "bool line": tensor_case(lambda: np.array([True, False, True]), "bool"),
    "bool matrix": tensor_case(lambda: np.eye(3), "bool"),
    "complex64 line": tensor_case(lambda: np.array([1 + 2j, -0.5j, 3]), "complex64"),
    "complex128 zero_d": tensor_case(lambda: np.array(1.5 - 2j), "complex128"),
    "complex64 matrix": tensor_case(lambda: np.arange(4).reshape(2, 2) * (1 - 0.5j), "complex64"),
    "tensor of list": lambda ms: texts(ms.Tensor([1, 2, 3])),
    "tensor of float list": lambda ms: texts(ms.Tensor([1.0, 2.5])),
    "tensor of int": lambda ms: texts(ms.Tensor(3)),
    "tensor of float": lambda ms: texts(ms.Tensor(2.5)),
    "tensor of bool": lambda ms: texts(ms.Tensor(True)),
    "tensor of string": lambda ms: texts(ms.Tensor("a word")),
    "tensor.shape": lambda ms: texts(f32(ms, 1, 2).shape),
    "tensor.dtype": lambda ms: texts(f32(ms, 1, 2).dtype),
    "type(tensor)": lambda ms: type(f32(ms, 1)).__name__,
    "result of op": lambda ms: texts(f32(ms, 1, 2) + f32(ms, 3, 4)),
    "tuple of tensors": lambda ms: texts((f32(ms, 1), f32(ms, 2, 3))),
    "list of tensors": lambda ms: texts([f32(ms, 1), f32(ms, 2, 3)]),
    "dict of tensors": lambda ms: texts({"a": f32(ms, 1)}),
    "print tensor": printed(lambda ms: (f32(ms, 1, 2.5),)),
    "print several": printed(lambda ms: ("loss:", f32(ms, 0.25)[0], f32(ms, 1, 2), 3)),
    "print zero_d": printed(lambda ms: (ms.Tensor(np.float32(0.1)),)),
    "print shape": printed(lambda ms: (f32(ms, 1, 2).shape, f32(ms, 1).dtype)),
    "print parameter": printed(lambda ms: (parameter(ms, [1, 2], name="w"),)),
    "print tuple": printed(lambda ms: ((f32(ms, 1), 2),)),
    "f-string": lambda ms: f"loss {ms.Tensor(np.float32(0.1))} {f32(ms, 1, 2)}",
    "f-string !r": lambda ms: f"{f32(ms, 1, 2)!r}",
    "percent s": lambda ms: "%s" % ms.Tensor(np.float32(0.5)),  # noqa: UP031
    "percent f": lambda ms: "%.2f" % ms.Tensor(np.float32(0.5)),  # noqa: UP031
    "percent d": lambda ms: "%d" % ms.Tensor(np.int32(5)),  # noqa: UP031
    "str.format": lambda ms: "{:.3f}".format(ms.Tensor(np.float32(0.123456))),  # noqa: UP032
    "format .3f zero_d": formatted(".3f", 0.123456),
    "format .3f one element": formatted(".3f", [0.123456]),
    "format .3f two elements": formatted(".3f", [0.1, 0.2]),
    "format .2e": formatted(".2e", 1234.5),
    "format g": formatted("g", 0.1),
    "format 10.4f": formatted("10.4f", 3.14159),
    "format d int": formatted("d", 5, "int32"),
    "format 05d int": formatted("05d", 5, "int64"),
    "format >8 zero_d": formatted(">8", 0.5),
    "format empty": formatted("", [1, 2]),
    "format s": formatted("s", [1, 2]),
    "format .1f int": formatted(".1f", 5, "int32"),
    "float()": lambda ms: float(ms.Tensor(np.float32(0.1))),
    "int()": lambda ms: int(ms.Tensor(np.int32(4))),
    "bool()": lambda ms: bool(ms.Tensor(np.float32(0.0))),
    "round()": lambda ms: texts(round(ms.Tensor(np.float32(2.567)), 1)),
    "item()": lambda ms: texts(ms.Tensor(np.float32(0.1)).item()),
    "tolist()": lambda ms: texts(f32(ms, 0.1, 2).tolist()),
    "asnumpy()": lambda ms: texts(f32(ms, 0.1, 2).asnumpy()),
    "parameter": lambda ms: texts(parameter(ms, [[1, 2], [3, 4]], name="w")),
    "parameter no name": lambda ms: texts(parameter(ms, [1, 2])),
    "parameter frozen": lambda ms: texts(parameter(ms, [1, 2], name="w", requires_grad=False)),
    "parameter zero_d": lambda ms: texts(parameter(ms, 2.5, name="scale")),
    "parameter large": lambda ms: texts(parameter(ms, np.zeros((40, 50)), name="w")),
    "parameter of int": lambda ms: texts(ms.Parameter(3, name="n")),
    "parameter of float": lambda ms: texts(ms.Parameter(0.5, name="n")),
    "parameter of int64": lambda ms: texts(ms.Parameter(ms.Tensor(np.array([1, 2])), name="n")),
    "parameter float16": lambda ms: texts(ms.Parameter(ms.Tensor(np.array([1, 2], np.float16)), name="h")),
    "parameter of initializer": lambda ms: texts(ms.Parameter(ms.common.initializer.initializer("zeros", (2, 3), ms.float32), name="i")),
    "parameter + 1": lambda ms: texts(parameter(ms, [1, 2], name="w") + 1),
    "parameter tuple": lambda ms: texts(ms.ParameterTuple((parameter(ms, [1], name="a"), parameter(ms, [2], name="b")))),
    "parameter tuple empty": lambda ms: texts(ms.ParameterTuple(())),
}

DENSE = lambda ms: ms.nn.Dense(3, 4)


def nested(ms):
    nn = ms.nn

    class Block(nn.Cell):
        def __init__(self, channels):
            super().__init__()
            self.channels = channels
            self.conv = nn.Conv2d(channels, channels, 3)
            self.norm = nn.BatchNorm2d(channels)
            self.act = nn.ReLU()
            self.scale = parameter(ms, [1.0], name="scale")

        def construct(self, x):
            return self.act(self.norm(self.conv(x))) * self.scale

    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.stem = nn.SequentialCell(nn.Conv2d(1, 4, 3), nn.ReLU())
            self.blocks = nn.CellList([Block(4), Block(4)])
            self.head = nn.Dense(4, 2, activation="relu")
            self.flag = True

        def construct(self, x):
            return x

    return Net()


def with_extend_repr(ms):
    class Scale(ms.nn.Cell):
        def __init__(self):
            super().__init__()
            self.inner = ms.nn.ReLU()

        def extend_repr(self):
            return "factor=2, kind=plain"

        def construct(self, x):
            return x

    return Scale()


def empty_cell(ms):
    class Empty(ms.nn.Cell):
        def construct(self, x):
            return x

    return Empty()


def train_one_step(ms):
    net = DENSE(ms)
    loss = ms.nn.WithLossCell(net, ms.nn.MSELoss())
    return ms.nn.TrainOneStepCell(loss, ms.nn.Momentum(net.trainable_params(), 0.1, 0.9))


CELLS = {
    "nested": nested,
    "extend_repr": with_extend_repr,
    "empty cell": empty_cell,
    "Cell()": lambda ms: ms.nn.Cell(),
    "TrainOneStepCell": train_one_step,
    "WithLossCell": lambda ms: ms.nn.WithLossCell(DENSE(ms), ms.nn.MSELoss()),
    "WithEvalCell": lambda ms: ms.nn.WithEvalCell(DENSE(ms), ms.nn.MSELoss()),
    "ForwardValueAndGrad": lambda ms: ms.nn.ForwardValueAndGrad(DENSE(ms)),
    "SequentialCell": lambda ms: ms.nn.SequentialCell(DENSE(ms), ms.nn.ReLU(), ms.nn.Flatten()),
    "SequentialCell list": lambda ms: ms.nn.SequentialCell([DENSE(ms), ms.nn.ReLU()]),
    "SequentialCell empty": lambda ms: ms.nn.SequentialCell(),
    "CellList": lambda ms: ms.nn.CellList([DENSE(ms), ms.nn.Tanh()]),
    "CellList empty": lambda ms: ms.nn.CellList(),
    "CellDict": lambda ms: ms.nn.CellDict({"a": DENSE(ms), "b": ms.nn.Tanh()}),
}
ARGS = {
    "Dense": ["3, 4", "3, 4, has_bias=False", "3, 4, activation='relu'", "3, 4, activation='tanh', weight_init='zeros'"],
    "Conv1d": ["2, 3, 3"], "Conv2d": ["1, 6, 5", "1, 6, 5, pad_mode='valid'", "4, 8, (3, 2), stride=2, pad_mode='pad', padding=1, group=2, has_bias=True"],
    "Conv3d": ["2, 3, 3"], "Conv1dTranspose": ["2, 3, 3"], "Conv2dTranspose": ["3, 4, 3, stride=2"], "Conv3dTranspose": ["2, 3, 3"],
    "BatchNorm1d": ["4"], "BatchNorm2d": ["4", "4, affine=False", "4, momentum=0.8, use_batch_statistics=True"], "BatchNorm3d": ["4"], "SyncBatchNorm": ["4"],
    "LayerNorm": ["[4]", "(2, 3), epsilon=1e-3"], "GroupNorm": ["2, 4"], "InstanceNorm1d": ["3"], "InstanceNorm2d": ["3"],
    "Dropout": ["", "p=0.3", "0.8"], "Dropout1d": [""], "Dropout2d": ["p=0.2"], "Embedding": ["10, 4", "10, 4, padding_idx=1"], "EmbeddingLookup": ["10, 4"],
    "LSTM": ["3, 4", "3, 4, num_layers=2, bidirectional=True, dropout=0.1"], "GRU": ["3, 4"], "RNN": ["3, 4"], "LSTMCell": ["3, 4"], "GRUCell": ["3, 4"], "RNNCell": ["3, 4"],
    "ReLU": [""], "ReLU6": [""], "LeakyReLU": ["", "0.1"], "PReLU": ["", "3, 0.1"], "ELU": [""], "SeLU": [""], "CELU": [""], "GELU": ["", "False"], "FastGelu": [""],
    "SiLU": [""], "Sigmoid": [""], "LogSigmoid": [""], "Tanh": [""], "Softmax": ["", "1"], "LogSoftmax": [""], "Softmin": [""], "Softsign": [""],
    "HSwish": [""], "HSigmoid": [""], "Mish": [""], "Hardtanh": [""], "HShrink": [""],  "SoftShrink": [""], "Threshold": ["0.1, 2.0"], "Softmax2d": [""],
    "Flatten": ["", "0"], "Identity": [""], "MaxPool1d": ["2, 2"], "MaxPool2d": ["2, 2", "3, stride=2, pad_mode='same'"], "AvgPool2d": ["2, 2"], "AvgPool1d": ["2"],
    "MaxPool3d": ["2"], "AvgPool3d": ["2"], "AdaptiveAvgPool2d": ["1", "(2, None)"], "AdaptiveMaxPool2d": ["2"], "AdaptiveAvgPool1d": ["2"],
    "Pad": ["((1, 1), (2, 2))"], "ReflectionPad2d": ["1"], "ZeroPad2d": ["1"], "ConstantPad2d": ["1, 0.5"], "PixelShuffle": ["2"], "Unfold": ["[1,2,2,1],[1,1,1,1],[1,1,1,1]"],
    "Upsample": ["scale_factor=2.0"], "MultiheadAttention": ["4, 2"], "TransformerEncoderLayer": ["4, 2, 8"],
    "TransformerEncoder": ["ms.nn.TransformerEncoderLayer(4, 2, 8), 2"], "TransformerDecoderLayer": ["4, 2, 8"], "Transformer": ["4, 2, 1, 1, 8"],
    "L1Loss": [""], "MSELoss": ["", "reduction='sum'"], "SmoothL1Loss": [""], "HuberLoss": [""], "SoftmaxCrossEntropyWithLogits": ["", "sparse=True, reduction='mean'"],
    "CrossEntropyLoss": [""], "NLLLoss": [""], "BCELoss": [""], "BCEWithLogitsLoss": [""], "CTCLoss": [""], "CosineEmbeddingLoss": [""], "KLDivLoss": [""],
    "TripletMarginLoss": [""], "MarginRankingLoss": [""], "DiceLoss": [""], "FocalLoss": [""], "RMSELoss": [""], "MAELoss": [""],
    "ExponentialDecayLR": ["0.1, 0.9, 4"], "CosineDecayLR": ["0.0, 0.1, 4"], "WarmUpLR": ["0.1, 4"], "PolynomialDecayLR": ["0.1, 0.01, 4, 0.5"],
    "DynamicLossScaleUpdateCell": ["1024, 2, 100"], "FixedLossScaleUpdateCell": ["1024"], "BiDense": ["3, 4, 5"], "ChannelShuffle": ["2"],
    "Tril": [""], "Roll": ["1, 0"], "SmoothL1Loss ": ["beta=0.5"],
}  # fmt: skip
EXTRA = {"Momentum": {"learning_rate": 0.1, "momentum": 0.9}, "Lamb": {"learning_rate": 0.1}}
OPTIMIZERS = "SGD Momentum Adam AdamWeightDecay Adagrad AdaMax ASGD FTRL Lamb LazyAdam ProximalAdagrad RMSProp Rprop AdaFactor".split()


def cell_case(name, args):
    return lambda ms: texts(eval(f"ms.nn.{name.strip()}({args})", {"ms": ms}))  # noqa: S307


def optimizer_case(name):
    def case(ms):
        return texts(getattr(ms.nn, name)(DENSE(ms).trainable_params(), **EXTRA.get(name, {})))

    return case


CASES |= {f"cell {name}": (lambda ms, make=make: texts(make(ms))) for name, make in CELLS.items()}
CASES |= {f"cell {name.strip()}({args})": cell_case(name, args) for name, variants in ARGS.items() for args in variants}
CASES |= {f"optimizer {name}": optimizer_case(name) for name in OPTIMIZERS}
CASES |= {
    "lr_scheduler": lambda ms: texts(ms.nn.exponential_decay_lr(0.1, 0.9, 4, 2, 1)),
    "initializer": lambda ms: texts(ms.common.initializer.Normal()).get("str").split(" at ")[0],
    "parameters_dict": lambda ms: texts(list(nested(ms).parameters_dict())),
    "cells_and_names": lambda ms: [name for name, _ in nested(ms).cells_and_names()],
    "trainable_params": lambda ms: [str(p) for p in nested(ms).trainable_params()],
    "op Primitive": lambda ms: texts(ms.ops.ReLU()),
    "op Primitive attrs": lambda ms: texts(ms.ops.Softmax(axis=1)),
    "op ReduceSum": lambda ms: texts(ms.ops.ReduceSum(keep_dims=True)),
}
