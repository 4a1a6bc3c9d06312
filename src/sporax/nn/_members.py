"""What a Cell owns: sub-Cells, Parameters and buffers.

The three dictionaries `_cells`, `_params` and `_buffers` say what is owned, in order; each entry is also an ordinary attribute, so reading
`self.weight` costs what any attribute costs.
"""

import collections

from sporax._core.parameter import Parameter, ParameterTuple
from sporax._core.tensor import Tensor
from sporax.nn._naming import Names, warn_of_lists


class Owned(collections.OrderedDict):
    """A dictionary of owned things whose entries are also attributes of the Cell."""

    def __init__(self, attributes):
        super().__init__()
        self.attributes = attributes

    def __setitem__(self, name, value):
        super().__setitem__(name, value)
        self.attributes[name] = value

    def __delitem__(self, name):
        super().__delitem__(name)
        self.attributes.pop(name, None)

    def pop(self, name, *default):
        self.attributes.pop(name, None)
        return super().pop(name, *default)

    def clear(self):
        for name in self:
            self.attributes.pop(name, None)
        super().clear()

    def replace(self, items):
        """Hold these items instead, in their order."""
        self.clear()
        for name, value in items:
            self[name] = value

    def __reduce__(self):
        return collections.OrderedDict, (), None, None, iter(self.items())


class Members(Names):
    """The part of a Cell that knows what it owns."""

    # Cells -----------------------------------------------------------------------------------------------------------

    def name_cells(self):
        """The direct sub-Cells by name, each once: an OrderedDict."""
        found, seen = collections.OrderedDict(), set()
        for name, cell in self._cells.items():
            if cell is not None and id(cell) not in seen:
                seen.add(id(cell))
                found[name] = cell
        return found

    def cells(self):
        """The direct sub-Cells, each once."""
        return self.name_cells().values()

    def cells_and_names(self, cells=None, name_prefix=""):
        """Iterate over (path, Cell) for this Cell and everything below it, each Cell once.

        Args:
            cells: a set of Cells to leave out; what is visited is added to it. Default: None.
            name_prefix: path of this Cell. Default: "".

        Examples:
            >>> net = nn.SequentialCell(nn.SequentialCell(), nn.SequentialCell())
            >>> [name for name, _ in net.cells_and_names()]
            ['', '0', '1']
        """
        seen = set() if cells is None else cells
        if self in seen:
            return
        seen.add(self)
        yield name_prefix, self
        for name, cell in self._cells.items():
            if cell is not None:
                yield from cell.cells_and_names(seen, f"{name_prefix}.{name}" if name_prefix else name)

    def get_sub_cell(self, target):
        """The Cell at a dotted path; "" is this Cell.

        Raises:
            AttributeError: there is nothing at this path, or no Cell.
        """
        cell = self
        for part in target.split(".") if target else ():
            if not hasattr(cell, part):
                raise AttributeError(f"{cell.cls_name} has no attribute `{part}`")
            found = getattr(cell, part)
            if not isinstance(found, Members):
                raise AttributeError(f"`{part}` is not an nn.Cell")
            cell = found
        return cell

    def insert_child_to_cell(self, child_name, child_cell):
        """Own a Cell under a name. The names of its Parameters stay as they are (assign it as an attribute to prefix them).

        Raises:
            KeyError: the name is empty, contains a dot or belongs to another attribute.
            TypeError: `child_name` is not a str, or `child_cell` is not a Cell.
        """
        if not isinstance(child_name, str):
            raise TypeError(f"For 'insert_child_to_cell', the type of parameter 'child_name' must be str, but got {type(child_name)}.")
        if not child_name or "." in child_name:
            raise KeyError(f"For 'insert_child_to_cell', 'child_name' can not be empty and can not contain '.', but got {child_name!r}.")
        own = self.__dict__
        if "_cells" not in own:
            raise AttributeError("For 'insert_child_to_cell', please call Cell.__init__() first: super().__init__() comes before the first sub-Cell.")
        if child_name not in self._cells and hasattr(self, child_name):
            raise KeyError(
                f"For 'insert_child_to_cell', '{child_name}' is already an attribute of the {type(self).__name__} "
                f"(a {type(getattr(self, child_name)).__name__}). "
                "Choose another name, or delete the attribute first."
            )
        if child_cell is not None and not isinstance(child_cell, Members):
            raise TypeError(f"For 'insert_child_to_cell', the argument 'child_cell' must be 'Cell' if not None, but got type {type(child_cell)}.")
        self._changed(child_name)
        self._cells[child_name] = child_cell

    # Parameters ------------------------------------------------------------------------------------------------------

    def insert_param_to_cell(self, param_name, param, check_name_contain_dot=True):
        """Own a Parameter under a name; a Parameter that has no name yet gets it.

        Args:
            param_name: name of the attribute.
            param: a Parameter or None.
            check_name_contain_dot: whether a dot in the name is an error. Default: True.

        Raises:
            KeyError: the name is empty, contains a dot or belongs to another attribute.
            TypeError: `param` is not a Parameter.
        """
        if not isinstance(param_name, str):
            raise TypeError(f"For 'insert_param_to_cell', 'param_name' should be a str, but got {param_name!r} of type {type(param_name).__name__}.")
        if not param_name:
            raise KeyError("For 'insert_param_to_cell', the argument 'param_name' should not be empty.")
        if check_name_contain_dot and "." in param_name:
            raise KeyError(f"For 'insert_param_to_cell', the argument 'param_name' should not contain '.', but got {param_name!r}.")
        own = self.__dict__
        if "_params" not in own:
            raise AttributeError(
                "For 'insert_param_to_cell', please call Cell.__init__() first: super().__init__() comes before the first Parameter."
            )
        if param_name not in self._params and hasattr(self, param_name):
            raise KeyError(
                f"For 'insert_param_to_cell', '{param_name}' is already an attribute of the {type(self).__name__} "
                f"(a {type(getattr(self, param_name)).__name__}). "
                "Choose another name, or delete the attribute first."
            )
        if param is not None and not isinstance(param, Parameter):
            raise TypeError(f"For 'insert_param_to_cell', the argument 'param' must be 'Parameter' if not None, but got {type(param)}.")
        if param is not None and not param.__dict__.get("_named", True):
            param.name = param_name
        self._changed(param_name)
        self._params[param_name] = param

    def parameters_and_names(self, name_prefix="", expand=True):
        """Iterate over (path, Parameter), each Parameter once.

        Args:
            name_prefix: path of this Cell. Default: "".
            expand: whether Parameters of sub-Cells are among them. Default: True.
        """
        seen = set()
        for path, cell in self.cells_and_names(name_prefix=name_prefix) if expand else ((name_prefix, self),):
            for name, param in cell._params.items():
                if param is not None and id(param) not in seen:
                    seen.add(id(param))
                    yield f"{path}.{name}" if path else name, param

    def get_parameters(self, expand=True):
        """Iterate over the Parameters, each once.

        Args:
            expand: whether Parameters of sub-Cells are among them. Default: True.
        """
        for _, param in self.parameters_and_names(expand=expand):
            yield param

    def trainable_params(self, recurse=True):
        """A list of the Parameters with `requires_grad`.

        Args:
            recurse: whether Parameters of sub-Cells are among them. Default: True.
        """
        if recurse:
            warn_of_lists(self)
        return [p for p in self.get_parameters(expand=recurse) if p.requires_grad]

    def untrainable_params(self, recurse=True):
        """A list of the Parameters without `requires_grad`.

        Args:
            recurse: whether Parameters of sub-Cells are among them. Default: True.
        """
        return [p for p in self.get_parameters(expand=recurse) if not p.requires_grad]

    def parameters_dict(self, recurse=True):
        """The Parameters by name: an OrderedDict.

        Args:
            recurse: whether Parameters of sub-Cells are among them. Default: True.
        """
        return collections.OrderedDict((p.name, p) for p in self.get_parameters(expand=recurse))

    def parameters_broadcast_dict(self, recurse=True):
        """The Parameters that data-parallel replicas share (all without `layerwise_parallel`), by name; None if there are none.

        Args:
            recurse: whether Parameters of sub-Cells are among them. Default: True.
        """
        found = collections.OrderedDict((p.name, p) for p in self.get_parameters(expand=recurse) if not p.layerwise_parallel)
        return found or None

    def init_parameters_data(self, auto_parallel_mode=False):
        """A dict from each Parameter to itself: Parameters have their data as soon as they are made, so none is replaced.

        Args:
            auto_parallel_mode: as in MindSpore; makes no difference. Default: False.

        Raises:
            TypeError: `auto_parallel_mode` is not a bool.
        """
        if not isinstance(auto_parallel_mode, bool):
            raise TypeError(f"For 'init_parameters_data', 'auto_parallel_mode' should be a bool, but got {auto_parallel_mode!r}.")
        return {p: p for p in self.get_parameters()}

    # Buffers ---------------------------------------------------------------------------------------------------------

    def register_buffer(self, name, tensor, persistent=True):
        """Own a Tensor that is not trained, such as a running average.

        Args:
            name: name of the attribute.
            tensor: a Tensor, or None.
            persistent: whether `state_dict` contains it. Default: True.

        Raises:
            KeyError: the name is empty, contains a dot or belongs to another attribute.
            TypeError: `name` is not a str, or `tensor` is not a Tensor.

        Examples:
            >>> class Net(nn.Cell):
            ...     def __init__(self):
            ...         super().__init__()
            ...         self.register_buffer("scale", Tensor([2.0]))
            ...     def construct(self, x):
            ...         return x * self.scale
            >>> print(Net()(Tensor([1.0, 3.0])))
            [2. 6.]
        """
        if "_buffers" not in self.__dict__:
            raise AttributeError("cannot assign buffer before Cell.__init__() call")
        if not isinstance(name, str):
            raise TypeError(f"buffer name should be a string, but got {name!r} of type {type(name)}.")
        if "." in name:
            raise KeyError(f'buffer name can\'t contain ".", but got {name!r}')
        if not name:
            raise KeyError('buffer name can\'t be empty string ""')
        if hasattr(self, name) and name not in self._buffers:
            raise KeyError(f"attribute '{name}' already exists")
        if tensor is not None and not isinstance(tensor, Tensor):
            raise TypeError(f"cannot assign '{type(tensor)}' object to buffer '{name}' (mindspore Tensor or None required)")
        self._changed(name)
        self._buffers[name] = tensor
        (self._non_persistent.discard if persistent else self._non_persistent.add)(name)

    def named_buffers(self, prefix="", recurse=True, remove_duplicate=True):
        """Iterate over (path, buffer).

        Args:
            prefix: path of this Cell. Default: "".
            recurse: whether buffers of sub-Cells are among them. Default: True.
            remove_duplicate: whether a buffer that is owned twice comes once. Default: True.
        """
        seen = set()
        for path, cell in self.cells_and_names(name_prefix=prefix) if recurse else ((prefix, self),):
            for name, buffer in cell._buffers.items():
                if buffer is not None and not (remove_duplicate and id(buffer) in seen):
                    seen.add(id(buffer))
                    yield f"{path}.{name}" if path else name, buffer

    def buffers(self, recurse=True):
        """Iterate over the buffers.

        Args:
            recurse: whether buffers of sub-Cells are among them. Default: True.
        """
        for _, buffer in self.named_buffers(recurse=recurse):
            yield buffer

    def get_buffer(self, target):
        """The buffer at a dotted path.

        Raises:
            AttributeError: there is nothing at this path, or no buffer.
        """
        path, _, name = target.rpartition(".")
        cell = self.get_sub_cell(path)
        if not hasattr(cell, name):
            raise AttributeError(f"{cell.cls_name} has no attribute `{name}`")
        if name not in cell._buffers:
            raise AttributeError(f"`{name}` is not a buffer")
        return getattr(cell, name)

    # Attributes ------------------------------------------------------------------------------------------------------

    def _set_owned(self, name, value):
        """Assign what a Cell owns: a Cell, a Parameter or a ParameterTuple."""
        own = self.__dict__
        if isinstance(value, Members):
            if "_cells" not in own:
                raise AttributeError(
                    f"The '{type(self).__name__}' object cannot own Cell '{name}' yet: call super().__init__() first in its __init__."
                )
            if self._auto_prefix:
                value.update_parameters_name(name + ".")
            self._forget_plain(name)
            self.insert_child_to_cell(name, value)
        elif isinstance(value, ParameterTuple):
            for param in value:
                self.insert_param_to_cell(param.name, param, check_name_contain_dot=False)
            self._set_plain(name, value)
        else:
            self._forget_plain(name)
            self.insert_param_to_cell(name, value)

    def _replace_owned(self, name, value):
        """Assign to the name of an owned thing something that is not itself owned: new data, None, or an error."""
        if name in self._params:
            if isinstance(value, Tensor) and self._params[name] is not None:
                self._params[name].set_data(value)
                return
            if value is not None:
                raise TypeError(
                    f"Parameter '{name}' already exists in network, can not assign this type: '{type(value)}' as a parameter. "
                    "Assign a Tensor to change its value, or a Parameter to replace it."
                )
            self._changed(name)
            self._params[name] = None
        elif name in self._cells:
            if value is not None:
                raise TypeError(
                    f"Sub cell '{name}' already exists in network, can not assign this type: '{type(value)}' as a cell. "
                    "Assign a Cell or None, or delete it first."
                )
            self._changed(name)
            self._cells[name] = None
        else:
            if value is not None and not isinstance(value, Tensor):
                raise TypeError(
                    f"Buffer '{name}' already exists in network, can not assign this type: '{type(value)}' as a buffer. Assign a Tensor or None."
                )
            self._changed(name, value)
            self._buffers[name] = value

    def _check_list(self, name, value):
        """Parameters in a list or tuple need different names, as those of the Cell do."""
        if value and all(isinstance(p, Parameter) for p in value):
            names = [p.name for p in value]
            for p in value:
                if names.count(p.name) > 1:
                    raise ValueError(
                        f"The value {value} , its name '{p.name}' already exists. Please set a unique name for the parameter, in '{name}'."
                    )

    def _forget_plain(self, name):
        own = self.__dict__
        if name in own and name not in self._cells and name not in self._params and name not in self._buffers:
            self._changed(name)
            del own[name]
