"""Reading sentence pairs, and padding them into batches.

Data: `eng-fra.txt` of Tatoeba (https://tatoeba.org) as selected by https://www.manythings.org/anki,
CC BY 2.0 FR. Without that file the pairs are some 13,000 of our own grammar (`made/eng-fra.txt`), in the same form.
"""

import zipfile
import zlib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import torch

from utils.common import lessons
from utils.common.errors import DataError
from utils.common.messages import N_, Message, said
from utils.common.storage import data_folder
from utils.seq2seq.normalise import eng_prefixes, normalizeString, set_apart, unicodeToAscii
from utils.seq2seq.vocabulary import EOS_token, Lang, PAD_token, indexesFromSentence, tensorFromSentence

# The file of our own pairs, and the words in its third column where a pair is held out of training.
EMBEDDED, HELD_OUT = "eng-fra.txt", "held out"


def corpus_file() -> Path | None:
    """Return the path of the real `eng-fra.txt`, or of the .zip that holds it; None if this computer has neither."""
    for folder in (data_folder("tatoeba"), Path("data")):
        for name in ("eng-fra.txt", "eng-fra.zip", "fra.txt", "fra-eng.zip"):
            if (folder / name).is_file():
                return folder / name
    return None


def readLangs(
    lang1: str, lang2: str, reverse: bool = False, path: str | Path | None = None
) -> tuple[Lang, Lang, list[list[str]]]:
    """Return `(input_lang, output_lang, pairs)`: two empty vocabularies and the normalised pairs `[input, output]`.

    The file holds English first; `reverse=True` makes the second language the input: `readLangs("eng", "fra", True)`
    translates from French. `path`: a file of tab-separated lines (two columns, or more, of which the first two are
    read), a .zip that holds one, or "embedded" for the pairs of our own grammar. Without `path` the real file is read
    if it was downloaded, and the embedded pairs otherwise.

    Raises: DataError for a missing file, other languages, or a line without two columns (with its number).
    """
    if (lang1, lang2) != ("eng", "fra"):
        raise DataError(
            N_(
                "There are pairs for 'eng' and 'fra' in this order, not for {lang1!r} and {lang2!r}: call "
                "readLangs('eng', 'fra'), with reverse=True to translate from French."
            ),
            lang1=lang1,
            lang2=lang2,
        )
    file = corpus_file() if path is None else path
    if file is None or file == "embedded":
        text, name = embedded(), said(N_("the embedded corpus"))
    else:
        text, name = _read_text(Path(file)), str(file)
    pairs = _pairs_of(text, name)
    print(said(N_("Sentence pairs read from {name}: {count:,}"), count=len(pairs), name=name))
    if reverse:
        pairs = [pair[::-1] for pair in pairs]
        lang1, lang2 = lang2, lang1
    _latest[:] = [Lang(lang1), Lang(lang2)]
    return _latest[0], _latest[1], pairs


def embedded() -> str:
    """Return the text of the file of our own pairs."""
    return lessons.made("seq2seq", EMBEDDED).read_text(encoding="utf-8")


@cache
def _held_out() -> dict[tuple[str, str], bool]:
    """Return for each normalised (English, French) pair of our own whether it is held out of training."""
    rows = (line.split("\t") for line in embedded().splitlines())
    return {(normalizeString(row[0]), normalizeString(row[1])): row[2:] == [HELD_OUT] for row in rows}


def split_pairs(pairs: list[list[str]]) -> tuple[list[list[str]], list[list[str]]]:
    """Return `(training, held_out)`: no combination that is held out occurs in any training sentence.

    Our sentences know their combinations (subject and predicate, verb and object). A tenth of all combinations is held
    out in every sentence form; each of their words occurs in training in other combinations.

    `pairs`: normalised, in either order. Pairs of another origin (the real file) are split by a hash of their
    English side, one in twenty, so that no English sentence is on both sides. A pair with a held-out combination and
    a word that training never shows is in neither list.
    """
    ours = _held_out()
    # `pairs` may be (French, English): then the pair turned round is the one in `ours`.
    both_orders = [((left, right), (right, left)) for left, right in pairs]
    if all(pair in ours or turned in ours for pair, turned in both_orders):
        held = [ours[pair] if pair in ours else ours[turned] for pair, turned in both_orders]
    else:
        english = (pair[1] if pair[1].startswith(eng_prefixes) else pair[0] for pair in pairs)
        held = [zlib.crc32(sentence.encode()) % 20 == 0 for sentence in english]
    training = [pair for pair, is_held in zip(pairs, held, strict=True) if not is_held]
    known = [{word for pair in training for word in pair[side].split(" ")} for side in (0, 1)]
    held_out = [
        pair
        for pair, is_held in zip(pairs, held, strict=True)
        if is_held and all(word in known[side] for side in (0, 1) for word in pair[side].split(" "))
    ]
    return training, held_out


# The vocabularies that readLangs returned last, because `tensorsFromPair(pair)` in published code names none.
_latest: list[Lang] = []


def _read_text(path: Path) -> str:
    advice = Message(
        N_("run `{command}`, or leave `path` out to use the embedded corpus."),
        {"command": "python -m utils.download tatoeba"},
    )
    if not path.is_file():
        raise DataError(N_("There is no file {path} of sentence pairs: {advice}"), path=str(path), advice=advice)
    try:
        if path.suffix == ".zip":
            with zipfile.ZipFile(path) as archive:
                members = [name for name in archive.namelist() if Path(name).name in ("eng-fra.txt", "fra.txt")]
                if not members:
                    raise DataError(
                        N_("The archive {path} holds neither eng-fra.txt nor fra.txt: {advice}"),
                        path=str(path),
                        advice=advice,
                    )
                data = archive.read(members[0])
        else:
            data = path.read_bytes()
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise DataError(
            N_("Line {line} of {path} is not UTF-8 text: the file is damaged, or it is the wrong file; {advice}"),
            line=line,
            path=str(path),
            advice=advice,
        ) from None
    except (zipfile.BadZipFile, OSError, EOFError) as error:
        raise DataError(
            N_("The file {path} cannot be read ({error}): {advice}"), path=str(path), error=str(error), advice=advice
        ) from None


def _pairs_of(text: str, name: str) -> list[list[str]]:
    """Split and normalise all lines in a few passes over the whole text: ten times faster than line by line."""
    rows = []
    for number, line in enumerate(text.split("\n"), start=1):
        columns = line.split("\t")
        if len(columns) >= 2 and columns[0].strip() and columns[1].strip():
            rows.append(f"{columns[0].strip()}\t{columns[1].strip()}")
        elif line.strip():
            raise DataError(
                N_(
                    "Line {number} of {name} should hold an English and a French sentence with a tab between them, "
                    "but it reads {line!r}: correct or remove that line."
                ),
                number=number,
                name=name,
                line=line[:60],
            )
    if not rows:
        return []
    normalised = set_apart(unicodeToAscii("\n".join(rows).lower()))
    return [row.split("\t") for row in normalised.split("\n")]


def tensorsFromPair(
    *arguments: Lang | Sequence[str], device: torch.device | str | None = None
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return `(input (T, 1), target (S, 1))` of one pair.

    Called as `tensorsFromPair(pair)`, with the vocabularies that `readLangs` returned last, or with both of them
    before or after the pair: `tensorsFromPair(input_lang, output_lang, pair)`.
    """
    langs = [argument for argument in arguments if isinstance(argument, Lang)] or _latest
    pairs = [argument for argument in arguments if isinstance(argument, (list, tuple))]
    if len(langs) != 2 or len(pairs) != 1:
        raise DataError(N_("tensorsFromPair needs one pair of sentences, and two vocabularies: call readLangs first."))
    source, target = pairs[0]
    return tensorFromSentence(langs[0], source, device), tensorFromSentence(langs[1], target, device)


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
    """Return int64 (N, length): a row per sentence, its indices, EOS, then PAD_token; `length` None: as the longest."""
    rows = [[*indexesFromSentence(lang, sentence), EOS_token] for sentence in sentences]
    longest = max(map(len, rows), default=1)
    if length is not None and length < longest:
        raise DataError(
            N_("A row of length {length} is too short: the longest sentence takes {longest} with EOS."),
            length=length,
            longest=longest,
        )
    length = length or longest
    return torch.tensor([row + [PAD_token] * (length - len(row)) for row in rows]).reshape(len(rows), length)


def pad_pairs(pairs: list[list[str]], input_lang: Lang, output_lang: Lang) -> PaddedPairs:
    """Return `pairs` [input, output] as PaddedPairs, padded to the longest sentence of each side."""
    source = pad_sentences(input_lang, [pair[0] for pair in pairs])
    target = pad_sentences(output_lang, [pair[1] for pair in pairs])
    return PaddedPairs(source, source != PAD_token, target, target != PAD_token)
