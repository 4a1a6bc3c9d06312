"""MindRecord files: what was written is read; bytes are images that Decode takes. `BLOB` is what genuine MindSpore 2.10 wrote for the same arrays."""

import cv2
import numpy as np
import pytest

import sporax.dataset as ds
from sporax.dataset import vision
from sporax.mindrecord import FileReader, FileWriter, _format

A = [np.array([1, -1, 300, -70000, 5], np.int32), np.array([127, 128, -128, -129, 32767, 32768, -32768, -32769], np.int32)]
B = [np.array([1, -1, 300, -70000, 2**40, -(2**50)]), np.array([7])]
BLOB = [
    "000000000000000f00000005060001ff2c0190eefeff05000000000000001e0000000606f001ff2c0190eefeff0000000000010000000000000000fcff",
    "00000000000000180000000811667f8000807fffff7f008000000080ff7fffff0000000000000006000000010007",
]
RAW = {"s": 1.5, "label": 150, "n": "xxx", "big": -3298534883328}


def written(path, rows, schema, **kwargs):
    writer = FileWriter(str(path), **kwargs)
    writer.set_page_size(1 << 15)
    writer.add_schema(schema)
    writer.write_raw_data(rows)
    writer.commit()
    return str(path)


def test_integers_are_packed_as_genuine_packs_them():
    schema = {"a": {"type": "int32", "shape": [-1]}, "b": {"type": "int64", "shape": [-1]}}
    for a, b, blob in zip(A, B, BLOB):
        assert _format.encode_blob(schema, ["a", "b"], {"a": a, "b": b}).hex() == blob
        row = _format.decode_blob(schema, ["a", "b"], bytes.fromhex(blob))
        np.testing.assert_array_equal(row["a"], a)
        np.testing.assert_array_equal(row["b"], b)


def test_numbers_and_text_are_packed_as_genuine_packs_them():
    packed = "84a3626967d3fffffd0000000000a56c6162656ccc96a16ea3787878a173ca3fc00000"
    assert _format.pack_map(RAW).hex() == packed
    assert _format.unpack_map(bytes.fromhex(packed)) == RAW


def test_rows_of_many_pages_come_back(tmp_path):
    rng = np.random.default_rng(0)
    rows = [
        {"id": i, "x": rng.normal(size=(i % 5 + 1, 2)).astype(np.float32), "data": bytes([i % 256]) * (i * 30), "name": "é" * i} for i in range(100)
    ]
    schema = {"id": {"type": "int32"}, "x": {"type": "float32", "shape": [-1, 2]}, "data": {"type": "bytes"}, "name": {"type": "string"}}
    path = written(tmp_path / "a.mr", rows, schema, shard_num=3)
    got = sorted(FileReader(f"{path}0").get_next(), key=lambda row: row["id"])
    assert len(got) == 100
    for row, want in zip(got, rows):
        assert (row["id"], row["data"], row["name"]) == (want["id"], want["data"], want["name"])
        np.testing.assert_array_equal(row["x"], want["x"])


def test_images_as_bytes_are_decoded(tmp_path):
    image = np.random.default_rng(0).integers(0, 255, (20, 30, 3), np.uint8)
    path = written(tmp_path / "a.mr", [{"data": cv2.imencode(".png", image)[1].tobytes()}], {"data": {"type": "bytes"}})
    (row,) = ds.MindDataset(path).map(vision.Decode(), ["data"]).create_tuple_iterator(num_epochs=1, output_numpy=True)
    np.testing.assert_array_equal(row[0][..., ::-1], image)


def test_a_damaged_file_says_so(tmp_path):
    path = written(tmp_path / "a.mr", [{"x": 1}], {"x": {"type": "int32"}})
    with open(path, "r+b") as f:
        f.write(b"\xff" * 8)
    with pytest.raises(RuntimeError, match="not a MindRecord file"):
        FileReader(path)
    with pytest.raises(RuntimeError, match="not exists"):
        ds.MindDataset(str(tmp_path / "missing.mr"))
