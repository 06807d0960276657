"""A student's text made safe: all such text passes through here on its way to a terminal, a log or a page."""

# The number of characters that are kept; no sentence is longer.
LONGEST = 1000


def printable(text: str) -> str:
    """Return the text, at most `LONGEST` characters, with a space for each control character."""
    return "".join(letter if letter.isprintable() else " " for letter in text[:LONGEST])
