"""Losses and clipping."""

import jax
import jax.numpy as jnp

from sporax._kernels.vector_norm import norm, safe_sqrt


def clip_by_global_norm(*xs_and_norm):
    """Scale all by clip / max(clip, ||all||): the norm is at most `clip` afterwards."""
    *xs, clip = xs_and_norm
    total = safe_sqrt(sum(jnp.sum(jnp.square(x.astype(jnp.float32))) for x in xs))
    scale = clip / jnp.maximum(total, clip)
    return tuple((x * scale).astype(x.dtype) for x in xs)


def clip_by_norm(*xs_and_norm, p):
    """Scale all by min(1, max_norm / (||all||_p + 1e-6)); the last result is the norm."""
    *xs, limit = xs_and_norm
    parts = jnp.stack([norm(x, p=p, axis=None, keepdims=False, dtype=jnp.dtype("float32")) for x in xs])
    total = norm(parts, p=p, axis=None, keepdims=False, dtype=None)
    scale = jnp.minimum(limit / (total + 1e-6), 1.0)
    return (*[(x * scale).astype(x.dtype) for x in xs], total)


def reduce_loss(x, *, reduction):
    """The mean or sum of all elements, or the elements."""
    if reduction == "mean":
        return jnp.mean(x)
    return jnp.sum(x) if reduction == "sum" else x


def weighted(x, weights, *, reduction):
    """Elements times weights, then reduced, in the dtype of the elements."""
    return reduce_loss((x * weights).astype(x.dtype), reduction=reduction).astype(x.dtype)


def l1(x, y, *, reduction):
    d = jnp.abs(x - y)
    return reduce_loss(d, reduction=reduction).astype(d.dtype)


def mse(x, y, *, reduction):
    return reduce_loss(jnp.square(x - y), reduction=reduction)


def smooth_l1(x, y, beta, *, reduction):
    """0.5 d**2 / beta for |d| < beta, else |d| - 0.5 beta"""
    d = jnp.abs(x - y)
    small = d < beta
    return reduce_loss(jnp.where(small, 0.5 * d * d / jnp.where(small, beta, 1), d - 0.5 * beta).astype(d.dtype), reduction=reduction)


def huber(x, y, delta, *, reduction):
    d = jnp.abs(x - y)
    return reduce_loss(jnp.where(d <= delta, 0.5 * d * d, delta * (d - 0.5 * delta)).astype(d.dtype), reduction=reduction)


def _pick(log_p, target, axis):
    """log_p at the target class; a class out of range counts as ignored, and never reads outside."""
    n = log_p.shape[axis]
    inside = (target >= 0) & (target < n)
    picked = jnp.take_along_axis(log_p, jnp.expand_dims(jnp.where(inside, target, 0), axis), axis)
    return jnp.squeeze(picked, axis), inside


def nll(log_p, target, weight, *, axis, ignore_index, reduction):
    """-weight[t] log_p[t]; the mean is over the weights of what is not ignored."""
    picked, inside = _pick(log_p, target, axis)
    counted = inside & (target != ignore_index)
    w = jnp.where(counted, 1 if weight is None else jnp.take(weight, jnp.where(inside, target, 0)), 0).astype(log_p.dtype)
    loss = -picked * w
    if reduction == "mean":
        return jnp.sum(loss) / jnp.sum(w)
    return jnp.sum(loss) if reduction == "sum" else loss


def cross_entropy_index(logits, target, weight, smoothing, *, axis, ignore_index, reduction):
    """Softmax cross entropy with class indices and label smoothing (torch's definition)."""
    log_p = jax.nn.log_softmax(logits, axis)
    hard = nll(log_p, target, weight, axis=axis, ignore_index=ignore_index, reduction=reduction)
    if smoothing is None:
        return hard
    n = logits.shape[axis]
    inside = (target >= 0) & (target < n) & (target != ignore_index)
    if weight is None:
        soft = -jnp.sum(log_p, axis)
        w = inside.astype(log_p.dtype)
    else:
        shape = [1] * logits.ndim
        shape[axis] = -1
        soft = -jnp.sum(log_p * weight.reshape(shape), axis)
        w = jnp.where(inside, jnp.take(weight, jnp.where(inside, target, 0)), 0).astype(log_p.dtype)
    soft = jnp.where(inside, soft, 0)
    if reduction == "mean":
        soft = jnp.sum(soft) / jnp.sum(w)
    elif reduction == "sum":
        soft = jnp.sum(soft)
    return (1 - smoothing) * hard + smoothing / n * soft


def cross_entropy_probability(logits, target, weight, smoothing, *, axis, reduction):
    log_p = jax.nn.log_softmax(logits, axis)
    n = logits.shape[axis]
    if smoothing is not None:
        target = target * (1 - smoothing) + smoothing / n
    terms = -log_p * target
    if weight is not None:
        shape = [1] * logits.ndim
        shape[axis] = -1
        terms = terms * weight.reshape(shape)
    loss = jnp.sum(terms, axis)
    if reduction == "mean":
        return jnp.sum(loss) / (loss.size or 1)
    return jnp.sum(loss) if reduction == "sum" else loss


def softmax_cross_entropy_dense(logits, labels):
    """(loss for each row, its gradient). The labels themselves get no gradient, as in MindSpore."""
    labels = jax.lax.stop_gradient(labels)
    log_p = jax.nn.log_softmax(logits, -1)
    return -jnp.sum(labels * log_p, -1), jnp.exp(log_p) - labels


def sparse_softmax_cross_entropy(logits, labels):
    """Loss for each row; a label out of range gives 0, as on MindSpore's CPU."""
    picked, inside = _pick(jax.nn.log_softmax(logits, -1), labels, logits.ndim - 1)
    return jnp.where(inside, -picked, 0).astype(logits.dtype)


def _clipped_log(p):
    # log clamped at -100, whose gradient is finite for p = 0
    tiny = jnp.asarray(1e-12, p.dtype) if p.dtype != jnp.float16 else jnp.asarray(6e-8, p.dtype)
    return jnp.maximum(jnp.log(jnp.maximum(p, tiny)), -100)


def binary_cross_entropy(p, y, weight, *, reduction):
    loss = -(y * _clipped_log(p) + (1 - y) * _clipped_log(1 - p))
    if weight is not None:
        loss = loss * weight
    return reduce_loss(loss, reduction=reduction)


def bce_with_logits(x, y, weight, pos_weight, *, reduction):
    """max(x, 0) - x y + log(1 + exp(-|x|)), with weights"""
    y = y.astype(x.dtype)
    log_p, log_q = jax.nn.log_sigmoid(x), jax.nn.log_sigmoid(-x)
    loss = -(y * log_p * (1 if pos_weight is None else pos_weight) + (1 - y) * log_q)
    if weight is not None:
        loss = loss * weight
    return reduce_loss(loss.astype(x.dtype), reduction=reduction)


def kl_div(x, target, *, reduction, log_target):
    """target (log target - x), where x are log-probabilities; the target gets no gradient, as in MindSpore."""
    target = jax.lax.stop_gradient(target)
    if log_target:
        loss = jnp.exp(target) * (target - x)
    else:
        loss = jax.scipy.special.xlogy(target, target) - x * target
    if reduction == "batchmean":
        return jnp.sum(loss) / x.shape[0]
    return reduce_loss(loss, reduction=reduction)


def soft_margin(x, y, *, reduction):
    return reduce_loss(jax.nn.softplus(-y * x), reduction=reduction)


def cosine_embedding(a, b, y, margin, *, reduction):
    # the norms are at least 1e-12 inside the root, as in the reference implementation
    eps = 1e-12
    cos = jnp.sum(a * b, -1) / jnp.sqrt((jnp.sum(a * a, -1) + eps) * (jnp.sum(b * b, -1) + eps))
    loss = jnp.where(y == 1, 1 - cos, jnp.where(y == -1, jnp.maximum(cos - margin, 0), 0))
    return reduce_loss(loss, reduction=reduction)


def cosine_similarity(a, b, eps, *, axis):
    return jnp.sum(a * b, axis) / jnp.maximum(
        norm(a, p=2, axis=(axis,), keepdims=False, dtype=None) * norm(b, p=2, axis=(axis,), keepdims=False, dtype=None), eps
    )


def margin_ranking(a, b, y, margin, *, reduction):
    return reduce_loss(jnp.maximum(-y * (a - b) + margin, 0), reduction=reduction)


def hinge_embedding(x, y, margin, *, reduction):
    return reduce_loss(jnp.where(y == 1, x, jnp.maximum(margin - x, 0)), reduction=reduction)


def triplet_margin(a, positive, negative, margin, eps, *, p, swap, reduction):
    def d(u, v):
        return norm(u - v + eps, p=p, axis=(-1,), keepdims=False, dtype=None)

    far = d(a, negative)
    if swap:
        far = jnp.minimum(far, d(positive, negative))
    return reduce_loss(jnp.maximum(d(a, positive) - far + margin, 0), reduction=reduction)


def multi_margin(x, target, weight, margin, *, p, reduction):
    rows = jnp.arange(x.shape[0])
    z = jnp.maximum(margin - x[rows, target][:, None] + x, 0)
    z = z if p == 1 else jnp.power(z, p)
    if weight is not None:
        z = z * weight[target][:, None]
    z = z.at[rows, target].set(0)
    return reduce_loss(jnp.sum(z, -1) / x.shape[1], reduction=reduction)


def multilabel_margin(x, target, *, reduction):
    """Targets are class indices up to the first -1 in each row."""
    one = x.ndim == 1
    x, target = jnp.atleast_2d(x), jnp.atleast_2d(target)
    valid = jnp.cumprod(target >= 0, -1).astype(bool)
    n = x.shape[1]
    is_target = jnp.any((jnp.arange(n) == jnp.where(valid, target, -1)[..., None]), 1)
    picked = jnp.take_along_axis(x, jnp.where(valid, target, 0), -1)
    z = jnp.maximum(1 - picked[..., None] + x[:, None, :], 0)
    z = jnp.where(valid[..., None] & ~is_target[:, None, :], z, 0)
    loss = jnp.sum(z, (1, 2)) / n
    return reduce_loss(loss[0] if one else loss, reduction=reduction)


def multilabel_soft_margin(x, y, weight, *, reduction):
    loss = -(y * jax.nn.log_sigmoid(x) + (1 - y) * jax.nn.log_sigmoid(-x))
    if weight is not None:
        loss = loss * weight
    return reduce_loss(jnp.mean(loss, -1), reduction=reduction)


def poisson_nll(x, y, eps, *, log_input, full, reduction):
    loss = jnp.exp(x) - y * x if log_input else x - y * jnp.log(x + eps)
    if full:
        safe = jnp.where(y > 1, y, 1.0)
        loss = loss + jnp.where(y > 1, safe * jnp.log(safe) - safe + 0.5 * jnp.log(2 * jnp.pi * safe), 0)
    return reduce_loss(loss, reduction=reduction)


def gaussian_nll(x, y, var, eps, *, full, reduction):
    v = jnp.where(var >= eps, var, jnp.asarray(eps, var.dtype))
    loss = 0.5 * (jnp.log(v) + jnp.square(x - y) / v)
    if full:
        loss = loss + 0.5 * jnp.log(2 * jnp.pi).astype(x.dtype)
    return reduce_loss(loss, reduction=reduction)


def dice(p, y, smooth):
    p, y = p.reshape(-1), y.reshape(-1)
    both = jnp.sum(p * y)
    return 1 - 2 * both / (jnp.sum(p * p) + jnp.sum(y * y) + smooth)


def focal(logits, target, weight, gamma, *, reduction):
    """(1 - p)**gamma times the cross entropy, with classes along axis 1 (and any spatial axes flattened)."""
    x = logits.reshape(*logits.shape[:2], -1)
    t = target.reshape(target.shape[0], target.shape[1], -1)
    log_p = jax.nn.log_softmax(x, 1)
    if t.shape[1] == 1:
        picked = jnp.take_along_axis(log_p, t.astype(jnp.int32), 1)
        w = 1 if weight is None else weight[t.astype(jnp.int32)]
    else:
        picked, w = log_p, 1 if weight is None else weight.reshape(1, -1, 1)
    factor = jnp.power(1 - jnp.exp(picked), gamma)
    loss = jnp.mean(-factor * w * picked * (1 if t.shape[1] == 1 else t), -1)
    return reduce_loss(loss, reduction=reduction)


def ctc(log_probs, targets, input_lengths, target_lengths, *, blank, reduction, zero_infinity):
    """Connectionist temporal classification (Graves et al. 2006); log_probs (T, N, C), targets (N, S).

    Returns the loss and the logarithms of the forward variables, (N, T, 2 S + 1). The gradient is that with respect to the logits of a
    log_softmax, as in MindSpore: exp(log_probs) minus the occupancies.
    """
    t_max, n, _ = log_probs.shape
    s = targets.shape[1]
    extended = jnp.full((n, 2 * s + 1), blank, targets.dtype).at[:, 1::2].set(targets)
    skip = jnp.concatenate([jnp.zeros((n, 2), bool), (extended[:, 2:] != blank) & (extended[:, 2:] != extended[:, :-2])], 1)
    # a finite number for log 0: differences of infinities have no gradient
    low = jnp.asarray(-1e30, log_probs.dtype)
    emit = jnp.take_along_axis(log_probs, jnp.broadcast_to(extended, (t_max, *extended.shape)), 2)
    first = jnp.full((n, 2 * s + 1), low, log_probs.dtype).at[:, 0].set(emit[0, :, 0])
    first = first.at[:, 1].set(jnp.where(target_lengths > 0, emit[0, :, 1], low)) if s else first

    def step(alpha, inputs):
        t, e = inputs
        one = jnp.concatenate([jnp.full((n, 1), low), alpha[:, :-1]], 1)
        two = jnp.where(skip, jnp.concatenate([jnp.full((n, 2), low), alpha[:, :-2]], 1), low)
        new = jax.nn.logsumexp(jnp.stack([alpha, one, two]), axis=0) + e
        alive = (t < input_lengths)[:, None]
        return jnp.where(alive, new, alpha), jnp.where(alive, new, low)

    alpha, rest = jax.lax.scan(step, first, (jnp.arange(1, t_max), emit[1:]))
    end = 2 * target_lengths
    last = jnp.take_along_axis(alpha, end[:, None], 1)[:, 0]
    before = jnp.where(target_lengths > 0, jnp.take_along_axis(alpha, jnp.maximum(end - 1, 0)[:, None], 1)[:, 0], low)
    loss = -jnp.logaddexp(last, before)
    counted = (jnp.arange(t_max)[:, None] < input_lengths)[..., None]
    total = jnp.sum(jnp.where(counted, jnp.exp(log_probs), 0), (0, 2))
    loss = loss + total - jax.lax.stop_gradient(total)
    loss = jnp.where(loss > 1e29, 0 if zero_infinity else jnp.inf, loss)
    log_alpha = jnp.moveaxis(jnp.concatenate([first[None], rest]), 0, 1)
    log_alpha = jax.lax.stop_gradient(jnp.where(log_alpha < -1e29, -jnp.inf, log_alpha))
    if reduction == "mean":
        return jnp.mean(loss / jnp.maximum(target_lengths, 1)), log_alpha
    return jnp.sum(loss) if reduction == "sum" else loss, log_alpha
