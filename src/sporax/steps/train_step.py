"""A whole training step as one object: loss, gradients, a chain of transforms, update.

Everything the step changes (parameters, the optimizer's state, accumulated gradients, the loss scale, averages, counters) is state of one
compiled program, which gives it away and gets it back. So a step costs one call, and a step that is left out leaves everything as it was.
"""

import fnmatch
from typing import Any, NamedTuple

import numpy as np

from sporax import ops
from sporax._core import context, control, scope
from sporax._core import dtype as mstype
from sporax._core.autocast import cast_floats
from sporax._core.parameter import Parameter
from sporax._core.rng import default_generator
from sporax._core.tensor import Tensor
from sporax._core.transforms import gradients_of
from sporax.amp import DynamicLossScaler, LossScaler, StaticLossScaler, all_finite, auto_mixed_precision
from sporax.nn.cell import Cell
from sporax.steps.average import MovingAverage
from sporax.steps.optimizers import Optimizers
from sporax.steps.tasks import Tasks, cosines, dots

_PRECISIONS = {
    **{level: (level, mstype.float16) for level in ("O0", "O1", "O2", "O3", "auto")},
    "fp16": ("O2", mstype.float16),
    "bf16": ("O2", mstype.bfloat16),
}


class StepOutput(NamedTuple):
    """What a step reports.

    Attributes:
        loss: the loss before the update, not scaled; float32 of shape ().
        grad_norm: the norm of the gradients of this call, unscaled, before clipping.
        finite: whether loss and gradients were finite, a bool Tensor.
        loss_scale: the scale of the next step (1 without loss scaling).
        updated: whether this call updated the parameters, a bool Tensor.
        aux: with `Tasks` a dict with "losses", "norms" (dicts by name) and, where the tasks' gradients are taken apart, "cosines"; else what the
            network or loss function returned after the loss.
    """

    loss: Any
    grad_norm: Any
    finite: Any
    loss_scale: Any
    updated: Any
    aux: Any


class TrainStep(Cell):
    """A training step that is compiled whole.

    Args:
        net: a Cell. Its inputs are the batch without the last element, or with `loss_fn=None` the whole batch.
        loss_fn: a function of the network's output and the label; `Tasks`; or None if the network returns the loss itself. A tuple
            `(loss, ...)` is a loss and what else to report. Default: None.
        optimizer: an optimizer, or `Optimizers`.
        precision: "O0" to "O3" or "auto" (see `amp.auto_mixed_precision`), "fp16" and "bf16" ("O2" in that type), or a pair (level, dtype).
            Default: None: as the network is.
        loss_scale: "dynamic" (from 2**16), a number, or a `LossScaler`. Default: None.
        accumulate: the number of calls whose gradients are averaged, over their samples, for one update. Default: 1.
        clip: a `GradientTransform` or a sequence of them, applied to what the update gets. Default: ().
        recompute: name patterns of Cells whose intermediate results are computed again for the gradient. Default: ().
        on_nonfinite: "skip" leaves out calls whose loss or gradients are not finite, "raise" raises FloatingPointError too; in both cases no
            state has changed but the loss scale. Default: None: "skip" with loss scaling, else no check.
        ema: decay of a moving average of the parameters, see `averaged`. Default: None.
        compiled: False runs the same step operation by operation in PyNative mode, for debugging. Default: True.

    Inputs:
        *batch: Tensors; the first axis of the first one counts samples.

    Outputs:
        A `StepOutput`.

    Raises:
        TypeError: an argument is of another kind.
        ValueError: it is out of range, or the loss is not one number.
        FloatingPointError: with on_nonfinite="raise".

    Examples:
        >>> from sporax.steps import GlobalNorm, TrainStep
        >>> net = nn.Dense(1, 1, weight_init="ones", bias_init="zeros")
        >>> step = TrainStep(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.1), clip=GlobalNorm(1.0), ema=0.9)
        >>> x, y = Tensor([[1.0]]), Tensor([[3.0]])
        >>> [round(step(x, y).loss.item(), 3) for _ in range(3)]
        [4.0, 3.454, 2.949]
    """

    def __init__(
        self, net, loss_fn=None, optimizer=None, *, precision=None, loss_scale=None, accumulate=1, clip=(), recompute=(), on_nonfinite=None, ema=None,
        compiled=True,
    ):  # fmt: skip
        super().__init__(auto_prefix=False)
        if not isinstance(net, Cell):
            raise TypeError(f"For 'TrainStep', 'net' should be a Cell, but got {net!r} of type {type(net).__name__}.")
        if isinstance(optimizer, Optimizers):
            optimizer.bind([*net.trainable_params(), *(loss_fn.trainable_params() if isinstance(loss_fn, Tasks) else ())])
        if not callable(optimizer) or not hasattr(optimizer, "parameters"):
            raise TypeError(
                f"For 'TrainStep', 'optimizer' should be an optimizer or Optimizers, but got {optimizer!r} of type {type(optimizer).__name__}."
            )
        if loss_fn is not None and not callable(loss_fn):
            raise TypeError(f"For 'TrainStep', 'loss_fn' should be a function, Tasks or None, but got {loss_fn!r} of type {type(loss_fn).__name__}.")
        if isinstance(accumulate, bool) or not isinstance(accumulate, int) or accumulate < 1:
            raise ValueError(f"For 'TrainStep', 'accumulate' should be a positive int, but got {accumulate!r}.")
        if on_nonfinite not in (None, "skip", "raise"):
            raise ValueError(f"For 'TrainStep', 'on_nonfinite' should be None, 'skip' or 'raise', but got {on_nonfinite!r}.")
        self.net, self.loss_fn, self.optimizer = net.set_train(), loss_fn, optimizer
        self.weights, self.accumulate = tuple(optimizer.parameters), accumulate
        self.transforms = _transforms(clip)
        self.scaler = _scaler(loss_scale, precision)
        self.on_nonfinite = on_nonfinite or ("skip" if self.scaler is not None else None)
        self._low = _lower(net, precision)
        self._frozen: tuple = ()
        _check_weights(net, self.weights)
        for pattern in (recompute,) if isinstance(recompute, str) else recompute:
            _recompute(net, pattern)
        if ema is not None:
            self.average = MovingAverage(self.weights, ema)
        if accumulate > 1:
            for w in self.weights:
                name = "accumulated." + w.name
                self.insert_param_to_cell(name, Parameter(Tensor(np.zeros(w.shape, w.dtype.np_dtype)), name=name, requires_grad=False), False)
            self._sums = tuple(self._params["accumulated." + w.name] for w in self.weights)
            self.samples = Parameter(Tensor(0.0), name="accumulated_samples", requires_grad=False)
            self.calls = Parameter(Tensor(0, mstype.int32), name="accumulated_calls", requires_grad=False)
        self.updates = Parameter(Tensor(0, mstype.int32), name="updates", requires_grad=False)
        held = {id(p) for p in self.weights}
        self._others = tuple(p for p in net.get_parameters() if id(p) not in held)
        if compiled:
            self.set_jit(True)

    def __call__(self, *batch):
        out = super().__call__(*batch)
        if self.on_nonfinite == "raise" and not out.finite.item():
            raise FloatingPointError(
                f"The loss ({out.loss.item()}) or a gradient of update {self.updates.item()} is not finite; no parameter and no state has changed. "
                "sporax.explain_grads(net, loss_fn, *batch) finds the operation that made the first such value."
            )
        return out

    def construct(self, *batch):
        # copies, and the values to tell by whether the forward pass has written
        before = [(h, Tensor(h), h._value) for h in (*self._others, default_generator._state)] if self.on_nonfinite else []
        active = [w for w in self.weights if not self._is_frozen(w)]
        loss, aux, gradients = self._gradients(batch, active)
        by_weight = {id(w): g for w, g in zip(active, gradients, strict=True)}
        gradients = tuple([by_weight[id(w)] if id(w) in by_weight else ops.zeros_like(w) for w in self.weights])
        norm = ops.norm(tuple([g.astype(mstype.float32) for g in gradients]))
        finite = all_finite((loss, *gradients)) if self.on_nonfinite else None
        if self.scaler is not None:
            self.scaler.adjust(finite)
        for handle, value, version in before:
            if handle._value is not version:
                scope.assign(handle, ops.select(finite, Tensor(handle), value))
        if self.accumulate == 1:
            _where(finite, lambda: self._update(gradients))
            updated = Tensor(True) if finite is None else finite
        else:
            samples = batch[0].shape[0] if batch and batch[0].ndim else 1
            _where(finite, lambda: self._add(gradients, samples))
            updated = self.calls.value() == self.accumulate
            control.run_if(updated, self._update_accumulated)
        scale = Tensor(1.0) if self.scaler is None else self.scaler.scale_value.value()
        return StepOutput(loss, norm, Tensor(True) if finite is None else finite, scale, updated, aux)

    # Loss and gradients --------------------------------------------------------------------------------------------------

    def _gradients(self, batch, active) -> tuple[Any, Any, Any]:
        scale = (lambda x: x) if self.scaler is None else self.scaler.scale
        unscale = (lambda x: x) if self.scaler is None else self.scaler.unscale
        if isinstance(self.loss_fn, Tasks):
            return self._task_gradients(batch, active, scale, unscale)

        def forward():
            loss, aux = self._loss(batch)
            return [scale(loss)], loss, aux

        (_, loss, aux), (gradients,) = gradients_of(forward, active)
        return loss, aux, unscale(self._filled(active, gradients))

    def _task_gradients(self, batch, active, scale, unscale):
        tasks, update = self.loss_fn, self.updates.value()
        apart = tasks.surgery is not None or tasks.balance == "gradnorm"

        def forward():
            losses = tasks.losses(self._output(batch[:-1]), batch[-1:])
            weights = tasks.weights(update)
            total = tasks.total(losses, weights)
            return [scale(v) for v in (losses if apart else [total])], losses, weights, total

        (_, losses, weights, total), found = gradients_of(forward, active)
        aux: dict = {"losses": dict(zip(tasks.names, losses, strict=True))}
        found = [unscale(self._filled(active, g)) for g in found]
        if not apart:
            return total, aux, found[0]
        norms = [ops.sqrt(dots(g, g)) for g in found]
        aux |= {"norms": dict(zip(tasks.names, norms, strict=True)), "cosines": cosines(found)}
        if tasks.balance == "gradnorm":
            _where(all_finite((total, *norms)), lambda: tasks.learn(losses, norms, update))
        weighted = [tuple([x * w.astype(x.dtype) for x in g]) for g, w in zip(found, weights, strict=True)]
        return total, aux, tasks.combine(weighted)

    def _output(self, inputs):
        out = self.net(*inputs)
        return cast_floats(out, mstype.float32) if self._low else out

    def _loss(self, batch):
        if self.loss_fn is None:
            out = self.net(*batch)
        else:
            if len(batch) < 2:
                raise ValueError(f"A TrainStep with a loss function is called with the network's inputs and the label, but got {len(batch)} value.")
            out = self.loss_fn(self._output(batch[:-1]), batch[-1])
        loss, aux = (out[0], tuple(out[1:])) if isinstance(out, tuple | list) and out else (out, None)
        if not isinstance(loss, Tensor) or loss.size != 1:
            what = f"a Tensor of shape {loss.shape}" if isinstance(loss, Tensor) else f"{type(loss).__name__}"
            raise ValueError(f"The loss of a TrainStep should be one number, but got {what}: use reduction='mean', or take the mean.")
        return loss.reshape(()).astype(mstype.float32), aux

    def _filled(self, active, gradients):
        """Zeros for parameters that the loss does not reach, with one warning that names them."""
        missing = [w.name for w, g in zip(active, gradients, strict=True) if g is None]
        if missing:
            context.warn_once(
                ("not reached", *missing),
                f"The loss does not depend on {', '.join(missing)}: the gradient is zero. Is a branch detached (stop_gradient, asnumpy, a new Tensor)?",
                stacklevel=6,
            )
        return tuple([ops.zeros_like(w) if g is None else g for w, g in zip(active, gradients, strict=True)])

    # Update --------------------------------------------------------------------------------------------------------------

    def _add(self, gradients, samples):
        for total, g in zip(self._sums, gradients, strict=True):
            scope.assign(total, total + g * samples)
        scope.assign(self.samples, self.samples + samples)
        scope.assign(self.calls, self.calls + 1)

    def _update_accumulated(self):
        inverse = ops.reciprocal(ops.maximum(self.samples.value(), Tensor(1.0)))
        self._update(tuple([total * inverse.astype(total.dtype) for total in self._sums]))
        for total in self._sums:
            scope.assign(total, ops.zeros_like(total))
        scope.assign(self.samples, Tensor(0.0))
        scope.assign(self.calls, Tensor(0, mstype.int32))

    def _update(self, gradients):
        for transform in self.transforms:
            gradients = transform(gradients, self.weights)
        kept = [(p, Tensor(p)) for p in self._frozen_state()]
        self.optimizer(gradients)
        for p, value in kept:
            scope.assign(p, value)
        if "average" in self.__dict__["_cells"]:
            self.average()
        scope.assign(self.updates, self.updates + 1)

    # Between steps -------------------------------------------------------------------------------------------------------

    def flush(self):
        """Update with what has been accumulated since the last update, averaged over its samples (at the end of an epoch); returns whether there
        was anything."""
        if self.accumulate == 1 or not self.calls.item():
            return False
        self._update_accumulated()
        return True

    def freeze(self, *patterns):
        """Leave the parameters whose names match (`fnmatch`), and their part of the optimizer's state, as they are; returns self.

        Raises:
            ValueError: a pattern matches no parameter.
        """
        for pattern in patterns:
            if not any(fnmatch.fnmatchcase(w.name, pattern) for w in self.weights):
                raise ValueError(f"No parameter matches {pattern!r}; the names are {[w.name for w in self.weights]}.")
        self._frozen = tuple(dict.fromkeys((*self._frozen, *patterns)))
        return self

    def unfreeze(self, *patterns):
        """Train again what was frozen by these patterns (without any: everything); returns self."""
        self._frozen = tuple(p for p in self._frozen if patterns and p not in patterns)
        return self

    def averaged(self):
        """Context in which the network has the averaged parameters.

        Raises:
            ValueError: the step was made without `ema`.
        """
        if "average" not in self._cells:
            raise ValueError("This TrainStep keeps no averages: make it with ema=0.999.")
        return self.average.applied()

    def _is_frozen(self, p):
        return any(fnmatch.fnmatchcase(p.name, pattern) for pattern in self._frozen)

    def _frozen_state(self):
        frozen = [w for w in self.weights if self._is_frozen(w)]
        state = [s for s in self.optimizer.get_parameters() if any(s.name.endswith("." + w.name) for w in frozen)] if frozen else []
        return [*frozen, *state]


def _where(finite, function):
    if finite is None:
        function()
    else:
        control.run_if(finite, function)


def _transforms(clip):
    transforms = tuple(clip) if isinstance(clip, tuple | list) else (clip,)
    for t in transforms:
        if not callable(t):
            raise TypeError(f"For 'TrainStep', 'clip' should be a GradientTransform such as GlobalNorm(5.0), or several, but got {t!r}.")
    return transforms


def _scaler(loss_scale, precision):
    if loss_scale is None or isinstance(loss_scale, LossScaler):
        return loss_scale
    if precision in ("bf16", None, "O0") or (isinstance(precision, tuple) and precision[1] is mstype.bfloat16):
        context.warn_once(
            "loss scale without float16",
            f"Loss scaling keeps small float16 gradients; with precision={precision!r} it is of no use: leave it out.",
            stacklevel=4,
        )
    if loss_scale == "dynamic":
        return DynamicLossScaler(2**16, 2, 2000)
    if isinstance(loss_scale, bool) or not isinstance(loss_scale, int | float):
        raise TypeError(f"For 'TrainStep', 'loss_scale' should be 'dynamic', a number or a LossScaler, but got {loss_scale!r}.")
    return StaticLossScaler(loss_scale)


def _lower(net, precision):
    if precision is None:
        return False
    level, dtype = (
        _PRECISIONS.get(precision, (None, None)) if isinstance(precision, str) else precision if isinstance(precision, tuple) else (None, None)
    )
    if level is None:
        raise ValueError(f"For 'TrainStep', 'precision' should be one of {list(_PRECISIONS)} or a pair (level, dtype), but got {precision!r}.")
    auto_mixed_precision(net, level, dtype)
    return level != "O0"


def _check_weights(net, weights):
    held = {id(w) for w in weights}
    left = [p.name for p in net.trainable_params() if id(p) not in held]
    if left:
        context.warn_once(
            ("not in the optimizer", *left),
            f"These parameters of the network are not in the optimizer and stay as they are: {', '.join(left)}.",
            stacklevel=4,
        )


def _recompute(net, pattern):
    found = [cell for name, cell in net.cells_and_names() if name and fnmatch.fnmatchcase(name, pattern)]
    if not found:
        raise ValueError(
            f"For 'TrainStep', no Cell matches the 'recompute' pattern {pattern!r}; the names are {[n for n, _ in net.cells_and_names() if n]}."
        )
    for cell in found:
        cell.recompute()
