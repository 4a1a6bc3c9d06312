"""`sporax convert`: a checkpoint in another format, with other names."""

import sys


def convert(source, target, map_file=None, names=None, dtype=None, listed=False):
    """Convert a file; returns the exit status.

    Args:
        source: path of a `.ckpt` or `.safetensors` file.
        target: path of the file to write.
        map_file: path of a JSON table of names. Default: None.
        names: "from-torch" or "to-torch". Default: None, the names stay.
        dtype: name of the dtype of floating-point parameters. Default: None, their own.
        listed: whether every parameter is printed. Default: False.
    """
    from sporax._core import dtype as dtypes
    from sporax.train.serialization._convert import convert_checkpoint, read_name_map

    try:
        name_map = None if map_file is None else read_name_map(map_file)
        rows = convert_checkpoint(source, target, name_map, names, None if dtype is None else getattr(dtypes, dtype))
    except (OSError, ValueError, TypeError, ImportError) as error:
        print(f"sporax convert: {error}", file=sys.stderr)
        return 1
    if listed:
        for old, new, shape in rows:
            print(f"{old} -> {new}  {tuple(shape)}" if old != new else f"{old}  {tuple(shape)}")
    print(f"{target}: {len(rows)} parameters, {sum(old != new for old, new, _ in rows)} of them renamed")
    return 0
