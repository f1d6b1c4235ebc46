"""Lessons, whose every step is a page in a state of its own, with a few words beside it.

A lesson is one file, `templates/lessons/NAME.md`: front matter in TOML, and a section for each
step. A section begins with its title, then a block of TOML with the parameters of the address, the
facts that its prose states about the result, and what the learner does (`docs/lessons.md`).
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import pairwise
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Literal, NamedTuple, Self
from urllib.parse import urlencode

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup
from pydantic import Field, model_validator

from heed.app.pages.lesson_units import Check, Do, Parameters, Predict, Question, Statement, Unit
from heed.app.tasks import pages
from heed.models.card import Card
from heed.output.page.glossary import term_attributes

FOLDER = Path(__file__).parents[2] / "templates" / "lessons"
GROW = "grow"
"""The page on which a network grows, which is a file of its own, too."""
TOOLS = {name: f"/learn/{name}" for name in ("score", "softmax", "watch", "cost", "timeline", GROW)}
"""The pages of lessons on which no model runs."""
PATHS = {page.name: page.path for page in pages()} | TOOLS
ONWARD = (
    ("/?show=mine#mine", "Show a model of your own"),
    ("/?view=compare", "Compare the kinds of attention"),
    ("/other", "See attention in stories, graphs and photos"),
)
"""The next steps at the end of the last lesson."""
FRONT_MATTER = re.compile(r"\A\+\+\+\n(.*?)^\+\+\+\n", re.DOTALL | re.MULTILINE)
TERM = re.compile(r"^(?:.*/)?glossary\.md#([a-z-]+)$")
FIGURE = re.compile(r"\{([a-z0-9-]+) ([a-z0-9_]+)\}")
"""A figure of a card within prose, `{en-fr-none multi30k_test_bleu}`."""
UNKNOWN = "–"
STEP = re.compile(r"[0-9]{1,4}")
WORD = re.compile(r"\w[\w’'-]*")
TASKS = ("predict", "do", "check", "recall")
Kind = Literal["read", "play", "predict", "do", "check", "recall"]


class State(Unit):
    """The state of a step: its page, the parameters of its address, its facts, and its unit."""

    page: str = "text"
    address: Parameters
    facts: tuple[Statement, ...] = ()
    predict: Predict | None = None
    do: Do | None = None
    check: Check | None = None
    recall: Annotated[tuple[Question, ...], Field(max_length=2)] = ()

    @model_validator(mode="after")
    def _is_one_unit_of_a_page(self) -> Self:
        if self.page not in PATHS:
            raise ValueError(f"there is no page {self.page!r}")
        if sum(bool(getattr(self, name)) for name in TASKS) > 1:
            raise ValueError("a step has more than one of predict, do, check and recall")
        return self

    @property
    def kind(self) -> Kind:
        """The kind of the unit; `read` if nothing is done, `play` on a page that is one to do."""
        for name in ("predict", "do", "check", "recall"):
            if getattr(self, name):
                return name
        return "play" if self.page in TOOLS else "read"


class Step(NamedTuple):
    """A step of a lesson. `words` is the number of words of its prose."""

    title: str
    prose: Markup
    words: int
    state: State
    place: Mapping[str, str | int]
    """The parameters that name the lesson and the step."""

    @property
    def href(self) -> str:
        """The address of the step."""
        return self.changed({})

    @property
    def leave(self) -> str:
        """The address of the page without a lesson."""
        return PATHS[self.state.page]

    @property
    def shows_model(self) -> bool:
        """True if the page shows a run of a model."""
        return "model" in self.state.address

    @property
    def changes(self) -> tuple[Parameters, ...]:
        """The parameters that the unit can change."""
        state = self.state
        reveal = (state.predict.reveal,) if state.predict else ()
        return (*reveal, state.do.show) if state.do else reveal

    def changed(self, change: Parameters) -> str:
        """Return the address of the step with other parameters of its page."""
        query = {**self.state.address, **change, **self.place}
        return f"{PATHS[self.state.page]}?{urlencode(query)}"

    @property
    def task(self) -> str:
        """The task of the learner for the script of the page, as JSON."""
        return self.state.model_dump_json(include=set(TASKS), exclude_defaults=True)


class Heading(Unit):
    """The front matter of a lesson."""

    title: str
    description: str
    order: Annotated[int, Field(ge=0)]
    """Its place in the list, which is its number; 0 for the overview."""
    minutes: Annotated[int, Field(ge=1, le=30)]
    notes: str
    """Markdown for teachers: what goes wrong, answers, and questions to ask."""


@dataclass(frozen=True)
class Lesson:
    """A lesson, of a file or of a link."""

    name: str
    title: str
    description: str
    steps: tuple[Step, ...]
    order: int = 0
    minutes: int = 0
    notes: Markup = Markup()  # noqa: RUF009

    @classmethod
    def read(cls, path: Path, cards: Mapping[str, Card] = MappingProxyType({})) -> Self:
        """Read a lesson from its file; the cards have the figures that its prose names."""
        text = FIGURE.sub(partial(_figure, cards), path.read_text("utf-8"))
        front = FRONT_MATTER.match(text)
        if front is None:
            raise ValueError(f"{path.name} has no front matter")
        heading = Heading.model_validate(tomllib.loads(front[1]))
        notes = Markup(_markdown().render(heading.notes))  # noqa: S704
        steps = (
            _step({"lesson": path.stem, "at": place}, *section)
            for place, section in enumerate(_sections(text[front.end() :]), 1)
        )
        own = heading.model_dump() | {"steps": tuple(steps), "notes": notes}
        return cls(name=path.stem, **own)

    def link(self, at: int) -> str:
        """Return the short address of a step, counted from 1; that of a link is its own."""
        own = "mine" in self.steps[at - 1].place
        return self.steps[at - 1].href if own else f"/learn/{self.name}/{at}"


class Stop(NamedTuple):
    """A step in its lesson, as a page shows it; `at` counts from 1."""

    lesson: Lesson
    at: int
    after: Lesson | None = None
    """The next lesson."""

    @property
    def step(self) -> Step:
        """The step itself."""
        return self.lesson.steps[self.at - 1]

    @property
    def previous(self) -> str | None:
        """The address of the step before."""
        return self.lesson.steps[self.at - 2].href if self.at > 1 else None

    @property
    def following(self) -> str | None:
        """The address of the next step."""
        return self.lesson.steps[self.at].href if self.at < len(self.lesson.steps) else None

    @property
    def onward(self) -> tuple[tuple[str, str], ...]:
        """The addresses and names of what comes after the last step."""
        if self.after is None:
            return ONWARD
        return ((self.after.link(1), f"Next lesson: {self.after.title}"), *ONWARD[1:])


class Lessons:
    """All lessons of the folder, in their order."""

    def __init__(
        self,
        cards: Mapping[str, Card],
        folder: Path = FOLDER,
        of_link: Callable[[str], Lesson | None] = lambda _: None,
    ) -> None:
        self._cards = cards
        self._folder = folder
        self._of_link = of_link

    @cached_property
    def all(self) -> tuple[Lesson, ...]:
        """The lessons."""
        lessons = (Lesson.read(path, self._cards) for path in self._folder.glob("*.md"))
        return tuple(sorted(lessons, key=lambda lesson: (lesson.order, lesson.name)))

    def named(self, name: str) -> Lesson | None:
        """Return a lesson, or None if there is none of this name."""
        return next((lesson for lesson in self.all if lesson.name == name), None)

    def stop_of(self, query: Mapping[str, str]) -> Stop | None:
        """Return the step that the query of a page names."""
        given = query.get("at", "1")
        at = int(given) if STEP.fullmatch(given) else 0
        if "mine" in query:
            lesson, place = self._of_link(query["mine"]), len(self.all)
        else:
            lesson = self.named(query.get("lesson", ""))
            place = self.all.index(lesson) + 1 if lesson else 0
        if lesson is None or not 1 <= at <= len(lesson.steps):
            return None
        return Stop(lesson, at, self.all[place] if place < len(self.all) else None)


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
    markdown = _markdown()
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


def _figure(cards: Mapping[str, Card], named: re.Match[str]) -> str:
    """Return a figure of a card: a share in percent, another one as a whole number."""
    card = cards.get(named[1])
    value = card.quality.get(named[2]) if card else None
    if value is None:
        return UNKNOWN
    return f"{value:.0%}".replace("%", " %") if value <= 1 else f"{value:.0f}"


def _markdown() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False})


def _step(place: Mapping[str, str | int], title: str, toml: str, html: str, words: int) -> Step:
    given = tomllib.loads(toml)
    own = {name: given.pop(name) for name in ("page", "facts", *TASKS) if name in given}
    state = State.model_validate({**own, "address": given})
    return Step(title, Markup(html), words, state, place)  # noqa: S704
