"""The description of a task: all that the server, the command line and the pages know of it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Generic, Literal, NamedTuple, TypeVar

from heed.app.http.media_types import FILE, SOUND
from heed.app.http.paths import API
from heed.app.schemas import RunOptions, TraceOut
from heed.models.card import Card
from heed.models.generation.requests import Request
from heed.output.page.environment import template_of

Options = TypeVar("Options", bound=RunOptions)

TEXT = ("empty_text", "blank_text", "unknown_characters", "text_too_long")
TARGET = ("empty_target", "blank_target", "target_too_long")
EDITS = (*("edits_not_supported", "empty_row", "invalid_row", "impossible_weight", "unknown_word"),)
QUESTION = ("empty_question", "blank_question", "unknown_characters", "question_too_long")
PICTURE = (
    *("bad_form", "image_file_too_large", "unsupported_picture", "empty_picture"),
    *("picture_too_large", "broken_picture", "draws_unsupported"),
)


class TaskInput(NamedTuple):
    """The options of a request, and its file if the task takes one."""

    options: RunOptions
    file: bytes | None = None
    stores: bool = True
    """False if the answer is not to be cached."""


@dataclass(frozen=True)
class Upload:
    """A file that a task takes: its name in a form, and the field of its content in `Request`."""

    name: str
    content: str

    def filled(self, request: Any, content: object) -> Request:
        """Return a request with the content of its file."""
        filled: Request = replace(request, **{self.content: content})
        return filled

    def identified(self, request: Any, file: bytes) -> Request:
        """Return a request with the digest of its file, which stands for the content."""
        identified: Request = replace(request, digest=hashlib.sha256(file).digest())
        return identified


PICTURE_FILE = Upload(FILE, "picture")
SOUND_FILE = Upload(SOUND, "sound")


@dataclass(frozen=True)
class Encoded(Generic[Options]):
    """A request in JSON that contains the file, beside the form."""

    schema: type[Options]
    file: Callable[[Options], bytes]
    """Returns the file of a request, or raises a `FieldError`."""
    examples: Mapping[str, object]

    def input(self, request: Options) -> TaskInput:
        """Return the options of a request, and its file."""
        options = RunOptions(model=request.model, detail=request.detail)
        return TaskInput(options, self.file(request))


@dataclass(frozen=True)
class Operation:
    """The entry of a task in the OpenAPI document."""

    summary: str
    description: str
    tag: str
    """One of `TAGS` of the document."""
    codes: tuple[str, ...]
    """The codes of its errors, beside those of every route that runs a model."""
    examples: Mapping[str, object] = field(default_factory=dict)
    """Bodies, by title. A test sends each of them."""


@dataclass(frozen=True)
class Command:
    """The command of a task. Its options follow from the fields of the schema."""

    help: str
    description: str
    inputs: Mapping[str, str]
    """The help of its arguments. The first may be `-`, for the standard input."""
    answer: str | None
    """The noun for what `--quiet` prints; None if a map is never printed."""
    default: str = "the first of its task"
    """The model that is run if none is named."""
    overlay: str | None = None
    """The help of `--overlay`, which writes a figure."""
    opens_files: bool = False
    """True if the first argument may be the name of a file, with the input or fields in JSON."""


@dataclass(frozen=True)
class GalleryCard:
    """The card of a page in the gallery of other attentions."""

    title: str
    says: str
    paper: str


@dataclass(frozen=True)
class Page:
    """A page, for one task or several."""

    name: str
    first_view: str
    """The module of the view that it shows first."""
    card: GalleryCard | None = None
    shows: Callable[[TraceOut], bool] | None = None
    """Returns true for a saved trace that it shows; None for the page of all other traces."""

    @property
    def path(self) -> str:
        """The path of the page."""
        return "/" if self.name == "text" else f"/{self.name}"

    @property
    def prefix(self) -> str:
        """The beginning of the paths below that of the page."""
        return self.path.rstrip("/")

    @property
    def template(self) -> str:
        """The name of its template."""
        return template_of(self.name)


def _no_fields(_query: Mapping[str, str]) -> dict[str, object]:
    return {}


@dataclass(frozen=True)
class Query:
    """The request in the address of a page: its parameters are fields of the schema."""

    inputs: tuple[str, ...]
    """The fields of the form. Without them, the request is the first example of the model."""
    others: frozenset[str] = frozenset()
    """Further parameters that the answer depends on."""
    other_fields: Callable[[Mapping[str, str]], dict[str, object]] = _no_fields
    """Returns further fields of the request in a query."""

    @property
    def names(self) -> frozenset[str]:
        """The parameters that the answer depends on."""
        return self.others | {*self.inputs, "model"}

    def fields(self, query: Mapping[str, str], card: Card) -> dict[str, object]:
        """Return the fields of the request in a query.

        The last line of an example is the last of several inputs.
        """
        example = next(iter(card.examples), "").rsplit("\n", len(self.inputs) - 1)
        given = dict(zip(self.inputs, example, strict=False))
        inputs = {name: query.get(name, given.get(name, "")) for name in self.inputs}
        return {**inputs, "model": card.id, **self.other_fields(query)}


@dataclass(frozen=True)
class Task(Generic[Options]):
    """The description of a task: its request, its words, its page."""

    id: str
    """Its name in the cards of models, in its path, and as a command."""
    does: str
    """Says what a model of this task does."""
    schema: type[Options]
    """The options of a request; with an upload, the fields of a form beside the file."""
    prepared: Callable[[Options, Card], Request]
    """Returns the request for a model, without its file, or raises a `FieldError`."""
    operation: Operation
    command: Command
    page: Page
    query: Query | None = None
    """The request in an address of the page; None if its script alone sends requests."""
    engine: Literal["text", "image"] = "text"
    """Texts never wait for the models of the other engine, which take longer."""
    upload: Upload | None = None
    encoded: Encoded[Any] | None = None
    input: str = "{characters} characters"
    """The input of a model, in the list of models."""

    @property
    def path(self) -> str:
        """The path of its route."""
        return f"{API}/{self.id}"
