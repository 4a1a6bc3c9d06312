"""Sources of images as files: folders of classes, manifests, and the benchmarks that are stored so."""

import json
import os

import numpy as np

from sporax.dataset import _checks
from sporax.dataset._base import VisionBaseDataset
from sporax.dataset._pipeline.errors import pipeline_error
from sporax.dataset._sources.base import MappableDataset, image


class _Images(MappableDataset, VisionBaseDataset):
    """Rows from a list of (path, label) pairs, found when it is first needed."""

    _label_type: type = np.int32
    _entries: list | None = None
    decode = False

    def _find(self):
        return []

    def _list(self):
        if self._entries is None:
            self._entries = self._find()
        return self._entries

    def _columns(self):
        return ["image", "label"]

    def _total(self):
        return len(self._list())

    def _row(self, index):
        path, label = self._list()[index]
        return image(path, self.decode), np.array(label, self._label_type)

    def _labels(self, column):
        if column != "label":
            return super()._labels(column)
        return [label for _, label in self._list()]


def _extensions(value):
    if value is None:
        return None
    if not isinstance(value, list | tuple) or not all(isinstance(e, str) for e in value):
        raise TypeError(f"Argument extensions should be a list of str, but got {value!r}.")
    return tuple(e.lower() for e in value)


def check_decrypt(decrypt):
    """`decrypt`: a function of a path that gives the file's content."""
    return None if decrypt is None else _checks.function("decrypt", decrypt)


class ImageFolderDataset(_Images):
    """Images in a folder per class: columns image (uint8, the file's content or [height, width, 3]) and label int32.

    Args:
        dataset_dir (str): a folder with a folder per class; these are numbered in the order of their names.
        num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id, cache: as of all sources.
        extensions (list[str], optional): only files that end so. Default: ``None``, all files.
        class_indexing (dict, optional): numbers of classes; only these are read. Default: ``None``.
        decode (bool): decode the images. Default: ``False``.
        decrypt (callable, optional): gives the content of a file from its path. Default: ``None``.

    Raises:
        ValueError: the folder is not there.
        RuntimeError: there are no images, or one can't be read or decoded; the message names it.
    """

    def __init__(
        self,
        dataset_dir,
        num_samples=None,
        num_parallel_workers=None,
        shuffle=None,
        sampler=None,
        extensions=None,
        class_indexing=None,
        decode=False,
        num_shards=None,
        shard_id=None,
        cache=None,
        decrypt=None,
    ):
        super().__init__(num_parallel_workers, sampler, num_samples, shuffle, num_shards, shard_id, cache)
        self.dataset_dir, self.extensions = _checks.folder("dataset_dir", dataset_dir), _extensions(extensions)
        self.class_indexing = _class_numbers(class_indexing)
        self.decode, self.decrypt = _checks.truth("decode", decode), check_decrypt(decrypt)

    def _folders(self):
        return sorted(e.name for e in os.scandir(self.dataset_dir) if e.is_dir())

    def get_class_indexing(self):
        """The numbers of the classes, {name: number}."""
        if self.class_indexing is not None:
            return dict(self.class_indexing)
        return {name: i for i, name in enumerate(self._folders())}

    def num_classes(self):
        """The number of classes."""
        return len(self.get_class_indexing())

    def _find(self):
        found, numbers = [], self.get_class_indexing()
        for name in self._folders():
            if name not in numbers:
                continue
            for folder, folders, files in os.walk(os.path.join(self.dataset_dir, name)):
                folders.sort()
                found += [
                    (os.path.join(folder, f), numbers[name]) for f in sorted(files) if self.extensions is None or f.lower().endswith(self.extensions)
                ]
        if not found:
            raise pipeline_error(
                f"Invalid data, ImageFolderDataset API can't read the data file (interface mismatch or no data found). Check the files in directory: {self.dataset_dir}: "
                f"it should have a folder per class{f' with files that end in {self.extensions}' if self.extensions else ''}; classes: {list(numbers)}."
            )
        return found

    def _row(self, index):
        path, label = self._list()[index]
        return _content(path, self.decode, self.decrypt), np.array(label, np.int32)


def _content(path, decode, decrypt):
    if decrypt is None:
        return image(path, decode)
    data = np.frombuffer(bytes(decrypt(path)), np.uint8)
    if not decode:
        return data
    from sporax.dataset import vision

    return vision.Decode()(data)


def _class_numbers(value):
    if value is None:
        return None
    if not isinstance(value, dict):
        raise TypeError(f"Argument class_indexing should be a dict, but got {value!r} of type {type(value).__name__}.")
    for name, number in value.items():
        if not isinstance(name, str) or not isinstance(number, int) or number < 0:
            raise ValueError(f"class_indexing should give a number of at least 0 for each name, but got {name!r}: {number!r}.")
    return dict(value)


class ManifestDataset(_Images):
    """Images of a manifest: a line of JSON per image with "source", "usage" and "annotation". Columns image and label int32 (or uint64 arrays of several).

    Args:
        dataset_file (str): the manifest.
        usage (str): which lines. Default: ``"train"``.
        num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id, cache: as of all sources.
        class_indexing (dict, optional): numbers of classes; only these are read. Default: ``None``, in the order of their names.
        decode (bool): decode the images. Default: ``False``.
    """

    def __init__(
        self,
        dataset_file,
        usage="train",
        num_samples=None,
        num_parallel_workers=None,
        shuffle=None,
        sampler=None,
        class_indexing=None,
        decode=False,
        num_shards=None,
        shard_id=None,
        cache=None,
    ):
        super().__init__(num_parallel_workers, sampler, num_samples, shuffle, num_shards, shard_id, cache)
        self.dataset_file, self.usage = _checks.file("dataset_file", dataset_file), _checks.choice("usage", usage, ["train", "eval", "inference"])
        self.class_indexing, self.decode = _class_numbers(class_indexing), _checks.truth("decode", decode)

    def _lines(self):
        found = []
        with open(self.dataset_file, encoding="utf-8") as f:
            for number, line in enumerate(f, 1):
                if not line.strip():
                    continue
                try:
                    entry = json.loads(line)
                    if entry.get("usage", "train") == self.usage:
                        source = entry["source"].removeprefix("file://")
                        found.append((source, [a["name"] for a in entry.get("annotation", ()) if a.get("name")]))
                except (ValueError, KeyError, TypeError) as error:
                    raise pipeline_error(f"Invalid manifest file, {self.dataset_file} at line {number}: {type(error).__name__}: {error}.") from error
        return found

    def get_class_indexing(self):
        """The numbers of the classes, {name: number}."""
        if self.class_indexing is None:
            self.class_indexing = {n: i for i, n in enumerate(sorted({n for _, names in self._lines() for n in names}))}
        return dict(self.class_indexing)

    def num_classes(self):
        """The number of classes."""
        return len(self.get_class_indexing())

    def _find(self):
        numbers = self.get_class_indexing()
        found = [(path, [numbers[n] for n in names if n in numbers]) for path, names in self._lines()]
        found = [(path, label[0] if len(label) == 1 else label) for path, label in found if label]
        if not found:
            raise pipeline_error(f"Invalid data, ManifestDataset found no images of usage {self.usage!r} in {self.dataset_file}.")
        return found

    def _row(self, index):
        path, label = self._list()[index]
        return image(path, self.decode), np.array(label, np.uint64 if isinstance(label, list) else np.int32)


class CelebADataset(_Images):
    """Faces with attributes (CelebA): columns image and attr uint32, 1 for each attribute that is there.

    Args:
        dataset_dir (str): the folder with list_attr_celeba.txt, list_eval_partition.txt and the images.
        num_parallel_workers, shuffle, sampler, num_samples, num_shards, shard_id, cache: as of all sources.
        usage (str): "train", "valid", "test" or "all". Default: ``"all"``.
        decode (bool): decode the images. Default: ``False``.
        extensions (list[str], optional): only images that end so. Default: ``None``.
        decrypt (callable, optional): gives the content of a file from its path. Default: ``None``.
    """

    def __init__(
        self,
        dataset_dir,
        num_parallel_workers=None,
        shuffle=None,
        usage="all",
        sampler=None,
        decode=False,
        extensions=None,
        num_samples=None,
        num_shards=None,
        shard_id=None,
        cache=None,
        decrypt=None,
    ):
        super().__init__(num_parallel_workers, sampler, num_samples, shuffle, num_shards, shard_id, cache)
        self.dataset_dir, self.usage = _checks.folder("dataset_dir", dataset_dir), _checks.choice("usage", usage, ["all", "train", "valid", "test"])
        self.decode, self.extensions, self.decrypt = _checks.truth("decode", decode), _extensions(extensions), check_decrypt(decrypt)

    def _columns(self):
        return ["image", "attr"]

    def _text(self, name):
        path = os.path.join(self.dataset_dir, name)
        if not os.path.exists(path):
            raise pipeline_error(f"Invalid file, failed to open {path}: it is missing.")
        with open(path, encoding="utf-8") as f:
            return [line.split() for line in f if line.strip()]

    def _find(self):
        lines = self._text("list_attr_celeba.txt")[2:]
        part = {"train": "0", "valid": "1", "test": "2"}.get(self.usage)
        chosen = None if part is None else {name for name, p in self._text("list_eval_partition.txt") if p == part}
        inner = os.path.join(self.dataset_dir, "Img_celeba", "img_align_celeba")
        places = [self.dataset_dir, os.path.join(self.dataset_dir, "img_align_celeba"), inner]
        folder = next((p for p in places if lines and os.path.exists(os.path.join(p, lines[0][0]))), self.dataset_dir)
        found = []
        for name, *values in lines:
            if (chosen is None or name in chosen) and (self.extensions is None or name.lower().endswith(self.extensions)):
                found.append((os.path.join(folder, name), np.array([v == "1" for v in values], np.uint32)))
        return found

    def _row(self, index):
        path, attributes = self._list()[index]
        return _content(path, self.decode, self.decrypt), attributes
