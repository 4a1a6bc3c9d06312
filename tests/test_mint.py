"""Functions of mint follow PyTorch's arguments and defaults, as NumPy computes them."""

import numpy as np
import pytest

import sporax as ms
import sporax.mint as mint
from sporax import Tensor
from sporax.mint.nn import functional as F

X = np.random.default_rng(3).standard_normal((2, 3, 4)).astype(np.float32)
M = X[0]
PADDED = np.pad(X.sum(1, keepdims=True), ((0, 0), (0, 0), (1, 1)))
I = np.array([[0, 2, 1, 0], [1, 1, 0, 2]])  # noqa: E741


def softmax(x, axis):
    e = np.exp(x - x.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


def windows(x, reduce):
    return np.stack([reduce(x[..., i : i + 2], axis=-1) for i in (0, 2)], -1)


CASES = {
    "mean": (lambda x: mint.mean(input=x, dim=1, keepdim=True), X.mean(1, keepdims=True)),
    "prod": (lambda x: mint.prod(x, dim=2), X.prod(2)),
    "all": (lambda x: mint.all(x > -9, dim=1), (X > -9).all(1)),
    "any": (lambda x: mint.any(x > 1), (X > 1).any()),
    "max": (lambda x: mint.max(x), X.max()),
    "max dim": (lambda x: mint.max(x, 1), (X.max(1), X.argmax(1))),
    "max other": (lambda x: mint.max(x, -x), np.abs(X)),
    "min keepdim": (lambda x: mint.min(x, dim=2, keepdim=True), (X.min(2, keepdims=True), X.argmin(2, keepdims=True))),
    "amax": (lambda x: mint.amax(x), X.max()),
    "amin": (lambda x: mint.amin(x, (0, 2)), X.min((0, 2))),
    "argmin": (lambda x: mint.argmin(x, dim=1), X.argmin(1)),
    "count_nonzero": (lambda x: mint.count_nonzero(x * (x > 0), dim=1), (X > 0).sum(1)),
    "var": (lambda x: mint.var(x), X.var(ddof=1)),
    "var correction": (lambda x: mint.var(x, 1, correction=0, keepdim=True), X.var(1, keepdims=True)),
    "std": (lambda x: mint.std(x, dim=(0, 1)), X.std((0, 1), ddof=1)),
    "std_mean": (lambda x: mint.std_mean(x, 2), (X.std(2, ddof=1), X.mean(2))),
    "var_mean": (lambda x: mint.var_mean(x), (X.var(ddof=1), X.mean())),
    "median": (lambda x: mint.median(x[:, :, :3]), np.sort(X[:, :, :3].reshape(-1))[8]),
    "median dim": (lambda x: mint.median(x, 1)[0], np.sort(X, 1)[:, 1]),
    "kthvalue": (lambda x: mint.kthvalue(x, 2), (np.sort(X, -1)[..., 1], np.argsort(X, -1)[..., 1])),
    "norm": (lambda x: mint.norm(x[0], 2), np.sqrt((M**2).sum())),
    "norm dim": (lambda x: mint.norm(x, p=1, dim=(1, 2)), np.abs(X).sum((1, 2))),
    "norm nuc": (lambda x: mint.norm(x[0], "nuc"), np.linalg.norm(M, "nuc")),
    "cumsum": (lambda x: mint.cumsum(x, dim=1), X.cumsum(1)),
    "cummax": (lambda x: mint.cummax(x, dim=1)[0], np.maximum.accumulate(X, 1)),
    "diff": (lambda x: mint.diff(x, dim=1), np.diff(X, axis=1)),
    "sort": (lambda x: mint.sort(x, dim=1, descending=True), (-np.sort(-X, 1), np.argsort(-X, 1))),
    "argsort": (lambda x: mint.argsort(x, dim=0), np.argsort(X, 0)),
    "transpose": (lambda x: mint.transpose(x, 0, 2), X.swapaxes(0, 2)),
    "t": (lambda x: mint.t(x[0]), M.T),
    "flatten": (lambda x: mint.flatten(x), X.reshape(-1)),
    "permute": (lambda x: mint.permute(x, dims=(2, 0, 1)), X.transpose(2, 0, 1)),
    "select": (lambda x: mint.select(x, -1, 1), X[..., 1]),
    "narrow": (lambda x: mint.narrow(x, dim=2, start=1, length=2), X[..., 1:3]),
    "index_select": (lambda x: mint.index_select(x, dim=1, index=Tensor([2, 0])), X[:, [2, 0]]),
    "gather": (lambda x: mint.gather(x[0], 0, Tensor(I)), np.take_along_axis(M, I, 0)),
    "take": (lambda x: mint.take(x, Tensor([[0, 23]])), X.reshape(-1)[[[0, 23]]]),
    "meshgrid": (lambda x: mint.meshgrid(x[0, 0], x[0, 1]), tuple(np.meshgrid(M[0], M[1], indexing="ij"))),
    "vdot": (lambda x: mint.vdot(x[0, 0], x[0, 1]), M[0] @ M[1]),
    "baddbmm": (lambda x: mint.baddbmm(x[:, :, :3], x, x.swapaxes(1, 2), beta=2, alpha=3), 2 * X[:, :, :3] + 3 * X @ X.swapaxes(1, 2)),
    "bmm": (lambda x: mint.bmm(input=x, mat2=x.swapaxes(1, 2)), X @ X.swapaxes(1, 2)),
    "addcdiv": (lambda x: mint.addcdiv(x, x, x + 9, value=2), X + 2 * X / (X + 9)),
    "stack": (lambda x: mint.stack((x, x), dim=1), np.stack((X, X), 1)),
    "split": (lambda x: mint.split(x, 2, dim=2), tuple(np.split(X, 2, 2))),
    "matrix_norm": (lambda x: mint.linalg.matrix_norm(x, dim=(1, 2), keepdim=True), np.sqrt((X**2).sum((1, 2), keepdims=True))),
    "round": (lambda x: mint.special.round(x), np.round(X)),
    "leaky_relu": (lambda x: F.leaky_relu(x), np.where(X > 0, X, 0.01 * X)),
    "elu": (lambda x: F.elu(x, 0.5), np.where(X > 0, X, 0.5 * np.expm1(np.minimum(X, 0)))),
    "softmax": (lambda x: F.softmax(x), softmax(X, 0)),
    "log_softmax": (lambda x: F.log_softmax(x[0]), np.log(softmax(M, 1))),
    "glu": (lambda x: F.glu(x, dim=2), X[..., :2] / (1 + np.exp(-X[..., 2:]))),
    "threshold": (lambda x: F.threshold(x, 0.5, -1.0), np.where(X > 0.5, X, -1)),
    "avg_pool1d": (lambda x: F.avg_pool1d(x, 2), windows(X, np.mean)),
    "avg_pool2d": (lambda x: F.avg_pool2d(x, (1, 2)), windows(X, np.mean)),
    "max_pool2d": (lambda x: F.max_pool2d(x[None], (1, 2)), windows(X, np.max)[None]),
    "adaptive_max_pool1d": (lambda x: F.adaptive_max_pool1d(x, 2), windows(X, np.max)),
    "pad": (lambda x: F.pad(input=x, pad=(1, 2), value=3.0), np.pad(X, ((0, 0), (0, 0), (1, 2)), constant_values=3)),
    "one_hot": (lambda x: F.one_hot(Tensor([0, 2])), np.eye(3, dtype=np.int64)[[0, 2]]),
    "normalize": (lambda x: F.normalize(x), X / np.sqrt((X**2).sum(1, keepdims=True))),
    "embedding": (lambda x: F.embedding(Tensor(I), x[0]), M[I]),
    "batch_norm": (
        lambda x: F.batch_norm(x, ms.ops.zeros(3), ms.ops.ones(3), training=True),
        (X - X.mean((0, 2), keepdims=True)) / np.sqrt(X.var((0, 2), keepdims=True) + 1e-5),
    ),
    "conv1d": (lambda x: F.conv1d(x, ms.ops.ones((1, 3, 2)), padding=1), PADDED[..., :-1] + PADDED[..., 1:]),
    "conv2d": (lambda x: mint.conv2d(x[None], ms.ops.ones((1, 2, 1, 1)), Tensor([1.0])), X.sum(0)[None, None] + 1),
    "bce with logits": (
        lambda x: F.binary_cross_entropy_with_logits(x, x * 0 + 0.3, None, "sum", Tensor([2.0])),
        -(0.3 * 2 * np.log(1 / (1 + np.exp(-X))) + 0.7 * np.log(1 / (1 + np.exp(X)))).sum(),
    ),
    "kl_div": (lambda x: F.kl_div(x, F.softmax(x, 1), "batchmean"), (softmax(X, 1) * (np.log(softmax(X, 1)) - X)).sum() / 2),
    "kl_div log": (lambda x: F.kl_div(x, x + 1, log_target=True), np.exp(X + 1).mean()),
    "nll_loss": (lambda x: F.nll_loss(x[0], Tensor([0, 3, 1])), -M[[0, 1, 2], [0, 3, 1]].mean()),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_function(name):
    call, want = CASES[name]
    got = call(Tensor(X))
    got, want = (got, want) if isinstance(want, tuple) else ((got,), (want,))
    assert len(got) == len(want)
    for g, w in zip(got, want):
        assert g.shape == np.shape(w)
        assert np.allclose(g.asnumpy(), w, rtol=2e-5, atol=1e-5)


def test_scatter_and_index_add():
    assert mint.scatter(Tensor([1.0, 2.0, 3.0]), 0, Tensor([2, 0]), 9.0).tolist() == [9.0, 2.0, 9.0]
    x = Tensor([1.0, 2.0])
    assert mint.index_add(x, 0, Tensor([1, 1]), Tensor([1.0, 2.0]), alpha=2).tolist() == [1.0, 8.0]
    assert x.tolist() == [1.0, 2.0]


def test_in_place():
    x = Tensor([-1.0, 2.0])
    assert F.relu(x).tolist() == [0.0, 2.0]
    assert x.tolist() == [-1.0, 2.0]
    assert F.relu_(x) is x
    assert x.tolist() == [0.0, 2.0]
    assert F.hardtanh_(x) is x
    assert x.tolist() == [0.0, 1.0]


def test_random():
    generator = ms.Generator().manual_seed(1)
    first = mint.rand(3, 4, generator=generator)
    assert not np.allclose(first.asnumpy(), mint.rand(3, 4, generator=generator).asnumpy())
    assert np.array_equal(first.asnumpy(), mint.rand((3, 4), generator=generator.manual_seed(1)).asnumpy())
    x = mint.randn(4000, dtype=ms.float32).asnumpy()
    assert abs(x.mean()) < 0.1
    assert abs(x.std() - 1) < 0.1
    assert abs(mint.normal(5.0, 0.1, (1000,)).asnumpy().mean() - 5) < 0.05
    assert mint.normal(Tensor(X)).shape == X.shape
    assert sorted(mint.randperm(9).tolist()) == list(range(9))
    assert mint.randperm(3).dtype is ms.int64
    n = mint.randint(2, 5, (200,))
    assert n.dtype is ms.int64
    assert set(n.tolist()) == {2, 3, 4}
    assert set(mint.randint(2, (100,)).tolist()) == {0, 1}
    assert set(mint.randint_like(n, 3).tolist()) == {0, 1, 2}
    with pytest.raises(ValueError):
        mint.randint(3, 3, (2,))
    assert set(mint.bernoulli(Tensor([0.0, 1.0])).tolist()) == {0.0, 1.0}


def test_multinomial():
    weights = Tensor(np.array([[1.0, 0.0, 3.0], [0.0, 5.0, 5.0]], np.float32))
    drawn = mint.multinomial(weights, 2)
    assert [sorted(row) for row in drawn.tolist()] == [[0, 2], [1, 2]]
    many = mint.multinomial(weights[0], 4000, True).asnumpy()
    assert many.shape == (4000,)
    assert abs((many == 2).mean() - 0.75) < 0.05
    with pytest.raises(ValueError):
        mint.multinomial(weights, 4)


def test_embedding_options():
    weight = ms.Parameter(Tensor([[3.0, 4.0], [0.3, 0.4]]), name="w")
    assert np.allclose(F.embedding(Tensor([0]), weight, max_norm=1.0).asnumpy(), [[0.6, 0.8]])
    assert np.allclose(weight.asnumpy(), [[0.6, 0.8], [0.3, 0.4]])
    grad = ms.grad(lambda w: F.embedding(Tensor([0, 1, 1]), w, padding_idx=-1).sum())(Tensor([[1.0], [2.0]]))
    assert grad.tolist() == [[1.0], [0.0]]


def test_dropout_of_evaluation_is_the_input():
    assert np.array_equal(F.dropout(Tensor(X), 0.5, training=False).asnumpy(), X)
    kept = F.dropout(mint.ones((1000,)), 0.25).asnumpy()
    assert set(np.round(kept, 4)) == {0.0, np.float32(1.3333)}


def test_every_name_is_one_of_mindspore():
    from sporax._names import genuine

    known = genuine.owners()
    for module in (mint, F, mint.nn, mint.linalg, mint.special):
        path = module.__name__.replace("sporax", "mindspore")
        names = {n for n in vars(module) if n[0] != "_"} - {
            "linalg",
            "nn",
            "optim",
            "special",
            "functional",
            "ops",
            "scope",
            "mstype",
            "module_getattr",
        }
        assert names <= known[path], sorted(names - known[path])
