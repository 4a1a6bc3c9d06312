"""Loss functions."""

from sporax._core.dispatch import apply
from sporax._kernels import loss as K
from sporax.ops._args import need_tensor
from sporax.ops._table import op, prim


def reduction_of(name, reduction, more=()):
    """A checked `reduction`."""
    if reduction not in ("none", "mean", "sum", *more):
        raise ValueError(f"For '{name}', 'reduction' should be one of {('none', 'mean', 'sum', *more)}, but got {reduction!r}.")
    return reduction


def _pair(name, a, b, first="logits", second="labels", same=False):
    need_tensor(name, first, a)
    need_tensor(name, second, b)
    if same and a.shape != b.shape:
        raise ValueError(f"For '{name}', '{first}' and '{second}' should have one shape, but got {a.shape} and {b.shape}.")


def _simple(name, kernel, formula, mint, **extra):
    def f(input, target, reduction="mean"):
        _pair(name, input, target, "input", "target")
        return apply(kernel, (input, target), reduction=reduction_of(name, reduction), **extra)

    f.__name__ = f.__qualname__ = name
    f.__module__, f.__doc__ = __name__, f'{formula}; its mean or sum, or ("none") each element. The shapes broadcast.'
    return op(mint=mint)(f)


mse_loss = _simple("mse_loss", K.mse, "(input - target)**2", "nn.functional.mse_loss")
l1_loss = _simple("l1_loss", K.l1, "|input - target|", "nn.functional.l1_loss")
soft_margin_loss = _simple("soft_margin_loss", K.soft_margin, "log(1 + exp(-target input)) for targets -1 and 1", None)


def _smooth_l1_primitive(self, logits, labels):
    return smooth_l1_loss(logits, labels, self.beta, self.reduction)


@op(mint="nn.functional.smooth_l1_loss", primitive=prim("SmoothL1Loss", beta=1.0, reduction="none", call=_smooth_l1_primitive))
def smooth_l1_loss(input, target, beta=1.0, reduction="none"):
    """0.5 d**2 / beta for |d| < beta, else |d| - 0.5 beta, where d = input - target.

    Examples:
        >>> print(ops.smooth_l1_loss(Tensor([0.0, 3.0]), Tensor([0.5, 0.0])))
        [0.125 2.5  ]
    """
    _pair("smooth_l1_loss", input, target, "input", "target", same=True)
    if beta < 0:
        raise RuntimeError(f"For 'smooth_l1_loss', 'beta' should not be negative, but got {beta}.")
    return apply(K.smooth_l1, (input, target, beta), reduction=reduction_of("smooth_l1_loss", reduction))


@op()
def huber_loss(input, target, reduction="mean", delta=1.0):
    """0.5 d**2 for |d| <= delta, else delta (|d| - 0.5 delta), where d = input - target."""
    _pair("huber_loss", input, target, "input", "target")
    if delta <= 0:
        raise ValueError(f"For 'huber_loss', 'delta' should be greater than 0, but got {delta}.")
    return apply(K.huber, (input, target, delta), reduction=reduction_of("huber_loss", reduction))


@op(mint="nn.functional.nll_loss")
def nll_loss(inputs, target, weight=None, ignore_index=-100, reduction="mean", label_smoothing=0.0):
    """-weight[t] log p[t], from log-probabilities (N, C, ...) and class indices (N, ...).

    A class that is `ignore_index` or out of range counts for nothing.

    Examples:
        >>> print(ops.nll_loss(Tensor([[-0.5, -1.0]]), Tensor([1])))
        1.0
    """
    _check_classes("nll_loss", inputs, target)
    _check_ignored("nll_loss", ignore_index)
    if label_smoothing:
        n = inputs.shape[1]
        hard = nll_loss(inputs, target, weight, ignore_index, reduction)
        soft = -(inputs if weight is None else inputs * weight).sum(1)
        soft = soft.mean() if reduction == "mean" else soft.sum() if reduction == "sum" else soft
        return hard * (1 - label_smoothing) + soft * (label_smoothing / n)
    return apply(
        K.nll,
        (inputs, target, weight),
        axis=1 if inputs.ndim > 1 else 0,
        ignore_index=ignore_index,
        reduction=reduction_of("nll_loss", reduction),
    )


def _check_ignored(name, index):
    if isinstance(index, bool) or not isinstance(index, int):
        raise TypeError(f"For '{name}', 'ignore_index' should be an int, but got {index!r} of type {type(index).__name__}.")


def _check_classes(name, logits, target):
    need_tensor(name, "input", logits)
    need_tensor(name, "target", target)
    want = logits.shape[:1] + logits.shape[2:] if logits.ndim > 1 else ()
    if target.shape != want:
        raise ValueError(f"For '{name}', class indices for an input of shape {logits.shape} should have shape {want}, but got {target.shape}.")


@op(mint="nn.functional.cross_entropy")
def cross_entropy(input, target, weight=None, ignore_index=-100, reduction="mean", label_smoothing=0.0):
    """Softmax cross entropy of logits (N, C, ...) with class indices (N, ...) or class probabilities (N, C, ...).

    Args:
        weight (Tensor): (C,), a weight for each class. Default: None.
        ignore_index: a class that counts for nothing, as does a class out of range. Default: -100.
        reduction: "mean" (over the weights of what counts), "sum" or "none". Default: "mean".
        label_smoothing: in [0, 1]: how much of the target is spread over all classes. Default: 0.0.

    Raises:
        ValueError: shapes or settings do not fit.
        TypeError: `target` is neither of an integer dtype nor of the shape and dtype of probabilities.

    Examples:
        >>> print(ops.cross_entropy(Tensor([[0.0, 0.0]]), Tensor([1])))
        0.6931472
    """
    need_tensor("cross_entropy", "input", input)
    need_tensor("cross_entropy", "target", target)
    _check_ignored("cross_entropy", ignore_index)
    if not 0 <= label_smoothing <= 1:
        raise ValueError(f"For 'cross_entropy', 'label_smoothing' should be in [0, 1], but got {label_smoothing}.")
    reduction_of("cross_entropy", reduction)
    axis = 1 if input.ndim > 1 else 0
    smoothing = float(label_smoothing) or None
    if target.dtype.is_floating_point:
        if target.shape != input.shape:
            raise TypeError(
                f"For 'cross_entropy', class probabilities should have the shape {input.shape} of the input, but got "
                f"{target.shape}; class indices should be integers."
            )
        return apply(K.cross_entropy_probability, (input, target, weight, smoothing), axis=axis, reduction=reduction)
    _check_classes("cross_entropy", input, target)
    return apply(K.cross_entropy_index, (input, target, weight, smoothing), axis=axis, ignore_index=ignore_index, reduction=reduction)


def _dense_primitive(self, logits, labels):
    _pair("SoftmaxCrossEntropyWithLogits", logits, labels, same=True)
    return apply(K.softmax_cross_entropy_dense, (logits, labels))


def _sparse_primitive(self, logits, labels):
    from sporax.ops.reduce import mean

    if self.is_grad:
        raise ValueError("For 'SparseSoftmaxCrossEntropyWithLogits', is_grad=True is the derivative itself: use mindspore.grad of the loss.")
    return mean(apply(K.sparse_softmax_cross_entropy, (logits, labels)))


@op(
    primitive=(
        prim("SoftmaxCrossEntropyWithLogits", call=_dense_primitive),
        prim("SparseSoftmaxCrossEntropyWithLogits", is_grad=False, call=_sparse_primitive),
    )
)
def softmax_cross_entropy_with_logits(logits, labels, sparse=False):
    """The loss of each row of logits (N, C), with probabilities (N, C) or (sparse) class indices (N,); a class out of range gives 0."""
    if not sparse:
        _pair("softmax_cross_entropy_with_logits", logits, labels, same=True)
        return apply(K.softmax_cross_entropy_dense, (logits, labels))[0]
    _check_classes("softmax_cross_entropy_with_logits", logits, labels)
    return apply(K.sparse_softmax_cross_entropy, (logits, labels))


@op(
    mint="nn.functional.binary_cross_entropy",
    primitive=prim(
        "BinaryCrossEntropy",
        reduction="mean",
        call=lambda self, logits, labels, weight=None: binary_cross_entropy(logits, labels, weight, self.reduction),
    ),
)
def binary_cross_entropy(logits, labels, weight=None, reduction="mean"):
    """-weight (y log p + (1 - y) log(1 - p)) of probabilities p; logarithms are at least -100."""
    _pair("binary_cross_entropy", logits, labels, same=True)
    if weight is not None:
        need_tensor("binary_cross_entropy", "weight", weight)
    return apply(K.binary_cross_entropy, (logits, labels, weight), reduction=reduction_of("binary_cross_entropy", reduction))


@op(
    mint="nn.functional.binary_cross_entropy_with_logits",
    primitive=prim("BCEWithLogitsLoss", reduction="mean", call=lambda self, x, y, w, p: binary_cross_entropy_with_logits(x, y, w, p, self.reduction)),
)
def binary_cross_entropy_with_logits(logits, label, weight=None, pos_weight=None, reduction="mean"):
    """The binary cross entropy of sigmoid(logits), without overflow.

    Args:
        weight (Tensor): weights of the elements; broadcasts. Default: None.
        pos_weight (Tensor): factor of the positive term; broadcasts. Default: None.

    Examples:
        >>> print(ops.binary_cross_entropy_with_logits(Tensor([0.0]), Tensor([1.0])))
        0.6931472
    """
    _pair("binary_cross_entropy_with_logits", logits, label, second="label", same=True)
    return apply(K.bce_with_logits, (logits, label, weight, pos_weight), reduction=reduction_of("binary_cross_entropy_with_logits", reduction))


@op(primitive=prim("SigmoidCrossEntropyWithLogits"))
def sigmoid_cross_entropy_with_logits(logits, label):
    """The binary cross entropy of sigmoid(logits), each element."""
    return binary_cross_entropy_with_logits(logits, label, reduction="none")


@op(mint="nn.functional.kl_div", primitive=prim("KLDivLoss", reduction="mean", call=lambda self, x, y: kl_div(x, y, self.reduction)))
def kl_div(logits, labels, reduction="mean"):
    """labels (log labels - logits), where logits are log-probabilities. "batchmean" divides the sum by the batch size."""
    _pair("kl_div", logits, labels)
    return apply(K.kl_div, (logits, labels), reduction=reduction_of("kl_div", reduction, ("batchmean",)), log_target=False)


@op()
def cosine_similarity(x1, x2, dim=1, eps=1e-8):
    """x1 x2 / max(|x1| |x2|, eps) along an axis."""
    return apply(K.cosine_similarity, (x1, x2, eps), axis=int(dim))


@op()
def cosine_embedding_loss(input1, input2, target, margin=0.0, reduction="mean"):
    """1 - cos for target 1, max(cos - margin, 0) for target -1."""
    return apply(K.cosine_embedding, (input1, input2, target, margin), reduction=reduction_of("cosine_embedding_loss", reduction))


@op()
def margin_ranking_loss(input1, input2, target, margin=0.0, reduction="mean"):
    """max(-target (input1 - input2) + margin, 0)."""
    return apply(K.margin_ranking, (input1, input2, target, margin), reduction=reduction_of("margin_ranking_loss", reduction))


@op()
def hinge_embedding_loss(inputs, targets, margin=1.0, reduction="mean"):
    """inputs for target 1, max(margin - inputs, 0) for target -1."""
    return apply(K.hinge_embedding, (inputs, targets, margin), reduction=reduction_of("hinge_embedding_loss", reduction))


@op()
def triplet_margin_loss(anchor, positive, negative, margin=1.0, p=2, eps=1e-06, swap=False, reduction="mean"):
    """max(d(anchor, positive) - d(anchor, negative) + margin, 0) with the p-norm distance."""
    return apply(
        K.triplet_margin, (anchor, positive, negative, margin, eps), p=p, swap=bool(swap), reduction=reduction_of("triplet_margin_loss", reduction)
    )


@op()
def multi_margin_loss(input, target, p=1, margin=1, weight=None, reduction="mean"):
    """The mean over other classes of max(margin - x[t] + x[i], 0)**p."""
    return apply(K.multi_margin, (input, target, weight, margin), p=int(p), reduction=reduction_of("multi_margin_loss", reduction))


@op()
def multilabel_margin_loss(input, target, reduction="mean"):
    """Hinge loss of several target classes, listed up to the first -1 in each row."""
    return apply(K.multilabel_margin, (input, target), reduction=reduction_of("multilabel_margin_loss", reduction))


@op()
def multilabel_soft_margin_loss(input, target, weight=None, reduction="mean"):
    """The mean over classes of the binary cross entropy of sigmoid(input)."""
    return apply(K.multilabel_soft_margin, (input, target, weight), reduction=reduction_of("multilabel_soft_margin_loss", reduction))


@op()
def gaussian_nll_loss(x, target, var, full=False, eps=1e-06, reduction="mean"):
    """0.5 (log v + (x - target)**2 / v) with v = max(var, eps); with `full` also 0.5 log(2 pi)."""
    return apply(K.gaussian_nll, (x, target, var, eps), full=bool(full), reduction=reduction_of("gaussian_nll_loss", reduction))


@op()
def ctc_loss(log_probs, targets, input_lengths, target_lengths, blank=0, reduction="mean", zero_infinity=False):
    """The connectionist temporal classification loss (Graves et al., 2006).

    Args:
        log_probs (Tensor): log-probabilities (T, N, C), as log_softmax gives them: the gradient is that of its logits.
        targets (Tensor): (N, S) classes.
        input_lengths, target_lengths (Tensor): (N,) how much of each sequence counts.
        blank: the blank class. Default: 0.
        reduction: "mean" (over the batch, of losses divided by target lengths), "sum" or "none". Default: "mean".
        zero_infinity: an impossible target gives 0 instead of infinity. Default: False.

    Returns:
        `(loss, logarithms of the forward variables (N, T, 2 S + 1))`.
    """
    return apply(
        K.ctc,
        (log_probs, targets, input_lengths, target_lengths),
        blank=int(blank),
        reduction=reduction_of("ctc_loss", reduction),
        zero_infinity=bool(zero_infinity),
    )
