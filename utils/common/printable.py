"""A student's text made safe: all such text passes through here on its way to a terminal, a log or a page."""

# Characters that are kept, more than any sentence has.
LONGEST = 1000


def printable(text: str) -> str:
    """Return the text, at most `LONGEST` characters, with a space for each control character."""
    return "".join(letter if letter.isprintable() else " " for letter in text[:LONGEST])
