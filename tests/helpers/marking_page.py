"""Runs the marking page's script by node, in a DOM without a browser; the test decides what the server answers."""

import copy
import json
import shutil
import subprocess
import threading
from pathlib import Path
from typing import Any

import pytest

from autograder.common.sentences import saying
from autograder.marking.handlers import MODULES, PAGES

JAVASCRIPT = Path(__file__).parents[1] / "javascript"
NODE = shutil.which("node")
LANGUAGES = ["en", "fr", "zh"]
# Seconds after which a page that does not answer is stopped; it answers within one.
TOO_LONG = 60
# Three items: plain, with words in three languages, and one that takes points away.
ITEMS = [
    {"id": "field", "points": 2, "text": {"en": "field of 17"}, "words": {"en": "field, 17"}},
    {"id": "mean", "points": 0.5, "text": {"en": "the mean", "fr": "la moyenne"},
     "words": {"en": "mean", "fr": "moyenne", "zh": "均值，平均"}},
    {"id": "wrong", "points": -1, "text": {"en": "wrong"}, "words": {}},
]  # fmt: skip


def answer(student: str, **changes: Any) -> dict[str, Any]:
    """Return an answer as the server sends it: not marked, of at most 3 points, without near-copies."""
    default = {
        "student": student, "name": "", "version": "1", "html": f"<p>Answer of {student}.</p>", "language": "en",
        "letters": 20, "asked": True, "open": True, "score": None, "most": 3, "comment": "", "items": [],
        "adjustment": 0, "elsewhere": False, "changed": False, "former": "", "by": "", "at": "", "group": student,
        "odd": "",
    }  # fmt: skip
    return default | changes


def marked(student: str, *items: str, **changes: Any) -> dict[str, Any]:
    """Return an answer that has a mark of one point."""
    return answer(student, **({"open": False, "score": 1, "items": list(items), "by": "ada"} | changes))


class MarkingPage:
    """A process of node that opens marking pages, one after the other."""

    def __init__(self) -> None:
        assert NODE is not None
        self.process = subprocess.Popen(
            [NODE, "--experimental-vm-modules", "--no-warnings", str(JAVASCRIPT / "marking.js")],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8",
        )  # fmt: skip

    def _ask(self, request: dict[str, Any]) -> Any:
        assert self.process.stdin and self.process.stdout
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        stop = threading.Timer(TOO_LONG, self.process.kill)  # ends a script that runs for ever
        stop.start()
        line = self.process.stdout.readline()
        stop.cancel()
        answer = json.loads(line or '{"error": "The page has ended."}')
        assert "error" not in answer, answer["error"]
        return answer.get("value")

    def open(self, *answers: dict[str, Any], items: list[dict[str, Any]] | None = None, **options: Any) -> None:
        """Open the page of a question. `options`: values of the template (`named`, `figures`, …), or of the DOM."""
        template = {
            "base": "/user/ada/", "lesson": "a lesson", "chosen": "why/so", "counts": {"why/so": (9, 9)},
            "words": {}, "_": saying("en"), "language": "en", "languages": LANGUAGES, "xsrf": "token",
            "grader": "someone", "named": False,
            "questions": {}, "title": "A lesson",
            "figures": False, "points": 3, "modules": MODULES, "question": "", "model": "", "markers": (), "marker": "",
        }  # fmt: skip
        values = {name: options.pop(name, value) for name, value in template.items()}
        html = PAGES.get_template("page.html.j2").render(values)
        with_html = [{**item, "html": item["text"]} for item in copy.deepcopy(ITEMS if items is None else items)]
        rubric = {"revision": 4, "items": with_html}
        self._ask({"open": {"html": html, "answers": list(answers), "rubric": rubric, **options}})

    def run(self, code: str, **given: Any) -> Any:
        """Run code in the page: the body of an async function; marking.js lists the names in it."""
        return self._ask({"run": code, "given": given})

    def value(self, expression: str, **given: Any) -> Any:
        return self.run(f"return {expression};", **given)

    def press(self, *keys: str, on: str = "", **options: Any) -> list[bool]:
        """Press keys on an element (by default the one with the focus); return whether the page used each of them."""
        return self.run(
            """const at = () => given.on ? document.querySelector(given.on) : document.activeElement;
            return given.keys.map((key) => !at().dispatchEvent(
                new window.KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...given.options })));""",
            keys=keys, on=on, options=options,
        )  # fmt: skip

    def click(self, selector: str) -> None:
        self.run("document.querySelector(given.selector).click();", selector=selector)

    def leave(self) -> None:
        """Take the focus from the field that has it."""
        self.run("document.activeElement.blur();")

    def fill(self, selector: str, value: str, event: str = "change") -> None:
        """Set an element's value and send the event that typing would send."""
        self.run(
            """const field = document.querySelector(given.selector);
            field.value = given.value;
            field.dispatchEvent(new window.InputEvent(given.event, { bubbles: true }));""",
            selector=selector, value=value, event=event,
        )  # fmt: skip

    def text(self, selector: str) -> str:
        return self.value("document.querySelector(given.selector).textContent.trim()", selector=selector)

    def texts(self, selector: str) -> list[str]:
        texts = "[...document.querySelectorAll(given.selector)].map((element) => element.textContent.trim())"
        return self.value(texts, selector=selector)

    def count(self, selector: str) -> int:
        return len(self.texts(selector))

    @property
    def in_hand(self) -> str | None:
        return self.value("modules.state.state.at")

    @property
    def draft(self) -> dict[str, Any]:
        return self.value("modules.state.state.draft")

    @property
    def shown(self) -> list[str]:
        """The students whose answers are shown, in the order of the page."""
        students = """[...document.querySelectorAll("article")].map((card) =>
            modules.state.state.answers[Number(card.id.replace("answer-", ""))].student)"""
        return self.value(students)

    def sent(self, what: str) -> list[Any]:
        """The bodies of the requests of a kind, in their order."""
        return self.value("server.requests.filter((one) => one.what === given.what).map((one) => one.body)", what=what)

    def close(self) -> None:
        assert self.process.stdin and self.process.stdout
        self.process.stdin.close()
        self.process.wait(timeout=60)
        self.process.stdout.close()


def needed() -> None:
    """Skip the test if node or its packages are missing."""
    if NODE is None:
        pytest.skip("needs node")
    if not (JAVASCRIPT / "node_modules" / "happy-dom").is_dir():
        pytest.skip("needs the packages of tests/javascript (make scripts)")
