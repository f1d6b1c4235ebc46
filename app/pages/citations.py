"""Citations: Heed, and the paper of the mechanism that a model uses."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from heed import __version__

PAPERS = Path(__file__).parents[2] / "templates" / "papers.bib"
ENTRY = re.compile(r"^@\w+\{(?P<key>[^,]+),.*?^\}$", re.DOTALL | re.MULTILINE)
REFERENCE = re.compile(r"(?P<author>\w+)(?: et al\.| and \w+)? (?P<year>\d{4})")
HEED = f"""@software{{heed,
  author = {{{{The Heed authors}}}},
  title = {{{{Heed: attention made visible}}}},
  version = {{{__version__}}},
  license = {{MIT}},
  year = {{2026}}
}}"""


@cache
def papers() -> dict[str, str]:
    """Return the entries of the bibliography by key."""
    text = PAPERS.read_text("utf-8")
    return {match["key"]: match[0] for match in ENTRY.finditer(text)}


def key_of(paper: str) -> str:
    """Return the key of a reference, such as `bahdanau2015` of "Bahdanau et al. 2015, A.1.2"."""
    match = REFERENCE.match(paper)
    return f"{match['author'].lower()}{match['year']}" if match else ""


def citation(paper: str) -> str:
    """Return Heed and a paper as BibTeX."""
    return "\n\n".join(filter(None, (HEED, papers().get(key_of(paper))))) + "\n"
