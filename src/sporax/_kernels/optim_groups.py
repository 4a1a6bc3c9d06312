"""Rules of the optimizers whose groups of parameters have hyper-parameters of their own, and the op that applies a rule to all groups at once.

A rule takes (parameter, gradient, states..., learning rate, [number of the step, from 1,] hyper-parameters...) and gives (parameter, states...).
Hyper-parameters are numbers: what is computed from them alone has Python's precision.
"""

import jax.numpy as jnp

from sporax._kernels import optim


def update_groups(*arrays, rule, groups, states, first=0, decoupled=False):
    """Apply a rule to the parameters of all groups.

    Positional: parameters, gradients, states (each state of all parameters, then the next; None where a parameter has none), the step counter (or
    None), then of each group the learning rate, the weight decay (or None) and the hyper-parameters.

    `groups`: of each group the number of parameters and of hyper-parameters, whether to maximize, and flags of the rule. `first`: the counter before
    the first step. `decoupled`: the rule gets the weight decay (or None) last, instead of it being added to the gradients.

    Returns the new parameters, the new states (without the Nones), and the counter plus one where there is one.
    """
    count = sum(size for size, *_ in groups)
    params, grads = arrays[:count], arrays[count : 2 * count]
    flat = arrays[2 * count : (2 + states) * count]
    step, *rest = arrays[(2 + states) * count :]
    t = () if step is None else ((step + (1 - first)).reshape(()).astype(jnp.float32),)
    new, made = [], [[] for _ in range(states)]
    for size, hypers, maximize, static in groups:
        (lr, decay, *hyper), rest = rest[: 2 + hypers], rest[2 + hypers :]
        for i in range(len(new), len(new) + size):
            p, g = params[i], grads[i].astype(params[i].dtype)
            if maximize:
                g = -g
            if decay is not None and not decoupled:
                g = g + (decay * p).astype(p.dtype)
            own = [flat[k * count + i] for k in range(states)]
            p2, *after = rule(p, g, *own, lr, *t, *hyper, *((decay,) if decoupled else ()), **dict(static))
            new.append(p2.astype(p.dtype))
            for k, (before, s) in enumerate(zip(own, after, strict=True)):
                if before is not None:
                    made[k].append(s.astype(before.dtype))
    return (*new, *[s for state in made for s in state], *(() if step is None else (step + 1,)))


def _f32(x):
    return jnp.asarray(x, jnp.float32)


def _correction(beta, t):
    """1 - beta**t, also for beta near 1."""
    return -jnp.expm1(t * jnp.log(beta))


def adam(p, g, m, v, vhat, lr, t, beta1, beta2, eps, *, amsgrad):
    """The form of MindSpore's own Adam: eps is added to the root before the bias is corrected."""
    beta1, beta2, eps = _f32(beta1), _f32(beta2), _f32(eps)
    if amsgrad:
        return optim.amsgrad(p, g, m, v, vhat, lr, beta1**t, beta2**t, beta1, beta2, eps)
    return *optim.adam(p, g, m, v, lr, beta1**t, beta2**t, beta1, beta2, eps, nesterov=False), vhat


def adamw(p, g, m, v, vhat, lr, t, beta1, beta2, eps, decay=None, *, amsgrad):
    """Loshchilov and Hutter, 2019; without decay, Kingma and Ba's Adam."""
    if decay is not None:
        p = p * (1 - lr * decay)
    m = m * beta1 + g * (1 - beta1)
    v = v * beta2 + g * g * (1 - beta2)
    if amsgrad:
        vhat = jnp.maximum(vhat, v)
    denominator = jnp.sqrt(vhat if amsgrad else v) / jnp.sqrt(_correction(beta2, t)) + eps
    return p - lr / _correction(beta1, t) * (m / denominator), m, v, vhat


def adamax(p, g, m, norm, lr, t, beta1, beta2, eps):
    m = m * beta1 + g * (1 - beta1)
    norm = jnp.maximum(norm * beta2, jnp.abs(g) + eps)
    return p - lr / _correction(beta1, t) * m / norm, m, norm


def nadam(p, g, m, v, product, lr, t, beta1, beta2, eps, momentum_decay):
    """Dozat, 2016, with a momentum that grows towards beta1."""
    mu = beta1 * (1 - 0.5 * 0.96 ** (t * momentum_decay))
    following = beta1 * (1 - 0.5 * 0.96 ** ((t + 1) * momentum_decay))
    product = product * mu
    m = m * beta1 + g * (1 - beta1)
    v = v * beta2 + g * g * (1 - beta2)
    denominator = jnp.sqrt(v / _correction(beta2, t)) + eps
    step = (1 - mu) / (1 - product) * g + following / (1 - product * following) * m
    return p - lr * step / denominator, m, v, product


def radam(p, g, m, v, lr, t, beta1, beta2, eps):
    """Liu et al., 2020. The length of the average is a small difference of large numbers, so it is made in double precision."""
    m = m * beta1 + g * (1 - beta1)
    v = v * beta2 + g * g * (1 - beta2)
    step = m / _correction(beta1, t)
    beta2, n = jnp.asarray(beta2, jnp.float64), t.astype(jnp.float64)
    correction = 1 - beta2**n
    longest = 2 / (1 - beta2) - 1
    length = longest - 2 * n * beta2**n / correction
    rectified = length > 5
    length = jnp.where(rectified, length, 6.0)
    factor = jnp.sqrt((length - 4) * (length - 2) * longest / ((longest - 4) * (longest - 2) * length) * correction).astype(jnp.float32)
    return p - lr * step * jnp.where(rectified, factor / (jnp.sqrt(v) + eps), 1), m, v


def adagrad(p, g, accum, lr, t, lr_decay, eps):
    accum = accum + g * g
    return p - lr / (1 + (t - 1) * lr_decay) * g / (jnp.sqrt(accum) + eps), accum


def rmsprop(p, g, mean_grad, mean_square, moment, lr, alpha, eps, momentum, *, centered, use_momentum):
    mean_square = mean_square * alpha + g * g * (1 - alpha)
    variance = mean_square
    if centered:
        mean_grad = mean_grad * alpha + g * (1 - alpha)
        variance = mean_square - mean_grad * mean_grad
    step = g / (jnp.sqrt(variance) + eps)
    if use_momentum:
        step = moment = moment * momentum + step
    return p - lr * step, mean_grad, mean_square, moment


def rprop(p, g, prev, step_size, lr, t, eta_minus, eta_plus, smallest, largest):
    """`optim.rprop`; the first step sizes are the learning rate."""
    return optim.rprop(p, g, prev, jnp.where(t == 1, lr, step_size), lr, eta_minus, eta_plus, smallest, largest)


def asgd(p, g, mu, eta, ax, lr, t, lambd, alpha, t0):
    """`optim.asgd`; the first rate is the learning rate."""
    return optim.asgd(p, g, mu, jnp.where(t == 1, lr, eta), ax, lr, t - 1, lambd, alpha, t0)


def sgd(p, g, buffer, lr, t, momentum, dampening, *, use_momentum, nesterov):
    """Stochastic gradient descent whose first velocity is the gradient."""
    if not use_momentum:
        return p - lr * g, buffer
    buffer = jnp.where(t == 1, g, buffer * momentum + g * (1 - dampening))
    return p - lr * (g + buffer * momentum if nesterov else buffer), buffer
