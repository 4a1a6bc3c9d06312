"""The few private helpers of MindSpore that many programs import, doing what such programs need of them."""

import functools

from sporax._core.dispatch import synchronize


def cell_attr_register(fn=None, attrs=None):
    """Decorator of a Cell's constructor. Constructors need no mark here; whatever a compiled call reads is followed.

    Raises:
        TypeError: `attrs` is neither None nor names of attributes.
    """
    if attrs is not None and not (isinstance(attrs, list | tuple | str)):
        raise TypeError(f"For 'cell_attr_register', 'attrs' should be names of attributes, but got {attrs!r}.")
    return (lambda f: f) if fn is None else fn


@functools.cache
def _made(cls, args, kwargs):
    return cls(*args, **dict(kwargs))


def _get_cache_prim(cls):
    """A function that makes an operator of class `cls`: the same one for the same arguments."""

    def make(*args, **kwargs):
        try:
            return _made(cls, args, tuple(sorted(kwargs.items())))
        except TypeError:
            # an argument that has no hash, or an error of the constructor's own
            return cls(*args, **kwargs)

    return make


class _Executor:
    """What `_pynative_executor` is used for outside MindSpore itself: waiting until everything is computed."""

    def sync(self):
        """Wait until every operation so far is computed."""
        synchronize()

    def __getattr__(self, name):
        raise AttributeError(f"MindSpore's internal executor has no {name!r} in Sporax: use mindspore.value_and_grad for gradients and mindspore.runtime.synchronize() to wait.")


_pynative_executor = _Executor()
