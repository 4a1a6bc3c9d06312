"""`Cell`: a piece of a network, with its parameters, buffers and sub-cells.

Parameters, buffers and Cells are ordinary attributes that are also listed in `_params`, `_buffers` and `_cells`. In GRAPH_MODE (or with
`jit`) the outermost call of a Cell is compiled as a whole; `_run` is what is compiled, and what runs in PyNative.
"""

from sporax._core import context, control, scope, tree
from sporax._core.compile import CompiledFunction
from sporax._core.dtype import bfloat16, float16, float32
from sporax._core.parameter import Parameter, ParameterTuple
from sporax._core.recompute import checkpointed
from sporax._core.state import local
from sporax._core.tensor import Tensor
from sporax._core.transforms import custom_gradient
from sporax.nn._hooks import Hooks
from sporax.nn._registry import Registry

_MISSING = scope.MISSING


class Cell(Registry):
    """Base class of all layers and networks. Subclasses make their parts in `__init__` and compute in `construct`.

    Args:
        auto_prefix: whether the names of parameters begin with the names of the attributes that lead to them. Default: True.
        flags: a dict of flags for `add_flags`. Default: None.

    Examples:
        >>> class Line(nn.Cell):
        ...     def __init__(self):
        ...         super().__init__()
        ...         self.w = ms.Parameter(Tensor([2.0]), name="w")
        ...     def construct(self, x):
        ...         return x * self.w
        >>> print(Line()(Tensor([3.0])))
        [6.]
    """

    def __init__(self, auto_prefix=True, flags=None):
        own = self.__dict__
        own["_params"], own["_buffers"], own["_cells"], own["_non_persistent"] = {}, {}, {}, set()
        own["_auto_prefix"], own["_param_prefix"], own["_version"] = bool(auto_prefix), "", 0
        own["training"], own["requires_grad"], own["cell_type"] = False, False, None
        own["_hooks"], own["_cast"], own["_recompute"], own["_jit"], own["_compiled"] = None, None, False, None, None
        own["_plain"], own["_born"] = type(self).bprop is Cell.bprop, scope.current()
        own["_flags"] = dict(flags or {})

    # Attributes -------------------------------------------------------------------------------------------------------

    def __setattr__(self, name, value):
        own = self.__dict__
        if "_params" not in own:
            raise AttributeError(f"The '{type(self).__name__}' object is not initialized: call super().__init__() before assigning '{name}'.")
        if isinstance(value, Parameter):
            self._set_parameter(name, value)
        elif isinstance(value, Cell):
            self._set_cell(name, value)
        elif name in own["_params"]:
            self._replace_parameter(name, value)
        elif name in own["_cells"] and value is not None:
            raise TypeError(f"Sub cell '{name}' already exists in network, can not assign this type: '{type(value)}' as a cell.")
        else:
            descriptor = getattr(type(self), name, None)
            if isinstance(descriptor, property):
                if descriptor.fset is None:
                    raise AttributeError(f"'{type(self).__name__}.{name}' is a property and cannot be assigned.")
                descriptor.fset(self, value)
                return
            if name in own["_cells"]:
                del own["_cells"][name]
            if isinstance(value, ParameterTuple):
                for p in value:
                    self._adopt_parameter(p.name, p)
            if name in own["_buffers"] and isinstance(value, Tensor):
                own["_buffers"][name] = value
            self._write_attribute(name, value)

    def _write_attribute(self, name, value):
        """Set a plain attribute; traces are told, and compiled programs that may have seen the old value."""
        own = self.__dict__
        before = own.get(name, _MISSING)
        current = local.state.scope
        if current is not None:
            if own["_born"] is not current.root:
                current.log_attribute(self, name, before)
            own[name] = value
            return
        own[name] = value
        self._count_change(before, value)

    def _count_change(self, before, value):
        if before is value or (before.__class__ is Tensor and value.__class__ is Tensor and before._value.aval is value._value.aval):
            return
        if before.__class__ is value.__class__ and before.__class__ in (bool, int, float, str) and before == value:
            return
        self.__dict__["_version"] += 1
        context.bump_epoch()

    def _read_attribute(self, name):
        return self.__dict__.get(name, _MISSING)

    def _restore_attribute(self, name, before):
        own = self.__dict__
        now = own.get(name, _MISSING)
        if before is _MISSING:
            own.pop(name, None)
        else:
            own[name] = before
        if local.state.scope is None:
            self._count_change(now, before)

    def _trace_fingerprint(self):
        own = self.__dict__
        return own["training"], own["requires_grad"], own["_version"], own["_cast"], own["_recompute"], own["_jit"]

    def _hooks_changed(self):
        own = self.__dict__
        own["_version"] += 1
        own["_plain"] = type(self).bprop is Cell.bprop and not own["_hooks"] and own["_cast"] is None and not own["_recompute"]
        context.bump_epoch()

    def __getattr__(self, name):
        own = self.__dict__
        if "_params" not in own and name.startswith("_"):
            raise AttributeError(f"The '{type(self).__name__}' object has no attribute '{name}': call super().__init__() first.")
        import difflib

        near = difflib.get_close_matches(name, [*own, *dir(type(self))], 1)
        hint = f" Did you mean '{near[0]}'?" if near else ""
        raise AttributeError(f"The '{type(self).__name__}' object has no attribute '{name}'.{hint}")

    def __delattr__(self, name):
        own = self.__dict__
        for registry in ("_params", "_buffers", "_cells"):
            own[registry].pop(name, None)
        if name not in own:
            raise AttributeError(f"The '{type(self).__name__}' object has no attribute '{name}'.")
        self._write_attribute(name, None)
        own.pop(name)

    # Calling ------------------------------------------------------------------------------------------------------------

    def __call__(self, *args, **kwargs):
        own = self.__dict__
        if "_params" not in own:
            raise AttributeError(f"The '{type(self).__name__}' object is not initialized: call super().__init__() in its __init__.")
        current = local.state.scope
        if current is not None:
            current.root.cells[id(self)] = self
        elif (context._settings["mode"] == context.GRAPH_MODE or own["_jit"] is not None) and not local.state.direct:
            return self._call_compiled(args, kwargs)
        if own["_plain"] and current is None:
            return self.construct(*args, **kwargs)
        return self._run(*args, **kwargs)

    def _call_compiled(self, args, kwargs):
        own = self.__dict__
        program = own["_compiled"]
        if program is None:
            program = own["_compiled"] = CompiledFunction(self._run, type(self).__name__)
            program.fullgraph = bool(own["_jit"])
        return program(args, kwargs)

    def _run(self, *args, **kwargs):
        """`construct` with hooks, casts, recomputation and custom gradient."""
        own = self.__dict__
        current = scope.current()
        if current is not None:
            current.root.cells[id(self)] = self
        function = self._construct
        if own["_cast"] is not None:
            args, kwargs = _cast_inputs((args, kwargs), own["_cast"])
        if type(self).bprop is not Cell.bprop:
            function = self._with_bprop
        if own["_recompute"]:
            inner = function

            def function(*a, **k):
                return checkpointed(type(self).__name__, inner, a, k)

        if own["_hooks"]:
            return own["_hooks"].run(self, function, args, kwargs)
        return function(*args, **kwargs)

    def _construct(self, *args, **kwargs):
        current = scope.current()
        if current is not None and current.root.convert:
            return control.convert(self.construct)(*args, **kwargs)
        return self.construct(*args, **kwargs)

    def _with_bprop(self, *args):
        def rule(outs, cotangents):
            out = outs[0] if len(outs) == 1 else tuple(outs)
            dout = cotangents[0] if len(cotangents) == 1 else tuple(cotangents)
            grads = self.bprop(*args, out, dout)
            grads = grads if isinstance(grads, tuple | list) else (grads,)
            if len(grads) != len(args):
                raise ValueError(f"The 'bprop' of '{type(self).__name__}' should return a gradient for each of its {len(args)} inputs, but returned {len(grads)}.")
            return [g if isinstance(g, Tensor) or g is None else None for g in grads]

        return custom_gradient(self._construct, rule, args)

    def construct(self, *args, **kwargs):
        """The computation; subclasses define it."""
        if hasattr(self, "forward"):
            raise AttributeError(f"For '{type(self).__name__}', the method 'construct' is not defined. Rename 'forward' to 'construct'.")
        raise AttributeError(f"For '{type(self).__name__}', the method 'construct' is not defined.")

    def bprop(self, *args):
        """A gradient of one's own: `bprop(self, *inputs, out, dout)` returns a tuple with a gradient for each input."""
        raise AttributeError(f"For '{type(self).__name__}', the method 'bprop' is not defined.")

    # Modes --------------------------------------------------------------------------------------------------------------

    def set_train(self, mode=True):
        """Training (True) or evaluation (False) behaviour for this Cell and all in it; returns self."""
        mode = bool(mode)
        changed = False
        for cell in self._all_cells():
            if cell.__dict__["training"] is not mode:
                cell.__dict__["training"] = mode
                changed = True
            cell.__dict__["_phase"] = "train" if mode else "predict"
        if changed:
            context.bump_epoch()
        return self

    @property
    def phase(self):
        """The name of what the Cell is used for."""
        return self.__dict__.get("_phase", "train")

    @phase.setter
    def phase(self, value):
        self.__dict__["_phase"] = value

    def set_grad(self, requires_grad=True):
        """Mark the Cell for gradient computation; gradient functions differentiate any Cell, so this only sets `requires_grad`; returns self."""
        self.__dict__["requires_grad"] = bool(requires_grad)
        return self

    def to_float(self, dst_type):
        """Compute in float16, bfloat16 or float32: the floating inputs of this Cell and all in it are cast to the type; returns self.

        Raises:
            ValueError: another type.
        """
        if dst_type not in (float16, bfloat16, float32):
            raise ValueError(
                f"For 'to_float', the argument 'dst_type' must be mindspore.float32, mindspore.float16 or mindspore.bfloat16, but got {dst_type!r}."
            )
        for cell in self._all_cells():
            cell.__dict__["_cast"] = dst_type
            cell._hooks_changed()
        return self

    def recompute(self, *, use_reentrant=True, output_recompute=False, early_stop=True, context_fn=None, **kwargs):
        """Do not keep the intermediate results of this Cell for the backward pass of a compiled step, but compute them again.

        Raises:
            ValueError: `context_fn` is given. Other arguments say how MindSpore runs it and make no difference here.
        """
        if context_fn is not None:
            raise ValueError("For 'Cell.recompute', 'context_fn' should be None.")
        unknown = set(kwargs) - {"mode", "mp_comm_recompute", "parallel_optimizer_comm_recompute", "recompute_slice_activation"}
        if unknown:
            raise ValueError(f"For 'Cell.recompute', unknown arguments {sorted(unknown)}.")
        self.__dict__["_recompute"] = kwargs.get("mode", True)
        self._hooks_changed()
        return self

    def set_jit(self, fullgraph=False):
        """Compile calls of this Cell in PyNative mode too (what `jit(cell)` does); returns self."""
        self.__dict__["_jit"] = bool(fullgraph)
        self._hooks_changed()
        return self

    def compile(self, *args, **kwargs):
        """Compile for arguments of these types, without keeping what the call computes or writes."""
        before = [(p, p._value) for p in self.get_parameters()]
        self._call_compiled(args, kwargs)
        for p, value in before:
            if p._value is not value and value.data is not None and not value.data.is_deleted():
                scope.rebind(p, value)

    @property
    def compiled_traces(self):
        """How often the Python of this Cell has run to be compiled: two for each new kind of arguments."""
        return 0 if self.__dict__["_compiled"] is None else self.__dict__["_compiled"].traces

    def add_flags(self, **flags):
        """Attach flags, readable as attributes; returns self."""
        self._flags.update(flags)
        for k, v in flags.items():
            self.__dict__[k] = v
        if "fp16" in flags or "bf16" in flags or "fp32" in flags:
            chosen = [t for k, t in (("fp16", float16), ("bf16", bfloat16), ("fp32", float32)) if flags.get(k)]
            self.__dict__["_cast"] = chosen[0] if chosen else None
            self._hooks_changed()
        return self

    def add_flags_recursive(self, **flags):
        """`add_flags` for this Cell and all in it."""
        for cell in self._all_cells():
            cell.add_flags(**flags)
        return self

    def get_flags(self):
        """The flags."""
        return self._flags

    # Hooks --------------------------------------------------------------------------------------------------------------

    def _add_hook(self, kind, hook_fn, **options):
        if self.__dict__["_hooks"] is None:
            self.__dict__["_hooks"] = Hooks()
        return self.__dict__["_hooks"].add(self, kind, hook_fn, **options)

    def register_forward_pre_hook(self, hook_fn, *, prepend=False, with_kwargs=False):
        """Call `hook_fn(cell, inputs)` before `construct`; what it returns, if not None, replaces the inputs. Returns a handle with `remove()`."""
        return self._add_hook("forward_pre", hook_fn, prepend=prepend, with_kwargs=with_kwargs)

    def register_forward_hook(self, hook_fn, *, prepend=False, with_kwargs=False, always_call=False):
        """Call `hook_fn(cell, inputs, output)` after `construct`; what it returns, if not None, replaces the output. Returns a handle with `remove()`."""
        return self._add_hook("forward", hook_fn, prepend=prepend, with_kwargs=with_kwargs, always_call=always_call)

    def register_backward_pre_hook(self, hook_fn):
        """Call `hook_fn(cell, output_gradients)` when the gradients of the outputs are known; what it returns, if not None, replaces them."""
        return self._add_hook("backward_pre", hook_fn)

    def register_backward_hook(self, hook_fn):
        """Call `hook_fn(cell, input_gradients, output_gradients)` when the gradients of the inputs are known; what it returns, if not None, replaces them."""
        return self._add_hook("backward", hook_fn)

    # Text ---------------------------------------------------------------------------------------------------------------

    def extend_repr(self):
        """What stands between the parentheses of the Cell's text; subclasses define it."""
        return ""

    def __repr__(self):
        extra = self.extend_repr()
        children = [f"({key}): " + repr(cell).replace("\n", "\n  ") for key, cell in self._cells.items() if cell is not None]
        if not children:
            return f"{type(self).__name__}({extra})"
        lines = ([extra] if extra else []) + children
        return f"{type(self).__name__}(\n  " + "\n  ".join(lines) + "\n)"

    __str__ = __repr__


class GraphCell(Cell):
    """A Cell made from a MindIR file's graph.

    Raises:
        TypeError: always; MindIR graphs are programs for MindSpore's own executor.
    """

    def __init__(self, graph, params_init=None, obf_random_seed=None):
        raise TypeError("GraphCell runs graphs of MindSpore's MindIR format, which only MindSpore executes: build the network from its Python class and load a checkpoint.")


def _cast_inputs(inputs, dtype):
    return tree.map_tensors(lambda t: t.astype(dtype) if t.dtype.is_floating_point and t.dtype is not dtype else t, inputs)
