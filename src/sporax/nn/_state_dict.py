"""`state_dict` and `load_state_dict` of Cells, with their hooks."""

import collections
import collections.abc
from typing import Any

from sporax._core import scope
from sporax._core.context import warn_once
from sporax._core.tensor import Tensor
from sporax.nn._hooks import register


class IncompatibleKeys(collections.namedtuple("IncompatibleKeys", ("missing_keys", "unexpected_keys"))):
    """What `load_state_dict` did not find, and what it had no use for."""

    __slots__ = ()

    def __repr__(self):
        if not self.missing_keys and not self.unexpected_keys:
            return "<All keys matched successfully>"
        return f"_IncompatibleKeys(missing_keys={self.missing_keys}, unexpected_keys={self.unexpected_keys})"

    __str__ = __repr__


class StateDict:
    """The part of a Cell that gives out and takes in its state."""

    def get_extra_state(self):
        """What else belongs to the state of this Cell; a subclass that has such state defines this and `set_extra_state`."""
        raise RuntimeError(f"'{type(self).__name__}' has no extra state: define get_extra_state and set_extra_state in the class.")

    def set_extra_state(self, state):
        """Take back what `get_extra_state` gave."""
        raise RuntimeError(f"'{type(self).__name__}' has no extra state, but got {state!r}: define get_extra_state and set_extra_state in the class.")

    def _hooks_of(self, kind):
        return self.__dict__.setdefault("_state_hooks", {}).setdefault(kind, {})

    def register_state_dict_pre_hook(self, hook):
        """Call `hook(cell, prefix, keep_vars)` before `state_dict` collects this Cell; returns a handle with `remove()`."""
        return register(self._hooks_of("state_pre"), hook)

    def register_state_dict_post_hook(self, hook):
        """Call `hook(cell, state_dict, prefix, local_metadata)`, which may change the dict, after this Cell; returns a handle with `remove()`."""
        return register(self._hooks_of("state_post"), hook)

    def register_load_state_dict_pre_hook(self, hook):
        """Call a hook before this Cell is loaded; returns a handle with `remove()`.

        Its arguments: (cell, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs); it may change the lists.
        """
        return register(self._hooks_of("load_pre"), hook)

    def register_load_state_dict_post_hook(self, hook):
        """Call `hook(cell, incompatible_keys)`, which may change the lists in it, after this Cell is loaded; returns a handle with `remove()`."""
        return register(self._hooks_of("load_post"), hook)

    def state_dict(self, *args, destination: Any = None, prefix: Any = "", keep_vars=False):
        """The Parameters and persistent buffers by their paths: references, not copies.

        Args:
            *args: `destination`, `prefix`, `keep_vars` by position, as older programs give them.
            destination: a dict to fill. Default: None, a new OrderedDict.
            prefix: put before each path. Default: "".
            keep_vars: passed on to hooks; the dict refers to the Cell's own Parameters and buffers either way. Default: False.

        Examples:
            >>> list(nn.Dense(2, 3).state_dict())
            ['weight', 'bias']
        """
        if args:
            warn_once("positional state_dict", "Positional arguments of state_dict are deprecated: use keywords.", FutureWarning)
            destination, prefix, keep_vars = (*args, *(destination, prefix, keep_vars)[len(args) :])
        if destination is None:
            destination = collections.OrderedDict()
            destination._metadata = collections.OrderedDict()
        metadata = {}
        if hasattr(destination, "_metadata"):
            destination._metadata[prefix[:-1]] = metadata
        for hook in list(self._hooks_of("state_pre").values()):
            hook(self, prefix, keep_vars)
        self._save_to_state_dict(destination, prefix, keep_vars)
        for name, cell in self._cells.items():
            if cell is not None:
                cell.state_dict(destination=destination, prefix=f"{prefix}{name}.", keep_vars=keep_vars)
        for hook in list(self._hooks_of("state_post").values()):
            replaced = hook(self, destination, prefix, metadata)
            if replaced is not None:
                raise RuntimeError("A state_dict post hook should change the dict in place and return None.")
        return destination

    def _save_to_state_dict(self, destination, prefix, keep_vars):
        for name, param in self._params.items():
            if param is not None:
                destination[prefix + name] = param
        for name, buffer in self._buffers.items():
            if buffer is not None and name not in self._non_persistent:
                destination[prefix + name] = buffer
        if _has_extra_state(self):
            destination[prefix + "_extra_state"] = self.get_extra_state()

    def load_state_dict(self, state_dict, strict=True):
        """Set the Parameters and buffers to the values in a dict from `state_dict`; their dtypes stay.

        Args:
            state_dict: a mapping from path to Tensor.
            strict: whether missing and unexpected paths are errors. Default: True.

        Returns:
            A named tuple (missing_keys, unexpected_keys).

        Raises:
            TypeError: `state_dict` is not a mapping.
            RuntimeError: paths are missing or unexpected (with `strict`), or a value does not fit. Those that fit are set.
        """
        if not isinstance(state_dict, collections.abc.Mapping):
            raise TypeError(f"Expected state_dict to be dict-like, got {type(state_dict)}.")
        missing, unexpected, errors = [], [], []
        metadata = getattr(state_dict, "_metadata", None) or {}
        given = collections.OrderedDict(state_dict)

        def load(cell, part, prefix):
            local = metadata.get(prefix[:-1], {})
            cell._load_from_state_dict(part, prefix, local, True, missing, unexpected, errors)
            for name, child in cell._cells.items():
                if child is not None:
                    below = f"{prefix}{name}."
                    load(child, {k: v for k, v in part.items() if k.startswith(below)}, below)
            incompatible = IncompatibleKeys(missing, unexpected)
            for hook in list(cell._hooks_of("load_post").values()):
                if hook(cell, incompatible) is not None:
                    raise RuntimeError("A load_state_dict post hook should change the lists in place and return None.")

        load(self, given, "")
        if strict:
            if unexpected:
                errors.insert(0, "Unexpected key(s) in state_dict: " + ", ".join(f'"{k}"' for k in unexpected) + ". ")
            if missing:
                errors.insert(0, "Missing key(s) in state_dict: " + ", ".join(f'"{k}"' for k in missing) + ". ")
        if errors:
            raise RuntimeError(f"Error(s) in loading state_dict for {type(self).__name__}:\n\t" + "\n\t".join(errors))
        return IncompatibleKeys(missing, unexpected)

    def _load_from_state_dict(self, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs):
        for hook in list(self._hooks_of("load_pre").values()):
            hook(self, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs)
        own = {k: v for k, v in (*self._params.items(), *self._buffers.items()) if v is not None and k not in self._non_persistent}
        for name, target in own.items():
            key = prefix + name
            if key not in state_dict:
                missing_keys.append(key)
                continue
            value = state_dict[key]
            if not isinstance(value, Tensor):
                error_msgs.append(
                    f'While copying the parameter named "{key}", expected Tensor or Tensor-like object from checkpoint but received {type(value)}'
                )
            elif value.shape != target.shape:
                error_msgs.append(
                    f"size mismatch for {key}: copying a param with shape {value.shape} from checkpoint, "
                    f"the shape in current model is {target.shape}."
                )
            else:
                scope.assign(target, value if value.dtype is target.dtype else value.astype(target.dtype))
        extra = prefix + "_extra_state"
        if _has_extra_state(self):
            if extra in state_dict:
                self.set_extra_state(state_dict[extra])
            else:
                missing_keys.append(extra)
        elif extra in state_dict:
            unexpected_keys.append(extra)
        for key in state_dict:
            if key.startswith(prefix) and key != extra:
                first, dot, _ = key[len(prefix) :].partition(".")
                if key[len(prefix) :] not in own and not (dot and self._cells.get(first) is not None):
                    unexpected_keys.append(key)


def _has_extra_state(cell):
    return type(cell).get_extra_state is not StateDict.get_extra_state
