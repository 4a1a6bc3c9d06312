"""`load_checkpoint`: what a file holds, as Parameters."""

import difflib
import io
import os
import threading
from concurrent.futures import Future

from sporax._core.parameter import Parameter
from sporax._core.tensor import make_value, wrap
from sporax._names import log
from sporax.nn import Cell
from sporax.train.serialization import _arguments, _async, _ckpt, _crypto, _safetensors
from sporax.train.serialization._files import FileSource, MemorySource
from sporax.train.serialization._into_net import load_param_into_net
from sporax.train.serialization._wire import Damaged


def load_checkpoint(
    ckpt_file_name,
    net=None,
    strict_load=False,
    filter_prefix=None,
    dec_key=None,
    dec_mode="AES-GCM",
    specify_prefix=None,
    choice_func=None,
    crc_check=False,
    remove_redundancy=False,
    format="ckpt",
):
    """Load parameters from a file. Nothing in a file is ever executed, and no more memory is used than it has bytes.

    Args:
        ckpt_file_name: path of a file that ends in `format`; for "safetensors" also an `io.BytesIO`.
        net: a Cell that the parameters are loaded into, see `load_param_into_net`. Default: None.
        strict_load: passed on to `load_param_into_net`. Default: False.
        filter_prefix: str, or list or tuple of str: names that begin so are left out. Default: None.
        dec_key: bytes, the key of an encrypted file. Default: None.
        dec_mode: "AES-GCM", "AES-CBC" or "SM4-CBC". Default: "AES-GCM".
        specify_prefix: str, or list or tuple of str: only names that begin so are loaded. Default: None.
        choice_func: function that says of a name whether it is loaded; not asked where a prefix is given. Default: None, all are.
        crc_check: whether the CRC-32 that `save_checkpoint(crc_check=True)` wrote is compared. Default: False.
        remove_redundancy: whether the file was saved without what other devices of a parallel run have. Default: False.
        format: "ckpt" or "safetensors". Default: "ckpt".

    Returns:
        Dict from names to Parameters; text is a str.

    Raises:
        TypeError: an argument is of another kind.
        ValueError: there is no such file, it is damaged or of another format, the key is wrong, or nothing is left after filtering.

    Examples:
        >>> import os, tempfile
        >>> path = os.path.join(tempfile.mkdtemp(), "dense.ckpt")
        >>> ms.save_checkpoint(nn.Dense(3, 2), path)
        >>> ms.load_checkpoint(path, choice_func=lambda name: name == "bias")
        {'bias': Parameter (name=bias, shape=(2,), dtype=Float32, requires_grad=True)}
    """
    specify_prefix, filter_prefix = _arguments.prefixes(specify_prefix), _arguments.prefixes(filter_prefix)
    _arguments.instance("dec_key", dec_key, bytes | None, "bytes or None")
    _arguments.instance("dec_mode", dec_mode, str, "a str")
    _arguments.instance("crc_check", crc_check, bool, "a bool")
    _arguments.instance("remove_redundancy", remove_redundancy, bool, "a bool")
    _arguments.no_encryption("load_checkpoint", format, dec_key=(dec_key, None), dec_mode=(dec_mode, "AES-GCM"))
    if net is not None and not isinstance(net, Cell):
        raise TypeError(f"For 'load_checkpoint', 'net' should be a Cell, but got {type(net)}.")
    if dec_key is not None:
        _crypto.check_key(dec_key, dec_mode, ("dec_key", "dec_mode"))
    _async.wait()  # what is being written in the background may be this file
    with _source(ckpt_file_name, format) as source:
        chosen = _chooser(specify_prefix, filter_prefix, choice_func)
        try:
            if format == "ckpt":
                values, has_crc = _ckpt.read(source, chosen, dec_key, dec_mode, crc_check)
            else:
                values, has_crc, remove_redundancy = _read_safetensors(source, chosen, crc_check, remove_redundancy)
        except Damaged as error:
            raise ValueError(f"Failed to read the checkpoint file {source.name}: {error}.") from None
    if crc_check and not has_crc:
        log.warning("For 'load_checkpoint', %s has no crc code: it was saved without crc_check=True.", source.name)
    if not values:
        if not source.size:
            raise ValueError(f"The loaded parameter dict is empty: {source.name} has no bytes. Was whatever wrote it ended before it was done?")
        raise ValueError(
            f"The loaded parameter dict is empty: {source.name} holds nothing that 'filter_prefix', 'specify_prefix' and 'choice_func' let pass."
        )
    loaded = {name: as_parameter(name, value) for name, value in values.items()}
    if net is not None:
        load_param_into_net(net, loaded, strict_load, remove_redundancy)
    return loaded


def as_parameter(name, value):
    """A Parameter on an array that nobody else has; text and lists stay."""
    return value if isinstance(value, str | list) else Parameter(wrap(make_value(value)), name=name or None)


def _chooser(specify_prefix, filter_prefix, choice_func):
    if specify_prefix is None and filter_prefix is None:
        return choice_func or (lambda name: True)

    def chosen(name):
        return (specify_prefix is None or name.startswith(specify_prefix)) and not (filter_prefix is not None and name.startswith(filter_prefix))

    return chosen


def _source(file, format):
    """What the bytes are read from."""
    if format not in _arguments.FORMATS:
        raise ValueError(f"For 'load_checkpoint', 'format' should be 'ckpt' or 'safetensors', but got {format!r}.")
    if isinstance(file, io.BytesIO):
        if format == "ckpt":
            raise TypeError("For 'load_checkpoint', a BytesIO can only be a safetensors file: use format='safetensors'.")
        return MemorySource(file.getvalue(), "<BytesIO>")
    if not isinstance(file, str):
        raise TypeError(f"For 'load_checkpoint', 'ckpt_file_name' must be a str, but got {file!r} of type {type(file).__name__}.")
    if not file.endswith(format):
        other = next((f for f in _arguments.FORMATS if file.endswith(f)), None)
        fix = f"pass format={other!r}" if other else "a checkpoint's name ends in .ckpt or .safetensors"
        raise ValueError(f"For 'load_checkpoint', the name of the file must end in the format, but got {file!r} and format={format!r}: {fix}.")
    path = os.path.realpath(file)
    if not os.path.exists(path):
        raise ValueError(f"For 'load_checkpoint', the checkpoint file {path} does not exist.{nearby(path)}")
    try:
        return FileSource(path)
    except OSError as error:
        raise ValueError(f"Failed to read the checkpoint file {path}: {error.strerror}.") from error


def nearby(path):
    """What a message about a file that is not there says of the folder."""
    folder, name = os.path.split(path)
    if not os.path.isdir(folder):
        return f" There is no folder {folder} either."
    near = difflib.get_close_matches(name, os.listdir(folder), 3)
    return f" In that folder there is {', '.join(near)}." if near else ""


def _read_safetensors(source, chosen, crc_check, remove_redundancy):
    reader = _safetensors.Reader(source)
    names = sorted(reader.names)
    values: dict = {name: reader.array(name) for name in names if chosen(name)}
    for key, text in reader.metadata.items():
        if key.startswith(_safetensors.TEXT) and chosen(key[len(_safetensors.TEXT) :]):
            values.setdefault(key[len(_safetensors.TEXT) :], text)
    expected = reader.metadata.get("crc_num")
    if crc_check and expected is not None:
        found = _safetensors.checksum((name, reader.array(name) if name not in values else values[name]) for name in names)
        if str(found) != expected:
            raise Damaged(f"the crc check has failed: the file says {expected}, and its arrays give {found}")
    noted = remove_redundancy
    if reader.metadata.get("remove_redundancy") in ("True", "False"):
        noted = reader.metadata["remove_redundancy"] == "True"
    if noted != remove_redundancy:
        log.warning("For 'load_checkpoint', %s was saved with remove_redundancy=%s: that is what counts.", source.name, noted)
    return values, expected is not None, noted


class _Loading:
    """A file that is being loaded."""

    def __init__(self, work):
        self._future: Future = Future()
        threading.Thread(target=self._run, args=(work,), name="load_checkpoint_async").start()

    def _run(self, work):
        try:
            self._future.set_result(work())
        except BaseException as error:
            self._future.set_exception(error)

    def result(self):
        """The dict that `load_checkpoint` returns, once it is there; what it raised is raised here."""
        return self._future.result()


def load_checkpoint_async(
    ckpt_file_name,
    net=None,
    strict_load=False,
    filter_prefix=None,
    dec_key=None,
    dec_mode="AES-GCM",
    specify_prefix=None,
    choice_func=None,
):
    """Load parameters from a file in the background. The arguments are those of `load_checkpoint`; the name's ending says the format.

    Returns:
        An object whose `result()` waits and returns what `load_checkpoint` would.

    Raises:
        TypeError: `ckpt_file_name` is not a str. Everything else is raised by `result()`.

    Examples:
        >>> import os, tempfile
        >>> path = os.path.join(tempfile.mkdtemp(), "dense.ckpt")
        >>> ms.save_checkpoint(nn.Dense(3, 2), path)
        >>> sorted(ms.load_checkpoint_async(path).result())
        ['bias', 'weight']
    """
    if not isinstance(ckpt_file_name, str):
        raise TypeError(f"For 'load_checkpoint_async', 'ckpt_file_name' must be a str, but got {type(ckpt_file_name)}.")
    format = "safetensors" if ckpt_file_name.endswith(".safetensors") else "ckpt"
    return _Loading(
        lambda: load_checkpoint(ckpt_file_name, net, strict_load, filter_prefix, dec_key, dec_mode, specify_prefix, choice_func, format=format)
    )
