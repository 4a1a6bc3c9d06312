"""THOR, a second-order optimizer that refreshes what it knows of the curvature now and then."""

import numpy as np

from sporax._core.dispatch import apply
from sporax._core.parameter import Parameter, ParameterTuple
from sporax._core.scope import assign
from sporax._core.state import local
from sporax._core.tape import stop_gradient
from sporax._core.tensor import Tensor
from sporax._kernels import optim
from sporax._kernels import thor as K
from sporax.nn.layer.basic import ClipByNorm, Dense
from sporax.nn.layer.conv import Conv2d
from sporax.nn.layer.normalization import LayerNorm
from sporax.nn.optim.optimizer import Optimizer
from sporax.ops.conv import pad_pairs


class _Layer:
    """The factors A and G of one layer. Hooks on the layer set them whenever gradients are taken."""

    def __init__(self, cell, index):
        weight = cell.weight
        self.weight, self.conv = weight, isinstance(cell, Conv2d)
        inputs, outputs = weight.size // weight.shape[0], weight.shape[0]

        def state(name, shape):
            return Parameter(Tensor(np.zeros(shape, np.float32)), name=f"{name}_{index}", requires_grad=False)

        self.a, self.a_inv = state("matrix_a_cov", (inputs, inputs)), state("matrix_a_inv", (inputs, inputs))
        self.g, self.g_inv = state("matrix_g_cov", (outputs, outputs)), state("matrix_g_inv", (outputs, outputs))
        self.positions = state("normalizer", ())
        cell.register_forward_hook(self.forward)
        cell.register_backward_hook(self.backward)

    def forward(self, cell, inputs, output):
        if not local.state.tapes:  # nobody takes gradients
            return
        x = apply(stop_gradient, (inputs[0],))
        if not self.conv:
            assign(self.a, apply(K.input_factor_dense, (x,)))
            assign(self.positions, Tensor(np.float32(1)))
            return
        kernel = tuple(cell.weight.shape[2:])
        pairs = pad_pairs("Conv2d", cell.pad_mode, cell.padding, x.shape[2:], kernel, cell.stride, cell.dilation)
        assign(self.a, apply(K.input_factor_conv, (x,), kernel=kernel, stride=tuple(cell.stride), padding=pairs, dilation=tuple(cell.dilation)))
        assign(self.positions, Tensor(np.float32(output.shape[2] * output.shape[3])))

    def backward(self, cell, grad_input, grad_output):
        if grad_output[0] is not None:
            assign(self.g, apply(K.output_factor_conv if self.conv else K.output_factor_dense, (grad_output[0],)))


class thor(Optimizer):
    """(G + sqrt(damping))⁻¹ gradient (A + sqrt(damping))⁻¹ for the weight of each Dense and Conv2d layer, then momentum (Chen et al., 2021).

    A = E[a a'] of a layer's inputs and G = E[g g'] of the gradients in its outputs, for a convolution those of the batch's mean at each position. The
    inverses are made at every `frequency`-th update and kept between. The gradient of a LayerNorm is divided by g² / batch_size + sqrt(damping). Biases
    and all others get plain momentum. The factors are those of the last time gradients were taken; hooks on the layers of `net` see to it, so no
    conversion of the network is needed.

    Args:
        net: the network; its trainable parameters are updated.
        learning_rate: a Tensor, one number or one for each step.
        damping: the same; the last one stays.
        momentum: a float, at least 0.
        weight_decay: a number, at least 0, for the parameters that `decay_filter` chooses. Default: 0.0.
        loss_scale: the factor that the loss has, positive. Default: 1.0.
        batch_size: the number of samples of a batch: the loss is their mean. Default: 32.
        use_nesterov: default False.
        decay_filter: whether a Parameter decays. Default: all do.
        split_indices: how MindSpore would fuse messages between devices; the compiler decides that. Default: None.
        enable_clip_grad: clip the norm of each new gradient to 1. Default: False.
        frequency: an int, at least 2. Default: 100.

    Raises:
        TypeError: `learning_rate` is no Tensor, `momentum` no float, `frequency` no int, `use_nesterov` no bool.
        ValueError: a number is out of range, or a Dense has an activation of its own, behind which its output cannot be seen.

    Examples:
        >>> net = nn.Dense(2, 1)
        >>> opt = nn.thor(net, Tensor([0.1]), Tensor([0.1]), 0.9, batch_size=1, frequency=2)
        >>> grads = ms.grad(lambda x: net(x).sum(), None, opt.parameters)(Tensor([[1.0, 2.0]]))
        >>> opt(grads)
        (True, True)
    """

    def __init__(
        self, net, learning_rate, damping, momentum, weight_decay=0.0, loss_scale=1.0, batch_size=32, use_nesterov=False,
        decay_filter=lambda x: True, split_indices=None, enable_clip_grad=False, frequency=100,
    ):  # fmt: skip
        for name, value, kind in (("learning_rate", learning_rate, Tensor), ("damping", damping, Tensor), ("momentum", momentum, float)):
            if not isinstance(value, kind):
                raise TypeError(f"For 'thor', '{name}' should be a {kind.__name__}, but got {value!r} of type {type(value).__name__}.")
        if momentum < 0:
            raise ValueError(f"For 'thor', 'momentum' should be at least 0, but got {momentum}.")
        if isinstance(frequency, bool) or not isinstance(frequency, int):
            raise TypeError(f"For 'thor', 'frequency' should be an int, but got {frequency!r} of type {type(frequency).__name__}.")
        if frequency < 2:
            raise ValueError(f"For 'thor', 'frequency' should be at least 2, but got {frequency}.")
        if isinstance(weight_decay, bool) or not isinstance(weight_decay, int | float):
            raise TypeError(f"For 'thor', 'weight_decay' should be a number, but got {weight_decay!r}.")
        if split_indices is not None and not isinstance(split_indices, list):
            raise TypeError(f"For 'thor', 'split_indices' should be a list of ints or None, but got {split_indices!r}.")
        super().__init__(learning_rate, net.trainable_params(), float(weight_decay), loss_scale)
        self.decay_flags = tuple(bool(decay_filter(p)) for p in self._parameters)
        self.use_nesterov, self.enable_clip_grad = self._bool("use_nesterov", use_nesterov), self._bool("enable_clip_grad", enable_clip_grad)
        self.batch_size, self.frequency = self._positive("batch_size", batch_size), frequency
        self.split_indices = split_indices
        self.momentum = Parameter(Tensor(np.float32(momentum)), name="momentum")
        self.damping = Parameter(Tensor(np.asarray(damping.asnumpy(), np.float32).reshape(-1)), name="damping", requires_grad=False)
        self.moments = self.state_parameters("moments")
        mine = {id(p): i for i, p in enumerate(self._parameters)}
        layers, self.__dict__["_norms"] = [], []
        for name, cell in net.cells_and_names():
            if isinstance(cell, LayerNorm):
                self._norms.extend(mine[id(p)] for p in (cell.gamma, cell.beta) if id(p) in mine)
            elif isinstance(cell, Dense | Conv2d) and id(cell.weight) in mine and (not isinstance(cell, Conv2d) or cell.group == 1):
                if isinstance(cell, Dense) and cell.activation is not None:
                    raise ValueError(f"For 'thor', the Dense '{name}' has an activation of its own: make it a layer after the Dense.")
                layers.append((mine[id(cell.weight)], _Layer(cell, len(layers))))
        self.__dict__["_layers"] = layers
        for key in ("a", "g", "a_inv", "g_inv", "positions"):
            setattr(self, f"factors_{key}", ParameterTuple([getattr(layer, key) for _, layer in layers]))
        self.__dict__["_clip"] = ClipByNorm()

    def get_frequency(self):
        """The number of updates from one refreshment of the inverses to the next."""
        return self.frequency

    def construct(self, gradients):
        # unscaled by the factor of the loss here, so that curvature sees true gradients
        gradients = [g * self.reciprocal_scale if self.need_scale else g for g in self.check_gradients(gradients)]
        damping = self.damping[self.global_step.reshape(()).clip(0, self.damping.size - 1)]
        scale = (self.batch_size * self.reciprocal_scale) ** 2
        for i, layer in self._layers:
            for factor, kept, size in ((layer.a, layer.a_inv, 1.0), (layer.g, layer.g_inv, scale)):
                inputs = (factor, kept, self.global_step, damping, size, layer.positions)
                assign(kept, apply(K.damped_inverse, inputs, frequency=self.frequency))
            gradients[i] = apply(K.between, (gradients[i], layer.g_inv, layer.a_inv))
        for i in self._norms:
            gradients[i] = apply(K.diagonal, (gradients[i], damping, self.batch_size))
        if self.exec_weight_decay:
            decayed = zip(gradients, self._parameters, self.decay_flags, strict=True)
            gradients = [g + (p * self._decays[0]).astype(g.dtype) if flag else g for g, p, flag in decayed]
        if self.enable_clip_grad:
            gradients = [self._clip(g, 1.0) for g in gradients]
        return self._momentum(gradients)

    def _momentum(self, gradients):
        """The usual update; scale and decay are in the gradients already."""
        saved = self.need_scale, self.exec_weight_decay
        self.__dict__["need_scale"] = self.__dict__["exec_weight_decay"] = False
        try:
            return self.update(optim.momentum, tuple(gradients), [self.moments], self.momentum, nesterov=self.use_nesterov)
        finally:
            self.__dict__["need_scale"], self.__dict__["exec_weight_decay"] = saved
