"""The languages with a complete translation. A language whose translation has only begun fails no test."""

import re
from collections.abc import Iterable

from autograder.lesson import translation

TRANSLATED = tuple(language for language in translation.TRANSLATED if not translation.begun(language))
LANGUAGES = ("en", *TRANSLATED)

# Words that English sentences have, and French ones lack.
ENGLISH = re.compile(
    r"\b(the|and|of|is|are|was|were|with|its?|that|for|not|from|you|your|by|to|has|have)\b", re.IGNORECASE
)


def english_lines(texts: Iterable[str]) -> list[str]:
    """Return the lines that hold English words; code in backquotes, quoted comments and paths do not count."""
    lines = (re.sub(r"`[^`]*`|« [^»]*»|\S*/\S*", "", line) for text in texts for line in text.splitlines())
    return [line for line in lines if ENGLISH.search(line)]
