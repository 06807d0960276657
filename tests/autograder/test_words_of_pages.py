"""Pages take their words by name: each name that a page uses has a text, and each text has a page that uses it."""

import re
from pathlib import Path

import pytest

from autograder.gradebook import pages
from autograder.marking import handlers
from autograder.marking.words import WORDS as MARKING

MARKING_FOLDER, FEEDBACK = Path(handlers.__file__).parent, Path(pages.__file__).parent / "templates" / "workbook"
# `words.title`, `words["keys"]` in templates; `say("title"` in scripts.
USED = re.compile(r'(?:words\.|words\["|say\(")(\w+)')


def sources(folder: Path) -> str:
    files = [path for path in sorted(folder.rglob("*")) if path.suffix in (".j2", ".js", ".py")]
    return "\n".join(path.read_text(encoding="utf-8") for path in files if path.name != "words.py")


@pytest.mark.parametrize(("folder", "words"), [(MARKING_FOLDER, MARKING), (FEEDBACK, pages.WORDS)])
def test_each_name_has_a_text_and_each_text_a_use(folder, words):
    text = sources(folder)
    named = set(USED.findall(re.sub(r"words\.(?:split|map|filter|length|items)\b", "", text)))
    assert named - words.keys() == set()
    # Names are also listed in templates, sent in answers, or put together ("lab_" and a name).
    apart = {name for name in words if not re.search(rf"\b{re.escape(name.removeprefix('lab_'))}\b", text)}
    assert apart == set()
