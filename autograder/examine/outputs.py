"""What may be shown of a cell's outputs: the sandbox bounded them, but a student's code may have undone that."""

import base64
import re
import struct
from typing import Any

# One output of a cell, in nbformat's form.
Output = dict[str, Any]

# Of one picture in an output: letters of base64, and pixels (a page of 300 dpi).
MAX_PICTURE = 1_500_000
MAX_PIXELS = 10_000_000


def checked_outputs(outputs: Any) -> list[Output]:
    """Return a cell's outputs, rebuilt from what may be shown: text, and pictures that are PNG."""
    kept: list[Output] = []
    for output in outputs if isinstance(outputs, list) else []:
        if not isinstance(output, dict):
            continue
        kind = output.get("output_type")
        if kind == "stream":
            kept.append({"output_type": "stream", "name": "stdout", "text": _text(output.get("text"))})
        elif kind == "error":
            trace = output.get("traceback")
            lines = [_text(line) for line in trace[:200]] if isinstance(trace, list) else []
            kept.append(error_output(_text(output.get("ename"))[:200], _text(output.get("evalue")), lines))
        elif kind in ("display_data", "execute_result") and isinstance(output.get("data"), dict):
            data = {"text/plain": _text(output["data"].get("text/plain"))}
            picture = output["data"].get("image/png")
            if isinstance(picture, str) and _is_picture(picture):
                data["image/png"] = picture
            kept.append({"output_type": "display_data", "data": data, "metadata": {}})
    return kept[:60]


def _is_picture(text: str) -> bool:
    """Return whether this is the base64 text of a PNG that a browser can show without choking."""
    if len(text) > MAX_PICTURE or not re.fullmatch(r"iVBORw0KGgo[A-Za-z0-9+/=\s]{40,}", text):
        return False
    try:
        width, height = struct.unpack(">II", base64.b64decode("".join(text[:100].split())[:32])[16:24])
    except (ValueError, struct.error):
        return False
    return bool(width * height <= MAX_PIXELS)


def _text(value: Any) -> str:
    return value[:30_000] if isinstance(value, str) else ""


def error_output(name: str, text: str, trace: list[str] | None = None) -> Output:
    return {"output_type": "error", "ename": name, "evalue": text, "traceback": trace or [f"{name}: {text}"]}
