"""Cells that hold Cells: one after the other, in a list, in a dict."""

import collections
import collections.abc
import operator

from sporax.nn.cell import Cell


def _check_cell(owner, cell):
    if not isinstance(cell, Cell):
        raise TypeError(f"For '{owner}', each cell must be subclass of Cell, but got {type(cell).__name__}.")
    return cell


def _position(owner, length, index, extra=0):
    """A checked index as a position from 0; `extra` is 1 where one past the end is allowed."""
    if isinstance(index, bool) or not hasattr(index, "__index__"):
        raise TypeError(f"For '{owner}', the type of 'index' must be int{'' if extra else ' or slice'}, but got {type(index).__name__}.")
    index = operator.index(index)
    if not -length <= index < length + extra:
        raise IndexError(
            f"For '{owner}', the value of 'index' must be a number in range [{-length}, {length}{']' if extra else ')'}, but got {index}."
        )
    return index if index >= 0 else index + length


class _Ordered(Cell):
    """Sub-Cells in order, under names that are usually "0", "1", ..."""

    def _own(self, name, cell):
        """Own a Cell under a name, which begins the names of its Parameters."""
        if self._auto_prefix:
            cell.update_parameters_name(f"{name}.")
        self.insert_child_to_cell(name, cell)

    def _reorder(self, items):
        """Hold these pairs (name, Cell) instead; where names are numbers, they are the positions again."""
        above = self._name_above()
        numbered = all(name.isdecimal() for name, _ in items)
        self._settings_changed()
        self._cells.replace((str(i) if numbered else name, cell) for i, (name, cell) in enumerate(items))
        if self._auto_prefix:
            for name, cell in self._cells.items():
                cell.update_parameters_name(f"{above}{name}.")

    def _part(self, items):
        """A Cell of the same kind with some of the Cells, whose Parameters keep their names."""
        # subclasses may need arguments: a part of one is a plain container
        new = SequentialCell() if isinstance(self, SequentialCell) else CellList()
        new._cells.replace(items)
        return new

    def __getitem__(self, index):
        if isinstance(index, slice):
            return self._part(self._sliced(index))
        return list(self._cells.values())[_position(self.cls_name, len(self), index)]

    def __setitem__(self, index, cell):
        name = list(self._cells)[_position(self.cls_name, len(self), index)]
        _check_cell(self.cls_name, cell)
        prefix = self._name_above()
        self._own(name, cell)
        if self._auto_prefix and prefix:
            cell.update_parameters_name(f"{prefix}{name}.")

    def __delitem__(self, index):
        names = list(self._cells)
        gone = set(names[index]) if isinstance(index, slice) else {names[_position(self.cls_name, len(self), index)]}
        self._reorder([(name, cell) for name, cell in self._cells.items() if name not in gone])

    def __len__(self):
        return len(self._cells)

    def __bool__(self):
        return bool(self._cells)

    def __iter__(self):
        return iter(list(self._cells.values()))

    def append(self, cell):
        """Put a Cell at the end; returns self.

        Raises:
            TypeError: it is not a Cell.
        """
        _check_cell(self.cls_name, cell)
        above, name = self._name_above(), str(len(self))
        self._own(name, cell)
        if self._auto_prefix and above:
            cell.update_parameters_name(f"{above}{name}.")
        return self

    def set_grad(self, requires_grad=True):
        """`set_grad` of this Cell and of those it holds."""
        self.requires_grad = requires_grad
        for cell in self:
            cell.set_grad(requires_grad)


class SequentialCell(_Ordered):
    """Cells that are called one after the other, each with what the one before returned.

    Args:
        *args: Cells, or one list of Cells, or one OrderedDict from name to Cell.

    Raises:
        TypeError: something else.

    Examples:
        >>> net = nn.SequentialCell(nn.Dense(2, 2, weight_init="ones", bias_init="zeros"), nn.ReLU())
        >>> print(net(Tensor([[1.0, 2.0]])))
        [[3. 3.]]
        >>> [p.name for p in net.get_parameters()]
        ['0.weight', '0.bias']
    """

    def __init__(self, *args):
        super().__init__()
        if len(args) == 1 and not isinstance(args[0], Cell):
            held = args[0]
            if isinstance(held, collections.OrderedDict):
                for name, cell in held.items():
                    self._own(name, cell)
                return
            if not isinstance(held, list):
                raise TypeError(f"For 'SequentialCell', the 'args[0]' must be Cell, list or orderedDict, but got {type(held).__name__}")
            args = held
        for i, cell in enumerate(args):
            self._own(str(i), _check_cell("SequentialCell", cell))

    def _sliced(self, index):
        return list(self._cells.items())[index]

    def construct(self, input_data):
        """Call the Cells in order.

        Args:
            input_data: what the first takes.
        """
        for cell in self._cells.values():
            input_data = cell(input_data)
        return input_data


class CellList(_Ordered):
    """A list of Cells, which belong to the Cell that has it as an attribute. It is not called itself.

    Args:
        *args: one list of Cells. Default: none.
        **kwargs: `auto_prefix`: whether the names of Parameters begin with the position. Default: True.

    Raises:
        TypeError: the argument is not a list of Cells.

    Examples:
        >>> blocks = nn.CellList([nn.Dense(2, 2), nn.ReLU()])
        >>> len(blocks), blocks[-1]
        (2, ReLU())
    """

    def __init__(self, *args, **kwargs):
        super().__init__(auto_prefix=kwargs.get("auto_prefix", True))
        unknown = set(kwargs) - {"auto_prefix"}
        if unknown:
            raise TypeError(f"For 'CellList', there is no argument {', '.join(sorted(unknown))}; known: auto_prefix.")
        if len(args) > 1:
            raise TypeError(f"For 'CellList', one list of Cells is needed, but got {len(args)} arguments: write CellList([cell1, cell2]).")
        if args:
            self.extend(args[0])

    def _sliced(self, index):
        return [(str(i), cell) for i, cell in enumerate(list(self._cells.values())[index])]

    def insert(self, index, cell):
        """Put a Cell before a position.

        Raises:
            TypeError: it is not a Cell.
            IndexError: `index` is out of range.
        """
        at = _position(self.cls_name, len(self), index, extra=1)
        items = list(self._cells.items())
        items.insert(at, (str(at), _check_cell(self.cls_name, cell)))
        self._reorder(items)

    def extend(self, cells):
        """Put the Cells of a list (or another CellList) at the end; returns self.

        Raises:
            TypeError: it is not a list of Cells.
        """
        if not isinstance(cells, list | CellList):
            raise TypeError(f"For 'CellList', the new cells wanted to append should be instance of list, but got {type(cells).__name__}.")
        for cell in list(cells):
            self.append(cell)
        return self

    def __iadd__(self, cells):
        return self.extend(cells)

    def construct(self, *inputs):
        raise NotImplementedError("A CellList is not called itself: call its Cells, for example `for cell in self.blocks: x = cell(x)`.")


class CellDict(Cell):
    """A dict of Cells, which belong to the Cell that has it as an attribute. It is not called itself.

    Args:
        *args: a dict from name to Cell, a CellDict, or an iterable of pairs. Default: none.
        **kwargs: `auto_prefix`: whether the names of Parameters begin with the key. Default: True.

    Raises:
        TypeError: a key is not a str, or a value is not a Cell.
        KeyError: a key is empty, contains a dot, or is the name of an attribute of the Cell.

    Examples:
        >>> heads = nn.CellDict({"a": nn.ReLU(), "b": nn.Tanh()})
        >>> list(heads.keys()), heads["b"]
        (['a', 'b'], Tanh())
    """

    def __init__(self, *args, **kwargs):
        super().__init__(auto_prefix=kwargs.get("auto_prefix", True))
        unknown = set(kwargs) - {"auto_prefix"}
        if unknown:
            raise TypeError(f"For 'CellDict', there is no argument {', '.join(sorted(unknown))}; known: auto_prefix.")
        if len(args) > 1:
            raise TypeError(f"For 'CellDict', one dict of Cells is needed, but got {len(args)} arguments.")
        if args:
            self.update(args[0])

    def __getitem__(self, key):
        return self._cells[key]

    def __setitem__(self, key, cell):
        if not isinstance(key, str):
            raise TypeError(f"For 'CellDict', the type of key should be string but got {type(key).__name__}.")
        if not key:
            raise KeyError("For 'CellDict', key can not be an empty string.")
        if "." in key:
            raise KeyError(f"For 'CellDict', key can not contain \".\", but got key {key}")
        if key not in self._cells and hasattr(self, key):
            raise KeyError(f"For 'CellDict', the key can not be same with the attributes of Cell, but got key {key}.")
        if not isinstance(cell, Cell):
            raise TypeError(f"For 'CellDict', the type of cell should be Cell, but got {type(cell).__name__}.")
        above = self._name_above()
        if self._auto_prefix:
            cell.update_parameters_name(f"{above}{key}.")
        self.insert_child_to_cell(key, cell)

    def __delitem__(self, key):
        self._settings_changed()
        del self._cells[key]

    def __len__(self):
        return len(self._cells)

    def __bool__(self):
        return bool(self._cells)

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
        """Pairs (name, Cell)."""
        return self._cells.items()

    def clear(self):
        """Hold nothing any more."""
        self._settings_changed()
        self._cells.clear()

    def pop(self, key):
        """Take out a Cell and return it.

        Raises:
            KeyError: there is none of this name.
        """
        cell = self._cells[key]
        del self[key]
        return cell

    def update(self, cells):
        """Add, or replace, Cells.

        Args:
            cells: a dict from name to Cell, a CellDict, or an iterable of pairs.

        Raises:
            TypeError: it is none of these.
            ValueError: an element is not a pair.
        """
        if isinstance(cells, collections.abc.Mapping | CellDict):
            for key, cell in cells.items():
                self[key] = cell
            return
        if not isinstance(cells, collections.abc.Iterable):
            raise TypeError(f"CellDict.update() should be called with an iterable of key-value pairs, but got {type(cells).__name__}")
        for i, pair in enumerate(cells):
            if isinstance(pair, str) or not isinstance(pair, collections.abc.Sequence):
                raise TypeError(f"CellDict update sequence element #{i} should be Iterable; but got {type(pair).__name__}")
            if len(pair) != 2:
                raise ValueError(f"CellDict update sequence element #{i}, length should be 2; but has length {len(pair)}")
            self[pair[0]] = pair[1]

    def construct(self, *inputs):
        raise NotImplementedError("A CellDict is not called itself: call its Cells, for example self.heads['a'](x).")
