"""The workbook is updated under a running course: `git pull`, grade again; right marks, and it is said what changed."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.common import version
from autograder.common.course import WORKBOOK, Course
from autograder.common.paths import ROOT
from autograder.gradebook.books import standings
from autograder.gradebook.log import read_log
from autograder.lesson.compose import compose, hand_in
from autograder.lesson.text import Lesson
from tests.helpers.courses import edit
from tests.helpers.typed import run
from utils.version import __version__

LESSON = "attention"
ATTENTION = Lesson.load(LESSON, WORKBOOK)
QUESTION = next(iter(ATTENTION.tests))
ESSAYS = list(ATTENTION.essays)

pytestmark = [
    pytest.mark.whole,
    pytest.mark.skipif(
        shutil.which("git") is None or not (ROOT / ".git").exists(), reason="needs git and a clone of the workbook"
    ),
]


def git(folder: Path, *words: str) -> str:
    who = ["-c", "user.name=t", "-c", "user.email=t@x.org", "-c", "protocol.file.allow=always"]
    return subprocess.run(["git", *who, *words], cwd=folder, capture_output=True, text=True, check=True).stdout


@pytest.fixture
def upstream(tmp_path) -> Path:
    """A repository of the workbook as it lies here, uncommitted edits included."""
    names = git(ROOT, "ls-files", "--cached", "--others", "--exclude-standard").splitlines()
    folder = tmp_path / "upstream"
    for name in names:
        if (ROOT / name).is_file() and not name.startswith(("tests/", "benchmarks/")):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    git(folder, "init", "--quiet", "--initial-branch=main")
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message=as it is")
    return folder


def test_a_pull_brings_new_points_questions_and_its_version(tmp_path, upstream, monkeypatch):
    monkeypatch.setenv("ATTENTION_WORKBOOK_STORE", str(tmp_path / "store"))
    clone, course = tmp_path / "workbook", tmp_path / "term"
    git(tmp_path, "clone", "--quiet", str(upstream), str(clone))

    def workbook(*words: str) -> str:
        folder = course if course.is_dir() else tmp_path
        done = run(folder, sys.executable, "-m", "autograder", *words, PYTHONPATH=str(clone), COLUMNS="200")
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def commit() -> str:
        return git(clone, "rev-parse", "--short=8", "HEAD").strip()

    workbook("new", str(course), "--name", "dl")
    hand_in(compose(ATTENTION), Course(course), "ada", LESSON)
    hand_in(compose(ATTENTION, blank=True), Course(course), "bob", LESSON)
    first = commit()
    assert f"Graded by the workbook 0.1.0 ({first})." in workbook("grade", LESSON)
    before = standings(Course(course), LESSON)
    assert read_log(Course(course), LESSON, "ada")["version"] == f"0.1.0 ({first})"

    points = ATTENTION.tests[QUESTION].points
    source = upstream / "source" / LESSON / "lesson.py"
    essay = re.search(rf"(?ms)^# %% essay {ESSAYS[-1]} .*?(?=^# %%)", source.read_text(encoding="utf-8") + "# %%")[0]
    edit(source, (f"test {QUESTION} {points:g}", f"test {QUESTION} {points + 2:g}"), (essay.rstrip("\n"), ""))
    edit(upstream / "utils" / "version.py", ('"0.1.0"', '"0.2.0"'))
    git(upstream, "commit", "--quiet", "--all", "--message=other points, one essay less")
    git(clone, "pull", "--quiet")
    second = commit()
    assert second != first and f"workbook 0.2.0 ({second})" in workbook("status")
    said = workbook("grade", LESSON)
    assert f"Other points: test_{QUESTION} {points:g} → {points + 2:g}." in said
    assert f"with the marks given for them: {ESSAYS[-1]}" in said
    assert f"Graded by the workbook 0.2.0 ({second})." in said
    after = standings(Course(course), LESSON)
    assert after["ada"].total == before["ada"].total + 2 and after["bob"].total == before["bob"].total == 0
    why = f"other points: test_{QUESTION} {points:g} → {points + 2:g}; the workbook 0.1.0 ({first}) → 0.2.0 ({second})"
    assert f"Mark changed: ada {before['ada'].total:g} → {after['ada'].total:g} ({why})" in said
    assert after["ada"].waiting == before["ada"].waiting - {ESSAYS[-1]}
    assert read_log(Course(course), LESSON, "ada")["version"] == f"0.2.0 ({second})"
    page = (course / "feedback" / "ada" / LESSON / f"{LESSON}.html").read_text(encoding="utf-8")
    assert f"version 0.2.0 ({second})" in page
    assert git(clone, "status", "--porcelain") == ""
    # A commit that no mark depends on leaves the marks, and says who gave them.
    (upstream / "README.md").write_text("another one")
    git(upstream, "commit", "--quiet", "--all", "--message=another README")
    git(clone, "pull", "--quiet")
    hand_in(compose(ATTENTION), Course(course), "cyd", LESSON)
    said = workbook("grade", LESSON)
    assert f"Graded by the workbook 0.2.0 ({commit()})." in said
    assert f"Marks given by 0.2.0 ({second}): 2; nothing that they depend on has changed since." in said
    # An edit of one's own is part of what gave the marks.
    edit(clone / "source" / LESSON / "exam.py", ('"""', '"""  '))
    assert f"({commit()}, edited)" in workbook("status")


@pytest.mark.parametrize("command", [("no-such-program",), ("false",), ("true",)])
def test_where_git_does_not_answer_the_version_stands_alone(monkeypatch, command):
    monkeypatch.setattr(version, "COMMIT", command)
    version.workbook_version.cache_clear()
    try:
        assert version.workbook_version() == __version__
    finally:
        version.workbook_version.cache_clear()
