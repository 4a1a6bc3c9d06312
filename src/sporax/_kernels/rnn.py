"""Recurrent layers over whole sequences, as one scan each.

x is (time, batch, features); the gates of a weight are stacked along its first axis in MindSpore's order: i, f, g, o for LSTM, r, z, n for GRU.
"""

import jax
import jax.numpy as jnp
from jax import lax


def _affine(x, w, b):
    y = x @ w.T
    return y if b is None else y + b


def _rnn_step(xw, hw, act):
    return act(xw + hw)


def _lstm_step(xw, hw, c):
    i, f, g, o = jnp.split(xw + hw, 4, -1)
    c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
    return jax.nn.sigmoid(o) * jnp.tanh(c), c


def _gru_step(xw, hw, h):
    ri, zi, ni = jnp.split(xw, 3, -1)
    rh, zh, nh = jnp.split(hw, 3, -1)
    r, z = jax.nn.sigmoid(ri + rh), jax.nn.sigmoid(zi + zh)
    n = jnp.tanh(ni + r * nh)
    return (1 - z) * n + z * h


def rnn_cell(x, h, w_ih, w_hh, b_ih, b_hh, *, relu):
    return _rnn_step(_affine(x, w_ih, b_ih), _affine(h, w_hh, b_hh), jax.nn.relu if relu else jnp.tanh)


def lstm_cell(x, h, c, w_ih, w_hh, b_ih, b_hh):
    return _lstm_step(_affine(x, w_ih, b_ih), _affine(h, w_hh, b_hh), c)


def gru_cell(x, h, w_ih, w_hh, b_ih, b_hh):
    return _gru_step(_affine(x, w_ih, b_ih), _affine(h, w_hh, b_hh), h)


def layer(x, h, c, w_ih, w_hh, b_ih, b_hh, lengths, *, kind, reverse):
    """One direction of one layer: outputs (time, batch, hidden), final h, and final c (zeros unless LSTM).

    What depends on x alone is one product for all steps, outside of the scan. With `lengths` (batch), steps behind a sequence's end give zeros
    and leave the state as it was.
    """
    if reverse:
        x = _reverse(x, lengths)
    projected = _affine(x, w_ih, b_ih)

    def step(state, inputs):
        h, c = state
        t, xw = inputs
        hw = _affine(h, w_hh, b_hh)
        if kind == "lstm":
            h2, c2 = _lstm_step(xw, hw, c)
        elif kind == "gru":
            h2, c2 = _gru_step(xw, hw, h), c
        else:
            h2, c2 = _rnn_step(xw, hw, jax.nn.relu if kind == "relu" else jnp.tanh), c
        out = h2
        if lengths is not None:
            alive = (t < lengths)[:, None]
            h2, c2, out = jnp.where(alive, h2, h), jnp.where(alive, c2, c), jnp.where(alive, out, 0)
        return (h2, c2), out

    c = jnp.zeros_like(h) if c is None else c
    (h, c), out = lax.scan(step, (h, c), (jnp.arange(x.shape[0]), projected))
    if reverse:
        out = _reverse(out, lengths)
    return out, h, c


def _reverse(x, lengths):
    """Reverse time; of each sequence only its own steps."""
    if lengths is None:
        return jnp.flip(x, 0)
    t = jnp.arange(x.shape[0])[:, None]
    source = jnp.where(t < lengths, lengths - 1 - t, t)
    return jnp.take_along_axis(x, source[..., None], 0)
