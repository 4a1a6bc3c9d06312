"""Gradients as an optimizer is called with them: what they must look like, and what to say of those that do not."""

from sporax._core import dtype as mstype
from sporax._core.tensor import Tensor


class Gradients:
    """The part of an optimizer that receives gradients; it has `_parameters` and `param_length`."""

    _parameters: tuple
    param_length: int

    def __getattr__(self, name):
        hint = {
            "step": "the update is the call: optimizer(gradients)",
            "zero_grad": "gradients are values that value_and_grad returns anew each time: there is nothing to clear",
        }.get(name)
        if hint:
            raise AttributeError(f"The '{type(self).__name__}' object has no attribute '{name}': {hint}.")
        return super().__getattr__(name)  # pyright: ignore

    def check_gradients(self, gradients):
        """The gradients as a tuple in the order of the parameters.

        Raises:
            TypeError: not a tuple or list of Tensors, or of a dtype that does not fit into the parameter's.
            ValueError: another number, or another shape.
        """
        name = type(self).__name__
        if isinstance(gradients, Tensor) and self.param_length == 1:
            gradients = (gradients,)
        if not isinstance(gradients, tuple | list):
            raise TypeError(
                f"For '{name}', the gradients should be a tuple or list with a Tensor for each of the {self.param_length} "
                f"parameters, but got {type(gradients).__name__}."
            )
        if any(isinstance(g, tuple | list) for g in gradients):
            hint = ""
            if len(gradients) == 2 and isinstance(gradients[1], tuple | list) and len(gradients[1]) == self.param_length:
                hint = " These look like (input gradients, weight gradients) of value_and_grad: use grad_position=None to get weight gradients only, or pass gradients[1]."
            raise TypeError(
                f"For '{name}', each gradient should be a Tensor, but got a "
                f"{type(next(g for g in gradients if isinstance(g, tuple | list))).__name__}.{hint}"
            )
        if len(gradients) != self.param_length:
            raise ValueError(
                f"For '{name}', there are {self.param_length} parameters, but {len(gradients)} gradients: the weights of "
                "value_and_grad should be optimizer.parameters."
            )
        for p, g in zip(self._parameters, gradients, strict=True):
            if not isinstance(g, Tensor):
                raise TypeError(f"For '{name}', the gradient of '{p.name}' should be a Tensor, but got {g!r} of type {type(g).__name__}.")
            if g.shape != p.shape:
                raise ValueError(f"For '{name}', the gradient of '{p.name}' should have its shape {p.shape}, but got {g.shape}.")
            if g.dtype is not p.dtype and not _fits(g.dtype, p.dtype):
                raise TypeError(
                    f"For '{name}', the gradient of '{p.name}' is {g.dtype}, which does not fit into {p.dtype}: convert it with "
                    f"g.astype({p.dtype!r})."
                )
        return tuple(gradients)


def _fits(source, target):
    order = {mstype.float16: 0, mstype.bfloat16: 0, mstype.float32: 1, mstype.float64: 2}
    return source in order and target in order and order[source] < order[target]
