"""Inputs that the case modules share: seeded numbers, and a small net whose parameters are filled in the order of declaration."""

import numpy as np


def normal(seed, *shape, dtype=np.float32, scale=1.0):
    """A standard normal sample of a shape, from its own seed."""
    return (np.random.default_rng(seed).standard_normal(shape) * scale).astype(dtype)


def fill(ms, cell, seed=0, scale=0.5):
    """Give every parameter of `cell`, in order, numbers from one seeded stream; moving variances get positive ones."""
    rng = np.random.default_rng(seed)
    for p in cell.get_parameters():
        a = (rng.standard_normal(tuple(p.shape)) * scale).astype(np.float32)
        if "variance" in p.name:
            a = np.abs(a) + np.float32(0.5)
        p.set_data(ms.Tensor(a).astype(p.dtype))
    return cell


def small_net(ms):
    """A convolution, a dense layer, a normalisation and a second dense layer: parameters of one to four dimensions, with the usual names."""
    nn = ms.nn

    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.conv = nn.Conv2d(2, 3, 2)
            self.hidden = nn.Dense(3, 4)
            self.norm = nn.LayerNorm((4,))
            self.head = nn.Dense(4, 2)

        def construct(self, x):
            return self.head(self.norm(self.hidden(self.conv(x).mean((2, 3)))))

    return fill(ms, Net(), seed=7)


def wide_net(ms):
    """Two layers with 16 inputs: the only kind of weight whose gradient genuine centralizes."""
    nn = ms.nn

    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.conv = nn.Conv2d(16, 2, 1)
            self.head = nn.Dense(16, 3)

        def construct(self, x):
            return self.head(x) + self.conv(x[:, :, None, None]).sum()

    return fill(ms, Net(), seed=8)
