"""A lesson's generated files for students, `utils/LESSON/made/`: answers, small cases, outline, messages, data.

The public checks' answers are the reference's results and the mistakes' fingerprints: nobody writes an expected value.
A lesson whose tests miss something is refused here, before students meet it.
"""

import contextlib
import hashlib
import inspect
import json
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

import polib

from autograder import mistakes
from autograder.common.course import EXAM, Part
from autograder.common.errors import BuildError
from autograder.course.catching import tables
from autograder.course.faithful import compiled
from autograder.course.lookalikes import refuse_unsaid
from autograder.course.mutants import mutants_of, refuse_unmade
from autograder.course.outlines import outline
from autograder.course.small_cases import stored_cases
from autograder.exams import reference
from autograder.exams.exam import OWN_SEED, exams_of
from autograder.lesson.text import Lesson
from autograder.lesson.translation import TRANSLATED, catalogues, prose
from utils.checks.catch import TABLE
from utils.checks.engine import pair_prints
from utils.checks.engine.answer_key import ANSWERS, StoredKey, keep_rounding, store_answers, store_pairs
from utils.checks.engine.cases import CASES
from utils.checks.engine.pair_prints import Pair
from utils.checks.engine.question import Question
from utils.checks.outline import OUTLINE


@reference.without_warnings()
def of_lesson(lesson: Lesson, *, check: bool = False) -> dict[Path, bytes]:
    """Return a lesson's files in `made/`, in the workbook's folder or the course's.

    check: the files are only compared with those of the last build, see `answers_of`.
    """
    files = {ANSWERS: answers(lesson, check=check).encode(), OUTLINE: outline(lesson).encode()}
    if cases := stored_cases(lesson):
        files[CASES] = cases.encode()
    if shown := tables(lesson):
        files[TABLE] = shown.encode()
    for language in TRANSLATED:
        if paths := catalogues(language, lesson):
            whole, *more = (polib.pofile(str(path)) for path in paths)
            whole.extend(entry for catalogue in more for entry in catalogue if entry not in whole)
            files[f"{language}.mo"] = compiled(whole, prose(lesson))
    if data := lesson.parts[-1].module("data"):
        files |= data.made()
    return {lesson.parts[-1].made / name: content for name, content in files.items()}


def answers(lesson: Lesson, *, check: bool = False) -> str:
    """Return the content of a lesson's file of answers: a line for each value, not indented, which takes less space.

    Of a lesson that a course adds questions to, the workbook's answers are taken as they are.
    """
    known = _before(lesson.parts[0]) if len(lesson.parts) > 1 else {}
    new = answers_of(lesson, check=check, known=known.get("questions", {}))
    merged = {key: known.get(key, {}) | value if isinstance(value, dict) else value for key, value in new.items()}
    return json.dumps(merged, indent=0, sort_keys=True, ensure_ascii=False) + "\n"


def answers_of(lesson: Lesson, *, check: bool = False, known: Collection[str] = ()) -> dict[str, Any]:
    """Return the public checks' answers: the reference's results, and the mistakes' fingerprints.

    check: what gives the same result as in the last build is not run a second time, because that build ran it; and if
    all answers are the same, that build refused mistakes which look alike. known: questions that are left out.
    """
    before = _before(lesson.parts[-1])
    refuse_tests_that_test_nothing(lesson)
    refuse_unmade(lesson)
    questions = {}
    for name, question in reference.checks_of(lesson).items():
        if name in known:
            continue
        if name not in lesson.tests:
            raise BuildError(f"The check {name} has no cell “# %% test {name} POINTS” in the text of {lesson.name}.")
        students, mutants = reference.students_of(lesson, name), mutants_of(lesson, name)
        last = before.get("questions", {}).get(name, {})
        questions[name] = keep_rounding(store_answers(question, students, mutants, last if check else {}), last)
    stored = {
        "questions": questions,
        **_pairs(lesson, questions, before),
        "says": {mistake.id: mistake.says for mistake in mistakes.load(lesson).values()},
        "whys": _whys(lesson),
        "classes": {c.id: {"of": sorted(c.of), "says": c.says} for c in mistakes.classes_of(lesson)},
    }
    # As text, because NaN differs from itself.
    if not check or json.dumps(stored, sort_keys=True) != json.dumps(before, sort_keys=True):
        refuse_unsaid(lesson, {name: StoredKey(stored, name) for name in questions}, exams=not check)
    if lesson.own:
        refuse_unnoticed(lesson, known)
    return stored


def refuse_tests_that_test_nothing(lesson: Lesson) -> None:
    """Raises: BuildError for a test cell whose question lacks a check or an exam."""
    checks, exams = reference.checks_of(lesson), exams_of(lesson)
    part = lesson.parts[-1]
    kinds = (("check", checks, part.utils / f"{part.check}.py"), ("exam", exams, part.source / EXAM))
    for name in lesson.tests:
        for kind, known, file in kinds:
            if name not in known:
                raise BuildError(
                    f"The cell “# %% test {name}” of {lesson.name} has no {kind}; write it into {file}, or "
                    f"delete the cell."
                )


def refuse_unnoticed(lesson: Lesson, known: Collection[str]) -> None:
    """Refuse mistakes that their exam does not notice; `known`: the workbook's questions. Raises: BuildError."""
    for name in lesson.tests.keys() - set(known):
        key = reference.key_of(lesson, exam := exams_of(lesson)[name], OWN_SEED)
        for made in key.mistakes():
            if all(key.passes(made, test) for test in exam.tests.values()):
                raise BuildError(f"The exam of {name} does not notice the mistake {made}; add a test, or drop it.")


def _before(part: Part) -> dict[str, Any]:
    """Return the answers that the last build wrote for a lesson's part."""
    path = part.made / ANSWERS
    answers: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return answers


def _whys(lesson: Lesson) -> list[dict[str, Any]]:
    """Return each text on what goes wrong, once, with the ids of the mistakes that it belongs to."""
    of: dict[str, list[str]] = {}
    for mistake, text in mistakes.whys_of(lesson).items():
        of.setdefault(text, []).append(mistake)
    return [{"of": ids, "says": text} for text, ids in of.items()]


def _pairs(lesson: Lesson, questions: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """Return the prints of two mistakes at once, and a checksum of what they are computed from, both by question.

    before: the answers of the last build. All questions of a lesson take minutes. So a question's prints are taken from
    the last build if its checksum is the same.
    """
    checks = reference.checks_of(lesson)
    checksums = {name: checksum_of_pairs(lesson, checks[name], stored) for name, stored in questions.items()}
    last, pairs = before.get("pairs_of", {}), {}
    for name, stored in questions.items():
        if name in last and last[name] == checksums[name]:
            pairs[name] = before["pairs"][name]
        else:
            pairs[name] = store_pairs(checks[name], stored, pair_students(lesson, name))
    return {"pairs": pairs, "pairs_of": checksums}


def checksum_of_pairs(lesson: Lesson, check: Question, stored: dict[str, Any]) -> str:
    """Return a checksum of what decides a question's prints of pairs: results of single mistakes, tests, code of pairs.

    stored: the question's stored answers. A change of the engine or of other cells shows in these, as far as it changes
    results; `store_pairs` and the form of a print do not, so their code is in the checksum.
    """
    codes = [str((pair, code)) for pair, code in reference.pairs_of(lesson, check.name).items()]
    tests = [inspect.getsource(test.function) for test in check.tests.values()]
    how = [Path(pair_prints.__file__).read_text(encoding="utf-8"), inspect.getsource(store_pairs)]
    return hashlib.sha256("\0".join([json.dumps(stored, sort_keys=True), *how, *tests, *codes]).encode()).hexdigest()


def pair_students(lesson: Lesson, question: str) -> Iterator[tuple[Pair, tuple[Any, ...]]]:
    """Yield each pair of mistakes of a question, and the objects of a student who makes both."""
    for pair in reference.pairs_of(lesson, question):
        with contextlib.suppress(Exception):  # a cell that raises with both has no results to recognise
            yield pair, reference.pair_students(lesson, question, pair)
