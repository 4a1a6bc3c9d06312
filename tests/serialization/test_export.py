"""`export` and `load`: the program gives the network's numbers, in a process that doesn't know the network."""

import os
import pathlib
import subprocess
import sys

import jax
import numpy as np
import pytest

import sporax as ms
from sporax import Tensor, nn, ops

ROOT = pathlib.Path(__file__).parents[2]


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.conv, self.norm, self.drop, self.dense = nn.Conv2d(1, 2, 3), nn.BatchNorm2d(2), nn.Dropout(p=0.5), nn.Dense(2, 3)
        self.table = Tensor(np.arange(3, dtype=np.float32))

    def construct(self, x, scale):
        x = self.drop(ops.relu(self.norm(self.conv(x)))).mean((2, 3))
        if scale > 0:
            x = x * scale
        return {"y": self.dense(x) + self.table, "more": (x.sum(), [scale])}


@pytest.fixture
def exported(tmp_path):
    net, inputs = Net(), (Tensor(np.random.randn(2, 1, 5, 5).astype(np.float32)), Tensor(2.0))
    net.set_train(False)
    path = str(tmp_path / "net")
    ms.export(net, *inputs, file_name=path, file_format="STABLEHLO")
    return net, inputs, path + ".stablehlo"


@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
def test_the_same_numbers(exported, mode):
    net, (x, scale), path = exported
    ms.set_context(mode=mode)
    loaded = ms.load(path)
    for s in (scale, Tensor(-1.0)):  # the branch is in the program
        expected, found = net(x, s), loaded(x, s)
        assert found.keys() == expected.keys() and isinstance(found["more"], tuple) and isinstance(found["more"][1], list)
        np.testing.assert_allclose(found["y"].asnumpy(), expected["y"].asnumpy(), rtol=1e-6)
        np.testing.assert_allclose(found["more"][0].asnumpy(), expected["more"][0].asnumpy(), rtol=1e-6)


def test_in_another_process(exported, tmp_path):
    net, (x, scale), path = exported
    np.save(tmp_path / "x.npy", x.asnumpy())
    code = f"""
import numpy as np, sporax as ms
print(ms.load({path!r})(ms.Tensor(np.load({str(tmp_path / "x.npy")!r})), ms.Tensor(2.0))["y"].asnumpy().tolist())
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=os.environ | {"PYTHONPATH": str(ROOT / "src")})
    assert done.returncode == 0, done.stderr
    np.testing.assert_allclose(eval(done.stdout), net(x, scale)["y"].asnumpy(), rtol=1e-6)


def test_parameters_are_parameters(exported):
    net, (x, scale), path = exported
    loaded = ms.load(path)
    names = {p.name for p in loaded.get_parameters()}
    assert names == {p.name for p in net.get_parameters()}
    net.dense.bias.set_data(Tensor([10.0, 20.0, 30.0]))
    assert ms.load_param_into_net(loaded, net.parameters_dict()) == ([], [])
    np.testing.assert_allclose(loaded(x, scale)["y"].asnumpy(), net(x, scale)["y"].asnumpy(), rtol=1e-6)


def test_it_is_stablehlo_for_every_platform(exported):
    from sporax.train.serialization._sealed import SealedFile

    data = SealedFile(exported[2], "sporax-stablehlo-1").arrays()["program.stablehlo"]
    program = jax.export.deserialize(bytearray(data.tobytes()))
    assert program.platforms == ("cpu", "cuda", "tpu") and "stablehlo.convolution" in program.mlir_module()


def test_functions_and_other_values(tmp_path):
    def power(x, options, n):
        return options["b"] + x**n, x

    path = str(tmp_path / "power.stablehlo")
    ms.export(power, Tensor([2.0, 3.0]), {"b": Tensor([1, 2])}, 3, file_name=path, file_format="STABLEHLO")
    y, x = ms.load(path)(Tensor([2.0, 4.0]), Tensor([1, 1]))
    assert y.asnumpy().tolist() == [9, 65] and x.asnumpy().tolist() == [2, 4]


def test_what_an_exported_program_cannot_do(tmp_path):
    path, x = str(tmp_path / "net"), Tensor(np.ones((2, 1, 5, 5), np.float32))
    net = Net().set_train(True)
    with pytest.raises(ValueError, match=r"'Net' changes 'norm.moving_mean' when it is called.*set_train\(False\)"):
        ms.export(net, x, Tensor(1.0), file_name=path, file_format="STABLEHLO")
    for name, text in (
        ("MINDIR", "only MindSpore executes.*'STABLEHLO'"),
        ("AIR", "Ascend"),
        ("ONNX", "save_checkpoint"),
        ("ZZ", "must be 'STABLEHLO'"),
    ):
        with pytest.raises(ValueError, match=text):
            ms.export(net, x, file_name=path, file_format=name)
    with pytest.raises(ValueError, match="'enc_key' belongs to formats of MindSpore"):
        ms.export(net, x, file_name=path, file_format="STABLEHLO", enc_key=b"0" * 16)
    assert not os.listdir(tmp_path)


def test_loading_what_is_none(exported, tmp_path):
    _, (x, scale), path = exported
    with pytest.raises(ValueError, match=r"takes \(Float32\[2, 1, 5, 5\], Float32\[\]\), but got \(Float32\[2, 1, 5, 5\]\)"):
        ms.load(path)(x)
    with pytest.raises(ValueError, match="is a MindIR file, which only MindSpore executes"):
        ms.load("net.mindir")
    with pytest.raises(ValueError, match=r"does not exist. In that folder there is net.stablehlo"):
        ms.load(str(tmp_path / "nets.stablehlo"))
    data = bytearray(pathlib.Path(path).read_bytes())
    for at in (len(data) // 2, 60, len(data) - 1):
        broken = tmp_path / "broken.stablehlo"
        broken.write_bytes(data[:at] + bytes([data[at] ^ 4]) + data[at + 1 :])
        with pytest.raises(ValueError, match="broken.stablehlo can't be loaded"):
            ms.load(str(broken))
    ms.save_checkpoint({"a": x}, str(tmp_path / "a.safetensors"), format="safetensors")
    with pytest.raises(ValueError, match="should be of the format sporax-stablehlo-1, and says 'ms'"):
        ms.load(str(tmp_path / "a.safetensors"))
