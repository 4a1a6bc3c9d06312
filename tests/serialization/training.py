"""A run that saves its state after every step, and goes on from it: `python -m tests.serialization.training FOLDER STEPS`.

It prints `ready` when it begins, and at its end a digest of every bit of the result. It uses what makes resuming hard: dropout, shuffling by NumPy and by Python,
moments, a schedule, batch statistics, an early-stopping counter, a place in the data, and files written in the background.
"""

import hashlib
import random
import sys

import numpy as np

import sporax as ms
from sporax import Tensor, nn, ops
from sporax.train import TrainState


class Data:
    """Batches in an order that is drawn anew in each epoch; it knows its place."""

    def __init__(self, x, y):
        self.x, self.y, self.order, self.at = x, y, [], 0

    def next(self):
        if self.at >= len(self.order):
            self.order, self.at = [int(i) for i in np.random.permutation(len(self.x))], 0
        rows = self.order[self.at : self.at + 8]
        self.at += 8
        return self.x[rows], self.y[rows]

    def state_dict(self):
        return {"order": self.order, "at": self.at}

    def load_state_dict(self, state):
        self.order, self.at = state["order"], state["at"]


class Patience:
    """Like a callback: counters in plain attributes, and a setting."""

    def __init__(self, setting):
        self.setting, self.best, self.waited, self.history = setting, float("inf"), 0, []

    def note(self, loss):
        self.history.append(loss)
        self.best, self.waited = (loss, 0) if loss < self.best else (self.best, self.waited + 1)


class Run:
    """Everything of the run."""

    def __init__(self, setting=5):
        ms.set_seed(7)
        random.seed(7)
        x = np.random.randn(32, 4).astype(np.float32)
        self.net = nn.SequentialCell(nn.Dense(4, 8), nn.BatchNorm1d(8), nn.Dropout(p=0.5), nn.Dense(8, 1))
        self.net.set_train()
        rate = nn.ExponentialDecayLR(0.01, 0.9, 10)
        self.optimizer = nn.Adam(self.net.trainable_params(), rate)
        self.data = Data(x, x[:, :1] * 2)
        self.patience = Patience(setting)
        self.grad = ms.value_and_grad(lambda a, b: ops.mse_loss(self.net(a), b), None, self.net.trainable_params())
        self.state = TrainState(self.net, self.optimizer, dataset=self.data, callbacks=[self.patience], keep_last=2, keep_best=1, monitor="loss")

    def step(self):
        a, b = self.data.next()
        loss, gradients = self.grad(Tensor(a * np.float32(1 + 0.01 * random.random())), Tensor(b))
        self.optimizer(gradients)
        loss = float(loss)
        self.patience.note(loss)
        return loss

    def digest(self):
        total = hashlib.sha256()
        for _, p in (*self.net.parameters_and_names(), *self.optimizer.parameters_and_names()):
            total.update(p.asnumpy().tobytes())
        total.update(repr((self.patience.best, self.patience.waited, self.patience.history, self.data.at, random.random())).encode())
        return total.hexdigest()


def main(folder, steps, async_save=True):
    run = Run()
    done = run.state.restore(folder) or {"step": 0}
    print("ready", done["step"], flush=True)
    for step in range(done["step"] + 1, steps + 1):
        loss = run.step()
        run.state.save(folder, step, async_save=async_save, loss=loss)
    run.state.close()
    print(run.digest(), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
