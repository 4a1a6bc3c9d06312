"""Device memory and execution: `mindspore.runtime`."""

import re

from sporax._core.context import set_context
from sporax._core.dispatch import synchronize

_SIZE = re.compile(r"^\d+(\.\d+)?GB$")


def set_memory(init_size="2GB", increase_size="2GB", max_size="1024GB", optimize_level="O0", huge_page_reserve_size="0GB"):
    """Settings of the memory pool. XLA manages device memory itself: sizes are checked and kept, and have no other effect.

    Args:
        init_size: size of the pool at the start, such as "2GB".
        increase_size: size of a step by which it grows.
        max_size: limit of the pool.
        optimize_level: "O0" or "O1". XLA always reuses memory across the whole program, which is what O1 asks for.
        huge_page_reserve_size: size of reserved huge pages.

    Raises:
        TypeError: a size is not a str.
        ValueError: a size isn't of the form "2GB", or the level is neither "O0" nor "O1".
    """
    sizes = {"init_size": init_size, "increase_size": increase_size, "max_size": max_size, "huge_page_reserve_size": huge_page_reserve_size}
    for key, value in sizes.items():
        if not isinstance(value, str):
            raise TypeError(f"For 'set_memory', '{key}' should be a str such as '2GB', but got {value!r}.")
        if not _SIZE.match(value):
            raise ValueError(f"For 'set_memory', '{key}' should be of the form '2GB', but got {value!r}.")
    if optimize_level not in ("O0", "O1"):
        raise ValueError(f"For 'set_memory', 'optimize_level' should be 'O0' or 'O1', but got {optimize_level!r}.")
    set_context(memory_optimize_level=optimize_level, max_device_memory=max_size, mempool_block_size=increase_size)


__all__ = ["set_memory", "synchronize"]
