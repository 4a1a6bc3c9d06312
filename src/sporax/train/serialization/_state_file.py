"""The file of a training state: a sealed file with `progress`, `serial` (which of a folder's states is the newer) and `state` (see `_tree`)."""

from sporax.train.serialization import _dtypes, _sealed
from sporax.train.serialization._wire import Damaged

FORMAT = "sporax-state-1"


def write(path, arrays, state, progress, serial):
    """Write a state: `arrays` is a dict of snapshots, `state` and `progress` are JSON."""
    _sealed.write(path, arrays, FORMAT, {"serial": serial, "progress": progress, "state": state})


class StateFile(_sealed.SealedFile):
    """A state in a file: `progress` and `serial` from its header, `read()` for the rest.

    Raises:
        Damaged: it is no such file, or is cut off.
    """

    def __init__(self, path):
        super().__init__(path, FORMAT)
        self.progress, self.serial = self.note("progress"), self.note("serial")
        if not isinstance(self.progress, dict) or type(self.serial) is not int:
            raise Damaged("its progress is damaged")

    def read(self):
        """The arrays and the state.

        Raises:
            Damaged: the checksum is wrong.
        """
        return self.arrays(), self.note("state")


def describe(dtype):
    """A dtype as MindSpore calls it."""
    return _dtypes.CKPT_NAME.get(dtype, str(dtype))
