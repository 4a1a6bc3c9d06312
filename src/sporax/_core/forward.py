"""Forward mode and batching: `jvp`, `jacfwd`, `jacrev`, `vmap`. The function is traced, so its Python runs on types, not on values."""

import jax
import jax.numpy as jnp

from sporax._core import context, tree
from sporax._core.compile import compiled
from sporax._core.dispatch import apply, apply_closure
from sporax._core.region import Region, converted
from sporax._core.state import local
from sporax._core.transforms import _check_positions, as_tensors, rest_of
from sporax._core.value import aval_of
from sporax._kernels.array import broadcast_to


def _call(name, function, of, settings, args):
    """Run `function(*args)`, compiled as a whole in GRAPH_MODE."""
    if context.get_context("mode") == context.GRAPH_MODE and local.state.scope is None and not local.state.tapes:
        return compiled(function, name, of=of, settings=(name, settings))(args, {})
    return function(*args)


def _need_function(name, fn):
    if not callable(fn):
        raise TypeError(f"For '{name}', 'fn' should be callable, but got {fn!r} of type {type(fn).__name__}.")


def jvp(fn, inputs, v, has_aux=False):
    """The value of `fn` at `inputs` and its directional derivative along `v`: forward mode.

    Args:
        fn: a function or Cell.
        inputs: a Tensor or a tuple of Tensors.
        v: tangents, as `inputs`.
        has_aux: differentiate the first output only; the others are returned too. Default: False.

    Returns:
        `(outputs, tangents)`; with `has_aux` `(first output, tangent, the other output or a tuple of them)`.

    Raises:
        TypeError: `fn` cannot be called.
        ValueError: `v` has another shape or structure than `inputs`.

    Examples:
        >>> out, tangent = ms.jvp(lambda x: x * x, Tensor([1.0, 2.0]), Tensor([1.0, 10.0]))
        >>> print(tangent)
        [ 2. 40.]
    """
    _need_function("jvp", fn)
    inputs = inputs if isinstance(inputs, tuple | list) else (inputs,)
    v = v if isinstance(v, tuple | list) else (v,)
    return _call(
        "jvp",
        lambda *args: _jvp(fn, args[: len(inputs)], args[len(inputs) :], has_aux),
        fn,
        has_aux,
        (*as_tensors(tuple(inputs)), *as_tensors(tuple(v))),
    )


def _jvp(fn, inputs, v, has_aux):
    primals, tangents = [], []
    spec = tree.flatten(tuple(inputs), primals)
    tree.flatten(tuple(v), tangents)
    if len(primals) == len(tangents):
        tangents = [d if d.shape == t.shape else _stretched(d, t) for t, d in zip(primals, tangents, strict=True)]
    if [t.shape for t in primals] != [t.shape for t in tangents]:
        raise ValueError(f"For 'jvp', 'v' should have the shapes of 'inputs' {[t.shape for t in primals]}, but got {[t.shape for t in tangents]}.")
    region = Region("jvp", lambda *xs: converted(fn)(*tree.unflatten(spec, iter(xs))), primals)
    n = len(region.captures)

    def pushed(*arrays):
        captured, xs, ts = arrays[:n], arrays[n : n + len(primals)], arrays[n + len(primals) :]
        moving = [i for i, x in enumerate(xs) if jnp.issubdtype(x.dtype, jnp.inexact)]

        def f(*some):
            full = list(xs)
            for i, x in zip(moving, some, strict=True):
                full[i] = x
            out = region.pure(*captured, *full)
            flowing = [i for i in range(region.count) if jnp.issubdtype(out[i].dtype, jnp.inexact)]
            return [out[i] for i in flowing], out

        _, dots, out = jax.jvp(f, tuple(xs[i] for i in moving), tuple(ts[i].astype(xs[i].dtype) for i in moving), has_aux=True)
        dots = iter(dots)
        return [*out, *[next(dots) if jnp.issubdtype(o.dtype, jnp.inexact) else jnp.zeros_like(o) for o in out[: region.count]]]

    outs = apply_closure(pushed, [*region.inputs, *tangents])
    total = len(outs) - region.count
    out = region.commit(outs[:total])
    dot = tree.unflatten(region.spec, iter(outs[total:]))
    if not has_aux:
        return out, dot
    if not isinstance(out, tuple) or len(out) < 2:
        raise ValueError("When has_aux is True, origin fn requires more than one outputs: return (first, other, ...).")
    return out[0], dot[0], rest_of(out)


def _stretched(tangent, primal):
    """A tangent broadcast to the shape of its input, where it does."""
    try:
        fits = jnp.broadcast_shapes(tangent.shape, primal.shape) == primal.shape
    except ValueError:
        fits = False
    return apply(broadcast_to, (tangent,), shape=primal.shape) if fits else tangent


def jacfwd(fn, grad_position=0, has_aux=False):
    """A function that computes the Jacobian of `fn` in forward mode, for few inputs and many outputs.

    Returns:
        A function with the arguments of `fn`. The Jacobian of an output of shape S for an input of shape T has shape (*S, *T).

    Examples:
        >>> print(ms.jacfwd(lambda x: x * x)(Tensor([1.0, 2.0])))
        [[2. 0.]
         [0. 4.]]
    """
    return _jacobian("jacfwd", fn, grad_position, has_aux)


def jacrev(fn, grad_position=0, has_aux=False):
    """A function that computes the Jacobian of `fn` in reverse mode, for many inputs and few outputs; see `jacfwd`.

    Examples:
        >>> print(ms.jacrev(lambda x: x * x)(Tensor([1.0, 2.0])))
        [[2. 0.]
         [0. 4.]]
    """
    return _jacobian("jacrev", fn, grad_position, has_aux)


def _jacobian(name, fn, grad_position, has_aux):
    _need_function(name, fn)
    positions = _check_positions(name, grad_position)
    if positions is None:
        raise ValueError(f"For '{name}', 'grad_position' should be an int or a tuple of ints, but got None.")

    def jacobian(*args):
        return _call(name, run, fn, (positions, has_aux), args)

    def run(*args):
        for p in positions:
            if p >= len(args):
                raise IndexError(f"For '{name}', grad_position {p} is out of range: the function was called with {len(args)} inputs.")
        args = [as_tensors(a) if i in positions else a for i, a in enumerate(args)]
        wanted = [args[p] for p in positions]
        rest: list = []
        spec = tree.flatten([a for i, a in enumerate(args) if i not in positions], rest)

        def f(*xs):
            others = iter(tree.unflatten(spec, iter(xs[len(wanted) :])))
            chosen = dict(zip(positions, xs[: len(wanted)], strict=True))
            out = converted(fn)(*[chosen[i] if i in positions else next(others) for i in range(len(args))])
            if has_aux and (not isinstance(out, tuple) or len(out) < 2):
                raise ValueError("When has_aux is True, origin fn requires more than one outputs: return (first, other, ...).")
            return out

        region = Region(name, f, [*wanted, *rest])
        n, k = len(region.captures), len(wanted)
        transform = jax.jacfwd if name == "jacfwd" else jax.jacrev

        def whole(*arrays):
            def g(*xs):
                out = region.pure(*arrays[:n], *xs, *arrays[n + k :])
                count = _first_count(region, has_aux)
                return out[:count], out

            jac, out = transform(g, tuple(range(k)), has_aux=True)(*arrays[n : n + k])
            return [*out, *[j for per_output in jac for j in per_output]]

        outs = apply_closure(whole, region.inputs)
        count = _first_count(region, has_aux)
        total = len(outs) - count * k
        out = region.commit(outs[:total])
        flat = outs[total:]
        per_output = [flat[i * k] if len(positions) == 1 else tuple(flat[i * k : (i + 1) * k]) for i in range(count)]
        result = per_output[0] if count == 1 else tuple(per_output)
        return (result, rest_of(out)) if has_aux else result

    return jacobian


def _first_count(region, has_aux):
    if not has_aux:
        return region.count
    first: list = []
    spec = region.spec.children[0]
    return len(_leaves_of(spec, first))


def _leaves_of(spec, found):
    if tree.is_single_leaf(spec):
        found.append(spec)
    for c in getattr(spec, "children", ()):
        _leaves_of(c, found)
    return found


def vmap(fn, in_axes=0, out_axes=0):
    """A function that applies `fn` to each slice of its arguments along an axis, all at once.

    Args:
        fn: a function or Cell.
        in_axes: the mapped axis of the arguments: an int, None (not mapped), or a tuple or list with an entry (again nested) for each.
            Default: 0.
        out_axes: where the mapped axis goes in the results, in the same way. Default: 0.

    Raises:
        TypeError: `fn` cannot be called.
        RuntimeError: `in_axes` does not fit the arguments, all of it is None, or the mapped sizes differ.
            Or `fn` writes a Parameter with a value that differs from slice to slice.

    Examples:
        >>> print(ms.vmap(lambda x, y: x * y, (0, None))(Tensor([1.0, 2.0]), Tensor([3.0, 4.0])))
        [[3. 4.]
         [6. 8.]]
    """
    if isinstance(fn, list | tuple):
        raise TypeError("For 'vmap', 'fn' should be one function or Cell: stack the parameters of several Cells and map over them.")
    _need_function("vmap", fn)

    def mapped(*args):
        return _call("vmap", lambda *xs: _vmap(fn, _hashable(in_axes), _hashable(out_axes), xs), fn, (_hashable(in_axes), _hashable(out_axes)), args)

    return mapped


def _hashable(axes):
    return tuple(map(_hashable, axes)) if isinstance(axes, list | tuple) else axes


def _axes_like(name, axes, obj):
    """An axis (or None) for each tensor of `obj`."""
    if axes is None or isinstance(axes, int):
        leaves: list = []
        tree.flatten(obj, leaves)
        return [axes] * len(leaves)
    items = list(obj.values()) if isinstance(obj, dict) else obj
    if not isinstance(items, tuple | list) or len(items) != len(axes):
        got = len(items) if isinstance(items, tuple | list) else 1
        raise RuntimeError(f"When vmap's '{name}' is a tuple or list, its size must be that of what it maps: {got}, but got {len(axes)}: {axes}.")
    return [a for ax, x in zip(axes, items, strict=True) for a in _axes_like(name, ax, x)]


def _vmap(fn, in_axes, out_axes, args):
    args = as_tensors(tuple(args))
    leaves: list = []
    spec = tree.flatten(args, leaves)
    axes = _axes_like("in_axes", in_axes, args)
    sizes = set()
    for t, a in zip(leaves, axes, strict=True):
        if a is not None:
            if not -t.ndim <= a < t.ndim:
                raise RuntimeError(f"For 'vmap', an in_axes entry is {a}, but the tensor has {t.ndim} axes.")
            sizes.add(t.shape[a])
    if len(sizes) != 1:
        raise RuntimeError(
            "For 'vmap', 'in_axes' should map at least one input."
            if not sizes
            else f"For 'vmap', the mapped axes have different sizes: {sorted(sizes)}."
        )
    inner = [t._value.aval if a is None else aval_of(_without(t.shape, a), t._value.aval.dtype) for t, a in zip(leaves, axes, strict=True)]
    region = Region("vmap", lambda *xs: converted(fn)(*tree.unflatten(spec, iter(xs))), leaves, inner)
    n = len(region.captures)
    found: dict = {}

    def batched(*arrays):
        def f(*xs):
            return region.pure(*arrays[:n], *xs)

        kinds = jax.eval_shape(f, *[jax.ShapeDtypeStruct(a.shape, a.dtype) for a in inner])
        outs = _out_axes(region, out_axes, found)
        try:
            return jax.vmap(f, tuple(axes), outs + [None] * (len(kinds) - len(outs)))(*arrays[n:])
        except ValueError as error:
            if "out_axes" not in str(error):
                raise
            raise RuntimeError(
                "For 'vmap', a result with out_axes None, or what the function wrote to a Parameter or attribute, differs from slice to slice. "
                "Return it with an out_axes entry instead."
            ) from error

    return region.run(lambda pure: batched)


def _without(shape, axis):
    axis %= len(shape)
    return shape[:axis] + shape[axis + 1 :]


def _out_axes(region, out_axes, found):
    if "axes" not in found:
        marks = tree.unflatten(region.spec, iter([_Mark()] * region.count))
        found["axes"] = _axes_of_marks(out_axes, marks)
    return found["axes"]


class _Mark:
    """Stands for one tensor of a result."""


def _axes_of_marks(axes, obj):
    if isinstance(obj, _Mark):
        return [axes]
    items = list(obj.values()) if isinstance(obj, dict) else obj if isinstance(obj, tuple | list) else []
    if axes is None or isinstance(axes, int):
        return [a for x in items for a in _axes_of_marks(axes, x)]
    if len(items) != len(axes):
        raise RuntimeError(f"When vmap's 'out_axes' is a tuple or list, its size must be the number of outputs {len(items)}, but got {len(axes)}.")
    return [a for ax, x in zip(axes, items, strict=True) for a in _axes_of_marks(ax, x)]


__all__ = ["jacfwd", "jacrev", "jvp", "vmap"]
