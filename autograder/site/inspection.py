"""Inspect a built site: no broken link, nothing loaded from another host, no picture without alternative text.

Sphinx warns of a broken link in a text only, and its builder `linkcheck` reads neither the site's own anchors nor what
a page loads. So the pages themselves are inspected here. `private` looks for solutions.
"""

import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

from lxml import html

from autograder.common.errors import BuildError
from autograder.site import private

LINKS = "//a/@href"
# What a browser fetches by itself. Other `link` elements count as well: a site needs none that leads to another host.
LOADS = "//*[not(self::a)]/@href | //@src | //@srcset | //@data | //@poster | //@action | //@*[name()='xlink:href']"
STYLES = "//style/text() | //@style"
IN_STYLES = re.compile(r"url\(\s*[\"']?([^\"')]+)|@import\s+[\"']([^\"']+)")
# The number of faults in the error's sentence.
SHOWN = 8


def inspect(folder: Path) -> list[str]:
    """Inspect a site; return the addresses on other hosts that its pages link to.

    Raises: BuildError, naming the pages and their faults.
    """
    parser = html.HTMLParser(encoding="utf-8")
    pages = {path: html.document_fromstring(path.read_bytes(), parser) for path in sorted(folder.rglob("*.html"))}
    anchors = {path.resolve(): set(page.xpath("//@id | //@name")) for path, page in pages.items()}
    checks: list[tuple[Path, str, str]] = []
    elsewhere: set[str] = set()
    for path, page in pages.items():
        links = set(page.xpath(LINKS))
        elsewhere |= {target for target in links if urlsplit(target).scheme in ("http", "https")}
        loads = {*page.xpath(LOADS), *_in_styles("\n".join(page.xpath(STYLES)))}
        checks += [(path, f"links to {target}", _broken(target, path, anchors)) for target in sorted(links - elsewhere)]
        checks += [
            (path, f"loads {target}", _foreign(target) or _broken(target, path, anchors)) for target in sorted(loads)
        ]
        # An empty `alt` marks decoration in HTML; no picture of the lessons is decoration, so it counts as missing.
        silent = page.xpath("//img[not(normalize-space(@alt))]")
        checks += [(path, f"shows {picture.get('src', '')[:60]}", "without words for it") for picture in silent]
    for path in folder.rglob("*.css"):
        loads = _in_styles(path.read_text(encoding="utf-8"))
        checks += [(path, f"loads {target}", _foreign(target)) for target in sorted(loads)]
    faults = [f"{path.relative_to(folder)} {what} {fault}" for path, what, fault in checks if fault]
    faults += private.found_in(folder)
    if faults:
        more = f"; and {len(faults) - SHOWN} more" if len(faults) > SHOWN else ""
        raise BuildError(f"The site cannot be handed out: {'; '.join(faults[:SHOWN])}{more}.")
    return sorted(elsewhere)


def _in_styles(text: str) -> set[str]:
    return {address for pair in IN_STYLES.findall(text) for address in pair if address}


def _foreign(target: str) -> str:
    """Return what is wrong when a browser would ask another host for an address, else ""."""
    parts = urlsplit(target)
    return "from elsewhere" if parts.netloc or parts.scheme not in ("", "data") else ""


def _broken(target: str, page: Path, anchors: dict[Path, set[str]]) -> str:
    """Return what is wrong with an address in the site, "" for a good one.

    page: the file that has the address.
    anchors: what an address may name behind its `#`, in each page.
    """
    parts = urlsplit(target)
    if parts.scheme:
        return "" if parts.scheme in ("data", "mailto") else "which is no page of the site"
    if target.startswith("/"):
        return "which is right at one place of one server alone"
    there = (page.parent / unquote(parts.path) if parts.path else page).resolve()
    if not there.is_file():
        return "which is not there"
    if parts.fragment and there in anchors and unquote(parts.fragment) not in anchors[there]:
        return "which has no such heading"
    return ""
