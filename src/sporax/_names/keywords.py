"""Arguments that constructors had in MindSpore 1.x: accepted where they ask for what happens anyway, with one note."""

import functools

from sporax._names import lookup

# Class -> {argument: (the value that changes nothing, what to do for any other)}.
DROPPED = {
    "nn.SoftmaxCrossEntropyWithLogits": {"is_grad": (False, "this class gives the loss; use mindspore.value_and_grad for its gradient")},
}


def _accept(cls, dropped):
    init = cls.__init__

    @functools.wraps(init)
    def __init__(self, *args, **kwargs):
        for name in dropped.keys() & kwargs.keys():
            value, otherwise = kwargs.pop(name), dropped[name]
            if value != otherwise[0]:
                raise ValueError(f"For '{cls.__name__}', {name!r} is an argument of MindSpore 1.x that should be {otherwise[0]!r}, but got {value!r}: {otherwise[1]}.")
            lookup.note(("argument", cls.__name__, name), f"{cls.__name__} has no argument {name!r} any more: leave {name}={value!r} out.")
        init(self, *args, **kwargs)

    cls.__init__ = __init__


def install():
    """Let the classes of the table accept their old arguments."""
    for path, dropped in DROPPED.items():
        _accept(lookup.resolve(path), dropped)
