"""English-French sentence pairs as words, indices and padded batches.

Why: a translator needs the same few tools whatever attention it uses: a normalised text, a vocabulary
with a start and an end, and rows of equal length that know which places are real. The capitalised names
(`Lang`, `readLangs`, `filterPairs`, ...) are the ones that the widely read PyTorch lesson "NLP From Scratch:
Translation with a Sequence to Sequence Network and Attention" made common, so that code in its style runs here.

Data: `eng-fra.txt` of Tatoeba (https://tatoeba.org) as selected by https://www.manythings.org/anki,
CC BY 2.0 FR. Without that file the pairs come from our own grammar, `utils.french_corpus`.
"""

import random
import re
import unicodedata
import zipfile
from pathlib import Path
from typing import NamedTuple

import torch

from utils.errors import DataError
from utils.storage import data_folder

__all__ = [
    "MAX_LENGTH",
    "EOS_token",
    "Lang",
    "PAD_token",
    "PaddedPairs",
    "SOS_token",
    "corpus_file",
    "eng_prefixes",
    "filterPair",
    "filterPairs",
    "indexesFromSentence",
    "normalizeString",
    "pad_pairs",
    "pad_sentences",
    "random",
    "readLangs",
    "sentenceFromIndexes",
    "tensorFromSentence",
    "tensorsFromPair",
    "unicodeToAscii",
]  # fmt: skip

SOS_token = 0  # fed to the decoder before the first word
EOS_token = 1  # ends every sentence
PAD_token = -1  # fills a row after its end: no index of any vocabulary, so it can be mistaken for no word
MAX_LENGTH = 10  # words; a kept sentence has fewer, punctuation counted, so that EOS fits too

# The subset with which the field trains in minutes: simple statements about someone.
eng_prefixes = (
    "i am ", "i m ", "he is", "he s ", "she is", "she s ",
    "you are", "you re ", "we are", "we re ", "they are", "they re ",
)  # fmt: skip

_NOT_A_LETTER = re.compile(r"[^a-zA-Z.!?\n\t]+")


class Lang:
    """The vocabulary of one language: words get the indices 2, 3, ... in the order in which they are met.

    `word2index` {word: index}, `index2word` {index: word}, `word2count` {word: occurrences} and `n_words`,
    which counts SOS and EOS too and is the size of an embedding table. PAD is no word and has no row.
    """

    def __init__(self, name: str):
        self.name = name
        self.word2index: dict[str, int] = {}
        self.word2count: dict[str, int] = {}
        self.index2word = {SOS_token: "SOS", EOS_token: "EOS"}
        self.n_words = 2

    def addSentence(self, sentence: str) -> None:
        """Add every word of a normalised sentence, split at single spaces."""
        for word in sentence.split(" "):
            self.addWord(word)

    def addWord(self, word: str) -> None:
        """Count one occurrence of `word`; a new word gets the next index."""
        if word not in self.word2index:
            self.word2index[word] = self.n_words
            self.index2word[self.n_words] = word
            self.n_words += 1
        self.word2count[word] = self.word2count.get(word, 0) + 1


def unicodeToAscii(text: str) -> str:
    """Drop accents: decompose letters (Unicode NFD) and leave out the combining marks. "œ" has no decomposition."""
    decomposed = unicodedata.normalize("NFD", text)
    if decomposed.isascii():
        return decomposed
    marks = {ord(c): None for c in set(decomposed) if unicodedata.category(c) == "Mn"}
    return decomposed.translate(marks)


def normalizeString(text: str) -> str:
    """Lower, strip, drop accents, set `.!?` apart by a space, turn every other run of non-letters into one space."""
    return _set_apart(unicodeToAscii(text.lower().strip()))


def _set_apart(text: str) -> str:
    text = text.replace(".", " .").replace("!", " !").replace("?", " ?")
    return _NOT_A_LETTER.sub(" ", text)


def corpus_file() -> Path | None:
    """Where the real `eng-fra.txt` (or the .zip that holds it) lies on this computer; None when it does not."""
    for folder in (data_folder("tatoeba"), Path("data")):
        for name in ("eng-fra.txt", "eng-fra.zip", "fra.txt", "fra-eng.zip"):
            if (folder / name).is_file():
                return folder / name
    return None


def readLangs(lang1: str, lang2: str, reverse: bool = False, path=None) -> tuple[Lang, Lang, list[list[str]]]:
    """Return `(input_lang, output_lang, pairs)`: two empty vocabularies and the normalised pairs `[input, output]`.

    The file holds English first; `reverse=True` makes the second language the input: `readLangs("eng", "fra", True)`
    translates from French. `path`: a file of tab-separated lines (two columns, or more, of which the first two are
    read), a .zip that holds one, or "embedded" for the pairs of our own grammar. Without `path` the real file is read
    if it was downloaded, and the embedded pairs otherwise.

    Raises: DataError for a missing file, other languages, or a line without two columns (with its number).
    """
    if (lang1, lang2) != ("eng", "fra"):
        raise DataError(
            f"There are pairs for 'eng' and 'fra' in this order, not for {lang1!r} and {lang2!r}: "
            "call readLangs('eng', 'fra'), with reverse=True to translate from French."
        )
    found = corpus_file() if path is None else path
    if found is None or found == "embedded":
        from utils.french_corpus import corpus_text  # here, because a real file makes the grammar needless

        text, name = corpus_text(), "the embedded corpus"
    else:
        text, name = _read_text(Path(found)), str(found)
    pairs = _pairs_of(text, name)
    print(f"Read {len(pairs):,} sentence pairs from {name}")
    if reverse:
        pairs = [pair[::-1] for pair in pairs]
        lang1, lang2 = lang2, lang1
    _latest[:] = [Lang(lang1), Lang(lang2)]
    return _latest[0], _latest[1], pairs


# The vocabularies that readLangs returned last: the classic `tensorsFromPair(pair)` names none.
_latest: list[Lang] = []


def _read_text(path: Path) -> str:
    advice = "run `python -m utils.download tatoeba`, or leave `path` out to use the embedded corpus."
    if not path.is_file():
        raise DataError(f"There is no file {path} of sentence pairs: {advice}")
    try:
        if path.suffix == ".zip":
            with zipfile.ZipFile(path) as archive:
                members = [name for name in archive.namelist() if Path(name).name in ("eng-fra.txt", "fra.txt")]
                if not members:
                    raise DataError(f"The archive {path} holds neither eng-fra.txt nor fra.txt: {advice}")
                data = archive.read(members[0])
        else:
            data = path.read_bytes()
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise DataError(
            f"Line {line} of {path} is not UTF-8 text: the file is damaged or another one; {advice}"
        ) from None
    except (zipfile.BadZipFile, OSError, EOFError) as error:
        raise DataError(f"The file {path} cannot be read ({error}): {advice}") from None


def _pairs_of(text: str, name: str) -> list[list[str]]:
    """Split and normalise all lines in a few passes over the whole text: ten times faster than line by line."""
    rows = []
    for number, line in enumerate(text.split("\n"), start=1):
        columns = line.split("\t")
        if len(columns) >= 2 and columns[0].strip() and columns[1].strip():
            rows.append(f"{columns[0].strip()}\t{columns[1].strip()}")
        elif line.strip():
            raise DataError(
                f"Line {number} of {name} should hold an English and a French sentence with a tab between them, "
                f"but it reads {line[:60]!r}: correct or remove that line."
            )
    if not rows:
        return []
    normalised = _set_apart(unicodeToAscii("\n".join(rows).lower()))
    return [row.split("\t") for row in normalised.split("\n")]


def filterPair(pair: list[str], max_length: int = MAX_LENGTH) -> bool:
    """Keep a pair whose sides both have fewer than `max_length` words and whose English begins with `eng_prefixes`."""
    return (
        (pair[1].startswith(eng_prefixes) or pair[0].startswith(eng_prefixes))
        and len(pair[0].split(" ")) < max_length
        and len(pair[1].split(" ")) < max_length
    )


def filterPairs(pairs: list[list[str]], max_length: int = MAX_LENGTH) -> list[list[str]]:
    """Return the pairs that `filterPair` keeps, in their order."""
    return [pair for pair in pairs if filterPair(pair, max_length)]


def indexesFromSentence(lang: Lang, sentence: str) -> list[int]:
    """Return the words' indices, without EOS. Raises: DataError for a word that `lang` has not met."""
    try:
        return [lang.word2index[word] for word in sentence.split(" ")]
    except KeyError as missing:
        raise DataError(
            f"The word {missing} is not among the {lang.n_words} words of {lang.name!r}: use words of the training "
            "pairs, written in lower case without accents (normalizeString does that)."
        ) from None


def tensorFromSentence(lang: Lang, sentence: str, device=None) -> torch.Tensor:
    """Return the indices and EOS as a column: int64 (T, 1), T one more than the number of words."""
    return torch.tensor([*indexesFromSentence(lang, sentence), EOS_token], device=device).view(-1, 1)


def tensorsFromPair(*arguments, device=None) -> tuple[torch.Tensor, torch.Tensor]:
    """Return `(input (T, 1), target (S, 1))` of one pair.

    Called as `tensorsFromPair(pair)`, with the vocabularies that `readLangs` returned last, or with both of them
    before or after the pair: `tensorsFromPair(input_lang, output_lang, pair)`.
    """
    langs = [argument for argument in arguments if isinstance(argument, Lang)] or _latest
    pairs = [argument for argument in arguments if isinstance(argument, (list, tuple))]
    if len(langs) != 2 or len(pairs) != 1:
        raise DataError("tensorsFromPair needs one pair of sentences, and two vocabularies: call readLangs first.")
    source, target = pairs[0]
    return tensorFromSentence(langs[0], source, device), tensorFromSentence(langs[1], target, device)


def sentenceFromIndexes(lang: Lang, indexes) -> str:
    """Return the words up to the first EOS, joined by spaces; `indexes` may be a list or a tensor (S,)."""
    words = []
    for index in torch.as_tensor(indexes).flatten().tolist():
        if index == EOS_token:
            break
        if index != PAD_token:
            words.append(lang.index2word[index])
    return " ".join(words)


class PaddedPairs(NamedTuple):
    """Sentence pairs as rows of equal length.

    source (N, T) and target (N, S): int64, the words, EOS, then PAD_token to the end of the row.
    source_mask (N, T) and target_mask (N, S): bool, True where there is a word or EOS, False at PAD.
    """

    source: torch.Tensor
    source_mask: torch.Tensor
    target: torch.Tensor
    target_mask: torch.Tensor


def pad_sentences(lang: Lang, sentences: list[str], length: int | None = None) -> torch.Tensor:
    """Return int64 (N, length): each row a sentence's indices, EOS, then PAD_token; by default as the longest."""
    rows = [[*indexesFromSentence(lang, sentence), EOS_token] for sentence in sentences]
    longest = max(map(len, rows), default=1)
    if length is not None and length < longest:
        raise DataError(f"A row of {length} places is too short: the longest sentence takes {longest} with EOS.")
    length = length or longest
    return torch.tensor([row + [PAD_token] * (length - len(row)) for row in rows]).reshape(len(rows), length)


def pad_pairs(pairs: list[list[str]], input_lang: Lang, output_lang: Lang) -> PaddedPairs:
    """Return `pairs` [input, output] as PaddedPairs, padded to the longest sentence of each side."""
    source = pad_sentences(input_lang, [pair[0] for pair in pairs])
    target = pad_sentences(output_lang, [pair[1] for pair in pairs])
    return PaddedPairs(source, source != PAD_token, target, target != PAD_token)
