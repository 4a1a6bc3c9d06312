"""Whether gradients are finite: one flag for many tensors."""

from sporax._core.dispatch import apply
from sporax._core.tensor import Tensor
from sporax._kernels import reduce as K
from sporax.ops._args import tensors_in
from sporax.ops._table import op, prim


def all_finite(inputs):
    """Whether no element of some tensors is infinite or nan.

    Args:
        inputs: a Tensor, or a tuple or list of Tensors. Integers are always finite.

    Returns:
        Tensor of shape () and dtype bool.

    Raises:
        TypeError: something else is among them, such as the pair of gradients that `value_and_grad(..., grad_position=0, weights=...)` gives.

    Examples:
        >>> from sporax import amp
        >>> amp.all_finite((Tensor([1.0, float("inf")]), Tensor([2.0]))).item()
        False
    """
    tensors = (inputs,) if isinstance(inputs, Tensor) else tensors_in("all_finite", "inputs", inputs)
    return apply(K.all_finite, tensors)


@op("not_all_finite", primitive=prim("AllFinite"))
def not_all_finite(inputs):
    """Whether some element is infinite or nan: MindSpore's operator `AllFinite` gives the opposite of its name."""
    return ~all_finite(inputs)


@op("float_status", primitive=prim("FloatStatus"))
def float_status(x):
    """1.0 where a Tensor has an element that is infinite or nan, else 0.0: a float32 Tensor of shape (1,).

    Examples:
        >>> print(ops.FloatStatus()(Tensor([1.0, float("nan")])))
        [1.]
    """
    return (~all_finite(x)).astype("float32").reshape((1,))
