"""Solve Burgers' equation with a network that is told nothing but the equation.

    u_t + u u_x = nu u_xx for x in [-1, 1], t in [0, 1];  u(x, 0) = -sin(pi x);  u(-1, t) = u(1, t) = 0

The derivatives of the network with respect to its inputs are part of the loss (Raissi et al., 2019). The exact solution, by the transform of Cole and
Hopf, is only used to say how large the error is. An ordinary MindSpore program:

    sporax run --mode graph examples/pinn_burgers.py
"""

import argparse
import time

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn, ops

NU = 0.1


class Net(nn.Cell):
    """(n, 2) points (x, t) to (n, 1) values; the factor in front of the layers makes initial and boundary values exact."""

    def __init__(self, width=24):
        super().__init__()
        self.layers = nn.SequentialCell(nn.Dense(2, width), nn.Tanh(), nn.Dense(width, width), nn.Tanh(), nn.Dense(width, 1))

    def construct(self, points):
        x, t = points[:, :1], points[:, 1:]
        return -ops.sin(np.pi * x) + t * (1 - x * x) * self.layers(points)


def exact(x, t):
    """u by quadrature of the transform of Cole and Hopf."""
    nodes, weights = np.polynomial.hermite.hermgauss(80)
    y = x[:, None] - 2 * np.sqrt(NU * t[:, None]) * nodes
    kernel = weights * np.exp(-np.cos(np.pi * y) / (2 * np.pi * NU))
    return -(np.sin(np.pi * y) * kernel).sum(1) / kernel.sum(1)


def residual(net, points, along_x, along_t):
    """What is left of the equation at each point."""

    def slope(p):
        return ms.jvp(net, p, along_x)[1]

    u, u_t = ms.jvp(net, points, along_t)
    u_x, u_xx = ms.jvp(slope, points, along_x)
    return u_t + u * u_x - NU * u_xx


def main():
    parser = argparse.ArgumentParser(description="Solve Burgers' equation with a network.")
    parser.add_argument("--steps", type=int, default=6000, help="training steps (default: 6000)")
    parser.add_argument("--points", type=int, default=512, help="points of the domain (default: 512)")
    parser.add_argument("--seed", type=int, default=1, help="seed of points and weights (default: 1)")
    args = parser.parse_args()

    ms.set_seed(args.seed)
    rng = np.random.RandomState(args.seed)
    points = Tensor(np.stack([rng.uniform(-1, 1, args.points), rng.uniform(0, 1, args.points)], 1).astype(np.float32))
    along_x = Tensor(np.tile(np.float32([1, 0]), (args.points, 1)))
    along_t = Tensor(np.tile(np.float32([0, 1]), (args.points, 1)))
    net = Net()
    rates = nn.cosine_decay_lr(1e-4, 5e-3, args.steps, 1, args.steps)
    optimizer = nn.Adam(net.trainable_params(), learning_rate=rates)

    def loss_fn(points, along_x, along_t):
        return (residual(net, points, along_x, along_t) ** 2).mean()

    grad_fn = ms.value_and_grad(loss_fn, None, optimizer.parameters)

    @ms.jit
    def train_step(points, along_x, along_t):
        loss, grads = grad_fn(points, along_x, along_t)
        optimizer(grads)
        return loss

    x, t = (a.reshape(-1) for a in np.meshgrid(np.linspace(-1, 1, 101), np.linspace(0.01, 1, 50)))
    grid, solution = Tensor(np.stack([x, t], 1).astype(np.float32)), exact(x, t)
    start = time.perf_counter()
    for step in range(1, args.steps + 1):
        loss = train_step(points, along_x, along_t)
        if step % (args.steps // 5) == 0:
            error = np.linalg.norm(net(grid).asnumpy()[:, 0] - solution) / np.linalg.norm(solution)
            print(f"step {step:5}  residual {float(loss.asnumpy()):.2e}  error {error:.2e}  {time.perf_counter() - start:6.1f} s", flush=True)
    print(f"Relative error against the exact solution: {error:.1e}")


if __name__ == "__main__":
    main()
