"""Conversion between formats and names."""

import json
import os

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

import sporax as ms
from sporax import Tensor, nn, ops
from sporax.cli import main
from sporax.train.serialization import convert_checkpoint
from sporax.train.serialization._convert import renamed
from tests.serialization import contents


def read(path):
    return {n: v if isinstance(v, str) else v.asnumpy() for n, v in ms.load_checkpoint(str(path), format=str(path).rpartition(".")[2]).items()}


def test_there_and_back(tmp_path):
    a, b, c = (str(tmp_path / n) for n in ("a.ckpt", "a.safetensors", "out/a.ckpt"))
    ms.save_checkpoint(contents.parameters(ms, contents.dtypes() | contents.shapes()), a, append_dict={"note": "été", "epoch": 3})
    before = read(a)
    ms.ckpt_to_safetensors(a)
    ms.safetensors_to_ckpt(b, str(tmp_path / "out"))
    for path in (b, c):
        after = read(path)
        assert after.keys() == before.keys() and after["note"] == "été"
        assert all(contents.same(after[n], v) for n, v in before.items() if n != "note")


def test_folders_of_ranks(tmp_path):
    for rank in range(2):
        os.makedirs(tmp_path / f"in/rank_{rank}")
        for step in (1, 2):
            ms.save_checkpoint({"w": np.full(2, rank + step)}, str(tmp_path / f"in/rank_{rank}/net_{step}.ckpt"))
    ms.ckpt_to_safetensors(str(tmp_path / "in"), str(tmp_path / "out"), {"w": "weight"}, "_2", processes_num=2)
    assert sorted(str(p.relative_to(tmp_path / "out")) for p in tmp_path.glob("out/*/*")) == ["rank_0/net_2.safetensors", "rank_1/net_2.safetensors"]
    assert read(tmp_path / "out/rank_1/net_2.safetensors")["weight"].tolist() == [3, 3]


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda d: ms.ckpt_to_safetensors(f"{d}/none"), "must be a file or folder"),
        (lambda d: ms.ckpt_to_safetensors(f"{d}/a.ckpt", "x.y"), "'save_path' must be a folder"),
        (lambda d: ms.safetensors_to_ckpt(f"{d}/a.ckpt"), "must be a .safetensors file"),
        (lambda d: ms.ckpt_to_safetensors(f"{d}/a.ckpt", None, ["w"]), "'name_map' must be a dict"),
        (lambda d: ms.ckpt_to_safetensors(f"{d}/a.ckpt", None, {"b": "w"}), "'w' and 'b' would both be called 'w'"),
        (lambda d: ms.ckpt_to_safetensors(f"{d}/a.ckpt", None, None, "zz"), "is not found in"),
        (lambda d: ms.ckpt_to_safetensors(f"{d}/a.ckpt", processes_num=0), "at least 1"),
        (lambda d: ms.ckpt_to_safetensors(d), "no folder whose name starts with 'rank'"),
    ],
)
def test_refusals(call, text, tmp_path):
    ms.save_checkpoint({"w": np.ones(2), "b": np.ones(2)}, str(tmp_path / "a.ckpt"))
    with pytest.raises(ValueError, match=text):
        call(str(tmp_path))
    assert os.listdir(tmp_path) == ["a.ckpt"]


def torch_state(seed=0):
    """What PyTorch names the parameters of Conv2d, BatchNorm2d, LayerNorm, Embedding and Linear."""
    draw = np.random.default_rng(seed).standard_normal
    table = {
        "module.conv.weight": draw((2, 1, 3, 3)),
        "module.bn.weight": draw(2),
        "module.bn.bias": draw(2),
        "module.bn.running_mean": draw(2),
        "module.bn.running_var": draw(2) ** 2 + 1,
        "module.norm.weight": draw(4),
        "module.norm.bias": draw(4),
        "module.embed.weight": draw((5, 4)),
        "module.fc.weight": draw((3, 4)),
        "module.fc.bias": draw(3),
    }
    return {n: a.astype(np.float32) for n, a in table.items()} | {"module.bn.num_batches_tracked": np.array(7, np.int64)}


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.conv, self.bn, self.norm, self.embed, self.fc = (
            nn.Conv2d(1, 2, 3),
            nn.BatchNorm2d(2),
            nn.LayerNorm((4,)),
            nn.Embedding(5, 4),
            nn.Dense(4, 3),
        )


def test_pytorch_weights_in_a_network(tmp_path):
    state, names = torch_state(), {"module.embed.weight": "embed.embedding_table", "module.": ""}
    save_file(state, tmp_path / "torch.safetensors", metadata={"format": "pt"})
    convert_checkpoint(str(tmp_path / "torch.safetensors"), str(tmp_path / "net.ckpt"), names, names="from-torch")
    net = Net()
    assert ms.load_checkpoint(str(tmp_path / "net.ckpt"), net).keys() == {p.name for p in net.get_parameters()}
    x = np.random.default_rng(1).standard_normal((2, 4)).astype(np.float32)
    norm = (x - x.mean(1, keepdims=True)) / np.sqrt(x.var(1, keepdims=True) + 1e-5) * state["module.norm.weight"] + state["module.norm.bias"]
    np.testing.assert_allclose(
        net.fc(net.norm(Tensor(x))).asnumpy(), norm @ state["module.fc.weight"].T + state["module.fc.bias"], rtol=1e-4, atol=1e-5
    )
    net.set_train(False)
    image = ops.ones((1, 2, 3, 3))
    expected = (1 - state["module.bn.running_mean"]) / np.sqrt(state["module.bn.running_var"] + 1e-5) * state["module.bn.weight"] + state[
        "module.bn.bias"
    ]
    np.testing.assert_allclose(net.bn(image).asnumpy()[0, :, 0, 0], expected, rtol=1e-5)
    # and back
    convert_checkpoint(str(tmp_path / "net.ckpt"), str(tmp_path / "back.safetensors"), {"re:^(.*)$": "module.\\1"}, names="to-torch")
    back = load_file(tmp_path / "back.safetensors")
    assert back.keys() == state.keys() - {"module.bn.num_batches_tracked"}
    assert all(contents.same(back[n], state[n]) for n in back)


def test_the_command(tmp_path, capsys):
    save_file(torch_state(), tmp_path / "torch.safetensors")
    (tmp_path / "map.json").write_text(json.dumps({"module.embed.weight": "embed.embedding_table", "module.fc.": None, "module.": ""}))
    arguments = [str(tmp_path / "torch.safetensors"), str(tmp_path / "net.ckpt"), "--names", "from-torch", "--map", str(tmp_path / "map.json")]
    assert main(["convert", *arguments, "--dtype", "bfloat16", "--list"]) == 0
    out = capsys.readouterr().out
    assert "module.bn.running_var -> bn.moving_variance  (2,)\n" in out and out.endswith("net.ckpt: 8 parameters, 8 of them renamed\n")
    assert {str(v.dtype) for v in ms.load_checkpoint(str(tmp_path / "net.ckpt")).values()} == {"BFloat16"}
    for bad in ([arguments[0], "x.pt"], ["none.ckpt", "x.ckpt"], [*arguments[:2], "--map", str(tmp_path)]):
        assert main(["convert", *bad]) == 1
        assert capsys.readouterr().err.startswith("sporax convert: ")


def test_renaming():
    table = {"a.w": 1, "a.b": 2, "head.w": 3}
    assert renamed(table, {}) == table
    assert renamed(table, {"a.": "net.", "head.w": None}) == {"net.w": 1, "net.b": 2}
    assert renamed(table, {"a.w": "first", "re:^a\\.(.)$": "\\1", "head.": "h."}) == {"first": 1, "b": 2, "h.w": 3}
    with pytest.raises(ValueError, match="no regular expression"):
        renamed(table, {"re:(": "x"})
