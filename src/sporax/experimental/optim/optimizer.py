"""The base of the optimizers with `param_groups`: dicts with Parameters and their options, which programs may read and change at any time."""

from collections import abc, defaultdict

import numpy as np

from sporax._core import context
from sporax._core import dtype as mstype
from sporax._core.parameter import Parameter, ParameterTuple
from sporax._core.tensor import Tensor
from sporax.nn.cell import Cell
from sporax.nn.optim._gradients import Gradients


def _changing(name):
    """A method of dict that tells compiled programs."""
    method = getattr(dict, name)

    def change(self, *args, **kwargs):
        context.bump_epoch()
        return method(self, *args, **kwargs)

    change.__name__, change.__doc__ = name, method.__doc__
    return change


class Group(dict):
    """The options of a group; a change is seen by compiled programs."""

    __setitem__, __delitem__, __ior__ = _changing("__setitem__"), _changing("__delitem__"), _changing("__ior__")
    update, setdefault, pop, popitem, clear = (
        _changing("update"),
        _changing("setdefault"),
        _changing("pop"),
        _changing("popitem"),
        _changing("clear"),
    )


class Optimizer(Gradients, Cell):
    """Base class of optimizers with groups.

    Args:
        params: Parameters, or dicts with "params" (a Parameter or a list of them) and options of their own.
        defaults: a dict: the options of groups that lack them; "lr" is needed, "weight_decay" is 0.0 if missing.

    `param_groups` is the list of the groups. `group["lr"]` is a Parameter: change it with `ops.assign(group["lr"], 0.01)`, or set it to a number.
    `parameters` are the Parameters of all groups, `lrs` the learning rates, `group_start_id` the index of each group's first Parameter.

    Raises:
        ValueError: no parameters, a Parameter in two groups, a number below 0.
        TypeError: something of the wrong kind.

    Examples:
        >>> class Descent(ms.experimental.optim.Optimizer):
        ...     def __init__(self, params, lr):
        ...         super().__init__(params, {"lr": lr})
        ...     def construct(self, gradients):
        ...         for group, start in zip(self.param_groups, self.group_start_id):
        ...             for i, p in enumerate(group["params"]):
        ...                 p -= group["lr"] * gradients[start + i]
        >>> p = ms.Parameter(Tensor([1.0]), name="p")
        >>> opt = Descent([p], lr=0.5)
        >>> opt((Tensor([1.0]),)), p.value().tolist()
        (None, [0.5])
        >>> opt
        Descent (
        Parameter Group 0
            lr: 0.5
            weight_decay: 0.0
        )
    """

    def __init__(self, params, defaults):
        super().__init__(auto_prefix=False)
        self.defaults, self.state = defaults, defaultdict(dict)
        own = self.__dict__
        own["param_groups"], own["lrs"], own["group_start_id"] = [], [], [0]
        self.parameters = ParameterTuple(())
        groups = self._listed(params)
        for group in groups if isinstance(groups[0], dict) else [{"params": groups}]:
            self.add_param_group(group)

    def _listed(self, params):
        if params is None:
            raise ValueError("For 'Optimizer', the argument params can not be None.")
        if isinstance(params, Tensor) or not isinstance(params, abc.Iterable):
            raise TypeError(f"For 'Optimizer', 'params' should be a list of Parameters or of dicts, but got {type(params).__name__}.")
        params = list(params)
        if not params:
            raise ValueError("For 'Optimizer', the argument params must not be empty: does the network have trainable parameters?")
        return params

    @property
    def _parameters(self):
        return self.parameters

    @property
    def param_length(self):
        """The number of Parameters."""
        return len(self.parameters)

    def add_param_group(self, param_group):
        """Add a group.

        Args:
            param_group: a dict with "params" and options; others are the defaults.

        Raises:
            TypeError: not a dict, its "params" are a set, or one is not a Parameter.
            ValueError: a Parameter belongs to another group.
        """
        if not isinstance(param_group, dict):
            raise TypeError(f"Param group must be a dict, but got {type(param_group).__name__}.")
        group = Group(param_group)
        params = group["params"]
        if isinstance(params, set):
            raise TypeError("Parameters should be in an order, but a set has none: use a list.")
        params = [params] if isinstance(params, Parameter) else list(params)
        known = {id(p) for p in self.parameters}
        for p in params:
            if not isinstance(p, Parameter):
                raise TypeError(f"Optimizers change Parameters, but one of the 'params' is a {type(p).__name__}.")
            if id(p) in known:
                raise ValueError(f"Parameter '{p.name}' appears in more than one parameter group.")
        group["params"] = params
        for name, default in self.defaults.items():
            group.setdefault(name, default)
        lr = self._rate(group.get("lr"), f"learning_rate_group_{len(self.param_groups)}")
        decay = group.get("weight_decay", 0.0)
        if isinstance(decay, bool) or not isinstance(decay, int | float):
            raise TypeError(f"For 'Optimizer', 'weight_decay' should be an int or float, but got {decay!r} of type {type(decay).__name__}.")
        if not decay >= 0:
            raise ValueError(f"For 'Optimizer', 'weight_decay' should be at least 0, but got {decay}.")
        group["lr"], group["weight_decay"] = lr, float(decay)
        self.parameters = ParameterTuple((*self.parameters, *params))
        self.lrs.append(lr)
        self.param_groups.append(group)
        self.group_start_id.append(self.group_start_id[-1] + len(params))

    def _rate(self, lr, name):
        if isinstance(lr, Tensor):
            if lr.ndim:
                raise ValueError(f"For 'Optimizer', a Tensor as learning rate should be a scalar, but got shape {lr.shape}.")
            return Parameter(lr.astype(mstype.float32), name=name)
        if not isinstance(lr, int | float):
            raise TypeError(f"For 'Optimizer', the learning rate should be an int, float or Tensor, but got {lr!r} of type {type(lr).__name__}.")
        if not lr >= 0:
            raise ValueError(f"For 'Optimizer', the learning rate should be at least 0, but got {lr}.")
        return Parameter(Tensor(np.float32(lr)), name=name)

    def _trace_fingerprint(self):
        options = tuple((k, _seen(v)) for group in self.param_groups for k, v in group.items())
        return (*super()._trace_fingerprint(), options)

    def __repr__(self):
        lines = [f"{type(self).__name__} ("]
        for i, group in enumerate(self.param_groups):
            lines.append(f"Parameter Group {i}")
            lines += [f"    {k}: {v.value() if isinstance(v, Parameter) else v}" for k, v in sorted(group.items()) if k != "params"]
        return "\n".join([*lines, ")"])

    def construct(self, *hyper_params):
        raise NotImplementedError(f"'{type(self).__name__}' should define construct(self, gradients).")


def _seen(value):
    """What a compiled program has seen of an option: numbers and text by content, Tensors as handles that it reads anew."""
    if isinstance(value, tuple):
        return tuple(_seen(v) for v in value)
    return value if isinstance(value, bool | int | float | str | None) else id(value)
