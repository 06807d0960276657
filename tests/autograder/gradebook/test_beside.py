"""What a grader sees beside an answer, and that no student ever does."""

import base64
import io
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from nbconvert.exporters import HTMLExporter
from nbgrader.server_extensions.formgrader import handlers
from PIL import Image
from traitlets.config import Config

from autograder.common.course import WORKBOOK, Course
from autograder.essays.rubric import Rubric, copy_for_course
from autograder.essays.store import EssayStore
from autograder.gradebook import beside, converters, grade, pages
from autograder.gradebook.configuration import configuration
from autograder.gradebook.pages import TEMPLATES
from autograder.lesson.compose import compose, hand_in
from autograder.lesson.rubric import rubric_of
from autograder.lesson.text import Lesson, lessons_of, write_notebook
from autograder.lesson.translation import model_answer, translate_notebook
from tests.helpers.courses import configure
from tests.helpers.languages import LANGUAGES

NAME = "attention"
LESSON = Lesson.load(NAME, WORKBOOK)
FIRST, SECOND = list(LESSON.essays)[:2]
SHOWS = [cell.grade_id for cell in LESSON.of_role("show", "essay")]
MARK = "*Points.*"


def png(width: int, height: int = 5) -> str:
    target = io.BytesIO()
    Image.new("RGB", (width, height)).save(target, format="PNG")
    return base64.b64encode(target.getvalue()).decode()


def submission(language: str, outputs: dict[str, object], lose: str = "") -> str:
    """A solved notebook with outputs in its drawing cells, as Jupyter saves it."""
    answers = dict.fromkeys(LESSON.essays, "Another one.") | {FIRST: "My own answer, with $x < 7$."}
    notebook = compose(LESSON, answers, language=language)
    data = json.loads(write_notebook(translate_notebook(notebook, language, LESSON)))
    data["cells"] = [cell for cell in data["cells"] if cell["id"] != lose]
    for cell in data["cells"]:
        name = cell["metadata"].get("nbgrader", {}).get("grade_id")
        if name in outputs:
            cell["outputs"] = outputs[name]
    return json.dumps(data)


def pictures(lesson: Lesson, path: Path) -> dict[str, list[str]]:
    return {name: [one.picture for one in shown] for name, shown in beside.submitted_outputs(lesson, path).items()}


def picture(data: object) -> dict[str, object]:
    return {"output_type": "display_data", "data": {"image/png": data}, "metadata": {}}


@pytest.fixture(scope="module")
def course(tmp_path_factory, store) -> Path:
    folder = tmp_path_factory.mktemp("course")
    configure(folder)
    figures = {name: [picture(png(11 + number))] for number, name in enumerate(SHOWS[: SHOWS.index(FIRST)])}
    hand_in(submission("fr", figures), Course(folder), "ada", NAME)
    hand_in(submission("zh", {}, lose=f"{FIRST}-question"), Course(folder), "bob", NAME)
    grade.grade(NAME, course=Course(folder))
    converters.feedback(Course(folder), NAME)
    return folder


def formgraders_page(course: Path, student: str) -> str:
    """The page that formgrader's SubmissionHandler makes, with the settings that it makes it with."""
    config = Config()  # what formgrader sets; a course's settings come after it
    config.HTMLExporter.template_name = "formgrade"
    config.HTMLExporter.extra_template_basedirs = [handlers.template_path]
    config.merge(configuration(Course(course)))
    told = {"assignment_id": NAME, "notebook_id": NAME, "submission_id": "1", "student": student, "base_url": ""}
    told |= {"index": 0, "total": 1, "last_name": "", "first_name": "", "notebook_path": ""}
    page, _ = HTMLExporter(config=config).from_filename(
        str(course / "autograded" / student / NAME / f"{NAME}.ipynb"), resources=told
    )
    return page


def test_the_grader_sees_question_model_answer_points_and_figures_beside_the_answer(course):
    page = formgraders_page(course, "ada")
    assert page.count("model answer and points") == len(LESSON.essays)
    assert page.count("<strong>Points</strong>") == len(LESSON.essays)
    question = page.index("Décrivez")
    model, figures = page.index("model answer and points"), page.index("own figures, as they were")
    answer = page.index("My own answer, with <math")
    assert question < model < figures < answer
    shown = [name for number, name in enumerate(SHOWS[: SHOWS.index(FIRST)]) if png(11 + number) in page]
    assert shown == ["predict_conv", "attention_matrix"]  # those that a question speaks of
    assert page.index(png(11 + SHOWS.index("attention_matrix"))) < answer
    assert "$" not in page[model:answer]
    assert not re.search(r"<(script|link|img)[^>]+(src|href)=.https?:", page), "it loads something from the network"


def test_help_is_in_the_courses_language_with_the_points_of_the_courses_rubric(course):
    file = course / "nbgrader_config.py"
    before = file.read_text()
    file.write_text(before + '\nc.Translate.language = "fr"\n')
    essay = LESSON.essays[FIRST]
    items = copy_for_course(LESSON, essay, 3).items
    store = EssayStore(Course(course), NAME, FIRST)
    store.folder.mkdir(parents=True)
    store.write_rubric(Rubric((replace(items[0], points=1.75), *items[1:]), 1))
    page = " ".join(formgraders_page(course, "bob").split())
    file.write_text(before)
    assert page.count("Pour les correcteurs") == 3 and "For graders" not in page and "Model answer" not in page
    assert f"<strong>1,75</strong> {items[0].text['fr'][:30]}" in page and items[0].text["en"] not in page
    assert "étalée sur les points des deux motifs" in page
    (store.folder / "rubric.json").write_text("{")  # a damaged file costs the course's points, not the page
    assert f"<strong>1</strong> {items[0].text['en'][:30]}" in formgraders_page(course, "bob")


def test_each_model_answer_is_in_each_language():
    for lesson in lessons_of(WORKBOOK):
        for essay in lesson.essays.values():
            told = {language: model_answer(lesson, essay, language) for language in LANGUAGES}
            assert len(set(told.values())) == len(LANGUAGES), f"{lesson.name}: {essay.name} is not translated"
            assert MARK not in "".join(told.values())


def test_formgraders_script_asks_of_mathjax_what_our_template_answers():
    script = Path(handlers.static_path, "js", "formgrade.js").read_text(encoding="utf-8")
    assert set(re.findall(r"MathJax[.\w]*", script)) == {"MathJax.loaded", "MathJax.Hub.Startup.signal.Interest"}
    assert 'message === "End"' in script
    answered = (TEMPLATES / "formgrade" / "mathjax.html.j2").read_text(encoding="utf-8")
    assert "window.MathJax = {Hub: {Startup: {signal: {Interest: function (tell)" in answered and '"End"' in answered


def test_a_question_that_the_student_took_away_is_shown_in_the_students_language(course):
    page = formgraders_page(course, "bob")
    asked = beside.questions(LESSON, "zh")[FIRST]
    start = "".join(asked.split("**")[1][:8])
    assert start in page and page.index(start) < page.index("model answer and points")
    assert page.count(start) == 1
    assert start not in formgraders_page(course, "ada")


def test_no_student_sees_a_model_answer(course):
    for student in ("ada", "bob"):
        page = (course / "feedback" / student / NAME / f"{NAME}.html").read_text(encoding="utf-8")
        graded = (course / "autograded" / student / NAME / f"{NAME}.ipynb").read_text(encoding="utf-8")
        assert "For graders" not in page + graded
        for essay in LESSON.essays.values():
            longest = max((item.text for item in rubric_of(essay)), key=len)
            assert len(longest) > 30 and longest not in graded
            assert longest not in " ".join(page.split()) and MARK not in graded
        assert "image/png;base64" not in page or png(11) not in page


HOSTILE = {
    "a script for a picture": [picture("<script>evil()</script>")],
    "a picture of another kind": [{"output_type": "display_data", "data": {"image/svg+xml": "<svg/>"}}],
    "too many pixels": [picture(base64.b64encode(base64.b64decode(png(7))[:16] + b"\xff" * 60).decode())],
    "no list": {"a": 1},
    "a number": 7,
    "texts": ["x", None, 7],
    "lines that are none": [picture(["x", 7])],
    "no data": [{"output_type": "display_data", "data": 7}],
}


@pytest.mark.parametrize("outputs", HOSTILE.values(), ids=HOSTILE)
def test_nothing_but_bounded_pictures_is_taken(tmp_path, outputs):
    show = SHOWS[0]
    hand_in(submission("en", {show: outputs, SHOWS[1]: [picture(png(7))]}), Course(tmp_path), "eve", NAME)
    path = tmp_path / "submitted" / "eve" / NAME / f"{NAME}.ipynb"
    found = pictures(LESSON, path)
    assert found == {show: [], SHOWS[1]: [png(7)]} | {name: [] for name in LESSON.shown_only - {show, SHOWS[1]}}


def test_figures_are_found_without_labels_in_changed_and_in_merged_cells(tmp_path):
    data = json.loads(submission("fr", {name: [picture(png(11 + n))] for n, name in enumerate(SHOWS)}))
    places = {cell["metadata"].get("nbgrader", {}).get("grade_id"): n for n, cell in enumerate(data["cells"])}
    shows = [name for name in SHOWS if name in LESSON.shown_only]
    changed, merged = data["cells"][places[shows[0]]], data["cells"][places[shows[1]]]
    for cell in data["cells"]:
        cell["metadata"] = {}
        del cell["id"]
    changed["source"] = [*changed["source"], "\nplt.title('mine')"]
    merged["source"] = ["x = 1\n", *merged["source"]]
    path = tmp_path / "attention.ipynb"
    path.write_text(json.dumps(data))
    assert pictures(LESSON, path) == {name: [png(11 + SHOWS.index(name))] for name in shows}


def test_a_picture_that_the_file_holds_in_lines_is_whole(tmp_path):
    lines = [line + "\n" for line in (png(7)[:20], png(7)[20:])]
    hand_in(submission("en", {SHOWS[0]: [picture(lines)]}), Course(tmp_path), "ada", NAME)
    assert pictures(LESSON, tmp_path / "submitted" / "ada" / NAME / f"{NAME}.ipynb")[SHOWS[0]] == [png(7)]


def test_a_printed_table_is_shown_as_text_that_cannot_run(tmp_path):
    essay = Lesson.load("gpt", WORKBOOK).essays["two_layers_why"]
    printed = {"output_type": "stream", "name": "stdout", "text": ["head  again\n", "<b onload=x>0  1.3\n" * 1_000]}
    cell = {"cell_type": "code", "metadata": {"nbgrader": {"grade_id": "switch_off"}}, "outputs": [printed]}
    path = tmp_path / "gpt.ipynb"
    path.write_text(json.dumps({"cells": [cell]}))
    (table,) = beside.own_figures(essay, beside.submitted_outputs(Lesson.load("gpt", WORKBOOK), path))
    assert table.text.startswith("head  again\n<b onload") and len(table.text) == beside.MAX_TABLE
    shown = beside._figures("two_layers_why", [table], "en")
    page = pages.Page().rendered(shown.source, {})
    assert "<pre><code>head  again\n&lt;b onload=x&gt;0  1.3" in page


@pytest.mark.parametrize("content", ["", "[]", '{"cells": 7}', '{"cells": [7, {"metadata": 7}]}', "[" * 100_000])
def test_a_broken_file_has_no_figures(tmp_path, content):
    path = tmp_path / "eve" / NAME / f"{NAME}.ipynb"
    path.parent.mkdir(parents=True)
    path.write_text(content)
    assert pictures(LESSON, path) == {}
    assert pictures(LESSON, path.with_name("gone.ipynb")) == {}


def test_a_link_to_anothers_figures_is_not_followed(tmp_path):
    hand_in(submission("en", {SHOWS[0]: [picture(png(7))]}), Course(tmp_path), "ada", NAME)
    (tmp_path / "submitted" / "eve").symlink_to(tmp_path / "submitted" / "ada")
    assert pictures(LESSON, tmp_path / "submitted" / "eve" / NAME / f"{NAME}.ipynb") == {}
