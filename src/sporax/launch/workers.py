"""Worker processes of a program that `sporax run` started: `import mindspore` gives Sporax there, too.

Processes that are forked have it from their parent. A process that is spawned starts with a fresh interpreter, which first loads some data from its
parent; an entry of ours in that data installs the import finder when it is loaded.
"""

import functools
import multiprocessing.spawn

from sporax._names import finder


class _Install:
    """Installs the finder in the process that unpickles it."""

    def __reduce__(self):
        return finder.install, ()


def serve():
    """Let worker processes that start from now on have `mindspore` served. Calling it again has no effect."""
    original = multiprocessing.spawn.get_preparation_data
    if hasattr(original, "__wrapped__"):
        return

    @functools.wraps(original)
    def get_preparation_data(name):
        return {**original(name), "sporax": _Install()}

    multiprocessing.spawn.get_preparation_data = get_preparation_data
