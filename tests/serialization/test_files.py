"""Files: those that genuine MindSpore made are read here, those made here are read there, bit for bit."""

import hashlib
import json
import os
import pathlib
import stat

import ml_dtypes
import numpy as np
import pytest
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from safetensors.numpy import load_file, save_file

import sporax as ms
from sporax import Parameter, Tensor
from tests.serialization import contents, make_here

HERE = pathlib.Path(__file__).parent
FILES = HERE / "files"
READ_THERE = json.loads((HERE / "read_by_genuine.json").read_text(encoding="utf-8"))
MODES = list(contents.KEYS)


def expected(name):
    table = contents.dtypes() if "dtypes" in name else contents.shapes()
    table = {n: a.astype(ml_dtypes.bfloat16) if n == contents.BFLOAT16 else a for n, a in table.items()}
    return table | contents.READ_APPENDED if name.endswith("shapes.ckpt") else table


def load(path, **options):
    mode = next((m for m in MODES if m in str(path)), None)
    if mode:
        options |= {"dec_key": contents.KEYS[mode], "dec_mode": mode}
    return ms.load_checkpoint(str(path), format=pathlib.Path(path).suffix[1:], **options)


def assert_holds(loaded, table):
    assert loaded.keys() == table.keys()
    for name, value in table.items():
        if isinstance(value, str):
            assert loaded[name] == value
        else:
            assert contents.same(loaded[name].asnumpy(), value), name
            assert loaded[name].name == name and loaded[name].requires_grad


NAMES = ["dtypes.ckpt", "dtypes.safetensors", "shapes.ckpt", "shapes.safetensors", "crc.ckpt", "crc.safetensors", *(f"{m}.ckpt" for m in MODES)]


@pytest.mark.parametrize("maker", ["genuine", "here"])
@pytest.mark.parametrize("name", NAMES)
def test_read(maker, name):
    path = FILES / f"{maker}_{name}"
    assert_holds(load(path, crc_check="crc" in name), expected(name))


def test_order_of_a_ckpt_is_kept():
    assert list(load(FILES / "genuine_shapes.ckpt")) == [*contents.shapes(), *contents.READ_APPENDED]


def test_genuine_reads_what_is_written_here(tmp_path):
    make_here.write(str(tmp_path))
    for name, table in READ_THERE.items():
        wanted = expected(name.removeprefix("here_"))
        assert table.keys() == wanted.keys()
        for key, value in wanted.items():
            if isinstance(value, str):
                assert table[key] == {"text": value}
            else:
                array = value.astype(np.float32) if value.dtype == ml_dtypes.bfloat16 else value
                assert table[key]["sha256"] == hashlib.sha256(array.tobytes()).hexdigest()
                assert tuple(table[key]["shape"]) == value.shape and table[key]["dtype"].lower() == value.dtype.name
        if not any(mode in name for mode in MODES):  # ciphertexts begin with random bytes
            assert (tmp_path / name).read_bytes() == (FILES / name).read_bytes(), f"{name}: record anew what genuine MindSpore reads"


@pytest.mark.parametrize("name", ["dtypes.ckpt", "crc.ckpt", "shapes.ckpt"])
def test_ckpt_files_are_the_same_bytes(name):
    assert (FILES / f"here_{name}").read_bytes() == (FILES / f"genuine_{name}").read_bytes()


def test_a_network_of_genuine_mindspore():
    nn = ms.nn
    net = nn.SequentialCell(nn.Conv2d(1, 2, 3), nn.BatchNorm2d(2), nn.Flatten(), nn.Dense(2 * 4 * 4, 3))
    loaded = ms.load_checkpoint(str(FILES / "genuine_cell.ckpt"), net)
    assert list(loaded) == [p.name for p in net.get_parameters()]
    for i, p in enumerate(net.get_parameters()):
        np.testing.assert_array_equal(p.asnumpy(), np.linspace(-1, 1, p.size, dtype=np.float32).reshape(p.shape) + i)


# Against the formats' own libraries -----------------------------------------------------------------------------------


def protobuf_checkpoint():
    """The message of `_wire`'s docstring, built from descriptors."""
    file = descriptor_pb2.FileDescriptorProto(name="tests/checkpoint.proto", package="sporax_tests", syntax="proto2")
    kind = descriptor_pb2.FieldDescriptorProto

    def message(parent, name, *fields):
        m = parent.add(name=name)
        for number, (label, type_, field, type_name) in enumerate(fields, 1):
            m.field.add(name=field, number=number, label=label, type=type_, type_name=type_name)
        return m

    one, need, many = kind.LABEL_OPTIONAL, kind.LABEL_REQUIRED, kind.LABEL_REPEATED
    tensor = ".sporax_tests.TensorProto"
    message(
        file.message_type,
        "TensorProto",
        (many, kind.TYPE_INT64, "dims", None),
        (need, kind.TYPE_STRING, "tensor_type", None),
        (need, kind.TYPE_BYTES, "tensor_content", None),
    )
    message(file.message_type, "MapTensorProto", (many, kind.TYPE_MESSAGE, "tensor", tensor))
    checkpoint = message(file.message_type, "Checkpoint", (many, kind.TYPE_MESSAGE, "value", ".sporax_tests.Checkpoint.Value"))
    message(
        checkpoint.nested_type,
        "Value",
        (need, kind.TYPE_STRING, "tag", None),
        (one, kind.TYPE_MESSAGE, "tensor", tensor),
        (one, kind.TYPE_MESSAGE, "maptensor", ".sporax_tests.MapTensorProto"),
    )
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return message_factory.GetMessageClass(pool.FindMessageTypeByName("sporax_tests.Checkpoint"))


Checkpoint = protobuf_checkpoint()


def test_the_protobuf_library_reads_our_frames(tmp_path):
    path = str(tmp_path / "a.ckpt")
    ms.save_checkpoint({"a": np.arange(300, dtype=np.int16).reshape(3, 100), "t": "text", "e": np.zeros((0, 2), np.float32)}, path)
    message = Checkpoint.FromString(pathlib.Path(path).read_bytes())
    a, t, e = message.value
    assert (a.tag, list(a.tensor.dims), a.tensor.tensor_type) == ("a", [3, 100], "Int16")
    assert a.tensor.tensor_content == np.arange(300, dtype=np.int16).tobytes()
    assert t.tensor.tensor_type == "str" and t.tensor.tensor_content.decode("utf-32-le") == "text"
    assert (list(e.tensor.dims), e.tensor.tensor_content) == ([0, 2], b"")
    assert message.SerializeToString() == pathlib.Path(path).read_bytes()


def test_slices_and_maps_that_the_protobuf_library_wrote(tmp_path):
    message = Checkpoint()
    whole = np.arange(12, dtype=np.float32).reshape(4, 3)
    for part in np.array_split(whole, 3):
        value = message.value.add(tag="sliced")
        value.tensor.dims.extend(whole.shape)
        value.tensor.tensor_type, value.tensor.tensor_content = "Float32", part.tobytes()
    for keys in ([1, 2], [3]):
        value = message.value.add(tag="map")
        for array in (np.array(keys, np.int32), np.array([[k, k] for k in keys], np.float32), np.array(keys, np.int32)):
            value.maptensor.tensor.add(dims=array.shape, tensor_type=array.dtype.name, tensor_content=array.tobytes())
    path = tmp_path / "a.ckpt"
    path.write_bytes(message.SerializeToString())
    loaded = ms.load_checkpoint(str(path))
    assert contents.same(loaded["sliced"].asnumpy(), whole)
    keys, values, status = loaded["map"]
    assert keys.tolist() == [1, 2, 3] and values.tolist() == [[1, 1], [2, 2], [3, 3]] and status.tolist() == [1, 2, 3]


def test_large_parameters_are_sliced(tmp_path, monkeypatch):
    from sporax.train.serialization import _ckpt

    monkeypatch.setattr(_ckpt, "SLICE", 64)
    path, array = tmp_path / "a.ckpt", np.arange(100, dtype=np.float32).reshape(4, 25)
    ms.save_checkpoint({"a": array, "b": array[:1]}, str(path), crc_check=True)
    message = Checkpoint.FromString(path.read_bytes()[:-17])
    assert [v.tag for v in message.value] == ["a"] * 7 + ["b"] * 2
    assert b"".join(v.tensor.tensor_content for v in message.value[:7]) == array.tobytes()
    loaded = ms.load_checkpoint(str(path), crc_check=True)
    assert contents.same(loaded["a"].asnumpy(), array) and contents.same(loaded["b"].asnumpy(), array[:1])


def test_the_safetensors_library(tmp_path):
    table = {n: a for n, a in (contents.dtypes() | contents.shapes()).items() if n != contents.BFLOAT16} | {"none": np.zeros((0, 3), np.float32)}
    ours, theirs = tmp_path / "ours.safetensors", tmp_path / "theirs.safetensors"
    ms.save_checkpoint(table, str(ours), format="safetensors")
    save_file(table, theirs, metadata={"made": "there"})
    read = load_file(ours)
    assert read.keys() == table.keys() and all(contents.same(read[n], a) for n, a in table.items())
    assert_holds(ms.load_checkpoint(str(theirs), format="safetensors"), table)


# What genuine MindSpore loses or refuses ------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["complex64", "complex128", "float8_e4m3fn", "float8_e5m2"])
@pytest.mark.parametrize("format", ["ckpt", "safetensors"])
def test_more_dtypes(dtype, format, tmp_path):
    array = np.array([1.5, 2, 0]).astype(getattr(ml_dtypes, dtype, dtype))
    path = str(tmp_path / f"a.{format}")
    if (dtype, format) == ("complex128", "safetensors"):
        with pytest.raises(ValueError, match="complex128, which 'x' has: use format='ckpt'"):
            ms.save_checkpoint({"x": array}, path, format=format)
        assert not os.listdir(tmp_path)
        return
    ms.save_checkpoint({"x": array}, path, format=format)
    assert contents.same(ms.load_checkpoint(path, format=format)["x"].asnumpy(), array)


@pytest.mark.parametrize("format", ["ckpt", "safetensors"])
def test_empty_tensors(format, tmp_path):
    path, table = str(tmp_path / f"a.{format}"), {"a": np.zeros((0,), np.float32), "b": np.zeros((2, 0, 3), np.int8), "c": np.ones((), np.int8)}
    ms.save_checkpoint([Parameter(Tensor(a), name=n) for n, a in table.items()], path, format=format)
    assert_holds(ms.load_checkpoint(path, format=format), table)


def test_the_file_is_its_owners(tmp_path):
    path = tmp_path / "a.ckpt"
    ms.save_checkpoint({"a": np.ones(2)}, str(path))
    assert stat.S_IMODE(path.stat().st_mode) == 0o400  # as genuine MindSpore leaves it
    ms.save_checkpoint({"a": np.zeros(2)}, str(path))
    assert ms.load_checkpoint(str(path))["a"].asnumpy().tolist() == [0, 0]
