"""Sources of small images in few files: the MNIST family, CIFAR, STL10, Semeion, USPS.

A file is mapped into memory and rows are views of it, so opening costs nothing and worker processes share the pages.
"""

import os

import numpy as np

from sporax.dataset import _checks
from sporax.dataset._base import VisionBaseDataset
from sporax.dataset._pipeline.errors import pipeline_error
from sporax.dataset._sources.base import MappableDataset, usage


class _Parts(MappableDataset, VisionBaseDataset):
    """Rows from pairs (images, labels) of arrays, one after the other; read when they are first needed."""

    _names = ("image", "label")
    _loaded: list | None = None

    def _load(self):
        """The pairs of arrays."""
        return []

    def _pairs(self):
        if self._loaded is None:
            pairs = self._load()
            if not pairs:
                raise pipeline_error(
                    f"Invalid data, {type(self).__name__} API can't read the data file (interface mismatch or no data found). Check the files in directory: {self.dataset_dir}."
                )
            self._loaded, self._starts = pairs, np.cumsum([0, *(len(images) for images, _ in pairs)])
        return self._loaded

    def _columns(self):
        return list(self._names)

    def _total(self):
        return sum(len(images) for images, _ in self._pairs())

    def _row(self, index):
        pairs = self._pairs()
        part = int(np.searchsorted(self._starts, index, "right")) - 1
        images, labels = pairs[part]
        at = index - int(self._starts[part])
        return self._values(images[at], labels[at])

    def _values(self, image, label):
        return np.array(image), np.array(label, np.uint32)

    def _made(self, index):
        return self._row(index)

    def _labels(self, column):
        if column != "label":
            return super()._labels(column)
        return np.concatenate([labels for _, labels in self._pairs()])

    def num_classes(self):
        return None


def idx(path):
    """The array of an IDX file (LeCun's format of MNIST).

    Raises:
        RuntimeError: the file is missing, too short, or of another format.
    """
    codes = {8: ">u1", 9: ">i1", 11: ">i2", 12: ">i4", 13: ">f4", 14: ">f8"}
    try:
        with open(path, "rb") as f:
            head = f.read(4)
            if len(head) < 4 or head[:2] != b"\0\0" or head[2] not in codes:
                raise pipeline_error(f"Invalid file, {path} is not an IDX file: it begins with {head!r}.")
            shape = np.frombuffer(f.read(4 * head[3]), ">u4").tolist()
    except OSError as error:
        raise pipeline_error(f"Failed to open file {path}: {error.strerror}.") from error
    dtype, begin = np.dtype(codes[head[2]]), 4 + 4 * head[3]
    want, there = int(np.prod(shape)) * dtype.itemsize, os.path.getsize(path) - begin
    if there < want or len(shape) != head[3]:
        raise pipeline_error(
            f"Invalid file, failed to read {want} bytes from {path}: the data file is damaged or the content is incomplete, {there} bytes are there."
        )
    return np.memmap(path, dtype, "r", begin, tuple(shape)) if want else np.zeros(shape, dtype)


class _Idx(_Parts):
    _uses = ("train", "test", "all")

    def __init__(self, dataset_dir, usage_, num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id, cache):
        super().__init__(num_parallel_workers, sampler, num_samples, shuffle, num_shards, shard_id, cache)
        self.dataset_dir, self.usage = _checks.folder("dataset_dir", dataset_dir), usage(usage_, self._uses)

    def _files(self):
        """Pairs of paths."""
        found = [("t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte")] if self.usage in ("test", "all") else []
        return found + ([("train-images-idx3-ubyte", "train-labels-idx1-ubyte")] if self.usage in ("train", "all") else [])

    def _load(self):
        pairs = []
        for names in self._files():
            paths = [os.path.join(self.dataset_dir, n) for n in names]
            if self.usage == "all" and not all(map(os.path.exists, paths)):
                continue
            images, labels = map(idx, paths)
            if len(images) != len(labels):
                raise pipeline_error(
                    f"Invalid data, num of images is not equal to num of labels: {paths[0]} has {len(images)}, {paths[1]} has {len(labels)}."
                )
            pairs.append((images.reshape(*images.shape, 1), labels))
        return pairs


class MnistDataset(_Idx):
    """Handwritten digits (MNIST): columns image uint8 [28, 28, 1] and label uint32, from the files that are published, unpacked.

    Args:
        dataset_dir (str): the folder.
        usage (str, optional): "train", "test" or "all". Default: ``None``, "all".
        num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id, cache: as of all sources.

    Raises:
        ValueError: the folder is not there.
        RuntimeError: its files are missing or damaged.
    """

    def __init__(
        self,
        dataset_dir,
        usage=None,
        num_samples=None,
        num_parallel_workers=None,
        shuffle=None,
        sampler=None,
        num_shards=None,
        shard_id=None,
        cache=None,
    ):
        super().__init__(dataset_dir, usage, num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id, cache)


class FashionMnistDataset(MnistDataset):
    """Articles of clothing (Fashion-MNIST), files and columns as of `MnistDataset`."""


class KMnistDataset(MnistDataset):
    """Cursive Japanese characters (Kuzushiji-MNIST), files and columns as of `MnistDataset`."""


class EMnistDataset(_Idx):
    """Handwritten letters and digits (EMNIST): columns image uint8 [28, 28, 1] and label uint32.

    Args:
        dataset_dir (str): the folder.
        name (str): "byclass", "bymerge", "balanced", "letters", "digits" or "mnist".
        usage (str, optional): "train", "test" or "all". Default: ``None``, "all".
        num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id, cache: as of all sources.
    """

    def __init__(
        self,
        dataset_dir,
        name,
        usage=None,
        num_samples=None,
        num_parallel_workers=None,
        shuffle=None,
        sampler=None,
        num_shards=None,
        shard_id=None,
        cache=None,
    ):
        super().__init__(dataset_dir, usage, num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id, cache)
        self.name = _checks.choice("name", name, ["byclass", "bymerge", "balanced", "letters", "digits", "mnist"])

    def _files(self):
        uses = {"test": ["test"], "train": ["train"], "all": ["test", "train"]}[self.usage]
        return [(f"emnist-{self.name}-{u}-images-idx3-ubyte", f"emnist-{self.name}-{u}-labels-idx1-ubyte") for u in uses]


class QMnistDataset(_Idx):
    """MNIST with its history (QMNIST): columns image uint8 [28, 28, 1] and label uint32, or uint32 [8] with all that is known.

    Args:
        dataset_dir (str): the folder.
        usage (str, optional): "train", "test", "test10k", "test50k", "nist" or "all". Default: ``None``, "all".
        compat (bool): the class alone as label. Default: ``True``.
        num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id, cache: as of all sources.
    """

    _uses = ("train", "test", "test10k", "test50k", "nist", "all")

    def __init__(
        self,
        dataset_dir,
        usage=None,
        compat=True,
        num_samples=None,
        num_parallel_workers=None,
        shuffle=None,
        sampler=None,
        num_shards=None,
        shard_id=None,
        cache=None,
    ):
        super().__init__(dataset_dir, usage, num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id, cache)
        self.compat = _checks.truth("compat", compat)

    def _files(self):
        parts = {"train": ["train"], "nist": ["xnist"], "all": ["train", "test", "xnist"]}.get(self.usage, ["test"])
        return [
            (f"{'' if p == 'xnist' else 'qmnist-'}{p}-images-idx3-ubyte", f"{'' if p == 'xnist' else 'qmnist-'}{p}-labels-idx2-int") for p in parts
        ]

    def _load(self):
        # the first 10000 of the test images are MNIST's
        cut = {"test10k": slice(0, 10000), "test50k": slice(10000, 60000)}.get(self.usage, slice(None))
        pairs = [(images[cut], labels[cut]) for images, labels in super()._load()]
        return [(images, labels[:, 0]) for images, labels in pairs] if self.compat else pairs


class _Cifar(_Parts):
    _edge, _head = 32, 1

    def __init__(
        self,
        dataset_dir,
        usage=None,
        num_samples=None,
        num_parallel_workers=None,
        shuffle=None,
        sampler=None,
        num_shards=None,
        shard_id=None,
        cache=None,
    ):
        super().__init__(num_parallel_workers, sampler, num_samples, shuffle, num_shards, shard_id, cache)
        self.dataset_dir, self.usage = _checks.folder("dataset_dir", dataset_dir), _use(usage)

    def _files(self):
        return []

    def _load(self):
        pairs, length = [], self._head + 3 * self._edge**2
        for name in self._files():
            path = os.path.join(self.dataset_dir, name)
            if not os.path.exists(path):
                continue
            size = os.path.getsize(path)
            if not size or size % length:
                raise pipeline_error(
                    f"Invalid file, failed to read data from: {path}, re-download dataset (make sure it is the binary version): {size} bytes are not a multiple of {length}."
                )
            data = np.memmap(path, np.uint8, "r").reshape(-1, length)
            images = data[:, self._head :].reshape(-1, 3, self._edge, self._edge).transpose(0, 2, 3, 1)
            pairs.append((images, data[:, : self._head]))
        return pairs

    def _values(self, image, label):
        return (np.array(image), *(np.array(each, np.uint32) for each in label))

    def _labels(self, column):
        at = self._names.index(column) - 1 if column in self._names[1:] else None
        if at is None:
            return super()._labels(column)
        return np.concatenate([labels[:, at] for _, labels in self._pairs()])


def _use(value):
    return usage(value, ("train", "test", "all"))


class Cifar10Dataset(_Cifar):
    """Small photographs of 10 classes (CIFAR-10, binary version): columns image uint8 [32, 32, 3] and label uint32.

    Args:
        dataset_dir (str): the folder with data_batch_1.bin and so on, and test_batch.bin.
        usage (str, optional): "train", "test" or "all". Default: ``None``, "all".
        num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id, cache: as of all sources.
    """

    def _files(self):
        train, test = [f"data_batch_{i}.bin" for i in range(1, 6)], ["test_batch.bin"]
        return {"train": train, "test": test, "all": train + test}[self.usage]


class Cifar100Dataset(_Cifar):
    """Small photographs of 100 classes in 20 groups (CIFAR-100, binary version): columns image uint8 [32, 32, 3], coarse_label and fine_label uint32.

    Args: as of `Cifar10Dataset`; the files are train.bin and test.bin.
    """

    _head, _names = 2, ("image", "coarse_label", "fine_label")

    def _files(self):
        return {"train": ["train.bin"], "test": ["test.bin"], "all": ["test.bin", "train.bin"]}[self.usage]


class STL10Dataset(_Parts):
    """Photographs of 96 by 96 (STL-10, binary version): columns image uint8 [96, 96, 3] and label int32, -1 where there is none.

    Args:
        dataset_dir (str): the folder with train_X.bin, train_y.bin and so on.
        usage (str, optional): "train", "test", "unlabeled", "train+unlabeled" or "all". Default: ``None``, "all".
        num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id, cache: as of all sources.
    """

    def __init__(
        self,
        dataset_dir,
        usage=None,
        num_samples=None,
        num_parallel_workers=None,
        shuffle=None,
        sampler=None,
        num_shards=None,
        shard_id=None,
        cache=None,
    ):
        super().__init__(num_parallel_workers, sampler, num_samples, shuffle, num_shards, shard_id, cache)
        self.dataset_dir = _checks.folder("dataset_dir", dataset_dir)
        self.usage = "all" if usage is None else _checks.choice("usage", usage, ["train", "test", "unlabeled", "train+unlabeled", "all"])

    def _load(self):
        pairs = []
        for part in {"train+unlabeled": ["train", "unlabeled"], "all": ["train", "test", "unlabeled"]}.get(self.usage, [self.usage]):
            path = os.path.join(self.dataset_dir, f"{part}_X.bin")
            if not os.path.exists(path):
                raise pipeline_error(f"Failed to open file {path}: it is missing.")
            if os.path.getsize(path) % (3 * 96 * 96):
                raise pipeline_error(f"Invalid file, {path} has {os.path.getsize(path)} bytes, which is not a multiple of {3 * 96 * 96}.")
            # each of the three colours is stored by columns
            images = np.memmap(path, np.uint8, "r").reshape(-1, 3, 96, 96).transpose(0, 3, 2, 1)
            labels = np.full(len(images), -1, np.int32)
            if part != "unlabeled":
                # the file counts from 1
                labels = np.fromfile(os.path.join(self.dataset_dir, f"{part}_y.bin"), np.uint8).astype(np.int32) - 1
            pairs.append((images, labels))
        return pairs

    def _values(self, image, label):
        return np.array(image), np.array(label, np.int32)


class SemeionDataset(_Parts):
    """Handwritten digits of 16 by 16 (Semeion): columns image uint8 [16, 16] and label uint32.

    Args:
        dataset_dir (str): the folder with semeion.data.
        num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id, cache: as of all sources.
    """

    def __init__(
        self, dataset_dir, num_samples=None, num_parallel_workers=None, shuffle=None, sampler=None, num_shards=None, shard_id=None, cache=None
    ):
        super().__init__(num_parallel_workers, sampler, num_samples, shuffle, num_shards, shard_id, cache)
        self.dataset_dir = _checks.folder("dataset_dir", dataset_dir)

    def _load(self):
        path = os.path.join(self.dataset_dir, "semeion.data")
        if not os.path.exists(path):
            raise pipeline_error(f"Failed to open file {path}: it is missing.")
        try:
            table = np.loadtxt(path, ndmin=2)
            return [((table[:, :256].astype(np.uint8) * 255).reshape(-1, 16, 16), table[:, 256:266].argmax(1))]
        except ValueError as error:
            raise pipeline_error(f"Invalid file, {path} should have 266 numbers in each line: {error}.") from error
