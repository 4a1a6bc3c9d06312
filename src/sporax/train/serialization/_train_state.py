"""`TrainState`: everything that a run has to have again to go on as if it had never stopped."""

import os
import random

import numpy as np

from sporax._core import rng as core_rng
from sporax.train.serialization import _async, _folder, _parts, _state_file, _tree
from sporax.train.serialization._resume import needed_folder
from sporax.train.serialization._wire import Damaged

_OWN = "rng"


class TrainState:
    """The state of a training run: what `save` writes to one file, and `restore` puts back, bit for bit.

    Args:
        network: the Cell that is trained. Default: None.
        optimizer: its optimizer. Default: None.
        loss_scale: a loss-scale manager, or a Cell that has one. Default: None.
        dataset: an iterator or dataset with `state_dict()` and `load_state_dict()`. Default: None.
        callbacks: a callback, or a list of them. Default: None.
        metrics: metrics, in a list or dict. Default: None.
        rng: whether the states of the random generators (ours, NumPy's, Python's) belong to it. Default: True.
        keep_last: how many of the last states stay in a folder. Default: 2.
        keep_best: how many of the best ones stay. Default: 0.
        monitor: name of the number given to `save` that says how good a state is. Default: None.
        mode: "min" or "max": which numbers are good. Default: "min".
        **parts: more, under names of one's own.

    A part is a Cell (Parameters, buffers, attributes that have changed), a Parameter, Tensor or Generator, a NumPy generator, something with `state_dict()` and
    `load_state_dict()`, a list, tuple or dict of parts, or any other object: of that the plain attributes that have changed since this TrainState was made.

    Raises:
        TypeError: a number is of another kind.
        ValueError: `keep_last` is less than 1, `mode` is another, or `keep_best` has no `monitor`.

    Examples:
        >>> import tempfile
        >>> folder = tempfile.mkdtemp()
        >>> net = nn.Dense(1, 1, weight_init="ones")
        >>> state = ms.train.TrainState(net, nn.SGD(net.trainable_params(), 0.1))
        >>> _ = state.save(folder, step=7, loss=0.5)
        >>> _ = net.weight.set_data(Tensor([[5.0]]))
        >>> state.restore(folder)
        {'step': 7, 'loss': 0.5}
        >>> print(net.weight.value())
        [[1.]]
        >>> state.close()
    """

    def __init__(
        self,
        network=None,
        optimizer=None,
        loss_scale=None,
        dataset=None,
        callbacks=None,
        metrics=None,
        *,
        rng=True,
        keep_last=2,
        keep_best=0,
        monitor=None,
        mode="min",
        **parts,
    ):
        for name, value in (("keep_last", keep_last), ("keep_best", keep_best)):
            if isinstance(value, bool) or not isinstance(value, int):
                raise TypeError(f"For 'TrainState', '{name}' should be an int, but got {value!r}.")
        if keep_last < 1 or keep_best < 0:
            raise ValueError(f"For 'TrainState', 'keep_last' should be at least 1 and 'keep_best' at least 0, but got {keep_last} and {keep_best}.")
        if mode not in ("min", "max"):
            raise ValueError(f"For 'TrainState', 'mode' should be 'min' or 'max', but got {mode!r}.")
        if keep_best and not isinstance(monitor, str):
            raise ValueError(f"For 'TrainState', 'keep_best' needs a 'monitor', the name of a number given to save(), but got {monitor!r}.")
        named = {"network": network, "optimizer": optimizer, "loss_scale": loss_scale, "dataset": dataset, "callbacks": callbacks, "metrics": metrics}
        self._parts = {name: part for name, part in (named | parts).items() if part is not None}
        self._rng, self._keep = rng, (keep_last, keep_best, monitor, mode)
        self._begin = _parts.Beginning(self._parts)
        self._folders: set = set()

    # Writing ---------------------------------------------------------------------------------------------------------

    def save(self, folder, step, async_save=False, **progress):
        """Write the present state to a folder; older ones go as `keep_last` and `keep_best` say.

        Args:
            folder: path of the run's folder, which is made if it is not there; None for that of `sporax run --resume`.
            step: int, how many steps have been done.
            async_save: whether the file is written in the background; the state is that of this moment either way. Default: False.
            **progress: what `restore` returns besides: numbers, text, lists and dicts, for example `epoch` and `loss`.

        Returns:
            Path of the file.

        Raises:
            RuntimeError: another process writes that folder.
            TypeError: something in the state or in `progress` cannot be written.
            OSError: the disk is full, or the folder can't be written; the older states are still there.
        """
        if isinstance(step, bool) or not isinstance(step, int) or not 0 <= step < 10**12:
            raise ValueError(f"For 'save', 'step' should be an int from 0 on, but got {step!r}.")
        arrays: dict = {}
        notes = _plain(progress)
        state = _parts.gather(self._parts, arrays, self._begin)
        if self._rng:
            state[_OWN] = _tree.encode(_random_states(), arrays, _OWN)
        folder = os.path.realpath(needed_folder(folder, "save"))
        _folder.prepare(folder)
        self._folders.add(folder)
        _async.wait()
        good, _ = _folder.states(folder)
        serial = good[0].serial + 1 if good else 1
        path = _folder.path_of(folder, step)

        def write():
            _state_file.write(path, arrays, state, {"step": step} | notes, serial)
            _folder.prune(folder, path, *self._keep)

        if async_save:
            _async.start(write, path)
        else:
            write()
        return path

    # Reading ---------------------------------------------------------------------------------------------------------

    def restore(self, folder=None, which="last"):
        """Put back a state of a folder. If it doesn't fit, nothing is changed.

        Args:
            folder: path of the run's folder. Default: None, that of `sporax run --resume`.
            which: "last" or "best". Default: "last".

        Returns:
            Dict of what was given to `save`: `step` and the rest; None where the folder has no state, and nothing is changed.

        Raises:
            ValueError: all states are damaged, or a state is not one of these parts; the message lists what is missing, unexpected, or of another shape.
        """
        if which not in ("last", "best"):
            raise ValueError(f"For 'restore', 'which' should be 'last' or 'best', but got {which!r}.")
        monitor, mode = self._keep[2:]
        if which == "best" and monitor is None:
            raise ValueError("For 'restore', which='best' needs the 'monitor' that TrainState is made with.")
        folder = needed_folder(folder, "restore")
        _async.wait()
        found = _folder.newest_good(folder, which, monitor, mode)
        if found is None:
            return None
        file, arrays, state = found
        try:
            random_states = (
                _checked_random_states(_tree.decode(state[_OWN], arrays)) if self._rng and isinstance(state, dict) and _OWN in state else None
            )
            _parts.restore(self._parts, state, arrays, self._begin, file.path)
            _set_random_states(random_states)
        except Damaged as error:
            raise ValueError(f"{file.path} cannot be restored: {error}.") from None
        return file.progress

    def close(self):
        """Wait for what is being written, and let another process write the folders."""
        _async.wait()
        for folder in self._folders:
            _folder.release(folder)
        self._folders.clear()


def _plain(progress):
    arrays: dict = {}
    notes = {name: value.item() if isinstance(value, np.generic) else value for name, value in progress.items()}
    tree = _tree.encode(notes, arrays, "progress")
    if arrays:
        raise TypeError(f"{next(iter(arrays))} is an array: 'progress' holds numbers and text, for example float(loss).")
    return tree


def _random_states():
    kind, keys, *rest = np.random.get_state()
    return {
        "generator": core_rng.get_rng_state(),
        "seed": core_rng.get_seed(),
        "numpy": [kind, keys, *rest],
        "python": random.getstate(),
    }


def _set_random_states(states):
    if states is None:
        return
    np.random.set_state(tuple(states["numpy"]))
    random.setstate(states["python"])
    core_rng.set_rng_state(states["generator"])
    core_rng._global_seed = states["seed"]


def _checked_random_states(states):
    """The random states, tried out on generators that nobody uses."""
    try:
        np.random.RandomState().set_state(tuple(states["numpy"]))
        random.Random().setstate(states["python"])
        core_rng.Generator().set_state(states["generator"])
        return {"seed": None} | states
    except (KeyError, TypeError, ValueError) as error:
        raise Damaged(f"its random states are not usable ({error})") from None
