"""The base of all optimizers: parameters in groups, learning rates, weight decay, gradients in any usual form.

The update of all parameters is one op (`_kernels.optim.update`), so a step costs one dispatch whatever the number of parameters.
"""

import math
from collections import abc
from typing import Any

import numpy as np

from sporax._core import scope
from sporax._core.dispatch import apply, flush_step
from sporax._core.parameter import Parameter, ParameterTuple
from sporax._core.tensor import Tensor
from sporax._kernels import optim as K
from sporax.nn.cell import Cell
from sporax.nn.optim._gradients import Gradients
from sporax.nn.schedule.learning_rate_schedule import LearningRateSchedule

_GROUP_KEYS = ("params", "lr", "weight_decay", "order_params", "grad_centralization")


def opt_init_args_register(fn):
    """Decorator of constructors of optimizers: keeps the arguments in `init_args`."""
    import functools
    import inspect

    @functools.wraps(fn)
    def wrapped(self, *args, **kwargs):
        bound = inspect.signature(fn).bind(self, *args, **kwargs)
        bound.apply_defaults()
        fn(self, *args, **kwargs)
        self.init_args = {k: v for k, v in list(bound.arguments.items())[1:] if k != "params"}

    return wrapped


class _ListedRate(Cell):
    """A learning rate for each step; the last one stays."""

    def __init__(self, values, name):
        super().__init__(auto_prefix=False)
        self.learning_rate = Parameter(Tensor(np.asarray(values, np.float32)), name=name)
        self.last = len(values) - 1

    def construct(self, global_step):
        step = global_step.reshape(()).clip(0, self.last)
        return self.learning_rate[step]


class _ConstantRate(Cell):
    """A learning rate that stays, beside others that change."""

    def __init__(self, rate):
        super().__init__(auto_prefix=False)
        self.learning_rate = rate

    def construct(self, global_step):
        return self.learning_rate


class Optimizer(Gradients, Cell):
    """Base class of optimizers.

    Args:
        learning_rate: a number, a list or Tensor with one for each step, an iterable, or a `LearningRateSchedule`.
        parameters: Parameters, or groups: dicts with "params" and "lr", "weight_decay", "grad_centralization", and one dict with
            "order_params", the order of all.
        weight_decay: a non-negative number, or a Cell of the global step. Added to the gradient: g + weight_decay p. Without groups,
            parameters with "beta" or "gamma" in their names are left out. Default: 0.0.
        loss_scale: gradients are divided by it. Default: 1.0.

    Raises:
        ValueError: no parameters, a parameter twice, a number out of range.
        TypeError: something of the wrong kind.
        KeyError: an unknown key in a group.

    Examples:
        >>> net = nn.Dense(2, 1)
        >>> opt = nn.Momentum([{"params": [net.weight], "lr": 0.1}, {"params": [net.bias]}], 0.01, 0.9)
        >>> [round(lr.item(), 3) for lr in opt.get_lr()]
        [0.1, 0.01]
    """

    def __init__(self, learning_rate, parameters, weight_decay=0.0, loss_scale=1.0):
        super().__init__(auto_prefix=False)
        parameters = self._listed(parameters)
        self._check_lr(learning_rate)
        self.loss_scale = self._positive("loss_scale", loss_scale)
        self.reciprocal_scale = 1.0 / float(loss_scale)
        self.need_scale = float(loss_scale) != 1.0
        self._check_decay(weight_decay)
        self.is_group = isinstance(parameters[0], dict)
        self.is_group_lr = self.is_group_params_ordered = False
        self.global_step = Parameter(Tensor(np.zeros(1, np.int32)), name="global_step", requires_grad=False)
        self.unique, self._target, self.param_rank = True, "Ascend", None
        groups = self._groups(parameters, learning_rate, weight_decay) if self.is_group else [_Group(parameters, learning_rate, weight_decay, False)]
        self._arrange(groups, learning_rate, weight_decay)

    # Arguments -------------------------------------------------------------------------------------------------------

    def _listed(self, parameters):
        if parameters is None:
            raise ValueError("For 'Optimizer', the argument parameters can not be None.")
        if isinstance(parameters, Tensor) or not isinstance(parameters, abc.Iterable):
            raise TypeError(
                f"For 'Optimizer', 'parameters' should be a list of Parameters or of dicts, but got "
                f"{type(parameters).__name__}: use net.trainable_params()."
            )
        parameters = list(parameters)
        if not parameters:
            raise ValueError("For 'Optimizer', the argument parameters must not be empty: does the network have trainable parameters?")
        kinds = {isinstance(p, dict) for p in parameters}
        if len(kinds) > 1 or not all(isinstance(p, dict | Parameter) for p in parameters):
            bad = next((type(p).__name__ for p in parameters if not isinstance(p, dict | Parameter)), "a mixture of both")
            raise TypeError(f"For 'Optimizer', all elements of the argument 'parameters' must be 'Parameter' or 'dict', but got {bad}.")
        return parameters

    def _number(self, key, value):
        if isinstance(value, str) or not isinstance(value, int | float | np.number):
            raise TypeError(f"For '{type(self).__name__}', the type of '{key}' should be a number, but got {value!r} of type {type(value).__name__}.")
        if not math.isfinite(value):
            raise ValueError(f"For '{type(self).__name__}', the '{key}' must be a finite number, but got {value}.")
        return float(value)

    def _positive(self, key, value, zero=False):
        number = self._number(key, value)
        if number < 0 or (number == 0 and not zero):
            raise ValueError(f"For '{type(self).__name__}', the '{key}' must be {'>= 0' if zero else '> 0'}, but got {value}.")
        return number

    def _float(self, key, value, low=-math.inf, high=math.inf, closed=False):
        """A float in an (open) interval, as MindSpore checks most hyper-parameters."""
        if not isinstance(value, float):
            raise TypeError(
                f"For '{type(self).__name__}', the type of '{key}' should be 'float', but got {value!r} of type '{type(value).__name__}'."
            )
        if not (low <= value <= high if closed else low < value < high):
            raise ValueError(
                f"For '{type(self).__name__}', the '{key}' must be in range of {'[' if closed else '('}{low}, "
                f"{high}{']' if closed else ')'}, but got {value}."
            )
        return value

    def _bool(self, key, value):
        if not isinstance(value, bool):
            raise TypeError(f"For '{type(self).__name__}', the type of '{key}' should be 'bool', but got {value!r} of type '{type(value).__name__}'.")
        return value

    def _check_lr(self, lr):
        if isinstance(lr, str):
            raise ValueError(f"For '{type(self).__name__}', 'learning_rate' should be a number, but got the text {lr!r}.")
        if isinstance(lr, int | float):
            self._positive("learning rate", lr, zero=True)
        elif isinstance(lr, Cell):
            if not isinstance(lr, LearningRateSchedule):
                raise TypeError(f"For 'Optimizer', a Cell as 'learning_rate' should be a LearningRateSchedule, but got {type(lr).__name__}.")
        elif not isinstance(lr, Tensor | np.ndarray | abc.Iterable):
            raise TypeError(
                f"For 'Optimizer', the argument 'learning_rate' must be int, float, Tensor, Iterable or LearningRateSchedule, but got {type(lr)}."
            )

    def _check_decay(self, decay):
        if isinstance(decay, Cell):
            return
        if isinstance(decay, str) or not isinstance(decay, int | float):
            raise TypeError(f"For 'Optimizer', the argument 'Weight_decay' must be int, float or Cell, but got {type(decay)}.")
        self._positive("weight_decay", decay, zero=True)

    def _groups(self, parameters, learning_rate, weight_decay):
        groups, order, seen = [], None, {}
        for spec in parameters:
            unknown = [k for k in spec if k not in _GROUP_KEYS]
            if unknown:
                raise KeyError(f"For 'Optimizer', the key in group params must be one of {_GROUP_KEYS}, but got {unknown}.")
            if "order_params" in spec:
                if len(spec) > 1:
                    raise ValueError("For 'Optimizer', the dict with 'order_params' should have no other keys.")
                order = list(spec["order_params"])
                continue
            params = list(spec["params"])
            if not params:
                raise ValueError("For 'Optimizer', the argument group `params` must not be empty.")
            centralize = spec.get("grad_centralization", False)
            if not isinstance(centralize, bool):
                raise TypeError(f"For 'Optimizer', the 'grad_centralization' must be bool type, but got {centralize!r}.")
            if "lr" in spec:
                self._check_lr(spec["lr"])
                self.is_group_lr = True
            if "weight_decay" in spec:
                self._check_decay(spec["weight_decay"])
            for p in params:
                if not isinstance(p, Parameter):
                    raise TypeError(f"For 'Optimizer', each of a group's 'params' should be a Parameter, but got {type(p).__name__}.")
                if id(p) in seen:
                    raise RuntimeError(
                        f"For 'Optimizer', the {p.name} parameter already exists in another group: a parameter belongs to one group only."
                    )
                seen[id(p)] = p
            groups.append(
                _Group(
                    params,
                    spec.get("lr", learning_rate),
                    spec.get("weight_decay", weight_decay),
                    centralize,
                    own_lr="lr" in spec,
                    own_decay="weight_decay" in spec,
                )
            )
        if not groups:
            raise ValueError("For 'Optimizer', there should be a group with 'params'.")
        if order is not None:
            if len(order) != len(seen) or any(id(p) not in seen for p in order):
                raise ValueError(
                    f"For 'Optimizer', 'order_params' should hold each of the {len(seen)} parameters of the groups once, but got {len(order)}."
                )
            self.is_group_params_ordered = True
        self._order = order
        return groups

    def _arrange(self, groups, learning_rate, weight_decay):
        rows = [(p, g) for g in groups for p in g.params]
        if self.is_group and self._order is not None:
            of = {id(p): g for p, g in rows}
            rows = [(p, of[id(p)]) for p in self._order]
        names: dict = {}
        for p, _ in rows:
            if p.name in names:
                raise ValueError(
                    f"For 'Optimizer', {names[p.name]} and {p} , its name '{p.name}' already exists: two parameters have one name. "
                    "Give the Cells different "
                    "prefixes with cell.update_parameters_name('prefix.'), or pass each parameter once."
                )
            names[p.name] = p
        rates, self._lr_of, decays, self._wd_of = [], [], [], []
        for _, g in rows:
            self._lr_of.append(_index(rates, g.lr))
            self._wd_of.append(_index(decays, g.decay))
        self.__dict__["_rates"] = [self._rate(lr, groups, learning_rate) for lr in rates]
        self.dynamic_lr = any(isinstance(r, Cell) for r in self._rates)
        if self.dynamic_lr:
            # constant ones become Cells too, so that all are listed after the optimizer's own parameters
            self._rates[:] = [r if isinstance(r, Cell) else _ConstantRate(r) for r in self._rates]
        # a Cell lists a Parameter once, and this names it for each parameter
        self.__dict__["learning_rate"] = self._rates[0] if len(self._rates) == 1 else tuple(self._rates[i] for i in self._lr_of)
        for r in self._rates:
            if isinstance(r, Cell):
                self._cells[f"rate_{len(self._cells)}"] = r
            elif r.name not in self._params:
                self._adopt(r.name, r)
        self._decays = decays
        self.dynamic_weight_decay = any(isinstance(d, Cell) for d in decays)
        self.weight_decay: Any = decays[0] if len(decays) == 1 else tuple(decays[i] for i in self._wd_of)
        self._parameters = ParameterTuple([p for p, _ in rows])
        self.parameters = self._parameters
        self._centralized = tuple(g.centralize for _, g in rows)
        if self.is_group:
            self.decay_flags = tuple(isinstance(g.decay, Cell) or g.decay > 0 for _, g in rows)
        else:
            self.decay_flags = tuple("beta" not in p.name and "gamma" not in p.name for p, _ in rows)
        self.exec_weight_decay = any(isinstance(d, Cell) or d > 0 for d in decays)
        self.param_length = len(rows)

    def _rate(self, lr, groups, default):
        """The Parameter or Cell of one distinct learning rate."""
        if isinstance(lr, Cell):
            return lr
        index = next(i for i, g in enumerate(groups) if g.lr is lr)
        own = self.is_group and groups[index].own_lr
        name = f"learning_rate_group_{index}" if own else "learning_rate"
        if isinstance(lr, int | float):
            return Parameter(Tensor(np.float32(lr)), name=name)
        values = lr.asnumpy() if isinstance(lr, Tensor) else np.asarray(list(lr) if not isinstance(lr, np.ndarray) else lr, np.float32)
        if values.ndim > 1:
            raise ValueError(f"For 'Optimizer', a learning rate for each step should be 1-d, but got shape {values.shape}.")
        if values.size == 0:
            raise ValueError("For 'Optimizer', a list of learning rates should not be empty.")
        if not np.isfinite(values).all() or (values < 0).any():
            raise ValueError(f"For 'Optimizer', learning rates should be finite and not negative, but got {values.min()}.")
        if values.ndim == 0:
            return Parameter(Tensor(values.astype(np.float32)), name=name)
        return _ListedRate(values, name)

    def _adopt(self, key, p):
        self._params[key] = p

    # Looking ------------------------------------------------------------------------------------------------------------

    def _rate_tensors(self):
        return [r(self.global_step).reshape(()) if isinstance(r, Cell) else r for r in self._rates]

    def get_lr(self):
        """The learning rate of the present step: a Tensor, or with groups of their own a tuple with one for each parameter."""
        rates = [r.value() if isinstance(r, Parameter) else r for r in self._rate_tensors()]
        return tuple(rates[i] for i in self._lr_of) if self.is_group_lr else rates[0]

    def get_weight_decay(self):
        """The weight decay of the present step: a Tensor or number, or with groups a tuple with one for each parameter."""
        values = [d(self.global_step).reshape(()) if isinstance(d, Cell) else Tensor(float(d)) for d in self._decays]
        return tuple(values[i] for i in self._wd_of) if self.is_group else values[0]

    def get_lr_parameter(self, param):
        """The learning rate (Parameter or schedule) of a Parameter, or a list of them for a list.

        Raises:
            TypeError: not a Parameter or a list of Parameters of this optimizer.
        """
        if not isinstance(param, Parameter | list):
            raise TypeError(f"For 'get_lr_parameter', 'param' should be a Parameter or a list of them, but got {type(param).__name__}.")
        found = []
        for p in param if isinstance(param, list) else [param]:
            index = next((i for i, q in enumerate(self._parameters) if q is p), None)
            if index is None:
                raise TypeError(f"The parameter {getattr(p, 'name', p)!r} does not belong to this optimizer.")
            found.append(self._rates[self._lr_of[index]])
        return found if isinstance(param, list) else found[0]

    @property
    def target(self):
        """Kept for compatibility: where MindSpore would run the update."""
        return self._target

    @target.setter
    def target(self, value):
        if value not in ("CPU", "Ascend", "GPU"):
            raise ValueError(f"For 'Optimizer', 'target' should be 'CPU', 'Ascend' or 'GPU', but got {value!r}.")
        self.__dict__["_target"] = value

    def first_rates(self):
        """The learning rate of the first step of each parameter, as numbers."""
        rates = [float(r.asnumpy()) for r in self._rate_tensors()]
        return [rates[i] for i in self._lr_of]

    def state_parameters(self, prefix, init: str | float = "zeros"):
        """A state of every parameter: clones named `prefix.name`."""
        return self._parameters.clone(prefix, init)

    # The pieces user-defined optimizers are made of ------------------------------------------------------------------------

    def decay_weight(self, gradients):
        """The gradients plus weight decay times parameters."""
        if not self.exec_weight_decay:
            return gradients
        decays = self.get_weight_decay()
        decays = decays if isinstance(decays, tuple) else (decays,) * self.param_length
        return tuple(
            g + d.astype(p.dtype) * p if flag else g for g, d, p, flag in zip(gradients, decays, self._parameters, self.decay_flags, strict=True)
        )

    def scale_grad(self, gradients):
        """The gradients divided by the loss scale."""
        return tuple(g * self.reciprocal_scale for g in gradients) if self.need_scale else gradients

    def gradients_centralization(self, gradients):
        """The gradients, centralized where a group asks for it."""
        return tuple(apply(K.centralize, (g,)) if on else g for g, on in zip(gradients, self._centralized, strict=True))

    def flatten_gradients(self, gradients):
        """The gradients as they are; MindSpore's fusion of small ones is the compiler's task here."""
        return gradients

    def broadcast_params(self, optim_result):
        """The result of the update; parameters are sharded by the compiler."""
        return optim_result

    # Updates ---------------------------------------------------------------------------------------------------------------

    def update(self, rule, gradients, states, *hyper, decoupled=False, **static):
        """Apply a rule of `_kernels.optim` to all parameters as one op, and move the global step.

        Args:
            rule: the rule.
            gradients: as the optimizer was called with.
            states: a list of ParameterTuples.
            *hyper: hyper-parameters, numbers or Tensors.
            decoupled: the rule gets the weight decay (or None) as its last hyper-parameter, instead of it being added to the gradients.
            Default: False.
            **static: flags of the rule.
        """
        gradients = self.check_gradients(gradients)
        rates = self._rate_tensors()
        decayed = self.exec_weight_decay
        decays = [d(self.global_step).reshape(()) if isinstance(d, Cell) else float(d) for d in self._decays] if decayed else []
        n = self.param_length
        inputs = (
            *self._parameters,
            *gradients,
            *[s for group in states for s in group],
            *rates,
            *decays,
            self.reciprocal_scale if self.need_scale else None,
            self.global_step,
            *hyper,
        )
        out = apply(
            K.update, inputs, rule=rule, count=n, states=len(states), decayed=self.decay_flags if decayed else (False,) * n, centralized=self._centralized,
            lr_of=tuple(self._lr_of), wd_of=tuple(self._wd_of) if decayed else (None,) * n, lrs=len(rates), wds=len(decays), decoupled=decoupled, static=tuple(static.items()),
        )  # fmt: skip
        handles = (*self._parameters, *[s for group in states for s in group], self.global_step)
        for handle, value in zip(handles, out, strict=True):
            scope.assign(handle, value)
        del out, inputs, gradients
        flush_step()
        return (True,) * n

    def update_decoupled(self, rule, gradients, states, *hyper, **static):
        """`update` with a rule that takes the weight decay as its last hyper-parameter (None for parameters without)."""
        return self.update(rule, gradients, states, *hyper, decoupled=True, **static)

    def construct(self, gradients):
        raise NotImplementedError(f"'{type(self).__name__}' should define construct(self, gradients).")


class _Group:
    def __init__(self, params, lr, decay, centralize, own_lr=False, own_decay=False):
        self.params, self.lr, self.decay, self.centralize, self.own_lr, self.own_decay = params, lr, decay, centralize, own_lr, own_decay


def _index(known, value):
    for i, v in enumerate(known):
        if v is value or (type(v) is type(value) and isinstance(v, int | float) and v == value):
            return i
    known.append(value)
    return len(known) - 1
