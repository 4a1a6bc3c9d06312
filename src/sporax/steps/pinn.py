"""Derivatives of a network with respect to its inputs, for losses that are differential equations (Raissi et al., 2019)."""

from sporax._core.forward import jvp
from sporax._core.tensor import Tensor
from sporax.steps.second_order.variables import check_function


def partial_derivative(net, *columns):
    """The function x -> the partial derivative of `net(x)` with respect to columns of x, row by row, to any order.

    Forward mode nested once for each column, so a loss of it has gradients like any other, in both modes.

    Args:
        net: a function or Cell that takes (N, d) to (N, m), each row for itself.
        *columns: ints in [0, d), one for each order: (0,) is du/dx0, (0, 0) is d2u/dx0 2, (0, 1) the mixed derivative. None: `net` itself.

    Returns:
        A function of x (N, d) that gives (N, m).

    Raises:
        TypeError: `net` cannot be called, a column is no int, or x is not a matrix.
        IndexError: x has no such column.

    Examples:
        >>> from sporax.steps import partial_derivative
        >>> u = lambda x: x[:, :1] ** 3 * x[:, 1:]
        >>> print(partial_derivative(u, 0, 0, 1)(Tensor([[2.0, 5.0]])))
        [[12.]]
    """
    check_function("partial_derivative", net)
    for c in columns:
        if isinstance(c, bool) or not isinstance(c, int):
            raise TypeError(f"For 'partial_derivative', each column should be an int, but got {c!r}.")
    if not columns:
        return net
    inner, column = partial_derivative(net, *columns[:-1]), columns[-1]

    def derivative(x):
        if not isinstance(x, Tensor) or x.ndim != 2:
            raise TypeError(f"For 'partial_derivative', x should be a Tensor (N, d), but got {getattr(x, 'shape', type(x).__name__)}.")
        if not 0 <= column < x.shape[1]:
            raise IndexError(f"For 'partial_derivative', column {column} is out of range: x has shape {x.shape}.")
        direction = Tensor([[float(i == column) for i in range(x.shape[1])]], x.dtype).broadcast_to(x.shape)
        return jvp(inner, x, direction)[1]

    return derivative
