"""Rules of the source, read from the source itself."""

import ast
import functools
import pathlib
import re
import subprocess
import sys

import pytest

import sporax
from sporax.ops import _table

ROOT = pathlib.Path(sporax.__file__).parent
FILES = sorted(p.relative_to(ROOT).as_posix() for p in ROOT.rglob("*.py"))

# Packages and modules of sporax from the bottom to the top. One may import what stands on a line before its own, and itself.
LAYERS = (
    ("version",),
    ("_kernels",),
    ("_core",),
    ("_names",),
    ("common",),
    ("ops",),
    ("numpy", "scipy"),
    ("runtime",),
    ("nn",),
    ("experimental",),
    ("mint",),
    ("amp", "boost", "communication", "parallel"),
    ("steps",),
    ("mindrecord",),
    ("dataset",),
    ("train",),
    ("profiler", "report"),
    ("launch",),
    ("cli",),
    ("__main__",),
)
RANK = {name: i for i, names in enumerate(LAYERS) for name in names}
# Imports that point up, each inside a function that runs long after both modules are loaded.
UPWARD = {
    ("_core/parameter.py", "common"): "Parameter.clone(init=...) makes a new value with an initializer",
    ("_names/finder.py", None): "it serves the whole package under the name mindspore",
}

USES_JAX = ("_core", "_kernels")
# What else than scope.py sets the slot of a handle: the functions that make a handle, and the commit of a compiled call.
SETS_SLOT = {
    "_core/scope.py": {"__exit__", "read", "substitute", "write", "rebind", "bound"},
    "_core/tensor.py": {"__init__", "wrap"},
    "_core/parameter.py": {"__init__", "_copy_with", "__new__"},
    "_core/compile.py": {"call"},
    "_core/resident.py": {"put"},
}
OPTIONAL = {"matplotlib", "PIL", "cv2", "tensorboardX", "safetensors", "sklearn", "malt", "optax", "plotly", "torch", "mindspore", "google", "pandas"}
MAX_LINES = 600
LEFTOVER = re.compile(r"TODO|FIXME|XXX|NotImplementedError(\(\))?$|pdb\.set_trace|breakpoint\(\)")


@functools.cache
def parsed(file):
    return ast.parse((ROOT / file).read_text(encoding="utf-8"))


def layer(file):
    return file.split("/")[0].removesuffix(".py")


def imports(file):
    """Pairs (absolute module name, line) of all imports, those inside functions too. `from sporax import x` counts as `sporax.x`."""
    package = ["sporax", *file.split("/")[:-1]]
    for node in ast.walk(parsed(file)):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, node.lineno
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            name = ".".join([*base, *([node.module] if node.module else [])])
            if name == "sporax":
                for alias in node.names:
                    yield f"sporax.{alias.name}", node.lineno
            else:
                yield name, node.lineno


def imports_when_loaded(file):
    """Top names of packages that loading the module imports."""
    todo = list(parsed(file).body)
    while todo:
        node = todo.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            continue
        if isinstance(node, ast.If) and ast.unparse(node.test) in ("TYPE_CHECKING", "typing.TYPE_CHECKING"):
            continue
        if isinstance(node, ast.Import):
            yield from ((alias.name.split(".")[0], node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            yield node.module.split(".")[0], node.lineno
        todo.extend(ast.iter_child_nodes(node))


def functions_around(file):
    """Pairs (statement or expression, name of the innermost function around it or None)."""

    def walk(node, name):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            name = node.name
        yield node, name
        for child in ast.iter_child_nodes(node):
            yield from walk(child, name)

    return walk(parsed(file), None)


def test_every_module_has_its_layer():
    unknown = {layer(f) for f in FILES} - set(RANK) - {"__init__"}
    assert not unknown, f"add {sorted(unknown)} to LAYERS"


def test_imports_point_down():
    wrong = []
    for file in FILES:
        own = layer(file)
        if own == "__init__":
            continue
        for name, line in imports(file):
            parts = name.split(".")
            if parts[0] != "sporax":
                continue
            target = parts[1] if len(parts) > 1 else None
            if target == own or (file, target) in UPWARD:
                continue
            if target is None or target not in RANK:
                if RANK[own] < RANK["launch"]:
                    wrong.append(f"{file}:{line} imports the package root ({name})")
            elif RANK[target] >= RANK[own]:
                wrong.append(f"{file}:{line} imports {name}, which is not below it")
    assert not wrong, "\n".join(wrong)


def test_exceptions_are_still_needed():
    for (file, target), _ in UPWARD.items():
        whole = "sporax" if target is None else f"sporax.{target}"
        assert any(name == whole or (target and name.startswith(whole + ".")) for name, _ in imports(file)), f"{file} no longer needs its exception"
        loaded = [node for node in parsed(file).body if isinstance(node, ast.Import | ast.ImportFrom)]
        assert not any(whole == a.name for node in loaded if isinstance(node, ast.Import) for a in node.names)
        assert not any((node.module or "").startswith(whole + ".") for node in loaded if target and isinstance(node, ast.ImportFrom))


def test_only_the_core_and_the_kernels_know_jax():
    wrong = [
        f"{file}:{line} imports {name}"
        for file in FILES
        if layer(file) not in USES_JAX
        for name, line in imports(file)
        if name.split(".")[0] in ("jax", "jaxlib")
    ]
    assert not wrong, "\n".join(wrong)


def test_kernels_know_nothing_of_handles():
    wrong = [
        f"{file}:{line} imports {name}"
        for file in FILES
        if layer(file) == "_kernels"
        for name, line in imports(file)
        if name.split(".")[0] == "sporax" and not name.startswith("sporax._kernels")
    ]
    assert not wrong, "\n".join(wrong)


def test_only_the_scope_rebinds_handles():
    wrong = []
    for file in FILES:
        for node, function in functions_around(file):
            if not isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign):
                continue
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            slots = [t for target in targets for t in ast.walk(target) if isinstance(t, ast.Attribute) and t.attr == "_value"]
            if slots and function not in SETS_SLOT.get(file, ()):
                wrong.append(f"{file}:{node.lineno} sets a handle's value in {function}(): use scope.assign or scope.rebind")
    assert not wrong, "\n".join(wrong)


def test_environment_is_read_in_one_place():
    wrong = []
    for file in FILES:
        if file == "_core/context.py":
            continue
        for node in ast.walk(parsed(file)):
            if (isinstance(node, ast.Attribute) and node.attr in ("environ", "getenv", "putenv")) or (
                isinstance(node, ast.ImportFrom) and node.module == "os" and {a.name for a in node.names} & {"environ", "getenv"}
            ):
                wrong.append(f"{file}:{node.lineno} reads the environment: add a function to _core/context.py")
    assert not wrong, "\n".join(wrong)


def test_optional_packages_are_imported_where_they_are_used():
    wrong = [f"{file}:{line} imports {name} when it is loaded" for file in FILES for name, line in imports_when_loaded(file) if name in OPTIONAL]
    assert not wrong, "\n".join(wrong)


def test_importing_sporax_is_light():
    code = f"import sporax, sys; print(*sorted({OPTIONAL!r} & set(sys.modules)), 'scipy.optimize' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    # jax itself may bring google.protobuf's namespace
    assert done.stdout.replace("google", "").strip() == "False"


def test_files_are_small_and_explained():
    wrong = []
    for file in FILES:
        lines = (ROOT / file).read_text(encoding="utf-8").count("\n")
        if lines > MAX_LINES:
            wrong.append(f"{file} has {lines} lines: split it (at most {MAX_LINES})")
        if not ast.get_docstring(parsed(file)):
            wrong.append(f"{file} has no docstring that says what it is about")
    assert not wrong, "\n".join(wrong)


def test_nothing_is_left_for_later():
    wrong = []
    for file in FILES:
        for number, text in enumerate((ROOT / file).read_text(encoding="utf-8").splitlines(), 1):
            # NotImplementedError with a text is MindSpore's own answer to some calls; without one it is a stub
            if LEFTOVER.search(text):
                wrong.append(f"{file}:{number} {text.strip()}")
    assert not wrong, "\n".join(wrong)


def test_each_op_has_one_definition():
    """The table refuses a name that is taken; here: also in the source, where a second `@op` of a name could hide behind an alias."""
    seen = {}
    for file in FILES:
        if layer(file) != "ops":
            continue
        for node in parsed(file).body:
            if isinstance(node, ast.FunctionDef) and any("op" == getattr(getattr(d, "func", d), "id", None) for d in node.decorator_list):
                assert node.name not in seen, f"{file}:{node.lineno} defines the op {node.name}, and so does {seen[node.name]}"
                seen[node.name] = f"{file}:{node.lineno}"
    assert len(seen) > 100


@pytest.mark.parametrize("kind", ["functions", "primitives", "methods", "mint"])
def test_the_table_refuses_a_name_that_is_taken(kind):
    names = getattr(_table, kind)
    if not names:
        pytest.fail(f"the table has no {kind}")
    with pytest.raises(ValueError, match="registered twice"):
        _table._add(names, next(iter(names)), len, kind)
