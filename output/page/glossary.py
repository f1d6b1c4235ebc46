"""The glossary: `templates/glossary.toml` for the pages, and docs/glossary.md, made from it.

python -m heed.output.page.glossary [--check]
"""

from __future__ import annotations

import argparse
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

from markupsafe import Markup

SOURCE = Path(__file__).parents[2] / "templates" / "glossary.toml"
TARGET = Path(__file__).resolve().parents[2] / "docs" / "glossary.md"
PREFACE = (
    "Every term that the page explains, in one line each. Generated from "
    "`templates/glossary.toml` by `make glossary`."
)


@dataclass(frozen=True, slots=True)
class Term:
    """A term, and its meaning in one line."""

    name: str
    means: str


def term_attributes(id: str) -> dict[str, str | int | float]:
    """Return the attributes of a term, a `span` with a description that needs no script.

    It is no `<button>`, after which a line could break before a comma.
    """
    return {"role": "button", "tabindex": 0, "class": "term", "aria-describedby": f"term-{id}"}


class Glossary:
    """The terms by their ids, in alphabetical order."""

    def __init__(self, source: Path = SOURCE) -> None:
        entries = tomllib.loads(source.read_text("utf-8"))
        terms = {id: Term(**{"name": id, **entry}) for id, entry in entries.items()}
        self.terms = dict(sorted(terms.items(), key=lambda item: item[1].name.lower()))

    def term(self, id: str, text: str | None = None) -> Markup:
        """Return a word of a page that explains itself."""
        attributes = [
            Markup('{}="{}"').format(*attribute) for attribute in term_attributes(id).items()
        ]
        return Markup("<span {}>{}</span>").format(
            Markup(" ").join(attributes), text or self.terms[id].name
        )

    def markdown(self) -> str:
        """Return docs/glossary.md."""
        sections = [f"## {term.name}\n{term.means}\n" for term in self.terms.values()]
        return "\n".join(["# Glossary\n", PREFACE, "", *sections])


def main() -> None:
    """Write the file; with `--check`, fail if it is not what would be written."""
    parser = argparse.ArgumentParser(prog="heed.output.page.glossary", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing")
    text = Glossary().markdown()
    if not parser.parse_args().check:
        TARGET.write_text(text, encoding="utf-8")
    elif not TARGET.exists() or TARGET.read_text(encoding="utf-8") != text:
        sys.exit(f"{TARGET.name} does not match {SOURCE.name}: run `make glossary`.")


if __name__ == "__main__":
    main()
