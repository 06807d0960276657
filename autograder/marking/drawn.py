"""Numbers that look random and are the same at each visit of the page."""

from hashlib import sha256


def drawn(*names: str) -> float:
    """Return a number from 0 to 1, the same for the same names."""
    return int.from_bytes(sha256("/".join(names).encode()).digest()[:8], "big") / 2**64
