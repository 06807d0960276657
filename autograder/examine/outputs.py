"""The outputs of a notebook's cells, rebuilt within bounds: student code may have undone the bounds in the sandbox."""

import base64
import re
import struct
from typing import Any

# One output of a cell, in nbformat's form.
Output = dict[str, Any]

# The limits of one picture: characters of base64, and pixels (a page at 300 dpi).
MAX_PICTURE = 1_500_000
MAX_PIXELS = 10_000_000
# Pixels of all pictures of a notebook: a browser needs four bytes for each. A lesson's figures have 10 million.
MAX_ALL_PIXELS = 60_000_000
# Characters of all texts and pictures of a notebook.
MAX_LETTERS = 20_000_000
# Characters of one text, outputs of one cell, and lines of one traceback.
MAX_TEXT = 30_000
MAX_OUTPUTS = 60
MAX_LINES = 200


class Outputs:
    """Rebuilds the outputs of a notebook's cells from their plain texts and PNG pictures."""

    def __init__(self) -> None:
        self.pixels_left = MAX_ALL_PIXELS
        self.letters_left = MAX_LETTERS
        self.left_out = 0  # pictures that exceeded the limits of the notebook

    def of_cell(self, outputs: Any) -> list[Output]:
        """Return a cell's outputs without those that are malformed or exceed the limits."""
        outputs = outputs if isinstance(outputs, list) else []
        kept = [self._checked(output) for output in outputs[:MAX_OUTPUTS] if isinstance(output, dict)]
        return [output for output in kept if output]

    def _checked(self, output: Output) -> Output | None:
        kind = output.get("output_type")
        if kind == "stream":
            return {"output_type": "stream", "name": "stdout", "text": self._text(output.get("text"))}
        if kind == "error":
            trace = output.get("traceback")
            lines = [self._text(line) for line in trace[:MAX_LINES]] if isinstance(trace, list) else []
            return error_output(self._text(output.get("ename"))[:200], self._text(output.get("evalue")), lines)
        if kind in ("display_data", "execute_result") and isinstance(output.get("data"), dict):
            data = {"text/plain": self._text(output["data"].get("text/plain"))}
            picture = output["data"].get("image/png")
            if isinstance(picture, str) and (pixels := _pixels(picture)):
                if pixels <= self.pixels_left and len(picture) <= self.letters_left:
                    self.pixels_left -= pixels
                    self.letters_left -= len(picture)
                    data["image/png"] = picture
                else:
                    self.left_out += 1
            return {"output_type": "display_data", "data": data, "metadata": {}}
        return None

    def _text(self, value: Any) -> str:
        text = value[: min(MAX_TEXT, max(self.letters_left, 0))] if isinstance(value, str) else ""
        self.letters_left -= len(text)
        return text


def _pixels(text: str) -> int:
    """Return the number of pixels of a PNG in base64; 0 if it is not a PNG or too large for a browser."""
    if len(text) > MAX_PICTURE or not re.fullmatch(r"iVBORw0KGgo[A-Za-z0-9+/=\s]{40,}", text):
        return 0
    try:
        width, height = struct.unpack(">II", base64.b64decode("".join(text[:100].split())[:32])[16:24])
    except (ValueError, struct.error):
        return 0
    return int(width * height) if width * height <= MAX_PIXELS else 0


def error_output(name: str, text: str, trace: list[str] | None = None) -> Output:
    return {"output_type": "error", "ename": name, "evalue": text, "traceback": trace or [f"{name}: {text}"]}


def exception_of(outputs: list[Output]) -> str:
    """Return the exception that ended a cell, on one line of at most 300 characters; "" if none did."""
    errors = [f"{output['ename']}: {output['evalue']}" for output in outputs if output["output_type"] == "error"]
    return " ".join(errors[-1].split())[:300] if errors else ""
