"""`TrainStep` (accumulate=4, global norm, dynamic loss scale, Momentum) against the same step hand-written in JAX.

    python -m benchmarks.composed [lenet deep]
"""

import sys

import jax
import jax.numpy as jnp
import numpy as np

import sporax as ms
from benchmarks import handwritten, programs, timing
from sporax import Tensor, nn
from sporax.amp import DynamicLossScaler
from sporax.steps import GlobalNorm, TrainStep

LOSSES = {"lenet": (handwritten._lenet, handwritten._cross_entropy), "deep": (handwritten._deep, handwritten._mse)}


def by_hand(name):
    """A function without arguments that does one micro-batch, and every fourth time an update, and returns the loss."""
    forward, loss_fn = LOSSES[name]

    def apply(state):
        n = state["samples"]
        g = jax.tree.map(lambda a: a / n, state["sums"])
        norm = jnp.sqrt(sum(jnp.sum(x * x) for x in jax.tree.leaves(g)))
        g = jax.tree.map(lambda x: x * (1.0 / jnp.maximum(norm, 1.0)), g)
        moments = jax.tree.map(lambda m, x: 0.9 * m + x, state["moments"], g)
        params = jax.tree.map(lambda p, m: p - 0.01 * m, state["params"], moments)
        zeros = jax.tree.map(jnp.zeros_like, state["sums"])
        return {**state, "params": params, "moments": moments, "sums": zeros, "samples": jnp.float32(0), "calls": jnp.int32(0)}

    def step(state, x, y):
        scale = state["scale"]
        value, g = jax.value_and_grad(lambda p: loss_fn(forward(p, x), y) * scale)(state["params"])
        loss, g = value / scale, jax.tree.map(lambda a: a * (1 / scale), g)
        finite = jnp.isfinite(loss) & jnp.all(jnp.stack([jnp.all(jnp.isfinite(a)) for a in jax.tree.leaves(g)]))
        good = jnp.where(finite, state["good"] + 1, 0)
        scale = jnp.where(finite, jnp.where(good == 2000, scale * 2, scale), jnp.maximum(scale / 2, 1))
        added = jax.tree.map(lambda s, a: jnp.where(finite, s + a * len(x), s), state["sums"], g)
        state = {
            **state, "sums": added, "samples": state["samples"] + jnp.where(finite, len(x), 0), "calls": state["calls"] + finite,
            "scale": scale, "good": good % 2000,
        }  # fmt: skip
        return jax.lax.cond(state["calls"] == 4, apply, lambda s: s, state), loss

    compiled = jax.jit(step, donate_argnums=0)
    params = {k: jnp.array(w) for k, w in programs.weights(name).items()}
    zeros = jax.tree.map(jnp.zeros_like, params)
    state = {
        "params": params, "moments": zeros, "sums": jax.tree.map(jnp.zeros_like, params), "samples": jnp.float32(0), "calls": jnp.int32(0),
        "scale": jnp.float32(1024), "good": jnp.int32(0),
    }  # fmt: skip
    box, (x, y) = [state], map(jnp.asarray, programs.data(name))

    def call():
        box[0], loss = compiled(box[0], x, y)
        return loss

    return call


def composed(name):
    """The same with `TrainStep`."""
    net = programs.network(name, ms)
    loss = nn.CrossEntropyLoss() if name == "lenet" else nn.MSELoss()
    step = TrainStep(
        net, loss, nn.Momentum(net.trainable_params(), 0.01, 0.9), loss_scale=DynamicLossScaler(1024, 2, 2000), accumulate=4, clip=GlobalNorm(1.0)
    )
    x, y = map(Tensor, programs.data(name))
    return lambda: step(x, y).loss


def main(names):
    for name in names:
        calls = {"jax": (by_hand(name), lambda loss: loss.block_until_ready()), "TrainStep": (composed(name), lambda loss: loss.asnumpy())}
        first = [[float(np.asarray(call() if key == "jax" else call().asnumpy())) for _ in range(8)] for key, (call, _) in calls.items()]
        np.testing.assert_allclose(*first, rtol=1e-4)
        times = timing.in_turn(calls)
        timing.report(f"composed {name}", ms={k: timing.milliseconds(times, k) for k in calls}, to_jax=timing.ratio(times, "TrainStep", "jax"))


if __name__ == "__main__":
    main(sys.argv[1:] or ["lenet", "deep"])
