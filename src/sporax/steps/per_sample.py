"""The gradient of each sample of a batch by itself, and what follows from it."""

from typing import NamedTuple

from sporax._core.forward import vmap
from sporax._core.tensor import Tensor
from sporax._core.transforms import as_tensors
from sporax.steps.second_order.variables import call_whole, check_function, check_weights, flat, function_of, gradient_of, ids


def per_sample_grads(fn, weights):
    """A function that computes the gradients of a loss for each sample of a batch, all at once.

    The network gets each sample as a batch of one, so it needs no change. Layers that mix the samples of a batch (BatchNorm in training) have no
    such gradients: use `net.set_train(False)` for them.

    Args:
        fn: `fn(*batch)` returns the loss, one number: the mean or sum over its batch.
        weights: a Parameter or a list of them.

    Returns:
        A function of the tensors of a batch, whose first axes all have its size B. It gives a tuple with a Tensor (B, *shape) for each weight (a bare
        one for a bare Parameter).

    Raises:
        TypeError: `fn` cannot be called, or `weights` are no Parameters.
        ValueError: the tensors of the batch have different sizes, or `fn` returns more than one number.
        RuntimeError: `fn` writes a Parameter with a value that depends on the sample.

    Examples:
        >>> from sporax.steps import per_sample_grads
        >>> net = nn.Dense(2, 1, weight_init="ones", has_bias=False)
        >>> print(per_sample_grads(lambda x: net(x).mean(), net.weight)(Tensor([[1.0, 2.0], [3.0, 4.0]])))
        [[[1. 2.]]
         [[3. 4.]]]
    """
    check_function("per_sample_grads", fn)
    listed = check_weights("per_sample_grads", weights)
    bare = not isinstance(weights, tuple | list)

    def grads(*batch):
        found = call_whole("per_sample_grads", lambda *b: _per_sample(fn, listed, b), fn, ids(listed), _checked("per_sample_grads", batch))
        return found[0] if bare else found

    return grads


def _checked(name, batch):
    batch = tuple(as_tensors(t) for t in batch)
    sizes = {t.shape[0] if isinstance(t, Tensor) and t.ndim else None for t in batch}
    if len(sizes) != 1 or None in sizes:
        shapes = [t.shape if isinstance(t, Tensor) else type(t).__name__ for t in batch]
        raise ValueError(f"For '{name}', all arguments should be Tensors whose first axis is the batch, but got {shapes}.")
    return batch


def _per_sample(fn, weights, batch):
    def one(*sample):
        f, xs = function_of(fn, tuple(t.expand_dims(0) for t in sample), weights, "per_sample_grads")
        return gradient_of(f, len(xs))(*xs)

    return vmap(one)(*batch)


def empirical_fisher(fn, weights, diagonal=False):
    """A function that computes the empirical Fisher matrix, the mean of g g' over the gradients g of single samples.

    Where the loss is a negative log likelihood this is close to the Fisher matrix only near the solution (Kunstner et al., 2019).

    Args:
        fn, weights: as for `per_sample_grads`.
        diagonal: only the mean of g ** 2, for each weight in its shape. Default: False.

    Returns:
        A function of a batch. It gives a Tensor (n, n) over all elements of the weights, or with `diagonal` a tuple with one for each weight.

    Examples:
        >>> from sporax.steps import empirical_fisher
        >>> net = nn.Dense(2, 1, weight_init="ones", has_bias=False)
        >>> print(empirical_fisher(lambda x: net(x).mean(), net.weight)(Tensor([[1.0, 2.0], [3.0, 4.0]])))
        [[ 5.  7.]
         [ 7. 10.]]
    """
    check_function("empirical_fisher", fn)
    listed = check_weights("empirical_fisher", weights)

    def run(*batch):
        grads = _per_sample(fn, listed, batch)
        if diagonal:
            return tuple((g * g).mean(0) for g in grads)
        matrix = vmap(lambda *gs: flat(gs))(*grads)
        return matrix.T.matmul(matrix) / matrix.shape[0]

    return lambda *batch: call_whole("empirical_fisher", run, fn, (ids(listed), diagonal), _checked("empirical_fisher", batch))


class NoiseScale(NamedTuple):
    """What `noise_scale` measures; `simple` = `variance` / `squared_norm`."""

    simple: Tensor
    variance: Tensor
    squared_norm: Tensor


def noise_scale(fn, weights):
    """A function that measures the gradient noise scale: about the batch size above which larger batches help little (McCandlish et al., 2018).

    From the gradients of single samples, without bias: `variance` is the trace of their covariance, `squared_norm` that of the true gradient.
    For a small batch the latter may come out negative: average both over steps and divide then.

    Args:
        fn, weights: as for `per_sample_grads`.

    Returns:
        A function of a batch of at least 2 samples that gives a `NoiseScale` of Tensors.

    Examples:
        >>> from sporax.steps import noise_scale
        >>> net = nn.Dense(1, 1, weight_init="ones", has_bias=False)
        >>> found = noise_scale(lambda x: net(x).mean(), net.weight)(Tensor([[1.0], [3.0]]))
        >>> round(found.variance.item(), 4), round(found.squared_norm.item(), 4)
        (2.0, 3.0)
    """
    check_function("noise_scale", fn)
    listed = check_weights("noise_scale", weights)

    def run(*batch):
        grads = _per_sample(fn, listed, batch)
        size = batch[0].shape[0]
        single = sum(((g * g).sum() for g in grads), start=0.0) / size
        mean = sum(((g.mean(0) ** 2).sum() for g in grads), start=0.0)
        return noise_scale_from_norms(single, mean, 1, size)

    def measure(*batch):
        batch = _checked("noise_scale", batch)
        if batch[0].shape[0] < 2:
            raise ValueError("For 'noise_scale', the batch should have at least 2 samples, but it has 1.")
        return call_whole("noise_scale", run, fn, ids(listed), batch)

    return measure


def noise_scale_from_norms(small, large, small_size, large_size):
    """The gradient noise scale from the squared norms of gradients of two batch sizes: micro-batches and their mean, say.

    Args:
        small: the (mean) squared norm of gradients of batches of `small_size`, a number or Tensor.
        large: that of batches of `large_size`.
        small_size, large_size: ints, different.

    Raises:
        ValueError: the sizes are equal.

    Examples:
        >>> from sporax.steps import noise_scale_from_norms
        >>> noise_scale_from_norms(5.0, 4.0, 1, 2)
        NoiseScale(simple=0.6666666666666666, variance=2.0, squared_norm=3.0)
    """
    if small_size == large_size:
        raise ValueError(f"For 'noise_scale_from_norms', the batch sizes should differ, but both are {small_size}.")
    squared = (large * large_size - small * small_size) / (large_size - small_size)
    variance = (small - large) / (1 / small_size - 1 / large_size)
    return NoiseScale(variance / squared, variance, squared)
