"""Checks of arguments that saving and loading share."""

import os

FORMATS = ("ckpt", "safetensors")


def instance(name, value, kinds, text):
    """The value, or MindSpore's error where it is of another kind."""
    if not isinstance(value, kinds):
        raise ValueError(f"The parameter '{name}' must be {text}, but got {value!r} of type {type(value).__name__}.")
    return value


def boolean(function, name, value):
    """A bool, or MindSpore's error."""
    if not isinstance(value, bool):
        raise TypeError(f"For '{function}', '{name}' must be a bool, but got {value!r} of type {type(value).__name__}.")
    return value


def no_encryption(function, format, **given):
    """The safetensors format has no encryption."""
    if format == "safetensors":
        for name, (value, default) in given.items():
            if value != default:
                raise ValueError(
                    f"For '{function}', when format is 'safetensors', '{name}' must be {default!r}, but got {value!r}: use format='ckpt'."
                )


def prefixes(value):
    """What `specify_prefix` and `filter_prefix` may be, as a tuple; None stays."""
    if value is None:
        return None
    if not isinstance(value, str | list | tuple):
        raise TypeError(f"For 'load_checkpoint', 'specify_prefix' and 'filter_prefix' must be a str, list or tuple of str, but got {type(value)}.")
    value = (value,) if isinstance(value, str) else tuple(value)
    if not value:
        raise ValueError("For 'load_checkpoint', 'specify_prefix' and 'filter_prefix' can't be empty.")
    for i, prefix in enumerate(value):
        if not isinstance(prefix, str):
            raise TypeError(f"For 'load_checkpoint', the prefixes must be str, but got {type(prefix)} at index {i}.")
        if not prefix:
            raise ValueError("For 'load_checkpoint', a prefix can't be '', which every name has.")
    return value


def output_path(save_obj_kind, name, format):
    """The path that `save_checkpoint` writes."""
    if format not in FORMATS:
        raise ValueError(f"For 'save_checkpoint', the format must be 'safetensors' or 'ckpt', but got {format!r}.")
    if save_obj_kind is not None:
        raise TypeError(f"For 'save_checkpoint', the parameter 'save_obj' must be nn.Cell, list or dict, but got {save_obj_kind}.")
    if not isinstance(name, str):
        raise TypeError(f"For 'save_checkpoint', 'ckpt_file_name' must be a str, but got {name!r} of type {type(name).__name__}.")
    path = os.path.realpath(name)
    if os.path.isdir(path):
        raise IsADirectoryError(f"For 'save_checkpoint', 'ckpt_file_name' must be the name of a file, but {path} is a directory.")
    return path if path.endswith(format) else f"{path}.{format}"
