"""Decoding files. JPEG's standard leaves the last bits open, so results are compared within two grey levels: lines give float32."""

import numpy as np

from tests.oracle import dataset_files
from tests.oracle.dataset_expressions import cases

FILES = {name: value for name, value in vars(dataset_files).items() if isinstance(value, bytes)}
ARRAYS = {name: np.frombuffer(value, np.uint8) for name, value in FILES.items()}

LINES = "\n".join(
    [
        *(f"np.float32(V.Decode()({name}))" for name in ARRAYS),
        *(f"np.float32(V.Decode(True)({name}))" for name in ARRAYS if name != "GREY16"),
        *(f"np.float32(V.read_image(file('image', {name}.tobytes()), V.ImageReadMode.{mode}))" for name in ARRAYS for mode in ("UNCHANGED", "COLOR", "GRAYSCALE")),
        "np.float32(V.RandomCropDecodeResize((20, 30), (1.0, 1.0), (53 / 37, 53 / 37))(COLOUR))",
        "np.float32(V.RandomCropDecodeResize((20, 30), (1.0, 1.0), (3.0, 3.0), max_attempts=1)(COLOUR))",
        "np.float32(T.Compose([V.Decode(), V.Resize(20), V.CenterCrop(16)])(COLOUR))",
        "T.Compose([V.Decode(), V.Resize(20), V.Normalize([127.0] * 3, [60.0] * 3), V.HWC2CHW()])(COLOUR) * 60",
        "V.Decode()(COLOUR[:40])",
        "V.Decode()(COLOUR[:3])",
        "V.Decode()(COLOUR[:0])",
        "V.read_file(file('some', b'abc'))",
        "V.read_image(file('some', b'abc'))",
    ]
)
CASES = cases(LINES, ARRAYS)
