"""Questions about stories."""

from __future__ import annotations

from typing import Final

from heed.app.schemas import SentenceAxisOut, StoryIn
from heed.app.tasks.checks import check_text
from heed.app.tasks.edits import edits_of
from heed.app.tasks.task import EDITS, QUESTION, Command, GalleryCard, Operation, Page, Query, Task
from heed.models.card import Card
from heed.models.generation.requests import StoryRequest


def story_request(request: StoryIn, _card: Card) -> StoryRequest:
    """Return the request for a model, or raise a `FieldError`."""
    story = check_text(request.story, "story", "story")
    question = check_text(request.question, "question", "question")
    return StoryRequest(story, question, edits_of(request.edits))


STORY: Final = Task(
    id="story",
    does="answers questions about stories",
    schema=StoryIn,
    prepared=story_request,
    operation=Operation(
        summary="Ask a question about a story",
        description="Run a memory network on a story and a question, and return its trace.\n\n"
        "The rows of its one map are the hops, the columns are the sentences. The first sentence "
        "is the\nempty one, which a question attends to that no sentence answers.",
        tag="stories",
        codes=("empty_story", "blank_story", "story_too_long", *QUESTION, *EDITS),
        examples={
            "a ball that is carried": {
                "story": "John picked up the ball. John went to the garden. John dropped the ball. "
                "Mary went to the kitchen.",
                "question": "Where is the ball?",
            },
            "an answer that the story does not give": {
                "story": "Mary went to the kitchen.",
                "question": "Where is the ball?",
            },
        },
    ),
    command=Command(
        help="answer a question about a story",
        description="Print the answer to a question on the first line, and below it the weight of "
        "each sentence in each hop.",
        inputs={"story": "the story; - reads standard input", "question": "the question"},
        answer="answer",
        default="the first for stories",
    ),
    page=Page(
        "story",
        "js/views/map/view.js",
        GalleryCard(
            "A memory network reads a story",
            "A question attends to the sentences of a story, reads what they say, and attends "
            "again with what it has read: three hops lead to the answer.",
            "Sukhbaatar et al. 2015, End-To-End Memory Networks",
        ),
        shows=lambda trace: isinstance(trace.source, SentenceAxisOut),
    ),
    query=Query(("story", "question")),
)
