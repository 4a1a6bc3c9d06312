"""Import finders: MindSpore's module paths below `sporax`, and `mindspore` itself.

`Aliases` lets `sporax.ops.operations` be the module `sporax.ops`. `Served` lets `import mindspore` (and everything below it) give the modules
of `sporax`: the very same objects, so nothing is loaded twice.
"""

import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import sys
import threading

from sporax._names.modules import target

_lock = threading.RLock()


class _Same(importlib.abc.Loader):
    """Loads a name as a module that exists, and leaves that module's own spec alone."""

    def __init__(self, name):
        self.name = name

    def create_module(self, spec):
        module = importlib.import_module(self.name)
        self._spec = module.__spec__
        return module

    def exec_module(self, module):
        module.__spec__ = self._spec


class Aliases(importlib.abc.MetaPathFinder):
    """Finds the alias paths below `sporax`."""

    def find_spec(self, fullname, path=None, module=None):
        if not fullname.startswith("sporax."):
            return None
        found = target(fullname[7:])
        return None if found is None else importlib.machinery.ModuleSpec(fullname, _Same("sporax." + found), is_package=True)


class Served(importlib.abc.MetaPathFinder):
    """Finds `mindspore` and everything below it."""

    def find_spec(self, fullname, path=None, module=None):
        if fullname != "mindspore" and not fullname.startswith("mindspore."):
            return None
        name = "sporax" + fullname[9:]
        try:
            importlib.import_module(name)
        except ModuleNotFoundError as error:
            if error.name != name and not name.startswith(f"{error.name}."):
                raise
            raise ModuleNotFoundError(f"No module named {fullname!r} in Sporax (which serves `mindspore` here). `sporax coverage script.py` lists what a program needs.", name=fullname) from None
        return importlib.machinery.ModuleSpec(fullname, _Same(name), is_package=True)


def install_aliases():
    """Let MindSpore's module paths work below `sporax`. Calling it again has no effect."""
    with _lock:
        if not any(isinstance(f, Aliases) for f in sys.meta_path):
            sys.meta_path.insert(0, Aliases())


def install():
    """Let `import mindspore` give Sporax from now on. Calling it again has no effect.

    Raises:
        ImportError: genuine MindSpore is imported already.
    """
    import sporax

    with _lock:
        loaded = sys.modules.get("mindspore")
        if loaded is not None and loaded is not sporax:
            raise ImportError(
                f"MindSpore is imported already (from {getattr(loaded, '__file__', '?')}): both can not answer to `import mindspore` in one process. "
                "Start the program with `sporax run script.py`, or install the finder before the first import."
            )
        if not any(isinstance(f, Served) for f in sys.meta_path):
            sys.meta_path.insert(0, Served())


def uninstall():
    """Undo `install`."""
    with _lock:
        sys.meta_path[:] = [f for f in sys.meta_path if not isinstance(f, Served)]
        for name in [n for n in sys.modules if n == "mindspore" or n.startswith("mindspore.")]:
            del sys.modules[name]
