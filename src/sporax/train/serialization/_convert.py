"""Checkpoints from one format to another, with other names: MindSpore's `.ckpt`, `.safetensors`, and PyTorch's names in either."""

import json
import os
import re
from concurrent.futures import ThreadPoolExecutor

from sporax._names import log
from sporax.train.serialization._load import load_checkpoint
from sporax.train.serialization._save import save_checkpoint

_SUFFIX = {"ckpt": ".ckpt", "safetensors": ".safetensors"}
_REGEX = "re:"
# PyTorch's names of normalization layers, MindSpore's
_NORM = {"weight": "gamma", "bias": "beta", "running_mean": "moving_mean", "running_var": "moving_variance"}
_STATISTICS = ("moving_mean", "moving_variance")


def ckpt_to_safetensors(file_path, save_path=None, name_map=None, file_name_regex=None, processes_num=1):
    """Write `.ckpt` files anew as `.safetensors`.

    Args:
        file_path: a `.ckpt` file, or a folder whose folders `rank...` hold such files.
        save_path: folder for the new files. Default: None, beside the old ones.
        name_map: dict from names of parameters to new ones; others stay. Default: None.
        file_name_regex: regular expression that is found in the names of the files to convert. Default: None, all.
        processes_num: how many files of a folder are converted at once. Default: 1.

    Raises:
        ValueError: a path is not of the kind above, or two parameters would get one name.

    Examples:
        >>> import os, tempfile
        >>> folder = tempfile.mkdtemp()
        >>> ms.save_checkpoint(nn.Dense(2, 1), os.path.join(folder, "a.ckpt"))
        >>> ms.ckpt_to_safetensors(os.path.join(folder, "a.ckpt"), name_map={"bias": "b"})
        >>> sorted(ms.load_checkpoint(os.path.join(folder, "a.safetensors"), format="safetensors"))
        ['b', 'weight']
    """
    _convert_files("ckpt_to_safetensors", "ckpt", "safetensors", file_path, save_path, name_map, file_name_regex, processes_num)


def safetensors_to_ckpt(file_path, save_path=None, name_map=None, file_name_regex=None, processes_num=1):
    """Write `.safetensors` files anew as `.ckpt`; the arguments are those of `ckpt_to_safetensors`, the other way round.

    Args:
        file_path: a `.safetensors` file, or a folder whose folders `rank...` hold such files.
        save_path: folder for the new files. Default: None, beside the old ones.
        name_map: dict from names of parameters to new ones; others stay. Default: None.
        file_name_regex: regular expression that is found in the names of the files to convert. Default: None, all.
        processes_num: how many files of a folder are converted at once. Default: 1.

    Raises:
        ValueError: a path is not of the kind above, or two parameters would get one name.
    """
    _convert_files("safetensors_to_ckpt", "safetensors", "ckpt", file_path, save_path, name_map, file_name_regex, processes_num)


def _convert_files(function, source, target, path, save_path, name_map, pattern, workers):
    if not os.path.exists(path):
        raise ValueError(f"For '{function}', the input path must be a file or folder, but got {path!r}.")
    if save_path and os.path.splitext(save_path)[1]:
        raise ValueError(f"For '{function}', 'save_path' must be a folder, but got {save_path!r}.")
    if name_map is not None and not isinstance(name_map, dict):
        raise ValueError(f"For '{function}', 'name_map' must be a dict, but got {type(name_map)}.")
    if isinstance(workers, bool) or not isinstance(workers, int) or workers < 1:
        raise ValueError(f"For '{function}', 'processes_num' should be an int of at least 1, but got {workers!r}.")
    if os.path.isdir(path):
        jobs = list(_of_folder(function, _SUFFIX[source], path, save_path, pattern))
    else:
        if not path.endswith(_SUFFIX[source]):
            raise ValueError(f"For '{function}', the input file must be a {_SUFFIX[source]} file, but got {path!r}.")
        if pattern is not None and not re.search(pattern, path):
            raise ValueError(f"For '{function}', 'file_name_regex' {pattern!r} is not found in {path!r}.")
        jobs = [(path, save_path or os.path.dirname(path))]

    def convert(job):
        file, folder = job
        os.makedirs(folder or ".", exist_ok=True)
        new = os.path.basename(file).removesuffix(_SUFFIX[source]) + _SUFFIX[target]
        loaded = renamed(load_checkpoint(file, format=source), name_map or {})
        save_checkpoint(loaded, os.path.join(folder, new), format=target)

    with ThreadPoolExecutor(workers) as pool:
        list(pool.map(convert, jobs))


def _of_folder(function, suffix, path, save_path, pattern):
    ranks = sorted(d for d in os.listdir(path) if d.startswith("rank") and os.path.isdir(os.path.join(path, d)))
    if not ranks:
        raise ValueError(f"For '{function}', there is no folder whose name starts with 'rank' in {path}: give it the files one by one.")
    for rank in ranks:
        for name in sorted(os.listdir(os.path.join(path, rank))):
            if name.endswith(suffix) and (pattern is None or re.search(pattern, name)):
                yield os.path.join(path, rank, name), os.path.join(save_path or path, rank)


# Names ----------------------------------------------------------------------------------------------------------------


def renamed(table, name_map):
    """A dict with new names.

    Args:
        table: dict from names to anything.
        name_map: dict from what is replaced to what replaces it: a whole name; the beginning of names, where both end with a dot (`"model.": ""` takes it off);
            a regular expression after `re:`, with `\\1` for its groups. None takes the parameter out. The first entry that fits counts.

    Raises:
        ValueError: two entries would get one name, an expression is none, or an entry of the map fits nothing.

    Examples:
        >>> from sporax.train.serialization import _convert
        >>> _convert.renamed({"model.a.w": 1, "head.w": 2}, {"model.": "net.", "re:^head\\\\.(.*)$": "top.\\\\1"})
        {'net.a.w': 1, 'top.w': 2}
    """
    rules = [(old, new, _matcher(old)) for old, new in name_map.items()]
    out, origin, used = {}, {}, set()
    for name, value in table.items():
        new = name
        for old, replacement, match in rules:
            changed = match(name, replacement)
            if changed is not False:
                new = changed
                used.add(old)
                break
        if new is None:
            continue
        if new in out:
            raise ValueError(f"The parameters {origin[new]!r} and {name!r} would both be called {new!r}.")
        out[new], origin[new] = value, name
    unused = [old for old in name_map if old not in used]
    if unused:
        log.warning("These entries of the name map fit no parameter: %s", ", ".join(map(repr, unused)))
    return out


def _matcher(old):
    """A function (name, replacement) -> new name, None to leave it out, False where it doesn't fit."""
    if old.startswith(_REGEX):
        try:
            pattern = re.compile(old[len(_REGEX) :])
        except re.error as error:
            raise ValueError(f"{old!r} in the name map is no regular expression: {error}.") from None
        return lambda name, new: False if not pattern.search(name) else None if new is None else pattern.sub(new, name)
    if old.endswith("."):
        return lambda name, new: False if not name.startswith(old) else None if new is None else new + name[len(old) :]
    return lambda name, new: new if name == old else False


def from_torch(table):
    """PyTorch's names and layouts as MindSpore's, as far as names and shapes tell.

    A layer with `running_mean`, and one whose weight has a single axis, is a normalization: gamma, beta, moving_mean, moving_variance;
    `num_batches_tracked` is left out. Embeddings look like linear layers: name them in the map (`"embed.weight": "embed.embedding_table"`).
    """
    norms = {name.rpartition(".")[0] for name, value in table.items() if _is_norm(name, value)}
    out = {}
    for name, value in table.items():
        layer, dot, last = name.rpartition(".")
        if last == "num_batches_tracked":
            continue
        out[layer + dot + (_NORM.get(last, last) if layer in norms else last)] = value
    return out


def _is_norm(name, value):
    last = name.rpartition(".")[2]
    return last in ("running_mean", "running_var") or (last == "weight" and len(getattr(value, "shape", (0, 0))) == 1)


def to_torch(table):
    """MindSpore's names as PyTorch's: gamma, beta, moving_mean, moving_variance, embedding_table."""
    back = {new: old for old, new in _NORM.items()} | {"embedding_table": "weight"}
    out = {}
    for name, value in table.items():
        layer, dot, last = name.rpartition(".")
        out[layer + dot + back.get(last, last)] = value
    return out


def convert_checkpoint(source, target, name_map=None, names=None, dtype=None):
    """Write a checkpoint anew in the format that the target's ending says.

    Args:
        source: path of a `.ckpt` or `.safetensors` file.
        target: path of the file to write, of either kind.
        name_map: see `renamed`; applied last. Default: None.
        names: "from-torch" or "to-torch": whose names are translated. Default: None, they stay.
        dtype: a MindSpore dtype that floating-point parameters get. Default: None, their own.

    Returns:
        List of (old name, new name, shape).

    Raises:
        ValueError: an unknown ending or translation, a file that is damaged, or two parameters with one name.

    Examples:
        >>> import os, tempfile
        >>> folder = tempfile.mkdtemp()
        >>> ms.save_checkpoint({"bn.weight": np.ones(2), "bn.running_mean": np.ones(2)}, folder + "/t.safetensors", format="safetensors")
        >>> from sporax.train.serialization import convert_checkpoint
        >>> convert_checkpoint(folder + "/t.safetensors", folder + "/m.ckpt", names="from-torch")
        [('bn.running_mean', 'bn.moving_mean', (2,)), ('bn.weight', 'bn.gamma', (2,))]
    """
    if names not in (None, "from-torch", "to-torch"):
        raise ValueError(f"'names' should be 'from-torch', 'to-torch' or None, but got {names!r}.")
    kinds = [next((kind for kind, suffix in _SUFFIX.items() if str(path).endswith(suffix)), "") for path in (source, target)]
    if "" in kinds:
        raise ValueError(f"Both files should end in .ckpt or .safetensors, but got {source!r} and {target!r}.")
    loaded = load_checkpoint(source, format=kinds[0])
    table = {name: (name, value) for name, value in loaded.items()}
    if names is not None:
        table = _translated(table, from_torch if names == "from-torch" else to_torch)
    table = renamed(table, name_map or {})
    if not table:
        raise ValueError(f"Nothing is left of {source} after renaming.")
    save_checkpoint({new: _cast(value, dtype) for new, (_, value) in table.items()}, target, format=kinds[1])
    return [(old, new, getattr(value, "shape", ())) for new, (old, value) in table.items()]


def _translated(table, translate):
    new = translate({name: value for name, (_, value) in table.items()})
    kept = [name for name in table if name.rpartition(".")[2] != "num_batches_tracked" or translate is to_torch]
    if len(new) != len(kept):
        raise ValueError("Two parameters would get one name: do they have PyTorch's names already?")
    return {name: table[old] for name, old in zip(new, kept, strict=True)}


def _cast(value, dtype):
    return value if dtype is None or isinstance(value, str | list) or not value.dtype.is_floating_point else value.astype(dtype)


def read_name_map(path):
    """A name map from a JSON file.

    Raises:
        ValueError: it is no table of texts (or null).
    """
    try:
        with open(path, encoding="utf-8") as file:
            table = json.load(file)
    except (OSError, ValueError, RecursionError) as error:
        raise ValueError(f"The name map {path} can't be read: {error}.") from None
    if not isinstance(table, dict) or not all(v is None or isinstance(v, str) for v in table.values()):
        raise ValueError(f'The name map {path} should be a JSON table of texts, such as {{"old.name": "new.name", "model.": "", "unused": null}}.')
    return table
