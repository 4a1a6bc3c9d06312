"""The import finders, in this process."""

import importlib
import importlib.metadata
import importlib.util
import inspect
import pathlib
import pickle
import sys
import threading
import types

import pytest

import sporax
from sporax._names import finder, genuine, lookup, modules, spellings

HERE = pathlib.Path(__file__).parent
PAIRS = [tuple(line.split()) for line in (HERE / "paths.txt").read_text().splitlines()]
GENUINE_MODULES = (HERE / "modules.txt").read_text().split()
# Module paths of releases before 2.10 that public programs still import.
EARLIER = {
    "dtype", "parameter", "ops._tensor_array", "ops.arg_dtype_cast", "ops.nn_func", "ops.operations._tensor_array", "nn.metrics.metric", "common.auto_dynamic_shape",
    "parallel._recovery_context", "dataset.samplers", "profiler.profiling", "profiler.common", "profiler.mstx", "profiler.schedule", "profiler.dynamic_profiler",
    "profiler.envprofiling",
}  # fmt: skip


def at(path):
    """The object at a dotted path, as a program gets it that imports the longest module path in it."""
    obj, done, parts = None, "", path.split(".")
    for i, part in enumerate(parts):
        done = ".".join(parts[: i + 1])
        try:
            obj = importlib.import_module(done)
        except ModuleNotFoundError:
            obj = getattr(obj, part)
    return obj


@pytest.mark.usefixtures("served")
def test_every_loaded_module_is_the_same_object():
    names = [n for n, m in list(sys.modules.items()) if (n == "sporax" or n.startswith("sporax.")) and isinstance(m, types.ModuleType) and "._" not in n]
    assert len(names) > 50
    for name in names:
        before = sys.modules[name].__spec__
        assert importlib.import_module("mindspore" + name.removeprefix("sporax")) is sys.modules[name]
        assert sys.modules[name].__spec__ is before
        assert sys.modules[name].__name__ == name or name.removeprefix("sporax.") in modules.ALIASES


@pytest.mark.usefixtures("served")
def test_statements_give_the_objects_of_sporax():
    scope = {}
    exec(
        "import mindspore as ms, mindspore.nn as nn, mindspore.common.initializer as init, mindspore.ops.operations.nn_ops\n"
        "from mindspore import Tensor, context, ops\n"
        "from mindspore.nn.layer.basic import Dense\n"
        "from mindspore.ops import operations as P, functional as F, composite as C\n"
        "from mindspore.ops.operations import nn_ops, _inner_ops\n"
        "from mindspore.common import dtype as mstype\n",
        scope,
    )
    assert scope["ms"] is scope["mindspore"] is sporax
    assert scope["nn"] is sporax.nn and scope["init"] is sporax.common.initializer
    assert scope["P"] is scope["F"] is scope["nn_ops"] is scope["_inner_ops"] is scope["ops"] is sporax.ops
    assert scope["C"].GradOperation is sporax.ops.GradOperation and scope["C"].HyperMap is sporax.ops.HyperMap
    assert scope["Dense"] is sporax.nn.Dense and scope["mstype"].float32 is sporax.float32
    assert scope["context"].set_context is sporax.set_context


@pytest.mark.usefixtures("served")
def test_functions_are_not_hidden_by_modules_of_their_name():
    for path in ("common.mutable", "ops.function.grad", "ops.function.grad.grad_func", "common.recompute", "common.seed", "ops.composite.math_ops"):
        importlib.import_module(f"mindspore.{path}")
    assert inspect.isfunction(sporax.ops.grad) and inspect.isfunction(sporax.common.mutable) and inspect.isfunction(sporax.common.seed)
    for name, value in vars(sporax.ops).items():
        if f"sporax.ops.{name}" in sys.modules and not isinstance(value, types.ModuleType):
            importlib.import_module(f"mindspore.ops.{name}")
            assert vars(sporax.ops)[name] is value


@pytest.mark.usefixtures("served")
@pytest.mark.filterwarnings("ignore::FutureWarning")
def test_spellings_that_are_one_object_in_mindspore_are_one_object_here():
    checked, wrong = 0, []
    for spelling, name in PAIRS:
        try:
            at(".".join(spelling.split(".")[:2]))
            wanted = at(name)
        except (AttributeError, ImportError):
            continue  # what Sporax lacks is the business of `sporax coverage`
        checked += 1
        try:
            if at(spelling) is not wanted and not inspect.isbuiltin(wanted):
                wrong.append(f"{spelling} is not {name}")
        except (AttributeError, ImportError) as error:
            wrong.append(f"{spelling}: {error}")
    assert checked > 150
    assert not wrong, "\n".join(wrong)


def test_alias_paths_are_mindspores():
    assert set(modules.ALIASES) - set(GENUINE_MODULES) <= EARLIER
    assert not set(modules.MOVED_MODULES) & set(GENUINE_MODULES)


def test_tables_of_names_agree_with_mindspore():
    for module, names in spellings.REMOVED.items():
        for name in names:
            assert not genuine.has(f"mindspore.{module}.{name}".replace("..", ".")), f"{module}.{name} is in MindSpore"
    for table in (spellings.MOVED, spellings.SAME):
        for module, names in table.items():
            for name in names:
                assert name not in spellings.REMOVED.get(module, {})


def test_installing_twice_is_installing_once(served):
    finder.install()
    finder.install_aliases()
    kinds = [type(f).__name__ for f in sys.meta_path]
    assert kinds.count("Served") == 1 and kinds.count("Aliases") == 1
    assert kinds[0] == "Served"


def test_uninstall_leaves_nothing(served):
    importlib.import_module("mindspore.nn")
    finder.uninstall()
    assert not [n for n in sys.modules if n.startswith("mindspore")]
    assert not finder.installed()


def test_genuine_mindspore_in_the_process_is_an_error(monkeypatch):
    other = types.ModuleType("mindspore")
    other.__file__ = "/somewhere/mindspore/__init__.py"
    monkeypatch.setitem(sys.modules, "mindspore", other)
    with pytest.raises(ImportError, match=r"imported already \(from /somewhere/mindspore/__init__.py\).*sporax run"):
        finder.install()
    assert not finder.installed()


@pytest.mark.usefixtures("served")
def test_metadata_and_specs():
    assert importlib.metadata.version("mindspore") == sporax.__version__ == "2.10.0"
    assert importlib.metadata.version("numpy")
    assert importlib.util.find_spec("mindspore") is not None and importlib.util.find_spec("mindspore.nn") is not None
    assert importlib.util.find_spec("mindspore.nn").name in ("sporax.nn", "mindspore.nn")
    with pytest.raises(importlib.metadata.PackageNotFoundError):
        importlib.metadata.version("no-such-package")


@pytest.mark.usefixtures("served")
def test_files_are_not_loaded_again_below_an_alias():
    with pytest.raises(ModuleNotFoundError, match=r"mindspore\.ops\.operations\.random"):
        importlib.import_module("mindspore.ops.operations.random")
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("mindspore.context.nn")


@pytest.mark.usefixtures("served")
@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("mindspore.nn.functional", r"PyTorch's name; MindSpore has mindspore\.ops"),
        ("mindspore.nn.transformer.layers", "MindSpore 2.0 took it out"),
        ("mindspore.nn.layr", r"Nearest: mindspore\.nn\.layer"),
        ("mindspore.rewrite", "MindSpore has it, Sporax does not yet"),
        ("mindspore.no_such", "`sporax coverage`"),
    ],
)
def test_modules_that_are_not_there(path, text):
    if path.count(".") == 1 and importlib.util.find_spec(f"sporax.{path[10:]}"):
        pytest.fail(f"{path} is there now: choose another example")
    with pytest.raises(ModuleNotFoundError, match=text) as caught:
        importlib.import_module(path)
    assert caught.value.name == path or path.startswith(caught.value.name)


@pytest.mark.usefixtures("served")
def test_threads_import_at_once():
    found, errors = [], []

    def load():
        try:
            found.append(importlib.import_module("mindspore.ops.operations.array_ops"))
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=load) for _ in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not errors and set(map(id, found)) == {id(sporax.ops)}


@pytest.mark.usefixtures("served")
def test_pickles_name_sporax():
    data = pickle.dumps([sporax.float32, sporax.nn.Dense])
    finder.uninstall()
    assert pickle.loads(data) == [sporax.float32, sporax.nn.Dense]


def test_resolve_follows_no_circle():
    assert lookup.lookup("nn", "no_init_parameters")[0] is lookup.MISSING or callable(sporax.nn.no_init_parameters)


def test_transforms_of_1x(served, monkeypatch):
    """A stand-in for the dataset package shows where the old paths lead."""
    dataset, vision = types.ModuleType("sporax.dataset"), types.ModuleType("sporax.dataset.vision")
    dataset.__path__, vision.__path__, dataset.vision = [], [], vision
    vision.Normalize = lambda mean, std, is_hwc=True: (mean, std, is_hwc)
    vision.Resize = object()
    for module in (dataset, vision):
        monkeypatch.setitem(sys.modules, module.__name__, module)
    with pytest.warns(FutureWarning, match=r"mindspore\.dataset\.vision\.c_transforms is now mindspore\.dataset\.vision") as caught:
        import mindspore.dataset.vision.c_transforms as C
    assert caught[0].filename == __file__
    assert C is vision
    with pytest.warns(FutureWarning, match=r"py_transforms is now mindspore\.dataset\.vision"):
        from mindspore.dataset.vision.py_transforms import Normalize, Resize
    assert Normalize((0.5,), (0.2,)) == ((0.5,), (0.2,), False) and Resize is vision.Resize
    for name in [n for n in sys.modules if n.startswith("sporax.dataset.vision.")]:
        monkeypatch.delitem(sys.modules, name)
