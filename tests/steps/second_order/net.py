"""A small network in both modes, and the same in plain JAX, float64, to take exact Hessians of."""

import jax
import jax.numpy as jnp
import numpy as np

import sporax as ms
from sporax import Tensor, nn, ops

MODES = [ms.PYNATIVE_MODE, ms.GRAPH_MODE]
RNG = np.random.default_rng(3)
X = RNG.standard_normal((6, 3))
Y = RNG.standard_normal((6, 2))
LABELS = np.array([0, 1, 1, 0, 1, 0], np.int32)
VALUES = [RNG.standard_normal(s) * 0.7 for s in ((4, 3), (4,), (2, 4), (2,))]
SIZE = sum(v.size for v in VALUES)


class Net(nn.Cell):
    def __init__(self, dtype=ms.float64):
        super().__init__()
        self.first = nn.Dense(3, 4, dtype=dtype)
        self.second = nn.Dense(4, 2, dtype=dtype)
        for p, v in zip(self.trainable_params(), VALUES, strict=True):
            p.set_data(Tensor(v, dtype))

    def construct(self, x):
        return self.second(ops.tanh(self.first(x)))


def output(params, x):
    w1, b1, w2, b2 = params
    return jnp.tanh(x @ w1.T + b1) @ w2.T + b2


def squares(z, y):
    return ((z - y) ** 2).mean()


def entropy(z, labels):
    return -jnp.take_along_axis(jax.nn.log_softmax(z), jnp.asarray(labels)[:, None], 1).mean()


def unravel(vector):
    out, at = [], 0
    for v in VALUES:
        out.append(vector[at : at + v.size].reshape(v.shape))
        at += v.size
    return out


def ravel(tensors):
    return np.concatenate([np.asarray(t.asnumpy() if isinstance(t, Tensor) else t).reshape(-1) for t in tensors])


POINT = jnp.asarray(ravel(VALUES))


def exact_hessian(loss, targets, x=X):
    return np.asarray(jax.hessian(lambda v: loss(output(unravel(v), x), targets))(POINT))


def exact_gauss_newton(loss, targets, x=X):
    jacobian = np.asarray(jax.jacobian(lambda v: output(unravel(v), x).reshape(-1))(POINT))
    z = output(unravel(POINT), x)
    inner = np.asarray(jax.hessian(lambda flat: loss(flat.reshape(z.shape), targets))(z.reshape(-1)))
    return jacobian.T @ inner @ jacobian
