"""Operations on text."""

from sporax._names import module_getattr
from sporax.dataset.text._basic import (
    AddToken,
    CaseFold,
    FilterWikipediaXML,
    Ngram,
    NormalizeForm,
    NormalizeUTF8,
    PythonTokenizer,
    RegexReplace,
    SlidingWindow,
    ToNumber,
    Truncate,
    TruncateSequencePair,
    to_bytes,
    to_str,
)
from sporax.dataset.text._jieba import JiebaMode, JiebaTokenizer
from sporax.dataset.text._operation import TextTensorOperation
from sporax.dataset.text._sentencepiece import (
    SentencePieceModel,
    SentencePieceTokenizer,
    SentencePieceVocab,
    SPieceTokenizerLoadType,
    SPieceTokenizerOutType,
)
from sporax.dataset.text._tokenize import (
    BasicTokenizer,
    BertTokenizer,
    RegexTokenizer,
    UnicodeCharTokenizer,
    UnicodeScriptTokenizer,
    WhitespaceTokenizer,
    WordpieceTokenizer,
)
from sporax.dataset.text._vectors import CharNGram, FastText, GloVe, ToVectors, Vectors
from sporax.dataset.text._vocab import Lookup, Vocab

__getattr__ = module_getattr(__name__)
