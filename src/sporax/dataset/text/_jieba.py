"""Chinese words: the most probable path through a dictionary, and a hidden Markov model for words that aren't in it (as jieba and cppjieba do it).

The dictionary has lines `word frequency tag`. The model's file has, in lines that don't start with #, the logarithms of: the probabilities of the
four states to come first (begin, end, middle and single character of a word), a row for each state of those to follow it, and a row for each state
`character:probability,...`.
"""

import enum
import math
import os
import re

from sporax.dataset.text._operation import TextTensorOperation, check_bool, result, scalar, spans
from sporax.dataset.transforms import _checks

_NEVER = -3.14e100
_BEGIN, _END, _MIDDLE, _SINGLE = range(4)
_SEPARATOR = re.compile("([ \t\n,\u3002\uff0c])")  # a sentence ends at these


class JiebaMode(enum.IntEnum):
    """MP: dictionary; HMM: hidden Markov model; MIX: dictionary, and the model for what it doesn't know."""

    MIX = 0
    MP = 1
    HMM = 2


class _Dictionary:
    """Words with the logarithms of their probabilities."""

    def __init__(self, path):
        self.frequencies: dict[str, float] = {}
        with open(path, encoding="utf-8") as file:
            for line in file:
                word, *rest = line.split()[:2] or [""]
                if word and rest:
                    self.frequencies[word] = float(rest[0])
        self.total = sum(self.frequencies.values())
        weights = sorted(self.frequencies.values())
        self.median = weights[len(weights) // 2] if weights else 1.0
        self.longest = max(map(len, self.frequencies), default=1)
        self.least = math.log(weights[0] / self.total) if weights else _NEVER
        self.added: dict[str, float] = {}

    def add(self, word, frequency):
        self.added[word] = math.log((frequency or self.median) / self.total)
        self.longest = max(self.longest, len(word))

    def weight(self, word):
        if word in self.added:
            return self.added[word]
        frequency = self.frequencies.get(word)
        return None if not frequency else math.log(frequency / self.total)

    def cut(self, text):
        """The most probable words of a text; a character that isn't in the dictionary is a word."""
        n = len(text)
        best: list[tuple[float, int]] = [(0.0, n)] * (n + 1)
        for i in range(n - 1, -1, -1):
            options = []
            for j in range(i + 1, min(n, i + self.longest) + 1):
                weight = self.weight(text[i:j])
                if weight is None:
                    if j > i + 1:
                        continue
                    weight = self.least
                options.append((weight + best[j][0], j))
            best[i] = max(options, key=lambda option: option[0])
        words, i = [], 0
        while i < n:
            words.append(text[i : best[i][1]])
            i = best[i][1]
        return words


class _Model:
    """The hidden Markov model."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            rows = [line.rstrip("\r\n") for line in file if line.strip() and not line.startswith("#")]
        if len(rows) < 9:
            raise RuntimeError(f"JiebaTokenizer: {path} is no model: it has {len(rows)} rows, 9 were expected")
        self.start = [float(v) for v in rows[0].split()]
        self.follow = [[float(v) for v in row.split()] for row in rows[1:5]]
        self.emit: list[dict[str, float]] = [
            {item.rpartition(":")[0]: float(item.rpartition(":")[2]) for item in row.split(",") if ":" in item} for row in rows[5:9]
        ]

    def cut(self, text):
        """The words of a text by the most probable states (Viterbi, 1967); runs of letters and digits are words of their own."""
        words = []
        for part in re.findall(r"[A-Za-z][A-Za-z0-9]*|[0-9][0-9.]*|[^A-Za-z0-9]+", text):
            words += [part] if re.match("[A-Za-z0-9]", part) else self._viterbi(part)
        return words

    def _viterbi(self, text):
        states = range(4)
        weights = [self.start[s] + self.emit[s].get(text[0], _NEVER) for s in states]
        paths = []
        for character in text[1:]:
            step, new = [], []
            for s in states:
                before = max(states, key=lambda p: weights[p] + self.follow[p][s])
                step.append(before)
                new.append(weights[before] + self.follow[before][s] + self.emit[s].get(character, _NEVER))
            paths.append(step)
            weights = new
        state = _END if weights[_END] >= weights[_SINGLE] else _SINGLE
        tags = [state]
        for step in reversed(paths):
            state = step[state]
            tags.append(state)
        words, word = [], ""
        for character, tag in zip(text, reversed(tags)):
            word += character
            if tag in (_END, _SINGLE):
                words.append(word)
                word = ""
        return words + [word] * bool(word)


class JiebaTokenizer(TextTensorOperation):
    """Split Chinese text into words.

    Args:
        hmm_path (str): The file of the hidden Markov model (hmm_model.utf8 of cppjieba).
        mp_path (str): The dictionary (jieba.dict.utf8).
        mode (JiebaMode): Default: JiebaMode.MIX.
        with_offsets (bool): Whether the result has offsets too. Default: False.

    Raises:
        TypeError: a wrong type.
        ValueError: a file isn't given or isn't there.
        RuntimeError: the input isn't one string, or a file has another format.
    """

    def __init__(self, hmm_path, mp_path, mode=JiebaMode.MIX, with_offsets=False):
        for path, name, what in ((hmm_path, "hmm_path", "HMMSegment"), (mp_path, "mp_path", "MPSegment")):
            if path is None:
                raise ValueError(f"The dict of {what} in cppjieba is not provided.")
            if not isinstance(path, str):
                raise TypeError(f"Wrong input type for {name}, should be string, got {type(path)}.")
        check_bool(with_offsets, "with_offsets")
        if not isinstance(mode, JiebaMode):
            raise TypeError(f"Wrong input type for mode, should be JiebaMode, got {type(mode)}.")
        for path in (hmm_path, mp_path):
            if not os.path.exists(path):
                raise ValueError(f" jieba mode file {path} is not exist.")
        self.hmm_path, self.mp_path, self.mode, self.with_offsets = hmm_path, mp_path, mode, with_offsets
        self.words: list[tuple[str, int]] = []
        self._parts = None

    def __getstate__(self):
        return self.__dict__ | {"_parts": None}

    def add_word(self, word, freq=None):
        """Add a word to the dictionary.

        Args:
            word (str): The word.
            freq (int): Its frequency; the higher, the more likely it is kept together. Default: None, that of a word in the middle of the dictionary.

        Raises:
            TypeError: a wrong type.
            ValueError: no word, or a negative frequency.
        """
        if word is None:
            raise ValueError("word is not provided.")
        _checks.of_type(word, (str,), "word")
        if freq is not None:
            _checks.integer(freq, 0, 2**32 - 1, "freq")
        self.words.append((word, freq or 0))
        self._parts = None

    def add_dict(self, user_dict):
        """Add words to the dictionary.

        Args:
            user_dict (Union[str, dict]): {word: frequency}, or a file with lines `word frequency`; the frequency may be left out.

        Raises:
            TypeError: a wrong type.
            ValueError: there is no such file.
        """
        if isinstance(user_dict, dict):
            for word, frequency in user_dict.items():
                self.add_word(word, frequency)
        elif isinstance(user_dict, str):
            if not os.path.exists(user_dict):
                raise ValueError(f"user dict file {user_dict} is not exist.")
            with open(user_dict, encoding="utf-8-sig") as file:
                for line in file:
                    match = re.match(r"^\s*([^\s*]+?)\s*([0-9]+)?\s*$", line)
                    if match:
                        self.add_word(match[1], int(match[2] or 0))
        else:
            raise TypeError(f"The type of user_dict must str or dict, got {type(user_dict)}.")

    def _segmenters(self):
        if self._parts is None:
            dictionary, model = _Dictionary(self.mp_path), _Model(self.hmm_path)
            for word, frequency in self.words:
                dictionary.add(word, frequency)
            self._parts = dictionary, model
        return self._parts

    def cut(self, text):
        """The words of a text, which together are the text."""
        dictionary, model = self._segmenters()
        words = []
        for sentence in _SEPARATOR.split(text):
            if not sentence:
                continue
            if _SEPARATOR.fullmatch(sentence):
                words.append(sentence)
            elif self.mode == JiebaMode.HMM:
                words += model.cut(sentence)
            elif self.mode == JiebaMode.MP:
                words += dictionary.cut(sentence)
            else:
                words += self._mixed(dictionary.cut(sentence), dictionary, model)
        return words

    @staticmethod
    def _mixed(words, dictionary, model):
        """Words of the dictionary, with runs of single characters, other than words that were added, cut by the model."""
        found, run = [], ""
        for word in [*words, ""]:
            if len(word) == 1 and word not in dictionary.added:
                run += word
                continue
            if run:
                found += model.cut(run)
                run = ""
            if word:
                found.append(word)
        return found

    def apply(self, text):
        return result(spans(self.cut(scalar("JiebaTokenizerOp", text))), self.with_offsets)
