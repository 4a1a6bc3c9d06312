"""The public names of the MindSpore release whose API this is, as its documentation lists them."""

import functools
import pathlib


@functools.cache
def owners():
    """Module or class (dotted, starting with `mindspore`) -> the public names that it has."""
    lines = pathlib.Path(__file__).with_name("genuine.txt").read_text(encoding="utf-8").splitlines()
    return {owner: frozenset(names) for owner, *names in map(str.split, lines) if owner != "#"}


@functools.cache
def modules():
    """Paths of the documented modules, without the leading `mindspore`."""
    known = owners()
    return frozenset(o.removeprefix("mindspore").lstrip(".") for o in known if o.rpartition(".")[2] not in known.get(o.rpartition(".")[0], ()))


def has(path):
    """Whether MindSpore has the public name.

    Examples:
        >>> from sporax._names.genuine import has
        >>> has("mindspore.nn.Dense"), has("mindspore.nn.Linear9")
        (True, False)
    """
    owner, _, name = path.rpartition(".")
    return name in owners().get(owner, ()) or path in owners()
