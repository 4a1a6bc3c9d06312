"""Operations on tokens: numbers, n-grams, windows, truncation; and on the characters of text: folding, normal forms, replacing."""

import enum
import re
import unicodedata

import numpy as np

from sporax.dataset.text._operation import TextTensorOperation, mapped, strings
from sporax.dataset.transforms import _checks


class NormalizeForm(enum.IntEnum):
    """Unicode's normal forms."""

    NONE = 0
    NFC = 1
    NFKC = 2
    NFD = 3
    NFKD = 4


def normalized(text, form):
    """`text` in a normal form."""
    return text if form == NormalizeForm.NONE else unicodedata.normalize(form.name, text)


def check_form(form):
    """A member of NormalizeForm."""
    if not isinstance(form, NormalizeForm):
        raise TypeError(f"Wrong input type for normalization_form, should be enum of 'NormalizeForm', got {type(form)}.")


class CaseFold(TextTensorOperation):
    """Text without upper case, by Unicode's case folding."""

    def apply(self, text):
        return mapped("CaseFold", text, str.casefold)


class NormalizeUTF8(TextTensorOperation):
    """Text in a normal form of Unicode.

    Args:
        normalize_form (NormalizeForm): Default: NormalizeForm.NFKC.

    Raises:
        TypeError: a wrong type.
    """

    def __init__(self, normalize_form=NormalizeForm.NFKC):
        check_form(normalize_form)
        self.normalize_form = normalize_form

    def apply(self, text):
        return mapped("NormalizeUTF8", text, lambda s: normalized(s, self.normalize_form))


def pattern(text, name):
    """A regular expression, compiled. Properties such as \\p{Han} need the package regex.

    Raises:
        RuntimeError: it isn't one.
        ImportError: it has a property, and the package isn't installed.
    """
    try:
        if re.search(r"\\[pPXhRN]|\[\[:", text):
            try:
                import regex
            except ImportError as error:
                raise ImportError(
                    f'{name}: {text!r} has a Unicode property, for which the package regex is needed: pip install "sporax[text]"'
                ) from error
            try:
                return regex.compile(text)
            except regex.error as error:
                raise RuntimeError(f"{name}: {text!r} is no regular expression: {error}") from error
        return re.compile(text)
    except re.error as error:
        raise RuntimeError(f"{name}: {text!r} is no regular expression: {error}") from error


class RegexReplace(TextTensorOperation):
    """Replace what a regular expression matches.

    Args:
        pattern (str): The expression.
        replace (str): What is put in; $1 is what the first group matched.
        replace_all (bool): Whether every match is replaced, and not only the first. Default: True.

    Raises:
        TypeError: a wrong type.
        RuntimeError: `pattern` is no regular expression.
    """

    def __init__(self, pattern, replace, replace_all=True):
        _checks.of_type(pattern, (str,), "pattern")
        _checks.of_type(replace, (str,), "replace")
        _checks.of_type(replace_all, (bool,), "replace_all")
        self.pattern, self.replace, self.replace_all = pattern, replace, replace_all
        self._compiled = None
        # $1 as Python writes it; \$ and \\ stand for themselves
        self._replace = re.sub(r"\\(.)|\$(\d+)", lambda m: f"\\g<{m[2]}>" if m[2] else m[1].replace("\\", "\\\\"), replace)

    def apply(self, text):
        if self._compiled is None:
            self._compiled = pattern(self.pattern, "RegexReplace")
        compiled = self._compiled
        return mapped("RegexReplace", text, lambda s: compiled.sub(self._replace, s, count=0 if self.replace_all else 1))


_DIGITS = {ord(d): f" {word} " for d, word in zip("0123456789", "zero one two three four five six seven eight nine".split())}
_UPPER = {c: c + 32 for c in range(ord("A"), ord("Z") + 1)}


def plain_wikipedia(text):
    """The words of a line of XML: lower case, without tags and entities, digits spelled out (as in the text8 corpus, Mahoney, 2006)."""
    if re.search("#redirect", text, re.IGNORECASE):
        return ""
    text = re.sub("&[^;]*;", " ", re.sub("<.*>", "", text))
    text = re.sub("[^a-z\\n]+", " ", text.translate(_UPPER).translate(_DIGITS))
    return re.sub("\\s+", " ", text.replace("\n ", "")).strip()


class FilterWikipediaXML(TextTensorOperation):
    """The plain words of text in the markup of Wikipedia."""

    def apply(self, text):
        return mapped("FilterWikipediaXML", text, plain_wikipedia)


_INTEGER = re.compile(r"\s*([+-]?\d+)")
_FLOAT = re.compile(r"\s*([+-]?(?:\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?|inf(?:inity)?|nan))", re.IGNORECASE)


class ToNumber(TextTensorOperation):
    """Text to numbers. What follows the number is ignored, as C's conversions do.

    Args:
        data_type (mindspore type): The type of the numbers.

    Raises:
        TypeError: `data_type` is no type of numbers.
        RuntimeError: text that doesn't start with a number, or with one that the type can't hold.

    Examples:
        >>> from sporax.dataset import text
        >>> text.ToNumber(ms.int8)(np.array(["3", "-7"]))
        array([ 3, -7], dtype=int8)
    """

    def __init__(self, data_type):
        if not hasattr(data_type, "np_dtype") and not isinstance(data_type, np.dtype):
            raise TypeError(f"Argument data_type with value {data_type} is not of type mindspore type, but got {type(data_type)}.")
        self._dtype = _checks.numpy_dtype(data_type, "data_type")
        if self._dtype.kind not in "iuf":
            raise TypeError(f"data_type: {data_type} is not numeric data type.")
        self.data_type = str(self._dtype)

    def _number(self, text):
        whole = self._dtype.kind in "iu"
        match = (_INTEGER if whole else _FLOAT).match(text)
        if match is None:
            raise RuntimeError(f'ToNumber: it is invalid to convert "{text}" to a number.')
        number = int(match[1]) if whole else float(match[1])
        limits = np.iinfo(self._dtype) if whole else np.finfo(self._dtype)
        low, high = (int(limits.min), int(limits.max)) if whole else (float(limits.min), float(limits.max))
        if not low <= number <= high and number == number:
            raise RuntimeError(f"ToNumber: string input {text} will be out of bounds if cast to {self._dtype}. The valid range is: [{low}, {high}].")
        return number

    def apply(self, text):
        text = strings("ToNumber", text)
        return np.array([self._number(str(s)) for s in text.reshape(-1)], self._dtype).reshape(text.shape)


class Ngram(TextTensorOperation):
    """Neighbouring tokens joined.

    Args:
        n (Union[int, list[int]]): How many are joined; several numbers give the n-grams of each, one after the other.
        left_pad (tuple): (token, how often) that comes before; at most n - 1 times. Default: ("", 0).
        right_pad (tuple): The same for after. Default: ("", 0).
        separator (str): What comes between joined tokens. Default: " ".

    Raises:
        TypeError: a wrong type.
        ValueError: a number that isn't positive, or a pad that is no such tuple.
        RuntimeError: the input isn't one-dimensional text.
    """

    def __init__(self, n, left_pad=("", 0), right_pad=("", 0), separator=" "):
        numbers = [n] if isinstance(n, int) else n
        if not isinstance(numbers, list) or not numbers:
            raise ValueError(f"n needs to be a non-empty list of positive integers, got {n!r}.")
        for i, number in enumerate(numbers):
            _checks.of_type(number, (int,), f"gram[{i}]")
            _checks.positive(number, f"gram_{i}")
        for pad, name in ((left_pad, "left_pad"), (right_pad, "right_pad")):
            if not (isinstance(pad, tuple) and len(pad) == 2 and isinstance(pad[0], str) and isinstance(pad[1], int)):
                raise ValueError(f"{name} needs to be a tuple of (str, int) str is pad token and int is pad_width, got {pad!r}.")
            if pad[1] < 0:
                raise ValueError(f"padding width need to be positive numbers, got {pad}.")
        _checks.of_type(separator, (str,), "separator")
        self.n, self.left_pad, self.right_pad, self.separator = numbers, left_pad, right_pad, separator

    def apply(self, tokens):
        if tokens.ndim != 1 or tokens.dtype.kind not in "US":
            raise RuntimeError(f"Ngram: input is not a 1D data with string datatype, got {tokens.dtype}{tokens.shape}.")
        words = strings("Ngram", tokens).tolist()
        grams = []
        for n in self.n:
            left, right = ([pad] * min(width, n - 1) for pad, width in (self.left_pad, self.right_pad))
            padded = left + words + right
            grams += [self.separator.join(padded[i : i + n]) for i in range(len(padded) - n + 1)] or [""]
        return np.array(grams, np.str_)


class SlidingWindow(TextTensorOperation):
    """All windows of neighbouring elements.

    Args:
        width (int): The size of a window.
        axis (int): 0 or -1. Default: 0.

    Inputs:
        One-dimensional, N elements; the result has the shape (N - width + 1, width), or (0,) where N < width.

    Raises:
        TypeError: a wrong type.
        ValueError: `width` is not positive.
        RuntimeError: another axis, or another number of dimensions.
    """

    def __init__(self, width, axis=0):
        _checks.integer(width, 1, _checks.INT32_MAX, "width")
        _checks.of_type(axis, (int,), "axis")
        self.width, self.axis = width, axis

    def apply(self, array):
        if array.ndim != 1:
            raise RuntimeError(f"SlidingWindow: SlidingWindow supports 1D input only for now, but got {array.ndim}D.")
        if self.axis not in (0, -1):
            raise RuntimeError(f"SlidingWindow: The parameter axis supports 0 or -1 only for now, but got {self.axis}.")
        if len(array) < self.width:
            return array[:0].copy()
        return np.lib.stride_tricks.sliding_window_view(array, self.width).copy()


class Truncate(TextTensorOperation):
    """At most the first elements, of each row where there are two dimensions.

    Args:
        max_seq_len (int): How many.

    Raises:
        TypeError: a wrong type.
        ValueError: the number is not positive.
        RuntimeError: another number of dimensions.
    """

    def __init__(self, max_seq_len):
        _checks.integer(max_seq_len, 1, _checks.INT32_MAX, "max_seq_len")
        self.max_seq_len = max_seq_len

    def apply(self, array):
        if array.ndim not in (1, 2):
            raise RuntimeError(f"Truncate: the input tensor should be of dimension 1 or 2, got {array.ndim}.")
        return array[..., : self.max_seq_len].copy()


class TruncateSequencePair(TextTensorOperation):
    """Shorten two sequences until both together have at most a given length: always the longer one, of equal ones the second.

    Args:
        max_length (int): The length of both together.

    Raises:
        TypeError: a wrong type.
        RuntimeError: not two columns, or columns that aren't one-dimensional.
    """

    def __init__(self, max_length):
        _checks.of_type(max_length, (int,), "max_length")
        self.max_length = max_length

    def apply(self, *columns):
        if len(columns) != 2:
            raise RuntimeError(f"TruncateSequencePair: Expected two inputs, but got {len(columns)} inputs.")
        first, second = columns
        if first.ndim != 1 or second.ndim != 1:
            raise RuntimeError(f"TruncateSequencePair: both data column should be of rank 1, got {first.ndim} and {second.ndim}.")
        a, b = len(first), len(second)
        while a + b > max(self.max_length, 0):
            a, b = (a - 1, b) if a > b else (a, b - 1)
        return first[:a].copy(), second[:b].copy()


class AddToken(TextTensorOperation):
    """Put a token before or after a sequence, of each row where there are two dimensions.

    Args:
        token (str): The token.
        begin (bool): Whether it comes first, and not last. Default: True.

    Raises:
        TypeError: a wrong type.
        RuntimeError: the input is no text of one or two dimensions.
    """

    def __init__(self, token, begin=True):
        _checks.of_type(token, (str,), "token")
        _checks.of_type(begin, (bool,), "begin")
        self.token, self.begin = token, begin

    def apply(self, tokens):
        tokens = strings("AddToken", tokens)
        if tokens.ndim not in (1, 2):
            raise RuntimeError(f"AddToken: input tensor rank should be 1 or 2, got {tokens.ndim}.")
        added = np.full((*tokens.shape[:-1], 1), self.token)
        return np.concatenate([added, tokens] if self.begin else [tokens, added], -1)


class PythonTokenizer:
    """Tokenise by a function of Python.

    Args:
        tokenizer (Callable): Takes a str, gives a list of str.

    Raises:
        TypeError: `tokenizer` can't be called, or the input is no array.
        RuntimeError: it raised an exception.
    """

    random = False

    def __init__(self, tokenizer):
        if not callable(tokenizer):
            raise TypeError(f"tokenizer is not a callable Python function, got {type(tokenizer)}.")
        self.pyfunc = tokenizer

    def __call__(self, in_array):
        if not isinstance(in_array, np.ndarray):
            raise TypeError(f"input should be a NumPy array. Got {type(in_array)}.")
        text = np.char.decode(in_array, "utf-8") if in_array.dtype.kind == "S" else in_array
        try:
            tokens = [np.array(self.pyfunc(str(s)), np.str_) for s in text.reshape(-1)]
        except Exception as error:
            name = getattr(self.pyfunc, "__name__", repr(self.pyfunc))
            raise RuntimeError(f"Error occurred in Pyfunc [{name}], error message: {error}") from error
        return np.stack(tokens).reshape((*text.shape, -1))


def to_bytes(array, encoding="utf8"):
    """An array of str as one of bytes.

    Raises:
        ValueError: `array` is no array.
    """
    if not isinstance(array, np.ndarray):
        raise ValueError(f"input should be a NumPy array, got {type(array)}.")
    return np.char.encode(array, encoding)


def to_str(array, encoding="utf8"):
    """An array of bytes as one of str.

    Raises:
        TypeError: `array` is no array, or not of bytes.
    """
    if not isinstance(array, np.ndarray):
        raise TypeError(f"input should be a NumPy array, got {type(array)}.")
    return np.char.decode(array, encoding)
