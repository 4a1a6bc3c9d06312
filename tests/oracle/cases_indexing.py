"""Indexing and index assignment: (shape, dtype, statement as text).

In a statement `x` is the tensor (0, 1, 2, ... in its shape; for bool the odd ones are True), `t(values)` an int64 tensor, `t32(values)` an int32
one, `f(values)` a float32 one, `m(values)` a bool tensor; `np` and `ms` are the modules. A statement with "=" changes `x`, the result is `x`
afterwards; another is an expression, the result is its value.
"""

import numpy as np

GETS = {
    (6,): """
        x[0]; x[5]; x[-1]; x[-6]; x[6]; x[-7]; x[:]; x[...]; x[None]; x[1:4]; x[:3]; x[3:]; x[-3:]; x[:-2]; x[::2]; x[1::2]; x[1:5:3]; x[::-1]; x[4:1:-1]; x[::-2]
        x[10:]; x[2:100]; x[3:1]; x[-100:2]; x[5:2]; x[::0]; x[None, :]; x[:, None]; x[None, None]; x[..., None]; x[None, ..., None]; x[True]; x[False]
        x[[0, 2]]; x[[0, -1]]; x[[2]]; x[[]]; x[[0, 6]]; x[[0, -7]]; x[[[0, 1], [2, 3]]]; x[(1,)]; x[()]; x[[True, False, True, False, True, False]]; x[[True, False]]
        x[t(0)]; x[t(-1)]; x[t([0, 2])]; x[t([[0, 1], [4, 5]])]; x[t([])]; x[t([-1, -6])]; x[t([6])]; x[t([-7])]; x[t32([1, 3])]; x[t(6)]
        x[m([True, False, True, False, False, True])]; x[m([False] * 6)]; x[m([True, False])]; x[x > 2]; x[(x > 1) & (x < 4)]; x[m(True)]; x[m(False)]
        x[np.array([0, 2])]; x[np.int64(3)]; x[np.int32(-2)]; x[np.array(3)]; x[np.array([True, False, True, False, True, False])]; x[np.array([1, 2], np.int32)]
        x[np.array([0.5])]; x[f([0, 1])]; x[1.0]; x["a"]; x[0, 0]; x[..., ...]; x[:, :]; x[t(1):t(4)]; x[t(1):]; x[::t(2)]; x[slice(1, 4)]; x[slice(None)]
        x[range(2)]; x[range(1, 6, 2)]; x[(0, 2),]; x[((0, 2),)]; x[1, None]; x[None, 1]; x[None, [0, 2]]; x[..., [0, 2]]; x[np.bool_(True)]; x[1j]; x[{0}]; x[-1:]
        x[t([0, 0, 0])]; x[np.arange(6)]; x[5:0:-2]; x[ms.Tensor(np.array([1, 2], np.uint8))]; x[ms.Tensor(np.array([1, 2], np.int8))]; x[:0]; x[0:0, None]
    """,
    (3, 4): """
        x[0]; x[-1]; x[3]; x[1, 2]; x[-1, -1]; x[1, 4]; x[:, 1]; x[1, :]; x[:, -1]; x[..., 0]; x[0, ...]; x[:, 1:3]; x[1:, ::2]; x[::-1]; x[:, ::-1]; x[::-1, ::-1]
        x[None]; x[:, None]; x[..., None]; x[1, None, 2]; x[None, 1, ..., None, 2]; x[:, :, None]; x[1, 2, 0]; x[:, :, :]; x[[0, 2]]; x[[0, 2], [1, 3]]; x[[0, 2], 1]
        x[1, [0, 2]]; x[:, [0, 2]]; x[[0, 2], :]; x[[0, 1], 1:3]; x[1:, [3, 0]]; x[[[0, 1], [2, 0]]]; x[[0, 1, 2], [0, 1]]; x[[0], [0, 1]]; x[[[0], [2]], [1, 3]]
        x[t([0, 2])]; x[t([0, 2]), t([1, 3])]; x[t([0, 2]), 1]; x[:, t([0, 2])]; x[..., t([1])]; x[t([[0], [2]]), t([1, 3])]; x[t(1), 2]; x[t(1), t(2)]; x[1, t([0, 2])]
        x[t([0, 2]), 1:3]; x[t([[0, 1]])]; x[t([0, 2]), None]; x[None, t([0, 2])]; x[t([0, 2]), ..., None]; x[t([0, 1]), [2, 3]]; x[t([0, 1]), np.array([2, 3])]
        x[x > 5]; x[x > 100]; x[m([True, False, True])]; x[m([True, False, True]), 1]; x[:, m([True, False, True, False])]; x[m([True, False, True]), :2]
        x[m([True, False, True]), t([1, 3])]; x[m([True, False, True, True])]; x[1, m([True, False, True, True])]; x[..., m([True, False, True, True])]
        x[[True, False, True]]; x[np.array([True, False, True])]; x[np.array([0, 2]), np.array([1, 3])]; x[np.ones((3, 4), bool)]; x[True]; x[False]; x[True, 1]; x[1, True]
        x[None, True]; x[(0, 1)]; x[((0, 1), (2, 3))]; x[[(0, 1), (2, 3)]]; x[[0, 1], None]; x[[0, 1], ...]; x[..., [0, 1], None]; x[1:2, 1:2]; x[3:, :]; x[5:]
        x[np.int64(1), np.int64(2)]; x[slice(0, 2), slice(1, 3)]; x[(slice(0, 2), 1)]; x[t([0, 5])]; x[[0, 5]]; x[:, [0, 9]]; x[t([-1]), t([-4])]; x[t([-4])]; x[...]
        x[1][2]; x[1:][0]; x[:, 1][2]; x[:2][:, 1:]; x.T[1]; x[t([0, 1]) + 1]; x[m([[True] * 4] * 3)]; x[..., 1:3, None]; x[None, ..., 1]; x[t([])]; x[[], 1]
        x.sum(0)[1]; x[0][::2]; x[-2:, -2:]; x[-1:-4:-1]; x[2:0:-1, 3:0:-2]
    """,
    (2, 3, 4): """
        x[1]; x[1, 2]; x[1, 2, 3]; x[..., 1]; x[1, ..., 2]; x[:, 1]; x[:, :, 1]; x[1, None, ..., t([0, 2])]; x[:, [0, 2]]; x[:, [0, 2], 1]; x[0, :, [1, 2]]; x[[0, 1], :, [1, 2]]
        x[[0, 1], [1, 2]]; x[[0, 1], [1, 2], [2, 3]]; x[:, [0, 2], [1, 3]]; x[[0, 1], ..., 1]; x[..., [0, 1], :]; x[t([0, 1]), :, t([1, 2])]; x[t([[0], [1]]), :, t([1, 2])]
        x[0, t([0, 2])]; x[0, :, t([0, 2])]; x[:, t([0, 2]), None]; x[None, :, t([0, 2])]; x[t([1, 0]), 1:, ::2]; x[::-1, ::-1, ::-1]; x[x > 11]; x[m([True, False])]
        x[m([[True, False, True], [False, True, False]])]; x[m([[True, False, True], [False, True, False]]), 1]; x[0, m([True, False, True])]; x[:, m([True, False, True])]
        x[:, m([True, False, True]), 1]; x[:, m([True, False, True]), [0, 3]]; x[1:, 0:2, 1:4:2]; x[None, ..., None]; x[:, None, :, None]; x[1, :, None, 2]; x[..., None, 1]
        x[1, 2, 3, None]; x[1, 2, 3, 4]; x[0, [0, 1], [0, 1]]; x[[0, 1], 0, :]; x[[0, 1], 0, [2, 3]]; x[0, 1:, [2, 3]]; x[[0, 1], None, [0, 1]]; x[:, [[0, 1], [1, 2]]]
        x[t([0, 1]), t([0, 1]), 1:3]; x[1:, t([0, 2]), 1:3]; x[:, 1, [0, 2]]; x[:, [0, 2], 1:3]; x[[True, False]]; x[True, :, 0]; x[:, True]; x[..., ..., 0]; x[0, ..., ...]
    """,
    (): "x[...]; x[()]; x[None]; x[0]; x[:]; x[True]; x[False]; x[..., None]; x[m(True)]",
    (0, 3): "x[0]; x[:]; x[:, 1]; x[t([])]; x[None]; x[x > 1]; x[:, [0, 2]]; x[0:1]",
    (1, 1): "x[0, 0]; x[0]; x[[0, 0]]; x[..., 0]; x[m([[True]])]",
    (2, 2, 2, 2, 2): "x[1, 0, 1, 0, 1]; x[:, [0, 1], :, [1, 0]]; x[..., 0]; x[1, ..., [0, 1], :]; x[None, 1, ..., 1, None]",
}
SETS = {
    (6,): """
        x[0] = 5; x[-1] = 5; x[6] = 5; x[1:4] = 9; x[::2] = -1; x[::-1] = t([1, 2, 3, 4, 5, 6]); x[1:4] = f([7, 8, 9]); x[1:4] = [7, 8, 9]; x[1:4] = (7, 8, 9); x[:] = 3
        x[...] = 4; x[[0, 2]] = 5; x[[0, 2]] = f([7, 8]); x[[0, 0]] = f([7, 8]); x[t([0, 2])] = 5; x[t([0, 2])] = f([7, 8]); x[t(1)] = 5; x[x > 2] = 0; x[x > 2] = f([7, 8, 9])
        x[x > 100] = 1; x[m([True, False] * 3)] = 5; x[m([True, False] * 3)] = f([1, 2, 3]); x[m([True, False] * 3)] = f([1, 2]); x[np.array([1, 3])] = 5; x[True] = 5; x[False] = 5
        x[None] = 5; x[1] = f([5]); x[1] = f([5, 6]); x[1] = True; x[1] = 2.7; x[1] = np.float32(2.5); x[1:3] = np.array([1.5, 2.5]); x[1:4] = f([1, 2]); x[3:1] = 5; x[10:] = 5
        x[1] += 2; x[1:4] *= 2; x[t([0, 0])] += 1; x[[0, 1]] -= 3; x[x > 2] *= 10; x[1] = "a"; x[1] = None; x[1.0] = 5; x[t([6])] = 1; x[[6]] = 1; x[t([-1])] = 1; x[::0] = 1
        x[1] = x[2]; x[1:] = x[:-1]; x[:] = x[::-1]; x[1:3] = 1 + 0j; x[[]] = 5; x[(0, 2),] = 5; x[range(2)] = 5; x[1] = t(7); x[4:1:-1] = f([1, 2, 3]); x[np.int64(2)] = 5
    """,
    (3, 4): """
        x[1] = 5; x[1] = f([1, 2, 3, 4]); x[1, 2] = 5; x[1, 2] = f(5); x[:, 1] = 5; x[:, 1] = f([1, 2, 3]); x[:, 1:2] = f([[1], [2], [3]]); x[1:, ::2] = 9; x[..., 0] = f([7, 8, 9])
        x[[0, 2]] = 5; x[[0, 2], [1, 3]] = 5; x[[0, 2], [1, 3]] = f([7, 8]); x[[0, 2], 1] = 5; x[:, [0, 2]] = 5; x[:, [0, 2]] = f([7, 8]); x[1, [0, 2]] = f([7, 8])
        x[t([0, 2])] = f([1, 2, 3, 4]); x[t([0, 2]), t([1, 3])] = f([7, 8]); x[:, t([0, 2])] = 5; x[t([[0], [2]]), t([1, 3])] = 5; x[x > 5] = 0; x[x > 5] = f([9])
        x[m([True, False, True])] = 5; x[m([True, False, True])] = f([1, 2, 3, 4]); x[m([True, False, True]), 1] = 5; x[:, m([True, False, True, False])] = 5
        x[1, m([True, False, True, False])] = 5; x[np.array([0, 2]), np.array([1, 3])] = 5; x[None, 1] = 5; x[1, None] = f([1, 2, 3, 4]); x[3] = 5; x[0, 4] = 5; x[1] = f([1, 2])
        x[:] = f([1, 2, 3, 4]); x[...] = f([[1], [2], [3]]); x[:2, :2] = f([[1, 2], [3, 4]]); x[::-1] = x; x[0] = x[1]; x[0], x[1] = x[1], x[0]; x[1, :] += 10; x[:, 1] *= 2
        x[0, 0] += 1; x[[0, 0], [1, 1]] += 5; x[1][2] = 5; x[True] = 5; x[1] = [9, 8, 7, 6]; x[1:3] = [[1, 2, 3, 4], [5, 6, 7, 8]]; x[0, 0, 0] = 5; x[[[0, 1], [2, 0]], 1] = 5
        x[m([[True, False] * 2] * 3)] = -1; x[..., None] = 5; x[t(1), 2] = 5; x[1, t(2)] = 5; x[2:0:-1] = f([1, 2, 3, 4]); x[(0, 1)] = 5; x[[True, False, True]] = 5
    """,
    (2, 3, 4): """
        x[1] = 5; x[1, 2] = f([1, 2, 3, 4]); x[..., 1] = 5; x[:, [0, 2], 1] = 5; x[0, :, [1, 2]] = 5; x[[0, 1], :, [1, 2]] = 5; x[t([0, 1]), :, t([1, 2])] = f([[1, 2, 3], [4, 5, 6]])
        x[:, t([0, 2])] = f([1, 2, 3, 4]); x[x > 11] = 0; x[m([[True, False, True], [False, True, False]])] = 5; x[1, ..., 2] = f([1, 2, 3]); x[:, 1:, ::2] = 7; x[0, 1:, [2, 3]] = 5
        x[m([[True, False, True], [False, True, False]]), 1] = 5; x[:, m([True, False, True]), 1] = 9; x[:, None] = 5; x[1, 2, 3] = 5; x[1:, t([0, 2]), 1:3] = 5
    """,
    (): "x[...] = 5; x[()] = 5; x[0] = 5; x[None] = 5; x[True] = 5; x[:] = 5",
    (0, 3): "x[:] = 5; x[:, 1] = 5; x[0] = 5; x[x > 1] = 5",
}
DTYPES = {
    ("float16", (6,)): "x[1:3]; x[t([0, 2])]; x[x > 2]; x[1] = 2.5; x[1:3] = f([1, 2]); x[t([0, 2])] = 1",
    ("bfloat16", (6,)): "x[1:3]; x[t([0, 2])]; x[1] = 2.5; x[[0, 1]]",
    ("float64", (6,)): "x[1:3]; x[t([0, 2])]; x[1] = 2.5; x[1:3] = f([1, 2]); x[x > 2] = 0",
    (
        "int32",
        (6,),
    ): "x[1]; x[1:3]; x[t([0, 2])]; x[x > 2]; x[1] = 2.7; x[1] = True; x[1:3] = f([1.5, 2.5]); x[t([0, 2])] = 1.5; x[x > 2] = 2.5; x[1] += 1.5",
    ("int64", (6,)): "x[1:3]; x[t([0, 2])]; x[1] = 2.7; x[x % 2 == 0]; x[x > 2] = 1",
    ("int8", (6,)): "x[1:3]; x[t([0, 2])]; x[1] = 300; x[1] = 5; x[x > 2]",
    ("uint8", (6,)): "x[1:3]; x[t([0, 2])]; x[1] = -1; x[x > 2] = 0",
    ("bool", (6,)): "x[1]; x[1:3]; x[t([0, 2])]; x[x]; x[1] = True; x[1] = 0; x[1:3] = 1; x[x] = False; x[t([0, 2])] = True; x[2] = 2.5",
    ("complex64", (6,)): "x[1]; x[1:3]; x[t([0, 2])]; x[1] = 2; x[1] = 1j; x[::-1]",
}
OTHERS = {
    "len": "len(x)", "len zero_d": "len(x[0, 0])", "iteration": "[row for row in x]", "unpacking": "[*x]", "in": "5 in x", "in absent": "50 in x",
    "tolist": "x.tolist()", "item": "x[1, 2].item()", "item of matrix": "x.item()", "list of zero_d": "[v for v in x[0, 0]]", "enumerate": "[(i, v.sum()) for i, v in enumerate(x)]",
    "zip": "[a + b for a, b in zip(x, x)]", "reversed": "list(reversed(x))", "bool of matrix": "bool(x)", "int of element": "int(x[1, 1])", "float of element": "float(x[1, 1])",
    "index with element": "[10, 20, 30][x.astype(ms.int32)[0, 1]]", "range of element": "list(range(x.astype(ms.int32)[0, 3]))", "max": "max(x[0])", "sum": "sum(x)", "sorted": "sorted(x[0])",
    "take": "x.take(t([0, 2]), 0)", "gather": "ms.ops.gather(x, t([0, 2]), 1)", "gather_elements": "ms.ops.gather_elements(x, 1, t([[0, 1], [1, 2], [3, 0]]))",
    "gather_nd": "ms.ops.gather_nd(x, t([[0, 1], [2, 3]]))", "masked_select": "ms.ops.masked_select(x, x > 5)", "masked_fill": "ms.ops.masked_fill(x, x > 5, ms.Tensor(-1.0))",
    "index_select": "x.index_select(1, t([0, 3]))", "narrow": "x.narrow(1, 1, 2)", "nonzero": "ms.ops.nonzero(x > 5)", "where": "ms.ops.where(x > 5, x, -x)",
    "scatter": "ms.ops.scatter(x, 1, t([[0], [1], [2]]), f([[9], [8], [7]]))", "tensor_scatter_update": "ms.ops.tensor_scatter_update(x, t([[0, 1], [2, 3]]), f([9, 8]))",
    "tensor_scatter_add": "ms.ops.tensor_scatter_add(x, t([[0, 1], [0, 1]]), f([9, 8]))", "index_add": "x.index_add(0, t32([0, 2]), f([[1] * 4] * 2))", "select": "x.select(0, 1)",
    "slice op": "ms.ops.slice(x, (0, 1), (2, 2))", "strided_slice": "ms.ops.strided_slice(x, (0, 1), (3, 4), (2, 2))", "split": "x.split(2, 1)", "chunk": "x.chunk(2, 1)", "unbind": "x.unbind(0)",
    "gather out of range": "ms.ops.gather(x, t([0, 7]), 0)", "diagonal": "x.diagonal()", "roll": "ms.ops.roll(x, 1, 0)", "setitem method": "x.__setitem__((0, 1), 5)",
    "getitem method": "x.__getitem__((0, 1))", "index_put": "x.index_put((t([0, 2]), t([1, 3])), f([7, 8]))", "itemset": "x.itemset((0, 1), 5)",
}  # fmt: skip

WRONG = {  # where genuine's numbers contradict NumPy's (and its own documentation): a test compares with NumPy instead
    "float32[3, 4] x[-1:-4:-1]": "the last row that a negative step should reach, row 0, is missing",
}


def environment(ms, shape, dtype):
    values = np.arange(int(np.prod(shape)), dtype=np.float32).reshape(shape)
    x = ms.Tensor(values % 2 == 1) if dtype == "bool" else ms.Tensor(values).astype(getattr(ms, dtype))
    return {
        "x": x, "ms": ms, "np": np, "t": lambda v: ms.Tensor(np.asarray(v, np.int64)), "t32": lambda v: ms.Tensor(np.asarray(v, np.int32)),
        "f": lambda v: ms.Tensor(np.asarray(v, np.float32)), "m": lambda v: ms.Tensor(np.asarray(v, np.bool_)),
    }  # fmt: skip


def statement(shape, dtype, text):
    """The case of one statement."""

    def case(ms):
        names = environment(ms, shape, dtype)
        if assigns(text):
            exec(text, names)  # noqa: S102
            return names["x"]
        return eval(text, names)  # noqa: S307

    return case


def assigns(text):
    return any(f" {op}= " in text for op in ("", "+", "-", "*"))


def split(block):
    return [part.strip() for line in block.strip().splitlines() for part in line.split(";") if part.strip()]


def _all():
    for table in (GETS, SETS):
        for shape, block in table.items():
            for text in split(block):
                yield shape, "float32", text
    for (dtype, shape), block in DTYPES.items():
        for text in split(block):
            yield shape, dtype, text


CASES = {f"{dtype}{list(shape)} {text}": statement(shape, dtype, text) for shape, dtype, text in _all()}
CASES |= {f"other {name}": statement((3, 4), "float32", text) for name, text in OTHERS.items()}


T, M = np.array([0, 0, 2]), np.array([True, False, True])
GRADIENTS = {  # not as text: Graph mode and MindSpore's parser read the source of what is differentiated
    "slice": lambda ms: lambda y: (y[1:, ::2] ** 2).sum(),
    "tensor": lambda ms: lambda y: (y[ms.Tensor(T)] ** 2).sum(),
    "two tensors": lambda ms: lambda y: (y[ms.Tensor(T), ms.Tensor(T)] ** 2).sum(),
    "list": lambda ms: lambda y: (y[[0, 0], [1, 1]] ** 2).sum(),
    "mask": lambda ms: lambda y: (y[ms.Tensor(M)] ** 2).sum(),
    "condition": lambda ms: lambda y: (y[y > 5] ** 2).sum(),
    "int": lambda ms: lambda y: y[1, 2] * y[1, 2],
    "negative step": lambda ms: lambda y: (y[::-1] * y).sum(),
    "none": lambda ms: lambda y: (y[None, :, None] ** 2).sum(),
    "mixed": lambda ms: lambda y: (y[ms.Tensor(T), 1:3] ** 2).sum(),
    "iteration": lambda ms: lambda y: sum([(row * i).sum() for i, row in enumerate(y)]),
}


def assigned(index, value):
    """The gradients with respect to both of the sum of squares after y[index] = v."""

    def case(ms):
        def f(y, v):
            z = y * 1
            z[index(ms) if callable(index) else index] = v
            return (z**2).sum()

        return ms.grad(f, (0, 1))(environment(ms, (3, 4), "float32")["x"], ms.Tensor(np.asarray(value, np.float32)))

    return case


CASES |= {
    f"gradient of {name}": (lambda ms, make=make: ms.grad(make(ms))(environment(ms, (3, 4), "float32")["x"])) for name, make in GRADIENTS.items()
}
CASES |= {
    "gradient of assignment int": assigned(1, [1, 2, 3, 4]),
    "gradient of assignment slice": assigned((slice(None), slice(1, 3)), [2, 3]),
    "gradient of assignment element": assigned((1, 2), 5),
    "gradient of assignment tensor": assigned(lambda ms: ms.Tensor(np.array([0, 2])), [1, 2, 3, 4]),
    "gradient of assignment mask": assigned(lambda ms: ms.Tensor(M), 5),
}
