"""Saving: whatever goes wrong, the file that was there is still there, and nothing else is."""

import errno
import os
import pathlib
import subprocess
import sys
import threading

import numpy as np
import pytest

import sporax as ms
from sporax import Parameter, Tensor, nn, ops
from sporax.train.serialization import _async, _files

ROOT = pathlib.Path(__file__).parents[2]


def value(path):
    return ms.load_checkpoint(str(path), format=str(path).rpartition(".")[2])["w"].asnumpy()


# Files that are never half written ------------------------------------------------------------------------------------


@pytest.mark.parametrize("format", ["ckpt", "safetensors"])
@pytest.mark.parametrize("call", ["write", "fsync", "replace", "fchmod"])
def test_a_disk_that_is_full(tmp_path, monkeypatch, format, call):
    path = tmp_path / f"a.{format}"
    ms.save_checkpoint({"w": np.zeros(3)}, str(path), format=format)

    def full(*args):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, call, full)
    with pytest.raises(OSError, match="the disk is full: make room.* The file that was there before is unchanged") as error:
        ms.save_checkpoint({"w": np.ones(3)}, str(path), format=format)
    monkeypatch.undo()
    assert error.value.errno == errno.ENOSPC
    assert os.listdir(tmp_path) == [path.name] and value(path).tolist() == [0, 0, 0]


def test_a_disk_that_fails_while_a_large_file_is_written(tmp_path, monkeypatch):
    """The system reports the failure once, to whoever asks first."""
    monkeypatch.setattr(_files, "_PIECE", 1000)
    path = tmp_path / "a.ckpt"
    ms.save_checkpoint({"w": np.arange(3000.0)}, str(path))
    assert value(path).tolist() == list(range(3000))

    def broken(descriptor):
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(os, "fdatasync", broken)
    with pytest.raises(OSError, match="Input/output error. The file that was there before is unchanged"):
        ms.save_checkpoint({"w": np.zeros(3000)}, str(path))
    assert os.listdir(tmp_path) == ["a.ckpt"] and value(path).tolist() == list(range(3000))


def test_a_limit_of_the_system(tmp_path):
    """The kernel itself cuts the write short."""
    code = f"""
import resource, signal, numpy as np, sporax as ms
path = {str(tmp_path / "a.ckpt")!r}
ms.save_checkpoint({{"w": np.zeros(3)}}, path)
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
try:
    ms.save_checkpoint({{"w": np.ones(100_000)}}, path)
except OSError as error:
    print(type(error).__name__, error.errno, ms.load_checkpoint(path)["w"].asnumpy().tolist())
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=os.environ | {"PYTHONPATH": str(ROOT / "src")})
    assert done.stdout == f"OSError {errno.EFBIG} [0.0, 0.0, 0.0]\n", done.stderr
    assert os.listdir(tmp_path) == ["a.ckpt"]


def test_a_folder_that_is_not_there_or_not_ours(tmp_path, monkeypatch):
    with pytest.raises(FileNotFoundError, match="the folder does not exist: make it first.*No file was left there"):
        ms.save_checkpoint({"w": np.ones(3)}, str(tmp_path / "no/a.ckpt"))

    def denied(*args):
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(os, "open", denied)  # root may write everywhere
    with pytest.raises(PermissionError, match="there is no permission to write in that folder"):
        ms.save_checkpoint({"w": np.ones(3)}, str(tmp_path / "a.ckpt"))


def test_what_a_killed_writer_left_goes(tmp_path):
    code = f"""
import os
from sporax.train.serialization._files import replacing
with replacing({str(tmp_path / "a.ckpt")!r}) as out:
    out.write(b"half")
    print("writing", flush=True)
    input()
"""
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=os.environ | {"PYTHONPATH": str(ROOT / "src")}
    ) as other:
        other.stdout.readline()
        ms.save_checkpoint({"w": np.ones(3)}, str(tmp_path / "a.ckpt"))
        assert len(os.listdir(tmp_path)) == 2  # another process is writing it: not touched
        other.kill()
    ms.save_checkpoint({"w": np.ones(3)}, str(tmp_path / "a.ckpt"))
    assert os.listdir(tmp_path) == ["a.ckpt"]


def test_many_writers_of_one_file(tmp_path):
    """Readers and writers at once: a reader always finds a whole file."""
    path, stop = str(tmp_path / "a.ckpt"), threading.Event()
    ms.save_checkpoint({"w": np.zeros(5000)}, path)

    def write(number):
        while not stop.is_set():
            with _files.replacing(path) as out:
                from sporax.train.serialization import _ckpt

                _ckpt.write(out, [("w", np.full(5000, number, np.float64))], crc=True)

    threads = [threading.Thread(target=write, args=(n,)) for n in (1, 2, 3)]
    for t in threads:
        t.start()
    try:
        for _ in range(50):
            w = ms.load_checkpoint(path, crc_check=True)["w"].asnumpy()
            assert (w == w[0]).all()
    finally:
        stop.set()
        for t in threads:
            t.join()


def test_an_unserializable_entry_leaves_the_file(tmp_path):
    path = tmp_path / "a.ckpt"
    ms.save_checkpoint({"w": np.ones(3)}, str(path))
    with pytest.raises(TypeError, match="'bad' has elements of type <U1, which no Tensor has"):
        ms.save_checkpoint({"w": np.zeros(3), "bad": np.array(["a"])}, str(path))
    assert value(path).tolist() == [1, 1, 1]


# In the background ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("how", [True, "thread", "process"])
@pytest.mark.parametrize("format", ["ckpt", "safetensors"])
def test_in_the_background(tmp_path, how, format, monkeypatch):
    """What is saved is the state at the call, although training goes on before it is written."""
    net, gate = nn.Dense(2, 1, weight_init="ones"), threading.Event()
    optimizer = nn.Momentum(net.trainable_params(), 0.1, 0.9)
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), optimizer)
    x, y = ops.ones((4, 2)), ops.zeros((4, 1))
    for mode in (ms.PYNATIVE_MODE, ms.GRAPH_MODE):
        ms.set_context(mode=mode)
        step(x, y)
        before = {p.name: p.asnumpy() for p in (*net.get_parameters(), *optimizer.get_parameters())}
        replacing = _files.replacing

        def late(path, *args, replacing=replacing):
            gate.wait(30)
            return replacing(path, *args)

        from sporax.train.serialization import _save

        monkeypatch.setattr(_save, "replacing", late)
        gate.clear()
        path = str(tmp_path / f"a{mode}.{format}")
        ms.save_checkpoint([*net.get_parameters(), *optimizer.get_parameters()], path, async_save=how, format=format)
        for _ in range(3):
            step(x, y)
        assert ms.async_ckpt_thread_status() and not os.path.exists(path)
        gate.set()
        loaded = ms.load_checkpoint(path, format=format)  # waits
        assert not ms.async_ckpt_thread_status()
        assert not np.array_equal(net.weight.asnumpy(), before["weight"])
        for name, array in before.items():
            np.testing.assert_array_equal(loaded[name].asnumpy(), array)


def test_a_failure_in_the_background_is_said(tmp_path, capsys):
    ms.save_checkpoint({"w": np.ones(3)}, str(tmp_path / "no/a.ckpt"), async_save=True)
    _async.wait()
    assert "Saving" in capsys.readouterr().err
    ms.save_checkpoint({"w": np.ones(3)}, str(tmp_path / "a.ckpt"), async_save=True)
    assert value(tmp_path / "a.ckpt").tolist() == [1, 1, 1]


def test_a_program_that_ends_waits(tmp_path):
    code = f"""
import numpy as np, sporax as ms
ms.save_checkpoint({{"w": np.ones(3_000_000)}}, {str(tmp_path / "a.ckpt")!r}, async_save=True)
"""
    subprocess.run([sys.executable, "-c", code], check=True, env=os.environ | {"PYTHONPATH": str(ROOT / "src")})
    assert value(tmp_path / "a.ckpt").shape == (3_000_000,)


def test_loading_in_the_background(tmp_path):
    path, net = str(tmp_path / "a.ckpt"), nn.Dense(2, 1)
    ms.save_checkpoint(net, path)
    other = nn.Dense(2, 1)
    future = ms.load_checkpoint_async(path, other)
    assert list(future.result()) == ["weight", "bias"]
    np.testing.assert_array_equal(other.weight.asnumpy(), net.weight.asnumpy())
    with pytest.raises(ValueError, match="does not exist"):
        ms.load_checkpoint_async(str(tmp_path / "b.ckpt")).result()


# What is saved --------------------------------------------------------------------------------------------------------


def test_the_things_that_can_be_saved(tmp_path):
    path, net = str(tmp_path / "a"), nn.SequentialCell(nn.Dense(2, 3), nn.BatchNorm1d(3))
    names = [p.name for p in net.get_parameters()]
    for obj, expected in (
        (net, names),
        (net.trainable_params(), [p.name for p in net.trainable_params()]),
        (net.parameters_dict(), names),
        ([{"name": "x", "data": Tensor([1.0])}, {"name": "y", "data": net[0].weight}], ["x", "y"]),
        ({"t": Tensor([1]), "n": np.ones(2), "s": "text", "p": Parameter(Tensor(2), name="other")}, ["t", "n", "s", "p"]),
    ):
        ms.save_checkpoint(obj, path)
        assert list(ms.load_checkpoint(path + ".ckpt")) == expected
    ms.save_checkpoint(net, path, choice_func=lambda n: n.startswith("1."), append_dict={"g": ms.Generator().manual_seed(3), "e": 1})
    assert list(ms.load_checkpoint(path + ".ckpt")) == [*names[2:], "g", "e"]


def test_parameters_of_one_name_are_said(tmp_path, capsys):
    net = nn.CellList([nn.Dense(1, 1), nn.Dense(1, 1)])
    for cell in net:
        cell.weight.name = "same"
    ms.save_checkpoint(net, str(tmp_path / "a.ckpt"))
    assert "0.weight and 1.weight have the same name 'same'" in capsys.readouterr().err


REFUSED = [
    (lambda p: ms.save_checkpoint(3, p), TypeError, "'save_obj' must be nn.Cell, list or dict"),
    (lambda p: ms.save_checkpoint([3], p), TypeError, "one element is int"),
    (lambda p: ms.save_checkpoint([{"name": "x"}], p), TypeError, "one element is {'name': 'str'}"),
    (lambda p: ms.save_checkpoint({3: Tensor(1)}, p), TypeError, "the key 3 of type int"),
    (lambda p: ms.save_checkpoint({"a": 3}, p), TypeError, "with a value of type int"),
    (lambda p: ms.save_checkpoint([], 3), TypeError, "'ckpt_file_name' must be a str"),
    (lambda p: ms.save_checkpoint([], os.path.dirname(p)), IsADirectoryError, "is a directory"),
    (lambda p: ms.save_checkpoint([], p, format="pt"), ValueError, "must be 'safetensors' or 'ckpt'"),
    (lambda p: ms.save_checkpoint([], p, integrated_save=1), TypeError, "'integrated_save' must be a bool"),
    (lambda p: ms.save_checkpoint([], p, async_save="foo"), ValueError, "'process' or 'thread'"),
    (lambda p: ms.save_checkpoint([], p, async_save=3), TypeError, "bool or str"),
    (lambda p: ms.save_checkpoint([], p, append_dict=[1]), TypeError, "'append_dict' must be a dict"),
    (lambda p: ms.save_checkpoint([], p, append_dict={"a": None}), TypeError, "value of type NoneType"),
    (lambda p: ms.save_checkpoint([], p, enc_key="s"), ValueError, "'enc_key' must be bytes"),
    (lambda p: ms.save_checkpoint([], p, enc_key=b"s"), ValueError, "should have 16 or 24 or 32 bytes, but got 1"),
    (lambda p: ms.save_checkpoint([], p, enc_key=b"0" * 16, enc_mode="DES"), ValueError, "'enc_mode' should be one of"),
    (lambda p: ms.save_checkpoint([], p, enc_key=b"0" * 16, crc_check=True), ValueError, "exclude each other"),
    (lambda p: ms.save_checkpoint([], p, enc_key=b"0" * 16, format="safetensors"), ValueError, "'enc_key' must be None"),
    (lambda p: ms.save_checkpoint([], p, crc_check=1), ValueError, "'crc_check' must be a bool"),
    (lambda p: ms.save_checkpoint([], p, other=1), TypeError, "no argument 'other'"),
]


@pytest.mark.parametrize(("call", "error", "text"), REFUSED)
def test_refusals(call, error, text, tmp_path):
    with pytest.raises(error, match=text):
        call(str(tmp_path / "a.ckpt"))
    assert not os.listdir(tmp_path)


def test_nothing_is_copied_twice(tmp_path):
    """Saving needs no memory of the size of the state; loading needs that of the arrays."""
    path = str(tmp_path / "a.ckpt")
    code = f"""
import resource, numpy as np, sporax as ms
big = ms.Parameter(ms.Tensor(np.ones(20_000_000, np.float32)), name="w")
big.asnumpy(); ms.save_checkpoint([], {path!r})
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
ms.save_checkpoint([big], {path!r}, crc_check=True)
saved = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
del big
print(saved - before)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=os.environ | {"PYTHONPATH": str(ROOT / "src")})
    assert int(done.stdout) < 20_000, done.stderr  # KiB, of 78,125
    code = f"""
import resource, numpy as np, sporax as ms
ms.save_checkpoint({{"w": np.ones(2)}}, {str(tmp_path / "b.ckpt")!r})
ms.load_checkpoint({str(tmp_path / "b.ckpt")!r})["w"].asnumpy()
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
loaded = ms.load_checkpoint({path!r}, ms.nn.Cell())
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=os.environ | {"PYTHONPATH": str(ROOT / "src")})
    assert int(done.stdout) < 100_000, done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("format", ["ckpt", "safetensors"])
def test_more_than_two_gigabytes(tmp_path, format):
    """Sizes that neither 31 bits nor the protobuf library hold, and a parameter of several slices."""
    path = str(tmp_path / f"a.{format}")
    big = np.arange(350_000_000, dtype=np.uint32)
    ms.save_checkpoint({"a": big, "b": big[:1000], "c": big}, path, format=format)
    assert os.path.getsize(path) > 1 << 31
    loaded = ms.load_checkpoint(path, format=format)
    assert all(np.array_equal(np.asarray(loaded[n]._look("")), big) for n in "ac") and loaded["b"].asnumpy()[-1] == 999
