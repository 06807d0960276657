"""A class with hostile members is graded whole: pages cannot run scripts, odd folders stop nobody."""

from html.parser import HTMLParser
from pathlib import Path

import nbformat
import pytest
from nbconvert.exporters import HTMLExporter

from autograder.common.course import Course
from autograder.gradebook import books, converters, grade
from autograder.lesson.compose import compose, hand_in

from .corpus import ATTENTION, LESSON

# Each carries the word "evil" wherever a browser would run it.
MARKDOWN = """
<script>evil()</script> <img src=x onerror="evil()"> <a href="javascript:evil()">x</a> [x](javascript:evil())
<svg onload="evil()"><script>evil()</script></svg> <iframe srcdoc="<script>evil()</script>"></iframe>
<a href="data:text/html,<script>evil()</script>">x</a> <object data="javascript:evil()"></object>
<form action="javascript:evil()"><button formaction="javascript:evil()">x</button></form>
<base href="https://evil.invalid/"> <meta http-equiv="refresh" content="0;url=javascript:evil()">
<style>@import "https://evil.invalid/x.css";</style> <link rel="stylesheet" href="https://evil.invalid/x.css">
$\\href{javascript:evil()}{x}$ ![x](javascript:evil()) <div style="background:url(javascript:evil())">x</div>
"""
CODE = """
from IPython.display import HTML, display
display(HTML("<script>evil()</script>"), HTML("<img src=x onerror=evil()>"))
display({"text/html": "<b onclick=evil()>x</b>", "image/svg+xml": "<svg onload='evil()'></svg>"}, raw=True)
display({"application/javascript": "evil()", "text/latex": "<script>evil()</script>"}, raw=True)
print("<script>evil()</script>\\x1b[31m<img src=x onerror=evil()>")
class Evil:
    def __repr__(self):
        return "</pre><script>evil()</script>"
display(Evil())
raise type("<img src=x onerror=evil()>", (Exception,), {})("</div><script>evil()</script>")
"""


class Running(HTMLParser):
    """Collects what of a page a browser would run or fetch and that holds the word evil."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.found: list[str] = []
        self.inside = ""

    def handle_starttag(self, tag, attributes):
        self.inside = tag if tag in ("script", "style") else ""
        for name, value in attributes:
            runs = name.startswith("on") or name in ("srcdoc", "action", "formaction", "data", "content", "style")
            points = name in ("href", "src", "xlink:href") and (value or "").strip().lower().startswith(
                ("java", "data:t")
            )
            if "evil" in (value or "") and (runs or points or tag in ("base", "link", "meta", "iframe", "object")):
                self.found.append(f"<{tag} {name}={value!r}>")

    def handle_endtag(self, tag):
        self.inside = ""

    def handle_data(self, data):
        if self.inside and "evil" in data:
            self.found.append(f"<{self.inside}>{data[:80]}")


def running(page: str) -> list[str]:
    parser = Running()
    parser.feed(page)
    return parser.found


def test_the_parser_sees_what_runs():
    assert len(running(MARKDOWN)) > 10


@pytest.fixture(scope="module")
def course(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("hostile")
    essay = next(cell.name for cell in ATTENTION.of_role("essay"))
    notebook = compose(ATTENTION, {essay: MARKDOWN, next(iter(ATTENTION.solutions)): CODE}, blank=True)
    notebook.cells.insert(0, nbformat.v4.new_markdown_cell(MARKDOWN))
    notebook.cells.append(nbformat.v4.new_raw_cell(MARKDOWN, metadata={"format": "text/html"}))
    notebook.cells.append(nbformat.v4.new_code_cell(CODE))
    hand_in(notebook, Course(folder), "mallory", LESSON)
    hand_in(compose(ATTENTION), Course(folder), "honest", LESSON)
    for name in ("-rf", "a b; rm *", "[hm]*", "new\nline", "<img src=x onerror=evil()>", "{0}", "$(id)"):
        hand_in(compose(ATTENTION, blank=True), Course(folder), name, LESSON)
    beside = hand_in(compose(ATTENTION, blank=True), Course(folder), "beside", LESSON).parent
    (folder / "secret").write_text("canary")
    (beside / "link.txt").symlink_to(folder / "secret")
    (beside / "torch.py").write_text("raise SystemExit")
    (beside / "utils").mkdir()
    (beside / "utils" / "__init__.py").write_text("raise SystemExit")
    linked = folder / "submitted" / "linked" / LESSON
    linked.mkdir(parents=True)
    (linked / f"{LESSON}.ipynb").symlink_to(folder / "submitted" / "honest" / LESSON / f"{LESSON}.ipynb")
    grade.grade(LESSON, course=Course(folder))
    converters.feedback(Course(folder), LESSON)
    return folder


def test_the_honest_keep_their_marks(course):
    marks = books.marks(Course(course), LESSON)
    for cell in ATTENTION.of_role("test"):
        assert marks["honest"][cell.grade_id] == cell.points
        assert marks["mallory"][cell.grade_id] == 0
        assert not marks["linked"][cell.grade_id]  # another's notebook by a link is no answer


def test_every_student_is_graded_or_named(course):
    report = grade.grade(LESSON, course=Course(course))
    everybody = {path.name for path in (course / "submitted").iterdir()}
    assert everybody == {*report.graded, *report.unchanged, *report.failed}
    assert set(report.failed) == {
        "[hm]*",
        "a b; rm *",
        "new\nline",
    }  # nbgrader cannot find these, and would take others for them
    assert everybody == {*books.marks(Course(course), LESSON), *report.failed}


def test_feedback_runs_nothing(course):
    page = (course / "feedback" / "mallory" / LESSON / f"{LESSON}.html").read_text(encoding="utf-8")
    assert "evil" in page  # it is there, as text
    assert running(page) == []


def test_formgrader_runs_nothing(course):
    from nbgrader.server_extensions.formgrader import handlers

    config = converters.configuration(Course(course))
    config.HTMLExporter.template_name = "formgrade"
    config.HTMLExporter.extra_template_basedirs = [handlers.template_path]
    path = course / "autograded" / "mallory" / LESSON / f"{LESSON}.ipynb"
    names = ("assignment_id", "notebook_id", "submission_id", "base_url", "student", "last_name", "first_name")
    resources = dict.fromkeys((*names, "notebook_path"), "x") | {"index": 0, "total": 1}
    hostile = '"><img src=x onerror="evil()"><a x="'
    resources |= dict.fromkeys(("student", "first_name", "last_name", "notebook_path"), hostile)
    page, _ = HTMLExporter(config=config).from_filename(str(path), resources=resources)
    assert "evil" in page
    assert running(page) == []


def test_what_lay_beside_the_notebook_went_nowhere(course):
    for folder in ("autograded", "feedback"):
        files = [path for path in (course / folder / "beside").rglob("*") if path.is_file()]
        assert not any("canary" in path.read_text(encoding="utf-8", errors="replace") for path in files)
        assert {path.suffix for path in files} <= {".ipynb", ".html", ".txt"}
        assert not any(path.name in ("torch.py", "__init__.py", "link.txt") for path in files)
