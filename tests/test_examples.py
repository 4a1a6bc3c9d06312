"""The examples run as a reader would start them."""

import pathlib
import re
import subprocess
import sys

import pytest

EXAMPLES = pathlib.Path(__file__).parent.parent / "examples"


@pytest.mark.parametrize("mode", ["pynative", "graph"])
def test_digits(mode, tmp_path):
    command = [sys.executable, "-m", "sporax", "run", "--mode", mode, str(EXAMPLES / "digits.py"), "--epochs", "4"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert ("graph mode" if mode == "graph" else "PyNative mode") in done.stdout
    assert len(re.findall(r"^ +\d/4 .* s$", done.stdout, re.MULTILINE)) == 4
    assert float(re.search(r"Test accuracy ([\d.]+) %", done.stdout)[1]) >= 97
    from PIL import Image

    with Image.open(tmp_path / "digits.png") as picture:
        assert picture.width > 800 and len(picture.convert("RGB").getcolors(100_000)) > 100


def run_example(name, tmp_path, *arguments):
    command = [sys.executable, "-m", "sporax", "run", "--mode", "graph", str(EXAMPLES / name), *arguments]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_pinn_burgers(tmp_path):
    out = run_example("pinn_burgers.py", tmp_path, "--steps", "2000")
    assert float(re.search(r"exact solution: (\S+)", out)[1]) < 0.04


def test_second_order(tmp_path):
    out = run_example("second_order.py", tmp_path, "--epochs", "4")
    rows = {name: float(loss) for name, loss in re.findall(r"^ *([\w-]+) +([\d.]+) +[\d.]+ %", out, re.MULTILINE)}
    assert set(rows) == {"momentum", "SAM", "SophiaG", "K-FAC", "Newton-CG"}
    assert max(rows["K-FAC"], rows["Newton-CG"]) < rows["momentum"] / 2


def test_examples_are_mindspore_programs():
    for program in EXAMPLES.glob("*.py"):
        code = re.sub(r'""".*?"""', "", program.read_text(encoding="utf-8"), flags=re.DOTALL)
        # what MindSpore does not have comes from here, and from nowhere else
        code = re.sub(r"^from sporax\.steps import .*$", "", code, flags=re.MULTILINE)
        assert "import mindspore as ms" in code and "sporax" not in code


def test_multitask(tmp_path):
    out = run_example("multitask.py", tmp_path)
    accuracy, error = re.search(r"test: ([\d.]+)% of digits, ink within ([\d.]+)", out).groups()
    assert float(accuracy) > 94
    assert float(error) < 0.05
