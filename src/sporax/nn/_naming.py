"""Names of Parameters: they follow the structure.

When a Cell becomes `self.block` of another, its Parameters are named `block.` + their path in it; within a network names are unique.
"""

import re

from sporax._core.context import warn_once

_PREFIX = re.compile(r"^\w*[0-9a-zA-Z\_\.\-]*$", re.ASCII)


class Names:
    """The part of a Cell that names its Parameters."""

    def update_parameters_name(self, prefix="", recurse=True):
        """Rename each Parameter to `prefix` + its path in this Cell.

        Args:
            prefix: put in front as it is (with its dot). Default: "".
            recurse: whether Parameters of sub-Cells are renamed too. Default: True.

        Raises:
            TypeError: `prefix` is not a str.
            ValueError: `prefix` has characters other than letters, digits, "_", "." and "-".
        """
        if not isinstance(prefix, str):
            raise TypeError(f"For 'update_parameters_name', 'prefix' should be a str, but got {prefix!r} of type {type(prefix).__name__}.")
        if not _PREFIX.match(prefix):
            raise ValueError(f"For 'update_parameters_name', the prefix '{prefix}' is illegal: use letters, digits, '_', '.' and '-'.")
        for path, param in self.parameters_and_names(expand=recurse):
            param.name = prefix + path

    def update_cell_prefix(self):
        """Set `param_prefix` of each sub-Cell to its path."""
        for path, cell in self.cells_and_names():
            cell.__dict__["_param_prefix"] = path

    @property
    def param_prefix(self):
        """Path of this Cell, as the last `update_cell_prefix` of a Cell above it found it."""
        return self._param_prefix

    def _name_above(self):
        """What the names of the Parameters begin with because of the Cells above this one."""
        for path, param in self.parameters_and_names():
            if param.name.endswith(path):
                return param.name[: -len(path)]
        return ""

    def check_names(self):
        """Check that no two Parameters have the same name.

        Raises:
            ValueError: two have; the message says which, and what helps.
        """
        known = {}
        # an optimizer lists the parameters of the networks it trains; those may well be of another network
        tuples = [cell.__dict__.get("parameters") for _, cell in self.cells_and_names()]
        listed = {id(p) for held in tuples if isinstance(held, tuple) for p in held}
        for path, param in self.parameters_and_names():
            if param.name in known and id(param) not in listed and known[param.name][1] not in listed:
                raise ValueError(
                    f"The value of {path} is {param!r}, its name '{param.name}' already exists: it is also the name of {known[param.name][0]}. "
                    "Please set a unique name for the parameter: leave out name=... so that it is named after its attribute, or give one of the "
                    "Cells another prefix with cell.update_parameters_name('prefix.')."
                )
            known[param.name] = path, id(param)

    def check_names_and_refresh_name(self):
        """Set `param_prefix` of each sub-Cell, as compiling does in MindSpore."""
        self.update_cell_prefix()


def warn_of_lists(network):
    """Cells in a plain list are not trained: say so before an optimizer is made without their Parameters."""
    cells = [cell for _, cell in network.cells_and_names()]
    known = {id(cell) for cell in cells}
    for cell in cells:
        for name, held in cell.__dict__.items():
            if held.__class__ not in (list, tuple) or not held or not isinstance(held[0], Names):
                continue
            if any(isinstance(c, Names) and id(c) not in known and next(c.get_parameters(), None) is not None for c in held):
                warn_once(
                    ("list of cells", type(cell), name),
                    f"The Cells in {type(cell).__name__}.{name} are in a plain {type(held).__name__}, so their Parameters do not belong to the "
                    f"network and are not trained. Write self.{name} = nn.CellList([...]).",
                    stacklevel=4,
                )
