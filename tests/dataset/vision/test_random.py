"""Random operations: what they draw is distributed as documented, what they do follows from what they drew, and the sample alone decides it."""

import copy
import pickle

import numpy as np
import pytest
from PIL import Image
from scipy import stats

from sporax.dataset import _random
from sporax.dataset import vision as V
from tests.oracle.dataset_expressions import images

A, B, C = images().values()
BATCH = np.stack([C, 255 - C, C[::-1]]), np.eye(3, dtype=np.int32)
BOXES = np.array([[1, 2, 10, 11], [20, 10, 5, 6]], np.float32)
CHW = A.transpose(2, 0, 1)
PNG = V.encode_png(A)

OPS = {
    "RandomCrop": (V.RandomCrop(8), (A,)),
    "RandomCrop padded": (V.RandomCrop(20, (3, 4), True, 7), (B,)),
    "RandomResizedCrop": (V.RandomResizedCrop(8), (A,)),
    "RandomCropDecodeResize": (V.RandomCropDecodeResize(8), (PNG,)),
    "RandomResize": (V.RandomResize(9), (A,)),
    "RandomHorizontalFlip": (V.RandomHorizontalFlip(), (A,)),
    "RandomVerticalFlip": (V.RandomVerticalFlip(), (A,)),
    "RandomAdjustSharpness": (V.RandomAdjustSharpness(2), (A,)),
    "RandomAutoContrast": (V.RandomAutoContrast(), (A,)),
    "RandomEqualize": (V.RandomEqualize(), (A,)),
    "RandomInvert": (V.RandomInvert(), (A,)),
    "RandomColor": (V.RandomColor(), (A,)),
    "RandomSharpness": (V.RandomSharpness(), (A,)),
    "RandomColorAdjust": (V.RandomColorAdjust(0.4, 0.4, 0.4, 0.2), (A,)),
    "RandomPosterize": (V.RandomPosterize((1, 8)), (A,)),
    "RandomSolarize": (V.RandomSolarize(), (A,)),
    "RandomLighting": (V.RandomLighting(0.5), (A,)),
    "RandomRotation": (V.RandomRotation(60, V.Inter.BILINEAR), (A,)),
    "RandomAffine": (V.RandomAffine(30, (-0.2, 0.2, -0.1, 0.1), (0.7, 1.3), (-9, 9, -5, 5)), (A,)),
    "RandomErasing": (V.RandomErasing(0.8, value="random"), (CHW.astype(np.float32),)),
    "CutOut": (V.CutOut(6, 2), (A,)),
    "MixUpBatch": (V.MixUpBatch(), BATCH),
    "CutMixBatch": (V.CutMixBatch(V.ImageBatchFormat.NHWC, 1.0, 0.7), BATCH),
    "RandomCropWithBBox": (V.RandomCropWithBBox(14, 3), (A, BOXES)),
    "RandomResizedCropWithBBox": (V.RandomResizedCropWithBBox(14), (A, BOXES)),
    "RandomResizeWithBBox": (V.RandomResizeWithBBox(14), (A, BOXES)),
    "RandomHorizontalFlipWithBBox": (V.RandomHorizontalFlipWithBBox(), (A, BOXES)),
    "RandomVerticalFlipWithBBox": (V.RandomVerticalFlipWithBBox(), (A, BOXES)),
    "BoundingBoxAugment": (V.BoundingBoxAugment(V.Invert(), 0.5), (A, BOXES)),
    "AutoAugment": (V.AutoAugment(V.AutoAugmentPolicy.CIFAR10), (A,)),
    "RandAugment": (V.RandAugment(), (A,)),
    "TrivialAugmentWide": (V.TrivialAugmentWide(), (A,)),
    "UniformAugment": (V.UniformAugment([V.Invert(), V.Equalize(), V.HorizontalFlip()]), (A,)),
    "RandomSelectSubpolicy": (V.RandomSelectSubpolicy([[(V.Invert(), 0.5), (V.Equalize(), 0.5)], [(V.HorizontalFlip(), 0.9)]]), (A,)),
    "RandomGrayscale": (V.RandomGrayscale(0.5), (Image.fromarray(A),)),
    "RandomPerspective": (V.RandomPerspective(), (Image.fromarray(A),)),
    "RandomCrop of Pillow": (V.RandomCrop(8), (Image.fromarray(A),)),
    "RandomResizedCrop of Pillow": (V.RandomResizedCrop(8, interpolation=V.Inter.ANTIALIAS), (Image.fromarray(A),)),
    "RandomColorAdjust of Pillow": (V.RandomColorAdjust(0.4, 0.4, 0.4, 0.2), (Image.fromarray(A),)),
    "RandomAffine of Pillow": (V.RandomAffine(30, (0.1, 0.1), (0.7, 1.3), 5), (Image.fromarray(A),)),
    "RandomRotation of Pillow": (V.RandomRotation(60), (Image.fromarray(A),)),
    "RandomLighting of Pillow": (V.RandomLighting(0.5), (Image.fromarray(A),)),
}


def at(op, inputs, index):
    """The result for the sample at `index`, as a list of arrays."""
    with _random.sample(11, 0, index):
        result = op(*(copy.deepcopy(i) for i in inputs))
    return [np.asarray(r) for r in (result if isinstance(result, tuple) else (result,))]


def same(a, b):
    return len(a) == len(b) and all(x.dtype == y.dtype and np.array_equal(x, y) for x, y in zip(a, b))


@pytest.mark.parametrize("name", OPS)
def test_the_sample_alone_decides(name):
    op, inputs = OPS[name]
    kept = [np.array(np.asarray(i)) for i in inputs]
    first = [at(op, inputs, i) for i in range(12)]
    again = pickle.loads(pickle.dumps(op))
    assert all(same(first[i], at(again, inputs, i)) for i in reversed(range(12)))
    assert not all(same(first[0], f) for f in first)
    assert all(np.array_equal(np.asarray(i), k) for i, k in zip(inputs, kept)), "the input was changed"


def drawn(op, *inputs, n=3000):
    rng = np.random.default_rng(5)
    return [op.draw(rng, *inputs) for _ in range(n)]


def uniform(values, low, high):
    """The values may come from a uniform distribution (they would fail once in 10,000 times)."""
    return stats.kstest(np.asarray(values, float), "uniform", (low, high - low)).pvalue > 1e-4


def evenly(values, options):
    """Each option is as frequent as any other."""
    counts = [sum(v == o for v in values) for o in options]
    return sum(counts) == len(values) and stats.chisquare(counts).pvalue > 1e-4


@pytest.mark.parametrize(
    "op", [V.RandomHorizontalFlip(0.3), V.RandomVerticalFlip(0.3), V.RandomInvert(0.3), V.RandomGrayscale(0.3), V.RandomEqualize(0.3)]
)
def test_probabilities(op):
    assert stats.binomtest(sum(drawn(op, A)), 3000, 0.3).pvalue > 1e-4


def test_crops():
    corners = drawn(V.RandomCrop((20, 25)), A)
    assert evenly([y for y, _ in corners], range(5)) and evenly([x for _, x in corners], range(7))
    corners = drawn(V.RandomCrop((20, 25), (1, 2)), A)
    assert evenly([y for y, _ in corners], range(9)) and evenly([x for _, x in corners], range(9))


def test_resized_crops():
    boxes = np.array(drawn(V.RandomResizedCrop(8, (0.2, 0.6), (0.8, 1.25)), np.zeros((1000, 1000, 3), np.uint8)))
    top, left, height, width = boxes.T
    assert uniform(height * width / 1e6, 0.2, 0.6)
    assert uniform(np.log(width / height), np.log(0.8), np.log(1.25))
    assert uniform(top / (1000 - height), 0, 1) and uniform(left / (1000 - width), 0, 1)


def test_colours():
    assert uniform(drawn(V.RandomColor((0.3, 1.2)), A), 0.3, 1.2)
    assert uniform(drawn(V.RandomSharpness((0.3, 1.2)), A), 0.3, 1.2)
    changes = drawn(V.RandomColorAdjust(0.4, (0.5, 0.9), 2, 0.1), A)
    bounds = {"brightness": (0.6, 1.4), "contrast": (0.5, 0.9), "saturation": (0, 3), "hue": (-0.1, 0.1)}
    assert all(uniform([dict(c)[name] for c in changes], *b) for name, b in bounds.items())
    assert evenly([c[0][0] for c in changes], list(bounds)) and evenly([c[3][0] for c in changes], list(bounds))
    assert [name for name, _ in V.RandomColorAdjust(0.4).draw(np.random.default_rng(0), A)] == ["brightness"]
    assert evenly(drawn(V.RandomPosterize((2, 5)), A), range(2, 6))
    lows, highs = zip(*drawn(V.RandomSolarize((0, 3)), A))
    assert all(low <= high for low, high in zip(lows, highs))
    # of two uniform draws from four values both are equal with probability 1/4
    assert stats.binomtest(sum(low == high for low, high in zip(lows, highs)), 3000, 0.25).pvalue > 1e-4
    amounts = np.array(drawn(V.RandomLighting(0.3), A))
    assert stats.kstest(amounts.reshape(-1), "norm", (0, 0.3)).pvalue > 1e-4


def test_warps():
    assert uniform(drawn(V.RandomRotation((-10, 30)), A), 350, 390)
    angle, move, scale, shear = zip(*drawn(V.RandomAffine((-10, 30), (-0.2, 0.1, 0, 0.3), (0.5, 2), (-3, 4, 0, 7)), A))
    assert uniform(angle, -10, 30) and uniform(scale, 0.5, 2)
    assert uniform([x for x, _ in move], -0.2 * 31, 0.1 * 31) and uniform([y for _, y in move], 0, 0.3 * 24)
    assert uniform([x for x, _ in shear], -3, 4) and uniform([y for _, y in shear], 0, 7)
    points = np.array(drawn(V.RandomPerspective(0.5, 1.0), Image.fromarray(A)))
    assert evenly(points[:, 0, 0], range(8)) and evenly(points[:, 2, 1], range(17, 24))


def test_erased_parts():
    parts = drawn(V.RandomErasing(0.6, (0.1, 0.2), (0.5, 2)), np.zeros((3, 1000, 1000), np.float32))
    assert stats.binomtest(sum(p is not None for p in parts), 3000, 0.6).pvalue > 1e-4
    height, width = np.array([p[2:4] for p in parts if p is not None]).T
    assert uniform(height * width / 1e6, 0.1, 0.2) and uniform(width / height, 0.5, 2)
    corners = drawn(V.CutOut(6, 2), A)
    assert evenly([y for pair in corners for y, _ in pair], range(-6, 25))


def test_mixing():
    factors, orders = zip(*drawn(V.MixUpBatch(0.4), *BATCH))
    assert stats.kstest(factors, "beta", (0.4, 0.4)).pvalue > 1e-4
    assert evenly([tuple(o) for o in orders], [(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)])
    factor, order = 0.3, np.array([1, 2, 0])
    images_, labels = V.MixUpBatch().apply(*BATCH, (factor, order))
    assert labels.dtype == np.float32 and np.allclose(labels, 0.3 * BATCH[1] + 0.7 * BATCH[1][order])
    assert np.abs(images_.astype(float) - (0.3 * BATCH[0] + 0.7 * BATCH[0][order])).max() <= 0.5 + 1e-4
    op = V.CutMixBatch(V.ImageBatchFormat.NHWC)
    images_, labels = op.apply(*BATCH, (order, [(2, 3, 10, 20), None, (0, 0, 1, 1)]))
    assert (images_[0, 2:12, 3:23] == BATCH[0][1, 2:12, 3:23]).all() and (images_[1] == BATCH[0][1]).all()
    assert np.allclose(labels[0], [1 - 200 / 1600, 200 / 1600, 0]) and labels[1].tolist() == [0, 1, 0]
    nchw = BATCH[0].transpose(0, 3, 1, 2)
    again, _ = V.CutMixBatch(V.ImageBatchFormat.NCHW).apply(nchw, BATCH[1], (order, [(2, 3, 10, 20), None, (0, 0, 1, 1)]))
    assert np.array_equal(again.transpose(0, 2, 3, 1), images_)


def test_mixup_keeps_the_batch_before():
    op = V.MixUp(3, 0.4, is_single=False)
    x, y = BATCH[0] / 255, BATCH[1].astype(float)
    first = op.apply(x, y, np.full(3, 0.2))
    assert np.array_equal(first[0], x) and np.array_equal(first[1], y)
    second = op.apply(x[::-1], y[::-1], np.full(3, 0.2))
    assert np.allclose(second[0], 0.2 * x[::-1] + 0.8 * x) and np.allclose(second[1], 0.2 * y[::-1] + 0.8 * y)
    single = V.MixUp(3, 0.4).apply(x, y, np.array([0.2, 0.5, 1.0]))
    assert np.allclose(single[1][0], 0.2 * y[0] + 0.8 * y[1]) and np.allclose(single[0][2], x[2])


def test_policies():
    names = [c[0][0] for c in drawn(V.TrivialAugmentWide(), A)]
    assert evenly(names, sorted(set(names))) and len(set(names)) == 14
    strengths = [s for c in drawn(V.TrivialAugmentWide(3), A, n=2000) for n, s in c if n == "Rotate"]
    assert set(np.round(strengths, 4)) == {-135.0, -67.5, 0.0, 67.5, 135.0}
    changes = drawn(V.RandAugment(2, 9, 31), A, n=1000)
    assert all(len(c) == 2 for c in changes)
    assert {round(abs(s), 5) for c in changes for n, s in c if n == "ShearX"} == {0.09}
    assert {s for c in changes for n, s in c if n == "Posterize"} == {7.0}
    changes = drawn(V.AutoAugment(), A)
    assert stats.binomtest(sum(len(c) == 2 and c[0][0] == "ShearX" for c in changes), 3000, 0.6 / 25).pvalue > 1e-4


@pytest.mark.parametrize("size", [(3, 5), (300, 4)])
def test_small_images_pass_every_policy(size):
    image = np.full((*size, 3), 90, np.uint8)
    for op in (V.AutoAugment(), V.RandAugment(3), V.TrivialAugmentWide()):
        for i in range(60):
            (result,) = at(op, (image,), i)
            assert result.shape == image.shape and result.dtype == np.uint8
