"""Cells that hold Cells: in a sequence, a list or a dict."""

from collections import OrderedDict, abc

from sporax.nn.cell import Cell


def _check(owner, cell, what="each cell"):
    if not isinstance(cell, Cell):
        raise TypeError(f"For '{owner}', {what} must be subclass of Cell, but got {type(cell).__name__}.")
    return cell


class _Ordered(Cell):
    """Sub-cells under the names "0", "1", ..."""

    def _names(self):
        return list(self._cells)

    def _put(self, cells):
        """Replace all sub-cells, numbered anew; parameter names follow the positions."""
        own = self.__dict__
        for key in list(own["_cells"]):
            own.pop(key, None)
        own["_cells"].clear()
        for key, cell in cells:
            own["_cells"][key] = cell
            own[key] = cell
        self._hooks_changed()

    def _add(self, key, cell, prefix=True):
        self._cells[key] = cell
        self.__dict__[key] = cell
        if prefix and self._auto_prefix:
            cell.update_parameters_name(f"{key}.")
        self._hooks_changed()

    def __len__(self):
        return len(self._cells)

    def __iter__(self):
        return iter(self._cells.values())

    def __bool__(self):
        return True

    def _key(self, index):
        n = len(self)
        if isinstance(index, bool) or not hasattr(index, "__index__"):
            raise TypeError(f"For '{type(self).__name__}', an index should be an int or a slice, but got {index!r}.")
        i = index.__index__()
        if not -n <= i < n:
            raise IndexError(f"For '{type(self).__name__}', the index should be in [{-n}, {n}), but got {i}.")
        return self._names()[i % n]

    def __getitem__(self, index):
        if isinstance(index, slice):
            chosen = self._names()[index]
            return type(self)(OrderedDict((k, self._cells[k]) for k in chosen)) if isinstance(self, SequentialCell) else type(self)([self._cells[k] for k in chosen], auto_prefix=False)
        return self._cells[self._key(index)]

    def __setitem__(self, index, cell):
        self._add(self._key(index), _check(type(self).__name__, cell))

    def __delitem__(self, index):
        names = self._names()
        gone = set(names[index]) if isinstance(index, slice) else {self._key(index)}
        kept = [c for k, c in self._cells.items() if k not in gone]
        self._put([(str(i), c) for i, c in enumerate(kept)])

    def insert(self, index, cell):
        """Put a Cell before position `index`."""
        _check(type(self).__name__, cell)
        cells = list(self._cells.values())
        n = len(cells)
        if not -n <= index <= n:
            raise IndexError(f"For 'insert', the index should be in [{-n}, {n}], but got {index}.")
        if self._auto_prefix:
            cell.update_parameters_name(f"{index % n if index < 0 else index}.")
        cells.insert(index, cell)
        self._put([(str(i), c) for i, c in enumerate(cells)])

    def append(self, cell):
        """Put a Cell at the end; returns self."""
        self._add(str(len(self)), _check(type(self).__name__, cell))
        return self

    def extend(self, cells):
        """Put Cells at the end; returns self.

        Raises:
            TypeError: `cells` is not a list or tuple of Cells.
        """
        if not isinstance(cells, abc.Iterable) or isinstance(cells, dict):
            raise TypeError(f"For 'extend', 'cells' should be a list of Cells, but got {type(cells).__name__}.")
        for cell in cells:
            self.append(cell)
        return self


class SequentialCell(_Ordered):
    """Cells called one after the other, each with the output of the one before.

    Args:
        *args: Cells, one list of Cells, or one OrderedDict name -> Cell.

    Raises:
        TypeError: something else.

    Examples:
        >>> print(nn.SequentialCell(nn.ReLU(), nn.Flatten())(Tensor([[-1.0, 2.0]])))
        [[0. 2.]]
    """

    def __init__(self, *args):
        super().__init__()
        if len(args) == 1 and not isinstance(args[0], Cell):
            cells = args[0]
            if isinstance(cells, dict):
                for key, cell in cells.items():
                    self._add(key, _check("SequentialCell", cell), prefix=not _already_here(cell, key))
                return
            if not isinstance(cells, list):
                raise TypeError(f"For 'SequentialCell', the 'args[0]' must be Cell, list or orderedDict, but got {type(cells).__name__}")
            args = cells
        for i, cell in enumerate(args):
            self._add(str(i), _check("SequentialCell", cell))

    def construct(self, input_data):
        for cell in self._cells.values():
            input_data = cell(input_data)
        return input_data


def _already_here(cell, key):
    return any(p.name.startswith(f"{key}.") for p in cell.get_parameters())


class CellList(_Ordered):
    """A list of Cells.

    Args:
        *args: one list of Cells.
        auto_prefix: whether the names of parameters begin with the positions. Default: True.

    Examples:
        >>> len(nn.CellList([nn.ReLU(), nn.Tanh()]))
        2
    """

    def __init__(self, *args, **kwargs):
        auto_prefix = kwargs.pop("auto_prefix", True)
        if kwargs:
            raise TypeError(f"For 'CellList', unknown arguments {sorted(kwargs)}.")
        super().__init__(auto_prefix)
        if len(args) > 1 or (args and isinstance(args[0], Cell) and not isinstance(args[0], _Ordered)):
            cells = args
        else:
            cells = args[0] if args else ()
        self.extend(cells)

    def construct(self, *inputs):
        raise NotImplementedError("A CellList has no computation of its own: call its Cells.")


class CellDict(Cell):
    """A dict of Cells.

    Args:
        *args: one dict name -> Cell, or an iterable of pairs.

    Examples:
        >>> list(nn.CellDict({"act": nn.ReLU()}).keys())
        ['act']
    """

    def __init__(self, *args, **kwargs):
        super().__init__(kwargs.pop("auto_prefix", True))
        if args:
            self.update(args[0])

    def _check_key(self, key):
        if not isinstance(key, str):
            raise TypeError(f"For 'CellDict', a key should be a str, but got {key!r}.")
        if not key or "." in key or (key in dir(type(self))):
            raise KeyError(f"For 'CellDict', a key should not be empty, contain '.', or be the name of a method, but got {key!r}.")
        return key

    def __getitem__(self, key):
        return self._cells[key]

    def __setitem__(self, key, cell):
        key = self._check_key(key)
        self._cells[key] = _check("CellDict", cell)
        self.__dict__[key] = cell
        if self._auto_prefix:
            cell.update_parameters_name(f"{key}.")
        self._hooks_changed()

    def __delitem__(self, key):
        del self._cells[key]
        self.__dict__.pop(key, None)
        self._hooks_changed()

    def __len__(self):
        return len(self._cells)

    def __iter__(self):
        return iter(self._cells)

    def __contains__(self, key):
        return key in self._cells

    def keys(self):
        """The names."""
        return self._cells.keys()

    def values(self):
        """The Cells."""
        return self._cells.values()

    def items(self):
        """Pairs of name and Cell."""
        return self._cells.items()

    def clear(self):
        """Remove all."""
        for key in list(self._cells):
            del self[key]

    def pop(self, key):
        """Remove and return one."""
        cell = self._cells[key]
        del self[key]
        return cell

    def update(self, cells):
        """Add or replace from a dict, CellDict or iterable of pairs."""
        for key, cell in cells.items() if hasattr(cells, "items") else cells:
            self[key] = cell

    def construct(self, *inputs):
        raise NotImplementedError("A CellDict has no computation of its own: call its Cells.")
