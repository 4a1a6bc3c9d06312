"""Two tasks on one network: which digit an image shows (every step), and how much ink it has (every fourth step).

    sporax run examples/multitask.py
"""

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn, ops
from sklearn.datasets import load_digits

from sporax.steps import GlobalNorm, Task, Tasks, TrainStep


class Network(nn.Cell):
    def __init__(self):
        super().__init__()
        self.shared = nn.SequentialCell(nn.Dense(64, 64), nn.ReLU())
        self.digit, self.ink = nn.Dense(64, 10), nn.Dense(64, 1)

    def construct(self, x):
        h = self.shared(x)
        return ops.concat((self.digit(h), self.ink(h)), 1)


def main(epochs=10, batch=64):
    ms.set_seed(1)
    digits = load_digits()
    x = digits.data.astype(np.float32) / 16
    y = np.stack([digits.target, x.mean(1)], 1).astype(np.float32)
    order = np.random.default_rng(0).permutation(len(x))
    train, test = order[:1500], order[1500:]

    cross_entropy = nn.CrossEntropyLoss()
    tasks = Tasks(
        {
            "digit": Task(lambda out, y: cross_entropy(out[:, :10], y[:, 0].astype(ms.int32))),
            "ink": Task(lambda out, y: ((out[:, 10] - y[:, 1]) ** 2).mean(), weight=10.0, every=4),
        }
    )
    net = Network()
    step = TrainStep(net, tasks, nn.Adam(net.trainable_params(), 0.003), clip=GlobalNorm(5.0))
    rng = np.random.default_rng(2)
    for epoch in range(epochs):
        for rows in np.array_split(rng.permutation(train), len(train) // batch):
            out = step(Tensor(x[rows]), Tensor(y[rows]))
        losses = ", ".join(f"{name} {loss.item():.4f}" for name, loss in out.aux["losses"].items())
        print(f"epoch {epoch + 1:2d}: {losses}, gradient norm {out.grad_norm.item():.3f}", flush=True)
    net.set_train(False)
    out = net(Tensor(x[test])).asnumpy()
    accuracy = (out[:, :10].argmax(1) == y[test, 0]).mean()
    error = np.abs(out[:, 10] - y[test, 1]).mean()
    print(f"test: {accuracy:.1%} of digits, ink within {error:.4f}")
    return accuracy, error


if __name__ == "__main__":
    main()
