"""Counts habits of German order in the English that people read: `python -m benchmarks.english`.

The texts: README, the docs, the teachers' pages, the lessons' prose, and every message of the catalogues. Each habit is
good English once; many of them together are an accent. `english.md` has the record.
"""

import re
from collections import Counter
from collections.abc import Iterator

import polib

from autograder.common.course import WORKBOOK
from autograder.common.paths import ROOT
from autograder.lesson.text import Lesson
from autograder.lesson.translation import catalogues, messages_path
from utils.common.messages import LANGUAGES

# A habit -> its form in a text. Idioms that any editor leaves ("stands for", "no longer") are not counted.
HABITS = {
    "stand, stands, stood": r"\b(?:stands?|stood)\b(?! for\b)(?!-)",
    "lie, lies, lay": r"\b(?:lies?|lay)\b",
    "is no, are no + noun": r"\b(?:is|are) no\b(?! (?:longer|more)\b)",
    "asked for": r"\basked for\b",
    "whoever": r"\b[Ww]hoever\b",
}
# The most of all habits together; there were 250.
MOST = 80


def texts() -> Iterator[tuple[str, str]]:
    """Yield the name and the English text of each page, lesson and catalogue."""
    pages = [
        ROOT / "README.md",
        *sorted((ROOT / "docs").glob("*.md")),
        *sorted((ROOT / "source").glob("*/teaching.md")),
    ]
    for page in pages:
        if page.suffixes[0][1:] not in LANGUAGES:  # "student.fr.md" is a translation
            yield str(page.relative_to(ROOT)), page.read_text(encoding="utf-8")
    language = next(language for language in LANGUAGES if language != "en")
    paths = {messages_path(language)} | {
        path for name in WORKBOOK.lessons for path in catalogues(language, Lesson.load(name, WORKBOOK))
    }
    for path in sorted(paths):  # the lessons' prose is among their texts
        entries = [entry for entry in polib.pofile(str(path)) if not entry.obsolete]
        yield str(path.relative_to(ROOT)), "\n\n".join(entry.msgid for entry in entries)


def counts() -> Counter[tuple[str, str]]:
    """Return how often each habit occurs in each text, by (habit, name of the text)."""
    return Counter(
        {(habit, name): len(re.findall(form, text)) for name, text in texts() for habit, form in HABITS.items()}
    )


if __name__ == "__main__":
    number = counts()
    for habit in HABITS:
        print(f"{habit}: {sum(count for (which, _), count in number.items() if which == habit)}")
    print(f"all: {number.total()}, at most {MOST}")
    for (habit, name), count in number.most_common(12):
        print(f"  {count} {habit}: {name}")
