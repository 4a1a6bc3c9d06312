"""The book-keeping half of a Cell: parameters, buffers, sub-cells and their names."""

import copy

from sporax._core import context, scope
from sporax._core.parameter import Parameter
from sporax._core.tensor import Tensor


class Registry:
    """Parameters, buffers and sub-cells of a Cell, in the order in which they were assigned."""

    # Parameters -------------------------------------------------------------------------------------------------------

    def _set_parameter(self, name, p):
        own = self.__dict__
        if name in own["_cells"]:
            raise TypeError(f"Sub cell '{name}' already exists in network, can not assign a Parameter to it.")
        if not p.__dict__.get("_named"):
            p.name = name
        self._adopt_parameter(name, p)
        before = own.get(name)
        own[name] = p
        if before is not None or scope.current() is None:
            own["_version"] += 1
            context.bump_epoch()

    def _adopt_parameter(self, key, p):
        if p is not None and not isinstance(p, Parameter):
            raise TypeError(f"'{key}' should be a Parameter or None, but got {type(p).__name__}.")
        self.__dict__["_params"][key] = p

    def _replace_parameter(self, name, value):
        """Assignment of something else to a parameter's attribute."""
        own = self.__dict__
        p = own["_params"][name]
        if value is None:
            own["_params"].pop(name)
            own[name] = None
        elif isinstance(value, Tensor) and p is not None:
            p.set_data(value)
            return
        else:
            raise TypeError(f"Parameter '{name}' already exists in network, can not assign this type: '{type(value)}' as a parameter.")
        own["_version"] += 1
        context.bump_epoch()

    def insert_param_to_cell(self, param_name, param, check_name_contain_dot=True):
        """Add a Parameter under a name.

        Raises:
            KeyError: the name is empty, contains a dot, or is that of another attribute.
            TypeError: `param` is not a Parameter.
        """
        if not isinstance(param_name, str):
            raise TypeError(f"For 'insert_param_to_cell', 'param_name' should be a str, but got {param_name!r}.")
        if not param_name:
            raise KeyError("For 'insert_param_to_cell', the argument 'param_name' should not be None.")
        if check_name_contain_dot and "." in param_name:
            raise KeyError("For 'insert_param_to_cell', the argument 'param_name' should not contain'.' ")
        if param_name in self.__dict__ and param_name not in self._params:
            raise KeyError(f"For 'insert_param_to_cell', the attribute {param_name!r} exists already and is not a Parameter.")
        if not isinstance(param, Parameter) and param is not None:
            raise TypeError(f"For 'insert_param_to_cell', 'param' should be a Parameter, but got {type(param).__name__}.")
        if param is None:
            self._params[param_name] = None
            self.__dict__[param_name] = None
        else:
            self._set_parameter(param_name, param)

    def parameters_and_names(self, name_prefix="", expand=True):
        """Pairs (path, Parameter) of this Cell, and with `expand` of all in it; each Parameter once.

        Examples:
            >>> [name for name, _ in nn.Dense(2, 3).parameters_and_names()]
            ['weight', 'bias']
        """
        seen = set()
        for path, cell in self.cells_and_names(name_prefix=name_prefix) if expand else ((name_prefix, self),):
            for key, p in cell._params.items():
                if p is not None and id(p) not in seen:
                    seen.add(id(p))
                    yield (f"{path}.{key}" if path else key), p

    def get_parameters(self, expand=True):
        """The Parameters of this Cell, and with `expand` of all in it."""
        for _, p in self.parameters_and_names(expand=expand):
            yield p

    def trainable_params(self, recurse=True):
        """The Parameters with `requires_grad`, a list."""
        return [p for p in self.get_parameters(recurse) if p.requires_grad]

    def untrainable_params(self, recurse=True):
        """The Parameters without `requires_grad`, a list."""
        return [p for p in self.get_parameters(recurse) if not p.requires_grad]

    def parameters_dict(self, recurse=True):
        """Name -> Parameter."""
        return {p.name: p for p in self.get_parameters(recurse)}

    def update_parameters_name(self, prefix="", recurse=True):
        """Name each parameter after its path, with a prefix before it.

        Raises:
            TypeError: `prefix` is not a str.
        """
        if not isinstance(prefix, str):
            raise TypeError(f"For 'update_parameters_name', 'prefix' should be a str, but got {prefix!r}.")
        for path, p in self.parameters_and_names(expand=recurse):
            p.name = prefix + path

    def check_names(self):
        """Raise if two Parameters have the same name.

        Raises:
            ValueError: names the Parameters and what to do.
        """
        paths: dict = {}
        for path, p in self.parameters_and_names():
            if p.name in paths:
                raise ValueError(
                    f"The parameters {paths[p.name]!r} and {path!r} of '{type(self).__name__}' both have the name {p.name!r}. "
                    "Give one another name: p.name = ..., or cell.update_parameters_name('prefix.')."
                )
            paths[p.name] = path

    def init_parameters_data(self, auto_parallel_mode=False):
        """Pairs old -> new of initialized Parameters; values are made with the Parameters, so each maps to itself."""
        return {p: p for p in self.get_parameters()}

    # Buffers ------------------------------------------------------------------------------------------------------------

    def register_buffer(self, name, tensor, persistent=True):
        """Add a tensor that is part of the state but is not trained.

        Args:
            name: attribute name.
            tensor: a Tensor or None.
            persistent: whether it belongs to `state_dict`. Default: True.

        Raises:
            KeyError: the name is empty, contains a dot, or is taken.
            TypeError: `tensor` is not a Tensor.
        """
        if not isinstance(name, str):
            raise TypeError(f"For 'register_buffer', 'name' should be a str, but got {name!r}.")
        if not name or "." in name:
            raise KeyError(f"For 'register_buffer', 'name' should not be empty or contain '.', but got {name!r}.")
        if name in self.__dict__ and name not in self._buffers:
            raise KeyError(f"For 'register_buffer', the attribute {name!r} exists already.")
        if tensor is not None and not isinstance(tensor, Tensor):
            raise TypeError(f"For 'register_buffer', 'tensor' should be a Tensor or None, but got {type(tensor).__name__}.")
        self._buffers[name] = tensor
        self._non_persistent.discard(name) if persistent else self._non_persistent.add(name)
        self._write_attribute(name, tensor)

    def named_buffers(self, name_prefix="", recurse=True, remove_duplicate=True):
        """Pairs (path, buffer)."""
        seen = set()
        for path, cell in self.cells_and_names(name_prefix=name_prefix) if recurse else ((name_prefix, self),):
            for key in cell._buffers:
                b = cell.__dict__[key]
                if b is not None and not (remove_duplicate and id(b) in seen):
                    seen.add(id(b))
                    yield (f"{path}.{key}" if path else key), b

    def buffers(self, recurse=True):
        """The buffers."""
        for _, b in self.named_buffers(recurse=recurse):
            yield b

    def get_buffer(self, target):
        """The buffer at a path such as "layer.mean"."""
        path, _, key = target.rpartition(".")
        cell = self.get_sub_cell(path)
        if key not in cell._buffers:
            raise AttributeError(f"'{target}' is not a buffer of '{type(self).__name__}'.")
        return cell.__dict__[key]

    # Cells --------------------------------------------------------------------------------------------------------------

    def _set_cell(self, name, cell):
        own = self.__dict__
        if name in own["_params"]:
            raise TypeError(f"Parameter '{name}' already exists in network, can not assign a Cell to it.")
        before = own.get(name)
        own["_cells"][name] = cell
        if own["_auto_prefix"] and before is not cell:
            cell.update_parameters_name(name + ".")
        own[name] = cell
        if scope.current() is None:
            own["_version"] += 1
            context.bump_epoch()

    def insert_child_to_cell(self, child_name, child_cell):
        """Add (or replace) a sub-cell under a name.

        Raises:
            TypeError: `child_name` is not a str or `child_cell` not a Cell.
            KeyError: the name is that of another attribute.
        """
        if not isinstance(child_name, str):
            raise TypeError(f"For 'insert_child_to_cell', the type of parameter 'child_name' must be str, but got {type(child_name)}.")
        if not child_name or (child_name in self.__dict__ and child_name not in self._cells):
            raise KeyError(f"For 'insert_child_to_cell', {child_name!r} is empty or the name of another attribute.")
        if not isinstance(child_cell, Registry) and child_cell is not None:
            raise TypeError(f"For 'insert_child_to_cell', 'child_cell' should be a Cell, but got {type(child_cell).__name__}.")
        self._cells[child_name] = child_cell
        self.__dict__[child_name] = child_cell
        context.bump_epoch()

    def cells_and_names(self, cells=None, name_prefix=""):
        """Pairs (path, Cell), this one first, each once."""
        seen = set() if cells is None else cells
        if id(self) in seen:
            return
        seen.add(id(self))
        yield name_prefix, self
        for key, cell in self._cells.items():
            if cell is not None:
                yield from cell.cells_and_names(seen, f"{name_prefix}.{key}" if name_prefix else key)

    def _all_cells(self):
        return [cell for _, cell in self.cells_and_names()]

    def cells(self):
        """The direct sub-cells."""
        return [c for c in self._cells.values() if c is not None]

    def name_cells(self):
        """Name -> direct sub-cell."""
        return {k: c for k, c in self._cells.items() if c is not None}

    def get_sub_cell(self, target):
        """The Cell at a path such as "backbone.0"."""
        cell = self
        for part in target.split(".") if target else ():
            if part not in cell._cells:
                raise AttributeError(f"'{type(cell).__name__}' has no sub-cell {part!r} (looking for {target!r}).")
            cell = cell._cells[part]
        return cell

    def apply(self, fn):
        """Call `fn(cell)` for all sub-cells and then this Cell; returns self.

        Raises:
            TypeError: `fn` cannot be called.
        """
        if not callable(fn):
            raise TypeError(f"For 'Cell.apply', 'fn' should be a function, but got {fn!r}.")
        for cell in self.cells():
            cell.apply(fn)
        fn(self)
        return self

    @property
    def cls_name(self):
        """The class name."""
        return type(self).__name__

    @property
    def param_prefix(self):
        """The prefix of this Cell's parameters, set by `update_cell_prefix`."""
        return self.__dict__["_param_prefix"]

    def update_cell_prefix(self):
        """Let every Cell know the path that leads to it."""
        for path, cell in self.cells_and_names():
            cell.__dict__["_param_prefix"] = path

    def update_cell_type(self, cell_type):
        """Attach a type label."""
        self.__dict__["cell_type"] = cell_type

    def set_comm_fusion(self, fusion_type, recurse=True):
        """Set `comm_fusion` of the trainable parameters; returns self."""
        if isinstance(fusion_type, bool) or not isinstance(fusion_type, int) or fusion_type < 0:
            raise ValueError(f"For 'set_comm_fusion', 'fusion_type' should be a non-negative int, but got {fusion_type!r}.")
        for p in self.trainable_params(recurse):
            p.comm_fusion = fusion_type
        return self

    # State dict -----------------------------------------------------------------------------------------------------------

    def state_dict(self, *args, destination=None, prefix="", keep_vars=False):
        """Path -> Parameter or persistent buffer, of this Cell and all in it.

        Args:
            destination: a dict to fill. Default: None, a new one.
            prefix: put before the paths. Default: "".
            keep_vars: the Parameters themselves instead of Tensors with their present values. Default: False.
        """
        if args:
            destination, prefix, keep_vars = (*args, *(destination, prefix, keep_vars)[len(args) :])
        out = {} if destination is None else destination
        for path, p in self.parameters_and_names():
            out[prefix + path] = p if keep_vars else p.value()
        for path, cell in self.cells_and_names():
            for key in cell._buffers:
                if key not in cell._non_persistent and cell.__dict__[key] is not None:
                    out[prefix + (f"{path}.{key}" if path else key)] = cell.__dict__[key]
        return out

    def load_state_dict(self, state_dict, strict=True):
        """Set parameters and buffers from a dict as `state_dict` returns.

        Args:
            state_dict: path -> Tensor.
            strict: raise if a path is missing or unknown. Default: True.

        Returns:
            `(missing paths, unexpected paths)`.

        Raises:
            RuntimeError: paths are missing or unknown, or a shape differs. Nothing is changed.
        """
        targets = self.state_dict(keep_vars=True)
        missing = [k for k in targets if k not in state_dict]
        unexpected = [k for k in state_dict if k not in targets]
        wrong = [f"{k}: {tuple(v.shape)} does not fit {targets[k].shape}" for k, v in state_dict.items() if k in targets and tuple(v.shape) != targets[k].shape]
        if wrong or (strict and (missing or unexpected)):
            raise RuntimeError(f"For '{type(self).__name__}.load_state_dict': missing {missing}, unexpected {unexpected}, shapes {wrong}.")
        for key, value in state_dict.items():
            if key in targets:
                target = targets[key]
                scope.assign(target, (value if isinstance(value, Tensor) else Tensor(value)).astype(target.dtype))
        return missing, unexpected

    def __deepcopy__(self, memo):
        new = type(self).__new__(type(self))
        memo[id(self)] = new
        new.__dict__.update({k: None if k in ("_compiled", "_born") else copy.deepcopy(v, memo) for k, v in self.__dict__.items()})
        return new
