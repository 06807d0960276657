"""The texts that students read: all are found, all are translated, all can be rendered."""

import ast
import logging
import re
import shutil
import string
import subprocess
from types import SimpleNamespace

import nbformat
import polib
import pytest

from autograder.common.course import WORKBOOK, Course
from autograder.common.paths import ROOT
from autograder.course import catalogues
from autograder.course.faithful import complaints, lost_numbers, pieces, placeholders, typography, unfaithful
from autograder.course.shown import MAGIC
from autograder.lesson import translation
from autograder.lesson.release import Translate, release_notebook
from autograder.lesson.text import Lesson
from autograder.lesson.translation import entry_for, message, messages_path, prose, text_of, update_catalogue
from autograder.lesson.wrapping import markdown
from tests.helpers.languages import LANGUAGES, TRANSLATED
from utils.common import messages
from utils.common.messages import Message, in_context, own_name, translate, translations


@pytest.fixture(scope="module")
def texts() -> list[str]:
    return list(catalogues.places(WORKBOOK))


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
def test_every_text_is_translated(texts, language):
    assert [text for text in texts if not translations(language).get(text)] == []


def bare(text: str) -> str:
    """The letters and digits of a text."""
    return re.sub(r"\W", "", text)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_message_is_rendered_with_its_values(texts, language):
    assert len(texts) > 40
    for text in texts:
        numbers = {name: form for _, name, form, _ in string.Formatter().parse(text) if name and form}
        values = {name: 7919 if name in numbers else f"‹{name}›" for name in placeholders(text)}
        shown = Message(text, values).render(language)
        assert all(f"‹{name}›" in shown for name in values.keys() - numbers.keys()), text
        # Each language has its own signs between digits.
        assert all(bare(format(7919, form)) in bare(shown) for form in numbers.values()), text


def test_texts_that_intake_and_examiner_assemble_are_found(texts):
    for text in (
        "The cell {cell} was missing and was put back.",
        "The cell {cell} was there twice.",
        "not run, because your code had already been stopped",
        "your notebook was stopped: all its cells together ran too long",
    ):
        assert text in texts


@pytest.mark.parametrize("name", list(WORKBOOK.lessons))
@pytest.mark.parametrize("language", TRANSLATED)
def test_translated_prose_is_whole_and_keeps_formulas_code_and_links(language, name):
    paths = [catalogues.path_of(WORKBOOK, language, file) for file in (catalogues.SHARED, name)]
    found = [entry for path in paths for entry in polib.pofile(str(path)) if not entry.obsolete]
    translated = {entry.msgid: entry.msgstr for entry in found if entry.msgstr}
    for text in prose(Lesson.load(name, WORKBOOK)):
        assert text in translated, f"{language}: not translated: {text}"
        assert pieces(translated[text]) == pieces(text), text
        inside = [child for token in markdown().parse(translated[text]) for child in token.children or ()]
        assert not any(child.type == "text" and "*" in child.content for child in inside), (
            f"{language}: stray *: {text}"
        )


@pytest.mark.parametrize("name", list(WORKBOOK.lessons))
def test_no_cell_of_a_lesson_prints_english_past_the_catalogues(name):
    printed = [
        constant.value
        for cell in Lesson.load(name, WORKBOOK).of_role("given", "show")
        for call in ast.walk(ast.parse(MAGIC.sub("pass", cell.code)))
        if isinstance(call, ast.Call) and ast.unparse(call.func) == "print"
        for part in call.args
        for constant in [part, *(part.values if isinstance(part, ast.JoinedStr) else [])]
        if isinstance(constant, ast.Constant) and isinstance(constant.value, str)
    ]
    assert [text for text in printed if re.search("[A-Za-z]{2}", text)] == []


# ---- bringing a catalogue up to date ------------------------------------------------------------------------


def updated(path, texts: list[str]) -> polib.POFile:
    """A catalogue brought up to date with these texts, written, and read again."""
    update_catalogue(path, "fr", texts).save(str(path))
    return polib.pofile(str(path))


def entries(catalogue: polib.POFile) -> list[tuple[str, str, bool]]:
    return [(entry.msgid, entry.msgstr, bool(entry.obsolete)) for entry in catalogue]


def test_new_texts_are_added_empty_in_the_order_of_the_lesson(tmp_path):
    path = tmp_path / "x.po"
    catalogue = updated(path, ["one", "two"])
    assert entries(catalogue) == [("one", "", False), ("two", "", False)]
    assert (
        catalogue.metadata["Language"] == "fr" and catalogue.metadata["Plural-Forms"] == "nplurals=2; plural=(n > 1);"
    )
    catalogue[0].msgstr = "un"
    catalogue.save(str(path))
    assert entries(updated(path, ["two", "three", "one"])) == [
        ("two", "", False),
        ("three", "", False),
        ("one", "un", False),
    ]


def test_a_translation_whose_text_is_gone_is_kept_and_comes_back_with_it(tmp_path):
    path = tmp_path / "x.po"
    catalogue = updated(path, ["one", "two", "three"])
    catalogue[0].msgstr, catalogue[2].msgstr = "un", "trois"
    catalogue.save(str(path))
    gone = [("three", "trois", False), ("one", "un", True)]  # what had no translation is no loss
    assert entries(updated(path, ["three"])) == gone
    assert entries(updated(path, ["three"])) == gone
    back = updated(path, ["one", "three"])
    assert entries(back) == [("one", "un", False), ("three", "trois", False)]


@pytest.mark.whole
def test_bringing_all_up_to_date_loses_no_translation_and_counts_what_is_left_to_do(tmp_path, monkeypatch):
    """On a copy of the real catalogues, with one text gone and one that is new."""
    patterns = ("source/*/*.po", "source/*/lesson.py", "notebooks/*/messages.po")
    originals = {path.relative_to(ROOT): path for pattern in patterns for path in ROOT.glob(pattern)}
    for name, original in originals.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(original.read_bytes())
    copies = [name for name in originals if name.suffix == ".po"]
    for language in TRANSLATED:
        catalogue = polib.pofile(str(tmp_path / "source" / "attention" / f"{language}.po"))
        catalogue[0].flags.append("fuzzy")
        catalogue.save()
    places = catalogues.places(WORKBOOK)
    real = [text for text, files in places.items() if len({file.split("/")[1] for file in files}) > 1]
    new = places | {"quite new": ["utils/common/x.py"]}
    del new[real[0]]
    monkeypatch.setattr(catalogues, "places", lambda course: new)
    monkeypatch.setattr(translation, "NOTEBOOKS", tmp_path / "notebooks")
    monkeypatch.setattr(Course, "is_workbook", True)  # the copy stands for the workbook
    left = catalogues.update_all(Course(tmp_path), TRANSLATED)
    assert left == {str(name): (int(name.stem == "messages"), int("attention" in name.parts)) for name in copies}
    for name in copies:
        kept = {text_of(entry): (entry.msgstr, bool(entry.obsolete)) for entry in polib.pofile(str(tmp_path / name))}
        for entry in polib.pofile(str(originals[name])):
            gone = bool(entry.obsolete) or entry.msgid == real[0]
            assert kept[text_of(entry)] == (entry.msgstr, gone)
    catalogues.update_all(Course(tmp_path), TRANSLATED, drop_obsolete=True)
    assert not any(polib.pofile(str(tmp_path / name)).obsolete_entries() for name in copies)


# ---- what helps a translator -----------------------------------------------------------------------------------


def test_an_entry_says_where_its_text_stands_and_has_its_context_and_its_note(tmp_path):
    texts = ["join", in_context("heads", "join")]
    hints = translation.Hints({"join": ["utils/x.py", "utils/y.py"]}, {"join": "an arrow"})
    update_catalogue(tmp_path / "x.po", "fr", texts, hints).save(str(tmp_path / "x.po"))
    first, second = polib.pofile(str(tmp_path / "x.po"))
    assert (first.occurrences, first.comment, first.msgctxt) == (
        [("utils/x.py", ""), ("utils/y.py", "")],
        "an arrow",
        None,
    )
    assert (second.occurrences, second.comment, second.msgctxt, second.msgid) == ([], "", "heads", "join")
    assert list(map(text_of, (first, second))) == texts


def test_a_word_in_two_senses_is_translated_by_its_context_and_shown_without_it():
    in_heads, step = in_context("heads", "join"), in_context("guided look", "Next")
    assert translate("join", "zh") == "拼接" and translate(in_heads, "zh") == "合并"
    assert translate(step, "zh") == message(step, "zh") == "下一步"
    for language in ("en", "of-nobody"):
        assert translate(in_heads, language) == Message(in_heads).render(language) == "join"
        assert translate(step, language) == message(step, language) == "Next"


def test_each_message_has_its_places_and_each_note_belongs_to_a_message():
    places = catalogues.places(WORKBOOK)
    assert all(places.values())
    assert {place for found in places.values() for place in found if not (ROOT / place).exists()} == set()
    assert "utils/captioning/drawings.py" in places[in_context("heads", "join")]
    assert set(catalogues.notes()) <= set(places)


@pytest.mark.skipif(shutil.which("msgfmt") is None, reason="needs gettext's msgfmt")
@pytest.mark.parametrize("language", TRANSLATED)
def test_gettexts_own_tool_has_nothing_to_say(language):
    for name in (catalogues.SHARED, *WORKBOOK.own):
        path = catalogues.path_of(WORKBOOK, language, name)
        done = subprocess.run(["msgfmt", "-c", "-o", "/dev/null", str(path)], capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("text", "flagged"),
    [
        ("{name}: {points} of 3", True),
        ("no value", False),
        (r"$\\frac{a}{b}$", False),
        (r"$x_{model}$ and {name}", False),
    ],
)
def test_a_text_with_values_is_flagged_so_that_tools_hold_translations_to_them(text, flagged):
    assert entry_for(text).flags == ["python-brace-format"] * flagged


def test_templates_hold_every_text_and_no_translation():
    written = catalogues.templates(WORKBOOK)
    assert set(written) == {catalogues.SHARED, *WORKBOOK.own}
    texts = catalogues.by_catalogue(WORKBOOK, catalogues.places(WORKBOOK))
    assert sum(map(len, written.values())) == sum(map(len, texts.values()))
    assert not any(entry.msgstr for catalogue in written.values() for entry in catalogue)


# ---- a text that was changed ----------------------------------------------------------------------------------

OLD = "The query is compared with every key, and the softmax makes weights of the scores."
NEW = "Each query is compared with every key, and the softmax makes weights of the scores."


def test_a_changed_text_keeps_its_translation_as_fuzzy_until_somebody_has_looked(tmp_path):
    path = tmp_path / "x.po"
    catalogue = updated(path, [OLD, "Quite another sentence about nothing at all."])
    catalogue[0].msgstr = "La requête…"
    catalogue.save(str(path))
    for _ in range(2):  # it stays so
        changed = updated(path, [NEW, "Words that have nothing in common"])
        assert [(e.msgid, e.msgstr, e.flags, e.previous_msgid) for e in changed] == [
            (NEW, "La requête…", ["fuzzy"], OLD),
            ("Words that have nothing in common", "", [], None),
        ]
    assert list(complaints(changed, "fr", prose=[NEW])) == ["not translated: 'Words that have nothing in common'"]
    assert changed.translated_entries() == []  # so that messages are shown in English


def test_a_text_that_was_edited_in_style_alone_keeps_its_translation_and_what_was_stale_stays_so(tmp_path):
    path = tmp_path / "x.po"
    catalogue = updated(path, [OLD, "A sentence about masks that hide the future."])
    catalogue[0].msgstr, catalogue[1].msgstr, catalogue[1].flags = "La requête…", "Un masque…", ["fuzzy"]
    catalogue.save(str(path))
    changed = update_catalogue(path, "fr", [NEW, "A sentence about masks that hide the future."], same=True)
    assert [(entry.msgid, entry.msgstr, entry.flags) for entry in changed] == [
        (NEW, "La requête…", []),
        ("A sentence about masks that hide the future.", "Un masque…", ["fuzzy"]),
    ]


def test_a_changed_sentence_makes_one_paragraph_stale_and_no_whole_cell(tmp_path):
    """The cell with most words of all lessons: its last paragraph is edited."""
    cells = [
        cell.source
        for name in WORKBOOK.lessons
        for cell in Lesson.load(name, WORKBOOK).to_notebook().cells
        if cell.cell_type == "markdown" and "nbgrader" not in cell.metadata
    ]
    longest = max(cells, key=lambda source: len(source.split()))
    parts = translation.parts_of(longest)[::2]
    catalogue = updated(tmp_path / "x.po", parts)
    for entry in catalogue:
        entry.msgstr = "…"
    catalogue.save(str(tmp_path / "x.po"))
    changed = updated(tmp_path / "x.po", translation.parts_of(longest.replace(parts[-1][-9:], "another."))[::2])
    assert len(parts) > 3 and [entry.fuzzy for entry in changed] == [*[False] * (len(parts) - 1), True]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("# A\n\none\ntwo\n\n\nthree", ["# A", "one two", "three"]),
        ("first:\n\n- a\n- b\n  c\n\nlast", ["first:", "- a", "- b c", "last"]),
        ("1. a\n2. b", ["1. a", "2. b"]),
        ("```\na\n\n- b\n```\n\nlast", ["```\na\n\n- b\n```", "last"]),
        ("$$\na\n\n- b\n$$\n\n$$c$$\n\n- d", ["$$\na\n\n- b\n$$", "$$c$$", "- d"]),
        ("| a | b |\n| --- | --- |\n| - 1 | 2 |", ["| a | b |\n| --- | --- |\n| - 1 | 2 |"]),
    ],
)
def test_paragraphs_and_items_of_a_list_are_translated_each_by_itself(text, parts):
    assert translation.parts_of(text)[::2] == parts
    assert "".join(translation.parts_of(text)) == translation.unwrapped(text)


def test_what_lessons_have_in_common_is_translated_once():
    texts = catalogues.by_catalogue(WORKBOOK, catalogues.places(WORKBOOK))
    assert "## How a lesson works" in texts[catalogues.SHARED]
    everywhere = [text for catalogue in texts.values() for text in catalogue]
    assert len(everywhere) == len(set(everywhere))


def test_a_message_that_two_own_lessons_of_a_course_use_is_in_both_catalogues(monkeypatch):
    course = SimpleNamespace(own={"a": None, "b": None}, is_workbook=False)
    monkeypatch.setattr(catalogues.Lesson, "load", lambda name, course: name)
    monkeypatch.setattr(catalogues, "prose", lambda name: [f"only {name}", "both"])
    monkeypatch.setattr(catalogues, "places", lambda course: {"said": ["source/a/exam.py", "source/b/exam.py"]})
    texts = catalogues.by_catalogue(course, catalogues.places(course))
    assert {name: set(of) for name, of in texts.items()} == {name: {f"only {name}", "both", "said"} for name in "ab"}


def test_a_notebook_shows_a_stale_translation_with_a_note(tmp_path, monkeypatch):
    catalogue = polib.POFile()
    catalogue.append(polib.POEntry(msgid=NEW, msgstr="La requête…", flags=["fuzzy"], previous_msgid=OLD))
    catalogue.save(str(tmp_path / "x.po"))
    monkeypatch.setattr(translation, "catalogues", lambda language, lesson: [tmp_path / "x.po"])
    notebook = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_markdown_cell(NEW)], metadata={"workbook": {"lesson": "x"}}
    )
    (cell,) = translation.translate_notebook(notebook, "fr", Lesson.load("gpt", WORKBOOK)).cells
    shown, _, note = cell.source.partition("\n\n")
    assert shown == "La requête…" and note == f"> {translations('fr')[translation.STALE]}"


def test_a_release_says_how_many_of_its_cells_are_stale(monkeypatch, caplog):
    """As nbgrader makes it: two cells' English has changed since, in a catalogue that is not written."""
    lesson, real, lacking = Lesson.load("attention", WORKBOOK), polib.pofile, 2
    notebook = release_notebook(lesson)
    cells = [cell.source for cell in notebook.cells if cell.cell_type == "markdown" and "nbgrader" not in cell.metadata]
    shared = {entry.msgid for entry in real(str(messages_path("fr")))}
    own = [[part for part in translation.parts_of(cell)[::2] if part not in shared] for cell in cells]
    first, second, *others = [parts for parts in own if parts]
    step = Translate(language="fr", log=logging.getLogger("of this test"))
    assert step.preprocess(notebook, {}) and not caplog.messages

    def with_stale_ones(path: str) -> polib.POFile:
        catalogue = real(path)
        for entry in catalogue if path.endswith("attention/fr.po") else ():
            if entry.msgid in (first[0], second[0]):
                entry.flags = ["fuzzy"]
            elif entry.msgid in [parts[0] for parts in others[: lacking - 2]]:
                entry.msgstr = ""
        return catalogue

    monkeypatch.setattr(translation.polib, "pofile", with_stale_ones)
    translated, _ = step.preprocess(notebook, {})
    assert [said.partition(". To bring")[0] for said in caplog.messages] == [
        "Cells of attention in fr that are older than their English text, and say so: 2"
    ]
    assert translation.staleness(translated) == caplog.messages[0]
    lacking = 5
    said = translation.staleness(translation.translate_notebook(notebook, "fr", lesson))
    assert "that are older than their English text, and say so: 2; that are in English: 3. To bring" in said
    assert translation.staleness(release_notebook(lesson)) == ""


@pytest.mark.parametrize(
    ("original", "translated", "differ"),
    [
        ("With $a$ and `b`", "Avec `b` et $a$", []),
        ("With $a$", "Avec $b$", ["formulas"]),
        ("See `b`", "Voir b", ["inline code"]),
        ("[here](x.md)", "[ici](y.md)", ["links"]),
        ("# One\n\ntwo", "# Un\n\n## deux", ["blocks"]),
        (r"$\text{rows}$", r"$\text{lignes}$", []),
    ],
)
def test_what_a_translation_of_prose_must_keep(original, translated, differ):
    assert unfaithful(original, translated, is_prose=True) == differ


def test_what_a_translation_of_a_message_must_keep():
    assert unfaithful("{a} of {b}", "{b} : {a}", is_prose=False) == []
    assert unfaithful("{a} of {b}", "{a}", is_prose=False) == ["placeholders"]


@pytest.mark.parametrize(
    ("language", "text", "lacks"),
    [
        ("fr", "Le décalage\u00a0: `a : b`, $x : y$, [ici](https://x.fr)\u00a0; «\u00a0oui\u00a0» (?)", []),
        ("fr", "Le décalage : un", ["a no-break space before : ; ! ? »"]),
        ("fr", "Vraiment?", ["a no-break space before : ; ! ? »"]),
        ("fr", "« oui\u00a0»", ["a no-break space after «"]),
        ("fr", 'Un "oui"', ["« » for quotes"]),
        ("fr", "L’axe", ["' for an apostrophe, as everywhere here"]),
        ("fr", "50 000 pas", ["a no-break space in 50 000"]),
        ("zh", "形状（位置，`(N, T)`）：**看**，共 3 次。", []),
        ("zh", "看,想", ["，；：！？ beside Han"]),
        ("zh", "看(想)", ["（） beside Han"]),
        ("zh", "*看*的", ["** for emphasis, since slanted Han are hard to read"]),
        ("zh", "*met* 和 2 * 3", []),
        ("zh", "均值, 平均, 1.5, 17", []),  # words of a rubric's item
        ("de", "Ein “ja” : nein", []),
    ],
)
def test_a_language_has_its_own_signs(language, text, lacks):
    assert typography(text, language) == lacks


@pytest.mark.parametrize(
    ("language", "original", "translation", "lacks"),
    [
        ("fr", "## 10. After 1,000 steps: 0.5", "## 9. Après 1\u202f000 itérations\u00a0: 0,5", ["10"]),
        ("fr", "about 15 seconds, and 0 on average", "une quinzaine de secondes, nul en moyenne", []),
        ("fr", 'such as "2 min"', "tel que `2 min`", []),
        ("zh", "2.5 million of 10,000 words", "一万个词的 250 万", []),
        ("zh", "`x[2]` in $2^3$ and {name}: three", "3", []),
    ],
)
def test_numbers_that_a_translation_lacks_are_found(language, original, translation, lacks):
    assert lost_numbers(original, translation, language) == lacks


@pytest.mark.whole
def test_an_edited_text_puts_a_catalogue_behind(monkeypatch):
    assert catalogues.behind() == []
    real = catalogues.prose
    edited = ["A sentence that nobody knew.", *real(Lesson.load("attention", WORKBOOK))[1:]]
    monkeypatch.setattr(catalogues, "prose", lambda lesson: edited if lesson.name == "attention" else real(lesson))
    assert catalogues.behind() == [
        f"source/attention/{language}.po (texts that it lacks: 1)" for language in translation.TRANSLATED
    ]


def test_every_catalogue_is_complete_and_its_state_is_said():
    for state in catalogues.states():
        assert state.wrong == [] and (state.stale == 0 or state.path.stem not in TRANSLATED), str(state)
    assert str(catalogues.CatalogueState(ROOT / "x.po", ["a", "b"], 1, 0)) == "x.po: 2 to mend, 1 stale"
    assert str(catalogues.CatalogueState(ROOT / "x.po", [], 0, 0)) == "x.po: complete"
    assert str(catalogues.CatalogueState(ROOT / "x.po", [], 0, 0, 7)) == "x.po: 7 in English until translated"


def test_a_language_that_has_begun_says_so_and_may_lack_texts_but_not_be_wrong(tmp_path, monkeypatch):
    monkeypatch.setattr(translation, "NOTEBOOKS", tmp_path)
    monkeypatch.setattr(catalogues, "TRANSLATED", ("pt",))
    monkeypatch.setattr(catalogues, "ROOT", tmp_path)
    monkeypatch.setattr(catalogues, "WORKBOOK", Course(tmp_path / "without lessons"))
    path = messages_path("pt")
    path.parent.mkdir()
    path.touch()  # as docs/translator.md says
    texts = ["a loss", "{n} of {of}", "a row", "a column"]
    for _ in range(2):  # the mark stays
        catalogue = update_catalogue(path, "pt", texts)
        catalogue.save(str(path))
        assert translation.begun("pt")
    catalogue[0].msgstr, catalogue[1].msgstr = "uma perda", "{n}"
    catalogue.save(str(path))
    (state,) = catalogues.states()
    assert state.lacking == 2 and state.wrong == ["placeholders differ from the original: '{n} of {of}'"]
    path.write_text(path.read_text().replace('"X-State: begun\\n"\n', ""))
    (state,) = catalogues.states()
    assert not translation.begun("pt") and state.lacking == 0 and len(state.wrong) == 3
    # The catalogue of a new lesson does not mark a complete translation as begun.
    assert "X-State" not in update_catalogue(tmp_path / "pt.po", "pt", texts).metadata


def test_a_language_without_a_name_for_itself_is_shown_by_its_code(monkeypatch):
    assert own_name("fr") == "français" and own_name("en") == "English"
    monkeypatch.setattr(messages, "translate", lambda text, language: messages.without_context(text))
    assert own_name("fr") == "fr" and own_name("en") == "English"


# ---- plurals -------------------------------------------------------------------------------------------------------

# A number before a word that ends as a plural does; in French, too, where 0 is singular.
COUNTED = re.compile(r"\{(\w+)(?::[^}]*)?\}[ \u00a0\u202f](?:[^\W\d_]+ )?([^\W\d_]{2,}s)\b")
# Never one or none, by what they count; or no plurals at all.
SEVERAL = {
    "train", "training", "window", "layers", "limit", "size",  # sequences, sentences, steps, layers, bytes: by far
    "max_train", "type", "folder", "place", "cell", "name", "path", "french",  # names, before a verb's or a word's -s
    "p", "i", "names",  # a position that looks or sees; networks whose training was stopped
    "lesson", "file", "student", "listed",  # likewise
    "good", "times",  # French "fois", which has no plural; a test's runs, many
}  # fmt: skip
COUNTED_ABOVE_ONE = {
    "The types of {count} cells had been changed and were restored.",  # these of `intake/notes.py` tell of several
    "The code of {count} cells was below their checks; it was taken from there.",
    "{count} answers were there more than once and were joined.",
    "{count} answers were found in other cells.",
    "{count} cells of the lesson had been changed and were restored.",
    "{count} cells of the lesson were missing and were put back.",
    "{count} cells were cut in two and were joined.",
    "{count} answers were empty; a person will read the other text in the notebook.",
    "{count} answers were missing; they count as empty.",
    "{count} cells were there twice; each counts once.",
    # of a lesson
    "{mean} of {most} points on average in the questions examined for the whole class: {number} of {all}.",
    "{mean} of {most} points on average; half of the class has {median} or more.",
    "{lost} points were lost here; {named} of them with a named mistake.",
    "{students}: {share} of the shorter one's own code ({runs} runs)",  # at least `similarity.LEAST`
    "{reason} (in all {count} tests)",  # `panel.rows`: said where several tests fail alike
    "your code should return {expected} things, as a tuple; it returned {got}",  # `Probe.several`: two or three
    "The cell {cell} was there {count} times and was joined.",
    "most of the {total} values are wrong",
    "some of the {total} values are wrong",  # of more than one value
    "none of the {total} values is right",
    "position {number} looks",  # a verb
    "place {number} looks",  # likewise
    "One number: for “{word}”, head {head} of layer {layer} looks at “{name}” with {weight}",  # likewise
    "the mean of {count} heads: {weight}; choose a head to see where its number comes from",  # never of one head
    "divided by the sum over all {count} words, {all}: the probability is {share}",  # of a vocabulary
    "Convolutions have no matrix: each point always sees its {reach} neighbours on either side.",  # eight
    "{key:18} {count} words, such as {some}",  # of a vocabulary
    "beam_width={beam_width} must be between 1 and the {most} words known.",
    "The word {missing} is not among the {count} words of {name!r}: use words of the training pairs, written in lower "
    "case without accents (normalizeString does that).",
    "sees {points} points, the partner is outside",  # a receptive field of 4 layers
    "{points} points",  # one has a text of its own
    "Check ({points} points)",  # no question has one
    "You answer this ({points} points)",
    "{loss} nats a letter",  # with its decimals
    "{before} → {after} nats",  # likewise
    "{share} right, on twelve new days",  # a percentage
    "Attempt {number}: the tests give {points} of {max_points} points. Attempt {best} counts, because it is newer.",
    "Attempt {number}: the tests give {points} of {max_points} points. Attempt {best} counts, because it gave more.",
    "keeps {count} numbers so far",  # two for each component of a key
    "keeps {count} numbers, always",  # the square of a key's components
    "component {c}: the query's {q} times the key's {k} is {product}",  # a word, as in the next three
    "later pairs have corrected the table: {share} of this value comes back",
    "with this mistake or strength, {share} of this value comes back",
    "they differ by {difference:.1e} at most",
    # limits, far above one
    "The folder's name is longer than {number} bytes; rename it.",
    "it contains more than {number} files",
    "it contains more than {number} files and folders",
    "it contains more than {number} files, and the rest was not read",
    "it unpacks to more than {number} times its size",
    # several, where the sentence is said
    "Something outside ended {number} sandboxes in a row; is this computer short of memory?",
    "… and {number} more lines",
    "… and {number} more that are new: `{command}` lists everybody.",
    "… of {number} marks that changed; --all lists them, `workbook history STUDENT` says why.",
    "Notebook: {state}; {number} questions, {points:g} points, language {language}.",
    "{number} students",  # one has a text of its own
    "Nobody opened the link within {number} minutes; type this again.",
    "Now open the link on the platform, as a teacher, in this computer's browser ({number} minutes).",
    # a number's word is a verb, or a French preposition
    "Port {port} of this computer cannot be used ({reason}).",
    "attempt {number} counts, {total:g} points",
    "attempt {number} has the time {said}, but was not in the exchange at {looked} (UTC): it was backdated, or "
    "completed later",
    "Students: {number} in {file}.",
    "Students: {number} in {file}, {excused} of them excused.",
    "There are no submissions of {lesson} in {folder}; nbgrader keeps them as "
    "submitted/STUDENT/{lesson}/{lesson}.ipynb (see `workbook collect`).",
    "Which worksheet counts? {first} and {second} differ on the student with Moodle's number {number}; leave one of "
    "them there, and collect again.",
    # a list of numbers
    "Tables of numbers as coloured squares, after {pairs} pairs. After one pair every row has the same "
    "pattern, stronger or weaker or with the colours exchanged; after many pairs no pattern can be seen.",
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_sets_a_plural_beside_a_number_that_may_be_one(language, texts):
    counted = {text for text in texts for found in [COUNTED.search(Message(text).render(language))] if found}
    names = {text: COUNTED.search(Message(text).render(language))[1] for text in counted}
    allowed = {text for text, name in names.items() if name in SEVERAL or text in COUNTED_ABOVE_ONE}
    assert counted == allowed


def test_a_catalogue_is_written_whole(tmp_path, monkeypatch):
    """Two builds at once once read each other's half-written catalogues, and wrote them without translations."""
    written = []
    monkeypatch.setattr(catalogues, "write_whole", lambda path, content: written.append((path, content)))
    catalogue = polib.POFile()
    catalogue.append(polib.POEntry(msgid="word", msgstr="mot"))
    catalogues._save(catalogue, tmp_path / "fr.po", drop_obsolete=False)
    assert [path for path, _ in written] == [tmp_path / "fr.po"] and not list(tmp_path.iterdir())
    assert polib.pofile(written[0][1]).find("word").msgstr == "mot"
