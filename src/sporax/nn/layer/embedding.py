"""Tables of vectors."""

from sporax import ops
from sporax._core import dtype as mstype
from sporax._core.tensor import Tensor
from sporax.common.initializer import initializer
from sporax.nn.cell import Cell
from sporax.nn.layer._make import flag, need_input, parameter, positive_int


class Embedding(Cell):
    """Rows of a table, looked up by index.

    Args:
        vocab_size: number of rows.
        embedding_size: their length.
        use_one_hot: compute by a product with one-hot vectors (the result is the same). Default: False.
        embedding_table: what `initializer` takes. Default: "normal".
        dtype: default float32.
        padding_idx: a row that starts as zeros. Default: None.

    Examples:
        >>> print(nn.Embedding(4, 2, embedding_table="ones")(Tensor([0, 3])))
        [[1. 1.]
         [1. 1.]]
    """

    def __init__(self, vocab_size, embedding_size, use_one_hot=False, embedding_table="normal", dtype=mstype.float32, padding_idx=None):
        super().__init__()
        self.vocab_size = positive_int("Embedding", "vocab_size", vocab_size)
        self.embedding_size = positive_int("Embedding", "embedding_size", embedding_size)
        self.use_one_hot, self.dtype, self.padding_idx = flag("Embedding", "use_one_hot", use_one_hot), dtype, padding_idx
        table = initializer(embedding_table, (vocab_size, embedding_size), dtype)
        if padding_idx is not None:
            if not 0 <= padding_idx < vocab_size:
                raise ValueError(f"For 'Embedding', 'padding_idx' should be in [0, {vocab_size}), but got {padding_idx}.")
            array = table.asnumpy()
            array[padding_idx] = 0
            table = Tensor(array)
        self.embedding_table = parameter(table, (vocab_size, embedding_size), "embedding_table", dtype)

    def construct(self, ids):
        need_input("Embedding", ids)
        table = self.embedding_table
        if self.use_one_hot:
            return ops.matmul(ops.one_hot(ids, self.vocab_size, Tensor(1.0, table.dtype), Tensor(0.0, table.dtype)), table)
        return ops.gather(table, ids, 0)

    def extend_repr(self):
        return (
            f"vocab_size={self.vocab_size}, embedding_size={self.embedding_size}, use_one_hot={self.use_one_hot}, "
            f"embedding_table={self.embedding_table}, dtype={self.dtype}, padding_idx={self.padding_idx}"
        )


class EmbeddingLookup(Cell):
    """`Embedding` with a limit on the norm of the rows it returns.

    Args:
        vocab_size, embedding_size: size of the table.
        param_init: what `initializer` takes. Default: "normal".
        target: "CPU" or "DEVICE"; the table lives where the computation does. Default: "CPU".
        slice_mode: how MindSpore would split the table over devices; must be "batch_slice" here. Default: "batch_slice".
        manual_shapes: must be None. Default: None.
        max_norm: rows with a larger norm are scaled down to it. Default: None.
        sparse: whether MindSpore would use sparse gradients; gradients are dense. Default: True.
        dtype: default float32.
    """

    def __init__(
        self, vocab_size, embedding_size, param_init="normal", target="CPU", slice_mode="batch_slice", manual_shapes=None, max_norm=None, sparse=True,
        dtype=mstype.float32,
    ):  # fmt: skip
        super().__init__()
        if slice_mode != "batch_slice" or manual_shapes is not None:
            raise ValueError(
                "For 'EmbeddingLookup', 'slice_mode' should be 'batch_slice' and 'manual_shapes' None: arrays are sharded by the compiler."
            )
        if target not in ("CPU", "DEVICE"):
            raise ValueError(f"For 'EmbeddingLookup', 'target' should be 'CPU' or 'DEVICE', but got {target!r}.")
        if not flag("EmbeddingLookup", "sparse", sparse) and target == "CPU":
            raise ValueError("For 'EmbeddingLookup', 'sparse' should be True when 'target' is 'CPU', but got False.")
        self.vocab_size, self.embedding_size, self.max_norm = positive_int("EmbeddingLookup", "vocab_size", vocab_size), embedding_size, max_norm
        self.embedding_table = parameter(
            param_init, (vocab_size, positive_int("EmbeddingLookup", "embedding_size", embedding_size)), "embedding_table", dtype
        )

    def construct(self, indices):
        out = ops.gather(self.embedding_table, indices, 0)
        if self.max_norm is not None:
            norm = ops.norm(out, dim=-1, keepdim=True)
            out = out * (self.max_norm / ops.maximum(norm, self.max_norm))
        return out
