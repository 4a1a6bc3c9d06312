"""Random state: one handle per generator, advanced by an op, so a compiled step advances it like any other state.

The state is `[seed, offset]` (int64). Each draw takes the key `fold_in(key(seed), offset)` and adds one to the offset: PyNative and
compiled runs of the same program draw the same numbers.
"""

import functools
import secrets

import jax
import jax.numpy as jnp
import numpy as np

from sporax._core import scope
from sporax._core.tensor import Tensor, outside_handle

_MAX = 2**64 - 1


def _advance(state):
    key = jax.random.fold_in(jax.random.wrap_key_data(_seed_words(state[0])), state[1].astype(jnp.uint32))
    return state + jnp.array([0, 1], jnp.int64), jax.random.key_data(key)


def _seed_words(seed):
    return jnp.stack([(seed >> 32).astype(jnp.uint32), seed.astype(jnp.uint32)])


class Generator:
    """A source of random numbers of its own.

    Examples:
        >>> g = ms.Generator()
        >>> g.manual_seed(5).initial_seed()
        5
    """

    @functools.cached_property
    def _state(self):
        # made when it is first needed, because an array starts XLA, and `import sporax` should not
        return outside_handle(np.array([secrets.randbits(32), 0], np.int64))

    def manual_seed(self, seed):
        """Start over from `seed` (int, 0 to 2**64 - 1); returns self."""
        if isinstance(seed, bool) or not isinstance(seed, int):
            raise TypeError(f"The seed should be an int, but got {seed!r} of type {type(seed).__name__}.")
        if not 0 <= seed <= _MAX:
            raise ValueError(f"The seed should be in [0, 2**64 - 1], but got {seed}.")
        scope.assign(self._state, Tensor(np.array([seed, 0], np.uint64).astype(np.int64)))
        return self

    def seed(self):
        """Start over from a seed of the operating system; returns it."""
        seed = secrets.randbits(32)
        self.manual_seed(seed)
        return seed

    def initial_seed(self):
        """The seed this generator started from."""
        return int(self._state.asnumpy()[0].astype(np.uint64))

    def get_state(self):
        """The state, a Tensor to give back to `set_state`."""
        return Tensor(self._state)

    def set_state(self, state):
        """Continue from a state that `get_state` returned."""
        if not isinstance(state, Tensor) or state.shape != (2,):
            raise TypeError(f"'state' should be a Tensor from get_state (shape (2,)), but got {state!r}.")
        scope.assign(self._state, state)
        return self

    def next_key(self):
        """A fresh random key, a uint32 Tensor of shape (2,); the state moves on."""
        from sporax._core.dispatch import apply

        state, key = apply(_advance, (self._state,))
        scope.assign(self._state, state)
        return key


default_generator = Generator()
_global_seed = None


def next_key(generator=None):
    """A fresh key of `generator` (default: the global one)."""
    return (generator or default_generator).next_key()


def set_seed(seed):
    """Seed every source of random numbers: ours, NumPy's, and (through NumPy) the initializers'.

    Raises:
        TypeError: `seed` is not an int.
        ValueError: `seed` is negative.
    """
    global _global_seed
    if isinstance(seed, bool) or not isinstance(seed, int):
        raise TypeError(f"The argument 'seed' should be an int, but got {seed!r} of type {type(seed).__name__}.")
    if seed < 0:
        raise ValueError(f"The argument 'seed' should be in [0, 2**32 - 1], but got {seed}.")
    np.random.seed(seed % 2**32)
    default_generator.manual_seed(seed)
    _global_seed = seed


def get_seed():
    """The seed last given to `set_seed`, or None."""
    return _global_seed


def manual_seed(seed):
    """Seed the global generator; returns it."""
    return default_generator.manual_seed(seed)


def seed():
    """Seed the global generator from the operating system; returns the seed."""
    return default_generator.seed()


def initial_seed():
    """The seed the global generator started from."""
    return default_generator.initial_seed()


def get_rng_state():
    """State of the global generator."""
    return default_generator.get_state()


def set_rng_state(state):
    """Continue the global generator from `state`."""
    default_generator.set_state(state)
