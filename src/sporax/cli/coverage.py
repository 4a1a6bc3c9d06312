"""`sporax coverage`: which MindSpore names programs use, and which of them are missing here."""

import collections
import json
import pathlib
import sys
import types

from sporax._names import lookup, spellings
from sporax.cli import uses

OK, OLD, MISSING = "ok", "old", "MISSING"


def status(name):
    """(status, what to know) of a dotted MindSpore name: "ok", "old" (it works, with a note) or "MISSING".

    Attributes of anything but modules and classes are taken to be there.

    Examples:
        >>> from sporax.cli.coverage import status
        >>> status("mindspore.nn.Dense"), status("mindspore.ms_function")
        (('ok', ''), ('old', 'use mindspore.jit'))
    """
    obj, at, told = sys.modules[lookup.ROOT], "", (OK, "")
    parts = name.split(".")[1:]
    for i, part in enumerate(parts):
        if isinstance(obj, types.ModuleType):
            path = lookup.public_path(obj.__name__)
            below = ".".join(parts[: i + 1])
            if i + 1 < len(parts) and (module := lookup.submodule(below)) is not lookup.MISSING:
                # `from mindspore.common.tensor import Tensor` means the module, though `common.tensor` is a function
                obj, at = module, below
                continue
            value, new = (vars(obj)[part], None) if part in vars(obj) else lookup.lookup(path, part)
            if value is lookup.MISSING:
                return MISSING, (lookup.removal(path, part) or lookup.hint(path, part)).strip()
            if new is not None:
                told = OLD, f"use {spellings.SUCCESSOR.get(new, f'mindspore.{new}')}"
            obj = value
        elif isinstance(obj, type):
            if not hasattr(obj, part):
                return MISSING, "MindSpore has it, Sporax does not yet." if part in uses.genuine.owners().get(
                    f"mindspore.{at}", ()
                ) else f"{obj.__name__} has no such member."
            obj = getattr(obj, part)
        else:
            break
        at = f"{at}.{part}" if at else part
    return told


def collect(paths):
    """(uses by name as `{name: [(file, Use)]}`, names of files read, complaints about files that can't be read)."""
    files: list = []
    complaints = []
    for p in map(pathlib.Path, paths):
        if p.is_dir():
            files += sorted(p.rglob("*.py"))
        elif p.exists():
            files.append(p)
        else:
            complaints.append(f"there is no file {str(p)!r}")
    found = collections.defaultdict(list)
    for f in files:
        try:
            for name, at in uses.find(f.read_bytes(), str(f)).items():
                found[name] += [(str(f), use) for use in at]
        except (SyntaxError, ValueError) as error:
            complaints.append(f"{f}:{getattr(error, 'lineno', None) or 1}: {getattr(error, 'msg', error)}")
    return dict(found), files, complaints


def report(paths, as_json=False):
    """Print a table of the names used; returns 1 if any is missing, 2 if a file can't be read.

    Args:
        paths: scripts and folders.
        as_json: print JSON instead of a table. Default: False.
    """
    found, files, complaints = collect(paths)
    rows = []
    for name, at in sorted(found.items()):
        state, hint = status(name)
        if all(use.guess for _, use in at):
            # a method of something whose class is not known: worth a line only where tensors lack it
            if state == OK:
                continue
            hint += " (if it is called on a tensor)"
        elif state == MISSING and all(use.guarded or use.guess for _, use in at):
            state, hint = OK, "missing, but the program goes on without it"
        rows.append({"name": name, "status": state, "hint": hint, "uses": len(at), "at": [f"{f}:{use.line}" for f, use in at]})
    missing = [row for row in rows if row["status"] == MISSING]
    if as_json:
        print(json.dumps({"files": len(files), "names": rows, "missing": [row["name"] for row in missing], "unreadable": complaints}, indent=1))
    else:
        _print(rows, len(files))
    for text in complaints:
        print(f"sporax coverage: {text}", file=sys.stderr)
    return 2 if complaints else 1 if missing else 0


def _print(rows, files):
    width = max((len(row["name"]) for row in rows), default=0)
    for state in (OK, OLD, MISSING):
        for row in rows:
            if row["status"] == state:
                text = f"{state:<8} {row['name']:<{width}} {row['uses']:>4}x  {row['at'][0]}"
                print(f"{text}  {row['hint']}" if row["hint"] else text)
    counts = collections.Counter(row["status"] for row in rows)
    old = f", {counts[OLD]} in an old spelling" if counts[OLD] else ""
    print(f"{len(rows)} MindSpore names in {files} file{'s' * (files != 1)}: {counts[MISSING]} missing{old}")
