"""`Cell`: a piece of a network, with what it owns and how it is called.

In PyNative a call is a call of `construct`. In GRAPH_MODE (or with `jit`) the outermost call of a Cell is compiled as a whole: `_run` is what
is compiled, and every Cell that is called on the way tells the trace. So a compiled program knows which Cells it has seen, and asks
each for its `_trace_fingerprint` when something has changed.

What a Cell is able to do besides lies in small parts: `_members` (what it owns), `_naming`, `_flags` (modes and settings),
`_convert`, `_hooks`, `_state_dict`, `_gradient` (gradients of one's own and hooks on gradients).
"""

import collections
import itertools
import types
from typing import Any

from sporax._core import context, control
from sporax._core.autocast import autocast, cast_floats
from sporax._core.compile import CompiledFunction
from sporax._core.jit import JitFunction
from sporax._core.parameter import Parameter, ParameterTuple
from sporax._core.paths import PLAIN, description
from sporax._core.scope import MISSING
from sporax._core.state import local
from sporax._core.tensor import Tensor
from sporax.nn._convert import Convertible
from sporax.nn._flags import Flags
from sporax.nn._gradient import recomputed, with_bprop
from sporax.nn._hooks import Hooked, with_parameter_hooks
from sporax.nn._members import Members, Owned
from sporax.nn._state_dict import StateDict

_OWNED = Members, Parameter, ParameterTuple
_versions = itertools.count(1)
_settings = context._settings


class Cell(Members, Flags, Convertible, Hooked, StateDict):
    """Base class of all layers and networks. Subclasses make their parts in `__init__` and compute in `construct`.

    Parameters, Cells and buffers (`register_buffer`) that are assigned to attributes belong to the Cell. Lists of Cells are held by a
    `CellList`, lists of Parameters by a `ParameterTuple`. A method `bprop(self, *inputs, out, dout)` replaces the gradient.

    Args:
        auto_prefix: whether the names of the Parameters of sub-Cells begin with the attribute's name. Default: True.
        flags: a dict of flags for `add_flags`. Default: None.

    Examples:
        >>> class Line(nn.Cell):
        ...     def __init__(self):
        ...         super().__init__()
        ...         self.w = ms.Parameter(Tensor([2.0]))
        ...     def construct(self, x):
        ...         return x * self.w
        >>> net = Line()
        >>> print(net(Tensor([3.0])), net.trainable_params())
        [6.] [Parameter (name=w, shape=(1,), dtype=Float32, requires_grad=True)]
    """

    def __new__(cls, *args, **kwargs):
        cell = object.__new__(cls)
        scope = local.state.scope
        # what a trace makes itself is not logged in it
        cell.__dict__["_born"] = None if scope is None else scope.root
        return cell

    def __init__(self, auto_prefix=True, flags=None):
        own = self.__dict__
        own["_cells"], own["_params"], own["_buffers"], own["_non_persistent"] = Owned(own), Owned(own), Owned(own), set()
        own["_auto_prefix"], own["_param_prefix"], own["_phase"] = bool(auto_prefix), "", "train"
        own["_version"], own["_content"], own["_flags"] = next(_versions), None, {}
        own["_hooks"] = own["_cast"] = own["_cast_out"] = own["_recompute"] = own["_jit"] = own["_compiled"] = own["_inputs"] = own["_sharding"] = own[
            "_parameter_hooks"
        ] = None
        own["_jit_config"], own["_construct_signature"] = {}, None
        own["training"], own["requires_grad"], own["cell_type"] = False, False, None
        self._choose_call()
        if flags:
            self.add_flags(**flags)

    # Calling ---------------------------------------------------------------------------------------------------------

    def __call__(self, *args, **kwargs) -> Any:
        state = local.state
        own = self.__dict__
        if state.scope is None:
            if self._jit is None and _settings["mode"]:
                if own["_quick"]:
                    try:
                        return self.construct(*args, **kwargs)
                    except (TypeError, AttributeError) as error:
                        self._explain(error, args, kwargs)
                        raise
            elif not state.direct:
                return (own["_compiled"] or self._compiled_function())(args, kwargs)
        return self._run(*args, **kwargs)

    def _compiled_function(self):
        function = self._compiled
        if function is None:
            self.check_names()
            function = self.__dict__["_compiled"] = CompiledFunction(self._run, type(self).__name__)
            function.fullgraph = bool(self._jit)
        return function

    def _run(self, *args, **kwargs):
        """The call itself, in every mode: `construct` with what is wrapped around it."""
        scope = local.state.scope
        if scope is not None:
            self._join(scope.root)
        try:
            if self._hooks:
                return self._hooks.run(self, self._run_inside, args, kwargs)
            return self._run_inside(*args, **kwargs)
        except (TypeError, AttributeError) as error:
            self._explain(error, args, kwargs)
            raise

    def _run_inside(self, *args, **kwargs):
        function = self._construct()
        if self._parameter_hooks:
            function = with_parameter_hooks(self, self._parameter_hooks, function)
        if self._has_bprop:
            function = with_bprop(self, function)
        elif self._recompute:
            function = recomputed(self, function)
        if self._cast is None:
            return function(*args, **kwargs)
        with autocast(self._cast):
            out = function(*args, **kwargs)
        return out if self._cast_out is None else cast_floats(out, self._cast_out)

    def _construct(self):
        """`construct`, converted if the trace in progress converts."""
        function = self.construct
        if isinstance(getattr(type(self), "construct", None), JitFunction):
            function = types.MethodType(type(self).construct.function, self)
        scope = local.state.scope
        return control.convert(function) if scope is not None and scope.root.convert else function

    def _join(self, root):
        """Tell a trace that it depends on this Cell and those in it."""
        if id(self) not in root.cells and self._born is not root:
            for _, cell in self.cells_and_names():
                if cell._born is not root:
                    root.cells[id(cell)] = cell

    def _explain(self, error, args, kwargs):
        """Say which Cell was called wrongly, where the plain error does not."""
        from sporax.nn._explain import explain

        explain(self, error, args, kwargs)

    def construct(self, *args, **kwargs) -> Any:
        """The computation of the Cell; each subclass defines its own.

        Raises:
            AttributeError: the subclass has none.
        """
        hint = "Rename its method 'forward' to 'construct'." if hasattr(type(self), "forward") else "Define construct(self, ...) in the class."
        raise AttributeError(f"For '{type(self).__name__}', the method 'construct' is not defined. {hint}")

    def set_jit(self, fullgraph=False):
        """Compile calls of this Cell in PyNative mode too (what `jit(cell)` does); returns self.

        Args:
            fullgraph: whether a fall back to PyNative is an error. Default: False.
        """
        own = self.__dict__
        own["_jit"], own["_compiled"] = bool(fullgraph), None
        self._settings_changed()
        return self

    def compile(self, *args, **kwargs):
        """Compile for arguments of these types, without running: nothing is computed or written.

        Raises:
            ValueError: two Parameters have the same name.
        """
        self._compiled_function().prepare(args, kwargs)

    def compile_and_run(self, *args, **kwargs):
        """Call the compiled Cell, whatever the mode.

        Raises:
            ValueError: two Parameters have the same name.
        """
        return self._compiled_function()(args, kwargs)

    @property
    def compiled_traces(self):
        """How often the Python of this Cell has run to be compiled: two for each new kind of arguments."""
        return 0 if self._compiled is None else self._compiled.traces

    # Attributes ------------------------------------------------------------------------------------------------------

    def __setattr__(self, name, value):
        own = self.__dict__
        if isinstance(value, _OWNED):
            if "_params" in own and (own["_params"].get(name) is value or own["_cells"].get(name) is value):
                return  # `self.steps += 1` has changed the Parameter, not the Cell
            self._set_owned(name, value)
        elif "_params" in own and (name in own["_params"] or name in own["_cells"] or name in own["_buffers"]):
            self._replace_owned(name, value)
        elif hasattr(type(self), name) and hasattr(getattr(type(self), name), "__set__"):
            object.__setattr__(self, name, value)
        else:
            if value.__class__ is list or value.__class__ is tuple:
                self._check_list(name, value)
            self._set_plain(name, value)

    def _set_plain(self, name, value):
        own = self.__dict__
        if name in own and own[name] is value:
            return
        if "_version" in own:
            self._changed(name, value)
        own[name] = value

    def _changed(self, name, value=None):
        """Tell the trace in progress, or the compiled programs, that an attribute is about to change."""
        own = self.__dict__
        before = own.get(name, MISSING)
        scope = local.state.scope
        if scope is not None:
            if own["_born"] is not scope.root:
                scope.log_attribute(self, name, before)
            own["_content"] = None
            return
        described = description(value)
        if described is not None:
            known = description(before)
            if known == described:
                return  # programs read tensors in attributes anew each time
            if known is None and before is not MISSING:
                own["_version"] = next(_versions)
        else:
            own["_version"] = next(_versions)
        own["_content"] = None
        context.bump_epoch()

    def _settings_changed(self):
        """Tell the compiled programs that something other than an attribute has changed."""
        own = self.__dict__
        own["_version"], own["_content"] = next(_versions), None
        self._choose_call()
        context.bump_epoch()

    def _choose_call(self):
        own, cls = self.__dict__, type(self)
        construct = getattr(cls, "construct", None)
        if isinstance(construct, JitFunction) and own["_jit"] is None:
            own["_jit"] = construct._compiled.fullgraph
        own["_has_bprop"] = callable(getattr(cls, "bprop", None))
        special = own["_has_bprop"], own["_hooks"], own["_cast"] is not None, own["_recompute"], own["_jit"] is not None, own["_parameter_hooks"]
        own["_quick"] = not any(special)

    def _trace_fingerprint(self):
        """What a trace may have seen of this Cell, by content where it can be compared, and the version of everything else."""
        own = self.__dict__
        content = own["_content"]
        if content is None:
            seen = [(k, description(v)) for k, v in own.items() if k not in _INTERNAL]
            content = own["_content"] = (own["_version"], *seen)
        return content

    def _read_attribute(self, name):
        return self.__dict__.get(name, MISSING)

    def _write_attribute(self, name, value):
        """Set an attribute to what a compiled program or a region has computed for it."""
        own = self.__dict__
        if value is MISSING:
            if name in own:
                delattr(self, name)
            return
        if value.__class__ in PLAIN and own.get(name) != value and local.state.scope is None:
            self._warn_of_changes(name)
        setattr(self, name, value)

    def _restore_attribute(self, name, value):
        """Set an attribute back to what it was before a trace wrote it."""
        own = self.__dict__
        before = own.get(name, MISSING)
        where = own
        for owned in (own["_cells"], own["_params"], own["_buffers"]):
            if name in owned:
                where = owned
        if value is MISSING:
            where.pop(name, None)
        else:
            where[name] = value
        own["_content"] = None
        if local.state.scope is None and not (before is value or (before.__class__ is Tensor and value.__class__ is Tensor)):
            if description(before) is None or description(value) is None:
                own["_version"] = next(_versions)
            context.bump_epoch()

    def _warn_of_changes(self, name):
        changes = self.__dict__.setdefault("_changes", collections.Counter())
        changes[name] += 1
        if changes[name] == 3:
            context.warn_once(
                ("changing attribute", type(self), name),
                f"{type(self).__name__}.{name} is another Python number after each call of a compiled function, which is compiled anew each time. "
                "Keep what changes in a Parameter or Tensor: self.steps = Parameter(Tensor(0), requires_grad=False).",
                stacklevel=2,
            )

    def __getattr__(self, name) -> Any:
        own = self.__dict__
        cls = type(self).__name__
        if "_params" not in own and name in _INTERNAL:
            raise AttributeError(f"The '{cls}' object has no attribute '{name}': call super().__init__() first in its __init__.")
        if name.startswith("__"):  # asked for by Python or by getattr with a default, at every step: no search for what was meant
            raise AttributeError(f"The '{cls}' object has no attribute '{name}'.")
        import difflib

        near = difflib.get_close_matches(name, [k for k in (*own, *dir(type(self))) if not k.startswith("_")], 1)
        raise AttributeError(f"The '{cls}' object has no attribute '{name}'." + (f" Did you mean '{near[0]}'?" if near else ""))

    def __delattr__(self, name):
        own = self.__dict__
        if name not in own:
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
        self._changed(name, MISSING)
        for owned in (own["_cells"], own["_params"], own["_buffers"]):
            if name in owned:
                del owned[name]
                return
        del own[name]

    # Copies and text -------------------------------------------------------------------------------------------------

    def __getstate__(self):
        state = {k: v for k, v in self.__dict__.items() if k not in ("_born", "_compiled", "_construct_signature", "_content", "_version")}
        for key in ("_cells", "_params", "_buffers"):
            if key in state:
                state[key] = dict(state[key])
        return state

    def __setstate__(self, state):
        own = self.__dict__
        own.update(state)
        for key in ("_cells", "_params", "_buffers"):
            if key in state:
                own[key] = Owned(own)
                for name, value in state[key].items():
                    own[key][name] = value
        own["_version"], own["_content"], own["_compiled"], own["_construct_signature"] = next(_versions), None, None, None

    def __bool__(self):
        return True

    def extend_repr(self) -> str:
        """What stands between the parentheses of the Cell's text; subclasses say their settings here. Default: ""."""
        return ""

    def __repr__(self):
        extra = self.extend_repr()
        children = [f"({name}): " + repr(cell).replace("\n", "\n  ") for name, cell in self.__dict__.get("_cells", {}).items()]
        if not children:
            return f"{self.cls_name}({extra})"
        lines = [*(extra.split("\n") if extra else ()), *children]
        return f"{self.cls_name}(\n  " + "\n  ".join(lines) + "\n)"

    __str__ = __repr__


class GraphCell(Cell):
    """Not available: it runs graphs of MindSpore's MindIR format.

    Raises:
        TypeError: always; only MindSpore executes MindIR.
    """

    def __init__(self, graph, params_init=None, obf_random_seed=None):
        raise TypeError(
            "GraphCell runs graphs of MindSpore's MindIR format, which only MindSpore executes: "
            "build the network from its Python class and load a checkpoint."
        )


_INTERNAL = frozenset(Cell().__dict__) - {"training", "requires_grad", "cell_type"} | {"_changes", "_scope", "_state_hooks"}
