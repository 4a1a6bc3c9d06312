"""What the files in `files/` hold: the same arrays, whoever writes or reads them."""

import numpy as np

KEYS = {"AES-GCM": b"0123456789abcdef", "AES-CBC": b"0123456789abcdef01234567", "SM4-CBC": b"fedcba9876543210"}
BFLOAT16 = "net.bfloat16"
NUMPY = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64".split()


def dtypes():
    """One array for each dtype that MindSpore reads, with its extremes."""
    table = {}
    for name in NUMPY:
        dtype = np.dtype(name)
        if name == "bool":
            array = np.array([[True, False, True], [False, False, True]])
        elif dtype.kind in "iu":
            array = np.array([[0, 1, 2], [np.iinfo(dtype).min, np.iinfo(dtype).max, 5]], dtype)
        else:
            array = np.array([[0.0, -0.0, 0.1], [np.inf, -np.inf, np.finfo(dtype).tiny]], dtype)
        table[f"net.{name}"] = array
    # numbers that bfloat16 has, as float32: NumPy has no bfloat16 of its own
    table[BFLOAT16] = np.array([0.333984375, -2.5, 2.0**127, 0.0], np.float32)
    return table


def shapes():
    """A scalar, one element, many axes, and a name that isn't ASCII."""
    return {
        "scalar": np.array(2.5, np.float32),
        "one": np.array([7], np.int32),
        "axes": np.arange(16, dtype=np.float32).reshape(1, 2, 1, 2, 2, 2, 1),
        "名前.γ": np.array([1.5, 2.5], np.float64),
    }


# text and numbers of `append_dict`
APPENDED = {"epoch": 3, "loss": 0.1, "done": True, "note": "été 学习", "empty": ""}
READ_APPENDED = {"epoch": np.array(3, np.int64), "loss": np.array(0.1, np.float32), "done": np.array(True), "note": "été 学习", "empty": ""}


def parameters(ms, table):
    """The arrays as Parameters of a framework."""
    return [ms.Parameter(ms.Tensor(array, ms.bfloat16 if name == BFLOAT16 else None), name=name) for name, array in table.items()]


def same(array, expected):
    """Whether two arrays are the same bit for bit."""
    return array.dtype == expected.dtype and array.shape == expected.shape and array.tobytes() == expected.tobytes()
