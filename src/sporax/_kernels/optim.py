"""Optimizers: one rule for each, on one parameter; and the op that applies a rule to all parameters at once.

A rule takes (parameter, gradient, states..., learning rate, hyper-parameters...) and gives (parameter, states...). The order of operations is
MindSpore's, so that trajectories agree to rounding.
"""

import jax.numpy as jnp


def centralize(g):
    """The gradient minus its mean over all axes but the first (Yong et al., 2020), for weights whose second size is a multiple of 16."""
    if g.ndim < 2 or g.shape[1] % 16:
        return g
    return g - jnp.mean(g, tuple(range(1, g.ndim)), keepdims=True)


def _f32(x):
    # a Python 0.9 would make 1 - 0.9 in double precision; MindSpore's kernels subtract in float32
    return jnp.asarray(x, jnp.float32) if isinstance(x, float) or getattr(x, "weak_type", False) else x


def update(*arrays, rule, count, states, decayed, centralized, lr_of, wd_of, lrs, wds, decoupled=False, static=()):
    """Apply a rule to `count` parameters.

    Positional: parameters, gradients, states (each state of all parameters, then the next), distinct learning rates, distinct weight decays, the
    loss scale, the global step, then hyper-parameters shared by all. `decoupled`: the rule gets the weight decay (or None) last, instead of it
    being added to the gradients.

    Returns the new parameters, the new states, and the global step plus one.
    """
    at = 0

    def take(n):
        nonlocal at
        part = arrays[at : at + n]
        at += n
        return part

    params, grads, flat = take(count), take(count), take(states * count)
    rates, decays = take(lrs), [_f32(d) for d in take(wds)]
    scale, step = take(2)
    hyper = [_f32(h) for h in arrays[at:]]
    new, made = [], [[] for _ in range(states)]
    for i, (p, g) in enumerate(zip(params, grads)):
        g = g.astype(p.dtype)
        decay = decays[wd_of[i]] if decayed[i] and wd_of[i] is not None else None
        if decay is not None and not decoupled:
            g = g + (decay * p).astype(p.dtype)
        if centralized[i]:
            g = centralize(g)
        if scale is not None:
            g = (g * scale).astype(p.dtype)
        out = rule(p, g, *[flat[k * count + i] for k in range(states)], rates[lr_of[i]], *hyper, *((decay,) if decoupled else ()), **dict(static))
        p2, *rest = out if isinstance(out, tuple) else (out,)
        new.append(p2.astype(p.dtype))
        for k, s in enumerate(rest):
            made[k].append(s.astype(flat[k * count + i].dtype))
    return (*new, *[s for group in made for s in group], step + 1)


def sgd(p, g, accum, stat, lr, momentum, dampening, *, use_momentum, nesterov):
    if not use_momentum:
        return p - lr * g, accum, stat
    # `stat` is 1 before the first step, when the velocity is the gradient itself
    first = stat > 0
    accum = jnp.where(first, g, momentum * accum + (1 - dampening) * g)
    step = g + momentum * accum if nesterov else accum
    return p - lr * step, accum, jnp.zeros_like(stat)


def momentum(p, g, accum, lr, m, *, nesterov):
    accum = m * accum + g
    return (p - (g * lr + accum * m * lr) if nesterov else p - lr * accum), accum


def adam(p, g, m, v, lr, beta1_power, beta2_power, beta1, beta2, eps, *, nesterov):
    rate = lr * jnp.sqrt(1 - beta2_power) / (1 - beta1_power)
    m = m + (g - m) * (1 - beta1)
    v = v + (g * g - v) * (1 - beta2)
    top = m * beta1 + (1 - beta1) * g if nesterov else m
    return p - rate * top / (jnp.sqrt(v) + eps), m, v


def amsgrad(p, g, m, v, vhat, lr, beta1_power, beta2_power, beta1, beta2, eps):
    rate = lr * jnp.sqrt(1 - beta2_power) / (1 - beta1_power)
    m = m + (g - m) * (1 - beta1)
    v = v + (g * g - v) * (1 - beta2)
    vhat = jnp.maximum(vhat, v)
    return p - rate * m / (jnp.sqrt(vhat) + eps), m, v, vhat


def adam_weight_decay(p, g, m, v, lr, beta1, beta2, eps, decay):
    wide = p.astype(jnp.float32) if p.dtype != jnp.float64 else p
    g = g.astype(wide.dtype)
    m = beta1 * m + (1 - beta1) * g
    v = beta2 * v + (1 - beta2) * g * g
    step = m / (eps + jnp.sqrt(v))
    if decay is not None:
        step = step + decay * wide
    return wide - lr * step, m, v


def adagrad(p, g, accum, lr, *, update_slots):
    accum = accum + g * g if update_slots else accum
    return p - lr * g / jnp.sqrt(accum), accum


def adadelta(p, g, accum, accum_update, lr, rho, eps):
    accum = rho * accum + (1 - rho) * g * g
    step = jnp.sqrt(accum_update + eps) * g / jnp.sqrt(accum + eps)
    return p - lr * step, accum, rho * accum_update + (1 - rho) * step * step


def adamax(p, g, m, v, lr, beta1_power, beta1, beta2, eps):
    m = beta1 * m + (1 - beta1) * g
    v = jnp.maximum(beta2 * v, jnp.abs(g))
    return p - lr / (1 - beta1_power) * m / (v + eps), m, v


def asgd(p, g, mu, eta, ax, lr, step, lambd, alpha, t0):
    t = step.reshape(()).astype(jnp.float32) + 1
    p = p * (1 - lambd * eta) - eta * g
    ax = jnp.where(mu == 1, p, ax + (p - ax) * mu)
    return p, 1 / jnp.maximum(1.0, t - t0), lr / (1 + lambd * lr * t) ** alpha, ax


def ftrl(p, g, accum, linear, lr, l1, l2, lr_power):
    new = accum + g * g
    power = new ** (-lr_power)
    sigma = (power - accum ** (-lr_power)) / lr
    linear = linear + g - sigma * p
    p = jnp.where(jnp.abs(linear) > l1, (l1 * jnp.sign(linear) - linear) / (power / lr + 2 * l2), 0.0)
    return p, new, linear


def proximal_adagrad(p, g, accum, lr, l1, l2):
    accum = accum + g * g
    rate = lr / jnp.sqrt(accum)
    prox = p - rate * g
    return jnp.sign(prox) * jnp.maximum(jnp.abs(prox) - rate * l1, 0) / (1 + rate * l2), accum


def rmsprop(p, g, mean_square, moment, lr, decay, m, eps):
    mean_square = mean_square * decay + g * g * (1 - decay)
    moment = moment * m + lr * g / jnp.sqrt(mean_square + eps)
    return p - moment, mean_square, moment


def rmsprop_centered(p, g, mean_grad, mean_square, moment, lr, decay, m, eps):
    mean_grad = mean_grad * decay + g * (1 - decay)
    mean_square = mean_square * decay + g * g * (1 - decay)
    moment = moment * m + lr * g / jnp.sqrt(mean_square - mean_grad * mean_grad + eps)
    return p - moment, mean_grad, mean_square, moment


def rprop(p, g, prev, step_size, lr, eta_minus, eta_plus, smallest, largest):
    sign = jnp.sign(g * prev)
    factor = jnp.where(sign > 0, eta_plus, jnp.where(sign < 0, eta_minus, 1.0))
    step_size = jnp.clip(step_size * factor, smallest, largest)
    g = jnp.where(sign < 0, 0.0, g)
    return p - jnp.sign(g) * step_size, g, step_size


def lamb(p, g, m, v, lr, step, beta1, beta2, eps, decay):
    """You et al., 2020, with bias correction."""
    t = step.reshape(()).astype(jnp.float32) + 1
    m = beta1 * m + (1 - beta1) * g
    v = beta2 * v + (1 - beta2) * g * g
    u = (m / (1 - beta1**t)) / (jnp.sqrt(v / (1 - beta2**t)) + eps)
    if decay is not None:
        u = u + decay * p
    w, r = jnp.sqrt(jnp.sum(p * p)), jnp.sqrt(jnp.sum(u * u))
    trust = jnp.where((w > 0) & (r > 0), w / jnp.where(r > 0, r, 1), 1.0)
    return p - lr * trust * u, m, v


def lars_gradient(*arrays, count, decays, eps, coefficient, clip):
    """Gradients scaled by coefficient ||w|| / (||g|| + decay ||w|| + eps) (You et al., 2017), with the decay added.

    Positional: parameters, gradients, weight decay, learning rate.
    """
    params, grads, (decay, lr) = arrays[:count], arrays[count : 2 * count], arrays[2 * count :]
    out = []
    for p, g, applies in zip(params, grads, decays):
        if not applies:
            out.append(g)
            continue
        w, n = jnp.sqrt(jnp.sum(p * p)), jnp.sqrt(jnp.sum(g * g))
        rate = jnp.where((w > 0) & (n > 0), coefficient * w / (n + decay * w + eps), 1.0)
        if clip:
            rate = jnp.clip(rate / lr, 0, 1)
        out.append((rate * (g + decay * p)).astype(p.dtype))
    return tuple(out)


def adafactor(
    p, g, exp_avg, row, col, sq, lr, step, eps1, eps2, clip, beta1, decay_rate, weight_decay, *, scale_parameter, relative_step, warmup_init
):  # fmt: skip
    """Shazeer and Stern, 2018. A state that a parameter does not use is one element."""
    wide = p.astype(jnp.float32)
    g = g.astype(jnp.float32)
    if scale_parameter and relative_step:
        lr = jnp.minimum(1e-6 * step if warmup_init else 1e-2, 1 / jnp.sqrt(step)).reshape(())
    beta2 = (1 - step**decay_rate).reshape(())
    if scale_parameter:
        lr = lr * jnp.maximum(eps2, jnp.sqrt(jnp.mean(wide * wide)))
    squares = g * g + eps1
    if g.ndim >= 2:
        row = row * beta2 + jnp.mean(squares, -1) * (1 - beta2)
        col = col * beta2 + jnp.mean(squares, -2) * (1 - beta2)
        r = 1 / jnp.sqrt(row / jnp.mean(row, -1, keepdims=True))
        u = r[..., :, None] * (1 / jnp.sqrt(col))[..., None, :] * g
    else:
        sq = sq * beta2 + squares * (1 - beta2)
        u = g / jnp.sqrt(sq)
    u = u / jnp.maximum(jnp.sqrt(jnp.mean(u * u)) / clip, 1.0) * lr
    if beta1 is not None:
        exp_avg = exp_avg * beta1 + u * (1 - beta1)
        u = exp_avg
    if weight_decay is not None:
        wide = wide - weight_decay * lr * wide
    return wide - u, exp_avg, row, col, sq
