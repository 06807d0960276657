"""The languages with a complete translation. A language whose translation has only begun fails no test."""

from autograder.lesson import translation

TRANSLATED = tuple(language for language in translation.TRANSLATED if not translation.begun(language))
LANGUAGES = ("en", *TRANSLATED)
