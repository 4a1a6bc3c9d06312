"""The world every test and doctest runs in.

Two CPU devices, compiled programs kept on disk from one run to the next, a fallback from Graph mode to PyNative is an error, and each
test leaves settings, seeds, environment and threads as it found them.
"""

import os
import pathlib
import threading

os.environ.setdefault("SPORAX_FAIL_ON_FALLBACK", "1")
os.environ.setdefault("MPLBACKEND", "Agg")

import jax

jax.config.update("jax_num_cpu_devices", 2)

import hypothesis
import numpy as np
import pytest

import sporax
from sporax import Tensor, nn, ops
from sporax._core import context, dispatch, rng

SEED = 20
# these run on genuine MindSpore, by hand
collect_ignore_glob = ["tests/oracle/make_*.py"]


def compile_cache_dir():
    """Where compiled programs are kept: one folder per version of jax, in the user's cache."""
    base = os.environ.get("SPORAX_TEST_CACHE") or pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "sporax-tests"
    return pathlib.Path(base) / f"jax-{jax.__version__}"


jax.config.update("jax_compilation_cache_dir", str(compile_cache_dir()))
# Most programs of the tests compile in less; reading one back costs about as much as compiling it for 20 ms.
jax.config.update("jax_persistent_cache_min_compile_time_secs", 0.05)
jax.config.update("jax_persistent_cache_min_entry_size_bytes", -1)

hypothesis.settings.register_profile("sporax", deadline=None, derandomize=True, print_blob=True)
hypothesis.settings.load_profile("sporax")

sporax.manual_seed(SEED)
np.random.seed(SEED)


@pytest.fixture(autouse=True)
def _names_in_doctests(request):
    """What examples in docstrings need not import."""
    if isinstance(request.node, pytest.Item) and request.node.__class__.__name__ == "DoctestItem":
        request.getfixturevalue("doctest_namespace").update(ms=sporax, np=np, Tensor=Tensor, nn=nn, ops=ops)


@pytest.fixture(autouse=True)
def _restored_state():
    """Settings and random states are those of a fresh process, whatever the tests before did."""
    settings, pinned, seed = dict(context._settings), dict(context._pinned), rng._global_seed
    device, numpy_state = jax.config.jax_default_device, np.random.get_state()
    generator = rng.default_generator._state._value
    context._warned.clear()
    yield
    dispatch.flush()
    if context._settings != settings or context._pinned != pinned:
        context._settings.clear()
        context._settings.update(settings)
        context._pinned = pinned
        context.bump_epoch()
    if jax.config.jax_default_device is not device:
        jax.config.update("jax_default_device", device)
    np.random.set_state(numpy_state)
    if rng.default_generator._state._value is not generator:
        rng.manual_seed(SEED)
    rng._global_seed = seed


@pytest.fixture(autouse=True)
def _nothing_leaked():
    """A test that leaves an environment variable or a thread behind fails."""
    environment, threads = dict(os.environ), set(threading.enumerate())
    yield
    changed = {k for k in {*environment, *os.environ} if environment.get(k) != os.environ.get(k)} - {"PYTEST_CURRENT_TEST"}
    for key in changed:
        if key in environment:
            os.environ[key] = environment[key]
        else:
            del os.environ[key]
    assert not changed, f"the test changed environment variables: {sorted(changed)}; use monkeypatch.setenv"
    left = [t for t in threading.enumerate() if t not in threads and t.is_alive() and not t.daemon]
    assert not left, f"the test left threads running: {left}"
