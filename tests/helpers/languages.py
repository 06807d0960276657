"""The languages whose translation is whole; tests ask nothing of one that has only begun."""

from autograder.lesson import translation

TRANSLATED = tuple(language for language in translation.TRANSLATED if not translation.begun(language))
LANGUAGES = ("en", *TRANSLATED)
