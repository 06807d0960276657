"""Words, pairs and padded batches, against the field's figures, a line-by-line normalisation and worked examples."""

import os
import re
import unicodedata
import zipfile
from pathlib import Path

import pytest
import torch

from autograder.common.paths import ROOT
from utils import attention_utils as au
from utils.common.errors import DataError

REAL = Path(os.environ.get("ATTENTION_WORKBOOK_REAL_DATA", ROOT.parent / "shared" / "data"))
REAL_ZIP = REAL / "tatoeba" / "eng-fra.zip"


def slow_normalise(text):
    """The field's rule, step by step."""
    text = "".join(c for c in unicodedata.normalize("NFD", text.lower().strip()) if unicodedata.category(c) != "Mn")
    text = re.sub(r"([.!?])", r" \1", text)
    return re.sub(r"[^a-zA-Z.!?]+", r" ", text)


@pytest.fixture
def write(tmp_path):
    def write(text, name="eng-fra.txt", encoding="utf-8"):
        path = tmp_path / name
        path.write_bytes(text.encode(encoding))
        return path

    return write


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I'm tired.", "i m tired ."),
        (" Ça alors ! ", "ca alors !"),
        ("Je n'ai pas faim.", "je n ai pas faim ."),
        ("Où ça ?\u202f", "ou ca ?"),
        ("J’ai 20 ans…", "j ai ans "),
        ("sœur", "s ur"),
        ("Quoi?!", "quoi ? !"),
    ],
)
def test_normalise(text, expected):
    assert au.normalizeString(text) == expected == slow_normalise(text)


def test_lang_counts_words_from_two():
    lang = au.Lang("fra")
    assert (lang.n_words, lang.index2word) == (2, {0: "SOS", 1: "EOS"})
    lang.addSentence("je dors .")
    lang.addSentence("je ris .")
    assert lang.word2index == {"je": 2, "dors": 3, ".": 4, "ris": 5}
    assert lang.word2count == {"je": 2, "dors": 1, ".": 2, "ris": 1}
    assert lang.n_words == 6
    assert lang.index2word[5] == "ris"


def test_pad_is_no_other_token():
    assert len({au.PAD_token, au.SOS_token, au.EOS_token}) == 3
    with pytest.raises(IndexError):
        torch.nn.Embedding(7, 3)(torch.tensor([au.PAD_token]))


@pytest.mark.parametrize("columns", ["{e}\t{f}", "{e}\t{f}\tCC-BY 2.0 (France) Attribution: tatoeba.org #1 & #2"])
@pytest.mark.parametrize("ends", ["\n", "\r\n"])
@pytest.mark.parametrize("bom", ["", "\ufeff"])
def test_read_every_form_of_the_file(write, columns, ends, bom):
    pairs = [("I'm tired.", "Je suis fatigué."), ("He's late!", "Il est en retard\u00a0!")]
    text = bom + ends.join(columns.format(e=e, f=f) for e, f in pairs) + ends + ends
    input_lang, output_lang, read = au.readLangs("eng", "fra", True, path=write(text))
    assert read == [["je suis fatigue .", "i m tired ."], ["il est en retard !", "he s late !"]]
    assert (input_lang.name, output_lang.name) == ("fra", "eng")
    assert au.readLangs("eng", "fra", path=write(text))[2] == [pair[::-1] for pair in read]


def test_read_zip(tmp_path):
    path = tmp_path / "fra-eng.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("_about.txt", "about")
        archive.writestr("fra.txt", "Go.\tVa !\tsomeone\n")
    assert au.readLangs("eng", "fra", path=path)[2] == [["go .", "va !"]]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("Go.\tVa !\n\nHello\n", r"Line 3 .* 'Hello'"),
        ("Go.\tVa !\n\tVa !\n", r"Line 2 "),
        ("Go.\t \n", r"Line 1 "),
    ],
)
def test_malformed_line_has_its_number(write, text, sentence):
    with pytest.raises(DataError, match=sentence):
        au.readLangs("eng", "fra", path=write(text))


def test_wrong_encoding_has_its_line(write):
    with pytest.raises(DataError, match=r"Line 2 .* not UTF-8"):
        au.readLangs("eng", "fra", path=write("Go.\tVa !\nI'm tired.\tJe suis fatigué.\n", encoding="latin-1"))


def test_missing_file_names_the_command(tmp_path):
    with pytest.raises(DataError, match=r"python -m utils\.download tatoeba"):
        au.readLangs("eng", "fra", path=tmp_path / "nothing.txt")
    (tmp_path / "broken.zip").write_bytes(b"PK no zip")
    with pytest.raises(DataError, match="cannot be read"):
        au.readLangs("eng", "fra", path=tmp_path / "broken.zip")
    with pytest.raises(DataError, match="'eng' and 'fra'"):
        au.readLangs("eng", "deu")


def test_downloaded_file_is_found(tmp_path, monkeypatch):
    monkeypatch.setenv("ATTENTION_WORKBOOK_DATA", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    assert au.corpus_file() is None
    (tmp_path / "tatoeba" / "eng-fra.txt").write_text("Go.\tVa !\n", encoding="utf-8")
    assert au.readLangs("eng", "fra")[2] == [["go .", "va !"]]


def test_filter_counts_punctuation_and_wants_the_prefixes():
    kept = ["i m one two three four five six .", "x"]  # 9 words
    assert au.filterPairs([kept, ["i m one two three four five six seven .", "x"], ["he was late .", "x"]]) == [kept]
    assert au.filterPairs([kept[::-1]]) == [kept[::-1]]
    assert au.filterPairs([kept], max_length=9) == []


@pytest.fixture
def langs():
    french, english = au.Lang("fra"), au.Lang("eng")
    french.addSentence("je dors .")
    english.addSentence("i m asleep .")
    return french, english


def test_tensors(langs):
    french, english = langs
    assert au.tensorFromSentence(french, "je dors .").tolist() == [[2], [3], [4], [1]]
    pair = ["je dors .", "i m asleep ."]
    for arguments in ((pair, french, english), (french, english, pair)):
        source, target = au.tensorsFromPair(*arguments)
        assert source.tolist() == [[2], [3], [4], [1]]
        assert target.tolist() == [[2], [3], [4], [5], [1]]
    with pytest.raises(DataError, match="'chat' is not among"):
        au.tensorFromSentence(french, "chat")


def test_padded_pairs(langs):
    french, english = langs
    pairs = [["je dors .", "i m asleep ."], ["je", "i m"]]
    data = au.pad_pairs(pairs, french, english)
    assert data.source.tolist() == [[2, 3, 4, 1], [2, 1, -1, -1]]
    assert data.source_mask.tolist() == [[True] * 4, [True, True, False, False]]
    assert data.target.tolist() == [[2, 3, 4, 5, 1], [2, 3, 1, -1, -1]]
    assert data.target_mask.sum(dim=1).tolist() == [5, 3]
    assert au.pad_sentences(french, ["je"], length=5).tolist() == [[2, 1, -1, -1, -1]]
    with pytest.raises(DataError, match="too short"):
        au.pad_sentences(french, ["je dors ."], length=3)
    assert au.sentenceFromIndexes(french, [2, 3, 1, 4]) == "je dors"
    assert au.sentenceFromIndexes(french, torch.tensor([2, -1])) == "je"


@pytest.fixture(scope="module")
def real_pairs():
    if not REAL_ZIP.is_file():
        pytest.skip(f"the real sentence pairs are not at {REAL_ZIP}")
    return au.readLangs("eng", "fra", True, path=REAL_ZIP)


def test_real_file_gives_the_known_counts(real_pairs):
    input_lang, output_lang, pairs = real_pairs
    kept = au.filterPairs(pairs)
    assert (len(pairs), len(kept)) == (135_842, 10_599)
    for source, target in kept[:100]:
        input_lang.addSentence(source)
        output_lang.addSentence(target)
    assert (input_lang.n_words, output_lang.n_words) == (92, 62)
    for source, target in kept[100:]:
        input_lang.addSentence(source)
        output_lang.addSentence(target)
    assert (input_lang.n_words, output_lang.n_words) == (4345, 2803)


def test_real_file_is_normalised_as_line_by_line(real_pairs):
    with zipfile.ZipFile(REAL_ZIP) as archive:
        lines = archive.read("eng-fra.txt").decode().strip().split("\n")
    for line, pair in list(zip(lines, real_pairs[2], strict=True))[::997]:
        assert [slow_normalise(side) for side in line.split("\t")[::-1]] == pair
