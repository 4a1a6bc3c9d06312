"""Optimizers that are a rule of `_kernels.optim_groups`: states of the Parameters, a step counter, and one op for the update of all of them."""

import numpy as np

from sporax._core import scope
from sporax._core.dispatch import apply, flush_step
from sporax._core.parameter import Parameter, ParameterTuple
from sporax._core.tensor import Tensor
from sporax._kernels import optim_groups as K
from sporax.experimental.optim.optimizer import Optimizer


class RuleOptimizer(Optimizer):
    """An optimizer that says what its rule, states and options are.

    `rule`: of `_kernels.optim_groups`. `states`: names of the states, in the rule's order. `counter`: name of the step counter or None, which starts
    from `first`. `decoupled`: whether the rule takes the weight decay.
    """

    rule = None
    states: tuple = ()
    scalars: dict = {}  # a state of one number for each Parameter -> where it starts
    counter: str | None = "step_t"
    first: object = np.int32(0)
    counts_first = False  # whether the counter is listed before the states
    decoupled = False

    def __init__(self, params, defaults):
        self._check(defaults)
        super().__init__(params, defaults)
        if self.counts_first:
            self._start_counter()
        for name in self._shaped():
            setattr(self, name, self.parameters.clone(name, self._initial(name)))
        if not self.counts_first:
            self._start_counter()
        for name, start in self.scalars.items():
            self.__dict__[name] = _scalars(name, start, self.parameters)

    def _start_counter(self):
        if self.counter:
            setattr(self, self.counter, Parameter(Tensor(self.first), name=self.counter))

    def _shaped(self):
        """The states that have the shapes of the Parameters."""
        return [n for n in self.states if n not in self.scalars]

    def _initial(self, name):
        """Where a state starts."""
        return "zeros"

    def add_param_group(self, param_group):
        known = len(self.parameters)
        self._check({**self.defaults, **param_group} if isinstance(param_group, dict) else self.defaults)
        super().add_param_group(param_group)
        new = self.parameters[known:]
        for name in self.states:
            if name in self.scalars and name in self.__dict__:
                self.__dict__[name] = ParameterTuple((*getattr(self, name), *_scalars(name, self.scalars[name], new)))
            elif name in self.__dict__:
                setattr(self, name, ParameterTuple((*getattr(self, name), *ParameterTuple(new).clone(name, self._initial(name)))))

    def _check(self, options):
        """Raise if options are out of range."""

    def _state(self, name):
        """The states of a name: for each Parameter one, or None."""
        return getattr(self, name)

    def _options(self, group):
        """The hyper-parameters of a group in the rule's order, and its flags."""
        raise NotImplementedError(f"'{type(self).__name__}' should define _options(self, group).")

    def construct(self, gradients):
        gradients = self.check_gradients(gradients)
        states = [s for name in self.states for s in self._state(name)]
        step = getattr(self, self.counter) if self.counter else None
        numbers, groups = [], []
        for group in self.param_groups:
            hyper, flags = self._options(group)
            numbers += (group["lr"], float(group["weight_decay"]) or None, *hyper)
            groups.append((len(group["params"]), len(hyper), bool(group.get("maximize")), tuple(flags.items())))
        out = apply(
            K.update_groups, (*self.parameters, *gradients, *states, step, *numbers), rule=self.rule, groups=tuple(groups), states=len(self.states),
            first=int(np.asarray(self.first).reshape(())), decoupled=self.decoupled,
        )  # fmt: skip
        handles = [h for h in (*self.parameters, *states, step) if h is not None]
        for handle, value in zip(handles, out, strict=True):
            scope.assign(handle, value)
        del out, gradients
        flush_step()
        return True

    # Checks ------------------------------------------------------------------------------------------------------------

    def _at_least(self, options, **bounds):
        for key, low in bounds.items():
            if options[key] < low:
                raise ValueError(f"For '{type(self).__name__}', '{key}' should be at least {low}, but got {options[key]}.")

    def _above(self, options, **bounds):
        for key, low in bounds.items():
            if options[key] <= low:
                raise ValueError(f"For '{type(self).__name__}', '{key}' should be greater than {low}, but got {options[key]}.")

    def _of_type(self, options, **types):
        for key, kinds in types.items():
            if not isinstance(options[key], kinds):
                raise TypeError(f"For '{type(self).__name__}', '{key}' should be {_names(kinds)}, but got {options[key]!r}.")

    def _fraction(self, key, value, zero=True, one=False):
        """A float between 0 and 1."""
        if not isinstance(value, float):
            raise TypeError(f"For '{type(self).__name__}', '{key}' should be a float, but got {value!r} of type {type(value).__name__}.")
        if not (0 <= value if zero else 0 < value) or not (value <= 1 if one else value < 1):
            raise ValueError(f"For '{type(self).__name__}', '{key}' should be in {'[' if zero else '('}0, 1{']' if one else ')'}, but got {value}.")


def _names(kinds):
    return " or ".join(k.__name__ for k in kinds) if isinstance(kinds, tuple) else kinds.__name__


def _scalars(name, start, parameters):
    return ParameterTuple([Parameter(Tensor(np.float32(start)), name=f"{name}_{p.name}") for p in parameters])
