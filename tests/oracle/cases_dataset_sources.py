"""Sources that read files. A line is an expression; the names of files are below a folder that `published_formats.make` fills."""

import contextlib
import functools
import os
import shutil
import tempfile

import numpy as np

from tests.oracle.published_formats import make


def plain(value):
    """A column with text as a list: recordings hold numbers."""
    return value.tolist() if value.dtype.kind in "SU" else value


TEXT = """
ds.MnistDataset("mnist", shuffle=False)
ds.MnistDataset("mnist", "train").get_dataset_size()
ds.MnistDataset("mnist", "x")
ds.MnistDataset("nope")
ds.MnistDataset("folder", shuffle=False)
ds.FashionMnistDataset("mnist", "test", shuffle=False)
ds.KMnistDataset("mnist", "test", shuffle=False)
ds.EMnistDataset("emnist", "digits", shuffle=False)
ds.EMnistDataset("emnist", "x")
ds.QMnistDataset("qmnist", "train", shuffle=False)
ds.QMnistDataset("qmnist", "test", False, shuffle=False)
ds.ImageFolderDataset("folder", shuffle=False, extensions=[".jpg"])
ds.ImageFolderDataset("folder", shuffle=False, decode=True, extensions=[".jpg"])
ds.ImageFolderDataset("folder", shuffle=False, decode=True)
ds.ImageFolderDataset("folder", shuffle=False, class_indexing={"dog": 7, "cat": 3}, extensions=[".jpg"])
ds.ImageFolderDataset("folder").get_class_indexing()
ds.ImageFolderDataset("folder").num_classes()
ds.ImageFolderDataset("folder", class_indexing={"dog": 7, "cat": 3}).get_class_indexing()
ds.ImageFolderDataset("folder", extensions=[".txt"]).get_dataset_size()
ds.ImageFolderDataset("folder", extensions=[".gif"], shuffle=False)
ds.ImageFolderDataset("folder", sampler=ds.PKSampler(1), extensions=[".jpg"])
ds.ImageFolderDataset("folder", decode=1)
ds.TextFileDataset(["t1.txt", "t2.txt"], shuffle=False)
ds.TextFileDataset("t1.txt", shuffle=False)
ds.TextFileDataset(["t1.txt", "t2.txt"]).get_dataset_size()
ds.TextFileDataset(["t1.txt", "t2.txt"], num_shards=2, shard_id=0, shuffle=False)
ds.TextFileDataset(["t1.txt", "t2.txt"], num_shards=2, shard_id=1, shuffle=False)
ds.TextFileDataset("t1.txt", num_samples=2, shuffle=False)
ds.TextFileDataset("zz.txt")
ds.TextFileDataset("t1.txt", shuffle="yes")
ds.CSVDataset("a.csv", column_names=["a", "b", "c", "d"], shuffle=False)
ds.CSVDataset("a.csv", column_names=["a", "b", "c", "d"], column_defaults=[1, 2.0, "", "e"], shuffle=False)
ds.CSVDataset("a.csv", column_names=["a", "b", "c", "d"], column_defaults=[1, 2, "", ""], shuffle=False)
ds.CSVDataset("h.csv", shuffle=False)
ds.CSVDataset("a.csv", column_names=["a", "b", "c"], shuffle=False)
ds.CSVDataset("h.csv", column_defaults=["a", 1.5], column_names=["p", "q"], shuffle=False)
ds.CLUEDataset("clue.json", shuffle=False)
ds.CLUEDataset("clue.json", task="x")
ds.CelebADataset("celeba", shuffle=False)
ds.CelebADataset("celeba", usage="train", decode=True)
ds.VOCDataset("voc", task="Segmentation", decode=True, shuffle=False)
ds.VOCDataset("voc", task="Detection", shuffle=False)
ds.VOCDataset("voc", task="Detection", class_indexing={"cat": 5}, shuffle=False)
ds.VOCDataset("voc", task="Detection").get_class_indexing()
ds.VOCDataset("voc", task="Other")
ds.CocoDataset("coco/imgs", "coco/inst.json", shuffle=False)
ds.CocoDataset("coco/imgs", "coco/crowd.json", shuffle=False)
ds.CocoDataset("coco/imgs", "coco/inst.json", "Stuff", shuffle=False)
ds.CocoDataset("coco/imgs", "coco/kp.json", "Keypoint", shuffle=False)
ds.CocoDataset("coco/imgs", "coco/pan.json", "Panoptic", shuffle=False)
ds.CocoDataset("coco/imgs", "coco/cap.json", "Captioning", shuffle=False)
ds.CocoDataset("coco/imgs", "coco/inst.json").get_class_indexing()
ds.CocoDataset("coco/imgs", "coco/pan.json", "Panoptic").get_class_indexing()
ds.CocoDataset("coco/imgs", "coco/inst.json", "Other")
ds.ManifestDataset("man.manifest", shuffle=False)
ds.ManifestDataset("man.manifest").get_class_indexing()
ds.TFRecordDataset("a.tfrecord", shuffle=False)
ds.TFRecordDataset("a.tfrecord", "schema.json", shuffle=False)
ds.TFRecordDataset(["a.tfrecord", "b.tfrecord"], "schema.json", shuffle=False)
ds.TFRecordDataset(["a.tfrecord", "b.tfrecord"], "schema.json").get_dataset_size()
ds.TFRecordDataset("a.tfrecord", columns_list=["x", "label"], shuffle=False)
ds.TFRecordDataset("a.tfrecord", columns_list=["q"], shuffle=False)
ds.TFRecordDataset(["a.tfrecord", "b.tfrecord"], num_shards=2, shard_id=1, shuffle=False)
ds.TFRecordDataset("a.tfrecord", num_samples=2, shuffle=False)
ds.TFRecordDataset("t1.txt", shuffle=False)
ds.TFRecordDataset("a.tfrecord", schema(ds), shuffle=False)
"""


@functools.cache
def _folder():
    folder = tempfile.mkdtemp(prefix="formats-")
    make(folder)
    return folder


def clean():
    """Remove the files."""
    if _folder.cache_info().currsize:
        shutil.rmtree(_folder())
        _folder.cache_clear()


def _schema(ds):
    schema = ds.Schema()
    schema.add_column("label", "int64", [1])
    schema.add_column("s", "string")
    return schema


def case(line):
    def run(ms):
        with contextlib.chdir(_folder()):
            value = eval(line, {"ds": ms.dataset, "np": np, "schema": _schema, "os": os})
            if isinstance(value, ms.dataset.Dataset):
                return [{k: plain(v) for k, v in row.items()} for row in value.create_dict_iterator(num_epochs=1, output_numpy=True)]
        return value

    return run


CASES = {line: case(line) for line in TEXT.strip().splitlines()}
