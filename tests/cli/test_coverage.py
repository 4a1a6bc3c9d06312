"""`sporax coverage`: uses found in a source, and what is said about them."""

import json
import textwrap

import pytest

from sporax import cli
from sporax.cli import coverage, uses


def names(source):
    return {name for name, at in uses.find(textwrap.dedent(source)).items() if not all(u.guess for u in at)}


def test_imports_and_chains():
    assert names(
        """
        import mindspore as ms
        import mindspore.nn as nn
        import mindspore.common.initializer
        from mindspore import ops as o, Tensor
        from mindspore.ops import operations as P
        from . import mindspore
        from mindsporelike import x
        ms.set_context(mode=ms.GRAPH_MODE)
        nn.layer.basic.Dense(1, 2)
        o.relu(P.ReLU()(Tensor(1)))
        other.nn.Dense
        """
    ) == {
        "mindspore", "mindspore.nn", "mindspore.common.initializer", "mindspore.ops", "mindspore.Tensor", "mindspore.ops.operations",
        "mindspore.set_context", "mindspore.GRAPH_MODE", "mindspore.nn.layer.basic.Dense", "mindspore.ops.relu", "mindspore.ops.operations.ReLU",
    }  # fmt: skip


def test_variables_that_stand_for_names_and_objects():
    found = names(
        """
        from mindspore import nn, Tensor
        Layer = nn.Dense
        net = Layer(2, 3)
        net.trainable_params()
        net.no_such_member
        net = [1]
        net.update_parameters_name
        Tensor(1).asnumpy()
        class Net(nn.Cell):
            def __init__(self):
                super().__init__()
                self.conv = nn.Conv2d(1, 1, 1)
                self.name_cells = 3
            def construct(self, x):
                self.conv.set_train(); self.name_cells; self.get_parameters()
        """
    )
    assert found == {"mindspore.nn", "mindspore.Tensor", "mindspore.nn.Dense", "mindspore.nn.Conv2d", "mindspore.nn.Cell", "mindspore.Tensor.asnumpy",
                     "mindspore.nn.Cell.trainable_params", "mindspore.nn.Cell.set_train", "mindspore.nn.Cell.get_parameters"}  # fmt: skip


def test_star_imports_count_what_is_used():
    assert names("from mindspore.common.initializer import *\nNormal(0.1); print(Other)\ndef Zero(): pass\nZero()") == {
        "mindspore.common.initializer",
        "mindspore.common.initializer.Normal",
    }


def test_a_name_that_the_program_goes_on_without():
    found = uses.find("try:\n  from mindspore import Foo\nexcept ImportError:\n  from mindspore import Bar\n")
    assert [u.guarded for u in found["mindspore.Foo"]] == [True] and [u.guarded for u in found["mindspore.Bar"]] == [False]


@pytest.mark.parametrize(
    ("name", "state", "hint"),
    [
        ("mindspore.nn.Dense", "ok", ""),
        ("mindspore.ops.operations.Add", "ok", ""),
        ("mindspore.Tensor.asnumpy", "ok", ""),
        ("mindspore.float32.anything", "ok", ""),
        ("mindspore.ms_function", "old", "use mindspore.jit"),
        ("mindspore.nn.ResizeBilinear", "old", "use ops.interpolate"),
        ("mindspore.nn.Sequential", "MISSING", "PyTorch's name; MindSpore has nn.SequentialCell"),
        ("mindspore.nn.Densee", "MISSING", "Nearest: Dense"),
        ("mindspore.relu", "MISSING", "There is mindspore.ops.relu"),
        ("mindspore.rewrite.Node", "MISSING", "MindSpore has it, Sporax does not yet."),
        ("mindspore.Tensor.no_such", "MISSING", "no such member"),
    ],
)
def test_status(name, state, hint):
    got = coverage.status(name)
    assert got[0] == state and hint in got[1]


@pytest.fixture
def program(tmp_path):
    (tmp_path / "good.py").write_text("from mindspore import nn\nnn.Dense(1, 2)\n")
    (tmp_path / "train.py").write_text("import mindspore as ms\nms.nn.Sequential(ms.nn.Dense(1, 2))\nms.ms_function\nx.asnumpy()\nx.append(1)\n")
    return tmp_path


def test_table_and_status(program, capsys):
    assert cli.main(["coverage", str(program / "good.py")]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "2 MindSpore names in 1 file: 0 missing"
    assert cli.main(["coverage", str(program)]) == 1
    out = capsys.readouterr().out.splitlines()
    assert out[-1] == "5 MindSpore names in 2 files: 1 missing, 1 in an old spelling"
    assert out[-2].startswith("MISSING  mindspore.nn.Sequential") and f"{program / 'train.py'}:2" in out[-2]
    assert any(line.startswith("ok       mindspore.nn.Dense") and " 2x " in line for line in out)


def test_json(program, capsys):
    assert cli.main(["coverage", "--json", str(program)]) == 1
    data = json.loads(capsys.readouterr().out)
    assert data["missing"] == ["mindspore.nn.Sequential"] and data["files"] == 2 and data["unreadable"] == []
    rows = {row["name"]: row for row in data["names"]}
    assert rows["mindspore.ms_function"]["status"] == "old" and rows["mindspore.nn.Dense"]["uses"] == 2


def test_files_that_cannot_be_read(program, capsys):
    (program / "old.py").write_text("print 'python 2'\n")
    assert cli.main(["coverage", str(program), str(program / "nope.py")]) == 2
    captured = capsys.readouterr()
    assert "1 missing" in captured.out
    assert f"there is no file '{program / 'nope.py'}'" in captured.err and "old.py:1:" in captured.err


def test_methods_of_unknown_objects_count_where_tensors_lack_them(tmp_path, monkeypatch, capsys):
    file = tmp_path / "a.py"
    file.write_text("import mindspore\ny.asnumpy(); y.argmax(); y.append(1)\n")
    assert cli.main(["coverage", str(file)]) == 0
    monkeypatch.delattr("sporax.Tensor.argmax")
    capsys.readouterr()
    assert cli.main(["coverage", str(file)]) == 1
    assert "mindspore.Tensor.argmax" in capsys.readouterr().out
