"""Starting MindSpore programs.

`sporax run` does all of it. In a notebook, or a program that starts another, call `install()` before the first `import mindspore`:

    >>> from sporax import launch
    >>> launch.install()
    >>> import mindspore
    >>> mindspore is ms
    True
    >>> launch.uninstall()
"""

from sporax._names.finder import install, installed, uninstall

__all__ = ["install", "installed", "uninstall"]
