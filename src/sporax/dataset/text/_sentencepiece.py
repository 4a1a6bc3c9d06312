"""SentencePiece: subwords learned from text, through the package sentencepiece."""

import enum
import io
import os
import typing

import numpy as np

from sporax.dataset.text._operation import TextTensorOperation, scalar
from sporax.dataset.transforms import _checks


class SentencePieceModel(enum.IntEnum):
    """What a model is made of."""

    UNIGRAM = 0
    BPE = 1
    CHAR = 2
    WORD = 3


class SPieceTokenizerLoadType(enum.IntEnum):
    """Where a tokenizer's model comes from."""

    FILE = 0
    MODEL = 1


class SPieceTokenizerOutType(enum.IntEnum):
    """What a tokenizer gives: pieces or their numbers."""

    STRING = 0
    INT = 1


def _package() -> typing.Any:
    try:
        import sentencepiece
    except ImportError as error:
        raise ImportError('SentencePiece needs the package sentencepiece: pip install "sporax[text]"') from error
    return sentencepiece


def _train(vocab_size, character_coverage, model_type, params, **source):
    for name, value, types in (("vocab_size", vocab_size, (int,)), ("character_coverage", character_coverage, (float,)), ("params", params, (dict,))):
        _checks.of_type(value, types, name)
    _checks.of_type(model_type, (str, SentencePieceModel), "model_type")
    kind = model_type.lower() if isinstance(model_type, str) else model_type.name.lower()
    model = io.BytesIO()
    try:
        _package().SentencePieceTrainer.train(
            model_writer=model, vocab_size=vocab_size, character_coverage=character_coverage, model_type=kind, minloglevel=2, **params, **source
        )
    except (RuntimeError, OSError) as error:
        raise RuntimeError(f"SentencePieceVocab: the model could not be trained: {error}") from error
    return model.getvalue()


class SentencePieceVocab:
    """A model of SentencePiece. Made by `from_dataset` or `from_file`."""

    def __init__(self, model=None):
        self._model: bytes | None = model

    @property
    def model(self):
        """The model's bytes, as `sentencepiece` writes them.

        Raises:
            RuntimeError: the model hasn't been made.
        """
        if self._model is None:
            raise RuntimeError("The SentencePieceVocab has not been built yet. Use SentencePieceVocab.from_dataset() or from_file().")
        return self._model

    @classmethod
    def from_dataset(cls, dataset, col_names, vocab_size, character_coverage, model_type, params):
        """Train a model on columns of a dataset.

        Args:
            dataset (Dataset): The dataset; it is read once.
            col_names (list[str]): Its columns of text.
            vocab_size (int): The number of pieces.
            character_coverage (float): The part of the characters that the model covers, 0.9995 for Chinese or Japanese, 1.0 for small alphabets.
            model_type (SentencePieceModel): UNIGRAM, BPE, CHAR or WORD.
            params (dict): Further options of the trainer.

        Raises:
            TypeError: a wrong type.
            RuntimeError: the model could not be trained.
        """
        if vocab_size is None:
            raise TypeError("vocab_size must be provided.")
        _checks.sequence(col_names, (str,), "col_names")

        def sentences():
            for row in dataset.create_dict_iterator(num_epochs=1, output_numpy=True):
                for name in col_names:
                    yield from (str(text) for text in np.asarray(row[name]).reshape(-1))

        return cls(_train(vocab_size, character_coverage, model_type, params, sentence_iterator=sentences()))

    @classmethod
    def from_file(cls, file_path, vocab_size, character_coverage, model_type, params):
        """Train a model on files of text, a sentence a line.

        Args:
            file_path (list[str]): The files.
            vocab_size, character_coverage, model_type, params: As of `from_dataset`.

        Raises:
            TypeError: a wrong type.
            RuntimeError: the model could not be trained.
        """
        _checks.sequence(file_path, (str,), "file_path")
        for path in file_path:
            if not os.path.isfile(path):
                raise RuntimeError(f"SentencePieceVocab: get real path failed, path: {path}")
        return cls(_train(vocab_size, character_coverage, model_type, params, input=",".join(file_path)))

    @classmethod
    def save_model(cls, vocab, path, filename):
        """Write a model to the file `filename` of the folder `path`.

        Raises:
            TypeError: a wrong type.
            RuntimeError: there is no such folder.
        """
        _checks.of_type(vocab, (SentencePieceVocab,), "vocab")
        _checks.of_type(path, (str,), "path")
        _checks.of_type(filename, (str,), "filename")
        try:
            with open(os.path.join(path, filename), "wb") as file:
                file.write(vocab.model)
        except OSError as error:
            raise RuntimeError(f"SentencePieceVocab: save model failed: {error}") from error


class SentencePieceTokenizer(TextTensorOperation):
    """Split text into the pieces of a model of SentencePiece.

    Args:
        mode (Union[str, SentencePieceVocab]): The model, or the file that has it.
        out_type (SPieceTokenizerOutType): STRING gives pieces, INT their numbers (int32).

    Raises:
        TypeError: a wrong type.
        RuntimeError: there is no such file, or the input isn't one string.
        ImportError: the package sentencepiece isn't installed.
    """

    def __init__(self, mode, out_type):
        _checks.of_type(mode, (str, SentencePieceVocab), "mode")
        _checks.of_type(out_type, (SPieceTokenizerOutType,), "out_type")
        self.mode, self.out_type = mode, out_type
        self._processor = None

    def __getstate__(self):
        return self.__dict__ | {"_processor": None}

    def processor(self):
        """The package's processor, made when it is first needed."""
        if self._processor is None:
            if isinstance(self.mode, str):
                try:
                    with open(self.mode, "rb") as file:
                        model = file.read()
                except OSError as error:
                    raise RuntimeError(f"SentencePieceTokenizer: load SentencePiece model failed: {self.mode}: {error}") from error
            else:
                model = self.mode.model
            try:
                self._processor = _package().SentencePieceProcessor(model_proto=model)
            except RuntimeError as error:
                raise RuntimeError(f"SentencePieceTokenizer: load SentencePiece model failed: {error}") from error
        return self._processor

    def apply(self, text):
        text = scalar("SentencePieceTokenizer", text)
        if self.out_type == SPieceTokenizerOutType.INT:
            return np.array(self.processor().encode(text, out_type=int), np.int32)
        return np.array(self.processor().encode(text, out_type=str) or [""], np.str_)
