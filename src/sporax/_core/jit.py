"""`jit`: compile a function, a method or a Cell."""

import functools

from sporax._core.compile import CompiledFunction
from sporax._core.state import local

_BACKENDS = ("", "ms_backend", "GE")


class JitFunction:
    """A function that is compiled for each new kind of arguments.

    `traces` is the number of times its Python has run to be compiled: two for each new kind (see `compile`).
    """

    def __init__(self, function, fullgraph=False):
        functools.update_wrapper(self, function)
        self.function = function
        self._compiled = CompiledFunction(function)
        self._compiled.fullgraph = fullgraph

    def __call__(self, *args, **kwargs):
        if local.state.direct:
            return self.function(*args, **kwargs)
        return self._compiled(args, kwargs)

    def __get__(self, instance, owner=None):
        return self if instance is None else functools.partial(self, instance)

    @property
    def traces(self):
        """How often the Python of this function has run to be compiled."""
        return self._compiled.traces


def jit(function=None, *, capture_mode="ast", jit_level="O0", dynamic=0, fullgraph=False, backend="", **options):
    """Compile a function: it runs as one executable, and is traced again only for another kind of arguments.

    Tensor arguments may have new values at each call; a new shape or dtype, or another value of a Python argument, is compiled anew.

    Args:
        function: a function, method or Cell. Default: None, for use as a decorator with arguments.
        capture_mode: how MindSpore would capture: "ast", "bytecode" or "trace". Sporax always traces. Default: "ast".
        jit_level: "O0", "O1" or "O2": how much MindSpore would optimize; XLA always optimizes fully. Default: "O0".
        dynamic: 0 or 1: whether MindSpore may compile for varying shapes; XLA compiles each shape. Default: 0.
        fullgraph: whether falling back to PyNative is an error. Default: False.
        backend: "", "ms_backend" or "GE". Default: "".
        **options: options of MindSpore's backends, which XLA has no use for: `disable_format_transform`, `exec_order`, `ge_options`, `infer_boost`,
            `output_dim_reduce`.

    Raises:
        TypeError: `function` cannot be called, or an unknown option.
        ValueError: an argument is none of its choices.

    Examples:
        >>> @ms.jit
        ... def double(x):
        ...     return x * 2
        >>> print(double(Tensor([1.0, 2.0])), double.traces)
        [2. 4.] 2
    """
    for key, value, choices in (
        ("capture_mode", capture_mode, ("ast", "bytecode", "trace")),
        ("jit_level", jit_level, ("O0", "O1", "O2")),
        ("dynamic", dynamic, (0, 1)),
        ("fullgraph", fullgraph, (True, False)),
        ("backend", backend, _BACKENDS),
    ):
        if value not in choices:
            raise ValueError(f"For 'jit', '{key}' should be one of {choices}, but got {value!r}.")
    unknown = set(options) - {"disable_format_transform", "exec_order", "ge_options", "infer_boost", "output_dim_reduce"}
    if unknown:
        raise TypeError(f"For 'jit', there is no option {', '.join(map(repr, sorted(unknown)))}.")

    def decorate(f):
        if hasattr(f, "construct") and hasattr(f, "trainable_params") and not isinstance(f, type):
            f.set_jit(fullgraph)
            return f
        if not callable(f):
            raise TypeError(f"For 'jit', the input should be a function, method or Cell, but got {f!r} of type {type(f).__name__}.")
        return f if isinstance(f, JitFunction) else JitFunction(f, fullgraph)

    return decorate if function is None else decorate(function)


def jit_class(cls):
    """Mark a class so that compiled functions may use its instances; tracing needs no mark, so the class is returned as it is."""
    if not isinstance(cls, type):
        raise TypeError(f"For 'jit_class', the decorated object should be a class, but got {cls!r}.")
    return cls


def constexpr(fn=None, get_instance=True, name=None, reuse_result=True, check=True):
    """Mark a function that computes on Python values only; tracing runs such functions as they are."""
    return (lambda f: f) if fn is None else fn


def lazy_inline(fn=None, attrs=None, policy=None):
    """Mark a Cell whose repeated calls MindSpore compiles once; XLA shares equal computations by itself."""
    return (lambda f: f) if fn is None else fn


def no_inline(fn=None):
    """Mark a function that MindSpore does not inline; XLA decides by itself."""
    return (lambda f: f) if fn is None else fn


def mutable(input_data, dynamic_len=False):
    """Mark a Python value as one that varies between calls of a compiled function.

    A number becomes a 0-d Tensor, so that a new value does not compile anew; containers are entered.

    Raises:
        ValueError: `dynamic_len` is True: the length of a tuple is part of a compiled program.
    """
    from sporax._core.transforms import as_tensors

    if dynamic_len:
        raise ValueError("For 'mutable', dynamic_len=True is not supported: a tuple of another length is compiled as another program.")
    return as_tensors(input_data)
