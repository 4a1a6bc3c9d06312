"""Import finders: MindSpore's module paths below `sporax`, and `mindspore` itself.

`Aliases` lets `sporax.ops.operations` be the module `sporax.ops`. `Served` lets `import mindspore`, and everything below it, give the modules
of `sporax`: the very same objects, so that nothing is loaded twice.
"""

import contextlib
import importlib
import importlib.abc
import importlib.machinery
import importlib.metadata
import sys
import threading

from sporax._names import genuine, keywords, lookup, members, modules
from sporax._names.spellings import REMOVED
from sporax.version import API_LEVEL

ROOT = lookup.ROOT
_lock = threading.RLock()
# Packages that MindSpore doesn't have: they are not bound below `mindspore` unless somebody asks.
_OURS = tuple(f"{ROOT}.{name}." for name in ("_core", "_kernels", "_names", "cli", "launch"))


@contextlib.contextmanager
def _import_lock():
    """No other thread looks for a module in between."""
    import _imp

    _imp.acquire_lock()
    try:
        with _lock:
            yield
    finally:
        _imp.release_lock()


class _Same(importlib.abc.Loader):
    """Loads a name as a module that exists already, and leaves that module's own spec alone."""

    def __init__(self, name, after=None):
        self.name, self._after = name, after

    def create_module(self, spec):
        module = importlib.import_module(self.name)
        self._spec = module.__spec__
        return module

    def exec_module(self, module):
        module.__spec__ = self._spec
        if self._after is not None:
            self._after()


def _spec(fullname, name, after=None):
    return importlib.machinery.ModuleSpec(fullname, _Same(name, after), is_package=True)


def _no_module(fullname):
    """The error for a module path that leads nowhere."""
    path = fullname.partition(".")[2]
    served = fullname if fullname.startswith("mindspore") else f"mindspore.{path}"
    text = f"No module named {fullname!r}" + (" in Sporax, which serves `mindspore` here." if fullname.startswith("mindspore") else ".")
    at, hint = path, None
    while at and hint is None:
        above, _, name = at.rpartition(".")
        hint, at = REMOVED.get(above, {}).get(name), above
    if hint is not None:
        text += f" {lookup.shown(path)}: {hint}."
    elif path in modules.ALIASES or path in modules.MOVED_MODULES or genuine.has(served):
        text += " MindSpore has it, Sporax does not yet."
    elif near := lookup.nearest(path, [*modules.ALIASES, *genuine.modules()]):
        text += f" Nearest: {', '.join(map(lookup.shown, near))}."
    return ModuleNotFoundError(f"{text} `{ROOT} coverage` lists what a program needs.", name=fullname)


class Aliases(importlib.abc.MetaPathFinder):
    """Finds the alias paths below `sporax`. A file comes before an alias."""

    def find_spec(self, fullname, path=None, target=None):
        parent, _, _ = fullname.rpartition(".")
        if not fullname.startswith(f"{ROOT}."):
            return None
        own = sys.modules[parent].__name__ == parent if parent in sys.modules else True
        if own and importlib.machinery.PathFinder.find_spec(fullname, path) is not None:
            return None
        at = fullname.partition(".")[2]
        to = modules.target(at)
        if to is None:
            if own:
                return None
            # the files of the module that an alias stands for are not to be loaded again below the alias
            raise _no_module(fullname)
        if lookup.submodule(to) is lookup.MISSING:
            raise _no_module(fullname)
        if at in modules.MOVED_MODULES:
            lookup.note(("moved", at), f"{lookup.shown(at)} is now {lookup.shown(modules.PUBLIC.get(to, to))}.")
        return _spec(fullname, lookup.real(to))


class Served(importlib.abc.MetaPathFinder):
    """Finds `mindspore` and everything below it; for `importlib.metadata`, a distribution `mindspore` of the version whose API this is."""

    def find_spec(self, fullname, path=None, target=None):
        if fullname != "mindspore" and not fullname.startswith("mindspore."):
            return None
        name = ROOT + fullname.removeprefix("mindspore")
        try:
            importlib.import_module(name)
        except ModuleNotFoundError as error:
            if error.name != name and not name.startswith(f"{error.name}."):
                raise
            raise _no_module(fullname) from None
        return _spec(fullname, name, lambda: _serve_loaded(fullname, name))

    def find_distributions(self, context=None):
        name = getattr(context, "name", None)
        return [_Distribution()] if name is None or name.lower().replace("_", "-") == "mindspore" else []


class _Distribution(importlib.metadata.Distribution):
    """What `importlib.metadata` says about `mindspore`."""

    def read_text(self, filename):
        return f"Metadata-Version: 2.1\nName: mindspore\nVersion: {API_LEVEL}\nSummary: served by Sporax\n" if filename == "METADATA" else None

    def locate_file(self, path):
        return importlib.metadata.distribution(ROOT).locate_file(path)


def _serve_loaded(fullname, name):
    """Enter the modules below `name` that are loaded already below `fullname` too."""
    for known, module in list(sys.modules.items()):
        if known.startswith(f"{name}.") and not known.startswith(_OURS):
            sys.modules.setdefault(fullname + known.removeprefix(name), module)


def install_aliases():
    """Let MindSpore's module paths work below `sporax`. Calling it again has no effect."""
    with _import_lock():
        if not any(isinstance(f, Aliases) for f in sys.meta_path):
            sys.meta_path.insert(0, Aliases())
            keywords.install()
            members.install()


def install():
    """Let `import mindspore` give Sporax from now on. Calling it again has no effect.

    Raises:
        ImportError: genuine MindSpore is imported already.
    """
    import sporax

    with _import_lock():
        loaded = sys.modules.get("mindspore")
        if loaded is not None and loaded is not sporax:
            raise ImportError(
                f"MindSpore is imported already (from {getattr(loaded, '__file__', None) or '?'}), and only one package can answer to `import mindspore` "
                "in a process. Start the program with `sporax run script.py`, or install the finder before the first import of mindspore.",
                name="mindspore",
            )
        if not any(isinstance(f, Served) for f in sys.meta_path):
            sys.meta_path.insert(0, Served())


def uninstall():
    """Undo `install`."""
    with _import_lock():
        sys.meta_path[:] = [f for f in sys.meta_path if not isinstance(f, Served)]
        for name in [n for n in sys.modules if n == "mindspore" or n.startswith("mindspore.")]:
            del sys.modules[name]


def installed():
    """Whether `import mindspore` gives Sporax."""
    return any(isinstance(f, Served) for f in sys.meta_path)
