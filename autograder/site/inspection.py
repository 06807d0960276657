"""Inspects a built site: no broken link, nothing loaded from another host, no picture without alternative text.

Sphinx warns of a broken link in a text only, and its builder `linkcheck` checks neither the site's own anchors nor the
files that a page loads. So the pages themselves are inspected here. `private` looks for solutions.
"""

import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

from lxml import html

from autograder.common.errors import BuildError
from autograder.site import private

LINKS = "//a/@href"
# The addresses that a browser fetches by itself, and those in any `link` element: none has to lead to another host.
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
    checks: list[tuple[Path, str, str]] = []  # file, what the file does, fault or ""
    other_hosts: set[str] = set()
    for path, page in pages.items():
        links = set(page.xpath(LINKS))
        other_hosts |= {target for target in links if urlsplit(target).scheme in ("http", "https")}
        loads = {*page.xpath(LOADS), *_in_styles("\n".join(page.xpath(STYLES)))}
        checks += [
            (path, f"links to {target}", _broken(target, path, anchors)) for target in sorted(links - other_hosts)
        ]
        checks += [
            (path, f"loads {target}", _foreign(target) or _broken(target, path, anchors)) for target in sorted(loads)
        ]
        # In HTML an empty `alt` marks a picture as decoration; the lessons have none, so it counts as missing.
        pictures = page.xpath("//img[not(normalize-space(@alt))]")
        checks += [(path, f"shows {picture.get('src', '')[:60]}", "without words for it") for picture in pictures]
    for path in folder.rglob("*.css"):
        loads = _in_styles(path.read_text(encoding="utf-8"))
        checks += [(path, f"loads {target}", _foreign(target)) for target in sorted(loads)]
    faults = [f"{path.relative_to(folder)} {what} {fault}" for path, what, fault in checks if fault]
    faults += private.found_in(folder)
    if faults:
        more = f"; and {len(faults) - SHOWN} more" if len(faults) > SHOWN else ""
        raise BuildError(f"The site cannot be handed out: {'; '.join(faults[:SHOWN])}{more}.")
    return sorted(other_hosts)


def _in_styles(text: str) -> set[str]:
    return {address for pair in IN_STYLES.findall(text) for address in pair if address}


def _foreign(target: str) -> str:
    """Return the fault of an address that a browser would fetch from another host, "" for others."""
    parts = urlsplit(target)
    return "from elsewhere" if parts.netloc or parts.scheme not in ("", "data") else ""


def _broken(target: str, page: Path, anchors: dict[Path, set[str]]) -> str:
    """Return the fault of an address in the site, "" for a good address.

    page: the file that has the address.
    anchors: for each page, the names that an address may have behind its `#`.
    """
    parts = urlsplit(target)
    if parts.scheme:
        return "" if parts.scheme in ("data", "mailto") else "which is no page of the site"
    if target.startswith("/"):
        return "which is right at only one place of one server"
    file = (page.parent / unquote(parts.path) if parts.path else page).resolve()
    if not file.is_file():
        return "which is not there"
    if parts.fragment and file in anchors and unquote(parts.fragment) not in anchors[file]:
        return "which has no such heading"
    return ""
