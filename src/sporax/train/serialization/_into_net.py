"""`load_param_into_net`: parameters from a file into a network. Either everything that has a place is loaded, or nothing is."""

import difflib

from sporax._core import dtype as mstype
from sporax._core import scope
from sporax._core.parameter import Parameter
from sporax._core.tensor import Tensor
from sporax._names import log
from sporax.nn import Cell
from sporax.train.serialization import _arguments

_SHOWN = 20
_FLOATS = {mstype.float16, mstype.float32, mstype.float64, mstype.bfloat16}
_INTS = {mstype.int8, mstype.int16, mstype.int32, mstype.int64}


def load_param_into_net(net, parameter_dict, strict_load=False, remove_redundancy=False):
    """Load parameters into a network by their names. If one of them doesn't fit, nothing is changed.

    Args:
        net: a Cell.
        parameter_dict: dict from names to Parameters, such as `load_checkpoint` returns; text in it is left alone.
        strict_load: whether names must be the same, and dtypes too. If False, a prefix that the names in the dict have and the network's have not is
            taken off, and floats are converted to floats and ints to ints. Default: False.
        remove_redundancy: whether the parameters are those of one device of a parallel run; there must be one. Default: False.

    Returns:
        Two lists: names in the network that nothing was loaded for, and names in the dict that were not used.

    Raises:
        TypeError: an argument is of another kind, or `remove_redundancy` without a parallel run.
        RuntimeError: shapes or dtypes don't fit; the message lists all of them, and what the network and the dict have otherwise.

    Examples:
        >>> net = nn.Dense(3, 2)
        >>> ms.load_param_into_net(net, {"bias": ms.Parameter(Tensor([1.0, 2.0]), name="bias"), "epoch": ms.Parameter(3, name="epoch")})
        (['weight'], ['epoch'])
    """
    _check(net, parameter_dict)
    _arguments.boolean("load_param_into_net", "strict_load", strict_load)
    _arguments.instance("remove_redundancy", remove_redundancy, bool, "a bool")
    if remove_redundancy:
        raise TypeError("'remove_redundancy' can only be used in a parallel run, and this is a single process: load a complete checkpoint.")
    own = [(p.name, p) for _, p in net.parameters_and_names()]
    plan, missing = [], []
    unused = dict.fromkeys(parameter_dict)
    for name, param in own:
        new = parameter_dict.get(name)
        if isinstance(new, Parameter):
            plan.append((param, name, new))
            unused.pop(name, None)
        elif name not in parameter_dict and not name.startswith("accu_grads"):
            missing.append(name)
    unexpected = dict(unused)
    if missing and not strict_load:
        for param, name, new in _behind_prefixes(own, parameter_dict, missing):
            plan.append((param, name, new))
            unexpected.pop(name, None)
    values = _converted(plan, strict_load, missing, unexpected)
    if own and parameter_dict and not plan:
        log.warning("For 'load_param_into_net', not one of the %d names in 'parameter_dict' is in the 'net': nothing is loaded.", len(parameter_dict))
    for (param, _, _), value in zip(plan, values, strict=True):
        scope.assign(param, value)
    if missing:
        log.warning(
            "For 'load_param_into_net', %d parameters in the 'net' are not loaded, because they are not in the 'parameter_dict': %s",
            len(missing),
            _listed(missing, unexpected),
        )
    return missing, list(unused)


def _update_param(param, new_param, strict_load):
    """Give one Parameter the value of another, converted as `load_param_into_net` does.

    Raises:
        RuntimeError: it doesn't fit.
    """
    (value,) = _converted([(param, new_param.name, new_param)], strict_load, [], [])
    scope.assign(param, value)


def _check(net, parameter_dict):
    if not isinstance(net, Cell):
        raise TypeError(f"For 'load_param_into_net', the argument 'net' should be a Cell, but got {type(net)}.")
    if not isinstance(parameter_dict, dict):
        raise TypeError(f"For 'load_param_into_net', the argument 'parameter_dict' should be a dict, but got {type(parameter_dict)}.")
    for name, value in parameter_dict.items():
        if not isinstance(name, str) or not isinstance(value, Parameter | str | list):
            raise TypeError(
                "For 'load_param_into_net', 'parameter_dict' should have str keys and Parameters as values, "
                f"but got the key {name!r} with a value of type {type(value).__name__}"
                + (": wrap it in Parameter(...)." if isinstance(value, Tensor) else ".")
            )


def _behind_prefixes(own, parameter_dict, missing):
    """(parameter, name in the dict, new value) for names that differ by a prefix; what is found is taken off `missing`.

    A network that was saved inside another Cell (`network.`, `_backbone.`) has a prefix in the file.
    """
    tried = {""}
    while missing:
        prefix = next((d[: -len(n)] for n in missing for d in parameter_dict if d.endswith(n) and d[: -len(n)] not in tried), None)
        if prefix is None:
            return
        tried.add(prefix)
        log.warning("For 'load_param_into_net', the prefix '%s' is taken off the names in 'parameter_dict'.", prefix)
        for name, param in own:
            new = parameter_dict.get(prefix + name)
            if name in missing and isinstance(new, Parameter):
                missing.remove(name)
                yield param, prefix + name, new


# Whether it fits ------------------------------------------------------------------------------------------------------


def _converted(plan, strict_load, missing, unexpected):
    """The new values in the network's shapes and dtypes, or the error that lists all that don't fit."""
    wrong = [f"{param.name}: {reason}" for param, _, new in plan if (reason := _misfit(param, new, strict_load))]
    if wrong:
        raise RuntimeError(_mismatch(wrong, missing, unexpected))
    return [_fit(param, new) for param, _, new in plan]


def _misfit(param, new, strict_load):
    if not _same_shape(param.shape, new.shape):
        return f"the network has the shape {param.shape}, and 'parameter_dict' has {new.shape}"
    kinds = {param.dtype, new.dtype}
    if len(kinds) > 1 and (strict_load or not (kinds <= _FLOATS or kinds <= _INTS)):
        fix = " (strict_load=False converts it)" if kinds <= _FLOATS or kinds <= _INTS else ""
        return f"the network has the dtype {param.dtype}, and 'parameter_dict' has {new.dtype}{fix}"
    return None


def _same_shape(own, new):
    """Whether a shape is the network's, apart from axes of length 1 at its end, which some devices add."""
    return new == own or (len(new) > len(own) and new[: len(own)] == own and all(d == 1 for d in new[len(own) :]))


def _fit(param, new):
    value = new if new.shape == param.shape else new.reshape(param.shape)
    return value if value.dtype is param.dtype else value.astype(param.dtype)


def _mismatch(wrong, missing, unexpected):
    text = "For 'load_param_into_net', these parameters don't fit, and nothing was loaded:\n  " + "\n  ".join(_short(wrong))
    if missing:
        text += f"\nIn the network, but not in 'parameter_dict': {_listed(missing, unexpected)}"
    if unexpected:
        text += f"\nIn 'parameter_dict', but not in the network: {', '.join(_short(list(unexpected)))}"
    return text + "\nIs it a checkpoint of this network? `choice_func` of load_checkpoint leaves parameters out."


def _listed(missing, unexpected):
    """The missing names, each with the nearest name that nothing was found for."""
    shown = []
    for name in _short(missing):
        near = difflib.get_close_matches(name, list(unexpected)[:2000], 1)
        shown.append(f"{name} (nearest: {near[0]})" if near else name)
    return ", ".join(shown)


def _short(names):
    return names if len(names) <= _SHOWN else [*names[:_SHOWN], f"... and {len(names) - _SHOWN} more"]
