"""Operations made of operations: one after the other, some of them, one of them, in any order."""

import numpy as np

from sporax.dataset import _random
from sporax.dataset.transforms import _checks
from sporax.dataset.transforms._operation import PY, C, TensorOperation


def run(transforms, columns):
    """The columns after each of the operations; a result that isn't a tuple is one column."""
    for op in transforms:
        result = op(*columns)
        columns = result if isinstance(result, tuple) else (result,)
    return columns


def _result(columns):
    return columns[0] if len(columns) == 1 else columns


def _implementation(transforms):
    kinds = {getattr(op, "implementation", C) for op in transforms} - {None}
    return kinds.pop() if len(kinds) == 1 else None


class CompoundOperation(TensorOperation):
    """Base of operations made of operations.

    Attributes:
        transforms (list): The operations.
    """

    random = True

    def __init__(self, transforms):
        _checks.operations(transforms)
        self.transforms = list(transforms)
        self.implementation = _implementation(self.transforms)

    def __call__(self, *columns):
        return self.apply(*columns)


class Compose(CompoundOperation):
    """Operations one after the other.

    Args:
        transforms (list): Operations, or functions of the columns. Nested Compose are flattened.

    Raises:
        TypeError: `transforms` is no list, or an element can't be called.
        ValueError: it is empty, or an element is a class.

    Examples:
        >>> from sporax.dataset import transforms
        >>> transforms.Compose([transforms.TypeCast(ms.int32), lambda x: x + 1])(np.array([1.5, 2.0]))
        array([2, 3], dtype=int32)
    """

    def __init__(self, transforms):
        super().__init__(transforms)
        self.transforms = self.decompose(self.transforms)
        self.random = any(getattr(op, "random", True) for op in self.transforms)

    @staticmethod
    def decompose(operations):
        """The operations, with those of nested Compose in their place."""
        flat = []
        for op in operations:
            flat.extend(Compose.decompose(op.transforms) if isinstance(op, Compose) else [op])
        return flat

    @staticmethod
    def reduce(operations):
        """The operations with each run of neighbours that work on Python's images joined into a Compose."""
        joined, waiting = [], []

        def close():
            if waiting:
                one = waiting[0] if len(waiting) == 1 else Compose(list(waiting))
                if len(waiting) > 1:
                    one.implementation = PY
                joined.append(one)
                waiting.clear()

        for op in operations:
            if isinstance(op, TensorOperation) and op.implementation == C:
                close()
                joined.append(op)
            else:
                waiting.append(op)
        close()
        return joined

    def apply(self, *columns):
        if not columns:
            raise TypeError("Compose was called without an image. Fix invocation (avoid it being invoked as Compose([...])()).")
        return _result(run(self.transforms, columns))

    def __call__(self, *columns):
        # MindSpore gives a tuple, of one column too, where one of the operations works on Python's images
        result = self.apply(*columns)
        alone = len(columns) == 1 and not isinstance(columns[0], np.ndarray) and type(columns[0]).__module__.startswith("PIL.")
        python = alone or any(getattr(op, "implementation", None) == PY for op in self.transforms)
        return (result,) if python and not isinstance(result, tuple) else result

    def release_resource(self):
        """Nothing is held. MindSpore frees its executors here."""


class RandomApply(CompoundOperation):
    """All of the operations, one after the other, or none.

    Args:
        transforms (list): Operations.
        prob (float): The probability with which they are applied. Default: 0.5.

    Raises:
        TypeError: a wrong type.
        ValueError: `transforms` is empty, or `prob` is not in [0, 1].
    """

    def __init__(self, transforms, prob=0.5):
        super().__init__(transforms)
        _checks.probability(prob)
        self.prob = prob

    def draw(self, rng, *columns):
        return bool(rng.random() < self.prob)

    def apply(self, *columns, chosen=None):
        if self.draw(_random.generator()) if chosen is None else chosen:
            columns = run(self.transforms, columns)
        return _result(columns)


class RandomChoice(CompoundOperation):
    """One of the operations, each as likely as any other.

    Args:
        transforms (list): Operations.

    Raises:
        TypeError: a wrong type.
        ValueError: `transforms` is empty.
    """

    def draw(self, rng, *columns):
        return int(rng.integers(len(self.transforms)))

    def apply(self, *columns, chosen=None):
        index = self.draw(_random.generator()) if chosen is None else chosen
        return _result(run([self.transforms[index]], columns))


class RandomOrder(CompoundOperation):
    """The operations one after the other in a random order.

    Args:
        transforms (list): Operations.

    Raises:
        TypeError: a wrong type.
        ValueError: `transforms` is empty.
    """

    implementation = PY

    def draw(self, rng, *columns):
        return [int(i) for i in rng.permutation(len(self.transforms))]

    def apply(self, *columns, chosen=None):
        order = self.draw(_random.generator()) if chosen is None else chosen
        return _result(run([self.transforms[i] for i in order], columns))


def not_random(function):
    """Say that a function gives the same for the same input, so that a pipeline may keep its results."""
    function.random = False
    return function
