"""`sporax run` and `python -m sporax`: what the program sees is what Python would give it."""

import os
import pathlib
import re
import subprocess
import sys
import zipfile

import pytest

import sporax
from sporax import cli
from sporax._names import finder
from sporax.launch import start

PROGRAM = """\
import sys, threading, warnings
print(sys.argv, __name__, __file__, sys.path[0], __spec__ and __spec__.name, __package__, __doc__)
print(sorted(set(globals()) - {"__annotations__"}), sys.modules["__main__"].__dict__ is globals())
import helper
print(helper.WHERE, sys.flags.optimize)

def fail():
    raise ValueError("from the program")

if sys.argv[1:] == ["fail"]:
    fail()
if sys.argv[1:] == ["exit"]:
    sys.exit(7)
"""
MINDSPORE = """\
import sys
import mindspore as ms
from mindspore import Tensor, context, nn
from mindspore.ops import operations as P

context.set_context(mode=context.PYNATIVE_MODE)
print(__name__, ms.get_context("mode") == ms.GRAPH_MODE, sys.argv[1:], flush=True)
print(P.ReduceSum()(Tensor([1.0, 2.0]) * 2), ms is sys.modules["sporax"], nn.Cell.__module__, flush=True)

def work(queue):
    import mindspore
    queue.put(mindspore.__name__)

if __name__ == "__main__":
    import multiprocessing
    spawn = multiprocessing.get_context("spawn")
    queue = spawn.Queue()
    process = spawn.Process(target=work, args=(queue,))
    process.start()
    print(queue.get(timeout=120))
    process.join()
    nn.Densee
"""


def call(*args, cwd=None, command=("-m", "sporax", "run")):
    env = dict(os.environ, PYTHONPATH=str(pathlib.Path(sporax.__file__).parents[1]), JAX_PLATFORMS="cpu")
    return subprocess.run([sys.executable, *command, *args], cwd=cwd, env=env, capture_output=True, text=True, timeout=300)


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "program.py").write_text(PROGRAM)
    (tmp_path / "sub" / "helper.py").write_text("WHERE = __file__\n")
    return tmp_path


@pytest.fixture
def quiet(monkeypatch):
    """What a program started in this process changes is put back."""
    monkeypatch.setattr(sys, "argv", list(sys.argv))
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])
    monkeypatch.setattr("multiprocessing.spawn.get_preparation_data", start._plain_preparation_data)
    yield
    finder.uninstall()
    sys.modules.pop("helper", None)


def test_a_script_sees_what_python_gives_it(folder, quiet, capsys):
    path = os.path.relpath(folder / "sub" / "program.py")
    plain = call(path, "--mode", "graph", "-m", command=())
    assert plain.returncode == 0
    assert cli.main(["run", path, "--mode", "graph", "-m"]) == 0
    assert capsys.readouterr().out == plain.stdout


def test_tracebacks_and_exit_status_are_the_programs(folder, quiet, capsys):
    path = str(folder / "sub" / "program.py")
    plain = call(path, "fail", command=())
    assert cli.main(["run", path, "fail"]) == plain.returncode == 1
    assert capsys.readouterr().err == plain.stderr
    with pytest.raises(SystemExit) as caught:
        cli.main(["run", path, "exit"])
    assert caught.value.code == 7


def test_a_syntax_error_shows_the_programs_line(folder, quiet, capsys):
    path = folder / "broken.py"
    path.write_text("x = (\n")
    plain = call(str(path), command=())
    assert cli.main(["run", str(path)]) == 1
    assert capsys.readouterr().err == plain.stderr


def test_a_module_and_a_zip_file(folder, quiet, capsys, monkeypatch):
    monkeypatch.chdir(folder)
    plain = call("-m", "sub.program", "a", command=(), cwd=folder)
    assert "No module named 'helper'" in plain.stderr
    assert cli.main(["run", "-m", "sub.program", "a"]) == 1
    shown = capsys.readouterr()
    assert shown.out == plain.stdout
    assert re.sub(r'  File "<frozen runpy>".*\n', "", plain.stderr) == shown.err
    with zipfile.ZipFile(folder / "app.pyz", "w") as archive:
        archive.writestr("__main__.py", "import inside, sys\nprint(inside.X, sys.argv[1:], __name__)\n")
        archive.writestr("inside.py", "X = 5\n")
    assert cli.main(["run", "app.pyz", "b"]) == 0
    assert capsys.readouterr().out == "5 ['b'] __main__\n"
    sys.modules.pop("inside")


def test_mindspore_is_served_in_the_program_and_in_its_workers(tmp_path):
    (tmp_path / "train.py").write_text(MINDSPORE)
    done = call("--mode", "graph", "train.py", "--epochs", "5", cwd=tmp_path)
    both = ["True ['--epochs', '5']", "6.0 True sporax.nn.cell"]
    assert done.stdout.splitlines() == [f"__main__ {both[0]}", both[1], f"__mp_main__ {both[0]}", both[1], "sporax"]
    assert done.returncode == 1
    err = done.stderr.splitlines()
    assert [line for line in err if "Warning" in line] == 2 * [f"{tmp_path}/train.py:6: UserWarning: --mode graph was given: mode=1 is not followed."]
    assert re.match(r"AttributeError: module 'mindspore\.nn' \(served by Sporax .*\) has no 'Densee'\. Nearest: ", err[-1])
    first = err.index("Traceback (most recent call last):")
    assert err[first + 1] == f'  File "{tmp_path}/train.py", line 22, in <module>'


def test_the_device_that_was_asked_for_is_kept(tmp_path):
    (tmp_path / "train.py").write_text("import mindspore as ms\nms.set_context(device_target='GPU')\nprint(ms.get_context('device_target'))\n")
    done = call("--device", "cpu", "train.py", cwd=tmp_path)
    assert done.stdout == "CPU\n"
    assert "UserWarning: --device cpu was given: device_target='GPU' is not followed." in done.stderr


def test_python_dash_m_takes_a_script_at_once(folder):
    path = str(folder / "sub" / "program.py")
    done = call(path, "exit", command=("-m", "sporax"))
    assert done.returncode == 7 and done.stderr == ""
    assert done.stdout == call(path, "exit", command=()).stdout


@pytest.mark.parametrize(
    ("args", "text"),
    [
        (["run", "no_such.py"], r"sporax run: there is no file 'no_such\.py' \(looked from "),
        (["run", "json"], r"there is no file 'json'. For a module use: sporax run -m json"),
        (["run", "-m", "no_such.module"], r"sporax run: .*No module named 'no_such'.*can be imported from here"),
        (["run", "--device", "tpu", __file__], r"device_target='TPU', but this machine has only CPU.*pip install 'sporax\[tpu\]'"),
    ],
)
def test_friendly_errors(args, text, quiet, capsys):
    assert cli.main(args) in (1, 2)
    err = capsys.readouterr().err
    assert re.search(text, err) and "Traceback" not in err


def test_a_misspelled_file_is_suggested(folder, capsys):
    assert cli.main(["run", str(folder / "sub" / "progam.py")]) == 2
    assert f"Is it {folder / 'sub' / 'program.py'}?" in capsys.readouterr().err


def test_the_process_has_genuine_mindspore_already(folder, quiet, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "mindspore", type(sys)("mindspore"))
    assert cli.main(["run", str(folder / "sub" / "program.py")]) == 2
    assert "MindSpore is imported already" in capsys.readouterr().err


def test_info_version_help(capsys):
    assert cli.main(["info"]) == 0
    out = dict(line.split(None, 1) for line in capsys.readouterr().out.splitlines() if not line.startswith("extra"))
    assert out["jax"] == __import__("jax").__version__ and out["numpy"] == __import__("numpy").__version__
    assert out["device"].startswith("CPU: 2 x ")
    with pytest.raises(SystemExit) as caught:
        cli.main(["--version"])
    assert caught.value.code == 0
    assert capsys.readouterr().out.startswith(f"sporax {sporax.version.__version__} (MindSpore API 2.10.0)")
    assert cli.main([]) == 0
    assert "sporax run [--mode graph|pynative]" in capsys.readouterr().out
    with pytest.raises(SystemExit) as caught:
        cli.main(["run", "--mod", "graph", "x.py"])
    assert caught.value.code == 2


@pytest.mark.parametrize("mode", ["graph", "pynative"])
def test_a_program_of_1x_gives_what_mindspore_prints(mode):
    """`old_style.txt` is what genuine MindSpore 2.10 prints, in both of its modes."""
    programs = pathlib.Path(__file__).parent / "programs"
    done = call(str(programs / "old_style.py"), mode, cwd=programs)
    assert done.returncode == 0, done.stderr
    want, got = ((text.replace("(", " ").replace(")", " ").split()) for text in ((programs / "old_style.txt").read_text(), done.stdout))
    assert len(got) == len(want)
    for a, b in zip(got, want):
        assert a == b or abs(float(a) - float(b)) <= 2e-5, (a, b)
    assert [line.partition(": ")[2] for line in done.stderr.splitlines() if "Warning" in line] == ["FutureWarning: mindspore.ops.Gelu is now mindspore.ops.GeLU."]
