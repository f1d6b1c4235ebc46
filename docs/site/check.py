"""Check a built site: it loads nothing from other hosts, and all its links lead somewhere.

python -m docs.site.check FOLDER
"""

from __future__ import annotations

import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADED = {"src", "srcset", "poster", "data", "action"}
"""Attributes whose address the browser asks for by itself, or sends a form to."""
STYLE = re.compile(r"""url\(\s*(?!['"]?(?:data:|#))['"]?([^'")]+)|@import\s+['"]([^'"]+)""")
SCRIPT = re.compile(r"""(?:import|fetch|from|src\s*=)\s*\(?\s*['"`](https?:)?//""")


class Page(HTMLParser):
    """The addresses that a page loads and links to, and the places that it has."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.loaded: list[str] = []
        self.links: list[str] = []
        self.places = {""}
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        """Collect the attributes of an element."""
        for name, value in attributes:
            if name == "id" and value:
                self.places.add(value)
            elif name in LOADED and value and not value.startswith(("data:", "blob:")):
                self.loaded.append(value)
            elif name == "href" and value:
                (self.links if tag == "a" else self.loaded).append(value)


def problems(site: Path) -> list[str]:
    """Return a sentence for each address that the site should not have."""
    pages = {path: Page(path.read_text("utf-8")) for path in sorted(site.rglob("*.html"))}
    loaded = {path: page.loaded for path, page in pages.items()} | {
        path: [match[1] or match[2] for match in STYLE.finditer(path.read_text("utf-8"))]
        for path in sorted(site.rglob("*.css"))
    }
    found = [
        f"{path.relative_to(site)} loads {address} from another host."
        for path, addresses in loaded.items()
        for address in addresses
        if urlsplit(address).netloc
    ]
    found += [
        f"{path.relative_to(site)} loads something from another host."
        for path in sorted(site.rglob("*.js"))
        if SCRIPT.search(path.read_text("utf-8"))
    ]
    for path, addresses in loaded.items():
        links = pages[path].links if path in pages else []
        for address in [*addresses, *links]:
            found += _missing(site, path, address, pages)
    return found


def _missing(site: Path, path: Path, address: str, pages: dict[Path, Page]) -> list[str]:
    """Return a sentence if an address of the site leads to no file, or to no place in it."""
    parts = urlsplit(address)
    if parts.netloc or parts.scheme:
        return []
    target = (path.parent / unquote(parts.path)).resolve() if parts.path else path.resolve()
    place = unquote(parts.fragment)
    if not target.is_file():
        return [f"{path.relative_to(site)} links to {address}, which is not there."]
    if target in pages and place and place not in pages[target].places:
        return [f"{path.relative_to(site)} links to {address}, a place that is not there."]
    return []


if __name__ == "__main__":
    sys.exit("\n".join(problems(Path(sys.argv[1]).resolve())) or 0)
