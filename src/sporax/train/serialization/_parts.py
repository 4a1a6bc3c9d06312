"""How the parts of a `TrainState` give out their state and take it back.

Gathering and restoring walk the parts in the same order, and a Parameter that several parts share is kept once, at the first of them. Restoring compares
everything before it changes anything.
"""

import difflib
import json

import numpy as np

from sporax._core import rng, scope
from sporax._core.parameter import Parameter
from sporax._core.tensor import Tensor, make_value, wrap
from sporax._names import log
from sporax.nn import Cell
from sporax.train.serialization import _tree
from sporax.train.serialization._state_file import describe
from sporax.train.serialization._wire import Damaged

_SHOWN = 20
_FLAGS = {"training", "requires_grad", "cell_type"}  # of a Cell: the program sets them
_NUMPY = (np.random.Generator, np.random.RandomState)


class Beginning:
    """The plain attributes of objects when the TrainState was made: what is still so is a setting, not a state."""

    def __init__(self, parts):
        self._texts = {}
        for path, value, _ in _walk(parts):
            if isinstance(value, _Attributes):
                self._texts[path] = {name: _text(tree) for name, tree in value.trees({}).items()}

    def unsaved(self, path, saved):
        """(name, JSON) of attributes that were as in the beginning when a state was saved."""
        for name, text in self._texts.get(path, {}).items():
            tree = json.loads(text)
            if name not in saved and tree != _tree.KEEP and not _has_array(tree):
                yield name, tree

    def changed(self, path, trees):
        """Those of `trees` (by name of the attribute) that are no longer what they were."""
        before = self._texts.get(path, {})
        return {name: tree for name, tree in trees.items() if tree != _tree.KEEP and (_has_array(tree) or before.get(name) != _text(tree))}


def _text(tree):
    return json.dumps(tree)


def _has_array(tree):
    if isinstance(tree, dict):
        return ("at" in tree and _tree.MARK in tree) or any(_has_array(v) for v in tree.values())
    return isinstance(tree, list) and any(_has_array(v) for v in tree)


class _Attributes:
    """The plain attributes of an object."""

    def __init__(self, owner, path):
        self.owner, self.path = owner, path
        self.is_cell = isinstance(owner, Cell)

    def values(self):
        """The attributes that may be state."""
        own = getattr(self.owner, "__dict__", {})
        if not self.is_cell:
            return dict(own)
        owned = (*self.owner._params, *self.owner._cells, *self.owner._buffers)
        return {n: v for n, v in own.items() if n[0] != "_" and n not in _FLAGS and n not in owned and not isinstance(v, Parameter)}

    def trees(self, arrays):
        """The attributes as JSON, their arrays added to `arrays`."""
        return {n: _tree.encode(v, arrays, f"{self.path}.{n}", lenient=True) for n, v in self.values().items()}


def _walk(parts):
    """Leaves of parts: (path, handle, `_Attributes`, or object with a state of its own; kind)."""
    seen: set = set()
    for name, part in parts.items():
        yield from _leaves(part, name, seen)


def _leaves(part, path, seen):
    if isinstance(part, Tensor):
        if id(part) not in seen:
            seen.add(id(part))
            yield path, part, "array"
        return
    if isinstance(part, list | tuple | dict):
        for key, value in part.items() if isinstance(part, dict) else enumerate(part):
            yield from _leaves(value, f"{path}.{key}", seen)
        return
    if part is None or id(part) in seen:
        return
    if not hasattr(part, "__dict__") and not isinstance(part, _NUMPY):
        raise TypeError(f"For 'TrainState', {path} is {part!r} of type {type(part).__name__}: give numbers and text to save(), as progress.")
    seen.add(id(part))
    if isinstance(part, Cell):
        yield from _cell_leaves(part, path, seen)
    elif isinstance(part, rng.Generator):
        yield path, part._state, "array"
    elif isinstance(part, _NUMPY):
        yield path, _NumpyState(part), "object"
    elif callable(getattr(part, "state_dict", None)) and callable(getattr(part, "load_state_dict", None)):
        yield path, part, "object"
    elif path == "dataset":
        raise TypeError(
            f"For 'TrainState', the dataset ({type(part).__name__}) should have the methods state_dict() and load_state_dict(): it has no position to keep."
        )
    else:
        at = f"{path}:{type(part).__name__}"
        yield at, _Attributes(part, at), "attributes"


def _cell_leaves(cell, path, seen):
    for below, inner in cell.cells_and_names():
        at = f"{path}.{below}" if below else path
        seen.add(id(inner))
        for owned in (inner._params, inner._buffers):
            for name, handle in owned.items():
                if handle is not None and id(handle) not in seen:
                    seen.add(id(handle))
                    yield f"{at}.{name}", handle, "array"
        yield at, _Attributes(inner, at), "attributes"


class _NumpyState:
    """NumPy's generators, with the methods that other parts have."""

    def __init__(self, generator):
        self.generator = generator

    def state_dict(self):
        """The state."""
        g = self.generator
        return g.bit_generator.state if isinstance(g, np.random.Generator) else list(g.get_state())

    def load_state_dict(self, state):
        """Take it back."""
        if isinstance(self.generator, np.random.Generator):
            self.generator.bit_generator.state = state
        else:
            self.generator.set_state(tuple(state))


# Gathering ------------------------------------------------------------------------------------------------------------


def gather(parts, arrays, beginning):
    """The state of the parts as JSON; their arrays are added to `arrays`."""
    objects, attributes, tensors = {}, {}, []
    for path, leaf, kind in _walk(parts):
        if kind == "array":
            arrays[path] = _tree.snapshot(leaf)
            tensors.append(path)
        elif kind == "object":
            objects[path] = _tree.encode(leaf.state_dict(), arrays, path)
        else:
            new: dict = {}
            changed = beginning.changed(path, leaf.trees(new))
            if changed:
                attributes[path] = changed
                arrays.update(new)
    return {"tensors": tensors, "objects": objects, "attributes": attributes}


# Restoring ------------------------------------------------------------------------------------------------------------


def restore(parts, state, arrays, beginning, file):
    """Give the parts the state, if all of it fits."""
    if not isinstance(state, dict) or not isinstance(state.get("tensors"), list):
        raise Damaged("its state is not a table")
    objects, attributes = state.get("objects"), state.get("attributes")
    if not isinstance(objects, dict) or not isinstance(attributes, dict) or not all(isinstance(a, dict) for a in attributes.values()):
        raise Damaged("its state is not a table")
    handles, own_objects, owners = {}, {}, {}
    for path, leaf, kind in _walk(parts):
        {"array": handles, "object": own_objects, "attributes": owners}[kind][path] = leaf
    _compare(handles, {n: arrays.get(n) for n in state["tensors"]}, set(own_objects), set(objects), file)
    loaded = {path: _tree.decode(tree, arrays) for path, tree in objects.items()}
    values = {path: wrap(make_value(arrays[path])) for path in handles}
    for path, value in loaded.items():
        own_objects[path].load_state_dict(value)
    for path in attributes.keys() - owners.keys():
        log.warning("%s has a state in %s, and is not here.", path, file)
    for path, leaf in owners.items():
        changed = attributes.get(path, {})
        _set_attributes(leaf, changed | dict(beginning.unsaved(path, changed)), arrays)
    for path, handle in handles.items():
        scope.assign(handle, values[path])


def _set_attributes(leaf, changed, arrays):
    own = getattr(leaf.owner, "__dict__", {})
    for name, tree in changed.items():
        old = own.get(name)
        if not _has_array(tree) and _text(_tree.encode(old, {}, name, lenient=True)) == _text(tree):
            continue
        new = _tree.decode(tree, arrays, old)
        if isinstance(old, Tensor) and isinstance(new, Tensor) and (old.shape, old.dtype) == (new.shape, new.dtype):
            scope.assign(old, new)
        else:
            setattr(leaf.owner, name, new)


def _compare(handles, saved, objects, saved_objects, file):
    """Raise ValueError where a state is not one of these parts."""
    missing = [n for n in (*handles, *sorted(objects)) if n not in saved and n not in saved_objects]
    unexpected = [n for n in (*saved, *sorted(saved_objects)) if n not in handles and n not in objects]
    wrong = []
    for name, handle in handles.items():
        array = saved.get(name)
        if array is not None and (array.shape, array.dtype) != (handle.shape, handle.dtype.np_dtype):
            wrong.append(f"{name}: {describe(array.dtype)}{list(array.shape)} in the file, {handle.dtype}{list(handle.shape)} here")
        elif array is None and name in saved:
            raise Damaged(f"it has no array {name!r}")
    if not (missing or unexpected or wrong):
        return
    lines = [f"{file} is the state of something else; nothing was changed."]
    if wrong:
        lines += ["Of another shape or dtype:", *(f"  {w}" for w in _short(wrong))]
    if missing:
        lines += ["Here, but not in the file:", *(f"  {n}{_near(n, unexpected)}" for n in _short(missing))]
    if unexpected:
        lines += ["In the file, but not here:", *(f"  {n}{_near(n, missing)}" for n in _short(unexpected))]
    raise ValueError("\n".join(lines))


def _near(name, names):
    found = difflib.get_close_matches(name, names[:2000], 1)
    return f" (nearest: {found[0]})" if found else ""


def _short(names):
    return names if len(names) <= _SHOWN else [*names[:_SHOWN], f"... and {len(names) - _SHOWN} more"]
