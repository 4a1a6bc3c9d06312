"""Train a small convolutional network to read handwritten digits.

The data are scikit-learn's digits: 1,797 scanned images of 8 x 8 pixels, shipped with that package. An ordinary MindSpore program: it runs
on MindSpore as it is, and on any CPU, NVIDIA GPU or TPU with

    sporax run examples/digits.py
    sporax run --mode graph examples/digits.py
"""

import argparse
import time

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn, ops

TEST_SIZE = 500
BATCH_SIZE = 32


class Net(nn.Cell):
    """Two convolutions, one pooling, one dense layer: images (n, 1, 8, 8) to logits (n, 10)."""

    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 16, 3, pad_mode="same")
        self.norm1 = nn.BatchNorm2d(16)
        self.conv2 = nn.Conv2d(16, 32, 3, pad_mode="same")
        self.norm2 = nn.BatchNorm2d(32)
        self.pool = nn.MaxPool2d(2, 2)
        self.flatten = nn.Flatten()
        self.dropout = nn.Dropout(p=0.3)
        self.dense = nn.Dense(32 * 4 * 4, 10)

    def construct(self, x):
        x = ops.relu(self.norm1(self.conv1(x)))
        x = self.pool(ops.relu(self.norm2(self.conv2(x))))
        return self.dense(self.dropout(self.flatten(x)))


def load_digits(seed):
    """Training and test images (float32, 0 to 1) and labels (int32)."""
    from sklearn.datasets import load_digits

    digits = load_digits()
    order = np.random.RandomState(seed).permutation(len(digits.target))
    images = (digits.images[order, None] / 16).astype(np.float32)
    labels = digits.target[order].astype(np.int32)
    return images[TEST_SIZE:], labels[TEST_SIZE:], images[:TEST_SIZE], labels[:TEST_SIZE]


def accuracy(net, images, labels):
    """Share of images the network names rightly, in percent."""
    net.set_train(False)
    guesses = net(Tensor(images)).asnumpy().argmax(1)
    return 100 * float((guesses == labels).mean())


def train(net, images, labels, test_images, test_labels, epochs, seed):
    """Train, printing a line per epoch; returns the loss of each step and the test accuracy after each epoch."""
    steps = len(labels) // BATCH_SIZE
    schedule = nn.cosine_decay_lr(min_lr=1e-5, max_lr=5e-3, total_step=epochs * steps, step_per_epoch=steps, decay_epoch=epochs)
    optimizer = nn.Adam(net.trainable_params(), learning_rate=schedule, weight_decay=1e-4)
    loss_fn = nn.CrossEntropyLoss()

    def forward(x, y):
        return loss_fn(net(x), y)

    grad_fn = ms.value_and_grad(forward, None, optimizer.parameters)

    def train_step(x, y):
        loss, grads = grad_fn(x, y)
        optimizer(grads)
        return loss

    shuffle = np.random.RandomState(seed)
    losses, accuracies = [], []
    start = time.perf_counter()
    print(f"{'epoch':>7}  {'loss':>8}  {'test accuracy':>13}  {'elapsed':>8}", flush=True)
    for epoch in range(epochs):
        net.set_train(True)
        order = shuffle.permutation(len(labels))
        for i in range(steps):
            batch = order[i * BATCH_SIZE : (i + 1) * BATCH_SIZE]
            losses.append(float(train_step(Tensor(images[batch]), Tensor(labels[batch])).asnumpy()))
        accuracies.append(accuracy(net, test_images, test_labels))
        mean, seconds = np.mean(losses[-steps:]), time.perf_counter() - start
        print(f"{epoch + 1:>4}/{epochs:<2}  {mean:8.4f}  {accuracies[-1]:11.2f} %  {seconds:6.1f} s", flush=True)
    return np.array(losses), np.array(accuracies)


def draw(losses, accuracies, path):
    """Picture of the training: loss of each step and of each epoch on the left axis, test accuracy on the right one."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    epochs = len(accuracies)
    ends = np.arange(1, epochs + 1)
    at = np.arange(1, len(losses) + 1) / len(losses) * epochs
    blue, orange = "#1f5fa8", "#d9661f"
    figure, left = plt.subplots(figsize=(9, 5), dpi=140, layout="constrained")
    left.plot(at, losses, color=blue, alpha=0.28, linewidth=0.8, label="loss of each step")
    left.plot(ends - 0.5, losses.reshape(epochs, -1).mean(1), color=blue, linewidth=2.2, label="mean loss of the epoch")
    left.set_yscale("log")
    left.set_xlim(0, epochs)
    left.xaxis.get_major_locator().set_params(integer=True)
    left.set_xlabel("epoch")
    left.set_ylabel("training loss (cross entropy)", color=blue)
    left.tick_params(axis="y", which="both", colors=blue)
    left.grid(True, which="major", alpha=0.25)
    right = left.twinx()
    right.plot(ends, accuracies, color=orange, marker="o", markersize=4, linewidth=1.6, clip_on=False, label="test accuracy")
    right.set_ylim(min(90.0, np.floor(accuracies.min())), 100.3)
    right.set_ylabel("test accuracy (%)", color=orange)
    right.tick_params(axis="y", colors=orange)
    for axes in (left, right):
        axes.spines["top"].set_visible(False)
    lines = [*left.get_lines(), *right.get_lines()]
    left.legend(lines, [line.get_label() for line in lines], loc="lower left", frameon=False)
    left.set_title(f"Handwritten digits: {accuracies[-1]:.2f} % of {TEST_SIZE} unseen images after {epochs} epochs", loc="left", pad=12)
    figure.savefig(path)
    plt.close(figure)


def main():
    parser = argparse.ArgumentParser(description="Train a small network to read handwritten digits.")
    parser.add_argument("--epochs", type=int, default=20, help="passes over the training images (default: 20)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the split, the weights and the order of batches (default: 1)")
    parser.add_argument("--picture", default="digits.png", help="where the loss curve goes (default: digits.png)")
    args = parser.parse_args()

    ms.set_seed(args.seed)
    images, labels, test_images, test_labels = load_digits(args.seed)
    mode = "graph" if ms.get_context("mode") == ms.GRAPH_MODE else "PyNative"
    print(f"Handwritten digits: {len(labels)} images to train on, {len(test_labels)} to test on; {mode} mode on {ms.get_context('device_target')}")
    net = Net()
    losses, accuracies = train(net, images, labels, test_images, test_labels, args.epochs, args.seed)
    draw(losses, accuracies, args.picture)
    print(f"Test accuracy {accuracies[-1]:.2f} %. The loss curve is in {args.picture}")


if __name__ == "__main__":
    main()
