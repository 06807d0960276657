"""The one way by which a student's text reaches a terminal, a log or a page."""

# Characters; what is longer is nobody's sentence.
LONGEST = 1000


def printable(text: str) -> str:
    """Return text without what a terminal would obey."""
    return "".join(letter if letter.isprintable() else " " for letter in text[:LONGEST])
