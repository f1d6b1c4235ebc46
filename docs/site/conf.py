"""The configuration of Sphinx for `make docs`: the Markdown of the repository as a site.

The sources are the files as they are, so each link works here and on the site. A picture that has
a live trace, which `docs.site.live` wrote before, becomes that trace.
"""

from __future__ import annotations

import re
import shutil
from html import escape
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform

ROOT = Path(__file__).parents[2]
LIVE = ROOT / "build" / "live"
SECTIONS = {
    "Use": ("views", "lessons", "grow", "attention", "faithfulness", "glossary"),
    "Call": ("api", "errors", "your-own-model"),
    "Serve": ("operations", "settings", "scaling", "performance"),
    "Develop": ("architecture", "training", "decisions/README", "lab/README"),
}
"""The pages of `docs/` by the headings of the navigation; others follow under *More*."""
REPOSITORY = ("CONTRIBUTING", "SECURITY", "CHANGELOG")

project = "Heed"
copyright = "2026, The Heed authors"
extensions = ["myst_parser"]
root_doc = "README"
include_patterns = ["*.md", "docs/**.md", "models/**/CARD.md"]
exclude_patterns = [".*", "app", "build", "heed", "node_modules", "static", "tests", "training"]
myst_heading_anchors = 4
html_theme = "furo"
html_title = "Heed"
html_favicon = "../../static/favicon.svg"
html_static_path = ["style"]
html_css_files = ["live.css"]
html_extra_path = [str(LIVE)] if LIVE.exists() else []
html_copy_source = False
templates_path = []


def navigation() -> str:
    """Return the lists of pages for the sidebar, as MyST writes them."""
    listed = {title: [f"docs/{name}" for name in names] for title, names in SECTIONS.items()}
    known = {name for names in listed.values() for name in names}
    others = {f"docs/{path.stem}" for path in (ROOT / "docs").glob("*.md")} - known
    cards = sorted(path.relative_to(ROOT) for path in ROOT.glob("models/**/CARD.md"))
    listed["Models"] = [path.with_suffix("").as_posix() for path in cards]
    listed["More"] = [*sorted(others), *REPOSITORY]
    return "".join(_toctree(names, f":hidden:\n:caption: {name}") for name, names in listed.items())


def _toctree(names: list[str], options: str) -> str:
    return "\n\n```{toctree}\n" + options + "\n\n" + "\n".join(names) + "\n```\n"


def read(_app: Sphinx, document: str, source: list[str]) -> None:
    """Add the navigation to the first page, and lists of its pages to that of a folder."""
    folder = (ROOT / document).parent
    if document == root_doc:
        source[0] += navigation()
        source[0] = re.sub(r"\]\((docs/\w+)\)", r"](\1/README.md)", source[0])  # a folder
    elif document.endswith("/README"):
        names = sorted(path.stem for path in folder.glob("*.md") if path.stem != "README")
        source[0] += _toctree(names, ":maxdepth: 1")


class LivePictures(SphinxPostTransform):
    """Replaces a picture by the live trace of its name; the picture stays for paper."""

    default_priority = 5

    def run(self, **_options: object) -> None:
        """Replace all pictures of the page that have one."""
        up = "../" * self.env.docname.count("/")
        for image in list(self.document.findall(nodes.image)):
            path = LIVE / "live" / f"{Path(image['uri']).stem}.html"
            if path.exists():
                image["classes"].append("live-picture")
                live = _live(f"{up}live/{path.name}", image["alt"])
                image.parent.insert(image.parent.index(image), nodes.raw("", live, format="html"))


def _live(address: str, title: str) -> str:
    """Return the frame of a live trace, which is loaded when it is scrolled to."""
    frame = f'<iframe src="{address}" title="{escape(title)}" loading="lazy"></iframe>'
    link = f'{escape(title)}. <a href="{address}">Open it alone</a>'
    return f'<span class="live">{frame}<span class="live-title">{link}</span></span>'


def finish(app: Sphinx, error: Exception | None) -> None:
    """Make the first page the one that a server opens."""
    if error is None:
        shutil.copy(Path(app.outdir) / f"{root_doc}.html", Path(app.outdir) / "index.html")


def setup(app: Sphinx) -> None:
    """Connect the functions above."""
    app.connect("source-read", read)
    app.connect("build-finished", finish)
    app.add_post_transform(LivePictures)
