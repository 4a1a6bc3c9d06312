"""Record which spellings of a name are the same object in genuine MindSpore: run with it, from the root of the project.

    python -m tests.cli.record_paths api_usage.tsv

The table has a column `name` (the usual path) and a column `top_spelling` (the path that most programs import it from, if another).
Writes `paths.txt` (pairs of spellings), and `modules.txt` (every module path of MindSpore).
"""

import csv
import importlib
import pathlib
import sys

HERE = pathlib.Path(__file__).parent


def resolve(path):
    """The object at a dotted path, or None."""
    obj = importlib.import_module("mindspore")
    at = "mindspore"
    for part in path.split(".")[1:]:
        at += f".{part}"
        try:
            obj = importlib.import_module(at)
        except Exception:
            obj = getattr(obj, part, None)
    return obj


def main(table):
    pairs = set()
    for row in csv.DictReader(pathlib.Path(table).open(), delimiter="\t"):
        name, spelling = row["name"], row["top_spelling"]
        if spelling.startswith("mindspore.") and name.startswith("mindspore.") and spelling != name:
            found = resolve(spelling)
            if found is not None and found is resolve(name):
                pairs.add((spelling, name))
    (HERE / "paths.txt").write_text("".join(f"{a} {b}\n" for a, b in sorted(pairs)))
    root = pathlib.Path(importlib.import_module("mindspore").__file__).parent
    modules = {".".join(p.relative_to(root).with_suffix("").parts).removesuffix(".__init__") for p in root.rglob("*.py")} - {"__init__"}
    ours = sorted(m for m in modules if not m.startswith(("ops_generate", "ops._op_impl", "graph._p", "_akg", "rewrite.", "include")) and "_pb2" not in m)
    (HERE / "modules.txt").write_text("".join(f"{m}\n" for m in ours))


if __name__ == "__main__":
    main(sys.argv[1])
