"""One use of a pipeline: its seed, and what its tokens stand for.

The operations of a pipeline are numbered in the order of a walk through its tree, so the same program gives the same numbers in every process and at every start. A token
begins with such a number; `evaluate` hands it to that operation's work.
"""

import secrets

import numpy as np

from sporax.dataset import config

# the number of no operation: a token that has its row with it
VALUE = 0
MASK = (1 << 64) - 1
# a place that no row has: rows count from 0
_PLAN = 1 << 40


class Run:
    """The operations below `root` with their numbers.

    Args:
        root: the last operation of the pipeline.
        seed: what everything random depends on. Default: that of `ds.config`, or a fresh one if none was set.
    """

    def __init__(self, root, seed=None):
        self.root = root
        seed = config.chosen_seed() if seed is None else seed
        self.seed = secrets.randbits(63) if seed is None else seed
        self.errors = config.get_error_samples_mode()
        self.nodes: list = [None]
        self._numbers: dict = {}
        self._number(root)
        self.works = [_value, *(node._work(self, i) for i, node in enumerate(self.nodes) if node is not None)]
        self.executors: list = []
        self.closed = False

    def _number(self, node):
        if id(node) not in self._numbers:
            self._numbers[id(node)] = len(self.nodes)
            self.nodes.append(node)
            for child in node.children:
                self._number(child)

    def number(self, node):
        return self._numbers[id(node)]

    def key(self, node):
        """The 128 bits that the random numbers of an operation start from."""
        return (self.number(node) << 64) | (self.seed & MASK)

    def rng(self, node, pass_):
        """A generator for what the plan of one pass of an operation draws, such as the order of its rows."""
        return np.random.Generator(
            np.random.Philox(key=np.array([self.seed & MASK, self.number(node)], np.uint64), counter=np.array([0, 0, _PLAN, pass_], np.uint64))
        )

    def evaluate(self, token):
        """The row of a token."""
        return self.works[token[0]](token)

    def open(self, node, pass_):
        """The plan of one pass of an operation."""
        return node._open(self, pass_)

    def resolve(self, token):
        """The token with those parts computed that must be computed in order, one after the other."""
        node = self.nodes[token[0]]
        if node is None:
            return token
        if node._serial:
            return (VALUE, None, self.evaluate(token))
        child = token[1]
        if child is None:
            return token
        if isinstance(child, list):
            return (token[0], [self.resolve(t) for t in child], *token[2:])
        return (token[0], self.resolve(child), *token[2:])

    def close(self):
        """End the workers. May be called more than once, and from any thread."""
        self.closed = True
        while self.executors:
            self.executors.pop().close()


def _value(token):
    return token[2]


def section(node):
    """The operations whose work is done when a token of `node` is evaluated: those down to the next ones that compute their rows themselves."""
    found, todo = [], [node]
    while todo:
        at = todo.pop()
        if not any(at is f for f in found):
            found.append(at)
            if not at._barrier:
                todo.extend(at.children)
    return found
