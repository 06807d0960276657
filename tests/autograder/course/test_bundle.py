"""A student's bundle, taken apart and used: it holds what students need, and nothing that they must not see."""

import ast
import base64
import io
import json
import lzma
import os
import re
import zipfile
from pathlib import Path

import pytest

from autograder.common.course import WORKBOOK, Course
from autograder.common.errors import BuildError
from autograder.common.paths import ROOT
from autograder.course import bundle, glossary
from autograder.course.carried import self_contained
from autograder.exams import reference
from autograder.intake.notebook import take_in_bytes
from autograder.lesson.setup import ABSENT, HIDING, NO_VERSION, SETUP_NAME, wheel_name
from autograder.lesson.text import Lesson
from autograder.lesson.translation import message
from autograder.site import documents
from tests.helpers.elsewhere import run
from tests.helpers.languages import LANGUAGES, TRANSLATED
from utils.common.lessons import ORDER as LESSONS
from utils.common.messages import own_name, translate

VERSION = WORKBOOK.version
WHEEL = wheel_name(VERSION)
ADDRESS = "https://raw.githubusercontent.com/someone/course/main/bundle/" + WHEEL


# The editions for Colab whose sizes are tested: the largest of each lesson, and the one that students open first.
PACKED_WELL = {*((name, "zh") for name in WORKBOOK.lessons), ("attention", "en")}


@pytest.fixture(scope="module")
def files():
    """The bundle; the editions whose sizes are tested are packed as students get them."""
    quickly = lzma.compress

    def packed(notebook, wheel, course):
        told = notebook.metadata["workbook"]
        well = (told["lesson"], told["language"]) in PACKED_WELL
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(lzma, "compress", quickly.func if well else quickly)
            return self_contained(notebook, wheel, course)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(bundle, "self_contained", packed)
        return bundle.contents(WORKBOOK)


@pytest.fixture(scope="module")
def addressed():
    """The bundle of the first lesson alone, with the wheel's address."""
    return bundle.contents(WORKBOOK, ADDRESS, ["attention"])


def only_the_first_cells(notebook: bytes, last: str = "imports") -> str:
    """Return a notebook less all that comes after a cell."""
    data = json.loads(notebook)
    ids = [cell["metadata"].get("nbgrader", {}).get("grade_id") for cell in data["cells"]]
    data["cells"] = data["cells"][: ids.index(last) + 1]
    return json.dumps(data)


def reference_files(lesson: Lesson, folder: Path) -> list[str]:
    """Write the reference of each gap into a file, and return them as `NAME=FILE`."""
    answers = []
    for name, cell in lesson.solutions.items():
        path = folder / f"{name}.txt"
        path.write_text(cell.code, encoding="utf-8")
        answers.append(f"{name}={path}")
    return answers


# ---- what is in it ------------------------------------------------------------------------------------------


def test_files_and_sizes(files):
    for language in LANGUAGES:
        assert f"{language}/README.md" in files and WHEEL.encode() in files[f"{language}/README.md"]
        for name in list(WORKBOOK.lessons):
            size = len(files[f"colab/{language}/{name}.ipynb"])
            limit = {"captioning": 2_500_000, "gpt": 1_200_000}.get(name, 860_000)  # networks that are shipped
            assert size < limit or (name, language) not in PACKED_WELL
        assert "AGENTS.md" in files[f"{language}/README.md"].decode()
    requirements = files["requirements.txt"].decode().split()
    assert "torch>=2.0" in requirements and "jupyterlab>=4" in requirements
    assert not any(line.startswith(("nbgrader", "jupytext", "sacrebleu")) for line in requirements)
    assert "  - pytorch >=2.0\n" in files["environment.yml"].decode()


def test_the_wheel_says_that_its_functions_have_types(files):
    """Else a user's type checker takes all that comes from `utils` for untyped."""
    with zipfile.ZipFile(io.BytesIO(files[WHEEL])) as wheel:
        assert "utils/py.typed" in wheel.namelist()


def every_file(name: str, content: bytes):
    """Yield a file and, of an archive or a notebook that carries one, all that it holds."""
    yield name, content
    if zipfile.is_zipfile(io.BytesIO(content)) and not name.endswith(".npz"):
        with zipfile.ZipFile(io.BytesIO(content)) as zipped:
            for entry in zipped.namelist():
                yield from every_file(f"{name}/{entry}", zipped.read(entry))
    if name.endswith(".ipynb"):
        for cell in json.loads(content)["cells"]:
            yield f"{name}/{cell['id']}", "".join(cell["source"]).encode()
    if name.startswith("colab/") and name.endswith(".ipynb"):
        [data] = [source for cell in json.loads(content)["cells"] if "MODULES" in (source := "".join(cell["source"]))]
        packed = base64.b64decode(data.partition("'''")[2].partition("'''")[0])
        yield from every_file(f"{name}/modules.zip", lzma.decompress(packed))


def secrets() -> dict[str, str]:
    """Return texts that no student may see, and what they are; lines are stripped."""
    found = {str(ROOT): "a path", os.path.expanduser("~/"): "a path", "autograder.exams import": "an exam"}
    found |= {"BEGIN SOLUTION": "a marker", "BEGIN HIDDEN TESTS": "a marker", "*Points.*": "a model answer"}
    for name in list(WORKBOOK.lessons):
        lesson = Lesson.load(name, WORKBOOK)
        found |= {f"exam.{question}(": "an exam" for question in lesson.tests}
        for cell in [*lesson.essays.values(), *lesson.solutions.values()]:
            for answer in cell.source.split("### BEGIN SOLUTION\n")[1:]:
                lines = [line.strip() for line in answer.partition("### END SOLUTION")[0].strip().split("\n")]
                # three lines together: one or two may stand in honest modules as well
                runs = [lines[i : i + 3] for i in range(max(len(lines) - 2, 1))]
                found |= {"\n".join(run): f"the solution of {cell.name}" for run in runs if len("".join(run)) > 40}
    return {text: what for text, what in found.items() if len(text) > 4}


def test_nothing_that_students_must_not_see(files):
    known = {secret.encode(): what for secret, what in secrets().items()}
    assert len(known) > 100
    looked_at, read = set(), set()
    for name, content in files.items():
        for path, data in every_file(name, content):
            looked_at.add(path)
            if data in read:  # each edition for Colab carries the same modules
                continue
            read.add(data)
            text = b"\n".join(line.strip() for line in data.split(b"\n"))
            found = [what for secret, what in known.items() if secret in text]
            assert not found, f"{path} holds {found}"
    assert not [path for path in looked_at if "autograder/" in path or "source/" in path]
    assert f"{WHEEL}/utils/checks/check.py" in looked_at
    assert not [path for path in looked_at if Path(path).name in ("exam.py", "asked.md", "teaching.md")]
    assert not [path for path in looked_at if path.endswith(tuple(f"{name}/lesson.py" for name in LESSONS))]
    assert not [path for path in looked_at if path.endswith((".toml", ".po"))]


@pytest.mark.parametrize("name", LESSONS)
def test_an_edition_for_colab_carries_its_lesson_s_files_and_no_other_s(files, name):
    content = files[f"colab/fr/{name}.ipynb"]
    carried = {path.partition("/modules.zip/")[2] for path, _ in every_file(f"colab/fr/{name}.ipynb", content)}
    folders = {path.split("/")[1] for path in carried if path.count("/") > 1}
    assert name in folders and not folders & (set(LESSONS) - {name})
    assert {f"utils/{name}/made/{file}" for file in ("answers.json", "cases.json", "outline.json", "fr.mo")} <= carried
    assert not any(path.endswith(("zh.mo", "zh.otf")) for path in carried)


def test_the_first_edition_for_colab_is_small(files):
    assert len(files["colab/en/attention.ipynb"]) <= 480_000


def test_modules_of_another_day_are_refused_in_one_sentence(files, tmp_path):
    lesson = tmp_path / "attention.ipynb"
    lesson.write_text(only_the_first_cells(files["en/attention.ipynb"], SETUP_NAME))
    older = zipfile.ZipFile(io.BytesIO(files[WHEEL]))
    older.extractall(tmp_path)
    (tmp_path / "utils" / "version.py").write_text('__version__ = "0.1.0+1a2b3c4d"\n')
    setup = run(lesson)[SETUP_NAME]
    assert setup["error"] == "ModulesMissing" and f"put {WHEEL} from your course's bundle" in setup["says"]


def test_a_file_of_the_instructors_among_the_students_modules_stops_the_bundle(tmp_path):
    (tmp_path / "source" / "mine").mkdir(parents=True)
    (tmp_path / "source" / "mine" / "lesson.py").write_text("# %% [markdown]\n# # Mine\n")
    (tmp_path / "utils" / "mine").mkdir(parents=True)
    (tmp_path / "utils" / "mine" / "exam_old.py").write_text("")
    with pytest.raises(BuildError, match=r"exam_old\.py would be handed out to students; move it into source/mine/"):
        bundle.build_wheel(Course(tmp_path))


@pytest.mark.whole
def test_the_same_sources_give_the_same_bytes(addressed, monkeypatch):
    monkeypatch.setattr(bundle, "_wheels", {})  # so that the wheel is built a second time
    again = bundle.contents(WORKBOOK, ADDRESS, ["attention"])
    assert len(again) > 3 * len(LANGUAGES) and again == addressed
    assert bundle.archive(again) == bundle.archive(addressed)


def test_a_course_s_folder_and_releases_of_today_and_of_last_week(files, tmp_path, monkeypatch):
    """A notebook of last week keeps its wheel: its first cell refuses another."""
    monkeypatch.setattr(bundle, "contents", lambda course, address, lessons: files)
    older, former = "attention_workbook-0.1.0+1a2b3c4d-py3-none-any.whl", files["en/gpt.ipynb"].decode()
    for name, text in {
        "attention": files["en/attention.ipynb"].decode(),
        "gpt": former.replace(VERSION, "0.1.0+1a2b3c4d"),
    }.items():
        released = tmp_path / "release" / name
        released.mkdir(parents=True)
        (released / f"{name}.ipynb").write_text(text)
        (released / older).write_text("of last week")
    bundle.write(Course(tmp_path))
    assert [path.name for path in (tmp_path / "release" / "attention").glob("*.whl")] == [WHEEL]
    assert [path.name for path in (tmp_path / "release" / "gpt").glob("*.whl")] == [older]
    assert not (tmp_path / "release" / "seq2seq").exists()
    with zipfile.ZipFile(tmp_path / "bundle" / bundle.ARCHIVE) as zipped:
        assert zipped.read("attention-workbook/fr/seq2seq.ipynb") == files["fr/seq2seq.ipynb"]
        assert len(zipped.namelist()) == len(files)


@pytest.mark.parametrize("language", LANGUAGES)
def test_links_lead_to_the_other_languages_and_to_the_lessons_before_and_after(files, language):
    for before, name, after in zip(("", *LESSONS), LESSONS, (*LESSONS[1:], ""), strict=False):
        text = "".join(json.loads(files[f"{language}/{name}.ipynb"])["cells"][0]["source"])
        links = re.findall(r"\]\((.*?)\)", text)
        others = [f"../{other}/{name}.ipynb" for other in bundle.LANGUAGES if other != language]
        terms = ["glossary.md"] if language != "en" else []
        assert links == [*others, *(f"{other}.ipynb" for other in (before, after) if other), *terms]
        assert all(os.path.normpath(f"{language}/{link}") in files for link in links)
        assert text.count(translate("Next lesson:", language)) == bool(after)
        top = "".join(json.loads(files[f"colab/{language}/{name}.ipynb"])["cells"][0]["source"])
        assert ".ipynb" not in top


@pytest.mark.parametrize("language", TRANSLATED)
def test_the_glossary_has_every_term_beside_its_english(files, language):
    head, _, *terms = files[f"{language}/glossary.md"].decode().split("\n\n")[2].strip().split("\n")
    heads, *table = glossary.rows()
    assert head == f"| {own_name(language)} | English |"
    column = heads.index(own_name(language))
    assert sorted(terms) == sorted(f"| {row[column]} | {row[0]} |" for row in table)
    assert all(len(row) == len(heads) and row[0] and row[column] for row in table)
    assert len({row[0] for row in table}) == len(table) > 100
    assert "en/glossary.md" not in files


def test_a_language_without_pages_of_its_own_gets_the_english_ones_with_its_folder(monkeypatch):
    monkeypatch.setattr(bundle, "LANGUAGES", ("en", "pt"))
    files = bundle.contents(WORKBOOK, lessons=["attention"])
    page, english = files["pt/README.md"].decode(), files["en/README.md"].decode()
    for place in ("jupyter lab {}", "open `{}/attention.ipynb`", "`colab/{}/attention.ipynb`", "from `{}/`"):
        assert place.format("pt") in page and place.format("en") in english and place.format("en") not in page
    assert files["README.md"].decode().endswith("- pt: open `pt/README.md`\n")
    assert (
        documents.pages("pt")[documents.HOME].decode().startswith("# ")
        and b"jupyter lab pt" in documents.pages("pt")[documents.HOME]
    )


def test_a_term_without_a_translation_is_left_out_of_the_glossary(monkeypatch):
    table = [["English", "中文", "français"], ["key", "", "clé"], ["query", "查询", ""]]
    monkeypatch.setattr(glossary, "rows", lambda: table)
    assert "| clé | key |" in glossary.glossary("fr") and "query" not in glossary.glossary("fr")
    assert "| 查询 | query |" in glossary.glossary("zh") and "key" not in glossary.glossary("zh")


def test_address_and_badge(addressed):
    notebook = json.loads(addressed["zh/attention.ipynb"])
    badge, [setup] = (
        notebook["cells"][1],
        [
            "".join(cell["source"])
            for cell in notebook["cells"]
            if cell["metadata"].get("nbgrader", {}).get("grade_id") == SETUP_NAME
        ],
    )
    assert f'ADDRESS = "{ADDRESS}"' in setup
    assert "/github/someone/course/blob/main/bundle/colab/zh/attention.ipynb)" in "".join(badge["source"])


# ---- what it does -------------------------------------------------------------------------------------------


@pytest.fixture
def lesson_folder(files, tmp_path):
    """A folder with nothing but the beginning of a lesson."""
    (tmp_path / "attention.ipynb").write_text(only_the_first_cells(files["en/attention.ipynb"]))
    return tmp_path


@pytest.mark.parametrize("language", ["en", "fr"])
def test_no_modules_anywhere_is_one_sentence(files, tmp_path, language):
    lesson = tmp_path / "attention.ipynb"
    lesson.write_text(only_the_first_cells(files[f"{language}/attention.ipynb"], SETUP_NAME))
    setup = run(lesson)[SETUP_NAME]
    assert setup["error"] == "ModulesMissing"
    found = message(NO_VERSION, language)
    assert setup["says"] == message(ABSENT, language).format(VERSION=VERSION, found=found, wheel=WHEEL)
    assert (setup["says"] == ABSENT.format(VERSION=VERSION, found="none", wheel=WHEEL)) == (language == "en")
    assert "Traceback" not in setup["output"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_first_cell_speaks_the_notebook_s_language(files, language):
    cells = json.loads(files[f"{language}/seq2seq.ipynb"])["cells"]
    [setup] = [c for c in cells if c["metadata"].get("nbgrader", {}).get("grade_id") == SETUP_NAME]
    code = "".join(setup["source"])
    said = {node.value for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Constant)}
    assert {message(HIDING, language), message(ABSENT, language)} <= said


def test_a_wheel_one_folder_up(files, lesson_folder):
    (lesson_folder / "en").mkdir()
    (lesson_folder / WHEEL).write_bytes(files[WHEEL])
    moved = (lesson_folder / "attention.ipynb").rename(lesson_folder / "en" / "attention.ipynb")
    assert not any(cell["error"] for cell in run(moved).values())


@pytest.mark.whole
def test_modules_of_another_version_make_way_for_the_wheel(files, lesson_folder):
    (lesson_folder / "utils").mkdir()
    (lesson_folder / "utils" / "__init__.py").touch()
    (lesson_folder / "utils" / "version.py").write_text('__version__ = "0.0.1"\n')
    alone = run(lesson_folder / "attention.ipynb")[SETUP_NAME]
    assert "found: 0.0.1" in alone["says"]
    (lesson_folder / WHEEL).write_bytes(files[WHEEL])
    assert not any(cell["error"] for cell in run(lesson_folder / "attention.ipynb").values())


@pytest.mark.whole
def test_a_student_s_own_utils(files, lesson_folder):
    (lesson_folder / "utils.py").write_text("mine = 1\n")
    assert "Your own utils.py hides" in run(lesson_folder / "attention.ipynb")[SETUP_NAME]["says"]
    (lesson_folder / WHEEL).write_bytes(files[WHEEL])  # which comes before it on the path
    assert not any(cell["error"] for cell in run(lesson_folder / "attention.ipynb").values())


# A lesson's code is the same in every language, and to run a whole lesson takes a while. So each lesson runs whole in
# one language: the first lesson with the wheel beside its notebook, each other lesson with the modules that it needs
# inside its notebook. The first two lessons run once more, up to their imports, in another language and with the
# modules in the other place. `make test` leaves whole lessons to `make test-all`.
EDITIONS = [
    pytest.param(
        name,
        folder + LANGUAGES[(number + shift) % len(LANGUAGES)],
        whole,
        marks=[pytest.mark.whole] if whole else [],
    )
    for number, name in enumerate(WORKBOOK.lessons)
    for folder, shift, whole in (("colab/", 0, number > 0), ("", 1, number == 0))
    if whole or number < 2
]


@pytest.mark.parametrize(("name", "edition", "whole"), EDITIONS)
def test_every_cell_runs_where_only_colab_s_packages_are(files, tmp_path, name, edition, whole):
    """With the reference in the gaps, in folders far from the workbook."""
    lesson, language = Lesson.load(name, WORKBOOK), edition.removeprefix("colab/")
    notebook = tmp_path / "elsewhere" / f"{name}.ipynb"
    notebook.parent.mkdir()
    content = files[f"{edition}/{name}.ipynb"]
    notebook.write_text(content.decode() if whole else only_the_first_cells(content), encoding="utf-8")
    if edition == language:
        (notebook.parent / WHEEL).write_bytes(files[WHEEL])
    cells = run(notebook, *reference_files(lesson, tmp_path))
    assert {key: cell["says"] for key, cell in cells.items() if cell["error"]} == {}
    for question, check in reference.checks_of(lesson).items() if whole else ():
        if edition != language:  # the carrier says which language it is in
            assert f"✓ {translate(check.title, language)}" in cells[f"test_{question}"]["output"]


@pytest.mark.parametrize("name", list(WORKBOOK.lessons))
def test_a_self_contained_notebook_is_graded_like_the_ordinary_one(files, name):
    lesson = Lesson.load(name, WORKBOOK)
    ordinary, carrying = (take_in_bytes(files[f"{folder}fr/{name}.ipynb"], lesson) for folder in ("", "colab/"))
    assert carrying.mended == ordinary.mended == []
    assert (carrying.language, carrying.refused) == ("fr", None)
    managed = [
        [(cell.metadata.nbgrader.grade_id, cell.source) for cell in taken.notebook.cells if "nbgrader" in cell.metadata]
        for taken in (ordinary, carrying)
    ]
    assert managed[0] == managed[1]
    more = [cell.source for cell in carrying.notebook.cells if "carried" in cell.source]
    assert len(more) == 1 and len(more[0]) < 100 and "lzma" not in more[0]


def test_the_address_of_a_course_is_not_reported_as_a_change(addressed):
    assert take_in_bytes(addressed["en/attention.ipynb"], Lesson.load("attention", WORKBOOK)).mended == []
