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


def test_examples_are_mindspore_programs():
    for program in EXAMPLES.glob("*.py"):
        code = re.sub(r'""".*?"""', "", program.read_text(encoding="utf-8"), flags=re.DOTALL)
        assert "import mindspore as ms" in code and "sporax" not in code
