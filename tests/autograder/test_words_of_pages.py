"""The marking page takes its words by name: each name that it uses has a text, and each text is used."""

import re
from pathlib import Path

from autograder.marking import handlers
from autograder.marking.words import WORDS

FOLDER = Path(handlers.__file__).parent
# `words.title`, `words["keys"]` in templates; `say("title"` in scripts.
USED = re.compile(r'(?:words\.|words\["|say\(")(\w+)')


def sources(folder: Path) -> str:
    files = [path for path in sorted(folder.rglob("*")) if path.suffix in (".j2", ".js", ".py")]
    return "\n".join(path.read_text(encoding="utf-8") for path in files if path.name != "words.py")


def test_each_name_has_a_text_and_each_text_a_use():
    text = sources(FOLDER)
    named = set(USED.findall(re.sub(r"words\.(?:split|map|filter|length|items)\b", "", text)))
    assert named - WORDS.keys() == set()
    # Names are also listed in templates, sent in answers, or put together ("lab_" and a name).
    apart = {name for name in WORDS if not re.search(rf"\b{re.escape(name.removeprefix('lab_'))}\b", text)}
    assert apart == set()
