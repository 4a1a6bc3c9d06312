"""The base of all datasets: what an operation tells the engine, and the methods of users.

An operation of a pipeline is a `Dataset` with its `children`. To the engine it gives the plan of one pass (`_open`) and the work that a token of it
stands for (`_work`); the rest says how: on how many workers, whether in order, whether rows must be known to go on. Operations never change after they were made, so that
pipelines can share them.
"""

import copy
import functools
import json

from sporax.dataset import _checks, config
from sporax.dataset._pipeline import processes
from sporax.dataset._pipeline.errors import pipeline_error
from sporax.dataset._pipeline.run import Run, section


class Dataset:
    """A pipeline: a source of rows and the operations on it."""

    @property
    def _serial(self):
        """Whether rows must be computed one after the other."""
        return False

    @property
    def _barrier(self):
        """Whether the operation computes its rows itself, because what comes next depends on them."""
        return False

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        if "__init__" in cls.__dict__:
            cls.__init__ = _remembering(cls.__init__)

    def __init__(self, children=None, num_parallel_workers=None, cache=None):
        self.children = [] if children is None else list(children) if isinstance(children, list | tuple) else [children]
        for child in self.children:
            if not isinstance(child, Dataset):
                raise TypeError(f"An operation's children should be datasets, but got {child!r} of type {type(child).__name__}.")
        self.num_parallel_workers = _checks.workers(num_parallel_workers)
        if cache is not None and not hasattr(cache, "_wrap"):
            raise TypeError(f"Argument cache should be a DatasetCache, but got {cache!r} of type {type(cache).__name__}.")
        self.cache = cache
        self.dataset_size = None

    # what the engine asks

    def _open(self, run, pass_):
        """The stream of tokens of one pass."""
        return run.open(self.children[0], pass_)

    def _work(self, run, number):
        """A function of a token: its row. Operations that only choose and order rows have none."""
        return None

    def _columns(self):
        """The names of the columns."""
        return self.children[0]._columns()

    def _size(self):
        """The number of rows of a pass, or None if only a pass can tell."""
        return self.children[0]._size()

    def _workers(self):
        """How many workers the operation asks for; None leaves it to the others."""
        return self.num_parallel_workers

    def _wants_processes(self):
        return False

    def _live(self):
        """Whether the plan runs user code or waits for the consumer, so that no row may be held back."""
        return self._barrier and any(node._live() for child in self.children for node in section(child))

    def _depth(self):
        """How many rows are computed ahead."""
        return config.get_prefetch_size()

    def _batch(self):
        return self.children[0]._batch() if self.children else 1

    def _repeats(self):
        return self.children[0]._repeats() if self.children else 1

    # about the pipeline

    def get_col_names(self):
        """The names of the columns, a list of str."""
        return list(self._columns())

    def get_dataset_size(self):
        """The number of rows (batches, after `batch`) of an epoch. A pipeline whose size depends on its rows is run once to count them."""
        if self.dataset_size is None:
            size = self._size()
            if size is None:
                size = sum(1 for _ in self.create_tuple_iterator(num_epochs=1, output_numpy=True))
            self.dataset_size = size
        return self.dataset_size

    def get_batch_size(self):
        """The number of rows in a batch: that of the last `batch`, or 1."""
        return self._batch()

    def get_repeat_count(self):
        """How often the data are repeated: the product of all `repeat`, or 1."""
        return self._repeats()

    def get_class_indexing(self):
        """The classes' names with their numbers, of sources that have them; otherwise {}."""
        return self.children[0].get_class_indexing() if self.children else {}

    def num_classes(self):
        """The number of classes of a source that has them, or None."""
        return self.children[0].num_classes() if self.children else None

    def _first_row(self):
        run = Run(self)
        try:
            token = next(run.open(self, 0), None)
            if token is None:
                raise pipeline_error(f"The pipeline has no rows, so their shapes and types are not known; columns: {self._columns()}.")
            return run.evaluate(token)
        finally:
            run.close()

    def output_shapes(self, estimate=False):
        """The shapes of the columns of a row, found by computing the first.

        Args:
            estimate (bool): go through all rows, and give None for sizes that vary. Default: ``False``.

        Returns:
            list[list]: a shape per column.
        """
        _checks.truth("estimate", estimate)
        if not estimate:
            return [_shape(value) for value in self._first_row()]
        shapes = None
        for row in self.create_tuple_iterator(num_epochs=1, output_numpy=True):
            if shapes is None:
                shapes = [list(value.shape) for value in row]
                continue
            for shape, value in zip(shapes, row):
                if len(shape) != value.ndim:
                    raise pipeline_error(f"Rows have different numbers of dimensions: {len(shape)} and {value.ndim}, so there is no shape of all.")
                shape[:] = [a if a == b else None for a, b in zip(shape, value.shape)]
        return shapes or []

    def output_types(self):
        """The NumPy dtypes of the columns of a row, found by computing the first."""
        return [getattr(value, "dtype", dict) for value in self._first_row()]

    def get_init_step(self):
        """The step from which the pipeline starts (see `set_init_step`). Default: 0."""
        return getattr(self, "_init_step", 0)

    def set_init_step(self, init_step):
        """Let iterators start `init_step` rows into the whole of all epochs."""
        self._init_step = _checks.integer("init_step", init_step, 0)

    def reset(self):
        """Nothing to do: each iterator starts at the first row. Kept for programs that call it between epochs."""

    # iterators

    def create_dict_iterator(self, num_epochs=-1, output_numpy=False, do_copy=False):
        """An iterator of rows as dicts {column: value}.

        Args:
            num_epochs (int): how many times it can be gone through; -1: any number of times. Default: ``-1``.
            output_numpy (bool): NumPy arrays in place of Tensors. Default: ``False``.
            do_copy (bool): kept for programs that give it: arrays are the consumer's own in any case. Default: ``False``.

        Returns:
            DictIterator: each `for` goes through one epoch. `state_dict` and `load_state_dict` save and restore its position.

        Examples:
            >>> import sporax.dataset as ds
            >>> data = ds.NumpySlicesDataset({"x": [1, 2]}, shuffle=False)
            >>> [row["x"].item() for row in data.create_dict_iterator(num_epochs=1, output_numpy=True)]
            [1, 2]
        """
        from sporax.dataset.iterators import DictIterator

        return DictIterator(self, num_epochs, output_numpy, do_copy)

    def create_tuple_iterator(self, columns=None, num_epochs=-1, output_numpy=False, do_copy=False):
        """An iterator of rows as lists of values.

        Args:
            columns (list[str], optional): which columns, in this order. Default: ``None``, all.
            num_epochs (int): as of `create_dict_iterator`. Default: ``-1``.
            output_numpy (bool): NumPy arrays in place of Tensors. Default: ``False``.
            do_copy (bool): as of `create_dict_iterator`. Default: ``False``.
        """
        from sporax.dataset.iterators import TupleIterator

        return TupleIterator(self, columns, num_epochs, output_numpy, do_copy)

    def __iter__(self):
        return self.create_tuple_iterator(num_epochs=1)

    def __len__(self):
        return self.get_dataset_size()

    # operations

    def map(self, operations, input_columns=None, output_columns=None, num_parallel_workers=None, **kwargs):
        """Apply functions to columns of each row.

        Args:
            operations (Union[callable, list[callable]]): each gets what the one before gave; the first gets the input columns.
            input_columns (Union[str, list[str]], optional): default: ``None``, the first columns, as many as the first function has.
            output_columns (Union[str, list[str]], optional): names of the results. Default: ``None``, those of the input. If there are as many results as inputs they
                take their places; otherwise they come first, before the other columns.
            num_parallel_workers (int, optional): default: ``None``, that of `ds.config`.
            python_multiprocessing (bool): worker processes in place of threads: for Python functions that compute much. Default: ``False``.
            cache (DatasetCache, optional): keeps results. Default: ``None``.
            callbacks (list[DSCallback], optional): called at the begin and end of epochs and steps. Default: ``None``.
            max_rowsize (Union[int, list[int]], optional): kept for programs that give it; shared memory grows as rows need it.
            offload (bool, optional): kept for programs that give it: operations run on the host. Default: ``None``.
        """
        from sporax.dataset._operations.map import MapDataset

        return MapDataset(self, operations, input_columns, output_columns, num_parallel_workers, **kwargs)

    def batch(self, batch_size, drop_remainder=False, num_parallel_workers=None, **kwargs):
        """Stack rows to batches.

        Args:
            batch_size (Union[int, callable]): how many rows, or a function of a `BatchInfo` that says it for each batch.
            drop_remainder (bool): leave out a last batch that isn't full. Default: ``False``.
            num_parallel_workers (int, optional): default: ``None``.
            per_batch_map (callable, optional): called with a list of arrays for each input column and the `BatchInfo`; its lists are stacked.
            input_columns, output_columns (Union[str, list[str]], optional): the columns of `per_batch_map`.
            python_multiprocessing (bool): `per_batch_map` runs in worker processes. Default: ``False``.
            max_rowsize (Union[int, list[int]], optional): kept for programs that give it.

        Examples:
            >>> import sporax.dataset as ds
            >>> data = ds.NumpySlicesDataset(list(range(5)), ["x"], shuffle=False).batch(2)
            >>> [row[0].tolist() for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]
            [[0, 1], [2, 3], [4]]
        """
        from sporax.dataset._operations.batch import BatchDataset

        return BatchDataset(self, batch_size, drop_remainder, num_parallel_workers, **kwargs)

    def padded_batch(self, batch_size, drop_remainder=False, num_parallel_workers=None, pad_info=None):
        """Stack rows to batches, padded at the end to one shape.

        Args:
            pad_info (dict, optional): column -> (shape, value). None in a shape stands for the largest of the batch, None for all of it
                likewise; {} pads all columns with 0. Default: ``None``, nothing is padded.
        """
        from sporax.dataset._operations.batch import PaddedBatchDataset

        return PaddedBatchDataset(self, batch_size, drop_remainder, num_parallel_workers, pad_info)

    def bucket_batch_by_length(
        self,
        column_names,
        bucket_boundaries,
        bucket_batch_sizes,
        element_length_function=None,
        pad_info=None,
        pad_to_bucket_boundary=False,
        drop_remainder=False,
    ):
        """Batches of rows of similar length.

        Args:
            column_names (list[str]): what `element_length_function` gets.
            bucket_boundaries (list[int]): upper ends (not included) of the buckets but the last; they grow strictly.
            bucket_batch_sizes (list[int]): a batch size per bucket, one more than boundaries.
            element_length_function (callable, optional): the length of a row. Default: ``None``, the first size of the one column.
            pad_info (dict, optional): as of `padded_batch`.
            pad_to_bucket_boundary (bool): sizes that `pad_info` leaves open become the bucket's boundary minus 1. Default: ``False``.
            drop_remainder (bool): leave out last batches that aren't full. Default: ``False``.
        """
        from sporax.dataset._operations.bucket import BucketBatchByLengthDataset

        return BucketBatchByLengthDataset(
            self, column_names, bucket_boundaries, bucket_batch_sizes, element_length_function, pad_info, pad_to_bucket_boundary, drop_remainder
        )

    def shuffle(self, buffer_size):
        """Mix the order of rows within a window.

        Args:
            buffer_size (int): the window; at least 2. As large as the data, the order is uniformly random.
        """
        from sporax.dataset._operations.order import ShuffleDataset

        return ShuffleDataset(self, buffer_size)

    def repeat(self, count=None):
        """The rows `count` times. Default: ``None`` or -1, for ever."""
        from sporax.dataset._operations.order import RepeatDataset

        return RepeatDataset(self, count)

    def skip(self, count):
        """All rows but the first `count`."""
        from sporax.dataset._operations.order import SkipDataset

        return SkipDataset(self, count)

    def take(self, count=-1):
        """The first `count` rows; -1: all."""
        from sporax.dataset._operations.order import TakeDataset

        return TakeDataset(self, count)

    def zip(self, datasets):
        """Rows side by side with those of one dataset or a tuple of datasets, until the shortest ends."""
        from sporax.dataset._operations.combine import ZipDataset

        if not isinstance(datasets, Dataset | tuple):
            raise TypeError(f"datasets should be a Dataset or a tuple of them, but got {datasets!r} of type {type(datasets).__name__}.")
        return ZipDataset((self, *(datasets if isinstance(datasets, tuple) else (datasets,))))

    def concat(self, datasets):
        """These rows, then those of one dataset or a list of datasets with the same columns."""
        from sporax.dataset._operations.combine import ConcatDataset

        if not isinstance(datasets, Dataset | list):
            raise TypeError(f"datasets should be a Dataset or a list of them, but got {datasets!r} of type {type(datasets).__name__}.")
        return ConcatDataset([self, *(datasets if isinstance(datasets, list) else [datasets])])

    def __add__(self, datasets):
        return self.concat(datasets)

    def rename(self, input_columns, output_columns):
        """Give columns other names."""
        from sporax.dataset._operations.columns import RenameDataset

        return RenameDataset(self, input_columns, output_columns)

    def project(self, columns):
        """Only these columns, in this order."""
        from sporax.dataset._operations.columns import ProjectDataset

        return ProjectDataset(self, columns)

    def filter(self, predicate, input_columns=None, num_parallel_workers=None):
        """Only rows for which `predicate` of the input columns (default: all) is true."""
        from sporax.dataset._operations.rows import FilterDataset

        return FilterDataset(self, predicate, input_columns, num_parallel_workers)

    def flat_map(self, func):
        """For each row the rows of the dataset that `func` makes from it.

        Raises:
            TypeError: `func` gives something else than a dataset.
        """
        from sporax.dataset._operations.rows import FlatMapDataset

        return FlatMapDataset(self, func)

    def apply(self, apply_func):
        """`apply_func` of this dataset, which has to be a dataset."""
        _checks.function("apply_func", apply_func)
        made = apply_func(self)
        if not isinstance(made, Dataset):
            raise TypeError(f"apply_func should return a dataset, but got {made!r} of type {type(made).__name__}.")
        return made

    def split(self, sizes, randomize=True):
        """Parts that have no row in common.

        Args:
            sizes (list): numbers of rows, or fractions that add up to 1.
            randomize (bool): mix the rows before they are split, in the same way in each epoch. Default: ``True``.

        Returns:
            tuple[Dataset]
        """
        from sporax.dataset._operations.split import split

        return split(self, sizes, randomize)

    def sync_wait(self, condition_name, num_batch=1, callback=None):
        """Let through `num_batch` rows, then wait until `sync_update(condition_name)` was called.

        Args:
            callback (callable, optional): called with the data of `sync_update`. Default: ``None``.
        """
        from sporax.dataset._operations.sync import SyncWaitDataset

        return SyncWaitDataset(self, condition_name, num_batch, callback)

    def _waits(self):
        return [w for child in self.children for w in child._waits()]

    def is_sync(self):
        """Whether the pipeline has a `sync_wait`."""
        return bool(self._waits())

    def get_sync_notifiers(self):
        """The `sync_wait`s of the pipeline: {name: function that lets the next rows through}."""
        return {w.name: w.notify for w in self._waits()}

    def sync_update(self, condition_name, num_batch=None, data=None):
        """Let the next rows through a `sync_wait`.

        Args:
            condition_name (str): its name.
            num_batch (int, optional): how many rows. Default: ``None``, as many as it says itself.
            data: what its callback gets. Default: ``None``.
        """
        notify = self.get_sync_notifiers().get(condition_name)
        if notify is None:
            raise RuntimeError(f"Condition name {condition_name!r} is not found: the pipeline has {[w.name for w in self._waits()]}.")
        if num_batch is not None:
            _checks.integer("num_batch", num_batch, 1)
        notify(num_batch, data)

    def disable_sync(self):
        """Let all rows through every `sync_wait` from now on."""
        for wait in self._waits():
            wait.disable()

    # results elsewhere

    def save(self, file_name, num_files=1, file_type="mindrecord"):
        """Write the rows to MindRecord files.

        Args:
            file_name (str): where to.
            num_files (int): how many files to spread them over. Default: ``1``.
            file_type (str): "mindrecord". Default: ``"mindrecord"``.
        """
        from sporax.dataset._save import save

        save(self, file_name, num_files, file_type)

    def device_que(self, send_epoch_end=True, create_data_info_queue=False, queue_name=""):
        """The rows as a queue to the device: the end of a pipeline in data-sink mode."""
        from sporax.dataset._operations.transfer import TransferDataset

        return TransferDataset(self, send_epoch_end, create_data_info_queue, queue_name)

    def to_json(self, filename=""):
        """The pipeline as a dict that `ds.deserialize` reads; also written to `filename` if that is given."""
        from sporax.dataset.serializer import serialize

        made = serialize(self)
        if filename:
            with open(filename, "w", encoding="utf-8") as f:
                json.dump(made, f)
        return made

    # properties that programs read

    def is_shuffled(self):
        """Whether the order of rows is random."""
        return any(child.is_shuffled() for child in self.children)

    def is_sharded(self):
        """Whether these are the rows of one shard."""
        return any(child.is_sharded() for child in self.children)

    @property
    def input_indexs(self):
        """Which columns a training step gets, kept for programs that set it."""
        return getattr(self, "_input_indexs", ())

    @input_indexs.setter
    def input_indexs(self, value):
        self._input_indexs = value

    def copy_batch_size(self, value):
        """Kept for programs that call it: what `get_batch_size` says comes from the pipeline."""
        self._batch_size = _checks.integer("value", value, 1)

    def __deepcopy__(self, memo):
        made = copy.copy(self)
        made.children = [copy.deepcopy(c, memo) for c in self.children]
        return made


def _remembering(init):
    """`init`, keeping its arguments: what a pipeline is written down from (see `serializer`)."""

    @functools.wraps(init)
    def __init__(self, *args, **kwargs):
        # of the calls up to the base, the outermost counts
        if "_given" not in self.__dict__:
            self._given = init, args, kwargs
        init(self, *args, **kwargs)

    return __init__


def _shape(value):
    return list(value.shape) if hasattr(value, "shape") else []


class VisionBaseDataset(Dataset):
    """Datasets of images."""


class TextBaseDataset(Dataset):
    """Datasets of text."""


class AudioBaseDataset(Dataset):
    """Datasets of sound."""


class UnionBaseDataset(VisionBaseDataset, TextBaseDataset, AudioBaseDataset):
    """Datasets and operations for anything."""


def default_workers(node):
    """The workers of an operation that takes those of the settings where it says none."""
    return node.num_parallel_workers or config.get_num_parallel_workers()


def multiprocess(node, wanted):
    """Whether worker processes are to be used: asked for, and possible here."""
    return wanted and processes.available() and not config.in_worker()
