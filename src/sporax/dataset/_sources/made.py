"""Sources that make their rows: FakeImageDataset, RandomDataset."""

import numpy as np

from sporax.dataset import _checks
from sporax.dataset._base import VisionBaseDataset
from sporax.dataset._pipeline.errors import pipeline_error
from sporax.dataset._sources.base import MappableDataset
from sporax.dataset.schema import Schema


class FakeImageDataset(MappableDataset, VisionBaseDataset):
    """Random images: columns image uint8 and label uint32.

    Args:
        num_images (int): how many. Default: ``1000``.
        image_size (tuple): height, width, colours. Default: ``(224, 224, 3)``.
        num_classes (int): how many classes. Default: ``10``.
        base_seed (int): the numbers depend on it and on the row's number alone. Default: ``0``.
        num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id, cache: as of all sources.
    """

    def __init__(
        self,
        num_images=1000,
        image_size=(224, 224, 3),
        num_classes=10,
        base_seed=0,
        num_samples=None,
        num_parallel_workers=None,
        shuffle=None,
        sampler=None,
        num_shards=None,
        shard_id=None,
        cache=None,
    ):
        super().__init__(num_parallel_workers, sampler, num_samples, shuffle, num_shards, shard_id, cache)
        self.num_images = _checks.integer("num_images", num_images, 1)
        if not isinstance(image_size, list | tuple):
            raise TypeError(f"Argument image_size should be a list or tuple, but got {image_size!r} of type {type(image_size).__name__}.")
        if len(image_size) != 3:
            raise ValueError(f"image_size should have 3 values: height, width, colours, but got {image_size!r}.")
        self.image_size = tuple(_checks.integer("image_size", s, 1) for s in image_size)
        self._classes, self.base_seed = _checks.integer("num_classes", num_classes, 1), _checks.integer("base_seed", base_seed, 0)

    def num_classes(self):
        """The number of classes."""
        return self._classes

    def _columns(self):
        return ["image", "label"]

    def _total(self):
        return self.num_images

    def _row(self, index):
        rng = np.random.Generator(np.random.Philox(key=self.base_seed, counter=np.array([0, 0, 0, index], np.uint64)))
        return rng.integers(0, 256, self.image_size, np.uint8), np.array(rng.integers(0, self._classes), np.uint32)


class RandomDataset(MappableDataset, VisionBaseDataset):
    """Random rows: for measurements and tests.

    Args:
        total_rows (int, optional): how many. Default: ``None``, the schema's number, or 1000.
        schema (Union[str, Schema], optional): the columns. Default: ``None``, one column c0 of int32 [4].
        columns_list (list[str], optional): names of columns of int32 [4], in place of a schema.
        num_samples, num_parallel_workers, cache, shuffle, num_shards, shard_id: as of all sources.
    """

    def __init__(
        self,
        total_rows=None,
        schema=None,
        columns_list=None,
        num_samples=None,
        num_parallel_workers=None,
        cache=None,
        shuffle=None,
        num_shards=None,
        shard_id=None,
    ):
        super().__init__(num_parallel_workers, None, num_samples, shuffle, num_shards, shard_id, cache)
        if total_rows is not None:
            _checks.integer("total_rows", total_rows, 1)
        if schema is not None and columns_list is not None:
            raise ValueError("schema and columns_list cannot both be given: each says what columns there are.")
        self.schema = schema if schema is None or isinstance(schema, Schema) else Schema(schema)
        if self.schema is None:
            self.schema = Schema()
            for name in ["c0"] if columns_list is None else _checks.names("columns_list", columns_list):
                self.schema.add_column(name, "int32", [4])
        self.total_rows = total_rows or self.schema.num_rows or 1000

    def _columns(self):
        return self.schema.names()

    def _total(self):
        return self.total_rows

    def _row(self, index):
        rng = np.random.Generator(np.random.Philox(key=5489, counter=np.array([0, 0, 0, index], np.uint64)))
        row = []
        for column in self.schema.columns:
            shape = [1 if s < 0 else s for s in column.get("shape", [1])]
            if column["type"] == "string":
                raise pipeline_error(f"RandomDataset makes numbers, but the schema's column {column['name']!r} is text.")
            raw = np.frombuffer(
                rng.bytes(int(np.prod(shape)) * np.dtype(column["type"]).itemsize), column["type"] if column["type"] != "bool" else np.uint8
            )
            row.append((raw % 2 == 1 if column["type"] == "bool" else raw).reshape(shape))
        return tuple(row)
