"""Tokenizers that need no model: by character, whitespace, script, regular expression; those of BERT."""

import functools
import re
import unicodedata

import numpy as np

from sporax.dataset.text._basic import NormalizeForm, check_form, normalized, pattern
from sporax.dataset.text._operation import TextTensorOperation, check_bool, check_str, result, scalar, spans, strings
from sporax.dataset.text._vocab import check_vocab
from sporax.dataset.transforms import _checks

# Unicode's white space; Python's isspace has the separators of information too
_SPACE = "\t\n\x0b\x0c\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
_BLANK = re.compile(f"[{_SPACE}]")


def split(text, delimiter, keep):
    """[(token, start)] of a text: what lies between the matches of `delimiter`, and the matches that `keep` matches as a whole."""
    pieces, at = [], 0
    for match in delimiter.finditer(text):
        if match.end() == match.start():
            continue
        pieces += [(text[at : match.start()], True), (match[0], keep is not None and keep.fullmatch(match[0]) is not None)]
        at = match.end()
    pieces.append((text[at:], True))
    placed = spans([piece for piece, _ in pieces])
    return [span for span, (piece, kept) in zip(placed, pieces) if kept and piece]


class _WithOffsets(TextTensorOperation):
    """Base of the tokenizers of one string; `tokens` gives [(token, start)]."""

    with_offsets = False

    def tokens(self, text) -> list:
        """The tokens of a text and where each starts, in bytes."""
        raise RuntimeError(f"{type(self).__name__} has to define tokens(text).")

    def apply(self, text):
        return result(self.tokens(scalar(f"{type(self).__name__}Op", text)), self.with_offsets)


class UnicodeCharTokenizer(_WithOffsets):
    """Each character is a token.

    Args:
        with_offsets (bool): Whether the result has offsets too. Default: False.

    Raises:
        TypeError: a wrong type.
        RuntimeError: the input isn't one string.

    Examples:
        >>> from sporax.dataset import text
        >>> text.UnicodeCharTokenizer()(np.array("abc"))
        array(['a', 'b', 'c'], dtype='<U1')
    """

    def __init__(self, with_offsets=False):
        check_bool(with_offsets, "with_offsets")
        self.with_offsets = with_offsets

    def tokens(self, text):
        return spans(text)


class WhitespaceTokenizer(_WithOffsets):
    """Tokens are what white space separates.

    Args:
        with_offsets (bool): Whether the result has offsets too. Default: False.

    Raises:
        TypeError: a wrong type.
        RuntimeError: the input isn't one string.
    """

    _DELIMITER = re.compile(f"[{_SPACE}]+")

    def __init__(self, with_offsets=False):
        check_bool(with_offsets, "with_offsets")
        self.with_offsets = with_offsets

    def tokens(self, text):
        return split(text, self._DELIMITER, None)


_SCRIPTS = (
    "Common Inherited Latin Greek Cyrillic Armenian Hebrew Arabic Syriac Thaana Nko Samaritan Mandaic Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu "
    "Kannada Malayalam Sinhala Thai Lao Tibetan Myanmar Georgian Hangul Ethiopic Cherokee Canadian_Aboriginal Ogham Runic Tagalog Hanunoo Buhid Tagbanwa Khmer "
    "Mongolian Limbu Tai_Le New_Tai_Lue Buginese Tai_Tham Balinese Sundanese Batak Lepcha Ol_Chiki Glagolitic Coptic Tifinagh Hiragana Katakana Bopomofo Han Yi "
    "Lisu Vai Bamum Syloti_Nagri Phags_Pa Saurashtra Kayah_Li Rejang Javanese Cham Tai_Viet Meetei_Mayek Linear_B Lycian Carian Old_Italic Gothic Old_Permic "
    "Ugaritic Old_Persian Deseret Shavian Osmanya Cypriot Cuneiform Egyptian_Hieroglyphs Braille"
).split()


@functools.cache
def _script_pattern():
    try:
        import regex
    except ImportError as error:
        raise ImportError('UnicodeScriptTokenizer needs the package regex: pip install "sporax[text]"') from error
    return regex.compile("|".join(rf"(\p{{Script={name}}})" for name in _SCRIPTS))


@functools.lru_cache(maxsize=65536)
def script(character):
    """The number of a character's script; 0 where it is none of those known here."""
    match = _script_pattern().match(character)
    return match.lastindex if match else 0


class UnicodeScriptTokenizer(_WithOffsets):
    """Tokens are runs of characters of one script; white space separates.

    Args:
        keep_whitespace (bool): Whether white space is a token too. Default: False.
        with_offsets (bool): Whether the result has offsets too. Default: False.

    Raises:
        TypeError: a wrong type.
        RuntimeError: the input isn't one string.
        ImportError: the package regex isn't installed.
    """

    def __init__(self, keep_whitespace=False, with_offsets=False):
        check_bool(keep_whitespace, "keep_whitespace")
        check_bool(with_offsets, "with_offsets")
        self.keep_whitespace, self.with_offsets = keep_whitespace, with_offsets

    def tokens(self, text):
        pieces, before = [], None
        for character in text:
            kind = (script(character), _BLANK.match(character) is not None)
            if kind == before:
                pieces[-1] += character
            else:
                pieces.append(character)
            before = kind
        return [span for span in spans(pieces) if self.keep_whitespace or not _BLANK.match(span[0])]


class RegexTokenizer(_WithOffsets):
    """Tokens are what matches of a regular expression separate.

    Args:
        delim_pattern (str): The expression.
        keep_delim_pattern (str): Matches of `delim_pattern` that this expression matches too are tokens. Default: "", none.
        with_offsets (bool): Whether the result has offsets too. Default: False.

    Raises:
        TypeError: a wrong type.
        ValueError: no expression.
        RuntimeError: the input isn't one string, or an expression is none.
    """

    def __init__(self, delim_pattern, keep_delim_pattern="", with_offsets=False):
        if delim_pattern is None:
            raise ValueError("delim_pattern is not provided.")
        check_str(delim_pattern, "delim_pattern")
        check_str(keep_delim_pattern, "keep_delim_pattern")
        check_bool(with_offsets, "with_offsets")
        self.delim_pattern, self.keep_delim_pattern, self.with_offsets = delim_pattern, keep_delim_pattern, with_offsets
        self._compiled = None

    def tokens(self, text):
        if self._compiled is None:
            keep = pattern(self.keep_delim_pattern, "RegexTokenizer") if self.keep_delim_pattern else None
            self._compiled = pattern(self.delim_pattern, "RegexTokenizer"), keep
        return split(text, *self._compiled)


_CJK = (
    "\u4e00-\u9fff\u3400-\u4dbf\U00020000-\U0002a6df\U0002a700-\U0002b73f\U0002b740-\U0002b81f\U0002b820-\U0002ceaf\uf900-\ufaff\U0002f800-\U0002fa1f"
)
_UNUSED = r"\[CLS\]|\[SEP\]|\[UNK\]|\[PAD\]|\[MASK\]|\[unused\d+\]|"


@functools.cache
def _punctuation():
    """Every character of Unicode's categories of punctuation, as a class of a regular expression."""
    return "".join(re.escape(chr(c)) for c in range(0x110000) if unicodedata.category(chr(c))[0] == "P")


@functools.cache
def _delimiters(preserve_unused):
    """The expressions of BasicTokenizer: all delimiters, those that are tokens, and those with white space."""
    single = f"[!-/:-@\\[-`{{-~{_punctuation()}{_CJK}]"
    kept = (_UNUSED if preserve_unused else "") + single
    space = f"[{_SPACE}]+"
    return re.compile(f"{kept}|{space}"), re.compile(kept), re.compile(f"{kept}|{space}")


_WORDS = re.compile(_UNUSED.rstrip("|"))
_CONTROL = {c: " " for c in range(0x110000) if unicodedata.category(chr(c)) in ("Cc", "Cf") and chr(c) not in "\t\n\r"}


def without_case(text, preserve_unused):
    """`text` folded and without accents; words such as [CLS] stay where `preserve_unused` says so."""
    pieces, at = [], 0
    for match in _WORDS.finditer(text) if preserve_unused else ():
        pieces += [(text[at : match.start()], True), (match[0], False)]
        at = match.end()
    pieces.append((text[at:], True))
    folded = (unicodedata.normalize("NFD", piece.casefold()) if change else piece for piece, change in pieces)
    return "".join(c for c in "".join(folded) if unicodedata.category(c) != "Mn")


class BasicTokenizer(_WithOffsets):
    """The first half of BERT's tokenizer: splits at white space, and makes each punctuation mark and each Chinese character a token.

    Args:
        lower_case (bool): Whether text is folded and loses its accents; then `normalization_form` doesn't count. Default: False.
        keep_whitespace (bool): Whether white space is a token too. Default: False.
        normalization_form (NormalizeForm): Default: NormalizeForm.NONE.
        preserve_unused_token (bool): Whether [CLS], [SEP], [UNK], [PAD], [MASK] and [unused1] stay one token. Default: True.
        with_offsets (bool): Whether the result has offsets too. They belong to the text after the changes. Default: False.

    Raises:
        TypeError: a wrong type.
        RuntimeError: the input isn't one string.
    """

    def __init__(
        self, lower_case=False, keep_whitespace=False, normalization_form=NormalizeForm.NONE, preserve_unused_token=True, with_offsets=False
    ):
        check_bool(lower_case, "lower_case")
        check_bool(keep_whitespace, "keep_whitespace")
        check_form(normalization_form)
        check_bool(preserve_unused_token, "preserve_unused_token")
        check_bool(with_offsets, "with_offsets")
        self.lower_case, self.keep_whitespace, self.normalization_form = lower_case, keep_whitespace, normalization_form
        self.preserve_unused_token, self.with_offsets = preserve_unused_token, with_offsets

    def tokens(self, text):
        if self.lower_case:
            text = without_case(text, self.preserve_unused_token)
        else:
            text = normalized(text, self.normalization_form)
        every, kept, with_space = _delimiters(self.preserve_unused_token)
        return split(text.translate(_CONTROL), every, with_space if self.keep_whitespace else kept)


class WordpieceTokenizer(TextTensorOperation):
    """The second half of BERT's tokenizer: words to the longest pieces that are in a vocabulary.

    Args:
        vocab (Vocab): The vocabulary.
        suffix_indicator (str): What pieces after the first start with. Default: "##".
        max_bytes_per_token (int): Longer words are unknown. Default: 100.
        unknown_token (str): What an unknown word becomes; "" leaves it as it is. Default: "[UNK]".
        with_offsets (bool): Whether the result has offsets too. Default: False.

    Raises:
        TypeError: a wrong type.
        ValueError: no vocabulary, or a negative number.
        RuntimeError: the input is no text of at most one dimension.
    """

    def __init__(self, vocab, suffix_indicator="##", max_bytes_per_token=100, unknown_token="[UNK]", with_offsets=False):
        check_vocab(vocab)
        check_str(suffix_indicator, "suffix_indicator")
        check_str(unknown_token, "unknown_token")
        check_bool(with_offsets, "with_offsets")
        _checks.integer(max_bytes_per_token, 0, 2**32 - 1, "max_bytes_per_token")
        self.vocab, self.suffix_indicator, self.max_bytes_per_token = vocab, suffix_indicator, max_bytes_per_token
        self.unknown_token, self.with_offsets = unknown_token, with_offsets

    def pieces(self, word, start):
        """[(piece, start, length in bytes)] of a word."""
        size = len(word.encode("utf-8", "surrogatepass"))
        unknown = [(self.unknown_token or word, start, size)]
        if size > self.max_bytes_per_token:
            return unknown
        ids, found, at, place = self.vocab.ids(), [], 0, start
        while at < len(word):
            for end in range(len(word), at, -1):
                piece = word[at:end] if at == 0 else self.suffix_indicator + word[at:end]
                if piece in ids:
                    break
            else:
                return unknown
            length = len(word[at:end].encode("utf-8", "surrogatepass"))
            found.append((piece, place, length))
            at, place = end, place + length
        return found

    def all_pieces(self, tokens):
        """The pieces of tokens [(token, start)] as the operation's result."""
        found = [piece for token, start in tokens for piece in self.pieces(token, start)] or [("", 0, 0)]
        array = np.array([piece for piece, _, _ in found], np.str_)
        if not self.with_offsets:
            return array
        starts = np.array([start for _, start, _ in found], np.uint32)
        return array, starts, starts + np.array([length for _, _, length in found], np.uint32)

    def apply(self, tokens):
        tokens = strings("WordpieceTokenizer", tokens)
        if tokens.ndim > 1:
            raise RuntimeError(f"WordpieceTokenizer: The input shape should be 1D scalar or 1D, got {tokens.shape}.")
        return self.all_pieces([(str(token), 0) for token in tokens.reshape(-1)])


class BertTokenizer(TextTensorOperation):
    """BERT's tokenizer: BasicTokenizer and WordpieceTokenizer in one.

    Args:
        vocab (Vocab): The vocabulary.
        suffix_indicator, max_bytes_per_token, unknown_token: As of WordpieceTokenizer.
        lower_case, keep_whitespace, normalization_form, preserve_unused_token: As of BasicTokenizer.
        with_offsets (bool): Whether the result has offsets too. Default: False.

    Raises:
        TypeError: a wrong type.
        ValueError: no vocabulary, or a negative number.
        RuntimeError: the input isn't one string.
    """

    def __init__(
        self,
        vocab,
        suffix_indicator="##",
        max_bytes_per_token=100,
        unknown_token="[UNK]",
        lower_case=False,
        keep_whitespace=False,
        normalization_form=NormalizeForm.NONE,
        preserve_unused_token=True,
        with_offsets=False,
    ):
        self._basic = BasicTokenizer(lower_case, keep_whitespace, normalization_form, preserve_unused_token, with_offsets)
        self._pieces = WordpieceTokenizer(vocab, suffix_indicator, max_bytes_per_token, unknown_token, with_offsets)
        self.vocab = vocab

    def apply(self, text):
        return self._pieces.all_pieces(self._basic.tokens(scalar("BertTokenizerOp", text)) or [("", 0)])
