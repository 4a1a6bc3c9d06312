"""Plans: streams of tokens.

A token is a tuple `(node, child, ...)`: the number of the operation in the run, what it works on (None, a token, or a list of tokens), and
what else the operation needs to know, such as the row's number. A stream is an iterator of tokens that can also skip some without making them.
"""

import numpy as np

_BLOCK = 4096


class Stream:
    """An iterator of tokens. `skip` takes up to `n` away and says how many there were."""

    def __iter__(self):
        return self

    def __next__(self) -> tuple:
        raise StopIteration

    def skip(self, n):
        for i in range(n):
            if next(self, None) is None:
                return i
        return n

    def close(self):
        """Give up what the stream holds, such as the workers of a filter."""


class Indices(Stream):
    """The rows `indices` of a source with random access."""

    def __init__(self, node, indices):
        self._node, self._at = node, 0
        self._indices = indices.tolist() if isinstance(indices, np.ndarray) else indices

    def __next__(self):
        at = self._at
        if at >= len(self._indices):
            raise StopIteration
        self._at = at + 1
        return (self._node, None, self._indices[at])

    def skip(self, n):
        n = min(n, len(self._indices) - self._at)
        self._at += n
        return n


class Lazy(Stream):
    """The rows of a Python iterator of tokens; what is skipped is made and dropped."""

    def __init__(self, tokens):
        self._tokens = tokens

    def __next__(self):
        return next(self._tokens)

    def close(self):
        close = getattr(self._tokens, "close", None)
        if close is not None:
            close()


class Through(Stream):
    """Rows one to one from a child: each gets its number, counted in `pass_`."""

    def __init__(self, node, child, pass_):
        self._node, self._child, self._pass, self._row = node, child, pass_, 0

    def __next__(self):
        token = next(self._child)
        row = self._row
        self._row = row + 1
        return (self._node, token, row, self._pass)

    def skip(self, n):
        n = self._child.skip(n)
        self._row += n
        return n

    def close(self):
        self._child.close()


class Group(Stream):
    """Batches: lists of tokens. `size` is a number or a function of the batch's number."""

    def __init__(self, node, child, size, drop_remainder, pass_):
        self._node, self._child, self._size, self._drop, self._pass, self._row = node, child, size, drop_remainder, pass_, 0

    def __next__(self):
        size = self._size if isinstance(self._size, int) else self._size(self._row)
        child, tokens = self._child, []
        for _ in range(size):
            token = next(child, None)
            if token is None:
                break
            tokens.append(token)
        if not tokens or (self._drop and len(tokens) < size):
            raise StopIteration
        row = self._row
        self._row = row + 1
        return (self._node, tokens, row, self._pass)

    def skip(self, n):
        if not isinstance(self._size, int):
            return super().skip(n)
        rows = self._child.skip(n * self._size)
        n = rows // self._size if self._drop else -(-rows // self._size)
        self._row += n
        return n

    def close(self):
        self._child.close()


class Repeat(Stream):
    """Pass after pass of a child; `count` None is for ever."""

    def __init__(self, open_, count):
        self._open, self._count, self._pass = open_, count, 0
        self._child = open_(0)

    def _again(self):
        self._child.close()
        self._pass += 1
        if self._count is not None and self._pass >= self._count:
            self._pass -= 1
            self._child = Stream()
            return False
        self._child = self._open(self._pass)
        return True

    def __next__(self):
        token = next(self._child, None)
        while token is None:
            if not self._again():
                raise StopIteration
            token = next(self._child, None)
            if token is None and self._count is None:
                raise StopIteration
        return token

    def skip(self, n):
        done = self._child.skip(n)
        while done < n and self._again():
            more = self._child.skip(n - done)
            if not more and self._count is None:
                break
            done += more
        return done

    def close(self):
        self._child.close()


class Take(Stream):
    """At most `count` tokens."""

    def __init__(self, child, count):
        self._child, self._left = child, count

    def __next__(self):
        if self._left <= 0:
            raise StopIteration
        self._left -= 1
        return next(self._child)

    def skip(self, n):
        n = self._child.skip(min(n, self._left))
        self._left -= n
        return n

    def close(self):
        self._child.close()


class Skip(Stream):
    """All tokens but the first `count`."""

    def __init__(self, child, count):
        self._child, self._count = child, count

    def _begin(self):
        if self._count:
            self._child.skip(self._count)
            self._count = 0

    def __next__(self):
        self._begin()
        return next(self._child)

    def skip(self, n):
        self._begin()
        return self._child.skip(n)

    def close(self):
        self._child.close()


class Concat(Stream):
    """One child after the other; each is opened when it is its turn."""

    def __init__(self, openers):
        self._openers = list(openers)
        self._child = self._openers.pop(0)()

    def _again(self):
        self._child.close()
        if not self._openers:
            self._child = Stream()
            return False
        self._child = self._openers.pop(0)()
        return True

    def __next__(self):
        token = next(self._child, None)
        while token is None:
            if not self._again():
                raise StopIteration
            token = next(self._child, None)
        return token

    def skip(self, n):
        done = self._child.skip(n)
        while done < n and self._again():
            done += self._child.skip(n - done)
        return done

    def close(self):
        self._child.close()


class Zip(Stream):
    """Side by side, until one child ends."""

    def __init__(self, node, children):
        self._node, self._children = node, children

    def __next__(self):
        tokens = []
        for child in self._children:
            token = next(child, None)
            if token is None:
                raise StopIteration
            tokens.append(token)
        return (self._node, tokens)

    def skip(self, n):
        return min(child.skip(n) for child in self._children)

    def close(self):
        for child in self._children:
            child.close()


class Shuffle(Stream):
    """A window of `size` tokens, of which one drawn at random goes out and the next of the child comes in."""

    def __init__(self, child, size, rng):
        self._child, self._size, self._rng = child, size, rng
        self._window, self._draws, self._ended = None, iter(()), False

    def __next__(self):
        window = self._window
        if window is None:
            window = self._window = []
            while len(window) < self._size:
                token = next(self._child, None)
                if token is None:
                    self._ended = True
                    break
                window.append(token)
        if not window:
            raise StopIteration
        draw = next(self._draws, None)
        if draw is None:
            # numbers in blocks: one at a time costs more than all the rest
            self._draws = iter(self._rng.random(_BLOCK).tolist())
            draw = next(self._draws)
        at = int(draw * len(window))
        token = window[at]
        new = None if self._ended else next(self._child, None)
        if new is None:
            self._ended = True
            window[at] = window[-1]
            window.pop()
        else:
            window[at] = new
        return token

    def close(self):
        self._child.close()
