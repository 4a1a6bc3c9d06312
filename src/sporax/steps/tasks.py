"""Several losses on one network: how much each counts, how often, and what happens where their gradients disagree."""

from typing import Any

import numpy as np

from sporax import ops
from sporax._core import dtype as mstype
from sporax._core import scope
from sporax._core.parameter import Parameter
from sporax._core.tensor import Tensor
from sporax.nn.cell import Cell


class Task:
    """One loss of several.

    Args:
        loss: a function `(network output, *batch without the network's inputs) -> Tensor of shape ()`: all tasks get the same arguments.
        weight: a number, or a function of the update's number (an int32 Tensor) for a schedule. Default: 1.0.
        every: the task counts at every so many updates: 0, every, 2 every, ... Default: 1.

    Raises:
        TypeError: `loss` cannot be called.
        ValueError: `every` is not a positive int.
    """

    def __init__(self, loss, weight=1.0, every=1):
        if not callable(loss):
            raise TypeError(f"For 'Task', 'loss' should be a function of the network's output and the labels, but got {loss!r}.")
        if isinstance(every, bool) or not isinstance(every, int) or every < 1:
            raise ValueError(f"For 'Task', 'every' should be a positive int, but got {every!r}.")
        self.loss, self.weight, self.every = loss, weight, every


class Tasks(Cell):
    """Named tasks.

    Args:
        tasks: a dict from names to `Task`s.
        balance: how weights move. Default: None.

            - None: they are what the tasks say.
            - "uncertainty": the sum of `exp(-s) loss + s` with a learned `s` for each task (Kendall et al., 2018). `tasks.trainable_params()` must be
              among the optimizer's parameters.
            - "gradnorm": weights move so that all tasks train at similar rates (Chen et al., 2018), by steps of `rate`.
        surgery: "pcgrad" removes from each task's gradient what points against another's (Yu et al., 2020). Default: None.
        alpha: with "gradnorm": how strongly slow tasks are helped. Default: 1.5.
        rate: with "gradnorm": learning rate of the weights. Default: 0.025.

    Raises:
        TypeError: something in `tasks` is not a `Task`.
        ValueError: an unknown choice, or learned weights together with surgery.

    Examples:
        >>> from sporax.steps import Task, Tasks
        >>> tasks = Tasks({"size": Task(lambda out, y: ((out - y) ** 2).mean()), "small": Task(lambda out, y: (out ** 2).mean(), weight=0.1, every=4)})
        >>> tasks.names
        ('size', 'small')
    """

    def __init__(self, tasks, balance=None, surgery=None, alpha=1.5, rate=0.025):
        super().__init__(auto_prefix=False)
        if not isinstance(tasks, dict) or not tasks or not all(isinstance(t, Task) for t in tasks.values()):
            raise TypeError(f"For 'Tasks', give a dict from names to Tasks, but got {tasks!r}.")
        if balance not in (None, "uncertainty", "gradnorm"):
            raise ValueError(f"For 'Tasks', 'balance' should be None, 'uncertainty' or 'gradnorm', but got {balance!r}.")
        if surgery not in (None, "pcgrad"):
            raise ValueError(f"For 'Tasks', 'surgery' should be None or 'pcgrad', but got {surgery!r}.")
        if balance == "uncertainty" and surgery:
            raise ValueError("For 'Tasks', surgery takes the gradients apart that balance='uncertainty' learns from: use one of them.")
        self.names, self._tasks = tuple(tasks), tuple(tasks.values())
        self.balance, self.surgery, self.alpha, self.rate = balance, surgery, float(alpha), float(rate)
        n = len(tasks)
        if balance == "uncertainty":
            self.log_variance = Parameter(Tensor(np.zeros(n, np.float32)), name="task_log_variance")
        if balance == "gradnorm":
            self.task_weights = Parameter(Tensor(np.ones(n, np.float32)), name="task_weights", requires_grad=False)
            self.first_losses = Parameter(Tensor(np.zeros(n, np.float32)), name="task_first_losses", requires_grad=False)

    def losses(self, output, labels):
        """The loss of each task, a list of Tensors of shape ()."""
        values = [task.loss(output, *labels) for task in self._tasks]
        for name, value in zip(self.names, values, strict=True):
            if not isinstance(value, Tensor) or value.size != 1:
                what = f"shape {value.shape}" if isinstance(value, Tensor) else f"{value!r}"
                raise ValueError(f"The loss of task '{name}' should be a Tensor of shape (), but got {what}: take its mean.")
        return [v.reshape(()) for v in values]

    def weights(self, update):
        """What each task's loss counts at an update (an int32 Tensor of shape ()): float32 Tensors of shape ()."""
        found = []
        for i, task in enumerate(self._tasks):
            weight: Any = task.weight(update) if callable(task.weight) else task.weight
            weight = (weight if isinstance(weight, Tensor) else Tensor(float(weight))).astype(mstype.float32).reshape(())
            if self.balance == "gradnorm":
                weight = weight * self.task_weights[i]
            if task.every > 1:
                weight = ops.select(update % task.every == 0, weight, ops.zeros_like(weight))
            found.append(weight)
        return found

    def total(self, losses, weights):
        """The loss that is differentiated where the tasks' gradients are not needed apart."""
        if self.balance == "uncertainty":
            terms = [w * (ops.exp(-self.log_variance[i]) * v + self.log_variance[i]) for i, (v, w) in enumerate(zip(losses, weights, strict=True))]
        else:
            terms = [v * w for v, w in zip(losses, weights, strict=True)]
        total = terms[0]
        for term in terms[1:]:
            total = total + term
        return total

    def combine(self, gradients):
        """One gradient for each parameter from those of the weighted tasks (a list of tuples)."""
        if self.surgery == "pcgrad":
            gradients = _without_conflicts(gradients)
        return tuple([sum(gs[1:], gs[0]) for gs in zip(*gradients, strict=True)])

    def learn(self, losses, norms, update):
        """With "gradnorm": move the weights after an update, given the losses and the norms of the tasks' gradients (not weighted)."""
        losses, norms = ops.stack(losses), ops.stack(norms)
        first = ops.select(update == 0, losses, self.first_losses.value())
        scope.assign(self.first_losses, first)
        weights = self.task_weights.value()
        sizes = weights * norms
        rates = losses / ops.maximum(first, Tensor(1e-12))
        target = sizes.mean() * (rates / rates.mean()) ** self.alpha
        weights = ops.maximum(weights - self.rate * ops.sign(sizes - target) * norms, Tensor(1e-3))
        scope.assign(self.task_weights, weights * (len(self.names) / weights.sum()))


def dots(a, b):
    """The inner product of two tuples of Tensors, float32."""
    total = (a[0] * b[0]).astype(mstype.float32).sum()
    for x, y in zip(a[1:], b[1:], strict=True):
        total = total + (x * y).astype(mstype.float32).sum()
    return total


def cosines(gradients):
    """The cosine of the angle between each two of the gradients, a Tensor (n, n); 0 where one is 0."""
    norms = [ops.sqrt(dots(g, g)) for g in gradients]
    rows = []
    for a, m in zip(gradients, norms, strict=True):
        rows.append(ops.stack([dots(a, b) / ops.maximum(m * n, Tensor(1e-30)) for b, n in zip(gradients, norms, strict=True)]))
    return ops.stack(rows)


def _without_conflicts(gradients):
    """Each gradient without its components against the others', which are taken in the order of the tasks."""
    out = []
    for i, own in enumerate(gradients):
        for j, other in enumerate(gradients):
            if i != j:
                factor = ops.minimum(dots(own, other), Tensor(0.0)) / ops.maximum(dots(other, other), Tensor(1e-30))
                own = tuple([g - factor.astype(g.dtype) * o for g, o in zip(own, other, strict=True)])
        out.append(own)
    return out
