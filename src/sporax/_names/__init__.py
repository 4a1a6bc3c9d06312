"""Names: what a module says when it is asked for one that it doesn't have."""

import difflib
import functools
import importlib
import pathlib
import sys
import typing

from sporax._core.context import warn_once
from sporax._names.spellings import MOVED, REMOVED


@functools.cache
def genuine_names():
    """Public names of the MindSpore release whose API this is, dotted."""
    return frozenset(pathlib.Path(__file__).with_name("genuine.txt").read_text().split())


def resolve(path) -> typing.Any:
    """The object at a dotted path below the package."""
    obj: typing.Any = sys.modules["sporax"]
    for part in path.split("."):
        obj = getattr(obj, part)
    return obj


def module_getattr(module_name, public=None):
    """The `__getattr__` of a public module.

    A name that moved gives the new thing, with one note. Any other gives an AttributeError that says what is near, and whether MindSpore has
    the name. `public` is the module's path in MindSpore (default: its own below the package).
    """
    path = public if public is not None else module_name.removeprefix("sporax").lstrip(".")

    def __getattr__(name) -> typing.Any:
        if name.startswith("__"):
            raise AttributeError(f"module {module_name!r} has no attribute {name!r}")
        shown = "mindspore" + (f".{path}" if path else "")
        moved = MOVED.get((path, name))
        if moved is not None:
            warn_once(("moved", path, name), f"{shown}.{name} is now mindspore.{moved}.", FutureWarning)
            return resolve(moved)
        removed = REMOVED.get((path, name))
        if removed is not None:
            raise AttributeError(f"{shown} has no {name!r}: {removed}.")
        raise AttributeError(missing(module_name, shown, name))

    return __getattr__


def missing(module_name, shown, name):
    """What to say about a name that is not there."""
    module = importlib.import_module(module_name)
    near = difflib.get_close_matches(name, [n for n in dir(module) if not n.startswith("_")], 3)
    text = f"module {shown!r} (served by Sporax) has no {name!r}."
    if f"{shown}.{name}" in genuine_names():
        text += " MindSpore has it, Sporax does not yet."
    elif shown == "mindspore" and hasattr(sys.modules.get("sporax.ops"), name):
        text += f" Use mindspore.ops.{name}."
    if near:
        text += f" Nearest: {', '.join(near)}."
    return text + " `sporax coverage script.py` lists what a program needs."
