"""Word vectors from the files that GloVe, fastText and others are published as: a word and its numbers in each line."""

import os
import re

import numpy as np

from sporax.dataset.text._operation import TextTensorOperation, strings
from sporax.dataset.transforms import _checks


class Vectors:
    """Words and their vectors.

    Made by `from_file`. A first line of two numbers, as fastText writes it, is skipped.
    """

    _FILE = re.compile("")
    _FILE_TEXT = ""

    def __init__(self, rows=None, dim=0):
        self._rows: dict[str, np.ndarray] = rows or {}
        self.dim = dim

    @classmethod
    def from_file(cls, file_path, max_vectors=None):
        """Read a file.

        Args:
            file_path (str): The file.
            max_vectors (int): How many vectors to read at most; 0 is all. Default: None, all.

        Raises:
            TypeError: a wrong type.
            ValueError: a negative number.
            RuntimeError: there is no such file, it is empty, or its vectors differ in length.
        """
        _checks.of_type(file_path, (str,), "file_path")
        if max_vectors is not None:
            _checks.integer(max_vectors, 0, _checks.INT32_MAX, "max_vectors")
        name = cls.__name__
        if not cls._FILE.search(os.path.basename(file_path)):
            raise RuntimeError(f"{name}: invalid file, can not find file '{cls._FILE_TEXT}', but got: {file_path}")
        rows: dict[str, np.ndarray] = {}
        dim = 0
        try:
            with open(file_path, encoding="utf-8") as file:
                for number, line in enumerate(file):
                    word, *values = line.rstrip().split(" ")
                    if number == 0 and len(values) == 1 and word.isdigit():
                        continue
                    if not word and not values:
                        continue
                    if max_vectors and len(rows) >= max_vectors:
                        break
                    if len(values) <= 1:
                        raise RuntimeError(f"{name}: line {number + 1} of {file_path}: token with a {len(values)}-dimensional vector.")
                    if dim and len(values) != dim:
                        raise RuntimeError(
                            f"{name}: line {number + 1} of {file_path}: all vectors must have the same number of dimensions, but got dim {len(values)} "
                            f"while expecting {dim}"
                        )
                    dim = len(values)
                    rows.setdefault(word, np.array(values, np.float32))
        except ValueError as error:
            raise RuntimeError(f"{name}: {file_path} has something that is no number: {error}") from error
        except OSError as error:
            raise RuntimeError(f"{name}: get real path failed, path: {file_path}: {error}") from error
        if not rows:
            raise RuntimeError(f"{name}: invalid file, file is empty: {file_path}")
        return cls(rows, dim)

    def find(self, word):
        """The vector of a word, or None."""
        return self._rows.get(word)

    def lookup(self, word, unknown, lower_case_backup):
        """The vector of a word; of the word in lower case, where that is asked for; else `unknown`."""
        found = self.find(word)
        if found is None and lower_case_backup:
            found = self.find(word.lower())
        return unknown if found is None else found


class GloVe(Vectors):
    """GloVe's vectors; the file's name must be like glove.6B.50d.txt."""

    _FILE = re.compile(r"^glove\.\w*\.?.*\.txt$")
    _FILE_TEXT = "glove.6B.*.txt"


class FastText(Vectors):
    """fastText's vectors; the file's name must end with .vec."""

    _FILE = re.compile(r"\.vec$")
    _FILE_TEXT = "*.vec"


class CharNGram(Vectors):
    """Vectors of character n-grams: a word's vector is the mean of those of its grams of two to four characters (Hashimoto et al., 2017)."""

    def find(self, word):
        characters = ["#BEGIN#", *word, "#END#"]
        found = []
        for n in (2, 3, 4):
            for i in range(len(characters) - n + 1):
                row = self._rows.get(f"{n}gram-{''.join(characters[i : i + n])}")
                if row is not None:
                    found.append(row)
        return np.mean(found, 0, dtype=np.float32) if found else None


class ToVectors(TextTensorOperation):
    """Words to vectors.

    Args:
        vectors (Vectors): The vectors.
        unk_init (sequence): The vector of an unknown word. Default: None, zeros.
        lower_case_backup (bool): Whether an unknown word is looked for in lower case too. Default: False.

    Inputs:
        Text; the result has shape (D,) for one word, else (number of words, D), float32.

    Raises:
        TypeError: a wrong type.
        RuntimeError: `unk_init` has another length than the vectors, or the input is no text.
    """

    def __init__(self, vectors, unk_init=None, lower_case_backup=False):
        _checks.of_type(vectors, (Vectors,), "vectors")
        if unk_init is not None:
            _checks.sequence(unk_init, (int, float), "unk_init")
        _checks.of_type(lower_case_backup, (bool,), "lower_case_backup")
        self.vectors, self.unk_init, self.lower_case_backup = vectors, unk_init, lower_case_backup

    def apply(self, tokens):
        tokens = strings("ToVectors", tokens)
        unknown = np.array(self.unk_init or [0] * self.vectors.dim, np.float32)
        if len(unknown) != self.vectors.dim:
            raise RuntimeError(
                f"ToVectors: unk_init must be the same length as vectors, but got unk_init: {len(unknown)} and vectors: {self.vectors.dim}"
            )
        rows = [self.vectors.lookup(str(word), unknown, self.lower_case_backup) for word in tokens.reshape(-1)]
        return rows[0].copy() if tokens.ndim == 0 else np.stack(rows)
