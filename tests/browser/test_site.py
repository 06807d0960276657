"""The site, built as `make site` does but for the lessons' runs; read as bytes, then opened in a browser."""

import base64
import html
import io
import json
import re
from html.parser import HTMLParser
from urllib.parse import quote

import pytest
from PIL import Image

from autograder.common.course import WORKBOOK
from autograder.common.errors import BuildError
from autograder.lesson.release import release_notebook
from autograder.lesson.text import Lesson
from autograder.lesson.translation import translate_notebook
from tests.autograder.course.test_bundle import secrets
from tests.helpers.languages import LANGUAGES
from utils.common import messages
from utils.common.embedded import as_image, themed
from utils.version import __version__

pytest.importorskip("sphinx", reason="needs the extra `site`")
pytest.importorskip("furo", reason="needs the extra `site`")
pytest.importorskip("myst_parser", reason="needs the extra `site`")

from autograder.site import documents, explorers, inspection, make, outputs, private
from tests.helpers import axe
from tests.helpers.alive import four_networks
from utils.attention import explorer as attention

SENTENCE = "Thirteen sequences; in the last, a “triangle” & a rectangle."
PROGRESS = "training:   0%|     | 0/7\rtraining: 100%|█████| 7/7\nthe end of it\n"
PANEL = '<div style="color: inherit"><strong>✓ One correction: all tests pass (3)</strong></div>'


def drawn() -> str:
    """Return a picture, in base64."""
    written = io.BytesIO()
    Image.new("RGB", (23, 11), "orange").save(written, "PNG")
    return base64.b64encode(written.getvalue()).decode()


def kept_outputs() -> dict:
    """What some cells of the first lesson would have shown."""
    svg = '<svg xmlns="http://www.w3.org/2000/svg" width="23" height="11"><rect width="23" height="11"/></svg>'
    themed_svg = themed(svg, "color:#000", "color:#fff")
    shown = {"output_type": "display_data", "metadata": {}}
    picture = {"image/png": drawn(), "text/html": "<img>", "text/plain": SENTENCE}
    return {
        "draw_task_1": [shown | {"data": picture}],
        "draw_horizon": [
            shown | {"data": {"text/html": as_image(themed_svg, "A drawing."), "text/plain": "A drawing."}}
        ],
        "train_conv": [{"output_type": "stream", "name": "stdout", "text": PROGRESS}],
        "test_update": [shown | {"data": {"text/html": PANEL, "text/plain": "✓ One correction"}}],
        "explore": [shown | {"data": attention.explore(four_networks())._repr_mimebundle_()}],
        "predict_conv": [{"output_type": "stream", "name": "stderr", "text": "a warning"}],
    }


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The site's folder."""
    folder = tmp_path_factory.mktemp("site")
    kept = folder / "kept"
    kept.mkdir()
    (kept / "en-attention.json").write_text(json.dumps({"made_from": {}, "outputs": kept_outputs()}))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(outputs, "KEPT", kept)
        elsewhere = make.make(folder / "pages", say=lambda _: None)
    assert "https://fleuret.org/dlc/" in elsewhere
    return folder / "pages"


def page(site, name: str) -> str:
    return (site / name).read_text(encoding="utf-8")


def seen(text: str) -> str:
    """What a reader sees of a page, on one line."""
    return " ".join(html.unescape(re.sub(r"<[^>]*>", "", text)).split())


def edition(language: str) -> str:
    return "" if language == "en" else f"{language}/"


# ---- nothing private -------------------------------------------------------------------------------------------


def test_no_byte_is_of_a_solution_an_exam_or_a_model_answer(site):
    known = {" ".join(text.split()): what for text, what in secrets().items() if "Points" not in text}
    del known["autograder.exams import"], known["BEGIN SOLUTION"], known["BEGIN HIDDEN TESTS"]  # the maintainer's page
    assert len(known) > 90
    read = 0
    for path in site.rglob("*"):
        for text in private.readings(path.read_bytes()) if path.is_file() else ():
            found = [what for secret, what in known.items() if secret in text]
            assert not found, f"{path.name} holds {found}"
            read += len(text)
    assert read > 3_000_000
    for language in LANGUAGES:
        for name in list(WORKBOOK.lessons):
            text = seen(page(site, f"{edition(language)}lessons/{name}.html"))
            assert "BEGIN SOLUTION" not in text and "HIDDEN TESTS" not in text and "exam." not in text


def test_what_is_looked_for_is_much_and_private():
    assert SOLUTION in private.lines()
    for name in list(WORKBOOK.lessons):
        hidden = [line for cell in Lesson.load(name, WORKBOOK).tests.values() for line in cell.hidden.split("\n")]
        assert hidden and {line for line in hidden if len(line) >= private.LINE} <= private.lines()
    assert len(private.lines()) > 300 and len(private.words()) > 30
    assert not any(line in private.public() for line in private.lines())


@pytest.mark.parametrize("lesson_name", list(WORKBOOK.lessons))
@pytest.mark.parametrize("language", LANGUAGES)
def test_gaps_are_gaps_in_a_lesson_that_is_whole(site, language, lesson_name):
    lesson = Lesson.load(lesson_name, WORKBOOK)
    text = page(site, f"{edition(language)}lessons/{lesson_name}.html")
    read = seen(text)
    for name in lesson.solutions:
        assert f'raise NotImplementedError("{name}: write the missing lines, then run again")' in read
    assert text.count('class="gap') >= len(lesson.solutions)
    for name, cell in lesson.tests.items():
        assert f"check.{name}(" in read, cell
    for cell in translate_notebook(release_notebook(lesson), language, lesson).cells:
        for heading in re.findall(r"(?m)^#+ ([^`$*\n]+)$", cell.source) if cell.cell_type == "markdown" else ():
            assert " ".join(heading.split()) in read
    formulas = sum(
        len(
            re.findall(
                r"\$\$.+?\$\$|\$[^$]+?\$", re.sub(r"```.*?```|`[^`\n]*`", "", cell.source, flags=re.DOTALL), re.DOTALL
            )
        )
        for cell in translate_notebook(release_notebook(lesson), language, lesson).cells
        if cell.cell_type == "markdown"
    )
    assert text.count("<math") == formulas > 20
    assert "\\frac" not in text and not re.search("<script[^>]*mathjax", text, re.IGNORECASE)


# ---- what a page has -------------------------------------------------------------------------------------------


def test_outputs_stand_below_their_cells(site):
    text = page(site, "lessons/attention.html")
    (picture,) = re.findall(r'<img[^>]*src="([^"]+\.webp)"[^>]*>', text)
    assert f'alt="{html.escape(SENTENCE)}"' in text
    with Image.open(site / "lessons" / picture) as shown:
        assert shown.size == (23, 11) and shown.convert("RGB").getpixel((5, 5)) == (255, 165, 0)
    assert 'alt="A drawing."' in text and PANEL in text
    assert "training: 100%" in text and "training:   0%" not in text and "a warning" not in text
    places = [text.index(one) for one in (SENTENCE[:20], PANEL, "training: 100%", "A drawing.")]
    assert places == sorted(places)
    assert ".webp" not in page(site, "fr/lessons/attention.html")


@pytest.mark.parametrize(
    ("name", "address"),
    [("index.html", "lessons/explore/attention.html"), ("lessons/attention.html", "explore/attention.html")],
)
def test_an_explorer_is_alive_on_the_front_page_and_in_its_lesson(opened, name, address):
    shown = opened(name, 1000)
    frame = shown.locator("iframe")
    assert frame.get_attribute("src") == address and frame.get_attribute("sandbox") == "allow-scripts"
    assert frame.get_attribute("title") == "Explore your networks: attention"
    frame.scroll_into_view_if_needed()
    inside = shown.frame_locator("iframe")
    inside.locator(".alive[data-ms]").wait_for(timeout=60_000)
    inside.locator(".shape").first.focus()
    shown.keyboard.press("ArrowRight")
    shown.wait_for_timeout(300)
    assert "at 9" in inside.locator(".shape").first.get_attribute("aria-valuetext")
    shown.context.close()


class Links(HTMLParser):
    def __init__(self, text: str):
        super().__init__()
        self.found: list[tuple[str | None, str | None]] = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        named = dict(attrs)
        if tag == "a" and "hreflang" in named:
            self.found.append((named["hreflang"], named["href"]))


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_page_leads_to_the_other_languages_and_bears_the_version(site, language):
    others = set(messages.LANGUAGES) - {language}
    pages = (
        [path for path in site.rglob("*.html") if path.relative_to(site).parts[0] in others] if language == "en" else []
    )
    mine = [
        path for path in (site / edition(language)).rglob("*.html") if path not in pages and path.name != "search.html"
    ]
    mine = [path for path in mine if path.parent.name != explorers.FOLDER]  # what a frame shows, not a page of its own
    assert len(mine) >= 4
    for path in mine:
        text = path.read_text(encoding="utf-8")
        links = dict(Links(text).found)
        assert set(links) == others
        for other, link in links.items():
            there = (path.parent / link).resolve()
            assert there.is_file() and f' lang="{other}' in there.read_text()[:200]
            if "lessons" in path.parts or f"docs/{path.stem}.md" in documents.TRANSLATED[other]:
                assert there.name == path.name
        assert f"The Attention Workbook {__version__}" in seen(text)


def test_a_page_that_names_hidden_tests_is_not_there(site):
    assert (site / "docs" / "auditor.html").is_file()
    assert not list(site.rglob("asked.html")) and not list(site.rglob("*.md")) and not list(site.rglob("*.py"))


def test_every_page_of_docs_is_in_the_site_or_known_to_be_left_out():
    there = {str(path.relative_to(documents.ROOT)) for path in (documents.ROOT / "docs").rglob("*.md")}
    translated = {file for files in documents.TRANSLATED.values() for file in files.values()}
    assert there - set(documents.PAGES) == translated


# ---- what is refused -------------------------------------------------------------------------------------------

SOLUTION = "word = logits.argmax(dim=1).masked_fill(ended, PAD_token)"
EXAM = next(iter(Lesson.load("seq2seq", WORKBOOK).tests.values())).hidden
WRONG = {
    "a page that is not there": ('<a href="nowhere.html">x</a>', "which is not there"),
    "a heading that is not there": ('<a href="index.html#nowhere">x</a>', "which has no such heading"),
    "a place of one server": ('<a href="/index.html">x</a>', "at only one place of one server"),
    "a script from elsewhere": ('<script src="https://example.org/x.js"></script>', "from elsewhere"),
    "a script of the same protocol": ('<script src="//example.org/x.js"></script>', "from elsewhere"),
    "a style from elsewhere": ('<link rel="stylesheet" href="https://example.org/x.css">', "from elsewhere"),
    "a font in a style": ("<style>@font-face {src: url(https://example.org/x.woff)}</style>", "from elsewhere"),
    "a style in a style": ("<style>@import 'https://example.org/x.css'</style>", "from elsewhere"),
    "a background": ('<p style="background: url(//example.org/x.png)">x</p>', "from elsewhere"),
    "a larger picture": ('<img alt="x" srcset="https://example.org/x.png">', "from elsewhere"),
    "a film's first picture": ('<video poster="https://example.org/x.png"></video>', "from elsewhere"),
    "a drawing's part": ('<svg><use xlink:href="https://example.org/x.svg#x"></use></svg>', "from elsewhere"),
    "a form": ('<form action="https://example.org/"></form>', "from elsewhere"),
    "a script that is not there": ('<script src="x.js"></script>', "which is not there"),
    "a picture without words": ('<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">', "without words"),
    "a line of a solution": (f"<pre>{html.escape(SOLUTION)}</pre>", "holds"),
    "in spans": (f"<pre>{'<b></b>'.join(map(html.escape, SOLUTION))}</pre>", "holds"),
    "packed": (f'<a href="data:text/plain;base64,{base64.b64encode(SOLUTION.encode()).decode()}">x</a>', "holds"),
    "an exam": (f"<p>{EXAM}</p>", "holds"),
}


@pytest.mark.parametrize("what", WRONG)
def test_what_must_not_be_handed_out_is_refused(tmp_path, what):
    content, complaint = WRONG[what]
    (tmp_path / "index.html").write_text('<h1 id="top">A</h1><a href="#top">a</a>', encoding="utf-8")
    assert inspection.inspect(tmp_path) == []
    (tmp_path / "page.html").write_text(content, encoding="utf-8")
    with pytest.raises(BuildError, match=complaint):
        inspection.inspect(tmp_path)


def test_a_style_sheet_that_loads_from_elsewhere_is_refused(tmp_path):
    (tmp_path / "x.css").write_text("@import 'https://example.org/x.css';")
    with pytest.raises(BuildError, match=r"x\.css loads https://example\.org/x\.css from elsewhere"):
        inspection.inspect(tmp_path)


@pytest.mark.whole
@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[x](nowhere.md)", "index.md:3: WARNING: .* target not found: 'nowhere.md'"),
        ("[x](#nowhere)", "index.md:3: WARNING: .* target not found: 'nowhere'"),
        ("$\\frac{1}{$", r"index.md:3: WARNING: This formula cannot be read: \\frac\{1\}\{"),
    ],
)
def test_what_sphinx_complains_of_is_refused_with_its_line(tmp_path, text, complaint):
    (tmp_path / "fr").mkdir()
    (tmp_path / "fr" / "index.md").write_text(f"# A\n\n{text}\n")
    with pytest.raises(BuildError, match=complaint):
        make.build(tmp_path / "fr", tmp_path / "site", "fr")


def test_a_private_name_in_the_search_is_refused(tmp_path):
    (tmp_path / "searchindex.js").write_text("Search.setIndex({terms:{attention:0,own_queri:[1,2]}})")
    with pytest.raises(BuildError, match="own_queri"):
        inspection.inspect(tmp_path)


def test_a_folder_with_other_things_is_left_alone(tmp_path):
    (tmp_path / "thesis.txt").write_text("years of work")
    with pytest.raises(BuildError, match="is not a site"):
        make.put_in_place(tmp_path / "nothing", tmp_path)
    assert (tmp_path / "thesis.txt").is_file()


# ---- in a browser ----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def opened(browser, site):
    """Open a page of the site from its folder, this wide; what it asks of the network is refused and noted."""
    asked: list[str] = []

    def open_page(name: str, width: int, scheme: str = "light"):
        context = browser.new_context(viewport={"width": width, "height": 844}, color_scheme=scheme, offline=True)
        context.on("request", lambda request: asked.append(request.url))
        shown = context.new_page()
        shown.goto((site / "index.html").as_uri().replace("index.html", name))
        return shown

    yield open_page
    assert asked and not [address for address in asked if not address.startswith(("file:", "data:"))]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(
    "name", ["index.html", "lessons/seq2seq.html", "fr/lessons/captioning.html", "zh/lessons/attention.html"]
)
def test_a_phone_shows_a_page_in_its_width(opened, name, scheme):
    shown = opened(name, 390, scheme)
    assert shown.evaluate("document.documentElement.scrollWidth") == 390
    red, green, blue = map(
        int, re.findall(r"\d+", shown.evaluate("getComputedStyle(document.body).backgroundColor"))[:3]
    )
    assert (red + green + blue > 600) == (scheme == "light")
    assert shown.locator("nav.languages a").count() == len(messages.LANGUAGES) - 1
    shown.context.close()


@pytest.mark.parametrize(
    ("where", "words", "found"),
    [
        ("", "convolution", "lessons/attention.html"),
        ("", "bubblewrap", "docs/administrator.html"),
        ("fr/", "traduction", "lessons/seq2seq.html"),
        ("zh/", "注意力", "lessons/attention.html"),
        ("zh/", "翻译", "lessons/seq2seq.html"),
    ],
)
def test_the_search_finds_from_the_folder(opened, where, words, found):
    shown = opened(f"{where}search.html?q={quote(words)}", 1280)
    results = shown.locator("#search-results li a")
    results.first.wait_for()
    assert found in [
        link.split("?")[0].split("#")[0] for link in results.evaluate_all("all => all.map(a => a.getAttribute('href'))")
    ]
    shown.context.close()


def test_the_switch_leads_to_the_same_lesson(opened):
    shown = opened("lessons/captioning.html", 1280)
    shown.locator('nav.languages a[lang="zh"]').click()
    assert shown.url.endswith("/zh/lessons/captioning.html")
    assert shown.locator("html").get_attribute("lang") == "zh-CN"
    shown.context.close()


# axe takes seconds for a long page. So the pages of each kind share the themes and widths.
THEMES = [(size, scheme) for size in axe.SIZES for scheme in ("light", "dark")]
READ = ["index", "search", "docs/instructor", "docs/promises", "notebooks/TERMS"]
READ += ["fr/index", "zh/docs/course"]
READ += [*(f"lessons/{name}" for name in WORKBOOK.lessons), "fr/lessons/gpt", "zh/lessons/attention"]


@pytest.mark.parametrize("turn", range(len(THEMES)), ids=["-".join(theme) for theme in THEMES])
def test_pages_break_no_rule_of_access(opened, turn):
    size, scheme = THEMES[turn]
    for name in READ[turn :: len(THEMES)]:
        shown = opened(f"{name}.html", axe.SIZES[size]["width"], scheme)
        assert axe.faults(shown, contrast=size == "wide") == [], name
        assert not axe.scrolls_sideways(shown), name
        shown.context.close()
