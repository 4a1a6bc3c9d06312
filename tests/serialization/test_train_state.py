"""`TrainState`: a run that is killed goes on bit for bit, and nothing that goes wrong costs the last good state."""

import errno
import os
import pathlib
import random
import signal
import subprocess
import sys
import time

import jax
import numpy as np
import pytest

import sporax as ms
from sporax import Parameter, Tensor, nn
from sporax.train import TrainState
from sporax.train.serialization import _folder, _state_file
from tests.serialization.training import Run

ROOT = pathlib.Path(__file__).parents[2]


@pytest.fixture
def folder(tmp_path):
    yield str(tmp_path / "run")
    _folder.release(str(tmp_path / "run"))


def names(folder):
    return sorted(f for f in os.listdir(folder) if f.startswith("state-"))


# Killed runs ----------------------------------------------------------------------------------------------------------


def start(folder, steps):
    environment = os.environ | {"JAX_COMPILATION_CACHE_DIR": str(jax.config.jax_compilation_cache_dir), "PYTHONPATH": f"{ROOT / 'src'}:{ROOT}"}
    environment |= {"JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0", "JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES": "-1"}
    command = [sys.executable, "-m", "tests.serialization.training", folder, str(steps)]
    return subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True)


def killed_and_resumed(folder, steps, kills, seed):
    """The digest of a run that is killed at random instants."""
    choose, resumed = random.Random(seed), []
    for _ in range(kills):
        with start(folder, steps) as process:
            line = process.stdout.readline().split()
            assert line[0] == "ready"
            resumed.append(int(line[1]))
            time.sleep(choose.uniform(0, 0.8))
            process.send_signal(signal.SIGKILL)
    with start(folder, steps) as process:
        first, digest = process.stdout.read().split("\n")[:2]
        resumed.append(int(first.split()[1]))
    assert process.returncode == 0
    return digest, resumed


def whole_run(tmp_path, steps):
    with start(str(tmp_path / "whole"), steps) as process:
        return process.stdout.read().split("\n")[1]


def test_a_killed_run_ends_with_the_same_bits(tmp_path):
    digest = whole_run(tmp_path, 40)
    again, resumed = killed_and_resumed(str(tmp_path / "killed"), 40, 2, seed=0)
    assert again == digest
    assert resumed == sorted(resumed) and not [f for f in os.listdir(tmp_path / "killed") if f.endswith(".tmp")]


@pytest.mark.slow
def test_a_run_that_is_killed_a_hundred_times(tmp_path):
    digest, kills = whole_run(tmp_path, 120), 0
    for seed in range(25):
        again, resumed = killed_and_resumed(str(tmp_path / f"killed{seed}"), 120, 4, seed)
        assert again == digest, f"seed {seed}, resumed at {resumed}"
        kills += 4
    assert kills == 100


def test_resuming_in_one_process(folder):
    whole = Run()
    for _ in range(12):
        whole.step()
    expected = whole.digest()
    first = Run()
    for step in range(1, 6):
        first.step()
        if step == 5:
            first.state.save(folder, step, epoch=1, note="half")
    second = Run(setting=9)
    random.seed(1)
    assert second.state.restore(folder) == {"step": 5, "epoch": 1, "note": "half"}
    assert second.patience.setting == 9  # a setting of the new run stays
    for _ in range(7):
        second.step()
    assert second.digest() == expected
    # and back again in the same objects
    second.state.restore(folder)
    for _ in range(7):
        second.step()
    assert second.digest() == expected


def test_in_graph_mode_too(folder):
    ms.set_context(mode=ms.GRAPH_MODE)
    test_resuming_in_one_process(folder)


# Which states stay ----------------------------------------------------------------------------------------------------


def small(**options):
    p = Parameter(Tensor([0.0, 0.0]), name="p")
    return p, TrainState(weights=[p], rng=False, **options)


def test_the_last_and_the_best_stay(folder):
    p, state = small(keep_last=2, keep_best=1, monitor="loss")
    for step, loss in enumerate([5.0, 1.0, 4.0, 3.0, 2.0, 6.0]):
        p.set_data(Tensor([float(step), loss]))
        state.save(folder, step, loss=loss)
    assert names(folder) == [f"state-{s:012d}.safetensors" for s in (1, 4, 5)]
    assert state.restore(folder, "best") == {"step": 1, "loss": 1.0} and p.asnumpy().tolist() == [1, 1]
    # what is saved from there on is the newest, whatever the numbers of steps say
    p.set_data(Tensor([2.0, 9.0]))
    state.save(folder, 2, loss=9.0)
    assert state.restore(folder)["step"] == 2 and p.asnumpy().tolist() == [2, 9]
    assert names(folder) == [f"state-{s:012d}.safetensors" for s in (1, 2, 5)]


def test_a_loss_that_is_no_number_is_never_the_best(folder):
    _, state = small(keep_last=1, keep_best=1, monitor="loss", mode="max")
    for step, loss in enumerate([1.0, float("nan"), 0.5]):
        state.save(folder, step, loss=loss)
    assert state.restore(folder, "best") == {"step": 0, "loss": 1.0}


def spoil(path, how):
    data = bytearray(pathlib.Path(path).read_bytes())
    if how == "cut":
        data = data[: len(data) // 2]
    elif how == "empty":
        data = b""
    else:
        data[-1] ^= 1
    os.chmod(path, 0o600)
    pathlib.Path(path).write_bytes(data)


@pytest.mark.parametrize("how", ["cut", "empty", "flipped"])
def test_a_damaged_state_is_passed_over(folder, how, capsys):
    p, state = small(keep_last=3)
    for step in (1, 2):
        p.set_data(Tensor([float(step), 0.0]))
        last = state.save(folder, step)
    spoil(last, how)
    assert state.restore(folder) == {"step": 1} and p.asnumpy()[0] == 1
    # it doesn't count as one that is kept, and the good one isn't deleted for it
    if how != "flipped":
        _, state = small(keep_last=2)
        state.save(folder, 3)
        assert _folder.path_of(folder, 1) in [s.path for s in _folder.states(folder)[0]]
    for name in names(folder):
        spoil(os.path.join(folder, name), "cut")
    with pytest.raises(ValueError, match="No state in .* can be used:\n.*cut off"):
        state.restore(folder)


def test_old_states_go_only_after_the_new_one_is_read_back(folder, monkeypatch):
    p, state = small(keep_last=1)
    first = state.save(folder, 1)
    write = _state_file.write

    def bad_disk(path, *args):
        write(path, *args)
        spoil(path, "flipped")

    monkeypatch.setattr(_state_file, "write", bad_disk)
    with pytest.raises(OSError, match="not on the disk as it was written.*older states are kept"):
        state.save(folder, 2)
    assert os.path.exists(first) and state.restore(folder) == {"step": 1}


@pytest.mark.parametrize("call", ["write", "fsync", "replace"])
def test_a_disk_that_is_full(folder, monkeypatch, call):
    p, state = small(keep_last=1)
    state.save(folder, 1)
    p.set_data(Tensor([5.0, 5.0]))

    def full(*args):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, call, full)
    with pytest.raises(OSError, match="could not write .*state-000000000002.safetensors: the disk is full"):
        state.save(folder, 2)
    monkeypatch.undo()
    assert state.restore(folder) == {"step": 1} and p.asnumpy().tolist() == [0, 0]
    assert sorted(os.listdir(folder)) == ["state-000000000001.safetensors", "writing.lock"]


def test_a_folder_that_cannot_be_made(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError, match="could not write .*file/run/writing.lock: Not a directory. No file was left there"):
        small()[1].save(str(tmp_path / "file/run"), 1)


# Folders --------------------------------------------------------------------------------------------------------------


def test_two_runs_cannot_write_one_folder(folder):
    code = f"""
import sporax as ms, sys
from sporax.train import TrainState
state = TrainState(p=ms.Tensor([1.0]))
state.save({folder!r}, 1)
print("saved", flush=True)
sys.stdin.read()
"""
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=os.environ | {"PYTHONPATH": str(ROOT / "src")}
    ) as other:
        assert other.stdout.readline() == "saved\n"
        _, state = small()
        with pytest.raises(RuntimeError, match=f"Another run writes its state to .*process {other.pid} on .*another folder"):
            state.save(folder, 2)
        assert names(folder) == ["state-000000000001.safetensors"]
        other.kill()
    state.save(folder, 2)  # the lock ends with its process
    assert len(names(folder)) == 2


def test_nothing_to_restore(folder):
    p, state = small()
    assert state.restore(folder) is None
    os.makedirs(folder)
    assert state.restore(folder) is None and p.asnumpy().tolist() == [0, 0]


# What fits, what doesn't ----------------------------------------------------------------------------------------------


def test_another_network(folder):
    net = nn.SequentialCell(nn.Dense(2, 3), nn.Dense(3, 1))
    TrainState(net, rng=False).save(folder, 1)

    class Other(nn.Cell):
        def __init__(self):
            super().__init__()
            self.backbone = nn.SequentialCell(nn.Dense(2, 4), nn.Dense(3, 1, has_bias=False))
            self.head = nn.Dense(1, 1)

    other = TrainState(nn.SequentialCell(nn.Dense(2, 4), nn.Dense(3, 1)), rng=False)
    before = other._parts["network"][0].weight.asnumpy()
    with pytest.raises(ValueError) as error:
        other.restore(folder)
    text = str(error.value)
    assert "network.0.weight: Float32[3, 2] in the file, Float32[4, 2] here" in text and "nothing was changed" in text
    np.testing.assert_array_equal(other._parts["network"][0].weight.asnumpy(), before)
    with pytest.raises(ValueError) as error:
        TrainState(Other(), rng=False).restore(folder)
    text = str(error.value)
    assert "Here, but not in the file:" in text and "network.backbone.0.weight (nearest: network.0.weight)" in text
    assert "In the file, but not here:" in text


def test_every_kind_of_part(folder):
    class Counter(nn.Cell):
        def __init__(self):
            super().__init__()
            self.calls, self.memory, self.label = 0, Tensor([0.0]), "a"
            self.table = {"rate": 0.1, "weights": [Parameter(Tensor([1.0]), name="w")]}
            self.register_buffer("seen", Tensor([0]))

    class Thing:
        def __init__(self):
            self.values, self.function, self.pair, self.tags = [1, 2], len, (1, 2.5), {"x"}

    def make():
        cell, thing = Counter(), Thing()
        parts = {
            "cell": cell,
            "thing": thing,
            "drawn": np.random.default_rng(3),
            "old": np.random.RandomState(4),
            "own": ms.Generator().manual_seed(5),
            "deep": {"a": [Tensor([1.0])], "c": Parameter(Tensor(np.array([1 + 2j])), name="c")},
        }
        return cell, thing, parts, TrainState(**parts)

    cell, thing, parts, state = make()
    cell.calls, cell.table["rate"], thing.values, thing.pair, thing.tags = 3, 0.05, [7, None, {"k": b"\0\xff", 3: 1j}], (9, "z"), {"x", "y"}
    ms.ops.assign(cell.seen, Tensor([4]))
    cell.memory = Tensor([2.0, 3.0])
    parts["drawn"].random(3), parts["old"].rand(3), parts["own"].next_key()
    parts["deep"]["c"].set_data(Tensor(np.array([5 - 1j])))
    state.save(folder, 1)
    following = parts["drawn"].random(), parts["old"].rand(), parts["own"].next_key().asnumpy().tolist()

    cell, thing, parts, state = make()
    weight = cell.table["weights"][0]
    assert state.restore(folder) == {"step": 1}
    assert (cell.calls, cell.table["rate"], cell.label) == (3, 0.05, "a") and cell.table["weights"][0] is weight
    assert cell.memory.asnumpy().tolist() == [2, 3] and cell.seen.asnumpy().tolist() == [4]
    assert thing.values == [7, None, {"k": b"\0\xff", 3: 1j}] and thing.pair == (9, "z") and thing.tags == {"x", "y"} and thing.function is len
    assert parts["deep"]["c"].asnumpy().tolist() == [5 - 1j]
    assert (parts["drawn"].random(), parts["old"].rand(), parts["own"].next_key().asnumpy().tolist()) == following


def test_shared_parameters_are_kept_once(folder):
    net = nn.Dense(2, 2)
    optimizer = nn.Momentum(net.trainable_params(), 0.1, 0.9)
    path = TrainState(net, optimizer, rng=False).save(folder, 1)
    arrays, _ = _state_file.StateFile(path).read()
    assert "network.weight" in arrays and "optimizer.weight" not in arrays and "optimizer.moments.weight" in arrays
    assert ms.load_checkpoint(path, format="safetensors")["network.weight"].shape == (2, 2)  # any reader of the format reads it


def test_what_cannot_be_kept(folder):
    class Bad:
        def state_dict(self):
            return {"handle": open}

        def load_state_dict(self, state):
            raise AssertionError

    for part, text in ((Bad(), "part.handle is of type builtin_function"), ({"a": 3}, "part.a is 3 of type int: give numbers and text to save")):
        with pytest.raises(TypeError, match=text):
            TrainState(part=part).save(folder, 1)
    with pytest.raises(TypeError, match="has no position to keep"):
        TrainState(dataset=object.__new__(type("Data", (), {})))
    with pytest.raises(TypeError, match=r"progress.x is an array.*float\(loss\)"):
        small()[1].save(folder, 1, x=Tensor([1.0]))
    with pytest.raises(ValueError, match="'step' should be an int from 0 on"):
        small()[1].save(folder, -1)
    assert not os.path.exists(folder)


@pytest.mark.parametrize(
    ("options", "error", "text"),
    [
        ({"keep_last": 0}, ValueError, "'keep_last' should be at least 1"),
        ({"keep_best": 1}, ValueError, "needs a 'monitor'"),
        ({"mode": "low"}, ValueError, "'min' or 'max'"),
        ({"keep_last": 1.5}, TypeError, "'keep_last' should be an int"),
    ],
)
def test_arguments(options, error, text):
    with pytest.raises(error, match=text):
        TrainState(**options)


def test_the_command_resumes(tmp_path):
    """`sporax run --resume FOLDER`: the program names no folder."""
    program = tmp_path / "program.py"
    program.write_text(
        """
import mindspore as ms
from mindspore.train import TrainState
p = ms.Parameter(ms.Tensor([0.0]), name="p")
state = TrainState(p=p)
step = (state.restore() or {"step": 0})["step"]
p.set_data(p + 1)
state.save(None, step + 1)
print(step + 1, p.asnumpy().tolist())
"""
    )
    for step in (1, 2, 3):
        command = [sys.executable, "-m", "sporax", "run", "--resume", str(tmp_path / "run"), str(program)]
        done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(ROOT / "src")})
        assert done.stdout == f"{step} [{float(step)}]\n", done.stderr
    with pytest.raises(ValueError, match="'folder' is needed: give one, or start the program with `sporax run --resume FOLDER`"):
        small()[1].restore()
