"""Which rows of a source come, and in which order."""

import enum
import typing

import numpy as np

from sporax.dataset import _checks, config

__all__ = [
    "BuiltinSampler", "DistributedSampler", "IterSampler", "PKSampler", "RandomSampler", "Sampler", "SequentialSampler", "Shuffle", "SubsetRandomSampler",
    "SubsetSampler", "WeightedRandomSampler",
]  # fmt: skip


class Shuffle(enum.StrEnum):
    """What is mixed: all rows, the files, the rows within files, or what another way is worth."""

    GLOBAL = "global"
    FILES = "files"
    INFILE = "infile"
    ADAPTIVE = "adaptive"
    PARTIAL = "partial"

    def __str__(self):
        return f"Shuffle.{self.name}"


class BuiltinSampler:
    """The base of samplers. A child gives the numbers that the sampler chooses among.

    Args:
        num_samples (int, optional): at most so many. Default: ``None``, all.
    """

    def __init__(self, num_samples=None):
        self.num_samples = None if num_samples is None else _checks.integer("num_samples", num_samples, 0) or None
        self.child_sampler: typing.Any = None

    def add_child(self, sampler):
        """Choose among what `sampler` chooses.

        Raises:
            RuntimeError: there is a child already.
        """
        if self.child_sampler is not None:
            raise RuntimeError("Cannot add child sampler, this sampler already has a child.")
        self.child_sampler = sampler

    def get_child(self):
        """The child, or None."""
        return self.child_sampler

    def get_num_samples(self):
        """How many rows come, as far as samplers tell: the smaller of this one's number and its child's."""
        child = None if self.child_sampler is None else self.child_sampler.get_num_samples()
        numbers = [n for n in (self.num_samples, child) if n is not None]
        return min(numbers) if numbers else None

    def get_shuffle_mode(self):
        """What is mixed, as a `Shuffle`, or None."""
        return None if self.child_sampler is None else self.child_sampler.get_shuffle_mode()

    def is_shuffled(self):
        """Whether the order is random."""
        return self.child_sampler is not None and self.child_sampler.is_shuffled()

    def is_sharded(self):
        """Whether these are the rows of one shard."""
        return self.child_sampler is not None and self.child_sampler.is_sharded()

    # what sources ask

    def _draw(self, size, rng, pass_, labels):
        """The numbers of the rows of one pass.

        Args:
            size: how many rows the source has.
            rng: a generator for this pass.
            pass_: the number of the pass.
            labels: a function of a column's name: its values in all rows.
        """
        if self.child_sampler is None:
            return self._choose(size, rng, pass_, labels)
        base = np.asarray(self.child_sampler._draw(size, rng, pass_, labels))
        return base[np.asarray(self._choose(len(base), rng, pass_, labels), np.int64)]

    def _choose(self, size, rng, pass_, labels) -> typing.Any:
        raise TypeError(f"{type(self).__name__} chooses nothing: use one of the samplers of mindspore.dataset, or derive from Sampler.")

    def _count(self, size):
        """How many numbers `_draw` gives for a source of `size` rows."""
        size = size if self.child_sampler is None else self.child_sampler._count(size)
        return self._number(size)

    def _number(self, size):
        return size if self.num_samples is None else min(self.num_samples, size)

    def _in_order(self):
        """A sampler of the same rows that does not mix them; None is all rows."""
        return self


class SequentialSampler(BuiltinSampler):
    """Rows in their order.

    Args:
        start_index (int, optional): the first. Default: ``None``, 0.
        num_samples (int, optional): how many. Default: ``None``, all.
    """

    def __init__(self, start_index=None, num_samples=None):
        self.start_index = None if start_index is None else _checks.integer("start_index", start_index, 0)
        super().__init__(num_samples)

    def _choose(self, size, rng, pass_, labels):
        start = self.start_index or 0
        if start >= size > 0:
            raise RuntimeError(f"Invalid start_index: it should be less than the number of rows, {size}, but got {start}.")
        return np.arange(start, start + self._number(size))

    def _number(self, size):
        return super()._number(max(0, size - (self.start_index or 0)))


class RandomSampler(BuiltinSampler):
    """Rows in random order.

    Args:
        replacement (bool): a row may come again. Default: ``False``.
        num_samples (int, optional): how many. Default: ``None``, as many as there are.
        shuffle (Shuffle): what is mixed; sources of one file mix all rows. Default: ``Shuffle.GLOBAL``.
    """

    def __init__(self, replacement=False, num_samples=None, shuffle=Shuffle.GLOBAL):
        self.replacement = _checks.truth("replacement", replacement)
        if not isinstance(shuffle, Shuffle):
            raise TypeError(f"shuffle must be a Shuffle, but got {shuffle!r} of type {type(shuffle).__name__}.")
        self.shuffle = shuffle
        # split and caches need the same order in each epoch
        self.reshuffle_each_epoch = True
        super().__init__(num_samples)

    def _choose(self, size, rng, pass_, labels):
        number = self._number(size)
        if self.replacement:
            return rng.integers(0, size, number)
        return rng.permutation(size)[:number]

    def _number(self, size):
        return (self.num_samples or size) if self.replacement else super()._number(size)

    def get_shuffle_mode(self):
        return self.shuffle

    def is_shuffled(self):
        return True

    def _in_order(self):
        return None if self.num_samples is None and self.child_sampler is None else self


class DistributedSampler(BuiltinSampler):
    """The rows of one of several shards. All shards have equally many: the first rows come again where the number of rows is not a multiple.

    Args:
        num_shards (int): how many shards.
        shard_id (int): which one, from 0.
        shuffle (bool): mix the rows of all shards in each epoch, on the seed of `ds.config` or 5489, so that shards fit together. Default: ``True``.
        num_samples (int, optional): at most so many. Default: ``None``.
        offset (int): kept for programs that give it: where the next dataset of a concatenation goes on is known here. Default: ``-1``.
    """

    def __init__(self, num_shards, shard_id, shuffle=True, num_samples=None, offset=-1):
        self.num_shards = _checks.integer("num_shards", num_shards, 1)
        self.shard_id = _checks.integer("shard_id", shard_id, 0, num_shards - 1)
        self.shuffle = _checks.truth("shuffle", shuffle)
        self.offset = _checks.integer("offset", offset, -1, num_shards - 1)
        super().__init__(num_samples)

    def _choose(self, size, rng, pass_, labels):
        if not size:
            return np.zeros(0, np.int64)
        order = np.arange(size)
        if self.shuffle:
            order = np.random.Generator(np.random.Philox(key=config.get_seed(), counter=np.array([0, 0, 1, pass_], np.uint64))).permutation(size)
        return order[(np.arange(self._number(size)) * self.num_shards + self.shard_id) % size]

    def _uneven(self, size, rng, pass_):
        """The rows of this shard of a concatenation: no row comes again, so shards may differ by one."""
        found = self._draw(size, rng, pass_, None)
        return found[: len(range(self.shard_id, size, self.num_shards))]

    def _number(self, size):
        return super()._number(-(-size // self.num_shards))

    def get_shuffle_mode(self):
        return Shuffle.GLOBAL if self.shuffle else None

    def is_shuffled(self):
        return self.shuffle

    def is_sharded(self):
        return True


class PKSampler(BuiltinSampler):
    """K rows of each of P classes.

    Args:
        num_val (int): K.
        num_class (int, optional): P. Default: ``None``, all classes. Others are not supported, as in MindSpore.
        shuffle (bool): mix the classes. Default: ``False``.
        class_column (str): the column with the classes. Default: ``"label"``.
        num_samples (int, optional): at most so many. Default: ``None``.
    """

    def __init__(self, num_val, num_class=None, shuffle=False, class_column="label", num_samples=None):
        self.num_val = _checks.integer("num_val", num_val, 1)
        if num_class is not None:
            raise NotImplementedError("Not supported to specify num_class for PKSampler: leave it out, all classes are taken.")
        self.shuffle = _checks.truth("shuffle", shuffle)
        if not isinstance(class_column, str):
            raise TypeError(f"Argument class_column with value {class_column!r} is not of type [str].")
        self.class_column = class_column
        super().__init__(num_samples)

    def _draw(self, size, rng, pass_, labels):
        if self.child_sampler is not None:
            raise RuntimeError("PKSampler looks at the labels of all rows, so it cannot have a child: put it at the end of the chain.")
        return self._choose(size, rng, pass_, labels)

    def _choose(self, size, rng, pass_, labels):
        values = np.asarray(labels(self.class_column)).reshape(size)
        classes = np.unique(values)
        if self.shuffle:
            classes = rng.permutation(classes)
        taken = []
        for c in classes:
            members = np.flatnonzero(values == c)
            taken.append(rng.permutation(members)[: self.num_val] if self.shuffle else members[: self.num_val])
        found = np.concatenate(taken) if taken else np.zeros(0, np.int64)
        return found[: self.num_samples]

    def _count(self, size):
        return None

    def get_shuffle_mode(self):
        return Shuffle.GLOBAL if self.shuffle else None

    def is_shuffled(self):
        return self.shuffle


class SubsetSampler(BuiltinSampler):
    """The rows with these numbers.

    Args:
        indices (Union[list, tuple, Iterable]): the numbers.
        num_samples (int, optional): at most so many. Default: ``None``.
    """

    def __init__(self, indices, num_samples=None):
        given = [indices] if isinstance(indices, int) else list(indices)
        for i, index in enumerate(given):
            if not isinstance(index, int | np.integer) or isinstance(index, bool):
                raise TypeError(f"SubsetSampler: type of indices element must be int, but got indices[{i}]: {index!r}, type: {type(index).__name__}.")
        self.indices = [int(i) for i in given]
        super().__init__(num_samples)

    def _choose(self, size, rng, pass_, labels):
        outside = [i for i in self.indices if not 0 <= i < size]
        if outside:
            raise RuntimeError(f"Sample ID {outside[0]} is out of bound: the rows have numbers 0 to {size - 1}.")
        return np.array(self.indices[: self.num_samples], np.int64)

    def _number(self, size):
        return len(self.indices) if self.num_samples is None else min(len(self.indices), self.num_samples)

    def get_num_samples(self):
        return self._number(0)


class SubsetRandomSampler(SubsetSampler):
    """The rows with these numbers, in random order. Arguments: as of `SubsetSampler`."""

    def _choose(self, size, rng, pass_, labels):
        return rng.permutation(SubsetSampler(self.indices)._choose(size, rng, pass_, labels))[: self.num_samples]

    def get_shuffle_mode(self):
        return Shuffle.GLOBAL

    def is_shuffled(self):
        return True

    def _in_order(self):
        return SubsetSampler(self.indices, self.num_samples)


class WeightedRandomSampler(BuiltinSampler):
    """Rows drawn with probabilities proportional to their weights.

    Args:
        weights (list[float]): a weight per row, not negative.
        num_samples (int, optional): how many. Default: ``None``, as many as there are weights.
        replacement (bool): a row may come again. Default: ``True``.
    """

    def __init__(self, weights, num_samples=None, replacement=True):
        if not isinstance(weights, list):
            weights = [weights]
        for i, w in enumerate(weights):
            if not isinstance(w, int | float | np.number) or isinstance(w, bool):
                raise TypeError(f"type of weights element must be number, but got w[{i}]: {w!r}, type: {type(w).__name__}.")
        if not weights:
            raise ValueError("weights size should not be 0.")
        if any(w < 0 for w in weights):
            raise ValueError("weights should not contain negative numbers.")
        if all(w == 0 for w in weights):
            raise ValueError("elements of weights should not be all zero.")
        self.weights, self.replacement = [float(w) for w in weights], _checks.truth("replacement", replacement)
        super().__init__(num_samples)

    def _choose(self, size, rng, pass_, labels):
        if len(self.weights) > size:
            raise RuntimeError(f"WeightedRandomSampler has {len(self.weights)} weights for {size} rows: give one per row.")
        number = self._number(size)
        p = np.array(self.weights) / sum(self.weights)
        possible = int(np.count_nonzero(p))
        if not self.replacement and number > possible:
            raise RuntimeError(
                f"WeightedRandomSampler without replacement can draw {possible} rows with a weight above 0, but num_samples is {number}."
            )
        return rng.choice(len(p), number, self.replacement, p)

    def _number(self, size):
        return self.num_samples or len(self.weights)

    def get_shuffle_mode(self):
        return Shuffle.GLOBAL

    def is_shuffled(self):
        return True


class Sampler(BuiltinSampler):
    """The base of own samplers: `__iter__` gives numbers of rows; `self.dataset_size` says how many there are, `self.num_samples` how many are wanted.

    Args:
        num_samples (int, optional): Default: ``None``, all that `__iter__` gives.

    Examples:
        >>> import sporax.dataset as ds
        >>> class Backwards(ds.Sampler):
        ...     def __iter__(self):
        ...         yield from range(self.dataset_size - 1, -1, -1)
        >>> data = ds.NumpySlicesDataset([1, 2, 3], ["x"], sampler=Backwards())
        >>> [int(x) for x, in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]
        [3, 2, 1]
    """

    dataset_size = 0

    def __iter__(self):
        raise NotImplementedError(f"Sampler: __iter__ of {type(self).__name__} should yield numbers of rows.")

    def reset(self):
        """Called before each pass."""

    def _choose(self, size, rng, pass_, labels):
        self.dataset_size = size
        self.reset()
        return self._taken(iter(self), size)

    def _taken(self, numbers, size):
        taken, limit = [], getattr(self, "num_samples", None)
        for i in numbers:
            if limit is not None and len(taken) >= limit:
                break
            i = int(i)
            if not 0 <= i < size:
                raise RuntimeError(f"{type(self).__name__} gave the number {i}, but the rows have numbers 0 to {size - 1}.")
            taken.append(i)
        return np.array(taken, np.int64)

    def _count(self, size):
        # only a pass can tell, unless it is said
        return None if getattr(self, "num_samples", None) is None else min(self.num_samples or size, size)

    @property
    def child_sampler(self):
        return self.__dict__.get("child_sampler")

    @child_sampler.setter
    def child_sampler(self, value):
        self.__dict__["child_sampler"] = value


class IterSampler(Sampler):
    """A sampler from any iterable of numbers.

    Args:
        sampler (iterable): numbers of rows.
        num_samples (int, optional): at most so many. Default: ``None``.
    """

    def __init__(self, sampler, num_samples=None):
        super().__init__(num_samples)
        self.sampler = sampler

    def __iter__(self):
        return iter(self.sampler)


def select(num_samples, sampler, shuffle, num_shards, shard_id, default_shuffle=True):
    """The sampler that the arguments of a source ask for.

    Raises:
        ValueError: `sampler` is given together with what it decides, or one of `num_shards` and `shard_id` without the other.
    """
    _checks.shards(num_shards, shard_id)
    if num_samples is not None:
        num_samples = _checks.integer("num_samples", num_samples, 0) or None
    if shuffle is not None and not isinstance(shuffle, bool | Shuffle):
        raise TypeError(f"shuffle should be a bool or a Shuffle, but got {shuffle!r} of type {type(shuffle).__name__}.")
    if sampler is not None:
        if (shuffle, num_shards, num_samples) != (None, None, None):
            raise ValueError(
                f"Conflicting arguments during sampler assignments. num_samples: {num_samples}, num_shards: {num_shards}, shard_id: {shard_id}, shuffle: {shuffle}: "
                "a sampler decides these by itself."
            )
        if isinstance(sampler, BuiltinSampler):
            return sampler
        if isinstance(sampler, int):
            return SubsetSampler([sampler])
        if hasattr(sampler, "__iter__"):
            return IterSampler(sampler)
        raise TypeError(f"Unsupported sampler object of type ({type(sampler).__name__}): use one of mindspore.dataset, or an iterable of numbers.")
    mixed = default_shuffle if shuffle is None else bool(shuffle)
    if num_shards is not None:
        return DistributedSampler(num_shards, shard_id, mixed, num_samples)
    if mixed:
        return RandomSampler(num_samples=num_samples)
    return SequentialSampler(num_samples=num_samples)
