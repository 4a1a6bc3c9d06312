"""The networks that the benchmarks train, written for MindSpore's API: `ms` is sporax or genuine MindSpore.

Each program returns `(step, arguments)`: a `TrainOneStepCell` (forward, gradient, update) and its inputs. Weights and data come from NumPy seeds,
so that every framework does the same arithmetic.
"""

import numpy as np


def _random(seed):
    return np.random.default_rng(seed)


def weights(name):
    """Initial weights of a program, as {parameter name: array}."""
    g = _random(0)
    if name == "minimal":
        return {"dense.weight": np.array([[-0.01]], "f"), "dense.bias": np.zeros(1, "f")}
    if name == "deep":
        found = {f"{i}.weight": g.normal(0, 0.25, (16, 16)).astype("f") for i in range(50)}
        return found | {f"{i}.bias": np.zeros(16, "f") for i in range(50)}
    shapes = {"conv1": (6, 1, 5, 5), "conv2": (16, 6, 5, 5), "fc1": (120, 400), "fc2": (84, 120), "fc3": (10, 84)}
    found = {}
    for layer, shape in shapes.items():
        found[f"{layer}.weight"] = (g.normal(size=shape) / np.sqrt(np.prod(shape[1:]))).astype("f")
        if layer.startswith("fc"):
            found[f"{layer}.bias"] = np.zeros(shape[0], "f")
    return found


def data(name, batch=None):
    """Inputs and labels of a program."""
    g = _random(1)
    if name == "minimal":
        x = g.random((batch or 100, 1)).astype("f")
        return x, (2 * x).astype("f")
    if name == "deep":
        return g.normal(size=(batch or 1, 16)).astype("f"), g.normal(size=(batch or 1, 16)).astype("f")
    return g.normal(size=(batch or 64, 1, 32, 32)).astype("f"), (np.arange(batch or 64) % 10).astype(np.int32)


def network(name, ms):
    """The network of a program, with its weights."""
    nn, ops, Tensor = ms.nn, ms.ops, ms.Tensor
    given = weights(name)

    def dense(layer):
        w = given[f"{layer}.weight"]
        return nn.Dense(w.shape[1], w.shape[0], weight_init=Tensor(w), bias_init=Tensor(given[f"{layer}.bias"]))

    class Minimal(nn.Cell):
        def __init__(self):
            super().__init__()
            self.dense = dense("dense")

        def construct(self, x):
            return self.dense(x)

    class Deep(nn.Cell):
        def __init__(self):
            super().__init__()
            self.layers = nn.CellList([dense(str(i)) for i in range(50)])

        def construct(self, x):
            for layer in self.layers:
                x = ops.tanh(layer(x))
            return x

    class LeNet(nn.Cell):
        def __init__(self):
            super().__init__()
            self.conv1 = nn.Conv2d(1, 6, 5, pad_mode="valid", weight_init=Tensor(given["conv1.weight"]))
            self.conv2 = nn.Conv2d(6, 16, 5, pad_mode="valid", weight_init=Tensor(given["conv2.weight"]))
            self.pool = nn.MaxPool2d(2, 2)
            self.flatten = nn.Flatten()
            self.fc1, self.fc2, self.fc3 = dense("fc1"), dense("fc2"), dense("fc3")

        def construct(self, x):
            x = self.pool(ops.relu(self.conv1(x)))
            x = self.flatten(self.pool(ops.relu(self.conv2(x))))
            return self.fc3(ops.relu(self.fc2(ops.relu(self.fc1(x)))))

    return {"minimal": Minimal, "deep": Deep, "lenet": LeNet}[name]()


def program(name, ms, batch=None, looked_at=False):
    """A training step and its arguments.

    Args:
        name: "minimal" (one 1x1 dense layer, batch 100), "deep" (50 dense layers of 16, 100 parameters) or "lenet" (LeNet-5, batch 64). The
            optimizer is Momentum.
        ms: the framework.
        batch: size of the batch, where it is not the usual one.
        looked_at: a step of one's own that looks at the loss before it updates, as programs in PyNative may.
    """
    nn = ms.nn
    net = network(name, ms)
    net.set_train()
    loss = nn.CrossEntropyLoss() if name == "lenet" else nn.MSELoss()
    parameters = net.trainable_params()
    optimizer = nn.Momentum(parameters, 0.01, 0.9)
    arguments = tuple(map(ms.Tensor, data(name, batch)))
    if not looked_at:
        step = nn.TrainOneStepCell(nn.WithLossCell(net, loss), optimizer)
        step.set_train()
        return step, arguments
    grad_fn = ms.value_and_grad(lambda x, y: loss(net(x), y), None, parameters)

    def step(x, y):
        value, grads = grad_fn(x, y)
        if value > 1e9:
            raise ValueError("diverged")
        optimizer(grads)
        return value

    return step, arguments
