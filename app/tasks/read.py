"""Sentences that are read word by word."""

from __future__ import annotations

from typing import Final

from heed.app.schemas import ReadIn
from heed.app.tasks.checks import check_text
from heed.app.tasks.edits import edits_of
from heed.app.tasks.task import EDITS, TEXT, Command, GalleryCard, Operation, Page, Query, Task
from heed.models.card import Card
from heed.models.generation.requests import TapeRequest
from heed.models.mechanisms import INTRA_MECHANISMS


def reading_request(request: ReadIn, _card: Card) -> TapeRequest:
    """Return the request for a model, or raise a `FieldError`."""
    return TapeRequest(check_text(request.text, "text"), edits_of(request.edits))


READ: Final = Task(
    id="read",
    does="reads sentences word by word",
    schema=ReadIn,
    prepared=reading_request,
    operation=Operation(
        summary="Read a sentence word by word",
        description="Run an LSTM with a memory tape on a sentence, and return its trace.\n\n"
        "The rows of its one map are the words and the end of the sentence, the columns are the "
        "start and\nthe words before. A row has the weights by which its word was predicted; the "
        "alternatives of its\nstep are the likeliest words in that place.",
        tag="sentences",
        codes=(*TEXT, *EDITS),
        examples={
            "a verb that agrees with a distant noun": {
                "text": "The keys to the cabinet are on the table."
            },
            "a sentence that is not finished": {"text": "The boy who lost his shoes"},
        },
    ),
    command=Command(
        help="read a sentence word by word",
        description="Print the sentence on the first line, and below it the weights of the earlier "
        "words by which each word was predicted.",
        inputs={"text": "the sentence; - reads standard input"},
        answer="answer",
        default="the first for reading",
    ),
    page=Page(
        "read",
        "js/views/arcs/view.js",
        GalleryCard(
            "An LSTM reads a sentence word by word",
            "In place of its last state it has all states on a tape. Before each word it attends "
            "to those that help to predict it: for a verb, to its subject far back.",
            "Cheng et al. 2016, Long Short-Term Memory-Networks for Machine Reading",
        ),
        shows=lambda trace: trace.model.mechanism in INTRA_MECHANISMS,
    ),
    query=Query(("text",)),
)
