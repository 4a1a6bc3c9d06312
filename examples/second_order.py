"""The same small classifier trained by first and second-order methods, and a look at the curvature where they end.

K-FAC, Newton's method by conjugate gradients, SophiaG and sharpness-aware minimisation, beside momentum. The data are scikit-learn's digits.

    sporax run --mode graph examples/second_order.py
"""

import argparse
import time

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn, ops

from sporax.steps import KFAC, NewtonCG, SophiaG, hvp, noise_scale, sam_value_and_grad

BATCH_SIZE = 250


class Net(nn.Cell):
    """Images (n, 64) to logits (n, 10)."""

    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Dense(64, 32), nn.Dense(32, 10)

    def construct(self, x):
        return self.second(ops.tanh(self.first(x)))


def gradient_step(optimizer, grad_fn):
    """A compiled step of an optimizer that takes gradients."""

    @ms.jit
    def step(x, y):
        loss, grads = grad_fn(x, y)
        optimizer(grads)
        return loss

    return step


def steps_of(name, net, loss_fn):
    """`step(x, y)` of a method by name."""
    weights = net.trainable_params()

    def loss(x, y):
        return loss_fn(net(x), y)

    if name == "K-FAC":
        return KFAC(net, loss_fn, learning_rate=0.1, momentum=0.9, damping=0.01)
    if name == "Newton-CG":
        return NewtonCG(weights, loss_fn, net, damping=0.1, maxiter=10)
    if name == "SAM":
        return gradient_step(nn.Momentum(weights, 0.1, 0.9), sam_value_and_grad(loss, weights, rho=0.05))
    if name == "momentum":
        return gradient_step(nn.Momentum(weights, 0.1, 0.9), ms.value_and_grad(loss, None, weights))
    optimizer = SophiaG(weights, 0.01, gamma=0.05)
    plain = gradient_step(optimizer, ms.value_and_grad(loss, None, weights))
    count = 0

    def step(x, y):
        nonlocal count
        if count % 10 == 0:
            optimizer.update_hessian(net, x)
        count += 1
        return plain(x, y)

    return step


def sharpness(net, loss_fn, x, y, iterations=20):
    """The largest eigenvalue of the Hessian, by power iteration on products with it."""
    weights = net.trainable_params()

    def loss(x, y):
        return loss_fn(net(x), y)

    rng = np.random.RandomState(0)
    v, size = [Tensor(rng.standard_normal(p.shape).astype(np.float32)) for p in weights], 0.0
    for _ in range(iterations):
        v = hvp(loss, (x, y), tuple(v), weights)
        size = float(np.sqrt(sum((t.asnumpy().astype(np.float64) ** 2).sum() for t in v)))
        v = [t / size for t in v]
    return size


def main():
    parser = argparse.ArgumentParser(description="Compare first and second-order methods.")
    parser.add_argument("--epochs", type=int, default=10, help="passes over the data (default: 10)")
    parser.add_argument("--seed", type=int, default=1, help="seed of weights and order (default: 1)")
    args = parser.parse_args()
    from sklearn.datasets import load_digits

    digits = load_digits()
    order = np.random.RandomState(args.seed).permutation(len(digits.target))
    images, labels = (digits.data[order] / 16).astype(np.float32), digits.target[order].astype(np.int32)
    train, test = slice(0, 1500), slice(1500, None)
    loss_fn = nn.CrossEntropyLoss()
    ms.set_seed(args.seed)
    net = Net()
    noise = noise_scale(lambda x, y: loss_fn(net(x), y), net.trainable_params())(Tensor(images[train]), Tensor(labels[train]))
    print(f"Gradient noise scale at the start: {float(noise.simple.asnumpy()):.0f} images")
    print(f"{'method':>10}  {'training loss':>13}  {'test accuracy':>13}  {'sharpness':>9}  {'seconds':>7}")
    for name in ("momentum", "SAM", "SophiaG", "K-FAC", "Newton-CG"):
        ms.set_seed(args.seed)
        net = Net()
        step = steps_of(name, net, loss_fn)
        start = time.perf_counter()
        shuffle = np.random.RandomState(args.seed)
        for _ in range(args.epochs):
            rows = shuffle.permutation(1500)
            for i in range(0, 1500, BATCH_SIZE):
                at = rows[i : i + BATCH_SIZE]
                step(Tensor(images[at]), Tensor(labels[at]))
        seconds = time.perf_counter() - start
        x, y = Tensor(images[train]), Tensor(labels[train])
        loss = float(loss_fn(net(x), y).asnumpy())
        accuracy = 100 * float((net(Tensor(images[test])).asnumpy().argmax(1) == labels[test]).mean())
        print(f"{name:>10}  {loss:13.4f}  {accuracy:11.2f} %  {sharpness(net, loss_fn, x, y):9.2f}  {seconds:7.1f}", flush=True)


if __name__ == "__main__":
    main()
