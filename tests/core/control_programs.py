"""Programs with control flow on tensors. Each also runs on NumPy arrays, which is what tests compare with."""

import functools

import numpy as np


def relu_if(x):
    if x.sum() > 0:
        y = x
    else:
        y = -x * 2
    return y


def elif_return(x):
    s = x.sum()
    if s > 10:
        return x * 10
    elif s > 0:
        return x
    return x * 0


def newton(a):
    x = a
    n = 0
    while abs(x * x - a) > 1e-4:
        x = 0.5 * (x + a / x)
        n += 1
    return x, n


def break_in_while(x):
    s = 0.0
    i = 0
    while True:
        s = s + x[i]
        i += 1
        if s > 5:
            break
        if i >= 8:
            break
    return s, i


def continue_in_range(x, n):
    for i in range(n):
        if i % 2 == 0:
            continue
        x = x + i
    return x


def break_in_range(x):
    for _ in range(5):
        if x.sum() > 20:
            break
        x = x * 2
    return x


def return_in_loop(x):
    for _ in range(4):
        x = x + 1
        if x[0] > 2:
            return x * 100
    return x


def and_or(x):
    if x[0] > 0 and not (x[1] > 0 or x[2] > 5):
        return x
    return -x


def nested_function(x):
    def helper(v):
        if v > 0:
            return v
        return v * 3

    t = abs(helper(x[0]))
    while t < 100:
        t = t * 2
        if t > 50:
            t = t + 1000
    return t


def conditional_expression(x):
    return x if x.sum() > 0 else -x


def rows(x):
    t = 0.0
    for row in x:
        if row.sum() > 1:
            t = t + row.sum() * t + 1
    return t


def chain(x):
    if 0 < x[0] < 2:
        return x + 1
    return x - 1


def long_chain(x):
    return x * 2 if -5 < x[0] <= x[1] < x[2] != 7 else x * 3


def while_with_two_conditions(x):
    i = 0
    while i < 6 and x.sum() < 30:
        x = x * 1.5
        i = i + 1
    return x, i


def nested_ifs(x):
    if x[0] > 0:
        if x[1] > 0:
            return x * 2
        elif x[2] > 0:
            y = x * 3
        else:
            return x * 4
        y = y + 1
    else:
        y = x - 1
    return y


def nested_loops(x, n):
    total = x * 0
    for i in range(n):
        for j in range(i):
            total = total + x * j
        total = total - 1
    return total


def loop_in_branch(x, n):
    if x.sum() > 0:
        while x.sum() < 50:
            x = x * 2
    else:
        for i in range(n):
            x = x + i
    return x


def return_in_nested_loop(x, n):
    for i in range(n):
        for j in range(4):
            x = x + 1
            if x[0] > i + j + 2:
                return x * 10, i
    return x, -1


def counter(x):
    k = 0
    if x[0] > 0:
        k += 1
    if x[1] > 0:
        k += 2
    if x[2] > 0:
        k += 4
    return x * k, k


def float_number(x):
    scale = 0.5
    if x.sum() > 0:
        scale = 0.1
    return x * scale, scale * 3


def boolean_result(x):
    found = False
    for v in x:
        if v > 2:
            found = True
    return found


def guarded_value(x):
    found = False
    for v in x:
        if v > 2:
            best = v
            found = True
            break
    if found:
        return best * 10
    return x[0] * 0


def tuple_and_dict(x):
    pair = (x, x + 1)
    table = {"a": x}
    if x.sum() > 0:
        pair = (pair[1], pair[0] * 2)
        table["a"] = x * 3
    return pair[0] - pair[1], table["a"]


def list_in_python_loop(x):
    parts = []
    for i in range(3):
        if x.sum() > i:
            y = x * i
        else:
            y = x - i
        parts.append(y)
    return parts


def list_items(x):
    parts = [x, x + 1, x + 2]
    if x.sum() > 0:
        parts[1] = parts[1] * 10
        parts.append(parts.pop() - 1)
    return parts


def local_list_in_branch(x):
    if x.sum() > 0:
        parts = []
        parts.append(x)
        parts.append(x * 2)
        y = parts[0] + parts[1]
    else:
        y = sum([x, x, x])
    return y


def lambdas(x):
    double = lambda v: v * 2 if v.sum() > 0 else v * 5  # noqa: E731
    return double(x) + (lambda v: v if v[0] > 0 else -v)(x)


def partials(x):
    def scaled(v, factor, shift=0):
        if v.sum() > factor:
            return v * factor + shift
        return v - shift

    return functools.partial(scaled, factor=2, shift=1)(x)


def closure_of_loop_variable(x):
    functions = [lambda v, k=k: v * k if v.sum() > k else v - k for k in range(3)]
    for f in functions:
        x = f(x)
    return x


def closure_written(x):
    scale = 2

    def apply(v):
        return v * scale

    if x.sum() > 0:
        scale = 3
    return apply(x)


def recursion(x, depth=3):
    if depth == 0:
        return x
    if x.sum() > 10:
        return recursion(x - 1, depth - 1)
    return recursion(x * 2, depth - 1)


def _outside(x, limit):
    for i in range(3):
        if x[0] > limit:
            return x + i
        x = x * 2
    return x - 1


def called_function(x):
    return _outside(x, 3) + _outside(-x, 1)


def decorated(function):
    @functools.wraps(function)
    def wrapper(x):
        if x.sum() < 0:
            x = -x
        return function(x)

    return wrapper


@decorated
def with_decorator(x):
    if x[0] > 1:
        return x * 2
    return x


class Plain:
    def __init__(this, k):
        this.k = k

    def scaled(this, x):
        if x.sum() > this.k:
            return x * this.k
        return x

    @staticmethod
    def shifted(x):
        return x + 1 if x[0] > 0 else x - 1

    @classmethod
    def made(cls, x):
        if x.sum() > 0:
            return x * 4
        return x

    def __call__(this, x):
        return this.scaled(x) + this.__private(x)

    def __private(this, x):
        if x[0] > 0:
            return x
        return -x


_plain = Plain(2)


def methods(x):
    return _plain.scaled(x) + Plain.shifted(x) + Plain.made(x) + _plain(x)


def for_else(x):
    for v in x:
        if v > 100:
            y = x * 0
            break
    else:
        y = x + 1
    return y


def while_else(x):
    while x.sum() < 20:
        x = x + 1
        if x[0] > 6:
            break
    else:
        x = x * 100
    return x


def enumerated(x):
    t = x[0] * 0
    for i, v in enumerate(x):
        if v > 0:
            t = t + v * i
    return t


def zipped(x):
    t = x[0] * 0
    for v, w in zip(x, x * 2):
        if v > 0:
            t += v * w
    return t


def minimum_and_maximum(x):
    return max(x[0], x[1]) - min(x[0], x[1], x[2])


def any_and_all(x):
    if any(v > 2 for v in [x[0], x[1], x[2]]) and not all([x[0] > 0, x[1] > 0]):
        return x + 1
    return x


def tensor_truth(x):
    if x[0]:
        return x + 1
    return x


def or_value(x):
    y = x[0] or x[2]
    return y


def walrus(x):
    if (s := x.sum()) > 0:
        return x * s
    return x - s


def augmented(x):
    i = 7
    if x.sum() > 0:
        i -= 3
        i *= 2
        i //= 3
        x -= 1
    else:
        i **= 2
        i %= 5
    return x, i


def number_arithmetic(x):
    n = 3
    if x[0] > 0:
        n = 7
    return x, n / 2, n // 2, n % 4, n**2, -n, abs(-n), n > 5, n - 0.5


def unchanged_in_branch(x):
    y = x * 2
    if x.sum() > 0:
        z = y
    else:
        z = y
    return z


def early_none(x):
    if x.sum() > 1e9:
        return None
    return None


def only_else(x):
    y = x
    if x.sum() > 0:
        pass
    else:
        y = x * 7
    return y


def many_ifs(x):
    for i in range(6):
        if x.sum() > i:
            x = x - 0.5
        elif x[0] > 0:
            x = x + 0.25
        else:
            x = x * 1.5
    return x


def long_loop_with_break(x):
    i = 0
    for i in range(100):
        x = x * 1.1
        if x.sum() > 50:
            break
    return x, i


def down_range(x, n):
    for i in range(n, 0, -2):
        x = x + i
    return x


def try_finally(x):
    try:
        if x.sum() > 0:
            return x * 2
        y = x - 1
    finally:
        pass
    return y


def string_choice(x):
    mode = "double"
    if x.ndim == 1 and x.shape[0] == 3:
        mode = "triple"
    if x.sum() > 0:
        x = x + 1
    return x * 3 if mode == "triple" else x * 2


def fibonacci(n):
    a, b = 0, 1
    while a < n:
        a, b = b, a + b
    return a


def collatz(n):
    steps = 0
    while n != 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        steps += 1
    return steps


def bisect(target):
    low, high = target * 0, target + 1
    for _ in range(20):
        middle = (low + high) / 2
        if middle * middle > target:
            high = middle
        else:
            low = middle
    return low


def power_iteration(x, n):
    i = 0
    while i < n:
        x = x / abs(x).max() + 0.1
        i += 1
    return x


def argument_changed(x):
    y = x * 1
    if x.sum() > 0:
        y[0] = 9.0
    else:
        y[1:] = y[1:] * 2
    return y


def items_in_loop(x, n):
    y = x * 0
    i = 0
    while i < n:
        y[i] = x[i] * 2
        i += 1
    return y


def _sign(v):
    if v.sum() > 0:
        return v
    return -v


def given_to_builtins(x):
    total = functools.reduce(lambda a, b: a + b if a.sum() > 0 else a - b, [x, x * 2, x * 3])
    return total + sum(map(_sign, [x, -x]))


_A = np.array([1.0, -2.0, 3.0], np.float32)
_SIGNS = [(_A,), (-_A,), (_A * 100,), (_A * 0.1 + 1,)]


def _n(*values):
    return [(_A, np.int64(v)) for v in values]


_ON_SIGNS = """
    relu_if elif_return break_in_range return_in_loop and_or nested_function conditional_expression chain long_chain
    while_with_two_conditions nested_ifs counter float_number boolean_result guarded_value tuple_and_dict list_in_python_loop
    list_items local_list_in_branch lambdas partials closure_of_loop_variable closure_written recursion called_function with_decorator
    methods for_else enumerated zipped minimum_and_maximum any_and_all tensor_truth or_value walrus augmented number_arithmetic
    unchanged_in_branch given_to_builtins early_none only_else many_ifs try_finally string_choice argument_changed
"""
PROGRAMS = [
    *[(globals()[name], _SIGNS) for name in _ON_SIGNS.split()],
    (newton, [(np.float32(2),), (np.float32(1),), (np.float32(1e4),)]),
    (break_in_while, [(np.arange(10, dtype=np.float32),), (np.zeros(10, np.float32),)]),
    (continue_in_range, _n(0, 1, 6)),
    (rows, [(np.ones((3, 2), np.float32),), (np.arange(6, dtype=np.float32).reshape(3, 2) - 2,)]),
    (nested_loops, _n(0, 1, 4)),
    (loop_in_branch, [*_n(0, 3), (-_A, np.int64(3))]),
    (return_in_nested_loop, _n(0, 3)),
    (while_else, [(_A,), (_A + 5,), (_A - 30,)]),
    (long_loop_with_break, [(_A,), (_A * 0.0001,)]),
    (down_range, _n(0, 1, 7)),
    (fibonacci, [(np.int64(0),), (np.int64(100),)]),
    (collatz, [(np.int64(1),), (np.int64(27),)]),
    (bisect, [(np.float32(2),), (np.float32(9),)]),
    (power_iteration, _n(0, 3, 40)),
    (items_in_loop, _n(0, 2, 3)),
]
