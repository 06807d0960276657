"""Numbers that nobody computes who lacks the key: seeds of hidden tests. Imports nothing heavy."""

import hmac
import json

# Of a number: as many as nobody can try out.
BITS = 128


def keyed(key: str, *parts: object) -> int:
    """Return a number of `BITS` bits, an HMAC of the parts; numbers of other parts reveal nothing about it."""
    message = json.dumps(parts, ensure_ascii=False, sort_keys=True).encode()
    return int.from_bytes(hmac.digest(key.encode(), message, "sha256")[: BITS // 8], "big")
