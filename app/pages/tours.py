"""Tours: lessons whose every step is a page in a state of its own, with a few words beside it.

A tour is one file, `templates/tours/NAME.md`: front matter in TOML, and a section for each step. A
section begins with its title, then a block of TOML with the parameters of the address and the facts
that its prose states about the result (`docs/architecture.md`, Recipes).
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Literal, NamedTuple
from urllib.parse import urlencode

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup
from pydantic import BaseModel, ConfigDict, Field

from heed.app.pages.glossary import term_attributes

FOLDER = Path(__file__).parents[2] / "templates" / "tours"
PATHS = {"text": "/", "picture": "/picture"}
ONWARD = (
    ("/?show=mine#mine", "Show a model of your own"),
    ("/?view=compare", "Compare the kinds of attention"),
    ("/other", "See attention in stories, graphs and photos"),
)
"""The next steps at the end of a tour: to what it has only touched."""
FRONT_MATTER = re.compile(r"\A\+\+\+\n(.*?)^\+\+\+\n", re.DOTALL | re.MULTILINE)
TERM = re.compile(r"^(?:.*/)?glossary\.md#([a-z-]+)$")
STEP = re.compile(r"[0-9]{1,4}")
WORD = re.compile(r"\w[\w’'-]*")


class _Checked(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Fact(_Checked):
    """A statement about the result of a step, which a test compares with the shipped models."""

    model: str | None = None
    """The model that it is about, if not that of the step."""
    writes: str | None = None
    """The whole output."""
    contains: tuple[str, ...] = ()
    """Words of the output."""
    lacks: tuple[str, ...] = ()
    """Words that the output does not have."""
    ends: bool = False
    """Whether the output ends with the stop token."""
    row: str | None = None
    """A word of the output, for `strongest`."""
    strongest: str | None = None
    """The input word that has the largest weight of the row."""
    at_least: float = 0.0
    """The least weight that it has."""


class State(_Checked):
    """The state of a step: its page, the parameters of its address, and its facts."""

    page: Literal["text", "picture"] = "text"
    address: dict[str, str | int | float]
    facts: tuple[Fact, ...] = ()


class Step(NamedTuple):
    """A step of a tour. `words` is the number of words of its prose."""

    title: str
    prose: Markup
    words: int
    state: State
    href: str


class Heading(_Checked):
    """The front matter of a tour."""

    title: str
    description: str
    order: Annotated[int, Field(ge=1)]


class Tour:
    """A tour, read from its file."""

    def __init__(self, path: Path) -> None:
        self.name = path.stem
        text = path.read_text("utf-8")
        front = FRONT_MATTER.match(text)
        if front is None:
            raise ValueError(f"{path.name} has no front matter")
        self.heading = Heading.model_validate(tomllib.loads(front[1]))
        sections = _sections(text[front.end() :])
        self.steps = tuple(
            _step(self.name, place, *section) for place, section in enumerate(sections, 1)
        )

    def link(self, at: int) -> str:
        """Return the short address of a step, counted from 1."""
        return f"/tour/{self.name}/{at}"


class Stop(NamedTuple):
    """A step in its tour, as a page shows it; `at` counts from 1."""

    tour: Tour
    at: int

    @property
    def step(self) -> Step:
        """The step itself."""
        return self.tour.steps[self.at - 1]

    @property
    def previous(self) -> str | None:
        """The address of the step before."""
        return self.tour.steps[self.at - 2].href if self.at > 1 else None

    @property
    def following(self) -> str | None:
        """The address of the next step."""
        return self.tour.steps[self.at].href if self.at < len(self.tour.steps) else None

    @property
    def onward(self) -> tuple[tuple[str, str], ...]:
        """The addresses and names of what comes after the last step."""
        return ONWARD


class Tours:
    """All tours of the folder, in their order."""

    def __init__(self, folder: Path = FOLDER) -> None:
        self._folder = folder

    @cached_property
    def all(self) -> tuple[Tour, ...]:
        """The tours."""
        tours = (Tour(path) for path in self._folder.glob("*.md"))
        return tuple(sorted(tours, key=lambda tour: (tour.heading.order, tour.name)))

    def stop(self, name: str, at: int) -> Stop | None:
        """Return a step of a tour, or None if there is none."""
        tour = next((tour for tour in self.all if tour.name == name), None)
        return Stop(tour, at) if tour is not None and 1 <= at <= len(tour.steps) else None

    def stop_of(self, query: Mapping[str, str]) -> Stop | None:
        """Return the step that the query of a page names."""
        at = query.get("at", "1")
        return self.stop(query.get("tour", ""), int(at) if STEP.fullmatch(at) else 0)


def _terms_for_links(tokens: Sequence[Token]) -> None:
    """Make a term of every link to the glossary, as `Glossary.term` does."""
    target = None
    for token in (child for parent in tokens for child in parent.children or ()):
        if token.type == "link_open":
            target = TERM.match(str(token.attrs["href"]))
            if target:
                token.tag = "span"
                token.attrs = term_attributes(target[1])
        elif token.type == "link_close" and target:
            token.tag = "span"


def _sections(text: str) -> Iterator[tuple[str, str, str, int]]:
    """Yield the title, the TOML, the prose and its number of words of each section."""
    markdown = MarkdownIt("commonmark", {"html": False})
    tokens = markdown.parse(text)
    _terms_for_links(tokens)
    starts = [
        place
        for place, token in enumerate(tokens)
        if (token.type, token.tag) == ("heading_open", "h2")
    ]
    for start, end in pairwise([*starts, len(tokens)]):
        title, state, prose = tokens[start + 1], tokens[start + 3], tokens[start + 4 : end]
        if state.type != "fence" or state.info.strip() != "toml":
            raise ValueError(f"the section {title.content!r} does not begin with a block of TOML")
        words = sum(
            len(WORD.findall(child.content))
            for token in prose
            for child in token.children or ()
            if child.type in ("text", "code_inline")
        )
        html = markdown.renderer.render(prose, markdown.options, {})
        yield title.content, state.content, html, words


def _step(tour: str, at: int, title: str, toml: str, html: str, words: int) -> Step:
    given = tomllib.loads(toml)
    page, facts = given.pop("page", "text"), given.pop("facts", [])
    state = State.model_validate({"page": page, "facts": facts, "address": given})
    query = urlencode({**state.address, "tour": tour, "at": at})
    return Step(title, Markup(html), words, state, f"{PATHS[state.page]}?{query}")  # noqa: S704
