"""What a module does when it is asked for a name that it doesn't have.

An old name gives the new thing with one note; a name of another path gives the thing itself; a module path is imported. Anything else is an
error that says what is near, and whether MindSpore has the name.
"""

import difflib
import dis
import importlib
import sys
import threading
import types
import typing
from importlib.machinery import PathFinder

from sporax._core.context import warn_once
from sporax._names import genuine, modules
from sporax._names.spellings import REMOVED, SUCCESSOR, replacement
from sporax.version import API_LEVEL, __version__

ROOT = __name__.partition(".")[0]
_IMPORT_FROM = dis.opmap["IMPORT_FROM"]
# Where a name may be that was looked for in the wrong module.
_ELSEWHERE = ("", "ops", "nn", "train", "mint", "mint.nn.functional", "common.initializer", "dataset", "dataset.vision", "dataset.transforms", "numpy")
MISSING = object()


class _Busy(threading.local):
    """The replacements that this thread is looking up: one that leads back to itself is not there."""

    def __init__(self):
        self.replacements: list = []


_busy = _Busy()


class MissingName(AttributeError):
    """A module has no such name. The message is put together when it is shown: programs often only ask whether a name is there."""

    def __init__(self, path, name):
        super().__init__()
        self._missing = path, name

    def __str__(self):
        return explain(*self._missing)


# what a traceback calls it: to the program it is nothing but an AttributeError
MissingName.__module__, MissingName.__qualname__ = "builtins", "AttributeError"


def real(path):
    """The full name of a module from its path below the package."""
    return f"{ROOT}.{path}" if path else ROOT


def shown(path):
    """A module's name in messages: programs call it `mindspore...`."""
    return f"mindspore.{path}" if path else "mindspore"


def public_path(module_name):
    """A module's path below the package, as MindSpore spells it."""
    path = module_name.removeprefix(ROOT).lstrip(".")
    return modules.PUBLIC.get(path, path)


def resolve(path) -> typing.Any:
    """The object at a dotted path below the package; modules on the way are imported."""
    obj, at = sys.modules[ROOT], ""
    for part in path.split("."):
        at = f"{at}.{part}" if at else part
        value = vars(obj).get(part, MISSING) if isinstance(obj, types.ModuleType) else getattr(obj, part)
        if value is MISSING:
            value = submodule(at)
        if value is MISSING:
            value = getattr(obj, part)
        obj = value
    return obj


def submodule(path):
    """The module at a path below the package, imported if need be, or MISSING."""
    if not path:
        return sys.modules[ROOT]
    name = real(path)
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is None or not (error.name == ROOT or error.name.startswith(f"{ROOT}.")):
            raise
        return MISSING


def wider(path):
    """The path, and the packages above it that have the same names: `nn.layer.basic`, `nn.layer`, `nn`; the root for `context`."""
    while True:
        yield path
        if "." not in path:
            break
        path = path.rpartition(".")[0]
    if path == "context":
        yield ""


def lookup(path, name):
    """What a module's missing name stands for: (value or MISSING, the new path where the name is an old one)."""
    for at in wider(path):
        new = replacement(at, name)
        if new is not None and new not in _busy.replacements:
            _busy.replacements.append(new)
            try:
                return resolve(new[0]), new[0] if new[1] else None
            except AttributeError:
                return MISSING, None
            finally:
                _busy.replacements.pop()
        module = sys.modules.get(real(at))
        if at != path and module is not None and name in vars(module):
            return vars(module)[name], None
    found = submodule(f"{path}.{name}".lstrip("."))
    for alias in modules.CHILDREN.get(path, {}).get(name, ()):
        found = submodule(alias) if found is MISSING else found
    return found, None


def module_getattr(module_name, public=None):
    """The `__getattr__` of a public module.

    Args:
        module_name: the module's `__name__`.
        public: the module's path in MindSpore; default: its own below the package.
    """
    path = public_path(module_name) if public is None else public
    _complete(module_name)

    def __getattr__(name) -> typing.Any:
        if name.startswith("__"):
            raise AttributeError(f"module {module_name!r} has no attribute {name!r}")
        value, new = lookup(path, name)
        if value is MISSING:
            if _is_import(sys._getframe(1)):
                raise ImportError(explain(path, name, "cannot import name {name!r} from {module}"), name=module_name)
            raise MissingName(path, name)
        if new is not None:
            use = f"is not in MindSpore 2.x: use {SUCCESSOR[new]}" if new in SUCCESSOR else f"is now {shown(new)}"
            note(("moved", path, name), f"{shown(path)}.{name} {use}.")
        return value

    return __getattr__


def _complete(module_name):
    """Give the modules below a public module the same errors, and keep its functions from being hidden by alias paths of the same name.

    The import system binds a module to its name in the package above once it is loaded. Where a function has that name (`common.mutable`,
    `ops.function.grad`) it must stay, so such paths are entered in `sys.modules` beforehand: then there is nothing to bind.
    """
    package, below = sys.modules.get(module_name), f"{module_name}."
    for name in [name for name in sys.modules if name.startswith(below)]:
        module = sys.modules[name]
        if isinstance(module, types.ModuleType) and "__getattr__" not in vars(module):
            path = public_path(name)
            if module.__name__ == name and path in modules.KNOWN:
                vars(module)["__getattr__"] = module_getattr(name)
                if path in modules.PACKAGES:
                    # a file here, a package there: only packages are asked for modules below them
                    vars(module).setdefault("__path__", [])
    if package is None:
        return
    for child, paths in modules.CHILDREN.get(module_name.removeprefix(ROOT).lstrip("."), {}).items():
        if isinstance(vars(package).get(child, package), types.ModuleType):
            continue
        for path in paths:
            name, to = real(path), sys.modules.get(real(modules.ALIASES[path]))
            if to is not None and name not in sys.modules and PathFinder.find_spec(name, getattr(package, "__path__", [])) is None:
                sys.modules[name] = to


def _is_import(frame):
    """Whether the frame is at `from module import name`, where Python would replace the message of an AttributeError."""
    code = frame.f_code
    return code.co_name == "_handle_fromlist" or (frame.f_lasti >= 0 and code.co_code[frame.f_lasti] == _IMPORT_FROM)


def note(key, text):
    """Say once in this process that a spelling is an old one, at the line of the program that uses it."""
    # the call of `warn_once`, and this one
    frame, level = sys._getframe(1), 3
    while frame is not None and _is_machinery(frame.f_code.co_filename):
        # `warnings` doesn't count the frames of importlib's core itself
        level += not frame.f_code.co_filename.startswith("<frozen importlib._bootstrap")
        frame = frame.f_back
    warn_once(key, text, FutureWarning, stacklevel=level)


_HERE = __file__.rpartition("lookup")[0]


def _is_machinery(file):
    return file.startswith(_HERE) or file.startswith("<frozen importlib") or file == importlib.__file__


def explain(path, name, start="module {module} has no {name!r}"):
    """What to say about a name that a module doesn't have."""
    text = start.format(module=f"{shown(path)!r} (served by Sporax {__version__})", name=name)
    removed = removal(path, name)
    if removed is not None:
        return f"{text}: {removed}."
    return f"{text}. {hint(path, name)}`{ROOT} coverage` lists what a program needs."


def removal(path, name):
    """What to do instead of a name that is gone for good, or None."""
    return next((REMOVED[at][name] for at in wider(path) if name in REMOVED.get(at, {})), None)


def hint(path, name):
    """Who has a name that a module doesn't have, and what is near; sentences, or nothing."""
    text = ""
    new = next((r for at in wider(path) if (r := replacement(at, name))), None)
    if new is not None:
        text += f"It is {shown(new[0])}, which MindSpore has and Sporax does not yet. "
    elif any(genuine.has(f"mindspore.{at}.{name}".replace("..", ".")) for at in wider(path)) or f"{path}.{name}".lstrip(".") in modules.ALIASES:
        text += "MindSpore has it, Sporax does not yet. "
    places = [at for at in _ELSEWHERE if at != path and name in public_names(at)]
    if places:
        return text + f"There is {' and '.join(f'{shown(at)}.{name}' for at in places)}. "
    near = [] if text else nearest(name, public_names(path))
    if near:
        return f"Nearest: {', '.join(near)}. "
    return text or f"MindSpore {API_LEVEL} has no such name either. "


def public_names(path):
    """The public names that a module has, if it is loaded; modules themselves are not among them."""
    module = sys.modules.get(real(path)) or sys.modules.get(real(modules.target(path) or path))
    if module is None:
        return {}
    return {n: v for n, v in vars(module).items() if not n.startswith("_") and not isinstance(v, types.ModuleType)}


def nearest(name, names):
    """Up to three names that are like this one; upper and lower case don't matter."""
    by_lower: dict = {}
    for n in names:
        by_lower.setdefault(n.lower(), []).append(n)
    found = difflib.get_close_matches(name.lower(), by_lower, 3, 0.7)
    return [n for lower in found for n in by_lower[lower]][:3]
