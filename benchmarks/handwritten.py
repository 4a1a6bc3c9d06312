"""The same training steps as a JAX user would write them: one `jax.jit`, the state passed in, donated and passed out."""

import jax
import jax.numpy as jnp
from jax import lax

from benchmarks import programs


def _minimal(p, x):
    return x @ p["dense.weight"].T + p["dense.bias"]


def _deep(p, x):
    for i in range(50):
        x = jnp.tanh(x @ p[f"{i}.weight"].T + p[f"{i}.bias"])
    return x


def _pool(x):
    return lax.reduce_window(x, -jnp.inf, lax.max, (1, 1, 2, 2), (1, 1, 2, 2), "VALID")


def _lenet(p, x):
    def conv(x, w):
        return lax.conv_general_dilated(x, w, (1, 1), "VALID", dimension_numbers=("NCHW", "OIHW", "NCHW"))

    x = _pool(jax.nn.relu(conv(x, p["conv1.weight"])))
    x = _pool(jax.nn.relu(conv(x, p["conv2.weight"])))
    x = x.reshape(x.shape[0], -1)
    for layer in ("fc1", "fc2"):
        x = jax.nn.relu(x @ p[f"{layer}.weight"].T + p[f"{layer}.bias"])
    return x @ p["fc3.weight"].T + p["fc3.bias"]


def _mse(out, y):
    return jnp.mean((out - y) ** 2)


def _cross_entropy(out, y):
    return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(out), y[:, None], 1))


def program(name, batch=None):
    """A function without arguments that does one step and returns the loss."""
    forward, loss = {"minimal": (_minimal, _mse), "deep": (_deep, _mse), "lenet": (_lenet, _cross_entropy)}[name]

    def step(params, moments, count, x, y):
        value, grads = jax.value_and_grad(lambda p: loss(forward(p, x), y))(params)
        moments = {k: 0.9 * m + grads[k] for k, m in moments.items()}
        return value, {k: p - 0.01 * moments[k] for k, p in params.items()}, moments, count + 1

    compiled = jax.jit(step, donate_argnums=(0, 1, 2))
    params = {k: jnp.array(w) for k, w in programs.weights(name).items()}
    state = [params, {k: jnp.zeros_like(p) for k, p in params.items()}, jnp.zeros((), jnp.int32)]
    x, y = map(jnp.asarray, programs.data(name, batch))

    def call():
        value, *state[:] = compiled(*state, x, y)
        return value

    return call
