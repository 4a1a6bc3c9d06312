"""`load_checkpoint` and `load_param_into_net`: what is chosen, what fits, what is said."""

import os
import pathlib

import numpy as np
import pytest

import sporax as ms
from sporax import Parameter, Tensor, nn
from tests.oracle.cases_checkpoints import CASES
from tests.oracle.recording import differences


@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
@pytest.mark.parametrize("name", list(CASES))
def test_as_genuine(name, mode, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ms.set_context(mode=mode)
    assert differences("checkpoints", name, CASES[name], ms) == ""


def parameter(array, name="w"):
    return Parameter(Tensor(np.asarray(array, np.float32)), name=name)


def test_all_misfits_are_listed_and_nothing_is_loaded():
    net = nn.SequentialCell(nn.Dense(2, 3), nn.Dense(3, 1))
    before = {p.name: p.asnumpy() for p in net.get_parameters()}
    given = {
        "0.bias": parameter(np.ones(3)),
        "0.weight": parameter(np.ones((2, 3))),
        "1.weight": Parameter(Tensor(np.ones((1, 3), np.int32)), name="x"),
        "1.bais": parameter(np.ones(1)),
    }
    with pytest.raises(RuntimeError) as error:
        ms.load_param_into_net(net, given)
    text = str(error.value)
    assert "nothing was loaded" in text
    assert "0.weight: the network has the shape (3, 2), and 'parameter_dict' has (2, 3)" in text
    assert "1.weight: the network has the dtype Float32, and 'parameter_dict' has Int32" in text
    assert "1.bias (nearest: 1.bais)" in text and "not in the network: 1.bais" in text
    for p in net.get_parameters():
        np.testing.assert_array_equal(p.asnumpy(), before[p.name])


def test_missing_names_are_said_with_the_nearest(capsys):
    net = nn.Dense(2, 1)
    assert ms.load_param_into_net(net, {"wieght": parameter(np.ones((1, 2))), "bias": parameter([1.0])}) == (["weight"], ["wieght"])
    assert "1 parameters in the 'net' are not loaded" in (err := capsys.readouterr().err) and "weight (nearest: wieght)" in err


def test_nothing_fits(capsys):
    net = nn.Dense(2, 1)
    assert ms.load_param_into_net(net, {"a": parameter([1.0])}) == (["weight", "bias"], ["a"])
    assert "not one of the 1 names in 'parameter_dict' is in the 'net': nothing is loaded" in capsys.readouterr().err


def test_several_prefixes():
    net = nn.Dense(2, 1)
    given = {"a.weight": parameter(np.full((1, 2), 5.0)), "b.c.bias": parameter([6.0])}
    assert ms.load_param_into_net(net, given)[0] == []
    assert net.weight.asnumpy().tolist() == [[5, 5]] and net.bias.asnumpy().tolist() == [6]


def test_a_loaded_network_in_graph_mode():
    """A compiled program sees the new values, without a new trace."""
    ms.set_context(mode=ms.GRAPH_MODE)
    net, x = nn.Dense(2, 1), Tensor([[1.0, 1.0]])
    net(x)
    traces = net._compiled.traces
    ms.load_param_into_net(net, {"weight": parameter(np.full((1, 2), 3.0)), "bias": parameter([1.0])})
    assert net(x).item() == 7 and net._compiled.traces == traces


def test_names_that_programs_import():
    from sporax.train.serialization import _update_param, tensor_to_ms_type, tensor_to_np_type

    assert tensor_to_ms_type["BFloat16"] is ms.bfloat16 and tensor_to_np_type("Int16") is np.int16 and tensor_to_np_type("other") is None
    own = parameter([1.0, 2.0])
    _update_param(own, Parameter(Tensor(np.array([3, 4], np.float16)), name="w"), False)
    assert own.asnumpy().tolist() == [3, 4] and own.dtype is ms.float32
    with pytest.raises(RuntimeError, match=r"the network has the shape \(2,\)"):
        _update_param(own, parameter([1.0]), False)


def test_damage_is_found(tmp_path):
    path = tmp_path / "a.ckpt"
    ms.save_checkpoint({"w": np.arange(1000.0), "b": np.ones(3)}, str(path), crc_check=True)
    os.chmod(path, 0o600)
    data = path.read_bytes()
    for end in (len(data) - 1, len(data) // 2, 10):
        path.write_bytes(data[:end])
        with pytest.raises(ValueError, match=f"Failed to read the checkpoint file {path}: .*(cut off|damaged|ends|wire type|no name)"):
            ms.load_checkpoint(str(path))
    for at in (5, 500, len(data) - 20):
        path.write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
        with pytest.raises(ValueError, match=r"crc check is failed"):
            ms.load_checkpoint(str(path), crc_check=True)
    path.write_bytes(b"")
    with pytest.raises(ValueError, match="is empty: .*a.ckpt has no bytes. Was whatever wrote it ended"):
        ms.load_checkpoint(str(path))


def test_damage_of_safetensors_is_found(tmp_path):
    path = tmp_path / "a.safetensors"
    ms.save_checkpoint({"w": np.arange(1000.0), "b": np.ones(3)}, str(path), crc_check=True, format="safetensors")
    os.chmod(path, 0o600)
    data = path.read_bytes()
    for end in (len(data) - 1, len(data) // 2, 10, 3):
        path.write_bytes(data[:end])
        with pytest.raises(ValueError, match="Failed to read the checkpoint file .*cut off"):
            ms.load_checkpoint(str(path), format="safetensors")
    path.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    ms.load_checkpoint(str(path), format="safetensors")
    with pytest.raises(ValueError, match="crc check has failed"):
        ms.load_checkpoint(str(path), format="safetensors", crc_check=True)


def test_keys(tmp_path):
    path = str(tmp_path / "a.ckpt")
    ms.save_checkpoint({"w": np.ones(3)}, path, enc_key=b"0" * 16)
    with pytest.raises(ValueError, match="it is encrypted: pass 'dec_key' and 'dec_mode'"):
        ms.load_checkpoint(path)
    for mode, text in (("AES-GCM", "the key is not the one"), ("AES-CBC", "encrypted with AES-GCM, and dec_mode is 'AES-CBC'")):
        with pytest.raises(ValueError, match=text):
            ms.load_checkpoint(path, dec_key=b"1" * 16, dec_mode=mode)
    file = pathlib.Path(path)
    file.chmod(0o600)
    data = file.read_bytes()
    for at in range(0, len(data), 7):
        if 40 <= at < 44:
            continue  # the vector has 16 bytes, and GCM uses 12 of them
        file.write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
        with pytest.raises(ValueError, match="Failed to read"):
            ms.load_checkpoint(path, dec_key=b"0" * 16)


def test_without_the_package(tmp_path, monkeypatch):
    import builtins

    real = builtins.__import__
    monkeypatch.setattr(
        builtins,
        "__import__",
        lambda name, *a, **k: real(name, *a, **k) if not name.startswith("cryptography") else (_ for _ in ()).throw(ImportError(name)),
    )
    with pytest.raises(ImportError, match=r'pip install "sporax\[crypto\]"'):
        ms.save_checkpoint({"w": np.ones(3)}, str(tmp_path / "a.ckpt"), enc_key=b"0" * 16)
    assert not os.listdir(tmp_path)
