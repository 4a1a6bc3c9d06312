"""`save_checkpoint`."""

import numpy as np

from sporax._core.parameter import Parameter
from sporax._core.rng import Generator
from sporax._core.tensor import Tensor
from sporax._names import log
from sporax.nn import Cell
from sporax.train.serialization import _arguments, _async, _ckpt, _crypto, _dtypes, _safetensors, _tree
from sporax.train.serialization._files import replacing

_OPTIONS = {"incremental": bool, "global_step_num": int | None, "remove_redundancy": bool | None}


def save_checkpoint(
    save_obj,
    ckpt_file_name,
    integrated_save=True,
    async_save=False,
    append_dict=None,
    enc_key=None,
    enc_mode="AES-GCM",
    choice_func=None,
    crc_check=False,
    format="ckpt",
    **kwargs,
):
    """Save parameters to a file. The file is complete or is not there; one that was there before stays until the new one is complete.

    Args:
        save_obj: a Cell (its Parameters); a list of Parameters, or of dicts `{"name": str, "data": Tensor}`; or a dict from names to Parameters,
            Tensors, NumPy arrays or text, such as `load_checkpoint` returns.
        ckpt_file_name: path; `.ckpt` (or `.safetensors`) is added where it doesn't end so.
        integrated_save: whether sharded parameters are put together; they always are. Default: True.
        async_save: whether the file is written in the background: True, "thread" or "process" (also a thread: it doesn't hold up the program).
            Default: False.
        append_dict: more to save: a dict from names to int, float, bool, str, Tensor, Parameter or Generator. Default: None.
        enc_key: bytes, the key for encryption: 16, 24 or 32 of them. Default: None, not encrypted.
        enc_mode: "AES-GCM", "AES-CBC" or "SM4-CBC". Default: "AES-GCM".
        choice_func: function that says of a name whether it is saved. Default: None, all are.
        crc_check: whether a CRC-32 is written, with which accidental damage is found. Default: False.
        format: "ckpt" or "safetensors". Default: "ckpt".
        **kwargs: `remove_redundancy` (bool) is noted in a safetensors file; `incremental` and `global_step_num` are MindSpore's, and matter only to
            parameters and storage that don't exist here.

    Raises:
        TypeError: `save_obj`, `ckpt_file_name`, `async_save` or an entry is of another kind.
        ValueError: an unknown format or mode of encryption, a key of another length, encryption together with `crc_check`, or something that the
            safetensors format cannot hold.
        OSError: the file cannot be written; the one that was there is unchanged.

    Examples:
        >>> import os, tempfile
        >>> path = os.path.join(tempfile.mkdtemp(), "dense.ckpt")
        >>> net = nn.Dense(3, 2)
        >>> ms.save_checkpoint(net, path, append_dict={"epoch": 4})
        >>> sorted(ms.load_checkpoint(path))
        ['bias', 'epoch', 'weight']
    """
    path = _arguments.output_path(None if isinstance(save_obj, Cell | list | dict) else type(save_obj), ckpt_file_name, format)
    _arguments.boolean("save_checkpoint", "integrated_save", integrated_save)
    _check_async(async_save)
    _arguments.instance("enc_key", enc_key, bytes | None, "bytes or None")
    _arguments.instance("enc_mode", enc_mode, str, "a str")
    _arguments.instance("crc_check", crc_check, bool, "a bool")
    for name, value in kwargs.items():
        if name not in _OPTIONS:
            raise TypeError(f"'save_checkpoint' has no argument {name!r}. It also takes {', '.join(_OPTIONS)}.")
        _arguments.instance(name, value, _OPTIONS[name], f"of type {_OPTIONS[name]}")
    step = kwargs.get("global_step_num")
    _arguments.no_encryption("save_checkpoint", format, enc_key=(enc_key, None), enc_mode=(enc_mode, "AES-GCM"), global_step_num=(step, None))
    if enc_key is not None:
        _crypto.check_key(enc_key, enc_mode)
        if crc_check:
            raise ValueError("For 'save_checkpoint', 'enc_key' and 'crc_check' exclude each other: use AES-GCM, which finds any change by itself.")
    entries = dict(_entries(save_obj, choice_func))
    entries.update(_appended(append_dict))
    write = _writer(path, {name: _snapshot(name, value) for name, value in entries.items()}, enc_key, enc_mode, crc_check, format, kwargs)
    if async_save:
        _async.start(write, path)
    else:
        _async.wait()
        write()


def _check_async(async_save):
    if not isinstance(async_save, bool | str):
        raise TypeError(f"For 'save_checkpoint', 'async_save' must be a bool or str, but got {type(async_save)}.")
    if isinstance(async_save, str) and async_save not in ("process", "thread"):
        raise ValueError(f"For 'save_checkpoint', 'async_save' can only be 'process' or 'thread', but got {async_save!r}.")


# What is saved --------------------------------------------------------------------------------------------------------


def _entries(save_obj, choice_func):
    """(name, value) pairs of whatever is to be saved."""
    if isinstance(save_obj, Cell):
        pairs = list(_of_cell(save_obj))
    elif isinstance(save_obj, dict):
        pairs = list(_of_dict(save_obj))
    else:
        pairs = [_of_list(item) for item in save_obj]
    return [(name, value) for name, value in pairs if choice_func is None or choice_func(name)]


def _of_cell(cell):
    seen: dict = {}
    for path, param in cell.parameters_and_names():
        if seen.setdefault(param.name, path) != path:
            log.warning(
                "For 'save_checkpoint', the parameters %s and %s have the same name '%s': only the last one is saved. "
                "Give them different names with cell.update_parameters_name('prefix.').",
                seen[param.name],
                path,
                param.name,
            )
        yield param.name, param


def _of_dict(table):
    for name, value in table.items():
        if not isinstance(name, str) or not isinstance(value, Tensor | np.ndarray | str):
            raise TypeError(
                "For 'save_checkpoint', a dict 'save_obj' should have str keys and Parameters, Tensors, arrays or str as values, "
                f"but got the key {name!r} of type {type(name).__name__} with a value of type {type(value).__name__}."
            )
        yield name, value


def _of_list(item):
    if isinstance(item, Parameter):
        return item.name, item
    if isinstance(item, dict) and isinstance(item.get("name"), str) and isinstance(item.get("data"), Tensor):
        return item["name"], item["data"]
    shown = {k: type(v).__name__ for k, v in item.items()} if isinstance(item, dict) else type(item).__name__
    raise TypeError(
        f'For \'save_checkpoint\', a list should hold Parameters, or dicts {{"name": str, "data": Parameter or Tensor}}, but one element is {shown}.'
    )


def _appended(append_dict):
    if append_dict is None:
        return
    if not isinstance(append_dict, dict):
        raise TypeError(f"For 'save_checkpoint', 'append_dict' must be a dict, but got {type(append_dict)}.")
    for name, value in append_dict.items():
        if not isinstance(name, str) or not isinstance(value, int | float | bool | str | Tensor | Generator):
            raise TypeError(
                "For 'save_checkpoint', 'append_dict' should have str keys and int, float, bool, str, Tensor, Parameter or Generator as values, "
                f"but got the key {name!r} of type {type(name).__name__} with a value of type {type(value).__name__}."
            )
        if isinstance(value, Generator):
            value = value.get_state()
        yield name, value if isinstance(value, str | Tensor) else Tensor(value)


def _snapshot(name, value):
    """The value as it is now: text, or (shape, dtype, function that gives the NumPy array)."""
    if isinstance(value, str):
        return value
    if isinstance(value, np.ndarray):
        array = value.copy()
        _dtypes.known(array.dtype, name)
        return array.shape, array.dtype, lambda: array
    return _tree.snapshot(value)


# Writing it -----------------------------------------------------------------------------------------------------------


def _writer(path, entries, key, mode, crc, format, options):
    """A function that writes the file."""
    if format == "ckpt":

        def write():
            with replacing(path) as out:
                _ckpt.write(out, ((n, v if isinstance(v, str) else v[2]) for n, v in entries.items()), key, mode, crc)

        return write
    texts = {_safetensors.TEXT + name: value for name, value in entries.items() if isinstance(value, str)}
    arrays = {name: value for name, value in entries.items() if not isinstance(value, str)}
    redundancy = options.get("remove_redundancy")

    def write_safetensors():
        metadata = {"format": "ms"} | texts
        if redundancy is not None:
            metadata["remove_redundancy"] = str(redundancy)
        if crc:
            metadata["crc_num"] = str(_safetensors.checksum((name, arrays[name][2]()) for name in sorted(arrays)))
        with replacing(path) as out:
            _safetensors.write(out, arrays, metadata)

    _safetensors.check_dtypes(arrays)
    return write_safetensors
