"""Images as files: decoding against genuine MindSpore's recorded results, writing and reading back, files that are broken."""

import numpy as np
import pytest

import sporax
from sporax.dataset import vision as V
from tests.oracle.cases_dataset_files import ARRAYS, CASES
from tests.oracle.dataset_expressions import images
from tests.oracle.recording import differences


@pytest.mark.parametrize("line", list(CASES))
def test_as_recorded(line):
    assert differences("dataset_files", line, CASES[line], sporax, atol=2) == ""


def test_written_and_read(tmp_path):
    image = images()["a"]
    V.write_png(str(tmp_path / "a.png"), image, 9)
    assert np.array_equal(V.read_image(str(tmp_path / "a.png")), image)
    V.write_png(str(tmp_path / "g.png"), sporax.Tensor(image[:, :, 0]))
    assert np.array_equal(V.read_image(str(tmp_path / "g.png"))[:, :, 0], image[:, :, 0])
    smooth = np.repeat(np.arange(0, 240, 10, np.uint8), 31).reshape(24, 31, 1).repeat(3, 2)
    V.write_jpeg(str(tmp_path / "a.jpg"), smooth, 100)
    assert np.abs(V.read_image(str(tmp_path / "a.jpg")).astype(int) - smooth).max() <= 2
    V.write_file(str(tmp_path / "raw"), V.encode_jpeg(smooth, 50))
    assert V.read_file(str(tmp_path / "raw")).tobytes() == (tmp_path / "raw").read_bytes()
    assert len(V.encode_jpeg(smooth, 20)) < len(V.encode_jpeg(smooth, 95))


@pytest.mark.parametrize("name", ARRAYS)
def test_broken_files_raise_or_give_an_image(name):
    """Cut anywhere or with bytes changed: never anything else than an image or a RuntimeError."""
    rng, data = np.random.default_rng(0), ARRAYS[name]
    for i in range(40):
        broken = data[: rng.integers(1, len(data))].copy() if i % 2 else data.copy()
        # the size in a PNG's header stays: a huge one takes long to refuse
        at = rng.integers(0, len(broken), 3)
        broken[at[at >= 26]] = rng.integers(0, 256)
        try:
            image = V.Decode()(broken)
        except RuntimeError:
            continue
        assert image.ndim == 3 and image.shape[2] == 3 and image.dtype == np.uint8
