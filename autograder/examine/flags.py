"""Flags as the instructor reads them: results keep them in English, and they are translated when they are shown.

cell w3 uses the network: urlopen(…)             a subject, a known phrase, a detail
cell w3: your code was stopped: it ran longer…   a subject, a known phrase
"""

import re

from utils.common.messages import N_, Message, translate

SUBJECT = re.compile(r"(cell|question) (\S+?)(:?) (.*)", re.DOTALL)
CELL, QUESTION = N_("cell {name} {what}"), N_("question {name} {what}")
OF_CELL, OF_QUESTION = N_("cell {name}: {what}"), N_("question {name}: {what}")
SENTENCES = {("cell", ""): CELL, ("cell", ":"): OF_CELL, ("question", ""): QUESTION, ("question", ":"): OF_QUESTION}
DETAIL = N_("{name}: {value}")


def shown(flag: str, language: str) -> str:
    """Return a flag in a language; in English if no catalogue has its phrase."""
    match = SUBJECT.fullmatch(flag)
    parts = match[4].split(": ") if match else []
    # A phrase may have a colon itself, so the longest phrase is tried first.
    for end in range(len(parts), 0, -1):
        phrase, detail = ": ".join(parts[:end]), ": ".join(parts[end:])
        if match and (what := translate(phrase, language)) != phrase:
            what = Message(DETAIL, {"name": what, "value": detail}).render(language) if detail else what
            return Message(SENTENCES[match[1], match[3]], {"name": match[2], "what": what}).render(language)
    return flag
