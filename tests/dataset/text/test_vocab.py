"""Vocabularies and models made from datasets; operations that travel to other processes."""

import pickle

import numpy as np
import pytest

import sporax as ms
from sporax.dataset import text as X


class Rows:
    """What a dataset is to `from_dataset`: something that gives rows."""

    def __init__(self, *rows):
        self.rows = rows

    def create_dict_iterator(self, num_epochs=-1, output_numpy=False):
        assert num_epochs == 1 and output_numpy
        return iter(self.rows)


WORDS = Rows({"a": np.array(["x", "y", "x"]), "b": np.array(["q"])}, {"a": np.array(["z", "x", "y"]), "b": np.array(["r"])})


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({}, {"x": 0, "y": 1, "q": 2, "r": 3, "z": 4}),
        ({"columns": "a"}, {"x": 0, "y": 1, "z": 2}),
        ({"columns": ["a"], "top_k": 2}, {"x": 0, "y": 1}),
        ({"columns": ["a"], "freq_range": (2, None)}, {"x": 0, "y": 1}),
        ({"columns": ["a"], "freq_range": (None, 2)}, {"y": 0, "z": 1}),
        ({"columns": ["a"], "freq_range": (2, 2), "special_tokens": ["<pad>"]}, {"<pad>": 0, "y": 1}),
        ({"columns": ["a"], "freq_range": (2, 2), "special_tokens": ["<pad>"], "special_first": False}, {"y": 0, "<pad>": 1}),
    ],
)
def test_from_dataset(arguments, expected):
    assert X.Vocab.from_dataset(WORDS, **arguments).vocab() == expected


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"columns": "c"}, RuntimeError, "no column"),
        ({"freq_range": (3, 1)}, ValueError, "frequency range"),
        ({"freq_range": [1, 3]}, TypeError, "freq_range"),
        ({"top_k": 0}, ValueError, "top_k"),
        ({"special_tokens": ["x"]}, RuntimeError, "duplicate"),
    ],
)
def test_from_dataset_says_what_is_wrong(arguments, error, message):
    with pytest.raises(error, match=message):
        X.Vocab.from_dataset(WORDS, **arguments)


def test_text_must_be_text():
    with pytest.raises(RuntimeError, match="not string"):
        X.Vocab.from_dataset(Rows({"a": np.array([1, 2])}))


def test_sentencepiece_from_dataset_and_file(tmp_path):
    sentences = ["the cat sees the dog", "the dog sees a cat", "dogs see cats"] * 5
    arguments = 20, 1.0, X.SentencePieceModel.BPE, {}
    made = X.SentencePieceVocab.from_dataset(Rows(*({"s": np.array(s)} for s in sentences)), ["s"], *arguments)
    (tmp_path / "s.txt").write_text("\n".join(sentences) + "\n")
    read = X.SentencePieceVocab.from_file([str(tmp_path / "s.txt")], *arguments)
    X.SentencePieceVocab.save_model(made, str(tmp_path), "m.model")
    text = np.array("the cat sees dogs")
    results = [X.SentencePieceTokenizer(m, X.SPieceTokenizerOutType.INT)(text).tolist() for m in (made, read, str(tmp_path / "m.model"))]
    assert results[0] == results[1] == results[2]
    assert "".join(X.SentencePieceTokenizer(made, X.SPieceTokenizerOutType.STRING)(text)).replace("\u2581", " ").strip() == str(text)
    with pytest.raises(RuntimeError, match="save model"):
        X.SentencePieceVocab.save_model(made, str(tmp_path / "no"), "m.model")
    with pytest.raises(RuntimeError, match="not been built"):
        _ = X.SentencePieceVocab().model


def test_jieba_learns_words(tmp_path):
    from tests.oracle.cases_dataset_text import DICT, HMM

    (tmp_path / "h").write_text(HMM, encoding="utf-8")
    (tmp_path / "d").write_text(DICT, encoding="utf-8")
    op = X.JiebaTokenizer(str(tmp_path / "h"), str(tmp_path / "d"), X.JiebaMode.MP)
    assert op(np.array("我爱小明")).tolist() == ["我", "爱", "小", "明"]
    op.add_word("小明", 1000)
    assert op(np.array("我爱小明")).tolist() == ["我", "爱", "小明"]
    (tmp_path / "u").write_text("我爱 100000\n# a\n", encoding="utf-8")
    op.add_dict(str(tmp_path / "u"))
    assert op(np.array("我爱小明")).tolist() == ["我爱", "小明"]
    assert pickle.loads(pickle.dumps(op))(np.array("我爱小明")).tolist() == ["我爱", "小明"]
    with pytest.raises(ValueError, match="not exist"):
        op.add_dict("/no/such")
    with pytest.raises(TypeError, match="str or dict"):
        op.add_dict(3)


def test_words_that_genuine_repeats():
    got = X.BasicTokenizer(True)(np.array("Héllo, WORLD! [CLS]a"))
    assert got.tolist() == ["hello", ",", "world", "!", "[CLS]", "a"]
    assert X.RegexReplace("\\s+", "_", False)(np.array(["a  b c", "x y z"])).tolist() == ["a_b c", "x_y z"]


@pytest.mark.parametrize(
    "op",
    [
        X.BertTokenizer(X.Vocab.from_list(["a", "b", "[UNK]"]), lower_case=True),
        X.RegexTokenizer("\\s+"),
        X.UnicodeScriptTokenizer(True),
        X.RegexReplace("\\p{P}", ""),
    ],
    ids=lambda op: type(op).__name__,
)
def test_operations_travel(op):
    text = np.array("a b, c 世")
    before = op(text)
    assert pickle.loads(pickle.dumps(op))(text).tolist() == before.tolist()


def test_missing_packages_say_what_to_install(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "regex", None)
    with pytest.raises(ImportError, match=r"sporax\[text\]"):
        X.RegexReplace("\\p{Han}", "")(np.array("a"))
    monkeypatch.setitem(__import__("sys").modules, "sentencepiece", None)
    with pytest.raises(ImportError, match=r"sporax\[text\]"):
        X.SentencePieceVocab.from_file([__file__], 20, 1.0, X.SentencePieceModel.BPE, {})


def test_types_of_mindspore():
    assert X.ToNumber(ms.float16)(np.array(["1.5"])).dtype == np.float16
    assert X.Lookup(X.Vocab.from_list(["a"]), data_type=ms.int64)(np.array("a")).dtype == np.int64
