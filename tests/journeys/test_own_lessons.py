"""A question and a lesson of a course's own, those of `docs/course`: released, checked, graded and reported as any.

Everything is typed, because a process keeps a lesson's modules once it has loaded them.
"""

import json
import re
import shutil
from pathlib import Path

import nbformat
import pytest

from autograder.common.course import Course
from autograder.common.paths import ROOT
from autograder.common.settings import STORE_FOLDER
from autograder.gradebook.log import read_log
from autograder.lesson.setup import wheel_name
from tests.helpers.dask_cluster import Cluster
from tests.helpers.elsewhere import run
from tests.helpers.typed import workbook

pytestmark = pytest.mark.whole

FURTHEST = """\
def nearest(points, centres):
    return (points[:, None] - centres[None]).square().sum(dim=2).argmax(dim=1)
"""
MULTIPLIED = """\
def tempered(scores, temperature):
    return torch.softmax(scores * temperature, dim=1)
"""
SAID = "Vous multipliez les scores par la température"


def typed(course: Path, *words: str) -> str:
    done = workbook(course, *words)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return done.stdout


@pytest.fixture(scope="module")
def course(tmp_path_factory) -> Path:
    """A French course with both, opened and graded; one student has made a mistake in each."""
    folder = tmp_path_factory.mktemp("own")
    course = folder / "term"
    typed(folder, "new", "term", "--name", "dl", "--language", "fr")
    shutil.copytree(ROOT / "docs" / "course", course, dirs_exist_ok=True)
    for half in ("source", "utils"):  # somebody is still writing it
        shutil.copytree(ROOT / "docs" / "course" / half / "clusters", course / half / "draft")
    for module in (course / "source" / "draft").glob("*.py"):
        module.write_text(module.read_text().replace("utils.clusters", "utils.draft"))
    catalogue = course / "source" / "draft" / "mistakes.toml"
    catalogue.write_text(catalogue.read_text().replace('"argmin"', '"argmim"'))
    (course / "students.csv").write_text("id\nada\n")
    for lesson, question, answer in (("clusters", "nearest", FURTHEST), ("attention", "tempered", MULTIPLIED)):
        (folder / "answer.py").write_text(answer)
        notebook = course / "submitted" / "ada" / lesson / f"{lesson}.ipynb"
        notebook.parent.mkdir(parents=True)
        typed(course, "compose", lesson, "--cell", f"{question}={folder / 'answer.py'}", "-o", str(notebook))
        notebook.write_text(notebook.read_text().replace('"language": "en"', '"language": "fr"'))
        if lesson == "attention":  # grading makes the notebook of the other, too, and so opens it
            typed(course, "open", lesson)
        typed(course, "grade", lesson)
    return course


def said_of(course: Path, lesson: str, question: str) -> tuple[float, set[str]]:
    log = read_log(Course(course), lesson, "ada")
    (graded,) = [one for one in log["questions"] if one["id"] == f"test_{question}"]
    return graded["points"], {verdict["mistake"] for verdict in graded["tests"] if verdict["mistake"]}


def test_their_mistakes_are_named_and_cost_their_points(course):
    points, named = said_of(course, "attention", "tempered")
    assert named == {"temperature_multiplied"} and points < 3
    assert said_of(course, "clusters", "nearest") == (0, {"furthest_centre"})
    assert said_of(course, "clusters", "moved") == (4, set())
    assert said_of(course, "attention", "self_attention")[1] == set()


def test_report_and_term_page_have_them(course):
    shown = typed(course, "report", "clusters")
    assert re.search(r"nearest .*0,0/3.*furthest_centre \(1\)", shown) and re.search(r"moved .*4,0/4", shown)
    typed(course, "report", "clusters", "--html")
    page = (course / "report" / "clusters.html").read_text(encoding="utf-8")
    assert "Partitionner\N{NO-BREAK SPACE}: des groupes sans étiquettes" in page and "du centre le plus éloigné" in page
    typed(course, "term")
    head, ada = (course / "report" / "term.csv").read_text(encoding="utf-8-sig").splitlines()
    assert head == "id;name;attention (of 48);clusters (of 9);total %;final"
    assert ada.startswith("ada;;") and ada.split(";")[3] == "4+"


def test_beside_a_cluster_they_are_examined_here_because_its_workers_have_no_course(course, tmp_path, monkeypatch):
    monkeypatch.setenv(STORE_FOLDER, str(tmp_path / "empty"))
    cluster = Cluster(tmp_path)
    try:
        cluster.worker(PYTHONPATH=str(ROOT))
        typed(course, "grade", "clusters", "--scheduler", cluster.address, "--force")
    finally:
        cluster.close()
    assert said_of(course, "clusters", "nearest") == (0, {"furthest_centre"})


def test_feedback_is_in_the_course_s_language(course):
    page = (course / "feedback" / "ada" / "attention" / "attention.html").read_text(encoding="utf-8")
    assert SAID in page and "exam.tempered" not in page
    page = (course / "feedback" / "ada" / "clusters" / "clusters.html").read_text(encoding="utf-8")
    assert "Partitionner : des groupes" in page.replace("\xa0", " ") and "Pourquoi cela" in page


def test_the_question_stands_where_its_text_says(course):
    released = nbformat.read(course / "release" / "attention" / "attention.ipynb", as_version=4)
    ids = [cell.metadata.nbgrader.grade_id for cell in released.cells if "nbgrader" in cell.metadata]
    place = ids.index("tempered")
    assert ids[place - 2 : place + 2] == ["test_self_attention", "more_checks", "tempered", "test_tempered"]
    prose = [cell.source for cell in released.cells if "tempered(scores, temperature)" in cell.source]
    assert prose[0].startswith("### Une question de notre cours")
    # Beside the students' notebook, and where the first cell of the instructors' looks.
    wheel = wheel_name(Course(course).version)
    assert {path.name for path in (course / "release" / "attention").iterdir()} == {"attention.ipynb", wheel}
    assert (course / "source" / wheel).is_file()


def test_students_have_their_checks_in_one_file(course, tmp_path):
    """In the edition for Colab, where the workbook is not installed."""
    notebook = json.loads((course / "bundle" / "colab" / "fr" / "attention.ipynb").read_text(encoding="utf-8"))
    needed = {"setup", "imports", "more_checks", "tempered", "test_tempered"}
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    notebook["cells"] = [
        cell
        for cell in code
        if cell["id"] == "carried-modules" or cell["metadata"].get("nbgrader", {}).get("grade_id") in needed
    ]
    path, answer = tmp_path / "attention.ipynb", tmp_path / "answer.py"
    path.write_text(json.dumps(notebook), encoding="utf-8")
    answer.write_text(MULTIPLIED)
    cells = run(path, f"tempered={answer}")
    assert cells["setup"]["error"] == cells["imports"]["error"] == ""
    assert SAID in " ".join(cells["test_tempered"]["output"].split())


def test_an_unfinished_lesson_holds_up_nobody_and_says_what_it_lacks(course):
    done = workbook(course, "open", "draft")
    assert "looks for 'argmim' in the cell nearest, where it occurs 0 times" in done.stderr
    assert done.returncode != 0 and not (course / "release" / "draft").exists()


def test_one_notebook_is_tried(course):
    typed(course, "compose", "clusters", "-o", "out.ipynb")
    shown = typed(course, "try", "clusters", "out.ipynb", "--json")
    points = {question["id"]: question["points"] for question in json.loads(shown)["questions"]}
    assert points == {"test_nearest": 3, "test_moved": 4, "why_it_ends": None}


def test_what_there_is_to_translate_is_listed_in_the_course_s_language(course):
    path = course / "source" / "clusters" / "fr.po"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('msgstr "Le centre le plus proche"', 'msgstr ""'), encoding="utf-8")
    shutil.rmtree(course / "source" / "draft")
    shutil.rmtree(course / "utils" / "draft")
    said = typed(course, "translate").splitlines()
    assert sorted(said) == ["source/attention/fr.po: complete", "source/clusters/fr.po: 1 text to translate"]


def test_translations_of_texts_that_are_gone_stay_until_they_are_dropped(course):
    path = course / "source" / "clusters" / "fr.po"
    with path.open("a", encoding="utf-8") as catalogue:
        catalogue.write('\nmsgid "A sentence of last year."\nmsgstr "Une phrase de l\'an dernier."\n')
    typed(course, "translate")
    assert '#~ msgstr "Une phrase de l\'an dernier."' in path.read_text(encoding="utf-8")
    kept = path.read_text(encoding="utf-8").count("\nmsgstr ")
    assert "source/clusters/fr.po" in typed(course, "translate", "--drop-obsolete")
    left = path.read_text(encoding="utf-8")
    assert "an dernier" not in left and left.count("\nmsgstr ") == kept
