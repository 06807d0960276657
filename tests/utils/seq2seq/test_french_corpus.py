"""The grammar's French and English against rules of a grammar book, and the split against its promise."""

import re
import subprocess
import sys
import zlib

import pytest

from autograder.common.paths import ROOT
from source.seq2seq.data import corpus, grammar, made
from utils.attention_utils import filterPairs, normalizeString, readLangs
from utils.seq2seq.pairs import EMBEDDED, embedded, split_pairs


@pytest.fixture(scope="module")
def sentences():
    return corpus.corpus()


@pytest.fixture(scope="module")
def pairs():
    return readLangs("eng", "fra", True, path="embedded")[2]


def test_some_ten_thousand_distinct_pairs_pass_the_filter(pairs):
    kept = filterPairs(pairs)
    assert 10_000 <= len(kept) <= 11_000
    assert len({tuple(pair) for pair in pairs}) == len(pairs) > 13_000
    assert len(filterPairs(pairs, max_length=36)) == len(pairs)


@pytest.mark.whole
def test_the_same_on_every_computer():
    """The order of sets and hashes changes from run to run; the corpus must not.

    Lessons quote numbers of trainings on it. Whoever changes it measures them again, and then notes its sum here.
    """
    code = "import zlib; from source.seq2seq.data import made; print(*(zlib.crc32(text) for text in made().values()))"
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=ROOT, env={"PYTHONHASHSEED": "1"}, capture_output=True, check=True)
    two_columns = "".join("\t".join(line.split("\t")[:2]) + "\n" for line in embedded().splitlines())
    assert zlib.crc32(two_columns.encode()) == 4253239134
    assert int(done.stdout) == zlib.crc32(embedded().encode()) and made()[EMBEDDED].decode() == embedded()


def test_from_french_the_english_is_determined(pairs):
    english = {}
    assert all(english.setdefault(source, target) == target for source, target in pairs)


def test_what_the_lesson_says_of_belle(pairs):
    """seq2seq, *Explore*: *belle* always stands before a noun, and *elle est belle .* is no sentence of the corpus."""
    followed = {after for source, _ in pairs for after in re.findall(r"\bbelle (\S+)", source)}
    assert len(followed) > 10 and not followed & {".", "?", "et", "ou", "parce", "de", "mais", "en"}
    assert all("est belle" not in source for source, _ in pairs)


@pytest.mark.parametrize(
    ("pattern", "why"),
    [
        (r"\b[Jj]e [aeiouhâéêô]", "je elides"),
        (r"\b([Nn]e|de|me|te|se|que) [aeiouhâéêôAEIÉ]", "ne, de, me, te, se, que elide"),
        (
            r"\b(le|la|ce|ma|(un|le|ce|mon|notre) (vieux|beau|nouveau)) (?!est |sont )[aeiouhâéêô]",
            "before a vowel another form stands",
        ),
        (r"\b(à|de) (le|les) [a-z]+\b(?! \w*er\b)", "articles contract"),
        (r"\bC'est \w+s\b (?!\w)", "c'est with a plural"),
        (r"\b(LE|LA|LES)\b|L'", "no marker is left"),
        (r"\bpas (un|une) ", "un becomes de under negation"),
        (r"  | \.|' ", "spacing"),
    ],
)
def test_no_sentence_breaks_the_rule(sentences, pattern, why):
    if "pas (un" in pattern:  # "c'est", and what is: "Ce n'est pas un ...", is the exception
        sentences = [s for s in sentences if "est pas un" not in s.french]
    if "à|de" in pattern:  # a pronoun before an infinitive does not contract: "de les aider"
        sentences = [s for s in sentences if not re.search(r"de (le|les) \w+(er|ir|re)\b", s.french)]
    broken = [s.french for s in sentences if re.search(pattern, s.french)]
    assert not broken, f"{why}: {broken[:3]}"


def test_every_negation_has_both_parts(sentences):
    for s in sentences:
        for part in re.split(r" (?:et|mais|parce qu(?:e |'))", s.french):
            has_ne = bool(re.search(r"\bne |\bn'", part, re.IGNORECASE))
            if has_ne:
                assert re.search(r"\b(pas|plus|jamais)\b", part), part
            else:
                assert not re.search(r"\b(pas|jamais)\b", part), part


@pytest.mark.parametrize(
    ("english", "french"),
    [
        ("They're looking for my red bag.", "Elles cherchent mon sac rouge."),
        ("They're good students.", "Ce sont de bonnes étudiantes."),
        ("I'm going to help them.", "Je vais les aider."),
        ("You aren't satisfied with the result.", "Tu n'es pas satisfait du résultat."),
        ("We are no longer taking a walk.", "Nous ne nous promenons plus."),
        ("He isn't our boss.", "Ce n'est pas notre patron."),
        ("He's looking for her.", "Il la cherche."),
        ("They're so discreet!", "Ils sont tellement discrets !"),
        ("He isn't going to the swimming pool.", "Il ne va pas à la piscine."),
    ],
)
def test_what_a_french_speaker_wrote_is_there(sentences, english, french):
    assert (english, french) in {(s.english, s.french) for s in sentences}


@pytest.mark.parametrize(
    ("masculine", "feminine", "forms"),
    [
        ("heureux", "heureuse", ["heureux", "heureuse", "heureux", "heureuses"]),
        ("beau", "belle", ["beau", "belle", "beaux", "belles"]),
        ("en retard", "en retard", ["en retard"] * 4),
        ("français", "française", ["français", "française", "français", "françaises"]),
        ("journal", "journal", ["journal", "journal", "journaux", "journaux"]),
    ],
)
def test_agreement(masculine, feminine, forms):
    got = [grammar.inflect(masculine, feminine, g, p) for p in (False, True) for g in "mf"]
    assert got == forms


@pytest.mark.parametrize(
    ("parts", "spelt"),
    [
        ("je ai faim", "J'ai faim"),
        ("elle est à LE hôpital", "Elle est à l'hôpital"),
        ("il revient de LE marché", "Il revient du marché"),
        ("nous venons de Italie", "Nous venons d'Italie"),
        ("je suis content de les aider", "Je suis content de les aider"),
        ("elle est plus grande que elle", "Elle est plus grande qu'elle"),
    ],
)
def test_spelling(parts, spelt):
    assert grammar.spell(parts) == spelt


def test_held_out_combinations_are_never_trained_on(sentences, pairs):
    training, held_out = split_pairs(pairs)
    assert 0.97 * len(pairs) < len(training) + len(held_out) <= len(pairs)
    assert len(held_out) > 1_500
    of_pair = {(normalizeString(s.french), normalizeString(s.english)): s for s in sentences}
    trained = {c for pair in training for c in of_pair[tuple(pair)].combinations}
    for pair in held_out:
        sentence = of_pair[tuple(pair)]
        new = [c for c in sentence.combinations if corpus.is_held_out(sentence._replace(combinations=(c,)))]
        assert new
        assert not trained.intersection(new)
    for side in (0, 1):
        known = {word for pair in training for word in pair[side].split(" ")}
        assert all(word in known for pair in held_out for word in pair[side].split(" "))


def test_other_pairs_are_split_by_their_english():
    others = [[f"phrase {i} .", f"i m number {i // 3} ."] for i in range(3000)]
    training, held_out = split_pairs([*others, *([o, "i m number"] for o in ("phrase", "."))])
    assert not {e for _, e in training} & {e for _, e in held_out}
