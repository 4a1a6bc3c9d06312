"""Makes `files/genuine_*` with genuine MindSpore, and records in `read_by_genuine.json` what it reads from `files/here_*`.

    cd /tmp && PYTHONPATH=<checkout> <python with mindspore> -m tests.serialization.make_files

`files/here_*` are made by Sporax, with `python -m tests.serialization.make_here`, first.
"""

import hashlib
import json
import os
import pathlib

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn

from tests.serialization import contents

FILES = pathlib.Path(__file__).parent / "files"


def save(name, table, **options):
    path = FILES / f"genuine_{name}"
    path.unlink(missing_ok=True)
    ms.save_checkpoint(contents.parameters(ms, table), str(path), **options)
    os.chmod(path, 0o644)


def write():
    dtypes, shapes = contents.dtypes(), contents.shapes()
    save("dtypes.ckpt", dtypes)
    save("dtypes.safetensors", dtypes, format="safetensors")
    save("shapes.ckpt", shapes, append_dict=dict(contents.APPENDED))
    save("shapes.safetensors", shapes, format="safetensors")
    save("crc.ckpt", shapes, crc_check=True)
    save("crc.safetensors", shapes, crc_check=True, format="safetensors")
    for mode, key in contents.KEYS.items():
        save(f"{mode}.ckpt", shapes, enc_key=key, enc_mode=mode)
    net = nn.SequentialCell(nn.Conv2d(1, 2, 3), nn.BatchNorm2d(2), nn.Flatten(), nn.Dense(2 * 4 * 4, 3))
    for i, p in enumerate(net.get_parameters()):
        p.set_data(Tensor(np.linspace(-1, 1, p.size, dtype=np.float32).reshape(p.shape) + i))
    path = FILES / "genuine_cell.ckpt"
    path.unlink(missing_ok=True)
    ms.save_checkpoint(net, str(path))
    os.chmod(path, 0o644)


def describe(value):
    if isinstance(value, str):
        return {"text": value}
    array = value.asnumpy() if value.dtype != ms.bfloat16 else value.astype(ms.float32).asnumpy()
    return {"dtype": str(value.dtype), "shape": list(value.shape), "sha256": hashlib.sha256(array.tobytes()).hexdigest()}


def read():
    found = {}
    for path in sorted(FILES.glob("here_*")):
        mode = next((m for m in contents.KEYS if m in path.name), None)
        options = {"dec_key": contents.KEYS[mode], "dec_mode": mode} if mode else {}
        options["crc_check"] = "crc" in path.name
        loaded = ms.load_checkpoint(str(path), format=path.suffix[1:], **options)
        found[path.name] = {name: describe(value) for name, value in loaded.items()}
    text = json.dumps(found, indent=1, sort_keys=True, ensure_ascii=False)
    (FILES.parent / "read_by_genuine.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    write()
    read()
