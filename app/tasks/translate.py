"""Translation: a text, and perhaps a target."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from heed.app.schemas import SearchIn, TranslateIn
from heed.app.tasks.checks import check_text
from heed.app.tasks.edits import edits_of
from heed.app.tasks.task import EDITS, TARGET, TEXT, Command, Operation, Page, Query, Task
from heed.models.card import Card
from heed.models.generation.requests import TextRequest
from heed.models.trace import SearchRequest

GREEDY: Final = SearchRequest("greedy")
SEARCH: Final = {"search": "kind", "penalty": "length_penalty"}
"""Fields of a search that have other names in an address."""


def text_request(request: TranslateIn, _card: Card) -> TextRequest:
    """Return the request for a model, or raise a `FieldError`."""
    text, target = check_text(request.text, "text"), target_of(request.target)
    return TextRequest(
        text,
        target,
        search_of(request.search),
        request.vectors,
        edits=edits_of(request.edits),
        continue_from=request.continue_from,
    )


def target_of(target: str | None) -> str | None:
    """Return the target of a request, or raise a `FieldError`."""
    return None if target is None else check_text(target, "target", "target")


def search_of(search: SearchIn) -> SearchRequest:
    """Return the search with the parameters of its kind; the others have their defaults."""
    match search.kind:
        case "beam":
            return SearchRequest("beam", beam=search.beam, length_penalty=search.length_penalty)
        case "sample":
            return SearchRequest("sample", seed=search.seed, temperature=search.temperature)
    return GREEDY


def _search_fields(query: Mapping[str, str]) -> dict[str, object]:
    named = {SEARCH.get(name, name): value for name, value in query.items()}
    search = {field: named[field] for field in SearchIn.model_fields if field in named}
    return {"target": query.get("target"), "search": search, "maps": "linked"}


TEXT_PAGE: Final = Page("text", "js/views/map/view.js")
TRANSLATE: Final = Task(
    id="translate",
    does="translates text",
    schema=TranslateIn,
    prepared=text_request,
    operation=Operation(
        summary="Translate a text",
        description="Run a model on a text and return its trace.\n\n"
        "With a `target` the model writes that instead (forced decoding), and the trace contains "
        "its\nattention and the surprise of each target token.",
        tag="translation",
        codes=(*TEXT, *TARGET, *EDITS),
        examples={
            "a date": {"text": "the 3rd of may 1979"},
            "one model of several": {"text": "thursday 7 march 2024", "model": "dates-dot"},
            "a target of your own": {"text": "may 3, 1979", "target": "1979-05-03"},
            "beam search": {"text": "5/3/79", "search": {"kind": "beam", "beam": 3}},
            "an edit of the attention": {
                "text": "I do not know where she lives.",
                "model": "en-fr-transformer",
                "edits": [{"op": "block", "words": "not"}],
            },
            "weights only": {"text": "3 may 79", "detail": "weights"},
            "the vectors of every head": {
                "text": "I do not know where she lives.",
                "model": "en-fr-transformer",
                "vectors": "all",
            },
        },
    ),
    command=Command(
        help="translate a text and show the attention map",
        description="Print the output on the first line, and the attention map of its tokens below "
        "it.",
        inputs={"text": "the text; - reads standard input"},
        answer="output",
        default="the first",
    ),
    page=TEXT_PAGE,
    query=Query(("text",), frozenset({"target", *SEARCH, *SearchIn.model_fields}), _search_fields),
)
