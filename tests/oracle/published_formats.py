"""Small files of published formats, the same everywhere: `make(folder)` writes them."""

import json
import os
import struct

import numpy as np

# what genuine reads must be as long as the original: 10000 images of CIFAR would be 30 MB, so that these files are ours alone
CRC = []
for _i in range(256):
    _x = _i
    for _ in range(8):
        _x = (_x >> 1) ^ (0x82F63B78 if _x & 1 else 0)
    CRC.append(_x)


def _idx(path, array, code=8):
    with open(path, "wb") as f:
        f.write(struct.pack(">HBB", 0, code, array.ndim) + struct.pack(f">{array.ndim}I", *array.shape) + array.tobytes())


def _varint(n):
    out = b""
    while True:
        byte, n = n & 127, n >> 7
        out += bytes([byte | (128 if n else 0)])
        if not n:
            return out


def _part(key, data):
    return _varint(key << 3 | 2) + _varint(len(data)) + data


def _feature(values):
    if isinstance(values[0], bytes):
        return _part(1, b"".join(_part(1, v) for v in values))
    if isinstance(values[0], float):
        return _part(2, _part(1, struct.pack(f"<{len(values)}f", *values)))
    return _part(3, _part(1, b"".join(_varint(v & (2**64 - 1)) for v in values)))


def example(**features):
    """An Example of TensorFlow, from lists of bytes, floats or ints."""
    return _part(1, b"".join(_part(1, _part(1, name.encode()) + _part(2, _feature(values))) for name, values in features.items()))


def _masked(data):
    x = 0xFFFFFFFF
    for byte in data:
        x = CRC[(x ^ byte) & 255] ^ (x >> 8)
    x ^= 0xFFFFFFFF
    return (((x >> 15) | (x << 17)) + 0xA282EAD8) & 0xFFFFFFFF


def record(data):
    """A record of a TFRecord file."""
    head = struct.pack("<Q", len(data))
    return head + struct.pack("<I", _masked(head)) + data + struct.pack("<I", _masked(data))


def _write(path, text):
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path, "w", encoding="utf-8", newline="") as f:
        f.write(text)


def _bytes(path, data):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as f:
        f.write(data)


def make(folder):
    """Write all files below `folder`."""
    from tests.oracle.dataset_files import COLOUR, GREY

    rng = np.random.default_rng(1)

    def at(*parts):
        path = os.path.join(folder, *parts)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        return path

    for use, n in (("train", 5), ("t10k", 3)):
        _idx(at("mnist", f"{use}-images-idx3-ubyte"), rng.integers(0, 255, (n, 28, 28), np.uint8))
        _idx(at("mnist", f"{use}-labels-idx1-ubyte"), rng.integers(0, 10, n, np.uint8))
    for use, n in (("train", 4), ("test", 2)):
        _idx(at("emnist", f"emnist-digits-{use}-images-idx3-ubyte"), rng.integers(0, 255, (n, 28, 28), np.uint8))
        _idx(at("emnist", f"emnist-digits-{use}-labels-idx1-ubyte"), rng.integers(0, 10, n, np.uint8))
        _idx(at("qmnist", f"qmnist-{use}-images-idx3-ubyte"), rng.integers(0, 255, (n, 28, 28), np.uint8))
        _idx(at("qmnist", f"qmnist-{use}-labels-idx2-int"), rng.integers(0, 10, (n, 8)).astype(">i4"), 12)
    for name, image in (("dog", COLOUR), ("cat", GREY), ("ant", COLOUR)):
        for i in range(2):
            _bytes(at("folder", name, f"{i}.jpg"), image)
    _write(at("folder", "dog", "note.txt"), "no")
    _write(at("t1.txt"), "one two\n\nthree\nfour")
    _write(at("t2.txt"), "五\nsix\r\n seven \n")
    _write(at("a.csv"), '1,2.5,x y,\n3,4.5,"q,""z",w\n')
    _write(at("h.csv"), "p,q\n1,2\n3,4\n")
    _write(at("celeba", "list_attr_celeba.txt"), "3\nA B C\n" + "".join(f"00000{i}.jpg  1 -1  1\n" for i in (1, 2, 3)))
    _write(at("celeba", "list_eval_partition.txt"), "000001.jpg 0\n000002.jpg 1\n000003.jpg 2\n")
    for i in (1, 2, 3):
        _bytes(at("celeba", f"00000{i}.jpg"), COLOUR)
    _voc(at, COLOUR)
    _coco(at, COLOUR)
    lines = [{"source": at("folder", k, "0.jpg"), "usage": u, "annotation": [{"name": k}]} for k, u in (("dog", "train"), ("cat", "train"), ("ant", "eval"))]
    _write(at("man.manifest"), "".join(json.dumps(line) + "\n" for line in lines))
    _bytes(at("a.tfrecord"), b"".join(record(example(label=[i - 2], x=[float(i), 0.5], s=[b"ab" * i or b"z"], big=[i, i + 1, i + 300])) for i in range(5)))
    _bytes(at("b.tfrecord"), b"".join(record(example(label=[100 + i], x=[float(i), 0.5], s=[b"q"], big=[i, i + 1, i + 300])) for i in range(3)))
    columns = {"label": {"type": "int32", "rank": 0, "shape": []}, "x": {"type": "float32", "rank": 1, "shape": [2]}, "big": {"type": "int64", "rank": 1}}
    _write(at("schema.json"), json.dumps({"datasetType": "TF", "columns": columns}))
    _write(at("clue.json"), '{"sentence1": "a", "sentence2": "b", "label": "0"}\n{"sentence1": "c", "sentence2": "d", "label": "1"}\n')
    for name in ("ag/train.csv", "ag/test.csv"):
        _write(at(name), '"3","A title","Some text, here"\n"4","B","more"\n')


def _voc(at, image):
    for i in range(3):
        _bytes(at("voc", "JPEGImages", f"im{i}.jpg"), image)
        _bytes(at("voc", "SegmentationClass", f"im{i}.png"), image)
        objects = "".join(
            f"<object><name>{name}</name><pose>U</pose><truncated>{k}</truncated><difficult>{k}</difficult>"
            f"<bndbox><xmin>{1 + k}</xmin><ymin>2</ymin><xmax>6</xmax><ymax>9</ymax></bndbox></object>"
            for k, name in enumerate(["dog", "cat"][: i or 1])
        )
        size = "<size><width>53</width><height>37</height><depth>3</depth></size>"
        _write(at("voc", "Annotations", f"im{i}.xml"), f"<annotation><folder>v</folder><filename>x</filename>{size}{objects}</annotation>")
    for task in ("Segmentation", "Main"):
        _write(at("voc", "ImageSets", task, "train.txt"), "im0\nim1\nim2\n")


def _coco(at, image):
    for i in range(3):
        _bytes(at("coco", "imgs", f"{i}.jpg"), image)
    images = [{"id": 10 + i, "file_name": f"{i}.jpg", "height": 37, "width": 53} for i in range(3)]
    categories = [{"id": 1, "name": "person", "supercategory": "x", "isthing": 1}, {"id": 7, "name": "dog", "supercategory": "a", "isthing": 0}]
    common = {"info": {}, "licenses": [], "images": images, "categories": categories}

    def note(i, image, category, box, crowd, polygon):
        return {"id": i, "image_id": image, "category_id": category, "bbox": box, "area": 12, "iscrowd": crowd, "segmentation": [polygon]}

    notes = [note(1, 10, 7, [1, 2, 3, 4.5], 0, [1, 2, 3, 4, 5, 6]), note(2, 10, 1, [0, 0, 3, 4], 0, [1.5, 2, 3, 4, 5, 6, 7, 8]), note(3, 12, 1, [5, 5, 2, 2], 0, [0, 0, 1, 1, 2, 2])]
    crowds = [{**n, "iscrowd": i % 2} for i, n in enumerate(notes)]
    keys = [{"id": i, "image_id": 10 + i, "category_id": 1, "bbox": [1, 2, 3, 4], "num_keypoints": 1, "iscrowd": 0, "area": 1, "keypoints": [1, 2, 2, 0, 0, 0]} for i in range(2)]
    segments = [{"id": 1, "category_id": 7, "iscrowd": 0, "bbox": [1, 2, 3, 4], "area": 5}]
    panoptic = [{"image_id": 10, "file_name": "0.jpg", "segments_info": segments}]
    captions = [{"id": i, "image_id": 10 + i // 2, "caption": f"cap {i}"} for i in range(4)]
    for name, annotations in (("inst", notes), ("crowd", crowds), ("kp", keys), ("pan", panoptic), ("cap", captions)):
        _write(at("coco", f"{name}.json"), json.dumps({**common, "annotations": annotations}))
