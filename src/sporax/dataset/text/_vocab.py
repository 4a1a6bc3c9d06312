"""Vocabularies: words and their numbers."""

import collections

import numpy as np

from sporax.dataset.text._operation import TextTensorOperation, strings
from sporax.dataset.transforms import _checks


def _unique(words, name):
    _checks.of_type(words, (list,), name)
    seen = set()
    for word in words:
        _checks.of_type(word, (str,), name)
        if word in seen:
            raise ValueError(f"{name} contains duplicate word: {word}.")
        seen.add(word)
    return seen


def _numbered(words, special_tokens, special_first):
    special = special_tokens or []
    return {word: i for i, word in enumerate([*special, *words] if special_first else [*words, *special])}


class Vocab:
    """Words and their numbers. Made by `from_list`, `from_dict`, `from_file` or `from_dataset`.

    Examples:
        >>> from sporax.dataset import text
        >>> vocab = text.Vocab.from_list(["a", "b"], special_tokens=["<unk>"])
        >>> vocab.tokens_to_ids(["b", "<unk>", "zz"])
        [2, 0, -1]
    """

    def __init__(self):
        self._ids: dict[str, int] | None = None
        self._tokens: dict[int, str] = {}

    @classmethod
    def _of(cls, ids):
        vocab = cls()
        vocab._ids = ids
        vocab._tokens = {i: word for word, i in ids.items()}
        return vocab

    @property
    def c_vocab(self):
        """What MindSpore keeps its C++ object in: here the dictionary, or None before the vocabulary is made."""
        return self._ids

    def ids(self):
        """The dictionary {word: number} itself.

        Raises:
            RuntimeError: the vocabulary hasn't been made.
        """
        if self._ids is None:
            raise RuntimeError(
                "The Vocab has not built yet, got type <class 'NoneType'>. Use Vocab.from_dataset(), Vocab.from_list(), Vocab.from_file() or "
                "Vocab.from_dict() to build a Vocab."
            )
        return self._ids

    @classmethod
    def from_list(cls, word_list, special_tokens=None, special_first=True):
        """A vocabulary of the words of a list, numbered in their order.

        Args:
            word_list (list[str]): The words, each once.
            special_tokens (list[str]): Further words. Default: None.
            special_first (bool): Whether these come first, and not last. Default: True.

        Raises:
            TypeError: a wrong type.
            ValueError: a word appears twice.
        """
        words = _unique(word_list, "word_list")
        if special_tokens is not None:
            both = words & _unique(special_tokens, "special_tokens")
            if both:
                raise ValueError(f"special_tokens and word_list contain duplicate word :{both}.")
        _checks.of_type(special_first, (bool,), "special_first")
        return cls._of(_numbered(word_list, special_tokens, special_first))

    @classmethod
    def from_dict(cls, word_dict):
        """A vocabulary with given numbers.

        Args:
            word_dict (dict): {word: number}, the numbers not negative.

        Raises:
            TypeError: a wrong type.
            ValueError: a negative number.
        """
        _checks.of_type(word_dict, (dict,), "word_dict")
        for word, number in word_dict.items():
            _checks.of_type(word, (str,), "word")
            _checks.integer(number, 0, _checks.INT32_MAX, "word_id")
        return cls._of(dict(word_dict))

    @classmethod
    def from_file(cls, file_path, delimiter="", vocab_size=None, special_tokens=None, special_first=True):
        """A vocabulary of the words of a file, one a line, numbered in their order.

        Args:
            file_path (str): The file, UTF-8.
            delimiter (str): What ends the word in a line. Default: "", the word is the line.
            vocab_size (int): How many words to read at most. Default: None, all.
            special_tokens (list[str]): Further words. Default: None.
            special_first (bool): Whether these come first, and not last. Default: True.

        Raises:
            TypeError: a wrong type.
            ValueError: `vocab_size` is not positive.
            RuntimeError: there is no such file, or a word appears twice.
        """
        if special_tokens is not None:
            _unique(special_tokens, "special_tokens")
        _checks.of_type(file_path, (str,), "file_path")
        _checks.of_type(delimiter, (str,), "delimiter")
        if vocab_size is not None:
            _checks.positive(vocab_size, "vocab_size")
        _checks.of_type(special_first, (bool,), "special_first")
        words: list[str] = []
        seen: set[str] = set(special_tokens or ())
        try:
            with open(file_path, encoding="utf-8") as file:
                for line in file:
                    if vocab_size is not None and len(words) >= vocab_size:
                        break
                    word = line.rstrip("\r\n")
                    word = word.split(delimiter, 1)[0] if delimiter else word
                    if word in seen:
                        raise RuntimeError(f"from_file: word_list contains duplicate word: {word} in {file_path}")
                    seen.add(word)
                    words.append(word)
        except OSError as error:
            raise RuntimeError(f"from_file: Get real path failed, path={file_path}: {error}") from error
        return cls._of(_numbered(words, special_tokens, special_first))

    @classmethod
    def from_dataset(cls, dataset, columns=None, freq_range=None, top_k=None, special_tokens=None, special_first=True):
        """A vocabulary of the words of a dataset, the most frequent first, equally frequent ones in the order of their letters.

        Args:
            dataset (Dataset): The dataset; it is read once.
            columns (Union[str, list[str]]): The columns of text to read. Default: None, all.
            freq_range (tuple): (least, most) how often a word must appear; None is no bound. Default: None.
            top_k (int): How many words to keep at most. Default: None, all.
            special_tokens (list[str]): Further words. Default: None.
            special_first (bool): Whether these come first, and not last. Default: True.

        Raises:
            TypeError: a wrong type.
            ValueError: a bound that makes no sense.
            RuntimeError: a column isn't text or isn't there, or a special token is a word of the dataset.
        """
        if columns is not None:
            columns = [columns] if isinstance(columns, str) else columns
            _checks.sequence(columns, (str,), "columns")
        low, high = _frequencies(freq_range)
        if top_k is not None:
            _checks.of_type(top_k, (int,), "top_k")
            _checks.positive(top_k, "top_k")
        _checks.of_type(special_first, (bool,), "special_first")
        special = _unique(special_tokens, "special_tokens") if special_tokens is not None else set()
        counts: collections.Counter[str] = collections.Counter()
        for row in dataset.create_dict_iterator(num_epochs=1, output_numpy=True):
            missing = set(columns or ()) - set(row)
            if missing:
                raise RuntimeError(f"from_dataset: there is no column {sorted(missing)}; the columns are {list(row)}")
            for name in columns or row:
                counts.update(str(word) for word in strings(f"from_dataset: column {name}", np.asarray(row[name])).reshape(-1))
        both = special & set(counts)
        if both:
            raise RuntimeError(f"from_dataset: special_tokens and word_list contain duplicate word: {both}.")
        kept = sorted((w for w, n in counts.items() if low <= n <= high), key=lambda w: (-counts[w], w))
        return cls._of(_numbered(kept[:top_k], special_tokens, special_first))

    def vocab(self):
        """The vocabulary as a dictionary {word: number}."""
        return dict(self.ids())

    def tokens_to_ids(self, tokens):
        """The number of a word, or those of several; -1 for an unknown one.

        Args:
            tokens (Union[str, list[str], numpy.ndarray]): The words.

        Raises:
            TypeError: a wrong type.
        """
        ids = self.ids()
        _checks.of_type(tokens, (str, list, np.ndarray), "tokens")
        words = tokens.reshape(-1).tolist() if isinstance(tokens, np.ndarray) else [tokens] if isinstance(tokens, str) else tokens
        _checks.sequence(words, (str,), "tokens")
        found = [ids.get(str(word), -1) for word in words]
        return found[0] if len(found) == 1 else found

    def ids_to_tokens(self, ids):
        """The word of a number, or those of several; "" for an unknown one.

        Args:
            ids (Union[int, list[int], numpy.ndarray]): The numbers, not negative.

        Raises:
            TypeError: a wrong type.
            ValueError: a negative number.
        """
        self.ids()
        _checks.of_type(ids, (int, list, np.ndarray), "ids")
        numbers = ids.reshape(-1).tolist() if isinstance(ids, np.ndarray) else [ids] if isinstance(ids, int) else ids
        for i, number in enumerate(numbers):
            _checks.of_type(number, (int, np.integer), f"ids[{i}]")
            _checks.within(number, 0, _checks.INT32_MAX, f"ids[{i}]")
        found = [self._tokens.get(int(number), "") for number in numbers]
        return found[0] if len(found) == 1 else found


def _frequencies(freq_range):
    """The bounds of freq_range as numbers."""
    if freq_range is None:
        return 0, np.inf
    _checks.of_type(freq_range, (tuple,), "freq_range")
    if len(freq_range) != 2:
        raise ValueError(f"freq_range needs to be a tuple of 2 element, got {freq_range}.")
    for number in freq_range:
        if number is not None and not isinstance(number, int):
            raise ValueError(f"freq_range needs to be either None or a tuple of 2 integers or an int and a None, got {freq_range}.")
    low, high = freq_range[0] or 0, np.inf if freq_range[1] is None else freq_range[1]
    if low > high or low < 0:
        raise ValueError(f"frequency range [a,b] should be 0 <= a <= b (a,b are inclusive), got {freq_range}.")
    return low, high


def check_vocab(vocab):
    """A vocabulary that has been made."""
    if vocab is None:
        raise ValueError("vocab is not provided.")
    if not isinstance(vocab, Vocab):
        raise TypeError(f"Wrong input type for vocab, should be text.Vocab object, got {type(vocab)}.")
    vocab.ids()


class Lookup(TextTensorOperation):
    """Words to numbers.

    Args:
        vocab (Vocab): The vocabulary.
        unknown_token (str): The word whose number stands for words that aren't in the vocabulary. Default: None, they are an error.
        data_type (mindspore type): The type of the numbers. Default: int32.

    Raises:
        TypeError: a wrong type.
        RuntimeError: `unknown_token` or an input isn't in the vocabulary, or the input is no text.
    """

    def __init__(self, vocab, unknown_token=None, data_type="int32"):
        if unknown_token is not None:
            _checks.of_type(unknown_token, (str,), "unknown_token")
        check_vocab(vocab)
        self._dtype = _checks.numpy_dtype(data_type, "data_type")
        self.vocab, self.unknown_token = vocab, unknown_token
        if unknown_token is not None and unknown_token not in vocab.ids():
            raise RuntimeError(f"Lookup: unknown_token: [{unknown_token}], does not exist in vocab.")
        self._unknown = None if unknown_token is None else vocab.ids()[unknown_token]

    def apply(self, tokens):
        tokens = strings("Lookup", tokens)
        ids = self.vocab.ids()
        numbers = []
        for token in tokens.reshape(-1).tolist():
            number = ids.get(token, self._unknown)
            if number is None:
                raise RuntimeError(f'Lookup: invalid data, token: "{token}" doesn\'t exist in vocab and no unknown token is specified.')
            numbers.append(number)
        return np.array(numbers, self._dtype).reshape(tokens.shape)
