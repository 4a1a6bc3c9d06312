"""Writes `files/here_*`, which genuine MindSpore is then given to read; see `make_files`.

python -m tests.serialization.make_here
"""

import os
import pathlib

import sporax
from tests.serialization import contents

FILES = pathlib.Path(__file__).parent / "files"


def write(folder):
    dtypes, shapes = contents.parameters(sporax, contents.dtypes()), contents.parameters(sporax, contents.shapes())
    save = sporax.save_checkpoint
    save(dtypes, f"{folder}/here_dtypes.ckpt")
    save(dtypes, f"{folder}/here_dtypes.safetensors", format="safetensors")
    save(shapes, f"{folder}/here_shapes.ckpt", append_dict=contents.APPENDED)
    save(shapes, f"{folder}/here_shapes.safetensors", format="safetensors")
    save(shapes, f"{folder}/here_crc.ckpt", crc_check=True)
    save(shapes, f"{folder}/here_crc.safetensors", crc_check=True, format="safetensors")
    for mode, key in contents.KEYS.items():
        save(shapes, f"{folder}/here_{mode}.ckpt", enc_key=key, enc_mode=mode)


if __name__ == "__main__":
    write(str(FILES))
    for path in FILES.glob("here_*"):
        os.chmod(path, 0o644)
