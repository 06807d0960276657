"""Finding every text that students may read, for the translators' catalogues.

Texts stand where they are used: templates of `Message(...)`, questions' titles, asks and hints in
the checks and exams, sentences in the catalogue of mistakes. This gathers them; nothing lists them twice.
"""

import ast
from pathlib import Path

from autograder import mistakes
from autograder.exams import reference
from autograder.lesson.text import ROOT, Lesson, lesson_names
from autograder.lesson.translation import TRANSLATED, catalogue_path, prose, update_catalogue

# Calls whose first argument is a text for students.
CALLS = ("Message", "translate", "Refused", "Stopped")


def texts() -> list[str]:
    """Return every message, in a fixed order, each once."""
    found: list[str] = []
    for lesson in lesson_names():
        for questions in (reference.checks(lesson), reference.exams(lesson)):
            for question in questions.values():
                found += [question.title, *question.hints, *(test.ask for test in question.tests.values())]
        found += [mistake.says for mistake in mistakes.load(lesson).values()]
    for folder in ("utils", "autograder"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            found += _of_module(path)
    return list(dict.fromkeys(text for text in found if text))


def _of_module(path: Path) -> list[str]:
    """Return the literal texts that a module hands to one of `CALLS`, and its constants that are sentences."""
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in CALLS and node.args:
            text = node.args[0]
        elif isinstance(node, ast.Assign) and path.name in ("host.py", "intake.py"):
            names = node.targets[0].elts if isinstance(node.targets[0], ast.Tuple) else node.targets
            values = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
            if all(isinstance(name, ast.Name) for name in names) and len(names) == len(values):
                found += [v.value for v in values if isinstance(v, ast.Constant) and _is_sentence(v.value)]
            continue
        else:
            continue
        if isinstance(text, ast.Constant) and isinstance(text.value, str):
            found.append(text.value)
    return found


def _is_sentence(value: object) -> bool:
    return isinstance(value, str) and value.count(" ") > 3


def update_all() -> dict[str, int]:
    """Bring all catalogues up to date; return how many texts each still lacks."""
    missing = {}
    for language in TRANSLATED:
        wanted = {"messages": texts()} | {lesson: prose(Lesson.load(lesson)) for lesson in lesson_names()}
        for name, found in wanted.items():
            path = catalogue_path(language, name)
            catalogue = update_catalogue(path, language, found)
            path.parent.mkdir(parents=True, exist_ok=True)
            catalogue.save(str(path))
            missing[str(path.relative_to(ROOT))] = len(catalogue.untranslated_entries())
    return missing
