"""Images with boxes, masks, key points and captions: PASCAL VOC and COCO."""

import json
import os
import xml.etree.ElementTree as ET

import numpy as np

from sporax.dataset import _checks
from sporax.dataset._base import VisionBaseDataset
from sporax.dataset._pipeline.errors import pipeline_error
from sporax.dataset._sources.base import MappableDataset, image
from sporax.dataset._sources.folders import _class_numbers, _content, check_decrypt


class VOCDataset(MappableDataset, VisionBaseDataset):
    """PASCAL VOC.

    Columns: image and target for the task "Segmentation"; image, bbox float32 [n, 4] (left, top, width, height), label, difficult and truncate uint32 [n, 1] for "Detection".

    Args:
        dataset_dir (str): the folder with JPEGImages, Annotations, SegmentationClass and ImageSets.
        task (str): "Segmentation" or "Detection". Default: ``"Segmentation"``.
        usage (str): the name of the list in ImageSets. Default: ``"train"``.
        class_indexing (dict, optional): numbers of classes, for Detection. Default: ``None``, in the order of their names.
        num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id, cache: as of all sources.
        decode (bool): decode the images. Default: ``False``.
        extra_metadata (bool): add a column with the name of the image. Default: ``False``.
        decrypt (callable, optional): gives the content of a file from its path. Default: ``None``.
    """

    def __init__(
        self,
        dataset_dir,
        task="Segmentation",
        usage="train",
        class_indexing=None,
        num_samples=None,
        num_parallel_workers=None,
        shuffle=None,
        decode=False,
        sampler=None,
        num_shards=None,
        shard_id=None,
        cache=None,
        extra_metadata=False,
        decrypt=None,
    ):
        super().__init__(num_parallel_workers, sampler, num_samples, shuffle, num_shards, shard_id, cache)
        self.dataset_dir, self.task = _checks.folder("dataset_dir", dataset_dir), _checks.choice("task", task, ["Segmentation", "Detection"])
        if not isinstance(usage, str):
            raise TypeError(f"Argument usage with value {usage!r} is not of type [str].")
        if task == "Segmentation" and class_indexing is not None:
            raise ValueError("class_indexing is not supported in Segmentation task.")
        self.usage, self.class_indexing = usage, _class_numbers(class_indexing)
        self.decode, self.extra_metadata = _checks.truth("decode", decode), _checks.truth("extra_metadata", extra_metadata)
        self.decrypt = check_decrypt(decrypt)
        self._names: list | None = None
        self._notes: dict = {}
        path = os.path.join(self.dataset_dir, "ImageSets", "Main" if task == "Detection" else "Segmentation", f"{usage}.txt")
        self._set = _checks.file("usage", path)

    def _columns(self):
        columns = ["image", "target"] if self.task == "Segmentation" else ["image", "bbox", "label", "difficult", "truncate"]
        return columns + (["_meta-filename"] if self.extra_metadata else [])

    def get_class_indexing(self):
        """The numbers of the classes, {name: number}, for Detection."""
        if self.task != "Detection":
            raise RuntimeError("Only 'Detection' in VOCDataset has classes.")
        if self.class_indexing is None:
            self.class_indexing = {n: i for i, n in enumerate(sorted({o[0] for name in self._read_set() for o in self._objects(name)}))}
        return dict(self.class_indexing)

    def num_classes(self):
        """The number of classes, for Detection."""
        return len(self.get_class_indexing())

    def _read_set(self):
        with open(self._set, encoding="utf-8") as f:
            return [line.split()[0] for line in f if line.strip()]

    def _list(self):
        if self._names is None:
            names = self._read_set()
            if self.task == "Detection" and self.class_indexing is not None:
                names = [n for n in names if any(o[0] in self.class_indexing for o in self._objects(n))]
            self._names = names
        return self._names

    def _total(self):
        return len(self._list())

    def _objects(self, name):
        """The objects of an image: (class, box, difficult, truncated)."""
        found = self._notes.get(name)
        if found is None:
            path = os.path.join(self.dataset_dir, "Annotations", f"{name}.xml")
            try:
                found = []
                for node in ET.parse(path).getroot().iter("object"):
                    box = node.find("bndbox")
                    left, top, right, bottom = (float(box.findtext(k)) for k in ("xmin", "ymin", "xmax", "ymax"))  # type: ignore[union-attr]
                    if left > right or top > bottom:
                        raise ValueError(f"a box from ({left:g}, {top:g}) to ({right:g}, {bottom:g}) is empty")
                    found.append(
                        (
                            node.findtext("name"),
                            (left, top, right - left, bottom - top),
                            int(node.findtext("difficult") or 0),
                            int(node.findtext("truncated") or 0),
                        )
                    )
            except (OSError, ET.ParseError, AttributeError, TypeError, ValueError) as error:
                raise pipeline_error(f"Invalid annotation, {path} can't be read: {error}.") from error
            self._notes[name] = found
        return found

    def _row(self, index):
        name = self._list()[index]
        row: list = [_content(os.path.join(self.dataset_dir, "JPEGImages", f"{name}.jpg"), self.decode, self.decrypt)]
        if self.task == "Segmentation":
            row.append(image(os.path.join(self.dataset_dir, "SegmentationClass", f"{name}.png"), self.decode))
        else:
            numbers = self.get_class_indexing()
            objects = [o for o in self._objects(name) if o[0] in numbers]
            row.append(np.array([o[1] for o in objects], np.float32).reshape(-1, 4))
            for values in ([numbers[o[0]] for o in objects], [o[2] for o in objects], [o[3] for o in objects]):
                row.append(np.array(values, np.uint32).reshape(-1, 1))
        return (*row, *([np.array(name)] if self.extra_metadata else []))


_TASKS = {
    "Detection": ["bbox", "category_id", "iscrowd"],
    "Stuff": ["segmentation", "iscrowd"],
    "Keypoint": ["keypoints", "num_keypoints"],
    "Panoptic": ["bbox", "category_id", "iscrowd", "area"],
    "Captioning": ["captions"],
}


class CocoDataset(MappableDataset, VisionBaseDataset):
    """COCO: images that have annotations of the task.

    Columns: image, and for "Detection" bbox float32 [n, 4], category_id and iscrowd uint32 [n, 1]; for "Stuff" segmentation float32 (padded with -1) and iscrowd; for "Keypoint"
    keypoints float32 and num_keypoints; for "Panoptic" bbox, category_id, iscrowd and area; for "Captioning" captions, text [n, 1].

    Args:
        dataset_dir (str): the folder with the images.
        annotation_file (str): the JSON file.
        task (str): see above. Default: ``"Detection"``.
        num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id, cache: as of all sources.
        decode (bool): decode the images. Default: ``False``.
        extra_metadata (bool): add a column with the name of the image. Default: ``False``.
        decrypt (callable, optional): gives the content of a file from its path. Default: ``None``.
    """

    def __init__(
        self,
        dataset_dir,
        annotation_file,
        task="Detection",
        num_samples=None,
        num_parallel_workers=None,
        shuffle=None,
        decode=False,
        sampler=None,
        num_shards=None,
        shard_id=None,
        cache=None,
        extra_metadata=False,
        decrypt=None,
    ):
        super().__init__(num_parallel_workers, sampler, num_samples, shuffle, num_shards, shard_id, cache)
        self.dataset_dir, self.annotation_file = _checks.folder("dataset_dir", dataset_dir), _checks.file("annotation_file", annotation_file)
        self.task, self.decode = _checks.choice("task", task, list(_TASKS)), _checks.truth("decode", decode)
        self.extra_metadata, self.decrypt = _checks.truth("extra_metadata", extra_metadata), check_decrypt(decrypt)
        self._loaded: dict | None = None
        self._entries: list = []

    def _columns(self):
        return ["image", *_TASKS[self.task], *(["_meta-filename"] if self.extra_metadata else [])]

    def _json(self):
        if self._loaded is None:
            try:
                with open(self.annotation_file, encoding="utf-8") as f:
                    loaded = json.load(f)
                images = {i["id"]: i["file_name"] for i in loaded["images"]}
                notes: dict = {}
                for note in loaded["annotations"]:
                    notes.setdefault(note["image_id"], []).append(note)
                self._entries = [(images[i], self._values(notes[i])) for i in images if i in notes]
            except (ValueError, KeyError, TypeError) as error:
                raise pipeline_error(
                    f"Invalid annotation, {self.annotation_file} is not a COCO file for {self.task}: {type(error).__name__}: {error}."
                ) from error
            self._loaded = loaded
        return self._loaded

    def _values(self, notes):
        """The columns of one image from its annotations."""

        def numbers(key, dtype: type = np.uint32):
            return np.array([n[key] for n in notes], dtype).reshape(len(notes), -1)

        if self.task == "Detection":
            return numbers("bbox", np.float32), numbers("category_id"), np.array([n.get("iscrowd", 0) for n in notes], np.uint32).reshape(-1, 1)
        if self.task == "Stuff":
            parts = [[x for polygon in _polygons(n["segmentation"]) for x in polygon] for n in notes]
            table = np.full((len(parts), max(map(len, parts))), -1, np.float32)
            for line, part in zip(table, parts):
                line[: len(part)] = part
            return table, numbers("iscrowd")
        if self.task == "Keypoint":
            return numbers("keypoints", np.float32), numbers("num_keypoints")
        if self.task == "Panoptic":
            notes = [s for n in notes for s in n["segments_info"]]
            return np.array([n["bbox"] for n in notes], np.float32), *(
                np.array([n[k] for n in notes], np.uint32).reshape(-1, 1) for k in ("category_id", "iscrowd", "area")
            )
        return (np.array([n["caption"] for n in notes]).reshape(-1, 1),)

    def get_class_indexing(self):
        """The numbers of the categories, {name: [number]}; for Panoptic {name: [number, whether it is a thing]}.

        Raises:
            RuntimeError: the task has no categories.
        """
        if self.task not in ("Detection", "Panoptic"):
            raise RuntimeError(f"Only 'Detection' and 'Panoptic' support get_class_indexing, but the task is {self.task!r}.")
        panoptic = self.task == "Panoptic"
        return {c["name"]: [c["id"], c["isthing"]] if panoptic else [c["id"]] for c in self._json().get("categories", ())}

    def num_classes(self):
        """The number of categories."""
        return len(self.get_class_indexing())

    def _total(self):
        self._json()
        return len(self._entries)

    def _row(self, index):
        name, values = self._entries[index]
        meta = [np.array(os.path.splitext(os.path.basename(name))[0])] if self.extra_metadata else []
        return (_content(os.path.join(self.dataset_dir, name), self.decode, self.decrypt), *values, *meta)

    def _open(self, run, pass_):
        self._json()
        return super()._open(run, pass_)


def _polygons(segmentation):
    """The polygons of an object, or the counts of its run-length code."""
    return [segmentation["counts"]] if isinstance(segmentation, dict) else segmentation
