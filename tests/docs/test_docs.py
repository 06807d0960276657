"""README and docs, held against what is there: commands, files, links, and the sentences that the software prints."""

import ast
import re
import shlex
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import click
import pytest
from nbgrader.apps.nbgraderapp import NbGraderApp
from PIL import Image

from autograder.__main__ import main
from autograder.common.paths import ROOT
from utils.common.messages import translations
from utils.version import __version__

TEACHING = sorted((ROOT / "source").glob("*/teaching.md"))
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md")), *TEACHING]
# Pages that the workbook gives away have commands, too; their links and `{places}` are filled when they are written.
GIVEN = sorted((ROOT / "autograder" / "course").glob("*/*.md"))
TEMPLATES = ROOT / "autograder" / "course" / "templates"
STARTS = ("python -m autograder", "workbook", "nbgrader", "make")
FENCED = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SPAN = re.compile(r"(?<!`)`([^`]+)`(?!`)")


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))


def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def without_blocks(text: str) -> str:
    return FENCED.sub("", text)


def spans(text: str) -> list[str]:
    """The code inside lines, on one line each."""
    return [" ".join(found.split()) for found in SPAN.findall(without_blocks(text))]


def commands() -> Iterator[tuple[str, str]]:
    """Every command that a page shows, with the page's name."""
    for page in [*PAGES, *GIVEN]:
        text = text_of(page)
        lines = [line for kind, block in FENCED.findall(text) if kind in ("", "sh") for line in block.splitlines()]
        for line in [*lines, *spans(text)]:
            typed = re.sub(r"^(?:[A-Z_]+=\S+ )+", "", line.partition("  #")[0].strip())
            if any(typed.startswith(f"{start} ") for start in STARTS):
                yield name_of(page), typed


SHOWN = sorted(set(commands()))


def options_of_nbgrader(words: list[str]) -> None:
    """Follow nbgrader's subcommands, then look at each option: its flags, its aliases, or a class's setting."""
    app = NbGraderApp()
    while app.subcommands:
        assert words and words[0] in app.subcommands, "nbgrader has no such command"
        app = app.subcommands[words.pop(0)][0]()
    known: set[str] = set()
    for names in [*app.flags, *app.aliases]:
        known |= {names} if isinstance(names, str) else set(names)
    for word in words:
        if word.startswith("--"):
            assert word.removeprefix("--").partition("=")[0] in known, f"{word} is no option of nbgrader's"


@pytest.mark.parametrize(("page", "typed"), SHOWN)
def test_every_command_exists_with_its_options(page, typed):
    words = shlex.split(typed)
    if words[0] == "make":
        targets = set(re.findall(r"(?m)^([a-z-]+):", text_of(ROOT / "Makefile")))
        assert set(words[1:]) <= targets
        return
    if words[0] == "nbgrader":
        return options_of_nbgrader(words[1:])
    words = words[3:] if words[0] == "python" else words[1:]
    command = main.commands.get(words[0])
    assert command, "there is no such command"
    parser = command.make_parser(click.Context(command))
    _, left, _ = parser.parse_args(words[1:])  # an unknown option, or one without its value, is an error
    assert left == []


@pytest.mark.parametrize(
    "typed",
    [
        "workbook marks attention",
        "workbook grade attention --fast",
        "python -m autograder report attention --html now",
        "nbgrader collects attention",
        "nbgrader db student",
        "nbgrader collect attention --quickly",
        "make coffee",
    ],
)
def test_a_command_that_is_not_there_is_noticed(typed):
    with pytest.raises((AssertionError, click.UsageError)):
        test_every_command_exists_with_its_options("a page", typed)


def test_commands_are_found():
    assert len(SHOWN) > 70
    assert {name for name, _ in SHOWN} >= {"README.md", "docs/instructor.md", "docs/auditor.md", "docs/maintainer.md"}
    shown = {typed.split()[1] for _, typed in SHOWN if typed.startswith("workbook ")}
    shown |= {typed.split()[3] for _, typed in SHOWN if typed.startswith("python -m autograder ")}
    shown |= {typed.split()[1] for _, typed in SHOWN if typed.startswith("make ")}  # `make demo` runs the command demo
    assert set(main.commands) - shown == set(), "a command that no page shows"


@cache
def headings(page: Path) -> list[str]:
    """The anchors of a page's headings, as GitHub and most generators make them."""
    titles = re.findall(r"(?m)^#+ (.+)$", without_blocks(text_of(page)))
    return [re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles]


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)\s]+)\)", without_blocks(text_of(page))):
        if not target.startswith("https://"):
            path, _, anchor = target.partition("#")
            there = (page.parent / path).resolve() if path else page
            assert there.exists(), target
            assert not anchor or anchor in headings(there), target


@pytest.mark.parametrize("page", [page for page in PAGES if page.name != "promises.md"], ids=name_of)
def test_files_that_are_named_are_there(page):
    """`tests/docs/test_promises.py` does so for the promises."""
    places = [ROOT, ROOT / "autograder"]
    for named in " ".join(spans(text_of(page))).split():
        if re.fullmatch(r"[a-z_]+/[a-z0-9_/.]+\.(py|md|toml|po)", named) and not named.startswith("submitted/"):
            assert any((place / named).is_file() for place in (*places, ROOT / "docs" / "course")), named


def test_the_readme_is_short_and_its_pictures_are_small():
    assert len(text_of(ROOT / "README.md").splitlines()) <= 80
    shown = re.findall(r"!\[([^\]]{40,})\]\((docs/pictures/[\w-]+\.(?:png|webp))\)", text_of(ROOT / "README.md"))
    assert len(shown) == 6
    for _, name in shown:
        assert (ROOT / name).stat().st_size < (200_000 if name.endswith(".png") else 500_000)
        with Image.open(ROOT / name) as picture:
            assert picture.width > 600


# ---- what the software prints --------------------------------------------------------------------------


@cache
def templates() -> str:
    """Every text of the code, a line each, with … for what is filled in."""
    found = [text_of(TEMPLATES / "nbgrader_config.en.txt")]
    paths = [path for part in ("autograder", "utils") for path in sorted((ROOT / part).rglob("*.py"))]
    for path in [*paths, ROOT / "nbgrader_config.py"]:
        for node in ast.walk(ast.parse(text_of(path))):
            if isinstance(node, ast.JoinedStr):
                found.append("".join(part.value if isinstance(part, ast.Constant) else "…" for part in node.values))
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                found.append(node.value)
    return "\n".join(one.replace("\n", " ") for one in found)


def quoted(page: str = "troubleshooting.md") -> list[str]:
    return re.findall(r"(?m)^> (.+)$", text_of(ROOT / "docs" / page))


def is_in(sentence: str, text: str) -> bool:
    """Whether a text has a quoted sentence, in which … stands for anything."""
    pieces = sentence.split("…")
    # Most texts lack a piece, which is noticed a hundred times faster without an expression.
    return all(piece in text for piece in pieces) and bool(re.search("[^\n]*?".join(map(re.escape, pieces)), text))


@pytest.mark.parametrize("sentence", quoted())
def test_a_quoted_sentence_is_one_that_the_software_prints(sentence):
    assert sum(len(piece) for piece in sentence.split("…") if piece.strip(" .")) > 15
    assert is_in(sentence, templates()), "no text of the code has these words"


def test_a_sentence_that_nobody_prints_is_noticed():
    assert len(quoted()) > 40
    with pytest.raises(AssertionError):
        test_a_quoted_sentence_is_one_that_the_software_prints("The Dask scheduler … is asleep; wake it.")


@pytest.mark.parametrize(("page", "language"), [("student.md", "en"), ("student.fr.md", "fr"), ("student.zh.md", "zh")])
def test_words_of_the_feedback_are_quoted_as_they_stand_there(page, language):
    said = re.findall(r"\*(?:\"|« |“)(.+?)(?:\"| »|”)\*", text_of(ROOT / "docs" / page).replace("\u00a0", " "))
    assert said
    fr = translations("fr")
    known = set(fr) if language == "en" else {one.replace("\u00a0", " ") for one in translations(language).values()}
    assert set(said) <= known


# ---- pages in several languages ------------------------------------------------------------------------

TRANSLATED = sorted((ROOT / "docs").glob("*.*.md"))
each_translated_page = pytest.mark.parametrize("page", TRANSLATED, ids=name_of)
OTHER_LANGUAGES = re.compile(r"\*\[.*\]\((.*\.md)\)\*")
BLOCK = re.compile(r"\n\n+|\n(?=\s*(?:- |\d\. |\||#+ |> ))")
# What may differ between two pages that say the same: remarks and titles in code, the language, the zone of times.
DIFFERENT = {
    r"(?m)(?:^|  +)# (?!Your code).*$": "",
    r'title = "[^"]*"': "TITLE",
    r"\b(?:en|fr|zh)\b": "LANGUAGE",
    r"Europe/Paris|Asia/Shanghai": "ZONE",
}


LINK = re.compile(r"\]\(([^)\s]+)\)")
EMPHASISED = re.compile(r"(?<!\*)\*([^*]+)\*(?!\*)")


def in_one_line(text: str) -> str:
    """A text with a plain space in place of each line break and each no-break space."""
    return " ".join(text.split())


def same_in_all_languages(code: str) -> str:
    for pattern, put in DIFFERENT.items():
        code = re.sub(pattern, put, code)
    return code


def blocks(page: Path) -> list[tuple[str, str]]:
    """A page's blocks, each as the mark that begins it ("##", "-", "|", ">", "1.", "```") and its text on one line."""
    found = []
    for part in re.split(r"(?ms)(^```.*?^```$)", text_of(page)):
        for text in [part] if part.startswith("```") else BLOCK.split(part):
            mark = re.match(r"\s*(```|- |\d\. |\||#+ |> |)", text)
            if mark and text.strip() and not OTHER_LANGUAGES.fullmatch(text):
                found.append((mark[1].strip(), text if mark[1] == "```" else in_one_line(text)))
    return found


def link_of_translation(target: str, english: Path, language: str) -> str:
    """Where a page's translation links to, in place of what the English page links to."""
    path, _, anchor = target.partition("#")
    there = english.parent / path if path else english
    ours = there.with_suffix(f".{language}.md")
    if not ours.is_file():
        return target
    place = path.replace(".md", f".{language}.md")
    return f"{place}#{headings(ours)[headings(there).index(anchor)]}" if anchor else place


@each_translated_page
def test_a_translated_page_has_the_english_pages_blocks_code_and_links(page):
    name, language, _ = page.name.split(".")
    english = page.with_name(f"{name}.md")
    assert [mark for mark, _ in blocks(page)] == [mark for mark, _ in blocks(english)]
    for (mark, ours), (_, theirs) in zip(blocks(page), blocks(english), strict=True):
        if mark == "```":
            assert same_in_all_languages(ours) == same_in_all_languages(theirs)
        elif mark != ">":
            codes = [sorted(map(same_in_all_languages, spans(text))) for text in (ours, theirs)]
            assert codes[0] == codes[1], ours
            links = sorted(link_of_translation(target, english, language) for target in LINK.findall(theirs))
            assert sorted(LINK.findall(ours)) == links, ours
            for word in EMPHASISED.findall(theirs):
                assert in_one_line(translations(language).get(word, "")) in ours, word


@pytest.mark.parametrize(
    ("part", "put"),
    [("- d\n", ""), ("`a.md`", "`b.md`"), ("#é", "#e"), ("## É", "### É"), ("**un**", "## un"), ("x = 1", "x = 2")],
)
def test_a_change_of_one_page_is_noticed(tmp_path, part, put):
    french = "# A\n\n**un** `a.md`, [b](#é)\n\n```\nx = 1  # un\n```\n\n## É\n\n- d\n"
    (tmp_path / "page.md").write_text(french.replace("é", "e").replace("É", "E").replace("un", "one"))
    (tmp_path / "page.fr.md").write_text(french)
    test_a_translated_page_has_the_english_pages_blocks_code_and_links(tmp_path / "page.fr.md")
    assert part in french
    (tmp_path / "page.fr.md").write_text(french.replace(part, put))
    headings.cache_clear()
    with pytest.raises(AssertionError):
        test_a_translated_page_has_the_english_pages_blocks_code_and_links(tmp_path / "page.fr.md")


@each_translated_page
def test_a_quotation_is_in_the_pages_language_where_the_software_speaks_it(page):
    name, language, _ = page.name.split(".")
    settings = [text_of(TEMPLATES / f"nbgrader_config.{code}.txt") for code in ("en", language)]
    known = [*translations(language).items(), (settings[0], settings[1])]
    for theirs, ours in zip(quoted(f"{name}.md"), quoted(page.name), strict=True):
        said = [in_one_line(text) for english, text in known if is_in(theirs, english)]
        assert any(is_in(in_one_line(ours), text) for text in said) if said else ours == theirs, said


def test_pages_in_several_languages_lead_to_each_other():
    for english in {page.with_name(f"{page.name.partition('.')[0]}.md") for page in TRANSLATED}:
        several = {path.name for path in [english, *english.parent.glob(f"{english.stem}.*.md")]}
        for name in several:
            line = text_of(english.parent / name).splitlines()[2]
            assert OTHER_LANGUAGES.fullmatch(line) and set(LINK.findall(line)) == several - {name}


# ---- one version ---------------------------------------------------------------------------------------


def test_the_version_stands_in_one_place():
    project = text_of(ROOT / "pyproject.toml")
    assert 'dynamic = ["version"]' in project and 'attr = "utils.version.__version__"' in project
    assert not re.search(r'(?m)^version = "', project)
    assigned = re.compile(r"(?m)^__version__ = ")
    paths = [path for part in ("autograder", "utils") for path in (ROOT / part).rglob("*.py")]
    assert [name_of(path) for path in paths if assigned.search(text_of(path))] == ["utils/version.py"]
    latest = re.search(r"(?m)^## (\S+)", text_of(ROOT / "CHANGELOG.md"))
    assert latest and latest[1] == __version__


def test_the_project_describes_itself():
    project = text_of(ROOT / "pyproject.toml")
    for key in ("description", "readme", "keywords", "classifiers", "requires-python"):
        assert re.search(rf"(?m)^{key} = ", project), key
    assert "License ::" not in project and not re.search(r"(?m)^license", project), "the owner's to choose"


def test_an_instructor_reads_no_more_than_before_to_the_first_marks():
    """The README, and the part of the instructors' page that ends with the first marks: 1,355 words once."""
    before_the_term, after = text_of(ROOT / "docs" / "instructor.md").split("\n## A term\n")
    assert after and len(text_of(ROOT / "README.md").split() + before_the_term.split()) <= 1355
