"""An exponential moving average of parameters, which often generalizes better than the last ones (Polyak and Juditsky, 1992)."""

import contextlib

from sporax._core import scope
from sporax._core.parameter import Parameter
from sporax._core.tensor import Tensor
from sporax.nn.cell import Cell


class MovingAverage(Cell):
    """average = decay average + (1 - decay) parameter, after each update.

    Args:
        parameters: the Parameters to average.
        decay: a number in [0, 1).

    Raises:
        ValueError: `decay` is out of range.

    Examples:
        >>> from sporax.steps import MovingAverage
        >>> p = ms.Parameter(Tensor([0.0]), name="p")
        >>> average = MovingAverage([p], decay=0.9)
        >>> p.set_data(Tensor([1.0])).name
        'p'
        >>> average()
        >>> with average.applied():
        ...     print(p.value())
        [0.1]
        >>> print(p.value())
        [1.]
    """

    def __init__(self, parameters, decay):
        super().__init__(auto_prefix=False)
        if isinstance(decay, bool) or not isinstance(decay, int | float) or not 0 <= decay < 1:
            raise ValueError(f"The decay of a moving average should be in [0, 1), but got {decay!r}.")
        self.decay, self._averaged = float(decay), tuple(parameters)
        for p in self._averaged:
            self.insert_param_to_cell("ema." + p.name, Parameter(Tensor(p.value()), name="ema." + p.name, requires_grad=False), False)

    @property
    def averages(self):
        """The averages, Parameters in the order of the averaged ones."""
        return tuple(self._params.values())

    def construct(self):
        """Move the averages towards the present values."""
        for p, average in zip(self._averaged, self.averages, strict=True):
            scope.assign(average, average * self.decay + (p * (1 - self.decay)).astype(average.dtype))

    @contextlib.contextmanager
    def applied(self):
        """Context in which the parameters have their averages, for evaluation; afterwards they have their own values again."""
        own = [Tensor(p.value()) for p in self._averaged]
        for p, average in zip(self._averaged, self.averages, strict=True):
            scope.assign(p, Tensor(average.value()))
        try:
            yield
        finally:
            for p, value in zip(self._averaged, own, strict=True):
                scope.assign(p, value)
