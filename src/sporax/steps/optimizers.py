"""Different optimizers for different parts of a network."""

import fnmatch

from sporax.nn.cell import Cell
from sporax.nn.layer.container import CellList


class Optimizers(Cell):
    """One optimizer for the parameters whose names match a pattern, another for those that match the next.

    Args:
        by_pattern: a dict from a pattern (`fnmatch`: `"backbone.*"`) to a function that makes an optimizer of a list of Parameters, such as
            `nn.Adam` or `lambda ps: nn.SGD(ps, 0.1)`. A parameter belongs to the first pattern that matches.
        parameters: the Parameters. Default: None; `TrainStep` gives those of its network.

    Raises:
        ValueError: no pattern matches a parameter, or a pattern matches none.

    Examples:
        >>> from sporax.steps import Optimizers
        >>> net = nn.SequentialCell(nn.Dense(2, 2), nn.Dense(2, 1))
        >>> both = Optimizers({"0.*": lambda ps: nn.SGD(ps, 0.1), "*": nn.Adam}, net.trainable_params())
        >>> [(type(o).__name__, len(o.parameters)) for o in both.optimizers]
        [('SGD', 2), ('Adam', 2)]
    """

    def __init__(self, by_pattern, parameters=None):
        super().__init__(auto_prefix=False)
        if not isinstance(by_pattern, dict) or not by_pattern or not all(map(callable, by_pattern.values())):
            raise TypeError(f"For 'Optimizers', give a dict from name patterns to functions that make an optimizer, but got {by_pattern!r}.")
        self._by_pattern, self._bound = dict(by_pattern), None
        if parameters is not None:
            self.bind(parameters)

    def bind(self, parameters):
        """Make the optimizers for these Parameters; returns self. A second call changes nothing."""
        if self._bound is not None:
            return self
        groups = {pattern: [] for pattern in self._by_pattern}
        parameters = list(parameters)
        for i, p in enumerate(parameters):
            pattern = next((q for q in groups if fnmatch.fnmatchcase(p.name, q)), None)
            if pattern is None:
                raise ValueError(f"For 'Optimizers', no pattern of {list(groups)} matches the parameter '{p.name}'. Add '*' as the last pattern.")
            groups[pattern].append(i)
        empty = [q for q, members in groups.items() if not members]
        if empty:
            raise ValueError(f"For 'Optimizers', the patterns {empty} match no further parameter. The names are {[p.name for p in parameters]}.")
        self._bound = tuple(groups.values())
        self.parameters = tuple(parameters)
        self.optimizers = CellList([self._by_pattern[q]([parameters[i] for i in members]) for q, members in groups.items()])
        return self

    def construct(self, gradients):
        """Update all parameters.

        Args:
            gradients: a Tensor for each parameter, in their order.
        """
        if self._bound is None:
            raise ValueError("These 'Optimizers' have no parameters yet: call bind(net.trainable_params()), or give them to a TrainStep.")
        if len(gradients) != len(self.parameters):
            raise ValueError(f"For 'Optimizers', there are {len(self.parameters)} parameters, but {len(gradients)} gradients.")
        for optimizer, members in zip(self.optimizers, self._bound, strict=True):
            optimizer(tuple([gradients[i] for i in members]))
