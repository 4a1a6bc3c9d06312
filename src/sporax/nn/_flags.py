"""Modes and settings of a Cell: training, gradient, precision, recomputation, and what parallel runs and the compiler are told."""

import inspect

from sporax._core import context
from sporax._core.dtype import bfloat16, float16, float32
from sporax._core.tensor import Tensor

_FLOATS = {"fp16": float16, "fp32": float32, "bf16": bfloat16}


class Flags:
    """The part of a Cell that holds modes and settings."""

    @property
    def cls_name(self):
        """Name of the class."""
        return type(self).__name__

    # Flags -----------------------------------------------------------------------------------------------------------

    def add_flags(self, **flags):
        """Attach flags, which are also attributes; returns self. `fp16`, `fp32` and `bf16` choose the precision as `to_float` does.

        Examples:
            >>> net = nn.ReLU().add_flags(sparse=True)
            >>> net.sparse, net.get_flags()
            (True, {'sparse': True})
        """
        self._flags.update(flags)
        for name, value in flags.items():
            setattr(self, name, value)
        if not _FLOATS.keys().isdisjoint(flags):
            chosen = [dtype for name, dtype in _FLOATS.items() if self._flags.get(name)]
            self.__dict__["_cast"] = chosen[0] if chosen else None
            self._settings_changed()
        return self

    def add_flags_recursive(self, **flags):
        """`add_flags` for this Cell and all in it; returns self."""
        for _, cell in self.cells_and_names():
            cell.add_flags(**flags)
        return self

    def get_flags(self):
        """The flags, a dict."""
        return self._flags

    def set_train(self, mode=True):
        """Switch this Cell and all in it to training (True) or evaluation (False); returns self.

        Examples:
            >>> net = nn.SequentialCell(nn.ReLU()).set_train()
            >>> net.training, net[0].training
            (True, True)
        """
        mode = bool(mode)
        changed = False
        for _, cell in self.cells_and_names():
            own = cell.__dict__
            if own["training"] is not mode:
                own["training"], own["_content"] = mode, None
                changed = True
            own["_flags"]["training"] = mode
        self.__dict__["_phase"] = "train" if mode else "predict"
        if changed:
            context.bump_epoch()
        return self

    @property
    def phase(self):
        """What the Cell is used for: "train", "predict", or what it was set to."""
        return self._phase

    @phase.setter
    def phase(self, value):
        self.__dict__["_phase"] = value

    def set_grad(self, requires_grad=True):
        """Set the attribute `requires_grad` of this Cell; gradient functions differentiate every Cell, whatever it says; returns self."""
        self.requires_grad = requires_grad
        return self

    def to_float(self, dst_type):
        """Let this Cell and all in it compute in another type: floating tensors are cast to it where an operation takes them in.

        Parameters keep their type, and so do their gradients. The innermost Cell with a setting decides.

        Args:
            dst_type: `mindspore.float16`, `mindspore.bfloat16` or `mindspore.float32`.

        Returns:
            Cell, this one.

        Raises:
            ValueError: another type.

        Examples:
            >>> net = nn.Dense(2, 2).to_float(ms.float16)
            >>> net(Tensor([[1.0, 2.0]])).dtype, net.weight.dtype
            (mindspore.float16, mindspore.float32)
        """
        if not any(dst_type is dtype for dtype in _FLOATS.values()):
            raise ValueError(
                "For 'to_float', the argument 'dst_type' must be mstype.float32, mstype.float16 or mstype.bfloat16, "
                f"but got type: {type(dst_type)} and value: {dst_type}."
            )
        return self.add_flags_recursive(**{name: dtype is dst_type for name, dtype in _FLOATS.items()})

    def cast_inputs(self, inputs, dst_type):
        """The inputs (a tuple) with each Tensor cast to `dst_type`."""
        return tuple(x.astype(dst_type) if isinstance(x, Tensor) else x for x in inputs)

    def recompute(self, *, use_reentrant=True, output_recompute=False, early_stop=True, context_fn=None, **kwargs):
        """Give up the intermediate results of this Cell in a compiled step, and compute them again for the backward pass.

        Values and gradients are the same. In PyNative a step is one executable, whose memory the compiler plans itself.

        Args:
            use_reentrant: which of two ways MindSpore takes; there is one here. Default: True.
            output_recompute: whether MindSpore gives up the output too; the compiler decides that here. Default: False.
            early_stop: whether MindSpore stops early; the compiler leaves out what is not needed anyway. Default: True.
            context_fn: must be None. Default: None.
            **kwargs: `mp_comm_recompute`, `parallel_optimizer_comm_recompute` and `recompute_slice_activation` (bools) choose for
                communication in MindSpore; the compiler schedules it here.

        Raises:
            TypeError: an argument is not a bool.
            ValueError: an unknown argument, or `context_fn` is given.
        """
        known = ("mp_comm_recompute", "parallel_optimizer_comm_recompute", "recompute_slice_activation")
        for name in kwargs:
            if name not in known:
                raise ValueError(f"For 'recompute', keyword '{name}' is not recognized! the key kwargs must be {', '.join(map(repr, known))}")
        for name, flag in (("use_reentrant", use_reentrant), ("output_recompute", output_recompute), ("early_stop", early_stop), *kwargs.items()):
            if not isinstance(flag, bool):
                raise TypeError(f"For 'recompute', '{name}' should be a bool, but got {flag!r} of type {type(flag).__name__}.")
        if context_fn is not None:
            raise ValueError("For 'recompute', 'context_fn' should be None: forward and recomputation are one computation here.")
        self.__dict__["_recompute"] = True
        self._settings_changed()

    # Walking ---------------------------------------------------------------------------------------------------------

    def apply(self, fn):
        """Call `fn(cell)` for every Cell below this one, and at last for this one; returns self.

        Raises:
            TypeError: `fn` cannot be called.
        """
        if not callable(fn):
            raise TypeError(f"For 'apply', 'fn' should be callable as fn(cell), but got {fn!r} of type {type(fn).__name__}.")
        for cell in self.cells():
            cell.apply(fn)
        fn(self)
        return self

    # What parallel runs are told ---------------------------------------------------------------------------------------

    def set_comm_fusion(self, fusion_type, recurse=True):
        """Set `comm_fusion` of the trainable Parameters; returns self.

        Raises:
            TypeError: `fusion_type` is not an int.
            ValueError: `fusion_type` is negative.
        """
        if isinstance(fusion_type, bool) or not isinstance(fusion_type, int):
            raise TypeError(f"The input value must be int, but got '{type(fusion_type).__name__}'")
        if fusion_type < 0:
            raise ValueError(f"The input value must be int and must >= 0, but got '{fusion_type}' with type 'int'.")
        for param in self.trainable_params(recurse):
            param.comm_fusion = fusion_type
        return self

    def set_data_parallel(self):
        """Mark this Cell as one whose inputs are split along the batch only."""
        self.__dict__["_sharding"] = "data parallel"

    def set_broadcast_flag(self, mode=True):
        """Say that Parameters are sent to the other processes before training starts; returns self."""
        self.add_flags_recursive(broadcast_flag=mode)
        return self

    def shard(self, in_strategy, out_strategy=None, parameter_plan=None):
        """Say how inputs, outputs and Parameters are laid out over devices in a semi-automatic parallel run; on one device nothing is split.

        Args:
            in_strategy: a tuple with a tuple of ints (slices along each axis) or a layout for each input.
            out_strategy: the same for outputs. Default: None.
            parameter_plan: a dict from Parameter name to tuple of ints. Default: None.

        Raises:
            TypeError: an argument is of another kind.
        """
        for name, strategy in (("in_strategy", in_strategy), ("out_strategy", out_strategy)):
            if strategy is not None and not isinstance(strategy, tuple):
                raise TypeError(f"For 'shard', '{name}' should be a tuple with a tuple for each tensor, such as ((1, 1),), but got {strategy!r}.")
        if parameter_plan is not None and not isinstance(parameter_plan, dict):
            raise TypeError(f"For 'shard', 'parameter_plan' should be a dict from Parameter name to tuple, but got {parameter_plan!r}.")
        self.__dict__["_sharding"] = (in_strategy, out_strategy, parameter_plan)

    def offload(self, backward_prefetch="Auto"):
        """Say that intermediate results may be kept in host memory; where they are is up to the compiler.

        Args:
            backward_prefetch: "Auto" or a positive int. Default: "Auto".

        Raises:
            ValueError: something else.
        """
        if backward_prefetch != "Auto" and (isinstance(backward_prefetch, bool) or not isinstance(backward_prefetch, int) or backward_prefetch < 1):
            raise ValueError(f"For 'offload', 'backward_prefetch' should be 'Auto' or a positive int, but got {backward_prefetch!r}.")
        self.__dict__["_offload"] = backward_prefetch

    @property
    def pipeline_stage(self):
        """Number of the pipeline stage that runs this Cell. Default: 0."""
        return self.__dict__.get("_pipeline_stage", 0)

    @pipeline_stage.setter
    def pipeline_stage(self, value):
        self.__dict__["_pipeline_stage"] = _not_negative("pipeline_stage", value)

    @property
    def pipeline_segment(self):
        """Number of the segment of this Cell in an interleaved pipeline. Default: 0."""
        return self.__dict__.get("_pipeline_segment", 0)

    @pipeline_segment.setter
    def pipeline_segment(self, value):
        self.__dict__["_pipeline_segment"] = _not_negative("pipeline_segment", value)

    # What the compiler is told -----------------------------------------------------------------------------------------

    def set_jit_config(self, jit_config):
        """Keep a `JitConfig` for this Cell. XLA always optimizes fully, so it changes nothing.

        Raises:
            TypeError: it is no `JitConfig`.
        """
        settings = getattr(jit_config, "jit_config_dict", None)
        if not isinstance(settings, dict):
            raise TypeError(f"For 'set_jit_config', a JitConfig is needed, but got {jit_config!r} of type {type(jit_config).__name__}.")
        self.__dict__["_jit_config"] = dict(settings)

    @property
    def jit_config_dict(self):
        """The settings of the last `set_jit_config`."""
        return self._jit_config

    def set_boost(self, boost_type):
        """Ask for a boost algorithm of MindSpore by name ("less_bn"); it trades accuracy for time on Ascend and is not applied here; returns self.

        Raises:
            ValueError: another name.
        """
        if boost_type != "less_bn":
            raise ValueError(f"For 'set_boost', the argument 'boost_type' must be 'less_bn', but got {boost_type}.")
        return self.add_flags_recursive(less_bn=True)

    def set_inputs(self, *inputs, **kwargs):
        """Say with what inputs the Cell will be called. Shapes may have None for a size that varies; each shape is compiled when it comes.

        Args:
            *inputs: all inputs of `construct`, in order.
            **kwargs: some of them by name instead.

        Raises:
            ValueError: both ways at once, or a name that `construct` does not have.
        """
        if inputs and kwargs:
            raise ValueError("For 'set_inputs', give either all inputs in order or some by name, not both.")
        names = list(inspect.signature(self.construct).parameters)
        for name in kwargs:
            if name not in names:
                raise ValueError(f"For dict mode, valid key is {names}, but got {name}!")
        self.__dict__["_inputs"] = kwargs or inputs

    def get_inputs(self):
        """What `set_inputs` was given: a tuple or dict, or None."""
        return self._inputs

    def update_cell_type(self, cell_type):
        """Set `cell_type`, a label."""
        self.cell_type = cell_type

    @property
    def bprop_debug(self):
        """Whether a `bprop` of the Cell is debugged; it is ordinary Python here, so breakpoints stop in it anyway."""
        return self.__dict__.get("_bprop_debug", False)

    @bprop_debug.setter
    def bprop_debug(self, value):
        if not isinstance(value, bool):
            raise TypeError(f"For 'Cell', 'bprop_debug' should be a bool, but got {value!r} of type {type(value).__name__}.")
        self.__dict__["_bprop_debug"] = value

    def get_scope(self):
        """The name under which profiles and graphs show this Cell, such as "Default/encoder-Block", or None before `generate_scope`."""
        return self.__dict__.get("_scope")

    def generate_scope(self):
        """Set the scope of each Cell below this one."""
        self._name_scopes("Default")

    def _name_scopes(self, above):
        for name, cell in self.name_cells().items():
            cell.__dict__["_scope"] = f"{above}/{name}-{cell.cls_name}"
            cell._name_scopes(cell.__dict__["_scope"])


def _not_negative(name, value):
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"For 'Cell', '{name}' should be an int, but got {value!r} of type {type(value).__name__}.")
    if value < 0:
        raise ValueError(f"For 'Cell', '{name}' should not be negative, but got {value}.")
    return value
