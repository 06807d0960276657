"""axe-core in a page that a browser shows: which of WCAG 2.2's rules (levels A and AA) its elements break."""

from typing import Any

import pytest

from autograder.common.paths import ROOT

AXE = ROOT / "tests" / "javascript" / "node_modules" / "axe-core" / "axe.min.js"
# The rules, by their tags. What axe would report of rules that hold is not computed: it takes as long as the rules.
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
# Rules beside those tags that every page keeps: no level of headings is left out, and one element is the main part.
BESIDES = ("heading-order", "landmark-one-main")
SIZES = {"wide": {"width": 1280, "height": 900}, "phone": {"width": 320, "height": 800}}


def faults(page: Any, *, contrast: bool = True) -> list[str]:
    """Return a line for each element of the page that breaks a rule: the rule, the element, why.

    contrast: whether contrast is measured, which takes most of the time; colours are the same at each width.
    """
    if not AXE.is_file():
        pytest.skip("needs axe-core, which `make scripts` installs with npm")
    page.evaluate(AXE.read_text(encoding="utf-8"))  # not as a script of the page, which its security policy may refuse
    options = {"runOnly": TAGS, "resultTypes": ["violations"], "selectors": False, "preload": False}
    options["rules"] = {"color-contrast": {"enabled": contrast}} | {rule: {"enabled": True} for rule in BESIDES}
    found = page.evaluate("options => axe.run(document, options)", options)
    return [
        f"{rule['id']}: {node['html'][:200]}: {' '.join(node['failureSummary'].split())[:300]}"
        for rule in found["violations"]
        for node in rule["nodes"]
    ]


def scrolls_sideways(page: Any) -> bool:
    """Return whether the page is wider than its window."""
    return bool(page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth"))
