"""Every reader on files that nobody made: an error that says so, at once, with memory bounded by the file's size."""

import collections
import io
import json
import pathlib
import tracemalloc

import hypothesis
import hypothesis.strategies as st
import numpy as np
import pytest

import sporax as ms
from sporax.train import TrainState
from sporax.train.serialization import _ckpt, _crypto, _folder, _safetensors, _state_file, _tree
from sporax.train.serialization._files import MemorySource
from sporax.train.serialization._wire import Damaged, head, varint
from tests.serialization import contents

FILES = pathlib.Path(__file__).parent / "files"
EXAMPLES = hypothesis.settings(max_examples=150, deadline=2000)
MANY = hypothesis.settings(max_examples=20_000, deadline=2000)


def read_ckpt(data):
    return _ckpt.read(MemorySource(data, "fuzz"), lambda name: True, crc=True)


def read_safetensors(data):
    reader = _safetensors.Reader(MemorySource(data, "fuzz"))
    return [reader.array(name) for name in reader.names]


def read_encrypted(mode):
    return lambda data: _ckpt.read(MemorySource(data, "fuzz"), lambda name: True, key=contents.KEYS[mode], mode=mode)


READERS = {"ckpt": read_ckpt, "safetensors": read_safetensors} | {mode: read_encrypted(mode) for mode in ("AES-GCM", "AES-CBC", "SM4-CBC")}
# errors that say what is wrong: a file of bytes, or of a kind that no Tensor here has
CLEAR = (Damaged, ValueError)


def bounded(read, data):
    """Run a reader; its memory is a small multiple of the data."""
    tracemalloc.start()
    try:
        read(data)
    except CLEAR as error:
        assert type(error) in CLEAR and str(error)
    finally:
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert peak < 500_000 + 100 * len(data), peak


@st.composite
def mutated(draw, seed):
    """A real file with some bytes changed, cut, doubled or put in."""
    data = bytearray(seed)
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, max(len(data) - 1, 0)))
        kind = draw(st.sampled_from(["flip", "set", "cut", "insert", "double"]))
        if kind == "flip" and data:
            data[at] ^= 1 << draw(st.integers(0, 7))
        elif kind == "set" and data:
            data[at] = draw(st.sampled_from([0, 1, 127, 128, 255]))
        elif kind == "cut":
            del data[at : at + draw(st.integers(1, 40))]
        elif kind == "insert":
            data[at:at] = draw(st.binary(max_size=20))
        else:
            data += data[at:]
    return bytes(data)


def seeds(name):
    if name in ("ckpt", "safetensors"):
        return [p.read_bytes() for p in sorted(FILES.glob(f"*.{name}")) if not any(m in p.name for m in ("AES", "SM4"))]
    return [(FILES / f"genuine_{name}.ckpt").read_bytes()]


def fuzz(name, settings):
    READERS[name](seeds(name)[0])  # what importing a package takes doesn't count

    @settings
    @hypothesis.given(st.one_of(st.binary(max_size=400), *[mutated(seed) for seed in seeds(name)]))
    def run(data):
        bounded(READERS[name], data)

    run()


@pytest.mark.parametrize("name", list(READERS))
def test_files_of_any_bytes(name):
    fuzz(name, EXAMPLES)


@pytest.mark.slow
@pytest.mark.parametrize("name", list(READERS))
def test_many_files_of_any_bytes(name):
    fuzz(name, MANY)


@st.composite
def frames(draw):
    """Bytes in the form of the protobuf frames, with what is in them at random."""
    numbers = st.one_of(st.integers(0, 5), st.sampled_from([2**31, 2**62, 2**63, 2**64 - 1]))

    def field(depth):
        number, kind = draw(st.integers(0, 4)), draw(st.sampled_from([0, 2, 2, 2, 5]))
        if kind == 0:
            return varint(number << 3) + varint(draw(numbers))
        if kind == 5:
            return varint(number << 3 | 5) + b"1234"
        inside = (
            b"".join(field(depth - 1) for _ in range(draw(st.integers(0, 4))))
            if depth
            else draw(st.sampled_from([b"Float32", b"str", b"x", b"\xff", bytes(8)]))
        )
        return head(number, len(inside)) + inside

    return b"".join(field(3) for _ in range(draw(st.integers(0, 4))))


@EXAMPLES
@hypothesis.given(frames())
def test_frames(data):
    bounded(read_ckpt, data)


@st.composite
def headers(draw):
    """Safetensors files with headers of JSON at random."""
    size = st.one_of(st.integers(-2, 20), st.sampled_from([2**31, 2**62, 2**70, 1.5, True, None, "3"]))
    entry = st.one_of(
        st.fixed_dictionaries(
            {
                "dtype": st.sampled_from(["F32", "BF16", "BOOL", "F4", 3, None]),
                "shape": st.lists(size, max_size=70),
                "data_offsets": st.lists(size, min_size=1, max_size=3),
            }
        ),
        st.integers(),
        st.dictionaries(st.text(max_size=3), st.text(max_size=3)),
    )
    table = draw(st.one_of(st.dictionaries(st.sampled_from(["a", "b", "__metadata__"]), entry, max_size=3), st.integers(), st.lists(st.integers())))
    text = json.dumps(table).encode()
    return len(text).to_bytes(8, "little") + text + draw(st.binary(max_size=40))


@EXAMPLES
@hypothesis.given(headers())
def test_headers(data):
    bounded(read_safetensors, data)


BOMBS = {
    "a frame that announces a terabyte": (read_ckpt, head(1, 1 << 40)),
    "many axes": (read_ckpt, None),
    "an axis of 2**63 and one of 0": (read_ckpt, None),
    "a header of a terabyte": (read_safetensors, (1 << 40).to_bytes(8, "little") + b"{}"),
    "deep JSON": (read_safetensors, (200_000).to_bytes(8, "little") + b"[" * 200_000),
    "a number of many digits": (read_safetensors, (100_000).to_bytes(8, "little") + b"1" * 100_000),
    "an encrypted block of 4 GiB": (READERS["AES-CBC"], _crypto._MAGIC["AES-CBC"].to_bytes(4, "little") + b"\xff\xff\xff\xff" * 4),
}


def tensor_of(dims):
    fixed = b"".join(varint(8) + varint(d) for d in dims) + head(2, 7) + b"Float32" + head(3, 0)
    value = head(1, 1) + b"x" + head(2, len(fixed)) + fixed
    return head(1, len(value)) + value


@pytest.mark.parametrize("name", list(BOMBS))
def test_bombs(name):
    read, data = BOMBS[name]
    if data is None:
        data = tensor_of([1 << 62] * 20_000 if name == "many axes" else [1 << 63, 0])
    with pytest.raises(Damaged):
        read(data)
    bounded(read, data)


# The state of a run ---------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def state_bytes(tmp_path_factory):
    folder = str(tmp_path_factory.mktemp("state"))
    parts = {"a": ms.Tensor([1.0, 2.0]), "b": ms.Generator().manual_seed(3)}
    path = TrainState(**parts).save(folder, 1, loss=0.5)
    _folder.release(folder)
    return pathlib.Path(path).read_bytes()


def test_a_state_of_any_bytes(state_bytes, tmp_path):
    """A state is sealed: no change of it is ever restored."""
    path = tmp_path / "state-000000000001.safetensors"
    a = ms.Tensor([0.0, 0.0])
    state = TrainState(a=a, b=ms.Generator())

    @EXAMPLES
    @hypothesis.given(mutated(state_bytes))
    def run(data):
        hypothesis.assume(data != state_bytes)
        path.write_bytes(data)
        with pytest.raises(ValueError, match="No state in .* can be used"):
            state.restore(str(tmp_path))
        assert a.asnumpy().tolist() == [0, 0]

    run()


plain = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(), st.binary(), st.complex_numbers()),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.tuples(inner, inner),
        st.dictionaries(st.one_of(st.text(max_size=3), st.integers(), st.just("!")), inner, max_size=3),
        st.lists(inner, max_size=3).map(collections.deque),
        st.frozensets(st.integers(), max_size=1),
    ),
    max_leaves=12,
)


@EXAMPLES
@hypothesis.given(plain)
def test_values_come_back(value):
    arrays: dict = {}
    tree = json.loads(json.dumps(_tree.encode(value, arrays, "x")))
    back = _tree.decode(tree, {name: get() for name, (_, _, get) in arrays.items()})
    assert type(back) is type(value) and repr(back) == repr(value)


trees = st.recursive(
    st.one_of(st.none(), st.integers(), st.text(max_size=4), st.sampled_from(["x", "!", "tuple"])),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.sampled_from(["!", "v", "at", "most", "k"]), inner, max_size=3),
        st.fixed_dictionaries(
            {
                "!": st.sampled_from(["tuple", "set", "dict", "bytes", "complex", "deque", "tensor", "array", "number", "keep", "other"]),
                "v": inner,
                "at": inner,
                "most": inner,
            }
        ),
    ),
    max_leaves=8,
)


@EXAMPLES
@hypothesis.given(trees)
def test_trees_of_any_form(tree):
    try:
        _tree.decode(tree, {"x": np.ones(2)})
    except Damaged as error:
        assert str(error)


def test_nothing_is_executed(tmp_path):
    """No reader knows pickle."""
    for path in pathlib.Path(_state_file.__file__).parent.glob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert "pickle" not in text.lower() and "eval(" not in text and "exec(" not in text, path.name
    with pytest.raises(ValueError, match="Failed to read"):
        ms.load_checkpoint(io.BytesIO(b"\x80\x04\x95" + b"." * 40), format="safetensors")
