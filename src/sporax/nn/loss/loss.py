"""Loss Cells."""

from sporax import ops
from sporax._core import dtype as mstype
from sporax._core.dispatch import apply
from sporax._core.tensor import Tensor
from sporax._kernels import loss as K
from sporax.nn.cell import Cell
from sporax.ops.loss import reduction_of


def _tensors(owner, **tensors):
    for key, t in tensors.items():
        if not isinstance(t, Tensor):
            raise TypeError(f"For '{owner}', '{key}' should be a Tensor, but got {t!r} of type {type(t).__name__}.")


class LossBase(Cell):
    """Base of losses with weights and a reduction.

    Args:
        reduction: "mean", "sum" or "none". Default: "mean".

    Examples:
        >>> class Half(nn.LossBase):
        ...     def construct(self, x, y):
        ...         return self.get_loss(ops.abs(x - y) * 0.5)
        >>> print(Half()(Tensor([1.0, 3.0]), Tensor([0.0, 0.0])))
        1.0
    """

    def __init__(self, reduction="mean"):
        super().__init__()
        self.reduction = reduction_of(type(self).__name__, reduction)
        self.reduce, self.average = reduction != "none", reduction == "mean"

    def get_axis(self, x):
        """All axes of `x`, a tuple."""
        return tuple(range(x.ndim))

    def get_loss(self, x, weights=1.0):
        """`x` times weights, reduced."""
        return apply(K.weighted, (x, weights), reduction=self.reduction)

    def construct(self, logits, labels):
        raise NotImplementedError(f"'{type(self).__name__}' should define construct(self, logits, labels).")


class _Loss(LossBase):
    """Older name of `LossBase`."""


def _pointwise(name, function, default="mean", doc=""):
    class Loss(LossBase):
        def __init__(self, reduction=default):
            super().__init__(reduction)

        def construct(self, logits, labels):
            _tensors(name, logits=logits, labels=labels)
            return function(logits, labels, reduction=self.reduction)

    Loss.__name__ = Loss.__qualname__ = name
    Loss.__module__ = __name__
    Loss.__doc__ = f'{doc}\n\n    Args:\n        reduction: "mean", "sum" or "none". Default: "{default}".\n    '
    return Loss


L1Loss = _pointwise("L1Loss", ops.l1_loss, doc="|logits - labels|.")
SoftMarginLoss = _pointwise("SoftMarginLoss", ops.soft_margin_loss, doc="log(1 + exp(-labels logits)) for labels -1 and 1.")
MultilabelMarginLoss = _pointwise(
    "MultilabelMarginLoss", ops.multilabel_margin_loss, doc="Hinge loss of several target classes, listed up to the first -1."
)


class MSELoss(LossBase):
    """(logits - labels)**2.

    Args:
        reduction: "mean", "sum" or "none". Default: "mean".

    Examples:
        >>> print(nn.MSELoss()(Tensor([1.0, 3.0]), Tensor([0.0, 0.0])))
        5.0
    """

    def construct(self, logits, labels):
        _tensors("MSELoss", logits=logits, labels=labels)
        return self.get_loss(ops.square(logits - labels))


class MAELoss(LossBase):
    """|logits - label|.

    Args:
        reduction: "mean", "sum" or "none". Default: "mean".
    """

    def construct(self, logits, label):
        _tensors("MAELoss", logits=logits, label=label)
        return self.get_loss(ops.abs(logits - label))


class KLDivLoss(LossBase):
    """labels (log labels - logits), where logits are log-probabilities.

    Args:
        reduction: "mean", "sum", "none" or "batchmean". Default: "mean".
    """

    def __init__(self, reduction="mean"):
        super().__init__("mean")
        self.reduction = reduction_of("KLDivLoss", reduction, ("batchmean",))

    def construct(self, logits, labels):
        return ops.kl_div(logits, labels, self.reduction)


class RMSELoss(LossBase):
    """The root of the mean squared difference."""

    def __init__(self):
        super().__init__()

    def construct(self, logits, label):
        _tensors("RMSELoss", logits=logits, label=label)
        return ops.sqrt(ops.mse_loss(logits, label))


class SmoothL1Loss(LossBase):
    """0.5 d**2 / beta for |d| < beta, else |d| - 0.5 beta.

    Args:
        beta: default 1.0.
        reduction: default "none".
    """

    def __init__(self, beta=1.0, reduction="none"):
        super().__init__(reduction)
        if isinstance(beta, bool) or not isinstance(beta, int | float):
            raise TypeError(f"For 'SmoothL1Loss', 'beta' should be a number, but got {beta!r}.")
        self.beta = beta

    def construct(self, logits, labels):
        _tensors("SmoothL1Loss", logits=logits, labels=labels)
        if self.beta <= 0:
            raise RuntimeError(f"For 'SmoothL1Loss', 'beta' should be greater than 0, but got {self.beta}: use L1Loss for 0.")
        return ops.smooth_l1_loss(logits, labels, self.beta, self.reduction)


class HuberLoss(LossBase):
    """0.5 d**2 for |d| <= delta, else delta (|d| - 0.5 delta).

    Args:
        reduction: default "mean".
        delta: default 1.0.
    """

    def __init__(self, reduction="mean", delta=1.0):
        super().__init__(reduction)
        self.delta = delta

    def construct(self, logits, labels):
        _tensors("HuberLoss", logits=logits, labels=labels)
        return ops.huber_loss(logits, labels, self.reduction, self.delta)


class SoftmaxCrossEntropyWithLogits(LossBase):
    """Softmax cross entropy of each row of logits (N, C).

    Args:
        sparse: labels are class indices (N,) instead of probabilities (N, C). A class out of range gives 0. Default: False.
        reduction: default "none".

    Examples:
        >>> loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
        >>> print(loss(Tensor([[0.0, 0.0]]), Tensor([1])))
        0.6931472
    """

    def __init__(self, sparse=False, reduction="none"):
        super().__init__(reduction)
        if not isinstance(sparse, bool):
            raise TypeError(f"For 'SoftmaxCrossEntropyWithLogits', 'sparse' should be a bool, but got {sparse!r}.")
        self.sparse = sparse

    def construct(self, logits, labels):
        _tensors("SoftmaxCrossEntropyWithLogits", logits=logits, labels=labels)
        return self.get_loss(ops.softmax_cross_entropy_with_logits(logits, labels, self.sparse))


class CrossEntropyLoss(LossBase):
    """Softmax cross entropy of logits (N, C, ...) with class indices or probabilities; see `ops.cross_entropy` for the arguments."""

    def __init__(self, weight=None, ignore_index=-100, reduction="mean", label_smoothing=0.0):
        super().__init__(reduction)
        if weight is not None:
            _tensors("CrossEntropyLoss", weight=weight)
        if not 0 <= label_smoothing <= 1:
            raise ValueError(f"For 'CrossEntropyLoss', 'label_smoothing' should be in [0, 1], but got {label_smoothing}.")
        self.weight, self.ignore_index, self.label_smoothing = weight, ignore_index, label_smoothing

    def construct(self, logits, labels):
        return ops.cross_entropy(logits, labels, self.weight, self.ignore_index, self.reduction, self.label_smoothing)


class NLLLoss(LossBase):
    """-weight[t] log p[t]; see `ops.nll_loss` for the arguments."""

    def __init__(self, weight=None, ignore_index=-100, reduction="mean"):
        super().__init__(reduction)
        self.weight, self.ignore_index = weight, ignore_index

    def construct(self, logits, labels):
        return ops.nll_loss(logits, labels, self.weight, self.ignore_index, self.reduction)


class BCELoss(LossBase):
    """Binary cross entropy of probabilities.

    Args:
        weight: a Tensor of weights that broadcasts. Default: None.
        reduction: default "mean".
    """

    def __init__(self, weight=None, reduction="mean"):
        super().__init__(reduction)
        self.weight = weight

    def construct(self, logits, labels):
        _tensors("BCELoss", logits=logits, labels=labels)
        return ops.binary_cross_entropy(logits, labels, self.weight, self.reduction)


class BCEWithLogitsLoss(LossBase):
    """Binary cross entropy of sigmoid(logits).

    Args:
        reduction: default "mean".
        weight, pos_weight: Tensors that broadcast; see `ops.binary_cross_entropy_with_logits`. Default: None.
    """

    def __init__(self, reduction="mean", weight=None, pos_weight=None):
        super().__init__(reduction)
        self.weight, self.pos_weight = weight, pos_weight

    def construct(self, input, target):
        return ops.binary_cross_entropy_with_logits(input, target, self.weight, self.pos_weight, self.reduction)


class CosineEmbeddingLoss(LossBase):
    """1 - cos for target 1, max(cos - margin, 0) for target -1.

    Args:
        margin: in [-1, 1]. Default: 0.0.
        reduction: default "mean".
    """

    def __init__(self, margin=0.0, reduction="mean"):
        super().__init__(reduction)
        if not -1 <= margin <= 1:
            raise ValueError(f"For 'CosineEmbeddingLoss', 'margin' should be in [-1, 1], but got {margin}.")
        self.margin = float(margin)

    def construct(self, logits_x1, logits_x2, labels):
        return ops.cosine_embedding_loss(logits_x1, logits_x2, labels, self.margin, self.reduction)


class MarginRankingLoss(LossBase):
    """max(-labels (x1 - x2) + margin, 0).

    Args:
        margin: default 0.0.
        reduction: default "mean".
    """

    def __init__(self, margin=0.0, reduction="mean"):
        super().__init__(reduction)
        self.margin = margin

    def construct(self, input1, input2, target):
        return ops.margin_ranking_loss(input1, input2, target, self.margin, self.reduction)


class HingeEmbeddingLoss(LossBase):
    """logits for label 1, max(margin - logits, 0) for label -1.

    Args:
        margin: default 1.0.
        reduction: default "mean".
    """

    def __init__(self, margin=1.0, reduction="mean"):
        super().__init__(reduction)
        self.margin = margin

    def construct(self, logits, labels):
        return ops.hinge_embedding_loss(logits, labels, self.margin, self.reduction)


class TripletMarginLoss(LossBase):
    """max(d(x, positive) - d(x, negative) + margin, 0) with the p-norm distance.

    Args:
        p: default 2.
        swap: use the smaller of d(x, negative) and d(positive, negative). Default: False.
        eps: added to differences. Default: 1e-6.
        reduction: default "mean".
        margin: default 1.0.
    """

    def __init__(self, p=2, swap=False, eps=1e-6, reduction="mean", margin=1.0):
        super().__init__(reduction)
        self.p, self.swap, self.eps, self.margin = p, swap, eps, margin

    def construct(self, x, positive, negative, margin=1.0):
        # the constructor's margin counts unless it is the default
        return ops.triplet_margin_loss(
            x, positive, negative, margin if self.margin == 1.0 else self.margin, self.p, self.eps, self.swap, self.reduction
        )


class MultiMarginLoss(LossBase):
    """The mean over other classes of max(margin - x[t] + x[i], 0)**p.

    Args:
        p: 1 or 2. Default: 1.
        margin: default 1.0.
        reduction: default "mean".
        weight: (C,) weights of classes. Default: None.
    """

    def __init__(self, p=1, margin=1.0, reduction="mean", weight=None):
        super().__init__(reduction)
        if p not in (1, 2):
            raise ValueError(f"For 'MultiMarginLoss', 'p' should be 1 or 2, but got {p}.")
        self.p, self.margin, self.weight = p, margin, weight

    def construct(self, x, target, weight=None):
        return ops.multi_margin_loss(x, target, self.p, self.margin, weight if self.weight is None else self.weight, self.reduction)


class MultiLabelSoftMarginLoss(LossBase):
    """The mean over classes of the binary cross entropy of sigmoid(x).

    Args:
        weight: weights of classes. Default: None.
        reduction: default "mean".
    """

    def __init__(self, weight=None, reduction="mean"):
        super().__init__(reduction)
        self.weight = weight

    def construct(self, x, target):
        return ops.multilabel_soft_margin_loss(x, target, self.weight, self.reduction)


class PoissonNLLLoss(LossBase):
    """exp(x) - target x, or x - target log(x + eps) without `log_input`.

    Args:
        log_input: default True.
        full: add Stirling's approximation of log target!. Default: False.
        eps: default 1e-8.
        reduction: default "mean".
    """

    def __init__(self, log_input=True, full=False, eps=1e-8, reduction="mean"):
        super().__init__(reduction)
        if eps <= 0:
            raise ValueError(f"For 'PoissonNLLLoss', 'eps' should be positive, but got {eps}.")
        self.log_input, self.full, self.eps = log_input, full, eps

    def construct(self, input, target):
        return apply(K.poisson_nll, (input, target, self.eps), log_input=self.log_input, full=self.full, reduction=self.reduction)


class GaussianNLLLoss(LossBase):
    """0.5 (log v + (x - target)**2 / v) with v = max(var, eps).

    Args:
        full: add 0.5 log(2 pi). Default: False.
        eps: default 1e-6.
        reduction: default "mean".
    """

    def __init__(self, *, full=False, eps=1e-6, reduction="mean"):
        super().__init__(reduction)
        if eps <= 0:
            raise ValueError(f"For 'GaussianNLLLoss', 'eps' should be positive, but got {eps}.")
        self.full, self.eps = full, eps

    def construct(self, logits, labels, var):
        return ops.gaussian_nll_loss(logits, labels, var, self.full, self.eps, self.reduction)


class TripletMarginWithDistanceLoss(LossBase):
    """`TripletMarginLoss` with any distance function.

    Args:
        distance_function: a function of two Tensors. Default: None, the Euclidean distance.
        swap: default False.
        reduction: default "mean".
        margin: default 1.0.
    """

    def __init__(self, distance_function=None, swap=False, reduction="mean", margin=1.0):
        super().__init__(reduction)
        self.distance_function, self.swap, self.margin = distance_function, swap, margin

    def construct(self, x, positive, negative):
        d = self.distance_function or (lambda a, b: ops.norm(a - b + 1e-6, dim=-1))
        near, far = d(x, positive), d(x, negative)
        if self.swap:
            far = ops.minimum(far, d(positive, negative))
        return self.get_loss(ops.clamp(near - far + self.margin, 0.0))


class DiceLoss(LossBase):
    """1 - 2 sum(p y) / (sum(p**2) + sum(y**2) + smooth).

    Args:
        smooth: default 1e-5.
    """

    def __init__(self, smooth=1e-5):
        super().__init__()
        if smooth <= 0:
            raise ValueError(f"For 'DiceLoss', 'smooth' should be positive, but got {smooth}.")
        self.smooth = smooth

    def construct(self, logits, label):
        _tensors("DiceLoss", logits=logits, label=label)
        if logits.shape != label.shape:
            raise ValueError(f"For 'DiceLoss', 'logits' and 'label' should have one shape, but got {logits.shape} and {label.shape}.")
        return apply(K.dice, (logits, label, self.smooth))


class MultiClassDiceLoss(LossBase):
    """The mean over classes (axis 1) of the weighted `DiceLoss`.

    Args:
        weights: (C,) or (N, C) weights. Default: None.
        ignore_indiex: a class left out. Default: None.
        activation: an activation of the logits: a name, a Cell, or None. Default: "softmax" over classes.
    """

    def __init__(self, weights=None, ignore_indiex=None, activation="softmax"):
        super().__init__()
        from sporax.nn.layer.activation import Softmax, get_activation

        self.weights, self.ignore_indiex = weights, ignore_indiex
        self.activation = Softmax(1) if activation == "softmax" else get_activation(activation) if isinstance(activation, str) else activation

    def construct(self, logits, label):
        if self.activation is not None:
            logits = self.activation(logits)
        total = 0.0
        for i in range(label.shape[1]):
            if i == self.ignore_indiex:
                continue
            loss = apply(K.dice, (logits[:, i], label[:, i], 1e-5))
            if self.weights is not None:
                loss = loss * self.weights[..., i]
            total = total + loss
        return ops.mean(total / label.shape[1])


class FocalLoss(LossBase):
    """(1 - p)**gamma times the cross entropy (Lin et al., 2017), with classes along axis 1.

    Args:
        weight: (C,) weights of classes. Default: None.
        gamma: default 2.0.
        reduction: default "mean".
    """

    def __init__(self, weight=None, gamma=2.0, reduction="mean"):
        super().__init__(reduction)
        self.weight, self.gamma = weight, float(gamma)

    def construct(self, logits, labels):
        _tensors("FocalLoss", logits=logits, labels=labels)
        if logits.ndim < 2 or labels.ndim != logits.ndim:
            raise ValueError(
                f"For 'FocalLoss', 'logits' and 'labels' should have as many axes, at least 2, but got shapes {logits.shape} and {labels.shape}."
            )
        return apply(K.focal, (logits, labels, self.weight, self.gamma), reduction=self.reduction)


class SampledSoftmaxLoss(LossBase):
    """Softmax cross entropy over the true class and `num_sampled` classes drawn at random (Jean et al., 2015).

    Args:
        num_sampled: how many classes are drawn.
        num_classes: how many there are.
        num_true: true classes of each row. Default: 1.
        sampled_values: `(sampled, expected counts of the true, expected counts of the sampled)` instead of drawing. Default: None.
        remove_accidental_hits: a sampled class that is a true one does not count. Default: True.
        seed: 0, the global stream. Default: 0.
        reduction: default "none".

    Inputs:
        weights (C, D), biases (C,), labels (N, num_true), logits (N, D).
    """

    def __init__(self, num_sampled, num_classes, num_true=1, sampled_values=None, remove_accidental_hits=True, seed=0, reduction="none"):
        super().__init__(reduction)
        if num_true < 1 or num_sampled > num_classes:
            raise ValueError(
                f"For 'SampledSoftmaxLoss', num_true should be positive and num_sampled at most num_classes, but got "
                f"{num_true}, {num_sampled}, {num_classes}."
            )
        self.num_sampled, self.num_classes, self.num_true, self.seed = num_sampled, num_classes, num_true, seed
        self.sampled_values, self.remove_accidental_hits = sampled_values, remove_accidental_hits

    def _draw(self, labels):
        # log-uniform over ranks, as for classes sorted by frequency: P(k) = log((k + 2) / (k + 1)) / log(n + 1)
        k = ops.arange(0, self.num_classes).astype(mstype.float32)
        p = ops.log((k + 2) / (k + 1)) / ops.log(Tensor(float(self.num_classes + 1)))
        sampled = ops.multinomial(p, self.num_sampled, replacement=False)
        return sampled, ops.gather(p, labels, 0) * self.num_sampled, ops.gather(p, sampled, 0) * self.num_sampled

    def construct(self, weights, biases, labels, logits):
        if labels.ndim == 1:
            labels = labels.reshape(-1, 1)
        sampled, expected_true, expected_sampled = self.sampled_values or self._draw(labels)
        true_logits = (ops.expand_dims(logits, 1) * ops.gather(weights, labels, 0)).sum(-1) + ops.gather(biases, labels, 0) - ops.log(expected_true)
        other = ops.matmul(logits, ops.gather(weights, sampled, 0).T) + ops.gather(biases, sampled, 0) - ops.log(expected_sampled)
        if self.remove_accidental_hits:
            hit = (ops.expand_dims(labels, 2) == sampled.astype(labels.dtype)).any(1)
            other = ops.masked_fill(other, hit, -1e30)
        log_p = ops.log_softmax(ops.concat((true_logits, other), 1), 1)
        return self.get_loss(-log_p[:, : self.num_true].mean(1))


class CTCLoss(LossBase):
    """Connectionist temporal classification (Graves et al., 2006).

    Args:
        blank: the blank class. Default: 0.
        reduction: default "mean".
        zero_infinity: an impossible target gives 0 instead of infinity. Default: False.
    """

    def __init__(self, blank=0, reduction="mean", zero_infinity=False):
        super().__init__(reduction)
        self.blank, self.zero_infinity = blank, zero_infinity

    def construct(self, log_probs, targets, input_lengths, target_lengths):
        return ops.ctc_loss(log_probs, targets, input_lengths, target_lengths, self.blank, self.reduction, self.zero_infinity)[0]
